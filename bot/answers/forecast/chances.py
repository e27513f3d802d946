"""優勝確率: everybody's chance of each place in the season; of one that is over, how it went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot import texts
from bot.answers.common import outlooks
from bot.answers.common.members import WHOLE, People, beside_picture, people_of, table_way
from bot.answers.common.scope import below, seat_choices
from bot.chat.command import BY_SEASON, Ask, Below, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table
from bot.draw import lines
from bot.draw.layout import Area, Section, heading, name_column, space, titled
from bot.draw.lines import ChanceLines, Curve, PictureWithLines
from bot.draw.names import distinct_names
from bot.draw.style import (
    AXIS,
    INK,
    LABEL,
    MUTED,
    PANEL,
    UP,
    WHITE,
    blend,
    on,
    readable,
)
from rating.forecast.outlook import Forecast, MemberOutlook
from rating.forecast.review import CurvePoint, TurningPoint, turning_point
from rating.standings import places

RANGE = "最終収支の見込みは、10回に9回はこの範囲に入ります。"
LEAST_TURN = 0.1  # a day turned the season when it raised the chance by so much
PLACES = "最終順位の確率（%）"
WORDS = (
    "優勝確率 ゆうしょうかくりつ 優勝予想 ゆうしょうよそう 優勝確率・条件 優勝する確率 優勝の確率 "
    "優勝の可能性 優勝しそうな人 優勝しそう 優勝できる まだ優勝できる まだ優勝ある 優勝ある "
    "優勝まだいける 優勝いける "
    "優勝できそう 優勝になりそう 優勝誰になりそう "
    "優勝は誰になりそう 誰が優勝しそう 誰が優勝する 優勝するのは誰 優勝争い 残り何戦 残り対局数"
)
_PITCH = 68
# places that have a column each; columns where there are more places
_SINGLE = 10
_MOST = 8
_A_LABEL = 48  # pixels of height for a curve's name


def answer(question: Question) -> Reply:
    """The table of today's chances, and the picture of their course."""
    season = outlooks.season_outlook(question)
    people = people_of(question)
    found = outlooks.forecast_now(question, season)
    points = outlooks.course(question, season)
    turn = _turn(people, points)
    tonight = outlooks.tonight_words(question, season)
    if season.over:
        table = _finished(people, season, found, points, turn)
    else:
        table = _table(people, season, found, tonight)
    picture = Picture(
        _chart(people, season, table, found, points, turn), draw, table.notification, (table,)
    )
    if question.option("show") != WHOLE:
        table = beside_picture(table)
    choices = below(question, season.scope, *_choices(question, season))
    if table.by_picture is None:
        return Reply((table,), choices)
    return Reply((table, picture), choices)


def _choices(question: Question, season: outlooks.SeasonOutlook) -> list[Choice]:
    """The command's own buttons below an answer about this season."""
    number = season.scope.option
    choices = [table_way(question)]
    if not season.over:
        choices.append(choice("条件", Ask.NEEDS, **season.options))
        choices.append(choice("もしも", Ask.IF, **season.options))
    choices.append(choice("実力と運", Ask.SKILL, season=number))
    choices += outlooks.left_choices(question, season)
    choices += outlooks.other_seasons(question, season.scope)
    choices += seat_choices(question, season.scope)
    if season.over:
        choices.append(choice("収支", Ask.SUM, season=number))
        choices.append(choice("まとめ", Ask.SUMMARY, season=number))
    return choices


def ordered(found: Forecast) -> list[MemberOutlook]:
    """The members by their chance of being champion, then by what they may expect."""
    return sorted(
        found.members,
        key=lambda m: (-m.first, -m.expected, m.player),
    )


