"""Who may ask: strangers get one polite sentence and nothing else, whatever they send."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.chat.access import LOOKUPS, MEMBER_DAY, STRANGER_TIME, Access, ChatAccess
from bot.demo_chat import DEMO_GROUP, DEMO_STRANGER
from bot.texts import STRANGER
from storage.ports import StorageError
from storage.state import State, open_state
from tests.answers.conftest import world
from tests.answers.world import ADMIN, LEAGUE, LOG, MEMBER, OTHER, BotWorld, away, taps, words_of
from tests.backend import Backend
from tests.clock import Clock
from tests.real import cases

__all__ = ["world"]
OUTSIDER = DEMO_STRANGER.id
SECRET = "ひみつの人"
FORGED = [data for kind, data in cases("forged.tsv") if kind == "any"] + [
    "x" * 300,
    "\U0001f600" * 150,
    "request_rating?" + "&".join(f"a{i}=1" for i in range(40)),
    "request_matchup?player=~000000000000&other=" + "%ff" * 60,
]


@pytest.fixture
def north(world: BotWorld) -> str:
    """The group of another league in the same service, with the folder `north`."""
    for name in ("north", "south"):
        text = LOG.replace("みどり一色", SECRET if name == "north" else "みなみ")
        world.write(f"{name}/logvol1.txt", text)
    group = world.platform.add_group("北のリーグ", [ADMIN, OTHER, OUTSIDER])
    assert "登録しました" in words_of(world.say("登録 north", ADMIN, group))
    return group


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        record.getMessage()
        for record in caplog.records
        if record.levelname in ("ERROR", "CRITICAL")
    ]


def test_strangers_get_one_polite_sentence(
    world: BotWorld, caplog: pytest.LogCaptureFixture
) -> None:
    group = world.platform.add_group("よそのグループ", [OUTSIDER])
    for data in ("request_rating", "request_menu", "request_settings", *FORGED):
        for chat in (group, OUTSIDER) * 2:
            assert world.tap(data, OUTSIDER, chat) == [{"type": "text", "text": STRANGER}], data
    for words in ("レーティング", "ぐらふ", "登録", "登録 north", "解除", "設定", "@雀録 メニュー"):
        assert words_of(world.say(words, OUTSIDER, group)) == STRANGER
        assert words_of(world.say(words, OUTSIDER, OUTSIDER)) == STRANGER
    assert words_of(world.answers(world.platform.follow(OUTSIDER))) == STRANGER
    assert words_of(world.answers(world.platform.join(group))) == STRANGER
    assert words_of(world.answers(world.platform.member_joined(group, MEMBER))) == STRANGER
    sent = world.platform.say(group, OUTSIDER, "こんばんは")
    world.tap("request_menu")
    assert not world.platform.replied(sent)
    assert errors(caplog) == []


def test_forged_data_of_a_member_shows_nothing_of_another_league(
    world: BotWorld, north: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert SECRET in str(world.tap("request_sum", ADMIN, north))
    for data in FORGED:
        for user, chat in ((MEMBER, DEMO_GROUP), (ADMIN, DEMO_GROUP), (MEMBER, MEMBER)):
            assert SECRET not in str(world.tap(data, user, chat)), data
            assert not (world.logs / "teamlog.txt").exists(), data
    assert errors(caplog) == []


def test_each_chat_sees_its_own_league(world: BotWorld, north: str) -> None:
    for question in ("request_sum", "request_rank", "request_player", "request_record"):
        ours = str(world.tap(question))
        theirs = str(world.tap(question, OTHER, north))
        assert "みどり" in ours
        assert SECRET not in ours
        assert SECRET in theirs
        assert "みどり" not in theirs
    world.tap("request_sum", OTHER, north)
    # This user was last seen in the group of `north`.
    assert SECRET in str(world.tap("request_sum", OTHER, OTHER))
    assert "みどり" in str(world.tap("request_sum", MEMBER, MEMBER))


def test_buttons_of_one_league_do_nothing_in_another(world: BotWorld, north: str) -> None:
    record = world.say(f"記録 {SECRET} 白發中 まん|がん 両面待ち o o o", OTHER, north)
    assert "一覧が変わったか" in words_of(world.tap(taps(record)["記録する"]))
    undo = taps(world.tap(taps(record)["記録する"], OTHER, north))["取り消す"]
    assert "もう残っていません" in words_of(world.tap(undo))
    assert SECRET in world.read("north/teamlog.txt")
    edit = taps(world.say("新シーズン", ADMIN, north))["確定"]
    assert "期限切れ" in words_of(world.tap(edit, ADMIN))
    world.say("登録 south", ADMIN, north)
    assert "期限切れ" in words_of(world.tap(edit, ADMIN, north))
    assert world.read("league.toml") == LEAGUE
    assert not (world.logs / "south/league.toml").exists()


def test_enrolling_checks_the_folder_and_shows_the_chat(world: BotWorld) -> None:
    group = world.platform.add_group("新しい", [ADMIN])
    for folder in ("../logs", "a/b", "x" * 41, "日本", "."):
        assert "半角の英数字" in words_of(world.say(f"登録 {folder}", ADMIN, group))
    assert "フォルダーが見つかりません" in words_of(world.say("登録 nowhere", ADMIN, group))
    assert words_of(world.tap("request_sum", ADMIN, group)) == STRANGER
    assert group in words_of(world.say("登録", ADMIN, group))
    assert "みどり" in str(world.tap("request_sum", ADMIN, group))
    assert "解除しました" in words_of(world.say("解除", ADMIN, group))
    assert words_of(world.tap("request_sum", ADMIN, group)) == STRANGER
    assert "LEAGUE_CHATS" in words_of(world.say("解除", ADMIN))


def test_membership_is_looked_up_again_a_day_later(
    world: BotWorld, tmp_path: Path, backend: Backend
) -> None:
    """LINE's event that a member left may never arrive."""
    clock = Clock()
    inside = {MEMBER}
    lookups: list[str] = []

    def is_member(chat: str, user: str) -> bool:
        lookups.append(chat)
        return user in inside

    state = open_state(backend.database(tmp_path / "own"), clock=clock)
    leagues = ChatAccess(state.chats, is_member, frozenset({DEMO_GROUP}), frozenset())
    assert leagues.access(MEMBER, MEMBER)
    inside.clear()
    clock.now += MEMBER_DAY - 1
    assert leagues.access(MEMBER, MEMBER)
    clock.now += 2
    assert leagues.access(MEMBER, MEMBER) is None
    assert leagues.access(MEMBER, MEMBER) is None
    assert lookups == [DEMO_GROUP] * 2
    inside.add(MEMBER)
    clock.now += STRANGER_TIME + 1
    assert leagues.access(MEMBER, MEMBER)
    state.close()


