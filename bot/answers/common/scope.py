"""The games a question is about: season, period, seats; the errors where there are none; and how
they are drawn as lines, with a point for each day of play or each game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Literal, Protocol

from bot import texts
from bot.answers.common.members import People, members, token
from bot.answers.common.periods import Period, month_of, no_games_sentence, of_options
from bot.chat.command import Ask, Below, Question, choice
from bot.chat.replies import QUICK_REPLIES, Choice, Menu, Reply, UserError
from bot.draw.lines import Curve
from bot.league.seasons import season_is_over
from bot.league.snapshot import LeagueSnapshot
from rating.games import Game, same_seats
from rating.league import Season
from rating.standings import History

NO_PERIOD = "期間を読み取れませんでした。「先月」「6月」「6/1〜6/30」のように送ってください。"
LAST_DAY = "{first}からいつまでを見ますか？最後の日を選んでください。"
NO_GAMES_THEN = "{day}の対局はありません。下のボタンから選んでください。"
NO_SUCH_DAY = "その日の対局はありません。下のボタンから選んでください。"
NO_DATES = "日付のある対局がないので、期間では見られません。"
COUNT_WITHOUT_UNDATED = "{count}（日付のない{undated}戦は含みません）"
COUNT_BY_SEATS = "{seats}{count}（ほかに{other_seats}{others}戦）"
UNTIL = "{moment}の対局まで。"
ALL_SEASONS = "全シーズン"
PERIODS = "期間"
CHOOSE_PERIOD = "期間を選ぶ"
CHOOSE_LAST_DAY = "最後の日を選ぶ"
UNTIL_TODAY = "今日まで"
THIS_DAY = "この日だけ"
LAST_DAY_TITLE = "最後の日"
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
        return UserError(NO_DATES, (choice(season or ALL_SEASONS, name, **options), MENU))
    before = [day for day in days if day < period.first][-1:]
    after = [day for day in days if day > period.last][:1]
    months = dict.fromkeys(month_of(day) for day in (*before, *after, days[-1]))
    buttons = [choice(month.title, name, **(options | month.options)) for month in months]
    other = choice(PERIODS, Ask.PERIOD, of=name, **options)
    sentence = no_games_sentence(period, days, season)
    return UserError(sentence, (*buttons, other, MENU))


def no_such_day(iso_day: str) -> str:
    """The sentence that a day has no games, with its name where it is a day."""
    day = of_options(iso_day, iso_day)
    if day is None:
        return NO_SUCH_DAY
    return NO_GAMES_THEN.format(day=day.title)


ALL = "all"


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
        if self.season is None:
            return None
        return self.season.number

    @property
    def title(self) -> str:
        titles = []
        if self.season is not None:
            titles.append(texts.season_title(self.season))
        if self.period:
            titles.append(self.period.title)
        return "　".join(titles) or ALL_SEASONS

    @property
    def subtitle(self) -> str:
        return subtitle_of(self.games, self.count, self.years)

    @property
    def until(self) -> str:
        """When the last game began, as a sentence for a note; "" where it is unknown."""
        last = self.games[-1]
        moment = texts.moment(last.day, last.start, self.years)
        if not moment:
            return ""
        return UNTIL.format(moment=moment)

    @property
    def years(self) -> bool:
        """Whether dates are shown with their years: where the games may be of several seasons."""
        if self.period:
            return self.period.first.year != self.period.last.year
        return self.season is None

    @property
    def count(self) -> str:
        return counted(texts.played(len(self.games)), self)

    @property
    def option(self) -> str:
        """The season as an option's value; of a period without one, the season it is in, else
        all.
        """
        number = self.within
        if self.season is not None:
            number = self.season.number
        if number is None:
            return ALL
        return str(number)

    @property
    def options(self) -> dict[str, object]:
        """The scope as options of a button that asks something else about the same games."""
        if self.period is None:
            return {"season": self.option}
        return {"season": self.number, **self.period.options}

    def of(self, player: str) -> Scope:
        """The scope with one player's games only. The player must have a game in it."""
        return replace(
            self,
            games=tuple(game for game in self.games if player in game.players),
            others=tuple(game for game in self.others if player in game.players),
            undated=0,
        )


def counted(count: str, scope: Scope) -> str:
    """A number of games, and of those with other seats: 三人打ち400戦（ほかに四人打ち20戦）; with how
    many games a period leaves out because they have no date.
    """
    if scope.others:
        count = COUNT_BY_SEATS.format(
            seats=texts.SEATS[scope.seats],
            count=count,
            other_seats=texts.SEATS[len(scope.others[0].seats)],
            others=len(scope.others),
        )
    if scope.undated:
        count = COUNT_WITHOUT_UNDATED.format(count=count, undated=scope.undated)
    return count


