"""Tenhou's side: rooms play, days' files grow, and answers come late, cut off, as pages, or not at
all.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from datetime import date, datetime, timedelta
from functools import partial

from bot.tenhou.client import TenhouClient, TenhouUnreachable
from rating.logdates import JST
from tests.world.world import PLAYERS, ROOMS, World

GAP = 20 * 60.0  # seconds that Tenhou wants between two rounds
OTHER = "C9999"


class Tenhou:
    """What Tenhou offers. `lines` has every line by day, in order of start."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.lines: defaultdict[date, list[str]] = defaultdict(list)
        self._asked: list[tuple[float, TenhouPort]] = []
        self._scores: set[int] = set()

    def play(self, league: str, day: date, start: int) -> None:
        """Play a game that started so many minutes after midnight.

        No two games have the same scores.
        """
        chance = self.world.chance
        while (first := chance.randrange(101, 9_000)) in self._scores:
            pass
        self._scores.add(first)
        second = chance.randrange(-90, 90)
        scores = sorted(
            (first / 10, second / 10, -(first + second) / 10),
            reverse=True,
        )
        names = chance.sample(PLAYERS[league], 3)
        words = " ".join(f"{name}({score:+.1f})" for name, score in zip(names, scores, strict=True))
        line = f"{ROOMS[league]} | {start // 60:02d}:{start % 60:02d} | 三般南喰赤－ | {words}"
        self.lines[day] = sorted(
            [*self.lines[day], line],
            key=lambda one: one[8:13],
        )
        self.world.counts["games"] += 1

    def play_others(self, day: date) -> None:
        """Play a game in a room that is no league's."""
        self.lines[day].append(f"{OTHER} | 00:01 | 三般南喰赤－ | x(+1.0) y(0.0) z(-1.0)")

    def of(self, league: str) -> dict[str, date]:
        mark = f"{ROOMS[league]} |"
        return {
            line: day
            for day, lines in self.lines.items()
            for line in lines
            if line.startswith(mark)
        }

    def text(self, day: date) -> bytes:
        return "".join(f"{line}\r\n" for line in self.lines[day]).encode()

    def asked(self, port: TenhouPort, results: bool) -> None:
        """Note that a process sends a request just now. Two rounds of results less than twenty
        minutes apart are bad manners, and so are two connections at once: one that goes on after
        another has asked."""
        world = self.world
        name = self.world.process.name
        before = [one for _, one in self._asked]
        if port in before and before[-1] is not port:
            world.broken("manners", f"{name} goes on asking after another process has asked")
        rounds = [at for at, one in self._asked if one is not port and one.reads_days]
        if results and rounds and world.clock.now - rounds[-1] < GAP:
            world.broken(
                "manners", f"{name} asks {world.clock.now - rounds[-1]:.0f} s after the last round"
            )
        port.reads_days |= results
        self._asked.append((world.clock.now, port))

    def answer(self, path: str) -> bytes:
        if path.startswith("/sc/raw/list.cgi"):
            return self._index("?old" in path)
        day = datetime.strptime(path[-15:-7], "%Y%m%d").date()
        return gzip.compress(self.text(day), 1)

    def _index(self, old: bool) -> bytes:
        today = datetime.fromtimestamp(self.world.clock.now, JST).date()
        first = today - timedelta(days=7)
        if max(self.lines, default=first) <= first:  # somebody has always played
            self.play_others(today - timedelta(days=1))
        days = [day for day in sorted(self.lines) if (day < first) == old]
        entries = []
        for day in days:
            name = f"sca{day:%Y%m%d}.log.gz"
            if old:
                name = f"{day.year}/{name}"
            entries.append(f"{{file:'{name}',size:{len(self.text(day))}}}")
        return f"list([\r\n{','.join(entries)}]);\r\n".encode()


class TenhouPort(TenhouClient):
    """The real client; only its bytes come from the world instead of the network."""

    def __init__(self, tenhou: Tenhou) -> None:
        self._tenhou = tenhou
        self.reads_days = False  # whether it has asked for days' results

    def close(self) -> None:
        pass

    def _get(self, path: str, limit: int) -> bytes:
        world = self._tenhou.world
        self._tenhou.asked(self, results=True)
        answer = partial(self._tenhou.answer, path)
        data = world.call("tenhou", f"get {path}", answer, TenhouUnreachable, write=False)
        faults = world.faults
        if world.clock.now < faults.until and world.chance.random() < faults.garbled:
            world.trouble("garbled")
            world.clock.say("tenhou's answer is garbled")
            return world.chance.choice(
                (data[: len(data) // 2], data[:-9], b"<html>busy</html>", b"")
            )
        return data
