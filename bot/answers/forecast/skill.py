"""実力: how much of each member's points is skill and how much luck; of two members, who is
better.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.answers.common import outlooks
from bot.answers.common.members import People, asked_members, beside_picture, people_of, token
from bot.answers.common.scope import Scope, below, scope_of, too_few
from bot.chat.command import BY_SEASON, Ask, Below, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table, UserError
from bot.draw.glyphs import width
from bot.draw.layout import (
    EDGE,
    WIDTH,
    Area,
    Scale,
    Section,
    Titled,
    line,
    name_column,
    number,
    prose,
    space,
    titled,
)
from bot.draw.names import distinct_names
from bot.draw.style import BASELINE, BASELINE_COLOUR, INK, LABEL, MUTED, SMALL, WHITE, blend
from rating.forecast.past import Past
from rating.forecast.skill import skill_and_luck
from rating.forecast.strengths import is_informative, skills_of

LUCK = "運は、打った相手と自分の実力から見込まれる収支と、実際の収支との差です。"
SHARES = "割合は、平均点の差のうち実力による分です。本当の値は、10回に9回はこの幅に入ります。"
EARLIER = "前のシーズンの対局も考えています。"
WITHOUT_FINES = "収支は、罰符を除いた分です。"
ABSENT = "{}さんの対局が、この期間にはまだありません。"
HEADS = ("実力の分", "対局")
LEGEND = "濃い色：実力　淡い色：運　黒い線：合計"
# pixels of the words at the right (or more, if they are long), and of a row
_WORDS = 360
_PITCH = 104


def answer(question: Question) -> Reply:
    """Everybody's skill and luck, told of one member; of two members, who is better."""
    scope = scope_of(question)
    people = people_of(question)
    players = asked_members(question)
    past = outlooks.past_of_scope(question, scope)
    if past is None or past.members < 2 or past.played < question.spec.fewest:
        raise too_few(question, scope)
    here = past.names[: past.members]
    for player in players:
        if player not in here:
            raise UserError(ABSENT.format(people.shown(player)), _choices(question, scope, []))
    if len(players) == 2:
        table = _two(question, people, scope, past, players[0], players[1])
        return Reply((table,), _choices(question, scope, players))
    key = ("luck", past.digest())
    ratio = outlooks.skill_of(question, past)
    found = question.ratings.computed(key, lambda: skill_and_luck(past, skills_of(past)))
    told = {}
    for player, games in zip(here, past.games, strict=False):
        told[player] = ratio.share(int(games))
    if players:
        one = players[0]
    elif people.asker in here:
        one = people.asker
    else:
        one = found[0].player
    sentence = outlooks.sentence_of(people.shown(one), told[one], ratio)
    fairness = outlooks.fairness_words(question, past, people)
    rows = []
    for m in sorted(found, key=lambda m: (-m.games, m.player)):
        row = people.row(
            m.player,
            outlooks.share_words(told[m.player]),
            0,
            (f"{m.games}戦",),
        )
        rows.append(replace(row, mine=m.player == one))
    note = LUCK + SHARES + fairness
    if past.fined.any():
        note += WITHOUT_FINES
    table = Table(
        title=f"実力と運　{scope.title}",
        rows=tuple(rows),
        heads=HEADS,
        subtitle=_subtitle(scope, past),
        note=note,
        alt=f"実力と運：{sentence}",
    )
    if not any(map(is_informative, told.values())):
        without_bars = replace(table, note=sentence + SHARES + fairness)
        return Reply((without_bars,), _choices(question, scope, [one]))
    bars = []
    for m in found:
        skill = round(m.skill, 1)
        luck = round(m.luck, 1)
        own = m.player == one
        bars.append(
            SkillRow(
                people.shown(m.player),
                skill,
                luck,
                people.colour(m.player),
                own,
            )
        )
    chart = SkillChart(table.title, table.subtitle, sentence, tuple(bars))
    picture = Picture(chart, draw, table.notification, (table,))
    brief = beside_picture(table)
    return Reply((brief, picture), _choices(question, scope, [one]))


def _subtitle(scope: Scope, past: Past) -> str:
    return "　".join(filter(None, (outlooks.period_of(scope, past), f"{past.played}戦")))


