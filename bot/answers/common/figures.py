"""The words of all that is counted of a player: what a figure is called, and how its values are
written.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bot import texts
from bot.answers.common.members import People
from bot.answers.common.ratings import Ratings
from bot.answers.common.scope import Scope
from bot.league.balances import balance_worth, chip_worth, fines_by_player
from bot.league.snapshot import LeagueSnapshot
from rating.games import Game
from rating.night import gap, raw_gap
from rating.paifu.luck import RARE_Z
from rating.paifu.recordlog import PaifuEntry
from rating.paifu.tally import PaifuTally
from rating.roomlog import FINE
from rating.scoring import scoring_of
from rating.standings import PROVISIONAL_GAMES, History
from rating.statistics import (
    BOARD,
    RECORD_COUNTS,
    STATISTICS,
    Counted,
    Ranked,
    Unit,
    qualifying_games,
    ranking,
    shown_on,
)
from rating.tallies import Career, Tally, careers, has_chips

FORM = 20  # the last games shown as a member's form
FIRST_BOARD = "mean"  # the board shown where none is asked for
SHORT_OF = "規定打数（{}戦）未満"
COMEBACK = "1日の大逆転"
"""A way back of a day's running total; the comeback of one game is 逆転トップ."""


class FigureWords(NamedTuple):
    """What a figure is called, `brief` where there is little room; a note, other words it is asked
    with; `sums`: of points without chips, which its name then says."""

    name: str
    note: str = ""
    typed: str = ""
    brief: str = ""
    sums: bool = False


WORDS = {
    "mean": FigureWords("平均着順"),
    "total": FigureWords("収支"),
    "average": FigureWords("1戦平均", "収支を対局数で割った点数（千点）です。", "平均収支"),
    "points": FigureWords("点数", sums=True),
    "mean_points": FigureWords("平均点数"),
    "first": FigureWords("トップ率"),
    "second": FigureWords("2着率"),
    "upper": FigureWords("連対率", "トップか2着の割合です。"),
    "last": FigureWords("ラス率", "低い順です。", "ラス率ワースト ラス回避率"),
    "not_last": FigureWords("ラス回避"),
    "ahead": FigureWords("先着率", "同じ卓の相手より上の順位だった割合です。"),
    "best": FigureWords("最高スコア", typed="最高得点 最高点 ベストスコア 最高点数 ハイスコア"),
    "worst": FigureWords(
        "最低スコア",
        "1戦で最も悪かった点数の、よい順です。",
        "最低得点 最低点 最低点数 ワーストスコア ひどい点数 最大の負け",
    ),
    "day": FigureWords("1日の最高得点", typed="最高の1日 1日で一番勝った人 1日の最高", sums=True),
    "firsts": FigureWords(
        "連続トップ",
        typed=(
            "連勝 連勝記録 トップ何連続 何連続トップ 最多連勝 最大連勝 最長連勝 何連勝 何連勝中 れんしょう"
        ),
    ),
    "not_lasts": FigureWords("連続ラス回避"),
    "uppers": FigureWords("連続連対"),
    "lasts": FigureWords(
        "連続ラス",
        typed="連敗 連敗記録 ラス何連続 何連続ラス 最多連敗 最長連敗 何連敗 何連敗中 れんぱい",
    ),
    "rating": FigureWords("レート"),
    "peak": FigureWords("最高レート"),
    "highest": FigureWords("最高レート"),
    "lowest": FigureWords("最低レート"),
    "rise": FigureWords("レートの伸び"),
    "games": FigureWords(
        "対局数", typed="対戦数 試合数 半荘数 打数 一番打ってる 一番打った", brief="対局"
    ),
    "won_chips": FigureWords("チップ"),
    "chips": FigureWords("チップ平均", "チップの記録がある対局の、1戦あたりの枚数です。"),
    "busts": FigureWords(
        "トビ率",
        "牌譜がある対局のうち、0点未満で終わった割合です。",
        "飛び率 飛び回数 トビ回数",
    ),
    "hardest": FigureWords("いちばん分の悪い相手にも先着率"),
    "above_leader": FigureWords("平均着順1位の人への先着率"),
    "recent": FigureWords("直近20戦の点数"),
    "form": FigureWords("直近20戦"),
    "growth": FigureWords("後半に平均着順がよくなった幅"),
    "first_mean": FigureWords("トップの時の平均点", brief="トップの点"),
    "last_mean": FigureWords("ラスの時の平均点", brief="ラスの点"),
    "after_last": FigureWords("ラスの次の対局のトップ率"),
    "after_first": FigureWords("トップの次の対局のトップ率"),
    "opening": FigureWords("その日の自分の1戦目のトップ率"),
    "closing": FigureWords("その日の自分の最終戦のトップ率"),
    "spread": FigureWords("点数のばらつき"),
}
STREAK = "{games:.0f}戦連続"
GAMES = "{games:.0f}戦"
CHIPS = "{chips}枚"
WITHOUT = "{figure}（{left_out}）"
TIMES_OF_GAMES = "{games}戦中{times}回"
BEST_SCORE = "{figure}　{value}"
FIRST_AT = "{figure}{place}位　{value}"
PROVISIONAL_FIRST_AT = "{figure}{place}位　{value}　暫定"
SCORE_GAP = "スコアの差"
POINTS_GAP = "{points:,}点差"
CHIP = "チップ"
AND = "と"
UNKNOWN = "－"
USUAL = "ふつう"
LUCKY = "幸運"
UNLUCKY = "不運"
VERY_LUCKY = "とても幸運"
VERY_UNLUCKY = "とても不運"