def _table(people: People, season: outlooks.SeasonOutlook, found: Forecast, tonight: str) -> Table:
    everyone = ordered(found)
    rows = []
    ranks = places([m.first for m in everyone])
    for rank, m in zip(ranks, everyone, strict=True):
        span = f"{round(m.low):,}〜{round(m.high):,}".replace("-", "−")
        rows.append(
            people.row(
                m.player,
                season.percent(m.first),
                rank,
                (span,),
            )
        )
    top = "、".join(f"{row.name} {row.value}" for row in rows[:3])
    played = f"{season.past.played}戦　{season.count}"
    subtitle = "　".join(
        filter(
            None,
            (outlooks.period_of(season.scope, season.past), played),
        )
    )
    title = f"優勝確率　{season.scope.title}"
    heads = ("優勝", "収支の見込み")
    note = season.sentence + RANGE + tonight
    alt = f"優勝確率（{season.count}）：{top}"
    return Table(title, tuple(rows), heads, subtitle, note, alt)


def _finished(
    people: People,
    season: outlooks.SeasonOutlook,
    found: Forecast,
    points: Sequence[CurvePoint],
    turn: Turn | None,
) -> Table:
    """The final table, with the greatest chance that each member ever had."""
    rows = []
    champions = []
    ranks = places([member.points for member in found.members])
    for rank, member in zip(ranks, found.members, strict=True):
        best = max(
            points[:-1] or points,
            key=lambda point: point.chances.get(member.player, 0.0),
        )
        chance = best.chances.get(member.player, 0.0)
        when = ""
        if chance >= 0.005:
            when = texts.short_day(best.day) or f"{best.played}戦目"
        extra = (texts.chance(chance), when)
        rows.append(
            people.row(
                member.player,
                texts.points(member.points),
                rank,
                extra,
            )
        )
        if rank == 1:
            champions.append(member.player)
    alt = f"{season.scope.title}は{people.named(champions)}が優勝"
    if turn:
        alt += f"（{turn.words}）"
    subtitle = "　".join(
        filter(None, (outlooks.period_of(season.scope, season.past), season.count))
    )
    title = f"優勝確率　{season.scope.title}（結果）"
    return Table(title, tuple(rows), ("収支", "最高の確率", "その日"), subtitle, alt=alt)


def _turn(people: People, points: Sequence[CurvePoint]) -> Turn | None:
    found: TurningPoint | None = turning_point(points)
    if found is None or found.after - found.before < LEAST_TURN:
        return None
    at = next(
        p.played
        for p in points
        if p.day == found.day and p.chances.get(found.player, 0.0) == found.after
    )
    when = texts.short_day(found.day) or f"{at}戦目"
    change = f"{texts.chance(found.before)}→{texts.chance(found.after)}"
    words = f"流れが変わった日 {when}（{people.shown(found.player)} {change}）"
    return Turn(float(at), words, people.colour(found.player))


def _chart(
    people: People,
    season: outlooks.SeasonOutlook,
    table: Table,
    found: Forecast,
    points: Sequence[CurvePoint],
    turn: Turn | None,
) -> ChancesChart:
    """The chances after each day of play.

    The last is today's of 10,000 seasons, as in the table.
    """
    everyone = ordered(found)
    rows = []
    if season.over:
        order = sorted(found.members, key=lambda m: (m.first, m.expected))
    else:
        order = everyone[::-1]
    curves = [_curve(people, found, points, member) for member in order]
    if not season.over:
        for member in everyone:
            chances = tuple(round(chance, 4) for chance in member.places)
            colour = people.colour(member.player)
            asker = people.is_asker(member.player)
            rows.append(PlaceRow(people.shown(member.player), chances, colour, asker))
    return ChancesChart(table.title, table.subtitle, tuple(curves), tuple(rows), turn)


def _curve(
    people: People,
    found: Forecast,
    points: Sequence[CurvePoint],
    member: MemberOutlook,
) -> Curve:
    """The member's chances at each point; the last is that of the forecast."""
    player = member.player
    with_member = [point for point in points if player in point.chances]
    chances = [point.chances[player] for point in with_member]
    chances[-1] = member.first
    if found.left:
        chances[-1] = min(member.first, outlooks.SUREST)
    return Curve(
        people.shown(player),
        xs=tuple(float(point.played) for point in with_member),
        ys=tuple(round(100 * chance, 2) for chance in chances),
        colour=people.colour(player),
        dash=people.dash(player),
        asker=people.is_asker(player),
    )


