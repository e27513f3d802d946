from contextlib import closing
from pathlib import Path

import pytest

from bot.chat.access import ChatAccess
from bot.league.demo import demo_files
from bot.league.files import read_version, versions
from bot.sync.room_ids import RoomIds
from storage.state import open_state
from tests.backend import Backend
from tests.league.backups import (
    GROUP,
    KEY,
    ROOM,
    USER,
    content,
    fill,
    fill_state,
    restored,
    saved,
    standings,
)
from tests.storage.places import PLACES

KINDS = list(PLACES)
MOVES = [(kind, KINDS[number - 2]) for number, kind in enumerate(KINDS)]


def let_nobody_in(chat: str, user: str) -> bool:
    return False


@pytest.mark.parametrize(("source_kind", "target_kind"), MOVES)
def test_demo_league_is_the_same_after_a_move(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    backend: Backend,
    source_kind: str,
    target_kind: str,
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    first = PLACES[source_kind](request, tmp_path / "one")
    second = PLACES[target_kind](request, tmp_path / "two")
    with (
        closing(open_state(backend.database(tmp_path / "one"))) as old,
        closing(open_state(backend.database(tmp_path / "two"))) as new,
    ):
        logs = first.open()
        fill(logs)
        fill_state(old)
        before = content(logs)
        standings_before = standings(logs)
        path = saved(tmp_path, old, {"": logs})
        target = second.open()
        result = restored(path, new, {"": target})
        assert (result.written, result.without_key) == (len(before), 0)
        assert content(target) == before
        assert standings(target) == standings_before
        access = ChatAccess(new.chats, let_nobody_in, frozenset(), frozenset())
        assert access.groups() == {GROUP: ""}
        assert new.chats.player("", USER) == "みどり一色"
        room = RoomIds(new.rooms, KEY).get("")
        assert room.text == ROOM.text
        assert new.chats.group_of(USER) is None
        (version,) = versions(target, "logvol3.txt")
        assert read_version(target, "logvol3.txt", version.name) == demo_files()["logvol3.txt"]
        again = restored(path, new, {"": target})
        assert (again.written, again.removed) == (0, 0)
