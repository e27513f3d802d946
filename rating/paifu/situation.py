"""Questions about single hands: danger in players' notation, danger and tile efficiency as JSON.
And 何切る: positions of a record with one best discard by speed, where the player chose another or
Tenhou's top table is divided."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rating.paifu.danger import danger
from rating.paifu.deal_in import DealInRate, class_rates, threat
from rating.paifu.efficiency import DiscardChoice, TileChoice, choices, shanten_of, tile_choices
from rating.paifu.record import Discard, Draw, Event, Record
from rating.paifu.table import TableState, WallCount
from rating.paifu.tiles import (
    ABSENT_IN_THREE,
    KIND_NAMES,
    KINDS,
    PaifuError,
    counts,
    is_whole,
    parse,
    present,
)
from rating.paifu.top_table.review import choices_of
from rating.paifu.wall import RoundWall

TURNS = range(3, 13)
FARTHEST = 2  # shanten after the best discard
MOST_KINDS = 13


def is_clear(choice: TileChoice) -> bool:
    """Whether a discard of a hand without calls has one best choice, without a tie."""
    kinds = {tile // 4 for tile in choice.hand}
    whole = len(choice.hand) == 14 and len(kinds) <= MOST_KINDS
    return choice.alone and whole and choice.turn in TURNS and choice.best.shanten <= FARTHEST


def asks(record: Record) -> list[TileChoice]:
    """The clear positions in which the player chose another discard or, with three seats, the top
    table is divided, in order of play."""
    divided = {
        (choice.round, choice.seat, choice.turn)
        for choice in choices_of(record)
        if choice.is_divided
    }
    return [
        choice
        for choice in tile_choices(record)
        if is_clear(choice)
        and (choice.loss > 0 or (choice.round, choice.seat, choice.turn) in divided)
    ]


class Position(NamedTuple):
    """What the seat saw before a discard, and what it drew later: `choices` are all discards, the
    best first, `taken` is the tile discarded. `hand` has 14 tiles with the one `drawn`. `came` are
    the seat's draws after the discard, `live` the copies of each kind (34) then still to be drawn;
    None without a wall."""

    round: int
    seat: int
    turn: int
    hand: tuple[int, ...]
    drawn: int
    river: tuple[int, ...]
    indicators: tuple[int, ...]
    choices: tuple[DiscardChoice, ...]
    taken: int
    came: tuple[int, ...]
    live: tuple[int, ...] | None


def position(
    record: Record,
    number: int,
    seat: int,
    turn: int,
    walls: tuple[RoundWall, ...] | None = None,
) -> Position | None:
    """The position of a seat before its discard `turn` (from 1) in the round at an index; None
    without it.
    """
    if not 0 <= number < len(record.rounds):
        return None
    played = record.rounds[number]
    table = TableState(played)
    count = WallCount()
    last_draw = -1
    for index, event in enumerate(played.events):
        if type(event) is Draw and event.seat == seat:
            last_draw = event.tile
        river = table.rivers[seat]
        if type(event) is Discard and event.seat == seat and len(river) == turn - 1:
            hand_choices = choices(table.held[seat], table.unseen(seat), table.seats)
            live = None
            if walls is not None:
                live = tuple(counts(walls[number].rest(count.drawn, count.taken)))
            return Position(
                round=number,
                seat=seat,
                turn=turn,
                hand=tuple(sorted(table.hands[seat])),
                drawn=last_draw,
                river=tuple(thrown.tile for thrown in river),
                indicators=tuple(table.indicators),
                choices=tuple(hand_choices),
                taken=event.tile,
                came=_draws_of(played.events[index:], seat),
                live=live,
            )
        table.apply(event)
        count.apply(event)
    return None


def _draws_of(events: Iterable[Event], seat: int) -> tuple[int, ...]:
    """The tiles that the seat draws in these events."""
    return tuple(event.tile for event in events if type(event) is Draw and event.seat == seat)


class Situation(NamedTuple):
    """`hand` are tiles (0-135), sorted. `opponents` is their number, `seats` that of all players.
    By kind (34): `danger` is the largest danger among the opponents, in danger points, `chance` the
    chance to deal into any of them, `unseen` the copies not seen."""

    hand: tuple[int, ...]
    opponents: int
    danger: tuple[int, ...]
    unseen: tuple[int, ...]
    seats: int
    chance: tuple[DealInRate, ...]


def situation(
    hand: str,
    rivers: Sequence[str],
    dora: str = "",
    seen: str = "",
    seats: int = 4,
    rates: Mapping[str, DealInRate] | None = None,
) -> Situation:
    """The danger of every kind against one or more opponents (at most all), all taken to be in
    riichi.

    All tiles are in notation (`123m406p789s11z`). `hand` is the player's own. Each of `rivers` is
    what is safe against one opponent: its discards and what was discarded after its riichi. `dora`
    are the dora indicators, `seen` all other tiles in sight (calls, other rivers). `rates` are
    those of `class_rates`, of the number of seats where not given. Raises PaifuError, which names
    the fault, when an argument is wrong: with three seats 2m to 8m are none."""
    hand_tiles = _parsed_hand(hand)
    visible = hand_tiles + parse(dora) + parse(seen)
    discards = [parse(river) for river in rivers]
    if not 1 <= len(discards) < seats:
        raise PaifuError(f"one to {seats - 1} rivers are needed, not {len(discards)}")
    safes = []
    for river in discards:
        visible += river
        safe_kinds = {tile // 4 for tile in river}
        safes.append([kind in safe_kinds for kind in range(KINDS)])
    visible_counts = counts(visible)
    _check_copies(visible_counts, visible_counts, seats)
    unseen = present([4 - count for count in visible_counts], seats)
    against = threat(unseen, safes, seats, rates=rates or class_rates(seats))
    return Situation(
        hand=tuple(sorted(hand_tiles)),
        opponents=len(discards),
        danger=against.largest,
        unseen=tuple(unseen),
        seats=seats,
        chance=against.chance,
    )


def _parsed_hand(hand: str) -> list[int]:
    tiles = parse(hand)
    if not tiles:
        raise PaifuError("the hand is missing (write 123m406p789s11z)")
    if len(tiles) > 14:
        raise PaifuError(f"a hand has 14 tiles at most, not {len(tiles)}")
    return tiles


def _check_copies(named: Sequence[int], hand: Sequence[int], seats: int) -> None:
    for kind, (count, held) in enumerate(zip(named, hand, strict=True)):
        if count > 4:
            raise PaifuError(f"{count} copies of {KIND_NAMES[kind]} are named, there are only 4")
        if held and seats == 3 and kind in ABSENT_IN_THREE:
            raise PaifuError(f"there is no {KIND_NAMES[kind]} with three seats")


def _answers(
    name: str, questions: object, answer: Callable[[object], dict[str, Any]]
) -> list[dict[str, Any]]:
    """The answer to each question; a fault of one is reported with its `name` and number."""
    if not isinstance(questions, list):
        questions = [questions]
    answers = []
    for place, question in enumerate(questions, 1):
        try:
            answers.append(answer(question))
        except PaifuError as error:
            raise PaifuError(f"{name} {place}: {error}") from None
    return answers


def efficiency_answers(questions: object, seats: int = 4) -> list[dict[str, Any]]:
    """The answer to each question of a list from JSON, or to one.

    A question is {"hand": 34 counts of concealed tiles, "calls": 0 to 4, "unseen": 34 counts,
    "seats": 3 or 4}; by default it has no calls and the argument `seats`. An
    answer is {"shanten": of the whole hand, "discards": [{"kind", "shanten", "tiles", "kinds"}]}.
    Raises PaifuError, which names the hand, when one is impossible."""

    def answer(question: object) -> dict[str, Any]:
        if not isinstance(question, dict):
            raise PaifuError('a hand is an object with "hand", "calls", "unseen" and "seats"')
        return _efficiency_answer(question, seats)

    return _answers("hand", questions, answer)


def _efficiency_answer(question: dict[str, Any], seats: int) -> dict[str, Any]:
    playing = check_seats(question.get("seats", seats))
    calls = question.get("calls", 0)
    hand = _counts(question, "hand")
    unseen = _counts(question, "unseen")
    if not is_whole(calls) or not 0 <= calls <= 4:
        raise PaifuError("calls must be 0 to 4")
    if sum(hand) != 14 - 3 * calls:
        raise PaifuError(f"a hand with {calls} calls has {14 - 3 * calls} tiles, not {sum(hand)}")
    copies = [in_hand + hidden for in_hand, hidden in zip(hand, unseen, strict=True)]
    _check_copies(copies, hand, playing)
    ranked = choices(hand, present(unseen, playing), playing)
    discards = [discard._asdict() | {"kinds": list(discard.kinds)} for discard in ranked]
    return {"shanten": shanten_of(hand, playing), "discards": discards}


def _counts(question: dict[str, object], name: str) -> list[int]:
    counts_of_kinds = question.get(name)
    if not isinstance(counts_of_kinds, list) or len(counts_of_kinds) != KINDS:
        raise PaifuError(f"{name} must be a list of {KINDS} counts")
    for kind, count in enumerate(counts_of_kinds):
        _check_count(count, name, kind)
    return counts_of_kinds


def _check_count(count: object, name: str, kind: int) -> None:
    if not is_whole(count) or not 0 <= count <= 4:
        raise PaifuError(f"{name}[{kind}] ({KIND_NAMES[kind]}) must be 0 to 4")


class DangerState(NamedTuple):
    """The copies not seen (34 counts), and which kinds an opponent can't win on (34)."""

    unseen: list[int]
    safe: list[bool]


