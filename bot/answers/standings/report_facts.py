"""The facts of まとめ: the best results of a season, and what decided one that is over."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot import texts
from bot.answers.common import outlooks
from bot.answers.common.figures import label_of, written
from bot.answers.common.members import People
from bot.answers.common.scope import Scope
from bot.chat.command import Question
from bot.chat.replies import UserError
from bot.draw.parts import Fact
from bot.draw.style import INK
from rating.forecast.past import Past, Plan
from rating.forecast.review import SeasonReview, season_review
from rating.forecast.strengths import is_informative
from rating.games import Game
from rating.standings import NOISE
from rating.statistics import STATISTICS, Counted, Statistic
from rating.tallies import Career

BEST = ("best", "day", "firsts", "not_lasts")  # the figures of a season's best results
GAP = "　"
DAYS = "{first}〜{last}"
MONTHS = "{first_year}/{first_month}〜{last_year}/{last_month}"
DAY_AND_GAMES = "{day}　{games}戦"
DECIDING_GAME = "優勝を決めた一戦"
NUMBER = "{number}戦目"
CHANGE = "{when}　{before}→{after}"
HALF_TIME = "折り返しの本命"
AT_HALF_TIME = "{games}戦の時点で{chance}"
AT_HALF_TIME_WITH_CHAMPION = "{games}戦の時点で{chance}・優勝者{champion}"
LUCKIEST = "見込みを上回った人"
LUCK = "実力からの見込みより約{luck}"
LUCK_WITHOUT_FINES = "実力からの見込みより約{luck}（罰符別）"


def best_results_of(
    people: People,
    scope: Scope,
    careers: Mapping[str, Career],
) -> list[Fact]:
    """The best results of the scope, each with its holders, the earliest first."""
    facts = []
    for key in BEST:
        results = {}
        for player, career in careers.items():
            counted = STATISTICS[key].counted(career)
            if counted:
                results[player] = counted
        if results:
            facts.append(best_result(people, scope, STATISTICS[key], results))
    return facts


def best_result(
    people: People, scope: Scope, statistic: Statistic, results: Mapping[str, Counted]
) -> Fact:
    """The best of the results with its holders and its days."""
    best = max(result.value for result in results.values())
    holders = [player for player in results if abs(results[player].value - best) < NOISE]
    holders.sort(key=lambda player: results[player].order)
    days: list[str] = []
    if len(holders) == 1:
        days = [when_alone(scope, statistic, results[holders[0]])]
    elif len(holders) <= people.NAMED:
        days = [last_day_of(scope, results[player]) for player in holders]
    when = "、".join(filter(None, dict.fromkeys(days)))
    detail = GAP.join(filter(None, (written(statistic.key, best), when)))
    label = label_of(statistic.key, people.snapshot, scope.games)
    colour = people.colour(holders[0]) if len(holders) == 1 else INK
    return Fact(label, people.named(holders), detail, colour, people.joined(holders))


def last_day_of(scope: Scope, result: Counted) -> str:
    return texts.short_day(result.last.day, scope.years) if result.last else ""


def when_alone(scope: Scope, statistic: Statistic, result: Counted) -> str:
    """When a result was that only one member has: the days of a run, the games of a day."""
    if statistic.unit == "run":
        return _days(scope, result.first, result.last)
    day = last_day_of(scope, result)
    if statistic.key == "day":
        return DAY_AND_GAMES.format(day=day, games=result.cases)
    return day


def _days(scope: Scope, first: Game | None, last: Game | None) -> str:
    """The days of two games: 9/1〜9/8 or 2020/9/1〜9/8; the months where years differ,
    2019/12〜2020/1.
    """
    start = first.day if first else None
    end = last.day if last else None
    if start is None or end is None or start == end:
        return texts.short_day(start or end, scope.years)
    if scope.years and start.year != end.year:
        return MONTHS.format(
            first_year=start.year,
            first_month=start.month,
            last_year=end.year,
            last_month=end.month,
        )
    first_day = texts.short_day(start, scope.years)
    return DAYS.format(first=first_day, last=texts.short_day(end))


@dataclass(frozen=True)
class _Review:
    """A season that is over, in review; `fewest` games allow a forecast."""

    past: Past
    review: SeasonReview
    fewest: int


def review_facts(question: Question, people: People, scope: Scope) -> list[Fact]:
    """Up to three facts of a season that is over; none where it has too few games or members."""
    season = _review_of(question, scope)
    if season is None:
        return []
    facts = [
        _deciding_game(people, season),
        _half_time(people, season),
        _luckiest(question, people, season),
    ]
    return [fact for fact in facts if fact is not None]


def _review_of(question: Question, scope: Scope) -> _Review | None:
    past = outlooks.past_of_scope(question, scope)
    if past is None:
        return None
    fewest = outlooks.forecast_from(past)
    if past.members < 2 or past.played < fewest:
        return None
    plan = Plan(games=past.played)
    outlook = outlooks.SeasonOutlook(scope, past, plan, left=0, over=True, planned=True)
    try:
        points = outlooks.course(question, outlook)
        review = outlooks.known(
            question, outlook, "review", lambda: season_review(past, points), long=True
        )
    except UserError:
        return None
    return _Review(past, review, fewest)


def _fact(people: People, label: str, player: str, detail: str) -> Fact:
    return Fact(label, people.shown(player), detail, people.colour(player))


def _deciding_game(people: People, season: _Review) -> Fact | None:
    """The game with which the champion's chance grew most, and the champion's score in it."""
    decided = season.review.decided
    if decided is None:
        return None
    when = texts.short_day(decided.game.day) or NUMBER.format(number=decided.number)
    change = CHANGE.format(
        when=when,
        before=texts.chance(decided.before),
        after=texts.chance(decided.after),
    )
    scores = [
        texts.points(seat.score) for seat in decided.game.seats if seat.player == decided.player
    ]
    return _fact(people, DECIDING_GAME, decided.player, GAP.join((change, *scores)))


def _half_time(people: People, season: _Review) -> Fact | None:
    """The favourite at half-time, and the champion's chance then."""
    half = season.review.half
    if half.played < season.fewest:
        return None
    favourite = half.favourite
    champions = season.review.champions
    template = AT_HALF_TIME
    champion_chance = 0.0
    if favourite.player not in champions:
        template = AT_HALF_TIME_WITH_CHAMPION
        chances = {member.player: member.first for member in half.members}
        champion_chance = chances.get(champions[0], 0.0)
    detail = template.format(
        games=half.played,
        chance=texts.chance(favourite.first),
        champion=texts.chance(champion_chance),
    )
    return _fact(people, HALF_TIME, favourite.player, detail)


def _luckiest(question: Question, people: People, season: _Review) -> Fact | None:
    """Who got the most points beyond those expected, where skill and luck can be separated."""
    lucky = season.review.outplayed
    share = outlooks.skill_of(question, season.past).share(lucky.games)
    if lucky.luck <= 0 or not is_informative(share):
        return None
    template = LUCK_WITHOUT_FINES if season.past.fined.any() else LUCK
    detail = template.format(luck=texts.signed(round(lucky.luck)))
    return _fact(people, LUCKIEST, lucky.player, detail)
