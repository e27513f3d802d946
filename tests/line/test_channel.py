"""A channel's webhook and rich menus, read from LINE over HTTP; its secret and users: tests/checks
and tests/cli/setup.
"""

import pytest

from bot.line.account import WebhookTest, webhook_endpoint
from bot.line.channel import rich_menus
from bot.line.client import LineDown
from tests.fakes.line import TOKEN, fake_line


def test_the_webhooks_address_is_read_and_set() -> None:
    with fake_line("") as (line, env), webhook_endpoint(env["LINE_API_URL"], TOKEN) as webhook:
        assert webhook.read().url == ""
        webhook.put("http://127.0.0.1:9/callback")
        assert webhook.read().url == line.callback_url == "http://127.0.0.1:9/callback"
        assert webhook.test() == WebhookTest(False, 0, "COULD_NOT_CONNECT")
        with pytest.raises(LineDown, match="400"):
            webhook.put("http://example.com/callback")


@pytest.mark.parametrize(
    ("api", "data"),
    [("https://api.line.me", "https://api-data.line.me"), ("http://127.0.0.1:1/line",) * 2],
)
def test_pictures_go_to_the_data_host(api: str, data: str) -> None:
    """LINE takes a rich menu's picture only on its separate host for files."""
    with rich_menus(api, "token") as channel:
        assert channel._api.api_client.configuration.host == api
        assert channel._blob.api_client.configuration.host == data
