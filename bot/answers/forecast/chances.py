"""優勝確率: everybody's chance of each place in the season; of one that is over, how it went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot import texts
from bot.answers.common import outlooks
from bot.answers.common.members import WHOLE, People, beside_picture, people_of, table_way
from bot.answers.common.outlooks import SeasonOutlook
from bot.answers.common.scope import below, seat_choices
from bot.answers.forecast import chances_picture
from bot.answers.forecast.chances_picture import ChancesChart, Turn, place_rows
from bot.chat.command import BY_SEASON, Ask, Below, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table
from bot.draw.lines import Curve
from rating.forecast.outlook import Forecast, MemberOutlook
from rating.forecast.review import CurvePoint, turning_point
from rating.standings import places

TITLE = "優勝確率　{scope}"
TITLE_OF_RESULT = "優勝確率　{scope}（結果）"
HEADS = ("優勝", "収支の見込み")
HEADS_OF_RESULT = ("収支", "最高の確率", "その日")
RANGE = "最終収支の見込みは、10回に9回はこの範囲に入ります。"
SPAN = "{low}〜{high}"
NUMBER = "{played}戦目"
PLAYED = "{played}戦　{left}"
GAP = "　"
NOTIFICATION = "優勝確率（{left}）：{leaders}"
CHAMPION = "{scope}は{names}が優勝"
CHAMPION_WITH_TURN = "{scope}は{names}が優勝（{turn}）"
TURN = "流れが変わった日 {when}（{name} {before}→{after}）"
LEAST_TURN = 0.1  # a day turned the season when it raised the chance by so much
LEAST_CHANCE = 0.005  # of which the day is named
WORDS = (
    "優勝確率 ゆうしょうかくりつ 優勝予想 ゆうしょうよそう 優勝確率・条件 優勝する確率 優勝の確率 "
    "優勝の可能性 優勝しそうな人 優勝しそう 優勝できる まだ優勝できる まだ優勝ある 優勝ある "
    "優勝まだいける 優勝いける "
    "優勝できそう 優勝になりそう 優勝誰になりそう "
    "優勝は誰になりそう 誰が優勝しそう 誰が優勝する 優勝するのは誰 優勝争い 残り何戦 残り対局数"
)


@dataclass(frozen=True)
class ChanceFigures:
    """The chances now, those after each day of play, and the day that turned the season, if one
    did."""

    forecast: Forecast
    points: Sequence[CurvePoint]
    turn: Turn | None

    @property
    def members(self) -> list[MemberOutlook]:
        """The members by their chance of being champion, then by what they may expect."""
        return sorted(self.forecast.members, key=_champion_first)


def _champion_first(member: MemberOutlook) -> tuple[float, float, str]:
    return -member.first, -member.expected, member.player


def answer(question: Question) -> Reply:
    """The table of today's chances, and the picture of their course."""
    season = outlooks.season_outlook(question)
    people = people_of(question)
    figures = _figures(question, people, season)
    if season.over:
        table = result_table(people, season, figures)
    else:
        table = _table(question, people, season, figures)
    buttons = _buttons(question, season)
    if question.option("show") == WHOLE:
        return Reply((table,), buttons)
    picture = _picture(people, season, figures, table)
    return Reply((beside_picture(table), picture), buttons)


def _figures(question: Question, people: People, season: SeasonOutlook) -> ChanceFigures:
    forecast = outlooks.forecast_now(question, season)
    points = outlooks.course(question, season)
    return ChanceFigures(forecast, points, turn_of(people, points))


def turn_of(people: People, points: Sequence[CurvePoint]) -> Turn | None:
    """The day on which the favourite's chance grew most, if it grew by LEAST_TURN."""
    turning = turning_point(points)
    if turning is None or turning.after - turning.before < LEAST_TURN:
        return None
    point = next(
        point
        for point in points
        if point.day == turning.day and point.chances.get(turning.player, 0.0) == turning.after
    )
    sentence = TURN.format(
        when=day_of(point),
        name=people.shown(turning.player),
        before=texts.chance(turning.before),
        after=texts.chance(turning.after),
    )
    return Turn(float(point.played), sentence, people.colour(turning.player))


def day_of(point: CurvePoint) -> str:
    """The day of a point, or the number of its last game where days are unknown."""
    return texts.short_day(point.day) or NUMBER.format(played=point.played)


