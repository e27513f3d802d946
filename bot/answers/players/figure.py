"""One figure in one line, with buttons to the whole: 俺何位？, みどりのトップ率, 首位との差, 天敵,
優勝者.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

from bot import texts
from bot.answers.common.figures import (
    WORDS,
    careers_of,
    label_of,
    of_cases,
    placing_counts,
    written,
)
from bot.answers.common.members import People, asked_members, check_members, people_of, token
from bot.answers.common.ratings import Ratings, known_ratings
from bot.answers.common.scope import Scope, ask_who, is_over, offered, scope_of, scope_with
from bot.answers.common.typed import NO_MEMBER, REACHING
from bot.answers.players import matchup
from bot.chat.command import BY_PERIOD, Ask, Command, Question, Spec, choice
from bot.chat.replies import Choice, Reply, Text
from rating.statistics import BOARD, STATISTICS, Ranked, qualifying_games, ranking, shown_on
from rating.tallies import Career

PLACE = "place"
GAP = "gap"
LEADER = "leader"
BOTTOM = "bottom"
WINNER = "winner"
PREY = "prey"
NEMESIS = "nemesis"
NO_FIGURE = "まだ出せません（対局が足りません）"
SHARES = {
    "first": slice(1),
    "upper": slice(2),
    "last": slice(-1, None),
}  # of the placings, as rates of them


def answer(question: Question) -> Reply:
    """The line of the figure `by`: of the member named, else the asker (asks for a name where none
    is known); of the league for the leader, the last and the champion."""
    by = question.option("by") or PLACE
    people = people_of(question)
    players = asked_members(question)
    if by == WINNER:
        return _champion(question, people)
    if not players and question.asker.player and by not in NO_MEMBER:
        players = [question.asker.player]
    if not players and by == GAP:
        by = LEADER
    if not players and by in (PREY, NEMESIS):
        return matchup.answer(question)
    if not players and by not in (LEADER, BOTTOM):
        heading = "数字"
        if by == PLACE:
            heading = "何位"
        elif by in WORDS:
            heading = WORDS[by].name
        return ask_who(question, heading, by=by)
    scope = scope_with(question, *players[:1])
    check_members(people, scope.games)
    ratings = known_ratings(question, scope)
    own = careers_of(people, scope, ratings)
    order = ranking(STATISTICS["total"], own, 0)
    if by in (LEADER, BOTTOM):
        words = _end(people, order, first=by == LEADER)
        return Reply((Text(f"{scope.title}：{words}"),), _choices(question, scope, by, ""))
    player = players[0]
    if by == PLACE:
        words = _places(own, order, ratings, player)
    elif by == GAP:
        words = _gaps(people, order, player)
    elif by in (PREY, NEMESIS):
        words = _opponent(people, own[player], by)
    else:
        words = _figure(question, own, ratings, by if by in STATISTICS else "total", player)
    title = f"{people.shown(player)}　{scope.title}"
    return Reply((Text(f"{title}：{words}"),), _choices(question, scope, by, token(player)))


def _places(
    own: Mapping[str, Career], order: Sequence[Ranked], ratings: Ratings | None, player: str
) -> str:
    """収支1位・レート1位（1750）・平均着順1.88."""
    place = {each.player: each.place for each in order}[player]
    said = [f"収支{place}位（{written('total', own[player].total)}）"]
    if ratings is not None and player in ratings.standings:
        value = ratings.words(ratings.standings[player].value)
        said.append(f"レート{ratings.places[player].place}位（{value}）")
    said.append(f"平均着順{written('mean', own[player].tally.mean_placing)}")
    return "・".join(said)


def _gaps(people: People, order: Sequence[Ranked], player: str) -> str:
    """How far the player's 収支 is behind the first and behind the next above, or ahead of the
    second.
    """
    at = next(n for n, each in enumerate(order) if each.player == player)
    value = order[at].value
    if order[at].place == 1:
        second = next((each for each in order if each.place > 1), None)
        if second is None:
            return "収支1位"
        return f"収支1位。{second.place}位の{people.shown(second.player)}と{value - second.value:,.1f}差"
    said = f"収支{order[at].place}位。首位の{people.shown(order[0].player)}と{order[0].value - value:,.1f}差"
    above = [each for each in order if each.place < order[at].place][-1]
    if above.place > 1:
        said += f"、1つ上の{people.shown(above.player)}と{above.value - value:,.1f}差"
    return said


def _end(people: People, order: Sequence[Ranked], first: bool) -> str:
    """The first (or the last) by 収支, with the gap to the next; all of those who are equal."""
    place = order[0].place if first else order[-1].place
    same = [each for each in order if each.place == place]
    others = [each for each in order if each.place != place]
    said = "首位" if first else "最下位"
    names = people.named([each.player for each in same])
    said += f"は{names}（収支{written('total', same[0].value)}）"
    if not others:
        return said
    near = others[0] if first else others[-1]
    return f"{said}。{near.place}位の{people.shown(near.player)}と{abs(near.value - same[0].value):,.1f}差"


def _opponent(people: People, career: Career, by: str) -> str:
    """得意な相手 or 天敵 where one is sure, else the opponent with the highest or lowest 先着率."""
    names, met, sure = matchup.lowest(people, career, best=by == PREY)
    word, most = ("得意な相手", "高い") if by == PREY else ("天敵", "低い")
    if sure:
        return f"{word}は{people.named(names)}（先着率 {texts.percent(met.share)}、{met.games}戦）"
    if not names:
        return f"{word}はまだ見えません（{matchup.ENOUGH}戦以上の相手がいません）"
    said = f"先着率がいちばん{most}相手は{people.named(names)}（{texts.percent(met.share)}）"
    return f"{said}。{word}と言える差はまだ見えません"


def _figure(
    question: Question,
    own: Mapping[str, Career],
    ratings: Ratings | None,
    by: str,
    player: str,
) -> str:
    """A statistic's value with its place: トップ率 38.2%（314戦中120回、3位）."""
    statistic = STATISTICS[by]
    career = own[player]
    value = statistic.value(career)
    name = label_of(by, question.snapshot, [result.game for result in career.results])
    if value is None:
        return f"{name}は{NO_FIGURE}"
    least = 0
    if statistic.rate:
        least = qualifying_games(question.snapshot.league.rules.qualifying, own)
    order = ranking(statistic, own, least)
    places = {ranked.player: ranked.place for ranked in order if ranked.place}
    counts = career.tally.placings
    beside = []
    recorded = statistic.counted(career) if statistic.records else None
    if recorded is not None:
        beside.append(f"牌譜{of_cases(recorded)}")
    if by in SHARES:
        beside.append(f"{career.tally.games}戦中{sum(counts[SHARES[by]])}回")
    if by == "mean":
        beside.append(f"{placing_counts(career.tally)}、{career.tally.games}戦")
    if player in places:
        beside.append(f"{len(places)}人中{places[player]}位")
    line = f"{name} {written(by, value, ratings)}"
    if beside:
        line += f"（{'、'.join(beside)}）"
    return line


