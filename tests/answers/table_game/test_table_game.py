"""A game at a table and a fine: typed, shown, written once by a tap, counted, taken back within a
day.
"""

import pytest

from bot.league.season_log import SeasonLogs
from bot.league.table_log import TableLog
from rating.roomlog import Fine, format_fine, parse
from storage.ports import StorageError
from tests.answers.world import LEAGUE, LOG, OTHER, BotWorld, taps, words_of

TYPED = "結果 みどり 52000 東風 31000 白發中 22000"
LINE = "卓 | 21:00 | 三般南喰赤－ | みどり一色(+47.0) 東風(本人)(-9.0) 白發中(-38.0)\n"
DAY = "20260504\n"


def confirm(world: BotWorld, text: str = TYPED) -> dict[str, str]:
    answer = world.say(text)
    assert "この内容で記録しますか？" in words_of(answer)
    return taps(answer)


def test_a_typed_result_is_shown_and_only_the_tap_writes_it(world: BotWorld) -> None:
    shown = words_of(world.say(TYPED))
    assert "1着 みどり" in shown
    assert "52,000点　+47.0" in shown
    assert "3着 白發中" in shown
    assert "22,000点　−38.0" in shown
    assert world.read("logvol1.txt") == LOG
    done = world.tap(confirm(world)["記録する"])
    assert "記録しました" in words_of(done)
    assert world.read("logvol1.txt") == LOG + DAY + LINE
    assert "+47.0" in words_of(world.tap("request_today"))


def test_it_counts_also_where_the_rooms_are_named_and_check_knows_it(world: BotWorld) -> None:
    world.write("league.toml", 'rooms = ["C1934"]\nmembers_only = true\n' + LEAGUE)
    world.tap(confirm(world)["記録する"])
    assert world.read("logvol1.txt").endswith(DAY + LINE)
    assert "1戦" in words_of(world.tap("request_today"))
    refused = words_of(world.say("結果 みどり 52000 東風 31000 ゲスト 22000"))
    assert "ゲストのいる対局は記録できません" in refused


def test_the_same_tap_again_and_two_buttons_of_one_game_write_one_line(world: BotWorld) -> None:
    first = confirm(world)["記録する"]
    second = confirm(world)["記録する"]
    for data in (first, first, second):
        answer = words_of(world.tap(data))
    assert "登録済み" in answer
    assert world.read("logvol1.txt") == LOG + DAY + LINE


@pytest.mark.parametrize("after_the_line", [False, True])
def test_a_writer_that_dies_writes_one_line(
    world: BotWorld, monkeypatch: pytest.MonkeyPatch, after_the_line: bool
) -> None:
    """Killed between the tap and the line, or between the line and the note of it; then LINE
    delivers again.
    """
    button = confirm(world)["記録する"]
    real = SeasonLogs.add

    def killed(*args: object, **more: object) -> object:
        if after_the_line:
            real(*args, **more)  # type: ignore[arg-type]
        raise StorageError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(SeasonLogs, "add", killed)
        world.tap(button)
    assert (LINE in world.read("logvol1.txt")) == after_the_line
    assert "記録しました" in words_of(world.tap(button))
    assert world.read("logvol1.txt") == LOG + DAY + LINE


def test_the_last_one_is_taken_back_and_named(world: BotWorld) -> None:
    world.tap(confirm(world)["記録する"])
    world.later(minutes=40)
    old = confirm(world, "卓 白發中 60000 みどり 25000 東風")["記録する"]
    world.tap(old)
    assert world.read("logvol1.txt").count("卓") == 2
    said = words_of(world.say("取り消し", user=OTHER))
    assert (
        "卓の結果を取り消しました。\n5月4日(月) 21:40　白發中 +55.0、みどり −15.0、東風 −40.0"
        in said
    )
    again = world.say("取り消し")  # LINE may deliver the same words twice
    assert "白發中 +55.0" in words_of(again)
    assert world.read("logvol1.txt") == LOG + DAY + LINE
    assert "取り消し済み" in words_of(world.tap(old))
    world.tap(taps(again)["1つ前も取り消す"])
    assert world.read("logvol1.txt") == LOG + DAY
    world.later(minutes=2)
    assert "ありません" in words_of(world.say("取り消し", chat=OTHER, user=OTHER))


def test_a_day_later_or_after_a_hands_correction_nothing_is_taken_back(world: BotWorld) -> None:
    world.tap(confirm(world)["記録する"])
    world.write("logvol1.txt", world.read("logvol1.txt").replace("+47.0", "+48.0"))
    button = confirm(world)["記録する"]
    world.later(minutes=2)
    assert "もうログに残っていません" in words_of(world.say("取り消し"))
    assert "+48.0" in world.read("logvol1.txt")
    world.tap(button)
    world.later(hours=25)
    assert "LINE" not in words_of(world.say("取り消し", chat=OTHER, user=OTHER))
    assert world.read("logvol1.txt").count("卓") == 2


