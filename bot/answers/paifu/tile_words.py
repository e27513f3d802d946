"""Writes tiles in words: 赤5筒, 3萬, 東."""

from __future__ import annotations

from rating.paifu.tiles import RED_FIVES

SUITS, HONOURS = "萬筒索", "東南西北白發中"


def tile_name(tile: int) -> str:
    """The name of a tile (0-135)."""
    kind = tile // 4
    if kind >= 27:
        return HONOURS[kind - 27]
    return f"{'赤' if tile in RED_FIVES else ''}{kind % 9 + 1}{SUITS[kind // 9]}"
