import itertools
import os
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest

from storage import dropbox_logs
from storage.dropbox_logs import DropboxLogs
from storage.folder import FolderLogs
from storage.ports import Conflict, Denied, NotFound, StorageError
from storage.stores import open_logs
from tests.fakes.dropbox import FakeDropbox


class Clock:
    """The machine's clock, except that a sleep takes no time and is added to the clock."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    def monotonic(self) -> float:
        return time.monotonic() + sum(self.waits)

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(dropbox_logs, "time", SimpleNamespace(monotonic=clock.monotonic, sleep=clock.sleep))
    return clock


@pytest.fixture
def logs(dropbox: FakeDropbox) -> DropboxLogs:
    dropbox.account.put("/logs/logvol1.txt", b"1")
    return open_dropbox(dropbox)


def open_dropbox(dropbox: FakeDropbox, timeout: float = 10.0) -> DropboxLogs:
    return DropboxLogs(
        "/logs",
        app_key=dropbox.app_key,
        app_secret=dropbox.app_secret,
        refresh_token=dropbox.refresh_token,
        timeout=timeout,
    )


def test_an_unchanged_folder_costs_one_call_and_a_token_one(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    for _ in range(3):
        logs.read("logvol1.txt")
    assert dropbox.calls == {"oauth2/token": 1, "files/download": 3}
    first = logs.changes()
    dropbox.calls.clear()
    for _ in range(3):
        logs.changes(first.cursor)
    assert dropbox.calls == {"files/list_folder/continue": 3}


@pytest.mark.parametrize("page", [1, 2, 3, 7])
def test_every_page_of_a_listing_is_read(dropbox: FakeDropbox, logs: DropboxLogs, page: int) -> None:
    dropbox.account.page = page
    for number in range(7):
        dropbox.account.put(f"/logs/{number}.txt", b"1")
    first = logs.changes()
    assert len(first.files) == 8
    for number in range(5):
        dropbox.account.put(f"/logs/{number}.txt", b"2")
    dropbox.account.delete("/logs/6.txt")
    then = logs.changes(first.cursor)
    assert sorted(then.files) == [f"{number}.txt" for number in range(5)]
    assert then.removed == {"6.txt"}


def test_a_name_removed_is_given_in_the_spelling_it_had(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    first = logs.changes()
    dropbox.account.rename("/logs/logvol1.txt", "/logs/LogVol1.TXT")
    then = logs.changes(first.cursor)
    assert (list(then.files), then.removed) == (["LogVol1.TXT"], {"logvol1.txt"})
    assert logs.read("LogVol1.TXT").data == b"1"
    dropbox.account.put("/logs/LogVol2.TXT", b"1")
    first = logs.changes()
    dropbox.account.delete("/logs/LOGVOL2.txt")
    assert logs.changes(first.cursor).removed == {"LogVol2.TXT"}


def test_a_file_that_becomes_a_folder_is_removed(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    first = logs.changes()
    dropbox.account.delete("/logs/logvol1.txt")
    dropbox.account.put("/logs/logvol1.txt/x", b"1")
    assert logs.changes(first.cursor).removed == {"logvol1.txt"}


def test_a_cursor_reset_starts_over(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    first = logs.changes()
    dropbox.account.reset_cursors()
    dropbox.account.put("/logs/logvol2.txt", b"2")
    then = logs.changes(first.cursor)
    assert (sorted(then.files), then.reset) == (["logvol1.txt", "logvol2.txt"], True)
    assert not logs.changes(then.cursor).reset


def test_a_reset_between_two_pages_starts_over(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    first = logs.changes()
    dropbox.account.page = 1
    for number in range(3):
        dropbox.account.put(f"/logs/{number}.txt", b"1")
    real, looks = dropbox.account.list_on, itertools.count()

    def reset_once(token: str) -> object:
        if next(looks) == 1:
            dropbox.account.reset_cursors()
        return real(token)

    dropbox.account.list_on = reset_once  # type: ignore[method-assign]
    then = logs.changes(first.cursor)
    assert (len(then.files), then.reset) == (4, True)


CALLS = [
    ("files/list_folder", lambda logs: logs.changes()),
    ("files/download", lambda logs: logs.read("logvol1.txt")),
    ("files/upload", lambda logs: logs.write("logvol2.txt", b"2", None)),
    ("files/upload", lambda logs: logs.overwrite("charts/a.png", b"2")),
    ("files/delete_v2", lambda logs: logs.remove("logvol1.txt")),
    ("oauth2/token", lambda logs: logs.read("logvol1.txt")),
]
each_call = pytest.mark.parametrize(("route", "act"), CALLS)


@each_call
@pytest.mark.parametrize(
    "fault", [{"status": 500}, {"status": 503}, {"status": 429, "retry_after": 2}, {"hang_up": True}]
)
def test_a_passing_fault_is_not_noticed(
    dropbox: FakeDropbox, logs: DropboxLogs, clock: Clock, route: str, act: object, fault: dict[str, object]
) -> None:
    dropbox.fail(route, times=2, **fault)
    act(logs)  # type: ignore[operator]
    assert dropbox.calls[route] == 3
    assert len(clock.waits) == 2
    if fault.get("status") == 429:
        assert clock.waits == [2, 2]


@each_call
@pytest.mark.parametrize("fault", [{"status": 500}, {"status": 429, "retry_after": 1}, {"hang_up": True}])
def test_a_lasting_fault_is_an_error_soon_and_the_next_call_works(
    dropbox: FakeDropbox, logs: DropboxLogs, clock: Clock, route: str, act: object, fault: dict[str, object]
) -> None:
    dropbox.fail(route, times=99, **fault)
    with pytest.raises(StorageError, match="dropbox:/logs") as caught:
        act(logs)  # type: ignore[operator]
    assert not isinstance(caught.value, (Denied, NotFound, Conflict))
    assert dropbox.calls[route] == 3
    assert sum(clock.waits) < 10
    dropbox.heal()
    act(logs)  # type: ignore[operator]


def test_a_long_wait_is_not_waited_for(dropbox: FakeDropbox, logs: DropboxLogs, clock: Clock) -> None:
    dropbox.fail("files/download", status=429, retry_after=300)
    with pytest.raises(StorageError, match="wait 300 seconds"):
        logs.read("logvol1.txt")
    assert not clock.waits


def test_pages_that_ask_to_wait_end_in_time(dropbox: FakeDropbox, logs: DropboxLogs, clock: Clock) -> None:
    dropbox.account.page = 1
    for number in range(20):
        dropbox.account.put(f"/logs/{number}.txt", b"1")
    dropbox.fail("files/list_folder", status=429, retry_after=5)
    real = dropbox.account.list_on

    def busy_again(token: str) -> object:
        dropbox.fail("files/list_folder", status=429, retry_after=5)
        return real(token)

    dropbox.account.list_on = busy_again  # type: ignore[method-assign]
    with pytest.raises(StorageError):
        logs.changes()
    assert sum(clock.waits) <= 20


@each_call
def test_a_slow_answer_is_given_up(dropbox: FakeDropbox, route: str, act: object) -> None:
    dropbox.account.put("/logs/logvol1.txt", b"1")
    logs = open_dropbox(dropbox, timeout=0.1)
    dropbox.fail(route, times=99, delay=60)
    began = time.monotonic()
    with pytest.raises(StorageError, match="did not answer in time"):
        act(logs)  # type: ignore[operator]
    assert time.monotonic() - began < 3
    dropbox.heal()
    act(open_dropbox(dropbox))  # type: ignore[operator]


def test_the_last_request_gets_what_is_left_of_the_budget(
    dropbox: FakeDropbox, logs: DropboxLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dropbox_logs, "_BUDGET", 0.3)
    dropbox.fail("files/download", times=99, delay=60)
    began = time.monotonic()
    with pytest.raises(StorageError, match="in time"):
        logs.read("logvol1.txt")
    assert time.monotonic() - began < 3


def test_an_expired_token_is_renewed(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    first = logs.changes()
    for act in (lambda: logs.changes(first.cursor), lambda: logs.read("logvol1.txt"), logs.changes):
        dropbox.expire_tokens()
        act()
    assert dropbox.calls["oauth2/token"] == 4


def test_a_refresh_token_revoked_is_denied(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    logs.changes()
    old = dropbox.refresh_token
    dropbox.expire_tokens()
    dropbox.revoke()
    with pytest.raises(Denied) as caught:
        logs.read("logvol1.txt")
    assert old not in str(caught.value)
    assert dropbox.app_secret not in str(caught.value)
    dropbox.refresh_token = old
    assert logs.read("logvol1.txt").data == b"1"


def test_an_access_token_works_until_it_expires_and_a_wrong_one_never(dropbox: FakeDropbox) -> None:
    dropbox.account.put("/logs/logvol1.txt", b"1")
    logs = DropboxLogs("logs/", access_token=dropbox.access_token)
    assert logs.read("logvol1.txt").data == b"1"
    dropbox.expire_tokens()
    with pytest.raises(Denied, match="expired_access_token"):
        logs.read("logvol1.txt")
    with pytest.raises(Denied, match="invalid_access_token"):
        DropboxLogs("", access_token="sl.wrong").changes()
    with pytest.raises(Denied) as caught:
        DropboxLogs("", app_key="a", app_secret="wrong1secret", refresh_token=dropbox.refresh_token).changes()
    assert "wrong1secret" not in str(caught.value)


def test_a_file_deleted_after_the_listing_is_not_found(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    seen = logs.changes()
    dropbox.account.delete("/logs/logvol1.txt")
    with pytest.raises(NotFound, match="dropbox:/logs/logvol1"):
        logs.read("logvol1.txt")
    assert logs.changes(seen.cursor).removed == {"logvol1.txt"}


def test_spoiled_bytes_are_fetched_again_and_never_given_out(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    dropbox.fail("files/download", corrupt=True)
    assert logs.read("logvol1.txt").data == b"1"
    dropbox.fail("files/download", times=3, corrupt=True)
    with pytest.raises(StorageError, match="can't be read"):
        logs.read("logvol1.txt")


def test_a_write_whose_answer_was_lost_is_no_conflict(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    dropbox.fail("files/upload", lost=True)
    rev = logs.write("logvol2.txt", b"2", None)
    assert logs.read("logvol2.txt").rev == rev
    dropbox.fail("files/upload", lost=True)
    rev = logs.write("logvol2.txt", b"23", rev)
    assert (logs.read("logvol2.txt").rev, logs.read("logvol2.txt").data) == (rev, b"23")


def test_a_write_repeated_over_anothers_change_conflicts(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    rev = logs.read("logvol1.txt").rev
    dropbox.fail("files/upload", status=500)
    dropbox.account.put("/logs/logvol1.txt", b"theirs")
    with pytest.raises(Conflict):
        logs.write("logvol1.txt", b"ours", rev)
    dropbox.account.delete("/logs/logvol1.txt")
    dropbox.fail("files/upload", status=500)
    with pytest.raises(Conflict):
        logs.write("logvol1.txt", b"ours", rev)


def test_an_untrusted_certificate_is_an_error_without_retries(
    dropbox: FakeDropbox, logs: DropboxLogs, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REQUESTS_CA_BUNDLE")
    with pytest.raises(StorageError, match="SSLError"):
        logs.changes()
    assert not clock.waits
    assert not dropbox.calls


def test_a_web_page_is_an_error(
    dropbox: FakeDropbox, logs: DropboxLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.fakes import dropbox_server as wire

    monkeypatch.setattr(
        wire.DropboxHandler,
        "_respond",
        lambda self, _: self.answer(200, b"<html>", {"Content-Type": "text/html"}),
    )
    for act in (logs.changes, lambda: logs.read("logvol1.txt"), lambda: logs.overwrite("a", b"")):
        with pytest.raises(StorageError, match="can't be read"):
            act()


@pytest.mark.parametrize("folder", ["..", "/a/../b", "/.hidden", "/a\0"])
def test_a_folder_that_is_none_is_refused(folder: str) -> None:
    with pytest.raises(ValueError, match="not a file name"):
        DropboxLogs(folder, access_token="t")


def test_opening_by_address(dropbox: FakeDropbox, tmp_path: object) -> None:
    dropbox.account.put("/リーグ/logvol1.txt", b"1")
    logs = open_logs("dropbox:/リーグ", dropbox.credentials())
    assert isinstance(logs, DropboxLogs)
    assert list(logs.changes().files) == ["logvol1.txt"]
    assert list(open_logs("dropbox:", {"DROPBOX_ACCESS_TOKEN": dropbox.access_token}).changes().files) == []
    assert isinstance(open_logs(f"file:{tmp_path}", {}), FolderLogs)
    with pytest.raises(ValueError, match="DROPBOX_REFRESH_TOKEN"):
        open_logs("dropbox:/x", {"DROPBOX_APP_KEY": "k", "DROPBOX_APP_SECRET": "s"})
    for url in ("", "x", "file:", "s3://x", "https://www.dropbox.com/home"):
        with pytest.raises(ValueError, match=r"place for logs|no directory"):
            open_logs(url, {})


def test_leagues_of_one_account_share_its_token_and_accounts_their_connections(dropbox: FakeDropbox) -> None:
    dropbox.account.put("/logs/logvol1.txt", b"1")
    leagues = [open_dropbox(dropbox) for _ in range(5)]
    assert [league.read("logvol1.txt").data for league in leagues] == [b"1"] * 5
    assert dropbox.calls == {"oauth2/token": 1, "files/download": 5}
    dropbox.calls.clear()
    accounts = [open_dropbox(dropbox, timeout=11 + number) for number in range(5)]
    for account in accounts:
        account.read("logvol1.txt")
    assert dropbox.calls == {"oauth2/token": 5, "files/download": 5}
    assert dropbox.connections == 2  # one to each of the two hosts


def test_a_child_process_has_connections_of_its_own(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    logs.read("logvol1.txt")
    mine = dropbox.connections
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with suppress(BaseException):
            os.write(writing, logs.read("logvol1.txt").data)
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    assert os.read(reading, 10) == b"1"
    os.close(reading)
    assert dropbox.connections > mine
    assert logs.read("logvol1.txt").data == b"1"
