"""One figure in one line, with buttons to the whole: 俺何位？, みどりのトップ率, 首位との差, 天敵,
優勝者.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

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
from bot.answers.common.typed import NO_MEMBER
from bot.answers.players import matchup, texts as player_texts
from bot.answers.players.figure_words import (
    BALANCE,
    BOTTOM,
    GAP,
    LEADER,
    NEMESIS,
    PLACE,
    PREY,
    WINNER,
    shortcuts,
)
from bot.chat.command import BY_PERIOD, Ask, Command, Question, Spec, choice
from bot.chat.replies import Choice, Reply, Text
from rating.statistics import (
    BOARD,
    STATISTICS,
    Ranked,
    Statistic,
    qualifying_games,
    ranking,
    shown_on,
)
from rating.tallies import Career

FIGURE = "数字ひとつ"
LINE = "{title}：{text}"
WHICH_FIGURE = "数字"
WHICH_PLACE = "何位"
NO_FIGURE = "{figure}はまだ出せません（対局が足りません）"
BALANCE_PLACE = "収支{place}位（{balance}）"
RATING_PLACE = "レート{place}位（{rating}）"
MEAN_PLACING = "平均着順{mean}"
ALONE = "収支1位"
AHEAD_OF_SECOND = "収支1位。{place}位の{player}と{gap:,.1f}差"
BEHIND_LEADER = "収支{place}位。首位の{leader}と{gap:,.1f}差"
BEHIND_BOTH = "収支{place}位。首位の{leader}と{gap:,.1f}差、1つ上の{next}と{next_gap:,.1f}差"
# The leader and the last, alone or with the gap to the next.
ENDS = {LEADER: "首位は{players}（収支{balance}）", BOTTOM: "最下位は{players}（収支{balance}）"}
GAP_TO_NEXT = "{line}。{place}位の{player}と{gap:,.1f}差"
SURE_OPPONENT = {
    PREY: "得意な相手は{players}（先着率 {share}、{games}戦）",
    NEMESIS: "天敵は{players}（先着率 {share}、{games}戦）",
}
NO_OPPONENT = {
    PREY: "得意な相手はまだ見えません（{games}戦以上の相手がいません）",
    NEMESIS: "天敵はまだ見えません（{games}戦以上の相手がいません）",
}
UNSURE_OPPONENT = {
    PREY: ("先着率がいちばん高い相手は{players}（{share}）。得意な相手と言える差はまだ見えません"),
    NEMESIS: "先着率がいちばん低い相手は{players}（{share}）。天敵と言える差はまだ見えません",
}
FROM_RECORDS = "牌譜{cases}"
TIMES_OF_GAMES = "{games}戦中{times}回"
PLACINGS_AND_GAMES = "{placings}、{games}戦"
PLACE_OF = "{players}人中{place}位"
VALUE = "{figure} {value}"
VALUE_WITH = "{figure} {value}（{details}）"
NOT_OVER = "{season}はまだ終わっていません。いまの首位は{players}です。"
CHAMPION = "{season}の優勝は{players}（収支{balance}）です。"
SHARES = {
    "first": slice(1),
    "upper": slice(2),
    "last": slice(-1, None),
}  # of the placings, as rates of them


@dataclass(frozen=True)
class _Standing:
    """All members' careers in a scope; `order` is by 収支, the first one first."""

    people: People
    scope: Scope
    careers: Mapping[str, Career]
    ratings: Ratings | None
    order: Sequence[Ranked]

    def of(self, player: str) -> Ranked:
        """A member's place by 収支."""
        return next(ranked for ranked in self.order if ranked.player == player)

    def at(self, place: int) -> list[Ranked]:
        """Those at a place by 収支, several where they are equal."""
        return [ranked for ranked in self.order if ranked.place == place]

    def shown(self, ranked: Sequence[Ranked]) -> str:
        return self.people.named([member.player for member in ranked])


def answer(question: Question) -> Reply:
    """The line of the figure `by`: of the member named, else the asker (asks for a name where none
    is known); of the league for the leader, the last and the champion."""
    by = question.option("by") or PLACE
    if by == WINNER:
        return _champion(question)
    players = asked_members(question)
    if not players and question.asker.player and by not in NO_MEMBER:
        players = [question.asker.player]
    if not players and by == GAP:
        by = LEADER
    if not players and by in (PREY, NEMESIS):
        return matchup.answer(question)
    if not players and by not in (LEADER, BOTTOM):
        return ask_who(question, _heading(by), by=by)
    standing = _figures(question, players)
    scope = standing.scope
    if by in (LEADER, BOTTOM):
        line = LINE.format(title=scope.title, text=_end(standing, by))
        return Reply((Text(line),), _buttons(scope, by, ""))
    player = players[0]
    title = player_texts.TITLE.format(player=standing.people.shown(player), period=scope.title)
    line = LINE.format(title=title, text=_line(question, standing, by, player))
    return Reply((Text(line),), _buttons(scope, by, token(player)))


