"""The season of a question as the forecast takes it, and what was reckoned of it; skill and luck in
words.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, floor
from typing import TypeVar

from bot import texts
from bot.answers.common.members import People
from bot.answers.common.scope import ALL, Scope, below, is_over, scope_of, season_choices, too_few
from bot.chat.command import Question, choice, data_of
from bot.chat.replies import Choice, UserError
from bot.league.seasons import past_of_games
from rating.forecast.outlook import Forecast, forecast
from rating.forecast.past import USUAL, Past, Plan, plan_of
from rating.forecast.review import CurvePoint, curve
from rating.forecast.skill import LEVEL, Opponents, SkillTest, better, skill_test, uneven_opponents
from rating.forecast.stakes import Stakes, stakes
from rating.forecast.strengths import HARDLY, SkillRatio, is_informative, skill_ratio
from rating.games import GameError
from rating.models.skill import Bounds

T = TypeVar("T")
LEFT = (30, 50, 100)  # games left that are offered where league.toml plans none
FEWEST = 10  # games before anything is said of skill
FORECAST_FROM = 30  # games, with those of earlier seasons, before a season is forecast
SUREST = 0.9999
MOST_TIMES = 5  # usual evenings, beyond which it is not said how many
KEPT = 2000  # points of curves kept of a season
TOO_FEW = (
    "2人以上のメンバーが合わせて{fewest}戦を打つと計算できます（いまは{played}戦）。"
    "対局が増えたら、もう一度押してください。"
)
NO_FORECAST = "このシーズンの対局からは計算できません。"


@dataclass(frozen=True)
class SeasonOutlook:
    """A season's games as numbers, and how many are left; `planned` says whether that is
    certain.
    """

    scope: Scope
    past: Past
    plan: Plan
    left: int
    over: bool
    planned: bool

    @property
    def count(self) -> str:
        """残り50戦, or 全160戦 of a season that is over."""
        if self.over:
            return ALL_GAMES.format(games=self.past.played)
        return GAMES_LEFT.format(games=self.left)

    @property
    def sentence(self) -> str:
        """The sentence how many games are assumed to be left, where nothing plans them."""
        if self.planned:
            return ""
        return ASSUMED_LEFT.format(games=self.left)

    def percent(self, chance: float) -> str:
        """A chance as text, never 100% while games are left: simulated seasons can't be sure."""
        if not self.over:
            chance = min(chance, SUREST)
        return texts.chance(chance)

    @property
    def options(self) -> dict[str, object]:
        """The options of a button that asks about the same season with as many games left."""
        if self.planned:
            return {"season": self.scope.option, "left": ""}
        return {"season": self.scope.option, "left": self.left}


def season_outlook(question: Question) -> SeasonOutlook:
    """The season of the question, else the latest. Raises UserError for one that can't be
    forecast.
    """
    command = question.command
    options = dict(command.options)
    if options.get("season") == ALL:
        del options["season"]
    scope = scope_of(replace(question, command=replace(command, options=options)))
    past = past_of_scope(question, scope)
    fewest = FORECAST_FROM
    if past:
        fewest = forecast_from(past)
    if past is None or past.members < 2 or past.played < fewest:
        raise too_few(question, scope, *other_seasons(question, scope), fewest=fewest)
    plan = plan_of(scope.season)
    if is_over(question, scope):
        return _finished(scope, past)
    if not plan.known:
        plan = Plan(left=_left_option(question))
        return SeasonOutlook(scope, past, plan, plan.left_after(past), over=False, planned=False)
    try:
        left = plan.left_after(past)
    except GameError:
        return SeasonOutlook(scope, past, Plan(left=USUAL), USUAL, over=False, planned=False)
    if not left:
        return _finished(scope, past)
    return SeasonOutlook(scope, past, plan, left, over=False, planned=True)


def _finished(scope: Scope, past: Past) -> SeasonOutlook:
    """A season without games left."""
    return SeasonOutlook(
        scope,
        past,
        Plan(games=past.played),
        0,
        over=True,
        planned=True,
    )


def _left_option(question: Question) -> int:
    """The games left that a button assumes, else the usual number."""
    option = question.option("left")
    if option in map(str, LEFT):
        return int(option)
    return USUAL


def forecast_from(past: Past) -> int:
    """The games that a season has before it is forecast: chances from fewer are too certain."""
    return max(FEWEST, FORECAST_FROM - past.earlier)


def past_of_scope(question: Question, scope: Scope) -> Past | None:
    """The scope's games with those of the seasons before; None without members, or with too
    many.
    """
    try:
        return past_of_games(question.snapshot, scope.games, scope.season)
    except GameError:
        return None


