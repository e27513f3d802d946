"""What a member's card says: figures and title in some games, as a picture and in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from bot import texts
from bot.answers.common.figures import (
    FORM,
    WORDS,
    brief_of,
    careers_of,
    label_of,
    name_of,
    placing_counts,
    written,
)
from bot.answers.common.members import People, people_of
from bot.answers.common.outlooks import share_of
from bot.answers.common.ratings import (
    LIKELY,
    Ratings,
    interval_words,
    known_ratings,
    ratings_of,
    signed,
)
from bot.answers.common.scope import Scope, scope_with
from bot.answers.players.card_picture import RIVAL, CardCourse, Honour, PlayerCard, Rival
from bot.answers.players.matchup import ENOUGH, favourites
from bot.chat.command import Question
from bot.chat.replies import Row, Table
from bot.draw import style
from bot.draw.parts import Fact, RadarAxis
from rating.dan import dan_of
from rating.models import MODELS
from rating.standings import PROVISIONAL_GAMES, Rating
from rating.statistics import CARD, COMPARED, STATISTICS, profile, shown_on
from rating.tallies import FEWEST, STREAKS, Career, Meeting, careers, current
from rating.trophies import EarnedTitle, titles

CARD_MODEL = next(name for name, model in MODELS.items() if model.on_card)
SHORT = 3  # fewest games that make a line
FEW_DAYS = 4  # with fewer days of play the line has a point for each game; otherwise for each day
COLUMN = 12  # characters of a detail that fit into a column
SHARE = "実力（推定）は1戦あたりの点数（千点）で、平均＝0です。"
BESIDES = ("best", "not_lasts")  # the figures that stand beside the picture
FURTHER = ("day", "won_chips", "worst", "firsts", "lasts")  # those that follow in くわしく
BY_GAMES = (
    (500, "歴戦の雀士"),
    (100, "百戦錬磨"),
    (PROVISIONAL_GAMES, "レギュラー"),
    (0, "新人"),
)
"""The titles of those who hold no other, by games in all seasons."""
TITLES = {
    "crown": "絶対王者",
    "no_weakness": "勝ち越し王",
    "lasts": "ラス回避の鬼",
    "firsts": "トップ量産機",
    "first_run": "連勝街道",
    "safe_run": "鉄壁",
    "above_leader": "王者キラー",
    "mean": "稼ぎ頭",
    "placing": "着順の達人",
    "upper": "連対の名手",
    "best_score": "一撃必殺",
    "best_day": "一日の覇者",
    "recent": "絶好調",
    "growth": "伸び盛り",
    "first_mean": "豪腕",
    "last_mean": "しのぎの名人",
    "after_last": "切り替えの達人",
    "after_first": "波に乗る人",
    "opening": "開幕の一番",
    "closing": "締めの一番",
    "chips": "チップ長者",
    "seconds": "2着の職人",
    "steady": "安定感",
    "bold": "勝負師",
    "games": "卓の主",
}
"""What the rules' titles are called."""
DETAILS_PAGE = 9  # rows of くわしく on one bubble
END = {"steady": "が最小", "bold": "が最大"}  # what the figure's name does not say


class Compared(NamedTuple):
    """The members with enough games, and the titles that each of them earned."""

    careers: Mapping[str, Career]
    titles: Mapping[str, Sequence[EarnedTitle]]


