"""相性: who finishes above whom.

A heat map of all members, or a table of one member against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from bot import texts
from bot.answers.common.figures import left_out_of_points
from bot.answers.common.members import People, asked_members, people_of, token
from bot.answers.common.scope import ALL, Scope, ask_who, below, scope_of
from bot.answers.players import pair, texts as player_texts
from bot.chat.command import BY_PERIOD, Ask, Below, Question, Spec, choice, data_of
from bot.chat.replies import Choice, Picture, Reply, Row, Table
from bot.draw.matrix import MatrixChart, draw
from rating.tallies import (
    Career,
    Meeting,
    Meetings,
    against,
    meetings,
    sure_leads,
    tallies,
)

SQUARE = 3  # members from which a matrix says more than a table
MOST_MEMBERS = 10  # in a matrix that can be read on a phone; with more, a table of one member
MOST_WITH_DECIMALS = 6  # members in a matrix whose cells have room for decimals
PALE = 20  # a cell of fewer games is pale
ENOUGH = 10  # fewest games together for 得意 and 苦手
BEST = "得意"
WORST = "苦手"
UNSEEN = "得意・苦手と言える差は、まだ見えません。"
SURE = "得意・苦手は、偶然とは言いにくい差の相手です。"
TAP_A_NAME = "名前を押すと、その人の相性が出ます。"
HIGHEST_SHARE = "{player}は{opponents}に先着率{percent:.0f}%"
OPPONENT_SHARE = "{opponents} {percent:.0f}%"
NOBODY = "―"
HIGHEST = "最高"
LOWEST = "最低"
HIGHEST_OF = "{player} 最高 {value}"
VALUES_NOTE = "{key}。"
TITLE_OF_PLAYER = "{player}の相性　{period}"
HEADS_OF_PLAYER = ("先着率", "点数の差", "同卓")
NO_GAMES = "まだ対局がありません。"
NOTE_OF_PLAYER = "先着率は、相手より上の順位だった割合です。名前を押すと2人を並べて見られます。"
COUNTS = "小さい数字は対局数"
EVERYBODYS = "全員の相性"


class Shown(StrEnum):
    """The option `show`: what the cells of the matrix show."""

    SHARE = ""
    GAP = "gap"
    GAMES = "games"


@dataclass(frozen=True)
class CellValue:
    """What the cells of a matrix show; `key` explains it, `centre` is the even value. With fewer
    games together than `fewest` a cell is empty."""

    label: str
    key: str
    value: Callable[[Meeting], float]
    centre: float
    decimals: int = 0
    signed: bool = False
    fewest: int = 5


def _percent_ahead(meeting: Meeting) -> float:
    return 100 * meeting.share


def _mean_gap(meeting: Meeting) -> float:
    return meeting.mean_gap


def _games(meeting: Meeting) -> float:
    return float(meeting.games)


VALUES: Mapping[Shown, CellValue] = {
    Shown.SHARE: CellValue(
        player_texts.FIRST_SHARE,
        "左の人が上の人に先着した割合（%）　青＝勝ち越し　橙＝負け越し",
        _percent_ahead,
        50,
    ),
    Shown.GAP: CellValue(
        "点数の差",
        "左の人が上の人より1戦あたり何点上か　青＝プラス　橙＝マイナス",
        _mean_gap,
        centre=0,
        decimals=1,
        signed=True,
    ),
    Shown.GAMES: CellValue("同卓の数", "同じ卓で打った対局の数", _games, 0, fewest=1),
}
_SHORTCUTS = {value.label: {"show": str(show)} for show, value in VALUES.items() if show}


@dataclass(frozen=True)
class _Matchups:
    """The members with games in the scope, the ones with most games first, and their meetings."""

    people: People
    scope: Scope
    members: Sequence[str]
    meetings: Meetings

    def of(self, player: str) -> dict[str, Meeting]:
        """A player's meetings, by opponent."""
        return dict(against(self.meetings, player))

    def tap(self, player: str) -> str:
        """The data of a tap on a member: the member against each other."""
        return data_of(Ask.MATCHUP, player=token(player), **self.scope.options)


