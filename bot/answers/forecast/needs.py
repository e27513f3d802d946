"""条件 and もしも: what each needs to become champion; how a member's next game would change the
chances.
"""

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

from bot import texts
from bot.answers.common import outlooks
from bot.answers.common.members import People, asked_members, people_of, token
from bot.answers.common.scope import ask_who, below, offered
from bot.chat.command import BY_SEASON, Ask, Below, Question, Spec, choice
from bot.chat.replies import Choice, Reply, Row, Table, UserError
from rating.forecast.needs import Need, PlacingNeed, last_game, needs
from rating.forecast.outlook import forecast_of
from rating.forecast.seasons import simulate_seasons, what_if
from rating.games import GameError
from rating.standings import places

OVER = "{}はもう終わっています。優勝は{}です。"
RARE = 0.01  # with a chance below, or above 1 less it, a member's need is not told as points
LONG = 80  # characters of the example of a typed table, at most
LAST = "last"
TOP = "top"
RECENT = "recent"
AT = {
    "最終戦：上位の卓": {"show": LAST, "table": TOP},
    "最終戦：前回の卓": {"show": LAST, "table": RECENT},
}
MEANING = "必要：優勝が五分になるまでの上積み。残り：本人が打ちそうな戦数。"
TABLE_OF = "最終戦の条件は、卓を囲む{}人を名前で続けて送っても見られます（例：{}）。"
WRONG_TABLE = "最終戦の条件は、このシーズンのメンバー{}人の名前を続けて送ると見られます（例：{}）。"
RAW = "差は、順位点を除いた素点の差（千点）です。"
WHOLE = "差は、順位点を含む得点の差（千点）です。"
LAST_GAME = "ほかの人の対局がもうない、最後の1戦としての条件です。"
HOPELESS = "届かない"
NO_IF = "{}はもう終わっているので、もしもの計算はありません。"
ABSENT = "{}さんは、このシーズンの対局がまだありません。"
CHANGES = "▲▼は、いまの優勝確率からの変化（ポイント）です。"


def answer(question: Question) -> Reply:
    """What everybody needs over the games left; with names or by a button, at one table in a last
    game.
    """
    season = outlooks.season_outlook(question)
    people = people_of(question)
    past = season.past
    options = season.options
    running: list[Choice] = []
    if not season.over:
        running = [choice("もしも", Ask.IF, **options), *outlooks.left_choices(question, season)]
        at = tables(season)
        running += [
            choice(word, Ask.NEEDS, **options, **which)
            for word, which in AT.items()
            if which["table"] in at
        ]
    forecast = choice("優勝確率", Ask.FORECAST, **options)
    seasons = outlooks.other_seasons(question, season.scope)
    choices = below(question, season.scope, forecast, *running, *seasons)
    if season.over:
        raise UserError(OVER.format(season.scope.title, people.named(past.leaders)), choices)
    table = tuple(asked_members(question))
    members = past.names[: past.members]
    if table and (len(table) != past.seats or not set(table) <= set(members)):
        raise UserError(WRONG_TABLE.format(past.seats, _example(people, season)), choices)
    if not table and question.option("show") == LAST:
        table = tables(season).get(question.option("table"), ())
    if table or season.left == 1:
        return Reply((last_game_table(people, season, table or tables(season)[TOP]),), choices)
    found = outlooks.known(
        question, season, "needs", lambda: needs(simulate_seasons(past, season.left))
    )
    return Reply((_table(people, season, found),), choices)


def tables(season: outlooks.SeasonOutlook) -> dict[str, tuple[str, ...]]:
    """The tables of a last game that buttons offer: of the most points and the latest game's."""
    past = season.past
    order = sorted(
        past.names[: past.members],
        key=lambda p: (-past.totals[past.names.index(p)], p),
    )
    found: dict[str, tuple[str, ...]] = {}
    if past.members >= past.seats:
        found[TOP] = tuple(order[: past.seats])
    for game in reversed(past.season_games):
        if set(game.players) <= set(order):
            if set(game.players) != set(found.get(TOP, ())):
                found[RECENT] = tuple(sorted(game.players, key=order.index))
            break
    if TOP not in found:
        guests = sorted(set(past.season_games[-1].players) - set(order))
        found[TOP] = (*order, *guests)[: past.seats]
    return found


def _example(people: People, season: outlooks.SeasonOutlook) -> str:
    return " ".join(("条件", *map(people.shown, tables(season)[TOP])))