@dataclass(frozen=True)
class Card:
    """What is known of one member in some games.

    `rating` and the course are by the league's rating, or by the first that learns game by game;
    `rank` (from 1, 0 for none) is the place among `among` players. The radar compares with the
    careers `near`: of those with FEWEST games where too few have enough. `strength` is 実力（推定）
    with its interval."""

    player: str
    people: People
    scope: Scope
    career: Career
    ratings: Ratings
    rating: Rating | None
    rank: int
    among: int
    strength: Rating | None
    compared: Compared
    honour: Honour
    share: str  # of skill, in words; "" with too few games or members
    near: Mapping[str, Career]
    further: tuple[Fact, ...]  # what other features know of the member
    dan: str = ""  # the grade, with its points; "" where the league has none

    @property
    def held(self) -> Sequence[EarnedTitle]:
        """The titles that the member earned, the first one is on the card."""
        return self.compared.titles.get(self.player, ())

    @property
    def few(self) -> bool:
        return self.career.tally.games < PROVISIONAL_GAMES

    @property
    def subtitle(self) -> str:
        """What is counted, below the member's dan where the league has grades."""
        return "　".join(
            filter(
                None,
                (self.dan, self.scope.of(self.player).subtitle),
            )
        )

    def table(self, rows: Sequence[Row], note: str = "") -> Table:
        """A table of the card, whose notification names the title, the rating and the mean
        placing.
        """
        title = f"{self.people.shown(self.player)}　{self.scope.title}"
        words = [
            f"「{self.honour.title}」",
            *(f"{fact.label} {fact.value}" for fact in _large(self)[:2]),
        ]
        return Table(title, tuple(rows), (), self.subtitle, note, f"{title}：{'、'.join(words)}")


def card_of(question: Question, player: str) -> Card:
    """The card of a member. Raises UserError when the member has no game."""
    people = people_of(question)
    scope = scope_with(question, player)
    ratings = ratings_of(question, scope)
    strengths = known_ratings(question, scope, CARD_MODEL)
    place = ratings.places.get(player)
    rank = 0
    among = 0
    if place is not None:
        rank = place.place
        among = sum(1 for other in ratings.places.values() if other.group == place.group)
    compared = compared_in(question, people, scope)
    near = compared.careers
    if len(near) < COMPARED:
        near = careers(scope.games, frozenset(people.order), FEWEST)
    return Card(
        player,
        people,
        scope,
        career=careers_of(people, scope, ratings)[player],
        ratings=ratings,
        rating=ratings.standings.get(player),
        rank=rank,
        among=among,
        strength=strengths.standings.get(player) if strengths else None,
        compared=compared,
        honour=honour_of(question, compared, player),
        share=share_of(question, scope, player),
        near=near,
        further=question.catalogue.facts_of(question, player, scope.seats),
        dan=dan_words(question, player, scope.seats),
    )


def dan_words(question: Question, player: str, seats: int) -> str:
    """The member's grade after all games with so many seats, such as 三段 812/1,200pt."""
    table = question.snapshot.league.dan
    if table is None or seats not in table.points:
        return ""
    games = (game for game in question.snapshot.all_games() if len(game.seats) == seats)
    found = dan_of(games, player, table)
    return f"{found.name} {found.points:,.0f}/{found.goal:,.0f}pt" if found.goal else found.name


def card_table(card: Card) -> Table:
    """What the card says besides its picture, a line each: exact placings, skill, and the best
    results.
    """
    rows = [Row("着順", placing_counts(card.career.tally))]
    for fact in _besides(card):
        # A short detail has a column of its own; a longer one, which would be too small there,
        # is below.
        row = Row(fact.label, fact.value, extra=(fact.detail,))
        if len(fact.detail) > COLUMN:
            row = Row(fact.label, fact.value, detail=fact.detail)
        rows.append(row)
    if others := [in_words(title).title for title in card.held[1:]]:
        rows.append(Row("ほかの称号", "", detail="・".join(others)))
    return card.table(rows, card.scope.until)


def detail_table(card: Card) -> Table:
    """The card in words, on bubbles side by side: what the picture shows, then the further
    figures.
    """
    titles = [in_words(title) for title in card.held] or [card.honour]
    extremes = [_figure(card, key) for key in ("highest", "lowest") if card.career.line]
    first = _figure(card, "first").value
    last = _figure(card, "last").value
    placings = f"{placing_counts(card.career.tally)}　トップ{first}　ラス{last}"
    shown = [
        *(Fact("称号", title.title, title.reason) for title in titles),
        *_large(card),
        *extremes,
        Fact("着順", f"{card.career.tally.games}戦", placings),
    ]
    rival, others = _opponents(card)
    further = _figures(
        card,
        shown_on(CARD, (*BESIDES, *FURTHER))[len(BESIDES) :],
    )
    met = [Fact(RIVAL, rival.name, rival.share)] if rival else []
    facts = (
        *shown,
        *_besides(card),
        *further,
        *met,
        *others,
        *card.further,
    )
    rows = [Row(fact.label, fact.value, detail=fact.detail) for fact in facts]
    note = ""
    if card.strength is not None:
        note = SHARE
    return replace(card.table(rows, note), page=DETAILS_PAGE)


