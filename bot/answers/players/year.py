"""自分のまとめ: a member's year or season on cards to swipe: games, best day, nemesis, tile,
title.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from bot import texts
from bot.answers.common.figures import careers_of, label_of, placing_counts, records_of, written
from bot.answers.common.members import People, asked_members, people_of, token
from bot.answers.common.periods import year_of
from bot.answers.common.rounds import tile_name
from bot.answers.common.scope import ALL, Scope, ask_who, below, days_of, scope_with, too_few
from bot.answers.players import texts as player_texts
from bot.answers.players.card import compared_in, honour_of, in_words
from bot.answers.players.card_picture import Honour
from bot.answers.players.matchup import nemesis_of
from bot.chat.command import BY_PERIOD, Ask, Below, Command, Question, Spec, choice, data_of
from bot.chat.replies import Cards, Choice, Reply, Row
from bot.draw.style import on
from rating.paifu.play_counts import winning_kinds
from rating.statistics import STATISTICS, ranking
from rating.tallies import Career

BALANCE = "収支 {balance}（{members}人中{place}位）"
MEAN_PLACING = "平均着順 {mean}（{placings}）"
FURTHER_TITLES = "ほかに {titles}"
NOTIFICATION = "{title}：{games}、収支{place}位、称号「{honour}」"
DAY_DETAIL = "{day}　{games}戦"
DAY_GAMES = "この日の対局"
NEMESIS = "天敵"
LOWEST_SHARE = "先着率がいちばん低い相手"
TILE = "相棒の牌"
TILE_DETAIL = "牌譜のアガリ{wins}回中{count}回"
FEWEST_WINS = 10  # from which one tile is named


@dataclass(frozen=True)
class _Year:
    """A member's year, season or other period. `place`: by 収支, among all `members` with games."""

    people: People
    scope: Scope
    career: Career
    place: int
    members: int
    honour: Honour
    further_titles: tuple[str, ...]

    @property
    def player(self) -> str:
        return self.career.player

    @property
    def title(self) -> str:
        name = self.people.shown(self.player)
        return player_texts.TITLE.format(player=name, period=self.scope.title)


def answer(question: Question) -> Reply:
    """The cards of the member named, else the asker, by default of the last game's year."""
    options = _options(question)
    everybody = options.pop("who", "") == ALL
    question = replace(question, command=Command(Ask.YEAR, options))
    player = next(iter(asked_members(question)), question.asker.player)
    if everybody or not player:
        options.pop("player", None)
        return ask_who(question, player_texts.SUMMARY, **options)
    scope = scope_with(question, player)
    buttons = _buttons(scope, player)
    year = _figures(question, scope, player)
    if year.career.tally.games < question.spec.fewest:
        raise too_few(question, scope.of(player), *buttons)
    reply_buttons = below(question, scope, *buttons, player=token(player))
    return Reply((_cards(year),), reply_buttons)


def _options(question: Question) -> dict[str, str]:
    """The question's options; without a period, with the year of the last game."""
    options = dict(question.command.options)
    days = days_of(question.snapshot)
    if days and not options.keys() & {"season", "from", "to"}:
        options |= year_of(days[-1]).options
    return options


def _figures(question: Question, scope: Scope, player: str) -> _Year:
    """A member's year: games, place by total score among all members of the scope, and titles."""
    people = people_of(question)
    all_careers = careers_of(people, scope)
    by_total = ranking(STATISTICS["total"], all_careers, qualifying=0)
    places = {ranked.player: ranked.place for ranked in by_total}
    compared = compared_in(question, people, scope)
    titles = compared.titles.get(player, ())  # the first one is the honour
    return _Year(
        people,
        scope,
        career=all_careers[player],
        place=places[player],
        members=len(all_careers),
        honour=honour_of(question, compared, player),
        further_titles=tuple(in_words(title).title for title in titles[1:]),
    )


