"""Change TOML text in one place: add a table, set a key, add an item to a list. All else stays byte for byte.

Each function proposes texts, the neatest first. The first ones usually change only the table's own lines. The
last ones go through the whole document, for files written in an unusual way. The caller checks each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import String, StringType

Path = tuple[str, ...]
_HEADER = re.compile(r"^\s*\[")
_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"{3,5}|\\?\Z)|'  # what is not closed goes on to its end, so that it is read once
    r"'''.*?'{3,5}|"
    r'"(?:\\.|[^"\\\n])*+"?|'
    r"'[^'\n]*'|"
    r"(?P<comment>#[^\n]*)",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^\"\\\x00-\x1f\x7f]*")


def written(value: Any) -> str:
    """A value as TOML text."""
    if isinstance(value, str):
        if _PLAIN.fullmatch(value):
            return f'"{value}"'
        return String.from_raw(value, StringType.SLB).as_string()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {written(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return str(tomlkit.item(value).as_string())


def comments(text: str) -> Counter[str]:
    """Every comment of the text, from its `#` to the line's end; a `#` inside a string begins none."""
    return Counter(token["comment"].rstrip() for token in _TOKEN.finditer(text) if token["comment"])


def with_table(text: str, path: Path, values: dict[str, Any]) -> Iterator[str]:
    """Texts with a new table `[kind."name"]` (or `[[kind]]`).

    It goes after the last table of its kind, at the end, or inside an inline table.
    """
    kind, *name = path
    lines = _lines(text)
    header = f"[{kind}.{written(name[0])}]" if name else f"[[{kind}]]"
    new = "".join(f"{line}\n" for line in (header, *(f"{k} = {written(v)}" for k, v in values.items())))
    last = max((i for i, line in enumerate(lines) if (_path(line) or ("",))[0] == kind), default=None)
    if last is not None:
        end = next((i for i in range(last + 1, len(lines)) if _HEADER.match(lines[i])), len(lines))
        while end > last + 1 and _is_idle(lines[end - 1]):
            end -= 1
        yield _ended("".join(lines[:end])) + "\n" + new + "".join(lines[end:])
    gap = "\n" if text.strip() and not text.endswith("\n\n") else ""
    yield _ended(text) + gap + new
    if name:
        yield from with_key(text, (kind,), name[0], values)
    else:
        yield from with_item(text, (), kind, values)


def with_key(text: str, path: Path, key: str, value: Any) -> Iterator[str]:
    """Texts with a key set in the table at `path`; the empty path stands for the top-level keys."""

    def change(table: Any) -> None:
        table[key] = tomlkit.parse(f"x = {written(value)}")["x"]

    start, end = _block(text, path)
    lines = _lines(text)
    pattern = re.compile(rf"^\s*[\"']?{re.escape(key)}[\"']?\s*=")
    if start is not None and not any(pattern.match(line) for line in lines[start:end]):
        at = end
        while at > start and _is_idle(lines[at - 1]):
            at -= 1
        if at == start and not path:  # only comments: insert below them
            at = end
        before, after = _ended("".join(lines[:at])), "".join(lines[at:])
        gap = "\n" if not path and after.lstrip(" \t").startswith("[") else ""
        yield f"{before}{key} = {written(value)}\n{gap}{after}"
    yield from _changed(text, path, change)


def with_item(text: str, path: Path, key: str, value: Any) -> Iterator[str]:
    """Texts with an item added to the list `key` of the table at `path`."""

    def change(table: Any) -> None:
        table[key].append(tomlkit.parse(f"x = {written(value)}")["x"])

    def rewrite(table: Any) -> None:
        table[key] = tomlkit.parse(f"x = {written([*table[key].unwrap(), value])}")["x"]

    yield from _changed(text, path, change)
    yield from _changed(text, path, rewrite)


def _changed(text: str, path: Path, change: Callable[[Any], None]) -> Iterator[str]:
    """Texts with the table's own lines changed, then with the whole document changed."""
    lines = _lines(text)
    start, end = _block(text, path)
    if start is not None:
        first = start - 1 if path else 0
        own = "".join(lines[first:end])
        if (inner := _edited(own, path, change)) is not None:
            before, after = "".join(lines[:first]), "".join(lines[end:])
            yield before + inner + after
            yield before + _remarked(inner, comments(own) - comments(inner), bool(path)) + after
    if (whole := _edited(text, path, change)) is not None:
        yield whole
        yield _remarked(whole, comments(text) - comments(whole), False)


def _remarked(text: str, remarks: Counter[str], below_header: bool) -> str:
    """The text with comments that stood inside a value put on their own lines above the keys."""
    lines = _lines(text)
    return "".join(
        [*lines[:below_header], *(f"{remark}\n" for remark in remarks.elements()), *lines[below_header:]]
    )


def _edited(text: str, path: Path, change: Callable[[Any], None]) -> str | None:
    try:
        document = tomlkit.parse(text)
        table: Any = document
        for name in path:
            table = table[name]
        change(table)
        return tomlkit.dumps(document)
    except (TOMLKitError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _block(text: str, path: Path) -> tuple[int | None, int]:
    """The lines of the table at `path` below its header, as indexes; (None, 0) without an own header."""
    lines = _lines(text)
    start = next((i + 1 for i, line in enumerate(lines) if _path(line) == path), None) if path else 0
    if start is None:
        return None, 0
    end = next((i for i in range(start, len(lines)) if _HEADER.match(lines[i])), len(lines))
    return start, end


def _path(line: str) -> Path | None:
    """The path that a header line names, None for other lines."""
    if not _HEADER.match(line):
        return None
    try:
        data: Any = tomlkit.parse(line).unwrap()
    except (TOMLKitError, ValueError):
        return None
    path = []
    while isinstance(data, dict) and len(data) == 1:
        name, data = next(iter(data.items()))
        path.append(name)
    return tuple(path)


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _is_idle(line: str) -> bool:
    """Whether the line is blank, or begins with a comment, which belongs to what follows."""
    return not line.strip() or line.startswith("#")


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"
