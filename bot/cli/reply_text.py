"""A reply of the bot as lines for the terminal, and as JSON for programs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from itertools import repeat
from typing import Any

from bot.chat.command import Command
from bot.chat.replies import (
    Animation,
    Cards,
    Choice,
    Download,
    Downloads,
    Form,
    FormFact,
    FormRow,
    Menu,
    PageLink,
    Part,
    Picture,
    Reply,
    Row,
    Table,
    Text,
)
from bot.cli.printing import table_text

Json = dict[str, Any]
KINDS: dict[type, str] = {
    Text: "text",
    Table: "table",
    Cards: "cards",
    Menu: "menu",
    Picture: "picture",
    Downloads: "downloads",
    PageLink: "link",
    Form: "form",
}
"""The parts of a reply -> their `kind` in JSON."""


def reply_lines(reply: Reply) -> list[str]:
    """The parts with an empty line between them, then the labels of the next questions. A picture
    is replaced by its figures, printed once where they are a part of the reply too.
    """
    blocks: list[list[str]] = []
    for part in _printed_parts(reply.parts):
        block = _part_lines(part)
        if block not in blocks:
            blocks.append(block)
    choices = [*reply.buttons, *reply.choices]
    if choices:
        blocks.append([_labels(choices)])
    lines: list[str] = []
    for block in blocks:
        if lines:
            lines.append("")
        lines += block
    return lines


def reply_report(command: Command, reply: Reply) -> Json:
    """The command's name and options, and the reply."""
    return {
        "command": command.name,
        "options": dict(command.options),
        "parts": _as_json(reply.parts),
        "buttons": _as_json(reply.buttons),
        "choices": _as_json(reply.choices),
    }


def _as_json(value: Any) -> Any:
    """A part, or what is in it, with the names of its fields: of pictures without the drawing, of
    files without their content.
    """
    if isinstance(value, tuple):
        return [_as_json(item) for item in value]
    if isinstance(value, Picture):
        return {"kind": KINDS[Picture], "alt": value.alt, "instead": _as_json(value.instead)}
    if isinstance(value, Animation):
        return {"size": list(value.size)}
    if isinstance(value, Download):
        return {"label": value.label, "name": value.name, "bytes": len(value.data)}
    if not is_dataclass(value):
        return value
    report: Json = {}
    if type(value) in KINDS:
        report["kind"] = KINDS[type(value)]
    for field in fields(value):
        report[field.name] = _as_json(getattr(value, field.name))
    return report


def _printed_parts(parts: Iterable[Part]) -> Iterator[Part]:
    for part in parts:
        yield part
        if isinstance(part, Picture):
            yield from part.instead


def _part_lines(part: Part) -> list[str]:
    match part:
        case Text():
            return _text_lines(part)
        case Table():
            return _table_lines(part)
        case Cards():
            return [_row_text(row) for row in part.rows]
        case Menu():
            return _menu_lines(part)
        case Picture():
            return [f"[PNG] {part.alt}"]
        case Downloads():
            files = [f"{file.name}: {len(file.data):,} bytes" for file in part.files]
            return _filled(part.title, part.text, *files)
        case PageLink():
            return _filled(part.title, part.text, f"{part.label}: {part.url}")
        case Form():
            return _form_lines(part)


def _text_lines(part: Text) -> list[str]:
    """The lines of a text, with the ids of the members whom it mentions."""
    if not part.mentions:
        return part.text.splitlines()
    ids = {f"m{number}": f"@{user}" for number, user in enumerate(part.mentions)}
    return part.text.format_map(ids).splitlines()


def _table_lines(table: Table) -> list[str]:
    lines = _filled(table.title, table.subtitle)
    if table.rows:
        lines.append(_rows_text(table.rows, table.heads))
    for heading, rows in table.more:
        lines += ["", heading, _rows_text(rows, table.heads)]
    return [*lines, *_filled(table.note)]


def _rows_text(rows: Sequence[Row], heads: Sequence[str]) -> str:
    """Columns for the rank, the name, the value, the extra figures, and the detail."""
    count = max(len(heads), *(1 + len(row.extra) for row in rows))
    cells = []
    for row in rows:
        figures = _padded([row.value, *row.extra], count)
        cells.append([row.rank, row.name, *figures, row.detail])
    all_heads = ["", "", *_padded(heads, count), ""]
    return table_text(all_heads, cells, left_aligned=(1, count + 2))


def _padded(texts: Sequence[str], count: int) -> list[str]:
    """So many texts, the missing ones empty."""
    missing = count - len(texts)
    return [*texts, *repeat("", missing)]


def _row_text(row: Row) -> str:
    return "  ".join(_filled(row.name, row.value, row.detail))


def _menu_lines(menu: Menu) -> list[str]:
    lines = _filled(menu.title, menu.text)
    if menu.choices:
        lines.append(_labels(menu.choices))
    if menu.link is not None:
        label, url = menu.link
        lines.append(f"{label}: {url}")
    return lines


def _form_lines(form: Form) -> list[str]:
    rows = [_form_row_text(row) for row in form.rows]
    return _filled(form.title, form.step, form.text, *rows, form.note)


def _form_row_text(row: FormRow) -> str:
    if isinstance(row, str):
        return row
    if isinstance(row, FormFact):
        return f"{row.what}: {row.value}"
    return " ".join(f"[{button.label}]" for button in row if button.words)


def _labels(choices: Iterable[Choice]) -> str:
    return " ".join(f"[{choice.label}]" for choice in choices)


def _filled(*texts: str) -> list[str]:
    return [text for text in texts if text]
