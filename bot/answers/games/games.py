"""今日 and 直近: lists single games."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from bot import texts
from bot.answers.common.members import People, check_words, named, people_of, token
from bot.answers.common.model_names import course_model
from bot.answers.common.ratings import ratings_of
from bot.answers.common.scope import ALL, Scope, is_option, offered, scope_of
from bot.chat.command import Question, Spec, choice
from bot.chat.replies import Choice, Reply, Row, Table, UserError
from rating.games import Game
from rating.tallies import Tally, tallies

PAGE = 10  # games on one page of 直近
MOST = 40  # games of one day that are listed, the latest ones
NO_SUCH_DAY = "その日の対局はありません。下のボタンから選んでください。"


def today(question: Question) -> Reply:
    """`今日`: everybody's sums on the day asked for, else on the last day of play, and the games of that day."""
    scope, people = scope_of(question, ALL), people_of(question)
    days = sorted({game.day for game in scope.games if game.day})
    day = _day(question, days)
    games = [game for game in scope.games if game.day == day]
    title = _title(question, day)
    table = _day_table(question, people, scope, games, title)
    listed = games[-MOST:]
    numbers = range(len(games) - len(listed) + 1, len(games) + 1)
    note = f"ほかに{len(games) - len(listed)}戦あります。" if len(games) > len(listed) else ""
    rows = tuple(game_row(people, game, str(number)) for number, game in zip(numbers, listed, strict=True))
    return Reply((table, Table("対局", rows, note=note, alt=f"{title}の対局")), _day_choices(days, day))


def _day(question: Question, days: Sequence[date]) -> date | None:
    """The day asked for, else the last one; None when no game has a day."""
    wanted = question.option("date")
    if not wanted:
        return days[-1] if days else None
    found = next((day for day in days if day.isoformat() == wanted), None)
    if found is None:
        raise UserError(NO_SUCH_DAY, _day_choices(days, None))
    return found


def _title(question: Question, day: date | None) -> str:
    if day is None:
        return "これまでの対局"
    if day == question.now.date():
        return f"今日の結果　{texts.day(day)}"
    return f"{'' if day.year == question.now.year else f'{day.year}年'}{texts.day(day)}の結果"


def _day_table(question: Question, people: People, scope: Scope, games: list[Game], title: str) -> Table:
    found = {p: t for p, t in tallies(games).items() if p in people.order}
    moved = _moved(question, scope, games)
    order = sorted(found, key=lambda p: (-found[p].points, p))
    rows = tuple(
        people.row(
            p, texts.points(found[p].points), i, (f"{found[p].games}戦",), _detail(found[p], moved.get(p))
        )
        for i, p in enumerate(order, 1)
    )
    top = "、".join(f"{row.rank}位 {row.name} {row.value}" for row in rows[:3])
    return Table(title, rows, ("点数", "対局"), f"{len(games)}戦", alt=f"{title}：{top}")


def _detail(tally: Tally, moved: tuple[str, str] | None) -> str:
    words = ["着順 " + "-".join(map(str, tally.placings))]
    if tally.chip_games:
        words.append(f"チップ {texts.signed(tally.chips)}枚")
    if moved:
        words.append(f"レート {moved[0]}（{moved[1]}）")
    return "　".join(words)


def _moved(question: Question, scope: Scope, games: list[Game]) -> dict[str, tuple[str, str]]:
    """Each player's rating after these games, and how far they moved it, in words; by the ratings of the games' season."""
    snapshot = question.snapshot
    model = course_model(snapshot.league.model)
    for season in reversed(snapshot.seasons):
        own = [game for game in snapshot.all_games(season.number) if len(game.seats) == scope.seats]
        inside = [number for number, game in enumerate(own) if game in games]
        if not inside:
            continue
        try:
            found = ratings_of(question, Scope(season, tuple(own), scope.seats), model)
        except UserError:
            return {}
        result = {}
        for player, line in found.history.items():
            values = dict(zip(line.games, line.values, strict=True))
            mine = [number for number in inside if number in values]
            if mine:
                before = line.games.index(mine[0])
                start = line.values[before - 1] if before else line.start
                after = values[mine[-1]]
                result[player] = (found.words(after), found.words(after - start, True))
        return result
    return {}


