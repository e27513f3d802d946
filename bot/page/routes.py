"""The routes of the league's page: the page and its figures behind a signed link, and its own
files.
"""

import base64
import gzip
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

from flask import Blueprint, Response, request, send_from_directory

from bot.answers.common.figures import FIRST_BOARD
from bot.chat.links import HIDDEN, LeagueLinks
from bot.chat.replies import Menu, Row, Table, Text
from bot.draw.lines import Lines
from bot.league.repository import LeagueRegistry
from bot.page.figures import (
    LONGEST,
    TABS,
    Answered,
    Folded,
    Grid,
    PeriodLink,
    Shown,
    address,
    answered,
    as_json,
    line_colour,
    query_of,
    question_of,
    takes,
    without_period,
)
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
FILES = Path(__file__).parent / "static"
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
PLOT = "uPlot.iife.min.js"
PLOT_STYLE = "uPlot.min.css"
VIEW_SCRIPT = "page.js"
REPLAY_SCRIPT = "replay_page.js"
IMPORTED_MODULES = {
    VIEW_SCRIPT: ("charts.js", "colours.js", "dom.js", "periods.js", "sorting.js", "touch.js"),
    REPLAY_SCRIPT: (
        "chances.js",
        "colours.js",
        "dom.js",
        "replay.js",
        "round_state.js",
        "table.js",
        "tiles.js",
    ),
}
"""The modules that a script imports, directly or not: the browser loads them all at once."""
WORSE = ("−", "▼", "✗")
BETTER = ("▲", "✓")
GONE = (
    "このページは開けません。リンクが間違っているか、期限が切れているか、無効になっています。"
    "LINEで「ページ」と送ると、新しいリンクが出ます。"
)
NEEDS_SCRIPT = "再生にはJavaScriptが必要です。ブラウザの設定で有効にしてください。"
DOWN = "いま記録を読みに行けません。1分ほどおいて、もう一度開いてください。"
TOO_MUCH = "少し速すぎます。1分ほどおいてから、もう一度開いてください。"


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


@cache
def asset(name: str) -> str:
    """The address of one of the page's own files, which changes with its content."""
    digest = hashlib.sha256((FILES / name).read_bytes()).digest()
    return f"/page/{name}?{base64.urlsafe_b64encode(digest[:9]).decode()}"


def document(title: str, body: str, *files: str) -> str:
    added = "".join(map(_loaded, ("page.css", *files)))
    return f"""<!doctype html>
<html lang="ja">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
{added}
</head>
<body>
{body}
</body>
</html>
"""


def refused(sentence: str) -> str:
    """The page in the place of a league's: one sentence with the way out."""
    return document("雀録", f'<main class="alone"><h1>雀録</h1><p>{sentence}</p></main>')


def page(
    league: str,
    view: str,
    options: Mapping[str, str],
    made: Answered,
) -> str:
    """A league's page: the views (`view` is shown), the periods, the parts, and links."""
    form = ""
    if "period" in takes(view):
        form = _period_form(view, options)
    links = "".join(f'<a href="{escape(url)}">{escape(label)}</a>' for label, url in made.links)
    body = f"""{_top(league, view)}
<main data-figures>
{_period_links(made.periods)}
{_parts(made.parts)}
<div class="ways">{links}</div>
{form}
</main>"""
    files = [VIEW_SCRIPT]
    if any(isinstance(part, Lines) for part in made.parts):
        files = [PLOT, PLOT_STYLE, VIEW_SCRIPT]
    return document(league or "雀録", body, *files)


def _period_links(periods: Sequence[PeriodLink]) -> str:
    if not periods:
        return ""
    links = ""
    for period in periods:
        mark = current(period.is_shown)
        links += f'<a href="{escape(period.url)}"{mark}>{escape(period.label)}</a>'
    return f'<nav class="ways" aria-label="期間">{links}</nav>'


def _period_form(view: str, options: Mapping[str, str]) -> str:
    """The form for a period of the same question."""
    hidden = ""
    for name, value in {"ask": view, **without_period(options)}.items():
        hidden += f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
    first = escape(options.get("from", ""))
    last = escape(options.get("to", ""))
    return f"""<form class="period" method="get">{hidden}
<label>この日から<input type="date" name="from" value="{first}"></label>
<label>この日まで<input type="date" name="to" value="{last}"></label>
<button>見る</button></form>"""


