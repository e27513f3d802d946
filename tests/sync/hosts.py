"""A host of several leagues: log folders, fakes of LINE and Tenhou, `flask sync` as a
process.
"""

import json
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from bot.demo_chat import DEMO_USERS
from storage.folder import FolderLogs
from storage.schema import METADATA
from storage.state import open_state
from tests.fakes.line import fake_line
from tests.fakes.platform import Platform
from tests.fakes.process import ROOT, clean_env
from tests.fakes.tenhou import FakeTenhou
from tests.sync.worlds import NAMES, Played, held, play

FIRST = date(2020, 5, 16)
DAYS = 2
LEAGUE = """\
rooms = ["{room}"]
digest = true
[[season]]
log = "logvol1.txt"
start = 2020-01-01
"""
Json = dict[str, Any]


class Host:
    """Leagues, each with a folder of its name, a room, a group in LINE and some games at Tenhou."""

    def __init__(
        self,
        folder: Path,
        leagues: Sequence[str],
        tenhou: FakeTenhou,
        line: Platform,
        env: dict[str, str],
    ) -> None:
        self.home = folder / "logs"
        self.tenhou = tenhou
        self.line = line
        stores = {"LOGS_URL": f"file:{self.home}", "IMAGES_URL": f"file:{folder / 'images'}"}
        urls = {"PUBLIC_URL": "https://janroku.example", "TENHOU_URL": tenhou.url}
        self.env = env | stores | urls | {"LEAGUE_CHATS": ""}
        self.state = open_state(env["DATABASE_URL"])
        self.rooms = {league: f"C{number:04}" for number, league in enumerate(leagues)}
        self.groups = {league: self._found(league) for league in leagues}
        self.games: dict[str, list[Played]] = {league: [] for league in leagues}
        self._rng = random.Random(7)
        for number in range(DAYS):
            self.play(FIRST + timedelta(days=number), leagues)

    def _found(self, league: str) -> str:
        (self.home / league).mkdir(parents=True)
        self.write(league, "league.toml", LEAGUE.format(room=self.rooms[league]))
        group = self.line.add_group(league, [user.id for user in DEMO_USERS])
        self.state.chats.enrol(group, league)
        return group

    def play(self, day: date, leagues: Sequence[str]) -> None:
        """Play three games of each of these leagues that day, at Tenhou."""
        lines = []
        for league in leagues:
            room = self.rooms[league]
            played = [play(self._rng, day, room, NAMES[:-1]) for _ in range(3)]
            self.games[league] += played
            lines += [game.line for game in played]
        self.tenhou.put(day, sorted(lines, key=lambda line: line[8:13]))

    def write(self, league: str, name: str, text: str) -> None:
        (self.home / league / name).write_text(text, "utf-8")

    def begin_sync(self) -> subprocess.Popen[str]:
        command = [str(Path(sys.executable).with_name("flask")), "sync", "--json"]
        pipe = subprocess.PIPE
        env = clean_env(**self.env)
        return subprocess.Popen(
            command,
            cwd=ROOT,
            env=env,
            stdout=pipe,
            stderr=pipe,
            text=True,
        )

    def sync(
        self,
        process: subprocess.Popen[str] | None = None,
    ) -> tuple[int, Json]:
        """Run a sync, or wait for the one given; its exit status and JSON.

        It skips Tenhou's 20 minutes.
        """
        if process is None:
            self.state.values.delete("tenhou/round")
            self.tenhou.clock.forward(hours=1)
            process = self.begin_sync()
        out, err = process.communicate(timeout=90)
        assert process.returncode in (0, 1), err
        assert "Traceback" not in err, err
        told: Json = json.loads(out)
        return process.returncode, told

    def complete(self, league: str) -> bool:
        """Whether the season log has all of the league's games, each once."""
        got = held(FolderLogs(self.home / league), "logvol1.txt")
        if set(got.values()) != {1}:
            return False
        return len(got) == len(self.games[league])

    def drawn(self, league: str) -> bool:
        return (self.home / league / "charts" / "rating.png").exists()

    def digests(self, league: str) -> int:
        messages = self.line.messages(self.groups[league])
        texts = [message.get("text", "") for message in messages]
        return sum("の結果" in text for text in texts)


@contextmanager
def host(
    folder: Path,
    leagues: Sequence[str],
    database: str,
    **env: str,
) -> Iterator[Host]:
    """A host on a database that is emptied first."""
    with closing(open_state(database)) as state:
        for table in METADATA.sorted_tables:
            state.database.write(table.delete())
    with ExitStack() as stack:
        tenhou = stack.enter_context(FakeTenhou())
        line, channel = stack.enter_context(fake_line("http://127.0.0.1:9/callback"))
        made = Host(folder, leagues, tenhou, line, {**channel, "DATABASE_URL": database, **env})
        stack.callback(made.state.close)
        yield made