def subtitle_of(games: Sequence[Any], count: str, years: bool = False) -> str:
    """The period of the games in short, with `years` their years too, and their number as text
    (`count`).
    """
    days = [game.day for game in games if game.day]
    if not days:
        return count
    span = texts.span(min(days), max(days), years)
    return "　".join(filter(None, (span, count)))


def scope_of(question: Question, default: str = "") -> Scope:
    """The scope of a question, with the commonest number of seats where it names none.

    See `scopes_of`.
    """
    return scopes_of(question, default)[0]


def scopes_of(question: Question, default: str = "") -> tuple[Scope, ...]:
    """A scope for each number of seats, or for that of the question, the commonest first. Without
    a season it is the `default` ("": the latest with a game). Raises UserError for no such season,
    or no such game."""
    snapshot = question.snapshot
    if not snapshot.seasons:
        raise UserError(texts.NO_GAMES, (MENU,))
    period = period_asked(question)
    season = _season_of(question, period, default)
    games = snapshot.all_games(season.number if season else None)
    within: int | None = None
    undated: list[Game] = []
    if period:
        games_of_season = games
        games = tuple(game for game in games if game.day in period)
        if not games:
            title = ""
            if season:
                title = texts.season_title(season)
            raise no_games_in(question, period, games_of_season, title)
        logs = {game.source for game in games}
        undated = [game for game in games_of_season if game.day is None and game.source in logs]
        within = _only_season(snapshot, logs)
    seats = seats_of(question)
    commonest = tuple(same_seats(games, seats))
    if not commonest:
        raise UserError(texts.NO_SUCH_SEATS, (*season_choices(question), MENU))
    others = tuple(same_seats(games, other_seats(len(commonest[0].seats))))
    scope = _with_undated(
        Scope(season, commonest, len(commonest[0].seats), others, period, within), undated
    )
    if seats or not others:
        return (scope,)
    other = Scope(season, others, len(others[0].seats), commonest, period, within)
    return (scope, _with_undated(other, undated))


def _season_of(question: Question, period: Period | None, default: str) -> Season | None:
    """The season of a question, of one with a period by default all (None). Raises UserError for
    one that is not there.
    """
    seasons = question.snapshot.seasons
    number = question.option("season")
    if not number and period:
        number = ALL
    elif not number:
        number = default
    if number == ALL:
        return None
    if not number:
        return seasons[-1]
    for season in seasons:
        if str(season.number) == number:
            return season
    raise UserError(texts.NO_SUCH_SEASON, (*season_choices(question), MENU))


def _only_season(snapshot: LeagueSnapshot, logs: Set[str]) -> int | None:
    """The number of the season whose log is the only one of these; None where there are several."""
    numbers = [
        number for number, games in snapshot.games.items() if games and games[0].source in logs
    ]
    if len(numbers) == 1:
        return numbers[0]
    return None


def _with_undated(scope: Scope, undated: Sequence[Game]) -> Scope:
    return replace(scope, undated=len(same_seats(undated, scope.seats)))


def period_asked(question: Question) -> Period | None:
    """The period of a question. Raises UserError when it can't be read, or when its end is
    missing, with buttons for it.
    """
    first = question.option("from")
    last = question.option("to")
    if not (first or last):
        return None
    name = question.command.name
    options = passed_on(question)
    period = of_options(first, last)
    if period is None:
        raise UserError(NO_PERIOD, (choice(CHOOSE_PERIOD, Ask.PERIOD, of=name, **options), MENU))
    if not last:
        raise _which_last_day(question, period)
    return period


def _which_last_day(question: Question, period: Period) -> UserError:
    """The error of a period without its end: a menu of last days."""
    name = question.command.name
    start = period.first.isoformat()
    today = question.now.date().isoformat()
    options = {**passed_on(question), "from": start}
    buttons = [
        choice(UNTIL_TODAY, name, **options, to=max(today, start)),
        choice(THIS_DAY, name, **options, to=start),
    ]
    if start < today:
        data = choice("", name, **options, pick="to").data
        buttons.insert(0, Choice(CHOOSE_LAST_DAY, data, "date", start, today))
    else:
        buttons.insert(0, buttons[0])
    sentence = LAST_DAY.format(first=texts.day_with_year(period.first))
    error = UserError(sentence)
    menu = Menu(LAST_DAY_TITLE, tuple(buttons), sentence, sentence)
    error.reply = Reply((menu,), (MENU,))
    return error


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
    """The number of seats that the question names, None for none."""
    seats = question.option("seats")
    if seats in ("3", "4"):
        return int(seats)
    return None


