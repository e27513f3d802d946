"""チーム: each team's total and what each member contributed, and the totals as lines over the season."""

from __future__ import annotations

from bot import texts
from bot.answers.common.curves import points, view_of
from bot.answers.common.figures import chips_left_out
from bot.answers.common.members import People, people_of
from bot.answers.common.scope import Scope, offered, period_choices, scope_of, season_choices, seat_choices
from bot.chat.command import BY_PERIOD, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Row, Table, UserError
from bot.draw import lines as line_charts
from bot.draw import style
from bot.draw.curves import Curve, Lines
from bot.league.season_past import chip_worth
from rating.careers import careers
from rating.standings import places
from rating.tallies import grouped, totals

NO_TEAMS = "チームはまだ決まっていません。管理者がチームを登録すると、ここに成績が出ます。"
NO_TEAM_GAMES = "{}には、チームのメンバーの対局がまだありません。"


def answer(question: Question) -> Reply:
    """A table and a picture of the teams' 収支."""
    scope, people = scope_of(question), people_of(question)
    teams = {
        team.name: tuple(dict.fromkeys(map(people.snapshot.league.player_of, team.members)))
        for team in people.snapshot.league.teams
    }
    if not teams:
        raise UserError(NO_TEAMS, offered(choice("収支", Ask.SUM), choice("レーティング", Ask.RATING)))
    everyone = [player for players in teams.values() for player in players]
    own = careers(scope.games, everyone, worth=chip_worth(people.snapshot))
    won = {player: career.total for player, career in own.items()}
    played = {name: [p for p in players if p in won] for name, players in teams.items()}
    if not any(played.values()):
        raise UserError(NO_TEAM_GAMES.format(scope.title), _choices(question, scope))
    table = team_table(people, scope, played, won)
    return Reply((table, _course(question, people, scope, played, table)), _choices(question, scope))


def team_table(people: People, scope: Scope, teams: dict[str, list[str]], won: dict[str, float]) -> Table:
    """The teams by 収支, best first. `teams` are members by team, `won` is each member's 収支 (points in
    thousands)."""
    sums = {name: sum(won[p] for p in players) for name, players in teams.items()}
    rows = []
    order = sorted(sums, key=lambda n: -sums[n])
    for place, name in zip(places([sums[name] for name in order]), order, strict=True):
        brought = sorted(teams[name], key=lambda p: -won[p])
        detail = "　".join(f"{people.shown(p)} {texts.points(won[p])}" for p in brought)
        rows.append(
            Row(name, texts.points(sums[name]), str(place), detail=detail, colour=_colour(teams, name))
        )
    title = f"チーム　{scope.title}"
    top = "、".join(f"{row.rank}位 {row.name} {row.value}" for row in rows[:3])
    note = chips_left_out(people.snapshot, scope.games).sentence
    return Table(title, tuple(rows), ("収支",), scope.subtitle, note, alt=f"{title}：{top}")


def _subtitle(people: People, scope: Scope, subtitle: str) -> str:
    """A picture's subtitle, with which chips its totals leave out."""
    return "　".join(filter(None, (subtitle, chips_left_out(people.snapshot, scope.games).short)))


def _colour(teams: dict[str, list[str]], name: str) -> str:
    return style.colours(list(teams))[name]


def _course(
    question: Question, people: People, scope: Scope, teams: dict[str, list[str]], table: Table
) -> Picture:
    """The teams' 収支 after each game or day, as lines."""
    chip = chip_worth(people.snapshot)
    lines = grouped(totals(scope.games, lambda seat, game: seat.score + chip(seat, game)), teams)
    view = view_of(scope.games, question.option("axis"), scope=scope)
    curves = []
    for name, line in lines.items():
        xs, ys = points(line, view.closing) if line.games else ([], [])
        curves.append(Curve(name, tuple(map(view.at, xs)), tuple(ys), _colour(teams, name)))
    title = f"チームの推移　{scope.title}"
    subtitle = _subtitle(people, scope, view.subtitle)
    chart = Lines(title, subtitle, tuple(curves), baseline=0, axis=view.axis, signed=True)
    return Picture(chart, line_charts.draw, table.alt, (table,))


def _choices(question: Question, scope: Scope) -> tuple[Choice, ...]:
    here, by_date = scope.options, question.option("axis") == "date"
    return offered(
        choice("収支", Ask.SUM, **here),
        choice("対局順で見る", Ask.TEAM, **here)
        if by_date
        else choice("日付で見る", Ask.TEAM, **here, axis="date"),
        *period_choices(question, scope),
        *season_choices(question, scope),
        *seat_choices(question, scope),
        choice("レーティング", Ask.RATING, **here),
    )


SPECS = (
    Spec(
        name=Ask.TEAM,
        title="チーム",
        help="チームごとの合計を出します",
        answer=answer,
        words=("チーム", "ちーむ", "団体"),
        takes=BY_PERIOD,
        group=MenuGroup.EVERYBODY,
        place=2,
    ),
)
