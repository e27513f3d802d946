"""The trophies of a period as rows: who has won each, and with what."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from bot import texts
from bot.answers.common import figures
from bot.answers.common.figures import COMEBACK
from bot.answers.common.members import People, token
from bot.answers.common.ratings import course_model
from bot.answers.common.scope import Scope
from bot.chat.command import Ask, data_of
from bot.chat.replies import Row
from bot.draw import style
from rating.models import MODELS
from rating.paifu.tally import PaifuTally
from rating.statistics import STATISTICS
from rating.tallies import Career
from rating.trophies import Holder, PeriodGames, Trophy, trophies

NAMES = {
    "score": figures.name_of("best"),
    "closest": "最接戦",
    "comeback": COMEBACK,
    "firsts": figures.name_of("firsts"),
    "not_lasts": figures.name_of("not_lasts"),
    "pair": "キラー賞",
    "rise": "成長株",
    "unlucky": "不運王",
    "attendance": "皆勤賞",
}
GAME = "{day}　対{opponents}"
GAP = "差"
CLIMB = "{day}　{low}から{high}へ"
RECORD = "{won}勝{lost}敗"
OPPONENT = "対{name}"
RECORD_OF = "{name} {record}（{opponent}）"
ALL_DAYS = "全{days:.0f}日"
GAMES = "{games:.0f}戦"


def trophies_of(people: People, scope: Scope, careers: Sequence[Career]) -> list[Trophy]:
    """The trophies of the scope's games; the luck is of the draws, by the records of the scope's
    days.
    """
    rises = {}
    for career in careers:
        rise = STATISTICS["rise"].value(career)
        if rise is not None:
            rises[career.player] = rise
    tallies = defaultdict[str, PaifuTally](PaifuTally)
    records = Counter[str]()
    for player, tally in figures.records_of(people.snapshot, scope):
        if tally.luck.variance > 0:
            tallies[player] += tally
            records[player] += 1
    luck = {}
    for player, tally in tallies.items():
        luck[player] = (tally.luck.z or 0.0, records[player])
    return trophies(PeriodGames(scope.games, people.order, rises, luck))


def holders_of(trophy: Trophy) -> list[str]:
    return [holder.player for holder in trophy.holders]


def trophy_row(people: People, scope: Scope, trophy: Trophy) -> Row:
    """A trophy with its holders.

    A tap on one of a single member opens the member's card of the period.
    """
    players = holders_of(trophy)
    names = people.named(players)
    is_asker = any(map(people.is_asker, players))
    label = NAMES[trophy.name]
    if len(players) > 1:
        achievement = ""
        detail = ""
        if trophy.name == "pair":
            detail = _pairs(people, trophy)
        else:
            achievement = _achievement(people, trophy, trophy.holders[0]).value
        return Row(
            label,
            names,
            extra=(achievement,),
            detail=detail,
            colour=style.CONTEXT,
            mine=is_asker,
        )
    player = players[0]
    achieved = _achievement(people, trophy, trophy.holders[0])
    return Row(
        label,
        names,
        extra=(achieved.value,),
        detail=achieved.detail,
        colour=people.colour(player),
        mine=is_asker,
        data=data_of(Ask.PLAYER, **scope.options, player=token(player)),
        said=people.shown(player),
    )


def _pairs(people: People, trophy: Trophy) -> str:
    """The holders' records, each against an opponent of their own."""
    details = []
    for holder in trophy.holders:
        achieved = _achievement(people, trophy, holder)
        name = people.shown(holder.player)
        details.append(RECORD_OF.format(name=name, record=achieved.value, opponent=achieved.detail))
    return "　".join(details)


class Achievement(NamedTuple):
    """What won a trophy in a few characters, and its holder's own day, way back or opponent."""

    value: str
    detail: str = ""


def _achievement(people: People, trophy: Trophy, holder: Holder) -> Achievement:
    value = trophy.value
    if trophy.name == "score":
        return Achievement(figures.written("best", value), _game(people, holder))
    if trophy.name == "closest" and holder.game is not None:
        return Achievement(figures.gap_words(people, holder.game, GAP), _game(people, holder))
    if trophy.name == "comeback":
        climb = CLIMB.format(
            day=texts.short_day(holder.day),
            low=texts.points(holder.low),
            high=texts.points(holder.high),
        )
        return Achievement(texts.points(value), climb)
    if trophy.name == "pair":
        record = RECORD.format(won=holder.won, lost=holder.lost)
        return Achievement(record, OPPONENT.format(name=people.shown(holder.other)))
    if trophy.name == "rise":
        decimals = MODELS[course_model(people.snapshot.league.model)].decimals
        return Achievement(texts.change(texts.number(value, decimals, sign=True)))
    if trophy.name == "unlucky":
        return Achievement(figures.luck_words(-value))
    if trophy.name == "attendance":
        return Achievement(ALL_DAYS.format(days=value))
    return Achievement(GAMES.format(games=value))


def _game(people: People, holder: Holder) -> str:
    """The day and the opponents of the game, where these are known."""
    if holder.game is None or holder.game.day is None:
        return ""
    opponents = [player for player in holder.game.players if player != holder.player]
    return GAME.format(
        day=texts.short_day(holder.game.day),
        opponents="・".join(map(people.shown, opponents)),
    )
