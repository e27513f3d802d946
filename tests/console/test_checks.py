"""What LINE accepts and what it refuses: every limit's last good value and first bad one, and what
is odd.

LINE's own schema (tests/data/line.json), which shares no code with the checks, accepts what they
accept.
"""

import copy
import json
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bot.console import checks
from bot.console.checks import (
    BUBBLE_BYTES,
    CAROUSEL_BYTES,
    IMAGE_BYTES,
    picture_problem,
    problems,
    weight,
)
from tests.console import samples
from tests.console.samples import (
    PICKER,
    POSTBACK,
    URI,
    box,
    flex,
    image,
    png,
    rich_menu,
    text,
    words,
)
from tests.real import DATA

Json = dict[str, Any]
COMPONENTS = json.loads((DATA / "line_components.json").read_text("utf-8"))
HTTPS = "https://example.com/"
URL = "https://example.com/a.png"
ACTION = "quickReply.items[0].action."


def where(value: Any, model: str = "Message") -> list[str]:
    """The places in the message, or in another body, that LINE would refuse."""
    return [problem.property for problem in problems(value, model)]


def within(contents: Json) -> list[str]:
    return [place.removeprefix("contents").removeprefix(".") for place in where(flex(contents))]


def with_action(action: Json) -> Json:
    return text(quickReply={"items": [{"type": "action", "action": action}]})


def url_of(length: int) -> str:
    return HTTPS + "a" * (length - len(HTTPS))


@pytest.mark.parametrize(
    ("good", "bad", "at"),
    [
        (text("a" * 5000), text("a" * 5001), "text"),
        (text("𠮷" * 2500), text("𠮷" * 2501), "text"),
        (text("a"), text(""), "text"),
        (
            text(quickReply=samples.quick_reply(*"abcdefghijklm")),
            text(quickReply=samples.quick_reply(*"abcdefghijklmn")),
            "quickReply.items",
        ),
        (
            with_action(POSTBACK | {"label": "あ" * 20}),
            with_action(POSTBACK | {"label": "あ" * 21}),
            ACTION + "label",
        ),
        (with_action(POSTBACK), with_action(POSTBACK | {"label": ""}), ACTION + "label"),
        (
            with_action(POSTBACK | {"data": "d" * 300}),
            with_action(POSTBACK | {"data": "d" * 301}),
            ACTION + "data",
        ),
        (with_action(POSTBACK), with_action(POSTBACK | {"data": ""}), ACTION + "data"),
        (
            with_action(POSTBACK),
            with_action(POSTBACK | {"displayText": "d" * 301}),
            ACTION + "displayText",
        ),
        (with_action(POSTBACK), with_action(POSTBACK | {"text": "x"}), ACTION + "text"),
        (with_action(POSTBACK), with_action(POSTBACK | {"fillInText": "x"}), ACTION + "fillInText"),
        (
            with_action(URI | {"uri": url_of(1000)}),
            with_action(URI | {"uri": url_of(1001)}),
            ACTION + "uri",
        ),
        (
            with_action(URI | {"uri": "tel:0312345678"}),
            with_action(URI | {"uri": "ftp://example.com/"}),
            ACTION + "uri",
        ),
        (with_action(PICKER), with_action(PICKER | {"initial": "21:00"}), ACTION + "initial"),
        (with_action(PICKER), with_action(PICKER | {"min": "2031-01-01"}), ACTION + "min"),
        (with_action(PICKER), with_action({"type": "camera", "label": "a"}), ACTION + "type"),
        (image(url_of(2000)), image(url_of(2001)), "originalContentUrl"),
        (
            image("http://127.0.0.1:8000/a.png"),
            image("http://example.com/a.png"),
            "originalContentUrl",
        ),
        (image(HTTPS + "%E3%81%82.png"), image(HTTPS + "あ.png"), "originalContentUrl"),
        (
            flex(samples.standings(), "a" * 1500),
            flex(samples.standings(), "a" * 1501),
            "altText",
        ),
        (text(), text(sender={"name": "n"}), "sender"),
        (text(), {"type": "sticker", "packageId": "446", "stickerId": "1988"}, "type"),
    ],
)
def test_limit_of_a_message(good: Json, bad: Json, at: str) -> None:
    assert where(good) == []
    assert at in where(bad)


@pytest.mark.parametrize(("change", "at"), COMPONENTS["refused changes of a text"])
def test_unknown_missing_and_mistyped_fields(change: Json, at: str) -> None:
    assert where(text() | change) == [at]


@pytest.mark.parametrize("value", [None, 5, "text", [], {}])
def test_other_json_is_no_message(value: Any) -> None:
    assert where(value)


@pytest.mark.parametrize(
    ("count", "faults"), [(0, ["messages"]), (1, []), (5, []), (6, ["messages"])]
)
def test_reply_has_one_to_five_messages(count: int, faults: list[str]) -> None:
    body = {"replyToken": "t", "messages": [text()] * count}
    assert where(body, "ReplyMessageRequest") == faults


def test_reply_needs_a_token_and_no_receiver() -> None:
    body = {"messages": [text()], "to": "U"}
    assert where(body, "ReplyMessageRequest") == ["replyToken", "to"]
    assert where(body, "PushMessageRequest") == []


