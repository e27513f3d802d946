"""SQLite: a database in a file of this machine."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from bot.runtime.translation import Message, message as _
from bot.settings.store_kind import Advice, StoreKind, check_names_something
from bot.settings.variable import Reading, Wording

_SCHEME = "sqlite:///"
_BUSY = 2.0  # seconds for which another program may be writing the file


def _check(reading: Reading, url: str, scheme: str) -> None:
    check_names_something(reading, url, scheme)
    if url == "sqlite:///:memory:":
        reading.report(_("needs a file: sqlite:///FILE"))


def _lock(url: str) -> Message | None:
    """Report a program that locks the file for longer than a write takes."""
    path = Path(url.removeprefix(_SCHEME))
    if not path.is_file():
        return None
    with (
        suppress(sqlite3.DatabaseError),
        closing(sqlite3.connect(path, timeout=_BUSY)) as connection,
    ):
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                return _lock_message(path)
    return None


def _lock_message(path: Path) -> Message:
    holder = _("a program keeps {path} locked; `fuser -v {path}` tells which", path=path)
    programs = ", ".join(_programs(path))
    if programs:
        holder = _(
            "a program keeps {path} locked; it is open in {found}", path=path, found=programs
        )
    return _("{held}: let it end its work, or end it with `kill` and its number", held=holder)


def _programs(path: Path) -> Iterator[str]:
    """The other processes that have the file open, where Linux shows them: number and command."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            links = {os.readlink(link) for link in (process / "fd").iterdir()}
            if str(path.resolve()) in links and int(process.name) != os.getpid():
                arguments = (process / "cmdline").read_bytes().replace(b"\0", b" ")
                command = arguments.decode(errors="replace").strip()
                yield f"{process.name} ({command[:60]})"


SQLITE = StoreKind(
    name="sqlite",
    title="SQLite",
    scheme=_SCHEME,
    state_schemes=(_SCHEME,),
    form=Wording("`sqlite:///FILE`", "`sqlite:///FILE`"),
    check=_check,
    on_disk=True,
    obstacle=_lock,
    advice=(
        Advice(
            re.compile(r"file is not a database"),
            "DATABASE_URL",
            "unreadable",
            _(
                "the file is no SQLite database: name another, or restore a backup (`flask restore`)"
            ),
        ),
        Advice(
            re.compile(r"^sqlite.*(unable to open database file|\[Errno|readonly database)"),
            "DATABASE_URL",
            "permission",
            _("the file can't be opened and written: name one in a folder that the bot may write"),
        ),
    ),
)
