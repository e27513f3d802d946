"""チーム: the sums of the teams' 収支, as a table and as lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot import texts
from bot.answers.common.figures import chips_left_out
from bot.answers.common.members import People, people_of
from bot.answers.common.scope import Scope, below, offered, scope_of, too_few, view_of
from bot.chat.command import BY_PERIOD, Ask, Below, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Row, Table, UserError
from bot.draw import lines as line_charts, style
from bot.draw.lines import Curve, Lines
from bot.league.balances import balance_worth
from rating.standings import places
from rating.tallies import careers, grouped, totals

NO_TEAMS = "チームはまだ決まっていません。管理者がチームを登録すると、ここに成績が出ます。"
NO_TEAM_GAMES = "{title}には、チームのメンバーの対局がまだありません。"
TITLE = "チーム　{scope}"
TITLE_OF_PICTURE = "チームの推移　{scope}"
HEADS = ("収支",)
BY_GAMES_BUTTON = "対局順で見る"
BY_DATE_BUTTON = "日付で見る"


class Axis(StrEnum):
    """What the lines are over: an option of the question."""

    GAMES = ""
    DATE = "date"


@dataclass(frozen=True)
class TeamTotal:
    """A team's 収支, and those of its members who have played, the highest first."""

    name: str
    total: float
    members: Mapping[str, float]
    colour: str


def answer(question: Question) -> Reply:
    scope = scope_of(question)
    people = people_of(question)
    if not people.snapshot.league.teams:
        others = (choice("収支", Ask.SUM), choice("レーティング", Ask.RATING))
        raise UserError(NO_TEAMS, offered(*others))
    figures = _figures(people, scope)
    if not any(team.members for team in figures):
        raise too_few(question, scope, _axis_button(question, scope))
    table = _table(people, scope, figures)
    picture = _picture(question, people, scope, figures, table)
    return Reply((table, picture), _buttons(question, scope))


def _figures(people: People, scope: Scope) -> list[TeamTotal]:
    """The teams, the highest total first."""
    league = people.snapshot.league
    teams = {}
    for team in league.teams:
        teams[team.name] = tuple(dict.fromkeys(map(league.player_of, team.members)))
    everyone = [player for players in teams.values() for player in players]
    played = careers(scope.games, everyone, worth=balance_worth(people.snapshot))
    colours = style.colours(list(teams))
    figures = []
    for name, players in teams.items():
        sums = {player: played[player].total for player in players if player in played}
        highest_first = sorted(sums, key=lambda player: -sums[player])
        members = {player: sums[player] for player in highest_first}
        figures.append(TeamTotal(name, sum(sums.values()), members, colours[name]))
    return sorted(figures, key=lambda team: -team.total)


def _table(people: People, scope: Scope, figures: Sequence[TeamTotal]) -> Table:
    """A row for each team, with its members' totals."""
    rows = []
    ranks = places([team.total for team in figures])
    for place, team in zip(ranks, figures, strict=True):
        details = [
            f"{people.shown(player)} {texts.points(total)}"
            for player, total in team.members.items()
        ]
        row = Row(
            team.name,
            texts.points(team.total),
            str(place),
            detail="　".join(details),
            colour=team.colour,
        )
        rows.append(row)
    title = TITLE.format(scope=scope.title)
    note = chips_left_out(people.snapshot, scope.games).sentence
    return Table(title, tuple(rows), HEADS, scope.subtitle, note)


def _picture(
    question: Question,
    people: People,
    scope: Scope,
    figures: Sequence[TeamTotal],
    table: Table,
) -> Picture:
    """The teams' 収支 after each game or day, in the order of league.toml."""
    chip = balance_worth(people.snapshot)
    by_name = {team.name: team for team in figures}
    members = {}
    for team in people.snapshot.league.teams:
        members[team.name] = list(by_name[team.name].members)
    history = totals(scope.games, lambda seat, game: seat.score + chip(seat, game))
    view = view_of(scope.games, question.option("axis"), scope=scope)
    curves = []
    for name, line in grouped(history, members).items():
        xs, ys = line.points(view.closing) if line.games else ([], [])
        at = tuple(map(view.at, xs))
        curves.append(Curve(name, at, tuple(ys), by_name[name].colour))
    left_out = chips_left_out(people.snapshot, scope.games)
    chart = Lines(
        TITLE_OF_PICTURE.format(scope=scope.title),
        texts.joined(view.subtitle, left_out.short),
        tuple(curves),
        baseline=0,
        axis=view.axis,
        signed=True,
    )
    return Picture(chart, line_charts.draw, table.notification, (table,))


def _buttons(question: Question, scope: Scope) -> tuple[Choice, ...]:
    return below(question, scope, _axis_button(question, scope))


def _axis_button(question: Question, scope: Scope) -> Choice:
    """The same lines over the other axis."""
    label = BY_DATE_BUTTON
    axis = Axis.DATE
    if question.option("axis") == Axis.DATE:
        label = BY_GAMES_BUTTON
        axis = Axis.GAMES
    return choice(label, Ask.TEAM, **scope.options, axis=axis)


SPECS = (
    Spec(
        name=Ask.TEAM,
        title="チーム",
        help="チームごとの合計を出します",
        answer=answer,
        words="チーム ちーむ 団体 チーム戦 うちのチーム チーム順位 チーム別",
        takes=BY_PERIOD,
        empty=NO_TEAM_GAMES,
        below=(Ask.SUM, Below.OWN, Below.AGAIN, Ask.RATING),
    ),
)
