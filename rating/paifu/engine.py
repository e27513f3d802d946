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
    EAST,
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


BY_WAITS = FoldRule(danger, RYANMEN)  # dangerous where a ryanmen may wait for the tile
BY_SUJI = FoldRule(suji_danger, NO_SUJI)


class Policy(NamedTuple):
    """A player; `rule` is the rule by which it folds, None if it never does."""

    rule: FoldRule | None

    def discard(self, view: Seen, kinds: Sequence[int]) -> int:
        """The kind to discard of `kinds`: the fastest, of those that the rule does not fold."""
        shantens = after_discards(list(view.holding.held), kinds, view.seats)
        widths = _widths(view, shantens)
        if self.rule and view.safe:
            shanten = min(shantens.values())
            value = expectation(points(view.holding), max(widths.values()), shanten)
            playable = self._playable(self.rule, view, shantens, value)
            if not playable.keys() >= widths.keys():
                widths = _widths(view, playable)
        return max(widths, key=lambda kind: (widths[kind], -_use(kind, view)))

    @staticmethod
    def _playable(
        rule: FoldRule, view: Seen, shantens: dict[int, int], value: float
    ) -> dict[int, int]:
        """The discards that the rule does not fold with a hand of this value, the least dangerous
        always among them. {kind: shanten after discarding it}, as `shantens`."""
        opponents = [rule.danger(view.unseen, safe, view.seats) for safe in view.safe]
        dangers = largest(opponents)
        least_danger = min(dangers[kind] for kind in shantens)
        nearest = min(shantens.values())
        return {
            kind: shanten
            for kind, shanten in shantens.items()
            if not folds(dangers[kind], least_danger, nearest, value, rule.dangerous)
        }

    def calls(self, before: Seen, after: Holding) -> bool:
        """Whether to call a tile: the call lowers the shanten and a yaku is in sight. `before` is
        what is known before the call, `after` the hand after it and before its discard."""
        shanten = shanten_of(list(before.holding.held), before.seats)
        if shanten > CALL_AT_MOST and after.called[-1][0] not in after.yakuhai:
            return False
        shanten_after = shanten_of(list(after.held), before.seats)
        han_needed = 0.5
        if shanten_after <= 0:
            han_needed = 1.0
        return shanten_after < shanten and yaku(after) >= han_needed

    def takes_north(self, view: Seen) -> bool:
        """Whether to set a north aside (kita): the shanten without it is as low as after the best
        discard.

        >>> from rating.paifu.tiles import counts, parse
        >>> hand = Holding(counts(parse("19m19p19s1234567z5p")))
        >>> Policy(None).takes_north(Seen(hand, [2] * 34, seats=3))
        False
        """
        held = list(view.holding.held)
        kinds = [kind for kind, count in enumerate(held) if count]
        shantens = after_discards(held, kinds, view.seats)
        return shantens[NORTH] == min(shantens.values())


def _widths(view: Seen, shantens: dict[int, int]) -> dict[int, int]:
    """{kind: number of tiles accepted after it} for the discards with the least shanten in
    `shantens` ({kind: shanten after discarding it})."""
    held = list(view.holding.held)
    nearest = min(shantens.values())
    widths = {}
    for kind, shanten in shantens.items():
        if shanten == nearest:
            held[kind] -= 1
            accepted = acceptance(held, view.seats).kinds
            held[kind] += 1
            widths[kind] = sum(view.unseen[other] for other in accepted)
    return widths


def _use(kind: int, view: Seen) -> float:
    """How useful a kind is where the accepted tiles are equal; the least useful is discarded."""
    if kind in view.holding.dora:
        return 5.0
    if kind in view.holding.yakuhai:
        if view.unseen[kind] > 1:
            return 0.6
        return 0.1
    if kind >= EAST:
        return 0.0
    if kind in TERMINALS_AND_HONOURS:
        return 0.3
    return 1.0 + 0.2 * min(kind % 9, 8 - kind % 9)


def load() -> Any:
    """The module riichienv. Raises PaifuError when it is not installed."""
    try:
        import riichienv
    except ImportError:
        raise PaifuError("duplicate matches need riichienv: pip install riichienv") from None
    return riichienv


