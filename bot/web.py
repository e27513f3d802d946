"""The routes: LINE's webhook, images, Dropbox's notifications, Prometheus's page and health; and
the page at `/`, for whoever set the bot up: version and next step. It names no league and no chat.
"""

import base64
import hashlib
import hmac
import json
import logging
import threading
import time
from codecs import BOM_UTF8
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from flask import Blueprint, Response, abort, jsonify, request

from bot.chat.access import ChatAccess
from bot.checks.channel import ARRIVED, BOT, CALLED_ADDRESS
from bot.line.webhook import signature_is_valid
from bot.page.routes import LeaguePage
from bot.runtime import metrics
from bot.runtime.connections import ANSWERING, CONNECTIONS, READING
from bot.runtime.json_log import log_fault
from bot.runtime.threads import BoundedWait
from bot.runtime.translation import Message, Translate, japanese, message as _
from bot.runtime.version import VERSION, release, shown_commit
from bot.service import Service
from bot.settings import Settings
from storage.addresses import LIFETIME, allowed_address, attachment
from storage.ports import Clock, NotFound, StorageError
from storage.state import State

BODY = 1024 * 1024  # bytes of a webhook's body at most; LINE's have a few KB
EVENTS = 100  # events read of one webhook
# seconds
MINUTE = 60.0
DAY = 86400.0
log = logging.getLogger(__name__)
CALLED = "webhook"
"""The state store's key that is there once LINE has called the webhook."""
LANGUAGES = ("ja", "en")
CONSOLE = _("Try it in the browser, in the place of LINE.")
AWAY = _("Check DATABASE_URL. For the admin, flask doctor tells the cause.")
STEPS = {
    _("Connect LINE"): _(
        "LINE Developers console, Messaging API: enter this Webhook URL, press Verify, and turn Use "
        "webhook on."
    ),
    _("Enrol the group"): _(
        "Add the bot as a friend and invite it to the group. An admin sends 登録 there, and the group "
        "may use it."
    ),
    _("Name the room"): _(
        "An admin sends 部屋 C1234 (the room's number) in the group, or 部屋 and the names on Tenhou of "
        "three who play. The results come within the hour."
    ),
}
"""What is to be done, in order, by what is ticked on the page once it is done."""
NONE = _("All is set up. Send メニュー in the group.")
PRIVACY = {
    "保存するもの": (
        "対局の記録（天鳳の名前、順位、点数、チップ）と、送られた牌譜。",
        "LINEのユーザーIDとトークID、「自分」で選んだ名前。",
        "「募集」に参加した人のユーザーIDと名前（翌日まで）。",
        "ボットへの質問（24時間）と、どの答えがどの質問へのものか（7日）。",
    ),
    "保存しないもの": (
        "グループの会話。ボットへの質問のほかは読み捨てます。",
        "LINEの表示名（「募集」に参加した人のほか）、アイコン、友だちの情報。",
    ),
    "使いみち": (
        "成績を計算してトークで見せるためだけに使い、売ったり広告に使ったりしません。",
        "データはLINEと、管理者が選んだサーバー（データベース、記録のフォルダー、画像の置き場）にあります。",
        "画像、ファイル、ページは、そのリンクを知っている人だけが期限まで開けます。",
    ),
    "消しかた": (
        "ボットとの1対1のトークで「わたしを削除」と送ると、あなたのIDについて保存したものを消します。",
        "ボットをブロックしたときと、グループを退出したときも消します（グループでは、そのグループの分）。",
        "メッセージの送信を取り消すと、そのメッセージについて保存したものを消します。",
        "対局の記録の名前も消したいときは、管理者に伝えてください（「退会者1」に書き換えます）。",
        "「名前を伏せる」と送ると、そのトークの答え、画像、ページ、ファイルの名前がA、B…になります。",
    ),
    "問い合わせ": ("このボットを招待した管理者に聞いてください。",),
}
STYLE = "\n" + (Path(__file__).parent / "static" / "start.css").read_text("utf-8")
_STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""The page's content policy: its own style and nothing else."""


