"""レート検証: which rating system fits this league.

Each predicts every game before it learns from it.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite, sqrt

from bot import texts
from bot.answers.common.members import WHOLE, people_of, table_way
from bot.answers.common.outlooks import past_of_scope, skill_test_words
from bot.answers.common.ratings import model_title
from bot.answers.common.scope import ALL, below, scope_of, too_few
from bot.answers.standings import forest_picture as forest
from bot.answers.standings.forest_picture import ForestChart, Interval
from bot.chat.command import BY_SEASON, Ask, Below, Question, Spec, choice
from bot.chat.replies import Picture, Reply, Row, Table
from bot.draw import glyphs, style
from bot.draw.layout import Area, Scale, Section, number, ticks, titled
from rating.models import MODELS
from rating.study.compare import (
    BURN_IN,
    FEWEST_DAYS,
    Comparison,
    ForecastBin,
    ModelScore,
    Verdict,
    compare,
)

TOO_FEW = (
    f"比べるには{BURN_IN}戦より多くの対局が必要です（いまは{{played}}戦）。"
    "対局が増えたら、もう一度押してください。"
)
TITLE = "レート検証"
CHANCE = "どのレートも、偶然の予想を統計的に上回っているとは、まだ言えません。"
FEW_DAYS = "予想した日がまだ{}日なので、{}日になるまで検証できません。"
SKILL = "{}は、偶然の予想を統計的に上回っています。"
BLUE = "青いレートは、偶然の予想を統計的に上回っています。"
BEST = "いちばん当たったのは「{}」で、ほかのどのレートよりも統計的に上です。"
TIED = "「{}」と{}の差は、まだはっきりしません。"
COPIED = "「{}」は「{}」と同じ予想になるので、表から省きました。"
EXPLAINED = (
    "打つ前のレートだけで着順を予想し、実際の結果とのずれを比べました。"
    "0より小さいほど、偶然の予想より当たっています。"
)
FEW_NAMES = 2  # systems named in a notification and in a picture
# pixels of a square of the calibration plot, and of what stands above it
_SIDE = 470
_ABOVE = 116


def answer(question: Question) -> Reply:
    """The comparison as a picture with its result in a sentence; as a table with `show`."""
    scope = scope_of(question, ALL)
    people = people_of(question)
    systems = question.snapshot.systems()
    skill_and_luck = choice("実力と運", Ask.SKILL, season=scope.option)
    if len(scope.games) < question.spec.fewest:
        raise too_few(question, scope, skill_and_luck)
    key = ("compare", scope.games, repr(systems))
    found = question.ratings.computed(key, lambda: compare(scope.games, systems), long=True)
    past = past_of_scope(question, scope)
    skill = skill_test_words(question, past) if past else ""
    rows = []
    for place, entry in enumerate(distinct(found), 1):
        judgement = "偶然より上" if entry.beats_chance else "偶然と互角"
        if place > 1 and found.verdict is Verdict.SKILL:  # whether the first is surely ahead of it
            judgement = "1位と互角" if entry.model in found.ties else "1位に劣る"
        title = model_title(entry.model)
        value = texts.number(entry.difference, 4, True)
        own = entry.model == people.snapshot.league.model
        data = choice("", Ask.RATING, model=entry.model, season=scope.option).data
        rows.append(
            Row(
                title,
                value,
                str(place),
                (judgement,),
                mine=own,
                data=data,
            )
        )
    copies = "".join(
        COPIED.format(model_title(e.model), model_title(e.same_as))
        for e in found.models
        if e.same_as
    )
    title = f"{TITLE}　{scope.title}"
    heads = ("予想のずれ", "検証")
    subtitle = f"{found.games}戦の予想を検証"
    note = (
        f"{verdict_of(found)}\n{skill}{EXPLAINED}{copies}色のついた行が、いま使っているレートです。"
    )
    alt = f"{title}：{verdict_of(found, FEW_NAMES)}"
    table = Table(title, tuple(rows), heads, subtitle, note, alt, plain=True)
    choices = below(question, scope, table_way(question), skill_and_luck)
    if question.option("show") == WHOLE:
        return Reply((table,), choices)
    # one sentence; the picture has the others
    said, end, _ = verdict_of(found, FEW_NAMES).partition("。")
    by_picture = replace(
        table,
        rows=(),
        heads=(),
        note=said + end,
        alt=table.notification,
    )
    losses = loss_chart(found, table.title, table.subtitle, people.snapshot.league.model)
    picture = Picture(losses, forest.draw, table.notification, (table,))
    return Reply((replace(table, by_picture=by_picture), picture), choices)


def distinct(found: Comparison) -> list[ModelScore]:
    return [entry for entry in found.models if not entry.same_as]


def verdict_of(found: Comparison, most: int | None = None) -> str:
    """The result of the comparison in one or two sentences; lists of systems have at most `most`
    names.
    """
    sure = [entry.model for entry in distinct(found) if entry.beats_chance]
    if not sure:
        return CHANCE + (
            FEW_DAYS.format(found.days, FEWEST_DAYS) if found.days < FEWEST_DAYS else ""
        )
    return SKILL.format(_named(sure, most)) + _ahead(found, most)


def _ahead(found: Comparison, most: int | None) -> str:
    if found.best:
        return BEST.format(model_title(found.best))
    return TIED.format(
        model_title(found.models[0].model),
        _named(found.ties, most),
    )


def _named(models: Sequence[str], most: int | None) -> str:
    """The systems' titles in a row; with `most`, no more than that many, and the number of the
    others.
    """
    names = "".join(f"「{model_title(model)}」" for model in models[:most])
    left = len(models) - len(models[:most])
    return f"{names}ほか{left}つ" if left else names


def loss_chart(found: Comparison, title: str, subtitle: str, own: str = "") -> ForestChart:
    """Each system's log loss less chance's, in nats per game, best first; blue: it surely beats
    chance.
    """
    rows = []
    for entry in distinct(found):
        span = (entry.difference, entry.low, entry.high)
        words = number(entry.difference, 4, signed=True)
        colour = style.UP if entry.beats_chance else style.INK
        mine = entry.model == own
        rows.append(
            Interval(
                model_title(entry.model),
                *span,
                colour,
                asker=mine,
                words=words,
            )
        )
    sure = any(entry.beats_chance for entry in found.models)
    note = BLUE + _ahead(found, FEW_NAMES) if sure else verdict_of(found)
    ends = "← 偶然より当たる", "偶然より外れる →"
    return ForestChart(title, subtitle, rows, 0, 3, *ends, note, lowest_first=True)


def draw_losses(found: Comparison, title: str, subtitle: str) -> list[bytes]:
    """The chart of the systems' log losses (PNG), for the command line."""
    return [forest.draw(loss_chart(found, title, subtitle))]


