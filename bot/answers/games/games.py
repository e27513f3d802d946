"""今日: a day's results, or its single games."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from bot import texts
from bot.answers.common.days import DayPart, DayResult, day_is_over, day_parts
from bot.answers.common.figures import GUESTS, left_out_of_points, placing_counts
from bot.answers.common.members import People, people_of
from bot.answers.common.ratings import game_row
from bot.answers.common.scope import ALL, Scope, no_such_day, offered, scopes_of
from bot.answers.games.periods import pick_day
from bot.chat.command import BY_DAY, Ask, Question, Spec, choice
from bot.chat.replies import Choice, Once, Reply, Row, Table, UserError
from rating.games import Game

NEXT_DAY = timedelta(days=1)  # until when the poster comes by itself
MOST = 40  # games of one day that are listed, the latest ones
NOT_YET = "今日の対局はまだありません"
ALL_GAMES = "これまでの対局"
TODAYS_RESULTS = "今日の結果　{day}"
RESULTS = "{day}の結果"
RESULTS_WITH_YEAR = "{year}年{day}の結果"
PART = "{title}　{seats}"
PLAYED = "{games}戦"
PLAYED_SEATS = "{seats}{games}戦"
PLAYED_BEFORE = "{played}　{not_yet}"
LIST = "{title}　対局"
LIST_ALT = "{title}　全{games}戦：最後は {scores}"
MORE_GAMES = "ほかに{games}戦あります。"
CHIPS = "{chips}枚"
SCORE = "{player} {points}"
NO_CHANGE = "―"
POINTS_HEAD = "点数"
PLACINGS_HEAD = "着順"
CHIPS_HEAD = "チップ"
RATING_HEAD = "レート"
DAY_BEFORE = "前の日 {day}"
DAY_AFTER = "次の日 {day}"
LATEST_DAY = "いちばん新しい日"
OTHER_ANSWERS = {
    Ask.RECENT: "直近の対局",
    Ask.RATING: "レーティング",
    Ask.SUM: "収支",
    Ask.POINT: "点数推移",
}


class Show(StrEnum):
    """What a postback's option `show` may be."""

    GAMES = "games"  # the games of the day in place of its results


@dataclass(frozen=True)
class DayOfPlay:
    """A day of play and its games in order, among the days of play of the seasons. `day` is None
    where no game has a date; `is_requested` where the question names the day."""

    day: date | None
    games: tuple[Game, ...]
    days: tuple[date, ...]
    is_requested: bool


def today(question: Question) -> Reply:
    """Everybody's sums on the day requested, else on the last day of play; with `show` its
    games.
    """
    played = _day_of_play(question)
    people = people_of(question)
    parts = day_parts(question.snapshot, question.ratings, played.games, people.order)
    title = _title(question, played.day)
    has_results = any(part.results for part in parts)
    if question.option("show") == Show.GAMES or not has_results:
        listing = _games_table(played.games, people, title)
        return Reply((listing,), _games_buttons(question, played))
    not_yet = played.day != question.now.date() and not played.is_requested
    tables = [
        _results_table(part, people, title, alone=len(parts) == 1, not_yet=not_yet)
        for part in parts
    ]
    return Reply(tuple(tables), _results_buttons(question, played), once=_poster(question, played))


def _day_of_play(question: Question) -> DayOfPlay:
    """Raises UserError where nobody played on the day requested."""
    all_games = games_of(question, scopes_of(question, ALL))
    days = sorted({game.day for game in all_games if game.day})
    requested = question.option("date")
    day = None
    if requested:
        day = next((day for day in days if day.isoformat() == requested), None)
        if day is None:
            before = sum(1 for day in days if day.isoformat() < requested)
            choices = _day_choices(question, days, None, before, before)
            raise UserError(no_such_day(requested), choices)
    elif days:
        day = days[-1]
    games = tuple(game for game in all_games if game.day == day)
    return DayOfPlay(day, games, tuple(days), is_requested=bool(requested))


def games_of(question: Question, scopes: Sequence[Scope]) -> tuple[Game, ...]:
    """The games of all the scopes, which are of the same seasons, in order of play."""
    scope = scopes[0]
    if len(scopes) == 1:
        return scope.games
    games = question.snapshot.all_games(scope.number)
    if scope.period is None:
        return games
    return tuple(game for game in games if game.day in scope.period)


def _title(question: Question, day: date | None) -> str:
    if day is None:
        return ALL_GAMES
    if day == question.now.date():
        return TODAYS_RESULTS.format(day=texts.day(day))
    if day.year == question.now.year:
        return RESULTS.format(day=texts.day(day))
    return RESULTS_WITH_YEAR.format(year=day.year, day=texts.day(day))


