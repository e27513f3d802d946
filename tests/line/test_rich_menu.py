"""`flask richmenu` at the console's LINE: made once, completed after a failure, other menus stay."""

import json
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bot.answers.catalogue import CATALOGUE
from bot.console.checks import picture_problem, problems
from bot.console.platform import RichMenu, RichMenus
from bot.demo_chat import DEMO_USERS
from bot.line import menu_pages
from tests.answers.world import ADMIN, BotWorld
from tests.cli.running import commands

pytestmark = [
    pytest.mark.any_backend("asks LINE; nothing is kept"),
    pytest.mark.usefixtures("menus_drawn_once"),
]


def run(world: BotWorld, *words: str) -> Result:
    return CliRunner().invoke(commands(world.service), ["richmenu", *words])


def menus(world: BotWorld) -> RichMenus:
    return world.platform.menus


def writes(world: BotWorld) -> list[str]:
    calls = [call for call in world.platform.calls("/v2/bot") if call["method"] != "GET"]
    return [call["path"] for call in calls]


def test_the_menu_is_what_line_takes() -> None:
    for page in menu_pages.pages(CATALOGUE):
        assert problems(page.body, "RichMenuRequest") == []
        assert picture_problem(page.picture, "image/png", page.body["size"]) == ""
        assert page.body["size"] == {"width": 2500, "height": 1686}
        kinds = [area["action"]["type"] for area in page.body["areas"]]
        assert kinds == ["postback"] * 6 + ["richmenuswitch"]


def test_it_is_made_linked_and_then_let_be(world: BotWorld) -> None:
    done = run(world, "install")
    assert done.exit_code == 0, done.output
    assert world.platform.refused() == []
    assert {call["status"] for call in world.platform.calls("/v2/bot")} == {200}, (
        "asks what cannot be there"
    )
    made = menus(world)
    first, second = (made.all[made.aliases[alias]] for alias in ("janroku-1", "janroku-2"))
    assert made.default == first.id
    assert first.image
    assert second.image
    count = len(writes(world))
    again = run(world, "install")
    assert again.output == "the rich menu is up to date\n"
    assert len(writes(world)) == count
    output = run(world, "show").output
    assert "janroku-1, default" in output
    assert "Janroku's" in output


def test_every_button_answers_and_tabs_turn_without_a_word(world: BotWorld) -> None:
    run(world, "install")
    for menu in list(menus(world).all.values()):
        for area in menu.body["areas"]:
            action = area["action"]
            if action["type"] == "postback":
                assert world.tap(action["data"], ADMIN, ADMIN)
            else:
                assert action["richMenuAliasId"] in menus(world).aliases
                params = {"newRichMenuAliasId": action["richMenuAliasId"], "status": "SUCCESS"}
                turned = world.platform.tap(ADMIN, ADMIN, action["data"], params=params)
                world.tap("request_menu", ADMIN, ADMIN)
                assert not world.platform.replied(turned)


def test_json_has_the_same_steps(world: BotWorld) -> None:
    def json_output(*words: str) -> Any:
        output = json.loads(run(world, *words, "--json").output)
        return output["menus"] if words == ("show",) else output

    *steps, last = run(world, "install", "--dry-run").output.splitlines()
    assert "make janroku-1" in " ".join(steps)
    assert "nothing was changed" in last
    assert json_output("install", "--dry-run") == {
        "dry_run": True,
        "changed": False,
        "steps": steps,
    }
    assert writes(world) == []
    assert json_output("show") == []
    assert json_output("install") == {"dry_run": False, "changed": True, "steps": steps}
    assert json_output("install") == {"dry_run": False, "changed": False, "steps": []}
    listed = json_output("show")
    flags = [(menu["aliases"], menu["default"], menu["ours"]) for menu in listed]
    assert flags == [(["janroku-1"], True, True), (["janroku-2"], False, True)]
    assert {menu["id"] for menu in listed} == set(menus(world).all)
    removed = json_output("remove")
    assert removed["changed"]
    assert removed["steps"][0] == "clear the default"
    assert json_output("remove") == {"dry_run": False, "changed": False, "steps": []}
    assert json_output("show") == []


def test_old_ones_go_and_others_stay(world: BotWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    body = {
        "size": {"width": 2500, "height": 1686},
        "selected": True,
        "areas": [],
        "chatBarText": "x",
    }
    other = menus(world).all["shop"] = RichMenu(
        "shop",
        body | {"name": "店のメニュー"},
        b"x",
    )
    menus(world).aliases["shop"] = other.id
    monkeypatch.setattr(menu_pages, "BAR", "前のメニュー")
    run(world, "install")
    old = set(menus(world).all) - {other.id}
    monkeypatch.setattr(menu_pages, "BAR", "メニュー")
    done = run(world, "install")
    assert done.exit_code == 0
    assert not old & set(menus(world).all)
    assert len(menus(world).all) == 3
    assert other.id in menus(world).all
    gone = run(world, "remove")
    assert gone.exit_code == 0
    assert set(menus(world).all) == {other.id}
    assert set(menus(world).aliases) == {"shop"}
    assert menus(world).default is None
    assert run(world, "remove").output == "there is no rich menu of ours\n"
    assert "somebody else's" in run(world, "show").output


@pytest.mark.parametrize(
    "path", ["/v2/bot/richmenu/", "/v2/bot/richmenu/alias", "/v2/bot/user/all/richmenu"]
)
def test_what_broke_off_is_finished_by_the_next_run(world: BotWorld, path: str) -> None:
    world.platform.fail_next(path, 500)
    broken = run(world, "install")
    assert broken.exit_code == 2
    assert "500" in broken.output
    done = run(world, "install")
    assert done.exit_code == 0, done.output
    made = menus(world)
    assert len(made.all) == 2
    assert set(made.aliases) == {"janroku-1", "janroku-2"}
    assert made.default == made.aliases["janroku-1"]
    assert all(menu.image for menu in made.all.values())
    assert made.shown_to(DEMO_USERS[0].id)


def test_a_wrong_token_is_said_in_one_line(world: BotWorld) -> None:
    world.service.settings = replace(world.service.settings, channel_access_token="wrong")
    refused = run(world, "show")
    assert refused.exit_code == 2
    assert "LINE_CHANNEL_ACCESS_TOKEN" in refused.output
    assert refused.output.count("\n") == 1
    world.service.settings = replace(world.service.settings, line_api_url="http://127.0.0.1:9")
    assert "could not be reached" in run(world, "install").output
