"""What is set up on a channel: whether the secret is right, who a user is, which address LINE calls
(https://developers.line.biz/en/reference/messaging-api/#webhook-settings), and the rich menu, two
tabs of six large buttons (https://developers.line.biz/en/reference/messaging-api/#rich-menu).

A menu's name holds a hash of its picture and actions, so that an unchanged one is not made again.
What has no `PREFIX` is not changed.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from bot.chat.command import Catalogue, data_of, normal
from bot.draw import rich_menu as chart
from bot.line.client import API_HOST, DATA_HOST, TIMEOUT, LineDown, line_sdk, status_of

WAIT = (3.0, 6.0)  # seconds to connect, to read, where the webhook's address is asked
UPLOAD = (5.0, 30.0)  # seconds to connect, to read: a picture has up to a megabyte
Json = dict[str, Any]
TAB = "richmenu-tab"
"""Postback data of a tap that turns the menu's page:

LINE does that by itself, the bot has nothing to say.
"""
PREFIX = "janroku-"
BAR = "メニュー"
PAGES: tuple[tuple[str, Mapping[str, str]], ...] = (
    (
        "よく見る",
        {
            "今日": "today",
            "自分": "me",
            "収支": "points",
            "レーティング": "rating",
            "対決": "pair",
            "もっと": "more",
        },
    ),
    (
        "ほか",
        {
            "着順": "placings",
            "ランキング": "records",
            "ほかの人": "player",
            "相性": "matrix",
            "月報・まとめ": "season",
            "牌譜": "paifu",
        },
    ),
)
"""Each tab's label and buttons: the words that ask the same, and a symbol of `bot.draw.rich_menu`.
"""


def secret_fits(api_url: str, access_token: str, secret: str) -> bool:
    """Whether the channel secret is that of the token's channel. Raises LineDown when LINE does not
    say.

    LINE tells the token's channel, and gives a stateless token (which ends by itself after 15
    minutes) for the channel and its secret only:
    https://developers.line.biz/en/reference/messaging-api/#issue-stateless-channel-access-token.
    """
    sdk = line_sdk()
    with sdk.TokenApiClient(sdk.TokenConfiguration(host=api_url)) as client:
        api = sdk.ChannelAccessToken(client)
        api.line_base_path = api_url
        try:
            channel = api.verify_channel_token(access_token, _request_timeout=TIMEOUT).client_id
            api.issue_stateless_channel_token_by_client_secret(
                channel, secret, _request_timeout=TIMEOUT
            )
        except Exception as error:
            if status_of(error) in (400, 401, 403):
                return False
            raise _down(error) from None
    return True


def user_name(api_url: str, access_token: str, user: str) -> str | None:
    """The user's name in LINE; None for no friend of the bot.

    Raises LineDown when LINE does not say.
    """
    with _messaging_api(api_url, access_token) as api:
        try:
            return str(api.get_profile(user, _request_timeout=TIMEOUT).display_name)
        except Exception as error:
            if status_of(error) in (400, 404):
                return None
            raise _down(error) from None


class WebhookEndpoint:
    """The webhook of a channel.

    Every method raises LineDown when LINE refuses or cannot be reached.
    """

    def __init__(self, api: Any) -> None:
        self._api = api

    def read(self) -> tuple[str, bool]:
        """Return the address, "" where none is set, and whether LINE uses it ("Use webhook")."""
        try:
            found = self._call(self._api.get_webhook_endpoint)
        except LineDown as error:
            if error.status == 404:
                return "", False
            raise
        return str(found.endpoint or ""), bool(found.active)

    def put(self, url: str) -> None:
        """Set the address; it must be https. LINE takes up to a minute to use it everywhere."""
        request = line_sdk().SetWebhookEndpointRequest(endpoint=url)
        self._call(self._api.set_webhook_endpoint, request)

    def test(self) -> tuple[bool, int, str]:
        """Have LINE send a signed request without events to the address that is set. Return whether
        that went well, the status of the answer, 0 without one, and LINE's reason, such as
        COULD_NOT_CONNECT."""
        found = self._call(self._api.test_webhook_endpoint)
        return bool(found.success), int(found.status_code or 0), str(found.reason)

    def _call(self, method: Callable[..., Any], *args: Any) -> Any:
        try:
            return method(*args, _request_timeout=WAIT)
        except Exception as error:
            raise _down(error, f": {type(error).__name__}") from None


@contextmanager
def webhook_endpoint(api_url: str, access_token: str) -> Iterator[WebhookEndpoint]:
    with _messaging_api(api_url, access_token) as api:
        yield WebhookEndpoint(api)


@contextmanager
def _messaging_api(api_url: str, access_token: str) -> Iterator[Any]:
    sdk = line_sdk()
    configuration = sdk.Configuration(host=api_url, access_token=access_token)
    with sdk.ApiClient(configuration) as client:
        yield sdk.MessagingApi(client)


def _down(error: Exception, cause: str = "") -> LineDown:
    status = status_of(error)
    return LineDown(
        f"LINE answered {status}" if status else f"LINE can't be reached{cause}", status=status
    )


@dataclass(frozen=True)
class MenuPage:
    """One tab's menu:

    LINE's rich menu object, a PNG, and the alias that the other tab switches to.
    """

    alias: str
    body: Json
    picture: bytes

    @property
    def name(self) -> str:
        return str(self.body["name"])


def pages(catalogue: Catalogue) -> list[MenuPage]:
    """The menus of all tabs with their pictures; the buttons ask those commands that the catalogue
    has.
    """
    tabs = tuple(label for label, _ in PAGES)
    aliases = [f"{PREFIX}{tab + 1}" for tab in range(len(tabs))]
    made = []
    for active, (_, words) in enumerate(PAGES):
        buttons = {word: symbol for word, symbol in words.items() if catalogue.by_word(word)}
        menu = chart.RichMenuTab(
            [(symbol, word) for word, symbol in buttons.items()],
            tabs,
            active,
        )
        places, tab_places = chart.areas(menu)
        taps: list[tuple[Sequence[int], Json]] = [
            (
                place,
                {
                    "type": "postback",
                    "label": word,
                    "data": _data(catalogue, word),
                    "displayText": word,
                },
            )
            for place, word in zip(places, buttons, strict=True)
        ]
        taps += [
            (place, {"type": "richmenuswitch", "richMenuAliasId": alias, "data": TAB})
            for place, alias in zip(tab_places, aliases, strict=True)
            if alias != aliases[active]
        ]
        body = {
            "size": {"width": chart.WIDTH, "height": chart.HEIGHT},
            "selected": True,
            "chatBarText": BAR,
            "areas": [
                {
                    "bounds": dict(zip(("x", "y", "width", "height"), place, strict=True)),
                    "action": action,
                }
                for place, action in taps
            ],
        }
        picture = chart.draw(menu)
        layout = json.dumps(body, sort_keys=True).encode()
        digest = hashlib.sha256(layout + picture).hexdigest()
        made.append(
            MenuPage(aliases[active], body | {"name": f"{aliases[active]} {digest[:16]}"}, picture)
        )
    return made


def _data(catalogue: Catalogue, word: str) -> str:
    spec, options = catalogue.words[normal(word)]
    return data_of(spec.name, **options)


class RichMenuApi:
    """A channel's rich menus and their aliases; every method raises LineDown."""

    def __init__(self, api: Any, blob: Any) -> None:
        self._api = api
        self._blob = blob

    def names(self) -> dict[str, str]:
        """The name of every rich menu of the channel, by its id; ours begin with PREFIX."""
        found = self._call(self._api.get_rich_menu_list).richmenus
        return {menu.rich_menu_id: menu.name for menu in found}

    def create(self, page: MenuPage) -> str:
        """Create a page's menu with its picture, which LINE takes only once for each menu.

        Return its id.
        """
        request = line_sdk().RichMenuRequest.from_dict(page.body)
        made = str(self._call(self._api.create_rich_menu, request).rich_menu_id)
        upload = self._blob.set_rich_menu_image
        headers = {"Content-Type": "image/png"}
        self._call(
            upload, made, body=bytearray(page.picture), _headers=headers, _request_timeout=UPLOAD
        )
        return made

    def has_picture(self, menu: str) -> bool:
        """Whether the menu has its picture (an installation that broke off leaves a menu without
        one).
        """
        return self._asked(self._blob.get_rich_menu_image, menu) is not None

    def delete(self, menu: str) -> None:
        self._call(self._api.delete_rich_menu, menu)

    def aliases(self) -> dict[str, str]:
        """The id of the menu that each alias means."""
        found = self._call(self._api.get_rich_menu_alias_list).aliases
        return {alias.rich_menu_alias_id: alias.rich_menu_id for alias in found}

    def set_alias(self, alias: str, menu: str, known: bool) -> None:
        """Let an alias mean this menu. `known` says whether LINE has the alias already."""
        sdk = line_sdk()
        if known:
            change = sdk.UpdateRichMenuAliasRequest(richMenuId=menu)
            self._call(self._api.update_rich_menu_alias, alias, change)
        else:
            request = sdk.CreateRichMenuAliasRequest(richMenuAliasId=alias, richMenuId=menu)
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
        **more: Any,
    ) -> Any:
        try:
            return method(*args, **{"_request_timeout": TIMEOUT, **more})
        except Exception as error:
            status = status_of(error)
            if status is None:
                raise LineDown(f"LINE could not be reached: {type(error).__name__}") from None
            try:
                reason = str(
                    json.loads(getattr(error, "body", "") or "{}").get(
                        "message",
                        "",
                    )
                )
            except (ValueError, AttributeError):
                reason = ""
            hint = " (is LINE_CHANNEL_ACCESS_TOKEN right?)" if status in (401, 403) else ""
            raise LineDown(
                f"LINE refused: {status} {reason}{hint}".rstrip(), status=status
            ) from None


