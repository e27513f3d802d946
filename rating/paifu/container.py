"""Unpacks the bytes of a paifu, gzipped or not, up to a fixed size.

A long game is about 60 KB of XML. The limits leave ample room and stop a gzip bomb early.
"""

from __future__ import annotations

import zlib

from rating.paifu.tiles import PaifuError

PACKED_LIMIT = 2 * 1024 * 1024
PLAIN_LIMIT = 16 * 1024 * 1024
_STEP = 16 * 1024


def unpack(data: bytes) -> tuple[bytes, str]:
    """The XML of a paifu, and what is wrong with its gzip data ("" when nothing is).

    A gzip stream that is cut or broken gives the part before the fault. Raises PaifuError when the data
    exceed a limit or nothing can be unpacked.
    """
    limit = PACKED_LIMIT if data[:2] == b"\x1f\x8b" else PLAIN_LIMIT
    if len(data) > limit:
        raise PaifuError(f"the file is larger than {limit // 2**20} MB: not a game record")
    if data[:2] != b"\x1f\x8b":
        return data, ""
    return _inflate(data)


def _inflate(data: bytes) -> tuple[bytes, str]:
    stream = zlib.decompressobj(31)
    parts: list[bytes] = []
    size, problem = 0, ""
    try:
        for start in range(0, len(data), _STEP):
            parts.append(stream.decompress(data[start : start + _STEP], PLAIN_LIMIT + 1 - size))
            size += len(parts[-1])
            if size > PLAIN_LIMIT:
                raise PaifuError(
                    f"unpacked the file is larger than {PLAIN_LIMIT // 2**20} MB: not a game record"
                )
            if stream.eof:
                break
        if not stream.eof:
            problem = "the gzip data end early"
    except zlib.error:
        problem = "the gzip data are broken"
    if not size:
        raise PaifuError(problem or "the gzip file is empty")
    return b"".join(parts), problem
