"""The admin's commands show a change, ask for confirmation and write it.

Members cannot use them.
"""

from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.demo_chat import DEMO_GROUP
from rating.league import League
from rating.league_file import parse_league
from tests.answers.world import ADMIN, LEAGUE, LOG, MEMBER, BotWorld, taps, words_of
from tests.real import cases

pytestmark = pytest.mark.any_backend("writes files; stores of files have their own contract suite")

COMMANDS = ["設定", "新シーズン", "別名 みどり 緑", "メンバー", "チーム編成 東家 みどり"]
COMMANDS += ["モデル", "登録", "解除"]
MODELS = ["tenhou", "jansou"]


def league(world: BotWorld) -> League:
    return parse_league(world.read("league.toml"), MODELS)


def confirmed(world: BotWorld, words: str, chat: str = DEMO_GROUP) -> str:
    """The text before 確定 is tapped, and the text after it."""
    shown = world.say(words, ADMIN, chat)
    assert {"確定", "やめる"} <= set(taps(shown)), words_of(shown)
    done = world.tap(taps(shown)["確定"], ADMIN, chat)
    return words_of(shown) + "\n" + words_of(done)


def test_members_are_told_politely_where_they_speak_to_the_bot(world: BotWorld) -> None:
    told = "この操作は管理者専用です。管理者にお願いしてください。"
    overheard = []
    for words in COMMANDS:
        assert words_of(world.say(words, MEMBER, MEMBER)) == told
        assert words_of(world.say(f"@雀録 {words}")) == told
        overheard.append(world.platform.say(DEMO_GROUP, MEMBER, words))
    assert "管理者専用" in words_of(world.tap("request_settings"))
    assert not any(map(world.platform.replied, overheard))
    assert world.read("league.toml") == LEAGUE


@pytest.mark.parametrize("chat", [DEMO_GROUP, ADMIN])
def test_a_new_season_from_today(world: BotWorld, chat: str) -> None:
    said = confirmed(world, "新シーズン", chat)
    assert "第2シーズン" in said
    assert "5月4日(月)から" in said
    assert "logvol2.txt" in said
    new = world.read("league.toml")
    table = '[[season]]\nname = "第2シーズン"\nlog = "logvol2.txt"\nstart = 2026-05-04\n\n'
    assert new == LEAGUE.replace('[player."みどり一色"]', table + '[player."みどり一色"]')
    assert (world.logs / "history/league.toml/00.toml").read_bytes() == LEAGUE.encode()


def test_a_season_with_a_name_and_a_day(world: BotWorld) -> None:
    said = confirmed(world, "新シーズン 春の 陣 6/1から")
    assert "春の 陣を始めました（6月1日(月)から）" in said
    assert league(world).seasons[1].name == "春の 陣"
    assert "2026年6月1日 に始まっています" in words_of(world.say("新シーズン 5/1", ADMIN))


def test_an_alias(world: BotWorld) -> None:
    said = confirmed(world, "別名 みどり 緑一色の人")
    assert "みどり（みどり一色）" in said
    assert "すべての対局" in said
    confirmed(world, "別名 みどり一色 りゅういーそー 2026-05-01から")
    aliases = league(world).players["みどり一色"].aliases
    since = {alias.name: str(alias.since) for alias in aliases}
    assert since == {"緑一色の人": "None", "りゅういーそー": "2026-05-01"}
    assert "別名です" in words_of(world.say("別名 白發中 緑一色の人", ADMIN))
    assert "本人の名前" in words_of(world.say("別名 白發中 まん|がん", ADMIN))
    assert "もしかして みどり" in words_of(world.say("別名 みどり一索 x", ADMIN))
    assert "の順に送ってください" in words_of(world.say("別名", ADMIN))


