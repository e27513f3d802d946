"""The games a question is about: season, period, seats; what is said where there are none; and how
they are drawn as lines, with a point for each day of play or each game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Literal, Protocol

from bot import texts
from bot.answers.common.members import People, members, token
from bot.answers.common.periods import Period, month_of, of_options
from bot.chat.command import Ask, Below, Question, choice
from bot.chat.replies import QUICK_REPLIES, Choice, Menu, Reply, UserError
from bot.draw.lines import Curve
from bot.league.seasons import season_is_over
from bot.league.snapshot import LeagueSnapshot
from rating.games import Game, same_seats
from rating.league import Season
from rating.standings import History

NO_PERIOD = "期間を読み取れませんでした。「先月」「6月」「6/1〜6/30」のように送ってください。"
LAST_DAY = "{}からいつまでを見ますか？最後の日を選んでください。"
NO_GAMES = "{}の対局はありません。{}です。"
NO_GAMES_THEN = "{}の対局はありません。下のボタンから選んでください。"
NO_SUCH_DAY = "その日の対局はありません。下のボタンから選んでください。"
NO_DATES = "日付のある対局がないので、期間では見られません。"
UNDATED = "（日付のない{}戦は含みません）"
MENU = choice("メニュー", Ask.MENU)
# Options that stay with another period.
PASSED_ON = ("player", "other", "model", "seats", "season", "by", "show")


def passed_on(question: Question) -> dict[str, object]:
    return {name: question.option(name) for name in PASSED_ON if question.option(name)}


def no_games_in(
    question: Question, period: Period, games: Iterable[Game], season: str = ""
) -> UserError:
    """The error of a period without games (of the season, if it names one), with the nearest
    months.
    """
    name = question.command.name
    options = passed_on(question)
    days = sorted({game.day for game in games if game.day})
    if not days:
        return UserError(NO_DATES, (choice(season or "全シーズン", name, **options), MENU))
    before = [day for day in days if day < period.first][-1:]
    after = [day for day in days if day > period.last][:1]
    months = dict.fromkeys(month_of(day) for day in (*before, *after, days[-1]))
    ways = [choice(month.title, name, **(options | month.options)) for month in months]
    of = f"{season}の" if season else ""
    if after:
        there = f"記録があるのは{of}{texts.period(days[0], days[-1])}"
    else:
        there = f"{of}最後は{texts.day_with_year(days[-1])}"
    other = choice("期間", Ask.PERIOD, of=name, **options)
    return UserError(NO_GAMES.format(period.title, there), (*ways, other, MENU))


def no_such_day(wanted: str) -> str:
    """Says that there are no games on the day (ISO), by its name where it is one."""
    asked = of_options(wanted, wanted)
    return NO_GAMES_THEN.format(asked.title) if asked else NO_SUCH_DAY


ALL = "all"
PAGE = 10  # games on one page


@dataclass(frozen=True)
class Scope:
    """The games a question is about, all of one number of seats; `others` are those of the other
    number. `season` is None for all seasons; `within` is the number of the only season that a
    period's games are of, or None. `undated` counts the games without a date in the same logs,
    which a period leaves out."""

    season: Season | None
    games: tuple[Game, ...]
    seats: int
    others: tuple[Game, ...] = ()
    period: Period | None = None
    within: int | None = None
    undated: int = 0

    @property
    def number(self) -> int | None:
        return self.season.number if self.season else None

    @property
    def title(self) -> str:
        season = texts.season_title(self.season) if self.season else ""
        if self.period:
            return "　".join(filter(None, (season, self.period.title)))
        return season or "全シーズン"

    @property
    def subtitle(self) -> str:
        return subtitle_of(self.games, self.count, self.years)

    @property
    def until(self) -> str:
        """When the last game began, as a sentence for a note; "" where it is unknown."""
        last = self.games[-1]
        moment = texts.moment(last.day, last.start, self.years)
        return f"{moment}の対局まで。" if moment else ""

    @property
    def years(self) -> bool:
        """Whether dates are shown with their years: where the games may be of several seasons."""
        if self.period:
            return self.period.first.year != self.period.last.year
        return self.season is None

    @property
    def count(self) -> str:
        return counted(f"{len(self.games)}戦", self)

    @property
    def option(self) -> str:
        """The season as an option's value; of a period without one, the season it lies in, else
        all.
        """
        number = self.within if self.season is None else self.season.number
        return ALL if number is None else str(number)

    @property
    def options(self) -> dict[str, object]:
        """The scope as options of a button that asks something else about the same games."""
        if self.period is None:
            return {"season": self.option}
        return {"season": self.number, **self.period.options}

    def of(self, player: str) -> Scope:
        """The scope with one player's games only. The player must have a game in it."""
        both = self.games, self.others
        own, others = (tuple(game for game in games if player in game.players) for games in both)
        return replace(self, games=own, others=others, undated=0)


