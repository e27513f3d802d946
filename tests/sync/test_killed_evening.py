"""Looks at a league's room by killed processes of a deployed service; then the morning's `flask
sync`.
"""

import os
import random
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.league.backup import names_in
from storage.state import open_state
from tests.backend import Backend
from tests.fakes.tenhou import FakeTenhou
from tests.sync import evenings
from tests.sync.child import PATIENCE, Processes

BEGIN = datetime(2026, 8, 10, 19, 50)
MORNING = datetime(2026, 8, 11, 9, 0)
EVERY = 41  # of the steps of a look; `JANROKU_EVERY_STEP=1` kills before each
MOST_TRIES = 15  # looks that are over before the step at which they end; then it is the first again
KILLED = "fetched twice", "was asked for again after"
"""What a process killed between a record's coming and its being noted does at most: it asks once
more.
"""


class League:
    """A league with a room of its own, at which processes look."""

    def __init__(
        self, home: Path, backend: Backend, tenhou: FakeTenhou, processes: Processes
    ) -> None:
        self.home = home
        self.tenhou = tenhou
        self._processes = processes
        self.room = tenhou.open_room(evenings.ROOM_ID)
        self.database = backend.database(home)
        tenhou.put(evenings.DAY, [])
        home.mkdir(exist_ok=True)
        self.logs = backend.log_source(home)
        self.logs.write("league.toml", evenings.TOML.encode(), None)
        self.logs.write("logvol1.txt", evenings.HAND.encode(), None)
        self._env = {**backend.files(home), "DATABASE_URL": self.database, "TENHOU_URL": tenhou.url}
        self._env |= {"PUBLIC_URL": "https://janroku.example", "TENHOU_ROOM_ID": evenings.ROOM_ID}

    def look(self, moment: datetime, at: int = 0) -> str:
        """Have a process look once, which is killed before its step `at` (0: never)."""
        self.tenhou.clock.time = evenings.utc(moment)
        order = {"loop": self._env, "log": str(self.home / "service.log")}
        (status,) = self._processes.all(
            now=self.tenhou.clock().isoformat(),
            at=[at],
            **order,
        )
        assert status in ("done", "killed") if at else status == "done", (
            f"a look at {moment}: {status}"
        )
        return status

    def morning(self) -> int:
        """Have the day's files come: every game and record is there once, what a hand wrote is as
        it was, and no secret is found. Return how often Tenhou was asked for a record once more."""
        plays = self.room.plays
        evenings.files(self.tenhou, plays)
        self.tenhou.clock.time = evenings.utc(MORNING)
        with closing(open_state(self.database)) as state:
            sync = evenings.Sync(self.tenhou, self.logs, state)
            for _ in range(3):
                sync()
                self.tenhou.clock.forward(minutes=21)
            texts = [
                self.logs.read(name).data.decode("utf-8", "replace") for name in names_in(self.logs)
            ]
            assert not any(evenings.SECRET in text for text in (evenings.everything(state), *texts))
        for path in self.home.rglob("*"):
            assert not path.is_file() or evenings.SECRET.encode() not in path.read_bytes(), path
        assert evenings.held(sync.log) == evenings.expected(plays), sync.log.decode()
        assert sync.log.startswith(evenings.HAND.rstrip().encode())
        assert evenings.records(self.logs) == sorted(game.id for game in plays)
        judge = self.tenhou.judge
        again = [rude for rude in judge.rudeness if any(words in rude for words in KILLED)]
        judge.rudeness[:] = [rude for rude in judge.rudeness if rude not in again]
        return len(again)


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with closing(Processes()) as made:
        yield made


def twisted(rng: random.Random, body: bytes) -> bytes:
    kind = (
        rng.choice(
            (
                *evenings.TWISTS,
                "late",
                "another form",
            )
        )
        if rng.random() < 0.5
        else ""
    )
    if kind == "late":
        time.sleep(2 * PATIENCE)
    if kind == "another form":
        return body.replace(b"&un=", b"&u%=").replace(b"#START", b"#BEGIN")
    return evenings.twisted(kind, rng, body)


def test_the_next_morning(
    tmp_path: Path, backend: Backend, tenhou: FakeTenhou, processes: Processes
) -> None:
    """Answers have rows missing, doubled, reordered, cut; are pages, errors, time-outs, of another
    form. Of three processes two are killed, each some steps later than the one before."""
    rng = random.Random(3)
    moment = BEGIN
    looks = 0
    killed = 0
    at = 1
    tries = 0
    night = League(tmp_path, backend, tenhou, processes)
    played = evenings.evening(night.room, rng, games=4, tables=2)
    end = max(game.end for game in played) + timedelta(minutes=30)
    while moment < MORNING:
        busy = moment < end
        night.room.twist = (lambda body: twisted(rng, body)) if busy else lambda body: body
        fails = busy and rng.random() < 0.1
        night.room.status[:] = (
            [
                rng.choice(
                    [
                        500,
                        503,
                        404,
                        403,
                        302,
                    ]
                )
            ]
            if fails
            else []
        )
        kill = busy and looks % 3 > 0
        looks = looks + 1
        if night.look(moment, at if kill else 0) == "killed":
            killed = killed + 1
            at = at + 6
            tries = 0
        elif kill:
            at, tries = (at, tries + 1) if tries < MOST_TRIES else (1, 0)
        moment += timedelta(minutes=2 if busy else 120)
    assert night.morning() <= killed
    assert killed >= 3


def test_a_look_killed_before_any_step(
    tmp_path: Path, backend: Backend, processes: Processes
) -> None:
    """Of three games the first is in the log when the look begins that is killed; others go on."""
    for step in range(1, 999, int(os.environ.get("JANROKU_EVERY_STEP", EVERY))):
        with FakeTenhou() as tenhou:
            night = League(tmp_path / str(step), backend, tenhou, processes)
            for number in range(3):
                evenings.game(night.room, 1 + 30 * number, 25, number + 1)
            night.look(evenings.NIGHT + evenings.minutes(32))
            status = night.look(evenings.NIGHT + evenings.minutes(91), step)
            for minute in (93, 112):
                night.look(evenings.NIGHT + evenings.minutes(minute))
            night.morning()
        if status == "done":
            break
    assert step > 40
