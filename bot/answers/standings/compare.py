"""レート検証: shows which rating system fits this league. Each system predicts every game before it learns
from it."""

from __future__ import annotations

from collections.abc import Sequence

from bot import texts
from bot.answers.common.members import People, people_of
from bot.answers.common.model_names import model_title
from bot.answers.common.outlooks import past_of_scope
from bot.answers.common.scope import ALL, Scope, offered, scope_of, season_choices, seat_choices
from bot.answers.common.skill_words import skill_test_words
from bot.answers.standings import calibration_picture as calibration
from bot.answers.standings import compare_picture as loss
from bot.chat.command import BY_SEASON, Ask, Question, Spec, choice
from bot.chat.replies import Choice, Part, Picture, Reply, Row, Table, UserError
from rating.models import MODELS
from rating.study.compare import BURN_IN, Comparison, ModelScore, Verdict, compare
from rating.study.days_drawn import FEWEST_DAYS

TOO_FEW = "比べるには{}戦より多くの対局が必要です（いまは{}戦）。対局が増えたら、もう一度押してください。"
TITLE = "レート検証"
CHANCE = "どのレートも、偶然の予想を統計的に上回っているとは、まだ言えません。対局が増えるとはっきりします。"
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


def answer(question: Question) -> Reply:
    """The comparison as a table and a picture, and the calibration of the best system that beats chance."""
    scope, people = scope_of(question, ALL), people_of(question)
    found = comparison(question, scope)
    best = next((e for e in found.models if e.beats_chance), None)
    past = past_of_scope(question, scope)
    table = _table(people, scope, found, skill_test_words(question, past) if past else "")
    parts: list[Part] = [table]
    if best:
        parts.append(_calibration(scope, best, table))
    return Reply((*parts, _losses(people, scope, found, table)), _choices(question, scope))


def comparison(question: Question, scope: Scope) -> Comparison:
    """The comparison of all systems on the scope's games. It is computed once; others who ask meanwhile wait
    for it.

    Raises UserError when there are not more than BURN_IN games.
    """
    if len(scope.games) <= BURN_IN:
        raise UserError(TOO_FEW.format(BURN_IN, len(scope.games)), _choices(question, scope))
    systems = question.snapshot.systems()
    key = ("compare", scope.games, repr(systems))
    return question.ratings.computed(key, lambda: compare(scope.games, systems))


def _title(scope: Scope) -> str:
    return f"{TITLE}　{scope.title}"


def _table(people: People, scope: Scope, found: Comparison, skill: str) -> Table:
    own, title = people.snapshot.league.model, _title(scope)
    rows = tuple(
        Row(
            model_title(entry.model),
            texts.number(entry.difference, 4, True),
            str(place),
            extra=(_judgement(entry, place, found),),
            mine=entry.model == own,
            data=choice("", Ask.RATING, model=entry.model, season=scope.option).data,
        )
        for place, entry in enumerate(distinct(found), 1)
    )
    copies = "".join(
        COPIED.format(model_title(e.model), model_title(e.same_as)) for e in found.models if e.same_as
    )
    return Table(
        title,
        rows,
        heads=("予想のずれ", "検証"),
        subtitle=f"{found.games}戦の予想を検証",
        note=f"{verdict_of(found)}\n{skill}{EXPLAINED}{copies}色のついた行が、いま使っているレートです。",
        alt=f"{title}：{verdict_of(found, FEW_NAMES)}",
        plain=True,
    )


def _judgement(entry: ModelScore, place: int, found: Comparison) -> str:
    """Whether the system beats chance, or whether the first is surely ahead of it. The picture has the
    intervals."""
    if place > 1 and found.verdict is Verdict.SKILL:
        return "1位と互角" if entry.model in found.ties else "1位に劣る"
    return "偶然より上" if entry.beats_chance else "偶然と互角"


def distinct(found: Comparison) -> list[ModelScore]:
    """The systems, best first, without those whose predictions are another's."""
    return [entry for entry in found.models if not entry.same_as]


def _losses(people: People, scope: Scope, found: Comparison, table: Table) -> Picture:
    chart = loss_chart(found, _title(scope), table.subtitle, people.snapshot.league.model)
    return Picture(chart, loss.draw, table.alt, (table,))


def verdict_of(found: Comparison, most: int | None = None) -> str:
    """The result of the comparison in one or two sentences; lists of systems have at most `most` names."""
    sure = [entry.model for entry in distinct(found) if entry.beats_chance]
    if not sure:
        few = found.days < FEWEST_DAYS
        return CHANCE + (FEW_DAYS.format(found.days, FEWEST_DAYS) if few else "")
    return SKILL.format(_named(sure, most)) + _ahead(found, most)


def _ahead(found: Comparison, most: int | None) -> str:
    """Which system is the best, or which ones may be."""
    if found.best:
        return BEST.format(model_title(found.best))
    return TIED.format(model_title(found.models[0].model), _named(found.ties, most))


def _below_picture(found: Comparison) -> str:
    """The result as it stands below the picture, whose colours tell what beats chance."""
    sure = any(entry.beats_chance for entry in found.models)
    return BLUE + _ahead(found, FEW_NAMES) if sure else verdict_of(found)


def _named(models: Sequence[str], most: int | None) -> str:
    """The systems' titles in a row; with `most`, no more than that many, and the number of the others."""
    names = "".join(f"「{model_title(model)}」" for model in models[:most])
    left = len(models) - len(models[:most])
    return f"{names}ほか{left}つ" if left else names


def loss_chart(found: Comparison, title: str, subtitle: str, own: str = "") -> loss.LossChart:
    """Each system's log loss less that of chance, in nats per game. `own` is the league's own system."""
    models = tuple(
        loss.ModelLoss(model_title(e.model), e.difference, e.low, e.high, e.beats_chance, e.model == own)
        for e in distinct(found)
    )
    return loss.LossChart(title, subtitle, models, _below_picture(found))


def _calibration(scope: Scope, entry: ModelScore, table: Table) -> Picture:
    return Picture(calibration_chart(entry, scope.subtitle), calibration.draw, table.alt, (table,))


def calibration_chart(entry: ModelScore, subtitle: str) -> calibration.CalibrationChart:
    """The chances of first and last place that a system predicted, beside how often they came true."""
    first, last = (
        tuple(calibration.CalibrationPoint(b.predicted, b.observed, b.low, b.high, b.seats) for b in part)
        for part in (entry.first, entry.last)
    )
    return calibration.CalibrationChart(f"{model_title(entry.model)}の予想と実際", subtitle, first, last)


def _choices(question: Question, scope: Scope) -> tuple[Choice, ...]:
    return offered(
        choice("実力と運", Ask.SKILL, season=scope.option),
        *season_choices(question, scope.option),
        *seat_choices(question, scope),
        *(choice(model_title(m), Ask.RATING, model=m) for m in MODELS),
    )


SPECS = (
    Spec(
        name=Ask.COMPARE,
        title=TITLE,
        help="どのレートが結果をよく当てるかを検証します",
        answer=answer,
        words=(TITLE, "比較", "ひかく", "レート比較"),
        takes=BY_SEASON,
        slow=True,
    ),
)
