"""A member's card: figures and title in some games, as a picture and in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
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
from bot.answers.players import texts as player_texts
from bot.answers.players.card_picture import RIVAL, CardCourse, Honour, PlayerCard, Rival
from bot.answers.players.matchup import ENOUGH, Extreme, favourites
from bot.chat.command import Question
from bot.chat.replies import Row, Table
from bot.draw import style
from bot.draw.parts import Fact, RadarAxis
from rating.dan import dan_of
from rating.models import MODELS
from rating.standings import PROVISIONAL_GAMES, Rating
from rating.statistics import CARD, COMPARED, STATISTICS, Counted, profile, shown_on
from rating.tallies import FEWEST, STREAKS, Career, Meeting, careers, current
from rating.trophies import EarnedTitle, titles

CARD_MODEL = next(name for name, model in MODELS.items() if model.on_card)
SHORT = 3  # fewest games that make a line
FEW_DAYS = 4  # with fewer days of play the line has a point for each game; otherwise for each day
COLUMN = 12  # characters of a detail that fit into a column
SHARE = "実力（推定）は1戦あたりの点数（千点）で、平均＝0です。"
NEXT_TO_PICTURE = ("best", "not_lasts")  # the figures that the picture lacks
FURTHER = ("day", "won_chips", "worst", "firsts", "lasts")  # those that follow in くわしく
BY_GAMES = (
    (500, "歴戦の雀士"),
    (100, "百戦錬磨"),
    (PROVISIONAL_GAMES, "レギュラー"),
    (0, "新人"),
)
"""The titles of those who earned no other, by games in all seasons."""
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
REASONS = {
    "steady": "{figure}が最小 {value}（次点 {following}）",
    "bold": "{figure}が最大 {value}（次点 {following}）",
}
REASON = "{figure} {value}（次点 {following}）"
REASON_OF_LEADER = "平均着順・平均点数・トップ率がどれもリーグ1位"
REASON_OF_GAMES = "通算{games}戦"
DAN = "{dan} {points:,.0f}/{goal:,.0f}pt"
PLACES = "{placings}　トップ{first}　ラス{last}"
OTHER_TITLES = "ほかの称号"
PROVISIONAL = "暫定"
RANK = "{rank}位"
RANKED = "{players}人中"
PEAK = "最高 {rating}"
PEAK_ON = "最高 {rating}（{day}）"
LOWEST = "最低 {rating}"
MEAN_POINTS = "平均 {points}"
PROVISIONAL_GAMES_PLAYED = "{games}　暫定"
STREAK_NOW = "現在{games}戦継続中"
DAY_AND_GAMES = "{day}　{games}戦"
AT_START = "開始時"
STRENGTH = "実力（推定）"
LIKELY_INTERVAL = "{likely} {interval}"
LIKELY_PROVISIONAL = "{likely} {interval}・暫定"
SKILL_SHARE = "成績のうち実力の分"
PREY = "得意な相手"
NEMESIS = "苦手な相手"


class Compared(NamedTuple):
    """The members with enough games, and the titles that each of them earned."""

    careers: Mapping[str, Career]
    titles: Mapping[str, Sequence[EarnedTitle]]


@dataclass(frozen=True)
class Card:
    """The figures of one member in some games.

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
    def earned(self) -> Sequence[EarnedTitle]:
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
        name = self.people.shown(self.player)
        title = player_texts.TITLE.format(player=name, period=self.scope.title)
        facts = [player_texts.QUOTED_TITLE.format(title=self.honour.title)]
        facts += [f"{fact.label} {fact.value}" for fact in _large(self)[:2]]
        notification = player_texts.NOTIFICATION.format(title=title, text="、".join(facts))
        return Table(title, tuple(rows), (), self.subtitle, note, notification)


def card_of(question: Question, player: str) -> Card:
    """The card of a member. Raises UserError when the member has no game."""
    people = people_of(question)
    scope = scope_with(question, player)
    ratings = ratings_of(question, scope)
    compared = compared_in(question, people, scope)
    near = compared.careers
    if len(near) < COMPARED:
        near = careers(scope.games, frozenset(people.order), FEWEST)
    place = _place(ratings, player)
    return Card(
        player,
        people,
        scope,
        career=careers_of(people, scope, ratings)[player],
        ratings=ratings,
        rating=ratings.standings.get(player),
        rank=place.rank,
        among=place.among,
        strength=_strength(question, scope, player),
        compared=compared,
        honour=honour_of(question, compared, player),
        share=share_of(question, scope, player),
        near=near,
        further=question.catalogue.facts_of(question, player, scope.seats),
        dan=dan_words(question, player, scope.seats),
    )


