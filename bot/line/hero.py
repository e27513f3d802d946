"""An animated picture above a bubble (https://developers.line.biz/en/reference/messaging-api/#f-image).

LINE plays an animated PNG of at most 300 KB; where it can't, it shows the file's default image.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def with_hero(message: Json, url: str, size: tuple[int, int]) -> Json:
    """The Flex message with the picture above its bubble, or above the first of its carousel. The given one
    is not changed."""
    width, height = size
    image = {
        "type": "image",
        "url": url,
        "size": "full",
        "aspectRatio": f"{width}:{height}",
        "aspectMode": "cover",
        "animated": True,
    }
    contents = message["contents"]
    if contents["type"] == "carousel":
        bubbles = [contents["contents"][0] | {"hero": image}, *contents["contents"][1:]]
        return message | {"contents": contents | {"contents": bubbles}}
    return message | {"contents": contents | {"hero": image}}
