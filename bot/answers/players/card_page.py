"""A member's card as it is shown: the data of its picture, the table beside it, and all of it in words."""

from __future__ import annotations

from collections.abc import Sequence

from bot import texts
from bot.answers.common.figures import brief_of, name_of, written
from bot.answers.common.members import People
from bot.answers.common.model_names import baseline, signed
from bot.answers.common.ratings import LIKELY, interval_words
from bot.answers.forecast.skill_words import half_words, share_words
from bot.answers.players.card import Card
from bot.answers.players.honours import in_words
from bot.answers.players.opponents import favourite_facts, rival_words
from bot.answers.standings.placings import counts
from bot.answers.standings.placings import words as placing_words
from bot.charts.card_course import CardCourse
from bot.charts.card_rival import RIVAL
from bot.charts.parts.facts import Fact
from bot.charts.parts.radar import RadarAxis
from bot.charts.player import PlayerCard, Rank
from bot.chat.replies import Row, Table
from rating.games import Game
from rating.models import MODELS
from rating.standings import PROVISIONAL_GAMES
from rating.statistics import CARD, STATISTICS, profile, shown_on
from rating.streaks import STREAKS, current

FORM = 20  # the last games shown as the member's form
SHORT = 3  # fewest games that make a line
FEW_DAYS = 4  # with fewer days of play the line has a point for each game; otherwise for each day
COLUMN = 12  # characters of a detail that fit into a column
OTHERS = "ほかの称号"
SHARE = "実力（推定）は1戦あたりの点数（千点）で、平均＝0です。"
BESIDES = ("best", "not_lasts")  # the figures that stand beside the picture
FURTHER = ("day", "won_chips", "worst", "firsts", "lasts")  # those that follow in くわしく


def card_table(people: People, card: Card) -> Table:
    """What the card says besides its picture, a line each: exact placings, skill, and the best results."""
    rows = [Row("着順", counts(card.career.tally))]
    for fact in _besides(card):
        # A short detail has a column of its own; a longer one, which would be too small there, stands below.
        below = len(fact.detail) > COLUMN
        extra = () if below else (fact.detail,)
        rows.append(Row(fact.label, fact.value, extra=extra, detail=fact.detail * below))
    if others := [in_words(title).title for title in card.held[1:]]:
        rows.append(Row(OTHERS, "", detail="・".join(others)))
    title, alt = _title(people, card), _alt(people, card)
    subtitle = card.scope.of(card.player).subtitle
    return Table(title, tuple(rows), subtitle=subtitle, note=card.scope.until, alt=alt)


def detail_tables(people: People, card: Card) -> tuple[Table, Table]:
    """The card in words: a table of what the picture shows, and one of the further figures."""
    extremes = [_figure(card, key) for key in ("highest", "lowest") if card.career.line]
    shown = [Row(fact.label, fact.value, detail=fact.detail) for fact in (*_large(people, card), *extremes)]
    shown.append(Row("着順", f"{card.career.tally.games}戦", detail=placing_words(card.career.tally)))
    for rank, title in enumerate(map(in_words, card.held) if card.held else (card.honour,)):
        shown.insert(rank, Row("称号", title.title, detail=title.reason))
    rest = [*_besides(card), *_figures(card, shown_on(CARD, (*BESIDES, *FURTHER))[len(BESIDES) :])]
    if rival := rival_words(people, card.career.peers.meetings, card.player):
        rest.append(Fact(RIVAL, rival.name, rival.share))
    rest += [*favourite_facts(people, card.career.peers.meetings, card.player), *card.paifu]
    subtitle = card.scope.of(card.player).subtitle
    return (
        Table(_title(people, card), tuple(shown), subtitle=subtitle, alt=_alt(people, card)),
        Table(
            f"{people.shown(card.player)}の記録　{card.scope.title}",
            tuple(Row(fact.label, fact.value, detail=fact.detail) for fact in rest),
            subtitle=subtitle,
            note=SHARE * (card.strength is not None),
        ),
    )


