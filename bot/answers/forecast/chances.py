"""優勝確率: everybody's chance of being champion over the season, and the chances of every place; a season
that is over shows how it went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot import texts
from bot.answers.common.members import People, people_of
from bot.answers.common.outlooks import (
    SUREST,
    SeasonOutlook,
    course,
    forecast_now,
    left_choices,
    other_seasons,
    percent_of,
    period_of,
    season_outlook,
)
from bot.answers.common.scope import offered, seat_choices
from bot.chat.command import BY_SEASON, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table
from bot.draw import lines, style
from bot.draw.glyphs import told_apart
from bot.draw.layout import Area, Section, heading, name_column, space, titled
from bot.draw.lines import Curve, Lines
from bot.draw.style import AXIS, INK, LABEL, MUTED, PANEL, UP, WHITE, blend, on, readable
from rating.forecast.outlook import Forecast, MemberOutlook
from rating.forecast.review import CurvePoint, TurningPoint, turning_point
from rating.standings import places

RANGE = "最終収支は、10回に9回はこの範囲に入る見込みです。"
LEAST_TURN = 0.1  # a day turned the season when it raised the chance by so much


def answer(question: Question) -> Reply:
    """The table of today's chances, and the picture of their course."""
    season, people = season_outlook(question), people_of(question)
    found, points = forecast_now(question, season), course(question, season)
    table = _finished(people, season, found, points) if season.over else _table(people, season, found)
    picture = Picture(_chart(people, season, found, points), draw, table.alt, (table,))
    return Reply((table, picture), _choices(question, season))


def _title(season: SeasonOutlook) -> str:
    return f"優勝確率　{season.scope.title}" + "（結果）" * season.over


def _subtitle(season: SeasonOutlook) -> str:
    left = season.count if season.over else f"{season.past.played}戦　{season.count}"
    return "　".join(filter(None, (period_of(season.scope, season.past), left)))


def ordered(found: Forecast) -> list[MemberOutlook]:
    """The members by their chance of being champion, then by what they may expect."""
    return sorted(found.members, key=lambda m: (-m.first, -m.expected, m.player))


def _table(people: People, season: SeasonOutlook, found: Forecast) -> Table:
    everyone = ordered(found)
    ranks = places([m.first for m in everyone])
    rows = tuple(
        people.row(
            m.player,
            season.percent(m.first),
            rank,
            (f"{round(m.low):,}〜{round(m.high):,}".replace("-", "−"),),
        )
        for rank, m in zip(ranks, everyone, strict=True)
    )
    title = _title(season)
    top = "、".join(f"{people.shown(m.player)} {season.percent(m.first)}" for m in everyone[:3])
    return Table(
        title,
        rows,
        heads=("優勝", "最終収支"),
        subtitle=_subtitle(season),
        note=season.sentence + RANGE,
        alt=f"優勝確率（{season.count}）：{top}",
    )


def _finished(people: People, season: SeasonOutlook, found: Forecast, points: Sequence[CurvePoint]) -> Table:
    """The final table, with the greatest chance that each member ever had."""
    members = found.members
    ranks = places([m.points for m in members])
    rows = []
    for rank, member in zip(ranks, members, strict=True):
        best = max(points[:-1] or points, key=lambda point: point.chances.get(member.player, 0.0))
        chance = best.chances.get(member.player, 0.0)
        when = texts.short_day(best.day) or f"{best.played}戦目"
        rows.append(
            people.row(
                member.player,
                texts.points(member.points),
                rank,
                (percent_of(chance), when if chance >= 0.005 else ""),
            )
        )
    title = _title(season)
    champions = people.named([m.player for rank, m in zip(ranks, members, strict=True) if rank == 1])
    turn = _turn(people, points)
    alt = f"{season.scope.title}は{champions}が優勝" + (f"（{turn.words}）" if turn else "")
    heads = ("収支", "最高の確率", "その日")
    return Table(title, tuple(rows), heads=heads, subtitle=_subtitle(season), alt=alt)


def _turn(people: People, points: Sequence[CurvePoint]) -> Turn | None:
    found: TurningPoint | None = turning_point(points)
    if found is None or found.after - found.before < LEAST_TURN:
        return None
    at = next(
        p.played for p in points if p.day == found.day and p.chances.get(found.player, 0.0) == found.after
    )
    when = texts.short_day(found.day) or f"{at}戦目"
    change = f"{percent_of(found.before)}→{percent_of(found.after)}"
    words = f"流れを変えた日 {when}　{change}　{people.shown(found.player)}"
    return Turn(float(at), words, people.colour(found.player))


def _chart(
    people: People, season: SeasonOutlook, found: Forecast, points: Sequence[CurvePoint]
) -> ChancesChart:
    order = (
        sorted(found.members, key=lambda m: (m.first, m.expected)) if season.over else ordered(found)[::-1]
    )
    return ChancesChart(
        _title(season),
        _subtitle(season),
        tuple(_curve(people, found, member.player, points) for member in order),
        () if season.over else tuple(_row(people, member) for member in ordered(found)),
        _turn(people, points),
    )


def _curve(people: People, found: Forecast, player: str, points: Sequence[CurvePoint]) -> Curve:
    """A point after each day of play. The last is today's chance of 10,000 seasons, as in the table."""
    own = [(point.played, point.chances[player]) for point in points if player in point.chances]
    last = found.member(player).first
    own[-1] = (own[-1][0], min(last, SUREST) if found.left else last)
    return Curve(
        people.shown(player),
        tuple(float(played) for played, _ in own),
        tuple(round(100 * chance, 2) for _, chance in own),
        people.colour(player),
        people.dash(player),
        asker=people.is_asker(player),
    )


