"""LINE takes a rich menu's picture only on its separate host for files."""

from __future__ import annotations

import pytest

from bot.line.rich_menu import rich_menus


@pytest.mark.parametrize(
    ("api", "data"),
    [
        ("https://api.line.me", "https://api-data.line.me"),
        ("http://127.0.0.1:1/line", "http://127.0.0.1:1/line"),
    ],
)
def test_pictures_go_to_the_data_host(api: str, data: str) -> None:
    with rich_menus(api, "token") as channel:
        assert channel._api.api_client.configuration.host == api
        assert channel._blob.api_client.configuration.host == data
