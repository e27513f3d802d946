"""Recording a team match in the chat: pick, type, confirm, undo.

Each one is written once, whatever fails.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bot.answers.common.members import checksum
from bot.demo_chat import DEMO_GROUP
from bot.league.recorded import STUCK, RecordStep
from bot.league.team_log import TeamLogEntry, _key, _text, appended, without
from tests.answers.leagues import LeagueWorld
from tests.answers.world import (
    ADMIN,
    LEAGUE,
    LOG,
    MEMBER,
    NAMES,
    OTHER,
    BotWorld,
    nonce,
    opened,
    taps,
    words_of,
)
from tests.backend import Backend
from tests.fakes.dropbox import FakeDropbox
from tests.real import cases

LINE = "2026-05-04 | みどり一色 白發中 東風(本人) まん|がん | o x o\n"
FOUR = ("みどり", "白發中", "東風", "まん|がん")
WON = ("みどり・白發中", "白發中・東風", "みどり・東風")  # in the first, second and third game


def to_results(world: BotWorld, chat: str = DEMO_GROUP) -> dict[str, str]:
    """The buttons after four members are named."""
    answer = world.say(f"記録 {' '.join(FOUR)}", chat=chat)
    assert "1戦目" in words_of(answer)
    assert "①みどり ②白發中 ③東風 ④まん|がん" in words_of(answer)
    return taps(answer)


def to_confirm(world: BotWorld, chat: str = DEMO_GROUP) -> dict[str, str]:
    buttons = to_results(world, chat)
    answer = world.tap_all([buttons[side] for side in WON], chat=chat)
    assert "この内容で記録しますか" in words_of(answer)
    assert "○ みどり・白發中\n× 東風・まん|がん" in words_of(answer)
    assert "5月4日(月)" in words_of(answer)
    return taps(answer)


def test_a_recording_is_four_bubbles() -> None:
    """Members, results, summary, done: taps before a form is complete get no answer of their
    own.
    """
    league = LeagueWorld.again("nine")
    asked = league.ask("request_record")
    said = [len(asked.messages)]
    texts = {tap["label"]: tap["displayText"] for tap in asked.choices if "displayText" in tap}
    for name in ("みどり", "白發中", "東風", "海底丸"):
        assert texts[name] == name, "what was tapped stands in the chat"
        answer = league.ask(asked.taps[name])
        said.append(len(answer.messages))
    assert "①みどり ②白發中 ③東風 ④海底丸" in answer.words
    for pair in ("みどり・白發中", "白發中・東風", "みどり・東風"):
        last = league.ask(answer.taps[pair])
        said.append(len(last.messages))
    assert said == [1, 0, 0, 0, 1, 0, 0, 1]
    assert "この内容で記録しますか？" in last.words
    assert "○ みどり・東風\n× 白發中・海底丸" in last.words


def test_the_same_tap_again_changes_nothing() -> None:
    league = LeagueWorld.again("nine")
    buttons = league.ask("request_record").taps
    assert league.ask(buttons["白發中"]).messages == []
    again = league.ask(buttons["白發中"])
    assert "白發中さんはもう選んであります。あと3人を押してください。\n①白發中" in again.words
    for name in ("みどり", "東風", "海底丸"):
        results = league.ask(buttons[name])
    assert "もう4人そろっています。" in league.ask(buttons["さくら"]).words
    won = results.taps
    for side in ("白發中・みどり", "東風・海底丸", "白發中・海底丸"):
        assert league.ask(won[side]).messages == []
    assert "○ 東風・海底丸" in league.ask(won["白發中・東風"]).words, (
        "the last tap of a game counts"
    )
    assert "○ 白發中・みどり" in league.ask(won["白發中・みどり"]).words, (
        "a change brings the summary again"
    )


@pytest.mark.parametrize("chat", [DEMO_GROUP, MEMBER])
def test_a_session_is_picked_said_and_confirmed(world: BotWorld, chat: str) -> None:
    buttons = to_confirm(world, chat)
    assert not (world.logs / "teamlog.txt").exists()
    answer = world.tap(buttons["記録する"], chat=chat)
    assert "記録しました" in words_of(answer)
    assert world.read("teamlog.txt") == LINE
    assert (
        answer[0]["altText"] == "2対2を記録しました（5月4日(月)　みどり、白發中、東風、まん|がん）"
    )
    assert world.tap(taps(answer)["2対2レート"], chat=chat)


def test_members_are_picked_by_taps_and_those_who_were_typed_bear_their_seats(
    world: BotWorld,
) -> None:
    buttons = taps(world.tap("request_record"))
    assert set(buttons) >= {*FOUR, NAMES[4]}
    results = world.tap_all([buttons[name] for name in FOUR])
    assert all(name in words_of(results) for name in FOUR)
    assert "あと3戦" in words_of(results)
    answer = world.say("記録 白發中 みどり")
    read = words_of(answer)
    assert read.index("①\n白發中")
    assert "②\nみどり" in read
    assert "あと2人" in read
    buttons = taps(answer)
    assert "①白發中 ②みどり" in words_of(world.tap(buttons["みどり"]))
    results = world.tap_all([buttons["東風"], buttons["両面待ち"]])
    assert "①白發中 ②みどり" in words_of(results)
    fresh = world.tap(taps(results)["メンバーを選び直す"])
    assert "あと4人" in words_of(fresh)


def test_all_in_one_line_and_talk_about_records_is_left_alone(world: BotWorld) -> None:
    talk = world.platform.say(DEMO_GROUP, MEMBER, "記録 更新したよ！")
    answer = world.say("記録 みどり 白發中 東風 まん|がん ○×○")
    world.tap(taps(answer)["記録する"])
    assert world.read("teamlog.txt") == LINE
    answer = world.say("記録 みどり 東風　白發中 両面待ち ｏ ｘ なし")
    assert "なし" in words_of(answer)
    assert "○ みどり・東風" in words_of(answer)
    assert "あと2人" in words_of(world.say("記録 みどり 東風"))
    assert "見つかりません" in words_of(world.say("記録 みどり だれか", chat=MEMBER))
    assert not world.platform.replied(talk)


def test_a_double_tap_and_a_redelivery_record_once(world: BotWorld) -> None:
    button = to_confirm(world)["記録する"]
    delivery = world.platform.tap(DEMO_GROUP, MEMBER, button)
    world.answers(delivery)
    world.platform.redeliver(delivery)
    again = world.tap(button, OTHER)
    assert "登録済み" in words_of(again)
    assert world.read("teamlog.txt") == LINE
    world.tap(taps(again)["取り消す"])
    assert world.read("teamlog.txt") == ""
    assert "もう残っていません" in words_of(world.tap(button))
    assert world.read("teamlog.txt") == ""


def test_many_at_once_lose_nothing(world: BotWorld) -> None:
    buttons = [to_confirm(world)["記録する"] for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(world.tap, buttons * 2))
    assert sum("記録しました" in words_of(answer) for answer in answers) == 6
    assert world.read("teamlog.txt") == LINE * 6


@pytest.mark.parametrize(
    "before",
    [
        "# 2対2の記録\r\n2026-04-01 | a b c d | o o o\r\n\r\n",
        "\ufeff2026-04-01 | a b c d | o o o   \n壊れた行 # そのまま",
        "2026-04-01 | a b c d | o o o\r\nx",
    ],
)
def test_hand_edits_stay_byte_for_byte(world: BotWorld, before: str) -> None:
    world.write("teamlog.txt", before)
    answer = world.tap(to_confirm(world)["記録する"])
    after = world.read("teamlog.txt")
    end = "\r\n" if "\r\n" in before else "\n"
    assert after.startswith(before)
    separator = "" if before.endswith("\n") else end
    assert after == before + separator + LINE.replace("\n", end)
    assert (world.logs / "history/teamlog.txt/00.txt").read_bytes() == before.encode()
    world.tap(taps(answer)["取り消す"])
    assert world.read("teamlog.txt") == before + separator


def test_a_team_log_in_another_encoding_becomes_utf_8_and_what_is_no_text_is_left(
    world: BotWorld,
) -> None:
    path = world.logs / "teamlog.txt"
    before = "# 佐藤\n2026-04-01 | a b c d | o o o\n"
    for number, encoding in enumerate(("cp932", "utf-16")):
        path.write_bytes(before.encode(encoding))
        world.tap(to_confirm(world)["記録する"])
        assert path.read_text("utf-8") == before + LINE
        kept = world.logs / f"history/teamlog.txt/{number:02}.txt"
        assert kept.read_bytes() == before.encode(encoding)
    path.write_bytes(bad := "# 佐藤\n".encode("cp932") + "# 高橋\n".encode())
    assert "UTF-8 で保存し直す" in words_of(world.tap(to_confirm(world)["記録する"]))
    assert path.read_bytes() == bad


def test_undo_takes_that_line_of_several_alike(world: BotWorld) -> None:
    world.write("teamlog.txt", LINE + "# a\n")
    answer = world.tap(to_confirm(world)["記録する"])
    world.write("teamlog.txt", "# 上に足した\n" + world.read("teamlog.txt") + "# b\n")
    undone = world.tap(taps(answer)["取り消す"], OTHER)
    assert world.read("teamlog.txt") == "# 上に足した\n" + LINE + "# a\n# b\n"
    assert "みどり、白發中、東風、まん|がん" in words_of(undone)
    assert "もう残っていません" in words_of(world.tap(taps(answer)["取り消す"]))
    assert world.read("teamlog.txt").count(LINE) == 1


def test_undo_within_a_day_from_the_same_chat_and_of_a_line_that_is_there(world: BotWorld) -> None:
    undo = taps(world.tap(to_confirm(world)["記録する"]))["取り消す"]
    assert "もう残っていません" in words_of(world.tap(undo, MEMBER, MEMBER))
    world.write("teamlog.txt", "")  # by hand
    assert "もう残っていません" in words_of(world.tap(undo))
    undo = taps(world.tap(to_confirm(world)["記録する"]))["取り消す"]
    world.later(hours=24, minutes=5)
    assert "24時間以内" in words_of(world.tap(undo))
    assert world.read("teamlog.txt") == LINE


def test_yesterday_and_corrections(world: BotWorld) -> None:
    buttons = to_confirm(world)
    yesterday = world.tap(buttons["日付をきのうに"])
    assert "5月3日(日)" in words_of(yesterday)
    mended = world.tap(taps(yesterday)["直す"])
    none = world.tap(taps(mended)["なし"])
    assert "なし" in words_of(none)
    world.tap(taps(none)["記録する"])
    assert world.read("teamlog.txt") == LINE.replace("05-04", "05-03").replace("o x o", "o x -")


def test_nothing_played_is_no_session(world: BotWorld) -> None:
    data = to_results(world)["なし"]  # of the third game; of the other two it differs in g alone
    every = [data.replace("g=2", f"g={game}") for game in range(3)]
    answer = world.tap_all(every)
    assert "1戦も打っていない" in words_of(answer)
    assert "記録する" not in taps(answer)
    old = data.partition("&g=")[0] + "&r=---"
    assert "1戦も打っていない" in words_of(world.tap(old))
    assert "1戦も打っていない" in words_of(world.tap(old + "&go=1"))


def test_stopping_writes_nothing_and_another_list_of_members_is_noticed(world: BotWorld) -> None:
    assert "やめました" in words_of(world.tap(to_confirm(world)["やめる"]))
    button = to_confirm(world)["記録する"]
    world.write(
        "logvol1.txt",
        LOG + "C1934 | 21:00 | 三般南喰赤－ | 新人(+40.0) 白發中(+1.0) 両面待ち(-41.0)\n",
    )
    answer = world.tap(button)
    assert "一覧が変わったか" in words_of(answer)
    assert "新人" in taps(answer)
    assert not (world.logs / "teamlog.txt").exists()


def test_forged_data_writes_nothing(world: BotWorld, caplog: pytest.LogCaptureFixture) -> None:
    button = taps(world.tap("request_record"))["白發中"]
    key = button.partition("k=")[2][:8]
    for data in (data for kind, data in cases("forged.tsv") if kind == "record"):
        assert world.tap(data.format(k=key)), data
        assert not (world.logs / "teamlog.txt").exists(), data
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_twenty_and_sixty_members_with_long_names(world: BotWorld) -> None:
    for count in (20, 60):
        names = [f"とても長い名前の人{i:02d}" for i in range(count)]
        world.write(
            "league.toml",
            "".join(f'[player."p{i}"]\nname = "{name}"\n' for i, name in enumerate(names)),
        )
        world.write("logvol1.txt", "")
        answer = world.tap("request_record")
        seen = set(taps(answer))
        while "ほかの人たち" in taps(answer):
            answer = world.tap(taps(answer)["ほかの人たち"])
            seen |= set(taps(answer))
        assert seen >= set(names)
        buttons = taps(answer)
        results = world.tap_all([buttons[name] for name in names[-1:-5:-1]])
        assert "1戦目" in words_of(results)


def test_too_few_members(world: BotWorld) -> None:
    world.write("league.toml", "")
    world.write("logvol1.txt", LOG.split("C1934 | 20:30")[0])
    assert "4人以上" in words_of(world.tap("request_record"))


def test_dead_writers_are_made_good(world: BotWorld) -> None:
    """A process dies after it noted the entry in the state store, before or after it wrote the
    file.
    """
    seconds = world.now.timestamp()
    for already in (False, True):
        button = to_confirm(world)["記録する"]
        before = world.read("teamlog.txt") if (world.logs / "teamlog.txt").exists() else ""
        note = TeamLogEntry(
            DEMO_GROUP, LINE.strip(), RecordStep.ADDING, before.count(LINE), seconds, seconds
        )
        assert world.service.state.values.add(_key(nonce(button)), _text(note))
        if already:
            world.write("teamlog.txt", before + LINE)
        assert "少し待って" in words_of(world.tap(button))
        world.later(seconds=STUCK + 1)
        assert "記録しました" in words_of(world.tap(button))
        assert world.read("teamlog.txt") == before + LINE
        seconds = world.now.timestamp()


def test_names_the_file_can_not_hold(world: BotWorld) -> None:
    world.write("league.toml", '[player."a b"]\n[player.c]\n[player.d]\n[player.e]\n')
    world.write("logvol1.txt", "")
    buttons = taps(world.tap("request_record?m=0.1.2.3&k=" + checksum(("a b", "c", "d", "e"))))
    answer = world.tap_all([buttons[side] for side in ("a b・c", "a b・e", "a b・d")])
    assert "空白のあるメンバー" in words_of(world.tap(taps(answer)["記録する"]))
    assert not (world.logs / "teamlog.txt").exists()


def test_old_buttons_record_nothing_twice(world: BotWorld) -> None:
    button = to_confirm(world)["記録する"]
    world.tap(button)
    world.later(days=2)
    assert "登録済み" in words_of(world.tap(button))
    world.later(days=2)
    assert "日がたっています" in words_of(world.tap(button))
    assert world.read("teamlog.txt") == LINE


@given(
    st.lists(
        st.sampled_from([b"a\n", b"a\r\n", b"# \xff\n", b"\n", LINE.encode(), b"\xef\xbb\xbf x\n"])
    ),
    st.sampled_from([b"", b"a", b"\r", LINE.strip().encode()]),
)
def test_put_in_and_taken_out_all_else_stays(lines: list[bytes], last: bytes) -> None:
    before = b"".join(lines) + last
    after = appended(before, LINE.strip())
    assert after.startswith(before)
    lines_after = [line.strip() for line in after.split(b"\n")]
    nth = lines_after.count(LINE.strip().encode()) - 1
    at = after.count(b"\n") - 1
    entry = TeamLogEntry("C1", LINE.strip(), "there", 0, 0.0, 0.0, at, nth)
    taken = without(after, entry)
    assert taken.startswith(before)
    assert taken[len(before) :] in (b"", b"\n", b"\r\n")
    assert without(before, replace(entry, nth=nth, at=10_000)) == before


BEFORE = "# 手書き\r\n2026-04-01 | みどり一色 白發中 東風(本人) まん|がん | x x -\r\n"
LINES = [
    f"2026-05-04 | みどり一色 白發中 東風(本人) まん|がん | {marks}"
    for marks in ("o o o", "x x x", "o - x")
]


@pytest.fixture
def dropbox() -> Iterator[FakeDropbox]:
    with FakeDropbox(latency=0.02) as fake, fake.patched():
        fake.account.put("/league/league.toml", LEAGUE.encode())
        fake.account.put("/league/logvol1.txt", LOG.encode())
        fake.account.put("/league/teamlog.txt", BEFORE.encode())
        yield fake


@pytest.fixture
def over_dropbox(tmp_path: Path, backend: Backend, dropbox: FakeDropbox) -> Iterator[BotWorld]:
    env = {"LOGS_URL": "dropbox:/league", **dropbox.credentials()}
    with opened(tmp_path, backend, env) as made:
        yield made


def buttons(world: BotWorld) -> list[tuple[str, str]]:
    """The last buttons of three team matches and two edits: (data, the user who taps)."""
    found = [
        (taps(world.say(f"記録 {' '.join(FOUR)} {line[-5:]}"))["記録する"], MEMBER)
        for line in LINES
    ]
    season = taps(world.say("新シーズン", ADMIN))["確定"]
    team = taps(world.say("チーム編成 東家 みどり 東風", ADMIN))["確定"]
    return [
        (found[0][0], MEMBER),
        (season, ADMIN),
        (found[1][0], OTHER),
        (team, ADMIN),
        (found[2][0], ADMIN),
    ]


def test_two_recordings_and_an_edit_at_the_same_moment(
    over_dropbox: BotWorld, dropbox: FakeDropbox
) -> None:
    pressed = buttons(over_dropbox)
    with ThreadPoolExecutor(5) as pool:
        answers = list(pool.map(lambda tap: words_of(over_dropbox.tap(*tap)), pressed))
    assert sum("記録しました" in answer for answer in answers) == 3
    assert sum("始めました" in answer or "決めました" in answer for answer in answers) == 2
    teamlog = dropbox.account.get("/league/teamlog.txt").decode()
    assert teamlog.startswith(BEFORE)
    assert sorted(teamlog.removeprefix(BEFORE).split("\r\n")) == sorted([*LINES, ""])
    league = dropbox.account.get("/league/league.toml").decode()
    assert 'log = "logvol2.txt"' in league
    assert '[team."東家"]\nmembers = ["みどり一色", "東風(本人)"]\n' in league
    assert "# わたしたちのリーグ" in league
    account = dropbox.account
    kept = [account.get(path) for path in account.paths() if "/history/" in path]
    assert BEFORE.encode() in kept
    assert LEAGUE.encode() in kept


def test_dropbox_out_of_reach_is_said_and_the_tap_repeated(
    over_dropbox: BotWorld, dropbox: FakeDropbox
) -> None:
    (button, user), *_ = buttons(over_dropbox)
    fault = dropbox.fail("files/upload", times=99, status=500)
    assert "読みに行けません" in words_of(over_dropbox.tap(button, user))
    fault.times = 0
    dropbox.fail("files/upload", times=1, lost=True)
    assert "記録しました" in words_of(over_dropbox.tap(button, user))
    assert dropbox.account.get("/league/teamlog.txt").decode() == f"{BEFORE}{LINES[0]}\r\n"
