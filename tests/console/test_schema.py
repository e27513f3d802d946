"""The checks agree with LINE's own OpenAPI schema, where a copy of it lies beside the repository."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openapi_schema_validator import OAS30Validator

from bot.console import checks
from tests.console.samples import (
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

Json = dict[str, Any]
SCHEMA = Path(__file__).parents[3] / "shared/data/line/messaging-api.strict.yml"
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

pytestmark = pytest.mark.skipif(not SCHEMA.exists(), reason="LINE's schema is not beside the repository")


@cache
def validator(name: str) -> Any:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    components = yaml.load(SCHEMA.read_text("utf-8"), loader)["components"]
    return OAS30Validator({"$ref": f"#/components/schemas/{name}", "components": components})


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: str(sample["type"]))
def test_samples_pass_both(sample: Json) -> None:
    assert checks.message_problems(sample) == []
    validator("MessageAny").validate(sample)


def test_rich_menus_pass_both() -> None:
    assert checks.rich_menu_problems(rich_menu()) == []
    validator("RichMenuRequest").validate(rich_menu())


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
def test_what_the_schema_refuses_the_checks_refuse(data: st.DataObject, sample: Json, odd: Any) -> None:
    """One value of a good message is replaced by an odd one. What the checks accept, the schema accepts too."""
    changed = replaced(sample, data.draw(st.sampled_from(places(sample))), odd)
    if not checks.message_problems(changed):
        validator("MessageAny").validate(changed)


@settings(max_examples=50, deadline=None)
@given(st.data(), ODD)
def test_rich_menus_too(data: st.DataObject, odd: Any) -> None:
    changed = replaced(rich_menu(), data.draw(st.sampled_from(places(rich_menu()))), odd)
    if not checks.rich_menu_problems(changed):
        validator("RichMenuRequest").validate(changed)