def answer(question: Question) -> Reply:
    """All members as a heat map, one member against each other, or two members side by side."""
    players = asked_members(question)
    scope = scope_of(question)
    if len(players) == 2:
        return pair.compare(question, players[0], players[1])
    if not players and question.option("who") == ALL:
        return ask_who(question, player_texts.MATCHUP, **scope.options)
    matchups = _figures(people_of(question), scope)
    player = next(iter(players), "")
    if not player and len(matchups.members) > MOST_MEMBERS:
        player = _most_telling(matchups)
    if player:
        table = _table_of_player(matchups, player)
        return Reply((table,), _buttons(question, matchups, player))
    show = _shown(question)
    table = _table_of_values(matchups, VALUES[show])
    if show == Shown.SHARE:
        table = _table_of_shares(matchups)
    picture = _picture(question, matchups, table)
    buttons = _buttons(question, matchups)
    if picture is None:
        return Reply((table,), buttons)
    return Reply((table, picture), buttons)


def _figures(people: People, scope: Scope) -> _Matchups:
    played = tallies(scope.games)
    with_games = [player for player in people.order if player in played]
    return _Matchups(people, scope, with_games, meetings(scope.games))


def _most_telling(matchups: _Matchups) -> str:
    """The asker, else the member with the most games, whose table says most."""
    asker = matchups.people.asker
    if asker in matchups.members:
        return asker
    played = tallies(matchups.scope.games)
    return max(matchups.members, key=lambda player: played[player].games)


def _shown(question: Question) -> Shown:
    try:
        return Shown(question.option("show"))
    except ValueError:
        return Shown.SHARE


# The opponents that a member finishes above most and least often


class Extreme(NamedTuple):
    """The opponents with the same highest or lowest share, and the meeting with the first of them;
    nobody where there is none. `is_sure`: the difference is hardly due to chance.
    """

    names: list[str]
    meeting: Meeting
    is_sure: bool


class Favourites(NamedTuple):
    """Whom a member finishes above most often (得意) and least often (苦手)."""

    prey: Extreme
    nemesis: Extreme


def favourites(people: People, meetings: Meetings, player: str) -> Favourites:
    """A member's 得意 and 苦手.

    No names where nobody's difference is sure with all pairs looked at (`sure_leads`). Of equal
    shares the one of more games is taken; several who are equal in both are all named."""
    sure = sure_leads(meetings, people.order, ENOUGH)
    player_meetings = against(meetings, player).items()
    behind = {other: meeting for other, meeting in player_meetings if (player, other) in sure}
    ahead = {other: meeting for other, meeting in player_meetings if (other, player) in sure}
    return Favourites(_extreme(behind, sign=1), _extreme(ahead, sign=-1))


def prey_of(people: People, career: Career) -> Extreme:
    """Whom one finished above most often; where nobody is sure, of those with ENOUGH games."""
    prey = favourites(people, career.peers.meetings, career.player).prey
    if prey.names:
        return prey
    return _extreme(_frequent(people, career), sign=1, is_sure=False)


def nemesis_of(people: People, career: Career) -> Extreme:
    """Whom one finished above least often; where nobody is sure, of those with ENOUGH games."""
    nemesis = favourites(people, career.peers.meetings, career.player).nemesis
    if nemesis.names:
        return nemesis
    return _extreme(_frequent(people, career), sign=-1, is_sure=False)


def _frequent(people: People, career: Career) -> dict[str, Meeting]:
    """The meetings with members of ENOUGH games."""
    return {
        opponent: meeting
        for opponent, meeting in career.meetings.items()
        if meeting.games >= ENOUGH and opponent in people.order
    }


def _extreme(meetings: Mapping[str, Meeting], sign: int, is_sure: bool = True) -> Extreme:
    """Those with the greatest (sign 1) or least (-1) share."""
    ranks = {
        opponent: (sign * meeting.share, meeting.games) for opponent, meeting in meetings.items()
    }
    if not ranks:
        return Extreme([], Meeting(), is_sure)
    top = max(ranks.values())
    names = [opponent for opponent, rank in ranks.items() if rank == top]
    return Extreme(names, meetings[names[0]], is_sure)


# The tables


