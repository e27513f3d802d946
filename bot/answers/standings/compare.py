"""レート検証: which rating system fits this league.

Each predicts every game before it learns from it.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from bot import texts
from bot.answers.common.members import WHOLE, table_way
from bot.answers.common.outlooks import past_of_scope, skill_test_words
from bot.answers.common.ratings import model_title
from bot.answers.common.scope import ALL, Scope, below, scope_of, too_few
from bot.chat.command import BY_SEASON, Ask, Below, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Row, Table
from bot.draw import rows as row_charts, style
from bot.draw.layout import number
from bot.draw.rows import (
    Interval,
    IntervalColumn,
    NameColumn,
    RowName,
    RowPicture,
    Rows,
    WordColumn,
    Words,
    row_height,
)
from rating.models import MODELS
from rating.study.compare import (
    BURN_IN,
    FEWEST_DAYS,
    Comparison,
    ModelScore,
    Verdict,
    compare,
)

TOO_FEW = (
    f"比べるには{BURN_IN}戦より多くの対局が必要です（いまは{{played}}戦）。"
    "対局が増えたら、もう一度押してください。"
)
NAME = "レート検証"
TITLE = f"{NAME}　{{scope}}"
SUBTITLE = "{games}戦の予想を検証"
NOTIFICATION = "{title}：{verdict}"
HEADS = ("予想のずれ", "検証")
CHANCE = "どのレートも、偶然の予想を統計的に上回っているとは、まだ言えません。"
CHANCE_IN_FEW_DAYS = (
    f"{CHANCE}予想した日がまだ{{days}}日なので、{{fewest}}日になるまで検証できません。"
)
SKILL = "{models}は、偶然の予想を統計的に上回っています。"
BLUE = "青いレートは、偶然の予想を統計的に上回っています。"
BEST = "いちばん当たったのは「{model}」で、ほかのどのレートよりも統計的に上です。"
TIED = "「{model}」と{rivals}の差は、まだはっきりしません。"
COPIED = "「{copy}」は「{model}」と同じ予想になるので、表から省きました。"
EXPLAINED = (
    "打つ前のレートだけで着順を予想し、実際の結果とのずれを比べました。"
    "0より小さいほど、偶然の予想より当たっています。"
)
OWN_MODEL = "色のついた行が、いま使っているレートです。"
NOTE = "{verdict}\n{skill}{explained}{copies}{own_model}"
QUOTED = "「{model}」"
AND_MORE = "{models}ほか{count}つ"
ABOVE_CHANCE = "偶然より上"
LIKE_CHANCE = "偶然と互角"
LIKE_FIRST = "1位と互角"
BELOW_FIRST = "1位に劣る"
BETTER = "← 偶然より当たる"
WORSE = "偶然より外れる →"
_NAMES = 416  # pixels for the systems' titles
FEW_NAMES = 2  # systems named in a notification and in a picture


def answer(question: Question) -> Reply:
    """The comparison as a picture with its result in a sentence; as a table with `show`."""
    scope = scope_of(question, ALL)
    if len(scope.games) < question.spec.fewest:
        raise too_few(question, scope, skill_button(scope))
    comparison = _figures(question, scope)
    table = _table(question, scope, comparison)
    buttons = _buttons(question, scope)
    if question.option("show") == WHOLE:
        return Reply((table,), buttons)
    brief = replace(table, by_picture=_brief(table, comparison))
    return Reply((brief, _picture(question, table, comparison)), buttons)


def _figures(question: Question, scope: Scope) -> Comparison:
    systems = question.snapshot.systems()
    key = ("compare", scope.games, repr(systems))
    return question.ratings.computed(key, lambda: compare(scope.games, systems), long=True)


def _table(question: Question, scope: Scope, comparison: Comparison) -> Table:
    rows = _rows(question, scope, comparison)
    title = TITLE.format(scope=scope.title)
    past = past_of_scope(question, scope)
    copies = [
        COPIED.format(copy=model_title(score.model), model=model_title(score.same_as))
        for score in comparison.models
        if score.same_as
    ]
    note = NOTE.format(
        verdict=verdict_of(comparison),
        skill=skill_test_words(question, past) if past else "",
        explained=EXPLAINED,
        copies="".join(copies),
        own_model=OWN_MODEL,
    )
    subtitle = SUBTITLE.format(games=comparison.games)
    alt = NOTIFICATION.format(title=title, verdict=verdict_of(comparison, FEW_NAMES))
    return Table(title, tuple(rows), HEADS, subtitle, note, alt, plain=True)


def _rows(question: Question, scope: Scope, comparison: Comparison) -> list[Row]:
    """A row for each system, which a tap shows the ratings of; the league's own is marked."""
    rows = []
    for place, score in enumerate(distinct(comparison), 1):
        row = Row(
            model_title(score.model),
            texts.number(score.difference, 4, True),
            str(place),
            (judgement_of(comparison, score, place),),
            mine=score.model == question.snapshot.league.model,
            data=choice("", Ask.RATING, model=score.model, season=scope.option).data,
        )
        rows.append(row)
    return rows


