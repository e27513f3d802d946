"""Links to a league's page that several processes make."""

from contextlib import closing
from pathlib import Path

from bot.chat.access import ChatAccess
from bot.chat.links import LeagueLinks
from storage.state import State, open_state
from tests.backend import Backend


def is_member(chat: str, user: str) -> bool:
    return False


def links_of(state: State) -> LeagueLinks:
    """The links of one process."""
    access = ChatAccess(state.chats, is_member, frozenset({"C1"}), frozenset())
    return LeagueLinks(access, state.values, "secret", 1, lambda: "https://bot.example")


def test_first_links_of_two_processes_are_valid(backend: Backend, tmp_path: Path) -> None:
    database = backend.database(tmp_path)
    with closing(open_state(database)) as first, closing(open_state(database)) as second:
        processes = [links_of(first), links_of(second)]
        tokens = [links.url("").rpartition("/")[2] for links in processes]
        for links in processes:
            assert [links.league(links.words(token)) for token in tokens] == ["", ""]
