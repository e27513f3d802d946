"""Makes a member's card: the figures of one member in some games, for a picture and in words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot import texts
from bot.answers.common.members import People
from bot.answers.common.model_names import course_model
from bot.answers.common.pick_player import scope_with
from bot.answers.common.ratings import Ratings, interval_words, ratings_of
from bot.answers.common.scope import Scope
from bot.answers.forecast.skill_words import ShareOfSkill, half_words, share_of, share_words
from bot.answers.paifu.statistics import conduct_facts, record_facts
from bot.answers.players.matchup import favourites
from bot.answers.standings.placings import counts
from bot.answers.standings.placings import words as placing_words
from bot.charts.canvas import style
from bot.charts.parts.facts import Fact
from bot.charts.parts.form import FormGame
from bot.charts.player import PlayerCard
from bot.chat.command import Question
from bot.chat.replies import Row, Table, UserError
from rating.games import Game
from rating.meetings import Meetings, meetings
from rating.models import MODELS
from rating.standings import PROVISIONAL_GAMES, Line, Rating
from rating.streaks import Streak, current, days_of, is_first, is_last, longest, not_last
from rating.tallies import Result, Tally, has_chips, results_of, tallies

CARD_MODEL = next(name for name, model in MODELS.items() if model.on_card)
FORM = 20  # the last games shown as the member's form


@dataclass(frozen=True)
class Card:
    """What is known of one member in some games.

    `rating` and `line` are by the league's rating, or by the first that learns game by game; `rank` (from 1, 0 for none)
    is the place among `among` players. `strength` is 実力（推定） with its interval, None when it can't be computed.
    """

    player: str
    scope: Scope
    tally: Tally
    results: list[Result]
    rating: Rating | None
    line: Line | None
    rank: int
    among: int
    ratings: Ratings
    strength: Rating | None
    meetings: Meetings
    share: ShareOfSkill | None = None  # of skill; None with too few games
    paifu: tuple[Fact, ...] = ()  # from the member's paifu (game records)


def card_of(question: Question, people: People, player: str) -> Card:
    """The card of a member. Raises UserError when the member has no game."""
    scope = scope_with(question, player)
    ratings = ratings_of(question, scope, course_model(question.snapshot.league.model))
    try:
        strength = ratings_of(question, scope, CARD_MODEL).standings.get(player)
    except UserError:
        strength = None
    place = ratings.places.get(player)
    return Card(
        player,
        scope,
        tally=tallies(scope.games)[player],
        results=results_of(scope.games, player),
        rating=ratings.standings.get(player),
        line=ratings.history.get(player),
        rank=place.place if place else 0,
        among=sum(place is not None and other.group == place.group for other in ratings.places.values()),
        ratings=ratings,
        strength=strength,
        meetings=meetings(scope.games),
        share=share_of(question, scope, player),
        paifu=(
            *record_facts(question, player, scope.seats)[:4],
            *conduct_facts(question, player, scope.seats),
        ),
    )


def card_tables(people: People, card: Card) -> tuple[Table, Table]:
    """The card in words: a table of the main figures, and one of the facts that otherwise only the picture shows."""
    figures, facts = _figures(people, card), _facts(people, card)
    main = [Row(fact.label, fact.value, detail=fact.detail) for fact in (*figures, *facts[:2])]
    main.insert(1, Row("着順", f"{card.tally.games}戦", detail=placing_words(card.tally)))
    rest = tuple(Row(fact.label, fact.value, detail=fact.detail) for fact in facts[2:])
    shown = people.shown(card.player)
    title, subtitle = f"{shown}　{card.scope.title}", _subtitle(card)
    alt = f"{title}：" + "、".join(f"{row.name} {row.value}" for row in main[:3])
    return Table(title, tuple(main), subtitle=subtitle, alt=alt), Table(
        f"{shown}の記録", rest, subtitle=subtitle
    )


def card_counts(people: People, card: Card) -> Table:
    """What stands beside the card's picture: the exact placings, which it shows as shares."""
    table, tally = card_tables(people, card)[0], card.tally
    first, last = texts.percent(tally.first_rate), texts.percent(tally.last_rate)
    row = Row("着順", counts(tally), extra=(f"トップ{first}", f"ラス{last}"))
    return replace(table, rows=(row,))


def _subtitle(card: Card) -> str:
    return card.scope.of(card.player).subtitle


def card_chart(people: People, card: Card) -> PlayerCard:
    """The card as the data of its picture."""
    values = card.line.values if card.line else []
    placings = [result.placing for result in card.results]
    form = tuple(
        FormGame(value, placing) for value, placing in list(zip(values, placings, strict=False))[-FORM:]
    )
    return PlayerCard(
        f"{people.shown(card.player)}　{card.scope.title}",
        _subtitle(card),
        colour=people.colour(card.player),
        figures=tuple(_figures(people, card)),
        form=form,
        counts=card.tally.placings,
        facts=tuple(_facts(people, card)),
    )


