"""収支 and チーム: the sums of points and of what the chips are worth in points, of members and of
teams.
"""

from collections.abc import Sequence
from dataclasses import replace

from bot import texts
from bot.answers.common.figures import (
    GUESTS,
    by_total,
    careers_of,
    chips_left_out,
    name_of,
    written,
)
from bot.answers.common.members import People, check_members, people_of
from bot.answers.common.scope import Scope, below, offered, scope_of, too_few, view_of
from bot.chat.command import BY_PERIOD, Ask, Below, Question, Spec, choice
from bot.chat.replies import Picture, Reply, Row, Table, UserError
from bot.draw import lines as line_charts, style
from bot.draw.lines import Curve, Lines
from bot.league.balances import balance_worth, fines_by_player
from rating.roomlog import FINE
from rating.standings import NOISE, PROVISIONAL_GAMES, places
from rating.tallies import Career, careers, grouped, has_chips, tallies, totals

PARTS = "parts"  # of a postback's `show`
NO_TEAMS = "チームはまだ決まっていません。管理者がチームを登録すると、ここに成績が出ます。"
NO_TEAM_GAMES = "{title}には、チームのメンバーの対局がまだありません。"


def answer(question: Question) -> Reply:
    """The table of the members' 収支, or of what it is made of."""
    scope = scope_of(question)
    people = people_of(question)
    check_members(people, scope.games)
    if question.option("show") != PARTS and question.command.name == Ask.SUM:
        other = choice("内訳", Ask.SUM, **scope.options, show=PARTS)
        table = balance_table(people, scope, by_total(careers_of(people, scope)))
        return Reply((table,), below(question, scope, other))
    table = parts_table(people, scope)
    ways = [choice("収支", Ask.SUM, **scope.options)]
    if has_chips(scope.games):
        ways.append(choice(name_of("chips"), Ask.RANKING, **scope.options, by="chips"))
    elif question.command.name == Ask.TIP:
        table = replace(table, note=f"{scope.title}にはチップの記録がありません。{table.note}")
    return Reply((table,), below(question, scope, *ways))


def balance_table(people: People, scope: Scope, own: Sequence[Career]) -> Table:
    """The members' 収支, best first, without guests, and how far each is behind the one above."""
    rows = []
    ranks = places([career.total for career in own])
    for rank, career, above in zip(ranks, own, (None, *own), strict=False):
        gap = f"{above.total - career.total:,.1f}" if above else ""
        games = career.tally.games
        played = texts.played(games, games < PROVISIONAL_GAMES)
        total = written("total", career.total)
        rows.append(people.row(career.player, total, rank, (gap, played)))
    return _table(people, scope, f"収支　{scope.title}", own, rows, ("収支", "上との差", "対局"))


def parts_table(people: People, scope: Scope) -> Table:
    """What the members' 収支 are made of: points, chips, and the mean of a game."""
    own = by_total(careers_of(people, scope))
    ranks = places([career.total for career in own])
    rows = []
    chips = any(career.tally.chip_games for career in own)
    fines = fines_by_player(people.snapshot, scope.games)
    for rank, career in zip(ranks, own, strict=True):
        tally = career.tally
        # The chips as −8枚, with what they are worth where that is known: −8枚（−16.0）.
        won = written("won_chips", tally.chips) if tally.chip_games else ""
        fine = fines.get(career.player, 0.0)
        worth = career.worth - fine
        if won and abs(worth) > NOISE:
            won += f"（{texts.points(worth)}）"
        cells = []
        if chips:
            cells.append(won)
        cells.append(written("average", career.total / tally.games))
        detail = f"{FINE} {texts.points(fine)}" if fine else ""
        points = written("points", tally.points)
        rows.append(people.row(career.player, points, rank, tuple(cells), detail))
    heads: tuple[str, ...] = ("点数", "1戦平均")
    if chips:
        heads = ("点数", "チップ", "1戦平均")
    table = _table(people, scope, f"収支の内訳　{scope.title}", own, rows, heads)
    top = "、".join(f"{row.name} 点数{row.value}" for row in rows[:3])
    return replace(table, alt=f"{table.title}：{top}")


def _table(
    people: People,
    scope: Scope,
    title: str,
    own: Sequence[Career],
    rows: list[Row],
    heads: tuple[str, ...],
) -> Table:
    note = [GUESTS] if len(own) < len(tallies(scope.games)) else []
    if any(career.worth for career in own):
        fines = fines_by_player(people.snapshot, scope.games)
        chip_values = [career.worth - fines.get(career.player, 0.0) for career in own]
        parts = ["点数"]
        if any(abs(value) > NOISE for value in chip_values):
            parts.append("チップ")
        if fines:
            parts.append(FINE)
        note.append(f"収支は、{'と'.join(parts)}の合計です。")
    note += [chips_left_out(people.snapshot, scope.games).sentence, scope.until]
    if any(texts.SIGN in cell for row in rows for cell in row.extra):
        note.append(f"{texts.SIGN_MEANS}。")
    return Table(title, tuple(rows), heads, scope.subtitle, "".join(note))


