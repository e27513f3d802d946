"""Reads the elements of a game record whose XML is broken, each one by itself.

expat reads sound files and stops at the first fault of others. Here an element is repaired where
its meaning is certain: an attribute that is there twice, quotes or spaces that are missing, a `>`
that is missing. An element that can't be repaired is returned with its fault.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import unescape

from rating.paifu.tiles import PaifuError

LONGEST_ELEMENT = 64 * 1024
STRAY_TEXT = "text outside of the elements"
_TAG = re.compile(r"<[^<>]*+>?")
_NAME = re.compile(r"<\s*+([A-Za-z_][\w.-]*+)")
# The name of an attribute, and its value in double quotes, in single quotes or without quotes.
_ATTRIBUTE = re.compile(
    r"""(?<![\w:.-])([A-Za-z_][\w:.-]*+)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'=<>`/]++))"""
)


class Element(NamedTuple):
    """One element. `fault` is the reason why it can't be relied on, "" for a sound or repaired
    element. `cut`: the file ends inside the element.
    """

    name: str
    attributes: dict[str, str]
    fault: str = ""
    cut: bool = False


def elements(xml: bytes) -> Iterator[Element]:
    """Yield the elements in the order of the file, up to the end tag of the first one. Text between
    two elements is an element without a name. Raises PaifuError for a DOCTYPE and for an element
    that is far too long."""
    text = xml.decode("utf-8", "replace")
    root = ""
    place = text.find("<")
    while place >= 0:
        end = _end_of(text, place)
        tag = text[place:end]
        if len(tag) > LONGEST_ELEMENT:
            raise PaifuError("one element is longer than 64 KB: not a game record")
        if tag.startswith(f"</{root}") and root:
            return
        if not tag.startswith(("</", "<!", "<?")):
            element = _element(tag, is_last=end == len(text))
            root = root or element.name
            yield element
        place = text.find("<", end)
        if place > end and root and text[end:place].strip():
            yield Element("", {}, STRAY_TEXT)


def _end_of(text: str, place: int) -> int:
    """Where the comment, CDATA section or tag that begins at `place` ends."""
    if text.startswith("<!DOCTYPE", place):
        raise PaifuError("a game record has no DOCTYPE and no entities: refused")
    for begin, finish in (("<!--", "-->"), ("<![CDATA[", "]]>")):
        if text.startswith(begin, place):
            end = text.find(finish, place)
            return len(text) if end < 0 else end + len(finish)
    match = _TAG.match(text, place)
    return len(text) if match is None else match.end()


def _element(tag: str, is_last: bool) -> Element:
    match = _NAME.match(tag)
    if match is None:
        return Element("", {}, "an element without a name")
    name = match[1]
    inside = tag[match.end() :].removesuffix(">")
    if not tag.endswith((">", "/")):
        return Element(name, {}, f"the element <{name[:12]}> is cut", cut=is_last)
    attributes, fault = _attributes(inside)
    if _ATTRIBUTE.sub("", inside).strip(" \t\r\n/"):
        fault = "has an attribute that can't be read"
    return Element(name, attributes, f"the element <{name[:12]}> {fault}" if fault else "")


def _attributes(inside: str) -> tuple[dict[str, str], str]:
    """The attributes of an element, and a fault ("" for none). An attribute without a certain value
    is left out."""
    values: dict[str, list[str]] = {}
    for name, *quoted in _ATTRIBUTE.findall(inside):
        text = unescape("".join(quoted), {"&quot;": '"', "&apos;": "'"})
        values.setdefault(name, []).append(text)
    attributes: dict[str, str] = {}
    fault = ""
    for name, same in values.items():
        value = _certain(same)
        if value is None:
            fault = f"has {name[:12]} twice, with different values"
        else:
            attributes[name] = value
    return attributes, fault


def _certain(values: list[str]) -> str | None:
    """The value of an attribute that may be there several times: the one with the most fields,
    since a shorter one is cut. None where several differ."""
    most = max(value.count(",") for value in values)
    longest = {value for value in values if value.count(",") == most}
    return longest.pop() if len(longest) == 1 else None
