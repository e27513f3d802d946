"""Every limit of a message: the last value LINE accepts and the first it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.console import checks
from bot.console.shapes import paths
from tests.console.samples import (
    CLIPBOARD,
    MESSAGE,
    PICKER,
    POSTBACK,
    URI,
    image,
    quick_reply,
    standings,
    templates,
    text,
)

Json = dict[str, Any]
HTTPS = "https://example.com/"


def where(message: Json) -> list[str]:
    """The places in the message that LINE would refuse."""
    return [at.removeprefix("messages[0].") for at in paths(checks.message_problems(message))]


def with_action(action: Json) -> Json:
    return text(quickReply={"items": [{"type": "action", "action": action}]})


ACTION = "quickReply.items[0].action."


def url_of(length: int) -> str:
    return HTTPS + "a" * (length - len(HTTPS))


@pytest.mark.parametrize(
    ("good", "bad", "at"),
    [
        (text("a" * 5000), text("a" * 5001), "text"),
        (text("𠮷" * 2500), text("𠮷" * 2501), "text"),
        (text("a"), text(""), "text"),
        (text(quickReply=quick_reply(*"abcdefghijklm")), text(quickReply=quick_reply(*"abcdefghijklmn")), "quickReply.items"),
        (with_action(POSTBACK | {"label": "あ" * 20}), with_action(POSTBACK | {"label": "あ" * 21}), ACTION + "label"),
        (with_action(POSTBACK | {"data": "d" * 300}), with_action(POSTBACK | {"data": "d" * 301}), ACTION + "data"),
        (with_action(POSTBACK), with_action(POSTBACK | {"displayText": "d" * 301}), ACTION + "displayText"),
        (with_action(MESSAGE | {"text": "t" * 300}), with_action(MESSAGE | {"text": "t" * 301}), ACTION + "text"),
        (with_action(URI | {"uri": url_of(1000)}), with_action(URI | {"uri": url_of(1001)}), ACTION + "uri"),
        (with_action(URI | {"uri": "tel:0312345678"}), with_action(URI | {"uri": "ftp://example.com/"}), ACTION + "uri"),
        (with_action(CLIPBOARD), with_action(CLIPBOARD | {"clipboardText": "c" * 1001}), ACTION + "clipboardText"),
        (with_action(PICKER), with_action(PICKER | {"initial": "21:00"}), ACTION + "initial"),
        (with_action(PICKER), with_action(PICKER | {"min": "2031-01-01"}), ACTION + "min"),
        (image(url_of(2000)), image(url_of(2001)), "originalContentUrl"),
        (image("http://127.0.0.1:8000/a.png"), image("http://example.com/a.png"), "originalContentUrl"),
        (image(HTTPS + "%E3%81%82.png"), image(HTTPS + "あ.png"), "originalContentUrl"),
        ({"type": "sticker", "packageId": "446", "stickerId": "1988"}, {"type": "sticker", "packageId": "446"}, "stickerId"),
        (text(sender={"name": "n" * 20}), text(sender={"name": "n" * 21}), "sender.name"),
        (
            {"type": "location", "title": "t", "address": "a", "latitude": 90, "longitude": -180},
            {"type": "location", "title": "t", "address": "a", "latitude": 90.1, "longitude": 0},
            "latitude",
        ),
        (
            {"type": "textV2", "text": "{who}!", "substitution": {"who": {"type": "mention", "mentionee": {"type": "all"}}}},
            {"type": "textV2", "text": "{who}!"},
            "substitution",
        ),
    ],
)  # fmt: skip
def test_limit(good: Json, bad: Json, at: str) -> None:
    assert where(good) == []
    assert at in where(bad)


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"foo": 1}, "foo"),
        ({"type": "words"}, "type"),
        ({"text": None}, "text"),
        ({"text": 5}, "text"),
        ({"quickReply": {"items": []}}, "quickReply.items"),
        ({"quickReply": {"items": [{"action": POSTBACK | {"label": None}}]}}, ACTION + "label"),
        ({"quickReply": {"items": [{"action": {"type": "richmenuswitch"}}]}}, ACTION + "type"),
    ],
)
def test_unknown_missing_and_mistyped_fields(change: Json, at: str) -> None:
    assert where(text() | change) == [at]


def test_what_is_no_message_at_all() -> None:
    for value in (None, 5, "text", [], {}):
        assert checks.message_problems(value)


def test_display_text_and_text_exclude_each_other() -> None:
    assert where(with_action(POSTBACK | {"text": "x"})) == [ACTION + "text"]


def test_fill_in_text_needs_the_keyboard() -> None:
    filled = POSTBACK | {"fillInText": "名前: "}
    assert where(with_action(filled)) == [ACTION + "fillInText"]
    assert where(with_action(filled | {"inputOption": "openKeyboard"})) == []


@pytest.mark.parametrize("count", [0, 6])
def test_one_to_five_messages(count: int) -> None:
    body = {"replyToken": "t", "messages": [text()] * count}
    assert paths(checks.reply_problems(body)) == ["messages"]
    assert checks.reply_problems(body | {"messages": [text()] * 5}) == []


def test_a_reply_needs_its_token_and_nothing_unknown() -> None:
    assert paths(checks.reply_problems({"messages": [text()], "to": "U"})) == ["replyToken", "to"]
    assert checks.push_problems({"to": "U", "messages": [text()]}) == []
    assert checks.multicast_problems({"to": ["U"], "messages": [text()]}) == []


@pytest.mark.parametrize("seconds", [0, 4, 7, 65, "5", True])
def test_loading_is_a_multiple_of_five_up_to_sixty(seconds: Any) -> None:
    assert paths(checks.loading_problems({"chatId": "U", "loadingSeconds": seconds})) == ["loadingSeconds"]
    assert checks.loading_problems({"chatId": "U", "loadingSeconds": 60}) == []


def test_templates() -> None:
    buttons, confirm, carousel, pictures = templates(HTTPS)
    for message in (buttons, confirm, carousel, pictures):
        assert where(message) == []
    bare = {
        name: value
        for name, value in buttons["template"].items()
        if name not in ("title", "thumbnailImageUrl")
    }
    changed = [
        (buttons["template"] | {"text": "t" * 61}, "template.text"),
        (bare | {"text": "t" * 161}, "template.text"),
        (bare | {"actions": [POSTBACK] * 5}, "template.actions"),
        (confirm["template"] | {"actions": [POSTBACK]}, "template.actions"),
        (carousel["template"] | {"columns": carousel["template"]["columns"] * 6}, "template.columns"),
        (pictures["template"] | {"columns": [{"imageUrl": HTTPS, "action": POSTBACK | {"label": "l" * 13}}]}, "template.columns[0].action.label"),
        ({"type": "slideshow"}, "template.type"),
    ]  # fmt: skip
    assert where(buttons | {"template": bare | {"text": "t" * 160}}) == []
    for template, at in changed:
        assert at in where(buttons | {"template": template})


def test_columns_of_a_carousel_are_alike() -> None:
    carousel = templates(HTTPS)[2]
    first = carousel["template"]["columns"][0]
    untitled = {name: value for name, value in first.items() if name != "title"}
    fewer = first | {"actions": [POSTBACK]}
    for second in (untitled, fewer):
        changed = carousel["template"] | {"columns": [first, second]}
        assert where(carousel | {"template": changed}) == ["template.columns"]


def test_alt_text() -> None:
    assert where({"type": "flex", "altText": "a" * 1500, "contents": standings()}) == []
    assert where({"type": "flex", "altText": "a" * 1501, "contents": standings()}) == ["altText"]


@given(st.text(min_size=1))
def test_text_counts_utf16_code_units(words: str) -> None:
    units = sum(2 if ord(letter) > 0xFFFF else 1 for letter in words)
    exact = words + "a" * (5000 - units)
    if units <= 5000:
        assert where(text(exact)) == []
        assert where(text(exact + "a")) == ["text"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "items"]), inner)
    ),
    max_leaves=8,
)


@given(JSON, st.sampled_from(["text", "quickReply", "sender", "emojis", "contents", "template", "altText"]))
def test_no_json_breaks_the_checks(value: Any, name: str) -> None:
    for kind in ("text", "textV2", "flex", "template", "image", "imagemap"):
        checks.message_problems({"type": kind, name: value})
    checks.reply_problems(value)
    checks.rich_menu_problems(value)
