"""Report to a watcher outside whether the last sync was good. The watcher alarms where no report
comes.

The form is healthchecks.io's (https://healthchecks.io/docs/http_api/): a request to the address
after each good run, to the same with `/fail` after another.
"""

import logging
import urllib.request
from urllib.parse import urlsplit

PATIENCE = 10.0  # seconds
log = logging.getLogger(__name__)


def beat(url: str, good: bool) -> None:
    """Call HEARTBEAT_URL, where it is set.

    A failure is logged, without the address, which is secret.
    """
    if not url:
        return
    address = url
    if not good:
        path = urlsplit(url).path.rstrip("/")
        address = urlsplit(url)._replace(path=f"{path}/fail").geturl()
    try:
        # The settings accept http and https alone.
        with urllib.request.urlopen(address, timeout=PATIENCE):  # noqa: S310
            pass
    except (OSError, ValueError) as error:
        reason = getattr(error, "code", None) or type(error).__name__
        log.warning("HEARTBEAT_URL could not be called: %s", reason)