def card_chart(card: Card) -> PlayerCard:
    """The card as the data of its picture."""
    compared = profile(
        card.near.get(card.player) or card.career,
        tuple(card.near.values()),
    )
    rival, others = _opponents(card)
    rank = ""
    among = ""
    if card.rating is not None and card.among > 1:
        if card.rating.provisional:
            rank = "暫定"
        else:
            rank = f"{card.rank}位"
            among = f"{card.among}人中"
    return PlayerCard(
        card.people.shown(card.player),
        f"{card.scope.title}　{card.subtitle}",
        colour=card.people.colour(card.player),
        honour=card.honour,
        rank=rank,
        ranked_by=name_of("rating"),
        among=among,
        figures=tuple(_large(card)),
        course=_course(card),
        form=tuple(result.placing for result in card.career.results[-FORM:]),
        counts=card.career.tally.placings,
        axes=tuple(
            RadarAxis(
                brief_of(c.key),
                written(
                    c.key,
                    c.value,
                ),
                round(c.score, 2),
            )
            for c in compared
        ),
        few=card.few,
        rough=card.few or card.near is not card.compared.careers,
        rival=rival,
        others=others,
    )


def _course(card: Card) -> CardCourse | None:
    """The rating after each day of play, and at its highest; None of fewer than SHORT games."""
    if card.career.line is None or len(card.career.line.values) < SHORT:
        return None
    values = [card.career.line.start, *card.career.line.values]
    days = [result.game.day for result in card.career.results]
    numbers = range(1, len(values))
    ends = [n for n in numbers if n == len(days) or days[n - 1] != days[n]]
    peak = values.index(max(values))
    shown = numbers if len(ends) < FEW_DAYS else ends
    places = sorted({0, peak, *shown})
    model = card.ratings.model
    day = _figure(card, "highest").detail
    peak_words = f"最高 {card.ratings.words(values[peak])}"
    if day:
        peak_words += f"（{day}）"
    begins_on = texts.short_day(days[0], card.scope.years)
    ends_on = texts.short_day(days[-1], card.scope.years)
    if begins_on == ends_on:
        begins_on = ""
    return CardCourse(
        tuple(map(float, places)),
        tuple(values[n] for n in places),
        places.index(peak),
        peak_words,
        (begins_on, ends_on),
        MODELS[model].baseline,
        MODELS[model].decimals,
        signed(model),
    )


def _large(card: Card) -> list[Fact]:
    figures = []
    tally = card.career.tally
    if card.rating is not None and card.career.line is not None:
        interval = card.ratings.interval(card.rating)
        detail = f"{LIKELY} {interval}" if interval else f"最低 {_figure(card, 'lowest').value}"
        value = written("rating", card.rating.value, card.ratings)
        figures.append(
            Fact(
                name_of("rating"),
                value,
                detail,
                card.people.colour(card.player),
            )
        )
    mean = _figure(card, "mean")
    points = _figure(card, "points")
    played = f"{tally.games}戦"
    if card.few:
        played += "　暫定"
    return [
        *figures,
        Fact(mean.label, mean.value, played),
        Fact(points.label, points.value, f"平均 {_figure(card, 'mean_points').value}"),
    ]


