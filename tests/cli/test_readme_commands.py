"""Each command line of the README and the docs runs as a reader copies it, with variables of its
own, in a folder of its own that looks like the checkout. Words in capitals get an example. What a
command needs outside (Tenhou, Dropbox, S3, an admin at the terminal) is the tests' stand-in for it.

The commands run in this process, which has loaded the program. A few run by the flask script that
`make` writes, in a copy of the checkout that was moved after that, to a folder with a blank in its
name.
"""

import gzip
import importlib.util
import json
import logging
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from contextlib import ExitStack, chdir, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from click.testing import CliRunner
from flask import Flask

import bot.settings.kinds
from app import create_app
from bot.cli.version import Ordered
from bot.league.demo import demo_files, ensure_demo
from bot.league.files import versions, write_keeping
from bot.runtime.encryption import new_key
from bot.runtime.env_file import read_env_file
from storage.folder import FolderLogs
from tests.backend import close
from tests.checks.conftest import serving
from tests.cli import test_paifu_league as kept_records
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.line import fake_line
from tests.fakes.process import ROOT, clean_env
from tests.fakes.s3_lifecycle import s3_lifecycle
from tests.fakes.servers import S3Server
from tests.fakes.tenhou import FakeTenhou, TenhouClock
from tests.rating.paifu.records import made
from tests.real import cases
from tests.tools import newcomer

pytestmark = pytest.mark.any_backend("each command runs on the demo league")
moved = pytest.mark.xdist_group("moved checkout")
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
PAGES = sorted(page for page in PAGES if page.name != "CHANGELOG.md")
CODE = re.compile(
    r"`([^`\n]+)`|^(?: {4,}|\t)(.*)$|^((?:\.venv/bin/)?(?:flask|python|make) .*)$", re.M
)
COMMAND = re.compile(r"(?:^|[\s'/])flask ((?:--)?[a-z].*)")
# A call with it, and one without.
ALONE = ("--fix", "--lifecycle", "--remove", "--check", "--into-league", "ID")


def shown_examples(kind: str) -> dict[str, str]:
    """The examples of a kind by what the pages show."""
    rows = cases("calls_shown.tsv")
    return {shown: example for kind_of_row, shown, example in rows if kind_of_row == kind}


WORDS = shown_examples("word")
NAMED = shown_examples("alone")
TYPED = shown_examples("typed")
BY_THE_SCRIPT = ("league dropbox club", "lab duplicate --games 2 --seed 1 --json", "sync")
"""Words typed, processes that it starts, and what is outside; the other tests run all in one
process.
"""
TABLE = "date,p1,s1,p2,s2,p3,s3,p4,s4\n2026-09-01,a,75,b,15,c,-25,d,-65\n2026-09-02,b,75,c,15,d,-25,a,-65\n"


def code(page: Path) -> list[str]:
    """The inline and the indented code of a page, and the lines of its fenced blocks that are
    commands.
    """
    matches = CODE.findall(page.read_text("utf-8"))
    return [next(filter(None, groups)) for groups in matches if any(groups)]


def examples(line: str) -> list[str]:
    """The calls that a line shows: without what ALONE has in brackets, and with it; `a | b` are
    two.
    """
    calls = []
    for kept in ("", *(word for word in ALONE if re.search(rf"\[{word}\b", line))):

        def shown(found: re.Match[str], kept: str = kept) -> str:
            words = found[1]
            if words == kept or words.split()[0] not in ALONE:
                return f" {words}"
            return ""

        call = line
        while (shorter := re.sub(r" ?\[([^\[\]]*)\]", shown, call)) != call:
            call = shorter
        first, *others = re.sub(r"(?<=\S)\|\S+", "", call).split(" | ")
        calls += [first, *(f"{first.split()[0]} {other}" for other in others)]
    return [" ".join(filled(call).split()) for call in calls]


def filled(call: str) -> str:
    """The call with an example for each word in capitals, small enough for a test."""
    for word, example in WORDS.items():
        call = re.sub(rf"(?<![\w-]){word}(?![\w.])", example, call)
    call = call.replace("/tmp/", "")
    return re.sub(r"(duplicate\b.*--games) \d+", r"\1 2", call)


def commands() -> list[str]:
    """Every call of `flask` on the pages, once; what follows it in a shell or in words is cut
    off.
    """
    calls: set[str] = set()
    for page in PAGES:
        if page.name == "extending.md":  # see tests/test_extending.py
            continue
        for text in code(page):
            for line in COMMAND.findall(text):
                shown, *_ = re.split(r" {2,}| [<>&]|'|\)", line)
                calls.update(examples(shown))
    return sorted(calls)


