"""The routes of the league's page: the page and its figures behind a signed link, and its own
files.

A game for the page's replay: its deals and events as plain values, and the faces of tiles as SVG.
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
from typing import Any, NamedTuple

from flask import Blueprint, Response, request, send_from_directory

from bot import texts
from bot.answers.common.figures import FIRST_BOARD
from bot.answers.common.members import members
from bot.answers.common.rounds import result, yaku_words
from bot.answers.common.story import seat_names
from bot.chat.links import HIDDEN, LeagueLinks
from bot.chat.replies import Menu, Row, Table, Text
from bot.draw import style
from bot.draw.lines import Lines
from bot.draw.tiles import HIGH, draw_tile
from bot.league.moment_text import moment_text, moment_text_in
from bot.league.paifu_log import PaifuFolder
from bot.league.repository import LeagueRegistry
from bot.league.snapshot import LeagueSnapshot
from bot.page.figures import (
    LONGEST,
    TABS,
    Answered,
    Folded,
    Grid,
    Shown,
    address,
    answered,
    as_json,
    kept,
    line_colour,
    query_of,
    question_of,
    takes,
)
from bot.runtime.cache import SharedLru
from bot.runtime.rate_limit import RateLimits, RateVerdict
from bot.runtime.version import VERSION
from bot.runtime.work_turns import NoTurn, WorkTurns
from rating.paifu.chances import chances_of
from rating.paifu.formats import parse
from rating.paifu.moments import all_moments, moments
from rating.paifu.record import Call, Discard, Draw, Event, NewDora, Record, Riichi, Round, Win
from rating.paifu.recordlog import PaifuEntry
from rating.paifu.tiles import KINDS, RED_FIVES, PaifuError
from rating.paifu.wall import RoundWall, open_walls
from storage.addresses import LOOPBACK
from storage.ports import LogSource, NotFound, StorageError

Json = dict[str, Any]
END = 999  # events: more than a round has


def game(logs: LogSource, snapshot: LeagueSnapshot, file: str) -> Json:
    """The record of that file under the members' shown names; tiles 0-135, seats from 0, points
    single.

    An event is a list: draw `["d", seat, tile]`, discard `["x", seat, tile, drawn]`, call `["c",
    seat, type, tiles, tiles from the hand, called, giver]`, riichi `["r", seat, step]`, new
    indicator `["n", tile]`. Raises NotFound where the league has no such record, or its bytes are
    gone or can't be read.
    """
    entry = next((each for each in snapshot.paifus if each.file == file), None)
    data = None if entry is None else PaifuFolder(logs).get(file)
    if entry is None or data is None:
        raise NotFound(f"no record {file}")
    try:
        record = parse(data)
    except PaifuError as error:
        raise NotFound(f"record {file}: {error}") from None
    league = snapshot.league
    players = [league.player_of(name, entry.day) for name in record.players]
    names = seat_names([league.shown(each) for each in players])
    of_members = style.colours(members(snapshot))
    colours = [of_members.get(player, "") for player in players[: record.seats]]
    record = replace(record, players=tuple(names))
    walls = open_walls(record).rounds
    order = [played.name for played in record.rounds]
    best = moments(record, walls)
    rounds = []
    for number, played in enumerate(record.rounds):
        rounds.append(round_json(played, names, walls[number] if walls else None))
        rounds[-1]["moments"] = [
            f"{names[moment.seat]} {moment_text_in(moment, record)}"
            for moment in best
            if moment.round == number
        ]
    return {
        "when": texts.day_with_year(entry.day),
        "players": names[: record.seats],
        "rounds": rounds,
        "moments": [
            [
                f"{order[moment.round]} {names[moment.seat]} {moment_text_in(moment, record)}",
                moment.round,
                moment.at,
            ]
            for moment in best
        ],
        "scenes": scenes(entry, record, walls),
        "chances": _chances(record),
        "colours": [line_colour(colour) for colour in style.every_colour(colours)],
        "tiles": sprite(),
    }


def scenes(
    entry: PaifuEntry, record: Record, walls: Sequence[RoundWall] | None
) -> dict[str, tuple[int, int]]:
    """Where the entry's hands (h0, …) and moments (m0, …) stand: round, and events played by
    then.
    """
    order = {played.name: number for number, played in enumerate(record.rounds)}
    at = {}
    for moment in all_moments(record, walls):
        at[moment.round, moment_text(moment)] = moment.at
    found = {}
    for n, hand in enumerate(entry.hands or ()):
        found[f"h{n}"] = order.get(hand.round, 0), END
    for n, one in enumerate(entry.moments):
        number = order.get(one.round, 0)
        found[f"m{n}"] = number, at.get((number, one.said), 0)
    return found


def _chances(record: Record) -> list[list[list[tuple[float, str]]]] | None:
    """Chances of the places at each deal and at the end, with the chat's words; None for unknown
    ones.
    """
    told = chances_of(record)
    if told is None or len(told) != len(record.rounds) + 1:
        return None
    return [
        [[(round(float(one), 3), texts.chance(one)) for one in row] for row in places]
        for places in told
    ]


def round_json(played: Round, names: Sequence[str], wall: RoundWall | None) -> Json:
    """A round as plain values; `live` are the wall's tiles in the order of drawing, None where
    unknown.
    """
    return {
        "name": played.name,
        "dealer": played.dealer,
        "sticks": played.sticks,
        "start": played.start[: played.seats],
        "hands": played.hands,
        "indicator": played.indicator,
        "events": [told for event in played.events if (told := _event(event))],
        "ends": result(played, names),
        "yaku": ["・".join(yaku_words(win)) for win in played.wins],
        "wins": [[win.seat, win.tile, win.hand] for win in played.endings if isinstance(win, Win)],
        "ura": sorted({tile for win in played.wins for tile in win.ura}),
        "after": played.after[: played.seats],
        "live": wall.live if wall else None,
    }


def _event(event: Event) -> list[Any] | None:
    if isinstance(event, Call):
        meld = event.meld
        return [
            "c",
            event.seat,
            meld.type,
            meld.tiles,
            meld.from_hand,
            meld.called,
            meld.giver,
        ]
    if isinstance(event, NewDora):
        return ["n", event.indicator]
    letter = {Draw: "d", Discard: "x", Riichi: "r"}.get(type(event))
    return [letter, *event] if letter else None


class _Svg:
    def __init__(self) -> None:
        self.drawn: list[str] = []

    def pill(
        self, left: float, top: float, right: float, bottom: float, radius: float, colour: str
    ) -> None:
        size = f'width="{right - left:.4g}" height="{bottom - top:.4g}" rx="{radius:.3g}"'
        self.drawn.append(f'<rect x="{left:.4g}" y="{top:.4g}" {size} fill="{colour}"/>')

    def dot(self, x: float, y: float, radius: float, colour: str) -> None:
        self.drawn.append(f'<circle cx="{x:.4g}" cy="{y:.4g}" r="{radius:.3g}" fill="{colour}"/>')

    def line(
        self,
        xs: Sequence[float],
        ys: Sequence[float],
        thick: float,
        colour: str,
    ) -> None:
        points = " ".join(f"{x:.4g},{y:.4g}" for x, y in zip(xs, ys, strict=True))
        self.drawn.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{thick:.3g}" '
            'stroke-linecap="round" stroke-linejoin="round"/>'
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int,
        colour: str,
        anchor: str = "",
        bold: bool = False,
    ) -> None:
        self.drawn.append(
            f'<text x="{x:.4g}" y="{y:.4g}" font-size="{size}" font-weight="700" fill="{colour}" '
            f'text-anchor="middle" dominant-baseline="central">{escape(text)}</text>'
        )


@cache
def sprite() -> str:
    """Every face as a symbol: `t0` to `t33` by kind, `r4`, `r13` and `r22` for the red fives."""
    width = 40
    symbols = []
    for tile in [*(kind * 4 + 1 for kind in range(KINDS)), *RED_FIVES]:
        svg = _Svg()
        draw_tile(svg, 0, 0, width, tile)
        name = f"{'r' if tile in RED_FIVES else 't'}{tile // 4}"
        drawn = "".join(svg.drawn)
        symbols.append(
            f'<symbol id="{name}" viewBox="0 0 {width} {width * HIGH:g}">{drawn}</symbol>'
        )
    back = f'<rect width="40" height="{40 * HIGH:g}" rx="5" fill="#c98a2b"/>'
    symbols.append(f'<symbol id="back" viewBox="0 0 40 {40 * HIGH:g}">{back}</symbol>')
    return "".join(symbols)


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
        """`proxied`: a platform's router stands before this service and says who asks."""
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
        kept = f"public, max-age={YEAR}, immutable" if request.query_string else "no-cache"
        response.headers["Cache-Control"] = kept
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
        """The page from memory, or made anew. Its ETag is of the log's revision, the day, who asks
        and what. Raises NoTurn where this link, or all together, have too much made.
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
        known = self.made.get((league, etag))
        if known is not None:
            return known
        if self.work_limits.ask(words, words) is not RateVerdict.ANSWER:
            raise NoTurn
        with self.turns.turn():
            known = self.made.get((league, etag))  # another reader may have had it made meanwhile
            if known is None:
                text = make(league, me, wanted.query)
                known = MadePage(etag, gzip.compress(text.encode(), 6, mtime=0))
                self.made.put((league, etag), known)
        return known


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
    """The page in the place of a league's: one sentence that says what to do."""
    return document("雀録", f'<main class="alone"><h1>雀録</h1><p>{sentence}</p></main>')


