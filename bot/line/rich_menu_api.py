"""The channel's rich menus through LINE's SDK
(https://developers.line.biz/en/reference/messaging-api/#rich-menu)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bot.line.client import API_HOST, DATA_HOST, TIMEOUT, LineDown
from bot.line.rich_menu_sync import ChannelMenu

Json = dict[str, Any]
UPLOAD = (5.0, 30.0)  # seconds to connect, to read: a picture has up to a megabyte


class RichMenuApi:
    """Rich menus and their aliases. Every method raises LineDown when LINE refuses or cannot be reached."""

    def __init__(self, api: Any, blob: Any) -> None:
        self._api, self._blob = api, blob

    def list(self) -> list[ChannelMenu]:
        """Every rich menu of the channel."""
        found = self._call(self._api.get_rich_menu_list).richmenus
        return [ChannelMenu(menu.rich_menu_id, menu.name) for menu in found]

    def create(self, body: Json) -> str:
        """Create a menu and return its id. `body` is LINE's rich menu object."""
        from linebot.v3.messaging.models.rich_menu_request import RichMenuRequest

        return str(self._call(self._api.create_rich_menu, RichMenuRequest.from_dict(body)).rich_menu_id)

    def upload(self, menu: str, picture: bytes) -> None:
        """Upload the menu's picture, a PNG. LINE takes it only once for each menu."""
        headers = {"Content-Type": "image/png"}
        self._call(
            self._blob.set_rich_menu_image, menu, body=bytearray(picture), _headers=headers, timeout=UPLOAD
        )

    def has_picture(self, menu: str) -> bool:
        """Whether the menu has its picture (an installation that broke off leaves a menu without one)."""
        return self._asked(self._blob.get_rich_menu_image, menu) is not None

    def delete(self, menu: str) -> None:
        self._call(self._api.delete_rich_menu, menu)

    def aliases(self) -> dict[str, str]:
        """The id of the menu that each alias means."""
        found = self._call(self._api.get_rich_menu_alias_list).aliases
        return {alias.rich_menu_alias_id: alias.rich_menu_id for alias in found}

    def set_alias(self, alias: str, menu: str, known: bool) -> None:
        """Let an alias mean this menu. `known` says whether LINE has the alias already."""
        from linebot.v3.messaging.models.create_rich_menu_alias_request import CreateRichMenuAliasRequest
        from linebot.v3.messaging.models.update_rich_menu_alias_request import UpdateRichMenuAliasRequest

        if known:
            self._call(self._api.update_rich_menu_alias, alias, UpdateRichMenuAliasRequest(richMenuId=menu))
        else:
            request = CreateRichMenuAliasRequest(richMenuAliasId=alias, richMenuId=menu)
            self._call(self._api.create_rich_menu_alias, request)

    def delete_alias(self, alias: str) -> None:
        self._call(self._api.delete_rich_menu_alias, alias)

    def default(self) -> str | None:
        """The id of the menu for everybody without a menu of their own, or None."""
        found = self._asked(self._api.get_default_rich_menu_id)
        return str(found.rich_menu_id) if found is not None else None

    def set_default(self, menu: str) -> None:
        self._call(self._api.set_default_rich_menu, menu)

    def clear_default(self) -> None:
        self._call(self._api.cancel_default_rich_menu)

    def _asked(self, method: Callable[..., Any], *args: Any) -> Any:
        """LINE's answer, or None for status 404."""
        try:
            return method(*args, _request_timeout=TIMEOUT)
        except Exception as error:
            if getattr(error, "status", None) == 404:
                return None
            raise _down(error) from None

    def _call(
        self, method: Callable[..., Any], *args: Any, timeout: tuple[float, float] = TIMEOUT, **more: Any
    ) -> Any:
        try:
            return method(*args, _request_timeout=timeout, **more)
        except Exception as error:
            raise _down(error) from None


@contextmanager
def rich_menus(api_url: str, access_token: str) -> Iterator[RichMenuApi]:
    """The rich menus of the channel that the token belongs to."""
    from linebot.v3.messaging.api.messaging_api import MessagingApi
    from linebot.v3.messaging.api.messaging_api_blob import MessagingApiBlob
    from linebot.v3.messaging.api_client import ApiClient
    from linebot.v3.messaging.configuration import Configuration

    data_url = DATA_HOST if api_url == API_HOST else api_url
    with (
        ApiClient(Configuration(host=api_url, access_token=access_token)) as client,
        ApiClient(Configuration(host=data_url, access_token=access_token)) as data_client,
    ):
        yield RichMenuApi(MessagingApi(client), MessagingApiBlob(data_client))


def _down(error: Exception) -> LineDown:
    status = getattr(error, "status", None)
    if not status:
        return LineDown(f"LINE could not be reached: {type(error).__name__}")
    try:
        reason = str(json.loads(getattr(error, "body", "") or "{}").get("message", ""))
    except (ValueError, AttributeError):
        reason = ""
    hint = " (is LINE_CHANNEL_ACCESS_TOKEN right?)" if status in (401, 403) else ""
    return LineDown(f"LINE refused: {status} {reason}{hint}".rstrip())