def test_member_who_left_has_access_again_after_the_return(world: BotWorld) -> None:
    assert "みどり" in str(world.tap("request_sum", MEMBER, MEMBER))
    world.platform.member_left(DEMO_GROUP, MEMBER)
    assert words_of(world.tap("request_sum", MEMBER, MEMBER)) == STRANGER
    world.answers(world.platform.member_joined(DEMO_GROUP, MEMBER))
    assert "みどり" in str(world.tap("request_sum", MEMBER, MEMBER))


def test_member_who_leaves_during_a_lookup_loses_access(tmp_path: Path, backend: Backend) -> None:
    inside = {MEMBER}

    def is_member(chat: str, user: str) -> bool:
        was = user in inside
        inside.clear()
        leagues.members_changed([user])
        return was

    state = open_state(backend.database(tmp_path / "own"))
    leagues = ChatAccess(state.chats, is_member, frozenset({DEMO_GROUP}), frozenset())
    assert leagues.access(MEMBER, MEMBER)
    assert leagues.access(MEMBER, MEMBER) is None
    state.close()


def test_where_the_bot_left_or_was_let_out_nobody_is_in(world: BotWorld) -> None:
    group = world.platform.add_group("もうひとつ", [ADMIN, OUTSIDER])
    assert words_of(world.tap("request_sum", OUTSIDER, OUTSIDER)) == STRANGER
    world.say("登録", ADMIN, group)
    assert "みどり" in str(world.tap("request_sum", OUTSIDER, OUTSIDER))
    world.say("解除", ADMIN, group)
    assert words_of(world.tap("request_sum", OUTSIDER, OUTSIDER)) == STRANGER
    world.say("登録", ADMIN, group)
    assert "みどり" in str(world.tap("request_sum", OUTSIDER, OUTSIDER))
    assert group in world.service.access.groups()
    world.platform.leave(group)
    assert words_of(world.tap("request_sum", OUTSIDER, OUTSIDER)) == STRANGER
    assert group not in world.service.access.groups()
    world.platform.leave(
        DEMO_GROUP
    )  # LEAGUE_CHATS names this group, and only the environment changes that
    assert DEMO_GROUP in world.service.access.groups()


