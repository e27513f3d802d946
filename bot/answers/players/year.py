"""自分のまとめ: a member's year or season on cards to swipe: games, best day, nemesis, tile,
title.
"""

from collections import Counter
from dataclasses import replace

from bot import texts
from bot.answers.common.figures import careers_of, label_of, placing_counts, records_of, written
from bot.answers.common.members import People, asked_members, people_of, token
from bot.answers.common.periods import year_of
from bot.answers.common.rounds import tile_name
from bot.answers.common.scope import ALL, Scope, ask_who, below, days_of, scope_with, too_few
from bot.answers.players.card import compared_in, honour_of, in_words
from bot.answers.players.matchup import lowest
from bot.chat.command import BY_PERIOD, Ask, Below, Command, Question, Spec, choice, data_of
from bot.chat.replies import Cards, Reply, Row
from bot.draw.style import on
from rating.paifu.play_counts import winning_kinds
from rating.statistics import STATISTICS, ranking
from rating.tallies import Career

LEAST_WINS = 10  # wins from which one tile is named


def answer(question: Question) -> Reply:
    """The cards of the member named, else the asker, by default of the last game's year."""
    days = days_of(question.snapshot)
    options = {**question.command.options}
    everybody = options.pop("who", "") == ALL
    if days and not options.keys() & {"season", "from", "to"}:
        options |= year_of(days[-1]).options
    question = replace(question, command=Command(Ask.YEAR, options))
    player = next(iter(asked_members(question)), question.asker.player)
    if everybody or not player:
        return ask_who(
            question,
            "まとめ",
            **{k: v for k, v in options.items() if k != "player"},
        )
    people = people_of(question)
    scope = scope_with(question, player)
    here = scope.options
    same = {"player": token(player)}
    card = choice("個人", Ask.PLAYER, **same, **here)
    ways = (card, choice("ほかの人", Ask.YEAR, who=ALL, **here))
    own = careers_of(people, scope)
    career = own[player]
    compared = compared_in(question, people, scope)
    played = written("games", career.tally.games)
    if career.tally.games < question.spec.fewest:
        raise too_few(question, scope.of(player), *ways)
    order = ranking(STATISTICS["total"], own, 0)
    places = {ranked.player: ranked.place for ranked in order}
    place = places[player]
    balance = f"収支 {written('total', career.total)}（{len(own)}人中{place}位）"
    mean = (
        f"平均着順 {written('mean', career.tally.mean_placing)}（{placing_counts(career.tally)}）"
    )
    honour = honour_of(question, compared, player)
    further = compared.titles.get(player, ())[1:]
    reasons = [honour.reason]
    if further:
        titles = "・".join(in_words(earned).title for earned in further)
        reasons.append(f"ほかに {titles}")
    title = f"{people.shown(player)}　{scope.title}"
    reason = "\n".join(filter(None, reasons))
    rows = (
        Row(
            title,
            played,
            detail=f"{balance}\n{mean}",
            data=data_of(Ask.SUM, **here),
            said="収支",
        ),
        _best_day(people, scope, career),
        _nemesis(people, scope, career),
        _best_tile(people, scope, player),
        Row("称号", f"「{honour.title}」", detail=reason, data=card.data, said="個人"),
    )
    alt = f"{title}：{played}、収支{place}位、称号「{honour.title}」"
    cards = Cards(
        tuple(filter(None, rows)),
        alt,
        people.colour(player),
        on(people.colour(player)),
    )
    return Reply((cards,), below(question, scope, *ways, **same))


def _best_day(people: People, scope: Scope, career: Career) -> Row | None:
    found = STATISTICS["day"].counted(career)
    if found is None or found.value <= 0:
        return None
    label = label_of("day", people.snapshot, [result.game for result in career.results])
    day = found.last.day if found.last else None
    when = f"{texts.short_day(day, scope.years)}　{found.cases}戦"
    data = data_of(Ask.TODAY, date=day)
    return Row(
        label,
        written("day", found.value),
        detail=when,
        data=data,
        said="この日の対局",
    )


def _nemesis(people: People, scope: Scope, career: Career) -> Row | None:
    """The opponent the member finished above least often, called 天敵 only where that is sure."""
    names, met, sure = lowest(people, career)
    if not names:
        return None
    label = "天敵" if sure else "先着率がいちばん低い相手"
    share = texts.percent(met.share)
    data = data_of(
        Ask.PAIR,
        player=token(career.player),
        other=token(names[0]),
        **scope.options,
    )
    return Row(
        label,
        people.named(names),
        detail=f"先着率 {share}（{met.games}戦）",
        data=data,
        said="対決",
    )


def _best_tile(people: People, scope: Scope, player: str) -> Row | None:
    """The tile on which the member won most often by the records of the scope's days, of LEAST_WINS
    wins.
    """
    tallies = (tally for name, tally in records_of(people.snapshot, scope) if name == player)
    kinds = sum((winning_kinds(tally.play) for tally in tallies), Counter[int]())
    (kind, count), *others = kinds.most_common(2) or [(0, 0)]
    if kinds.total() < LEAST_WINS or (others and others[0][1] == count):
        return None
    detail = f"牌譜のアガリ{kinds.total()}回中{count}回"
    ways = data_of(Ask.PAIFU, player=token(player), seats=scope.seats)
    return Row(
        "相棒の牌",
        tile_name(4 * kind + 1),
        detail=detail,
        data=ways,
        said="牌譜成績",
    )


SPECS = (
    Spec(
        name=Ask.YEAR,
        title="自分のまとめ",
        help="1年やシーズンの自分を、めくるカードにします（「俺の2026年」も）",
        answer=answer,
        words="自分のまとめ 1年 一年 振り返り ふりかえり 1年の振り返り",
        takes=BY_PERIOD,
        names=1,
        fewest=10,
        empty="{title}のまとめは、{fewest}戦から出ます（いま{played}戦です）。",
        below=(Below.OWN, Below.AGAIN, Ask.SUMMARY),
        daily=True,
    ),
)
