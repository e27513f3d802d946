"""ランキング: boards of everything that is counted; each is one bubble, with the other boards as buttons."""

from __future__ import annotations

from bot import texts
from bot.answers.common.figures import WORDS, careers_of, chips_left_out, written
from bot.answers.common.members import People, people_of
from bot.answers.common.ratings import Ratings, known_ratings
from bot.answers.common.scope import Scope, offered, period_choices, scope_of, season_choices, seat_choices
from bot.chat.command import BY_PERIOD, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Reply, Row, Table, UserError
from rating.careers import Career
from rating.standings import PROVISIONAL_GAMES
from rating.statistics import BOARD, STATISTICS, Ranked, Statistic, qualifying_games, ranking, shown_on
from rating.tallies import has_chips

QUALIFYING = "規定打数は{}戦です。"
NOBODY_YET = "規定打数は{}戦ですが、まだだれも届いていないので、{}戦以上で並べています。"
SHORT_OF = "規定打数（{}戦）未満"
NONE = "{}のランキングに出せる記録が、{}にはまだありません。下のボタンから選んでください。"
FIRST = "mean"


def answer(question: Question) -> Reply:
    """The board asked for, else that of mean placings."""
    scope, people, boards = scope_of(question), people_of(question), shown_on(BOARD)
    ratings = known_ratings(question, scope)
    own = careers_of(people, scope, ratings)
    asked = question.option("by") if question.option("by") in boards else FIRST
    least = qualifying_games(question.snapshot.league.rules.qualifying, own)
    told = [key for key in boards if _has_values(STATISTICS[key], scope, own)]
    choices = _choices(question, scope, [key for key in told if key != asked])
    if asked not in told:
        raise UserError(NONE.format(WORDS[asked].name, scope.title), choices)
    ranked = ranking(STATISTICS[asked], own, least)
    table = _table(people, scope, STATISTICS[asked], ranked, own=own, ratings=ratings, least=least)
    return Reply((table,), choices)


def _has_values(statistic: Statistic, scope: Scope, own: dict[str, Career]) -> bool:
    """Whether a board has anything to tell of these games."""
    if statistic.seats not in (0, scope.seats) or (statistic.key == "chips" and not has_chips(scope.games)):
        return False
    return any(statistic.value(career) is not None for career in own.values())


def _table(
    people: People,
    scope: Scope,
    statistic: Statistic,
    ranked: tuple[Ranked, ...],
    own: dict[str, Career],
    ratings: Ratings | None,
    least: int,
) -> Table:
    key, name = statistic.key, WORDS[statistic.key].name

    def row(each: Ranked) -> Row:
        career = own[each.player]
        found = statistic.counted(career) if statistic.records else None
        games = found.cases if found else career.tally.games
        return people.row(each.player, written(key, each.value, ratings), each.place, (f"{games}戦",))

    rows = tuple(row(each) for each in ranked if each.place)
    few = tuple(row(each) for each in ranked if not each.place)
    title = f"{name}ランキング　{scope.title}"
    top = "、".join(f"{r.rank}位 {r.name} {r.value}" for r in rows[:3])
    note = WORDS[key].note
    if statistic.unit == "balance":
        note += chips_left_out(people.snapshot, scope.games).sentence
    if statistic.unit == "points":
        note += texts.POINTS_ALONE * has_chips(scope.games)
    if statistic.rate:
        asked = people.snapshot.league.rules.qualifying
        usual = PROVISIONAL_GAMES if asked is None else asked
        note += QUALIFYING.format(usual) if usual == least else NOBODY_YET.format(usual, least)
    return Table(
        title,
        rows,
        heads=(name, "" if key == "games" else "対局"),
        subtitle=scope.subtitle,
        note=note,
        alt=f"{title}：{top}",
        more=((SHORT_OF.format(least), few),) if few else (),
    )


def _choices(question: Question, scope: Scope, boards: list[str]) -> tuple[Choice, ...]:
    """Boards first, from the one after the current, so that going on leads through all; then other games."""
    current, order = question.option("by"), shown_on(BOARD)
    here = {**scope.options, "seats": question.option("seats")}
    after = order.index(current) if current in order else -1
    turned = sorted(boards, key=lambda key: (order.index(key) < after, order.index(key)))
    others = [choice(WORDS[key].name, Ask.RANKING, **here, by=key) for key in turned]
    return offered(
        *others[:6],
        choice("順位推移", Ask.RANKS, **scope.options),
        *period_choices(question, scope, by=current),
        *seat_choices(question, scope, by=current),
        *season_choices(question, scope, by=current)[:2],
        *others[6:],
    )


SPECS = (
    Spec(
        name=Ask.RANKING,
        title="ランキング",
        help="平均着順・トップ率・最高スコアなどの順位表を出します",
        answer=answer,
        words=("ランキング", "順位表", "ランク", "ranking", "rank"),
        shortcuts={w: {"by": key} for key in shown_on(BOARD) for w in (WORDS[key].name, *WORDS[key].typed)},
        takes=BY_PERIOD,
        group=MenuGroup.EVERYBODY,
    ),
)
