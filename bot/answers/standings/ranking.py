"""ランキング: boards of everything that is counted; each is one bubble, with the other boards as buttons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from bot import texts
from bot.answers.common.members import People, people_of
from bot.answers.common.model_names import course_model
from bot.answers.common.ratings import Ratings, ratings_of
from bot.answers.common.scope import Scope, offered, period_choices, scope_of, season_choices, seat_choices
from bot.answers.standings.balance import chips_left_out
from bot.chat.command import BY_PERIOD, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Reply, Row, Table, UserError
from bot.league.season_past import chip_worth
from rating.boards import BOARDS, Busts, Figures, Ranked, figures_of, qualifying_games, ranking
from rating.standings import PROVISIONAL_GAMES
from rating.tallies import has_chips

QUALIFYING = "規定打数は{}戦です。"
NOBODY_YET = "規定打数は{}戦ですが、まだだれも届いていないので、{}戦以上で並べています。"
SHORT_OF = "規定打数（{}戦）未満"
NONE = "{}のランキングに出せる記録が、{}にはまだありません。下のボタンから選んでください。"


@dataclass(frozen=True)
class BoardWords:
    """A board in words: its title, how a value is written, what its note says, and other words it is asked with."""

    title: str
    words: Callable[[float], str]
    note: str = ""
    typed: tuple[str, ...] = ()


BOARD_WORDS = {
    "mean": BoardWords("平均着順", texts.decimals),
    "total": BoardWords("収支", texts.points),
    "average": BoardWords("1戦平均", texts.points, "収支を対局数で割った点数（千点）です。", ("平均収支",)),
    "first": BoardWords("トップ率", texts.percent),
    "upper": BoardWords("連対率", texts.percent, "トップか2着の割合です。"),
    "last": BoardWords("ラス率", texts.percent, "低い順です。"),
    "ahead": BoardWords("先着率", texts.percent, "同じ卓の相手より上の順位だった割合です。"),
    "best": BoardWords("最高スコア", texts.points),
    "worst": BoardWords("最低スコア", texts.points, "1戦で最も悪かった点数の、よい順です。"),
    "day": BoardWords("最高の1日", texts.points),
    "firsts": BoardWords("連続トップ", texts.in_a_row),
    "not_lasts": BoardWords("連続ラス回避", texts.in_a_row),
    "uppers": BoardWords("連続連対", texts.in_a_row),
    "rating": BoardWords("レート", texts.number),
    "peak": BoardWords("最高レート", texts.number),
    "games": BoardWords("対局数", lambda value: f"{value:.0f}戦"),
    "chips": BoardWords("チップ平均", texts.chips_a_game, "チップの記録がある対局の、1戦あたりの枚数です。"),
    "busts": BoardWords(
        "トビ率", texts.percent, "牌譜がある対局のうち、0点未満で終わった割合です。低い順です。", ("飛び率",)
    ),
}
FIRST = "mean"


def answer(question: Question) -> Reply:
    """The board asked for, else that of mean placings."""
    scope, people = scope_of(question), people_of(question)
    ratings = _ratings(question, scope)
    figures = {p: f for p, f in _figures(question, scope, ratings).items() if p in people.order}
    name = question.option("by") if question.option("by") in BOARDS else FIRST
    board = BOARDS[name]
    least = qualifying_games(question.snapshot.league.rules.qualifying, figures)
    ranked = ranking(board, figures, least)
    title = BOARD_WORDS[name].title
    shown = [other for other in BOARDS if other != name and _told(other, scope, figures)]
    if not ranked or not _told(name, scope, figures):
        raise UserError(NONE.format(title, scope.title), _choices(question, scope, shown))
    table = _table(people, scope, name, ranked=ranked, figures=figures, ratings=ratings, least=least)
    return Reply((table,), _choices(question, scope, shown))


def _told(name: str, scope: Scope, figures: dict[str, Figures]) -> bool:
    """Whether a board has anything to tell of these games."""
    if BOARDS[name].seats not in (0, scope.seats) or (name == "chips" and not has_chips(scope.games)):
        return False
    return any(BOARDS[name].value(each) is not None for each in figures.values())


def _ratings(question: Question, scope: Scope) -> Ratings | None:
    try:
        return ratings_of(question, scope, course_model(question.snapshot.league.model))
    except UserError:
        return None


def _figures(question: Question, scope: Scope, ratings: Ratings | None) -> dict[str, Figures]:
    rated = {}
    for player, line in (ratings.history if ratings else {}).items():
        if line.values:
            rated[player] = (line.last, max(line.values))
    return figures_of(scope.games, chip_worth(question.snapshot), rated, _busts(question, scope))


def _busts(question: Question, scope: Scope) -> dict[str, Busts]:
    """Busts by the records of the scope's days and seats; none where the scope's games have no dates."""
    days = {game.day for game in scope.games if game.day}
    ended: Counter[str] = Counter()
    busts: Counter[str] = Counter()
    for entry in question.snapshot.paifus:
        if entry.day not in days or entry.seats != scope.seats:
            continue
        for (name, _), tally in entry.statistics.players.items():
            player = question.snapshot.league.player_of(name, entry.day)
            ended[player] += tally.play["games"]
            busts[player] += tally.play["busts"]
    return {player: Busts(busts[player], games) for player, games in ended.items() if games}


def _table(
    people: People,
    scope: Scope,
    name: str,
    ranked: tuple[Ranked, ...],
    figures: dict[str, Figures],
    ratings: Ratings | None,
    least: int,
) -> Table:
    board, words = BOARDS[name], BOARD_WORDS[name]
    written = ratings.words if ratings and name in ("rating", "peak") else words.words

    def row(each: Ranked) -> Row:
        figure = figures[each.player]
        games = figure.busts.games if name == "busts" and figure.busts else figure.tally.games
        return people.row(each.player, written(each.value), each.place, (f"{games}戦",))

    rows = tuple(row(each) for each in ranked if each.place)
    few = tuple(row(each) for each in ranked if not each.place)
    title = f"{words.title}ランキング　{scope.title}"
    top = "、".join(f"{r.rank}位 {r.name} {r.value}" for r in rows[:3])
    extra = "" if name == "games" else "対局"
    return Table(
        title,
        rows,
        heads=(words.title, extra),
        subtitle=scope.subtitle,
        note=_note(people, scope, name, least),
        alt=f"{title}：{top}",
        more=((SHORT_OF.format(least), few),) if few and board.rate else (),
    )


def _note(people: People, scope: Scope, name: str, least: int) -> str:
    note = BOARD_WORDS[name].note
    if name in ("total", "average"):
        note += chips_left_out(people.snapshot, scope.games).sentence
    if name in ("best", "worst", "day") and has_chips(scope.games):
        note += texts.POINTS_ALONE
    if BOARDS[name].rate:
        asked = people.snapshot.league.rules.qualifying
        usual = PROVISIONAL_GAMES if asked is None else asked
        note += QUALIFYING.format(usual) if usual == least else NOBODY_YET.format(usual, least)
    return note


def _choices(question: Question, scope: Scope, boards: list[str]) -> tuple[Choice, ...]:
    """Other boards first, then the period, the season, the seats."""
    current = question.option("by")
    here = {**scope.options, "seats": question.option("seats")}
    others = [choice(BOARD_WORDS[name].title, Ask.RANKING, **here, by=name) for name in boards]
    start = _turned(others, current, boards)
    return offered(
        *start[:6],
        choice("順位推移", Ask.RANKS, **scope.options),
        *period_choices(question, scope, by=current),
        *seat_choices(question, scope, by=current),
        *season_choices(question, scope, by=current)[:2],
        *start[6:],
    )


def _turned(others: list[Choice], current: str, boards: list[str]) -> list[Choice]:
    """The other boards beginning after the current one, so that going on leads through all of them."""
    order = list(BOARDS)
    after = sum(order.index(name) < order.index(current) for name in boards) if current in order else 0
    return [*others[after:], *others[:after]]


SPECS = (
    Spec(
        name=Ask.RANKING,
        title="ランキング",
        help="平均着順・トップ率・最高スコアなどの順位表を出します",
        answer=answer,
        words=("ランキング", "順位表", "ランク", "ranking", "rank"),
        shortcuts={w: {"by": by} for by, b in BOARD_WORDS.items() for w in (b.title, *b.typed)},
        takes=BY_PERIOD,
        group=MenuGroup.EVERYBODY,
    ),
)
