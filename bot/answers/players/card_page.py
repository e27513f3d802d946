"""A member's card as it is shown: the data of its picture, the table beside it, and all of it in words."""

from __future__ import annotations

from bot.answers.common.figures import brief_of, written
from bot.answers.common.members import People
from bot.answers.common.model_names import baseline, signed
from bot.answers.players.card import Card
from bot.answers.players.card_facts import besides, day_of, extremes, figure, figures, further
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
from rating.models import MODELS
from rating.standings import PROVISIONAL_GAMES
from rating.statistics import profile

FORM = 20  # the last games shown as the member's form
SHORT = 3  # fewest games that make a line
FEW_DAYS = 4  # with fewer days of play the line has a point for each game; otherwise for each day
COLUMN = 12  # characters of a detail that fit into a column
OTHERS = "ほかの称号"
SHARE = "実力（推定）は1戦あたりの点数（千点）で、平均＝0です。"


def card_table(people: People, card: Card) -> Table:
    """What the card says besides its picture, a line each: exact placings, skill, and the best results."""
    rows = [Row("着順", counts(card.career.tally))]
    rows += [_row(fact) for fact in besides(card)]
    if others := [in_words(title).title for title in card.held[1:]]:
        rows.append(Row(OTHERS, "", detail="・".join(others)))
    title, alt = _title(people, card), _alt(people, card)
    subtitle = card.scope.of(card.player).subtitle
    return Table(title, tuple(rows), subtitle=subtitle, note=card.scope.until, alt=alt)


def _row(fact: Fact) -> Row:
    """A fact's row: a short detail in a column of its own, a longer one, which would be too small there, below."""
    if len(fact.detail) > COLUMN:
        return Row(fact.label, fact.value, detail=fact.detail)
    return Row(fact.label, fact.value, extra=(fact.detail,))


def detail_tables(people: People, card: Card) -> tuple[Table, Table]:
    """The card in words: a table of what the picture shows, and one of the further figures."""
    pictured = (*figures(people, card), *extremes(card))
    shown = [Row(fact.label, fact.value, detail=fact.detail) for fact in pictured]
    shown.append(Row("着順", f"{card.career.tally.games}戦", detail=placing_words(card.career.tally)))
    for rank, title in enumerate(map(in_words, card.held) if card.held else (card.honour,)):
        shown.insert(rank, Row("称号", title.title, detail=title.reason))
    opponents = favourite_facts(people, card.meetings, card.player)
    if rival := rival_words(people, card.meetings, card.player):
        opponents = (Fact(RIVAL, rival.name, rival.share), *opponents)
    rest = (*further(card), *opponents, *card.paifu)
    name, subtitle = people.shown(card.player), card.scope.of(card.player).subtitle
    return (
        Table(_title(people, card), tuple(shown), subtitle=subtitle, alt=_alt(people, card)),
        Table(
            f"{name}の記録　{card.scope.title}",
            tuple(Row(fact.label, fact.value, detail=fact.detail) for fact in rest),
            subtitle=subtitle,
            note=SHARE * (card.strength is not None),
        ),
    )


def card_chart(people: People, card: Card) -> PlayerCard:
    """The card as the data of its picture."""
    return PlayerCard(
        people.shown(card.player),
        f"{card.scope.title}　{card.scope.of(card.player).subtitle}",
        colour=people.colour(card.player),
        honour=card.honour,
        rank=_rank(card),
        figures=tuple(figures(people, card)),
        course=_course(card),
        form=tuple(result.placing for result in card.career.results[-FORM:]),
        counts=card.career.tally.placings,
        axes=_axes(card),
        few=card.career.tally.games < PROVISIONAL_GAMES,
        rough=card.career.tally.games < PROVISIONAL_GAMES or card.near is not card.compared.careers,
        rival=rival_words(people, card.meetings, card.player),
        others=favourite_facts(people, card.meetings, card.player),
    )


def _title(people: People, card: Card) -> str:
    return f"{people.shown(card.player)}　{card.scope.title}"


def _alt(people: People, card: Card) -> str:
    """The notification: the title that was earned, the rating and the mean placing."""
    words = [f"{fact.label} {fact.value}" for fact in figures(people, card)[:2]]
    return f"{_title(people, card)}：" + "、".join([f"「{card.honour.title}」", *words])


def _rank(card: Card) -> Rank | None:
    if card.rating is None or card.among < 2:
        return None
    return Rank("暫定") if card.rating.provisional else Rank(f"{card.rank}位", f"{card.among}人中")


def _course(card: Card) -> CardCourse | None:
    """The rating after each day of the member's play, with its highest value wherever that was; None of fewer than SHORT games."""
    if card.line is None or len(card.line.values) < SHORT:
        return None
    values = [card.line.start, *card.line.values]
    days = [result.game.day for result in card.career.results]
    ends = [n for n in range(1, len(values)) if n == len(days) or days[n - 1] != days[n]]
    peak = values.index(max(values))
    places = sorted({0, peak, *(ends if len(ends) >= FEW_DAYS else range(1, len(values)))})
    model = card.ratings.model
    day, ends_on = figure(card, "highest").detail, day_of(card, card.career.results[-1].game)
    begins_on = day_of(card, card.career.results[0].game)
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


def _axes(card: Card) -> tuple[RadarAxis, ...]:
    """The radar's axes, each with the member's value and its standard score among those compared."""
    own = card.near.get(card.player) or card.career
    return tuple(
        RadarAxis(brief_of(each.key), written(each.key, each.value), round(each.score, 2))
        for each in profile(own, tuple(card.near.values()))
    )
