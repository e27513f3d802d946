"""Whole leagues are listed, renamed and removed, and a member is forgotten, in files with a former
version.
"""

import gzip
import json
import tomllib
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from bot.answers.catalogue import FEATURES
from bot.league.files import read_version, versions
from bot.league.forgetting import _rename_record, _renamed_texts
from bot.league.repository import LeagueRegistry
from bot.league.snapshot import read_league
from rating.logdates import JST
from storage.backup_rows import kept_rows
from storage.folder import FolderLogs
from storage.state import State, open_state
from tests.answers.world import LEAGUE, LOG
from tests.cli.running import commands
from tests.league.test_killed import run as run_killed

NOW = datetime(2026, 5, 4, 21, 0, tzinfo=JST)
TOML = f"""{LEAGUE}aliases = ["緑一色の人"]
[team."東家"]
members = ["みどり一色", "白發中"]  # 先鋒はみどり
""".replace(
    'name = "みどり"\n', 'name = "みどり"\naliases = [{name = "緑の人", since = 2026-01-01}]\n'
)
TEAMS = "2026-04-02 | みどり一色 白發中 東風(本人) まん|がん | o x o\n"
UNTOUCHED = "#みどり一色の覚え書き\nC1934 | 22:00 | 三般南喰赤－ | 緑の人(+1.0) 東風(本人)(0.0) みどり一色さん(-1.0)\n"


class Instance(SimpleNamespace):
    """What the commands ask of a service, with the leagues in folders of `root`."""

    def __init__(self, root: Path, state: State) -> None:

        def groups() -> dict[str, str]:
            chats = state.chats.all()
            return {chat: folder for chat, folder in chats.items() if chat.startswith("C")}

        access = SimpleNamespace(groups=groups)
        stores = SimpleNamespace(open_logs=lambda folder="": FolderLogs(root / folder))
        registry = LeagueRegistry(stores.open_logs, 8)
        super().__init__(
            state=state,
            stores=stores,
            access=access,
            registry=registry,
            now=lambda: NOW,
            forget_user=partial(FEATURES.forget_user, state),
        )

    def run(self, *words: str, status: int = 0) -> Result:
        result = CliRunner().invoke(commands(self), words)
        assert result.exit_code == status, result.output
        return result


@pytest.fixture
def instance(tmp_path: Path, state: State) -> Instance:
    for folder in ("", "north"):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "logvol1.txt").write_text(LOG + UNTOUCHED, encoding="utf-8")
    state.chats.enrol("C1", "")
    state.chats.enrol("C2", "north")
    state.chats.set_player("north", "U1", "みどり一色")
    return Instance(tmp_path, state)


def test_leagues_are_listed_renamed_and_removed(instance: Instance, tmp_path: Path) -> None:
    facts = {"chats": 1, "games": 3, "last": "2026-04-01"}
    listed = json.loads(instance.run("league", "list", "--json").stdout)
    assert listed == {"leagues": {"": facts, "north": facts}}
    renamed = instance.run("league", "rename", "north", "arctic")
    assert renamed.stdout == "north is arctic from now on\n"
    assert not (tmp_path / "north" / "logvol1.txt").exists()
    assert (tmp_path / "arctic" / "logvol1.txt").read_text(encoding="utf-8") == LOG + UNTOUCHED
    assert instance.state.chats.all() == {"C1": "", "C2": "arctic"}
    assert instance.state.chats.player("arctic", "U1") == "みどり一色"
    assert "no such league" in instance.run("league", "remove", "north", "--yes", status=2).output
    instance.run("league", "remove", "arctic", "--yes")
    assert instance.state.chats.all() == {"C1": ""}
    assert instance.state.chats.player("arctic", "U1") == ""
    assert (tmp_path / "arctic" / "logvol1.txt").exists(), "files stay"
    assert "arctic: 0 chats, 3 games" in instance.run("league", "list").stdout


def test_a_rename_never_writes_over_another_league(instance: Instance, tmp_path: Path) -> None:
    (tmp_path / "south").mkdir()
    (tmp_path / "south" / "logvol1.txt").write_text(LOG, encoding="utf-8")
    refused = instance.run("league", "rename", "north", "south", status=2)
    assert "another logvol1.txt" in refused.output
    assert instance.state.chats.all()["C2"] == "north"


