"""`flask ask`: the bot's answers at the terminal, for programs, and as pictures."""

from pathlib import Path

import pytest

from bot.answers.catalogue import CATALOGUE
from bot.chat.command import Command
from bot.chat.replies import (
    Button,
    Cards,
    Choice,
    Download,
    Downloads,
    Form,
    FormFact,
    Menu,
    PageLink,
    Part,
    Picture,
    Reply,
    Row,
    Table,
    Text,
    UserError,
)
from bot.cli.reply_text import KINDS, reply_lines, reply_report
from tests.answers.leagues import LeagueWorld
from tests.cli.running import League, Run, json_of, refused

pytestmark = pytest.mark.any_backend("answers read the logs; nothing is stored")
ANSWERS = [name for name, spec in CATALOGUE.items() if spec.answer is not None]
PNG = b"\x89PNG"


def printed(run: Run, *words: str) -> str:
    result = run("ask", *words)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_table_has_the_rows_of_the_answer_in_chats(run: Run) -> None:
    table = LeagueWorld.again("demo").ask("収支 シーズン2").table
    text = printed(run, "収支 シーズン2")
    lines = [line.split()[:3] for line in text.splitlines()]
    rows = [[row.rank, row.name, row.value] for row in table.rows]
    assert lines[3:12] == rows
    assert text.splitlines()[0] == table.title
    assert table.note in text


def test_words_in_quotes_and_alone_are_the_same_question(run: Run) -> None:
    assert printed(run, "収支 シーズン2") == printed(run, "収支", "シーズン2")


def test_a_members_talk_is_read_as_in_the_chat(run: Run) -> None:
    report = json_of(run("ask", "みどりとさくらの対決", "--json"))
    assert report["command"] == "pair"


def test_json_has_the_command_its_options_and_the_parts(run: Run) -> None:
    report = json_of(run("ask", "収支 シーズン2", "--json"))
    assert report["command"] == "sum"
    assert report["options"] == {"season": "2"}
    (table,) = [part for part in report["parts"] if part["kind"] == "table"]
    answer = LeagueWorld.again("demo").ask("収支 シーズン2").table
    assert [row["value"] for row in table["rows"]] == [row.value for row in answer.rows]


def test_the_data_of_a_button_is_a_question_too(run: Run) -> None:
    report = json_of(run("ask", "収支 シーズン2", "--json"))
    data = {choice["label"]: choice["data"] for choice in report["buttons"] + report["choices"]}
    following = json_of(run("ask", data["第1シーズン"], "--json"))
    assert following["command"] == "sum"
    assert following["options"]["season"] == "1"


def test_the_picture_is_the_one_that_chart_draws(run: Run, tmp_path: Path) -> None:
    answer = tmp_path / "answer.png"
    chart = tmp_path / "chart.png"
    text = printed(run, "レーティング シーズン2", "--png", str(answer))
    assert run("chart", "--season", "2", "-o", str(chart)).exit_code == 0
    assert answer.read_bytes().startswith(PNG)
    assert answer.read_bytes() == chart.read_bytes()
    assert text == f"{answer}: {answer.stat().st_size:,} bytes\n"


def test_the_member_who_asks_is_the_one_named(run: Run) -> None:
    report = json_of(run("ask", "俺の収支", "--member", "みどり", "--json"))
    other = json_of(run("ask", "俺の収支", "--member", "東風", "--json"))
    assert "みどり" in str(report["parts"])
    assert report["parts"] != other["parts"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("zzz",), "zzz: no question of the bot; `flask ask help` prints what it answers"),
        (("罰符",), "罰符: this may change something, so only LINE takes it"),
        (("収支", "2031年"), "2031年の対局はありません"),
        (("ヘルプ", "--png", "help.png"), "this answer has no picture"),
        (("収支", "--json", "--png", "sum.png"), "--json and --png can't be combined"),
        (("収支", "--member", "zzz"), "zzz: no such member"),
        ((), "WORDS..."),
    ],
)
def test_what_has_no_answer_ends_with_one_line(
    run: Run, words: tuple[str, ...], message: str
) -> None:
    assert message in refused(run("ask", *words))


def test_a_broken_log_is_reported_as_by_other_commands(league: League, tmp_path: Path) -> None:
    run = league({"logvol1.txt": ""})
    (tmp_path / "league" / "logvol1.txt").write_bytes(b"\xff\xfe\x00")
    assert refused(run("ask", "収支")) == refused(run("standings"))


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_has_lines_and_json(name: str) -> None:
    world = LeagueWorld.again("nine", me="みどり")
    command = Command(name)
    try:
        reply = world.reply(command)
    except UserError as error:
        reply = error.reply
    assert "".join(reply_lines(reply)).strip()
    report = reply_report(command, reply)
    assert [part["kind"] for part in report["parts"]] == [KINDS[type(p)] for p in reply.parts]


ROW = Row("みどり", "+1", extra=("2戦",), detail="連勝")


@pytest.mark.parametrize(
    ("part", "lines"),
    [
        (Text("一行\n二行"), ["一行", "二行"]),
        (Text("{m0}さん {{0}}", mentions=("U1",)), ["@U1さん {0}"]),
        (Table("表", (ROW,), note="注"), ["表", "みどり  +1  2戦  連勝", "注"]),
        (
            Table("表", (), more=(("群", (ROW,)),)),
            [
                "表",
                "",
                "群",
                "みどり  +1  2戦  連勝",
            ],
        ),
        (Cards((ROW,), "札", "#fff", "#000"), ["みどり  +1  連勝"]),
        (
            Menu(
                "何を",
                (Choice("収支", "a"), Choice("着順", "b")),
                link=("約束", "https://x"),
            ),
            ["何を", "[収支] [着順]", "約束: https://x"],
        ),
        (Downloads("記録", (Download("ログ", "log.txt", b"12"),)), ["記録", "log.txt: 2 bytes"]),
        (PageLink("ページ", "開く", "https://x"), ["ページ", "開く: https://x"]),
        (
            Form(
                "募集",
                ("人", (Button(("参加",), "a"),), FormFact("時刻", "21:00")),
                step="1/2",
            ),
            ["募集", "1/2", "人", "[参加]", "時刻: 21:00"],
        ),
    ],
)
def test_a_part_is_printed(part: Part, lines: list[str]) -> None:
    assert reply_lines(Reply((part,))) == lines


def test_figures_of_a_picture_are_printed_once() -> None:
    table = Table("表", (ROW,))
    picture = Picture("data", lambda chart: b"", "グラフ", instead=(table,))
    lines = reply_lines(Reply((table, picture)))
    assert lines == ["表", "みどり  +1  2戦  連勝", "", "[PNG] グラフ"]
