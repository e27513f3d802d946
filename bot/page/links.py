"""The links of the page: the data of the chat's buttons as addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

from bot.answers.common.members import (
    SLOTS,
    WHOLE,
)
from bot.chat.command import DATA, Ask
from bot.chat.replies import Choice, Menu, Row, Table
from bot.page.parts import Folded, FurtherLink, Grid, GridGroup, GridRow, Shown
from bot.page.views import SHOWN


def links_of(choices: Iterable[Choice], link: Callable[[str], str]) -> tuple[FurtherLink, ...]:
    """The links of choices, each address once and none for what the page does not show."""
    labels = {link(choice.data): choice.label for choice in choices if not choice.pick}
    return tuple(FurtherLink(label, url) for url, label in labels.items() if url)


class PartLinks:
    """Puts addresses of the page in the place of the postback data of parts: `link` gives the
    address of data, "" for what leads elsewhere.
    """

    def __init__(self, link: Callable[[str], str]) -> None:
        self._link = link

    def parts(self, parts: Iterable[Shown]) -> tuple[Shown, ...]:
        return tuple(map(self._part, parts))

    def _part(self, part: Shown) -> Shown:
        if isinstance(part, Table):
            more = tuple((heading, self._rows(rows)) for heading, rows in part.more)
            return replace(part, rows=self._rows(part.rows), more=more)
        if isinstance(part, Folded):
            return Folded(self._part(part.part))
        if isinstance(part, Menu):
            links = links_of(part.choices, self._link)
            return replace(part, choices=tuple(Choice(label, url) for label, url in links))
        if isinstance(part, Grid):
            return replace(part, groups=tuple(map(self._group, part.groups)))
        return part

    def _rows(self, rows: Iterable[Row]) -> tuple[Row, ...]:
        return tuple(map(self._row, rows))

    def _row(self, row: Row) -> Row:
        return replace(row, data=self._link(row.data))

    def _group(self, group: GridGroup) -> GridGroup:
        rows = tuple(GridRow(self._row(row), cells) for row, cells in group.rows)
        return GridGroup(group.heading, rows)


def address(data: str, ids: Mapping[str, str]) -> str:
    """The page's address (`?ask=…`) of postback data; "" for what the page does not show. Members
    are named by their ids, so no address contains a name on Tenhou."""
    name, _, query = data.removeprefix(DATA).partition("?")
    options = dict(parse_qsl(query))
    if name == Ask.RECORD_REPORT and options.get("id"):
        return _replay_address(options)
    # The page shows these parts together with the picture.
    is_in_part = "pick" in options or options.get("show") == WHOLE
    if name not in SHOWN or not data.startswith(DATA) or is_in_part:
        return ""
    member_ids = {slot: f"~{ids[options[slot]]}" for slot in SLOTS if options.get(slot) in ids}
    return "?" + urlencode({"ask": name, **options, **member_ids})


def _replay_address(options: Mapping[str, str]) -> str:
    """The address of a record's replay, at the round, seat and scene of the options."""
    query = {"game": options["id"]}
    for name, option in {"round": "round", "seat": "tw"}.items():
        if options.get(option, "").isdecimal():
            query[name] = options[option]
    if "scene" in options:
        query["scene"] = options["scene"]
    return "?" + urlencode(query)
