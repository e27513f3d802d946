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
from tests.world.world import World

QUICK = (
    "done before sent",
    "another token",
    "second try without again",
    "taken without remembering",
    "own clock counts",
    "one of two taps on a list lost",
)
"""Defects that are found soon; `python -m tests.world.defects` plants them all."""


# Six seconds each: an episode of five rounds.
@pytest.mark.parametrize("kind", ["fresh", "evening-fresh", "own-fresh"])
def test_every_promise_is_kept(kind: str) -> None:
    seed = f"{kind}-{secrets.token_hex(4)}"
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


# Ten seconds: two episodes.
def test_a_seed_is_played_again_step_by_step() -> None:
    first = play("fixed-1")
    second = play("fixed-1")
    assert trace_lines(first) == trace_lines(second)
    assert first.violation is None


def test_another_seed_gives_other_chances() -> None:
    assert World("one").chance.random() != World("three").chance.random()


def trace_lines(ended: Ended) -> list[str]:
    """The trace as it is printed, with every value."""
    lines = []
    for *place, words in ended.trace:
        lines.append(" ".join(map(str, (*place, *words))))
    return lines


# Up to six seconds: episodes are played until one finds the defect.
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
