"""The replayable world: promises hold, a seed is played again step by step, planted defects are
found.
"""

import secrets

import pytest

from tests.world.__main__ import main
from tests.world.clockwork import Clockwork, Gate, Killed, Process
from tests.world.defects.plant import DEFECTS
from tests.world.defects.search import found, planted
from tests.world.play import Ended, play

QUICK = (
    "done before sent",
    "another token",
    "second try without again",
    "taken without remembering",
    "own clock counts",
    "one of two taps on a list lost",
)
"""Defects that are found soon; `python -m tests.world.defects` plants them all."""


@pytest.mark.parametrize("seed", ["fixed-1", "fresh", "evening-fresh", "own-fresh"])
def test_every_promise_is_kept(seed: str) -> None:
    if seed.endswith("fresh"):
        seed += f"-{secrets.token_hex(4)}"
    ended = play(seed)
    assert ended.violation is None, (
        f"{ended.violation}; again: python -m tests.world {seed} --trace"
    )


def test_every_defect_can_be_planted_where_the_code_is_now() -> None:
    assert len(DEFECTS) >= 20
    for name, made in DEFECTS.items():
        assert made.__doc__, "it says what is wrong"
        with planted(name):
            pass


def test_a_seed_is_played_again_step_by_step() -> None:
    one = play("three", rounds=1)
    two = play("three", rounds=1)
    assert told(one) == told(two) != told(play("one", rounds=1))


def told(ended: Ended) -> list[str]:
    """The trace as it is printed, with every value."""
    lines = []
    for *place, words in ended.trace:
        lines.append(" ".join(map(str, (*place, *words))))
    return lines


@pytest.mark.parametrize("name", QUICK)
def test_a_planted_defect_is_found(name: str) -> None:
    steps, ended = found(name, 6)
    assert ended is not None, f"not found in {steps} steps"


def test_a_violation_is_told_with_how_to_play_it_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with planted("second try without again"):
        assert main(["told", "--rounds", "1"]) == 1
        shown = capsys.readouterr().out
        again = shown[shown.index("again: python -m tests.world ") :].split()[4:]
        assert "answered twice" in shown
        assert main(again) == 1
        assert "VIOLATION answered twice" in capsys.readouterr().out


def test_what_a_crashed_process_still_does_has_no_effect() -> None:
    clock = Clockwork("crash")
    done: list[str] = []
    process = Process("one")
    lock = Gate(clock)

    def work() -> None:
        with lock:
            try:
                clock.wait(1)
                done.append("after the crash")
            except Exception:
                done.append("an error that could be caught")
            finally:
                done.append("unwound")
                with pytest.raises(Killed):
                    clock.wait(1)

    clock.begin(process, "work", work)
    clock.begin(clock.outside, "end", clock.crash, process, after=0.5)
    while clock.step():
        pass
    assert done == ["unwound"]
    assert not clock.faults
    assert not clock.tasks
