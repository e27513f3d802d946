"""着順 and ランキング: the members in the order of one figure, as tables; placings also as bars."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter

from bot import texts
from bot.answers.common.figures import (
    FIRST_BOARD,
    SHORT_OF,
    WORDS,
    careers_of,
    chips_left_out,
    entries_of,
    left_out_of_points,
    of_cases,
    placing_counts,
    written,
)
from bot.answers.common.members import (
    WHOLE,
    People,
    beside_picture,
    check_members,
    people_of,
    table_way,
)
from bot.answers.common.ratings import Ratings, known_ratings
from bot.answers.common.scope import (
    DRAWN,
    Scope,
    below,
    offered,
    period_choices,
    scope_of,
    season_choices,
    seat_choices,
)
from bot.chat.command import BY_PERIOD, Ask, Below, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Row, Table, UserError
from bot.draw import parts
from bot.draw.layout import Area, Section, Titled, line, name_column, space, titled
from bot.draw.names import distinct_names
from bot.draw.style import FAINT, INK, LABEL, LOOKED_FOR, MUTED, SMALL
from bot.texts import SIGN_MEANS
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
from rating.tallies import Career, has_chips

NOBODY_YET = "規定打数は{}戦ですが、まだだれも届いていないので、{}戦以上で並べています。"
FEW_RECORDS = f"牌譜が{PROVISIONAL_GAMES}戦未満（順位なし）"
NONE = "{}のランキングに出せる記録が、{}にはまだありません。下のボタンから選んでください。"
BARS = 3  # members from which bars say more than a table
HEADS = ("平均着順", "1-2-3着", "対局")
_MEAN = 130  # pixels for the mean placing


def answer(question: Question) -> Reply:
    scope = scope_of(question)
    people = people_of(question)
    boards = shown_on(BOARD)
    ratings = known_ratings(question, scope)
    own = careers_of(people, scope, ratings)
    asked = question.option("by") if question.option("by") in boards else FIRST_BOARD
    least = qualifying_games(question.snapshot.league.rules.qualifying, own)

    def tells(statistic: Statistic) -> bool:
        missing = statistic.key == "chips" and not has_chips(scope.games)
        if statistic.seats not in (0, scope.seats) or missing:
            return False
        return any(statistic.value(career) is not None for career in own.values())

    told = [key for key in boards if tells(STATISTICS[key])]
    choices = _choices(question, scope, [key for key in told if key != asked])
    if asked not in told:
        raise UserError(NONE.format(WORDS[asked].name, scope.title), choices)
    statistic = STATISTICS[asked]
    name = WORDS[asked].name
    rows: list[Row] = []
    few: list[Row] = []  # of those with too few games
    for ranked in ranking(statistic, own, least):
        row = _board_row(people, statistic, own[ranked.player], ranked, ratings)
        if ranked.place:
            rows.append(row)
        else:
            few.append(replace(row, pale=True))
    note = WORDS[asked].note
    if statistic.unit == "balance":
        note += chips_left_out(people.snapshot, scope.games).sentence
    if statistic.unit == "points":
        note += left_out_of_points(people.snapshot, scope.games).sentence
    if statistic.rate:
        qualifying = question.snapshot.league.rules.qualifying
        usual = PROVISIONAL_GAMES if qualifying is None else qualifying
        note += f"規定打数は{usual}戦です。" if usual == least else NOBODY_YET.format(usual, least)
    title = f"{name}ランキング　{scope.title}"
    subtitle = scope.subtitle
    heads: tuple[str, ...] = (name, "" if asked == "games" else "対局")
    few_of = SHORT_OF.format(least)
    if statistic.records:
        subtitle += f"　牌譜{len(entries_of(question.snapshot, scope))}戦"
        heads = (name, "牌譜")
        few_of = FEW_RECORDS
    if not rows:
        heads = ()
    more = ((few_of, tuple(few)),) if few else ()
    return Reply(
        (Table(title, tuple(rows), heads, subtitle, note, more=more),),
        choices,
    )


def _board_row(
    people: People,
    statistic: Statistic,
    career: Career,
    ranked: Ranked,
    ratings: Ratings | None,
) -> Row:
    """A player's row of a ranking: the figure, and of how many games it is."""
    games = f"{career.tally.games}戦"
    recorded = statistic.counted(career) if statistic.records else None
    if recorded is not None:
        games = of_cases(recorded)
    value = written(statistic.key, ranked.value, ratings)
    return people.row(ranked.player, value, ranked.place, (games,))


def _choices(
    question: Question,
    scope: Scope,
    boards: list[str],
) -> tuple[Choice, ...]:
    """Boards first, from the one after the current, so that going on leads through all; then other
    games.
    """
    current = question.option("by")
    order = shown_on(BOARD)
    here = {**scope.options, "seats": question.option("seats")}
    after = order.index(current) if current in order else -1
    turned = sorted(
        boards,
        key=lambda key: (order.index(key) < after, order.index(key)),
    )
    others = []
    for key in turned:
        name = WORDS[key].name
        others.append(choice(name, Ask.RANKING, **here, by=key))
    return offered(
        *others[:6],
        choice("順位推移", Ask.RANKS, **scope.options),
        *period_choices(question, scope, by=current),
        *seat_choices(question, scope, by=current),
        *season_choices(question, scope, by=current)[:2],
        *others[6:],
    )