def page(
    league: str,
    here: str,
    options: Mapping[str, str],
    made: Answered,
) -> str:
    """A league's page: the views (`here` is shown), the period, what is shown, and what leads
    on.
    """
    periods = "".join(
        f'<a href="{escape(h)}"{current(now)}>{escape(s)}</a>' for s, now, h in made.periods
    )
    above = f'<nav class="ways" aria-label="期間">{periods}</nav>' if periods else ""
    same = {"ask": here, **kept(options)}.items()
    hidden = "".join(
        f'<input type="hidden" name="{escape(k)}" value="{escape(v)}">' for k, v in same
    )
    first, last = (escape(options.get(end, "")) for end in ("from", "to"))
    form = f"""<form class="period" method="get">{hidden}
<label>この日から<input type="date" name="from" value="{first}"></label>
<label>この日まで<input type="date" name="to" value="{last}"></label>
<button>見る</button></form>"""
    parts = []
    above_part = ""  # the title of the part before
    for part in made.parts:
        parts.append(_part(part, above_part))
        above_part = part.title if isinstance(part, Lines | Table) else ""
    figures = "\n".join(parts)
    body = f"""{_top(league, here)}
<main data-figures>
{above}
{figures}
<div class="ways">{"".join(f'<a href="{escape(h)}">{escape(said)}</a>' for said, h in made.ways)}</div>
{form if "period" in takes(here) else ""}
</main>"""
    files = ["page.js"]
    if any(isinstance(part, Lines) for part in made.parts):
        files = [PLOT, PLOT_STYLE, "page.js"]
    return document(league or "雀録", body, *files)