def card_chart(people: People, card: Card) -> PlayerCard:
    """The card as the data of its picture."""
    compared = profile(card.near.get(card.player) or card.career, tuple(card.near.values()))
    axes = tuple(
        RadarAxis(brief_of(each.key), written(each.key, each.value), round(each.score, 2))
        for each in compared
    )
    rank, few = None, card.career.tally.games < PROVISIONAL_GAMES
    if card.rating is not None and card.among > 1:
        provisional = card.rating.provisional
        rank = Rank("暫定") if provisional else Rank(f"{card.rank}位", f"{card.among}人中")
    return PlayerCard(
        people.shown(card.player),
        f"{card.scope.title}　{card.scope.of(card.player).subtitle}",
        colour=people.colour(card.player),
        honour=card.honour,
        rank=rank,
        figures=tuple(_large(people, card)),
        course=_course(card),
        form=tuple(result.placing for result in card.career.results[-FORM:]),
        counts=card.career.tally.placings,
        axes=axes,
        few=few,
        rough=few or card.near is not card.compared.careers,
        rival=rival_words(people, card.career.peers.meetings, card.player),
        others=favourite_facts(people, card.career.peers.meetings, card.player),
    )


def _title(people: People, card: Card) -> str:
    return f"{people.shown(card.player)}　{card.scope.title}"


def _alt(people: People, card: Card) -> str:
    """The notification: the title that was earned, the rating and the mean placing."""
    words = [f"{fact.label} {fact.value}" for fact in _large(people, card)[:2]]
    return f"{_title(people, card)}：" + "、".join([f"「{card.honour.title}」", *words])


def _course(card: Card) -> CardCourse | None:
    """The rating after each day of the member's play, with its highest value wherever that was; None of fewer than SHORT games."""
    if card.career.line is None or len(card.career.line.values) < SHORT:
        return None
    values = [card.career.line.start, *card.career.line.values]
    days = [result.game.day for result in card.career.results]
    ends = [n for n in range(1, len(values)) if n == len(days) or days[n - 1] != days[n]]
    peak = values.index(max(values))
    places = sorted({0, peak, *(ends if len(ends) >= FEW_DAYS else range(1, len(values)))})
    model = card.ratings.model
    day, ends_on = _figure(card, "highest").detail, _day_of(card, card.career.results[-1].game)
    begins_on = _day_of(card, card.career.results[0].game)
    return CardCourse(
        tuple(map(float, places)),
        tuple(values[n] for n in places),
        places.index(peak),
        f"最高 {card.ratings.words(values[peak])}" + f"（{day}）" * bool(day),
        (begins_on if begins_on != ends_on else "", ends_on),
        baseline(model),
        MODELS[model].decimals,
        signed(model),
    )


def _large(people: People, card: Card) -> list[Fact]:
    """The large figures: the rating with its interval or its lowest value, the mean placing, and the points."""
    figures, tally = [], card.career.tally
    if card.rating is not None and card.career.line is not None:
        interval = card.ratings.interval(card.rating)
        detail = f"{LIKELY} {interval}" if interval else f"最低 {_figure(card, 'lowest').value}"
        value = written("rating", card.rating.value, card.ratings)
        figures.append(Fact(name_of("rating"), value, detail, people.colour(card.player)))
    few = "　暫定" * (tally.games < PROVISIONAL_GAMES)
    mean, points = _figure(card, "mean"), _figure(card, "points")
    figures.append(Fact(mean.label, mean.value, f"{tally.games}戦{few}"))
    figures.append(Fact(points.label, points.value, f"1戦平均 {_figure(card, 'mean_points').value}"))
    return figures


def _figure(card: Card, key: str) -> Fact:
    """A figure of the member, with when it came about; without a value where there is none."""
    found = STATISTICS[key].counted(card.career, needs=1)
    label = name_of(key, (result.game for result in card.career.results))
    if found is None:
        return Fact(label, "")
    first, detail = _day_of(card, found.first), _day_of(card, found.last)
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


def _day_of(card: Card, game: Game | None) -> str:
    return texts.short_day(game.day, card.scope.years) if game else ""


def _besides(card: Card) -> list[Fact]:
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


def _figures(card: Card, keys: Sequence[str]) -> list[Fact]:
    return [fact for key in keys if (fact := _figure(card, key)).value]