def _two_decimals(value: float) -> str:
    return f"{value:.2f}"


def _one_decimal(value: float) -> str:
    return f"{value:.1f}"


def _streak(value: float) -> str:
    return STREAK.format(games=value)


def _games(value: float) -> str:
    return GAMES.format(games=value)


def _chips(value: float) -> str:
    return CHIPS.format(chips=texts.signed(round(value)))


def _mean_chips(value: float) -> str:
    return CHIPS.format(chips=texts.number(value, 2, sign=True))


UNITS: dict[Unit, Callable[[float], str]] = {
    "placing": _two_decimals,
    "balance": texts.points,
    "points": texts.points,
    "spread": _one_decimal,
    "share": texts.percent,
    "run": _streak,
    "games": _games,
    "chips": _chips,
    "chip mean": _mean_chips,
}


def written(key: str, value: float, ratings: Ratings | None = None) -> str:
    """A figure's value as text; those of a rating as `ratings` write it."""
    unit = STATISTICS[key].unit
    if ratings is not None and unit == "rise":
        return ratings.words(value, sign=True)
    if ratings is not None and unit == "rating":
        return ratings.words(value)
    return UNITS.get(unit, texts.number)(value)


def name_of(key: str) -> str:
    return WORDS[key].name


def label_of(key: str, snapshot: LeagueSnapshot, games: Sequence[Game]) -> str:
    """The name of a figure of these games; that of a sum of points with what it leaves out."""
    left_out = ""
    if WORDS[key].sums:
        left_out = left_out_of_points(snapshot, games).short
    if left_out:
        return WITHOUT.format(figure=WORDS[key].name, left_out=left_out)
    return WORDS[key].name


def brief_of(key: str) -> str:
    return WORDS[key].brief or WORDS[key].name


def of_cases(figure: Counted) -> str:
    """How often something happened in so many games: `12戦中2回`."""
    times = round(figure.value * figure.cases)
    return TIMES_OF_GAMES.format(games=figure.cases, times=times)


def placing_counts(tally: Tally) -> str:
    """The number of games with each placing: `120-110-98`."""
    return "-".join(map(str, tally.placings))


def careers_of(
    people: People,
    scope: Scope,
    ratings: Ratings | None = None,
) -> dict[str, Career]:
    """The members' careers in the scope, with what figures are counted from: chips, ratings and
    records.
    """

    def records() -> dict[str, Counter[str]]:
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for player, tally in records_of(people.snapshot, scope):
            counts[player].update({word: tally.play[word] for word in RECORD_COUNTS})
        return counts

    lines: History = {}
    if ratings:
        lines = ratings.history
    worth = balance_worth(people.snapshot)
    return careers(scope.games, people.order, worth=worth, lines=lines, records=records)