def test_nobody_gets_access_while_line_is_out_of_reach(world: BotWorld) -> None:
    world.platform.fail_next("/v2/bot/group/", 500)
    assert words_of(world.tap("request_sum", MEMBER, MEMBER)) == STRANGER
    for _ in range(3):
        assert "みどり" in str(world.tap("request_sum", MEMBER, MEMBER))
    path = f"/v2/bot/group/{DEMO_GROUP}/member/{MEMBER}"
    assert len(world.platform.calls(path)) == 2, "once it is known it is not asked again"
    world.platform.member_left(DEMO_GROUP, ADMIN)
    assert "みどり" in str(world.tap("request_sum", ADMIN, ADMIN)), "admins are always in"


def test_own_group_of_many_is_looked_up_first(world: BotWorld) -> None:
    for number in range(LOOKUPS + 5):
        world.service.access.enrol(f"C{number:032x}")
    last = "C" + "f" * 32
    world.platform.add_group("最後の", [OUTSIDER], last)
    world.service.access.enrol(last)
    assert words_of(world.tap("request_sum", OUTSIDER, OUTSIDER)) == STRANGER
    assert len(world.platform.calls("/v2/bot/group/")) <= LOOKUPS
    world.tap("request_menu", OUTSIDER, last)
    before = len(world.platform.calls("/v2/bot/group/"))
    assert "みどり" in str(world.tap("request_sum", OUTSIDER, OUTSIDER))
    assert len(world.platform.calls("/v2/bot/group/")) == before + 1


ODD: tuple[object, ...] = (
    {"type": "memberLeft"},
    {"type": "memberLeft", "left": {"members": [None, {"userId": 3}, {}]}},
    {"type": "memberLeft", "left": {"members": "x"}, "source": "x"},
    {"type": "leave", "source": {}},
    {"type": "leave"},
    None,
)


def test_odd_events_are_passed_over(world: BotWorld) -> None:
    for event in ODD:
        world.service.dispatcher.receive(event)  # type: ignore[arg-type]


def test_unreadable_groups_make_nobody_a_stranger(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = ChatAccess(state.chats, lambda chat, user: True, frozenset(), frozenset())
    state.chats.enrol(DEMO_GROUP, "")
    with monkeypatch.context() as patched:
        patched.setattr(state.chats, "all", away)
        with pytest.raises(StorageError):
            access.access(MEMBER, MEMBER)
    assert access.access(MEMBER, MEMBER) is not None


def test_a_chat_and_its_member_are_read_at_once(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    lookups: list[object] = []
    rows = state.database.rows

    def counted(query: object, *more: Any) -> Sequence[Any]:
        lookups.append(query)
        return rows(query, *more)

    access = ChatAccess(
        state.chats,
        lambda chat, user: True,
        frozenset({"C2"}),
        frozenset(),
    )
    access.enrol("C1", "a")
    state.chats.set_player("a", "U1", "みどり")
    state.chats.set_player("b", "U1", "あおい")
    state.chats.set_player("", "U1", "東風")
    access._note_home("U1", "C1")
    access._note_home("U1", "C2")
    access._note_home("U2", "C1")
    monkeypatch.setattr(state.database, "rows", counted)
    assert access.access("C1", "U1") == Access("a", False, "みどり")
    assert access.access("C1", "U2") == Access("a", False, "")
    assert access.access("C2", "U1") == Access("", False, "東風")  # LEAGUE_CHATS lets it in
    assert len(lookups) == 3
    access.enrol("C1", "b")
    assert access.access("C1", "U1") == Access("b", False, "あおい")
    access.enrol("C2", "b")
    assert access.access("C2", "U1") == Access("b", False, "あおい")
    access.remove("C1")
    assert access.access("C1", "U1") is None
