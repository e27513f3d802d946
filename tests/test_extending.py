"""docs/extending.md is true: its example, in a copy of the tree, is found by commands, menus and
tests.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from inspect import signature
from pathlib import Path

import pytest

from bot.chat.feature import Happening
from bot.settings import kinds
from bot.settings.variable import PlainText, Topic
from tests.test_architecture import lint
from tests.tools.house import ROOT

pytestmark = pytest.mark.xdist_group("extended tree")
PAGE = ROOT / "docs" / "extending.md"
BLOCK = re.compile(r"^`([\w./]+)`:\n\n```(python|diff)\n(.*?)^```", re.S | re.M)
SUITES = (
    "tests/rating/models/test_contract.py",
    "tests/answers/test_every_answer.py",
    "tests/storage/test_images_contract.py",
    "tests/rating/paifu/test_formats.py",
)
NAMES = "(form and not formats) or noted or small or every_kind or (test_every_picture_can_be_read and nine) or (test_every_answer_of_every_league and one and game-member)"
MENU = """
from app import app
from tests.answers.leagues import LEAGUES, LeagueWorld
print(app.test_cli_runner().invoke(args="standings --model form --option half_life=30 --json".split()).output)
world = LeagueWorld(LEAGUES["nine"])
asked = [app.test_cli_runner().invoke(args=["ask", text]).output for text in ("出場数", "打ちたい")]
print("----", *asked)
print("----", world.ask("メニュー").words, world.ask("ほかのレート").words, world.ask("出場数").words)
"""

DUTY = """
import json, tempfile
from pathlib import Path
from bot.demo_chat import DEMO_GROUP
from tests.answers.world import LEAGUE, LOG, MEMBER, OTHER, opened, taps, words_of
from tests.backend import EMBEDDED, opened as backend

def show(*words):
    print(json.dumps(words, ensure_ascii=False))

with (
    tempfile.TemporaryDirectory() as folder,
    backend(EMBEDDED) as made,
    opened(Path(folder), made) as world,
):
    world.write("league.toml", LEAGUE)
    world.write("logvol1.txt", LOG)
    show(words_of(world.say("当番")))
    show(words_of(world.say("当番やります")))
    show(*taps(world.say("今日")))
    show(*taps(world.say("今日")))
    world.platform.member_left(DEMO_GROUP, MEMBER)
    show(words_of(world.say("当番", OTHER)))
    show(words_of(world.say("打ちたい！")))
"""


NOTED_ROUND = {
    "indicator": 135,
    "hands": [list(range(first, first + 13)) for first in (0, 13, 26, 39)],
    "draws": list(range(52, 122)),
    "start": [25000] * 4,
    "change": [1000, 1000, -1000, -1000],
}
NOTED_GAME = {"noted": 1, "players": ["東野", "南原", "西田", "北山"], "rounds": [NOTED_ROUND]}
SETTINGS = """
from bot.settings import SettingsError, read_settings
settings = read_settings({"RULES_URL": "https://rules.example/", "PICTURES_MB": "5"})
print(settings.rules_url, settings.store_variables["PICTURES_MB"])
try:
    read_settings({"RULES_URL": "nowhere", "PICTURES_MB": "0"})
except SettingsError as error:
    print(*error.lines, sep="\\n")
"""
ADVICE = """
import tempfile
from bot.checks.store_trials import store_finding
from bot.settings.stores import open_images
from storage.addresses import ImageOptions
from storage.ports import StorageError
url = f"small:{tempfile.mkdtemp()}"
images = open_images(url, ImageOptions(b"s" * 16, variables={"PICTURES_MB": "1"}))
try:
    images.put("a.png", bytes(2 << 20))
except StorageError as error:
    finding = store_finding("IMAGES_URL", url, error)
    print(f"{finding.subject}: {finding.text}")
