"""Takes the gzip layer off a game record, within limits that stop a gzip bomb early."""

import zlib
from typing import NamedTuple

from rating.paifu.tiles import PaifuError

# A long game is about 60 KB of XML. The limits leave ample room.
PACKED_LIMIT = 2 * 1024 * 1024
PLAIN_LIMIT = 16 * 1024 * 1024
PACKED_ENDING = ".gz"
_MAGIC = b"\x1f\x8b"
_STEP = 16 * 1024


class Unpacked(NamedTuple):
    """The plain bytes, and what is wrong with their gzip data ("" when nothing is)."""

    data: bytes
    problem: str


def is_packed(data: bytes) -> bool:
    """Whether the bytes begin as a gzip file does."""
    return data.startswith(_MAGIC)


def unpack(data: bytes) -> Unpacked:
    """The plain bytes of a file that may be gzipped. A gzip stream that is cut or broken gives the
    part before the fault. Raises PaifuError when the data exceed a limit or are empty."""
    packed = is_packed(data)
    limit = PACKED_LIMIT if packed else PLAIN_LIMIT
    if len(data) > limit:
        raise PaifuError(f"the file is larger than {limit >> 20} MB: not a game record")
    if not packed:
        return Unpacked(data, "")
    stream = zlib.decompressobj(31)
    plain = bytearray()
    problem = ""
    try:
        for start in range(0, len(data), _STEP):
            plain += stream.decompress(data[start : start + _STEP], PLAIN_LIMIT + 1 - len(plain))
            if len(plain) > PLAIN_LIMIT:
                limit = PLAIN_LIMIT >> 20
                raise PaifuError(f"unpacked the file is larger than {limit} MB: not a game record")
            if stream.eof:
                break
        else:
            problem = "the gzip data end early"
    except zlib.error:
        problem = "the gzip data are broken"
    if not plain:
        raise PaifuError(problem or "the gzip file is empty")
    return Unpacked(bytes(plain), problem)
