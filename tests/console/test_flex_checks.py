"""What LINE accepts in a Flex message, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from bot.console import checks
from bot.console.flex_checks import BUBBLE_BYTES, CAROUSEL_BYTES, weight
from bot.console.shapes import paths
from tests.console.samples import POSTBACK, box, card, carousel, flex, standings, words

Json = dict[str, Any]
URL = "https://example.com/a.png"


def where(contents: Json) -> list[str]:
    return [at.removeprefix("messages[0].contents") for at in paths(checks.message_problems(flex(contents)))]


def bubble(*contents: Json, layout: str = "vertical", **more: Any) -> Json:
    return {"type": "bubble", "body": box(layout, *contents), **more}


def test_the_samples_are_taken() -> None:
    for contents in (standings(), card(URL), card(URL, "mega"), carousel(URL)):
        assert where(contents) == []


@pytest.mark.parametrize(
    ("component", "at"),
    [
        (words(""), ".text"),
        ({"type": "text"}, ".text"),
        (words("a", size="huge"), ".size"),
        (words("a", size="15"), ".size"),
        (words("a", color="red"), ".color"),
        (words("a", color="#FFF"), ".color"),
        (words("a", weight="heavy"), ".weight"),
        (words("a", align="left"), ".align"),
        (words("a", flex=-1), ".flex"),
        (words("a", flex="1"), ".flex"),
        (words("a", wrap="true"), ".wrap"),
        (words("a", maxLines=-1), ".maxLines"),
        (words("a", font="mincho"), ".font"),
        (words("a", margin="8"), ".margin"),
        (words("a", contents=[words("b")]), ".contents[0].type"),
        ({"type": "span", "text": "a"}, ".type"),
        ({"type": "icon", "url": URL}, ".type"),
        ({"type": "video", "url": URL}, ".type"),
        ({"type": "image"}, ".url"),
        ({"type": "image", "url": "http://example.com/a.png"}, ".url"),
        ({"type": "image", "url": URL, "aspectRatio": "1:3.1"}, ".aspectRatio"),
        ({"type": "image", "url": URL, "aspectRatio": "wide"}, ".aspectRatio"),
        ({"type": "image", "url": URL, "size": "huge"}, ".size"),
        ({"type": "button"}, ".action"),
        ({"type": "button", "action": POSTBACK | {"label": None}}, ".action.label"),
        ({"type": "button", "action": POSTBACK, "style": "danger"}, ".style"),
        ({"type": "button", "action": POSTBACK, "height": "lg"}, ".height"),
        ({"type": "separator", "size": "xs"}, ".size"),
        ({"type": "box", "layout": "grid", "contents": []}, ".layout"),
        ({"type": "box", "layout": "vertical"}, ".contents"),
        (box("vertical", paddingAll="1em"), ".paddingAll"),
        (box("vertical", width="50"), ".width"),
        (box("vertical", borderWidth="thin"), ".borderWidth"),
        (box("vertical", justifyContent="start"), ".justifyContent"),
        (box("vertical", background={"type": "linearGradient", "angle": "90"}), ".background.angle"),
        (box("vertical", action={"type": "camera"}), ".action.type"),
    ],
)
def test_refused_component(component: Json, at: str) -> None:
    assert ".body.contents[0]" + at in where(bubble(component))


@pytest.mark.parametrize(
    "component",
    [
        words("a", size="15px", color="#12345678", margin="3px", lineSpacing="4px"),
        {"type": "image", "url": URL, "aspectRatio": "1:3", "size": "50%"},
        {"type": "button", "action": POSTBACK, "style": "primary", "height": "sm", "gravity": "center"},
        box("vertical"),
        box("baseline", words("a"), {"type": "icon", "url": URL}, {"type": "filler"}),
        box("horizontal", words("a"), {"type": "separator"}, words("b"), spacing="md", paddingAll="5%"),
        words("a", action={key: value for key, value in POSTBACK.items() if key != "label"}),
    ],
)
def test_accepted_component(component: Json) -> None:
    assert where(bubble(component)) == []


@pytest.mark.parametrize("kind", [box("vertical"), {"type": "image", "url": URL}, {"type": "separator"}])
def test_a_baseline_box_holds_words_and_icons_only(kind: Json) -> None:
    assert where(bubble(kind, layout="baseline")) == [".body.contents[0].type"]


@pytest.mark.parametrize("name", ["gravity", "offsetBottom"])
def test_what_has_no_meaning_in_a_baseline_box(name: str) -> None:
    value = {"gravity": "center", "offsetBottom": "4px"}[name]
    assert where(bubble(words("a", **{name: value}), layout="baseline")) == [f".body.contents[0].{name}"]


def test_bubbles() -> None:
    assert where({"type": "bubble"}) == [""]
    assert where(bubble(words("a"), size="tera")) == [".size"]
    assert where({"type": "bubble", "body": words("a")}) == [".body.type"]
    assert where({"type": "bubble", "hero": words("a")}) == [".hero.type"]
    assert where(bubble(words("a"), styles={"body": {"color": "#000000"}})) == [".styles.body.color"]


def test_a_video_stands_in_the_hero_of_a_wide_bubble() -> None:
    video = {"type": "video", "url": URL, "previewUrl": URL, "altContent": {"type": "image", "url": URL}}
    assert where(bubble(words("a"), hero=video, size="kilo")) == []
    assert where(bubble(words("a"), hero=video, size="micro")) == [".size"]
    inside = {"type": "carousel", "contents": [bubble(words("a"), hero=video)]}
    assert where(inside) == [".contents[0].hero"]


def test_a_carousel_has_one_to_twelve_bubbles_of_one_size() -> None:
    one = bubble(words("a"))
    assert where({"type": "carousel", "contents": [one] * 12}) == []
    assert where({"type": "carousel", "contents": [one] * 13}) == [".contents"]
    assert where({"type": "carousel", "contents": []}) == [".contents"]
    assert where({"type": "carousel", "contents": [one, bubble(words("a"), size="kilo")]}) == [".contents"]


def heavy(size: int) -> Json:
    """A bubble of exactly `size` bytes as JSON."""
    empty = bubble(words("a"))
    return bubble(words("a" * (size - weight(empty) + 1)))


def test_weights() -> None:
    assert where(heavy(BUBBLE_BYTES)) == []
    assert where(heavy(BUBBLE_BYTES + 1)) == [""]
    frame = weight({"type": "carousel", "contents": []})
    half = (CAROUSEL_BYTES - frame - 1) // 2
    rest = CAROUSEL_BYTES - frame - 1 - half
    assert where({"type": "carousel", "contents": [heavy(half), heavy(rest)]}) == []
    assert where({"type": "carousel", "contents": [heavy(half), heavy(rest + 1)]}) == [""]


def test_japanese_weighs_three_bytes_a_letter() -> None:
    assert weight({"a": "あ"}) == len('{"a":""}') + 3