def _table(
    question: Question, people: People, season: SeasonOutlook, figures: ChanceFigures
) -> Table:
    """Each member's chance of being champion, and the points to expect."""
    rows = []
    members = figures.members
    ranks = places([member.first for member in members])
    for rank, member in zip(ranks, members, strict=True):
        span = SPAN.format(low=whole(member.low), high=whole(member.high))
        chance = season.percent(member.first)
        rows.append(people.row(member.player, chance, rank, (span,)))
    leaders = "、".join(f"{row.name} {row.value}" for row in rows[:3])
    played = PLAYED.format(played=season.past.played, left=season.count)
    return Table(
        title=TITLE.format(scope=season.scope.title),
        rows=tuple(rows),
        heads=HEADS,
        subtitle=_subtitle(season, played),
        note=season.sentence + RANGE + outlooks.tonight_words(question, season),
        alt=NOTIFICATION.format(left=season.count, leaders=leaders),
    )


def whole(points: float) -> str:
    """Points without decimals: −1,116."""
    return f"{round(points):,}".replace("-", "−")


def result_table(people: People, season: SeasonOutlook, figures: ChanceFigures) -> Table:
    """The final table, with the greatest chance that each member ever had."""
    rows = []
    champions = []
    members = figures.forecast.members
    ranks = places([member.points for member in members])
    for rank, member in zip(ranks, members, strict=True):
        cells = greatest_chance(member.player, figures.points)
        points = texts.points(member.points)
        rows.append(people.row(member.player, points, rank, cells))
        if rank == 1:
            champions.append(member.player)
    template = CHAMPION_WITH_TURN if figures.turn else CHAMPION
    alt = template.format(
        scope=season.scope.title,
        names=people.named(champions),
        turn=figures.turn.sentence if figures.turn else "",
    )
    title = TITLE_OF_RESULT.format(scope=season.scope.title)
    subtitle = _subtitle(season, season.count)
    return Table(title, tuple(rows), HEADS_OF_RESULT, subtitle, alt=alt)


def greatest_chance(player: str, points: Sequence[CurvePoint]) -> tuple[str, str]:
    """The greatest chance that a member had before the end, and its day."""
    before_end = points[:-1] or points
    best = max(before_end, key=lambda point: point.chances.get(player, 0.0))
    chance = best.chances.get(player, 0.0)
    day = day_of(best) if chance >= LEAST_CHANCE else ""
    return texts.chance(chance), day


def _subtitle(season: SeasonOutlook, count: str) -> str:
    period = outlooks.period_of(season.scope, season.past)
    return GAP.join(filter(None, (period, count)))


def _picture(
    people: People, season: SeasonOutlook, figures: ChanceFigures, table: Table
) -> Picture:
    """The chances after each day of play, and the chances of all places while games are left.

    The last is today's of 10,000 seasons, as in the table.
    """
    members = figures.members
    if season.over:
        order = sorted(figures.forecast.members, key=lambda m: (m.first, m.expected))
    else:
        order = members[::-1]
    curves = tuple(curve_of(people, figures, member) for member in order)
    rows = None
    if not season.over:
        names = [people.row_name(member.player) for member in members]
        rows = place_rows(names, [member.places for member in members])
    chart = ChancesChart(table.title, table.subtitle, curves, rows, figures.turn)
    return Picture(chart, chances_picture.draw, table.notification, (table,))


def curve_of(people: People, figures: ChanceFigures, member: MemberOutlook) -> Curve:
    """The member's chances at each point; the last is that of the forecast."""
    player = member.player
    with_member = [point for point in figures.points if player in point.chances]
    chances = [point.chances[player] for point in with_member]
    chances[-1] = member.first
    if figures.forecast.left:
        chances[-1] = min(member.first, outlooks.SUREST)
    return Curve(
        people.shown(player),
        xs=tuple(float(point.played) for point in with_member),
        ys=tuple(round(100 * chance, 2) for chance in chances),
        colour=people.colour(player),
        dash=people.dash(player),
        asker=people.is_asker(player),
    )


def _buttons(question: Question, season: SeasonOutlook) -> tuple[Choice, ...]:
    """Other questions about this season, the same one about others, and those of the Spec."""
    number = season.scope.option
    buttons = [table_way(question)]
    if not season.over:
        buttons.append(choice("条件", Ask.NEEDS, **season.options))
        buttons.append(choice("もしも", Ask.IF, **season.options))
    buttons.append(choice("実力と運", Ask.SKILL, season=number))
    buttons += outlooks.left_choices(question, season)
    buttons += outlooks.other_seasons(question, season.scope)
    buttons += seat_choices(question, season.scope)
    if season.over:
        buttons.append(choice("収支", Ask.SUM, season=number))
        buttons.append(choice("まとめ", Ask.SUMMARY, season=number))
    return below(question, season.scope, *buttons)


SPECS = (
    Spec(
        name=Ask.FORECAST,
        title="優勝確率",
        help="だれが優勝しそうか、確率をグラフで出します",
        answer=answer,
        words=WORDS,
        takes=BY_SEASON,
        empty=outlooks.TOO_FEW,
        below=(Below.OWN, Ask.SUM),
        daily=True,
        slow=True,
    ),
)
