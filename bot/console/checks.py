"""Check what the bot sends as LINE would: by the models of LINE's SDK, and by one table of LINE's
limits.

The table has what the models leave open; it names what this bot sends, so a kind that it lacks is
refused. https://developers.line.biz/en/reference/messaging-api/ (message, Flex, action and rich
menu objects) and https://developers.line.biz/en/docs/messaging-api/flex-message-elements/.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, get_origin
from urllib.parse import urlsplit

from linebot.v3.messaging import models

from storage.addresses import allowed_address

Json = dict[str, Any]


@dataclass(frozen=True)
class LineProblem:
    """One thing that LINE would refuse: where (`property`, a path in the body) and why."""

    property: str
    message: str


class Shape(NamedTuple):
    """A text that matches the whole regular expression; `words` describe it."""

    pattern: str
    words: str


class Link(NamedTuple):
    """An address of at most so many characters with one of the schemes, or http to loopback."""

    longest: int
    schemes: tuple[str, ...]


Limit = tuple[int, int] | range | Shape | Link | None
"""The least and greatest number of items, or of a text's UTF-16 code units; integers; None: never
sent.

LINE counts some texts, such as a label, in grapheme clusters, which are never more
(https://developers.line.biz/en/docs/messaging-api/text-character-count/): it is stricter here.
"""

NEVER = None
TEXT = (1, 5000)
SAID = (1, 300)
ANY = (1, 2**31)
LABEL = (0, 20)
WHOLE = range(2**31)
MEDIA = Link(2000, ("https",))
URI = Link(1000, ("https", "http", "line", "tel"))
PX = r"\d+(\.\d+)?px"
PERCENT = r"\d+(\.\d+)?%"
SPACES = "none|xs|sm|md|lg|xl|xxl"
SIZES = "xxs|xs|sm|md|lg|xl|xxl|3xl|4xl|5xl"
DAY = Shape(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", "a day (2026-06-01)")
COLOUR = Shape("#([0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})", "a colour (#RRGGBB or #RRGGBBAA)")
SPACE = Shape(f"{SPACES}|{PX}", "a keyword (none to xxl) or pixels")
PADDING = Shape(f"{SPACES}|{PX}|{PERCENT}", "a keyword (none to xxl), pixels or a percentage")
OFFSET = Shape(f"{SPACES}|-?{PX}|-?{PERCENT}", "a keyword (none to xxl), pixels or a percentage")
LENGTH = Shape(f"{PX}|{PERCENT}", "pixels or a percentage")
LETTER_SIZE = Shape(f"{SIZES}|{PX}", "a keyword (xxs to 5xl) or pixels")
IMAGE_SIZE = Shape(
    f"{SIZES}|full|{PX}|{PERCENT}", "a keyword (xxs to full), pixels or a percentage"
)
BORDER = Shape(
    f"none|light|normal|medium|semi-bold|bold|{PX}", "a keyword (none to bold) or pixels"
)
SHRINK = Shape("shrink-to-fit", "shrink-to-fit")
ALIAS = Shape("[a-z0-9_-]{1,32}", "1 to 32 characters of a-z, 0-9, _ and -")
BUBBLE_BYTES = 30 * 1024
CAROUSEL_BYTES = 50 * 1024
LEAST_RATIO = 1.45  # of a rich menu's width to its height
IMAGE_BYTES = 1024 * 1024  # of a rich menu's picture

_MESSAGE: dict[str, Limit] = {"sender": NEVER}
_PLACED: dict[str, Limit] = {
    "margin": SPACE,
    **dict.fromkeys(("offsetTop", "offsetBottom", "offsetStart", "offsetEnd"), OFFSET),
}
_LETTERS: dict[str, Limit] = {"text": ANY, "size": LETTER_SIZE, "color": COLOUR}
_PADDINGS = ("paddingAll", "paddingTop", "paddingBottom", "paddingStart", "paddingEnd")

LIMITS: dict[str, dict[str, Limit]] = {  # by the SDK's models and LINE's names of properties
    "ReplyMessageRequest": {"replyToken": ANY, "messages": (1, 5)},
    "PushMessageRequest": {"to": ANY, "messages": (1, 5), "customAggregationUnits": NEVER},
    "ShowLoadingAnimationRequest": {"chatId": ANY, "loadingSeconds": range(5, 61, 5)},
    "TextMessage": {**_MESSAGE, "text": TEXT, "emojis": NEVER, "quoteToken": ANY},
    "TextMessageV2": {**_MESSAGE, "text": TEXT, "quoteToken": ANY, "substitution": (1, 100)},
    "MentionSubstitutionObject": {},
    "UserMentionTarget": {"userId": ANY},
    "ImageMessage": {**_MESSAGE, "originalContentUrl": MEDIA, "previewImageUrl": MEDIA},
    "FlexMessage": {**_MESSAGE, "altText": (1, 1500)},
    "QuickReply": {"items": (1, 13)},
    "QuickReplyItem": {"type": Shape("action", "action"), "imageUrl": NEVER},
    "PostbackAction": {
        "label": LABEL,
        "data": SAID,
        "displayText": SAID,
        **dict.fromkeys(("text", "inputOption", "fillInText"), NEVER),
    },
    "URIAction": {"label": LABEL, "uri": URI, "altUri": NEVER},
    "ClipboardAction": {"label": LABEL, "clipboardText": (1, 1000)},
    "DatetimePickerAction": {
        "label": LABEL,
        "data": SAID,
        "mode": Shape("date", "date"),
        **dict.fromkeys(("initial", "min", "max"), DAY),
    },
    "RichMenuSwitchAction": {"label": LABEL, "data": SAID, "richMenuAliasId": ALIAS},
    "FlexBubble": {},
    "FlexBubbleStyles": {},
    "FlexBlockStyle": {"backgroundColor": COLOUR, "separatorColor": COLOUR},
    "FlexCarousel": {"contents": (1, 12)},
    "FlexBox": {
        **_PLACED,
        "flex": WHOLE,
        **dict.fromkeys(("backgroundColor", "borderColor"), COLOUR),
        **dict.fromkeys(("spacing", "cornerRadius"), SPACE),
        **dict.fromkeys(("width", "maxWidth", "height", "maxHeight"), LENGTH),
        **dict.fromkeys(_PADDINGS, PADDING),
        "borderWidth": BORDER,
    },
    "FlexBoxLinearGradient": {
        "angle": Shape(r"\d+(\.\d+)?deg", "an angle (0deg to 359deg)"),
        **dict.fromkeys(("startColor", "endColor", "centerColor"), COLOUR),
        "centerPosition": Shape(PERCENT, "a percentage"),
    },
    "FlexText": {
        **_PLACED,
        **_LETTERS,
        "flex": WHOLE,
        "contents": (1, 2**31),
        "lineSpacing": Shape(PX, "pixels"),
        "maxLines": WHOLE,
        "adjustMode": SHRINK,
    },
    "FlexSpan": _LETTERS,
    "FlexButton": {**_PLACED, "flex": WHOLE, "color": COLOUR, "adjustMode": SHRINK},
    "FlexImage": {
        **_PLACED,
        "flex": WHOLE,
        "url": MEDIA,
        "backgroundColor": COLOUR,
        "size": IMAGE_SIZE,
    },
    "FlexIcon": {**_PLACED, "url": MEDIA, "size": LETTER_SIZE},
    "FlexSeparator": {"margin": SPACE, "color": COLOUR},
    "FlexFiller": {"flex": WHOLE},
    "RichMenuRequest": {
        "name": (1, 300),
        "chatBarText": (1, 14),
        "areas": (0, 20),
    },
    "RichMenuSize": {"width": range(800, 2501), "height": range(250, 2**31)},
    "RichMenuArea": {},
    "RichMenuBounds": {},
    "CreateRichMenuAliasRequest": {"richMenuAliasId": ALIAS, "richMenuId": ANY},
    "UpdateRichMenuAliasRequest": {"richMenuId": ANY},
}
REQUIRED: dict[str, tuple[str, ...]] = {  # besides those the models require
    "QuickReply": ("items",),
    "QuickReplyItem": ("action",),
    "PostbackAction": ("data",),
    "URIAction": ("uri",),
    "ClipboardAction": ("label", "clipboardText"),
    "DatetimePickerAction": ("data", "mode"),
    "RichMenuSwitchAction": ("data", "richMenuAliasId"),
    "FlexBoxLinearGradient": ("angle", "startColor", "endColor"),
    "FlexSpan": ("text",),
    "RichMenuRequest": ("size", "selected", "name", "chatBarText", "areas"),
    "RichMenuSize": ("width", "height"),
    "RichMenuArea": ("bounds", "action"),
    "RichMenuBounds": ("x", "y", "width", "height"),
}
TAPS = ("postback", "uri", "clipboard", "datetimepicker")
PERMITTED_TYPES: dict[
    tuple[str, str], tuple[str, ...]
] = {  # the types of a property, if not all of LIMITS
    **dict.fromkeys(
        (("QuickReplyItem", "action"), ("FlexButton", "action"), ("FlexBox", "action")), TAPS
    ),
    **dict.fromkeys(
        (("FlexText", "action"), ("FlexImage", "action"), ("FlexBubble", "action")), TAPS
    ),
    ("FlexBubble", "hero"): ("box", "image"),
    ("FlexBox", "contents"): ("box", "button", "icon", "image", "text", "separator", "filler"),
}


def problems(value: Any, model: str, at: str = "") -> list[LineProblem]:
    """Return what LINE would refuse in JSON that is to be one of the SDK's models, such as
    ReplyMessageRequest."""
    return list(_object(value, getattr(models, model), at))


def _object(
    value: Any, model: Any, at: str, allowed: tuple[str, ...] = ()
) -> Iterator[LineProblem]:
    if not isinstance(value, dict):
        yield LineProblem(at, "must be an object")
        return
    if hasattr(model, "get_discriminator_value"):
        kind = value.get("type")
        subtype = _subtype(value, model)
        if subtype is None or (allowed and kind not in allowed):
            problem = "must be specified"
            if kind is not None:
                problem = f"{kind} can't stand here, or the bot sends none"
            yield LineProblem(_place(at, "type"), problem)
            return
        model = subtype
    name = model.__name__
    yield from _properties(value, model, at)
    if name in RULES:
        for fault in RULES[name](value):
            yield LineProblem(_place(at, fault.name), fault.problem)


def _properties(value: Json, model: Any, at: str) -> Iterator[LineProblem]:
    """Yield the problems of an object's properties: missing, unknown, beyond their limits."""
    name = model.__name__
    fields = {field.alias: field for field in model.__fields__.values()}
    required = {alias for alias, field in fields.items() if field.required}
    required.update(REQUIRED.get(name, ()))
    for alias in sorted(required):
        if value.get(alias) is None:
            yield LineProblem(_place(at, alias), "must be specified")
    for key, part in value.items():
        place = _place(at, key)
        limit = LIMITS[name].get(key, ())
        if key not in fields:
            yield LineProblem(place, "unknown field")
        elif part is None or limit is NEVER:
            if key not in required:
                problem = "must not be null" if part is None else "the bot sends none"
                yield LineProblem(place, problem)
        else:
            yield from _property(part, fields[key], place, PERMITTED_TYPES.get((name, key), ()))
            problem = _beyond(part, limit)
            if problem:
                yield LineProblem(place, problem)


def _subtype(value: Json, model: Any) -> Any:
    """Return the model of the object's type; None if LINE has none there, or the bot sends none."""
    kind = value.get("type")
    if not isinstance(kind, str) or not kind:
        return None
    name = model.get_discriminator_value(value)
    if name not in LIMITS:
        return None
    subtype = getattr(models, name)
    if not issubclass(subtype, model):
        return None
    return subtype


def _property(
    part: Any,
    field: Any,
    at: str,
    allowed: tuple[str, ...],
) -> Iterator[LineProblem]:
    if not hasattr(field.type_, "__fields__"):
        _, errors = field.validate(part, {}, loc=field.alias)
        if not errors:
            return
        if not isinstance(errors, list):
            errors = [errors]
        for error in errors:
            yield LineProblem(at, str(getattr(error, "exc", error)))
    elif field.outer_type_ is field.type_:
        yield from _object(part, field.type_, at, allowed)
    elif get_origin(field.outer_type_) is dict and isinstance(part, dict):
        for key, item in part.items():
            yield from _object(item, field.type_, f"{at}.{key}", allowed)
    elif not isinstance(part, list):
        yield LineProblem(at, "must be an array")
    else:
        for index, item in enumerate(part):
            yield from _object(item, field.type_, f"{at}[{index}]", allowed)


def _beyond(part: Any, limit: Limit | tuple[()]) -> str:
    """Return why LINE refuses a value beyond the limit, or "". The model reports its type."""
    match limit:
        case (int(), int(longest)) if isinstance(part, dict) and len(part) > longest:
            return f"Size must be at most {longest}"
        case range() if isinstance(part, int) and part not in limit:
            problem = f"must be between {limit[0]} and {limit[-1]}"
            if limit.step > 1:
                problem += f" by {limit.step}"
            return problem
        case Shape(pattern, words) if isinstance(part, str) and not re.fullmatch(pattern, part):
            return f"must be {words}"
        case Link() if isinstance(part, str):
            return _unsafe(part, limit)
        case (int(shortest), int(longest)) if isinstance(part, str):
            length = utf16(part)
            if length < shortest:
                return "May not be empty"
            if length > longest:
                return f"Length must be between {shortest} and {longest}"
        case (int(shortest), int(longest)) if isinstance(part, list):
            if not shortest <= len(part) <= longest:
                return f"Size must be between {shortest} and {longest}"
    return ""


def utf16(text: str) -> int:
    """Return the text's length in UTF-16 code units, as LINE counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _unsafe(address: str, limit: Link) -> str:
    if not 1 <= utf16(address) <= limit.longest:
        return f"Length must be between 1 and {limit.longest}"
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return "invalid uri"
    if parts.scheme not in limit.schemes and not allowed_address(address):
        return f"invalid uri scheme; must be one of [{', '.join(limit.schemes)}]"
    if parts.scheme in ("http", "https") and not host:
        return "invalid uri"
    if not address.isascii() or not address.isprintable() or " " in address:
        return "invalid uri: characters other than ASCII must be percent-encoded"
    return ""


class PropertyFault(NamedTuple):
    """A fault of a property ("" for the whole object), in LINE's words."""

    name: str
    problem: str


# Rules across properties.


def _labelled(value: Json) -> Iterator[PropertyFault]:
    action = value.get("action")
    if isinstance(action, dict) and not action.get("label"):
        yield PropertyFault("action.label", "must be specified")


def _calendar(value: Json) -> Iterator[PropertyFault]:
    first = value.get("min")
    last = value.get("max")
    if isinstance(first, str) and isinstance(last, str) and first >= last:
        yield PropertyFault("min", "must be less than max")


def _substituted(value: Json) -> Iterator[PropertyFault]:
    text = re.sub(r"{{|}}", "", str(value.get("text")))
    names = set(re.findall("{([^{}]*)}", text))
    if names != set(value.get("substitution") or {}):
        yield PropertyFault("substitution", "must be what the text names in braces")


def _box(value: Json) -> Iterator[PropertyFault]:
    layout = value.get("layout")
    forbidden = ["icon"]
    if layout == "baseline":
        forbidden = ["box", "button", "image", "separator"]
    for index, child in _objects(value, "contents"):
        place = f"contents[{index}]"
        if child.get("type") in forbidden:
            yield PropertyFault(f"{place}.type", f"can't stand in a {layout} box")
        for name in ("gravity", "offsetBottom"):
            if layout == "baseline" and child.get(name) is not None:
                yield PropertyFault(f"{place}.{name}", "not allowed in a baseline box")


def _says_something(value: Json) -> Iterator[PropertyFault]:
    if value.get("text") is None and not value.get("contents"):
        yield PropertyFault("text", "text or contents must be specified")


def _ratio(value: Json) -> Iterator[PropertyFault]:
    ratio = value.get("aspectRatio")
    if ratio is not None and not _is_ratio(ratio):
        yield PropertyFault(
            "aspectRatio",
            "must be an aspect ratio (width:height), at most three times as high as wide",
        )


def _is_ratio(ratio: Json) -> bool:
    """Whether LINE accepts an aspect ratio `width:height`."""
    if not isinstance(ratio, str):
        return False
    numbers = re.fullmatch(r"(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)", ratio)
    if numbers is None:
        return False
    width, height = map(float, numbers.groups())
    return 1 <= width <= 100_000 and 1 <= height <= min(100_000, 3 * width)


def _bubble(value: Json) -> Iterator[PropertyFault]:
    if not any(value.get(name) for name in ("header", "hero", "body", "footer")):
        yield PropertyFault("", "At least one block must be specified")
    if weight(value) > BUBBLE_BYTES:
        yield PropertyFault("", f"bubble must be at most {BUBBLE_BYTES} bytes")


def _carousel(value: Json) -> Iterator[PropertyFault]:
    if weight(value) > CAROUSEL_BYTES:
        yield PropertyFault("", f"carousel must be at most {CAROUSEL_BYTES} bytes")
    bubbles = [bubble.content for bubble in _objects(value, "contents")]
    sizes = {str(bubble.get("size", "mega")) for bubble in bubbles}
    if len(sizes) > 1:
        yield PropertyFault("contents", "bubbles of a carousel must be of the same size")


def _menu_size(value: Json) -> Iterator[PropertyFault]:
    width = value.get("width")
    height = value.get("height")
    if isinstance(width, int) and isinstance(height, int) and width < height * LEAST_RATIO:
        yield PropertyFault("", f"width / height must be at least {LEAST_RATIO}")


def _areas_inside(value: Json) -> Iterator[PropertyFault]:
    size = value.get("size")
    for index, area in _objects(value, "areas"):
        bounds = area.get("bounds")
        if isinstance(size, dict) and isinstance(bounds, dict):
            for start, length in (("x", "width"), ("y", "height")):
                sides: list[Any] = [
                    bounds.get(start),
                    bounds.get(length),
                    size.get(length),
                ]
                if not all(isinstance(side, int) for side in sides):
                    continue
                begin, extent, whole = sides
                if begin + extent > whole:
                    yield PropertyFault(f"areas[{index}].bounds", "must be inside the rich menu")


RULES: dict[str, Callable[[Json], Iterator[PropertyFault]]] = {
    "TextMessageV2": _substituted,
    "QuickReplyItem": _labelled,
    "FlexButton": _labelled,
    "DatetimePickerAction": _calendar,
    "FlexBox": _box,
    "FlexText": _says_something,
    "FlexImage": _ratio,
    "FlexIcon": _ratio,
    "FlexBubble": _bubble,
    "FlexCarousel": _carousel,
    "RichMenuSize": _menu_size,
    "RichMenuRequest": _areas_inside,
}


def weight(value: Any) -> int:
    """Return the bytes of a value as compact JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "surrogatepass"))


class ListedObject(NamedTuple):
    """An object of a list, and its place there."""

    place: int
    content: Json


def _objects(value: Json, name: str) -> Iterator[ListedObject]:
    """Yield the objects of a list; none if the property is no list."""
    items = value.get(name)
    if not isinstance(items, list):
        return
    for index, item in enumerate(items):
        if isinstance(item, dict):
            yield ListedObject(index, item)


def _place(at: str, name: str) -> str:
    if at and name:
        return f"{at}.{name}"
    return at or name


def picture_problem(data: bytes, mimetype: str, size: Mapping[str, int]) -> str:
    """Return why LINE would refuse a rich menu's picture, or ""
    (https://www.w3.org/TR/png-3/#11IHDR).
    """
    if mimetype != "image/png" or data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR":
        return "The image is not image/png"
    if len(data) > IMAGE_BYTES:
        return f"The image must be at most {IMAGE_BYTES} bytes"
    image_size = (int.from_bytes(data[16:20]), int.from_bytes(data[20:24]))
    if image_size != (size["width"], size["height"]):
        return f"The image size {image_size} does not match the rich menu's"
    return ""
