"""An evening with every fault at once, through the background loop of processes that are killed at every
step.

The room's answers have rows missing, doubled, reordered and cut; are pages, errors, time-outs, or of another
form. Each look is made by another process, in a service as it is deployed; every few of them one is killed
before its step 1, 2, 3 … The next morning the day's files come, by `flask sync`.
"""

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from bot.league.backup import names_in
from storage.state import open_state
from storage.stores import open_logs
from tests.fakes.tenhou import FakeTenhou
from tests.fakes.tenhou_room import FakeRoom
from tests.sync import evenings
from tests.sync.child import PATIENCE

ROOT = Path(__file__).parents[2]
BEGIN, MORNING = datetime(2026, 8, 10, 19, 50), datetime(2026, 8, 11, 9, 0)
MOST_TRIES = (
    15  # looks that are over before the step at which they should be killed, before it is the first again
)
KILLED = ("fetched twice", "was asked for again after")
"""What a process that is killed between a record's coming and its being noted does at most: it asks once
more."""


def twisted(kind: str, rng: random.Random, body: bytes) -> bytes:
    if kind == "late":
        time.sleep(2 * PATIENCE)
        return body
    if kind == "another form":
        return body.replace(b"&un=", b"&u%=").replace(b"#START", b"#BEGIN")
    return evenings.twisted(kind, rng, body)


TWISTS = (*evenings.TWISTS, "late", "another form")


class Processes:
    """Another process that forks one child for each look, so that a look can be killed."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.sync.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            text=True,
        )

    def all(self, **order: Any) -> list[str]:
        self._server.stdin.write(json.dumps(order) + "\n")
        self._server.stdin.flush()
        return json.loads(self._server.stdout.readline())

    def __call__(self, **order: Any) -> str:
        (status,) = self.all(**{"at": [0], **order})
        return status

    def close(self) -> None:
        self._server.stdin.close()
        self._server.wait(30)
        self._server.stdout.close()


@dataclass
class KilledEvening:
    """The evening's figures. `wrong` has what is not as it should be; it is empty."""

    games: int = 3
    looks: int = 0
    killed: int = 0
    steps: int = 0
    twisted: Counter[str] = field(default_factory=Counter)
    requests: int = 0
    records: int = 0
    again: int = 0
    wrong: list[str] = field(default_factory=list)


def play(
    home: Path, env: dict[str, str], seed: int, games: int, tables: int, step: int = 1, minutes: int = 1
) -> KilledEvening:
    """Play an evening in a folder; `env` names the database, and may name where the logs and pictures are.

    A process looks every so many `minutes`. Each one that is killed dies `step` steps later than the one
    before.
    """
    rng, told, processes = random.Random(seed), KilledEvening(games), Processes()
    try:
        with FakeTenhou() as tenhou:
            tenhou.put(evenings.DAY, [])
            room = tenhou.open_room(evenings.ROOM_ID)
            evenings.evening(room, rng, games, tables)
            league = _league(home, tenhou, env)
            look = partial(processes, loop=league, log=str(home / "service.log"))
            _Evening(tenhou, room, rng, told, step, look, minutes).play()
            _morning(home, tenhou, room, league, told)
            known = [rude for rude in tenhou.judge.rudeness if any(w in rude for w in KILLED)]
            told.again, told.requests, told.records = len(known), len(room.asked), len(set(room.fetched))
            told.wrong += [rude for rude in tenhou.judge.rudeness if rude not in known]
            tenhou.judge.rudeness.clear()
    finally:
        processes.close()
    return told


@dataclass
class _Evening:
    """The looks of an evening, and of the night after it. `look` has a process look once."""

    tenhou: FakeTenhou
    room: FakeRoom
    rng: random.Random
    told: KilledEvening
    step: int
    look: Callable[..., str]
    minutes: int = 1  # between two looks
    at: int = 1  # the step before which the next process is killed
    tries: int = 0  # looks that were over before it

    def play(self) -> None:
        end = max(game.end for game in self.room.plays) + timedelta(minutes=30)
        moment = BEGIN
        while moment < MORNING:
            self.tenhou.clock.time = evenings.utc(moment)
            busy = moment < end
            self.room.twist = self._twisted if busy else lambda body: body
            fails = busy and self.rng.random() < 0.1
            self.room.status[:] = [self.rng.choice([500, 503, 404, 403, 302])] if fails else []
            self._look(kill=busy and self.told.looks % 3 > 0)
            self.told.twisted["status"] += fails and not self.room.status
            moment += timedelta(minutes=self.minutes if busy else 40)

    def _twisted(self, body: bytes) -> bytes:
        if self.rng.random() < 0.5:
            return body
        kind = self.rng.choice(TWISTS)
        self.told.twisted[kind] += 1
        return twisted(kind, self.rng, body)

    def _look(self, kill: bool) -> None:
        now = self.tenhou.clock().isoformat()
        status = self.look(now=now, at=[self.at if kill else 0])
        self.told.looks += 1
        if status == "killed":
            self.told.killed += 1
            self.told.steps = max(self.told.steps, self.at)
            self.at, self.tries = self.at + self.step, 0
        elif status != "done":
            self.told.wrong.append(f"a look at {now} ended with {status}")
        elif kill:
            self.tries += 1
            if self.tries > MOST_TRIES:
                self.at, self.tries = 1, 0