@pytest.mark.parametrize("logs", [False, True])
def test_a_member_is_forgotten(instance: Instance, tmp_path: Path, logs: bool) -> None:
    state = instance.state
    (tmp_path / "league.toml").write_text(TOML, encoding="utf-8")
    (tmp_path / "teamlog.txt").write_text(TEAMS, encoding="utf-8")
    (tmp_path / "rating.txt").write_text(
        "みどり一色 1500 3\nみどり一色さん 1400 2\n", encoding="utf-8"
    )
    for user, name in (("U1", "みどり一色"), ("U2", "みどり一色"), ("U3", "白發中")):
        state.chats.set_player("", user, name)
    state.values.put("once:U1:hint", "1")
    before = read_league(FolderLogs(tmp_path), NOW)
    options = ["--yes"]
    if logs:
        options.append("--logs")
    instance.run("member", "forget", "みどり", *options)
    assert state.chats.player("", "U1") == ""
    assert state.chats.player("", "U2") == ""
    assert state.chats.player("", "U3") == "白發中"
    assert state.values.items("once:") == {}
    after = read_league(FolderLogs(tmp_path), NOW)
    if not logs:
        assert after.files == before.files
        return
    new = {"みどり一色": "退会者1"}
    games = after.all_games()
    assert [tuple(new.get(p, p) for p in g.players) for g in before.all_games()] == [
        g.players for g in games
    ]
    assert after.league_error is None
    assert tomllib.loads(after.text("league.toml"))["team"]["東家"]["members"] == [
        "退会者1",
        "白發中",
    ]
    assert "# 先鋒はみどり" in after.text("league.toml"), "a comment is the admin's own"
    assert after.league.players["退会者1"].aliases == ()
    assert after.text("rating.txt") == "退会者1 1500 3\nみどり一色さん 1400 2\n"
    assert "みどり一色 " not in after.text("teamlog.txt")
    assert "#みどり一色の覚え書き" in after.text("logvol1.txt")
    logs = FolderLogs(tmp_path)
    (version,) = versions(logs, "logvol1.txt")
    assert read_version(logs, "logvol1.txt", version.name) == (LOG + UNTOUCHED).encode()
    for gone in ("みどり", "みどり一色"):  # and みどり一色さん, who played too, stays
        again = instance.run("member", "forget", gone, "--yes", "--logs", status=2)
        assert "no such member" in again.output


def test_a_record_and_its_line_lose_the_name_too(instance: Instance, tmp_path: Path) -> None:
    record = (
        b'<mjloggm><UN n0="%E7%99%BD%E7%99%BC%E4%B8%AD" '
        b'n1="%E3%81%BF%E3%81%A9%E3%82%8A%E4%B8%80%E8%89%B2"/>'
    )
    logs = FolderLogs(tmp_path)
    logs.overwrite("records/a.mjlog", gzip.compress(record))
    _rename_record(logs, "records/a.mjlog", {"みどり一色"}, "退会者1")
    assert gzip.decompress(logs.read("records/a.mjlog").data).endswith(
        b'n1="%E9%80%80%E4%BC%9A%E8%80%851"/>'
    )
    line = json.dumps({"names": ["白發中", "みどり一色"]}, ensure_ascii=False).encode()
    assert json.loads(_renamed_texts(line, {"みどり一色"}, "退会者1"))["names"] == [
        "白發中",
        "退会者1",
    ]


def test_bytes_that_are_no_record_are_removed(tmp_path: Path) -> None:
    logs = FolderLogs(tmp_path)
    logs.overwrite("records/a.mjlog", gzip.compress("みどり一色".encode()))
    _rename_record(logs, "records/a.mjlog", {"みどり一色"}, "退会者1")
    assert not (tmp_path / "records/a.mjlog").exists()


FORGET = ("member", "forget", "--yes", "--logs", "--league", "north")
KILLED = {
    "rename": (("league", "rename", "north", "arctic"), TOML),
    "forget": ((*FORGET, "みどり"), TOML),
    "forget without league.toml": ((*FORGET, "みどり一色"), ""),
}


@pytest.mark.parametrize("case", KILLED)
def test_a_killed_command_is_completed_by_running_it_again(tmp_path: Path, case: str) -> None:
    """Files and what the state keeps are then as after a run that nobody killed, and no version is
    lost.
    """
    words, toml = KILLED[case]
    files = {"logvol1.txt": LOG, "logvol2.txt": LOG, "teamlog.txt": TEAMS, "league.toml": toml}

    def left_by(killed_at: int) -> tuple[bool, object]:
        home = tmp_path / str(killed_at)
        (home / "logs" / "north").mkdir(parents=True)
        for name in filter(files.get, files):
            (home / "logs" / "north" / name).write_text(files[name], encoding="utf-8")
        with closing(open_state(f"sqlite:///{home / 'state.sqlite3'}")) as state:
            state.chats.enrol("C2", "north")
            for user in ("U1", "U2"):
                state.chats.set_player("north", user, "みどり一色")

        def command(logs: FolderLogs) -> None:
            made = Instance(home / "logs", open_state(f"sqlite:///{home / 'state.sqlite3'}"))
            result = CliRunner().invoke(commands(made), words)
            assert result.exit_code == 0 or "no such" in result.output, result.output

        lived = run_killed(home, command, killed_at)
        assert lived or run_killed(home, command)
        paths = [path for path in (home / "logs").rglob("[!.]*") if path.is_file()]
        there = {
            path.relative_to(home): path.read_bytes()
            for path in paths
            if "history" not in path.parts
        }
        contents = {path.read_bytes() for path in paths}
        assert {text.encode() for text in files.values() if text} <= contents, (
            f"killed at step {killed_at}"
        )
        with closing(open_state(f"sqlite:///{home / 'state.sqlite3'}")) as state:
            rows = sorted(row.to_json() for row in kept_rows(state.database))
            return lived, (there, rows, state.values.items(""))

    _, wanted = left_by(0)
    step = -4
    lived = False
    while not lived:
        step += 5
        lived, stored = left_by(step)
        assert stored == wanted, f"killed at step {step}"
    assert step > 10
