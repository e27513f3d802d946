"""Which of the bot's questions the page asks, and its tabs."""

from __future__ import annotations

from collections.abc import Collection

from bot.answers.catalogue import CATALOGUE
from bot.chat.command import BY_PERIOD, DATA, Ask

FIGURES = "figures"
"""The page's own question: every member by every figure."""

SHOWN = frozenset({FIGURES, *CATALOGUE}) & frozenset(
    {
        FIGURES,
        Ask.RATING,
        Ask.MODELS,
        Ask.SUM,
        Ask.RANK,
        Ask.RANKING,
        Ask.RANKS,
        Ask.POINT,
        Ask.TIP,
        Ask.TEAM,
        Ask.TODAY,
        Ask.RECENT,
        Ask.PLAYER,
        Ask.MATCHUP,
        Ask.PAIR,
        Ask.SUMMARY,
        Ask.RECAP,
        Ask.FORECAST,
        Ask.NEEDS,
        Ask.IF,
        Ask.SKILL,
        Ask.PAIFU,
        Ask.GALLERY,
        Ask.RECORDS,
    }
)
"""The questions that the page asks: those that only read, without files and pictures alone, as far
as the bot has them."""

FIRST_VIEW = Ask.RATING if Ask.RATING in SHOWN else FIGURES


def takes(name: str) -> Collection[str]:
    """The names of the options of a question."""
    if name == FIGURES:
        return BY_PERIOD
    return CATALOGUE[name].takes


VIEWS = (
    ("レート", Ask.RATING),
    ("収支", Ask.SUM),
    ("成績", FIGURES),
    ("個人", Ask.PLAYER),
    ("対局", Ask.RECENT),
    ("優勝争い", Ask.FORECAST),
    ("牌譜", Ask.PAIFU),
)
TABS = tuple((label, DATA + name) for label, name in VIEWS if name in SHOWN)
"""The page's views, and the data of their questions."""
