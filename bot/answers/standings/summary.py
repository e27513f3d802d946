"""まとめ: the report of a season: champion, race, final table, best results, and what decided
it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot import texts
from bot.answers.common import outlooks
from bot.answers.common.figures import (
    by_total,
    careers_of,
    chips_left_out,
    label_of,
    strong_points,
    written,
)
from bot.answers.common.members import People, check_members, people_of
from bot.answers.common.ratings import known_ratings
from bot.answers.common.scope import Scope, below, is_over, scope_of
from bot.answers.standings.balance import balance_table
from bot.answers.standings.race import race_of
from bot.chat.command import BY_SEASON, Ask, Below, Question, Spec, choice
from bot.chat.replies import Picture, Reply, Row, Table, UserError
from bot.draw import glyphs, parts, style
from bot.draw.layout import (
    EDGE,
    WIDTH,
    Area,
    Scale,
    Section,
    Titled,
    heading,
    name_column,
    number,
    space,
    titled,
)
from bot.draw.names import distinct_names
from bot.draw.parts import Fact, draw_crown
from bot.draw.style import BASELINE_COLOUR, FAINT, INK, LABEL, SMALL, on
from rating.forecast.past import Plan
from rating.forecast.review import season_review
from rating.forecast.strengths import is_informative
from rating.games import Game
from rating.standings import NOISE, places
from rating.statistics import STATISTICS
from rating.tallies import Career

BEST = ("best", "day", "firsts", "not_lasts")  # the figures of which a season's best is told
FACTS = 4
LUCK = "実力からの見込みより約{}"
LUCK_WITHOUT_FINES = "実力からの見込みより約{}（罰符別）"
_CHAMPION = 300  # pixels of the panel and the space below it
_RANK = 56  # pixels for the place before the name


def answer(question: Question) -> Reply:
    """The report of one season or of all: its result in words below the race, and the poster."""
    scope = scope_of(question)
    people = people_of(question)
    check_members(people, scope.games)
    over = is_over(question, scope)
    ratings = known_ratings(question, scope)
    careers = careers_of(people, scope, ratings)
    own = by_total(careers)
    table = balance_table(people, scope, own)
    ranks = places([career.total for career in own])
    first = [career for career, place in zip(own, ranks, strict=True) if place == 1]
    facts = review_facts(question, people, scope) if over else []
    facts = [*facts, *best_results_of(people, scope, careers)][:FACTS]
    title = f"{scope.title}のまとめ"
    if scope.season is not None and not over:
        title += "（途中経過）"
    without = chips_left_out(people.snapshot, scope.games).short
    players = [career.player for career in first]
    points = written("total", first[0].total)
    won = "優勝" if over else "首位"
    result = f"{won}は{people.named(players)}（{'、'.join(filter(None, (points, without)))}）"
    placings = "と".join(written("mean", career.tally.mean_placing) for career in first)
    if len(first) <= people.NAMED:
        points += f"・平均着順 {placings}"
    colour = people.colour(players[0]) if len(first) == 1 else style.INK
    champion = Fact(won, people.named(players), points, colour, people.joined(players))
    rows = []
    for fact in facts:
        row = Row(fact.label, fact.value, detail=fact.detail, colour="")
        rows.append(row)
    final = replace(table, title=title, alt=f"{title}：{result}")
    records_title = "シーズンの記録" if scope.season else "通算の記録"
    records = Table(records_title, tuple(rows), subtitle=scope.subtitle)
    strong = strong_points(people.snapshot, own, ratings)
    totals = []
    for career in own:
        player = career.player
        totals.append(
            Total(
                name=people.shown(player),
                value=career.total,
                colour=people.colour(player),
                detail=strong[player],
            )
        )
    subtitle = "　".join(filter(None, (scope.subtitle, without)))
    report = SeasonReport(title, subtitle, champion, tuple(totals), tuple(facts))
    # The poster has every row of the table, which stands only where the poster can't.
    brief = replace(
        final, rows=(), heads=(), note=f"{result}。{table.note}", hero=race_of(people, scope)
    )
    picture = Picture(report, draw, final.notification, (final, records))
    return Reply((brief, picture), below(question, scope))


def best_results_of(
    people: People,
    scope: Scope,
    own: Mapping[str, Career],
) -> list[Fact]:
    """The best results of the scope, each with those who hold it, the earliest first."""
    facts = []
    for key in BEST:
        statistic = STATISTICS[key]
        known = {}
        for player, career in own.items():
            counted = statistic.counted(career)
            if counted:
                known[player] = counted
        if not known:
            continue
        best = max(found.value for found in known.values())
        holders = [p for p in known if abs(known[p].value - best) < NOISE]
        holders.sort(key=lambda player: known[player].order)
        alone = len(holders) == 1
        details = []
        for player in holders if len(holders) <= people.NAMED else ():
            found = known[player]
            detail = texts.short_day(found.last.day, scope.years) if found.last else ""
            if alone and statistic.unit == "run":
                detail = _days(scope, found.first, found.last)
            elif alone and key == "day":
                detail += f"　{found.cases}戦"
            details.append(detail)
        days = "、".join(filter(None, dict.fromkeys(details)))
        said = "　".join(filter(None, (written(key, best), days)))
        label = label_of(key, people.snapshot, scope.games)
        colour = people.colour(holders[0]) if alone else style.INK
        facts.append(
            Fact(
                label,
                people.named(holders),
                said,
                colour,
                people.joined(holders),
            )
        )
    return facts


def _days(scope: Scope, first: Game | None, last: Game | None) -> str:
    """The days of two games: 9/1〜9/8 or 2020/9/1〜9/8; the months where years differ,
    2019/12〜2020/1.
    """
    start, end = (game.day if game else None for game in (first, last))
    if start is None or end is None or start == end:
        return texts.short_day(start or end, scope.years)
    if scope.years and start.year != end.year:
        return f"{start.year}/{start.month}〜{end.year}/{end.month}"
    return f"{texts.short_day(start, scope.years)}〜{texts.short_day(end)}"


def review_facts(question: Question, people: People, scope: Scope) -> list[Fact]:
    """Up to three facts of a season that is over; none where it has too few games or members."""
    past = outlooks.past_of_scope(question, scope)
    if past is None or past.members < 2 or past.played < outlooks.forecast_from(past):
        return []
    season = outlooks.SeasonOutlook(
        scope, past, Plan(games=past.played), left=0, over=True, planned=True
    )
    try:
        points = outlooks.course(question, season)
        found = outlooks.known(
            question, season, "review", lambda: season_review(past, points), long=True
        )
    except UserError:
        return []
    facts = []
    best = found.half.favourite
    if found.decided:  # the game with which the champion's chance grew most
        own = [
            texts.points(s.score)
            for s in found.decided.game.seats
            if s.player == found.decided.player
        ]
        when = texts.short_day(found.decided.game.day) or f"{found.decided.number}戦目"
        change = f"{texts.chance(found.decided.before)}→{texts.chance(found.decided.after)}"
        facts.append(
            (
                "優勝を決めた一戦",
                found.decided.player,
                "　".join((when, change, *own)),
            )
        )
    if found.half.played >= outlooks.forecast_from(past):
        detail = f"{found.half.played}戦の時点で{texts.chance(best.first)}"
        if best.player not in found.champions:
            chances = {member.player: member.first for member in found.half.members}
            detail += f"・優勝者{texts.chance(chances.get(found.champions[0], 0.0))}"
        facts.append(("折り返しの本命", best.player, detail))
    lucky = found.outplayed
    skill_share = outlooks.skill_of(question, past).share(lucky.games)
    if lucky.luck > 0 and is_informative(skill_share):
        luck = texts.signed(round(lucky.luck))
        template = LUCK_WITHOUT_FINES if past.fined.any() else LUCK
        facts.append(("見込みを上回った人", lucky.player, template.format(luck)))
    return [
        Fact(label, people.shown(player), detail, people.colour(player))
        for label, player, detail in facts
    ]


@dataclass(frozen=True)
class SeasonReport(Titled):
    """`champion`, who is first so far or has won; `table`, the best first; `facts`, the best
    results.
    """

    champion: Fact | None
    table: Sequence[Total] = ()
    facts: Sequence[Fact] = ()


def draw(report: SeasonReport) -> bytes:
    """A PNG, 1200 pixels wide, as high as its parts need."""
    champion = [report.champion] if report.champion else []
    table = report.table
    names = [row.name for row in table]
    names += parts.names_of([*report.facts, *champion])
    shown = distinct_names(names)
    sections = [
        Section(_CHAMPION, partial(_champion, one)) for one in parts.as_drawn(champion, shown)
    ]
    if table:
        rows = [replace(row, name=shown[row.name]) for row in table]
        pitch = 100 if len(rows) <= parts.ONE_COLUMN else 96
        sections += [*total_bars(rows, pitch), space(20)]
    if report.facts:
        sections += [
            heading("シーズンの記録"),
            *parts.fact_grid(parts.as_drawn(report.facts, shown)),
        ]
    whole = [space(30), *sections, space(54)] if sections else []
    return titled(report.title, report.subtitle, whole, least=640)


def _champion(champion: Fact, area: Area) -> None:
    ink = on(champion.colour)
    panel = area.inset(bottom=30)
    panel.plate(champion.colour, 28)
    crown, words = panel.columns(290, 0)
    draw_crown(area.paper, crown.left + 150, crown.y, 84)
    words = words.inset(right=30)
    words.text(champion.label, 40, ink, down=52)
    words.text(champion.value, 88, ink, bold=True, down=128)
    words.text(champion.detail, 40, ink, down=214)


@dataclass(frozen=True)
class Total:
    """`detail` is a small line under the bar, such as the members of a team and their totals."""

    name: str
    value: float
    colour: str = INK
    detail: str = ""


def total_bars(
    rows: Sequence[Total],
    pitch: float,
    decimals: int = 1,
) -> list[Section]:
    """A row of `pitch` pixels for each total, in the order given, best first.

    Equal values share a place.
    """
    names = distinct_names(row.name for row in rows)
    words = [number(row.value, decimals, signed=True) for row in rows]
    figures = max((glyphs.width(word, LABEL) for word in words), default=0.0)
    left = _RANK + name_column(names.values()) + 10
    right = figures + 24
    values = [0.0, *(row.value for row in rows)]
    low = min(values)
    high = max(values)
    across = Scale(
        low,
        high if high > low else low + 1,
        EDGE + left,
        WIDTH - EDGE - right,
    )
    placed = zip(rows, words, places([row.value for row in rows]), strict=True)
    return [
        Section(
            pitch,
            partial(
                _row,
                replace(row, name=names[row.name]),
                word,
                place,
                across,
            ),
        )
        for row, word, place in placed
    ]


def _row(
    row: Total,
    word: str,
    place: int,
    across: Scale,
    area: Area,
) -> None:
    line = area.inset(bottom=36 if row.detail else 0)
    rank, name, _ = line.columns(
        44,
        across.start - EDGE - _RANK,
        0,
        gap=_RANK - 44,
    )
    rank.text(str(place), SMALL, FAINT, "right")
    name.inset(right=10).member(row.name, row.colour)
    half = min(23, area.height * 0.3)
    zero = across(0.0)
    end = across(row.value)
    arm = half + 10 if row.detail else area.height / 2
    area.paper.down(zero, line.y - arm, line.y + arm, 3, BASELINE_COLOUR)
    if abs(end - zero) >= 1:
        left, right = sorted((zero, end))
        area.paper.pill(
            left,
            line.y - half,
            right,
            line.y + half,
            radius=6,
            colour=row.colour,
        )
    line.text(word, LABEL, anchor="right")
    area.inset(_RANK).text(
        row.detail,
        SMALL,
        FAINT,
        down=line.height / 2 + 42,
    )


SPECS = (
    Spec(
        name=Ask.SUMMARY,
        title="まとめ",
        help="シーズンの成績と記録をまとめて出します",
        answer=answer,
        words="まとめ 総括 シーズンまとめ 総まとめ サマリー シーズンのまとめ",
        takes=BY_SEASON,
        instead=Ask.RECAP,
        below=(
            Ask.SUM,
            Ask.RANK,
            Ask.FORECAST,
            Below.AGAIN,
            Ask.RATING,
            Ask.TEAM,
            Ask.YEAR,
            choice("個人", Ask.PLAYER),
            choice("ページ", Ask.PAGE),
            choice("書き出し", Ask.EXPORT),
        ),
        daily=True,
        slow=True,
    ),
)
