"""Change a TOML text to other data, and keep its comments, its order and all other bytes.

`changed(text, wanted)` makes proposals, the neatest first, and returns the first one that parses to
exactly the wanted data and has every comment. Most changes concern one section: a header line and
what follows it up to the next header. tomlkit then edits the document of that section alone, since
in the whole document it moves sections that are not next to others of their kind. What is written
without headers, in inline tables or dotted keys, has no section: there tomlkit edits the whole.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Comment, Table, Whitespace

Data = dict[str, Any]
Path = tuple[str, ...]

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_HEADER = re.compile(r"^\s*\[")
_TOKEN = re.compile(
    # A string without an end matches up to the end of the text, so that it is read only once.
    r'"""(?:\\.|[^\\])*?(?:"{3,5}|\\?\Z)|'
    r"'''.*?'{3,5}|"
    r'"(?:\\.|[^"\\\n])*+"?|'
    r"'[^'\n]*'|"
    r"(?P<comment>#[^\n]*)",
    re.DOTALL,
)
_NO_PATH = ("",)  # of a line that only looks like a header


class TomlSection(NamedTuple):
    """The lines from a header up to the next one; `path` is what the header names, empty for the
    lines above the first header."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class TableChange:
    """A table with a change: its path, and its data before and after the change."""

    path: Path
    before: Data
    after: Data

    def changed_keys(self) -> list[str]:
        """Return the keys that are added, removed or have another value."""
        keys = self.before | self.after
        return [key for key in keys if self.before.get(key) != self.after.get(key)]

    def inner(self, key: str) -> TableChange | None:
        """Return the change of the table at a key, None if no table is there before and after."""
        before = self.before.get(key)
        after = self.after.get(key)
        if not isinstance(before, dict) or not isinstance(after, dict):
            return None
        return TableChange((*self.path, key), before, after)

    def innermost(self) -> TableChange:
        """Return the change of the smallest table that has all of it."""
        keys = self.changed_keys()
        inner = self.inner(keys[0]) if len(keys) == 1 else None
        return self if inner is None else inner.innermost()

    def new_items(self, key: str) -> list[Any] | None:
        """Return the items added at the end of the list at a key, None for any other change."""
        before = self.before.get(key)
        after = self.after.get(key)
        if not isinstance(before, list) or not isinstance(after, list):
            return None
        is_longer = after[: len(before)] == before
        return after[len(before) :] if is_longer else None

    def addition(self) -> TomlSection | None:
        """Return a new table as a section of its own, None if the change is no new table."""
        keys = self.changed_keys()
        if len(keys) != 1:
            return None
        key = keys[0]
        after = self.after.get(key)
        if isinstance(after, dict):
            return _table_section((*self.path, key), after)
        items = after if key not in self.before else self.new_items(key)
        if not self.path and isinstance(items, list) and len(items) == 1:
            table = items[0]
            if isinstance(table, dict):
                return TomlSection((key,), f"[[{key}]]\n{_pairs(table)}")
        return None


def changed(text: str, wanted: Data) -> str | None:
    """Return the text with the wanted data, None if the way it is written does not allow that.

    Raises TOMLDecodeError when the text is not TOML.
    """
    remarks = comments(text)
    for proposal in _proposals(text, TableChange((), tomllib.loads(text), wanted)):
        if _data(proposal) == wanted and not remarks - comments(proposal):
            return proposal
    return None


def comments(text: str) -> Counter[str]:
    """Return every comment of the text, from its `#` to the end of the line."""
    remarks = (token["comment"] for token in _TOKEN.finditer(text))
    return Counter(remark.rstrip() for remark in remarks if remark)


def written(value: Any) -> str:
    """Return a value as TOML text, a dict as an inline table."""
    if isinstance(value, str):
        return tomlkit.string(value).as_string()
    if isinstance(value, dict):
        pairs = [f"{key} = {written(inner)}" for key, inner in value.items()]
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return str(tomlkit.item(value).as_string())


def _data(text: str) -> Data | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _proposals(text: str, whole: TableChange) -> Iterator[str]:
    sections = _sections(text)
    change = whole.innermost()
    addition = change.addition()
    if addition is not None:
        yield _with_addition(sections, addition)
        yield _below(text, addition.text)
    for index, section in enumerate(sections):
        if section.path == change.path:
            above = "".join(other.text for other in sections[:index])
            below = "".join(other.text for other in sections[index + 1 :])
            for new in _edited(section.text, change):
                yield above + new + _gap(new, change, below) + below
    yield from _edited(text, whole)


def _gap(new: str, change: TableChange, below: str) -> str:
    """Return a blank line where a new key is right above the first header."""
    is_new_key = len(change.after) > len(change.before)
    if change.path or not is_new_key or not below:
        return ""
    return "" if _is_idle(_LINE.findall(new)[-1]) else "\n"


def _table_section(path: Path, table: Data) -> TomlSection:
    """Return a table as a section of its own. A table with nothing but an inner table is written as
    that one, because TOML needs no header for the outer one."""
    if len(table) == 1:
        (name,) = table
        if isinstance(table[name], dict):
            return _table_section((*path, name), table[name])
    header = ".".join([path[0], *map(written, path[1:])])
    return TomlSection(path, f"[{header}]\n{_pairs(table)}")


def _pairs(table: Data) -> str:
    return "".join(f"{key} = {written(value)}\n" for key, value in table.items())


def _sections(text: str) -> list[TomlSection]:
    path: Path = ()
    lines: list[str] = []
    sections = []
    for line in _LINE.findall(text):
        if _HEADER.match(line):
            sections.append(TomlSection(path, "".join(lines)))
            path = _header_path(line)
            lines = []
        lines.append(line)
    return [*sections, TomlSection(path, "".join(lines))]


def _header_path(line: str) -> Path:
    """The keys in a header: ("team", "東家") of `[team."東家"]`; _NO_PATH where it is no header.

    A header alone is a document of one key that has a table of one key, and so on.
    """
    try:
        data: Any = tomlkit.parse(line).unwrap()
    except (TOMLKitError, ValueError):
        return _NO_PATH
    path = []
    while isinstance(data, dict) and len(data) == 1:
        ((name, data),) = data.items()
        path.append(name)
    return tuple(path)


def _with_addition(sections: list[TomlSection], addition: TomlSection) -> str:
    """Return the text with the new section below the last one of its kind, or at the end."""
    texts = [section.text for section in sections]
    kind = addition.path[0]
    for index in reversed(range(len(sections))):
        if sections[index].path[:1] == (kind,):
            lines = _LINE.findall(texts[index])
            end = len(lines)
            while end > 1 and _is_idle(lines[end - 1]):
                end -= 1
            above = _ended("".join(lines[:end]))
            texts[index] = f"{above}\n{addition.text}{''.join(lines[end:])}"
            return "".join(texts)
    return _below("".join(texts), addition.text)


def _below(text: str, addition: str) -> str:
    gap = ""
    if text.strip() and not text.endswith("\n\n"):
        gap = "\n"
    return _ended(text) + gap + addition


def _is_idle(line: str) -> bool:
    """Whether the line is idle: blank, or a comment from its beginning. At the end of a section
    such lines belong to what follows."""
    return not line.strip() or line.startswith("#")


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _edited(text: str, change: TableChange) -> Iterator[str]:
    """Yield the text with the change made: first with lists that grow, then with new lists.

    Comments inside of replaced values get lines of their own above the keys.
    """
    for replaces_lists in (False, True):
        try:
            document = tomlkit.parse(text)
            table: Any = document
            for name in change.path:
                table = table[name]
            _make(table, change, replaces_lists)
            new = tomlkit.dumps(document)
        except (TOMLKitError, ValueError, KeyError, TypeError, AttributeError):
            continue
        remarks = (comments(text) - comments(new)).elements()
        lines = _LINE.findall(new)
        header = lines[:1] if change.path and _HEADER.match(new) else []
        body = lines[len(header) :]
        yield "".join([*header, *(f"{remark}\n" for remark in remarks), *body])


def _make(table: Any, change: TableChange, replaces_lists: bool) -> None:
    """Make a change in a table of a tomlkit document."""
    for key in change.changed_keys():
        inner = change.inner(key)
        items = change.new_items(key)
        if inner is not None:
            _make(table[key], inner, replaces_lists)
        elif items is not None and not replaces_lists:
            for item in items:
                table[key].append(_item(item))
        elif key not in change.after:
            table.remove(key)
        elif key in change.before:
            table[key] = _item(change.after[key])
        else:
            _add(table, key, _item(change.after[key]))


def _add(table: Any, key: str, item: Any) -> None:
    """Add a key to a table, above the blank lines and comments at its end: they belong to what
    follows the table. In a document of nothing else the key goes below them."""
    idle = []
    if isinstance(table, Table):
        idle = _pop_idle(table.value.body)
    elif isinstance(table, TOMLDocument) and table:
        idle = _pop_idle(table.body)
    table.add(key, item)
    for idle_item in reversed(idle):
        table.add(idle_item)


def _pop_idle(body: list[Any]) -> list[Any]:
    """Take the idle items (blank lines, and comments that are not indented) from the end of a body,
    and return them, the last one first."""
    idle = []
    while body and _is_idle_item(body[-1][1]):
        _key, item = body.pop()
        idle.append(item)
    return idle


def _is_idle_item(item: Any) -> bool:
    if isinstance(item, Comment):
        return item.trivia.indent == ""
    return isinstance(item, Whitespace)


def _item(value: Any) -> Any:
    """Return a value as an item of a tomlkit document, a dict as an inline table."""
    return tomlkit.parse(f"value = {written(value)}\n")["value"]