def counted(words: str, scope: Scope) -> str:
    """A number of games, and of those with other seats: 三人打ち400戦（ほかに四人打ち20戦）; says how
    many games a period leaves out because they have no date.
    """
    if scope.others:
        other = texts.SEATS[len(scope.others[0].seats)]
        words = f"{texts.SEATS[scope.seats]}{words}（ほかに{other}{len(scope.others)}戦）"
    if scope.undated:
        words += UNDATED.format(scope.undated)
    return words


def subtitle_of(games: Sequence[Any], count: str, years: bool = False) -> str:
    """The period of the games in short, with `years` their years too, and their number in words
    (`count`).
    """
    days = [game.day for game in games if game.day]
    return "　".join(
        filter(
            None,
            (texts.span(min(days), max(days), years) if days else "", count),
        )
    )


def scope_of(question: Question, default: str = "") -> Scope:
    """The scope asked for, with the commonest number of seats if none is asked for.

    See `scopes_of`.
    """
    return scopes_of(question, default)[0]


def scopes_of(question: Question, default: str = "") -> tuple[Scope, ...]:
    """A scope for each number of seats, or for that asked for, the commonest first. Without a
    season it is the `default` ("": the latest with a game). Raises UserError for no such season, or
    no such game."""
    snapshot = question.snapshot
    seasons = snapshot.seasons
    if not seasons:
        raise UserError(texts.NO_GAMES, (MENU,))
    period = period_asked(question)
    wanted = question.option("season") or (ALL if period else default)
    if wanted == ALL:
        season = None
    elif not wanted:
        season = seasons[-1]
    else:
        season = next((s for s in seasons if str(s.number) == wanted), None)
        if season is None:
            raise UserError(texts.NO_SUCH_SEASON, (*season_choices(question), MENU))
    games = snapshot.all_games(season.number if season else None)
    within = None
    undated: list[Game] = []
    if period:
        played = games
        games = tuple(game for game in games if game.day in period)
        if not games:
            raise no_games_in(
                question, period, played, texts.season_title(season) if season else ""
            )
        logs = {game.source for game in games}
        undated = [game for game in played if game.day is None and game.source in logs]
        numbers = [
            number for number, own in snapshot.games.items() if own and own[0].source in logs
        ]
        within = numbers[0] if len(numbers) == 1 else None
    seats = seats_of(question)
    kept = tuple(same_seats(games, seats))
    if not kept:
        raise UserError(texts.NO_SUCH_SEATS, (*season_choices(question), MENU))
    others = tuple(same_seats(games, other_seats(len(kept[0].seats))))
    scope = Scope(season, kept, len(kept[0].seats), others, period, within)
    scope = replace(scope, undated=len(same_seats(undated, scope.seats)))
    if seats or not others:
        return (scope,)
    other = Scope(season, others, len(others[0].seats), kept, period, within)
    return (scope, replace(other, undated=len(same_seats(undated, other.seats))))


def period_asked(question: Question) -> Period | None:
    """The period asked for. Raises UserError when it can't be read, or asks for its missing end."""
    first = question.option("from")
    last = question.option("to")
    if not (first or last):
        return None
    name = question.command.name
    options = passed_on(question)
    period = of_options(first, last)
    if period is None:
        raise UserError(NO_PERIOD, (choice("期間を選ぶ", Ask.PERIOD, of=name, **options), MENU))
    if not last:
        start = period.first.isoformat()
        today = question.now.date().isoformat()
        here = {**options, "from": start}
        pick = Choice(
            "最後の日を選ぶ", choice("", name, **here, pick="to").data, "date", start, today
        )
        whole = choice("今日まで", name, **here, to=max(today, start))
        ways = (
            pick if start < today else whole,
            whole,
            choice("この日だけ", name, **here, to=start),
        )
        sentence = LAST_DAY.format(texts.day_with_year(period.first))
        asked = UserError(sentence)
        asked.reply = Reply((Menu("最後の日", ways, sentence, sentence),), (MENU,))
        raise asked
    return period