def _table(people: People, season: outlooks.SeasonOutlook, found: Sequence[Need]) -> Table:
    past = season.past
    points = dict(zip(past.names, map(float, past.totals), strict=True))
    rows = []
    ranks = places([points[need.player] for need in found])
    for rank, need in zip(ranks, found, strict=True):
        value = "―"
        games = ""
        if need.gain is not None and told_gain(need):
            value = texts.signed(round(need.gain))
            games = f"約{max(1, round(need.own_games))}戦"
        extra = (games, texts.points(-need.behind), season.percent(need.chance))
        rows.append(people.row(need.player, value, rank, extra))
    asker = next((need for need in found if people.is_asker(need.player)), None)
    told = asker or min(found, key=lambda need: abs(need.chance - 0.3))
    example = ""
    if past.members >= past.seats:
        example = TABLE_OF.format(past.seats, _example(people, season))
    title = f"優勝の条件　{season.scope.title}"
    heads = ("必要", "残り", "首位差", "優勝")
    note = season.sentence + MEANING
    if len(example) <= LONG:
        note += example
    alt = f"優勝の条件（{season.count}）：{people.shown(told.player)}は{in_words(told)}"
    return Table(title, tuple(rows), heads, f"{past.played}戦　{season.count}", note, alt)


def told_gain(need: Need) -> bool:
    """Whether the points a member needs are known well enough to be told."""
    return need.gain is not None and RARE <= need.chance <= 1 - RARE


def in_words(need: Need) -> str:
    """What a member needs in a few words: あと約12戦で+85."""
    if need.gain is None or not told_gain(need):
        return "ほぼ優勝" if need.chance > 0.5 else "届く見込みがわずか"
    games = f"あと約{max(1, round(need.own_games))}戦で"
    gain = round(need.gain)
    if gain < 0:
        return f"{games}{texts.signed(gain)}まで減っても優位"
    return games + texts.signed(gain)


class Reach(NamedTuple):
    """What one game can bring (thousands): the least score, and by how much two players can be
    apart.
    """

    least: float
    apart: float
    seats: int


def last_game_table(people: People, season: outlooks.SeasonOutlook, table: Sequence[str]) -> Table:
    """The needs of each member at the table, in its order.

    Raises UserError when they can't be told.
    """
    uma = people.snapshot.league.rules.uma
    if len(uma) != season.past.seats:
        uma = ()
    try:
        found = last_game(season.past, table, uma)
    except GameError:
        raise UserError(
            outlooks.NO_FORECAST, offered(choice("優勝確率", Ask.FORECAST, **season.options))
        ) from None
    # The bounds of the season's own games, with room for rank points, which may be in a
    # difference.
    points = season.past.points[season.past.season]
    rank = max(uma, default=0.0) - min(uma, default=0.0)
    apart = points.max(axis=1) - points.min(axis=1)
    reach = Reach(
        float(points.min()) - rank,
        float(apart.max()) + rank,
        season.past.seats,
    )
    names = "・".join(map(people.shown, table))
    groups = []
    for one in found:
        total = float(season.past.totals[season.past.names.index(one.player)])
        head = (
            f"{people.shown(one.player)}　{texts.points(total)}　優勝 {season.percent(one.chance)}"
        )
        rows = []
        for need in one.placings:
            name = texts.placing(need.placing + 1, reach.seats)
            detail = conditions(people.shown, need, reach)
            rows.append(Row(name, verdict(need), detail=detail))
        groups.append((head, tuple(rows)))
    best = max(found, key=lambda one: one.chance)
    title = f"最終戦の条件　{season.scope.title}"
    note = LAST_GAME + (RAW if uma else WHOLE)
    alt = (
        f"最終戦の条件：{people.shown(best.player)}の優勝 {season.percent(best.chance)}（{names}）"
    )
    return Table(title, (), (), names, note, alt, more=tuple(groups))


def verdict(need: PlacingNeed) -> str:
    """The chance at a placing in words; 優勝 where it is enough by itself."""
    if need.certain:
        return "優勝"
    if not need.possible:
        return HOPELESS
    if need.chance is None:
        return "条件つき"
    return {0.0: "ほぼ届かない", 1.0: "ほぼ優勝"}.get(
        need.chance,
        texts.chance(need.chance),
    )


def conditions(shown: Callable[[str], str], need: PlacingNeed, reach: Reach) -> str:
    """What must come true at this placing, in words; "" where it is enough, or out of reach."""
    if need.certain or not need.possible or need.chance in (0.0, 1.0):
        return ""
    parts = []
    if need.least_score > reach.least:
        parts.append(f"自分の得点が{texts.points(need.least_score)}より上")
    for rival in dict.fromkeys(one.rival for one in need.against):
        # Said once where it is the same at all placings of the rival, else for each of them.
        name = shown(rival)
        found: dict[str, list[int]] = {}
        for one in need.against:
            if one.rival == rival:
                margin = _margin(one.least, reach, ahead=need.placing < one.placing)
                found.setdefault(margin, []).append(one.placing)
        for words, others in found.items():
            where = "か".join(texts.placing(other + 1, reach.seats) for other in others)
            if words and len(found) > 1:
                parts.append(f"{name}が{where}なら{words}")
            elif words:
                parts.append(f"{name}{'に' if words.endswith('つける') else 'と'}{words}")
    return "、".join(parts)