def _parts(parts: Sequence[Shown]) -> str:
    """The parts, one below the other. A table below lines of the same title has no title."""
    texts_of_parts = []
    title_above = ""
    for part in parts:
        texts_of_parts.append(_part(part, title_above))
        title_above = ""
        if isinstance(part, Lines | Table):
            title_above = part.title
    return "\n".join(texts_of_parts)


def replay(league: str) -> str:
    """A game's replay, which is drawn by JavaScript alone."""
    body = f"""{_top(league, "recent")}
<main id="replay"><p>{NEEDS_SCRIPT}</p></main>"""
    return document(league or "雀録", body, REPLAY_SCRIPT)


def _top(league: str, view: str) -> str:
    nav = ""
    for label, data in TABS:
        url = address(data, {})
        nav += f'<a href="{escape(url)}"{current(url == f"?ask={view}")}>{label}</a>'
    return (
        f'<header><h1>{escape(league or "雀録")}</h1></header><nav aria-label="ページ">{nav}</nav>'
    )


def _loaded(name: str) -> str:
    if name.endswith(".css"):
        return f'<link rel="stylesheet" href="{asset(name)}">'
    if name == PLOT:
        return f'<script defer src="{asset(name)}"></script>'
    modules = "".join(
        f'<link rel="modulepreload" href="/page/{module}">' for module in IMPORTED_MODULES[name]
    )
    return f'{modules}<script type="module" src="{asset(name)}"></script>'


def current(is_shown: bool) -> str:
    if is_shown:
        return ' aria-current="page"'
    return ""


def _part(part: Shown, above: str = "") -> str:
    """A part. A table with the title of the part above it (`above`) needs none."""
    if isinstance(part, Folded):
        inner = _part(part.part, getattr(part.part, "title", ""))
        return f"<details><summary>{escape(getattr(part.part, 'title', ''))}</summary>{inner}</details>"
    if isinstance(part, Text):
        return f"<p>{escape(part.text)}</p>"
    if isinstance(part, Menu):
        links = ""
        for choice in part.choices:
            links += f'<a href="{escape(choice.data)}">{escape(choice.label)}</a>'
        return f'<section>{_head(part.title, part.text)}<div class="ways">{links}</div></section>'
    if isinstance(part, Lines):
        head = _head(part.title, part.subtitle)
        return f'<section class="chart">{head}<div class="plot"></div></section>'
    if isinstance(part, Grid):
        rows = _grid(part)
        frame = f' class="wide" tabindex="0" role="region" aria-label="{escape(part.title)}"'
    else:
        rows = _table(part)
        frame = ""
    note = ""
    if part.note:
        note = f'<p class="note">{escape(part.note)}</p>'
    if part.title == above:
        return f"<section class=below><div{frame}>{rows}</div>{note}</section>"
    head = _head(part.title, part.subtitle)
    return f"<section>{head}<div{frame}>{rows}</div>{note}</section>"


def _head(title: str, subtitle: str) -> str:
    head = f"<h2>{escape(title)}</h2>"
    if subtitle:
        head += f'<p class="when">{escape(subtitle)}</p>'
    return head


class TableShape(NamedTuple):
    """What all rows of a table share: the extra columns, whether they have a rank, whether the
    member's own rows are marked (not where all are), and no red and green (`plain`)."""

    extra_columns: int
    has_ranks: bool
    marks_own: bool
    plain: bool

    @property
    def columns(self) -> int:
        """All columns: the name, the value, the extra ones, and the rank."""
        if self.has_ranks:
            return self.extra_columns + 3
        return self.extra_columns + 2


def _shape(table: Table) -> TableShape:
    rows = list(table.rows)
    for _, more_rows in table.more:
        rows += more_rows
    return TableShape(
        extra_columns=max((len(row.extra) for row in rows), default=0),
        has_ranks=any(row.rank for row in rows),
        marks_own=not all(row.mine for row in rows),
        plain=table.plain,
    )


def _table(table: Table) -> str:
    shape = _shape(table)
    bodies = ""
    for heading, rows in (("", table.rows), *table.more):
        lines = "".join(_table_row(row, shape) for row in rows)
        bodies += f"<tbody>{_group(heading, shape.columns)}{lines}</tbody>"
    return f"<table>{_table_head(table.heads, shape)}{bodies}</table>"


