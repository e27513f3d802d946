import itertools
import time
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from bot.settings.stores import open_logs
from storage import dropbox_logs
from storage.dropbox_logs import DropboxLogs
from storage.folder import FolderLogs
from storage.ports import Conflict, Denied, NotFound, StorageError
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.dropbox_server import DropboxHandler

Patch = pytest.MonkeyPatch


@pytest.fixture(autouse=True)
def waits(monkeypatch: Patch) -> list[float]:
    """The sleeps so far, which take no time and are added to the machine's clock."""
    waits: list[float] = []

    def monotonic() -> float:
        return time.monotonic() + sum(waits)

    clock = SimpleNamespace(monotonic=monotonic, sleep=waits.append)
    monkeypatch.setattr(dropbox_logs, "time", clock)
    return waits


@pytest.fixture
def logs(dropbox: FakeDropbox) -> DropboxLogs:
    dropbox.account.put("/logs/logvol1.txt", b"1")
    return open_dropbox(dropbox)


def open_dropbox(dropbox: FakeDropbox, timeout: float = 10.0) -> DropboxLogs:
    keys = {"app_key": dropbox.app_key, "app_secret": dropbox.app_secret}
    return DropboxLogs("/logs", **keys, refresh_token=dropbox.refresh_token, timeout=timeout)


