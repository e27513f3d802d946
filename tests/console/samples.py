"""Messages of every kind, as a bot would send them."""

import struct
import zlib
from typing import Any

Json = dict[str, Any]

POSTBACK = {"type": "postback", "label": "レート", "data": "request_rating", "displayText": "レートを見る"}
URI = {"type": "uri", "label": "開く", "uri": "https://example.com/"}
PICKER = {
    "type": "datetimepicker",
    "label": "日付",
    "data": "request_today",
    "mode": "date",
    "max": "2030-01-01",
}


def text(words: str = "こんにちは", **more: Any) -> Json:
    return {"type": "text", "text": words, **more}


def quick_reply(*labels: str) -> Json:
    return {
        "items": [
            {"type": "action", "action": {"type": "postback", "label": label, "data": f"quick={label}"}}
            for label in labels
        ]
    }


def image(url: str) -> Json:
    return {"type": "image", "originalContentUrl": url, "previewImageUrl": url}


def flex(contents: Json, alt: str = "表") -> Json:
    return {"type": "flex", "altText": alt, "contents": contents}


def box(layout: str, *contents: Json, **more: Any) -> Json:
    return {"type": "box", "layout": layout, "contents": list(contents), **more}


def words(shown: str, **more: Any) -> Json:
    return {"type": "text", "text": shown, **more}


def row(rank: int, name: str, points: str, rating: int, games: int, *, asker: bool = False) -> Json:
    line = box(
        "horizontal",
        box("vertical", words(str(rank), align="end", color="#6B7480", size="sm"), width="20px"),
        words(name, flex=1, margin="md", weight="bold" if asker else "regular", adjustMode="shrink-to-fit"),
        box("vertical", words(points, align="end", weight="bold"), width="64px"),
        box("vertical", words(str(rating), align="end"), width="48px"),
        box("vertical", words(f"{games}戦", align="end", size="xs", color="#8A8F98"), width="36px"),
        paddingStart="8px",
        paddingEnd="8px",
        paddingTop="6px",
        paddingBottom="6px",
        alignItems="center",
        **({"backgroundColor": "#F1F8E9", "cornerRadius": "md"} if asker else {}),
    )
    return line | {"action": POSTBACK}


def standings() -> Json:
    names = [
        "みどり",
        "白發中",
        "東風",
        "まんがん太郎とその仲間たち",
        "りゃんめん",
        "三色のさくら",
        "つばめ返し",
    ]
    rows = [
        row(n, name, f"{310.5 - 95 * n:+.1f}", 1680 - 24 * n, 150 - 7 * n, asker=n == 3)
        for n, name in enumerate(names, 1)
    ]
    return {
        "type": "bubble",
        "size": "giga",
        "header": box(
            "vertical",
            words("収支", weight="bold", size="xl"),
            words("第3シーズン・7月1日〜11月20日・474戦", size="xs", color="#6B7480"),
            paddingBottom="0px",
        ),
        "body": box("vertical", *rows, paddingStart="12px", paddingEnd="12px"),
        "footer": box(
            "horizontal",
            {"type": "button", "style": "primary", "height": "sm", "action": POSTBACK},
            {"type": "button", "style": "secondary", "height": "sm", "action": PICKER},
            {"type": "button", "height": "sm", "action": URI},
            spacing="md",
        ),
        "styles": {"footer": {"separator": True}},
    }


def card(url: str, size: str = "kilo") -> Json:
    star = {"type": "icon", "url": url, "size": "sm"}
    return {
        "type": "bubble",
        "size": size,
        "hero": {
            "type": "image",
            "url": url,
            "size": "full",
            "aspectRatio": "20:13",
            "aspectMode": "cover",
            "action": URI,
        },
        "body": box(
            "vertical",
            words("まんがん太郎", weight="bold", size="xl"),
            box("baseline", star, star, star, words("3.0", size="sm", color="#999999", margin="md", flex=0)),
            {"type": "separator", "margin": "lg"},
            box(
                "horizontal",
                box(
                    "vertical",
                    words("1位", align="center", color="#FFFFFF"),
                    width="25%",
                    backgroundColor="#0072B2",
                ),
                box("vertical", words("2位", align="center"), flex=2, backgroundColor="#E6E6E6"),
                box("vertical", words("3位", align="center"), flex=1, backgroundColor="#C9C9C9"),
                margin="md",
                cornerRadius="sm",
            ),
            {
                "type": "text",
                "wrap": True,
                "margin": "md",
                "contents": [
                    {"type": "span", "text": "レート "},
                    {"type": "span", "text": "1650", "weight": "bold", "size": "xxl", "color": "#D55E00"},
                    {"type": "span", "text": " ± 40", "color": "#999999"},
                ],
            },
            words("先月から負けなしの十二連対。" * 5, wrap=True, maxLines=2, size="sm", margin="md"),
            box(
                "vertical",
                words("絶好調", size="xxs", color="#FFFFFF", align="center"),
                position="absolute",
                offsetTop="16px",
                offsetEnd="16px",
                paddingAll="xs",
                width="48px",
                cornerRadius="xxl",
                background={
                    "type": "linearGradient",
                    "angle": "90deg",
                    "startColor": "#D55E00",
                    "endColor": "#E69F00",
                },
            ),
        ),
        "footer": box("vertical", {"type": "button", "action": POSTBACK, "color": "#009E73"}),
    }


def carousel(url: str) -> Json:
    return {"type": "carousel", "contents": [card(url), card(url), card(url)]}


def rich_menu() -> Json:
    areas = [
        {
            "bounds": {"x": 833 * (n % 3), "y": 843 * (n // 3), "width": 833, "height": 843},
            "action": {"type": "postback", "label": f"領域{n}", "data": f"area={n}"},
        }
        for n in range(6)
    ]
    return {
        "size": {"width": 2500, "height": 1686},
        "selected": True,
        "name": "メニュー",
        "chatBarText": "メニュー",
        "areas": areas,
    }


def png(width: int, height: int, colour: tuple[int, int, int] = (0, 114, 178)) -> bytes:
    """A picture of one colour with a pale diagonal, made without any library."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data))
            + kind
            + data
            + struct.pack(">I", zlib.crc32(kind + data) & 0xFFFFFFFF)
        )

    lines = bytearray()
    for y in range(height):
        line = bytearray(bytes(colour) * width)
        x = y * width // height
        line[3 * x : 3 * x + 24] = b"\xff" * len(line[3 * x : 3 * x + 24])
        lines += b"\0" + line
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes(lines), 9))
        + chunk(b"IEND", b"")
    )