def test_an_alias_as_the_logs_write_it(world: BotWorld) -> None:
    line = "C1934 | 21:00 | 三般南喰赤－ | ｍ９（＾）(+40.0) 白發中(+1.0) 両面待ち(-41.0)\n"
    world.write("logvol1.txt", LOG + line)
    said = confirmed(world, "別名 みどり m9(^)")
    assert "いま別の人として数えている 1戦もまとめます" in said
    assert league(world).players["みどり一色"].aliases[0].name == "ｍ９（＾）"
    table = words_of(world.say("メンバー", ADMIN))
    assert "別名 ｍ９（＾）" in table


def test_members_listed_added_renamed(world: BotWorld) -> None:
    listed = world.say("メンバー", ADMIN)
    read = words_of(listed)
    assert "天鳳 みどり一色" in read
    assert "両面待ち\n1戦\nleague.toml にいません" in read
    added = world.tap(taps(listed)["両面待ちを加える"], ADMIN)
    world.tap(taps(added)["確定"], ADMIN)
    confirmed(world, "メンバー 追加 海底丸 かいてい")
    confirmed(world, "メンバー 東風 とんぷう")
    players = league(world).players
    assert players["両面待ち"].shown == "両面待ち"
    assert players["海底丸"].shown == "かいてい"
    assert players["東風(本人)"].shown == "とんぷう"
    assert "その内容で登録済み" in words_of(world.say("メンバー 追加 海底丸", ADMIN))
    assert "見つかりません" in words_of(world.say("メンバー だれか x", ADMIN))
    assert "20文字まで" in words_of(world.say("メンバー 追加 " + "あ" * 21, ADMIN))


def test_members_only(world: BotWorld) -> None:
    shown = world.tap(taps(world.say("メンバー", ADMIN))["メンバーだけ数える"], ADMIN)
    assert "両面待ちの入った対局は数えなくなります" in words_of(shown)
    world.tap(taps(shown)["確定"], ADMIN)
    head = 'name = "雀録杯"   # わたしたちのリーグ\nmembers_only = true\n\n[[season]]'
    assert world.read("league.toml").startswith(head)
    assert "みどり\n1戦" in words_of(world.say("メンバー", ADMIN))
    confirmed(world, "メンバー 限定 オフ")
    assert not league(world).members_only


def test_members_only_needs_members(world: BotWorld) -> None:
    world.write("league.toml", "")
    assert "3人いないと" in words_of(world.say("メンバー 限定 オン", ADMIN))


def test_teams(world: BotWorld) -> None:
    assert "の順に送ってください" in words_of(world.say("チーム編成", ADMIN))
    confirmed(world, "チーム編成 東家 みどり 白發中")
    said = confirmed(world, "チーム編成 東家 みどり 東風")
    assert "みどり、白發中 から" in said
    assert league(world).teams[0].members == ("みどり一色", "東風(本人)")
    assert "もうチーム 東家 に" in words_of(world.say("チーム編成 南家 みどり まん|がん", ADMIN))
    assert "東家：みどり、東風" in words_of(world.say("チーム編成", ADMIN))


def test_the_model(world: BotWorld) -> None:
    shown = world.say("モデル", ADMIN)
    asked = world.tap(taps(shown)["得点レート"], ADMIN)
    world.tap(taps(asked)["確定"], ADMIN)
    assert league(world).model == "jansou"


def test_the_settings_show_the_chat(world: BotWorld) -> None:
    shown = world.say("設定", ADMIN)
    assert DEMO_GROUP in words_of(shown)
    assert "正しく読めています" in words_of(shown)
    for name in ("新シーズン", "メンバー", "別名", "チーム編成", "モデル"):
        assert world.tap(taps(shown)[name], ADMIN)


def test_without_a_file_one_is_made(world: BotWorld) -> None:
    (world.logs / "league.toml").unlink()
    world.look()
    confirmed(world, "新シーズン")
    made = '[[season]]\nname = "第2シーズン"\nlog = "logvol2.txt"\nstart = 2026-05-04\n'
    assert world.read("league.toml") == made


