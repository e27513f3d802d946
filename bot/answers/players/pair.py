"""対決: two members side by side: a row for each figure, and the course of both ratings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot import texts
from bot.answers.common.figures import LeftOut, brief_of, careers_of, left_out_of_points, written
from bot.answers.common.members import People, asked_members, people_of, token
from bot.answers.common.outlooks import better_words, past_of_scope
from bot.answers.common.ratings import Ratings, ratings_of
from bot.answers.common.scope import (
    Scope,
    ask_who,
    curves_of,
    offered,
    period_choices,
    scope_with,
    season_choices,
    view_of,
)
from bot.answers.players import texts as player_texts
from bot.chat.command import BY_PERIOD, Ask, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Row, Table, UserError
from bot.draw import glyphs, lines, parts
from bot.draw.layout import EDGE, ENDS, WIDTH, Area, Section, Titled, space, titled
from bot.draw.lines import Axis, Curve, Lines
from bot.draw.names import distinct_names
from bot.draw.style import INK, MUTED, SMALL, on
from rating.games import Game
from rating.models import MODELS
from rating.standings import PROVISIONAL_GAMES
from rating.statistics import STATISTICS
from rating.tallies import Meeting, meetings, tallies

SAME = "同じ人が2人になっています。別の人を選んでください。"
WHO_FIRST = "対決：1人目"
WHO_SECOND = "{player}と比べる"
BOTH = "{first} と {second}"
TITLE = "{first} と {second}　{period}"
NOTIFICATION = "{first} と {second}：レート {first_rating} と {second_rating}"
NEVER_TOGETHER = "同卓した対局はありません。"
PROVISIONAL = "{players}の数字は、{games}戦に満たないので暫定です。"
AND = "と"
TIMES_AHEAD = "先着"
TIMES = "{count}回"
POINTS_BETWEEN = "同卓の点数差"
POINTS_AHEAD = "同卓の点数差　{player} {points}"
TIMES_OF_BOTH = "先着した回数"
LATEST = "最近{games}戦で先着した人（右が最新）"
STREAK = "{player}が{games}戦連続先着中"
OTHER_OPPONENT = "ほかの人と比べる"
MATCHUP_OF = "{player}の相性"
LAST = 10  # meetings of which the picture shows who was ahead
KEYS = ("rating", "games", "mean", "first", "last", "points", "mean_points", "won_chips")
"""The figures that are compared, by their keys."""


def answer(question: Question) -> Reply:
    """The two members named side by side, or the asker and the one named; asks for a name that is
    missing.
    """
    players = asked_members(question)
    asker = question.asker.player
    if len(players) == 1 and question.option("player"):
        if question.option("other"):
            raise UserError(SAME, offered(choice(player_texts.PAIR, Ask.PAIR)))
    elif len(players) == 1 and asker and asker != players[0]:
        players = [asker, players[0]]
    if not players:
        return ask_who(question, WHO_FIRST)
    if len(players) == 1:
        name = question.snapshot.league.shown(players[0])
        options = {key: question.option(key) for key in ("season", "from", "to")}
        heading = WHO_SECOND.format(player=name)
        return ask_who(question, heading, player=token(players[0]), **options)
    return compare(question, players[0], players[1])


@dataclass(frozen=True)
class _Pair:
    """Two members in the games of a scope. `meeting` and `shared_games`: their games together."""

    people: People
    scope: Scope
    ratings: Ratings
    players: tuple[str, str]
    meeting: Meeting
    shared_games: Sequence[Game]
    figures: Sequence[PairRow]
    left_out: LeftOut  # of the games of either

    @property
    def first(self) -> str:
        return self.players[0]

    @property
    def second(self) -> str:
        _, second = self.players
        return second

    @property
    def names(self) -> tuple[str, str]:
        return self.people.shown(self.first), self.people.shown(self.second)

    @property
    def behind(self) -> int:
        """In how many games the second finished above the first."""
        return self.meeting.games - self.meeting.ahead

    @property
    def winners(self) -> tuple[int, ...]:
        """Who finished above the other in each game together: 0 the first, 1 the second."""
        return tuple(
            int(game.placing(self.second) < game.placing(self.first)) for game in self.shared_games
        )


def compare(question: Question, first: str, second: str) -> Reply:
    """The two members side by side, in the scope that `scope_with` gives for pair."""
    pair = _pair(question, first, second)
    table = _table(pair, _note(question, pair))
    picture = _picture(pair, table)
    # The picture has every row of the table, which is sent only where the picture can't be.
    note = table.note + pair.scope.until
    brief = replace(
        table,
        rows=(),
        heads=(),
        note=note,
        alt=table.notification,
    )
    return Reply((brief, picture), _buttons(question, pair))


def _pair(question: Question, first: str, second: str) -> _Pair:
    scope = scope_with(question, first, second)
    people = people_of(question)
    ratings = ratings_of(question, scope)
    games_of_either: list[Game] = []
    shared_games: list[Game] = []
    for game in scope.games:
        if first in game.players or second in game.players:
            games_of_either.append(game)
        if first in game.players and second in game.players:
            shared_games.append(game)
    return _Pair(
        people,
        scope,
        ratings,
        players=(first, second),
        meeting=meetings(scope.games).get((first, second), Meeting()),
        shared_games=shared_games,
        figures=_figures(people, scope, first, second, ratings),
        left_out=left_out_of_points(people.snapshot, games_of_either),
    )


def _note(question: Question, pair: _Pair) -> str:
    """Who is surely the stronger, and what a reader has to know about the figures."""
    scope = pair.scope
    notes = []
    past = past_of_scope(question, scope)
    if past:
        notes.append(better_words(question, past, pair.people, pair.first, pair.second))
    if not pair.meeting.games:
        notes.append(NEVER_TOGETHER)
    notes.append(pair.left_out.sentence)
    tally_of = tallies(scope.games)
    provisional = [
        pair.people.shown(player)
        for player in pair.players
        if tally_of[player].games < PROVISIONAL_GAMES
    ]
    if provisional:
        names = AND.join(provisional)
        notes.append(PROVISIONAL.format(players=names, games=PROVISIONAL_GAMES))
    return "".join(notes)


def _table(pair: _Pair, note: str) -> Table:
    first, second = pair.names
    rating = pair.figures[0]
    return Table(
        TITLE.format(first=first, second=second, period=pair.scope.title),
        tuple(_rows(pair)),
        pair.names,
        pair.scope.subtitle,
        note,
        NOTIFICATION.format(
            first=first, second=second, first_rating=rating.left, second_rating=rating.right
        ),
        even=True,
    )


def _rows(pair: _Pair) -> Iterator[Row]:
    """Who finished above the other how often and by how much, and a row for each figure."""
    meeting = pair.meeting
    if meeting.games:
        behind = TIMES.format(count=pair.behind)
        yield Row(TIMES_AHEAD, TIMES.format(count=meeting.ahead), extra=(behind,))
        yield Row(
            POINTS_BETWEEN,
            texts.points(meeting.gap),
            extra=(texts.points(-meeting.gap),),
            detail=texts.played(meeting.games),
        )
    for figure in pair.figures:
        yield Row(figure.label, figure.left, extra=(figure.right,))


def _picture(pair: _Pair, table: Table) -> Picture:
    people = pair.people
    scope = pair.scope
    ratings = pair.ratings
    first, second = pair.names
    view = view_of(scope.games, scope=scope)
    provisional = {player: ratings.standings[player].provisional for player in pair.players}
    chart = PairChart(
        table.title,
        "　".join(filter(None, (scope.subtitle, pair.left_out.short))),
        (first, people.colour(pair.first)),
        (second, people.colour(pair.second)),
        pair.figures,
        ahead=(pair.meeting.ahead, pair.behind),
        last=pair.winners[-LAST:],
        between=_between(pair),
        curves=curves_of(people, ratings.history, pair.players, view, provisional),
        baseline=MODELS[ratings.model].baseline,
        axis=view.axis,
    )
    return Picture(chart, draw, table.notification, (table,))


def _between(pair: _Pair) -> str:
    """What is between the two: 同卓の点数差　みどり +679.1　みどりが3戦連続先着中."""
    winners = pair.winners
    if not winners:
        return ""
    gap = pair.meeting.gap
    ahead = pair.second
    if gap >= 0:
        ahead = pair.first
    player = pair.people.shown(ahead)
    parts_of_line = [POINTS_AHEAD.format(player=player, points=texts.points(abs(gap)))]
    streak = _streak(winners)
    if streak > 1:
        latest = pair.names[winners[-1]]
        parts_of_line.append(STREAK.format(player=latest, games=streak))
    return "　".join(parts_of_line)


def _streak(winners: Sequence[int]) -> int:
    """In how many games up to the last one the same member was ahead."""
    streak = 0
    for winner in reversed(winners):
        if winner != winners[-1]:
            break
        streak += 1
    return streak


def _buttons(question: Question, pair: _Pair) -> tuple[Choice, ...]:
    scope = pair.scope
    options = {"player": token(pair.first), "other": token(pair.second)}
    matchups = []
    cards = []
    for player, name in zip(pair.players, pair.names, strict=True):
        label = MATCHUP_OF.format(player=name)
        matchups.append(choice(label, Ask.MATCHUP, player=token(player), **scope.options))
        cards.append(choice(name, Ask.PLAYER, player=token(player), **scope.options))
    return offered(
        choice(player_texts.SKILL, Ask.SKILL, **options, season=scope.option),
        choice(OTHER_OPPONENT, Ask.PAIR, player=token(pair.first)),
        *period_choices(question, scope, **options),
        *season_choices(question, scope, **options),
        *matchups,
        *cards,
    )


def _figures(
    people: People, scope: Scope, first: str, second: str, ratings: Ratings
) -> list[PairRow]:
    """The figures that both have.

    Games mark neither as better, nor do strengths that can't be compared.
    """
    all_careers = careers_of(people, scope, ratings)
    is_comparable = ratings.places[first].group == ratings.places[second].group
    rows = []
    for key in KEYS:
        left: float | None
        right: float | None
        if key == "rating":
            left = ratings.standings[first].value
            right = ratings.standings[second].value
        else:
            left = STATISTICS[key].value(all_careers[first])
            right = STATISTICS[key].value(all_careers[second])
        if left is None or right is None:
            continue
        row = PairRow(
            brief_of(key),
            written(key, left, ratings),
            written(key, right, ratings),
        )
        has_better = key != "games" and (key != "rating" or is_comparable)
        if has_better and row.left != row.right:
            is_right_better = (left < right) != STATISTICS[key].lower_is_better
            row = replace(row, better=int(is_right_better))
        rows.append(row)
    return rows


@dataclass(frozen=True)
class PairRow:
    """One figure of pair.

    `better`: 0 (left), 1 (right) or None (neither); the better one is bold.
    """

    label: str
    left: str
    right: str
    better: int | None = None


@dataclass(frozen=True)
class PairChart(Titled):
    """Two members, by name and colour. `ahead` counts the games each finished above the other;
    `last` are the winners of the last ones (0 left, 1 right), the latest last; `between` is a line of
    text below them."""

    left: tuple[str, str]
    right: tuple[str, str]
    rows: Sequence[PairRow]
    ahead: tuple[int, int] = (0, 0)
    last: Sequence[int] = ()
    between: str = ""
    curves: Sequence[Curve] = ()
    baseline: float | None = 1500
    axis: Axis = "games"


def draw(chart: PairChart) -> bytes:
    """A PNG, 1200 pixels wide, as high as its parts need."""
    sides = (chart.left, chart.right)
    colours = (chart.left[1], chart.right[1])
    shown = distinct_names(name for name, _ in sides)

    def names(area: Area) -> None:
        halves = area.inset(bottom=22).columns(0, 0, gap=20)
        for (name, colour), plate, end in zip(sides, halves, ENDS, strict=True):
            plate.plate(colour)
            plate.inset(24, right=24).text(
                shown[name],
                48,
                on(colour),
                end,
                bold=True,
            )

    def ahead(area: Area) -> None:
        area.text(TIMES_OF_BOTH, SMALL, MUTED, "middle", down=26)
        parts.ahead_bar(
            area.inset(top=54, bottom=32),
            chart.ahead,
            colours,
            always=True,
        )

    def latest(area: Area) -> None:
        area.text(
            LATEST.format(games=len(chart.last)),
            SMALL,
            MUTED,
            "middle",
            down=26,
        )
        step = min(96, area.width / len(chart.last))
        for place, who in enumerate(chart.last):
            x = area.x + (place - (len(chart.last) - 1) / 2) * step
            area.paper.dot(x, area.top + 80, 26, colours[who])
        for down, words in zip((140, 184), between, strict=False):
            area.text(words, SMALL, INK, "middle", bold=True, down=down)

    # Long names need two lines.
    long = glyphs.width(glyphs.drawable(chart.between), SMALL) > WIDTH - 2 * EDGE - 20
    between = chart.between.rsplit("　", 1) if long else [chart.between]

    def figures(row: PairRow, area: Area) -> None:
        left, middle, right = area.inset(24, right=24).columns(
            0,
            290,
            0,
            gap=20,
        )
        middle.text(row.label, SMALL, MUTED, "middle")
        cells = ((left, row.left), (right, row.right))
        for place, (cell, words) in enumerate(cells):
            shade = MUTED if row.better == 1 - place else INK
            cell.text(words, 46, shade, ENDS[place], bold=row.better == place)
        area.underline()

    def courses(area: Area) -> None:
        curves = Lines("", "", chart.curves, chart.baseline, chart.axis)
        lines.plot(area.inset(top=60, bottom=100), curves)

    sections = [space(20), Section(110, names)]
    if any(chart.ahead):
        sections.append(Section(150, ahead))
    if chart.last:
        sections.append(Section(132 + 44 * len(between), latest))
    sections += [Section(78, partial(figures, row)) for row in chart.rows]
    if any(len(curve.xs) for curve in chart.curves):
        sections.append(Section(620, courses))
    else:
        sections.append(space(30))
    return titled(chart.title, chart.subtitle, sections)


SPECS = (
    Spec(
        name=Ask.PAIR,
        title=player_texts.PAIR,
        help="2人を並べて比べます",
        answer=answer,
        words=(
            "対決 たいけつ 二人 直対 直接対決 勝ち越してる 負け越してる 勝ち越し 負け越し 何勝何敗 "
            "タイマン 勝敗 との成績 との戦績 ふたり 2人 だれかと比べる 誰かと比べる ほかの人と比べる"
        ),
        everyday="二人 ふたり 2人",
        takes=BY_PERIOD,
        names=2,
    ),
)