def other_seats(seats: int) -> int:
    """Four for three players, three for four."""
    return 7 - seats


def season_choices(
    question: Question, current: Scope | str = "", **options: object
) -> tuple[Choice, ...]:
    """The same question for up to three other seasons, newest first, and for all together, without
    `current` (a scope, a season's number as text, or ALL)."""
    name = question.command.name
    if isinstance(current, Scope) and current.period:
        current = ""
    elif isinstance(current, Scope):
        current = current.option
    seasons = [
        season for season in reversed(question.snapshot.seasons) if str(season.number) != current
    ]
    buttons = []
    for season in seasons[:3]:
        title = texts.season_title(season)
        buttons.append(choice(title, name, season=season.number, **options))
    if len(question.snapshot.seasons) > 1 and current != ALL:
        buttons.append(choice(ALL_SEASONS, name, season=ALL, **options))
    return tuple(buttons)


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
    """The question for the months or weeks next to the period that have games, and the menu of
    periods.
    """
    name = question.command.name
    buttons = []
    if scope.period:
        days = days_of(question.snapshot)
        for steps in (-1, 1):
            near = scope.period.moved(steps)
            if any(day in near for day in days):
                buttons.append(
                    choice(
                        near.short,
                        name,
                        **(scope.options | near.options),
                        **options,
                    )
                )
    return (*buttons, choice(PERIODS, Ask.PERIOD, of=name, **options))


def below(
    question: Question,
    scope: Scope,
    *own_buttons: Choice,
    **same: object,
) -> tuple[Choice, ...]:
    """The choices that the command's Spec puts below an answer about a scope's games; the answer's
    own buttons where it has Below.OWN, else first. Questions about other days keep the options
    `same`."""
    places = question.spec.below
    buttons: list[Choice] = []
    if Below.OWN not in places:
        buttons += own_buttons
    for place in places:
        if isinstance(place, Choice):
            buttons.append(place)
        elif isinstance(place, str):
            buttons += _command_button(question, scope, place)
        elif place is Below.OWN:
            buttons += own_buttons
        else:
            buttons += _same_question(question, scope, place, same)
    return offered(*buttons)


def _command_button(question: Question, scope: Scope, name: str) -> list[Choice]:
    """The button of another command about the same games; [] where it has nothing to show, or its
    feature is not there.
    """
    spec = question.catalogue.get(name)
    if spec is None or not has_data(question, name, scope):
        return []
    options: Mapping[str, object] = {"season": scope.option}
    if "period" in spec.takes:
        options = scope.options
    return [choice(spec.title, name, **options)]


def _same_question(
    question: Question, scope: Scope, place: Below, same: Mapping[str, object]
) -> list[Choice]:
    """The same question about other periods, seasons or seats."""
    buttons: list[Choice] = []
    if place is Below.AGAIN and "period" in question.spec.takes:
        buttons += period_choices(question, scope, **same)
    if place in (Below.AGAIN, Below.SEASONS):
        buttons += season_choices(question, scope, **same)
    if place in (Below.AGAIN, Below.SEATS):
        buttons += seat_choices(question, scope)
    return buttons


def too_few(question: Question, scope: Scope, *own_buttons: Choice, fewest: int = 0) -> UserError:
    """The error with the `empty` of the command's Spec where the games are too few, which may be
    fewer than `fewest`.
    """
    spec = question.spec
    sentence = spec.empty.format(
        title=scope.title, fewest=fewest or spec.fewest, played=len(scope.games)
    )
    return UserError(sentence, below(question, scope, *own_buttons))


def offered(*choices: Choice) -> tuple[Choice, ...]:
    """The choices below a reply: each once, as many as LINE shows, and the menu last."""
    return (*list(dict.fromkeys(choices))[: QUICK_REPLIES - 1], MENU)


WHO = "見たい人の名前を押してください。"
WHO_NOTIFICATION = "{title}：{who}"
NOT_THEN = "{player}さんは{period}に打っていません。下のボタンから選んでください。"
NO_GAMES_YET = (
    "{player}さんの対局はまだありません。最初の対局が記録されたら、もう一度押してください。"
)