def test_unchanged_folder_costs_one_call(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    logs.revisions()
    dropbox.calls.clear()
    for _ in range(3):
        logs.revisions()
    assert dropbox.calls == {"files/list_folder/continue": 3}


def test_access_token_is_requested_once(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    for _ in range(3):
        logs.read("logvol1.txt")
    assert dropbox.calls == {"oauth2/token": 1, "files/download": 3}


@pytest.mark.parametrize("page", [1, 2, 3, 7])
def test_every_page_of_a_listing_is_read(
    dropbox: FakeDropbox, logs: DropboxLogs, page: int
) -> None:
    dropbox.account.page = page
    for number in range(7):
        dropbox.account.put(f"/logs/{number}.txt", b"1")
    first = logs.revisions()
    assert len(first) == 8
    for number in range(5):
        dropbox.account.put(f"/logs/{number}.txt", b"2")
    dropbox.account.delete("/logs/6.txt")
    then = logs.revisions()
    assert first.keys() - then.keys() == {"6.txt"}
    changed = {name for name, rev in then.items() if rev != first[name]}
    assert changed == {f"{number}.txt" for number in range(5)}


def test_file_has_the_case_in_which_it_was_written_last(
    dropbox: FakeDropbox, logs: DropboxLogs
) -> None:
    logs.revisions()
    dropbox.account.rename("/logs/logvol1.txt", "/logs/LogVol1.TXT")
    assert list(logs.revisions()) == ["LogVol1.TXT"]
    assert logs.read("LogVol1.TXT").data == b"1"


def test_file_deleted_in_another_case_is_gone(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    logs.revisions()
    dropbox.account.put("/logs/LogVol2.TXT", b"1")
    assert list(logs.revisions()) == ["logvol1.txt", "LogVol2.TXT"]
    dropbox.account.delete("/logs/LOGVOL2.txt")
    assert list(logs.revisions()) == ["logvol1.txt"]


def test_folder_may_take_the_place_of_a_file(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    logs.revisions()
    dropbox.account.delete("/logs/logvol1.txt")
    dropbox.account.put("/logs/logvol1.txt/x", b"1")
    assert logs.revisions() == {}
    assert logs.folders() == {"logvol1.txt"}


@pytest.mark.parametrize("page", [0, 1], ids=["before", "between two pages"])
def test_listing_starts_over_after_a_cursor_reset(
    dropbox: FakeDropbox, logs: DropboxLogs, page: int
) -> None:
    logs.revisions()
    dropbox.account.page = 1
    for number in range(3):
        dropbox.account.put(f"/logs/{number}.txt", b"1")
    real = dropbox.account.list_on
    looks = itertools.count()

    def reset_once(token: str) -> object:
        if next(looks) == page:
            dropbox.account.reset_cursors()
        return real(token)

    dropbox.account.list_on = reset_once  # type: ignore[method-assign]
    assert len(logs.revisions()) == 4
    assert dropbox.calls["files/list_folder"] == 2
    dropbox.calls.clear()
    assert len(logs.revisions()) == 4
    assert dropbox.calls == {"files/list_folder/continue": 1}


@dataclass(frozen=True)
class RoutedCall:
    """A call of a method, and the route of Dropbox that it needs."""

    route: str
    method: str
    arguments: tuple[Any, ...] = ()

    def __call__(self, logs: DropboxLogs) -> object:
        return getattr(logs, self.method)(*self.arguments)


CALLS = [
    RoutedCall("files/list_folder", "revisions"),
    RoutedCall("files/download", "read", ("logvol1.txt",)),
    RoutedCall("files/upload", "write", ("logvol2.txt", b"2", None)),
    RoutedCall("files/upload", "overwrite", ("charts/a.png", b"2")),
    RoutedCall("files/delete_v2", "remove", ("logvol1.txt",)),
    RoutedCall("oauth2/token", "read", ("logvol1.txt",)),
]
FAULTS = [
    {"status": 500},
    {"status": 503},
    {"status": 429, "retry_after": 2},
    {"hang_up": True},
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("fault", FAULTS)
def test_lasting_fault_is_an_error_after_three_requests(
    dropbox: FakeDropbox,
    logs: DropboxLogs,
    waits: list[float],
    call: RoutedCall,
    fault: dict[str, Any],
) -> None:
    dropbox.fail(call.route, times=99, **fault)
    with pytest.raises(StorageError, match="dropbox:/logs") as caught:
        call(logs)
    assert not isinstance(caught.value, (Denied, NotFound, Conflict))
    assert dropbox.calls[call.route] == 3
    assert sum(waits) < 10


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("fault", FAULTS)
def test_passing_fault_is_not_noticed(
    dropbox: FakeDropbox,
    logs: DropboxLogs,
    waits: list[float],
    call: RoutedCall,
    fault: dict[str, Any],
) -> None:
    dropbox.fail(call.route, times=2, **fault)
    call(logs)
    assert dropbox.calls[call.route] == 3
    assert len(waits) == 2
    if fault.get("status") == 429:
        assert waits == [2, 2]


@pytest.mark.parametrize("call", CALLS)
def test_slow_answer_is_given_up(dropbox: FakeDropbox, call: RoutedCall) -> None:
    dropbox.account.put("/logs/logvol1.txt", b"1")
    logs = open_dropbox(dropbox, timeout=0.1)
    dropbox.fail(call.route, times=99, delay=60)
    start = time.monotonic()
    with pytest.raises(StorageError, match="did not answer in time"):
        call(logs)
    assert time.monotonic() - start < 3
    dropbox.heal()
    call(open_dropbox(dropbox))


def test_long_wait_is_not_waited_for(
    dropbox: FakeDropbox, logs: DropboxLogs, waits: list[float]
) -> None:
    dropbox.fail("files/download", status=429, retry_after=300)
    with pytest.raises(StorageError, match="wait 300 seconds"):
        logs.read("logvol1.txt")
    assert not waits


def test_pages_that_request_waits_come_to_an_end(
    dropbox: FakeDropbox, logs: DropboxLogs, waits: list[float]
) -> None:
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
        logs.revisions()
    assert sum(waits) <= 20


def test_last_request_gets_the_remaining_time(
    dropbox: FakeDropbox, logs: DropboxLogs, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(dropbox_logs, "_BUDGET", 0.3)
    dropbox.fail("files/download", times=99, delay=60)
    start = time.monotonic()
    with pytest.raises(StorageError, match="in time"):
        logs.read("logvol1.txt")
    assert time.monotonic() - start < 3


def test_expired_token_is_renewed(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    logs.revisions()
    for call in (logs.revisions, partial(logs.read, "logvol1.txt"), logs.folders):
        dropbox.expire_tokens()
        call()
    assert dropbox.calls["oauth2/token"] == 4


def test_revoked_refresh_token_is_denied(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    logs.revisions()
    old = dropbox.refresh_token
    dropbox.expire_tokens()
    dropbox.revoke()
    with pytest.raises(Denied) as caught:
        logs.read("logvol1.txt")
    assert old not in str(caught.value)
    assert dropbox.app_secret not in str(caught.value)
    dropbox.refresh_token = old
    assert logs.read("logvol1.txt").data == b"1"


def test_access_token_works_until_it_expires(dropbox: FakeDropbox) -> None:
    dropbox.account.put("/logs/logvol1.txt", b"1")
    logs = DropboxLogs("logs/", access_token=dropbox.access_token)
    assert logs.read("logvol1.txt").data == b"1"
    dropbox.expire_tokens()
    with pytest.raises(Denied, match="expired_access_token"):
        logs.read("logvol1.txt")


def test_wrong_access_token_is_denied(dropbox: FakeDropbox) -> None:
    with pytest.raises(Denied, match="invalid_access_token"):
        DropboxLogs("", access_token="sl.wrong").revisions()


def test_wrong_app_secret_is_denied_and_not_shown(dropbox: FakeDropbox) -> None:
    keys = {"app_key": "a", "app_secret": "wrong1secret"}
    with pytest.raises(Denied) as caught:
        DropboxLogs("", **keys, refresh_token=dropbox.refresh_token).folders()
    assert "wrong1secret" not in str(caught.value)


def test_corrupted_bytes_are_fetched_again_or_refused(
    dropbox: FakeDropbox, logs: DropboxLogs
) -> None:
    dropbox.fail("files/download", corrupt=True)
    assert logs.read("logvol1.txt").data == b"1"
    dropbox.fail("files/download", times=3, corrupt=True)
    with pytest.raises(StorageError, match="can't be read"):
        logs.read("logvol1.txt")


def test_write_with_a_lost_answer_is_no_conflict(dropbox: FakeDropbox, logs: DropboxLogs) -> None:
    dropbox.fail("files/upload", lost=True)
    rev = logs.write("logvol2.txt", b"2", None)
    assert logs.read("logvol2.txt").rev == rev
    dropbox.fail("files/upload", lost=True)
    rev = logs.write("logvol2.txt", b"23", rev)
    file = logs.read("logvol2.txt")
    assert file.rev == rev
    assert file.data == b"23"


def test_repeated_write_over_another_change_conflicts(
    dropbox: FakeDropbox, logs: DropboxLogs
) -> None:
    rev = logs.read("logvol1.txt").rev
    dropbox.fail("files/upload", status=500)
    dropbox.account.put("/logs/logvol1.txt", b"theirs")
    with pytest.raises(Conflict):
        logs.write("logvol1.txt", b"ours", rev)
    dropbox.account.delete("/logs/logvol1.txt")
    dropbox.fail("files/upload", status=500)
    with pytest.raises(Conflict):
        logs.write("logvol1.txt", b"ours", rev)


def test_untrusted_certificate_is_an_error_without_retries(
    dropbox: FakeDropbox, logs: DropboxLogs, waits: list[float], monkeypatch: Patch
) -> None:
    monkeypatch.delenv("REQUESTS_CA_BUNDLE")
    with pytest.raises(StorageError, match="SSLError"):
        logs.revisions()
    assert not waits
    assert not dropbox.calls


def test_web_page_as_answer_is_an_error(
    dropbox: FakeDropbox, logs: DropboxLogs, monkeypatch: Patch
) -> None:
    def answer_with_a_page(handler: DropboxHandler, _: object) -> None:
        handler.answer(200, b"<html>", {"Content-Type": "text/html"})

    monkeypatch.setattr(DropboxHandler, "_respond", answer_with_a_page)
    with pytest.raises(StorageError, match="can't be read"):
        logs.revisions()
    with pytest.raises(StorageError, match="can't be read"):
        logs.read("logvol1.txt")
    with pytest.raises(StorageError, match="can't be read"):
        logs.overwrite("a", b"")


@pytest.mark.parametrize("folder", ["..", "/a/../b", "/.hidden", "/a\0"])
def test_invalid_folder_is_refused(folder: str) -> None:
    with pytest.raises(ValueError, match="not a file name"):
        DropboxLogs(folder, access_token="t")


def test_opening_by_address(dropbox: FakeDropbox, tmp_path: object) -> None:
    dropbox.account.put("/リーグ/logvol1.txt", b"1")
    logs = open_logs("dropbox:/リーグ", dropbox.credentials())
    assert isinstance(logs, DropboxLogs)
    assert list(logs.revisions()) == ["logvol1.txt"]
    top = open_logs("dropbox:", {"DROPBOX_ACCESS_TOKEN": dropbox.access_token})
    assert list(top.revisions()) == []
    assert isinstance(open_logs(f"file:{tmp_path}", {}), FolderLogs)
    with pytest.raises(ValueError, match="DROPBOX_REFRESH_TOKEN"):
        open_logs("dropbox:/x", {"DROPBOX_APP_KEY": "k", "DROPBOX_APP_SECRET": "s"})
    for url in ("", "x", "file:", "s3://x", "https://www.dropbox.com/home"):
        with pytest.raises(ValueError, match=r"place for logs|no directory"):
            open_logs(url, {})


def test_leagues_of_one_account_share_its_token(dropbox: FakeDropbox) -> None:
    dropbox.account.put("/logs/logvol1.txt", b"1")
    leagues = [open_dropbox(dropbox) for _ in range(5)]
    assert [league.read("logvol1.txt").data for league in leagues] == [b"1"] * 5
    assert dropbox.calls == {"oauth2/token": 1, "files/download": 5}


def test_accounts_share_connections(dropbox: FakeDropbox) -> None:
    dropbox.account.put("/logs/logvol1.txt", b"1")
    accounts = [open_dropbox(dropbox, timeout=11 + number) for number in range(5)]
    for account in accounts:
        account.read("logvol1.txt")
    assert dropbox.calls == {"oauth2/token": 5, "files/download": 5}
    assert dropbox.connections == 2  # one to each of the two hosts