CORRECTED = "結果 みどり 53000 東風 30000 白發中 22000"


def test_undo_takes_back_the_game_recorded_after_a_removal(world: BotWorld) -> None:
    world.tap(confirm(world)["記録する"])
    world.say("取り消し")
    world.tap(confirm(world, CORRECTED)["記録する"])
    assert "取り消しました。\n5月4日(月) 21:00　みどり +48.0" in words_of(world.say("取り消し"))
    assert world.read("logvol1.txt") == LOG + DAY
    again = words_of(world.say("取り消し", user=OTHER))
    assert "この卓の結果は取り消し済みです。\n5月4日(月) 21:00　みどり +48.0" in again


def test_undo_takes_back_the_fine_recorded_after_a_removal(world: BotWorld) -> None:
    world.tap(taps(world.say("罰符 みどり -10 チョンボ"))["記録する"])
    world.say("取り消し")
    world.tap(taps(world.say("罰符 東風 -20 チョンボ"))["記録する"])
    assert "罰符を取り消しました。\n5月4日(月)　罰符 東風 −20.0" in words_of(world.say("取り消し"))
    assert world.read("logvol1.txt") == LOG + DAY
    assert "この罰符は取り消し済みです。" in words_of(world.say("取り消し"))


def test_a_second_undo_says_that_it_is_done_already(world: BotWorld) -> None:
    button = taps(world.tap(confirm(world)["記録する"]))["取り消す"]
    assert "卓の結果を取り消しました" in words_of(world.tap(button))
    for hours in (0, 1, 22):
        world.later(hours=hours)
        assert "取り消し済みです" in words_of(world.say("取り消し"))
        assert "取り消し済みです" in words_of(world.tap(button))
    assert world.read("logvol1.txt") == LOG + DAY


def test_undo_a_day_later_is_answered_with_a_sentence(world: BotWorld) -> None:
    assert "記録した卓の結果や罰符はありません" in words_of(world.say("取り消し"))
    button = taps(world.tap(confirm(world)["記録する"]))["取り消す"]
    world.later(hours=25)
    for answer in (world.say("取り消し"), world.tap(button)):
        assert "取り消せるのは24時間以内です" in words_of(answer)
    assert world.read("logvol1.txt") == LOG + DAY + LINE


def test_the_same_game_recorded_a_minute_later_is_asked_back(world: BotWorld) -> None:
    mine = confirm(world)["記録する"]
    world.later(minutes=1)
    theirs = taps(world.say(TYPED, user=OTHER))["記録する"]
    world.tap(mine)
    asked = world.tap(theirs, user=OTHER)
    assert "同じ結果を、5月4日(月) 21:00に記録してあります。" in words_of(asked)
    assert "記録する" not in taps(asked)
    assert world.read("logvol1.txt") == LOG + DAY + LINE
    world.later(hours=3)
    typed = world.say("結果 白發中 22000 東風 31000 みどり 52000", user=OTHER)
    assert "同じ結果を、5月4日(月) 21:00に記録してあります。" in words_of(typed)
    for answer in (asked, typed):
        world.tap(taps(answer)["別の対局として記録する"], user=OTHER)
    assert world.read("logvol1.txt").count("卓 |") == 3


def test_the_same_game_recorded_in_another_chat_is_asked_back(world: BotWorld) -> None:
    world.tap(confirm(world)["記録する"])
    world.later(minutes=1)
    assert "同じ結果を、5月4日(月) 21:00に" in words_of(world.say(TYPED, user=OTHER, chat=OTHER))


def test_a_game_taken_back_is_recorded_again_without_a_question(world: BotWorld) -> None:
    world.tap(confirm(world)["記録する"])
    world.say("取り消し")
    world.later(minutes=1)
    world.tap(confirm(world)["記録する"])
    assert world.read("logvol1.txt").count("卓 |") == 1


def test_the_same_fine_recorded_a_minute_later_is_asked_back(world: BotWorld) -> None:
    world.tap(taps(world.say("罰符 みどり -10 チョンボ"))["記録する"])
    world.later(minutes=1)
    asked = world.tap(taps(world.say("罰符 みどり 10 誤ロン", user=OTHER))["記録する"])
    assert "同じ人への同じ点数を、5月4日(月) 21:00に記録してあります。" in words_of(asked)
    assert world.read("logvol1.txt") == LOG + DAY + FINE
    world.tap(taps(asked)["別の罰符として記録する"])
    assert world.read("logvol1.txt").count("罰符 |") == 2


