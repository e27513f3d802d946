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

EACH = list(PLACES)


@pytest.mark.parametrize(("here", "there"), [(here, EACH[at - 2]) for at, here in enumerate(EACH)])
def test_the_demo_league_is_the_same_elsewhere(
    request: pytest.FixtureRequest, tmp_path: Path, backend: Backend, here: str, there: str
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    first = PLACES[here](request, tmp_path / "one")
    second = PLACES[there](request, tmp_path / "two")
    with (
        closing(open_state(backend.database(tmp_path / "one"))) as old,
        closing(open_state(backend.database(tmp_path / "two"))) as new,
    ):
        logs = first.open()
        fill(logs)
        fill_state(old)
        before = content(logs)
        shown = standings(logs)
        path = saved(tmp_path, old, {"": logs})
        target = second.open()
        result = restored(path, new, {"": target})
        assert (result.written, result.without_key) == (len(before), 0)
        assert content(target) == before
        assert standings(target) == shown
        access = ChatAccess(new.chats, lambda chat, user: False, frozenset(), frozenset())
        assert access.groups() == {GROUP: ""}
        assert new.chats.player("", USER) == "みどり一色"
        room = RoomIds(new.rooms, KEY).get("")
        assert room.text == ROOM.text
        assert new.chats.group_of(USER) is None
        (version,) = versions(target, "logvol3.txt")
        assert read_version(target, "logvol3.txt", version.name) == demo_files()["logvol3.txt"]
        again = restored(path, new, {"": target})
        assert (again.written, again.removed) == (0, 0)