def is_over(question: Question, scope: Scope) -> bool:
    """Whether the scope's season is over; all seasons together never are."""
    if scope.season is None:
        return False
    return season_is_over(question.snapshot, scope.season, scope.games, question.now.date())


def has_data(question: Question, name: str, scope: Scope | None = None) -> bool:
    """Whether a command has something to show: teams, records, or an open title (else the last
    one's).
    """
    snapshot = question.snapshot
    if name in (Ask.RECORDS, Ask.LAST_RECORD):
        return bool(snapshot.paifus)
    if name == Ask.TEAM:
        return bool(snapshot.league.teams)
    if name != Ask.FORECAST or not snapshot.seasons:
        return name != Ask.FORECAST
    last = snapshot.seasons[-1]
    return not is_over(question, scope or Scope(last, snapshot.all_games(last.number), 0))


def days_of(snapshot: LeagueSnapshot) -> list[date]:
    return sorted({game.day for game in snapshot.all_games() if game.day})


def seats_of(question: Question) -> int | None:
    """The number of seats asked for, None for none."""
    wanted = question.option("seats")
    return int(wanted) if wanted in ("3", "4") else None


def other_seats(seats: int) -> int:
    """Four for three players, three for four."""
    return 7 - seats


def season_choices(
    question: Question, current: Scope | str = "", **options: object
) -> tuple[Choice, ...]:
    """The same question for up to three other seasons, newest first, and for all together, without
    `current` (a scope, a season's number as text, or ALL)."""
    name = question.command.name
    if isinstance(current, Scope):
        current = "" if current.period else current.option
    seasons = [s for s in reversed(question.snapshot.seasons) if str(s.number) != current]
    others = []
    for season in seasons[:3]:
        title = texts.season_title(season)
        others.append(choice(title, name, season=season.number, **options))
    if len(question.snapshot.seasons) > 1 and current != ALL:
        others.append(choice("全シーズン", name, season=ALL, **options))
    return tuple(others)


def seat_choices(question: Question, scope: Scope, **options: object) -> tuple[Choice, ...]:
    """The same question for the other number of seats, if the scope's season or period has such
    games.
    """
    if not scope.others:
        return ()
    other = other_seats(scope.seats)
    return (
        choice(
            texts.SEATS[other],
            question.command.name,
            **scope.options,
            seats=other,
            **options,
        ),
    )


def period_choices(question: Question, scope: Scope, **options: object) -> tuple[Choice, ...]:
    """The question for the months or weeks beside the period that have games, and the menu of
    periods.
    """
    name = question.command.name
    beside = []
    if scope.period:
        days = days_of(question.snapshot)
        for steps in (-1, 1):
            near = scope.period.moved(steps)
            if any(day in near for day in days):
                beside.append(
                    choice(
                        near.short,
                        name,
                        **(scope.options | near.options),
                        **options,
                    )
                )
    return (*beside, choice("期間", Ask.PERIOD, of=name, **options))


def below(
    question: Question,
    scope: Scope,
    *own: Choice,
    **same: object,
) -> tuple[Choice, ...]:
    """The choices that the command's Spec puts below an answer about a scope's games; `own` where
    it says so, else first. Questions about other days keep the options `same`."""
    ways = question.spec.below
    found: list[Choice] = [] if Below.OWN in ways else [*own]
    for way in ways:
        if isinstance(way, Choice):
            found.append(way)
        elif isinstance(way, str):
            spec = question.catalogue.get(way)
            if spec is None:
                continue  # its feature is not there
            here = scope.options if "period" in spec.takes else {"season": scope.option}
            if has_data(question, way, scope):
                found.append(choice(spec.title, way, **here))
        else:
            if way is Below.OWN:
                found += own
            if way is Below.AGAIN and "period" in question.spec.takes:
                found += period_choices(question, scope, **same)
            if way in (Below.AGAIN, Below.SEASONS):
                found += season_choices(question, scope, **same)
            if way in (Below.AGAIN, Below.SEATS):
                found += seat_choices(question, scope)
    return offered(*found)


