"""LINE's calls about the webhook's address
(https://developers.line.biz/en/reference/messaging-api/#webhook-settings)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from bot.console.lineapi import NOT_FOUND, Refusal
from bot.console.platform import Platform
from storage.addresses import is_safe

Json = dict[str, Any]

LONGEST = 500  # characters of an address


class WebhookCalls:
    """Reads, sets and tries the address. https is demanded but for loopback, where the console is."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform

    def endpoint(self) -> Json:
        if not self.platform.callback_url:
            raise Refusal(404, NOT_FOUND)
        return {"endpoint": self.platform.callback_url, "active": self.platform.webhook_active}

    def set_endpoint(self, body: Any) -> Json:
        self.platform.callback_url = self._checked(body)
        return {}

    def test(self, body: Any) -> Json:
        """Send a request without events. LINE answers 200 however that ends, and tells it in the body."""
        url = self._checked(body) if body else self.platform.callback_url
        if not url:
            raise Refusal(404, NOT_FOUND)
        answer = self.platform.test_webhook(url)
        reason = {"request_timeout": "REQUEST_TIMEOUT", "error_status_code": "ERROR_STATUS_CODE", None: "OK"}
        return {
            "success": answer.error is None,
            "timestamp": datetime.fromtimestamp(self.platform.clock(), UTC).isoformat(),
            "statusCode": answer.status or 0,
            "reason": reason.get(answer.error, "COULD_NOT_CONNECT"),
            "detail": str(answer.status or answer.error),
        }

    @staticmethod
    def _checked(body: Any) -> str:
        url = body.get("endpoint") if isinstance(body, dict) else None
        parts = urlsplit(url) if isinstance(url, str) and len(url) <= LONGEST else urlsplit("")
        if not isinstance(url, str) or not is_safe(parts.scheme, parts.hostname):
            raise Refusal(400, "Invalid webhook endpoint URL")
        return url
