"""A channel's rich menus: installed, removed and listed. Menus and aliases without `PREFIX` are not
changed.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from bot.chat.command import Catalogue
from bot.line.api import messaging_api
from bot.line.client import API_HOST, DATA_HOST, TIMEOUT, LineDown, line_sdk, status_of
from bot.line.menu_pages import PREFIX, MenuPage, pages

UPLOAD = (5.0, 30.0)  # seconds to connect, to read: a picture has up to a megabyte
Json = dict[str, Any]


class RichMenuApi:
    """A channel's rich menus and their aliases; every method raises LineDown."""

    def __init__(self, api: Any, blob: Any) -> None:
        self._api = api
        self._blob = blob

    def names(self) -> dict[str, str]:
        """The name of every rich menu of the channel, by its id; ours begin with PREFIX."""
        menus = self._call(self._api.get_rich_menu_list).richmenus
        return {menu.rich_menu_id: menu.name for menu in menus}

    def create(self, page: MenuPage) -> str:
        """Create a page's menu with its picture, which LINE takes only once for each menu.

        Return its id.
        """
        request = line_sdk().RichMenuRequest.from_dict(page.body)
        menu = str(self._call(self._api.create_rich_menu, request).rich_menu_id)
        upload = self._blob.set_rich_menu_image
        headers = {"Content-Type": "image/png"}
        self._call(
            upload, menu, body=bytearray(page.picture), _headers=headers, _request_timeout=UPLOAD
        )
        return menu

    def has_picture(self, menu: str) -> bool:
        """Whether the menu has its picture (an installation that broke off leaves a menu without
        one).
        """
        return self._call_or_none(self._blob.get_rich_menu_image, menu) is not None

    def delete(self, menu: str) -> None:
        self._call(self._api.delete_rich_menu, menu)

    def aliases(self) -> dict[str, str]:
        """The id of the menu that each alias means."""
        aliases = self._call(self._api.get_rich_menu_alias_list).aliases
        return {alias.rich_menu_alias_id: alias.rich_menu_id for alias in aliases}

    def set_alias(self, alias: str, menu: str, exists: bool) -> None:
        """Let an alias mean this menu. `exists`: whether LINE has the alias already."""
        sdk = line_sdk()
        if exists:
            change = sdk.UpdateRichMenuAliasRequest(richMenuId=menu)
            self._call(self._api.update_rich_menu_alias, alias, change)
        else:
            request = sdk.CreateRichMenuAliasRequest(richMenuAliasId=alias, richMenuId=menu)
            self._call(self._api.create_rich_menu_alias, request)

    def delete_alias(self, alias: str) -> None:
        self._call(self._api.delete_rich_menu_alias, alias)

    def default(self) -> str | None:
        """The id of the menu for everybody without a menu of their own, or None."""
        response = self._call_or_none(self._api.get_default_rich_menu_id)
        if response is None:
            return None
        return str(response.rich_menu_id)

    def set_default(self, menu: str) -> None:
        self._call(self._api.set_default_rich_menu, menu)

    def clear_default(self) -> None:
        self._call(self._api.cancel_default_rich_menu)

    def _call_or_none(self, method: Callable[..., Any], *args: Any) -> Any:
        """The response, or None where LINE answers that there is none (404)."""
        try:
            return self._call(method, *args)
        except LineDown as error:
            if error.status == 404:
                return None
            raise

    def _call(
        self,
        method: Callable[..., Any],
        *args: Any,
        **options: Any,
    ) -> Any:
        try:
            return method(*args, **{"_request_timeout": TIMEOUT, **options})
        except Exception as error:
            status = status_of(error)
            if status is None:
                raise LineDown(f"LINE could not be reached: {type(error).__name__}") from None
            message = f"LINE refused: {status} {_reason(error)}"
            if status in (401, 403):
                message += " (is LINE_CHANNEL_ACCESS_TOKEN right?)"
            raise LineDown(message.rstrip(), status=status) from None


def _reason(error: Exception) -> str:
    """LINE's message in an error of the SDK, "" where it has none."""
    try:
        return str(
            json.loads(getattr(error, "body", "") or "{}").get(
                "message",
                "",
            )
        )
    except (ValueError, AttributeError):
        return ""