def judgement_of(comparison: Comparison, score: ModelScore, place: int) -> str:
    """How a system compares with chance or, where any is better than that, with the first."""
    if place > 1 and comparison.verdict is Verdict.SKILL:
        return LIKE_FIRST if score.model in comparison.ties else BELOW_FIRST
    return ABOVE_CHANCE if score.beats_chance else LIKE_CHANCE


def _brief(table: Table, comparison: Comparison) -> Table:
    """The table's result in one sentence; the picture has the others."""
    sentence, end, _ = verdict_of(comparison, FEW_NAMES).partition("。")
    return replace(
        table,
        rows=(),
        heads=(),
        note=sentence + end,
        alt=table.notification,
    )


def _picture(question: Question, table: Table, comparison: Comparison) -> Picture:
    own_model = question.snapshot.league.model
    chart = loss_chart(comparison, table.title, table.subtitle, own_model)
    return Picture(chart, row_charts.draw, table.notification, (table,))


def _buttons(question: Question, scope: Scope) -> tuple[Choice, ...]:
    return below(question, scope, table_way(question), skill_button(scope))


def skill_button(scope: Scope) -> Choice:
    return choice("実力と運", Ask.SKILL, season=scope.option)


def distinct(comparison: Comparison) -> list[ModelScore]:
    """The systems without those whose predictions are another's."""
    return [score for score in comparison.models if not score.same_as]


def verdict_of(comparison: Comparison, most: int | None = None) -> str:
    """The result of the comparison in one or two sentences; lists of systems have at most `most`
    names.
    """
    better = [score.model for score in distinct(comparison) if score.beats_chance]
    if better:
        return SKILL.format(models=_names(better, most)) + _leader(comparison, most)
    if comparison.days < FEWEST_DAYS:
        return CHANCE_IN_FEW_DAYS.format(days=comparison.days, fewest=FEWEST_DAYS)
    return CHANCE


def _leader(comparison: Comparison, most: int | None) -> str:
    """The sentence on the system that predicts best, and on those that may be as good."""
    if comparison.best:
        return BEST.format(model=model_title(comparison.best))
    first = comparison.models[0].model
    return TIED.format(model=model_title(first), rivals=_names(comparison.ties, most))


def _names(models: Sequence[str], most: int | None) -> str:
    """The systems' titles in a row; with `most`, no more than that many, and the number of the
    others.
    """
    titles = map(model_title, models[:most])
    names = "".join(QUOTED.format(model=title) for title in titles)
    unnamed = len(models) - len(models[:most])
    return AND_MORE.format(models=names, count=unnamed) if unnamed else names


def loss_chart(
    comparison: Comparison, title: str, subtitle: str, own_model: str = ""
) -> RowPicture:
    """Each system's log loss less chance's, in nats per game, best first; blue: it surely beats
    chance.
    """
    names = []
    intervals = []
    values = []
    for score in sorted(distinct(comparison), key=lambda score: score.difference):
        if not isfinite(score.difference):
            continue
        colour = style.UP if score.beats_chance else style.INK
        own = score.model == own_model
        names.append(RowName(model_title(score.model), colour, asker=own))
        intervals.append(Interval(score.difference, score.low, score.high, colour, asker=own))
        values.append(Words(number(score.difference, 4, signed=True), bold=own))
    columns = (
        NameColumn(tuple(names), width=_NAMES),
        IntervalColumn(tuple(intervals), 0, 3, left=BETTER, right=WORSE),
        WordColumn(tuple(values)),
    )
    note = verdict_of(comparison)
    if comparison.verdict is Verdict.SKILL:
        note = BLUE + _leader(comparison, FEW_NAMES)
    return RowPicture(title, subtitle, Rows(columns, row_height(len(names))), note=note)


def draw_losses(comparison: Comparison, title: str, subtitle: str) -> list[bytes]:
    """The chart of the systems' log losses (PNG), for the command line."""
    return [row_charts.draw(loss_chart(comparison, title, subtitle))]


SPECS = (
    Spec(
        name=Ask.COMPARE,
        title=NAME,
        help="どのレートが結果をよく当てるかを検証します",
        answer=answer,
        words=f"{NAME} 比較 ひかく レート比較",
        takes=BY_SEASON,
        fewest=BURN_IN + 1,
        empty=TOO_FEW,
        below=(
            Below.OWN,
            Below.AGAIN,
            *(choice(model_title(model), Ask.RATING, model=model) for model in MODELS),
        ),
        slow=True,
    ),
)