def kill_before_each(
    home: Path, env: Callable[[Path], dict[str, str]], every: int = 1
) -> tuple[int, list[str]]:
    """Kill a look that hears of two games and their records before its first step, its second and so on, each
    in a world of its own; others go on. Return the number of its steps, and what is wrong. `env` gives a
    folder's variables."""
    processes, wrong, step, status = Processes(), list[str](), 1, "killed"
    try:
        while status == "killed":
            world = home / str(step)
            world.mkdir()
            told = KilledEvening()
            status = _one_killed(world, env(world), step, told, processes)
            wrong += [f"killed before step {step}: {one}" for one in told.wrong]
            step += every
    finally:
        processes.close()
    return step - every, wrong


def _one_killed(home: Path, env: dict[str, str], step: int, told: KilledEvening, processes: Processes) -> str:
    """Play three games; the first is in the log when the look begins that is killed."""
    with FakeTenhou() as tenhou:
        tenhou.put(evenings.DAY, [])
        room = tenhou.open_room(evenings.ROOM_ID)
        begin = BEGIN + timedelta(minutes=11)
        for number in range(3):
            start = begin + timedelta(minutes=30 * number)
            room.play(start, start + timedelta(minutes=25), evenings.NAMES[:3], (number, 7, -7 - number))
        league = _league(home, tenhou, env)
        look = partial(processes, loop=league, log=str(home / "service.log"))
        statuses = []
        for minute, kill in ((10, 0), (31, 0), (90, step), (92, 0), (100, 0), (111, 0)):
            tenhou.clock.time = evenings.utc(begin + timedelta(minutes=minute))
            statuses.append(look(now=tenhou.clock().isoformat(), at=[kill]))
        if set(statuses[3:]) != {"done"}:
            told.wrong.append(f"the looks ended with {statuses}")
        _morning(home, tenhou, room, league, told)
        told.wrong += [rude for rude in tenhou.judge.rudeness if not any(words in rude for words in KILLED)]
        tenhou.judge.rudeness.clear()
    return statuses[2]


def _league(home: Path, tenhou: FakeTenhou, env: dict[str, str]) -> dict[str, str]:
    logs = env.get("LOGS_URL", f"file:{home / 'league'}")
    if logs.startswith("file:"):
        Path(logs.removeprefix("file:")).mkdir()
    with closing(open_state(env["DATABASE_URL"])) as state:
        source = open_logs(logs, env, database=state.database)
        source.write("league.toml", evenings.TOML.encode(), None)
        source.write("logvol1.txt", evenings.HAND.encode(), None)
    return {
        "LOGS_URL": logs,
        "IMAGES_URL": f"file:{home / 'images'}",
        "PUBLIC_URL": "https://janroku.example",
        "TENHOU_URL": tenhou.url,
        "TENHOU_ROOM_ID": evenings.ROOM_ID,
        **env,
    }


def _morning(
    home: Path, tenhou: FakeTenhou, room: FakeRoom, env: dict[str, str], told: KilledEvening
) -> None:
    """Have the day's files come, and look at everything that is left."""
    evenings.files(tenhou, room.plays)
    tenhou.clock.time = evenings.utc(MORNING)
    with closing(open_state(env["DATABASE_URL"])) as state:
        logs = open_logs(env["LOGS_URL"], env, database=state.database)
        sync = evenings.Sync(tenhou, logs, state)
        for _ in range(3):
            sync()
            tenhou.clock.forward(minutes=21)
        texts = [logs.read(name).data.decode("utf-8", "replace") for name in names_in(logs)]
        if any(evenings.SECRET in text for text in (evenings.everything(state), *texts)):
            told.wrong.append("the secret is in the database or in the folder")
        if evenings.held(sync.log) != evenings.expected(room.plays):
            told.wrong.append(f"the log differs:\n{sync.log.decode()}")
        if not sync.log.startswith(evenings.HAND.rstrip().encode()):
            told.wrong.append("what a hand wrote is not as it was")
        if evenings.records(logs) != sorted(game.id for game in room.plays):
            told.wrong.append(f"records: {evenings.records(logs)}")
        for path in home.rglob("*"):
            if path.is_file() and evenings.SECRET.encode() in path.read_bytes():
                told.wrong.append(f"the secret is in {path}")
