"""The console's checks agree with LINE's SDK and with a table of LINE's limits, which share no code with
them."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from linebot.v3.messaging.models import RichMenuRequest

from bot.console import checks
from tests.console.samples import (
    MESSAGE,
    card,
    carousel,
    flex,
    image,
    quick_reply,
    rich_menu,
    standings,
    templates,
    text,
)
from tests.schema import sdk_problems

Json = dict[str, Any]
URL = "https://example.com/a.png"
SAMPLES: list[Json] = [
    text(quickReply=quick_reply("a", "b"), sender={"name": "雀"}),
    {
        "type": "textV2",
        "text": "{a}",
        "substitution": {"a": {"type": "mention", "mentionee": {"type": "all"}}},
    },
    {"type": "sticker", "packageId": "446", "stickerId": "1988"},
    {"type": "location", "title": "卓", "address": "東京", "latitude": 35.6, "longitude": 139.7},
    {"type": "audio", "originalContentUrl": URL, "duration": 1000},
    image(URL),
    flex(standings()),
    flex(card(URL)),
    flex(carousel(URL)),
    *templates(URL),
]

LARGE = {
    "type": "bubble",
    "body": {"type": "box", "layout": "vertical", "contents": [{"type": "text", "text": "雀" * 10_500}]},
}
BAD: dict[str, Json] = {
    "no type": {"text": "a"},
    "an unknown type": {"type": "words", "text": "a"},
    "no text": {"type": "text"},
    "a number as text": text() | {"text": 5},
    "an unknown property": text(colour="#000000"),
    "a text too long": text("a" * 5001),
    "fourteen quick replies": text(quickReply=quick_reply(*"abcdefghijklmn")),
    "a label of 21 letters": text(quickReply=quick_reply("a" * 21)),
    "an alternative text too long": flex(standings(), "a" * 1501),
    "a colour beside the enumerated": flex({"type": "bubble", "direction": "up"}),
    "a component in no box": flex({"type": "bubble", "body": {"type": "text", "text": "a"}}),
    "thirteen bubbles": flex({"type": "carousel", "contents": [standings()] * 13}),
    "a bubble too large": flex(LARGE),
    "three buttons to confirm": {
        "type": "template",
        "altText": "a",
        "template": {"type": "confirm", "text": "a", "actions": [MESSAGE] * 3},
    },
}


@pytest.mark.parametrize("message", BAD.values(), ids=BAD)
def test_both_refuse_what_line_refuses(message: Json) -> None:
    assert checks.message_problems(message)
    assert sdk_problems(message)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: str(sample["type"]))
def test_samples_pass_both(sample: Json) -> None:
    assert checks.message_problems(sample) == []
    assert sdk_problems(sample) == []


def test_rich_menus_pass_both() -> None:
    assert checks.rich_menu_problems(rich_menu()) == []
    assert sdk_problems(rich_menu(), RichMenuRequest) == []


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value in the JSON, outermost first."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inner for place in places(part, (*path, key)))]


def replaced(value: Json, place: tuple[Any, ...], part: Any) -> Any:
    if not place:
        return part
    changed = copy.deepcopy(value)
    *way, last = place
    inside: Any = changed
    for key in way:
        inside = inside[key]
    inside[last] = part
    return changed


ODD = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        1.5,
        "",
        "x",
        "flex",
        "#12345",
        "http://x/",
        "a" * 301,
        [],
        ["x"],
        {},
        {"type": "box"},
    ]
)


@settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.data(), st.sampled_from(SAMPLES), ODD)
def test_what_the_sdk_refuses_the_checks_refuse(data: st.DataObject, sample: Json, odd: Any) -> None:
    """One value of a good message is replaced by an odd one. What the checks accept, the SDK and the table
    accept too."""
    changed = replaced(sample, data.draw(st.sampled_from(places(sample))), odd)
    if not checks.message_problems(changed):
        assert sdk_problems(changed) == []


@settings(max_examples=50, deadline=None)
@given(st.data(), ODD)
def test_rich_menus_too(data: st.DataObject, odd: Any) -> None:
    changed = replaced(rich_menu(), data.draw(st.sampled_from(places(rich_menu()))), odd)
    if not checks.rich_menu_problems(changed):
        assert sdk_problems(changed, RichMenuRequest) == []
