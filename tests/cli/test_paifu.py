import gzip
import json
import re
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bot.answers.catalogue import FEATURES
from bot.league.moment_text import moment_text_in
from rating.paifu.checked_walls import open_walls
from rating.paifu.deal_in import SHAPES
from rating.paifu.formats import parse
from rating.paifu.moments import moments
from rating.paifu.record import Riichi
from rating.paifu.review import review
from rating.paifu.top_table.sights import decisions
from tests.cli.running import commands, json_of, refused
from tests.rating.paifu.records import made, read, walled
from tests.rating.paifu.recount import recount


def run(name: str, *arguments: str, stdin: str | bytes | None = None) -> Result:
    group = commands(
        SimpleNamespace(
            stores=SimpleNamespace(open_logs=lambda: None), paifus=None, features=FEATURES
        )
    )
    return CliRunner().invoke(group, [name, *arguments], input=stdin)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two records of four players and one of three, and what is no record."""
    made_in = tmp_path_factory.mktemp("records")
    for seed in (1, 2):
        (made_in / f"{seed}.xml").write_bytes(made(seed).xml())
    (made_in / "three.mjlog").write_bytes(made(1, 3).xml())
    (made_in / "README.txt").write_text("no record")
    return made_in


@pytest.fixture(scope="module")
def report(folder: Path) -> Any:
    """The JSON of `flask paifu` about them."""
    return json_of(run("paifu", str(folder), "--json"))


@pytest.fixture(scope="module")
def printed_tables(folder: Path) -> str:
    """The tables of `flask paifu` about them."""
    return run("paifu", str(folder)).stdout


def test_a_folder_of_records_as_figures(report: Any) -> None:
    assert report["records"] == 3
    assert report["rounds"] == 12
    assert report["problems"] == []
    assert len(report["deal_in"]) == 13
    first = report["games"][0]
    assert Path(first["file"]).name == "1.xml"
    assert first["players"] == list(read(1).players)
    assert first["final"] == list(read(1).final)
    assert first["rounds"] == 4
    wins = sum(len(played.wins) for played in read(1).rounds)
    assert sum(first["winner_rounds"]) == wins
    assert set(report["players"][first["players"][0]]) == {"3", "4"}


def test_a_copy_counts_once_and_a_broken_file_is_reported(folder: Path, tmp_path: Path) -> None:
    copies = [tmp_path / "1.mjlog", tmp_path / "again/1.xml"]
    copies[1].parent.mkdir()
    for copy in copies:
        copy.write_bytes(gzip.compress(made(1).xml()))
    (tmp_path / "broken.xml").write_bytes(b"<html>")
    sources = map(str, (tmp_path, folder, folder / "1.xml"))
    report = json_of(run("paifu", *sources, "--json"))
    assert report["records"] == len(report["games"]) == 3
    (broken,) = [problem for problem in report["problems"] if "same" not in problem["text"]]
    same = [problem for problem in report["problems"] if problem != broken]
    assert Path(broken["file"]).name == "broken.xml"
    assert [Path(problem["file"]).name for problem in same] == ["1.xml", "1.xml", "1.xml"]
    assert {problem["text"] for problem in same} == {f"the same game as {copies[0]}: counted once"}


@pytest.mark.parametrize("cut_first", [True, False])
def test_of_two_copies_that_with_more_rounds_counts(tmp_path: Path, cut_first: bool) -> None:
    whole = made(1).xml()
    names = ("a.xml", "b.xml") if cut_first else ("b.xml", "a.xml")
    (tmp_path / names[0]).write_bytes(whole[: whole.rindex(b"<INIT")] + b"<INIT")
    (tmp_path / names[1]).write_bytes(whole)
    report = json_of(run("paifu", str(tmp_path), "--json"))
    assert (report["records"], report["rounds"]) == (1, 4)
    assert Path(report["games"][0]["file"]).name == names[1]
    notes = [problem for problem in report["problems"] if "the same game" in problem["text"]]
    assert [Path(note["file"]).name for note in notes] == [names[0]]


def test_pages_of_files_of_one_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    for seed in (1, 2):
        (tmp_path / f"{seed}").mkdir()
        (tmp_path / f"{seed}" / "game.xml").write_bytes(made(seed).xml())
    out = tmp_path / "out"
    alone = tmp_path / "alone"
    first_folder = str(tmp_path / "1")
    second_folder = str(tmp_path / "2")
    assert run("paifu", first_folder, second_folder, "-o", str(out)).exit_code == 0
    assert run("paifu", second_folder, "-o", str(alone)).exit_code == 0
    first = {path.name for path in out.glob("game.xml-*.png")}
    second = {path.name for path in out.glob("game.xml_2-*.png")}
    assert 2 <= len(first) <= 5
    assert first | second == {path.name for path in out.iterdir()}
    for page in alone.iterdir():
        assert page.read_bytes().startswith(b"\x89PNG")
        assert (out / page.name.replace("game.xml", "game.xml_2")).read_bytes() == page.read_bytes()


@pytest.mark.parametrize("data", [b"", b"<html/>", b"\x1f\x8b\x00", b"nonsense"])
def test_a_file_that_is_no_record_ends_in_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.xml"
    path.write_bytes(data)
    assert "bad.xml" in refused(run("paifu", str(path), "--json"))


def test_what_is_not_there_ends_in_one_line(tmp_path: Path) -> None:
    assert "no such file" in refused(run("paifu", str(tmp_path / "none.xml")))
    assert "no game record" in refused(run("paifu", str(tmp_path)))
    assert "can't be fetched" in refused(run("paifu", "--into-league", "https://tenhou.net/"))


STATE = {"unseen": [4] * 34, "safe": [0] * 34}
HAND = {
    "hand": [3, 1, 1, 1, 1, 1, 1, 1, 4] + [0] * 25,
    "calls": 0,
    "unseen": [0] * 34,
    "seats": 4,
}
JUNK: list[str | bytes] = [
    "",
    "{",
    "1",
    "null",
    '"x"',
    "[1]",
    "{}",
    "[" * 100_000,
    b"\xff\xfe\xff",
]
NONSENSE: dict[str, list[str | bytes]] = {
    "danger": [
        '{"unseen": [4], "safe": [0]}',
        json.dumps(STATE | {"unseen": [9] * 34}),
        json.dumps([STATE, {"unseen": 1}]),
    ],
    "efficiency": [
        json.dumps(HAND | {"calls": 1}),
        json.dumps([HAND, HAND | {"seats": 3}]),
    ],
}


def asked(command: str, of: Any, *words: str) -> Any:
    """The JSON that a command prints for a state or a hand, or for a list of them."""
    return json_of(run(command, "--json", *words, stdin=json.dumps(of)))


@pytest.mark.parametrize(
    ("command", "of", "start"),
    [("danger", STATE, "m1:13 m2:16"), ("efficiency", HAND, "shanten -1\n")],
)
def test_a_list_of_states_gives_a_list_of_answers(command: str, of: Any, start: str) -> None:
    answer = asked(command, of)
    assert asked(command, [of, of]) == [answer, answer]
    assert asked(command, []) == []
    assert run(command, stdin=json.dumps(of)).stdout.startswith(start)


EVERY: list[tuple[str, str | bytes]] = []
for lab_command, texts_of_command in NONSENSE.items():
    EVERY += [(lab_command, text) for text in JUNK + texts_of_command]


@pytest.mark.parametrize(("command", "text"), EVERY, ids=lambda value: f"{value!r:.30}")
def test_nonsense_ends_in_one_line(command: str, text: str | bytes) -> None:
    refused(run(command, "--json", stdin=text))


def test_duplicate_reports_both_policies() -> None:
    pytest.importorskip("riichienv", reason="riichienv is not installed")
    result = run("duplicate", "--games", "2", "--seed", "5", "--workers", "1", "--json")
    report = json.loads(result.stdout)
    assert report["games"] == 2
    keys = {"win", "deal_in", "riichi", "call", "mean_win", "mean_placing", "mean"}
    assert set(report["figures"]) == keys | {"1st", "2nd", "3rd", "4th"}
    assert report["against"] == "none"
    for row in report["figures"].values():
        assert row["low"] <= row["difference"] <= row["high"]


def test_duplicate_names_whom_it_plays_against() -> None:
    pytest.importorskip("riichienv", reason="riichienv is not installed")
    options = ("--games", "2", "--against", "suji", "--workers", "1")
    lines = run("duplicate", *options).stdout.splitlines()
    assert lines[1].split() == ["danger", "suji", "difference", "from", "to"]
    places = [line.split()[0] for line in lines[2:6]]
    assert places == ["1st", "2nd", "3rd", "4th"]


def test_every_game_tells_how_its_players_pushed(report: Any) -> None:
    for game, seats in zip(report["games"], (4, 4, 3), strict=True):
        seed = 1 if seats == 3 else int(Path(game["file"]).stem)
        done = review(read(seed, seats))
        assert [row["player"] for row in game["push"]] == game["players"]
        counted = [riichi for riichi, _ in recount(Path(game["file"]).read_bytes())]
        assert [row["deal_ins_to_riichi"] for row in game["push"]] == counted
        ratings = [(row.choices, row.agreed) for row in done.ratings]
        assert [(row["choices"], row["agreed"]) for row in game["push"]] == ratings


def test_deal_ins_by_kind_and_with_three_and_four_seats_apart(
    folder: Path, report: Any, printed_tables: str
) -> None:
    first = recount((folder / "1.xml").read_bytes())
    second = recount((folder / "2.xml").read_bytes())
    three = recount((folder / "three.mjlog").read_bytes())
    for seats, seat_counts in {"4": first + second, "3": three}.items():
        riichi, others = (sum(pair) for pair in zip(*seat_counts, strict=True))
        assert report["overall"][seats]["deal_ins"] == {"to_riichi": riichi, "to_others": others}
        tables = report["deal_in_by_seats"][seats]
        assert set(tables) == {"classes", "groups", "wait_shapes", "robbed"}
        for rows in (tables["classes"], tables["groups"], tables["wait_shapes"]):
            assert sum(row["deal_ins"] for row in rows.values()) + tables["robbed"] == riichi
            assert all(row["low"] <= row["rate"] <= row["high"] for row in rows.values())
    seats = "into a riichi, 3 seats", "into a riichi, 4 seats", "wait of the riichi, 3 seats"
    assert all(
        heading in printed_tables for heading in ("東野", "456 one suji", "to riichi", *seats)
    )


def test_deal_ins_by_class_and_shape_beside_the_source(report: Any, printed_tables: str) -> None:
    """A cell is the share of the class's discards into a wait of the shape; a group sums its
    classes.
    """
    tables = report["deal_in_by_seats"]["4"]
    group = tables["groups"]["456"]
    names = [name for name in tables["classes"] if name.startswith("456")]
    for key in ("discards", "deal_ins", *SHAPES):
        total = sum(tables["classes"][name][key] for name in names)
        assert group[key] == total
    assert sum(group[shape] for shape in SHAPES) == group["deal_ins"]
    lines = printed_tables[printed_tables.index("into a riichi, 4 seats") :].splitlines()
    source = {line[:22].rstrip(): line.split()[-1] for line in lines[1:19]}
    shares = [source[name] for name in ("z", "  z fresh", "456", "  456 both")]
    assert shares == ["1.76%", "4.29%", "9.56%", "2.81%"]
    classes = tables["classes"]
    name = max(classes, key=lambda name: classes[name]["deal_ins"])
    row = classes[name]
    line = next(line for line in lines if line.startswith(f"  {name} "))
    for shape in SHAPES:
        if row[shape]:
            assert f"{row[shape] / row['discards']:.2%}" in line


def test_efficiency_of_a_hand() -> None:
    answer = asked("efficiency", HAND)
    assert answer["shanten"] == -1
    assert list(answer["discards"][0]) == [
        "kind",
        "shanten",
        "tiles",
        "kinds",
    ]


def test_danger_with_four_and_with_three_seats() -> None:
    four = asked("danger", STATE)
    by_option = asked("danger", STATE, "--seats", "3")
    assert four["danger"][:5] == [13, 16, 19, 26, 26]
    assert by_option == asked("danger", STATE | {"seats": 3})
    assert by_option["danger"] == [3, *[0] * 7, 3, *four["danger"][9:]]
    assert "seats must be 3 or 4" in refused(run("danger", stdin=json.dumps(STATE | {"seats": 5})))


ROWS = {
    "walls": ["dice", "hands", "live", "rinshan", "dora", "ura"],
    "riichi": ["round", "seat", "player", "turn", "waits", "live", "next", "won"],
    "luck": ["player", "draws", "variance", "z", "deal", "ura"],
    "efficiency": ["player", "decisions", "best", "mean_loss", "grade"],
    "push": ["player", "choices", "agreed", "deal_ins_to_riichi"],
    "moments": ["round", "seat", "player", "rule", "grade", "words", "kinds"],
    "chances": ["round", "kyoku", "honba", "sticks", "scores", "places"],
}


def assert_whole_walls(game: dict[str, Any], seats: int) -> None:
    live_tiles = 70 if seats == 4 else 55
    rinshan_tiles = 4 if seats == 4 else 8
    for wall in game["walls"]:
        assert len(wall["live"]) == live_tiles
        assert len(wall["rinshan"]) == rinshan_tiles


def test_json_has_riichi_luck_and_discards_of_every_game(tmp_path: Path) -> None:
    for seats in (3, 4):
        (tmp_path / f"{seats}.xml").write_bytes(walled(1, seats).xml())
    report = json.loads(run("paifu", str(tmp_path), "--json", "--wall").stdout)
    assert report["problems"] == []
    for game, seats in zip(report["games"], (3, 4), strict=True):
        record = parse(walled(1, seats).xml())
        walls = open_walls(record).rounds
        live = [tuple(wall["live"]) for wall in game["walls"]]
        assert live == [wall.live for wall in walls or ()]
        assert_whole_walls(game, seats)
        for name, keys in ROWS.items():
            assert all(list(row) == keys for row in game[name])
        for name in ("luck", "efficiency"):
            assert [row["player"] for row in game[name]] == game["players"]
        events = chain.from_iterable(played.events for played in record.rounds)
        declared = [event for event in events if isinstance(event, Riichi) and event.step == 1]
        assert [row["seat"] for row in game["riichi"]] == [event.seat for event in declared]
        assert all(row["live"] is not None for row in game["riichi"])
        assert game["moments"]
        for row, moment in zip(game["moments"], moments(record, walls), strict=True):
            for key in ("round", "seat", "rule"):
                assert row[key] == getattr(moment, key)
            assert row["words"] == moment_text_in(moment, record)
        assert len(game["chances"]) == len(record.rounds) + 1
        for row in game["chances"]:
            assert len(row["places"]) == seats
        assert list(game["turning"]) == ["round", "swing"]
    text = run("paifu", str(tmp_path / "4.xml"), "--wall").stdout
    assert "4.xml: the walls" in text
    assert text.count("| rinshan ") == 4


CHOICE_KEYS = ["round", "seat", "player", "turn", "hand", "taken", "p", "options"]


def test_choices_are_those_of_three_seats_and_null_with_four(tmp_path: Path) -> None:
    for seats in (3, 4):
        (tmp_path / f"{seats}.xml").write_bytes(made(1, seats).xml())
    report = json.loads(run("paifu", str(tmp_path), "--json", "--choices").stdout)
    three, four = report["games"]
    assert four["choices"] is None
    record = parse(made(1, 3).xml())
    for row, decision in zip(three["choices"], decisions(record), strict=True):
        assert list(row) == CHOICE_KEYS
        assert row["player"] == record.players[decision.seat]
        assert (row["round"], row["seat"], row["turn"]) == decision[:3]
        assert row["hand"] == [tile // 4 for tile in decision.hand]
        assert row["taken"] == decision.tile // 4
        assert {kind for kind, _ in row["options"]} <= set(row["hand"])
        assert sum(share for _, share in row["options"]) == pytest.approx(1, abs=0.06)
    assert "choices" not in json.loads(run("paifu", str(tmp_path), "--json").stdout)["games"][0]


def test_choices_without_json_are_refused() -> None:
    assert "--choices is for --json" in refused(run("paifu", ".", "--choices"))


def test_a_damaged_record_has_no_walls_and_is_named_once(tmp_path: Path) -> None:
    data = walled(1).xml()
    cut = re.sub(rb'(base64,.{40})[^"]*', rb"\1", data)
    first_tiles = rb'hai0="(\d+),([\d,]+)" hai1="(\d+),'
    swapped = re.sub(first_tiles, rb'hai0="\3,\2" hai1="\1,', walled(2).xml(), count=1)
    for name, damaged in (
        ("cut.xml", cut),
        ("swapped.xml", swapped),
        ("unknown.xml", made(1).xml()),
    ):
        (tmp_path / name).write_bytes(damaged)
    report = json.loads(run("paifu", str(tmp_path), "--json", "--wall").stdout)
    assert [game["walls"] for game in report["games"]] == [None] * 3
    about = [problem for problem in report["problems"] if "wall" in problem["text"]]
    assert [Path(problem["file"]).name for problem in about] == ["cut.xml", "swapped.xml"]
    for game in report["games"]:
        assert all(row["live"] is None for row in game["riichi"])