@pytest.mark.parametrize("alias", ["", "A", "a b", "a" * 33])
def test_refused_alias_of_a_rich_menu(alias: str) -> None:
    body = {"richMenuAliasId": alias, "richMenuId": "r"}
    assert set(where(body, "CreateRichMenuAliasRequest")) == {"richMenuAliasId"}


def test_longest_alias_of_a_rich_menu() -> None:
    body = {"richMenuAliasId": "a" * 32, "richMenuId": "r"}
    assert where(body, "CreateRichMenuAliasRequest") == []


@pytest.mark.parametrize("seconds", [5, 60])
def test_accepted_loading_seconds(seconds: int) -> None:
    assert where({"chatId": "U", "loadingSeconds": seconds}, "ShowLoadingAnimationRequest") == []


@pytest.mark.parametrize("seconds", [0, 7, 65, "5", True])
def test_refused_loading_seconds(seconds: object) -> None:
    body = {"chatId": "U", "loadingSeconds": seconds}
    assert set(where(body, "ShowLoadingAnimationRequest")) == {"loadingSeconds"}


@given(st.text(min_size=1))
def test_text_counts_utf16_code_units(begin: str) -> None:
    units = sum(2 if ord(letter) > 0xFFFF else 1 for letter in begin)
    exact = begin + "a" * (5000 - units)
    if units <= 5000:
        assert where(text(exact)) == []
        assert where(text(exact + "a")) == ["text"]


def bubble(*contents: Json, layout: str = "vertical", **more: Any) -> Json:
    return {"type": "bubble", "body": box(layout, *contents), **more}


@pytest.mark.parametrize(("component", "at"), COMPONENTS["refused"])
def test_refused_component(component: Json, at: str) -> None:
    assert f"body.contents[0].{at}" in within(bubble(component))


@pytest.mark.parametrize("component", COMPONENTS["accepted"])
def test_accepted_component(component: Json) -> None:
    assert within(bubble(component)) == []


@pytest.mark.parametrize(("component", "at"), COMPONENTS["refused in a baseline box"])
def test_baseline_box_has_only_texts_and_icons(component: Json, at: str) -> None:
    assert within(bubble(component, layout="baseline")) == [f"body.contents[0].{at}"]


def test_refused_bubbles() -> None:
    assert within({"type": "bubble"}) == [""]
    assert within(bubble(words("a"), size="tera")) == ["size"]
    assert within({"type": "bubble", "body": words("a")}) == ["body.type"]
    assert "hero.type" in within({"type": "bubble", "hero": words("a")})
    assert within(bubble(words("a"), styles={"body": {"color": "#000000"}})) == [
        "styles.body.color"
    ]


def test_carousel_has_at_most_twelve_bubbles() -> None:
    assert within({"type": "carousel", "contents": [bubble(words("a"))] * 12}) == []


@pytest.mark.parametrize(
    "bubbles",
    [
        [bubble(words("a"))] * 13,
        [],
        [bubble(words("a")), bubble(words("a"), size="kilo")],
    ],
    ids=["too many", "none", "of two sizes"],
)
def test_refused_bubbles_of_a_carousel(bubbles: list[Json]) -> None:
    assert within({"type": "carousel", "contents": bubbles}) == ["contents"]


def heavy(size: int) -> Json:
    """A bubble of exactly `size` bytes as JSON."""
    return bubble(words("a" * (size - weight(bubble(words("a"))) + 1)))


def test_limit_of_a_bubbles_bytes() -> None:
    assert within(heavy(BUBBLE_BYTES)) == []
    assert within(heavy(BUBBLE_BYTES + 1)) == [""]


def test_limit_of_a_carousels_bytes() -> None:
    frame = weight({"type": "carousel", "contents": []})
    first = (CAROUSEL_BYTES - frame - 1) // 2
    second = CAROUSEL_BYTES - frame - 1 - first
    assert within({"type": "carousel", "contents": [heavy(first), heavy(second)]}) == []
    too_heavy = [heavy(first), heavy(second + 1)]
    assert within({"type": "carousel", "contents": too_heavy}) == [""]


def test_weight_counts_bytes_in_utf_8() -> None:
    assert weight({"a": "あ"}) == len('{"a":""}') + 3


def area(x: int, y: int, width: int, height: int) -> Json:
    bounds = {"x": x, "y": y, "width": width, "height": height}
    return {"bounds": bounds, "action": {"type": "postback", "data": "d"}}


def sized(width: int, height: int) -> Json:
    return {"size": {"width": width, "height": height}, "areas": []}


