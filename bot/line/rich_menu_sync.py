"""Installs the rich menu on a channel and removes it. Menus and aliases without `PREFIX` are not changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bot.chat.command import Spec
from bot.line.rich_menu import PREFIX, Json, MenuPage, pages


@dataclass(frozen=True)
class ChannelMenu:
    """A rich menu on the channel."""

    id: str
    name: str

    @property
    def ours(self) -> bool:
        """Whether this bot made it: its name begins with `PREFIX`."""
        return self.name.startswith(PREFIX)


class MenuChannel(Protocol):
    """The rich menus of a channel, as `bot.line.rich_menu_api.RichMenuApi` has them."""

    def list(self) -> list[ChannelMenu]: ...

    def create(self, body: Json) -> str: ...

    def upload(self, menu: str, picture: bytes) -> None: ...

    def has_picture(self, menu: str) -> bool: ...

    def delete(self, menu: str) -> None: ...

    def aliases(self) -> dict[str, str]: ...

    def set_alias(self, alias: str, menu: str, known: bool) -> None: ...

    def delete_alias(self, alias: str) -> None: ...

    def default(self) -> str | None: ...

    def set_default(self, menu: str) -> None: ...

    def clear_default(self) -> None: ...


def install(
    channel: MenuChannel,
    catalogue: Mapping[str, Spec],
    dry: bool = False,
    tell: Callable[[str], None] = print,
) -> bool:
    """Install the menus on the channel; return whether anything was to do. `dry` only tells the steps.

    New menus are made before old ones are removed, so that there is a menu all the time. The next run
    finishes a run that broke off.
    """
    work = _Install(channel, dry, tell)
    wanted, there = pages(catalogue), channel.list()
    ids = {page.alias: work.made(page, there) for page in wanted}
    aliases = channel.aliases()
    for page in wanted:
        if aliases.get(page.alias) != ids[page.alias] or not ids[page.alias]:
            what = f"alias {page.alias} -> {page.name}"
            work.step(what, channel.set_alias, page.alias, ids[page.alias], page.alias in aliases)
    first = wanted[0]
    new = ids[first.alias] not in {menu.id for menu in there}  # and so not yet the default
    if new or channel.default() != ids[first.alias]:
        work.step(f"default: {first.name}", channel.set_default, ids[first.alias])
    for alias in aliases:
        if alias.startswith(PREFIX) and alias not in ids:
            work.step(f"remove alias {alias}", channel.delete_alias, alias)
    for menu in there:
        if menu.ours and menu.id not in ids.values():
            work.step(f"remove {menu.name}", channel.delete, menu.id)
    return work.steps > 0


class _Install:
    """Does the steps and tells each one; with `dry` it only tells and counts them."""

    def __init__(self, channel: MenuChannel, dry: bool, tell: Callable[[str], None]) -> None:
        self.channel = channel
        self.dry = dry
        self.tell = tell
        self.steps = 0

    def step(self, what: str, work: Callable[..., Any], *args: Any) -> Any:
        self.steps += 1
        self.tell(what)
        return None if self.dry else work(*args)

    def made(self, page: MenuPage, there: list[ChannelMenu]) -> str:
        """The id of the page's menu, which is made where it is missing; "" where `dry` does not make it."""
        for menu in there:
            if menu.name == page.name and self.channel.has_picture(menu.id):
                return menu.id
        what = f"make {page.name} ({len(page.picture) / 1024:.0f} KB)"
        return str(self.step(what, self._make, page) or "")

    def _make(self, page: MenuPage) -> str:
        made = self.channel.create(page.body)
        self.channel.upload(made, page.picture)
        return made


def remove(channel: MenuChannel, tell: Callable[[str], None] = print) -> bool:
    """Remove this bot's menus and aliases from the channel; return whether there were any."""
    ours = [menu for menu in channel.list() if menu.ours]
    if channel.default() in {menu.id for menu in ours}:
        tell("clear the default")
        channel.clear_default()
    aliases = [alias for alias in channel.aliases() if alias.startswith(PREFIX)]
    for alias in aliases:
        tell(f"remove alias {alias}")
        channel.delete_alias(alias)
    for menu in ours:
        tell(f"remove {menu.name}")
        channel.delete(menu.id)
    return bool(ours or aliases)


@dataclass(frozen=True)
class ShownMenu:
    """A rich menu of the channel, its aliases, whether it is the default, and whether this bot made it."""

    id: str
    name: str
    aliases: list[str]
    default: bool
    ours: bool

    def __str__(self) -> str:
        marks = [*self.aliases, *(["default"] if self.default else [])]
        owner = "Janroku's" if self.ours else "somebody else's"
        return f"{self.id}  {self.name}  {', '.join(marks) or '-'}  ({owner})"


def shown(channel: MenuChannel) -> list[ShownMenu]:
    """Every rich menu of the channel."""
    default, aliases = channel.default(), channel.aliases()
    return [
        ShownMenu(
            menu.id,
            menu.name,
            [alias for alias, target in aliases.items() if target == menu.id],
            menu.id == default,
            menu.ours,
        )
        for menu in channel.list()
    ]
