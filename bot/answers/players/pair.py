"""対決: two members side by side: a row for each figure, and the course of both ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot import texts
from bot.answers.common.figures import brief_of, careers_of, left_out_of_points, written
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
from bot.chat.command import BY_PERIOD, Ask, Question, Spec, choice
from bot.chat.replies import Picture, Reply, Row, Table, UserError
from bot.draw import glyphs, lines, parts
from bot.draw.layout import EDGE, ENDS, WIDTH, Area, Section, Titled, space, titled
from bot.draw.lines import Axis, Curve, Lines
from bot.draw.names import distinct_names
from bot.draw.style import INK, MUTED, SMALL, on
from rating.models import MODELS
from rating.standings import PROVISIONAL_GAMES
from rating.statistics import STATISTICS
from rating.tallies import Meeting, meetings, tallies

SAME = "同じ人が2人になっています。別の人を選んでください。"
LAST = 10  # meetings of which the picture shows who was ahead
SHOWN = ("rating", "games", "mean", "first", "last", "points", "mean_points", "won_chips")
"""The figures that are compared, by their keys."""


def answer(question: Question) -> Reply:
    """The two members named side by side, or the asker and the one named; asks for a name that is
    missing.
    """
    players = asked_members(question)
    asker = question.asker.player
    if len(players) == 1 and question.option("player"):
        if question.option("other"):
            raise UserError(SAME, offered(choice("対決", Ask.PAIR)))
    elif len(players) == 1 and asker and asker != players[0]:
        players = [asker, players[0]]
    if not players:
        return ask_who(question, "対決：1人目")
    if len(players) == 1:
        shown = question.snapshot.league.shown(players[0])
        same = {name: question.option(name) for name in ("season", "from", "to")}
        return ask_who(question, f"{shown}と比べる", player=token(players[0]), **same)
    return compare(question, players[0], players[1])


def compare(question: Question, one: str, other: str) -> Reply:
    """The two members side by side, in the scope that `scope_with` finds for both."""
    scope = scope_with(question, one, other)
    people = people_of(question)
    ratings = ratings_of(question, scope)
    past = past_of_scope(question, scope)
    figures = _figures(people, scope, one, other, ratings)
    met = meetings(scope.games).get((one, other), Meeting())
    shown = (people.shown(one), people.shown(other))
    own = [game for game in scope.games if one in game.players or other in game.players]
    left_out = left_out_of_points(people.snapshot, own)
    note = better_words(question, past, people, one, other) if past else ""
    if not met.games:
        note += "同卓した対局はありません。"
    note += left_out.sentence
    tally_of = tallies(scope.games)
    few = [
        people.shown(player)
        for player in (one, other)
        if tally_of[player].games < PROVISIONAL_GAMES
    ]
    if few:
        note += f"{'と'.join(few)}の数字は、{PROVISIONAL_GAMES}戦に満たないので暫定です。"
    rows = []
    if met.games:
        rows = [
            Row("先着", f"{met.ahead}回", extra=(f"{met.games - met.ahead}回",)),
            Row(
                "同卓の点数差",
                texts.points(met.gap),
                extra=(texts.points(-met.gap),),
                detail=f"{met.games}戦",
            ),
        ]
    rows += [Row(figure.label, figure.left, extra=(figure.right,)) for figure in figures]
    both = f"{shown[0]} と {shown[1]}"
    alt = f"{both}：レート {figures[0].left} と {figures[0].right}"
    table = Table(
        f"{both}　{scope.title}", tuple(rows), shown, scope.subtitle, note, alt, even=True
    )
    shared_games = [game for game in scope.games if one in game.players and other in game.players]
    # By game: 1 where `other` finished above `one`, else 0.
    winners = tuple(int(game.placing(other) < game.placing(one)) for game in shared_games)
    view = view_of(scope.games, scope=scope)
    provisional = {player: ratings.standings[player].provisional for player in (one, other)}
    chart = PairChart(
        table.title,
        "　".join(filter(None, (scope.subtitle, left_out.short))),
        (shown[0], people.colour(one)),
        (shown[1], people.colour(other)),
        figures,
        ahead=(met.ahead, met.games - met.ahead),
        last=winners[-LAST:],
        between=_between(people, one, other, met, winners),
        curves=curves_of(people, ratings.history, (one, other), view, provisional),
        baseline=MODELS[ratings.model].baseline,
        axis=view.axis,
    )
    # The picture has every row of the table, which stands only where the picture can't.
    brief_note = table.note + scope.until
    brief = replace(
        table,
        rows=(),
        heads=(),
        note=brief_note,
        alt=table.notification,
    )
    picture = Picture(chart, draw, table.notification, (table,))
    here = scope.options
    same = {"player": token(one), "other": token(other)}
    pair = [(people.shown(player), token(player)) for player in (one, other)]
    choices = offered(
        choice("実力と運", Ask.SKILL, **same, season=scope.option),
        choice("ほかの人と比べる", Ask.PAIR, player=token(one)),
        *period_choices(question, scope, **same),
        *season_choices(question, scope, **same),
        *(choice(f"{name}の相性", Ask.MATCHUP, player=player, **here) for name, player in pair),
        *(choice(name, Ask.PLAYER, player=player, **here) for name, player in pair),
    )
    return Reply((brief, picture), choices)


def _between(
    people: People,
    one: str,
    other: str,
    met: Meeting,
    last: Sequence[int],
) -> str:
    """What is between the two: 同卓で+679.1点　みどりが3戦連続先着中.

    `last` tells who was ahead, 0 or 1.
    """
    if not last:
        return ""
    ahead = one if met.gap >= 0 else other
    streak = next(
        (n for n, who in enumerate(reversed(last)) if who != last[-1]),
        len(last),
    )
    said = [f"同卓の点数差　{people.shown(ahead)} {texts.points(abs(met.gap))}"]
    if streak > 1:
        latest = (one, other)[last[-1]]
        said.append(f"{people.shown(latest)}が{streak}戦連続先着中")
    return "　".join(said)


def _figures(
    people: People,
    scope: Scope,
    one: str,
    other: str,
    ratings: Ratings,
) -> list[PairRow]:
    """The figures that both have.

    Games mark neither as better, nor do strengths that can't be compared.
    """
    own = careers_of(people, scope, ratings)
    rows = []
    apart = ratings.places[one].group != ratings.places[other].group
    for key in SHOWN:
        a = STATISTICS[key].value(own[one])
        b = STATISTICS[key].value(own[other])
        if key == "rating":
            a = ratings.standings[one].value
            b = ratings.standings[other].value
        if a is None or b is None:
            continue
        left = written(key, a, ratings)
        right = written(key, b, ratings)
        plain = left == right or key == "games" or (key == "rating" and apart)
        better = None if plain else int((a < b) != STATISTICS[key].lower_is_better)
        rows.append(PairRow(brief_of(key), left, right, better))
    return rows


@dataclass(frozen=True)
class PairRow:
    """One figure of both.

    `better`: 0 (left), 1 (right) or None (neither); the better one is bold.
    """

    label: str
    left: str
    right: str
    better: int | None = None


@dataclass(frozen=True)
class PairChart(Titled):
    """Two members, by name and colour. `ahead` counts the games each finished above the other;
    `last` tells who did in the last ones (0 left, 1 right), the latest last; `between` says it in
    words."""

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
        area.text("先着した回数", SMALL, MUTED, "middle", down=26)
        parts.ahead_bar(
            area.inset(top=54, bottom=32),
            chart.ahead,
            colours,
            always=True,
        )

    def latest(area: Area) -> None:
        area.text(
            f"最近{len(chart.last)}戦で先着した人（右が最新）", SMALL, MUTED, "middle", down=26
        )
        step = min(96, area.width / len(chart.last))
        for place, who in enumerate(chart.last):
            x = area.x + (place - (len(chart.last) - 1) / 2) * step
            area.paper.dot(x, area.top + 80, 26, colours[who])
        for down, words in zip((140, 184), between, strict=False):
            area.text(words, SMALL, INK, "middle", bold=True, down=down)

    # Who has long names is told of in two lines.
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
        title="対決",
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
