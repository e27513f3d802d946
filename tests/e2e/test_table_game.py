"""Games at a table through real processes: killed at every step of the writing, each stands in the
log once.
"""

import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bot.console.platform import Delivery
from bot.demo_chat import DEMO_USERS
from tests.answers.world import taps
from tests.backend import Backend
from tests.e2e.fleet import fleet
from tests.fakes.process import ROOT

pytestmark = pytest.mark.embedded_only(
    "the steps are those of a folder; workers: tests/e2e/test_queue.py"
)
KILLED = ROOT / "tests/fakes/killed"
STEPS = range(2, 14)  # before and after each write, up to the reply


def test_a_game_is_written_once_wherever_its_process_is_killed(
    tmp_path: Path, backend: Backend
) -> None:
    left = tmp_path / "left"
    left.mkdir()
    env = {"PYTHONPATH": f"{KILLED}{os.pathsep}{ROOT}", "KILLED_AT": str(left)}
    with fleet(tmp_path, backend.kind, concurrency=4, **env) as ships:
        line = ships.line
        numbers = range(len(ships.groups))

        def button(number: int) -> str:
            words = f"結果 みどり {52000 + 100 * number} 東風 31000 白發中 {22000 - 100 * number}"
            typed = line.say(ships.groups[number], DEMO_USERS[number].id, words)
            return taps(line.answers(typed))["記録する"]

        def press(number: int) -> Delivery:
            return line.tap(ships.groups[number], DEMO_USERS[number].id, buttons[number])

        buttons = list(map(button, numbers))
        for step in STEPS:
            (left / str(step)).touch()
        with ThreadPoolExecutor(len(numbers)) as pool:
            pressed = list(pool.map(press, numbers))
        assert ships.settled(pressed, 50) == []
        again = [line.redeliver(tap) for tap in pressed if tap.status != 200]  # as LINE does
        assert ships.settled(again, 50) == []
        assert not list(left.iterdir())
        files = [ships.logs.read(name) for name in ships.logs.revisions()]
        logs = [file.data.decode() for file in files]
        games = Counter(
            line for text in logs for line in text.splitlines() if line.startswith("卓 |")
        )
        assert sorted(games.values()) == [1] * len(numbers)