def check_state(unseen: object, safe: object) -> DangerState:
    """A state from JSON: 34 counts of 0-4, and 34 booleans (or 0 and 1).

    Raises PaifuError otherwise.
    """
    if (
        not isinstance(unseen, list)
        or not isinstance(safe, list)
        or len(unseen) != KINDS
        or len(safe) != KINDS
    ):
        raise PaifuError("a state is an object with two lists of 34: unseen and safe")
    for kind, (copies, is_safe) in enumerate(zip(unseen, safe, strict=True)):
        _check_count(copies, "unseen", kind)
        if not isinstance(is_safe, int) or is_safe not in (0, 1):
            raise PaifuError(f"safe[{kind}] ({KIND_NAMES[kind]}) must be 0 or 1")
    return DangerState(list(unseen), [bool(is_safe) for is_safe in safe])


def danger_answers(questions: object, seats: int = 4) -> list[dict[str, Any]]:
    """[{"danger": 34 danger points}] for a list of states from JSON, or for one state. A state is
    {"unseen": 34 counts, "safe": 34 booleans, "seats": 3 or 4}, by default the argument `seats`.
    Raises PaifuError, which names the state, when one is wrong."""

    def answer(state: object) -> dict[str, Any]:
        fields: dict[str, object] = {}
        if isinstance(state, dict):
            fields = state
        unseen, safe = check_state(fields.get("unseen"), fields.get("safe"))
        return {"danger": danger(unseen, safe, check_seats(fields.get("seats", seats)))}

    return _answers("state", questions, answer)


def check_seats(seats: object) -> int:
    """The number of seats from JSON. Raises PaifuError when it is neither 3 nor 4."""
    if not is_whole(seats) or seats not in (3, 4):
        raise PaifuError("seats must be 3 or 4")
    return seats