def show_placings(question: Question) -> Reply:
    """A table of the members' placings, lowest mean first and 暫定 where the games are few, and as
    bars.
    """
    scope = scope_of(question)
    people = people_of(question)
    check_members(people, scope.games)
    own = careers_of(people, scope)
    rows = []
    bars = []
    for player, place, mean in ranking(STATISTICS["mean"], own, 0):
        tally = own[player].tally
        few = tally.games < PROVISIONAL_GAMES
        extra = (placing_counts(tally), texts.played(tally.games, few))
        rows.append(people.row(player, written("mean", mean), place, extra))
        name = people.shown(player)
        asker = people.is_asker(player)
        bars.append(PlacingRow(name, tally.placings, people.colour(player), few, asker))
    title = f"着順　{scope.title}"
    top = "、".join(f"{row.name} {row.value}" for row in rows[:3])
    note = scope.until
    if any(bar.provisional for bar in bars):
        note += f"{texts.SIGN_MEANS}。"
    table = Table(title, tuple(rows), HEADS, scope.subtitle, note, alt=f"{title}：平均着順 {top}")
    choices = below(question, scope, table_way(question))
    few_games = len(scope.games) < DRAWN
    if question.option("show") == WHOLE or len(rows) < BARS or few_games:
        return Reply((table,), choices)
    picture = Picture(
        PlacingChart(title, scope.subtitle, tuple(bars)), draw, table.notification, (table,)
    )
    means = [bar.mean for bar in bars]
    return Reply((beside_picture(table, means, lambda gap: f"{gap:.2f}"), picture), choices)


@dataclass(frozen=True)
class PlacingRow:
    """`counts` are the games that ended first, second, third (and fourth)."""

    name: str
    counts: Sequence[int]
    colour: str = INK
    provisional: bool = False
    asker: bool = False

    @property
    def games(self) -> int:
        return sum(self.counts)

    @property
    def mean(self) -> float:
        placings = sum(place * count for place, count in enumerate(self.counts, 1))
        return placings / max(1, self.games)


@dataclass(frozen=True)
class PlacingChart(Titled):
    """Rows in any order; players without games are left out."""

    rows: Sequence[PlacingRow]


def draw(chart: PlacingChart) -> bytes:
    """A PNG, 1200 pixels wide, as high as its rows need."""
    names = distinct_names(row.name for row in chart.rows)
    played = [row for row in chart.rows if row.games > 0]
    rows = [replace(row, name=names[row.name]) for row in played]
    rows.sort(key=attrgetter("mean"))
    if not rows:
        return titled(chart.title, chart.subtitle, [])
    pitch = 80 if len(rows) <= 12 else 64
    column = name_column((row.name for row in rows), signed=True)
    few = any(row.provisional for row in rows)

    def legend(area: Area) -> None:
        parts.placing_legend(area.inset(column), max(len(row.counts) for row in rows))
        area.text("平均", SMALL, MUTED, "right")

    sections = [
        Section(90, legend),
        *(Section(pitch, partial(_placing_row, row, column)) for row in rows),
        line(SIGN_MEANS, "right", 70) if few else space(30),
    ]
    return titled(chart.title, chart.subtitle, sections)


def _placing_row(row: PlacingRow, column: int, area: Area) -> None:
    if row.asker:
        area.band()
    name, bar, mean = area.columns(column, 0, _MEAN)
    name.inset(right=16).member(
        row.name,
        row.colour,
        row.asker,
        row.provisional,
    )
    parts.placing_bar(
        bar.inset(
            top=0.14 * area.height,
            bottom=0.14 * area.height,
        ),
        row.counts,
        LOOKED_FOR,
    )
    mean.text(f"{row.mean:.2f}", LABEL, FAINT if row.provisional else INK, "right", bold=row.asker)


def _shortcuts() -> dict[str, dict[str, str]]:
    """The options of every word that asks for a board."""
    shortcuts: dict[str, dict[str, str]] = {}
    for key in shown_on(BOARD):
        words = (WORDS[key].name, *WORDS[key].typed.split())
        shortcuts |= {word: {"by": key} for word in words}
    return shortcuts


SPECS = (
    Spec(
        name=Ask.RANK,
        title="着順",
        help="着順の割合と平均を出します",
        answer=show_placings,
        words=(
            "着順 順位 ちゃくじゅん 平均着順 平均順位 着順の回数 1着2着3着の回数 123着の回数 2着率 "
            "2着回数 2着多い 着順分布"
        ),
        takes=BY_PERIOD,
        figure="mean",
        below=(
            Ask.SUM,
            Ask.MATCHUP,
            Ask.RANKING,
            Below.AGAIN,
            Ask.RATING,
            choice("個人", Ask.PLAYER),
        ),
    ),
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