def _figure(card: Card, key: str) -> Fact:
    """A figure of the member, with when it came about; without a value where there is none."""
    found = STATISTICS[key].counted(card.career, needs=1)
    games = [result.game for result in card.career.results]
    label = label_of(key, card.people.snapshot, games)
    if found is None:
        return Fact(label, "")
    years = card.scope.years
    first = texts.short_day(found.first.day, years) if found.first else ""
    detail = texts.short_day(found.last.day, years) if found.last else ""
    if key in STREAKS:
        now = current(card.career.results, STREAKS[key])
        if now == found.value and now > 1:
            detail = f"現在{now}戦継続中"
        elif first != detail:
            detail = f"{first}〜{detail}"
    elif key == "day":
        detail += f"　{found.cases}戦"
    elif STATISTICS[key].unit == "chips":
        detail = f"{found.cases}戦"
    elif STATISTICS[key].unit == "rating" and not found.first:
        detail = "開始時"
    return Fact(label, written(key, found.value, card.ratings), detail)


def _besides(card: Card) -> list[Fact]:
    strength = card.strength
    facts = []
    short = partial(texts.number, decimals=1, sign=True)
    if strength is not None and strength.low is not None and strength.high is not None:
        interval = f"{LIKELY} {interval_words(strength, short)}"
        if strength.provisional:
            interval += "・暫定"
        facts.append(Fact("実力（推定）", short(strength.value), interval))
    if card.share:
        facts.append(Fact("成績のうち実力の分", card.share))
    return [*facts, *_figures(card, BESIDES)]


def _figures(card: Card, keys: Sequence[str]) -> list[Fact]:
    return [fact for key in keys if (fact := _figure(card, key)).value]


def _opponents(card: Card) -> tuple[Rival | None, tuple[Fact, ...]]:
    """The rival, with whom the games are the most even, and 得意な相手 and 苦手な相手 who are
    others.

    A rival met the player in ENOUGH games and a third as many as the most frequent opponent; of
    equally even ones the one of more games is taken, then the first in the league's order."""

    def share(met: Meeting) -> str:
        return f"先着率 {met.share:.0%}（{met.games}戦）"

    people = card.people
    all_met = card.career.meetings
    met = {player: m for player, m in all_met.items() if m.games >= ENOUGH}
    most = max((m.games for m in met.values()), default=0)
    often = [p for p, m in met.items() if 3 * m.games >= most]
    often.sort(key=people.order.index)
    often.sort(key=lambda p: (abs(met[p].share - 0.5), -met[p].games))
    rival = None
    for even in often[:1]:
        own = met[even]
        rival = Rival(
            people.shown(even),
            people.colour(even),
            own.ahead,
            own.games,
            share(own),
        )
    facts = []
    for word, equal, own in favourites(people, card.career.peers.meetings, card.player):
        if equal and equal != often[:1]:
            colour = people.colour(equal[0]) if len(equal) == 1 else style.INK
            names = people.joined(equal)
            facts.append(Fact(f"{word}な相手", people.named(equal), share(own), colour, names))
    return rival, tuple(facts)


def compared_in(question: Question, people: People, scope: Scope) -> Compared:
    """Those with 規定打数 games of a scope, and FEWEST at least; computed once for its games."""
    asked = question.snapshot.league.rules.qualifying
    least = PROVISIONAL_GAMES if asked is None else max(asked, FEWEST)

    def compare() -> Compared:
        found = careers(scope.games, frozenset(people.order), least)
        return Compared(found, titles(found, scope.seats))

    return question.ratings.computed(("titles", scope.games, people.order, least), compare)


def honour_of(question: Question, compared: Compared, player: str) -> Honour:
    """The first title a member holds, else one by all games that the member has ever played."""
    if held := compared.titles.get(player):
        return in_words(held[0])
    played = sum(player in game.players for game in question.snapshot.all_games())
    title = next(title for least, title in BY_GAMES if played >= least)
    return Honour(title, f"通算{played}戦")


def in_words(earned: EarnedTitle) -> Honour:
    """A title with its figure and that of the next best."""
    name = earned.rule.name
    key = earned.rule.key
    if earned.rule.leads:
        return Honour(TITLES[name], "平均着順・平均点数・トップ率がどれもリーグ1位")
    value = written(key, earned.value)
    following = written(key, earned.following)
    return Honour(TITLES[name], f"{WORDS[key].name}{END.get(name, '')} {value}（次点 {following}）")
