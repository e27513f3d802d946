"""Behind a proxy that ends TLS, as the recipes for Fly and compose have it, links begin with https."""

import http.client
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.fakes.line import fake_line
from tests.fakes.process import ROOT, service
from tests.fakes.servers import free_port

PROXY = "127.0.0.2"  # an address of loopback that gunicorn does not trust by itself
HEADERS = {"Host": "bot.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}


def fly() -> dict[str, str]:
    return dict(tomllib.loads((ROOT / "fly.toml").read_text("utf-8"))["env"])


def compose() -> dict[str, str]:
    """The environment of the web service, where .env sets none of its variables."""
    services = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
    environment = services["web"]["environment"]
    return {name: re.sub(r"\$\{\w+:-(.*)\}", r"\1", text) for name, text in environment.items()}


RECIPES = {"fly": fly, "compose": compose, "loopback": dict[str, str]}


def webhook_address(recipe: str, folder: Path) -> str:
    """The address of the webhook that the start page shows to whoever comes through the proxy."""
    port = free_port()
    with fake_line(f"http://127.0.0.1:{port}/callback") as (_line, line_env):
        files = {
            "LOGS_URL": f"file:{folder}",
            "IMAGES_URL": f"file:{folder / 'images'}",
            "DATABASE_URL": f"sqlite:///{folder / 'state.sqlite3'}",
        }
        env = {**RECIPES[recipe](), **line_env, **files, "WEB_CONCURRENCY": "1"}
        with service(port, env):
            proxy = http.client.HTTPConnection(
                "127.0.0.1", port, timeout=20, source_address=(PROXY, 0)
            )
            proxy.request("GET", "/", headers=HEADERS)
            page = proxy.getresponse().read().decode()
            proxy.close()
    (address,) = re.findall(r"<code>(.*)</code>", page)
    return str(address)


@pytest.mark.parametrize(
    ("recipe", "address"),
    [
        ("fly", "https://bot.example/callback"),
        ("compose", "https://bot.example/callback"),
        ("loopback", "http://bot.example/callback"),
    ],
)
def test_links_begin_with_https_behind_the_proxy_of_a_recipe(
    recipe: str, address: str, tmp_path: Path
) -> None:
    assert webhook_address(recipe, tmp_path) == address