def _heading(by: str) -> str:
    """The heading above the names, where a member has to be chosen."""
    if by == PLACE:
        return WHICH_PLACE
    if by in WORDS:
        return WORDS[by].name
    return WHICH_FIGURE


def _figures(question: Question, players: Sequence[str]) -> _Standing:
    people = people_of(question)
    scope = scope_with(question, *players[:1])
    check_members(people, scope.games)
    ratings = known_ratings(question, scope)
    careers = careers_of(people, scope, ratings)
    order = ranking(STATISTICS[BALANCE], careers, 0)
    return _Standing(people, scope, careers, ratings, order)


def _line(question: Question, standing: _Standing, by: str, player: str) -> str:
    """The figure of a member."""
    if by == PLACE:
        return _places(standing, player)
    if by == GAP:
        return _gaps(standing, player)
    if by in (PREY, NEMESIS):
        return _opponent(standing.people, standing.careers[player], by)
    if by not in STATISTICS:
        by = BALANCE
    return _statistic(question, standing, by, player)


def _places(standing: _Standing, player: str) -> str:
    """収支1位（+1,752.0）・レート1位（1750）・平均着順1.88."""
    career = standing.careers[player]
    balance = written(BALANCE, career.total)
    places = [BALANCE_PLACE.format(place=standing.of(player).place, balance=balance)]
    ratings = standing.ratings
    if ratings is not None and player in ratings.standings:
        rating = ratings.words(ratings.standings[player].value)
        place = ratings.places[player].place
        places.append(RATING_PLACE.format(place=place, rating=rating))
    places.append(MEAN_PLACING.format(mean=written("mean", career.tally.mean_placing)))
    return "・".join(places)


def _gaps(standing: _Standing, player: str) -> str:
    """How far the player's 収支 is behind the first and behind the next above, or ahead of the
    second.
    """
    people = standing.people
    ranked = standing.of(player)
    if ranked.place == 1:
        second = next((other for other in standing.order if other.place > 1), None)
        if second is None:
            return ALONE
        return AHEAD_OF_SECOND.format(
            place=second.place, player=people.shown(second.player), gap=ranked.value - second.value
        )
    leader = standing.order[0]
    above = [other for other in standing.order if other.place < ranked.place][-1]
    template = BEHIND_LEADER
    if above.place > 1:
        template = BEHIND_BOTH
    values = {
        "place": ranked.place,
        "leader": people.shown(leader.player),
        "gap": leader.value - ranked.value,
        "next": people.shown(above.player),
        "next_gap": above.value - ranked.value,
    }
    return template.format(**values)


def _end(standing: _Standing, by: str) -> str:
    """The first (or the last) by 収支, with the gap to the next; all of those who are equal."""
    order = list(standing.order)
    if by == BOTTOM:
        order.reverse()
    equal = standing.at(order[0].place)
    balance = written(BALANCE, equal[0].value)
    line = ENDS[by].format(players=standing.shown(equal), balance=balance)
    others = [ranked for ranked in order if ranked.place != order[0].place]
    if not others:
        return line
    return GAP_TO_NEXT.format(
        line=line,
        place=others[0].place,
        player=standing.people.shown(others[0].player),
        gap=abs(others[0].value - equal[0].value),
    )


def _opponent(people: People, career: Career, by: str) -> str:
    """得意な相手 or 天敵 where one is sure, else the opponent with the highest or lowest 先着率."""
    extreme = matchup.nemesis_of(people, career)
    if by == PREY:
        extreme = matchup.prey_of(people, career)
    if not extreme.names:
        return NO_OPPONENT[by].format(games=matchup.ENOUGH)
    players = people.named(extreme.names)
    share = texts.percent(extreme.meeting.share)
    if extreme.is_sure:
        games = extreme.meeting.games
        return SURE_OPPONENT[by].format(players=players, share=share, games=games)
    return UNSURE_OPPONENT[by].format(players=players, share=share)