def _champion(question: Question, people: People) -> Reply:
    scope = scope_of(question)
    said = []
    ended = scope if is_over(question, scope) else None
    if ended is None and scope.season is not None:
        order = ranking(STATISTICS["total"], careers_of(people, scope), 0)
        first = [each.player for each in order if each.place == 1]
        said.append(f"{scope.title}はまだ終わっていません。いまの首位は{people.named(first)}です。")
        before = [each for each in question.snapshot.seasons if each.number < scope.season.number]
        if before and not question.option("season"):
            options = {**question.command.options, "season": str(before[-1].number)}
            ended = scope_of(replace(question, command=Command(Ask.FIGURE, options)))
    if ended is not None:
        order = ranking(STATISTICS["total"], careers_of(people, ended), 0)
        winners = people.named([each.player for each in order if each.place == 1])
        said.append(
            f"{ended.title}の優勝は{winners}（収支{written('total', order[0].value)}）です。"
        )
    shown = ended or scope
    choices = offered(
        choice("まとめ", Ask.SUMMARY, season=shown.option),
        choice("優勝確率", Ask.FORECAST),
        choice("収支", Ask.SUM, season=shown.option),
    )
    return Reply((Text("".join(said)),), choices)


def _choices(
    question: Question,
    scope: Scope,
    by: str,
    player: str,
) -> tuple[Choice, ...]:
    here = scope.options
    ways = []
    if player:
        ways.append(choice("個人", Ask.PLAYER, player=player, **here))
    if by in (PREY, NEMESIS):
        ways.append(choice("相性", Ask.MATCHUP, player=player, **here))
    elif by in (PLACE, "mean"):
        ways.append(choice("着順", Ask.RANK, **here))
    elif by == "rating":
        ways.append(choice("レーティング", Ask.RATING, **here))
    elif by in shown_on(BOARD) and by != "total":
        ways.append(choice(WORDS[by].name, Ask.RANKING, **here, by=by))
    ways.append(choice("収支", Ask.SUM, **here))
    if by in (PLACE, GAP, LEADER, BOTTOM):
        ways += [choice("レーティング", Ask.RATING, **here), choice("優勝確率", Ask.FORECAST)]
    return offered(*ways)