def too_few(question: Question, scope: Scope, *own: Choice, fewest: int = 0) -> UserError:
    """What the command's Spec says where the games are too few, which may be fewer than
    `fewest`.
    """
    spec = question.spec
    told = {
        "title": scope.title,
        "fewest": fewest or spec.fewest,
        "played": len(scope.games),
    }
    return UserError(spec.empty.format(**told), below(question, scope, *own))


def page_of(question: Question, games: int) -> tuple[int, int]:
    """The page of so many games that is asked for, by default the first, and how many pages there
    are.
    """
    asked = question.option("page")
    pages = max(1, -(-games // PAGE))
    number = 1
    if asked.isascii() and asked.isdecimal() and len(asked) < 6:
        number = int(asked)
    return min(max(1, number), pages), pages


def turns(question: Question, games: int, **options: object) -> tuple[Choice, ...]:
    page, pages = page_of(question, games)
    beside = {page + 1: f"前の{PAGE}戦", page - 1: f"次の{PAGE}戦"}
    name = question.command.name
    return tuple(
        choice(words, name, page=number, **options)
        for number, words in beside.items()
        if 0 < number <= pages
    )


def offered(*choices: Choice) -> tuple[Choice, ...]:
    """The choices below a reply: each once, as many as LINE shows, and the menu last."""
    return (*list(dict.fromkeys(choices))[: QUICK_REPLIES - 1], MENU)


WHO = "見たい人の名前を押してください。"
NOT_THEN = "{}さんは{}に打っていません。下のボタンから選んでください。"
NO_GAMES_YET = "{}さんの対局はまだありません。最初の対局が記録されたら、もう一度押してください。"


def ask_who(question: Question, title: str, **options: object) -> Reply:
    """Every member's name as a button, for a question that needs one more name: with `player` among
    the `options` the second (`other`). Raises UserError when there is nobody to choose."""
    slot = "other" if "player" in options else "player"
    shown = question.snapshot.league.shown
    name = question.command.name
    buttons = []
    for player in members(question.snapshot):
        if token(player) != options.get("player", ""):
            named = {slot: token(player)}
            buttons.append(choice(shown(player), name, **options, **named))
    if not buttons:
        raise UserError(texts.NO_GAMES, offered())
    return Reply((Menu(title, tuple(buttons), WHO, f"{title}：{WHO}"),), offered())


def scope_with(question: Question, *players: str) -> Scope:
    """The scope asked for; all seasons when none is named and one of the players did not play in
    the latest. Raises UserError when one of the players has no game in it."""
    scope = scope_of(question)
    absent = [p for p in players if not any(p in game.players for game in scope.games)]
    if not absent:
        return scope
    named_season = question.option("season") or scope.period is not None
    everything = scope if named_season else scope_of(question, ALL)
    for player in absent:
        if not any(player in game.players for game in everything.games):
            shown = question.snapshot.league.shown(player)
            buttons: tuple[Choice, ...] = ()
            if named_season:
                buttons = season_choices(question, scope, player=token(player))
            if scope.period:
                ways = period_choices(question, scope, player=token(player))
                raise UserError(NOT_THEN.format(shown, scope.title), offered(*ways, *buttons))
            raise UserError(NO_GAMES_YET.format(shown), offered(*buttons))
    return everything


DRAWN = 2  # games from which lines say more than a table
RECENT = 50  # games shown by 直近50戦
IN_ORDER = "日付の記録がないので対局順"
FEW_DAYS = 4  # with fewer days of play each game is a point; otherwise the last game of each day


class Dated(Protocol):
    """A game with a day: `Game` or `TeamGame`."""

    @property
    def day(self) -> date | None: ...


@dataclass(frozen=True)
class CurveView:
    """The games behind the lines, and how they are drawn. `days` are the games' days as drawn;
    `dateless`: dates were asked for, but no game has one."""

    games: Sequence[Dated]
    days: Sequence[date | None]
    by_date: bool = False
    recent: bool = False
    dateless: bool = False
    scope: Scope | None = None

    @property
    def axis(self) -> Literal["games", "date"]:
        return "date" if self.by_date else "games"

    @property
    def start(self) -> int:
        return max(0, len(self.games) - RECENT) if self.recent else 0

    @property
    def closing(self) -> Sequence[int]:
        """The indices of the games after which a point is drawn."""
        last = {day: index for index, day in enumerate(self.days)}
        if not self.by_date and (self.recent or len(last) < FEW_DAYS):
            return range(len(self.games))
        return sorted(last.values())

    @property
    def subtitle(self) -> str:
        """The period, number and last game of the games shown, and how many of them have no
        date.
        """
        shown = self.games[self.start :]
        count = f"{len(shown)}戦"
        if len(shown) < len(self.games):
            count = f"直近{len(shown)}戦／全{len(self.games)}戦"
        if self.scope is not None:
            count = counted(count, self.scope)
        undated = sum(1 for game in shown if game.day is None)
        if self.by_date and undated:
            count += f"（うち{undated}戦は日付なし）"
        if self.dateless:
            count += f"（{IN_ORDER}）"
        return subtitle_of(shown, count, self.scope is not None and self.scope.years)

    def at(self, played: int) -> float:
        """The place on the axis after `played` games: that number, or the day as an ordinal (before
        the first game and between two games of one day, the day before)."""
        if not self.by_date:
            return float(played)
        day = self.days[max(played - 1, 0)]
        assert day is not None  # `by_date` is set only when every day is known
        following = self.days[played] if played < len(self.days) else None
        place = float(day.toordinal())
        if played == 0 or following == day:
            return place - 1
        return place


def view_of(
    games: Sequence[Dated],
    axis: str = "",
    span: str = "",
    scope: Scope | None = None,
) -> CurveView:
    """The view asked for (`axis` "date", `span` "50").

    It is by date only if at least one game has a day.
    """
    days = drawn_days(games)
    by_date = axis == "date" and any(days)
    return CurveView(
        games, days, by_date, span == str(RECENT), axis == "date" and not by_date, scope
    )


def drawn_days(games: Sequence[Dated]) -> list[date | None]:
    """The games' days; a game without one (a log may begin with some) gets the day before the next
    dated game, but none before an earlier game's, and after the last dated game that one's. Without
    dates all are None."""
    days: list[date | None] = [game.day for game in games]
    following: date | None = None
    one_day = timedelta(days=1)
    for index, day in reversed(list(enumerate(days))):
        if day is None and following is not None:
            days[index] = max(following, date.min + one_day) - one_day
        following = day or following
    latest: date | None = None
    for index, game in enumerate(games):
        if game.day is None and latest is not None:
            days[index] = max(days[index] or latest, latest)
        latest = days[index]
    return days


def curves_of(
    people: People,
    lines: History,
    players: Sequence[str],
    view: CurveView,
    provisional: Mapping[str, bool],
) -> tuple[Curve, ...]:
    """A curve for each of the players, in the player's colour; the asker's curve is marked."""
    closing = view.closing
    curves = []
    for player in players:
        xs, ys = lines[player].points(closing, view.start)
        curves.append(
            Curve(
                people.shown(player),
                xs=tuple(map(view.at, xs)),
                ys=tuple(ys),
                colour=people.colour(player),
                dash=people.dash(player),
                provisional=provisional.get(player, False),
                asker=people.is_asker(player),
            )
        )
    return tuple(curves)


def last_day_start(games: Sequence[Dated]) -> int:
    """The number (from 0) of the first game of the last day of play; of the last game if that has
    no day.
    """
    last = games[-1].day
    number = len(games) - 1
    while number > 0 and games[number - 1].day == last and last is not None:
        number -= 1
    return number


def day_word(games: Sequence[Dated], years: bool) -> str:
    """The last day of play in short, `11/5` or `2020/11/5`; 前回 when it is unknown."""
    return texts.short_day(games[-1].day, years) or "前回"