"""


def edited(text: str, hunks: str) -> str:
    """The text with a diff's lines; each hunk (between `@@` lines) must fit at exactly one
    place.
    """
    for hunk in hunks.split("@@\n"):
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        after = "".join(line[1:] for line in lines if line[0] in " +")
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with the page's example in it."""
    copy = tmp_path_factory.mktemp("extended") / "tree"
    shutil.copytree(
        ROOT, copy, ignore=shutil.ignore_patterns(".*", "var", "build")
    )  # with what is compiled
    shutil.copy(ROOT / ".env.example", copy)
    for name, kind, text in BLOCK.findall(PAGE.read_text("utf-8")):
        path = copy / name
        assert path.exists() == (kind == "diff"), name
        path.parent.mkdir(exist_ok=True)
        path.write_text(edited(path.read_text("utf-8"), text) if kind == "diff" else text, "utf-8")
    ran(copy, "-m", "tests.tools.variables")  # as `make variables` does
    return copy


def ran(tree: Path, *command: str) -> str:
    result = subprocess.run(
        [sys.executable, *command], cwd=tree, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    return result.stdout


def sections() -> dict[str, list[str]]:
    """The files of the examples, by section of the page."""
    page = PAGE.read_text("utf-8")
    files: dict[str, list[str]] = {}
    for title, text in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", page, re.M | re.S):
        files[title] = [name for name, _, _ in BLOCK.findall(text)]
    return files


LIMITS = {
    "A rating system": 3,
    "An answer and its picture": 2,
    "A typed form": 1,
    "A feature": 3,
    "A record format": 2,
    "A store": 3,
    "A variable": 1,
}
"""The files that an addition may open."""


@pytest.mark.parametrize("title", LIMITS)
def test_each_addition_opens_few_files(title: str) -> None:
    assert 0 < len(sections()[title]) <= LIMITS[title]


def test_documents_have_the_new_store_and_variables(tree: Path) -> None:
    for name in (".env.example", "docs/reference.md", "docs/reference.ja.md"):
        text = (tree / name).read_text("utf-8")
        for added in ("small:DIR", "PICTURES_MB", "RULES_URL"):
            assert added in text, (name, added)
        assert "small: megabytes" in text or "small：保存する" in text, name


def test_stale_documents_are_named(tree: Path) -> None:
    table = tree / "bot" / "settings" / "table.py"
    before = table.read_text("utf-8")
    table.write_text(before.replace("RULES_URL", "OUR_RULES_URL"), "utf-8")
    command = [sys.executable, "-m", "tests.tools.variables", "check"]
    result = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    table.write_text(before, "utf-8")
    assert result.returncode == 1
    assert "stale: .env.example, docs/reference.md, docs/reference.ja.md" in result.stderr


def test_settings_read_and_check_the_new_variables(tree: Path) -> None:
    lines = ran(tree, "-c", SETTINGS).splitlines()
    assert lines == [
        "https://rules.example 5",
        "RULES_URL: must be an address such as https://host",
        "PICTURES_MB: must be a whole number from 1 to 100000: '0'",
    ]


def test_commands_refuse_the_address_that_the_page_refuses(tree: Path) -> None:
    page = PAGE.read_text("utf-8")
    ((value, command),) = re.findall(r"^    RULES_URL=(\w+) flask (\w+) +fails", page, re.M)
    result = subprocess.run(
        [sys.executable, "-m", "flask", command],
        cwd=tree,
        env=os.environ | {"RULES_URL": value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode != 0
    assert "RULES_URL: must be an address" in result.stderr


def test_the_page_names_the_arguments_of_kinds_of_variables() -> None:
    section = PAGE.read_text("utf-8").partition("## A variable\n")[2].partition("\n## ")[0]
    known = vars(kinds) | {"PlainText": PlainText}
    kinds_there = re.findall(r"`(\w+)\(([\w, ]*)\)`", section.partition("Topics:")[0])
    assert len(kinds_there) > 5
    for name, words in kinds_there:
        assert ", ".join(signature(known[name]).parameters) == words, name
    assert set(re.findall(r"`([A-Z]+)`", section)) >= set(Topic.__members__)


def test_the_page_names_every_happening() -> None:
    assert set(re.findall(r"`([A-Z_]+)`", PAGE.read_text("utf-8"))) >= set(Happening.__members__)


def test_the_search_on_the_page_finds_the_file_of_an_answer() -> None:
    (command,) = re.findall(r"^    (grep .*)$", PAGE.read_text("utf-8"), re.M)
    result = subprocess.run(
        shlex.split(command), cwd=ROOT, capture_output=True, text=True, check=True
    )
    files = re.findall(r"^([^:]+):\d+: +title=", result.stdout, re.M)
    assert files == ["bot/answers/tonight/signup.py"]


def test_doctor_explains_errors_of_the_new_store(tree: Path) -> None:
    line = ran(tree, "-c", ADVICE).strip()
    assert line.startswith("PICTURES_MB: it can't be used: a.png: larger than all")


def test_the_feature_recognises_listens_and_offers(tree: Path) -> None:
    printed = ran(tree, "-c", DUTY)
    answers = [json.loads(line) for line in printed.splitlines() if line.startswith("[")]
    nobody, taken, offered, again, gone, called = answers
    assert nobody == gone
    assert "まだ決まっていません" in nobody[0]
    assert taken[0].endswith("さんです。")
    assert "当番" in offered
    assert "当番" not in again
    assert "今夜の募集" in called[0]


# Five seconds: the copy is a program of its own, which loads and answers.
def test_command_and_menu_know_the_model_and_the_answer(tree: Path) -> None:
    output, asked, answers = ran(tree, "-c", MENU).split("----")
    report = json.loads(output)
    assert report["model"] == "form"
    assert len(report["standings"]) == 9
    assert all(
        row["rating"]
        == pytest.approx(
            round(
                row["rating"],
                9,
            )
        )
        for row in report["standings"]
    )
    assert "出場数" in answers
    assert "調子" in answers
    assert "出場数" in asked
    assert "募集: this may change something, so only LINE takes it" in asked


def test_command_reads_the_new_record_format(tree: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.noted"
    file.write_text(json.dumps(NOTED_GAME), "utf-8")
    command = ("-m", "flask", "paifu", str(tmp_path), "--json")
    (game,) = json.loads(ran(tree, *command))["games"]
    assert game["file"] == str(file)
    assert game["rounds"] == 1
    faulty = [NOTED_ROUND | {"indicator": 136}, NOTED_ROUND, NOTED_ROUND | {"start": [25000]}]
    file.write_text(json.dumps(NOTED_GAME | {"rounds": faulty}), "utf-8")
    report = json.loads(ran(tree, *command))
    assert report["games"][0]["rounds"] == 1
    assert [problem["text"] for problem in report["problems"]] == [
        "round 1: the tile 136",
        "round 3: ValueError",
    ]
    file.write_text(json.dumps(NOTED_GAME | {"rounds": []}), "utf-8")
    command = ("-m", "flask", "paifu", str(file))
    refused = subprocess.run(
        [sys.executable, *command],
        cwd=tree,
        capture_output=True,
        text=True,
    )
    assert refused.returncode == 2
    assert "a noted game without rounds" in refused.stderr


# Ten seconds: the suites of models, answers, stores and formats run in the copy.
def test_the_contract_suites_find_them(tree: Path) -> None:
    output = ran(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SUITES, "-k", NAMES, "-rA")
    for parameters in ("[form]", "[small:]", "[noted]", "[nine]", "[one game-member]"):
        assert parameters in output, parameters


def test_the_rooms_keep_their_order(tree: Path) -> None:
    assert lint(tree).returncode == 0


def test_the_example_is_as_clean_as_the_rest(tree: Path) -> None:
    for words in (("check",), ("format", "--check")):
        ran(
            tree,
            "-m",
            "ruff",
            *words,
            "-q",
            "--no-cache",
            "rating",
            "bot",
            "storage",
        )
