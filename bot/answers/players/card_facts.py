"""The facts of a member's card: large figures, and what stands beside the picture or in くわしく."""

from __future__ import annotations

from collections.abc import Callable

from bot import texts
from bot.answers.common.members import People
from bot.answers.common.ratings import LIKELY, interval_words
from bot.answers.forecast.skill_words import half_words, share_words
from bot.answers.players.card import Card
from bot.charts.parts.facts import Fact
from rating.games import Game
from rating.standings import PROVISIONAL_GAMES
from rating.streaks import current, days_of, is_first, is_last, longest, not_last
from rating.tallies import Result, has_chips


def figures(people: People, card: Card) -> list[Fact]:
    """The large figures: the rating with its interval or its lowest value, the mean placing, and the points."""
    figures, tally = [], card.tally
    if card.rating is not None and card.line is not None:
        words, lowest = card.ratings.words, min([card.line.start, *card.line.values])
        interval = card.ratings.interval(card.rating)
        detail = f"{LIKELY} {interval}" if interval else f"最低 {words(lowest)}"
        figures.append(Fact("レート", words(card.rating.value), detail, people.colour(card.player)))
    few = "　暫定" * (tally.games < PROVISIONAL_GAMES)
    figures.append(Fact("平均着順", f"{tally.mean_placing:.2f}", f"{tally.games}戦{few}"))
    mean = f"1戦平均 {texts.points(tally.points / tally.games)}"
    figures.append(Fact("点数" + _alone(card), texts.points(tally.points), mean))
    return figures


def extremes(card: Card) -> list[Fact]:
    """The highest and the lowest rating, and when they were reached."""
    if card.line is None:
        return []
    values = [card.line.start, *card.line.values]
    ends = (("最高レート", max(values)), ("最低レート", min(values)))
    return [Fact(label, card.ratings.words(end), when(card, values.index(end))) for label, end in ends]


def when(card: Card, number: int) -> str:
    """The day of the member's game number `number` (from 1); 開始時 for 0, before the first game."""
    return day_of(card, card.results[number - 1].game) if number else "開始時"


def day_of(card: Card, game: Game | None) -> str:
    return texts.short_day(game.day, card.scope.years) if game else ""


def besides(card: Card) -> list[Fact | None]:
    """The facts that stand beside the picture."""
    results = card.results
    return [
        _strength(card),
        _share(card),
        _game(card, "最高スコア", max(results, key=lambda r: r.seat.score)),
        _streak(card, "連続ラス回避", not_last),
    ]


def further(card: Card) -> list[Fact | None]:
    """All facts that the picture does not show."""
    results = card.results
    return [
        *besides(card),
        _best_day(card),
        _chips(card),
        _game(card, "最低スコア", min(results, key=lambda r: r.seat.score)),
        _streak(card, "連続トップ", is_first),
        _streak(card, "連続ラス", is_last),
    ]


def _strength(card: Card) -> Fact | None:
    found = card.strength
    if found is None or found.low is None or found.high is None:
        return None
    return Fact(
        "実力（推定）",
        _short(found.value),
        f"{LIKELY} {interval_words(found, _short)}" + "・暫定" * found.provisional,
    )


def _share(card: Card) -> Fact | None:
    if card.share is None:
        return None
    half = half_words(card.share)
    return Fact(
        "差のうちの実力", share_words(card.share), f"半々まで{half}" if half.startswith("あと") else half
    )


def _short(value: float) -> str:
    return texts.number(value, 1, True)


def _game(card: Card, label: str, result: Result) -> Fact:
    return Fact(label, texts.points(result.seat.score), day_of(card, result.game))


def _streak(card: Card, label: str, fits: Callable[[Result], bool]) -> Fact | None:
    """The longest run of the member's games that fit, and its days, or that it goes on."""
    run, now = longest(card.results, fits), current(card.results, fits)
    if not run.length:
        return None
    first, last = day_of(card, run.first), day_of(card, run.last)
    days = first if first == last else f"{first}〜{last}"
    return Fact(label, f"{run.length}連続", f"いま{now}連続中" if now == run.length and now > 1 else days)


def _best_day(card: Card) -> Fact | None:
    days = [day for day in days_of(card.scope.games) if day.player == card.player]
    if not days:
        return None
    best = max(days, key=lambda day: day.points)
    when = texts.short_day(best.day, card.scope.years)
    return Fact("最高の1日" + _alone(card), texts.points(best.points), f"{when}　{best.games}戦")


def _chips(card: Card) -> Fact | None:
    tally = card.tally
    return (
        Fact("チップ", f"{texts.signed(tally.chips)}枚", f"{tally.chip_games}戦")
        if tally.chip_games
        else None
    )


def _alone(card: Card) -> str:
    """Says of points that they leave chips out, where chips changed hands in the member's games."""
    return f"（{texts.ALONE}）" * has_chips(result.game for result in card.results)
