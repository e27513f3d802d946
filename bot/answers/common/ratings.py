"""The rating systems under the Japanese names that members know, and everybody's rating by one of
them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from bot import texts
from bot.answers.common.members import People
from bot.answers.common.periods import Period
from bot.answers.common.scope import Scope, counted, offered, subtitle_of
from bot.chat.command import Ask, Question, choice, data_of, normal
from bot.chat.replies import Choice, Row, UserError
from bot.league.ratings import RatedGames
from bot.league.snapshot import LeagueSnapshot
from rating.games import Game, GameError
from rating.models import MODELS
from rating.models.base import Sequential
from rating.standings import GroupPlace, History, Line, Rating, Standings, places_of
from rating.tallies import groups


class ModelWords(NamedTuple):
    """A system's title, and what its numbers mean."""

    title: str
    meaning: str


MODEL_WORDS = {
    "tenhou": ModelWords(
        "レーティング", "天鳳の式にならった計算です。1500から始まり、着順で動きます。"
    ),
    "jansou": ModelWords("得点レート", "1500から始まり、得点で動きます。"),
    "team_elo": ModelWords("2対2レート", "2対2の対局だけで計算しています。"),
    "bradley_terry": ModelWords("対戦の強さ", "同卓した相手に先着する強さです。0が平均です。"),
    "plackett_luce": ModelWords("着順の強さ", "着順から見た強さです。0が平均です。"),
    "plackett_luce_drift": ModelWords(
        "着順の強さ（調子）", "着順から見た、いまの強さです。0が平均です。"
    ),
    "btr": ModelWords("実力（推定）", "相手1人につき、1戦で何千点ぶん強いかです。0が平均です。"),
    "bayesian_btr": ModelWords(
        "実力（誤差つき）", "相手1人につき、1戦で何千点ぶん強いかです。0が平均です。"
    ),
    "blade_chest": ModelWords("相性つきの強さ", "人ごとの相性も入れた強さです。0が平均です。"),
}


def words_of(model: str) -> ModelWords:
    return MODEL_WORDS.get(model) or ModelWords(model, "")


def model_title(model: str) -> str:
    """A system's Japanese title; the name itself when it is unknown."""
    return words_of(model).title


def signed(model: str) -> bool:
    """Whether values lie around 0, so that they are shown with a sign."""
    return MODELS[model].baseline == 0


def course_model(model: str) -> str:
    """The model itself if it learns game by game (and so has lines to draw), else the first that
    does.
    """
    return model if model in _COURSES else _COURSES[0]


_COURSES = [
    name for name, kind in MODELS.items() if kind.plays == "games" and issubclass(kind, Sequential)
]
_FORMER_TITLES = {
    "得点の強さ": "btr",
    "得点の強さ（誤差）": "bayesian_btr",
}  # they keep working when typed
# The words a system can be asked for with, as they are compared.
BY_WORD = {normal(word): model for model in MODELS for word in (model, model_title(model))}
BY_WORD |= {normal(word): model for word, model in _FORMER_TITLES.items()}


LIKELY = "見込み"
TOO_FEW = (
    "この強さを計算するには、まだ対局が足りません。もう少し打ってから、もう一度押してください。"
)
APART = (
    "同じ卓でつながっていない人どうしの強さは比べられないので、グループごとに順位をつけています。"
)
OTHER_RATINGS = "ほかのレート"
MENU = "メニュー"
ALL_GAMES = "通算"
RECORD = "牌譜"
RECORD_OF = "{moment}の牌譜"
NO_TEAM_GAMES = (
    "2対2の記録はまだありません。2対2の結果を記録すると、ここにレートが出ます。"
    "ほかのレートは下のボタンから見られます。"
)


