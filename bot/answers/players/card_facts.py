"""The facts of a member's card: large figures, and what stands beside the picture or in くわしく."""

from __future__ import annotations

from collections.abc import Sequence

from bot import texts
from bot.answers.common.figures import name_of, written
from bot.answers.common.members import People
from bot.answers.common.ratings import LIKELY, interval_words
from bot.answers.forecast.skill_words import half_words, share_words
from bot.answers.players.card import Card
from bot.charts.parts.facts import Fact
from rating.games import Game
from rating.standings import PROVISIONAL_GAMES
from rating.statistics import CARD, STATISTICS, shown_on
from rating.streaks import STREAKS, current

BESIDES = ("best", "not_lasts")  # the figures that stand beside the picture
FURTHER = ("day", "won_chips", "worst", "firsts", "lasts")  # those that follow in くわしく


def figures(people: People, card: Card) -> list[Fact]:
    """The large figures: the rating with its interval or its lowest value, the mean placing, and the points."""
    figures, tally = [], card.career.tally
    if card.rating is not None and card.line is not None:
        words = card.ratings.words
        interval = card.ratings.interval(card.rating)
        detail = (
            f"{LIKELY} {interval}" if interval else f"最低 {words(min([card.line.start, *card.line.values]))}"
        )
        figures.append(Fact("レート", words(card.rating.value), detail, people.colour(card.player)))
    few = "　暫定" * (tally.games < PROVISIONAL_GAMES)
    mean, points = figure(card, "mean"), figure(card, "points")
    figures.append(Fact(mean.label, mean.value, f"{tally.games}戦{few}"))
    figures.append(Fact(points.label, points.value, f"1戦平均 {figure(card, 'mean_points').value}"))
    return figures


def figure(card: Card, key: str) -> Fact:
    """A figure of the member, with when it came about; without a value where there is none."""
    found = STATISTICS[key].counted(card.career, needs=1)
    label = name_of(key, (result.game for result in card.career.results))
    if found is None:
        return Fact(label, "")
    first, detail = day_of(card, found.first), day_of(card, found.last)
    if STATISTICS[key].unit == "run":
        now = current(card.career.results, STREAKS[key])
        detail = detail if first == detail else f"{first}〜{detail}"
        detail = f"いま{now}連続中" if now == found.value and now > 1 else detail
    elif key == "day":
        detail += f"　{found.cases}戦"
    elif STATISTICS[key].unit == "chips":
        detail = f"{found.cases}戦"
    elif STATISTICS[key].unit == "rating" and not found.first:
        detail = "開始時"
    return Fact(label, written(key, found.value, card.ratings), detail)


def day_of(card: Card, game: Game | None) -> str:
    return texts.short_day(game.day, card.scope.years) if game else ""


def extremes(card: Card) -> list[Fact]:
    """The highest and the lowest rating, and when they were reached."""
    return [figure(card, key) for key in ("highest", "lowest") if card.line]


def besides(card: Card) -> list[Fact]:
    """The facts that stand beside the picture."""
    strength, share, facts = card.strength, card.share, []
    if strength is not None and strength.low is not None and strength.high is not None:

        def short(value: float) -> str:
            return texts.number(value, 1, True)

        interval = f"{LIKELY} {interval_words(strength, short)}" + "・暫定" * strength.provisional
        facts.append(Fact("実力（推定）", short(strength.value), interval))
    if share is not None:
        half = half_words(share)
        detail = f"半々まで{half}" if half.startswith("あと") else half
        facts.append(Fact("差のうちの実力", share_words(share), detail))
    return [*facts, *_figures(card, BESIDES)]


def further(card: Card) -> list[Fact]:
    """All facts that the picture does not show."""
    keys = shown_on(CARD, (*BESIDES, *FURTHER))
    return [*besides(card), *_figures(card, keys[len(BESIDES) :])]


def _figures(card: Card, keys: Sequence[str]) -> list[Fact]:
    return [fact for key in keys if (fact := figure(card, key)).value]