def test_stopped_late_twice_by_others_and_elsewhere(world: BotWorld) -> None:
    buttons = taps(world.say("新シーズン", ADMIN))
    assert "管理者専用" in words_of(world.tap(buttons["確定"], MEMBER))
    assert "期限切れ" in words_of(world.tap(buttons["確定"], ADMIN, ADMIN))
    assert "やめました" in words_of(world.tap(buttons["やめる"], ADMIN))
    assert "期限切れ" in words_of(world.tap(buttons["確定"], ADMIN))
    assert world.read("league.toml") == LEAGUE
    button = taps(world.say("新シーズン", ADMIN))["確定"]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda _: world.tap(button, ADMIN), range(2)))
    said = sorted(map(words_of, answers))
    assert said == ["もう反映してあります。", "第2シーズンを始めました（5月4日(月)から）。"]
    assert world.read("league.toml").count("logvol2.txt") == 1
    for forged in ("", "%00", "../", "0" * 16, "f" * 250):
        assert "期限切れ" in words_of(world.tap(f"request_confirm?k={forged}&do=yes", ADMIN))


def test_an_edit_is_confirmed_for_its_own_league_alone(world: BotWorld) -> None:
    button = taps(world.say("新シーズン", ADMIN, ADMIN))["確定"]
    world.write("north/league.toml", LEAGUE)
    world.service.access.enrol(ADMIN, "north")
    assert "期限切れ" in words_of(world.tap(button, ADMIN, ADMIN))
    assert world.read("north/league.toml") == world.read("league.toml") == LEAGUE


def test_two_admins_start_the_same_season_and_an_edit_by_hand_meanwhile_is_kept(
    world: BotWorld,
) -> None:
    first = taps(world.say("新シーズン", ADMIN))["確定"]
    second = taps(world.say("新シーズン", ADMIN))["確定"]
    world.tap(first, ADMIN)
    assert "2026年5月4日 に始まっています" in words_of(world.tap(second, ADMIN))
    assert world.read("league.toml").count("logvol2.txt") == 1
    world.write("league.toml", LEAGUE)
    button = taps(world.say("新シーズン", ADMIN))["確定"]
    world.write("league.toml", LEAGUE + "\n# 手で足した\n[rules]\nchip = 3\n")
    world.tap(button, ADMIN)
    assert "# 手で足した\n[rules]\nchip = 3\n" in world.read("league.toml")
    assert league(world).seasons[1].log == "logvol2.txt"


BROKEN = cases("broken_leagues.tsv")


def test_a_broken_file_is_told_to_the_admin_alone(world: BotWorld) -> None:
    world.tap("request_sum")
    for line, reason, lines in BROKEN:
        text = lines.replace("\\n", "\n")
        world.write("league.toml", text)
        told = words_of(world.say("収支", ADMIN, ADMIN))
        assert f"league.toml の{line}行目に間違いがあるので、直してください" in told, told
        assert reason in told
        assert "前の内容で動きます" in told
        assert "みどり" in told  # the last valid league.toml stays in force
        assert "league.toml" not in words_of(world.say("収支"))
        assert f"{line}行目" in words_of(world.say("設定", ADMIN))
        assert f"{line}行目" in words_of(world.say("新シーズン", ADMIN))
        assert world.read("league.toml") == text


def test_in_the_group_the_admin_is_told_once(world: BotWorld) -> None:
    world.write("league.toml", "name = ")
    assert "間違い" in words_of(world.say("収支", ADMIN))
    assert "間違い" not in words_of(world.say("収支", ADMIN))
    world.write("league.toml", "nam = 'x'")
    assert "nam という項目" in words_of(world.say("収支", ADMIN))
    (world.logs / "league.toml").write_bytes(b"name = '\xff'\n")
    world.look()
    assert "UTF-8" in words_of(world.say("収支", ADMIN))
