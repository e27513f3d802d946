"""gunicorn's own lines, and those of requests, in the form of all others."""

import logging
from datetime import timedelta
from typing import Any

from gunicorn.glogging import Logger

SLOW = 1.0  # seconds; LINE waits two for its 200


class GunicornLog(Logger):  # type: ignore[misc]
    """Hands gunicorn's lines to the handler of `bot.runtime.json_log`: requests that failed (5xx) or were
    slower than SLOW. Of a path it has the first part alone, because the rest of a picture's address is a
    key."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        for logger in (self.error_log, self.access_log):
            for handler in [one for one in logger.handlers if getattr(one, "_gunicorn", False)]:
                logger.removeHandler(handler)
            logger.setLevel(self.loglevel)
            logger.propagate = True

    def access(self, resp: Any, req: Any, environ: dict[str, Any], request_time: timedelta) -> None:
        seconds, status = request_time.total_seconds(), int(str(resp.status).split()[0])
        level = logging.WARNING if status >= 500 else logging.INFO if seconds >= SLOW else logging.DEBUG
        if self.access_log.isEnabledFor(level):
            method, path = environ.get("REQUEST_METHOD", ""), environ.get("PATH_INFO", "")
            place = "/" + path.lstrip("/").partition("/")[0][:40]
            told = {"status": status, "ms": round(1000 * seconds, 1)}
            self.access_log.log(level, "%s %s", method, place, extra={"fields": told})
