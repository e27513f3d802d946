"""Whether a season is over."""

from __future__ import annotations

from datetime import timedelta

from bot.answers.common.scope import Scope
from bot.chat.command import Question

QUIET = timedelta(days=30)  # the last season counts as over when its last game is longer ago


def is_over(question: Question, scope: Scope) -> bool:
    """Whether the season is over; False for all seasons together.

    It is when a later season has games, when the games or the last day that league.toml plans are past, and, unless its last day
    is still to come, when its last game is more than QUIET ago.
    """
    if scope.season is None:
        return False
    planned, today = scope.season, question.now.date()
    if planned.number != question.snapshot.seasons[-1].number:
        return True
    if planned.games is not None and len(scope.games) >= planned.games:
        return True
    if planned.end is not None:
        return today > planned.end
    last = scope.games[-1].day
    return last is not None and today - last > QUIET