def replay(league: str) -> str:
    """A game's replay, which is drawn by JavaScript alone."""
    body = f"""{_top(league, "recent")}
<main id="replay"><p>{NEEDS_SCRIPT}</p></main>"""
    return document(league or "雀録", body, "replay.js")


def _top(league: str, here: str) -> str:
    tabs = [(label, address(data, {})) for label, data in TABS]
    nav = "".join(
        (f'<a href="{escape(h)}"{current(h == f"?ask={here}")}>{label}</a>' for label, h in tabs)
    )
    return (
        f'<header><h1>{escape(league or "雀録")}</h1></header><nav aria-label="ページ">{nav}</nav>'
    )


def _loaded(name: str) -> str:
    if name.endswith(".css"):
        return f'<link rel="stylesheet" href="{asset(name)}">'
    if name == PLOT:
        return f'<script defer src="{asset(name)}"></script>'
    script = f'<script type="module" src="{asset(name)}"></script>'
    return '<link rel="modulepreload" href="/page/colours.js">' + script


def current(here: bool) -> str:
    return ' aria-current="page"' if here else ""


def _part(part: Shown, above: str = "") -> str:
    """A part. A table with the title of what stands above it (`above`) needs none."""
    if isinstance(part, Folded):
        inner = _part(part.part, getattr(part.part, "title", ""))
        return f"<details><summary>{escape(getattr(part.part, 'title', ''))}</summary>{inner}</details>"
    if isinstance(part, Text):
        return f"<p>{escape(part.text)}</p>"
    if isinstance(part, Menu):
        links = "".join(f'<a href="{escape(c.data)}">{escape(c.label)}</a>' for c in part.choices)
        return f'<section>{_head(part.title, part.text)}<div class="ways">{links}</div></section>'
    if isinstance(part, Lines):
        head = _head(part.title, part.subtitle)
        return f'<section class="chart">{head}<div class="plot"></div></section>'
    rows = _grid(part) if isinstance(part, Grid) else _table(part)
    note = f'<p class="note">{escape(part.note)}</p>' if part.note else ""
    wide = f' class="wide" tabindex="0" role="region" aria-label="{escape(part.title)}"'
    frame = wide if isinstance(part, Grid) else ""
    head = "" if part.title == above else _head(part.title, part.subtitle)
    opening = "<section>" if head else "<section class=below>"
    return f"{opening}{head}<div{frame}>{rows}</div>{note}</section>"


