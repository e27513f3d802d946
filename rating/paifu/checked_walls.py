"""The walls of a record, after a comparison with every tile that the record shows."""

from dataclasses import dataclass

from rating.paifu.record import Draw, NewDora, Record, Round
from rating.paifu.table import WallCount
from rating.paifu.tiles import PaifuError
from rating.paifu.wall import RoundWall, read_key, walls


@dataclass(frozen=True, slots=True)
class CheckedWalls:
    """The walls of a record: one for each of its rounds, or `rounds` is None where they are
    unknown. `problem` gives the reason in one line where the seed of the record does not fit it;
    else it is "". `draws` counts the draws that were compared."""

    rounds: tuple[RoundWall, ...] | None
    problem: str = ""
    draws: int = 0


def open_walls(record: Record) -> CheckedWalls:
    """The walls of the record; without a seed of a known form they are unknown, without a
    problem.
    """
    try:
        key = read_key(record.seed)
    except PaifuError as error:
        return CheckedWalls(None, str(error))
    if key is None:
        return CheckedWalls(None)
    rounds = {played.deal: played for played in (*record.rounds, *record.unread)}
    dealers = [0] * (max(rounds) + 1)
    for deal, played in rounds.items():
        dealers[deal] = played.dealer
    wall_of: dict[int, RoundWall] = {}
    draws = 0
    for deal, wall in enumerate(walls(key, record.seats, dealers)):
        if deal not in rounds:
            continue
        try:
            draws += _compare(rounds[deal], wall)
        except PaifuError as error:
            return CheckedWalls(None, f"the wall is unknown: {rounds[deal].name}: {error}")
        wall_of[deal] = wall
    return CheckedWalls(tuple(wall_of[played.deal] for played in record.rounds), draws=draws)


def _compare(played: Round, wall: RoundWall) -> int:
    """Compare all tiles that a round shows with its wall; return the number of draws compared.
    Raises PaifuError at the first that differs."""
    if played.dice not in (None, wall.dice):
        raise PaifuError("its dice are not those of the seed")
    hands = zip(played.hands, wall.hands, strict=True)
    for seat, (dealt, in_wall) in enumerate(hands):
        if set(dealt) != set(in_wall):
            raise PaifuError(f"the tiles dealt to seat {seat} are not those of the seed")
    turned = [played.indicator]
    turned += [event.indicator for event in played.events if type(event) is NewDora]
    _check_indicators("a dora indicator", tuple(turned), wall.dora)
    for win in played.wins:
        _check_indicators("a dora indicator", win.dora, wall.dora)
        _check_indicators("an ura dora indicator", win.ura, wall.ura)
    return _compare_draws(played, wall)


def _compare_draws(played: Round, wall: RoundWall) -> int:
    count = WallCount()
    for event in played.events:
        if type(event) is Draw:
            if count.replacing:
                next_tile = wall.rinshan[count.taken : count.taken + 1]
            else:
                live = wall.rest(0, count.taken)
                next_tile = live[count.drawn : count.drawn + 1]
            if next_tile != (event.tile,):
                raise PaifuError(f"draw {count.drawn + count.taken + 1} is not that of the seed")
        count.apply(event)
    return count.drawn + count.taken


def _check_indicators(name: str, turned: tuple[int, ...], wall: tuple[int, ...]) -> None:
    if turned != wall[: len(turned)]:
        raise PaifuError(f"{name} is not that of the seed")