def create_web(service: Service) -> Blueprint:
    web = Blueprint("web", __name__)
    routes = _Routes(service)
    web.add_url_rule("/", view_func=routes.start)
    web.add_url_rule("/privacy", view_func=routes.privacy)
    web.add_url_rule("/callback", view_func=routes.callback, methods=["POST"])
    web.add_url_rule("/metrics", view_func=routes.figures)
    web.add_url_rule("/images/<token>", view_func=routes.image)
    web.add_url_rule("/healthz", view_func=routes.healthz)
    web.add_url_rule("/dropbox", view_func=routes.dropbox_challenge, endpoint="dropbox_challenge")
    web.add_url_rule("/dropbox", view_func=routes.dropbox_changed, methods=["POST"])
    LeaguePage(service.links, service.registry, service.now, service.settings.proxied).add_to(web)
    web.after_app_request(_with_headers)
    return web


class _CallOfDay(NamedTuple):
    """The bot that LINE has called this process for, and the day."""

    bot: str
    day: date


class _Routes:
    def __init__(self, service: Service) -> None:
        self.service = service
        # refused webhooks since the last line about them, and when that was; the lock guarantees
        # that of several threads one writes the line, and that none is counted twice or lost
        # (tests/security/test_routes.py)
        self.refused = 0
        self.refusal_logged = float("-inf")
        self.counting = threading.Lock()
        self.last_call: _CallOfDay | None = None
        self.deep = DeepLook()
        self.health = BoundedWait("health", workers=1)
        self.set_up = SetUp(service.settings, service.state, service.access)

    def start(self) -> Response:
        settings = self.service.settings
        language = request.accept_languages.best_match(LANGUAGES, default="ja")
        base = settings.public_url or request.host_url.rstrip("/")
        html = start_page(self.set_up.next_step(), language, release(settings.commit), base)
        response = _html(html, language)
        response.headers["Cache-Control"] = "no-cache"
        response.vary.add("Accept-Language")
        return response

    def privacy(self) -> Response:
        """The page about what is stored of members, and how it is deleted."""
        parts = (
            f"<h2>{head}</h2>\n<p>{'</p><p>'.join(lines)}</p>\n" for head, lines in PRIVACY.items()
        )
        body = f"<header><h1>個人情報の扱い</h1></header>\n{''.join(parts)}"
        return _html(_document("ja", "雀録の個人情報の扱い", body), "ja")

    def callback(self) -> Response:
        """Take LINE's webhook: return 200 at once if the signature is right, and do the work
        afterwards.

        Events that could not be remembered in time are answered from memory; without their 200 LINE
        would have another process do what they ask a second time.
        https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature/"""
        body = read_body()
        signature = request.headers.get("X-Line-Signature", "")
        if not signature_is_valid(self.service.settings.channel_secret, body, signature):
            self._log_refused()
            return Response("signature does not match", 400)
        try:
            webhook = json.loads(body)
            events = webhook.get("events", [])
            bot = str(webhook.get("destination", ""))
        except (ValueError, AttributeError, RecursionError):
            return Response("no webhook body", 400)
        self.service.takers.do(self._take, events, bot, request.host_url.rstrip("/"))
        return Response("OK")

    def _take(self, events: Any, bot: str, called: str) -> None:
        """Take the events of a webhook; `called` is the address that LINE called, as seen here."""
        values = self.service.state.values
        if not events:
            with suppress(StorageError):
                values.put(CALLED_ADDRESS, called[:200], DAY)
                values.put(ARRIVED, self.service.now().isoformat(), DAY)
        base = ""
        if allowed_address(called):
            base = called
        if not isinstance(events, list):
            events = []
        for event in events[:EVENTS]:
            try:
                self.service.dispatcher.receive(event, base)
            except Exception as error:  # the other events are taken all the same
                log_fault("an event could not be taken", error)
        now = self.service.now()
        try:
            if not self.set_up.called:
                values.put(CALLED, "1")
                self.set_up.called = True
            call = _CallOfDay(bot, now.date())
            if bot.isalnum() and self.last_call != call:
                values.put(BOT + bot[:40], now.isoformat(), 2 * DAY)
                self.last_call = call
        except StorageError as error:
            log.warning("that LINE has called could not be noted: %s", error)

    def _log_refused(self) -> None:
        """Log at most once a minute that webhooks are refused, because a wrong secret refuses every
        one.
        """
        with self.counting:
            self.refused += 1
            if time.monotonic() - self.refusal_logged < MINUTE:
                return
            count = self.refused
            self.refused = 0
            self.refusal_logged = time.monotonic()
        log.warning(
            "webhooks refused since the last such line: %d; their signature does not match "
            "LINE_CHANNEL_SECRET (is it the secret of the channel that calls here?)",
            count,
            extra={"fields": {"refused": count}},
        )

    def figures(self) -> Response:
        """Return Prometheus's page to a caller with METRICS_TOKEN; there is none without the
        variable.
        """
        token = self.service.settings.metrics_token
        if not token:
            return Response("not found", 404)
        authorization = request.headers.get("Authorization", "").encode("utf-8", "replace")
        if not hmac.compare_digest(authorization, f"Bearer {token}".encode()):
            return Response("not allowed", 401)
        if self.service.sender is not None:
            with suppress(StorageError):
                metrics.waiting("queue", self.service.state.events.queued())
        page = metrics.page()
        metrics.waiting("queue", 0)  # all processes' figures are summed
        return Response(page.data, content_type=page.content_type)

    def image(self, token: str) -> Response:
        try:
            image = self.service.images.open(token)
        except NotFound:
            return Response("not found", 404)
        content_type = image.content_type
        if image.data.startswith(BOM_UTF8):  # a file of 書き出し; nothing else here begins so
            content_type = "text/csv; charset=utf-8"
        response = Response(image.data, content_type=content_type)
        if not content_type.startswith("image/"):
            response.headers["Content-Disposition"] = attachment(image.file_name)
        response.headers["Cache-Control"] = f"private, max-age={LIFETIME}, immutable"
        return response

    def healthz(self) -> Response:
        """Whether this process and its state store answer; with `?deep=1`, once a minute, what else
        fails.
        """
        if request.args.get("deep"):
            return self._health(self._deep_status())
        answers: list[str | None] = []

        def query() -> None:
            with suppress(StorageError):
                answers.append(self.service.state.values.get("healthz"))

        self.health.do(query)
        return self._health("ok" if answers else "no state store")

    def _deep_status(self) -> str:
        # here, because a start can't wait for the database's library
        from bot.checks.run import failing

        names = self.deep.failing(lambda: failing(self.service))
        if not names:
            return "ok"
        return f"not well: {', '.join(names)}"

    def _health(self, status: str) -> Response:
        commit = shown_commit(self.service.settings.commit)
        response = jsonify(status=status, version=VERSION, commit=commit)
        if status != "ok":
            response.status_code = 503
        return response

    def dropbox_challenge(self) -> Response:
        """https://www.dropbox.com/developers/reference/webhooks requires it."""
        return Response(request.args.get("challenge", "")[:200], content_type="text/plain")

    def dropbox_changed(self) -> Response:
        """Have the logs read again on the next question: Dropbox reports that files have changed."""
        body = read_body()
        secret = self.service.settings.store_variables["DROPBOX_APP_SECRET"]
        digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
        signature = request.headers.get("X-Dropbox-Signature", "").encode("utf-8", "replace")
        if not secret or not hmac.compare_digest(digest.encode(), signature):
            return Response("signature does not match", 403)
        try:
            self.service.changes.announce()
        except StorageError as error:
            log.warning("a change could not be announced to the other processes: %s", error)
        return Response("OK")


