"""The owners' side: hands write comments, games and corrections into season logs, and spoil and
mend files.

A book knows what every line of a log is, and looks at each write: a service may add Tenhou's lines
and dates, and nothing else. Lines are compared as text; no code of the merging is used.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from datetime import date, datetime
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from bot.league.paifu_log import entry_of, keep_paifu
from rating.logdates import JST
from rating.paifu.formats import parse
from storage.ports import Conflict
from tests.rating.paifu.records import NAMES, made
from tests.world.stores import FolderInMemory
from tests.world.world import PLAYERS, ROOMS, World

if TYPE_CHECKING:
    from tests.world.tenhou import Tenhou

LOG = "logvol1.txt"
TOML = """\
name = "{name}"
rooms = ["{room}"]
digest = true

[[season]]
name = "第1期"
log = "logvol1.txt"
start = 2026-01-01
"""
DATE = re.compile(r"[0-9]{8}|")
"""A line that is a date, in the form the service writes into a log without any, or nothing."""
GOOD = re.compile(r"history/.+/good\.")
SPOILT = b"\xff\xfe\x00\x80\x81\xfd\xfe" * 9
"""Bytes that are no text in any encoding that is read."""


class LogBook:
    """A league's season log and league.toml as their owner sees them.

    `hand` are the lines a hand has written, `gone` Tenhou's lines that a hand took out or
    corrected. `counts` has the number of games in the log since each time (epoch seconds), the
    newest last.
    """

    def __init__(self, world: World, league: str, tenhou: Tenhou) -> None:
        self.world = world
        self.league = league
        self.tenhou = tenhou
        self.folder: FolderInMemory = world.folder(league)
        self.hand: list[str] = []
        self.gone: set[str] = set()
        self.spoilt: bytes | None = None  # the text before somebody spoilt the log
        self.bad = b""  # what stands in its place
        self.harmed = 0.0  # when a file was spoilt last, or put right
        self.came: dict[date, float] = {}  # when the first of a day's games was added
        self.counts: list[tuple[float, int]] = [(world.clock.now, 0)]
        self.toml = TOML.format(name=f"リーグ{league}", room=ROOMS[league]).encode()
        self.folder.put("league.toml", self.toml)
        data = record_of(league)
        entry = entry_of(parse(data))
        now = datetime.fromtimestamp(world.clock.now, JST)
        keep_paifu(self.folder, data, entry, now)
        self.record = entry.file  # the file of the league's one paifu
        self.folder.seen = self.look
        world.books[league] = self

    @property
    def data(self) -> bytes:
        file = self.folder.files.get(LOG)
        return file.data if file else b""

    def games(self, data: bytes) -> list[str]:
        mark = f"{ROOMS[self.league]} |"
        return [
            line for line in data.decode("utf-8", "replace").splitlines() if line.startswith(mark)
        ]

    def look(
        self,
        who: str,
        name: str,
        before: bytes | None,
        after: bytes,
    ) -> None:
        """Look at a write: what a service wrote must be the old lines, in order, and Tenhou's lines
        among them.

        What it replaces must be kept by then, and what it keeps as the last good version must be
        one.
        """
        if GOOD.match(name) and not _is_good(name, after):
            self.world.broken(
                "last good", f"{self.league}/{name}: what cannot be used is kept as good"
            )
        if name != LOG:
            return
        kept = [
            file.data
            for other, file in self.folder.files.items()
            if other.startswith(f"history/{LOG}/")
        ]
        if who == "service" and before is not None and before not in kept:
            self.world.broken(
                "version lost", f"{self.league}/{name}: what a service replaced is not kept"
            )
        self.counts.append((self.world.clock.now, len(self.games(after))))
        if who == "hand":
            return
        old = (before or b"").decode("utf-8", "replace").splitlines()
        new = after.decode("utf-8", "replace").splitlines()
        left = iter(new)
        if not all(line in left for line in old):
            self.world.broken(
                "hand line touched", f"{self.league}/{name}: an old line is gone or moved"
            )
        offered = self.tenhou.of(self.league)
        games = Counter(self.games(after))
        for line in (Counter(new) - Counter(old)).elements():
            if line in offered:
                self.came.setdefault(offered[line], self.world.clock.now)
            if line in self.gone:
                self.world.broken("game again", f"{self.league}: a hand took it out: {line}")
            elif games[line] > 1:
                self.world.broken("game doubled", f"{self.league}: {line}")
            elif line not in offered and not DATE.fullmatch(line):
                self.world.broken("half a line", f"{self.league}: {line!r}")

    def edit(self, quiet: bool) -> None:
        """Have the owner edit the log, at the revision that was read and again if it is another by
        then.

        `quiet` says that no sync is under way: only then games are taken out.
        """
        world = self.world
        chance = self.world.chance
        kinds = ["comment", "game", "correct", "spoil", "toml"]
        if quiet:
            kinds.append("remove")
        what = chance.choice(kinds)
        if what == "toml":
            world.clock.begin(world.clock.outside, "owner", self._half_save_toml)
            return
        if what == "spoil":
            world.clock.begin(world.clock.outside, "owner", self._spoil)
            return
        for _ in range(5):
            file = self.folder.files.get(LOG)
            if self.spoilt is not None:
                return
            lines = (file.data if file else b"").decode().splitlines()
            changed, took, put = self._changed(what, lines)
            if not quiet:
                world.clock.wait(chance.uniform(0, 0.5))
            try:
                data = "".join(f"{line}\n" for line in changed).encode()
                self.folder.seen = lambda *_: None
                self.folder.write(LOG, data, file.rev if file else None)
            except Conflict:
                continue
            finally:
                self.folder.seen = self.look
            self.gone |= took
            self.hand += put
            self.counts.append((world.clock.now, len(self.games(data))))
            world.clock.say(f"hand: {what} in {self.league}", *took, *put)
            world.counts[f"hand {what}"] += 1
            return

    def _changed(
        self,
        what: str,
        lines: list[str],
    ) -> tuple[list[str], set[str], list[str]]:
        """The lines after an edit, Tenhou's lines that it takes out, and the lines of the hand's
        own.
        """
        chance = self.world.chance
        offered = self.tenhou.of(self.league)
        theirs = [n for n, line in enumerate(lines) if line in offered and line not in self.hand]
        if what == "remove":
            merged = self.merged()
            last = len(self.games("\n".join(lines).encode())) == 1
            theirs = [n for n in theirs if lines[n] in merged and not last]
        number = len(self.hand)
        if what in ("correct", "remove") and theirs:
            at = chance.choice(theirs)
            line = lines[at]
            if what == "remove":
                return [*lines[:at], *lines[at + 1 :]], {line}, []
            fresh = re.sub(
                r"－ \| (\S+?)(\(\S+\)) (\S+?)(\(\S+\))", r"－ | \3\2 \1\4", line
            )  # two names change places
            return (
                [
                    *lines[:at],
                    fresh,
                    *lines[at + 1 :],
                ],
                {line},
                [fresh],
            )
        if what == "game":
            day = datetime.fromtimestamp(self.world.clock.now, JST).date()
            a, b, c = PLAYERS[self.league][:3]
            start = f"03:{number % 60:02d}"
            scores = f"{a}(+{number + 1}.5) {b}(-0.5) {c}(-{number + 1}.0)"
            line = f"{ROOMS[self.league]} | {start} | 三般南喰赤－ | {scores}"
            return [*lines, f"{day:%Y%m%d}", line], set(), [line]
        at = chance.randrange(len(lines) + 1)
        line = f"手で書いた行 {number}"
        return (
            [
                *lines[:at],
                line,
                *lines[at:],
            ],
            set(),
            [line],
        )

    def merged(self) -> set[str]:
        results = self.world.state.results
        merged = set()
        for day in set(self.tenhou.of(self.league).values()):
            kept = results.get(self.league, day)
            if kept is not None:
                merged.update(raw.decode() for raw in kept.merged)
        return merged

    def _half_save_toml(self) -> None:
        """Save half of league.toml, and the whole of it a moment later, as some editors do."""
        self.folder.put(
            "league.toml",
            self.toml[: self.world.chance.randrange(len(self.toml))],
        )
        self.world.clock.say(f"hand: half of league.toml of {self.league}")
        self.world.clock.wait(self.world.chance.uniform(0.1, 8))
        self.folder.put("league.toml", self.toml)
        self.harmed = self.world.clock.now
        self.world.clock.say(f"hand: league.toml of {self.league} whole again")
        self.world.counts["hand toml"] += 1

    def _spoil(self) -> None:
        """Save the log so that it is no text or, where a good copy with a game is known, empty,
        until it is put right. Nothing may be written to it meanwhile."""
        file = self.folder.files.get(LOG)
        if file is None or self.spoilt is not None:
            return
        good = self.folder.files.get(f"history/{LOG}/good.txt")
        bad = SPOILT
        if good and self.games(good.data):
            bad = self.world.chance.choice((SPOILT, b""))
        self.spoilt = file.data
        self.bad = bad
        self.folder.put(LOG, bad)
        self.world.clock.say(f"hand: {'spoils' if bad else 'empties'} the log of {self.league}")
        self.world.counts["hand spoil" if bad else "hand empty"] += 1
        if self.world.chance.random() < 0.6:  # else it is noticed in the next round
            self.mend(self.world.chance.uniform(1, 30))

    def mend(self, after: float) -> None:
        """Put a spoilt log right after so many seconds."""
        self.world.clock.wait(after)
        if self.spoilt is None:
            return
        if self.data != self.bad:
            self.world.broken(
                "spoilt file written", f"{self.league}: a log that is spoilt was added to"
            )
        self.folder.put(LOG, self.spoilt)
        self.spoilt = None
        self.harmed = self.world.clock.now
        self.world.clock.say(f"hand: the log of {self.league} is whole again")

    def judge(self) -> None:
        """At the end each game of Tenhou's is there once, but those a hand took out; hands' lines
        once.
        """
        have = Counter(self.data.decode().splitlines())
        for line in self.tenhou.of(self.league):
            wanted = 0 if line in self.gone else 1
            if have[line] != wanted:
                more = "game again" if line in self.gone else "game doubled"
                name = "game lost" if have[line] < wanted else more
                self.world.broken(name, f"{self.league}: {line} is there {have[line]} times")
        for line in self.hand:
            if have[line] != 1 and line not in self.gone:
                self.world.broken(
                    "hand line touched", f"{self.league}: {line} is there {have[line]} times"
                )

    def shown(self, since: float, until: float) -> set[int]:
        """The numbers of games that an answer may show that looked at the log between these
        times.
        """
        begin = max(
            (n for n, (at, _) in enumerate(self.counts) if at <= since),
            default=0,
        )
        return {count for n, (at, count) in enumerate(self.counts) if n >= begin and at <= until}


def _is_good(name: str, data: bytes) -> bool:
    """Whether a text can be used: a log is one, and league.toml is written in TOML."""
    try:
        text = data.decode()
        if name.endswith(".toml"):
            tomllib.loads(text)
    except ValueError:
        return False
    return True


@cache
def record_of(league: str) -> bytes:
    """A paifu in which the league's players sit."""
    data = made(1).xml()
    for name, player in zip(NAMES, PLAYERS[league], strict=True):
        data = data.replace(quote(name).encode(), quote(player).encode())
    return data


def the_day(world: World) -> date:
    return datetime.fromtimestamp(world.clock.now, JST).date()
