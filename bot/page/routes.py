"""The routes of the league's page: the page and its figures behind a signed link, and its own files."""

import gzip
import hashlib
import json
from collections.abc import Callable
from datetime import datetime

from flask import Blueprint, Response, request, send_from_directory

from bot.chat.links import HIDDEN, LeagueLinks
from bot.league.repository import LeagueRegistry
from bot.page import html
from bot.page.figures import answered, as_json, question_of
from bot.page.replay import game
from bot.runtime.cache import SharedLru
from bot.runtime.limits import RateLimits, RateVerdict
from bot.runtime.version import VERSION
from storage.addresses import LOOPBACK
from storage.ports import NotFound, StorageError

KEPT = 256  # answers of a process, compressed
YEAR = 365 * 86400  # seconds
HTML, JSON = "text/html; charset=utf-8", "application/json"


class LeaguePage:
    """The routes, a method each. Reads leagues and writes nothing but the version of links."""

    def __init__(
        self, links: LeagueLinks, registry: LeagueRegistry, now: Callable[[], datetime], proxied: bool
    ) -> None:
        """`proxied`: a platform's router stands before this service and says who asks."""
        self.links = links
        self.registry = registry
        self.now = now
        self.proxied = proxied
        self.limits = RateLimits()
        self.kept: SharedLru[tuple[str, bytes]] = SharedLru(KEPT)  # ETag and body, by league

    def add_to(self, web: Blueprint) -> None:
        web.add_url_rule("/league/<token>", "league_page", self.page)
        web.add_url_rule("/league/<token>/figures", "league_figures", self.figures)
        web.add_url_rule("/league/<token>/record", "league_record", self.record)
        web.add_url_rule("/page/<path:name>", "league_page_file", self.file)

    def file(self, name: str) -> Response:
        """One of the page's own files; an address with a query changes with its content."""
        response = send_from_directory(html.FILES, name, max_age=YEAR)
        kept = f"public, max-age={YEAR}, immutable" if request.query_string else "no-cache"
        response.headers["Cache-Control"] = kept
        return response

    def page(self, token: str) -> Response:
        """The page in HTML."""

        def make(league: str, me: str) -> str:
            logs = self.registry.league(league)
            if "game" in request.args:
                return html.replay(logs.snapshot().league.name)
            question = question_of(logs, request.args, self.now(), me)
            name, asked = question.snapshot.league.name, question.command
            return html.page(name, asked.name, asked.options, answered(question))

        return self._opened(token, HTML, make)

    def figures(self, token: str) -> Response:
        """What the page shows, as JSON."""

        def make(league: str, me: str) -> str:
            question = question_of(self.registry.league(league), request.args, self.now(), me)
            return json.dumps(as_json(answered(question)), ensure_ascii=False, separators=(",", ":"))

        return self._opened(token, JSON, make)

    def record(self, token: str) -> Response:
        """A game's record for the replay, as JSON."""

        def make(league: str, me: str) -> str:
            logs = self.registry.league(league)
            snapshot = logs.snapshot().hidden if me.startswith(HIDDEN) else logs.snapshot()
            found = game(logs.logs, snapshot, request.args.get("game", ""))
            return json.dumps(found, ensure_ascii=False, separators=(",", ":"))

        return self._opened(token, JSON, make)

    def _opened(self, token: str, kind: str, make: Callable[[str, str], str]) -> Response:
        """What `make` gives of the link's league; the same page for every link that opens none."""
        words = self.links.words(token)
        if not words and self._too_much():
            return _headed(Response(html.refused(html.TOO_MUCH), 429, content_type=HTML))
        try:
            league = self.links.league(words)
            if league is None:
                return _headed(Response(html.refused(html.GONE), 404, content_type=HTML))
            etag, body = self._made(league, self.links.member(words), make)
        except NotFound:
            return _headed(Response(html.refused(html.GONE), 404, content_type=HTML))
        except StorageError:
            return _headed(Response(html.refused(html.DOWN), 503, content_type=HTML))
        response = _headed(Response(content_type=kind))
        response.set_etag(etag)
        response.vary.add("Accept-Encoding")
        if request.accept_encodings["gzip"]:
            response.data = body
            response.headers["Content-Encoding"] = "gzip"
        else:
            response.data = gzip.decompress(body)
        response.make_conditional(request)
        return response

    def _made(self, league: str, me: str, make: Callable[[str, str], str]) -> tuple[str, bytes]:
        """The ETag, of the log's revision, the day, who asks and what, and the compressed body."""
        revision = self.registry.league(league).snapshot().revision
        asked = (VERSION, revision, self.now().date(), me, request.endpoint, request.query_string)
        key = hashlib.sha256(repr(asked).encode()).hexdigest()[:24]
        known = self.kept.get((league, key))
        if known is None:
            known = key, gzip.compress(make(league, me).encode(), 6, mtime=0)
            self.kept.put((league, key), known)
        return known

    def _too_much(self) -> bool:
        caller = request.remote_addr or ""
        if self.proxied or caller in LOOPBACK:
            caller = (request.access_route or [caller])[-1]  # what our own router has added
        return self.limits.ask(caller, caller) is not RateVerdict.ANSWER


def _headed(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = html.CSP
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
