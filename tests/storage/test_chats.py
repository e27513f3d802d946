from storage.accounts import Account
from storage.chats import QUOTED
from storage.state import State
from tests.clock import Clock


def test_a_chat_is_let_in_and_out(state: State) -> None:
    assert state.chats.all() == {}
    for chat, league in (("C2", "east"), ("C1", ""), ("C2", "west")):
        state.chats.enrol(chat, league)
    chats = list(state.chats.all().items())
    assert chats == [("C1", ""), ("C2", "west")]
    state.chats.remove("C1")
    state.chats.remove("C1")
    assert state.chats.all() == {"C2": "west"}


def test_a_name_is_of_one_league_and_known_with_the_chat(state: State) -> None:
    state.chats.set_player("east", "U1", "白發中")
    assert state.chats.league_and_player("C1", "U1").league is None
    state.chats.enrol("C1", "west")
    assert state.chats.league_and_player("C1", "U1") == ("west", "", False)
    state.chats.enrol("C1", "east")
    assert state.chats.league_and_player("C1", "U1") == ("east", "白發中", False)
    assert state.chats.league_and_player("C1", "U2") == ("east", "", False)
    state.chats.set_player("", "U1", "a")
    state.chats.set_player("east", "U1", "b")
    state.chats.set_player("", "U1", "c")
    assert state.chats.player("", "U1") == "c"
    assert state.chats.player("east", "U1") == "b"
    assert state.chats.player("west", "U1") == ""
    state.chats.forget_player("", "U1")
    state.chats.forget_player("", "U1")
    assert state.chats.player("", "U1") == ""
    assert state.chats.player("east", "U1") == "b"


def test_a_member_and_a_home_count_until_their_end(state: State, clock: Clock) -> None:
    assert state.chats.group_of("U1") is None
    state.chats.set_group("U1", "", 60)
    state.chats.set_group("U2", "C1", 60)
    clock.now += 59.5
    assert state.chats.group_of("U1") == ""
    assert state.chats.group_of("U2") == "C1"
    state.chats.set_group("U2", "C1", 60)
    clock.now += 0.5
    assert state.chats.group_of("U1") is None
    assert state.chats.group_of("U2") == "C1"
    state.chats.forget_group("U2")
    assert state.chats.group_of("U2") is None
    assert state.chats.home_of("U1") == ""
    state.chats.set_home("U1", "C1", 10)
    state.chats.set_home("U1", "C2", 10)
    clock.now += 9.5
    assert state.chats.home_of("U1") == "C2"
    clock.now += 0.5
    assert state.chats.home_of("U1") == ""


def test_a_new_chat_makes_strangers_be_asked_about_anew(state: State) -> None:
    state.chats.set_group("U1", "", 60)
    state.chats.set_group("U2", "C1", 60)
    state.chats.enrol("C2", "")
    assert state.chats.group_of("U1") is None
    assert state.chats.group_of("U2") == "C1"
    state.chats.remove("C1")
    assert state.chats.group_of("U2") is None


def test_a_member_is_confirmed_where_nothing_else_was_noted(state: State, clock: Clock) -> None:
    state.chats.confirm_group("U1", "mark", "C1", 60)
    assert state.chats.group_of("U1") is None
    state.chats.set_group("U1", "mark", 10)
    state.chats.confirm_group("U1", "other", "C1", 60)
    assert state.chats.group_of("U1") == "mark"
    state.chats.confirm_group("U1", "mark", "C1", 60)
    clock.now += 59
    assert state.chats.group_of("U1") == "C1"


def test_a_sent_message_is_known_for_a_week_in_its_chat(state: State, clock: Clock) -> None:
    state.chats.answered({})
    state.chats.answered({("C1", "1"): "rating", ("C1", "2"): "games"})
    assert [state.chats.question("C1", each) for each in "123"] == ["rating", "games", ""]
    assert state.chats.question("C2", "1") == ""
    clock.now += QUOTED - 0.5
    assert state.chats.question("C1", "1") == "rating"
    clock.now += 0.5
    assert state.chats.question("C1", "1") == ""


def test_a_sweep_removes_what_is_over(state: State, clock: Clock) -> None:
    state.chats.enrol("C1", "")
    state.chats.set_player("", "U1", "a")
    state.chats.set_group("U1", "C1", 10)
    state.chats.set_home("U1", "C1", 10)
    state.chats.answered({("C1", "1"): "rating"})
    assert state.chats.sweep() == 0
    clock.now += 10
    assert state.chats.sweep() == 2
    clock.now += QUOTED
    assert (state.chats.sweep(), state.chats.sweep()) == (1, 0)
    assert state.chats.all() == {"C1": ""}
    assert (
        state.chats.player(
            "",
            "U1",
        )
        == "a"
    )


def test_a_league_has_an_account_of_its_own(state: State) -> None:
    assert state.accounts.get("east") is None
    state.accounts.set("east", Account("/old", "t1"))
    state.accounts.set("east", Account("/リーグ", "t2"))
    assert state.accounts.get("east") == Account("/リーグ", "t2")
    assert state.accounts.get("") is None
    state.accounts.remove("east")
    state.accounts.remove("east")
    assert state.accounts.get("east") is None