@dataclass(frozen=True)
class PlaceRow:
    """A member's chance (0 to 1) of each place, the first place first."""

    name: str
    chances: Sequence[float]
    colour: str = INK
    asker: bool = False


@dataclass(frozen=True)
class Turn:
    """The day that turned the season: its place on the axis, and words in a colour."""

    at: float
    words: str
    colour: str = INK


@dataclass(frozen=True)
class ChancesChart(PictureWithLines):
    """The curves' values are per cents; there are no `places` of a season that is over."""

    curves: Sequence[Curve]
    places: Sequence[PlaceRow] = ()
    turn: Turn | None = None

    def as_lines(self) -> ChanceLines:
        curves = [curve for curve in self.curves if len(curve.xs)]
        curves.sort(key=lambda curve: -curve.ys[-1])
        return ChanceLines(self.title, self.subtitle, curves, 0.0)


def draw(chart: ChancesChart) -> bytes:
    """A PNG, 1200 pixels wide, as high as its curves and rows need."""
    curves = [curve for curve in chart.curves if len(curve.xs)]
    turn = chart.turn
    plotted = ChanceLines("", "", curves, 0.0, turned=turn.at if turn else None)
    if not lines.curves_of(plotted):
        return titled(chart.title, chart.subtitle, [])

    def head(area: Area) -> None:
        if turn:
            area.text(turn.words, LABEL, readable(turn.colour), bold=True, down=34)

    sections = [Section(84, head) if turn else space(30)]
    high = max(560, _A_LABEL * len(curves))
    sections += [
        Section(
            high + 84,
            lambda area: lines.plot(area.inset(bottom=84), plotted),
        )
    ]
    if chart.places:
        sections += [*_places(chart.places), space(30)]
    return titled(chart.title, chart.subtitle, sections)


def columns(places: int) -> list[tuple[int, int]]:
    """The places in each column, from 1, as (first, last): one each, or ever more where there are
    many.
    """
    if places <= _SINGLE:
        return [(place, place) for place in range(1, places + 1)]
    single = _MOST // 2
    found = [(place, place) for place in range(1, single + 1)]
    left = places - single
    start = single + 1
    for parts in range(_MOST - single, 0, -1):
        size = left // parts
        found.append((start, start + size - 1))
        start = start + size
        left = left - size
    return found


def _places(rows: Sequence[PlaceRow]) -> list[Section]:
    """A row of cells for each member, the darker the greater the chance."""
    shown = distinct_names(row.name for row in rows)
    groups = columns(len(rows[0].chances))
    widths = (name_column(shown.values()), *([0] * len(groups)))
    words = [f"{first}位" if first == last else f"{first}-{last}" for first, last in groups]

    def head(area: Area) -> None:
        cells = area.columns(*widths)[1:]
        for cell, word in zip(cells, words, strict=True):
            cell.text(word, AXIS, MUTED, "middle", down=14)

    def draw(row: PlaceRow, area: Area) -> None:
        if row.asker:
            area.band()
        name, *cells = area.columns(*widths)
        name.inset(right=20).member(
            shown[row.name],
            row.colour,
            row.asker,
        )
        for cell, (first, last) in zip(cells, groups, strict=True):
            chance = sum(row.chances[first - 1 : last])
            ground = blend(PANEL, UP, 0.9 * chance**0.75) if chance >= 0.005 else PANEL
            cell.inset(1, 1, 1, 1).fill(ground)
            if chance >= 0.005:
                ink = on(ground) if chance >= 0.1 else blend(INK, WHITE, 0.25)
                cell.text(f"{100 * chance:.0f}", LABEL, ink, "middle")

    return [
        heading(PLACES),
        Section(48, head),
        *(Section(_PITCH, partial(draw, row)) for row in rows),
    ]


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