@contextmanager
def rich_menus(api_url: str, access_token: str) -> Iterator[RichMenuApi]:
    data_url = api_url
    if api_url == API_HOST:
        data_url = DATA_HOST
    with (
        messaging_api(api_url, access_token) as api,
        messaging_api(data_url, access_token) as data,
    ):
        yield RichMenuApi(api, line_sdk().MessagingApiBlob(data.api_client))


class Installation:
    """One run of `install`. A dry run reports its steps and does none of them."""

    def __init__(
        self,
        channel: RichMenuApi,
        dry: bool,
        tell: Callable[[str], None],
    ) -> None:
        self._channel = channel
        self._dry = dry
        self._tell = tell
        self._names = channel.names()
        self._ids: dict[str, str] = {}  # by alias; "" for a menu that a dry run does not create
        self.has_steps = False

    def _step(
        self,
        description: str,
        work: Callable[..., Any],
        *args: Any,
    ) -> Any:
        self.has_steps = True
        self._tell(description)
        if self._dry:
            return None
        return work(*args)

    def create_missing(self, menus: Sequence[MenuPage]) -> None:
        for page in menus:
            menu = self._existing(page)
            if not menu:
                size = len(page.picture) / 1024
                description = f"make {page.name} ({size:.0f} KB)"
                menu = self._step(description, self._channel.create, page) or ""
            self._ids[page.alias] = menu

    def _existing(self, page: MenuPage) -> str:
        """The id of a menu of this page with its picture; "" where the channel has none."""
        for menu, name in self._names.items():
            if name == page.name and self._channel.has_picture(menu):
                return menu
        return ""

    def set_aliases(self, menus: Sequence[MenuPage], aliases: Mapping[str, str]) -> None:
        for page in menus:
            menu = self._ids[page.alias]
            if not menu or aliases.get(page.alias) != menu:
                exists = page.alias in aliases
                description = f"alias {page.alias} -> {page.name}"
                self._step(description, self._channel.set_alias, page.alias, menu, exists)

    def set_default(self, page: MenuPage) -> None:
        menu = self._ids[page.alias]
        is_new = menu not in self._names  # and so not yet the default
        if is_new or self._channel.default() != menu:
            self._step(f"default: {page.name}", self._channel.set_default, menu)

    def remove_old(self, aliases: Mapping[str, str]) -> None:
        for alias in aliases:
            if alias.startswith(PREFIX) and alias not in self._ids:
                self._step(f"remove alias {alias}", self._channel.delete_alias, alias)
        for menu, name in self._names.items():
            if name.startswith(PREFIX) and menu not in self._ids.values():
                self._step(f"remove {name}", self._channel.delete, menu)


def install(
    channel: RichMenuApi,
    catalogue: Catalogue,
    dry: bool = False,
    tell: Callable[[str], None] = print,
) -> bool:
    """Install the menus; return whether there was anything to do (`dry` only reports it).

    New menus are created before old ones are removed, so that members always see one. The next run
    finishes one that was interrupted. Shown by
    tests/line/test_rich_menu.py::test_what_broke_off_is_finished_by_the_next_run.
    """
    menus = pages(catalogue)
    installation = Installation(channel, dry, tell)
    installation.create_missing(menus)
    aliases = channel.aliases()
    installation.set_aliases(menus, aliases)
    installation.set_default(menus[0])
    installation.remove_old(aliases)
    return installation.has_steps


def remove(channel: RichMenuApi, tell: Callable[[str], None] = print) -> bool:
    """Remove this bot's menus and aliases from the channel; return whether there were any."""
    names = channel.names()
    ours = {menu: name for menu, name in names.items() if name.startswith(PREFIX)}
    if channel.default() in ours:
        tell("clear the default")
        channel.clear_default()
    aliases = [alias for alias in channel.aliases() if alias.startswith(PREFIX)]
    for alias in aliases:
        tell(f"remove alias {alias}")
        channel.delete_alias(alias)
    for menu, name in ours.items():
        tell(f"remove {name}")
        channel.delete(menu)
    return bool(ours or aliases)


def shown(channel: RichMenuApi) -> list[Json]:
    """Every rich menu of the channel: id, name, aliases, whether it is the default, whether it is
    ours.
    """
    default = channel.default()
    aliases = channel.aliases()
    menus = []
    for menu, name in channel.names().items():
        menus.append(
            {
                "id": menu,
                "name": name,
                "aliases": [alias for alias, target in aliases.items() if target == menu],
                "default": menu == default,
                "ours": name.startswith(PREFIX),
            }
        )
    return menus
