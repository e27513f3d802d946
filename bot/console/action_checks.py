"""Check actions (what a tap does) by LINE's rules.

Which actions are allowed, and whether they need a label, depends on the place where they are used. The rules:
https://developers.line.biz/en/reference/messaging-api/#action-objects
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bot.console.shapes import (
    ByType,
    Check,
    Shape,
    ShapeProblem,
    anything,
    joined,
    matching,
    one_of,
    string,
    url,
)

LABEL = 20
IMAGE_CAROUSEL_LABEL = 12
URI_SCHEMES = ("https", "http", "line", "tel")
DATE = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
TIME = r"([01]\d|2[0-3]):[0-5]\d"
PICKED = {"date": DATE, "time": TIME, "datetime": f"{DATE}[tT]{TIME}"}
EVERYWHERE = ("postback", "message", "uri", "datetimepicker", "clipboard")


def _postback_texts(value: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    if value.get("displayText") is not None and value.get("text") is not None:
        yield ShapeProblem(joined(at, "text"), "displayText and text can't be used at the same time")
    if value.get("fillInText") is not None and value.get("inputOption") != "openKeyboard":
        yield ShapeProblem(joined(at, "fillInText"), "inputOption must be openKeyboard")


def _picked(value: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    pattern = PICKED.get(str(value.get("mode")))
    if pattern is None:
        return
    given = {name: value[name] for name in ("initial", "min", "max") if value.get(name) is not None}
    for name, text in given.items():
        yield from matching(pattern, f"in the form of the mode {value['mode']}")(text, joined(at, name))
    if (
        isinstance(given.get("min"), str)
        and isinstance(given.get("max"), str)
        and given["min"] >= given["max"]
    ):
        yield ShapeProblem(joined(at, "min"), "must be less than max")


def actions(kinds: tuple[str, ...], label: int = LABEL, labelled: bool = True) -> Check:
    """Return a check for the actions of one place.

    `kinds` are allowed there. `label` is the label's greatest length, `labelled` whether a label is required.
    """

    def shape(required: Mapping[str, Check], optional: Mapping[str, Check], *rules: Any) -> Shape:
        name: dict[str, Check] = {"label": string(label, 1 if labelled else 0)}
        return Shape(
            {"type": anything, **required, **(name if labelled else {})},
            {**optional, **({} if labelled else name)},
            rules,
        )

    data = string(300)
    made = {
        "postback": shape(
            {"data": data},
            {
                "displayText": string(300),
                "text": string(300),
                "inputOption": one_of("closeRichMenu", "openRichMenu", "openKeyboard", "openVoice"),
                "fillInText": string(300),
            },
            _postback_texts,
        ),
        "message": shape({"text": string(300)}, {}),
        "uri": shape(
            {"uri": url(1000, *URI_SCHEMES)}, {"altUri": Shape({"desktop": url(1000, *URI_SCHEMES)}, {})}
        ),
        "datetimepicker": shape(
            {"data": data, "mode": one_of(*PICKED)},
            {"initial": anything, "max": anything, "min": anything},
            _picked,
        ),
        "clipboard": shape({"clipboardText": string(1000)}, {}),
        "camera": shape({}, {}),
        "cameraRoll": shape({}, {}),
        "location": shape({}, {}),
        "richmenuswitch": shape({"richMenuAliasId": string(32), "data": data}, {}),
    }
    return ByType(lambda: made, kinds)


QUICK_REPLY_ACTION = actions((*EVERYWHERE, "camera", "cameraRoll", "location"))
TEMPLATE_ACTION = actions(EVERYWHERE)
DEFAULT_ACTION = actions(EVERYWHERE, labelled=False)
IMAGE_CAROUSEL_ACTION = actions(EVERYWHERE, IMAGE_CAROUSEL_LABEL, labelled=False)
FLEX_BUTTON_ACTION = actions(EVERYWHERE)
FLEX_ACTION = actions(EVERYWHERE, labelled=False)
RICH_MENU_ACTION = actions((*EVERYWHERE, "richmenuswitch"), labelled=False)
