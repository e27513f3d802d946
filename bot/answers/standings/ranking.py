"""ランキング: the members in the order of one figure, a board for each figure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.answers.common.figures import (
    FIRST_BOARD,
    SHORT_OF,
    WORDS,
    boards_with_values,
    careers_of,
    chips_left_out,
    entries_of,
    left_out_of_points,
    of_cases,
    written,
)
from bot.answers.common.members import People, people_of
from bot.answers.common.ratings import Ratings, known_ratings
from bot.answers.common.scope import (
    Scope,
    offered,
    period_choices,
    scope_of,
    season_choices,
    seat_choices,
)
from bot.chat.command import BY_PERIOD, Ask, Question, Spec, choice
from bot.chat.replies import Choice, Reply, Row, Table, UserError
from rating.standings import PROVISIONAL_GAMES
from rating.statistics import (
    BOARD,
    STATISTICS,
    Ranked,
    Statistic,
    qualifying_games,
    ranking,
    shown_on,
)
from rating.tallies import Career

TITLE = "{figure}ランキング　{scope}"
QUALIFYING = "規定打数は{games}戦です。"
NOBODY_YET = "規定打数は{games}戦ですが、まだだれも届いていないので、{fewest}戦以上で並べています。"
RECORDS = "{subtitle}　牌譜{records}戦"
FEW_RECORDS = f"牌譜が{PROVISIONAL_GAMES}戦未満（順位なし）"
NONE = (
    "{figure}のランキングに出せる記録が、{scope}にはまだありません。下のボタンから選んでください。"
)
GAMES = "{games}戦"
FIRST_BUTTONS = 6  # boards before the buttons of other games


@dataclass(frozen=True)
class Board:
    """One statistic of all members. `fewest` is the number of games from which one has a place."""

    statistic: Statistic
    careers: Mapping[str, Career]
    ratings: Ratings | None
    fewest: int

    @property
    def name(self) -> str:
        return WORDS[self.statistic.key].name


def answer(question: Question) -> Reply:
    scope = scope_of(question)
    people = people_of(question)
    board = _figures(question, people, scope)
    boards = boards_with_values(scope, board.careers)
    buttons = _buttons(question, scope, [key for key in boards if key != board.statistic.key])
    if board.statistic.key not in boards:
        raise UserError(NONE.format(figure=board.name, scope=scope.title), buttons)
    return Reply((_table(question, people, scope, board),), buttons)


def _figures(question: Question, people: People, scope: Scope) -> Board:
    """The board of the figure `by`, else the first one."""
    ratings = known_ratings(question, scope)
    careers = careers_of(people, scope, ratings)
    fewest = qualifying_games(question.snapshot.league.rules.qualifying, careers)
    key = question.option("by")
    if key not in shown_on(BOARD):
        key = FIRST_BOARD
    return Board(STATISTICS[key], careers, ratings, fewest)


def _table(question: Question, people: People, scope: Scope, board: Board) -> Table:
    """The ranked members, and in a group of their own those with too few games."""
    rows: list[Row] = []
    few: list[Row] = []
    for ranked in ranking(board.statistic, board.careers, board.fewest):
        row = _row(people, board, ranked)
        if ranked.place:
            rows.append(row)
        else:
            few.append(replace(row, pale=True))
    title = TITLE.format(figure=board.name, scope=scope.title)
    subtitle = scope.subtitle
    heads: tuple[str, ...] = (board.name, "対局")
    few_heading = SHORT_OF.format(board.fewest)
    if board.statistic.key == "games":
        heads = (board.name, "")
    if board.statistic.records:
        records = len(entries_of(question.snapshot, scope))
        subtitle = RECORDS.format(subtitle=subtitle, records=records)
        heads = (board.name, "牌譜")
        few_heading = FEW_RECORDS
    if not rows:
        heads = ()
    note = _note(question, scope, board)
    table = Table(title, tuple(rows), heads, subtitle, note)
    if few:
        return replace(table, more=((few_heading, tuple(few)),))
    return table


def _row(people: People, board: Board, ranked: Ranked) -> Row:
    """A member's row: the figure, and of how many games it is."""
    career = board.careers[ranked.player]
    games = GAMES.format(games=career.tally.games)
    if board.statistic.records:
        recorded = board.statistic.counted(career)
        if recorded is not None:
            games = of_cases(recorded)
    value = written(board.statistic.key, ranked.value, board.ratings)
    return people.row(ranked.player, value, ranked.place, (games,))


def _note(question: Question, scope: Scope, board: Board) -> str:
    """What the figure means, what it leaves out, and from how many games one has a place."""
    statistic = board.statistic
    note = WORDS[statistic.key].note
    if statistic.unit == "balance":
        note += chips_left_out(question.snapshot, scope.games).sentence
    if statistic.unit == "points":
        note += left_out_of_points(question.snapshot, scope.games).sentence
    if statistic.rate:
        qualifying = question.snapshot.league.rules.qualifying
        if qualifying is None:
            qualifying = PROVISIONAL_GAMES
        if qualifying == board.fewest:
            note += QUALIFYING.format(games=qualifying)
        else:
            note += NOBODY_YET.format(games=qualifying, fewest=board.fewest)
    return note


def _buttons(
    question: Question,
    scope: Scope,
    boards: Sequence[str],
) -> tuple[Choice, ...]:
    """Other boards from the one after the current, so that going on leads through all, and other
    games."""
    current = question.option("by")
    options = {**scope.options, "seats": question.option("seats")}
    others = [
        choice(WORDS[key].name, Ask.RANKING, **options, by=key)
        for key in boards_after(current, boards)
    ]
    return offered(
        *others[:FIRST_BUTTONS],
        choice("順位推移", Ask.RANKS, **scope.options),
        *period_choices(question, scope, by=current),
        *seat_choices(question, scope, by=current),
        *season_choices(question, scope, by=current)[:2],
        *others[FIRST_BUTTONS:],
    )


def boards_after(current: str, boards: Sequence[str]) -> list[str]:
    """The boards in their order from the current one on, and then those before it."""
    every = shown_on(BOARD)
    if current not in every:
        return [key for key in every if key in boards]
    start = every.index(current)
    turned = [*every[start:], *every[:start]]
    return [key for key in turned if key in boards]


def _shortcuts() -> dict[str, dict[str, str]]:
    """The options of every word that asks for a board."""
    shortcuts: dict[str, dict[str, str]] = {}
    for key in shown_on(BOARD):
        words = (WORDS[key].name, *WORDS[key].typed.split())
        shortcuts |= {word: {"by": key} for word in words}
    return shortcuts


SPECS = (
    Spec(
        name=Ask.RANKING,
        title="ランキング",
        help="平均着順・トップ率・最高スコアなどの順位表を出します",
        answer=answer,
        words="ランキング 順位表 ランク ranking rank",
        shortcuts=_shortcuts(),
        takes=BY_PERIOD,
        figure="place",
    ),
)