def _row(people: People, member: MemberOutlook) -> PlaceRow:
    chances = tuple(round(chance, 4) for chance in member.places)
    colour = people.colours.get(member.player, style.INK)
    return PlaceRow(people.shown(member.player), chances, colour, people.is_asker(member.player))


def _choices(question: Question, season: SeasonOutlook) -> tuple[Choice, ...]:
    running = (
        ()
        if season.over
        else (choice("条件", Ask.NEEDS, **season.options), choice("もしも", Ask.IF, **season.options))
    )
    return offered(
        *running,
        choice("実力と運", Ask.SKILL, season=season.scope.option),
        *left_choices(question, season),
        *other_seasons(question, season.scope),
        *seat_choices(question, season.scope),
        choice("収支", Ask.SUM, season=season.scope.option),
        *((choice("まとめ", Ask.SUMMARY, season=season.scope.option),) if season.over else ()),
    )


PLACES = "最終順位の確率（%）"
_PITCH = 68
_SINGLE, _MOST = 10, 8  # places that have a column each; columns where there are more places
_A_LABEL = 48  # pixels of height for a curve's name


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
class ChancesChart:
    """The values of the curves are per cents. Without `places` (a season that is over) there are only the
    curves."""

    title: str
    subtitle: str
    curves: Sequence[Curve]
    places: Sequence[PlaceRow] = ()
    turn: Turn | None = None


@dataclass(frozen=True)
class ChanceLines(Lines):
    """Lines whose values are per cents; `turned` is a place on the lower axis to mark."""

    turned: float | None = None

    def tick(self, mark: float) -> str:
        return f"{mark:.0f}%"

    def last(self, curve: Curve) -> str:
        value = curve.ys[-1]
        if 0 < value < 0.5:
            return "<1%"
        return ">99%" if 99.5 <= value < 100 else f"{value:.0f}%"

    @property
    def marked(self) -> float | None:
        return self.turned


def draw(chart: ChancesChart) -> bytes:
    """A PNG, 1200 pixels wide, as high as its curves and rows need."""
    curves = [curve for curve in chart.curves if len(curve.xs)]
    turn = chart.turn
    plotted = ChanceLines("", "", curves, 0.0, turned=turn.at if turn else None)
    if not lines.curves_of(plotted):
        return titled(chart.title, chart.subtitle, [])
    sections = [Section(84, partial(_draw_turn, turn)) if turn else space(30)]
    high = max(560, _A_LABEL * len(curves))
    sections += [Section(high + 84, lambda area: lines.plot(area.inset(bottom=84), plotted))]
    if chart.places:
        sections += [*_places(chart.places), space(30)]
    return titled(chart.title, chart.subtitle, sections)


def _draw_turn(turn: Turn, area: Area) -> None:
    area.text(turn.words, LABEL, readable(turn.colour), bold=True, down=34)


def columns(places: int) -> list[tuple[int, int]]:
    """The places in each column, from 1, as (first, last): one each, or ever more of them where there are
    many places."""
    if places <= _SINGLE:
        return [(place, place) for place in range(1, places + 1)]
    single = _MOST // 2
    found = [(place, place) for place in range(1, single + 1)]
    left, start = places - single, single + 1
    for parts in range(_MOST - single, 0, -1):
        size = left // parts
        found.append((start, start + size - 1))
        start, left = start + size, left - size
    return found


def _places(rows: Sequence[PlaceRow]) -> list[Section]:
    """A row of cells for each member, the darker the greater the chance."""
    shown = told_apart(row.name for row in rows)
    groups = columns(len(rows[0].chances))
    widths = (name_column(shown.values()), *([0] * len(groups)))
    words = [f"{first}位" if first == last else f"{first}-{last}" for first, last in groups]

    def head(area: Area) -> None:
        for cell, word in zip(area.columns(*widths)[1:], words, strict=True):
            cell.text(word, AXIS, MUTED, "middle", down=14)

    def draw(row: PlaceRow, area: Area) -> None:
        if row.asker:
            area.band()
        name, *cells = area.columns(*widths)
        name.inset(right=20).member(shown[row.name], row.colour, row.asker)
        for cell, (first, last) in zip(cells, groups, strict=True):
            _cell(sum(row.chances[first - 1 : last]), cell)

    return [heading(PLACES), Section(48, head), *(Section(_PITCH, partial(draw, row)) for row in rows)]


def _cell(chance: float, cell: Area) -> None:
    ground = blend(PANEL, UP, 0.9 * chance**0.75) if chance >= 0.005 else PANEL
    cell.inset(1, 1, 1, 1).fill(ground)
    if chance >= 0.005:
        ink = on(ground) if chance >= 0.1 else blend(INK, WHITE, 0.25)
        cell.text(f"{100 * chance:.0f}", LABEL, ink, "middle")


SPECS = (
    Spec(
        name=Ask.FORECAST,
        title="優勝確率",
        help="だれが優勝しそうか、確率をグラフで出します",
        answer=answer,
        words=("優勝確率", "ゆうしょうかくりつ", "優勝予想", "ゆうしょうよそう"),
        takes=BY_SEASON,
        group=MenuGroup.TITLE,
        daily=True,
        slow=True,
    ),
)