def read_body() -> bytes:
    """Return the request's body. The connection of a client that takes longer than READING is shut
    down. Raises HTTPException where the body is larger than BODY, or ends too early.
    """
    length = request.content_length or 0
    if length > BODY:
        abort(Response("body too large", 413))
    request.max_content_length = BODY  # for a body without Content-Length
    connection = request.environ.get("gunicorn.socket")
    CONNECTIONS.renew(connection, READING)
    body = request.get_data()
    CONNECTIONS.renew(connection, ANSWERING)
    if len(body) < length:
        abort(Response("body too slow", 408))
    return body


def _html(html: str, language: str) -> Response:
    response = Response(html, content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Content-Language"] = language
    return response


def _with_headers(response: Response) -> Response:
    """Set the security headers of a response. The console's page has its own content policy."""
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("X-Frame-Options", "DENY")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    if not request.path.startswith("/console"):
        response.headers.setdefault(
            "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"
        )
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    if request.is_secure:
        response.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    return response


class DeepLook:
    """What fails, by checks that take seconds: once a minute at most, for one reader at a time.

    The lock guarantees that many readers cannot make the bot busy with checks: others get the
    results of the checks before, at first none (tests/test_watching.py).
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._failing: list[str] = []
        self._looked = float("-inf")
        self._looking = threading.Lock()

    def failing(self, look: Callable[[], list[str]]) -> list[str]:
        if self._looking.acquire(blocking=False):
            try:
                if self._clock() - self._looked > MINUTE:
                    self._failing = look()
                    self._looked = self._clock()
            finally:
                self._looking.release()
        return self._failing


class SetUp:
    """How far the set-up has come. A step that is done is not looked up again."""

    def __init__(self, settings: Settings, state: State, access: ChatAccess) -> None:
        self._settings = settings
        self._state = state
        self._access = access
        self.called = self._enrolled = self._read = False

    def next_step(self) -> Message:
        """Return what is to be done next: the first of STEPS that is not done, AWAY, CONSOLE or
        NONE.
        """
        if self._settings.console:
            return CONSOLE
        try:
            self.called = self.called or self._state.values.get(CALLED) is not None
            self._enrolled = self._enrolled or bool(
                self._settings.league_chats or self._access.groups()
            )
            has_room = bool(self._settings.tenhou_room_id) or self._settings.demo
            self._read = bool(
                self._read
                or has_room
                or self._state.rooms.all()
                or self._state.results.read_marks()
            )
        except StorageError:
            return AWAY
        done = zip(
            STEPS.values(),
            (self.called, self._enrolled, self._read),
            strict=True,
        )
        return next((step for step, so in done if not so), NONE)


def start_page(step: Message, language: str, version: str, base: str) -> str:
    """Return the page in HTML; `base` is the service's own address, without a slash at its end."""
    translate: Translate = str
    if language == "ja":
        translate = japanese()
    title = _("Janroku").said(translate)
    state = _("Running")
    state_class = "state"
    if step == AWAY:
        state = _("The database does not answer")
        state_class = "state away"
    body = f"""<header><h1>{title}</h1><small>{escape(version)}</small></header>
<p class="{state_class}">{state.said(translate)}</p>
{_step_list(step, translate)}<h2>{_("Next step").said(translate)}</h2>
<p>{step.said(translate)}</p>
{_step_help(step, translate, base)}"""
    return _document(language, title, body)


def _step_list(step: Message, translate: Translate) -> str:
    """The steps of the set-up, ticked up to this one, in HTML; "" where it is none of them."""
    steps = [*STEPS.values(), NONE]
    if step not in steps:
        return ""
    current = steps.index(step)
    items = ""
    for number, label in enumerate(STEPS):
        state = ""
        if number < current:
            state = " class=done"
        elif number == current:
            state = " class=next"
        items += f"<li{state}>{label.said(translate)}</li>"
    return f"<ol>{items}</ol>"


def _step_help(step: Message, translate: Translate, base: str) -> str:
    """What one copies or opens for a step, in HTML."""
    if step == next(iter(STEPS.values())):
        return f"<code>{escape(base)}/callback</code>"
    if step == CONSOLE:
        return f'<a href="/console/">{_("Open the console").said(translate)}</a>'
    return ""


def _document(language: str, title: str, body: str) -> str:
    return f"""<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{title}</title>
<style>{STYLE}</style>
<main>
{body}
</main>
"""
