"""The routes: LINE's webhook, embedded images, Dropbox's notification, the platform's health check."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging

from flask import Blueprint, Response, request

from bot.line import signature_is_valid
from bot.service import Service
from bot.settings import allowed_address
from storage.ports import NotFound, StorageError

BODY = 1024 * 1024  # bytes of a webhook's body; LINE's are a few KB
EVENTS = 100  # events of one webhook
log = logging.getLogger(__name__)


def create_web(service: Service) -> Blueprint:
    """The public routes of a service."""
    web = Blueprint("web", __name__)

    @web.post("/callback")
    def callback() -> tuple[str, int]:
        """LINE's webhook: 200 at once where the signature is right, the work afterwards."""
        if (request.content_length or 0) > BODY:
            return "body too large", 413
        body = request.get_data()
        signature = request.headers.get("X-Line-Signature", "")
        if not signature_is_valid(service.settings.channel_secret, body, signature):
            return "signature does not match", 400
        try:
            events = json.loads(body).get("events", [])
        except (ValueError, AttributeError):
            return "no webhook body", 400
        base = request.host_url.rstrip("/")
        for event in events[:EVENTS] if isinstance(events, list) else []:
            service.receive(event, base if allowed_address(base) else "")
        return "OK", 200

    @web.get("/images/<token>")
    def image(token: str) -> Response | tuple[str, int]:
        """An embedded picture by its signed token."""
        opener = getattr(service.images, "open", None)
        try:
            if opener is None:
                return "not found", 404
            data, kind = opener(token)
        except NotFound:
            return "not found", 404
        response = Response(data, content_type=kind)
        response.headers["Cache-Control"] = "private, max-age=604800, immutable"
        return response

    @web.get("/healthz")
    def healthz() -> tuple[dict[str, str], int]:
        """For the platform: this process answers, and its state store does too."""
        try:
            service.state.get("healthz")
        except StorageError:
            return {"status": "no state store"}, 503
        return {"status": "ok"}, 200

    @web.get("/dropbox")
    def dropbox_challenge() -> Response:
        """Dropbox asks whether this address is meant: its challenge goes back as it came."""
        return Response(request.args.get("challenge", "")[:200], content_type="text/plain")

    @web.post("/dropbox")
    def dropbox_changed() -> tuple[str, int]:
        """Dropbox says that files changed: look again on the next tap."""
        if (request.content_length or 0) > BODY:
            return "body too large", 413
        secret = service.settings.dropbox_app_secret
        digest = hmac.new(secret.encode(), request.get_data(), hashlib.sha256).hexdigest()
        given = request.headers.get("X-Dropbox-Signature", "")
        if not secret or not hmac.compare_digest(digest.encode(), given.encode("utf-8", "replace")):
            return "signature does not match", 403
        for library in service.leagues.known():
            library.stale()
        return "OK", 200

    @web.after_app_request
    def headers(response: Response) -> Response:
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("X-Frame-Options", "DENY")
        response.headers.setdefault("Referrer-Policy", "no-referrer")
        return response

    return web
