"""Games at a table as a chat records them: retried, half recorded, and taken out once a message."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from bot.league.season_log import LeagueFolder, SeasonLogs
from bot.league.table_log import Recording, Removal, TableLog
from rating.league import League
from rating.logdates import JST
from storage.folder import FolderLogs
from storage.ports import StorageError
from storage.state import State, open_state

LINE = "卓 | 21:00 | 三般南喰赤－ | みどり(+47.0) 東風(-9.0) 白發中(-38.0)"
OTHER_LINE = "卓 | 21:30 | 三般南喰赤－ | みどり(+37.0) 東風(+1.0) 白發中(-38.0)"
LOG = "20260501\nC1934 | 20:00 | 三般南喰赤－ | みどり(+50.0) 白發中(+2.0) 東風(-52.0)\n"
NOW = datetime(2026, 5, 4, 21, 5, tzinfo=JST)
DAY = date(2026, 5, 4)
NONCE = "0123456789ab"
OTHER_NONCE = "ba9876543210"


class Chat:
    """A chat that records into a folder; its State's clock is the chat's own."""

    def __init__(self, folder: Path) -> None:
        self.now = NOW
        self.folder = folder
        (folder / "logvol1.txt").write_text(LOG)
        self.state: State = open_state(
            f"sqlite:///{folder / 'state.sqlite3'}", clock=lambda: self.now.timestamp()
        )

    @property
    def table(self) -> TableLog:
        folder = LeagueFolder(FolderLogs(self.folder), League(), "")
        return TableLog(folder, self.state, "C1", self.now)

    def add(self, nonce: str = NONCE, line: str = LINE) -> Recording:
        return self.table.add(nonce, DAY, line, even_if_alike=False).outcome

    def fail_to_add(self, monkeypatch: pytest.MonkeyPatch, *, writes: bool) -> None:
        """Record a game with a store that fails before or after the line is written."""
        add = SeasonLogs.add

        def failing(*args: object) -> None:
            if writes:
                add(*args)  # type: ignore[arg-type]
            raise StorageError("away")

        with monkeypatch.context() as patch:
            patch.setattr(SeasonLogs, "add", failing)
            with pytest.raises(StorageError):
                self.add()

    def text(self) -> str:
        return (self.folder / "logvol1.txt").read_text()


@pytest.fixture
def chat(tmp_path: Path) -> Iterator[Chat]:
    chat = Chat(tmp_path)
    yield chat
    chat.state.close()


@pytest.mark.parametrize("writes", [False, True])
def test_a_game_half_recorded_for_a_day_is_recorded_by_a_tap(
    chat: Chat, monkeypatch: pytest.MonkeyPatch, writes: bool
) -> None:
    chat.fail_to_add(monkeypatch, writes=writes)
    chat.now += timedelta(hours=25)
    assert chat.add() == Recording.WRITTEN
    assert chat.text() == f"{LOG}20260504\n{LINE}\n"
    chat.now += timedelta(hours=23)
    assert chat.table.take_out(NONCE).outcome == Removal.DONE


def test_a_game_half_taken_out_for_a_day_is_taken_out_by_a_tap(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat.add()

    def failing(*_: object) -> bool:
        raise StorageError("away")

    with monkeypatch.context() as patch:
        patch.setattr(SeasonLogs, "take_out", failing)
        with pytest.raises(StorageError):
            chat.table.take_out(NONCE)
    chat.now += timedelta(hours=25)
    assert chat.table.take_out(NONCE).outcome == Removal.DONE
    assert chat.text() == LOG + "20260504\n"


def test_one_message_takes_out_one_game_however_often_handled(chat: Chat) -> None:
    chat.add()
    assert chat.table.take_out_newest("1").outcome == Removal.DONE
    chat.add(OTHER_NONCE, OTHER_LINE)
    result = chat.table.take_out_newest("1")
    assert result.outcome == Removal.ALREADY
    assert result.game is not None
    assert result.game.nonce == NONCE
    assert OTHER_LINE in chat.text()


@pytest.mark.parametrize(
    ("writes", "line"),
    [(False, LINE), (True, OTHER_LINE)],
)
def test_undo_takes_out_a_game_whose_writer_died_if_written(
    chat: Chat, monkeypatch: pytest.MonkeyPatch, writes: bool, line: str
) -> None:
    chat.add(OTHER_NONCE, OTHER_LINE)
    chat.fail_to_add(monkeypatch, writes=writes)
    chat.now += timedelta(minutes=2)
    assert chat.table.take_out_newest("1").outcome == Removal.DONE
    assert (OTHER_LINE in chat.text(), LINE in chat.text()) == (writes, False)


def test_a_game_that_a_hand_removed_may_be_recorded_again(chat: Chat) -> None:
    chat.add()
    (chat.folder / "logvol1.txt").write_text(LOG)
    assert chat.add(OTHER_NONCE) == Recording.WRITTEN
    assert chat.text() == f"{LOG}20260504\n{LINE}\n"


def test_a_game_that_no_log_takes_is_not_the_newest(chat: Chat) -> None:
    chat.add()
    (chat.folder / "logvol1.txt").write_bytes(b"\x81\xff\xfe" * 9)
    with pytest.raises(ValueError, match="logvol1"):
        chat.add(OTHER_NONCE, OTHER_LINE)
    (chat.folder / "logvol1.txt").write_text(f"{LOG}20260504\n{LINE}\n")
    result = chat.table.take_out_newest("1")
    assert result.outcome == Removal.DONE
    assert chat.text() == LOG + "20260504\n"