def test_another_day_chips_guests_and_a_correction(world: BotWorld) -> None:
    buttons = confirm(world, "結果 みどり 52000 +3枚 東風 31000 -1枚 ゲスト 22000")
    assert "結果 みどり 52000 +3枚 東風 31000 -1枚 ゲスト 22000 -2枚" in words_of(
        world.tap(buttons["直す"])
    )
    yesterday = taps(world.tap(buttons["日付をきのうに"]))
    world.tap(yesterday["記録する"])
    line = "卓 | 23:59 | 三般南喰赤祝 | みどり一色(+47.0,+3枚) 東風(本人)(-9.0,-1枚) NoName(-38.0,-2枚)\n"
    assert world.read("logvol1.txt") == LOG + "20260503\n" + line
    assert "何も書き込んでいません" in words_of(world.tap(buttons["やめる"]))


def test_rules_of_the_table_and_a_log_that_can_not_be_written(world: BotWorld) -> None:
    rules = "[rules]\numa = [20, 0, -20]\n[rules.table]\nstart = 30000\nreturn = 35000\numa = [10, 0, -10]\nties = 'shared'\n"
    world.write("league.toml", LEAGUE + rules)
    shown = words_of(world.say("結果 みどり 40000 東風 40000 白發中 10000"))
    assert shown.count("40,000点　+17.5") == 2
    assert "合計が105,000点です。90,000点になるように" in words_of(world.say(TYPED))
    button = taps(world.say("結果 みどり 40000 東風 40000 白發中"))["記録する"]
    (world.logs / "logvol1.txt").write_bytes(b"\x81\xff\xfe" * 9)
    assert "書き込めません" in words_of(world.tap(button))
    late = LEAGUE.replace("2026-04-01", "2026-06-01")
    world.write("league.toml", late)
    world.write("logvol1.txt", LOG)
    assert "シーズンの開始日" in words_of(world.tap(button))


def test_a_button_whose_members_have_changed_writes_nothing(world: BotWorld) -> None:
    button = confirm(world)["記録する"]
    for data in (
        button.replace("&f=470", "&f=x"),
        button.replace("d=2026", "d=2025"),
        button + "&m=9.9.9",
    ):
        assert "もう一度、結果を送ってください" in words_of(world.tap(data))
    world.write("league.toml", LEAGUE + '[player."新しい人"]\n')
    assert "メンバーの一覧が変わったか" in words_of(world.tap(button))
    assert world.read("logvol1.txt") == LOG


def test_two_who_take_the_last_one_back_at_once_take_one(world: BotWorld) -> None:
    for text in (TYPED, "結果 みどり 22000 東風 31000 白發中 52000"):
        world.tap(confirm(world, text)["記録する"])
    logs: list[TableLog] = []
    real = TableLog.take_out

    def both(log: TableLog, nonce: str) -> object:
        if not logs:
            logs.append(log)
            real(log, nonce)
        return real(log, nonce)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TableLog, "take_out", both)
        assert "白發中 +47.0" in words_of(world.say("取り消し"))
    assert world.read("logvol1.txt") == LOG + DAY + LINE


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("結果 みどり 52000 東風 31000 白發中 20000", "54,000点　+49.0"),
        ("結果 みどり 520 東風 310 白發中 200", "54,000点　+49.0"),
        ("結果 みどり +45.0 東風 -9.0 白發中 -38.0", "+47.0"),
    ],
)
def test_points_short_by_sticks_are_added_to_the_top(
    world: BotWorld, text: str, points: str
) -> None:
    asked = world.say(text)
    assert "供託が2本残っていたなら、「トップに足す」を押してください。" in words_of(asked)
    form = world.tap(taps(asked)["トップに足す"])
    assert f"1着 みどり\n{points}" in words_of(form)
    world.tap(taps(form)["記録する"])
    assert world.read("logvol1.txt").count("卓 |") == 1


def test_sticks_that_are_typed_are_added_to_the_top(world: BotWorld) -> None:
    shown = words_of(world.say("結果 みどり 52000 東風 31000 白發中 20000 供託2本"))
    assert "供託2,000点は、トップのみどりさんに足しました。" in shown
    assert "54,000点　+49.0" in shown
    wrong = words_of(world.say("結果 みどり 52000 東風 31000 白發中 20500"))
    assert "合計が103,500点です。105,000点になるように" in wrong


def test_a_member_may_type_a_word_for_oneself(world: BotWorld) -> None:
    typed = "結果 俺 520 東風 310 白發中 220"
    unknown = world.say(typed)
    assert "だれの点数か、まだ分かりません。" in words_of(unknown)
    world.tap(taps(unknown)["みどり"])
    assert "1着 みどり\n52,000点" in words_of(world.say(typed))


