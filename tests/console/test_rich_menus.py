"""Rich menus, through the real SDK."""

from linebot.v3 import messaging

from bot.demo_chat import DEMO_STRANGER, DEMO_USERS
from tests.console.samples import png, rich_menu
from tests.console.world import ConsoleWorld, refusal

ASKER = DEMO_USERS[0].id
PICTURE = png(2500, 1686)
PNG = {"Content-Type": "image/png"}


def create(world: ConsoleWorld) -> str:
    return str(
        world.api.create_rich_menu(messaging.RichMenuRequest.from_dict(rich_menu())).rich_menu_id
    )


def pictured(world: ConsoleWorld) -> str:
    menu = create(world)
    world.blob.set_rich_menu_image(menu, body=PICTURE, _headers=PNG)
    return menu


def test_a_menu_is_made_listed_and_deleted(world: ConsoleWorld) -> None:
    menu = create(world)
    (stored,) = world.api.get_rich_menu_list().richmenus
    assert (stored.rich_menu_id, stored.chat_bar_text) == (menu, "メニュー")
    world.api.delete_rich_menu(menu)
    assert world.api.get_rich_menu_list().richmenus == []
    with refusal(404):
        world.api.delete_rich_menu(menu)
    wrong = messaging.RichMenuRequest.from_dict(rich_menu())
    wrong.areas[0].bounds.width = 2501
    with refusal(400):
        world.api.create_rich_menu(wrong)


def test_a_picture_is_given_once_and_must_fit(world: ConsoleWorld) -> None:
    menu = create(world)
    with refusal(404):
        world.blob.get_rich_menu_image(menu)
    with refusal(400):
        world.blob.set_rich_menu_image(menu, body=png(800, 540), _headers=PNG)
    world.blob.set_rich_menu_image(menu, body=PICTURE, _headers=PNG)
    with refusal(400):
        world.blob.set_rich_menu_image(menu, body=PICTURE, _headers=PNG)
    assert world.blob.get_rich_menu_image(menu) == PICTURE


def test_default_menu_is_shown_to_all_who_did_not_switch(world: ConsoleWorld) -> None:
    with refusal(404):
        world.api.get_default_rich_menu_id()
    with refusal(400):
        world.api.set_default_rich_menu(create(world))
    default = pictured(world)
    other = pictured(world)
    world.api.set_default_rich_menu(default)
    menus = world.platform.menus
    menus.links[ASKER] = other
    assert world.api.get_default_rich_menu_id().rich_menu_id == default
    assert menus.shown_to(ASKER).id == other  # type: ignore[union-attr]
    assert menus.shown_to(DEMO_STRANGER.id).id == default  # type: ignore[union-attr]
    world.api.delete_rich_menu(other)
    assert (menu := menus.shown_to(ASKER))
    assert menu.id == default
    world.api.cancel_default_rich_menu()
    assert menus.shown_to(ASKER) is None
    world.api.set_default_rich_menu(default)
    world.api.delete_rich_menu(default)
    assert menus.shown_to(ASKER) is None
    assert menus.default is None


def test_aliases(world: ConsoleWorld) -> None:
    first = pictured(world)
    second = pictured(world)
    alias = messaging.CreateRichMenuAliasRequest(richMenuAliasId="tab-1", richMenuId=first)
    world.api.create_rich_menu_alias(alias)
    with refusal(400):
        world.api.create_rich_menu_alias(alias)
    world.api.update_rich_menu_alias(
        "tab-1", messaging.UpdateRichMenuAliasRequest(richMenuId=second)
    )
    (stored,) = world.api.get_rich_menu_alias_list().aliases
    assert (stored.rich_menu_alias_id, stored.rich_menu_id) == ("tab-1", second)
    world.api.delete_rich_menu_alias("tab-1")
    with refusal(404):
        world.api.delete_rich_menu_alias("tab-1")
    alias = messaging.CreateRichMenuAliasRequest(richMenuAliasId="x", richMenuId="none")
    with refusal(400):
        world.api.create_rich_menu_alias(alias)
