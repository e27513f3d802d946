"""The routes of the league's page: the page and its figures behind a signed link, and its own
files.
"""

import gzip
import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from flask import Blueprint, Response, request, send_from_directory

from bot.chat.links import HIDDEN, LeagueLinks
from bot.league.repository import LeagueRegistry
from bot.page.figures import LONGEST, answered, query_of, question_of
from bot.page.html import DOWN, FILES, GONE, TOO_MUCH, page, refused, replay
from bot.page.parts_json import as_json
from bot.page.replay import game
from bot.runtime.cache import SharedLru
from bot.runtime.rate_limit import RateLimits, RateVerdict
from bot.runtime.version import VERSION
from bot.runtime.work_turns import NoTurn, WorkTurns
from storage.addresses import LOOPBACK
from storage.ports import NotFound, StorageError

KEPT = 256  # answers of a process, compressed
LINK = (300.0, 2.0)  # answers that are made for one link: at once, and then each second
TOGETHER = 2  # answers that a process makes at once: more would take the processor from taps
WAITING = 16  # readers whose answers wait to be made
PATIENCE = 10.0  # seconds that each of them waits
YEAR = 365 * 86400  # seconds
HTML = "text/html; charset=utf-8"
JSON = "application/json"
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
Query = Mapping[str, str]
Make = Callable[[str, str, Query], str]
"""Makes the text of a league's page, for a member and a query."""


class PageRequest(NamedTuple):
    """What a reader asks for: a view of the page and the part of the query that it reads."""

    view: str
    content_type: str
    query: Query


class MadePage(NamedTuple):
    """`body` is compressed."""

    etag: str
    body: bytes


class LeaguePage:
    """The routes, a method each. Reads leagues and writes nothing but the version of links."""

    def __init__(
        self,
        links: LeagueLinks,
        registry: LeagueRegistry,
        now: Callable[[], datetime],
        proxied: bool,
    ) -> None:
        """`proxied`: a platform's router is in front of this service and adds the caller's address."""
        self.links = links
        self.registry = registry
        self.now = now
        self.proxied = proxied
        self.limits = RateLimits()  # of callers with wrong links
        self.work_limits = RateLimits(user=LINK)
        self.turns = WorkTurns(TOGETHER, WAITING, PATIENCE)
        self.made: SharedLru[MadePage] = SharedLru(KEPT)

    def add_to(self, web: Blueprint) -> None:
        web.add_url_rule("/league/<token>", "league_page", self.page)
        web.add_url_rule("/league/<token>/figures", "league_figures", self.figures)
        web.add_url_rule("/league/<token>/record", "league_record", self.record)
        web.add_url_rule("/page/<path:name>", "league_page_file", self.file)

    def file(self, name: str) -> Response:
        """One of the page's own files; an address with a query changes with its content."""
        response = send_from_directory(FILES, name, max_age=YEAR)
        caching = "no-cache"
        if request.query_string:
            caching = f"public, max-age={YEAR}, immutable"
        response.headers["Cache-Control"] = caching
        return response

    def page(self, token: str) -> Response:
        if "game" in request.args:
            return self._opened(token, PageRequest("replay", HTML, {}), self._replay)
        return self._opened(token, PageRequest("page", HTML, query_of(request.args)), self._page)

    def figures(self, token: str) -> Response:
        return self._opened(
            token, PageRequest("figures", JSON, query_of(request.args)), self._figures
        )

    def record(self, token: str) -> Response:
        query = {"game": request.args.get("game", "")[:LONGEST]}
        return self._opened(token, PageRequest("record", JSON, query), self._record)

    def _replay(self, league: str, me: str, query: Query) -> str:
        return replay(self.registry.league(league).snapshot().league.name)

    def _page(self, league: str, me: str, query: Query) -> str:
        question = question_of(self.registry.league(league), query, self.now(), me)
        name = question.snapshot.league.name
        command = question.command
        return page(name, command.name, command.options, answered(question))

    def _figures(self, league: str, me: str, query: Query) -> str:
        question = question_of(self.registry.league(league), query, self.now(), me)
        return json.dumps(as_json(answered(question)), ensure_ascii=False, separators=(",", ":"))

    def _record(self, league: str, me: str, query: Query) -> str:
        logs = self.registry.league(league)
        snapshot = logs.snapshot().hidden if me.startswith(HIDDEN) else logs.snapshot()
        record = game(logs.logs, snapshot, query["game"])
        return json.dumps(record, ensure_ascii=False, separators=(",", ":"))

    def _opened(self, token: str, wanted: PageRequest, make: Make) -> Response:
        """What `make` gives of the link's league; the same page for every link that opens none."""
        words = self.links.words(token)
        caller = request.remote_addr or ""
        if self.proxied or caller in LOOPBACK:
            caller = (request.access_route or [caller])[-1]  # what our own router has added
        if not words and self.limits.ask(caller, caller) is not RateVerdict.ANSWER:
            return _headed(Response(refused(TOO_MUCH), 429, content_type=HTML))
        try:
            league = self.links.league(words)
            if league is None:
                return _headed(Response(refused(GONE), 404, content_type=HTML))
            made = self._known_or_made(league, words, wanted, make)
        except NotFound:
            return _headed(Response(refused(GONE), 404, content_type=HTML))
        except StorageError:
            return _headed(Response(refused(DOWN), 503, content_type=HTML))
        except NoTurn:
            return _headed(Response(refused(TOO_MUCH), 429, content_type=HTML))
        response = _headed(Response(content_type=wanted.content_type))
        response.set_etag(made.etag)
        response.vary.add("Accept-Encoding")
        if request.accept_encodings["gzip"]:
            response.data = made.body
            response.headers["Content-Encoding"] = "gzip"
        else:
            response.data = gzip.decompress(made.body)
        response.make_conditional(request)
        return response

    def _known_or_made(self, league: str, words: str, wanted: PageRequest, make: Make) -> MadePage:
        """The page from memory, or made now. Its ETag is a hash of the log's revision, the day, the
        reader and the query. Raises NoTurn where this link, or all together, request too much.

        A turn of `turns` guarantees that at most `TOGETHER` pages are made at once, so that readers
        do not take the processor from taps; a page that another reader had made meanwhile is not
        made twice (tests/page/test_bounds.py).
        """
        me = self.links.member(words)
        revision = self.registry.league(league).snapshot().revision
        today = self.now().date()
        parts = (
            VERSION,
            revision,
            today,
            me,
            wanted.view,
            tuple(wanted.query.items()),
        )
        etag = hashlib.sha256(repr(parts).encode()).hexdigest()[:24]
        made = self.made.get((league, etag))
        if made is not None:
            return made
        if self.work_limits.ask(words, words) is not RateVerdict.ANSWER:
            raise NoTurn
        with self.turns.turn():
            made = self.made.get((league, etag))  # another reader may have had it made meanwhile
            if made is None:
                text = make(league, me, wanted.query)
                made = MadePage(etag, gzip.compress(text.encode(), 6, mtime=0))
                self.made.put((league, etag), made)
        return made


def _headed(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = CSP
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
