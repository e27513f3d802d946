"""A channel's secret, webhook, users and rich menus, asked of LINE over HTTP."""

import pytest

from bot.demo_chat import DEMO_STRANGER, DEMO_USERS
from bot.line.channel import rich_menus, secret_fits, user_name, webhook_endpoint
from bot.line.client import LineDown
from tests.fakes.line import SECRET, TOKEN, fake_line


def test_a_secret_of_another_channel_does_not_fit() -> None:
    with fake_line("") as (_line, env):
        api = env["LINE_API_URL"]
        assert secret_fits(api, TOKEN, SECRET)
        assert not secret_fits(api, TOKEN, "f" * 32)
        assert not secret_fits(api, "another token", SECRET)
        assert user_name(api, TOKEN, DEMO_USERS[0].id) == DEMO_USERS[0].name
        assert user_name(api, TOKEN, "U" + "0" * 32) is None
        with pytest.raises(LineDown, match="401"):
            user_name(api, "another token", DEMO_STRANGER.id)


def test_the_webhooks_address_is_read_and_set() -> None:
    with fake_line("") as (line, env), webhook_endpoint(env["LINE_API_URL"], TOKEN) as webhook:
        assert webhook.read()[0] == ""
        webhook.put("http://127.0.0.1:9/callback")
        assert (webhook.read()[0], line.callback_url) == ("http://127.0.0.1:9/callback",) * 2
        assert webhook.test() == (False, 0, "COULD_NOT_CONNECT")
        with pytest.raises(LineDown, match="400"):
            webhook.put("http://example.com/callback")


def test_line_out_of_reach_is_said() -> None:
    with pytest.raises(LineDown, match="can't be reached"):
        secret_fits("http://127.0.0.1:9", TOKEN, SECRET)


@pytest.mark.parametrize(
    ("api", "data"),
    [
        ("https://api.line.me", "https://api-data.line.me"),
        ("http://127.0.0.1:1/line", "http://127.0.0.1:1/line"),
    ],
)
def test_pictures_go_to_the_data_host(api: str, data: str) -> None:
    """LINE takes a rich menu's picture only on its separate host for files."""
    with rich_menus(api, "token") as channel:
        assert channel._api.api_client.configuration.host == api
        assert channel._blob.api_client.configuration.host == data