def _head(title: str, subtitle: str) -> str:
    return f"<h2>{escape(title)}</h2>" + (
        f'<p class="when">{escape(subtitle)}</p>' if subtitle else ""
    )


def _table(table: Table) -> str:
    groups = (("", table.rows), *table.more)
    rows = [row for _, own in groups for row in own]
    columns = max((len(row.extra) for row in rows), default=0)
    ranked = any(row.rank for row in rows)
    marked = not all(row.mine for row in rows)
    unnamed = 1 + columns - len(table.heads)
    heads = [*table.heads, *[""] * unnamed]
    top = "".join(map(_column_head, heads))
    head = ""
    if any(table.heads):
        beside = "<td></td><td></td>" if ranked else "<td></td>"
        head = f"<thead><tr>{beside}{top}</tr></thead>"

    def tr(row: Row) -> str:
        own = row if marked else replace(row, mine=False)
        rank = ""
        if ranked:
            rank = f'<td class="rank">{escape(row.rank)}</td>'
        cells = (
            row.value,
            *row.extra,
            *[""] * (columns - len(row.extra)),
        )
        said = "".join(_cell(words, table.plain) for words in cells)
        looks = []
        if own.mine:
            looks.append("mine")
        if own.pale:
            looks.append("few")
        classes = f' class="{" ".join(looks)}"' if looks else ""
        return f"<tr{classes}>{rank}{_name(own)}{said}</tr>"

    wide = columns + 3 if ranked else columns + 2
    bodies = (
        f"<tbody>{_group(words, wide)}{''.join(map(tr, own))}</tbody>" for words, own in groups
    )
    return f"<table>{head}{''.join(bodies)}</table>"


def _column_head(words: str) -> str:
    return f'<th scope="col">{escape(words)}</th>' if words else "<td></td>"


def _group(words: str, columns: int) -> str:
    if not words:
        return ""
    return f'<tr><th class="group" colspan="{columns}"><span>{escape(words)}</span></th></tr>'


def _name(row: Row) -> str:
    """A row's head: the name, which leads to its answer; where a mark says what a tap opens (a
    game's 牌譜), the mark is the link.
    """
    name = f'<span class="name">{escape(row.name)}</span>'
    mark = ""
    if row.data and row.mark:
        mark = f' <a class="mark" href="{escape(row.data)}">{escape(row.mark)}</a>'
    elif row.data:
        name = f'<a class="name" href="{escape(row.data)}">{escape(row.name)}</a>'
    if row.mine and not mark:
        mark = ' <small class="mark">自分</small>'
    detail = f"<small>{_phrases(row.detail)}</small>" if row.detail else ""
    return f'<th scope="row">{_swatch(row.colour)}{name}{mark}{detail}</th>'


def _swatch(colour: str) -> str:
    if not colour:
        return ""
    bar = f'<rect width="4" height="16" rx="2" fill="{escape(line_colour(colour))}"/>'
    return f'<svg class="swatch" viewBox="0 0 4 16" aria-hidden="true">{bar}</svg>'


def _phrases(words: str) -> str:
    """Phrases (`2着 みどり +0.4　ラス さくら −52.2`) that a line's end keeps whole."""
    return "　".join(f'<span class="phrase">{escape(each)}</span>' for each in words.split("　"))


def _cell(words: str, plain: bool = False) -> str:
    tone = ""
    if not plain and words.startswith(WORSE):
        tone = " class=worse"
    elif not plain and words.startswith(BETTER):
        tone = " class=better"
    return f"<td{tone}>{escape(words)}</td>"


def _order(key: str) -> str:
    """The sign of the figure by which the rows are sorted at first."""
    return ' aria-sort="ascending"' if key == FIRST_BOARD else ""


def _grid_cell(value: float | None, words: str) -> str:
    if value is not None:
        return f"<td data-value={value!r}>{escape(words)}</td>"
    return f"<td class=few>{escape(words)}</td>" if words else "<td></td>"


def _grid(grid: Grid) -> str:
    heads = "".join(
        f'<th scope="col" data-key="{key}"{_order(key)}>{escape(name)}</th>'
        for key, name in grid.heads
    )
    body = ""
    for words, rows in grid.groups:
        body += f"<tbody>{_group(words, len(grid.heads) + 1)}"
        for row, cells in rows:
            figures = "".join(_grid_cell(value, said) for value, said in cells)
            opening = "<tr class=mine>" if row.mine else "<tr>"
            body += f"{opening}{_name(row)}{figures}</tr>"
        body += "</tbody>"
    return f'<table class="grid"><thead><tr><td></td>{heads}</tr></thead>{body}</table>'
