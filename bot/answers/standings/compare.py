"""比較: shows which rating system fits this league. Each system predicts every game before it learns from it."""

from __future__ import annotations

from bot import texts
from bot.answers.common.members import People, people_of
from bot.answers.common.model_names import model_title
from bot.answers.common.scope import ALL, Scope, offered, scope_of, season_choices, seat_choices
from bot.charts import calibration
from bot.charts import compare as loss
from bot.chat.command import Question, Spec, choice
from bot.chat.replies import Choice, Part, Picture, Reply, Row, Table, UserError
from rating.compare import BURN_IN, Comparison, ModelScore, compare
from rating.models import MODELS

TOO_FEW = "比べるには{}戦より多くの対局が必要です（いまは{}戦）。対局が増えたら、もう一度押してください。"
CHANCE = "どのレートも、まだ運まかせの予想より当たるとは言えません。対局が増えるとはっきりします。"
BEST = "いちばん当たったのは「{}」です。"
SKILL = "{}は、運まかせの予想より確かに当たっています。"
EXPLAINED = "打つ前のレートだけで着順を予想し、実際の結果とのずれを比べました。0より小さいほど、運まかせより当たっています。"


def answer(question: Question) -> Reply:
    """The comparison as a table and a picture, and the calibration of the best system that beats chance."""
    scope, people = scope_of(question, ALL), people_of(question)
    found = comparison(question, scope)
    best = next((e for e in found.models if e.beats_chance), None)
    table = _table(people, scope, found, verdict_of(found))
    parts: list[Part] = [_losses(people, scope, found, table)]
    if best:
        parts.append(_calibration(scope, best, table))
    return Reply((*parts, table), _choices(question, scope))


def comparison(question: Question, scope: Scope) -> Comparison:
    """The comparison of all systems on the scope's games. It is computed once; others who ask meanwhile wait for it.

    Raises UserError when there are not more than BURN_IN games.
    """
    if len(scope.games) <= BURN_IN:
        raise UserError(TOO_FEW.format(BURN_IN, len(scope.games)), _choices(question, scope))
    systems = question.snapshot.systems()
    key = ("compare", scope.games, repr(systems))
    return question.ratings.computed(key, lambda: compare(scope.games, systems))


def _title(scope: Scope) -> str:
    return f"レートの比較　{scope.title}"


def _table(people: People, scope: Scope, found: Comparison, verdict: str) -> Table:
    own = people.snapshot.league.model
    rows = tuple(
        Row(
            model_title(entry.model),
            texts.number(entry.difference, 4, True),
            str(place),
            detail=f"誤差の幅 {texts.number(entry.low, 3, True)} 〜 {texts.number(entry.high, 3, True)}"
            + ("　運より当たる" if entry.beats_chance else ""),
            mine=entry.model == own,
            data=choice("", "rating", model=entry.model, season=scope.option).data,
        )
        for place, entry in enumerate(found.models, 1)
    )
    note = f"{verdict}\n{EXPLAINED}色のついた行が、いま使っているレートです。"
    title = _title(scope)
    return Table(
        title,
        rows,
        heads=("予想のずれ",),
        subtitle=f"{found.games}戦の予想で比較",
        note=note,
        alt=f"{title}：{verdict}",
    )


def _losses(people: People, scope: Scope, found: Comparison, table: Table) -> Picture:
    chart = loss_chart(found, _title(scope), table.subtitle, people.snapshot.league.model)
    return Picture(chart, loss.draw, table.alt, (table,))


def verdict_of(found: Comparison) -> str:
    """The result of the comparison in one or two sentences."""
    sure = [f"「{model_title(entry.model)}」" for entry in found.models if entry.beats_chance]
    if not sure:
        return CHANCE
    names = "と".join(sure[:3]) + ("など" if len(sure) > 3 else "")
    return BEST.format(model_title(found.models[0].model)) + SKILL.format(names)


def loss_chart(found: Comparison, title: str, subtitle: str, own: str = "") -> loss.LossChart:
    """Each system's log loss less that of chance, in nats per game. `own` is the league's own system."""
    models = tuple(
        loss.ModelLoss(model_title(e.model), e.difference, e.low, e.high, e.model == own)
        for e in found.models
    )
    return loss.LossChart(title, subtitle, models, verdict_of(found))


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
        *season_choices(question, scope.option),
        *seat_choices(question, scope),
        *(choice(model_title(m), "rating", model=m) for m in MODELS),
    )


SPECS = (
    Spec(
        name="compare",
        title="比較",
        help="どのレートが結果をよく当てるかを比べます",
        answer=answer,
        words=("比較", "ひかく", "レート比較"),
        plain=True,
        slow=True,
    ),
)
