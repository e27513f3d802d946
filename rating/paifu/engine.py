"""Plays games between policies on the engine riichienv, which is installed only where duplicate games are
played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rating.paifu.policy import Policy, Seen
from rating.paifu.tiles import KINDS, RED_FIVES, PaifuError, counts, dora_of, present
from rating.paifu.worth import Holding, yakuhai_of


def load() -> Any:
    """The module riichienv. Raises PaifuError when it is not installed."""
    try:
        import riichienv
    except ImportError:
        raise PaifuError("duplicate matches need riichienv: pip install riichienv") from None
    return riichienv


class Match:
    """One game to the end of the south rounds between three or four policies, one a seat, on the walls that
    `seed` gives."""

    def __init__(self, policies: Sequence[Policy], seed: int) -> None:
        self.engine = load()
        self.types = self.engine.ActionType
        self.policies = policies
        self.seats = len(policies)
        self.env = self.engine.RiichiEnv(game_mode=f"{self.seats}p-red-half", seed=seed)
        self.forget()

    def forget(self) -> None:
        """Forget the rivers of the round before."""
        self.rivers = [0] * self.seats
        self.safe = [[False] * KINDS for _ in range(self.seats)]

    def play(self) -> tuple[list[dict[str, Any]], list[int]]:
        """Play the game; return (its events in mjai's format, https://github.com/gimite/mjai, final points by
        seat)."""
        waiting = self.env.reset()
        while not self.env.done():
            self.watch()
            waiting = self.env.step({seat: self.act(seat, seen) for seat, seen in waiting.items()})
        return self.env.mjai_log, list(self.env.scores())

    def watch(self) -> None:
        """Note what is safe against each seat: its own discards and, after its riichi, those of all seats."""
        rivers = self.env.discards
        if any(len(river) < known for river, known in zip(rivers, self.rivers, strict=True)):
            self.forget()
        riichi = self.env.riichi_declared
        for seat, river in enumerate(rivers):
            for tile in river[self.rivers[seat] :]:
                for other in range(self.seats):
                    if other == seat or riichi[other]:
                        self.safe[other][tile // 4] = True
            self.rivers[seat] = len(river)

    def act(self, seat: int, seen: Any) -> Any:
        """Return one of the legal actions: a win, kita, riichi, else what the policy discards or calls, else
        a pass."""
        by_type: dict[Any, list[Any]] = {}
        for action in seen.legal_actions():
            by_type.setdefault(action.action_type, []).append(action)
        for first in (self.types.RON, self.types.TSUMO):
            if first in by_type:
                return by_type[first][0]
        if self.types.KITA in by_type and self.policies[seat].takes_north(self.known(seat, seen)):
            return by_type[self.types.KITA][0]
        if self.types.RIICHI in by_type:
            return by_type[self.types.RIICHI][0]
        if self.types.DISCARD in by_type:
            return self.discard(seat, seen, by_type[self.types.DISCARD])
        known = self.known(seat, seen)
        for action in (*by_type.get(self.types.PON, ()), *by_type.get(self.types.CHI, ())):
            if self.policies[seat].calls(known, self.after_call(known.holding, action)):
                return action
        return by_type[self.types.PASS][0] if self.types.PASS in by_type else next(iter(by_type.values()))[0]

    def discard(self, seat: int, seen: Any, actions: Sequence[Any]) -> Any:
        """Return the discard the policy chooses; a plain five goes before the red one."""
        if len(actions) == 1:
            return actions[0]
        plain_first = sorted(actions, key=lambda action: action.tile in RED_FIVES)
        kinds = list(dict.fromkeys(action.tile // 4 for action in plain_first))
        kind = self.policies[seat].discard(self.known(seat, seen), kinds) if len(kinds) > 1 else kinds[0]
        return next(action for action in plain_first if action.tile // 4 == kind)

    def known(self, seat: int, seen: Any) -> Seen:
        """Return what the policy of a seat may know."""
        hand, melds = seen.hand, seen.melds
        shown = {*hand, *seen.dora_indicators}
        shown.update(*seen.discards, *(meld.tiles for calls in melds for meld in calls), *self.norths())
        own = [meld.tiles for meld in melds[seat]]
        holding = Holding(
            held=counts(hand),
            called=tuple(tuple(tile // 4 for tile in tiles) for tiles in own),
            open=any(meld.opened for meld in melds[seat]),
            red=len(RED_FIVES.intersection(hand)) + sum(tile in RED_FIVES for tiles in own for tile in tiles),
            dora=tuple(dora_of(tile, self.seats) for tile in seen.dora_indicators),
            yakuhai=yakuhai_of(seat, seen.oya, seen.round_wind * 4, self.seats),
            dealer=seat == seen.oya,
        )
        unseen = present([4 - count for count in counts(shown)], self.seats)
        riichi = seen.riichi_declared
        safe = [self.safe[other] for other in range(self.seats) if other != seat and riichi[other]]
        return Seen(holding, unseen, safe, self.seats)

    def norths(self) -> Sequence[Sequence[int]]:
        """The norths that each seat has taken out (kita): () with four seats."""
        return self.env.kita_tiles if self.seats == 3 else ()

    @staticmethod
    def after_call(holding: Holding, action: Any) -> Holding:
        """Return the hand after a chi or pon, before its discard."""
        held = list(holding.held)
        for tile in action.consume_tiles:
            held[tile // 4] -= 1
        call = tuple(tile // 4 for tile in (*action.consume_tiles, action.tile))
        red = holding.red + (action.tile in RED_FIVES)
        return holding._replace(held=held, called=(*holding.called, call), open=True, red=red)
