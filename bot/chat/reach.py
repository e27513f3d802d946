"""Takes out of a reply what leads to a command that the bot does not have, because the feature with
it is not installed: its buttons and the taps on rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.chat.command import DATA, Catalogue
from bot.chat.replies import (
    GAP,
    Button,
    Cards,
    Choice,
    Form,
    FormRow,
    Menu,
    Once,
    Part,
    Picture,
    Reply,
    Row,
    Table,
    Text,
)


def reachable(reply: Reply, catalogue: Catalogue) -> Reply:
    """The reply without what leads nowhere; the reply itself where all commands are there."""
    if not catalogue.absent:
        return reply
    return _Reachable(catalogue.absent).reply(reply)


@dataclass(frozen=True)
class _Reachable:
    """`absent` are the names of the commands that the bot does not have."""

    absent: frozenset[str]

    def has(self, data: str) -> bool:
        """Whether postback data has a command of the bot; "" has none, and stays."""
        name = data.removeprefix(DATA).partition("?")[0]
        return name not in self.absent

    def reply(self, reply: Reply) -> Reply:
        once = reply.once
        if once is not None:
            once = Once(once.mark, self.parts(once.parts))
        return replace(
            reply,
            parts=self.parts(reply.parts),
            choices=self.choices(reply.choices),
            buttons=self.choices(reply.buttons),
            once=once,
        )

    def parts(self, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        return tuple(map(self.part, parts))

    def part(self, part: Part) -> Part:
        if isinstance(part, Table):
            return self.table(part)
        if isinstance(part, Picture):
            return replace(part, instead=tuple(map(self.words, part.instead)))
        if isinstance(part, Cards):
            return replace(part, rows=self.rows(part.rows))
        if isinstance(part, Menu):
            return self.menu(part)
        if isinstance(part, Form):
            return replace(part, rows=self.form_rows(part.rows))
        return part

    def words(self, part: Text | Table) -> Text | Table:
        """A part that has the content of a picture."""
        if isinstance(part, Table):
            return self.table(part)
        return part

    def menu(self, menu: Menu) -> Menu | Text:
        """The menu; its text alone where no button is left."""
        choices = self.choices(menu.choices)
        if not choices:
            return Text(menu.text or menu.title)
        return replace(menu, choices=choices)

    def choices(self, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
        return tuple(choice for choice in choices if self.has(choice.data))

    def table(self, table: Table) -> Table:
        more = tuple((head, self.rows(rows)) for head, rows in table.more)
        by_picture = table.by_picture
        if by_picture is not None:
            by_picture = self.table(by_picture)
        return replace(table, rows=self.rows(table.rows), more=more, by_picture=by_picture)

    def rows(self, rows: tuple[Row, ...]) -> tuple[Row, ...]:
        return tuple(map(self.row, rows))

    def row(self, row: Row) -> Row:
        if self.has(row.data):
            return row
        return replace(row, data="", said="", mark="")

    def form_rows(self, rows: tuple[FormRow, ...]) -> tuple[FormRow, ...]:
        """The rows without those of which no button is left. A gap takes the place of a button next
        to others, so that these keep their width.
        """
        remaining: list[FormRow] = []
        for row in rows:
            if not isinstance(row, tuple):
                remaining.append(row)
            elif any(self.has(button.data) for button in row):
                remaining.append(tuple(map(self.button, row)))
        return tuple(remaining)

    def button(self, button: Button) -> Button:
        return button if self.has(button.data) else GAP
