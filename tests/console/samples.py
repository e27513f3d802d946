"""Messages of every kind, as a bot would send them; the large ones are in
tests/data/messages.json.
"""

import copy
import io
import json
from typing import Any

from PIL import Image

from tests.real import DATA

Json = dict[str, Any]
_TEXT = (DATA / "messages.json").read_text("utf-8")
_ALL: Json = json.loads(_TEXT)
POSTBACK = _ALL["postback"]
URI = _ALL["uri"]
PICKER = _ALL["picker"]


def text(words: str = "こんにちは", **more: Any) -> Json:
    return {"type": "text", "text": words, **more}


def quick_reply(*labels: str) -> Json:
    actions = [{"type": "postback", "label": label, "data": f"quick={label}"} for label in labels]
    return {"items": [{"type": "action", "action": action} for action in actions]}


def image(url: str) -> Json:
    return {"type": "image", "originalContentUrl": url, "previewImageUrl": url}


def flex(contents: Json, alt: str = "表") -> Json:
    return {"type": "flex", "altText": alt, "contents": contents}


def box(layout: str, *contents: Json, **more: Any) -> Json:
    return {"type": "box", "layout": layout, "contents": list(contents), **more}


def words(text: str, **more: Any) -> Json:
    return {"type": "text", "text": text, **more}


def standings() -> Json:
    """A bubble with a table of seven players and three buttons."""
    return copy.deepcopy(_ALL["standings"])


def card(url: str, size: str = "kilo") -> Json:
    """A bubble with a large picture, icons, spans, a badge and a button."""
    made: Json = json.loads(
        _TEXT.replace("PICTURE", url).replace(
            "SIZE",
            size,
        )
    )["card"]
    return made


def carousel(url: str) -> Json:
    return {"type": "carousel", "contents": [card(url), card(url), card(url)]}


def rich_menu() -> Json:
    """A menu with six buttons, two rows of three."""
    return copy.deepcopy(_ALL["rich_menu"])


def png(width: int, height: int) -> bytes:
    """A picture of one colour."""
    made = io.BytesIO()
    Image.new("RGB", (width, height), (0, 114, 178)).save(
        made,
        "PNG",
    )
    return made.getvalue()
