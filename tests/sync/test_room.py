"""A room's own results by `flask sync`, against the stand-in that judges manners: every game once, in its place."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from rating.paifu.recordlog import read
from tests.backend import Backend
from tests.fakes.tenhou import FakeTenhou
from tests.fakes.tenhou_room import FakeRoom
from tests.sync.evenings import (
    DAY,
    HAND,
    ROOM,
    ROOM_ID,
    SECRET,
    TOML,
    League,
    evening,
    expected,
    files,
    held,
    league,
    utc,
)

NIGHT = datetime(2026, 8, 10, 20, 0)
A, B, C = "みどり", "白發中", "東風"


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two records there is a pause for politeness, which the stand-in's time does not know."""
    monkeypatch.setattr("bot.sync.paifu_collector.BETWEEN", 0.0)


@pytest.fixture
def room(tenhou: FakeTenhou) -> FakeRoom:
    tenhou.clock.time = utc(NIGHT)
    tenhou.put(DAY, [])
    return tenhou.open_room(ROOM_ID)


@pytest.fixture
def home(tmp_path: Path, tenhou: FakeTenhou, room: FakeRoom, backend: Backend) -> Iterator[League]:
    with league(tmp_path, tenhou, backend) as made:
        yield made


def sync(made: League, status: int | None = 0) -> dict[str, object]:
    result = made.run("sync", "--json")
    assert status is None or result.exit_code == status, (result.output, result.exception)
    assert SECRET not in result.output
    told: dict[str, object] = json.loads(result.stdout)
    return told


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


def test_a_game_is_there_minutes_after_its_result(home: League, room: FakeRoom, tenhou: FakeTenhou) -> None:
    game = room.play(NIGHT + minutes(1), NIGHT + minutes(31), (A, B, C), (-305, 0, 305), (-2, 0, 2))
    home.at(NIGHT + minutes(5))
    sync(home)
    assert game.line.encode() not in home.log
    assert room.fetched == []
    home.at(NIGHT + minutes(33))
    told = sync(home)
    assert told["added"] == {"logvol1.txt": 1}
    assert told["days"] == ["2026-08-10"]
    assert (
        home.log.decode()
        == f"{HAND.rstrip()}\n#8/10\n{ROOM} | 20:01 | 三般南喰赤祝 | {C}(+30.5,+2枚) {B}(0.0,0枚) {A}(-30.5,-2枚)\n\n"
    )
    assert home.records == [game.id]
    (entry,) = read((home.folder / "recordlog.txt").read_bytes())
    assert (entry.id, entry.day, set(entry.statistics.players)) == (game.id, DAY, {(A, 3), (B, 3), (C, 3)})
    assert room.since[0] <= NIGHT - timedelta(days=1) + minutes(5)


def test_an_evening_and_the_morning_after(home: League, room: FakeRoom, tenhou: FakeTenhou) -> None:
    """Thirty games, asked every three minutes of the evening: no game twice, no request too many."""
    rng = random.Random(4)
    played = evening(room, rng)
    last = max(game.end for game in played)
    moment = NIGHT - minutes(60)
    while moment < last + minutes(60):
        home.at(moment)
        sync(home)
        for game in played:
            if game.end + minutes(6) <= moment:
                assert game.line.encode() in home.log
        moment += minutes(3)
    assert held(home.log) == expected(played)
    assert home.records == sorted(game.id for game in played)
    morning(home, tenhou, room)
    hours = (last - NIGHT) / timedelta(hours=1)
    assert len(room.asked) <= 20 * hours + 3 * 2 + 2


def morning(home: League, tenhou: FakeTenhou, room: FakeRoom) -> None:
    """The day's files come: every game is there exactly once, in order, and every record that could be had."""
    files(tenhou, room.plays)
    home.at(datetime(2026, 8, 11, 9, 0))
    for _ in range(3):
        sync(home)
        tenhou.clock.forward(minutes=21)
    assert held(home.log) == expected(room.plays)
    assert home.log.startswith(HAND.rstrip().encode())
    lines = home.log.decode().splitlines()
    for game in room.plays:
        assert lines.count(game.line) == 1
    starts = [line[8:13] for line in lines[4:] if line.startswith(ROOM) and line[8:13] > "12"]
    assert starts == sorted(starts)


TWISTS = ("missing", "doubled", "reordered", "cut", "html", "empty", "talk", "garbled")


def twisted(kind: str, rng: random.Random, body: bytes) -> bytes:
    rows = body.splitlines(keepends=True)
    if kind == "missing":
        rows = [row for row in rows if rng.random() > 0.3]
    elif kind == "doubled":
        rows = [row for row in rows for _ in range(rng.randrange(1, 3))]
    elif kind == "reordered":
        rng.shuffle(rows)
    elif kind == "cut":
        return body[: rng.randrange(len(body) + 1)]
    elif kind == "html":
        return b"<!DOCTYPE html><html>" + ROOM_ID.encode()
    elif kind == "empty":
        return b"\r\n"
    elif kind == "talk":
        rows += [
            b'[2026/08/10 21:00:00] lobby=11017&cmd=<CHAT text="hello"/>\r\n',
            b"odd " + ROOM_ID.encode() + b"\r\n",
        ]
    elif kind == "garbled":
        rows = [row.replace(b"un=", b"u%=") if rng.random() < 0.2 else row for row in rows]
    return b"".join(rows)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_the_room_answers_the_morning_is_right(
    home: League, room: FakeRoom, tenhou: FakeTenhou, seed: int
) -> None:
    rng = random.Random(100 + seed)
    played = evening(room, rng)
    room.twist = lambda body: twisted(rng.choice(TWISTS), rng, body)
    moment = NIGHT
    while moment < max(game.end for game in played) + minutes(30):
        home.at(moment)
        if rng.random() < 0.1:
            room.status.append(rng.choice([500, 503, 404, 403, 302]))
        sync(home, None)
        moment += minutes(rng.choice([3, 7, 20]))
    room.twist = lambda body: body
    morning(home, tenhou, room)
    assert set(home.records) >= {game.id for game in played}
    assert len(read((home.folder / "recordlog.txt").read_bytes())) == len(played)
    for path in home.folder.rglob("*"):
        assert path.is_dir() or SECRET.encode() not in path.read_bytes()