def other_seasons(question: Question, scope: Scope) -> tuple[Choice, ...]:
    """The same question for other seasons; there is no forecast of all together."""
    name = question.command.name
    buttons = season_choices(question, scope.option)
    of_all = data_of(name, season=ALL)
    return tuple(button for button in buttons if button.data != of_all)


def forecast_now(question: Question, season: SeasonOutlook) -> Forecast:
    """How the season may end. Raises UserError when it can't be forecast."""
    return known(question, season, "forecast", partial(forecast, season.past, season.left))


def course(question: Question, season: SeasonOutlook) -> tuple[CurvePoint, ...]:
    """The chances after each day of play from which the season is forecast; a new day costs one
    step.
    """
    before = question.ratings.computed(
        ("days of forecasts", season.scope.number, season.past.seats),
        dict[tuple[int, int], CurvePoint],
    )

    def compute() -> tuple[CurvePoint, ...]:
        points = curve(season.past, season.plan, tuple(before.values()))
        if len(before) > KEPT:
            before.clear()
        before.update((point.key, point) for point in points)
        fewest = forecast_from(season.past)
        earlier = [point for point in points[:-1] if point.played >= fewest]
        return (*earlier, points[-1])

    return known(question, season, "curve", compute, long=True)


def tonight_words(question: Question, season: SeasonOutlook, reckoned: bool = False) -> str:
    """今夜の一戦: how much the next evening matters, where that is surely more than usual; with
    `reckoned` only where it is computed already, so that nobody waits."""
    if season.over or not season.planned:
        return ""
    tonight: Stakes | None = question.ratings.computed_before(_key("stakes", season))
    if tonight is None and not reckoned:
        # Not within what is computed, which only one may do at a time.
        points = course(question, season)
        compute = partial(stakes, season.past, season.left, points)
        tonight = known(question, season, "stakes", compute)
    if tonight is None or not tonight.surely_more:
        return ""
    if tonight.usual and tonight.mean / tonight.usual < MOST_TIMES:
        return TONIGHT.format(times=tonight.mean / tonight.usual)
    return TONIGHT_MUCH.format(times=MOST_TIMES)


def known(
    question: Question,
    season: SeasonOutlook,
    subject: str,
    compute: Callable[[], T],
    long: bool = False,
) -> T:
    """A result that is computed once of these games and this plan. Raises UserError when it can't
    be.
    """
    try:
        return question.ratings.computed(_key(subject, season), compute, long)
    except GameError:
        buttons = below(question, season.scope, *other_seasons(question, season.scope))
        raise UserError(NO_FORECAST, buttons) from None


def _key(subject: str, season: SeasonOutlook) -> tuple[object, ...]:
    return subject, season.past.digest(), season.plan, season.left


def left_choices(
    question: Question, season: SeasonOutlook, **options: object
) -> tuple[Choice, ...]:
    """The same question with other numbers of games left, where nothing plans them."""
    if season.planned:
        return ()
    name = question.command.name
    others = [left for left in LEFT if left != season.left]
    same = {"season": season.scope.option, **options}
    return tuple(
        choice(
            ASSUME_LEFT.format(games=left),
            name,
            left=left,
            **same,
        )
        for left in others
    )


def period_of(scope: Scope, past: Past) -> str:
    """The days of the games in short, 7/26〜11/10, with years for several seasons; "" without
    dates.
    """
    days = [game.day for game in past.season_games if game.day]
    if not days:
        return ""
    return texts.span(min(days), max(days), scope.years)


MOST_AHEAD = 5000  # games: no answer names a point further ahead at which half is skill
ALL_GAMES = "全{games}戦"
GAMES_LEFT = "残り{games}戦"
ASSUMED_LEFT = "残り{games}戦として計算（シーズンの終わりは未定）。"
ASSUME_LEFT = "あと{games}戦"
TONIGHT = "今夜の一戦：優勝争いが、ふだんの夜の約{times:.1f}倍動きそうです。"
TONIGHT_MUCH = "今夜の一戦：優勝争いが、ふだんの夜の{times}倍以上動きそうです。"
SHARE_FROM = "{low}%以上"
SHARE_UP_TO = "{high}%以下"
SHARE_BETWEEN = "{low}〜{high}%"
BETTER = "実力は{name}が上です（確率{chance}%以上）。"
SHUFFLED = (
    "{verdict}（各対局の中で名前を入れ替えた{shuffles}通りのうち、"
    "実際以上に差がついたのは{at_least}通り）。"
)
TEN_THOUSAND = "1万"
WEAKER = "{name}は、ほかの人より弱い相手と当たっています（1戦あたり約{hundreds}00点分）。"
STRONGER = "{name}は、ほかの人より強い相手と当たっています（1戦あたり約{hundreds}00点分）。"
SHARE = "{name}の成績のうち、実力の分は{share}。実力が半分になるのは、{half}です。"
VAGUE_SHARE = (
    "{name}の成績のうち、実力の分は{share}としか、この対局数ではまだ言えません。"
    "実力が半分になるのは、{half}です。"
)
HALF_AFTER = "約{low}戦より先"
HALF_BETWEEN = "約{low}〜{high}戦打ったころ"
UNSURE = "どちらの実力が上かは、まだ言えません。"
SEEN = "実力の差は、はっきり出ています"
LIKELY = "実力の差がありそうです"
UNSEEN = "実力の差は、まだ偶然と見分けがつきません"


