"""A change that one process hears of makes every process look again."""

from __future__ import annotations

from bot.league.repository import ChangeSignal
from storage.state import State


class Leagues:
    times = 0

    def expire_all(self) -> None:
        self.times += 1


def test_every_process_looks_again_once(state: State) -> None:
    one, other = Leagues(), Leagues()
    hearing = ChangeSignal(state, one)  # type: ignore[arg-type]
    listening = ChangeSignal(state, other)  # type: ignore[arg-type]
    listening.listen()
    assert other.times == 0
    hearing.announce()
    for _ in range(3):
        hearing.listen()
        listening.listen()
    assert (one.times, other.times) == (1, 1)
    hearing.announce()
    listening.listen()
    assert other.times == 2
