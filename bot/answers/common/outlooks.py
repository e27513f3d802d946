"""The season of a question as the forecast takes it, and what was reckoned of it; skill and luck in
words.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
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
        return f"全{self.past.played}戦" if self.over else f"残り{self.left}戦"

    @property
    def sentence(self) -> str:
        """Says how many games were taken to be left, where nothing plans them."""
        return "" if self.planned else f"残り{self.left}戦として計算（シーズンの終わりは未定）。"

    def percent(self, chance: float) -> str:
        """A chance in words, never 100% while games are left: simulated seasons can't be sure."""
        return texts.chance(chance if self.over else min(chance, SUREST))

    @property
    def options(self) -> dict[str, object]:
        """The options of a button that asks about the same season with as many games left."""
        return {"season": self.scope.option, "left": "" if self.planned else self.left}


def season_outlook(question: Question) -> SeasonOutlook:
    """The season asked for, else the latest. Raises UserError for one that can't be forecast."""
    command = question.command
    options = dict(command.options)
    if options.get("season") == ALL:
        del options["season"]
    scope = scope_of(replace(question, command=replace(command, options=options)))
    past = past_of_scope(question, scope)
    fewest = forecast_from(past) if past else FORECAST_FROM
    if past is None or past.members < 2 or past.played < fewest:
        raise too_few(question, scope, *other_seasons(question, scope), fewest=fewest)
    over = is_over(question, scope)
    asked = question.option("left")
    plan = plan_of(scope.season)
    planned = over or plan.known
    if not planned:
        plan = Plan(left=int(asked) if asked in map(str, LEFT) else USUAL)
    try:
        left = 0 if over else plan.left_after(past)
    except GameError:
        plan = Plan(left=USUAL)
        planned = False
        left = USUAL
    if not left:
        plan = Plan(games=past.played)
        over = True
    return SeasonOutlook(scope, past, plan, left, over, planned)


def forecast_from(past: Past) -> int:
    """The games of the season before it is forecast: chances from fewer are too sure of
    themselves.
    """
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
    return known(question, season, "forecast", lambda: forecast(season.past, season.left))


def course(question: Question, season: SeasonOutlook) -> tuple[CurvePoint, ...]:
    """The chances after each day of play from which the season is forecast; a new day costs one
    step.
    """
    before = question.ratings.computed(
        ("days of forecasts", season.scope.number, season.past.seats),
        dict[tuple[int, int], CurvePoint],
    )

    def reckon() -> tuple[CurvePoint, ...]:
        points = curve(season.past, season.plan, tuple(before.values()))
        if len(before) > KEPT:
            before.clear()
        before.update((point.key, point) for point in points)
        fewest = forecast_from(season.past)
        earlier = [point for point in points[:-1] if point.played >= fewest]
        return (*earlier, points[-1])

    return known(question, season, "curve", reckon, long=True)


def tonight_words(question: Question, season: SeasonOutlook, reckoned: bool = False) -> str:
    """今夜の一戦: how much the next evening matters, where that is surely more than usual; with
    `reckoned` only where that is known, so that nobody waits."""
    if season.over or not season.planned:
        return ""

    found: Stakes | None = question.ratings.computed_before(_key("stakes", season))
    if found is None and not reckoned:
        # Not within what is computed, which only one may do at a time.
        points = course(question, season)
        found = known(question, season, "stakes", lambda: stakes(season.past, season.left, points))
    if found is None or not found.surely_more:
        return ""
    times = found.mean / found.usual if found.usual else MOST_TIMES
    more = f"約{times:.1f}倍" if times < MOST_TIMES else f"{MOST_TIMES}倍以上"
    return f"今夜の一戦：優勝争いが、ふだんの夜の{more}動きそうです。"


def known(
    question: Question,
    season: SeasonOutlook,
    what: str,
    reckon: Callable[[], T],
    long: bool = False,
) -> T:
    """What is reckoned once of these games and this plan. Raises UserError when it can't be."""
    try:
        return question.ratings.computed(_key(what, season), reckon, long)
    except GameError:
        ways = below(question, season.scope, *other_seasons(question, season.scope))
        raise UserError(NO_FORECAST, ways) from None