def skill_of(question: Question, past: Past) -> SkillRatio:
    """How much of the points is skill, computed once of these games."""
    return question.ratings.computed(("skill", past.digest()), partial(skill_ratio, past))


def share_words(share: Bounds) -> str:
    """How much of a member's points is skill: 20〜60%, 40%以下, 60%以上; 0〜92% where that may be
    hardly any or more than half. The interval is shown however wide it is: if only narrow ones were
    shown, they would contain the truth less often than they claim to.
    """
    low = floor(100 * share.low)
    high = ceil(100 * share.high)
    if not is_informative(share):
        return SHARE_BETWEEN.format(low=low, high=high)
    if high >= 100:
        return SHARE_FROM.format(low=low)
    if share.low < HARDLY:
        return SHARE_UP_TO.format(high=high)
    return SHARE_BETWEEN.format(low=low, high=high)


def share_of(question: Question, scope: Scope, player: str) -> str:
    """A member's share of skill in the scope as text; "" with too few games or members."""
    past = past_of_scope(question, scope)
    if past is None or past.members < 2 or past.played < FEWEST:
        return ""
    if player not in past.names[: past.members]:
        return ""
    games = int(past.games[past.names.index(player)])
    return share_words(skill_of(question, past).share(games))


def about(games: float) -> int:
    """A number of games with two significant digits, from 20 on."""
    whole = max(1, round(games))
    if whole < 20:
        return whole
    step = 5
    if whole >= 100:
        step = 10 ** (len(str(whole)) - 2)
    return round(whole / step) * step


def sentence_of(name: str, share: Bounds, ratio: SkillRatio) -> str:
    """A member's skill and luck in a sentence."""
    low, high = ratio.half_after
    if high <= MOST_AHEAD:
        half = HALF_BETWEEN.format(low=about(low), high=about(high))
    else:
        half = HALF_AFTER.format(low=about(min(low, MOST_AHEAD)))
    template = SHARE if is_informative(share) else VAGUE_SHARE
    return template.format(name=name, share=share_words(share), half=half)


def better_words(
    question: Question,
    past: Past,
    people: People,
    first: str,
    second: str,
) -> str:
    """Who of two is surely stronger: 実力はみどりが上です（確率90%以上）。 "" where nobody is."""
    chances = question.ratings.computed(("better", past.digest()), partial(better, past))
    for player, opponent in ((first, second), (second, first)):
        if (player, opponent) in chances:
            chance = min(99, floor(100 * chances[player, opponent]))
            return BETTER.format(name=people.shown(player), chance=chance)
    return ""


def skill_test_words(question: Question, past: Past) -> str:
    """Whether there is any skill to see yet, from names shuffled within games."""
    test: SkillTest = question.ratings.computed(
        ("skill test", past.digest()), partial(skill_test, past)
    )
    verdict = UNSEEN
    if test.p < 0.01:
        verdict = SEEN
    elif test.p < LEVEL:
        verdict = LIKELY
    shuffles = str(test.shuffles)
    if test.shuffles == 10_000:
        shuffles = TEN_THOUSAND
    return SHUFFLED.format(verdict=verdict, shuffles=shuffles, at_least=test.at_least)


def fairness_words(question: Question, past: Past, people: People) -> str:
    """Whose opponents were surely stronger or weaker than others', of two members at most; or
    "".
    """
    uneven: tuple[Opponents, ...] = question.ratings.computed(
        ("opponents", past.digest()), partial(uneven_opponents, past)
    )
    sentences = []
    for opponents in uneven[:2]:
        if opponents.player not in people.order:
            continue
        template = STRONGER
        if opponents.points > 0:
            template = WEAKER
        hundreds = max(1, round(10 * abs(opponents.points)))
        name = people.shown(opponents.player)
        sentences.append(template.format(name=name, hundreds=hundreds))
    return "".join(sentences)