class _Place(NamedTuple):
    """A rank (from 1, 0 for none) among so many players."""

    rank: int
    among: int


def _place(ratings: Ratings, player: str) -> _Place:
    """The member's place among the players who can be compared."""
    place = ratings.places.get(player)
    if place is None:
        return _Place(0, 0)
    groups = [other.group for other in ratings.places.values()]
    return _Place(place.place, groups.count(place.group))


def _strength(question: Question, scope: Scope, player: str) -> Rating | None:
    """実力（推定）; None where it can't be computed."""
    strengths = known_ratings(question, scope, CARD_MODEL)
    if strengths is None:
        return None
    return strengths.standings.get(player)


def dan_words(question: Question, player: str, seats: int) -> str:
    """The member's grade after all games with so many seats, such as 三段 812/1,200pt."""
    table = question.snapshot.league.dan
    if table is None or seats not in table.points:
        return ""
    games = (game for game in question.snapshot.all_games() if len(game.seats) == seats)
    dan = dan_of(games, player, table)
    if not dan.goal:
        return dan.name
    return DAN.format(dan=dan.name, points=dan.points, goal=dan.goal)


def card_table(card: Card) -> Table:
    """What the picture lacks, a line each: exact placings, skill, and the best results."""
    rows = [Row(player_texts.PLACES, placing_counts(card.career.tally))]
    for fact in _facts_next_to_picture(card):
        # A short detail has a column of its own; a longer one, which would be too small there,
        # is below.
        row = Row(fact.label, fact.value, extra=(fact.detail,))
        if len(fact.detail) > COLUMN:
            row = Row(fact.label, fact.value, detail=fact.detail)
        rows.append(row)
    others = [in_words(title).title for title in card.earned[1:]]
    if others:
        rows.append(Row(OTHER_TITLES, "", detail="・".join(others)))
    return card.table(rows, card.scope.until)


def detail_table(card: Card) -> Table:
    """The card in words, on bubbles side by side: what the picture shows, then the further
    figures.
    """
    facts = [*_facts_in_picture(card), *_facts_next_to_picture(card), *_further_facts(card)]
    rows = [Row(fact.label, fact.value, detail=fact.detail) for fact in facts]
    note = ""
    if card.strength is not None:
        note = SHARE
    return replace(card.table(rows, note), page=DETAILS_PAGE)


def _facts_in_picture(card: Card) -> list[Fact]:
    """The titles, the large figures, the highest and lowest rating, and the placings."""
    honours = [in_words(title) for title in card.earned] or [card.honour]
    facts = [Fact(player_texts.EARNED_TITLE, honour.title, honour.reason) for honour in honours]
    facts += _large(card)
    if card.career.line:
        facts += [_figure(card, "highest"), _figure(card, "lowest")]
    placings = PLACES.format(
        placings=placing_counts(card.career.tally),
        first=_figure(card, "first").value,
        last=_figure(card, "last").value,
    )
    played = texts.played(card.career.tally.games)
    return [*facts, Fact(player_texts.PLACES, played, placings)]


def _further_facts(card: Card) -> list[Fact]:
    """The other figures, the opponents, and what other features know of the member."""
    keys = shown_on(CARD, (*NEXT_TO_PICTURE, *FURTHER))[len(NEXT_TO_PICTURE) :]
    facts = _figures(card, keys)
    opponents = _opponents(card)
    if opponents.rival:
        facts.append(Fact(RIVAL, opponents.rival.name, opponents.rival.share))
    return [*facts, *opponents.favourites, *card.further]


def card_chart(card: Card) -> PlayerCard:
    """The card as the data of its picture."""
    opponents = _opponents(card)
    rank = ""
    among = ""
    if card.rating is not None and card.among > 1:
        if card.rating.provisional:
            rank = PROVISIONAL
        else:
            rank = RANK.format(rank=card.rank)
            among = RANKED.format(players=card.among)
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
        axes=_radar_axes(card),
        few=card.few,
        rough=card.few or card.near is not card.compared.careers,
        rival=opponents.rival,
        others=opponents.favourites,
    )