def _figures(people: People, card: Card) -> list[Fact]:
    figures = []
    if card.rating is not None and card.line is not None:
        words = card.ratings.words
        rank = "暫定" if card.rating.provisional else f"{card.among}人中{card.rank}位"
        rank = "　".join(filter(None, (rank, card.ratings.interval(card.rating))))
        values = [card.line.start, *card.line.values]
        figures.append(Fact("レート", words(card.rating.value), rank, people.colour(card.player)))
        figures.append(Fact("最高", words(max(values)), _when(card, values.index(max(values)))))
        figures.append(Fact("最低", words(min(values)), _when(card, values.index(min(values)))))
    few = "　暫定" * (card.tally.games < PROVISIONAL_GAMES)
    figures.append(Fact("平均着順", f"{card.tally.mean_placing:.2f}", f"{card.tally.games}戦{few}"))
    return figures


def _when(card: Card, number: int) -> str:
    """The day of the member's game number `number` (from 1); 開始時 for 0, before the first game."""
    return _day(card.results[number - 1].game) if number else "開始時"


def _day(game: Game | None) -> str:
    return texts.short_day(game.day, True) if game else ""


def _facts(people: People, card: Card) -> list[Fact]:
    """The facts below the main figures; the picture shows two a row."""
    tally, results = card.tally, card.results
    mean = f"1戦平均 {texts.points(tally.points / tally.games)}"
    facts = [
        Fact("点数", texts.points(tally.points), mean + f"　{texts.ALONE}" * _has_chips(card)),
        _strength(card),
        _share(card),
        _game("最高スコア", max(results, key=lambda r: r.seat.score)),
        _game("最低スコア", min(results, key=lambda r: r.seat.score)),
        _streak("連続トップ", longest(results, is_first), current(results, is_first)),
        _streak("連続ラス", longest(results, is_last), current(results, is_last)),
        _streak("連続ラス回避", longest(results, not_last), current(results, not_last)),
        _best_day(card),
    ]
    if tally.chip_games:
        facts.append(Fact("チップ", f"{texts.signed(tally.chips)}枚", f"{tally.chip_games}戦"))
    for word, equal, meeting in favourites(people, card.meetings, card.player):
        if equal:
            share = f"先着率 {texts.percent(meeting.share)}（{meeting.games}戦）"
            colour = people.colour(equal[0]) if len(equal) == 1 else style.INK
            facts.append(Fact(f"{word}な相手", people.named(equal), share, colour, people.joined(equal)))
    return [fact for fact in (*facts, *card.paifu) if fact is not None]


def _strength(card: Card) -> Fact | None:
    found = card.strength
    if found is None or found.low is None or found.high is None:
        return None
    interval = interval_words(found, _short)
    value = f"{_short(found.value)} {interval}" if "±" in interval else f"{_short(found.value)}（{interval}）"
    return Fact("実力（推定）", value, "1戦あたり千点、平均＝0" + "・暫定" * found.provisional)


def _share(card: Card) -> Fact | None:
    if card.share is None:
        return None
    half = half_words(card.share)
    return Fact(
        "差のうちの実力", share_words(card.share), f"半々まで{half}" if half.startswith("あと") else half
    )


def _short(value: float, sign: bool = True) -> str:
    return texts.number(value, 1, sign)


def _game(label: str, result: Result) -> Fact:
    where = "　".join(
        filter(None, [_day(result.game), texts.placing(result.placing, len(result.game.seats))])
    )
    return Fact(label, texts.points(result.seat.score), where)


def _streak(label: str, run: Streak, now: int) -> Fact | None:
    if not run.length:
        return None
    first, last = _day(run.first), _day(run.last)
    days = first if first == last else f"{first}〜{last}"
    return Fact(label, f"{run.length}連続", f"いま{now}連続中" if now == run.length and now > 1 else days)


def _best_day(card: Card) -> Fact | None:
    days = [day for day in days_of(card.scope.games) if day.player == card.player]
    if not days:
        return None
    best = max(days, key=lambda day: day.points)
    label = "最高の1日" + f"（{texts.ALONE}）" * _has_chips(card)
    return Fact(label, texts.points(best.points), f"{texts.short_day(best.day, True)}　{best.games}戦")


def _has_chips(card: Card) -> bool:
    """Whether chips changed hands in the member's games, which points leave out."""
    return has_chips(result.game for result in card.results)
