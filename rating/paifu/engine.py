"""A simple player for duplicate games, and its games on the engine riichienv.

The engine is installed only where they are played.

The player goes by tile efficiency and can fold by the rule of push or fold. Two policies that
differ only in `rule` show what folding by it is worth.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rating.paifu.danger import NO_SUJI, RYANMEN, danger, folds, largest, suji_danger
from rating.paifu.efficiency import (
    Holding,
    acceptance,
    after_discards,
    expectation,
    points,
    shanten_of,
    yaku,
    yakuhai_of,
)
from rating.paifu.tiles import (
    KINDS,
    NORTH,
    RED_FIVES,
    TERMINALS_AND_HONOURS,
    PaifuError,
    counts,
    dora_of,
    present,
)

CALL_AT_MOST = 4  # above this shanten only yakuhai are called


class Seen(NamedTuple):
    """What the player knows: its hand, the copies it can't see, and what is safe against each
    riichi (34 values each). With three `seats` no copy of 2 to 8 of man is unseen."""

    holding: Holding
    unseen: Sequence[int]
    safe: Sequence[Sequence[bool]] = ()
    seats: int = 4


class FoldRule(NamedTuple):
    danger: Callable[[Sequence[int], Sequence[bool], int], list[int]]
    dangerous: int


BY_WAITS = FoldRule(danger, RYANMEN)  # a ryanmen is left
BY_SUJI = FoldRule(suji_danger, NO_SUJI)


class Policy(NamedTuple):
    """A player; `rule` says by what it folds, None that it never does."""

    rule: FoldRule | None

    def discard(self, seen: Seen, kinds: Sequence[int]) -> int:
        held = list(seen.holding.held)
        numbers = after_discards(held, kinds, seen.seats)
        nearest = min(numbers.values())
        widths = self._widths(held, seen, numbers, nearest)
        if self.rule and seen.safe:
            dangers = largest(
                [self.rule.danger(seen.unseen, safe, seen.seats) for safe in seen.safe]
            )
            least = min(dangers[kind] for kind in kinds)
            dangerous = self.rule.dangerous
            value = expectation(points(seen.holding), max(widths.values()), nearest)
            kept = {  # the least dangerous is always among them
                kind: number
                for kind, number in numbers.items()
                if not folds(dangers[kind], least, nearest, value, dangerous)
            }
            if not kept.keys() >= widths.keys():
                widths = self._widths(held, seen, kept, min(kept.values()))
        return max(widths, key=lambda kind: (widths[kind], -_use(kind, seen)))

    def _widths(
        self, held: list[int], seen: Seen, numbers: dict[int, int], nearest: int
    ) -> dict[int, int]:
        """{kind: number of tiles accepted after it} for the discards that give the shanten
        `nearest`.
        """
        widths = {}
        for kind, number in numbers.items():
            if number == nearest:
                held[kind] -= 1
                _, accepted = acceptance(held, seen.seats)
                widths[kind] = sum(seen.unseen[other] for other in accepted)
                held[kind] += 1
        return widths

    def calls(self, before: Seen, after: Holding) -> bool:
        """Whether to call a tile: the call lowers the shanten and a yaku is in sight. `before` is
        what is known before the call, `after` the hand after it and before its discard."""
        now = shanten_of(list(before.holding.held), before.seats)
        if now > CALL_AT_MOST and after.called[-1][0] not in after.yakuhai:
            return False
        then = shanten_of(list(after.held), before.seats)
        return then < now and yaku(after) >= (1.0 if then <= 0 else 0.5)

    def takes_north(self, seen: Seen) -> bool:
        """Whether to take out a north (kita): the hand without it is no farther from complete than
        after its best discard.

        >>> from rating.paifu.tiles import counts, parse
        >>> hand = Holding(counts(parse("19m19p19s1234567z5p")))
        >>> Policy(None).takes_north(Seen(hand, [2] * 34, seats=3))
        False
        """
        held = list(seen.holding.held)
        numbers = after_discards(
            held, [kind for kind, count in enumerate(held) if count], seen.seats
        )
        return numbers[NORTH] <= min(numbers.values())


def _use(kind: int, seen: Seen) -> float:
    """How useful a kind is where the accepted tiles are equal; the least useful is discarded."""
    if kind in seen.holding.dora:
        return 5.0
    if kind in seen.holding.yakuhai:
        return 0.6 if seen.unseen[kind] > 1 else 0.1
    if kind in TERMINALS_AND_HONOURS:
        return 0.3 if kind < 27 else 0.0
    return 1.0 + 0.2 * min(kind % 9, 8 - kind % 9)


def load() -> Any:
    """The module riichienv. Raises PaifuError when it is not installed."""
    try:
        import riichienv
    except ImportError:
        raise PaifuError("duplicate matches need riichienv: pip install riichienv") from None
    return riichienv


class Match:
    """One game to the end of the south rounds between policies, one a seat, on the walls of
    `seed`.
    """

    def __init__(self, policies: Sequence[Policy], seed: int) -> None:
        self.engine = load()
        self.types = self.engine.ActionType
        self.policies = policies
        self.seats = len(policies)
        self.env = self.engine.RiichiEnv(game_mode=f"{self.seats}p-red-half", seed=seed)
        self.forget()

    def forget(self) -> None:
        self.rivers = [0] * self.seats
        self.safe = [[False] * KINDS for _ in range(self.seats)]

    def play(self) -> tuple[list[dict[str, Any]], list[int]]:
        """Play the game; return (mjai's events, https://github.com/gimite/mjai, final points by
        seat).
        """
        waiting = self.env.reset()
        while not self.env.done():
            self.watch()
            actions = {seat: self.act(seat, seen) for seat, seen in waiting.items()}
            waiting = self.env.step(actions)
        return self.env.mjai_log, list(self.env.scores())

    def watch(self) -> None:
        """Note what is safe against each seat: its own discards and, after its riichi, those of all
        seats.
        """
        rivers = self.env.discards
        lengths = zip(map(len, rivers), self.rivers, strict=True)
        if any(length < before for length, before in lengths):
            self.forget()
        riichi = self.env.riichi_declared
        for seat, river in enumerate(rivers):
            for tile in river[self.rivers[seat] :]:
                for other in range(self.seats):
                    if other == seat or riichi[other]:
                        self.safe[other][tile // 4] = True
            self.rivers[seat] = len(river)

    def act(self, seat: int, seen: Any) -> Any:
        """A legal action: a win, kita, riichi, else what the policy discards or calls, else a
        pass.
        """
        by_type: dict[Any, list[Any]] = {}
        for action in seen.legal_actions():
            by_type.setdefault(action.action_type, []).append(action)
        types = self.types
        policy = self.policies[seat]
        for first in (types.RON, types.TSUMO, types.KITA, types.RIICHI):
            if first not in by_type:
                continue
            if first == types.KITA and not policy.takes_north(self.known(seat, seen)):
                continue
            return by_type[first][0]
        if types.DISCARD in by_type:
            return self.discard(seat, seen, by_type[types.DISCARD])
        known = self.known(seat, seen)
        for call_type in (types.PON, types.CHI):
            for action in by_type.get(call_type, ()):
                if policy.calls(known, self.after_call(known.holding, action)):
                    return action
        return by_type.get(types.PASS, next(iter(by_type.values())))[0]

    def discard(self, seat: int, seen: Any, actions: Sequence[Any]) -> Any:
        """Return the discard the policy chooses; a plain five goes before the red one."""
        if len(actions) == 1:
            return actions[0]
        plain_first = sorted(actions, key=lambda action: action.tile in RED_FIVES)
        kinds = list(dict.fromkeys(action.tile // 4 for action in plain_first))
        kind = (
            self.policies[seat].discard(self.known(seat, seen), kinds)
            if len(kinds) > 1
            else kinds[0]
        )
        return next(action for action in plain_first if action.tile // 4 == kind)

    def known(self, seat: int, seen: Any) -> Seen:
        hand = seen.hand
        melds = seen.melds
        shown = {*hand, *seen.dora_indicators}
        norths = self.env.kita_tiles if self.seats == 3 else ()
        shown.update(
            *seen.discards,
            *(meld.tiles for calls in melds for meld in calls),
            *norths,
        )
        own = [meld.tiles for meld in melds[seat]]
        holding = Holding(
            held=counts(hand),
            called=tuple(tuple(tile // 4 for tile in tiles) for tiles in own),
            open=any(meld.opened for meld in melds[seat]),
            red=len(RED_FIVES.intersection(hand))
            + sum(tile in RED_FIVES for tiles in own for tile in tiles),
            dora=tuple(dora_of(tile, self.seats) for tile in seen.dora_indicators),
            yakuhai=yakuhai_of(seat, seen.oya, seen.round_wind * 4, self.seats),
            dealer=seat == seen.oya,
        )
        unseen = present([4 - count for count in counts(shown)], self.seats)
        riichi = seen.riichi_declared
        opponents = (other for other in range(self.seats) if other != seat)
        safe = [self.safe[other] for other in opponents if riichi[other]]
        return Seen(holding, unseen, safe, self.seats)

    @staticmethod
    def after_call(holding: Holding, action: Any) -> Holding:
        held = list(holding.held)
        for tile in action.consume_tiles:
            held[tile // 4] -= 1
        call = tuple(tile // 4 for tile in (*action.consume_tiles, action.tile))
        red = holding.red
        if action.tile in RED_FIVES:
            red += 1
        called = (*holding.called, call)
        return holding._replace(held=held, called=called, open=True, red=red)