def _radar_axes(card: Card) -> tuple[RadarAxis, ...]:
    """The member's figures, each compared with those of the others."""
    career = card.near.get(card.player) or card.career
    return tuple(
        RadarAxis(
            brief_of(compared.key),
            written(
                compared.key,
                compared.value,
            ),
            round(compared.score, 2),
        )
        for compared in profile(career, tuple(card.near.values()))
    )


def _course(card: Card) -> CardCourse | None:
    """The rating after each day of play, and at its highest; None of fewer than SHORT games."""
    if card.career.line is None or len(card.career.line.values) < SHORT:
        return None
    values = [card.career.line.start, *card.career.line.values]
    days = [result.game.day for result in card.career.results]
    peak = values.index(max(values))
    # Positions in `values`: 0 is before the first game.
    places = sorted({0, peak, *_course_games(days)})
    begins_on = texts.short_day(days[0], card.scope.years)
    ends_on = texts.short_day(days[-1], card.scope.years)
    if begins_on == ends_on:
        begins_on = ""
    model = card.ratings.model
    return CardCourse(
        tuple(map(float, places)),
        tuple(values[place] for place in places),
        places.index(peak),
        _peak_text(card, values[peak]),
        (begins_on, ends_on),
        MODELS[model].baseline,
        MODELS[model].decimals,
        signed(model),
    )


def _course_games(days: Sequence[date | None]) -> list[int]:
    """The games (from 1) with a point of the line: the last of each day, or all of few days."""
    last_games = [
        number for number, (day, next_day) in enumerate(pairwise(days), 1) if day != next_day
    ]
    if days:
        last_games.append(len(days))
    if len(last_games) < FEW_DAYS:
        return list(range(1, len(days) + 1))
    return last_games


def _peak_text(card: Card, value: float) -> str:
    rating = card.ratings.words(value)
    day = _figure(card, "highest").detail
    if day:
        return PEAK_ON.format(rating=rating, day=day)
    return PEAK.format(rating=rating)


def _large(card: Card) -> list[Fact]:
    """The figures in large type: rating, mean placing and points."""
    facts = []
    if card.rating is not None and card.career.line is not None:
        interval = card.ratings.interval(card.rating)
        detail = LOWEST.format(rating=_figure(card, "lowest").value)
        if interval:
            detail = LIKELY_INTERVAL.format(likely=LIKELY, interval=interval)
        value = written("rating", card.rating.value, card.ratings)
        colour = card.people.colour(card.player)
        facts.append(Fact(name_of("rating"), value, detail, colour))
    mean = _figure(card, "mean")
    points = _figure(card, "points")
    played = texts.played(card.career.tally.games)
    if card.few:
        played = PROVISIONAL_GAMES_PLAYED.format(games=played)
    mean_points = MEAN_POINTS.format(points=_figure(card, "mean_points").value)
    return [
        *facts,
        Fact(mean.label, mean.value, played),
        Fact(points.label, points.value, mean_points),
    ]


def _figure(card: Card, key: str) -> Fact:
    """A figure of the member, with when it came about; without a value where there is none."""
    counted = STATISTICS[key].counted(card.career, needs=1)
    games = [result.game for result in card.career.results]
    label = label_of(key, card.people.snapshot, games)
    if counted is None:
        return Fact(label, "")
    return Fact(
        label,
        written(key, counted.value, card.ratings),
        _detail(card, key, counted),
    )


def _detail(card: Card, key: str, counted: Counted) -> str:
    """When a figure came about, or of how many games it is."""
    years = card.scope.years
    first = ""
    if counted.first:
        first = texts.short_day(counted.first.day, years)
    last = ""
    if counted.last:
        last = texts.short_day(counted.last.day, years)
    if key in STREAKS:
        now = current(card.career.results, STREAKS[key])
        if now == counted.value and now > 1:
            return STREAK_NOW.format(games=now)
        if first != last:
            return f"{first}〜{last}"
        return last
    if key == "day":
        return DAY_AND_GAMES.format(day=last, games=counted.cases)
    if STATISTICS[key].unit == "chips":
        return texts.played(counted.cases)
    if STATISTICS[key].unit == "rating" and not counted.first:
        return AT_START
    return last