def boards_with_values(scope: Scope, careers: Mapping[str, Career]) -> list[str]:
    """The boards on which somebody has a value in these games."""
    boards = []
    for key in shown_on(BOARD):
        statistic = STATISTICS[key]
        if statistic.seats not in (0, scope.seats):
            continue
        if key == "chips" and not has_chips(scope.games):
            continue
        if any(statistic.value(career) is not None for career in careers.values()):
            boards.append(key)
    return boards


def by_total(careers: Mapping[str, Career]) -> list[Career]:
    return sorted(careers.values(), key=lambda career: (-career.total, career.player))


def strong_points(
    snapshot: LeagueSnapshot, careers: Sequence[Career], ratings: Ratings | None
) -> dict[str, str]:
    """What each is best at, as text (トップ率1位 35.9%), where that is in the better half of those
    with 規定打数 games; else the best score."""
    fewest = qualifying_games(
        snapshot.league.rules.qualifying, {career.player: career for career in careers}
    )
    eligible = {career.player: career for career in careers if career.tally.games >= fewest}
    points = {}
    for career in careers:
        best = written("best", max(career.scores))
        points[career.player] = BEST_SCORE.format(figure=name_of("best"), value=best)
    placed: list[_Placed] = []
    for key in STRONG_POINTS:
        placed += _better_half(key, ranking(STATISTICS[key], eligible, fewest))
    # The best place of each comes last, and stays.
    placed.sort(key=lambda point: -point.ranked.place)
    for key, ranked in placed:
        template = FIRST_AT
        if key != "games" and eligible[ranked.player].tally.games < PROVISIONAL_GAMES:
            template = PROVISIONAL_FIRST_AT
        points[ranked.player] = template.format(
            figure=name_of(key), place=ranked.place, value=written(key, ranked.value, ratings)
        )
    return points


STRONG_POINTS = ("games", "mean", "rise", "peak", "ahead", "last", "first")  # by their keys


class _Placed(NamedTuple):
    """A member's place by the figure of a key."""

    key: str
    ranked: Ranked


def _better_half(key: str, order: Sequence[Ranked]) -> list[_Placed]:
    """The places in the better half. A place that most members share is none."""
    if len(order) < 2:
        return []
    half = (len(order) + 1) // 2
    members_at = Counter(ranked.place for ranked in order)
    return [
        _Placed(key, ranked)
        for ranked in order
        if ranked.place - 1 + members_at[ranked.place] <= half
    ]


class RecordPart(NamedTuple):
    """A player's tally in one record."""

    player: str
    tally: PaifuTally


def records_of(snapshot: LeagueSnapshot, scope: Scope) -> Iterator[RecordPart]:
    """Each player's part in each record of the scope's days and seats; none where its games have no
    dates.
    """
    for entry in entries_of(snapshot, scope):
        for (name, _), tally in entry.statistics.players.items():
            yield RecordPart(snapshot.league.player_of(name, entry.day), tally)


def entries_of(snapshot: LeagueSnapshot, scope: Scope) -> list[PaifuEntry]:
    """The records of the scope's days and seats; none where its games have no dates."""
    days = {game.day for game in scope.games if game.day}
    return [entry for entry in snapshot.paifus if entry.day in days and entry.seats == scope.seats]


SHARE = "%"
POINTS = "点"
TURN = "巡"
TILES = "枚"
SHANTEN = "シャンテン"


class RecordWords(NamedTuple):
    """The title of a figure of play, and its unit."""

    title: str
    unit: str