def ask_who(question: Question, title: str, **options: object) -> Reply:
    """Every member's name as a button, for a question that needs one more name: with `player` among
    the `options` the second (`other`). Raises UserError when there is nobody to choose."""
    option = "player"
    if "player" in options:
        option = "other"
    shown = question.snapshot.league.shown
    name = question.command.name
    buttons = []
    for player in members(question.snapshot):
        if token(player) != options.get("player", ""):
            with_name = options | {option: token(player)}
            buttons.append(choice(shown(player), name, **with_name))
    if not buttons:
        raise UserError(texts.NO_GAMES, offered())
    notification = WHO_NOTIFICATION.format(title=title, who=WHO)
    return Reply((Menu(title, tuple(buttons), WHO, notification),), offered())


def scope_with(question: Question, *players: str) -> Scope:
    """The scope of a question about these players; all seasons when it names none and one of them
    did not play in the latest. Raises UserError when one of them has no game in it."""
    scope = scope_of(question)
    if not _absent(scope, players):
        return scope
    has_season = bool(question.option("season")) or scope.period is not None
    widest = scope
    if not has_season:
        widest = scope_of(question, ALL)
    absent = _absent(widest, players)
    if absent:
        raise _no_games_of(question, widest, absent[0], has_season)
    return widest


def _absent(scope: Scope, players: Sequence[str]) -> list[str]:
    """The players without a game in the scope."""
    present = {player for game in scope.games for player in game.players}
    return [player for player in players if player not in present]


def _no_games_of(question: Question, scope: Scope, player: str, has_season: bool) -> UserError:
    """The error where a player has no game, with other periods and seasons if one is named."""
    name = question.snapshot.league.shown(player)
    option = token(player)
    seasons: tuple[Choice, ...] = ()
    if has_season:
        seasons = season_choices(question, scope, player=option)
    if scope.period:
        periods = period_choices(question, scope, player=option)
        sentence = NOT_THEN.format(player=name, period=scope.title)
        return UserError(sentence, offered(*periods, *seasons))
    return UserError(NO_GAMES_YET.format(player=name), offered(*seasons))


DRAWN = 2  # games from which lines say more than a table
RECENT = 50  # games shown by 直近50戦
RECENT_COUNT = "直近{games}戦／全{all_games}戦"
COUNT_WITH_UNDATED = "{count}（うち{undated}戦は日付なし）"
COUNT_IN_ORDER = "{count}（日付の記録がないので対局順）"
LAST_TIME = "前回"
FEW_DAYS = 4  # with fewer days of play each game is a point; otherwise the last game of each day


class Dated(Protocol):
    """A game with a day: `Game` or `TeamGame`."""

    @property
    def day(self) -> date | None: ...


@dataclass(frozen=True)
class CurveView:
    """The games behind the lines, and how they are drawn. `days` are the games' days as drawn;
    `dateless`: an axis of dates was requested, but no game has one."""

    games: Sequence[Dated]
    days: Sequence[date | None]
    by_date: bool = False
    recent: bool = False
    dateless: bool = False
    scope: Scope | None = None

    @property
    def axis(self) -> Literal["games", "date"]:
        if self.by_date:
            return "date"
        return "games"

    @property
    def start(self) -> int:
        """The index of the first game shown."""
        if self.recent:
            return max(0, len(self.games) - RECENT)
        return 0

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
        games = self.games[self.start :]
        count = texts.played(len(games))
        if len(games) < len(self.games):
            count = RECENT_COUNT.format(games=len(games), all_games=len(self.games))
        if self.scope is not None:
            count = counted(count, self.scope)
        undated = sum(1 for game in games if game.day is None)
        if self.by_date and undated:
            count = COUNT_WITH_UNDATED.format(count=count, undated=undated)
        if self.dateless:
            count = COUNT_IN_ORDER.format(count=count)
        return subtitle_of(games, count, self.scope is not None and self.scope.years)

    def at(self, played: int) -> float:
        """The place on the axis after `played` games: that number, or the day as an ordinal (before
        the first game and between two games of one day, the day before)."""
        if not self.by_date:
            return float(played)
        day = self.days[max(played - 1, 0)]
        assert day is not None  # `by_date` is set only when every day is known
        place = float(day.toordinal())
        if played == 0 or (played < len(self.days) and self.days[played] == day):
            return place - 1
        return place


def view_of(
    games: Sequence[Dated],
    axis: str = "",
    span: str = "",
    scope: Scope | None = None,
) -> CurveView:
    """The view of these options (`axis` "date", `span` "50").

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
    return texts.short_day(games[-1].day, years) or LAST_TIME
