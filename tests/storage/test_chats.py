from storage.chats import QUOTED, SeenChat
from storage.state import State
from tests.clock import Clock


def test_chat_is_let_in_and_out(state: State) -> None:
    assert state.chats.all() == {}
    for chat, league in (("C2", "east"), ("C1", ""), ("C2", "west")):
        state.chats.enrol(chat, league)
    assert list(state.chats.all().items()) == [("C1", ""), ("C2", "west")]
    state.chats.remove("C1")
    state.chats.remove("C1")
    assert state.chats.all() == {"C2": "west"}


def test_player_is_known_in_the_league_of_the_chat_alone(state: State) -> None:
    state.chats.set_player("east", "U1", "白發中")
    assert state.chats.league_and_player("C1", "U1").league is None
    state.chats.enrol("C1", "west")
    assert state.chats.league_and_player("C1", "U1") == SeenChat("west")
    state.chats.enrol("C1", "east")
    assert state.chats.league_and_player("C1", "U1") == SeenChat("east", "白發中")
    assert state.chats.league_and_player("C1", "U2") == SeenChat("east")


def test_user_has_a_name_in_each_league(state: State) -> None:
    for league, player in (("", "a"), ("east", "b"), ("", "c")):
        state.chats.set_player(league, "U1", player)
    assert state.chats.player("", "U1") == "c"
    assert state.chats.player("east", "U1") == "b"
    assert state.chats.player("west", "U1") == ""


def test_name_is_forgotten_in_one_league(state: State) -> None:
    for league in ("", "east"):
        state.chats.set_player(league, "U1", "a")
    state.chats.forget_player("", "U1")
    state.chats.forget_player("", "U1")
    assert state.chats.player("", "U1") == ""
    assert state.chats.player("east", "U1") == "a"


def test_group_of_a_user_is_known_until_it_expires(state: State, clock: Clock) -> None:
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


def test_home_of_a_user_is_known_until_it_expires(state: State, clock: Clock) -> None:
    assert state.chats.home_of("U1") == ""
    state.chats.set_home("U1", "C1", 10)
    state.chats.set_home("U1", "C2", 10)
    clock.now += 9.5
    assert state.chats.home_of("U1") == "C2"
    clock.now += 0.5
    assert state.chats.home_of("U1") == ""


def test_strangers_are_forgotten_when_a_chat_is_let_in(state: State) -> None:
    state.chats.set_group("U1", "", 60)
    state.chats.set_group("U2", "C1", 60)
    state.chats.enrol("C2", "")
    assert state.chats.group_of("U1") is None
    assert state.chats.group_of("U2") == "C1"


def test_members_are_forgotten_when_their_chat_is_let_out(state: State) -> None:
    state.chats.set_group("U1", "C1", 60)
    state.chats.set_group("U2", "C2", 60)
    state.chats.remove("C1")
    assert state.chats.group_of("U1") is None
    assert state.chats.group_of("U2") == "C2"


def test_group_is_confirmed_unless_another_was_set(state: State, clock: Clock) -> None:
    state.chats.confirm_group("U1", "mark", "C1", 60)
    assert state.chats.group_of("U1") is None
    state.chats.set_group("U1", "mark", 10)
    state.chats.confirm_group("U1", "other", "C1", 60)
    assert state.chats.group_of("U1") == "mark"
    state.chats.confirm_group("U1", "mark", "C1", 60)
    clock.now += 59
    assert state.chats.group_of("U1") == "C1"


def test_question_of_a_message_is_known_in_its_chat(state: State) -> None:
    state.chats.set_questions({})
    state.chats.set_questions({("C1", "1"): "rating", ("C1", "2"): "games"})
    assert state.chats.question("C1", "1") == "rating"
    assert state.chats.question("C1", "2") == "games"
    assert state.chats.question("C1", "3") == ""
    assert state.chats.question("C2", "1") == ""


def test_question_of_a_message_is_known_for_a_week(state: State, clock: Clock) -> None:
    state.chats.set_questions({("C1", "1"): "rating"})
    clock.now += QUOTED - 0.5
    assert state.chats.question("C1", "1") == "rating"
    clock.now += 0.5
    assert state.chats.question("C1", "1") == ""


def test_sweep_removes_what_has_expired(state: State, clock: Clock) -> None:
    state.chats.set_group("U1", "C1", 10)
    state.chats.set_home("U1", "C1", 10)
    state.chats.set_questions({("C1", "1"): "rating"})
    assert state.chats.sweep() == 0
    clock.now += 10
    assert state.chats.sweep() == 2
    clock.now += QUOTED
    assert state.chats.sweep() == 1
    assert state.chats.sweep() == 0


def test_sweep_keeps_chats_and_names(state: State, clock: Clock) -> None:
    state.chats.enrol("C1", "")
    state.chats.set_player("", "U1", "a")
    clock.now += 10 * QUOTED
    assert state.chats.sweep() == 0
    assert state.chats.all() == {"C1": ""}
    assert state.chats.player("", "U1") == "a"