def _table_of_shares(matchups: _Matchups) -> Table:
    """Each member's 先着率, and 得意 and 苦手 where any member has one."""
    people = matchups.people
    extremes = {
        player: favourites(people, matchups.meetings, player) for player in matchups.members
    }
    preys = {player: pair.prey for player, pair in extremes.items() if pair.prey.names}
    heads = [player_texts.FIRST_SHARE]
    text = UNSEEN
    note = UNSEEN
    if preys:
        heads += [BEST, WORST]
        text = _highest_share(people, preys)
        note = SURE
    rows = []
    for player in matchups.members:
        cells: tuple[str, ...] = ()
        if preys:
            cells = tuple(_extreme_cell(people, extreme) for extreme in extremes[player])
        share = _share_of_all(matchups.of(player).values())
        rows.append(
            people.row(
                player,
                share,
                0,
                cells,
                data=matchups.tap(player),
            )
        )
    scope = matchups.scope
    title = player_texts.TITLE_OF_PERIOD.format(title=player_texts.MATCHUP, period=scope.title)
    notification = player_texts.NOTIFICATION.format(title=title, text=text)
    return Table(title, tuple(rows), tuple(heads), scope.subtitle, note + TAP_A_NAME, notification)


def _highest_share(people: People, preys: Mapping[str, Extreme]) -> str:
    """Who has the highest 先着率 against another: みどりはぽん吉に先着率61%."""

    def rank(player: str) -> tuple[float, int, str, list[str]]:
        prey = preys[player]
        return prey.meeting.share, prey.meeting.games, player, prey.names

    player = max(preys, key=rank)
    prey = preys[player]
    return HIGHEST_SHARE.format(
        player=people.shown(player),
        opponents=people.named(prey.names),
        percent=100 * prey.meeting.share,
    )


def _extreme_cell(people: People, extreme: Extreme) -> str:
    if not extreme.names:
        return NOBODY
    return OPPONENT_SHARE.format(
        opponents=people.named(extreme.names), percent=100 * extreme.meeting.share
    )


def _share_of_all(player_meetings: Collection[Meeting]) -> str:
    """In how many of the meetings with all opponents the player finished above them: 52%."""
    games = sum(meeting.games for meeting in player_meetings)
    ahead = sum(meeting.ahead for meeting in player_meetings)
    return f"{ahead / max(1, games):.0%}"


def _table_of_values(matchups: _Matchups, shown: CellValue) -> Table:
    """Each member's opponents with the highest and the lowest of what the picture shows."""
    people = matchups.people
    scope = matchups.scope
    rows = []
    for player in matchups.members:
        cells = _ends(matchups, player, shown)
        rows.append(
            people.row(
                player,
                "",
                0,
                cells,
                data=matchups.tap(player),
            )
        )
    title = player_texts.TITLE_OF_PERIOD.format(title=shown.label, period=scope.title)
    highest = [
        HIGHEST_OF.format(
            player=row.name,
            value=row.extra[0],
        )
        for row in rows[:2]
        if row.extra
    ]
    return Table(
        title,
        tuple(rows),
        ("", HIGHEST, LOWEST),
        scope.subtitle,
        VALUES_NOTE.format(key=shown.key),
        player_texts.NOTIFICATION.format(title=title, text="、".join(highest)),
    )


def _ends(matchups: _Matchups, player: str, shown: CellValue) -> tuple[str, ...]:
    """The opponents with the highest value and those with the lowest, () without any."""
    people = matchups.people
    values = {
        other: shown.value(meeting)
        for other, meeting in matchups.of(player).items()
        if meeting.games >= shown.fewest and other in people.order
    }
    if not values:
        return ()
    cells = []
    for end in (max(values.values()), min(values.values())):
        names = people.named([other for other, value in values.items() if value == end])
        cells.append(f"{names} {texts.number(end, shown.decimals, shown.signed)}")
    return tuple(cells)


def _table_of_player(matchups: _Matchups, player: str) -> Table:
    """One member against each other member."""
    people = matchups.people
    scope = matchups.scope
    rows = tuple(
        _row_of_opponent(matchups, player, other, meeting)
        for other, meeting in matchups.of(player).items()
        if other in people.order
    )
    title = TITLE_OF_PLAYER.format(player=people.shown(player), period=scope.title)
    if not rows:
        return Table(title, (), HEADS_OF_PLAYER, NO_GAMES)
    left_out = left_out_of_points(people.snapshot, scope.of(player).games)
    note = NOTE_OF_PLAYER + left_out.sentence
    return Table(title, rows, HEADS_OF_PLAYER, scope.subtitle, note)


def _row_of_opponent(matchups: _Matchups, player: str, other: str, meeting: Meeting) -> Row:
    games = player_texts.GAMES.format(games=meeting.games)
    return matchups.people.row(
        other,
        texts.percent(meeting.share),
        extra=(texts.points(meeting.gap), games),
        data=data_of(
            Ask.PAIR,
            player=token(player),
            other=token(other),
            **matchups.scope.options,
        ),
    )