def command_of(call: str) -> str:
    call = call.removeprefix("lab ")
    length = 1
    if call.startswith(("league", "member", "richmenu")):
        length = 2
    return " ".join(call.split()[:length])


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with a venv whose scripts `make` has written, moved afterwards."""
    first = tmp_path_factory.mktemp("first") / "janroku"
    command = "git ls-files -z --cached --others --exclude-standard -- :!tests".split()
    listed = subprocess.check_output(command, cwd=ROOT, text=True)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (first / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, first / name)
    shutil.copytree(ROOT / "tests/data", first / "tests/data")
    venv.create(first / ".venv", symlinks=True)
    (packages,) = (first / ".venv/lib").glob("python*/site-packages")
    (packages / "all.pth").write_text(sysconfig.get_path("purelib"))
    subprocess.run(["make", "scripts"], cwd=first, check=True)
    return first.rename(tmp_path_factory.mktemp("another place") / "janroku 2")


class Reader:
    """Runs commands in this process, in the folder `home` with the demo league, with variables
    `env`.
    """

    def __init__(self, home: Path, demo: Path) -> None:
        self.home = home
        shutil.copytree(demo, home / "var/demo")
        self.env: dict[str, str] = {}
        self._made: list[Flask] = []
        for name in ("bot", "docs", "tests"):
            (home / name).symlink_to(ROOT / name)

    def __call__(self, *words: str, typed: str = "", status: int = 0) -> str:
        flask = Ordered(name="flask", load_dotenv=False, create_app=self._app)
        with self._alone(words):
            result = CliRunner().invoke(flask, words, typed)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        assert result.exit_code == status, result.output[-2000:]
        assert "Traceback" not in result.stderr
        return result.stdout

    def _app(self) -> Flask:
        self._made.append(create_app())
        return self._made[-1]

    @contextmanager
    def _alone(self, words: tuple[str, ...]) -> Iterator[None]:
        """As in a process of its own: its own folders, variables, words and log, and a service that
        ends.
        """
        root = logging.getLogger()
        handlers = root.handlers
        level = root.level
        root.handlers = []
        try:
            with (
                chdir(self.home),
                patch.dict(os.environ, clean_env(LANGUAGE="en", **self.env), clear=True),
                patch.object(sys, "argv", ["flask", *words]),
                patch.object(bot.settings.kinds, "HOME", self.home / "var"),
            ):
                yield
        finally:
            for app in self._made:
                service = app.extensions.get("janroku")
                if service:
                    close(service)
            self._made.clear()
            root.handlers = handlers
            root.setLevel(level)


class MovedReader(Reader):
    """Runs commands by the flask script of the checkout, each in a process of its own."""

    def __init__(self, checkout: Path) -> None:
        self.home = checkout
        self.env = {}
        for name in ("var", "pages", "janroku.zip"):
            path = checkout / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def __call__(self, *words: str, typed: str = "", status: int = 0) -> str:
        command = [f"{self.home}/.venv/bin/flask", *words]
        env = clean_env(FLASK_SKIP_DOTENV="1", **self.env)
        options: Any = {
            "env": env,
            "input": typed,
            "capture_output": True,
            "text": True,
            "timeout": 120,
        }
        result: subprocess.CompletedProcess[str] = subprocess.run(command, cwd=self.home, **options)
        assert result.returncode == status, result.stdout[-2000:] + result.stderr[-2000:]
        assert "Traceback" not in result.stderr
        return result.stdout


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("home") / "demo"
    ensure_demo(made)
    return made


@pytest.fixture
def reader(demo: Path, tmp_path: Path) -> Reader:
    return Reader(tmp_path / "checkout", demo)


@contextmanager
def outside(
    call: str,
    reader: Reader,
    home: Path,
) -> Iterator[tuple[str, str]]:
    """Give a command what it needs outside; yield it with what is typed."""
    name = command_of(call)
    call = NAMED.get(call, call)
    typed = 20 * "y\n" if TYPED.get(name) == "y" else TYPED.get(name, "")
    if name in ("backup", "doctor"):
        call += " --demo"
    (reader.home / "table.csv").write_text(TABLE)
    with ExitStack() as ends:
        if name in ("league init", "sync"):
            tenhou = ends.enter_context(FakeTenhou(TenhouClock(datetime.now(UTC))))
            (home / "logs").mkdir()
            reader.env |= {"LOGS_URL": f"file:{home / 'logs'}", "TENHOU_URL": tenhou.url}
            for back in (1, 2):
                tenhou.put(tenhou.today - timedelta(days=back), newcomer.evening(back))
            if name == "sync":
                (home / "logs/league.toml").write_text('rooms = ["C1234"]\n')
        if name in ("league accept", "league restore") or "logvol3" in call:
            logs = folder(home)
            log = "logvol3.txt"
            reader.env["LOGS_URL"] = f"file:{home / 'logs'}"
            former = logs.read(log)
            write_keeping(
                logs, log, former.data + b"# more\n", former.rev, datetime.now(UTC), former.data
            )
            if name == "league accept":
                reader("standings")
                (home / "logs" / log).write_bytes(b"")
            if name == "league restore":
                call = f"league restore {log} {versions(logs, log)[-1].name}"
        if name in ("league remove", "league rename", "member forget"):
            (home / "logs/club").mkdir(parents=True)
            reader.env["LOGS_URL"] = f"file:{home / 'logs'}"
            seats = " ".join(f"{name}(0.0)" for name in newcomer.MEMBERS[:3])
            for log in ("logvol1.txt", "club/logvol1.txt"):
                (home / "logs" / log).write_text(
                    f"20260401\nC1934 | 20:00 | 三般南喰赤－ | {seats}\n"
                )
        if name in ("league room", "league dropbox"):
            reader.env["JANROKU_SECRET_KEY"] = new_key()
        if name == "league dropbox":
            dropbox = ends.enter_context(FakeDropbox())
            env = dropbox.env()
            del env["DROPBOX_REFRESH_TOKEN"]
            reader.env |= env
            ends.enter_context(dropbox.patched())
            typed = dropbox.refresh_token
        if "--lifecycle" in call:
            s3 = ends.enter_context(s3_lifecycle())
            reader.env |= S3Server(0, home).env() | {"AWS_ENDPOINT_URL_S3": s3.url}
            reader.env["IMAGES_URL"] = "s3://janroku-test/charts"
        if "--into-league" in call:
            (home / "logs").mkdir()
            games = [kept_records.line(seed, f"{seed + 17}:10") for seed in (1, 2)]
            (home / "logs/logvol1.txt").write_text("\n".join(["20260504", *games]) + "\n")
            reader.env["LOGS_URL"] = f"file:{home / 'logs'}"
            (home / "records").mkdir()
            (home / "records/one.xml").write_bytes(made(1, 3).xml())
            if call == "paifu --into-league":  # ids on standard input
                tenhou = ends.enter_context(FakeTenhou(TenhouClock(datetime.now(UTC))))
                typed = kept_records.name(1, 18)
                tenhou.records[typed] = gzip.compress(made(1, 3).xml())
                reader.env["TENHOU_URL"] = tenhou.url
            else:
                call = f"paifu --into-league {home / 'records'}"
        if name == "restore":
            reader("backup", "janroku.zip", "--demo")
            shutil.rmtree(reader.home / "var")
        if name.startswith("richmenu"):
            _line, env = ends.enter_context(fake_line(""))
            reader.env |= env
        yield call, typed


def folder(home: Path) -> FolderLogs:
    """The demo league in a folder."""
    (home / "logs").mkdir()
    for name, data in demo_files().items():
        (home / "logs" / name).write_bytes(data)
    return FolderLogs(str(home / "logs"))


@pytest.mark.parametrize(
    "call",
    [call for call in commands() if command_of(call) != "setup"],
)
def test_it_runs(call: str, reader: Reader, tmp_path: Path) -> None:
    runs(call, reader, tmp_path)


@moved
@pytest.mark.parametrize("call", BY_THE_SCRIPT)
def test_it_runs_by_the_script(call: str, checkout: Path, tmp_path: Path) -> None:
    assert call in commands()
    runs(call, MovedReader(checkout), tmp_path)


def runs(call: str, reader: Reader, tmp_path: Path) -> None:
    with outside(call, reader, tmp_path) as (words, typed):
        # the demo league has things to look at
        status = 1 if words.startswith("league check") else 0
        result = reader(*shlex.split(words), typed=typed, status=status)
    if "--json" in words:
        json.loads(result)


def test_setup_asks_until_all_is_set_up(reader: Reader, tmp_path: Path) -> None:
    """`flask setup` before the service runs, then while it does, then what asks nothing."""
    with newcomer.world("folder", tmp_path) as made_up:
        reader.env = made_up.env
        first = [answer for _question, answer in newcomer.first_answers(made_up)]
        assert "synced: 6 games added" in reader(
            "setup", typed="\n".join(map(str, first)) + "\n", status=1
        )
        variables = read_env_file(Path(made_up.env["JANROKU_ENV_FILE"]))
        with serving(os.environ | made_up.env | variables, made_up.port):
            for call in (call for call in commands() if command_of(call) == "setup"):
                reader(*shlex.split(call), typed="\n" * 20)


def test_what_else_is_called_is_there() -> None:
    """Modules that `python -m` runs, and targets that `make` makes."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([\w-]+):", makefile, re.M))
    modules: set[str] = set()
    made_targets: set[str] = set()
    for page in PAGES:
        for line in code(page):
            modules.update(re.findall(r"\bpython3? -m ([\w.]+)", line))
            made_targets.update(re.findall(r"(?:^|[`(])make(?: ([\w-]+))?", line))
    assert {"tests.world", "tests.tools.bench.wall"} <= modules
    assert [name for name in sorted(modules) if importlib.util.find_spec(name) is None] == []
    made_targets.discard("")
    assert {"run", "test"} <= made_targets <= targets


@moved
def test_flask_works_through_a_link_from_another_folder(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "flask").symlink_to(checkout / ".venv/bin/flask")
    result = subprocess.run(
        [tmp_path / "flask", "version"], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.stdout.startswith("Janroku 0."), result.stderr
