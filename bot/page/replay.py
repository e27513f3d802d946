"""A game for the page's replay: its deals and events as plain values, and the faces of tiles as SVG."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from html import escape
from typing import Any

from bot import texts
from bot.answers.common.members import members
from bot.answers.paifu.analysis import result, yaku_words
from bot.draw import style
from bot.draw.tiles import HIGH, draw_tile
from bot.league.paifu_log import PaifuFolder
from bot.league.snapshot import LeagueSnapshot
from rating.paifu.chances import chances_of
from rating.paifu.mjlog import parse
from rating.paifu.moments import all_moments, moments
from rating.paifu.record import Call, Discard, Draw, Event, NewDora, Record, Riichi, Round, Win
from rating.paifu.recordlog import PaifuEntry
from rating.paifu.tiles import KINDS, RED_FIVES, PaifuError
from rating.paifu.wall import RoundWall, open_walls
from storage.ports import LogSource, NotFound

Json = dict[str, Any]
END = 999  # events: more than a round has


def game(logs: LogSource, snapshot: LeagueSnapshot, file: str) -> Json:
    """The record of that file under the members' shown names; tiles 0-135, seats from 0, points single.

    An event is a list: draw `["d", seat, tile]`, discard `["x", seat, tile, drawn]`, call `["c", seat, type,
    tiles, tiles from the hand, called, giver]`, riichi `["r", seat, step]`, new indicator `["n", tile]`.
    Raises NotFound where the league has no such record, or its bytes are gone or can't be read.
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
    names, own = [league.shown(player) for player in players], style.colours(members(snapshot))
    spare = (colour for colour in style.palette(12) if colour not in own.values())
    record = replace(record, players=tuple(names))
    walls, order = open_walls(record).rounds, [played.name for played in record.rounds]
    told, rounds = moments(record, walls), []
    for number, played in enumerate(record.rounds):
        rounds.append(round_json(played, names, walls[number] if walls else None))
        rounds[-1]["moments"] = [f"{names[one.seat]} {one.words}" for one in told if one.round == number]
    return {
        "when": texts.day_with_year(entry.day),
        "players": names[: record.seats],
        "rounds": rounds,
        "moments": [[f"{order[one.round]} {names[one.seat]} {one.words}", one.round, one.at] for one in told],
        "scenes": scenes(entry, record, walls),
        "chances": _chances(record),
        "colours": [own.get(player) or next(spare) for player in players[: record.seats]],
        "tiles": sprite(),
    }


def scenes(
    entry: PaifuEntry, record: Record, walls: Sequence[RoundWall] | None
) -> dict[str, tuple[int, int]]:
    """Where the entry's hands (h0, …) and moments (m0, …) stand: round, and events played by then."""
    order = {played.name: number for number, played in enumerate(record.rounds)}
    at = {(one.round, one.said): one.at for one in all_moments(record, walls)}
    found = {f"h{n}": (order.get(hand.round, 0), END) for n, hand in enumerate(entry.hands or ())}
    for n, one in enumerate(entry.moments):
        number = order.get(one.round, 0)
        found[f"m{n}"] = number, at.get((number, one.said), 0)
    return found


def _chances(record: Record) -> list[list[list[tuple[float, str]]]] | None:
    """Chances of the places at each deal and at the end, with the chat's words; None for unknown ones."""
    told = chances_of(record)
    if told is None or len(told) != len(record.rounds) + 1:
        return None
    return [[[(round(float(one), 3), texts.chance(one)) for one in row] for row in places] for places in told]


def round_json(played: Round, names: Sequence[str], wall: RoundWall | None) -> Json:
    """A round as plain values; `live` are the wall's tiles in the order of drawing, None where unknown."""
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
        return ["c", event.seat, meld.type, meld.tiles, meld.from_hand, meld.called, meld.giver]
    if isinstance(event, NewDora):
        return ["n", event.indicator]
    letter = {Draw: "d", Discard: "x", Riichi: "r"}.get(type(event))
    return [letter, *event] if letter else None


class _Svg:
    def __init__(self) -> None:
        self.drawn: list[str] = []

    def pill(self, left: float, top: float, right: float, bottom: float, radius: float, colour: str) -> None:
        size = f'width="{right - left:.4g}" height="{bottom - top:.4g}" rx="{radius:.3g}"'
        self.drawn.append(f'<rect x="{left:.4g}" y="{top:.4g}" {size} fill="{colour}"/>')

    def dot(self, x: float, y: float, radius: float, colour: str) -> None:
        self.drawn.append(f'<circle cx="{x:.4g}" cy="{y:.4g}" r="{radius:.3g}" fill="{colour}"/>')

    def line(self, xs: Sequence[float], ys: Sequence[float], thick: float, colour: str) -> None:
        points = " ".join(f"{x:.4g},{y:.4g}" for x, y in zip(xs, ys, strict=True))
        self.drawn.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{thick:.3g}" '
            'stroke-linecap="round" stroke-linejoin="round"/>'
        )

    def text(
        self, x: float, y: float, text: str, size: int, colour: str, anchor: str = "", bold: bool = False
    ) -> None:
        self.drawn.append(
            f'<text x="{x:.4g}" y="{y:.4g}" font-size="{size}" font-weight="700" fill="{colour}" '
            f'text-anchor="middle" dominant-baseline="central">{escape(text)}</text>'
        )


@cache
def sprite() -> str:
    """Every face as a symbol: `t0` to `t33` by kind, `r4`, `r13` and `r22` for the red fives."""
    width, symbols = 40, []
    for tile in [*(kind * 4 + 1 for kind in range(KINDS)), *RED_FIVES]:
        svg = _Svg()
        draw_tile(svg, 0, 0, width, tile)
        name = f"{'r' if tile in RED_FIVES else 't'}{tile // 4}"
        drawn = "".join(svg.drawn)
        symbols.append(f'<symbol id="{name}" viewBox="0 0 {width} {width * HIGH:g}">{drawn}</symbol>')
    back = f'<rect width="40" height="{40 * HIGH:g}" rx="5" fill="#c98a2b"/>'
    symbols.append(f'<symbol id="back" viewBox="0 0 40 {40 * HIGH:g}">{back}</symbol>')
    return "".join(symbols)