def test_a_result_of_a_typed_day_is_written_under_it(world: BotWorld) -> None:
    form = world.say("4/20 結果 みどり 52000 東風 31000 白發中 22000")
    assert "4月20日(月)　23:59" in words_of(form)
    world.later(hours=1)
    world.tap(taps(form)["記録する"])
    assert "20260420\n" + LINE.replace("21:00", "23:59") in world.read("logvol1.txt")
    late = taps(world.say("結果 4/21 みどり 53000 東風 31000 白發中 21000"))["記録する"]
    world.later(days=4)
    assert "日がたっています" in words_of(world.tap(late))
    for text, sentence in (
        ("13/40 結果", "13月40日という日はありません"),
        ("2027/1/3 結果", "2027年1月3日は、まだ来ていません"),
        ("2026/3/3 結果", "シーズンの開始日"),
    ):
        answer = world.say(f"{text} みどり 52000 東風 31000 白發中 22000")
        if "記録する" in taps(answer):
            answer = world.tap(taps(answer)["記録する"])
        assert sentence in words_of(answer)


FINE = "罰符 | 21:00 | みどり一色(-10.0) チョンボ\n"


def test_a_fine_is_written_once_by_a_tap_and_counts_in_the_balance_alone(world: BotWorld) -> None:
    before = {
        word: words_of(world.say(word))
        for word in ("着順", "レーティング", "点数推移", "今日", "直近")
    }
    form = world.say("罰符 みどり -10 チョンボ")
    assert "みどり\n点数\n−10.0\n理由\nチョンボ" in words_of(form)
    assert world.read("logvol1.txt") == LOG
    for _ in range(2):
        done = world.tap(taps(form)["記録する"])
    assert world.read("logvol1.txt") == LOG + "20260504\n" + FINE
    assert "+40.0" in words_of(world.say("収支"))
    assert "−10.0" in words_of(world.say("内訳"))
    assert "収支は、点数と罰符の合計です。" in words_of(world.say("収支"))
    after = {word: words_of(world.say(word)) for word in before}
    note = "点数に罰符は含みません。"
    assert [word for word in after if note in after[word]] == ["点数推移", "今日"]
    without_note = {word: words.replace(note, "").strip() for word, words in after.items()}
    assert without_note == {word: words.strip() for word, words in before.items()}
    assert world.service.registry.league("").snapshot().problems == ()
    world.say("結果 みどり 52000 東風 31000 白發中 22000")
    said = words_of(world.say("取り消し", user=OTHER))
    assert "罰符を取り消しました。\n5月4日(月)　罰符 みどり −10.0 チョンボ" in said
    assert world.read("logvol1.txt") == LOG + "20260504\n"
    assert "+50.0" in words_of(world.say("収支"))
    assert "取り消し済み" in words_of(world.tap(taps(form)["記録する"]))
    assert words_of(done)


FINES = {
    "罰符 みどり 10": "−10.0",
    "罰符 みどりさん −8000点 フリテンリーチ": "−8.0",
    "ボーナス 東風 5 役満": "+5.0",
    "罰符 白發中 +20 役満祝儀": "+20.0",
    "罰符 みどり ▲２０": "−20.0",
    "罰符 みどり ➖20": "−20.0",
    "罰符 みどり ー8,000点": "−8.0",
    "ボーナス みどり —5.0pt": "−5.0",
    "罰符 みどり ➕20ポイント": "+20.0",
}


def test_forms_in_which_a_fine_is_typed_and_what_can_not_be_read_is_asked_back(
    world: BotWorld,
) -> None:
    for text, points in FINES.items():
        assert f"点数\n{points}" in words_of(world.say(text)), text
    for text in ("罰符", "罰符 だれか -10"):
        assert "送ってください" in words_of(world.say(text))
    button = taps(world.say("罰符 みどり -10"))["記録する"]
    world.write("league.toml", LEAGUE + '[player."新しい人"]\n')
    assert "メンバーの一覧が変わったか" in words_of(world.tap(button))


def test_a_fine_belongs_to_the_player_s_last_game_before_it(world: BotWorld) -> None:
    log = parse("logvol1.txt", (LOG + FINE).encode())
    assert (log.lines[-1].kind, log.lines[-1].fine) == (
        "fine",
        Fine("みどり一色", -10.0, "チョンボ"),
    )
    fine = log.lines[-1].fine
    assert fine is not None
    start = log.games[0].start
    assert start is not None
    assert format_fine(fine, start) == FINE.replace("21:00", "20:00").rstrip()
    world.write("logvol1.txt", LOG + FINE + FINE.replace("みどり一色(-10.0)", "だれか(+3.0)"))
    assert world.service.registry.league("").snapshot().fines == {
        ("logvol1.txt", 2, "みどり一色"): -10.0
    }
    broken = parse("logvol1.txt", FINE.replace("21:00", "27:00").encode()).lines[0]
    assert (broken.kind, bool(broken.reason)) == ("problem", True)