@contextmanager
def rich_menus(api_url: str, access_token: str) -> Iterator[RichMenuApi]:
    data_url = DATA_HOST if api_url == API_HOST else api_url
    with (
        _messaging_api(api_url, access_token) as api,
        _messaging_api(data_url, access_token) as data,
    ):
        yield RichMenuApi(api, line_sdk().MessagingApiBlob(data.api_client))


def install(
    channel: RichMenuApi,
    catalogue: Catalogue,
    dry: bool = False,
    tell: Callable[[str], None] = print,
) -> bool:
    """Install the menus; return whether anything was to do (`dry` only tells). New menus are made
    before old ones are removed, so there is always one. The next run finishes a run that broke off.
    """
    steps: list[str] = []

    def step(what: str, work: Callable[..., Any], *args: Any) -> Any:
        steps.append(what)
        tell(what)
        return None if dry else work(*args)

    wanted = pages(catalogue)
    there = channel.names()
    ids: dict[str, str] = {}  # by alias; "" for a menu that `dry` does not make
    for page in wanted:
        same = (
            menu for menu, name in there.items() if name == page.name and channel.has_picture(menu)
        )
        what = f"make {page.name} ({len(page.picture) / 1024:.0f} KB)"
        ids[page.alias] = next(same, "") or step(what, channel.create, page) or ""
    aliases = channel.aliases()
    for page in wanted:
        if aliases.get(page.alias) != ids[page.alias] or not ids[page.alias]:
            what = f"alias {page.alias} -> {page.name}"
            step(what, channel.set_alias, page.alias, ids[page.alias], page.alias in aliases)
    first = wanted[0]
    new = ids[first.alias] not in there  # and so not yet the default
    if new or channel.default() != ids[first.alias]:
        step(f"default: {first.name}", channel.set_default, ids[first.alias])
    for alias in aliases:
        if alias.startswith(PREFIX) and alias not in ids:
            step(f"remove alias {alias}", channel.delete_alias, alias)
    for menu, name in there.items():
        if name.startswith(PREFIX) and menu not in ids.values():
            step(f"remove {name}", channel.delete, menu)
    return bool(steps)


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
    return [
        {
            "id": menu,
            "name": name,
            "aliases": [alias for alias, target in aliases.items() if target == menu],
            "default": menu == default,
            "ours": name.startswith(PREFIX),
        }
        for menu, name in channel.names().items()
    ]