def _margin(least: float, reach: Reach, ahead: bool) -> str:
    """By how much the own score must exceed a rival's; "" where the placings (nearly) suffice."""
    if least < -reach.apart:
        return ""
    if least == inf or least > reach.apart:
        return HOPELESS
    if least < 0 and not ahead:
        return f"{-least:,.1f}差未満"
    return f"{max(0.0, least):,.1f}より大きい差をつける"


def show_if(question: Question) -> Reply:
    """The chances after the next game ended so; asks for a member where none is named."""
    season = outlooks.season_outlook(question)
    people = people_of(question)
    past = season.past
    options = season.options
    players = asked_members(question)
    summary = choice("まとめ", Ask.SUMMARY, season=season.scope.option)
    ways_on = offered(choice("優勝確率", Ask.FORECAST, **options), summary)
    if season.over:
        raise UserError(NO_IF.format(season.scope.title), ways_on)
    if not players:
        return ask_who(question, "もし次にトップなら", **options)
    player = players[0]
    members = past.names[: past.members]
    if player not in members:
        raise UserError(ABSENT.format(people.shown(player)), ways_on)
    placing_typed = question.option("placing")
    placing = 0
    if placing_typed in map(str, range(1, past.seats + 1)):
        placing = int(placing_typed) - 1
    now = outlooks.forecast_now(question, season)
    key = f"if {placing} {player}"
    then = outlooks.known(
        question, season, key, lambda: forecast_of(what_if(past, season.left, player, placing))
    )
    next_time = [f"次に{texts.placing(place + 1, past.seats)}なら" for place in range(past.seats)]
    everyone = sorted(
        then.members,
        key=lambda m: (-m.first, -m.expected, m.player),
    )
    rows = []
    said = []
    ranks = places([m.first for m in everyone])
    for rank, m in zip(ranks, everyone, strict=True):
        change = change_words(m.first - now.member(m.player).first)
        rows.append(
            people.row(
                m.player,
                season.percent(m.first),
                rank,
                (change or "±0",),
            )
        )
        said.append(f"{rows[-1].name} {rows[-1].value}{change}")
    title = f"{people.shown(player)}が{next_time[placing]}"
    subtitle = f"{season.scope.title}　{season.count}"
    note = season.sentence + CHANGES
    alt = f"もしも{title}：{'、'.join(said[:3])}"
    table = Table(f"もしも {title}", tuple(rows), ("優勝", "変化"), subtitle, note, alt)
    same = {**options, "player": token(player)}
    leaders = sorted(
        members,
        key=lambda p: -past.totals[past.names.index(p)],
    )
    others = [p for p in leaders if p != player][:4]
    choices = offered(
        *(
            choice(words, Ask.IF, **same, placing=n + 1)
            for n, words in enumerate(next_time)
            if n != placing
        ),
        *(
            choice(f"{people.shown(p)[:14]}がトップ", Ask.IF, **options, player=token(p))
            for p in others
        ),
        *outlooks.left_choices(question, season, player=token(player)),
        choice("優勝確率", Ask.FORECAST, **options),
        choice("条件", Ask.NEEDS, **options),
    )
    return Reply((table,), choices)


def change_words(change: float) -> str:
    """A change of a chance in points of per cent: ▲12, ▼3, "" for none."""
    points = round(100 * change)
    if points > 0:
        return f"▲{points}"
    if points < 0:
        return f"▼{-points}"
    return ""


SPECS = (
    Spec(
        name=Ask.NEEDS,
        title="条件",
        help="優勝に必要な収支と、最終戦の条件を出します",
        answer=answer,
        words=(
            "条件 じょうけん 優勝条件 優勝の条件 優勝じょうけん 優勝するには 優勝には何点 逆転の条件 "
            "逆転条件 逆転するには 首位になる条件 首位になるには"
        ),
        shortcuts=AT,
        talk=True,
        takes=BY_SEASON,
        names=5,
        empty=outlooks.TOO_FEW,
        below=(Below.OWN, Ask.SUM),
        daily=True,
    ),
    Spec(
        name=Ask.IF,
        title="もしも",
        help="だれかが次にトップなら、優勝確率がどう変わるかを出します",
        answer=show_if,
        words="もしも 仮定 かてい",
        shortcuts={
            f"{head}{word}{end}": {"placing": str(place)}
            for place, word in ((1, "トップ"), (3, "ラス"))
            for head in ("次", "次に", "次も", "もし次に", "もし")
            for end in ("なら", "だったら", "取ったら", "を取ったら", "とったら")
        },
        takes=BY_SEASON,
        names=1,
        empty=outlooks.TOO_FEW,
        below=(Below.OWN, Ask.SUM),
        daily=True,
    ),
)