def _key(what: str, season: SeasonOutlook) -> tuple[object, ...]:
    return what, season.past.digest(), season.plan, season.left


def left_choices(
    question: Question, season: SeasonOutlook, **options: object
) -> tuple[Choice, ...]:
    """The same question with other numbers of games left, where nothing plans them."""
    if season.planned:
        return ()
    name = question.command.name
    others = [left for left in LEFT if left != season.left]
    same = {"season": season.scope.option, **options}
    return tuple(choice(f"あと{left}戦", name, left=left, **same) for left in others)


def period_of(scope: Scope, past: Past) -> str:
    """The days of the games in short, 7/26〜11/10, with years for several seasons; "" without
    dates.
    """
    days = [game.day for game in past.season_games if game.day]
    return texts.span(min(days), max(days), scope.years) if days else ""


MOST_AHEAD = 5000  # games: further ahead nobody is told when half is skill
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
    """How much of the points is skill, reckoned once of these games."""
    return question.ratings.computed(("skill", past.digest()), lambda: skill_ratio(past))


def share_words(share: Bounds) -> str:
    """How much of a member's points is skill: 20〜60%, 40%以下, 60%以上; 0〜92% where that may be
    hardly any or more than half. The interval is shown however wide it is: picked by what it holds,
    it would hold the truth less often than it claims to.
    """
    low = floor(100 * share.low)
    high = ceil(100 * share.high)
    if not is_informative(share):
        return f"{low}〜{high}%"
    if high >= 100:
        return f"{low}%以上"
    if share.low < HARDLY:
        return f"{high}%以下"
    return f"{low}〜{high}%"


def share_of(question: Question, scope: Scope, player: str) -> str:
    """A member's share of skill in the scope in words; "" with too few games or members to say
    it.
    """
    past = past_of_scope(question, scope)
    if past is None or past.members < 2 or past.played < FEWEST:
        return ""
    if player not in past.names[: past.members]:
        return ""
    games = int(past.games[past.names.index(player)])
    return share_words(skill_of(question, past).share(games))


def about(games: float) -> int:
    """A number of games as one says it: two digits that count, from 20 on."""
    whole = max(1, round(games))
    if whole < 20:
        return whole
    step = 5 if whole < 100 else 10 ** (len(str(whole)) - 2)
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
    one: str,
    other: str,
) -> str:
    """Who of two is surely stronger: 実力はみどりが上です（確率90%以上）。 "" where nobody is."""
    found = question.ratings.computed(("better", past.digest()), lambda: better(past))
    for pair in ((one, other), (other, one)):
        if pair in found:
            chance = min(99, floor(100 * found[pair]))
            return f"実力は{people.shown(pair[0])}が上です（確率{chance}%以上）。"
    return ""


def skill_test_words(question: Question, past: Past) -> str:
    """Whether there is any skill to see yet, from names shuffled within games."""
    found: SkillTest = question.ratings.computed(
        ("skill test", past.digest()), lambda: skill_test(past)
    )
    verdict = UNSEEN
    if found.p < 0.01:
        verdict = SEEN
    elif found.p < LEVEL:
        verdict = LIKELY
    shuffles = "1万" if found.shuffles == 10_000 else f"{found.shuffles}"
    tested = f"各対局の中で名前を入れ替えた{shuffles}通りのうち、実際以上に差がついたのは{found.at_least}通り"
    return f"{verdict}（{tested}）。"


def fairness_words(question: Question, past: Past, people: People) -> str:
    """Whose opponents were surely stronger or weaker than others', of two members at most; or
    "".
    """
    found: tuple[Opponents, ...] = question.ratings.computed(
        ("opponents", past.digest()), lambda: uneven_opponents(past)
    )
    sentences = []
    for opponents in found[:2]:
        if opponents.player not in people.order:
            continue
        strength = "弱い" if opponents.points > 0 else "強い"
        hundreds = max(1, round(10 * abs(opponents.points)))
        sentences.append(
            f"{people.shown(opponents.player)}は、ほかの人より{strength}相手と"
            f"当たっています（1戦あたり約{hundreds}00点分）。"
        )
    return "".join(sentences)
