"""Detect the encoding in which a text file was saved, and return its text as UTF-8.

Windows' Notepad saves Japanese text as UTF-8, as "ANSI" (Shift-JIS as code page 932 has it) or as
"Unicode" (UTF-16 with a mark). Shift-JIS has no mark, and a UTF-8 file with a few broken bytes may
decode as Shift-JIS by accident. So the bytes above 127 decide: in a UTF-8 file nearly all of them
form UTF-8 sequences, in a Shift-JIS file nearly none do. Code page 932:
https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/WINDOWS/CP932.TXT
"""

import re
from dataclasses import dataclass
from gettext import gettext as _
from typing import NamedTuple

UTF8 = "UTF-8"
SHIFT_JIS = "Shift-JIS"
UTF16 = "UTF-16"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# Sequences of three and four bytes (RFC 3629, section 4). Two bytes of Shift-JIS often look like
# a sequence of two.
_LONG = re.compile(
    rb"(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]|[\xf1-\xf3][\x80-\xbf]{2}|\xf4[\x80-\x8f][\x80-\xbf])[\x80-\xbf]"
)
_SHORT = re.compile(rb"[\xc2-\xdf][\x80-\xbf]")
_HIGH = bytes(range(0x80, 0x100))
# A text has at most one NUL in so many bytes; UTF-16 without its mark, or a file zeroed by a
# crash, has more.
_BYTES_PER_NUL = 8
# A file is UTF-8 with broken bytes where it has at least so many lines of UTF-8 for each other line.
_UTF8_LINES = 4
# What Python makes of bytes that code page 932 does not have, and of those that no text has.
_NO_TEXT = re.compile("[\x00\x80\xa0\uf8f0-\uf8f3]")


class EncodingError(ValueError):
    """The bytes are no text in a supported encoding. The message is the reason without the file."""


@dataclass(frozen=True, slots=True)
class EncodedText:
    """A file's text as UTF-8 bytes, and the encoding it was saved in: UTF8, SHIFT_JIS or UTF16.
    With UTF8, `data` are the file's own bytes, and `broken` is whether some of them are not valid.
    """

    data: bytes
    encoding: str = UTF8
    broken: bool = False


def as_utf8(data: bytes) -> EncodedText:
    """The text of a file. Raises EncodingError unless it is UTF-8, Shift-JIS or UTF-16 with its
    mark. NUL is valid UTF-8, but bytes with many of them are refused too."""
    if data.startswith(_UTF16_MARKS):
        try:
            return EncodedText(data.decode("utf-16").encode(), UTF16)
        except UnicodeError:
            raise EncodingError(_("it begins as UTF-16 but is broken: save it as UTF-8")) from None
    if data.count(0) * _BYTES_PER_NUL > len(data):
        raise EncodingError(_("it is neither UTF-8 nor Shift-JIS: save it as UTF-8"))
    if _decodes(data):
        return EncodedText(data)
    evidence = _evidence(data)
    if evidence.is_utf8 and b"\0" not in data and _mostly_utf8_lines(data):
        return EncodedText(data, broken=True)
    text = None
    if evidence.valid < evidence.broken:
        text = _shift_jis(data)
    if text is None:
        raise EncodingError(_("it is neither UTF-8 nor Shift-JIS: save it as UTF-8"))
    return EncodedText(text.encode(), SHIFT_JIS)


def refusal(data: bytes) -> str:
    """Why a file's bytes cannot be read as text, "" when they can."""
    try:
        as_utf8(data)
    except EncodingError as error:
        return str(error)
    return ""


def as_text(data: bytes) -> str:
    """A file's text without a mark, with U+FFFD for broken bytes; "" for a file that cannot be
    read.
    """
    try:
        return as_utf8(data).data.decode("utf-8", "replace").removeprefix("\ufeff")
    except EncodingError:
        return ""


def _decodes(data: bytes, encoding: str = "utf-8") -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


class _Evidence(NamedTuple):
    """How many bytes form long UTF-8 sequences, and how many bytes above 127 form none."""

    valid: int
    broken: int

    @property
    def is_utf8(self) -> bool:
        return self.valid > self.broken


def _evidence(data: bytes) -> _Evidence:
    without_long = _LONG.sub(b"", data)
    stray = _SHORT.sub(b"", without_long)
    broken = len(stray) - len(stray.translate(None, _HIGH))
    return _Evidence(len(data) - len(without_long), broken)


def _mostly_utf8_lines(data: bytes) -> bool:
    """Whether few lines are in another encoding; a line with a broken name is UTF-8 elsewhere."""
    lines = [_evidence(line) for line in data.splitlines() if not line.isascii()]
    utf8_lines = sum(1 for line in lines if line.is_utf8)
    return (len(lines) - utf8_lines) * _UTF8_LINES <= utf8_lines


def _shift_jis(data: bytes) -> str | None:
    """The text if all of it is Shift-JIS, else None. A line of UTF-8 shows that a file mixes both.
    Text in EUC-JP often decodes as half-width kana; Shift-JIS with a kanji is never EUC-JP."""
    try:
        text = data.decode("cp932")
    except UnicodeDecodeError:
        return None
    mixed = any(_LONG.search(line) and _decodes(line) for line in data.splitlines())
    if mixed or _NO_TEXT.search(text) or _decodes(data, "euc_jp"):
        return None
    return text