def _table_head(heads: Sequence[str], shape: TableShape) -> str:
    if not any(heads):
        return ""
    cells = ["", *heads]
    if shape.has_ranks:
        cells.insert(0, "")
    while len(cells) < shape.columns:
        cells.append("")
    return f"<thead><tr>{''.join(map(_column_head, cells))}</tr></thead>"


def _table_row(row: Row, shape: TableShape) -> str:
    rank = ""
    if shape.has_ranks:
        rank = f'<td class="rank">{escape(row.rank)}</td>'
    if not shape.marks_own:
        row = replace(row, mine=False)
    texts_of_cells = [row.value, *row.extra]
    while len(texts_of_cells) <= shape.extra_columns:
        texts_of_cells.append("")
    cells = "".join(_cell(text, shape.plain) for text in texts_of_cells)
    classes = []
    if row.mine:
        classes.append("mine")
    if row.pale:
        classes.append("few")
    attribute = ""
    if classes:
        attribute = f' class="{" ".join(classes)}"'
    return f"<tr{attribute}>{rank}{_name(row)}{cells}</tr>"


def _column_head(head: str) -> str:
    if not head:
        return "<td></td>"
    return f'<th scope="col">{escape(head)}</th>'


def _group(heading: str, columns: int) -> str:
    if not heading:
        return ""
    return f'<tr><th class="group" colspan="{columns}"><span>{escape(heading)}</span></th></tr>'


def _name(row: Row) -> str:
    """A row's head: the name, which leads to its answer; where a row has a mark for what a tap opens
    (a game's 牌譜), the mark is the link.
    """
    name = f'<span class="name">{escape(row.name)}</span>'
    mark = ""
    if row.data and row.mark:
        mark = f' <a class="mark" href="{escape(row.data)}">{escape(row.mark)}</a>'
    elif row.data:
        name = f'<a class="name" href="{escape(row.data)}">{escape(row.name)}</a>'
    if row.mine and not mark:
        mark = ' <small class="mark">自分</small>'
    detail = ""
    if row.detail:
        detail = f"<small>{_phrases(row.detail)}</small>"
    return f'<th scope="row">{_swatch(row.colour)}{name}{mark}{detail}</th>'


def _swatch(colour: str) -> str:
    if not colour:
        return ""
    bar = f'<rect width="4" height="16" rx="2" fill="{escape(line_colour(colour))}"/>'
    return f'<svg class="swatch" viewBox="0 0 4 16" aria-hidden="true">{bar}</svg>'


def _phrases(text: str) -> str:
    """Phrases (`2着 みどり +0.4　ラス さくら −52.2`) that are not broken at a line's end."""
    phrases = text.split("　")
    return "　".join(f'<span class="phrase">{escape(phrase)}</span>' for phrase in phrases)


def _cell(words: str, plain: bool = False) -> str:
    tone = ""
    if not plain and words.startswith(WORSE):
        tone = " class=worse"
    elif not plain and words.startswith(BETTER):
        tone = " class=better"
    return f"<td{tone}>{escape(words)}</td>"


def _order(key: str) -> str:
    """The sign of the figure by which the rows are sorted at first."""
    if key == FIRST_BOARD:
        return ' aria-sort="ascending"'
    return ""


def _grid_cell(value: float | None, text: str) -> str:
    if value is not None:
        return f"<td data-value={value!r}>{escape(text)}</td>"
    if text:
        return f"<td class=few>{escape(text)}</td>"
    return "<td></td>"


def _grid(grid: Grid) -> str:
    heads = "".join(
        f'<th scope="col" data-key="{key}"{_order(key)}>{escape(name)}</th>'
        for key, name in grid.heads
    )
    body = ""
    for heading, rows in grid.groups:
        body += f"<tbody>{_group(heading, len(grid.heads) + 1)}"
        for row, cells in rows:
            opening = "<tr>"
            if row.mine:
                opening = "<tr class=mine>"
            figures = "".join(_grid_cell(value, text) for value, text in cells)
            body += f"{opening}{_name(row)}{figures}</tr>"
        body += "</tbody>"
    return f'<table class="grid"><thead><tr><td></td>{heads}</tr></thead>{body}</table>'