def _two(
    question: Question, people: People, scope: Scope, past: Past, one: str, other: str
) -> Table:
    words = outlooks.better_words(question, past, people, one, other) or outlooks.UNSURE
    ratio = outlooks.skill_of(question, past)
    left = people.shown(one)
    right = people.shown(other)
    rows = []
    for player in (one, other):
        games = int(past.games[past.names.index(player)])
        share = outlooks.share_words(ratio.share(games))
        rows.append(people.row(player, share, extra=(f"{games}戦",)))
    title = f"{left} と {right}の実力　{scope.title}"
    alt = f"{left} と {right}：{words}"
    note = words + SHARES
    if past.earlier:
        note += EARLIER
    return Table(title, tuple(rows), HEADS, _subtitle(scope, past), note, alt)


def _choices(
    question: Question,
    scope: Scope,
    players: Sequence[str],
) -> tuple[Choice, ...]:
    named = list(map(token, players))
    season = scope.option
    ways: list[Choice] = []
    if len(named) == 2:
        ways = [
            choice(
                "対決",
                Ask.PAIR,
                player=named[0],
                other=named[1],
                season=season,
            )
        ]
    elif named:
        ways = [choice("個人", Ask.PLAYER, player=named[0], season=season)]
    return below(
        question,
        scope,
        *ways,
        player=named[0] if len(named) == 1 else "",
    )


@dataclass(frozen=True)
class SkillRow:
    """`skill` and `luck` are points in thousands, which add up to the member's points."""

    name: str
    skill: float
    luck: float
    colour: str = INK
    asker: bool = False


@dataclass(frozen=True)
class SkillChart(Titled):
    """Rows in the order they are drawn; `sentence` stands above them."""

    sentence: str
    rows: Sequence[SkillRow]


def draw(chart: SkillChart) -> bytes:
    """A PNG, 1200 pixels wide, as high as its rows need."""
    if not chart.rows:
        return titled(chart.title, chart.subtitle, [])
    shown = distinct_names(row.name for row in chart.rows)
    values = [0.0]
    wide = _WORDS
    for row in chart.rows:
        values += (row.skill, row.skill + row.luck)
        wide = max(wide, int(width(_parts(row), SMALL)) + 40)
    low = min(values)
    high = max(values)
    if high == low:
        high = low + 1
    start = EDGE + name_column(shown.values())
    end = WIDTH - EDGE - wide
    across = Scale(low, high, start, end)
    rows = []
    for row in chart.rows:
        draw_row = partial(_row, row, shown[row.name], across)
        rows.append(Section(_PITCH, draw_row))
    sections = [
        prose(chart.sentence, LABEL, INK, most=3),
        *rows,
        line(LEGEND),
        space(20),
    ]
    return titled(chart.title, chart.subtitle, sections)


def _row(row: SkillRow, name: str, across: Scale, area: Area) -> None:
    """Draw the bar of skill in the member's colour, luck's paler one after it, and the points'
    mark.
    """
    if row.asker:
        area.band()
    names, _, words = area.columns(
        across.start - EDGE,
        0,
        WIDTH - EDGE - across.end - 20,
    )
    names.inset(right=20).member(name, row.colour, row.asker)
    paper = area.paper
    y = area.y
    total = row.skill + row.luck
    paper.box(
        across(0.0),
        y - 24,
        across(row.skill),
        y + 24,
        row.colour,
    )
    half = 24 if row.skill * row.luck >= 0 else 10  # luck that takes from skill lies on it
    paper.box(
        across(row.skill),
        y - half,
        across(total),
        y + half,
        blend(row.colour, WHITE, 0.65),
    )
    paper.down(across(total), y - 34, y + 34, 6, INK)
    paper.down(across(0.0), area.top, area.bottom, BASELINE, BASELINE_COLOUR)
    words.text(
        number(
            round(total),
            signed=True,
        ),
        LABEL,
        INK,
        "right",
        bold=True,
        down=area.height / 2 - 18,
    )
    words.text(_parts(row), SMALL, MUTED, "right", down=area.height / 2 + 26)


def _parts(row: SkillRow) -> str:
    return f"実力{number(round(row.skill), signed=True)}　運{number(round(row.luck), signed=True)}"


SPECS = (
    Spec(
        name=Ask.SKILL,
        title="実力",
        help="収支のうち、どこまでが実力でどこからが運かを出します",
        answer=answer,
        words="実力 じつりょく 実力と運 実力差 実力の差 運と実力 実力順 実力と運の割合",
        takes=BY_SEASON,
        names=2,
        fewest=outlooks.FEWEST,
        empty=outlooks.TOO_FEW,
        below=(
            Below.OWN,
            Ask.FORECAST,
            Below.AGAIN,
            choice("レート検証", Ask.COMPARE),
            Ask.SUM,
        ),
    ),
)