def _results_table(
    part: DayPart, people: People, title: str, *, alone: bool, not_yet: bool
) -> Table:
    """The results of the day's games with one number of seats. `alone`: it has no others;
    `not_yet`: nobody has played today, so that this is an earlier day."""
    games = len(part.games)
    played = PLAYED.format(games=games)
    if not alone:
        seats = texts.SEATS[part.seats]
        title = PART.format(title=title, seats=seats)
        played = PLAYED_SEATS.format(seats=seats, games=games)
    if not_yet:
        played = PLAYED_BEFORE.format(played=played, not_yet=NOT_YET)
    heads = [POINTS_HEAD, PLACINGS_HEAD, RATING_HEAD]
    if part.chips:
        heads.insert(2, CHIPS_HEAD)
    note = left_out_of_points(people.snapshot, part.games).sentence
    if part.guests:
        note += GUESTS
    rows = tuple(_result_row(result, people, part.chips) for result in part.results)
    return Table(title, rows, tuple(heads), played, note)


def _result_row(result: DayResult, people: People, with_chips: bool) -> Row:
    cells = [placing_counts(result.tally)]
    if with_chips:
        cells.append(CHIPS.format(chips=texts.signed(result.tally.chips)))
    change = NO_CHANGE
    if result.moved is not None:
        change = texts.change(result.moved.words[1])
    cells.append(change)
    points = texts.points(result.tally.points)
    return people.row(result.player, points, result.place, tuple(cells))


def _games_table(games: Sequence[Game], people: People, title: str) -> Table:
    """The last MOST of the games, in order of play."""
    first = max(0, len(games) - MOST)
    rows = tuple(
        game_row(people, game, str(number)) for number, game in enumerate(games[first:], first + 1)
    )
    note = ""
    if first:
        note = MORE_GAMES.format(games=first)
    scores = ""
    if games:
        scores = scores_of(people, games[-1])
    alt = LIST_ALT.format(title=title, games=len(games), scores=scores)
    return Table(LIST.format(title=title), rows, note=note, alt=alt)


def scores_of(people: People, game: Game) -> str:
    """A game in one line, for notifications."""
    scores = []
    for seat in game.seats:
        points = texts.points(seat.score)
        scores.append(SCORE.format(player=people.shown(seat.player), points=points))
    return "、".join(scores)


def _poster(question: Question, played: DayOfPlay) -> Once | None:
    """The poster of a day that has just ended, which a chat gets once."""
    day = played.day
    if day is None or question.now.date() - day > NEXT_DAY:
        return None
    if not day_is_over(question, played.games):
        return None
    poster = question.answer_of(Ask.POSTER, date=day.isoformat())
    if poster is None:
        return None
    return Once(f"poster:{day}", poster.parts)


def _results_buttons(question: Question, played: DayOfPlay) -> tuple[Choice, ...]:
    same_day = _same_day(question, played)
    buttons = [choice("対局", Ask.TODAY, **same_day, show=Show.GAMES)]
    if played.day is not None:
        buttons.append(choice("ポスター", Ask.POSTER, date=played.day))
    return (*buttons, *_choices_beside(question, played))


def _games_buttons(question: Question, played: DayOfPlay) -> tuple[Choice, ...]:
    results = choice("今日", Ask.TODAY, **_same_day(question, played))
    return (results, *_choices_beside(question, played))


def _same_day(question: Question, played: DayOfPlay) -> dict[str, object]:
    """The options of another answer about this day."""
    return {
        "date": played.day,
        "seats": question.option("seats"),
        "season": question.option("season"),
    }


def _choices_beside(question: Question, played: DayOfPlay) -> tuple[Choice, ...]:
    before = len(played.days)
    after = before
    if played.day in played.days:
        before = played.days.index(played.day)
        after = before + 1
    return _day_choices(question, played.days, played.day, before, after)


def _day_choices(
    question: Question, days: Sequence[date], day: date | None, before: int, after: int
) -> tuple[Choice, ...]:
    """Buttons for the days of play next to a day, then other answers. `before`: how many days of
    play are before it; `after`: the index of the first one after it."""
    buttons = []
    if before:
        buttons.append(_day_choice(question, DAY_BEFORE, days[before - 1]))
    if after < len(days):
        buttons.append(_day_choice(question, DAY_AFTER, days[after]))
    if after < len(days) - 1:
        buttons.append(choice(LATEST_DAY, Ask.TODAY))
    others = [choice(label, name) for name, label in OTHER_ANSWERS.items()]
    return offered(*buttons, *pick_day(question, days, day), *others)


def _day_choice(question: Question, template: str, day: date) -> Choice:
    label = template.format(day=texts.short_day(day, day.year != question.now.year))
    return choice(label, Ask.TODAY, date=day)


SPECS = (
    Spec(
        name=Ask.TODAY,
        title="今日",
        help="今日（または最後に打った日）の結果を出します",
        answer=today,
        words="今日 きょう 本日 結果 けっか 誰が勝った 勝者",
        shortcuts={
            word: {"show": Show.GAMES} for word in ("対局", "たいきょく", "試合", "対局一覧")
        },
        everyday="今日 きょう 本日 対局 たいきょく 試合",
        takes=BY_DAY,
        instead=Ask.SUM,
        live=True,
    ),
)
