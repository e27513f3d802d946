"""A game for the page's replay: its deals and events as plain values, and the faces of tiles as SVG."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from typing import Any, NamedTuple

from bot import texts
from bot.answers.common.members import members
from bot.answers.common.rounds import result, yaku_words
from bot.answers.common.story import seat_names
from bot.draw import style
from bot.draw.tiles import HIGH, draw_tile
from bot.league.moment_text import moment_text, moment_text_in
from bot.league.paifu_log import PaifuFolder
from bot.league.snapshot import LeagueSnapshot
from bot.page.colours import line_colour
from rating.paifu.chances import chances_of
from rating.paifu.checked_walls import open_walls
from rating.paifu.formats import parse
from rating.paifu.moments import all_moments, moments
from rating.paifu.record import (
    Away,
    Call,
    Discard,
    Draw,
    Event,
    NewDora,
    Record,
    Riichi,
    Round,
    Win,
)
from rating.paifu.recordlog import PaifuEntry
from rating.paifu.tiles import KINDS, RED_FIVES, PaifuError
from rating.paifu.top_table.review import choices_of
from rating.paifu.wall import RoundWall
from storage.ports import LogSource, NotFound

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
    entry = entry_of_file(snapshot, file)
    record = read_record(logs, file)
    league = snapshot.league
    players = [league.player_of(name, entry.day) for name in record.players]
    names = seat_names([league.shown(player) for player in players])
    record = replace(record, players=tuple(names))
    walls = open_walls(record).rounds
    return {
        "when": texts.day_with_year(entry.day),
        "players": names[: record.seats],
        **_rounds_and_moments(record, walls),
        "scenes": scenes(entry, record, walls),
        "chances": _chances(record),
        "choices": _choices(record),
        "colours": _colours(snapshot, players[: record.seats]),
        "tiles": sprite(),
    }


def entry_of_file(snapshot: LeagueSnapshot, file: str) -> PaifuEntry:
    """The league's entry of a record. Raises NotFound where it has none."""
    for entry in snapshot.paifus:
        if entry.file == file:
            return entry
    raise NotFound(f"no record {file}")


def read_record(logs: LogSource, file: str) -> Record:
    """Raises NotFound where the record's bytes are gone or can't be read."""
    data = PaifuFolder(logs).get(file)
    if data is None:
        raise NotFound(f"no record {file}")
    try:
        return parse(data)
    except PaifuError as error:
        raise NotFound(f"record {file}: {error}") from None


def _colours(snapshot: LeagueSnapshot, players: Sequence[str]) -> list[str]:
    """The colours of the seats' lines; guests get colours that no member has."""
    colours_of_members = style.colours(members(snapshot))
    colours = [colours_of_members.get(player, "") for player in players]
    return [line_colour(colour) for colour in style.every_colour(colours)]


def _rounds_and_moments(record: Record, walls: Sequence[RoundWall] | None) -> Json:
    """The rounds, each with its moments, and all moments of the game."""
    names = record.players
    rounds = []
    for number, played in enumerate(record.rounds):
        wall = None
        if walls:
            wall = walls[number]
        rounds.append(round_json(played, names, wall) | {"moments": list[str]()})
    all_in_order = []
    for moment in moments(record, walls):
        text = f"{names[moment.seat]} {moment_text_in(moment, record)}"
        rounds[moment.round]["moments"].append(text)
        name = record.rounds[moment.round].name
        all_in_order.append([f"{name} {text}", moment.round, moment.at])
    return {"rounds": rounds, "moments": all_in_order}


class Scene(NamedTuple):
    """A place in a record: the number of its round, and of the events played by then."""

    round: int
    at: int


def scenes(
    entry: PaifuEntry, record: Record, walls: Sequence[RoundWall] | None
) -> dict[str, Scene]:
    """The places of the entry's hands (h0, …) and moments (m0, …)."""
    order = {played.name: number for number, played in enumerate(record.rounds)}
    at = {}
    for moment in all_moments(record, walls):
        at[moment.round, moment_text(moment)] = moment.at
    places = {}
    for n, hand in enumerate(entry.hands or ()):
        places[f"h{n}"] = Scene(order.get(hand.round, 0), END)
    for n, stored in enumerate(entry.moments):
        number = order.get(stored.round, 0)
        places[f"m{n}"] = Scene(number, at.get((number, stored.said), 0))
    return places


class PlaceChance(NamedTuple):
    """A chance of a place, and its text in the chat."""

    chance: float
    text: str


def _chances(record: Record) -> list[list[list[PlaceChance]]] | None:
    """Chances of the places at each deal and at the end; None for unknown ones."""
    chances = chances_of(record)
    if chances is None or len(chances) != len(record.rounds) + 1:
        return None
    return [[_place_chances(row) for row in seats] for seats in chances]


def _place_chances(row: Iterable[float]) -> list[PlaceChance]:
    return [PlaceChance(round(float(chance), 3), texts.chance(chance)) for chance in row]


def _choices(record: Record) -> list[list[Json]] | None:
    """The discards of each round with the top table's shares by kind; None with four seats. `at`
    counts the page's events before the discard.
    """
    choices = choices_of(record)
    if not choices:
        return None
    rounds: list[list[Json]] = [[] for _ in record.rounds]
    for choice in choices:
        events = record.rounds[choice.round].events[: choice.at]
        rounds[choice.round].append(
            {
                "at": sum(1 for event in events if not isinstance(event, Away)),
                "seat": choice.seat,
                "tile": choice.tile,
                "shares": {kind: round(share, 3) for kind, share in choice.options()},
                "unusual": choice.is_unusual and not choice.away,
            }
        )
    return rounds


def round_json(played: Round, names: Sequence[str], wall: RoundWall | None) -> Json:
    """A round as plain values; `live` are the wall's tiles in the order of drawing, None where
    unknown.
    """
    events = [_event(event) for event in played.events]
    ura: set[int] = set()
    for win in played.wins:
        ura.update(win.ura)
    live = None
    if wall:
        live = wall.live
    return {
        "name": played.name,
        "dealer": played.dealer,
        "sticks": played.sticks,
        "start": played.start[: played.seats],
        "hands": played.hands,
        "indicator": played.indicator,
        "events": [event for event in events if event],
        "ends": result(played, names),
        "yaku": ["・".join(yaku_words(win)) for win in played.wins],
        "wins": [[win.seat, win.tile, win.hand] for win in played.endings if isinstance(win, Win)],
        "ura": sorted(ura),
        "after": played.after[: played.seats],
        "live": live,
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
    if letter is None:
        return None
    return [letter, *event]


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