def draw_best_calibration(found: Comparison, subtitle: str) -> list[bytes]:
    """The calibration plot of the best system (PNG), for the command line."""
    best = next(entry for entry in found.models if entry.beats_chance or entry.model in MODELS)
    return [draw_calibration(best, subtitle)]


def draw_calibration(entry: ModelScore, subtitle: str) -> bytes:
    """A PNG of 1200 x 890 pixels: the chances of first and of last place that a system predicted,
    and how often they came true; larger dots, more seats."""
    bins = [*entry.first, *entry.last]
    title = f"{model_title(entry.model)}の予想と実際"
    edges: list[float] = []
    for group in bins:
        figures = (group.predicted, group.observed, group.low, group.high)
        edges.extend(filter(isfinite, figures))
    if not bins:
        return titled(title, subtitle, [], 890, ("まだ予想できる対局がありません", ""))
    low = max(0.0, min(edges) - 0.03)
    high = min(1.0, max(edges) + 0.03)
    most = max(b.seats for b in bins)

    def draw(area: Area) -> None:
        shown = (
            ("トップの確率", entry.first, style.UP),
            ("ラスの確率", entry.last, style.DOWN),
        )
        for square, (words, part, colour) in zip(
            area.inset(72).columns(0, 0, gap=92), shown, strict=True
        ):
            square.text(words, style.LABEL, colour, bold=True, down=34)
            _square(part, colour, (low, high), most, square.inset(top=_ABOVE))

    def note(area: Area) -> None:
        words = "横：予想　縦：実際　斜線：ぴったり　円と上の数：件数"
        area.inset(72).text(words, style.SMALL, style.MUTED, down=92)

    return titled(title, subtitle, [Section(_ABOVE + _SIDE, draw), Section(146, note)])


def _square(
    part: Sequence[ForecastBin],
    colour: str,
    ends: tuple[float, float],
    most: int,
    frame: Area,
) -> None:
    """Draw the groups on axes between the `ends`; `most` is the count of the largest dot."""
    paper = frame.paper
    low, high = ends
    across = Scale(low, high, frame.left, frame.right)
    up = Scale(low, high, frame.bottom, frame.top)
    for mark in ticks(low, high, 4):
        paper.across(up(mark), frame.left, frame.right, style.GRID, style.GRID_COLOUR)
        paper.down(across(mark), frame.top, frame.bottom, style.GRID, style.GRID_COLOUR)
        paper.text(
            frame.left - 12,
            up(mark),
            f"{mark:.0%}",
            style.SMALL,
            style.MUTED,
            "right",
        )
        paper.text(
            across(mark), frame.bottom + 32, f"{mark:.0%}", style.SMALL, style.MUTED, "middle"
        )
    paper.line(
        (frame.left, frame.right),
        (frame.bottom, frame.top),
        4,
        style.BASELINE_COLOUR,
        (3.0, 2.0),
    )
    end = frame.left - 20
    for group in sorted(part, key=lambda group: group.predicted):
        half = glyphs.width(f"{group.seats}", style.SMALL) / 2
        x = min(
            max(across(group.predicted), frame.left + half),
            frame.right - half,
        )
        if x - half >= end + 10:  # a count that would touch the one before it is left out
            paper.text(x, frame.top - 24, f"{group.seats}", style.SMALL, style.MUTED, "middle")
            end = x + half
    for group in part:
        if not (isfinite(group.predicted) and isfinite(group.observed) and group.seats > 0):
            continue
        x = across(group.predicted)
        if isfinite(group.low) and isfinite(group.high):
            top = up(min(group.high, high))
            foot = up(max(group.low, low))
            paper.pill(
                x - 3,
                top,
                x + 3,
                foot,
                radius=3,
                colour=style.blend(
                    colour,
                    style.WHITE,
                    0.5,
                ),
            )
        paper.dot(
            x,
            up(group.observed),
            7 + 17 * sqrt(group.seats / most),
            colour,
            style.WHITE,
            3,
        )


SPECS = (
    Spec(
        name=Ask.COMPARE,
        title=TITLE,
        help="どのレートが結果をよく当てるかを検証します",
        answer=answer,
        words=f"{TITLE} 比較 ひかく レート比較",
        takes=BY_SEASON,
        fewest=BURN_IN + 1,
        empty=TOO_FEW,
        below=(
            Below.OWN,
            Below.AGAIN,
            *(choice(model_title(m), Ask.RATING, model=m) for m in MODELS),
        ),
        slow=True,
    ),
)
