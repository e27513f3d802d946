"""What まとめ tells of a season that is over: the game that decided it, the chances at half-time, who did
better than could be expected."""

from __future__ import annotations

from bot import texts
from bot.answers.common.members import People
from bot.answers.common.outlooks import (
    FEWEST,
    SeasonOutlook,
    course,
    known,
    past_of_scope,
    percent_of,
)
from bot.answers.common.scope import Scope
from bot.chat.command import Question
from bot.chat.replies import UserError
from bot.draw.facts import Fact
from rating.forecast.plan import Plan
from rating.forecast.review import DecidingGame, SeasonReview, season_review


def review_facts(question: Question, people: People, scope: Scope) -> list[Fact]:
    """Up to three facts of a season that is over; none where it has too few games or members."""
    past = past_of_scope(question, scope)
    if past is None or past.members < 2 or past.played < FEWEST:
        return []
    season = SeasonOutlook(scope, past, Plan(games=past.played), left=0, over=True, planned=True)
    try:
        points = course(question, season)
        found = known(question, season, "review", lambda: season_review(past, points))
    except UserError:
        return []
    decided = [_decided(people, found.decided)] if found.decided else []
    return [*decided, _half(people, found), *_outplayed(people, found)]


def _decided(people: People, found: DecidingGame) -> Fact:
    """The game with which the champion's chance grew most."""
    when = texts.short_day(found.game.day) or f"{found.number}戦目"
    change = f"{percent_of(found.before)}→{percent_of(found.after)}"
    own = [texts.points(seat.score) for seat in found.game.seats if seat.player == found.player]
    detail = "　".join((when, change, *own))
    return Fact("優勝を決めた一戦", people.shown(found.player), detail, people.colour(found.player))


def _half(people: People, found: SeasonReview) -> Fact:
    """Who was the favourite at half-time; how great the champion's chance was where it was somebody else."""
    best, champion = found.half.favourite, found.champions[0]
    detail = f"{found.half.played}戦の時点で{percent_of(best.first)}"
    if best.player not in found.champions:
        chances = {member.player: member.first for member in found.half.members}
        detail += f"・優勝者{percent_of(chances.get(champion, 0.0))}"
    return Fact("折り返しの本命", people.shown(best.player), detail, people.colour(best.player))


def _outplayed(people: People, found: SeasonReview) -> list[Fact]:
    best = found.outplayed
    if best.luck <= 0:
        return []
    detail = f"実力からの見込みより{texts.points(best.luck)}"
    return [Fact("見込みを上回った人", people.shown(best.player), detail, people.colour(best.player))]
