"""The file of a backup: a zip with every league's files, and what the state store alone knows.

    janroku.json                the version, the schema, and what is in it; written last
    state.jsonl                 a line for each row of the database: its "table" and columns, in the
                                order of keys; of versions before 0.3 {"key", "value", "expires"}
    root/NAME                   the files of the root folder's league that people edit
    root/history.tar            former versions, root/records.tar the game records
    leagues/FOLDER/...          the same of the other leagues

Many small files lie in a tar each, so that memory stays bounded for a host of thousands of leagues.
"""

from __future__ import annotations

import io
import json
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from bot.league.files import is_read
from storage.backup_rows import KeptRow, former_rows
from storage.files import is_name
from storage.former_values import FormerValue, read_line
from storage.ports import LARGEST

FORMAT = 2
ABOUT = "janroku.json"
STATE = "state.jsonl"
TARRED = ("history", "records")
TARS = ("history.tar", "records.tar")
# most entries of a backup, and most bytes that they unpack to
ENTRIES = 500_000
UNPACKED = 64 << 30
# bytes that one byte may unpack to, where a backup unpacks to more than so many
RATIO = 200
FREE = 64 << 20
_ENTRY = re.compile(r"(?:root|leagues/(?P<league>[A-Za-z0-9_-]{1,40}))/(?P<name>[^/]+)")
_BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
)


class ArchiveError(ValueError):
    """The file is no backup that can be restored here; the message has the reason in one line."""


ABOUT_KINDS: Mapping[str, type] = {
    "version": str,
    "schema": int,
    "made": str,
    "leagues": dict,
    "state": int,
    "left_out": list,
    "format": int,
}
"""The fields of a backup's description, and the kind of each value."""


class ArchivedFile(NamedTuple):
    """A file of a league by its name in the league's folder."""

    name: str
    data: bytes


@dataclass
class About:
    """The description of a backup. `leagues` counts each league's files, `state` the values."""

    version: str
    schema: int
    made: str
    leagues: dict[str, int] = field(default_factory=dict)
    state: int = 0
    left_out: list[str] = field(default_factory=list)
    format: int = FORMAT


class ArchiveWriter:
    def __init__(self, file: Any) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)

    def put_rows(self, rows: Iterable[KeptRow]) -> int:
        """Write the rows, which come in the order of keys; return their number."""
        count = 0
        with self._zip.open(STATE, "w", force_zip64=True) as lines:
            for row in rows:
                lines.write(row.to_json().encode() + b"\n")
                count += 1
        return count

    def put_file(self, league: str, file: ArchivedFile) -> None:
        self._zip.writestr(f"{_prefix(league)}/{file.name}", file.data)

    def put_folder(
        self,
        league: str,
        folder: str,
        files: Iterable[ArchivedFile],
    ) -> None:
        """Write the files of `history` or `records`, with their whole names."""
        with (
            self._zip.open(f"{_prefix(league)}/{folder}.tar", "w", force_zip64=True) as entry,
            tarfile.open(mode="w|", fileobj=entry, format=tarfile.PAX_FORMAT) as tar,
        ):
            for name, data in files:
                member = tarfile.TarInfo(name)
                member.size = len(data)
                tar.addfile(member, io.BytesIO(data))
                tar.members = []  # type: ignore[attr-defined]  # else it stores them all

    def close(self, about: About) -> None:
        text = json.dumps(vars(about), ensure_ascii=False, indent=1)
        self._zip.writestr(ABOUT, text)
        self._zip.close()