def show_teams(question: Question) -> Reply:
    scope = scope_of(question)
    people = people_of(question)
    teams = {
        team.name: tuple(
            dict.fromkeys(map(people.snapshot.league.player_of, team.members)),
        )
        for team in people.snapshot.league.teams
    }
    if not teams:
        raise UserError(
            NO_TEAMS, offered(choice("収支", Ask.SUM), choice("レーティング", Ask.RATING))
        )
    everyone = [player for players in teams.values() for player in players]
    chip = balance_worth(people.snapshot)
    member_careers = careers(scope.games, everyone, worth=chip)
    won = {player: career.total for player, career in member_careers.items()}
    played: dict[str, list[str]] = {}
    for name, players in teams.items():
        played[name] = [player for player in players if player in won]
    by_date = question.option("axis") == "date"
    order = "対局順で見る" if by_date else "日付で見る"
    axis = choice(order, Ask.TEAM, **scope.options, axis="" if by_date else "date")
    if not any(played.values()):
        raise too_few(question, scope, axis)
    sums: dict[str, float] = {}
    for name, team_players in played.items():
        sums[name] = sum(won[player] for player in team_players)
    ranked = sorted(sums, key=lambda n: -sums[n])
    team_places = places([sums[name] for name in ranked])
    colours = style.colours(list(played))
    rows = []
    for place, name in zip(team_places, ranked, strict=True):
        brought = sorted(played[name], key=lambda p: -won[p])
        detail = "　".join(f"{people.shown(p)} {texts.points(won[p])}" for p in brought)
        rows.append(
            Row(
                name,
                texts.points(sums[name]),
                str(place),
                detail=detail,
                colour=colours[name],
            )
        )
    left_out = chips_left_out(people.snapshot, scope.games)
    table = Table(
        f"チーム　{scope.title}", tuple(rows), ("収支",), scope.subtitle, left_out.sentence
    )
    # The teams' 収支 after each game or day.
    lines = grouped(
        totals(scope.games, lambda seat, game: seat.score + chip(seat, game)),
        played,
    )
    view = view_of(scope.games, question.option("axis"), scope=scope)
    curves = []
    for name, line in lines.items():
        xs, ys = line.points(view.closing) if line.games else ([], [])
        curves.append(
            Curve(
                name,
                tuple(map(view.at, xs)),
                tuple(ys),
                colours[name],
            )
        )
    subtitle = "　".join(filter(None, (view.subtitle, left_out.short)))
    title = f"チームの推移　{scope.title}"
    chart = Lines(
        title,
        subtitle,
        tuple(curves),
        baseline=0,
        axis=view.axis,
        signed=True,
    )
    return Reply(
        (table, Picture(chart, line_charts.draw, table.notification, (table,))),
        below(question, scope, axis),
    )


SPECS = (
    Spec(
        name=Ask.SUM,
        title="収支",
        help="点数・対局数・チップの合計を出します",
        answer=answer,
        words="収支 しゅうし しゅうけい 集計 合計",
        shortcuts={
            word: {"show": PARTS} for word in ("内訳", "収支の内訳", "チップ抜き", "チップ込み")
        }
        | {f"{n}位{who}": {} for n in range(2, 10) for who in ("は誰", "誰")},
        takes=BY_PERIOD,
        figure="total",
        below=(
            Below.OWN,
            Ask.FORECAST,
            Ask.RANK,
            Below.AGAIN,
            Ask.RANKING,
            Ask.POINT,
            Ask.TEAM,
            choice("今日", Ask.TODAY),
        ),
    ),
    Spec(
        name=Ask.TIP,
        title="チップ推移",
        help="収支の内訳（点数とチップ）を出します",
        answer=answer,
        words="チップ推移 チップ",
        takes=BY_PERIOD,
        figure="won_chips",
        below=(Below.OWN, Below.AGAIN, Ask.POINT),
        hidden=True,
    ),
    Spec(
        name=Ask.TEAM,
        title="チーム",
        help="チームごとの合計を出します",
        answer=show_teams,
        words="チーム ちーむ 団体 チーム戦 うちのチーム チーム順位 チーム別",
        takes=BY_PERIOD,
        empty=NO_TEAM_GAMES,
        below=(Ask.SUM, Below.OWN, Below.AGAIN, Ask.RATING),
    ),
)