def _facts_next_to_picture(card: Card) -> list[Fact]:
    """Strength and skill, and the figures that the picture lacks."""
    facts = []
    strength = card.strength
    if strength is not None and strength.low is not None and strength.high is not None:
        template = LIKELY_INTERVAL
        if strength.provisional:
            template = LIKELY_PROVISIONAL
        interval = template.format(likely=LIKELY, interval=interval_words(strength, _short_number))
        facts.append(Fact(STRENGTH, _short_number(strength.value), interval))
    if card.share:
        facts.append(Fact(SKILL_SHARE, card.share))
    return [*facts, *_figures(card, NEXT_TO_PICTURE)]


def _short_number(value: float) -> str:
    return texts.number(value, decimals=1, sign=True)


def _figures(card: Card, keys: Sequence[str]) -> list[Fact]:
    """The figures that have a value."""
    facts = [_figure(card, key) for key in keys]
    return [fact for fact in facts if fact.value]


class _Opponents(NamedTuple):
    """The rival, with whom the games are the most even, and 得意な相手 and 苦手な相手 who are
    others.
    """

    rival: Rival | None
    favourites: tuple[Fact, ...]


def _opponents(card: Card) -> _Opponents:
    even = _most_even_opponent(card)
    rival = None
    if even:
        meeting = card.career.meetings[even]
        rival = Rival(
            card.people.shown(even),
            card.people.colour(even),
            meeting.ahead,
            meeting.games,
            _share_text(meeting),
        )
    extremes = favourites(card.people, card.career.peers.meetings, card.player)
    facts = [
        _favourite_fact(card.people, label, extreme)
        for label, extreme in ((PREY, extremes.prey), (NEMESIS, extremes.nemesis))
        if extreme.names and extreme.names != [even]
    ]
    return _Opponents(rival, tuple(facts))


def _most_even_opponent(card: Card) -> str:
    """The opponent whose share of games won is nearest to a half, "" without any.

    Only opponents with at least ENOUGH games count, and at least a third of the games of the most
    frequent one. Of equal opponents the one with more games comes first, then the league's order.
    """
    meetings = {
        opponent: meeting
        for opponent, meeting in card.career.meetings.items()
        if meeting.games >= ENOUGH
    }
    if not meetings:
        return ""
    most_games = max(meeting.games for meeting in meetings.values())
    frequent = [
        opponent for opponent, meeting in meetings.items() if 3 * meeting.games >= most_games
    ]

    def rank(opponent: str) -> tuple[float, int, int]:
        meeting = meetings[opponent]
        return abs(meeting.share - 0.5), -meeting.games, card.people.order.index(opponent)

    return min(frequent, key=rank)


def _favourite_fact(people: People, label: str, extreme: Extreme) -> Fact:
    colour = style.INK
    if len(extreme.names) == 1:
        colour = people.colour(extreme.names[0])
    return Fact(
        label,
        people.named(extreme.names),
        _share_text(extreme.meeting),
        colour,
        people.joined(extreme.names),
    )


def _share_text(meeting: Meeting) -> str:
    return player_texts.SHARE_OF_GAMES.format(share=f"{meeting.share:.0%}", games=meeting.games)


def compared_in(question: Question, people: People, scope: Scope) -> Compared:
    """Those with 規定打数 games of a scope, and FEWEST at least; computed once for its games."""
    qualifying = question.snapshot.league.rules.qualifying
    fewest = PROVISIONAL_GAMES
    if qualifying is not None:
        fewest = max(qualifying, FEWEST)

    def compare() -> Compared:
        eligible = careers(scope.games, frozenset(people.order), fewest)
        return Compared(eligible, titles(eligible, scope.seats))

    return question.ratings.computed(("titles", scope.games, people.order, fewest), compare)


def honour_of(question: Question, compared: Compared, player: str) -> Honour:
    """The first title that a member earned, else one by all games that the member ever played."""
    earned = compared.titles.get(player)
    if earned:
        return in_words(earned[0])
    games = sum(player in game.players for game in question.snapshot.all_games())
    title = next(title for fewest, title in BY_GAMES if games >= fewest)
    return Honour(title, REASON_OF_GAMES.format(games=games))


def in_words(earned: EarnedTitle) -> Honour:
    """A title with its figure and that of the next best."""
    name = earned.rule.name
    key = earned.rule.key
    if earned.rule.leads:
        return Honour(TITLES[name], REASON_OF_LEADER)
    reason = REASONS.get(name, REASON).format(
        figure=WORDS[key].name,
        value=written(key, earned.value),
        following=written(key, earned.following),
    )
    return Honour(TITLES[name], reason)