def _day_choices(days: Sequence[date], day: date | None) -> tuple[Choice, ...]:
    """The days of play before and after, then related answers."""
    result = []
    at = days.index(day) if day in days else len(days)
    if at > 0:
        result.append(choice(f"前の日 {days[at - 1].month}/{days[at - 1].day}", "today", date=days[at - 1]))
    if at < len(days) - 1:
        result.append(choice(f"次の日 {days[at + 1].month}/{days[at + 1].day}", "today", date=days[at + 1]))
    if at < len(days) - 2:
        result.append(choice("いちばん新しい日", "today"))
    return offered(
        *result,
        choice("直近の対局", "recent"),
        choice("レーティング", "rating"),
        choice("収支", "sum"),
        choice("点数推移", "point"),
    )


def recent(question: Question) -> Reply:
    """`直近`: the last games, PAGE at a time; only those of the member named, if any."""
    scope, people = scope_of(question, ALL), people_of(question)
    players, left = named(question)
    check_words(question, [word for word in left if not is_option(word)])
    games = [g for g in reversed(scope.games) if not players or players[0] in g.players]
    pages = max(1, -(-len(games) // PAGE))
    page = min(max(1, _number(question.option("page"))), pages)
    shown = games[(page - 1) * PAGE : page * PAGE]
    whose = f"{people.shown(players[0])}の" if players else ""
    title = f"{whose}直近の対局" + (f"　{page}/{pages}" if pages > 1 else "")
    rows = tuple(game_row(people, game, whose=players[0] if players else "", dated=True) for game in shown)
    alt = f"{title}：{_sentence(people, shown[0])}" if shown else title
    subtitle = f"{scope.title}　新しい順" if shown else "まだ対局がありません。"
    table = Table(title, rows, subtitle=subtitle, alt=alt)
    return Reply((table,), _recent_choices(scope, players, page, pages))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 1


def _recent_choices(scope: Scope, players: list[str], page: int, pages: int) -> tuple[Choice, ...]:
    player, season = token(players[0]) if players else "", "" if scope.option == ALL else scope.option
    result = []
    if page < pages:
        result.append(choice(f"前の{PAGE}局", "recent", page=page + 1, player=player, season=season))
    if page > 1:
        result.append(choice(f"次の{PAGE}局", "recent", page=page - 1, player=player, season=season))
    if players:
        result += [choice("全員の直近", "recent"), choice("個人", "player", player=player)]
    return offered(*result, choice("今日", "today"), choice("レーティング", "rating"), choice("収支", "sum"))


def game_row(people: People, game: Game, number: str = "", whose: str = "", dated: bool = False) -> Row:
    """A game as a row: its winner, or the player `whose` with the placing; the others below, the time at the right."""
    place = game.placing(whose) if whose else 0
    seat = game.seats[place]
    others = [
        f"{i}着 {people.shown(s.player)} {texts.points(s.score)}"
        for i, s in enumerate(game.seats, 1)
        if s != seat
    ]
    start = f"{game.start:%H:%M}" if game.start else ""
    when = " ".join(filter(None, [f"{game.day.month}/{game.day.day}" if dated and game.day else "", start]))
    return Row(
        people.shown(seat.player),
        texts.points(seat.score),
        rank=str(place + 1) if whose else number,
        extra=(when,) if when else (),
        detail="　".join(others),
        colour=people.colours.get(seat.player, ""),
        mine=people.is_asker(seat.player),
    )


def _sentence(people: People, game: Game) -> str:
    return "、".join(f"{people.shown(s.player)} {texts.points(s.score)}" for s in game.seats)


SPECS = (
    Spec(
        name="today",
        title="今日",
        help="今日（または最後に打った日）の結果を出します",
        answer=today,
        words=("今日", "きょう", "本日"),
        daily=True,
        plain=True,
    ),
    Spec(
        name="recent",
        title="直近",
        help="最近の対局を10局ずつ出します",
        answer=recent,
        words=("直近", "最近", "履歴"),
    ),
)
