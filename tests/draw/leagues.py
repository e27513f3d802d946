"""Make seeded rating curves to draw in tests and benchmarks."""

from collections.abc import Sequence
from datetime import date

import numpy as np

from bot.draw.lines import Axis, Curve, Lines
from bot.draw.style import colours, dashes

NINE = (
    "みどり",
    "白發中",
    "烏龍茶(黒)",
    "宮永|咲",
    "m9(-Д-)",
    "ひがし",
    "NoName",
    "夏海里伽子（本",
    "αβγ♪",
)
MORE = ("春", "なつ", "あき男", "冬将軍", "東南西北白發中", "Mahjong8")
TWENTY = (*NINE, *MORE, "ヤスコ", "ツモ切り", "鳴き麻雀", "リーチ棒", "国士")


def rating_curves(
    members: tuple[str, ...] = NINE,
    days: int = 60,
    seed: int = 1,
    dated: bool = True,
    asker: int | None = None,
) -> tuple[Curve, ...]:
    """A curve for each member, with one point a day of play.

    The last member is new and provisional.
    """
    random = np.random.default_rng(seed)
    look = colours(members)
    line = dashes(members)
    start = date(2019, 10, 5).toordinal()
    curves = []
    for place, name in enumerate(members):
        first = days * 4 // 5 if place == len(members) - 1 else place * days // 40
        count = max(1, days - first)
        ys = 1500 + np.concatenate(
            [
                [0.0],
                np.cumsum(random.normal(random.normal(0, 1.2), 13, count - 1)),
            ]
        )
        index = np.arange(first, first + count)
        xs = start + index * 7 if dated else index * 20
        curves.append(
            Curve(
                name,
                tuple(map(float, xs)),
                tuple(map(float, ys)),
                look[name],
                line[name],
                provisional=place == len(members) - 1,
                asker=place == asker,
            )
        )
    return tuple(curves)


def rating_chart(
    title: str,
    subtitle: str,
    curves: Sequence[Curve],
    baseline: float | None = 1500,
    axis: Axis = "games",
    decimals: int = 0,
) -> Lines:
    """A chart of ratings like that of レーティング."""
    return Lines(title, subtitle, curves, baseline=baseline, axis=axis, decimals=decimals)
