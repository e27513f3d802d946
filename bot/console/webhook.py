"""Send one signed POST to the bot's webhook, as LINE's servers do.

The errors have LINE's names:
https://developers.line.biz/en/docs/messaging-api/check-webhook-error-statistics/.
"""

from __future__ import annotations

import http.client
import time
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Answer:
    """The webhook's HTTP status, or None; an error by LINE's name, or None; and the seconds it took."""

    status: int | None
    error: str | None
    seconds: float


def post(url: str, raw: bytes, signature: str, timeout: float) -> Answer:
    """Post the body and return the answer; `timeout` is in seconds. Any status but 2xx is an error."""
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    made = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    connection = made(parts.hostname or "", parts.port, timeout=timeout)
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": "LineBotWebhook/2.0",
        "X-Line-Signature": signature,
    }
    started = time.monotonic()
    status: int | None = None
    error: str | None = None
    try:
        connection.request("POST", parts.path or "/", body=raw, headers=headers)
        response = connection.getresponse()
        response.read()
        status = response.status
    except TimeoutError:
        error = "request_timeout"
    except (OSError, http.client.HTTPException) as problem:
        error = f"could_not_connect: {problem}"
    finally:
        connection.close()
    if status is not None and not 200 <= status < 300:
        error = "error_status_code"
    return Answer(status, error, time.monotonic() - started)
