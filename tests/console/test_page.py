"""The console's page in Chromium: a tap, the answer, and in red what LINE would refuse."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Response
from linebot.v3.messaging import CreateRichMenuAliasRequest, RichMenuRequest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from bot.demo_chat import DEMO_GROUP, DEMO_STRANGER, DEMO_USERS
from tests.browser import Phone, needs_chromium
from tests.console import samples
from tests.console.world import ConsoleWorld

Json = dict[str, Any]
ASKER = DEMO_USERS[0].id

pytestmark = [needs_chromium, pytest.mark.xdist_group("page")]


@pytest.fixture
def phone(world: ConsoleWorld, browser: Chrome) -> Iterator[Phone]:
    @world.app.get("/picture.png")
    def picture() -> Response:
        return Response(samples.png(300, 200), mimetype="image/png")

    browser.get_log("browser")
    phone = Phone(world.base, browser)
    yield phone
    problems = [entry for entry in browser.get_log("browser") if "ERR_" not in entry["message"]]
    browser.get("about:blank")
    assert problems == []


def answers(world: ConsoleWorld, **by_data: list[Json]) -> None:
    def answer(event: Any) -> list[Json]:
        text = (
            event.postback.data
            if event.type == "postback"
            else getattr(event.message, "text", "file")
        )
        return by_data.get(text, [samples.text(f"ok {text}")])

    world.bot.answer = answer


WIDE = """
const pen = document.createElement('canvas').getContext('2d');
pen.font = `100px ${getComputedStyle(document.documentElement).getPropertyValue('--letters')}`;
return [...arguments[0]].map(letter => pen.measureText(letter).width / 100);
"""
LINES = """
document.querySelector('.choices').style.width = '270px';
return [...document.querySelectorAll('.choices button, .choices span')].map(each => {
  const words = document.createRange();
  words.selectNodeContents(each);
  return words.getClientRects().length;
});
"""
LETTERS = (
    "return document.fonts.load('16px Janroku', '雀').then(found => found.map(face => face.status))"
)


def test_letters_bubbles_and_pictures_are_as_wide_as_on_a_phone(
    world: ConsoleWorld, phone: Phone
) -> None:
    """A phone 390 points wide.

    Letters in em: kana 1, digits between Roboto's 0.56 and San Francisco's 0.63.
    """
    phone.browser.execute_async_script("document.fonts.ready.then(arguments[0])")
    kana, digits = (
        phone.browser.execute_script(WIDE, letters) for letters in ("漢みア　", "0123456789")
    )
    assert all(abs(width - 1) < 0.01 for width in kana)
    assert all(0.5 <= width <= 0.64 for width in digits)
    answers(
        world,
        request_rank=[samples.flex(samples.card(world.base + "/picture.png", "mega"))],
        request_rating=[samples.image(world.base + "/picture.png")],
    )
    phone.postback("request_rank")
    assert phone.one(".flex-bubble.size-mega").rect["width"] == 300
    phone.postback("request_rating")
    assert phone.one(".message.theirs .picture").rect["width"] == 253
    phone.say("雀録")
    assert phone.browser.execute_script(LETTERS) == ["loaded"]
    assert phone.browser.execute_script(LINES) == [1, 1, 1]


def test_taps_and_words_are_answered(world: ConsoleWorld, phone: Phone) -> None:
    """A postback with a picture, words, quick replies that are tapped once, what LINE would refuse,
    and the log.
    """
    answers(
        world,
        request_rating=[samples.image(world.base + "/picture.png")],
        request_sum=[samples.text("どれ", quickReply=samples.quick_reply("全部", "今季"))],
        request_team=[samples.text("あ" * 5001)],
    )
    phone.postback("request_rating")
    picture = phone.one(".message.theirs .picture img")
    phone.until(lambda: picture.get_property("naturalWidth") == 300)
    picture.click()
    phone.until(phone.one("#viewed").is_displayed)
    phone.tap("#close-viewer")
    assert world.bot.events[0].source.group_id == DEMO_GROUP
    phone.say("しゅうけい")
    assert phone.one(".message.theirs .bubble", "ok しゅうけい")
    mine = phone.one(".message.mine .bubble")
    assert mine.text == "しゅうけい"
    assert mine.rect["x"] > 195 > phone.one(".message.theirs .bubble").rect["x"]
    phone.postback("request_sum")
    phone.tap(".quick-reply", "今季")
    assert phone.one(".message.theirs .bubble", "ok quick=今季")
    assert not phone.one("#quick-replies").is_displayed()
    phone.tap("#open-log")
    phone.until(lambda: len(phone.all("#log summary")) == 8)
    phone.until(phone.one("#close-log").is_displayed)
    for summary in phone.all("#log summary"):
        summary.click()
        phone.until(partial(summary.find_elements, By.XPATH, "../pre"))
    log_text = "".join(part.text for part in phone.all("#log pre"))
    assert '"data": "request_rating"' in log_text
    assert '"text": "ok しゅうけい"' in log_text
    phone.tap("#close-log")
    phone.postback("request_team")
    refused = phone.one(".refused")
    assert "messages[0].text" in refused.text
    assert "5000" in refused.text
    assert refused.value_of_css_property("border-top-color") == "rgba(208, 52, 44, 1)"


def test_flex_is_drawn_as_laid_out(world: ConsoleWorld, phone: Phone) -> None:
    picture = world.base + "/picture.png"
    answers(
        world,
        request_point=[samples.flex(samples.standings())],
        request_rank=[samples.flex(samples.card(picture, "mega"))],
        request_tip=[samples.flex(samples.carousel(picture))],
    )
    phone.postback("request_point")
    bubble = phone.one(".flex-bubble.size-giga")
    assert bubble.rect["width"] == 345
    first = phone.all(".flex-body .flex-root > .flex-box")[0]
    parts = first.find_elements(By.XPATH, "./*")
    widths = [round(part.rect["width"]) for part in parts]
    assert [widths[0], *widths[2:]] == [20, 64, 48, 36]
    assert phone.one(".flex-body .flex-text", "東風").value_of_css_property("font-weight") == "700"
    long_name = phone.one(".flex-letters", "まんがん太郎とその仲間たち")
    phone.until(
        lambda: long_name.get_property("scrollWidth") <= long_name.get_property("clientWidth") + 1
    )
    phone.tap(".flex-button.primary")
    assert phone.one(".message.mine .bubble", "レートを見る")
    assert phone.one(".message.theirs .bubble", "ok request_rating")
    phone.postback("request_rank")
    assert phone.one(".flex-bubble.size-mega").rect["width"] == 300
    hero = phone.one(".flex-hero img").rect
    assert abs(hero["width"] / hero["height"] - 20 / 13) < 0.02
    first, second, third = (
        phone.one(".flex-text", place).rect["width"] for place in ("1位", "2位", "3位")
    )
    assert abs(first - 65) < 1
    assert abs(second - 2 * third) < 1
    big = phone.one(".flex-letters span", "1650")
    assert big.value_of_css_property("font-size") == "29px"
    assert big.value_of_css_property("color") == "rgba(213, 94, 0, 1)"
    assert phone.one(".flex-text", "絶好調").rect["x"] > 200
    assert phone.one(".flex-letters.clamped").rect["height"] < 42
    phone.postback("request_tip")
    carousel = phone.one(".flex-carousel")
    assert carousel.get_property("scrollWidth") > carousel.get_property("clientWidth")
    assert phone.one("body").get_property("scrollWidth") == 390


def test_a_date_is_picked_and_a_message_of_the_bot_is_quoted(
    world: ConsoleWorld, phone: Phone
) -> None:
    """A right click, a long press on a phone, quotes a message; the next text carries its id,
    once.
    """
    item = {"type": "action", "action": samples.PICKER | {"initial": "2026-11-01"}}
    answers(world, request_today=[samples.text("いつ", quickReply={"items": [item]})])
    phone.postback("request_today")
    phone.tap(".quick-reply", "日付")
    phone.tap("#picker .primary")
    phone.until(lambda: len(world.bot.events) == 2)
    assert world.bot.events[1].postback.params == {"date": "2026-11-01"}
    phone.postback("request_rating")
    bubble = phone.one(".message.theirs .bubble", "ok request_rating")
    press = "arguments[0].dispatchEvent(new MouseEvent('contextmenu', {bubbles: true, cancelable: true}))"
    phone.browser.execute_script(press, bubble)
    assert phone.one("#quoted-words", "雀録\nok request_rating")
    phone.say("先月は？")
    assert phone.one(".message.mine .quoted", "雀録\nok request_rating")
    phone.until(lambda: len(world.bot.events) == 4)
    (reply,) = [
        sent for sent in world.platform.sent if sent.messages[0]["text"] == "ok request_rating"
    ]
    assert world.bot.events[3].message.quoted_message_id == reply.ids[0]
    phone.say("もう一度")
    phone.until(lambda: len(world.bot.events) == 5)
    assert world.bot.events[4].message.quoted_message_id is None


def install(world: ConsoleWorld, **change: Any) -> str:
    menu = samples.rich_menu() | change
    made = str(world.api.create_rich_menu(RichMenuRequest.from_dict(menu)).rich_menu_id)
    picture = samples.png(menu["size"]["width"], menu["size"]["height"])
    world.blob.set_rich_menu_image(made, body=picture, _headers={"Content-Type": "image/png"})
    return made


def test_rich_menu_is_in_the_one_to_one_chat(world: ConsoleWorld, phone: Phone) -> None:
    answers(world)
    second = install(world, size={"width": 800, "height": 250}, areas=[])
    switch = {"type": "richmenuswitch", "richMenuAliasId": "second", "data": "to=second"}
    areas = samples.rich_menu()["areas"]
    areas[5]["action"] = switch
    world.api.set_default_rich_menu(install(world, areas=areas))
    world.api.create_rich_menu_alias(
        CreateRichMenuAliasRequest(richMenuAliasId="second", richMenuId=second)
    )
    assert not phone.one("#rich-menu").is_displayed()
    phone.tap("#in-private")
    phone.until(phone.one("#rich-menu").is_displayed)
    phone.tap("#rich-menu .area[aria-label='領域4']")
    assert phone.one(".message.theirs .bubble", "ok area=4")
    assert world.bot.events[-1].source.to_dict() == {"type": "user", "userId": ASKER}
    area = phone.all("#rich-menu .area")[4].rect
    assert abs(area["x"] - 130) < 2
    assert abs(area["width"] - 130) < 2
    phone.tap("#menu-bar")
    assert not phone.one("#rich-menu").is_displayed()
    phone.tap("#menu-bar")
    phone.tap("#rich-menu .area[aria-label='to=second']")
    phone.until(lambda: phone.all(f"#rich-menu img[src$='{second}']"))
    phone.until(lambda: len(world.bot.events) == 2)
    assert world.bot.events[1].postback.params == {
        "newRichMenuAliasId": "second",
        "status": "SUCCESS",
    }


def test_another_member_asks_and_a_stranger_only_alone(world: ConsoleWorld, phone: Phone) -> None:
    answers(world)
    names = [option.text for option in Select(phone.one("#asker")).options]
    assert names == [user.name for user in DEMO_USERS]
    Select(phone.one("#asker")).select_by_visible_text(DEMO_USERS[2].name)
    phone.say("やあ")
    phone.one(".message.theirs .bubble", "ok やあ")
    assert world.bot.events[0].source.user_id == DEMO_USERS[2].id
    phone.tap("#in-private")
    Select(phone.one("#asker")).select_by_visible_text(DEMO_STRANGER.name)
    phone.say("見せて")
    phone.one(".message.theirs .bubble", "ok 見せて")
    assert world.bot.events[1].source.to_dict() == {"type": "user", "userId": DEMO_STRANGER.id}


def test_a_file_arrives_whole_and_loading_and_push_show(
    world: ConsoleWorld, phone: Phone, tmp_path: Path
) -> None:
    answers(world)
    data = bytes(range(256))
    (tmp_path / "record.mjlog").write_bytes(data)
    phone.one("#file").send_keys(str(tmp_path / "record.mjlog"))
    phone.one(".message.theirs .bubble", "ok file")
    message = world.bot.events[0].message
    assert (message.file_name, world.blob.get_message_content(message.id)) == ("record.mjlog", data)
    phone.tap("#in-private")
    world.platform.feed.add("loading", ASKER, seconds=60)
    phone.one(".dots")
    world.platform.feed.add(
        "message",
        ASKER,
        sender=None,
        at=0.0,
        message=samples.text("来た") | {"id": "1"},
    )
    phone.one(".message.theirs .bubble", "来た")
    assert phone.all(".dots") == []


def post(world: ConsoleWorld, body: Json, mimetype: str = "application/json") -> int:
    client = world.app.test_client()
    return client.post("/console/events", json=body, content_type=mimetype).status_code


HERE = {"chat": DEMO_GROUP, "user": ASKER}
TOO_MUCH: list[Json] = [
    {},
    HERE | {"do": "tap", "user": DEMO_STRANGER.id, "data": "x"},
    HERE | {"do": "tap"},
    HERE | {"do": "fail_next"},
    {"do": "tap", "chat": ASKER, "user": DEMO_USERS[1].id, "data": "x"},
    HERE | {"do": "file", "name": "a", "content": "?"},
]


@pytest.mark.parametrize("body", TOO_MUCH)
def test_the_page_can_do_no_more_than_a_member_can(world: ConsoleWorld, body: Json) -> None:
    assert post(world, body) == 400
    assert world.bot.events == []


def test_another_sites_form_cannot_act(world: ConsoleWorld) -> None:
    deed = HERE | {"do": "tap", "data": "x"}
    assert post(world, deed, "text/plain") == 415
    assert post(world, deed) == 200


@pytest.mark.parametrize("path", ["", "state", "line/v2/bot/info", "static/js/main.js"])
def test_it_answers_to_this_machine_only(world: ConsoleWorld, path: str) -> None:
    client = world.app.test_client()
    for come in (
        {"environ_base": {"REMOTE_ADDR": "10.1.2.3"}},
        {"base_url": "http://console.example.com/"},
    ):
        assert client.get(f"/console/{path}", **come).status_code == 403, come


def test_the_page_loads_nothing_from_elsewhere(world: ConsoleWorld) -> None:
    with world.app.test_client().get("/console/") as page:
        policy = page.headers["Content-Security-Policy"]
        text = page.get_data(as_text=True)
    assert policy.startswith("default-src 'self'")
    assert "unsafe" not in policy
    assert "style=" not in text
    assert "http" not in text