class Archive:
    """Reads a backup piece by piece, as often as needed. Raises ArchiveError when it is no backup,
    broken, or of a newer version, and OSError when it cannot be read."""

    def __init__(self, path: Path) -> None:
        self._name = path.name
        with ExitStack() as stack:
            try:
                self._zip = stack.enter_context(zipfile.ZipFile(path))
            except _BROKEN:
                raise ArchiveError(f"{self._name} is no zip file, or a broken one") from None
            self._check_size(path.stat().st_size)
            self.about = self._read_about()
            self._leagues = self._entries()
            stack.pop_all()

    def _check_size(self, packed: int) -> None:
        """Refuse a zip bomb: too many entries, or too many bytes for a file of `packed` bytes."""
        entries = self._zip.infolist()
        size = sum(info.file_size for info in entries)  # no entry unpacks to more than it states
        if len(entries) > ENTRIES or size > UNPACKED or size > max(FREE, RATIO * packed):
            raise ArchiveError(
                f"{self._name} is no backup of Janroku's: {len(entries)} entries of {packed >> 10} KB "
                f"unpack to {size >> 20} MB"
            )

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @property
    def leagues(self) -> list[str]:
        return sorted(self._leagues)

    def rows(self) -> Iterator[KeptRow]:
        """Yield the rows of the database in the order of keys."""
        if self.about.format == 1:
            yield from former_rows(self._former_values())
            return
        last_key: tuple[str, ...] = ()
        for line in self._lines():
            try:
                row = KeptRow.from_json(line)
            except (ValueError, RecursionError):
                raise ArchiveError(
                    f"{self._name} is broken: {STATE} has a line that is none"
                ) from None
            if row.key <= last_key:
                raise ArchiveError(
                    f"{self._name} is broken: {STATE} has a line twice, or in the wrong place"
                )
            last_key = row.key
            yield row

    def _former_values(self) -> Iterator[FormerValue]:
        for line in self._lines():
            try:
                yield read_line(line)
            except ValueError:
                raise ArchiveError("the backup is broken: a line of its state is none") from None

    def _lines(self) -> Iterator[bytes]:
        """Yield the lines of the state, and check their number at the end."""
        count = 0
        with self._reading(STATE), self._zip.open(STATE) as lines:
            while line := lines.readline(LARGEST + 1):
                count += 1
                yield line
        if count != self.about.state:
            raise ArchiveError(f"{self._name} is broken: lines of {STATE} are missing")

    def files(self, league: str) -> Iterator[ArchivedFile]:
        """Yield the files of a league: those in folders first."""
        names = self._leagues.get(league, set())
        for folder, tar in zip(TARRED, TARS, strict=True):
            if tar in names:
                yield from self._tarred_files(f"{_prefix(league)}/{tar}", folder)
        for name in sorted(names.difference(TARS)):
            entry = f"{_prefix(league)}/{name}"
            with self._reading(entry):
                data = self._zip.read(entry)
            yield ArchivedFile(name, data)

    def _tarred_files(self, entry: str, folder: str) -> Iterator[ArchivedFile]:
        with (
            self._reading(entry),
            self._zip.open(entry) as file,
            tarfile.open(mode="r|", fileobj=file) as tar,
        ):
            for member in tar:
                tar.members = []  # type: ignore[attr-defined]  # else it stores them all
                self._check_member(member, entry, folder)
                content = tar.extractfile(member)
                data = b""
                if content is not None:
                    data = content.read()
                if len(data) != member.size:
                    raise ArchiveError(f"{self._name} is broken: {entry} ends too early")
                yield ArchivedFile(member.name, data)
            while file.read(1 << 16):  # to its end, where its checksum is compared
                pass

    def _check_member(self, member: tarfile.TarInfo, entry: str, folder: str) -> None:
        """Refuse what is no plain file inside the folder, and files that are too large."""
        is_inside = is_name(member.name) and member.name.startswith(f"{folder}/")
        if not is_inside or not member.isreg() or member.issparse():
            raise ArchiveError(
                f"{self._name}: {entry} holds {member.name[:80]!r}, which is no file of Janroku's"
            )
        if member.size > LARGEST:
            raise ArchiveError(f"{self._name}: {member.name} in {entry} is too large")

    def _read_about(self) -> About:
        if ABOUT not in self._zip.namelist():
            raise ArchiveError(f"{self._name} is no backup of Janroku's: it has no {ABOUT}")
        if self._zip.getinfo(ABOUT).file_size > LARGEST:
            raise ArchiveError(f"{self._name} is broken: {ABOUT} is too large")
        with self._reading(ABOUT):
            data = self._zip.read(ABOUT)
        fields = _json_object(data)
        form = fields.get("format")
        if isinstance(form, int) and form > FORMAT:
            newer = f"it has the form {form} of a newer Janroku ({fields.get('version')})"
            raise ArchiveError(f"{self._name}: {newer}")
        for key, kind in ABOUT_KINDS.items():
            if not isinstance(fields.get(key), kind):
                raise ArchiveError(f"{self._name} is broken: {ABOUT} can't be read")
        return About(**{key: fields[key] for key in ABOUT_KINDS})

    def _entries(self) -> dict[str, set[str]]:
        """Return the names of the files and tars of each league."""
        names: dict[str, set[str]] = {league: set() for league in self.about.leagues}
        entries: set[str] = set()
        for info in self._zip.infolist():
            entry = info.filename
            match = _ENTRY.fullmatch(entry)
            is_of_backup = entry in (ABOUT, STATE)
            if match is not None:
                is_of_backup = _is_entry_name(match["name"])
            if not is_of_backup or entry in entries:
                raise ArchiveError(f"{self._name}: {entry[:80]!r} is no file of a backup")
            entries.add(entry)
            if match is None:
                continue
            if match["name"] not in TARS and info.file_size > LARGEST:
                raise ArchiveError(f"{self._name}: {entry} is too large")
            names.setdefault(match["league"] or "", set()).add(match["name"])
        if STATE not in entries or names.keys() != self.about.leagues.keys():
            raise ArchiveError(f"{self._name} is broken: parts of it are missing")
        return names

    @contextmanager
    def _reading(self, entry: str) -> Iterator[None]:
        try:
            yield
        except _BROKEN:
            raise ArchiveError(f"{self._name} is broken: {entry} can't be read") from None


def _json_object(data: bytes) -> dict[str, Any]:
    """Return the fields of a JSON object, none for bytes that are no such object."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(value, dict):
        return {}
    return value


def _is_entry_name(name: str) -> bool:
    """Whether a league has such an entry: a tar, or a file that people edit."""
    return is_name(name) and (name in TARS or is_read(name))


def _prefix(league: str) -> str:
    """Return the folder of a league's entries in the zip."""
    return f"leagues/{league}" if league else "root"
