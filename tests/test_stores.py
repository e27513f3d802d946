"""A service's database and its other stores are called through their circuit breakers."""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select

from bot.runtime.circuit_breaker import CircuitBreaker
from bot.settings.stores import open_images, open_logs
from storage.addresses import ImageOptions
from storage.database import Database
from storage.dropbox_logs import DropboxLogs
from storage.ports import ImageStore, LogSource, StorageError, Unavailable
from storage.s3_images import S3Images
from storage.schema import VALUES
from storage.state import State


def refused() -> AbstractContextManager[None]:
    raise Unavailable("x")


def test_no_call_of_the_database_goes_round_its_breaker(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/state.db", around=lambda statement, write: refused())
    assert {name for name in vars(Database) if not name.startswith("_")} == {
        *WITH_REQUEST,
        *WITHOUT_REQUEST,
    }
    for name, arguments in WITH_REQUEST.items():
        with pytest.raises(Unavailable), ExitStack() as stack:
            stack.enter_context(
                getattr(database, name)(*arguments)
            )  # only that of a transaction is one
    assert not list(tmp_path.iterdir())


WITH_REQUEST: dict[str, tuple[Any, ...]] = {
    "rows": (select(VALUES),),
    "first": (select(VALUES),),
    "value": (select(VALUES.c.key),),
    "write": (delete(VALUES),),
    "put": (VALUES, {"key": "", "value": "", "expires": None}),
    "begin": ("x",),
}
WITHOUT_REQUEST = (
    "called_through",
    "insert",
    "replacing",
    "clock",
    "now",
    "is_made",
    "close",
)  # of SQLite


def public_names(protocol: type) -> set[str]:
    return {name for name in vars(protocol) if not name.startswith("_")}


def test_no_call_of_dropbox_goes_round_its_breaker() -> None:
    """Also of a method added later."""
    logs = DropboxLogs("/x", access_token="t", guard=refused)
    special = {
        "revisions": (),
        "folders": (),
        "write": ("a", b"", None),
        "overwrite": ("a", b""),
    }
    for name in public_names(LogSource) - {"fresh"}:
        with pytest.raises(Unavailable):
            getattr(logs, name)(*special.get(name, ("a",)))


def test_no_call_of_a_bucket_goes_round_its_breaker(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"):
        monkeypatch.setenv(variable, "x")
    images = S3Images("bucket", guard=refused)
    assert images.url("a.png").startswith("https://")
    special = {"put": ("a.png", b""), "sweep": (1.0,)}
    for name in public_names(ImageStore) - {"url", "open"}:
        arguments = special.get(name, ("a.png",))
        with pytest.raises(Unavailable):
            getattr(images, name)(*arguments)


def test_an_error_names_the_store_and_not_its_database(tmp_path: Path) -> None:
    breaker = CircuitBreaker("state")
    database = Database(
        "postgres://x:x@127.0.0.1:1/x", around=lambda statement, write: breaker.call()
    )
    (tmp_path / "file").write_bytes(b"")
    options = ImageOptions(b"s" * 16, "", database, CircuitBreaker("images").call)
    logs = open_logs("postgres:/x", {}, database, CircuitBreaker("postgres").call)
    calls: list[tuple[str, Callable[[], object]]] = [
        ("state", State(database).chats.all),
        ("postgres", logs.revisions),
        ("images", lambda: open_images("postgres:", options).has("a.png")),
        ("images", lambda: open_images(f"file:{tmp_path}/file", options).put("a.png", b"")),
    ]
    for name, call in calls:
        with pytest.raises(StorageError) as caught:
            call()
        assert caught.value.store == name