# The matrix


def _picture(question: Question, matchups: _Matchups, table: Table) -> Picture | None:
    """The heat map; None of few members, or where no cell has a value."""
    if len(matchups.members) < SQUARE:
        return None
    chart = _matrix(question, matchups)
    cells = [cell for row in chart.cells for cell in row]
    if all(cell is None for cell in cells):
        return None
    return Picture(chart, draw, table.notification, (table,))


def _matrix(question: Question, matchups: _Matchups) -> MatrixChart:
    people = matchups.people
    scope = matchups.scope
    show = _shown(question)
    shown = VALUES[show]
    subtitles = [scope.subtitle]
    if show == Shown.GAP:
        subtitles.append(left_out_of_points(people.snapshot, scope.games).short)
    has_counts = show != Shown.GAMES  # next to each value, of how many games it is
    if has_counts:
        subtitles.append(COUNTS)
    title = shown.label
    if not question.option("show"):
        title = player_texts.MATCHUP
    decimals = 0
    if len(matchups.members) <= MOST_WITH_DECIMALS:
        decimals = shown.decimals
    rows = [_matrix_row(matchups, player, shown, has_counts) for player in matchups.members]
    return MatrixChart(
        player_texts.TITLE_OF_PERIOD.format(title=title, period=scope.title),
        "　".join(filter(None, subtitles)),
        tuple(map(people.shown, matchups.members)),
        tuple(row.cells for row in rows),
        shown.centre,
        decimals=decimals,
        signed=shown.signed,
        notes=tuple(row.notes for row in rows),
        colours=tuple(map(people.colour, matchups.members)),
        key=shown.key,
        few=tuple(row.few for row in rows),
    )


class _MatrixRow(NamedTuple):
    """A member's cells, the numbers of games in them, and which are of few games."""

    cells: tuple[float | None, ...]
    notes: tuple[str, ...]
    few: tuple[bool, ...]


def _matrix_row(matchups: _Matchups, player: str, shown: CellValue, has_counts: bool) -> _MatrixRow:
    cells: list[float | None] = []
    notes: list[str] = []
    few: list[bool] = []
    for other in matchups.members:
        meeting = matchups.meetings.get((player, other))
        cells.append(_cell(shown, meeting))
        if meeting is not None and has_counts:
            notes.append(str(meeting.games))
            few.append(meeting.games < PALE)
        else:
            notes.append("")
            few.append(False)
    return _MatrixRow(tuple(cells), tuple(notes), tuple(few))


def _cell(shown: CellValue, meeting: Meeting | None) -> float | None:
    """The value of a cell; None with too few games together."""
    if meeting is None or meeting.games < shown.fewest:
        return None
    return round(shown.value(meeting), 3)


def _buttons(question: Question, matchups: _Matchups, player: str = "") -> tuple[Choice, ...]:
    scope = matchups.scope
    if player:
        others = choice(player_texts.OTHER_MEMBER, Ask.MATCHUP, who=ALL, **scope.options)
        if len(matchups.members) <= MOST_MEMBERS:
            others = choice(EVERYBODYS, Ask.MATCHUP, **scope.options)
        card = choice(player_texts.PLAYER, Ask.PLAYER, player=token(player), **scope.options)
        return below(question, scope, others, card, player=token(player))
    buttons = [
        choice(shown.label, Ask.MATCHUP, **scope.options, show=show)
        for show, shown in VALUES.items()
        if show != _shown(question)
    ]
    asker = question.asker.player
    if asker:
        label = player_texts.OWN_MATCHUP
        buttons.append(choice(label, Ask.MATCHUP, player=token(asker), **scope.options))
    return below(question, scope, *buttons, player="")


SPECS = (
    Spec(
        name=Ask.MATCHUP,
        title=player_texts.MATCHUP,
        help="だれがだれに強いかを出します",
        answer=answer,
        words="相性 あいしょう 対戦成績",
        shortcuts=_SHORTCUTS,
        takes=BY_PERIOD,
        names=2,
        below=(
            Below.OWN,
            Below.AGAIN,
            choice(
                player_texts.PAIR,
                Ask.PAIR,
            ),
            Ask.RANK,
        ),
    ),
)