# The figures of records alone, by the keys of play_figures.
RECORD_WORDS = {
    "win": RecordWords("アガリ率", SHARE),
    "mean_win": RecordWords("平均打点", POINTS),
    "tsumo": RecordWords("ツモ率", SHARE),
    "dama": RecordWords("ダマ率", SHARE),
    "win_turn": RecordWords("アガリ巡数", TURN),
    "yakuman": RecordWords("役満率", SHARE),
    "deal_in": RecordWords("放銃率", SHARE),
    "mean_deal_in": RecordWords("平均放銃点", POINTS),
    "mean_deal_in_to_riichi": RecordWords("対リーチ", POINTS),
    "mean_deal_in_to_open": RecordWords("対副露", POINTS),
    "mean_deal_in_to_dama": RecordWords("対ダマ", POINTS),
    "deal_in_in_riichi": RecordWords("放銃時リーチ率", SHARE),
    "deal_in_with_calls": RecordWords("放銃時副露率", SHARE),
    "dealer_tsumo_loss": RecordWords("痛い親かぶり率", SHARE),
    "mean_dealer_tsumo_loss": RecordWords("痛い親かぶり平均", POINTS),
    "bust": RecordWords("トビ率", SHARE),
    "riichi": RecordWords("リーチ率", SHARE),
    "riichi_win": RecordWords("リーチアガリ率", SHARE),
    "riichi_deal_in": RecordWords("リーチ放銃率", SHARE),
    "riichi_draw": RecordWords("リーチ流局率", SHARE),
    "riichi_turn": RecordWords("リーチ巡目", TURN),
    "first_riichi": RecordWords("先制率", SHARE),
    "chasing_riichi": RecordWords("追っかけ率", SHARE),
    "chased_riichi": RecordWords("追っかけられ率", SHARE),
    "ippatsu": RecordWords("一発率", SHARE),
    "ura": RecordWords("裏ドラ率", SHARE),
    "good_wait": RecordWords("良形率", SHARE),
    "many_kinds": RecordWords("多面率", SHARE),
    "riichi_tiles": RecordWords("待ち枚数", TILES),
    "furiten_riichi": RecordWords("フリテン率", SHARE),
    "riichi_balance": RecordWords("リーチ収支", POINTS),
    "call": RecordWords("副露率", SHARE),
    "call_win": RecordWords("副露後アガリ率", SHARE),
    "call_deal_in": RecordWords("副露後放銃率", SHARE),
    "call_draw": RecordWords("副露後流局率", SHARE),
    "draw": RecordWords("流局率", SHARE),
    "tenpai_at_draw": RecordWords("流局テンパイ率", SHARE),
    "deal_shanten": RecordWords("平均配牌シャンテン", SHANTEN),
}


GUESTS = "ゲストは表に入れていません。"


class LeftOut(NamedTuple):
    """What a sum leaves out, as a sentence for a table and in short for a picture, or ""."""

    sentence: str
    short: str


def chips_left_out(snapshot: LeagueSnapshot, games: Iterable[Game]) -> LeftOut:
    """Which chips of the games 収支 leaves out, because league.toml does not say what a chip is
    worth.
    """
    chip = chip_worth(snapshot)
    counted: list[bool] = []
    for game in games:
        counted += [bool(chip(seat, game)) for seat in game.seats if seat.chips]
    if all(counted):
        return LeftOut("", "")
    if any(counted):
        return LeftOut(texts.BALANCE_PARTLY, texts.PARTLY)
    return LeftOut(texts.BALANCE_ALONE, texts.ALONE)


def left_out_of_points(snapshot: LeagueSnapshot, games: Sequence[Game]) -> LeftOut:
    """What sums of points leave out and 収支 counts: the chips and the fines of the games."""
    parts = []
    if has_chips(games):
        parts.append(CHIP)
    if fines_by_player(snapshot, games):
        parts.append(FINE)
    if not parts:
        return LeftOut("", "")
    sentence = texts.POINTS_WITHOUT.format(left_out=AND.join(parts))
    return LeftOut(sentence, texts.WITHOUT.format(left_out="・".join(parts)))


def gap_words(people: People, game: Game, score: str = SCORE_GAP) -> str:
    """The first's lead: 600点差 where league.toml has uma, else of the scores after the label
    `score`.
    """
    rules = people.snapshot.league.rules
    oka = 0.0
    if rules.start or rules.oka is not None:
        oka = scoring_of(rules, len(game.seats)).oka
    raw = raw_gap(game, rules.uma, oka)
    if raw is None:
        return f"{score} {gap(game):.1f}"
    return POINTS_GAP.format(points=raw)


def luck_words(z: float | None) -> str:
    """幸運, 不運 or ふつう, by standard deviations; とても where chance brings it less than once in
    twenty times.
    """
    if z is None:
        return UNKNOWN
    if abs(z) < 1:
        return USUAL
    if z > RARE_Z:
        return VERY_LUCKY
    if z < -RARE_Z:
        return VERY_UNLUCKY
    if z > 0:
        return LUCKY
    return UNLUCKY