def _statistic(question: Question, standing: _Standing, key: str, player: str) -> str:
    """A statistic's value with its place: トップ率 38.2%（314戦中120回、3位）."""
    career = standing.careers[player]
    value = STATISTICS[key].value(career)
    games = [result.game for result in career.results]
    name = label_of(key, question.snapshot, games)
    if value is None:
        return NO_FIGURE.format(figure=name)
    details = _cases(career, STATISTICS[key], key)
    places = _places_by(question, standing.careers, STATISTICS[key])
    if player in places:
        details.append(PLACE_OF.format(players=len(places), place=places[player]))
    words = written(key, value, standing.ratings)
    if not details:
        return VALUE.format(figure=name, value=words)
    return VALUE_WITH.format(figure=name, value=words, details="、".join(details))


def _cases(career: Career, statistic: Statistic, key: str) -> list[str]:
    """Of how many games a figure is, and how often what it counts came about."""
    details = []
    tally = career.tally
    if statistic.records:
        counted = statistic.counted(career)
        if counted is not None:
            details.append(FROM_RECORDS.format(cases=of_cases(counted)))
    if key in SHARES:
        times = sum(tally.placings[SHARES[key]])
        details.append(TIMES_OF_GAMES.format(games=tally.games, times=times))
    if key == "mean":
        placings = placing_counts(tally)
        details.append(PLACINGS_AND_GAMES.format(placings=placings, games=tally.games))
    return details


def _places_by(
    question: Question, careers: Mapping[str, Career], statistic: Statistic
) -> dict[str, int]:
    """The places by a statistic of those with enough games."""
    fewest = 0
    if statistic.rate:
        fewest = qualifying_games(question.snapshot.league.rules.qualifying, careers)
    order = ranking(statistic, careers, fewest)
    return {ranked.player: ranked.place for ranked in order if ranked.place}


def _champion(question: Question) -> Reply:
    """The champion of the season; of one that is not over the leader, and the champion before."""
    people = people_of(question)
    scope = scope_of(question)
    ended: Scope | None = None
    sentences = []
    if is_over(question, scope):
        ended = scope
    elif scope.season is not None:
        players = people.named([ranked.player for ranked in _firsts(people, scope)])
        sentences.append(NOT_OVER.format(season=scope.title, players=players))
        ended = _season_before(question, scope.season.number)
    if ended is not None:
        winners = _firsts(people, ended)
        players = people.named([ranked.player for ranked in winners])
        balance = written(BALANCE, winners[0].value)
        sentences.append(CHAMPION.format(season=ended.title, players=players, balance=balance))
    season = (ended or scope).option
    buttons = offered(
        choice(player_texts.SUMMARY, Ask.SUMMARY, season=season),
        choice(player_texts.FORECAST, Ask.FORECAST),
        choice(player_texts.TABLE, Ask.SUM, season=season),
    )
    return Reply((Text("".join(sentences)),), buttons)


def _firsts(people: People, scope: Scope) -> list[Ranked]:
    """Those with the highest 収支."""
    order = ranking(STATISTICS[BALANCE], careers_of(people, scope), 0)
    return [ranked for ranked in order if ranked.place == 1]


def _season_before(question: Question, number: int) -> Scope | None:
    """The season before; None where there is none, and where the question names a season."""
    seasons = [season for season in question.snapshot.seasons if season.number < number]
    if not seasons or question.option("season"):
        return None
    options = {**question.command.options, "season": str(seasons[-1].number)}
    return scope_of(replace(question, command=Command(Ask.FIGURE, options)))


def _buttons(scope: Scope, by: str, player: str) -> tuple[Choice, ...]:
    options = scope.options
    buttons = []
    if player:
        buttons.append(choice(player_texts.PLAYER, Ask.PLAYER, player=player, **options))
    if by in (PREY, NEMESIS):
        buttons.append(choice(player_texts.MATCHUP, Ask.MATCHUP, player=player, **options))
    elif by in (PLACE, "mean"):
        buttons.append(choice(player_texts.PLACES, Ask.RANK, **options))
    elif by == "rating":
        buttons.append(choice(player_texts.RATING, Ask.RATING, **options))
    elif by in shown_on(BOARD) and by != BALANCE:
        buttons.append(choice(WORDS[by].name, Ask.RANKING, **options, by=by))
    buttons.append(choice(player_texts.TABLE, Ask.SUM, **options))
    if by in (PLACE, GAP, LEADER, BOTTOM):
        buttons.append(choice(player_texts.RATING, Ask.RATING, **options))
        buttons.append(choice(player_texts.FORECAST, Ask.FORECAST))
    return offered(*buttons)


SPECS = (
    Spec(
        name=Ask.FIGURE,
        title=FIGURE,
        answer=answer,
        shortcuts=shortcuts(),
        takes=BY_PERIOD,
        names=1,
        talk=True,
        hidden=True,
    ),
)