@dataclass(frozen=True)
class Ratings:
    """Everybody's rating by one system. `games` are those it rated: the scope's, or team matches (2
    vs 2). Of a period, the history of a system that learns game by game goes on from the games
    before."""

    scope: Scope
    model: str
    standings: Standings
    history: History
    games: Sequence[Any]

    @property
    def title(self) -> str:
        return f"{model_title(self.model)}　{self.where}"

    @property
    def where(self) -> str:
        if self.scope.period:
            return self.scope.title
        if MODELS[self.model].plays == "teams":
            return ALL_GAMES
        return self.scope.title

    @property
    def chosen(self) -> Scope:
        """The scope of `games`: for team matches all of them, whatever season was asked for."""
        if MODELS[self.model].plays == "teams":
            return replace(self.scope, season=None, others=())
        return self.scope

    def games_of(self, player: str) -> int:
        """How many games the player has: of a period its own, though the rating counts those before
        it.
        """
        if self.scope.period and player in self.history:
            return len(self.history[player].games)
        return self.standings[player].games

    @property
    def subtitle(self) -> str:
        count = counted(texts.played(len(self.games)), self.chosen)
        return subtitle_of(self.games, count, self.chosen.years)

    @cached_property
    def places(self) -> dict[str, GroupPlace]:
        """Every player's group and place in it, in this order. See `ranked_apart`."""
        return ranked_apart(self.model, self.standings, self.games)

    @property
    def apart(self) -> bool:
        """Whether some players have no common opponents with the others, and so have places of
        their own.
        """
        return any(place.group > 1 for place in self.places.values())

    @property
    def by_games(self) -> bool:
        """Whether the system learns game by game and so has lines to draw."""
        return bool(self.history)

    def words(self, value: float, sign: bool | None = None) -> str:
        """A value as text; by default with a sign where the system's values lie around 0."""
        if sign is None:
            sign = signed(self.model)
        return texts.number(value, MODELS[self.model].decimals, sign)

    def interval(self, rating: Rating) -> str:
        return interval_words(rating, self.words)


def interval_words(rating: Rating, words: Callable[[float], str]) -> str:
    """The 95 % interval after its centre:

    `+1.90（−0.30〜+4.10）`, each as `words` writes it; "" for none.
    """
    if rating.low is None or rating.high is None or rating.likely is None:
        return ""
    return f"{words(rating.likely)}（{words(rating.low)}〜{words(rating.high)}）"


def ranked_apart(
    model: str,
    standings: Standings,
    games: Sequence[Any],
) -> dict[str, GroupPlace]:
    """Every player's group and place in it, in this order; equal ratings share one. Strengths
    around 0 compare only players whom the games join, the largest group first; ratings from a start
    are one table."""
    joined: Mapping[str, int] = {}
    if signed(model):
        joined = groups(game.players for game in games)
    places = places_of(standings, joined)
    ordered_groups = sorted({place.group for place in places.values()})
    numbers = {group: number for number, group in enumerate(ordered_groups, 1)}
    return {
        player: GroupPlace(numbers[place.group], place.place) for player, place in places.items()
    }


def model_of(question: Question) -> str:
    """The rating system that the question names, else the league's own. Raises UserError for an
    unknown one.
    """
    model = question.option("model") or question.snapshot.league.model
    if model not in MODELS:
        buttons = tuple(choice(model_title(name), Ask.RATING, model=name) for name in MODELS)
        raise UserError(texts.NO_SUCH_MODEL, (*buttons, choice(MENU, Ask.MENU)))
    return model


def ratings_of(question: Question, scope: Scope, model: str = "") -> Ratings:
    """Everybody's rating in the scope, without guests, by default by the league's system or the
    first that learns game by game. Raises UserError with too few games."""
    period = scope.period
    model = model or course_model(question.snapshot.league.model)
    try:
        if period is None:
            rated = question.ratings.rated(model, scope.number, scope.seats)
        else:
            number = scope.number
            if scope.season is None:
                number = scope.within
            days = (period.first, period.last)
            rated = _within(question.ratings.rated(model, number, scope.seats, days), period)
    except GameError:
        raise UserError(TOO_FEW, offered(other_models(scope))) from None
    if not rated.games:
        raise UserError(NO_TEAM_GAMES, offered(other_models(scope)))
    guests = frozenset(p for p in rated.standings if question.snapshot.league.is_guest(p))
    return Ratings(scope, model, rated.standings.without(guests), rated.history, rated.games)