@pytest.mark.parametrize(
    ("good", "bad", "at"),
    [
        ({"chatBarText": "あ" * 14}, {"chatBarText": "あ" * 15}, "chatBarText"),
        ({"name": "n" * 300}, {"name": "n" * 301}, "name"),
        (
            {"areas": [area(0, 0, 1, 1)] * 20},
            {"areas": [area(0, 0, 1, 1)] * 21},
            "areas",
        ),
        (
            {"areas": [area(1, 0, 2499, 1)]},
            {"areas": [area(2, 0, 2499, 1)]},
            "areas[0].bounds",
        ),
        (
            {"areas": [area(0, 1, 1, 1685)]},
            {"areas": [area(0, 2, 1, 1685)]},
            "areas[0].bounds",
        ),
        (
            {"areas": []},
            {"areas": [area(-1, 0, 5, 5)]},
            "areas[0].bounds.x",
        ),
        ({"areas": []}, sized(2501, 800), "size.width"),
        (sized(800, 250), sized(799, 250), "size.width"),
        ({"areas": []}, sized(800, 249), "size.height"),
        (sized(1450, 1000), sized(1449, 1000), "size"),
        ({"selected": False}, {"selected": "no"}, "selected"),
        ({"areas": []}, {"colour": "red"}, "colour"),
        ({}, {"name": None}, "name"),
    ],
)
def test_limit_of_a_rich_menu(good: Json, bad: Json, at: str) -> None:
    assert where(rich_menu() | good, "RichMenuRequest") == []
    assert at in where(rich_menu() | bad, "RichMenuRequest")


MENU_SIZE = {"width": 800, "height": 300}
MENU_PICTURE = png(800, 300)


def padded(size: int) -> bytes:
    return MENU_PICTURE + bytes(size - len(MENU_PICTURE))


def test_largest_picture_of_a_menu_is_accepted() -> None:
    assert picture_problem(padded(IMAGE_BYTES), "image/png", MENU_SIZE) == ""


@pytest.mark.parametrize(
    ("data", "mimetype"),
    [
        (padded(IMAGE_BYTES + 1), "image/png"),
        (MENU_PICTURE, "image/jpeg"),
        (b"\xff\xd8\xff" + MENU_PICTURE, "image/png"),
        (png(801, 300), "image/png"),
    ],
    ids=["too many bytes", "jpeg", "no png", "another size"],
)
def test_unusable_picture_of_a_menu_is_refused(data: bytes, mimetype: str) -> None:
    assert picture_problem(data, mimetype, MENU_SIZE)


SCHEMA = json.loads((DATA / "line.json").read_bytes())
SHOWN = (
    samples.standings(),
    samples.card(URL),
    samples.card(URL, "mega"),
    samples.carousel(URL),
)
SAMPLES = [
    text(quickReply=samples.quick_reply("a", "b")),
    with_action(PICKER),
    image(URL),
    *map(flex, SHOWN),
]


def line_accepts(value: Any, model: str) -> bool:
    return bool(jsonschema.Draft4Validator(SCHEMA | {"$ref": f"#/{model}"}).is_valid(value))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: str(sample["type"]))
def test_samples_pass_both(sample: Json) -> None:
    assert where(sample) == []
    assert line_accepts(sample, "MessageAny")


def test_the_schema_refuses() -> None:
    for bad in (
        {"text": "a"},
        text() | {"text": 5},
        flex(
            bubble(
                words(
                    "a",
                    align="left",
                )
            )
        ),
    ):
        assert not line_accepts(bad, "MessageAny")
    assert not line_accepts(
        rich_menu()
        | {
            "areas": [
                area(
                    -1,
                    0,
                    1,
                    1,
                )
            ]
        },
        "RichMenuRequest",
    )


def places(
    value: Any,
    path: tuple[Any, ...] = (),
) -> list[tuple[Any, ...]]:
    """The path of every value in the JSON, outermost first."""
    inner: Any = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    paths = [path]
    for key, part in inner:
        paths += places(part, (*path, key))
    return paths


def replaced(value: Json, place: tuple[Any, ...], part: Any) -> Any:
    if not place:
        return part
    inside: Any = (changed := copy.deepcopy(value))
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = part
    return changed


ODD = st.sampled_from(COMPONENTS["odd values"])
BODIES = [(sample, "Message", "MessageAny") for sample in SAMPLES]
BODIES.append((rich_menu(), "RichMenuRequest", "RichMenuRequest"))


@settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.sampled_from(BODIES), ODD)
def test_what_the_checks_take_line_takes(
    data: st.DataObject, body: tuple[Json, str, str], odd: Any
) -> None:
    """One value of a good body is replaced by an odd one."""
    sample, model, schema = body
    changed = replaced(sample, data.draw(st.sampled_from(places(sample))), odd)
    assert problems(changed, model) or line_accepts(changed, schema)


NUMBERS = st.integers() | st.floats(allow_nan=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "text", "items"]), inner)
    ),
    max_leaves=8,
)


@given(JSON, st.sampled_from(["text", "quickReply", "sender", "emojis", "contents", "altText"]))
def test_no_json_breaks_the_checks(value: Any, name: str) -> None:
    for kind in ("text", "flex", "image"):
        problems({"type": kind, name: value}, "Message")
    for model in ("ReplyMessageRequest", "RichMenuRequest"):
        problems(value, model)


def test_the_table_names_properties_that_there_are() -> None:
    from linebot.v3.messaging import models

    for table in (checks.LIMITS, checks.REQUIRED):
        for model, names in table.items():
            aliases = {field.alias for field in getattr(models, model).__fields__.values()}
            assert set(names) <= aliases, model