class PlayedMatch(NamedTuple):
    """A finished game: mjai's events (https://github.com/gimite/mjai), and final points by seat."""

    events: list[dict[str, Any]]
    points: list[int]


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

    def play(self) -> PlayedMatch:
        """Play the game to its end."""
        observations = self.env.reset()
        while not self.env.done():
            self.watch()
            actions = {}
            for seat, observation in observations.items():
                actions[seat] = self.act(seat, observation)
            observations = self.env.step(actions)
        return PlayedMatch(self.env.mjai_log, list(self.env.scores()))

    def watch(self) -> None:
        """Update what is safe against each seat: its own discards and, after its riichi, those of
        all seats.
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

    def act(self, seat: int, observation: Any) -> Any:
        """A legal action: a win, kita, riichi, else what the policy discards or calls, else a
        pass.
        """
        by_type: dict[Any, list[Any]] = {}
        for action in observation.legal_actions():
            by_type.setdefault(action.action_type, []).append(action)
        types = self.types
        for action_type in (types.RON, types.TSUMO, types.KITA, types.RIICHI):
            if action_type not in by_type:
                continue
            if action_type == types.KITA and not self._takes_north(seat, observation):
                continue
            return by_type[action_type][0]
        if types.DISCARD in by_type:
            return self.discard(seat, observation, by_type[types.DISCARD])
        pons = by_type.get(types.PON, [])
        chis = by_type.get(types.CHI, [])
        call = self._call(seat, observation, pons + chis)
        if call is not None:
            return call
        return by_type.get(types.PASS, next(iter(by_type.values())))[0]

    def _takes_north(self, seat: int, observation: Any) -> bool:
        return self.policies[seat].takes_north(self.view(seat, observation))

    def _call(self, seat: int, observation: Any, calls: Sequence[Any]) -> Any | None:
        """The first of these calls that the policy makes."""
        view = self.view(seat, observation)
        for call in calls:
            if self.policies[seat].calls(view, self.after_call(view.holding, call)):
                return call
        return None

    def discard(self, seat: int, observation: Any, actions: Sequence[Any]) -> Any:
        """Return the discard the policy chooses; a plain five goes before the red one."""
        if len(actions) == 1:
            return actions[0]
        plain_first = sorted(actions, key=lambda action: action.tile in RED_FIVES)
        kinds = list(dict.fromkeys(action.tile // 4 for action in plain_first))
        kind = kinds[0]
        if len(kinds) > 1:
            kind = self.policies[seat].discard(self.view(seat, observation), kinds)
        return next(action for action in plain_first if action.tile // 4 == kind)

    def view(self, seat: int, observation: Any) -> Seen:
        """What the seat knows by its observation."""
        opponents = [other for other in range(self.seats) if other != seat]
        return Seen(
            holding=self.holding(seat, observation),
            unseen=self.unseen(observation),
            safe=[self.safe[other] for other in opponents if observation.riichi_declared[other]],
            seats=self.seats,
        )

    def holding(self, seat: int, observation: Any) -> Holding:
        """The hand and the calls of the seat, from its own observation."""
        first_round_of_wind = observation.round_wind * 4
        melds = observation.melds[seat]
        tiles = list(observation.hand)
        for meld in melds:
            tiles.extend(meld.tiles)
        return Holding(
            held=counts(observation.hand),
            called=tuple(tuple(tile // 4 for tile in meld.tiles) for meld in melds),
            open=any(meld.opened for meld in melds),
            red=sum(tile in RED_FIVES for tile in tiles),
            dora=tuple(dora_of(tile, self.seats) for tile in observation.dora_indicators),
            yakuhai=yakuhai_of(
                seat=seat,
                dealer=observation.oya,
                number=first_round_of_wind,
                seats=self.seats,
            ),
            dealer=seat == observation.oya,
        )

    def unseen(self, observation: Any) -> Sequence[int]:
        """The copies of each kind (34) that the observing seat can't see."""
        visible = {*observation.hand, *observation.dora_indicators}
        visible.update(*observation.discards)
        for melds in observation.melds:
            for meld in melds:
                visible.update(meld.tiles)
        if self.seats == 3:
            visible.update(*self.env.kita_tiles)
        return present([4 - count for count in counts(visible)], self.seats)

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