def known_ratings(question: Question, scope: Scope, model: str = "") -> Ratings | None:
    """The same as `ratings_of`; None with too few games."""
    try:
        return ratings_of(question, scope, model)
    except UserError:
        return None


def _within(rated: RatedGames, period: Period) -> RatedGames:
    """The ratings of those who played in the period, at its end, with their lines over its games
    alone.
    """
    numbers = [number for number, game in enumerate(rated.games) if game.day in period]
    new_numbers = {number: place for place, number in enumerate(numbers)}
    history: History = {}
    for player, line in rated.history.items():
        points = [point for point, number in enumerate(line.games) if number in new_numbers]
        if points:
            history[player] = Line(
                line.before(line.games[points[0]]),
                [new_numbers[line.games[point]] for point in points],
                [line.values[point] for point in points],
            )
    absent: frozenset[str] = frozenset()
    if rated.history:
        absent = frozenset(rated.standings) - frozenset(history)
    games = [rated.games[number] for number in numbers]
    return RatedGames(rated.standings.without(absent), history, games)


def other_models(scope: Scope) -> Choice:
    """The list of all systems, for the ratings of the same season."""
    return choice(OTHER_RATINGS, Ask.MODELS, **scope.options)


def record_options(snapshot: LeagueSnapshot, game: Game, whose: str = "") -> dict[str, str]:
    """The options of the report of a game's record, {} where it has none; it marks the seat of
    `whose`.
    """
    entry = snapshot.paifu_of.get(game)
    if entry is None:
        return {}
    day = entry.day or game.day
    players = [snapshot.league.player_of(name, day) for name, _ in entry.scores]
    if whose not in players:
        return {"id": entry.file}
    return {"id": entry.file, "tw": str(players.index(whose))}


def game_row(
    people: People,
    game: Game,
    number: str = "",
    whose: str = "",
    dated: bool = False,
    years: bool = False,
) -> Row:
    """A game as a row: its winner, or the player `whose` with the placing; the others below, the
    time at the right (with `years` below the day). A tap opens the report of its record."""
    place = 0
    rank = number
    if whose:
        place = game.placing(whose)
        rank = str(place + 1)
    seat = game.seats[place]
    others = _other_seats(people, game, place)
    start = ""
    if game.start:
        start = f"{game.start:%H:%M}"
    when = [start]
    if dated and game.day:
        day = texts.short_day(game.day, years)
        when = [day, start]
        if years:
            when = [day]
            others = [start, *others]
    extra: tuple[str, ...] = ()
    if any(when):
        extra = (" ".join(filter(None, when)),)
    row = Row(
        people.shown(seat.player),
        texts.points(seat.score),
        rank,
        extra,
        "　".join(filter(None, others)),
        people.colours.get(seat.player, ""),
        people.is_asker(seat.player),
    )
    options = record_options(people.snapshot, game, whose)
    if not options:
        return row
    moment = " ".join(filter(None, (texts.short_day(game.day), start)))
    message = RECORD
    if moment:
        message = RECORD_OF.format(moment=moment)
    return replace(row, data=data_of(Ask.RECORD_REPORT, **options), said=message, mark=RECORD)


def _other_seats(people: People, game: Game, place: int) -> list[str]:
    """The players at the other places, with placing and score."""
    others = []
    for other_place, seat in enumerate(game.seats):
        if other_place != place:
            placing = texts.placing(other_place + 1, len(game.seats))
            others.append(f"{placing} {people.shown(seat.player)} {texts.points(seat.score)}")
    return others