def _each(*parts: str) -> str:
    """Each word of a part with each of the next: いくら勝った いくら負けた なんぼ勝った …"""
    return " ".join(map("".join, product(*map(str.split, parts))))


def _who(heads: str, verbs: str) -> str:
    """誰が1位, 1位は誰 and their like; 一番勝った人, 誰が一番勝った and theirs."""
    most = "一番 いちばん 1番"
    return " ".join(
        (
            _each(heads, "誰 は誰 って誰"),
            _each("誰 誰が", heads),
            _each("今 今の", heads, "誰 は誰"),
            _each(most, verbs, "人 やつ のは誰 の誰 のって誰"),
            _each("誰が", most, verbs),
            _each(verbs, "の誰"),
        )
    )


_SAID = {
    PLACE: "何位 なんい 何番 なん位 何番目 なんばんめ",
    GAP: " ".join(
        (
            "差 点差",
            *REACHING,
            _each("1位 首位 トップ", "と2位の差"),
            _each(
                "首位 トップ 1位 2位 3位 上 上の人 一個上 ひとつ上",
                "との差 の差 差 と と何点差 との点差 まで まで何点 まであと何点 に何点差",
            ),
        )
    ),
    LEADER: "首位 暫定1位 暫定首位 誰が勝ってる 誰勝ってる "
    + _who("1位 トップ 首位 一番", "勝った 勝ってる 稼いだ 稼いでる 浮いてる プラスの"),
    BOTTOM: "最下位 ビリ ドベ ラス王 誰が負けてる 誰負けてる "
    + _who("ビリ びり 最下位 ドベ ラス ワースト", "負けた 負けてる 沈んでる へこんでる マイナスの"),
    NEMESIS: (
        "天敵 てんてき 苦手 苦手な相手 苦手な人 苦手なやつ 苦手な奴 にがて 一番負けてる相手 "
        "苦手にしてる相手 一番カモられてる相手 一番やられてる相手"
    ),
    PREY: (
        "得意 得意な相手 得意な人 得意なやつ 得意な奴 とくい カモ お得意様 一番勝ってる相手 "
        "一番カモってる いちばんカモってる カモってる相手 一番カモにしてる相手"
    ),
    WINNER: (
        "優勝者 優勝した人 優勝したのは誰 優勝したの誰 誰が優勝した 誰が優勝 優勝は誰 優勝誰 チャンピオン "
        "前回の優勝者 王者"
    ),
    "total": "プラマイ プラス マイナス 何点取った まだマイナス まだプラス マイナス何点 プラス何点 "
    + _each("勝って 負けて", "る ん ます ますか ")
    + " "
    + _each(
        "いくら いくつ なんぼ 何点 どれだけ どんだけ どれくらい",
        "勝った 負けた 勝ってる 負けてる 勝ってん 負けてん 勝っとる 負けとる 勝ちました 負けました 稼いだ "
        "浮いた 浮いてる 沈んだ 沈んでる 儲かった",
    ),
    "mean": "平順 何着",
    "first": "トップの回数 トップ何回 何回トップ トップ回数 トップ数 何勝 何回勝った",
    "last": "ラスの回数 ラス何回 何回ラス ラス回数",
    "games": "何戦 何半荘 何試合 何局",
}


def _shortcuts() -> dict[str, dict[str, str]]:
    """The options of every word that asks for a figure."""
    shortcuts: dict[str, dict[str, str]] = {}
    for by, words in _SAID.items():
        shortcuts |= {word: {"by": by} for word in words.split()}
    return shortcuts


SPECS = (
    Spec(
        name=Ask.FIGURE,
        title="数字ひとつ",
        answer=answer,
        shortcuts=_shortcuts(),
        takes=BY_PERIOD,
        names=1,
        talk=True,
        hidden=True,
    ),
)