def _cards(year: _Year) -> Cards:
    rows = (
        _games_card(year),
        _best_day_card(year),
        _nemesis_card(year),
        _best_tile_card(year),
        _honour_card(year),
    )
    notification = NOTIFICATION.format(
        title=year.title,
        games=written("games", year.career.tally.games),
        place=year.place,
        honour=year.honour.title,
    )
    colour = year.people.colour(year.player)
    return Cards(tuple(filter(None, rows)), notification, colour, on(colour))


def _games_card(year: _Year) -> Row:
    """How many games, and how good they were."""
    tally = year.career.tally
    balance = BALANCE.format(
        balance=written("total", year.career.total), members=year.members, place=year.place
    )
    mean = MEAN_PLACING.format(
        mean=written("mean", tally.mean_placing), placings=placing_counts(tally)
    )
    return Row(
        year.title,
        written("games", tally.games),
        detail=f"{balance}\n{mean}",
        data=data_of(Ask.SUM, **year.scope.options),
        said=player_texts.TABLE,
    )


def _best_day_card(year: _Year) -> Row | None:
    """The day with most points; None where no day has more than 0."""
    best = STATISTICS["day"].counted(year.career)
    if best is None or best.value <= 0:
        return None
    day = None
    if best.last:
        day = best.last.day
    games = [result.game for result in year.career.results]
    when = texts.short_day(day, year.scope.years)
    return Row(
        label_of("day", year.people.snapshot, games),
        written("day", best.value),
        detail=DAY_DETAIL.format(day=when, games=best.cases),
        data=data_of(Ask.TODAY, date=day),
        said=DAY_GAMES,
    )


def _nemesis_card(year: _Year) -> Row | None:
    """The opponent the member finished above least often, called 天敵 only where that is sure."""
    nemesis = nemesis_of(year.people, year.career)
    if not nemesis.names:
        return None
    label = LOWEST_SHARE
    if nemesis.is_sure:
        label = NEMESIS
    meeting = nemesis.meeting
    share = texts.percent(meeting.share)
    opponent = token(nemesis.names[0])
    return Row(
        label,
        year.people.named(nemesis.names),
        detail=player_texts.SHARE_OF_GAMES.format(share=share, games=meeting.games),
        data=data_of(
            Ask.PAIR,
            player=token(year.player),
            other=opponent,
            **year.scope.options,
        ),
        said=player_texts.PAIR,
    )


def _best_tile_card(year: _Year) -> Row | None:
    """The tile on which the member won most often by the records of the scope's days; None with
    fewer than FEWEST_WINS wins, and where two tiles have as many.
    """
    wins: Counter[int] = Counter()
    for name, tally in records_of(year.people.snapshot, year.scope):
        if name == year.player:
            wins += winning_kinds(tally.play)
    if wins.total() < FEWEST_WINS:
        return None
    kind, count = wins.most_common(1)[0]
    if list(wins.values()).count(count) > 1:
        return None
    return Row(
        TILE,
        tile_name(4 * kind + 1),
        detail=TILE_DETAIL.format(wins=wins.total(), count=count),
        data=data_of(
            Ask.PAIFU,
            player=token(year.player),
            seats=year.scope.seats,
        ),
        said=player_texts.PAIFU,
    )


def _honour_card(year: _Year) -> Row:
    """The member's title, why it was earned, and further titles."""
    reasons = []
    if year.honour.reason:
        reasons.append(year.honour.reason)
    if year.further_titles:
        reasons.append(FURTHER_TITLES.format(titles="・".join(year.further_titles)))
    return Row(
        player_texts.EARNED_TITLE,
        player_texts.QUOTED_TITLE.format(title=year.honour.title),
        detail="\n".join(reasons),
        data=data_of(Ask.PLAYER, player=token(year.player), **year.scope.options),
        said=player_texts.PLAYER,
    )


def _buttons(scope: Scope, player: str) -> tuple[Choice, ...]:
    return (
        choice(player_texts.PLAYER, Ask.PLAYER, player=token(player), **scope.options),
        choice(player_texts.OTHER_MEMBER, Ask.YEAR, who=ALL, **scope.options),
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
