"""The trophies of a period as rows: what each is called, who holds it, and by what."""

from __future__ import annotations

from bot import texts
from bot.answers.common.members import People, token
from bot.answers.common.model_names import course_model
from bot.answers.common.ratings import Ratings
from bot.answers.common.scope import Scope
from bot.answers.paifu.luck_page import luck_words
from bot.answers.recaps.night_words import gap_words
from bot.charts.canvas import style
from bot.chat.command import Ask, data_of
from bot.chat.replies import Row
from bot.league.snapshot import LeagueSnapshot
from rating.models import MODELS
from rating.paifu.tally import PaifuTally
from rating.trophies import PeriodGames, Trophy, trophies

TITLES = {
    "score": "最高スコア",
    "closest": "最接戦",
    "comeback": "逆転王",
    "firsts": "連勝王",
    "not_lasts": "ラス回避王",
    "pair": "対決王",
    "rise": "成長株",
    "unlucky": "不運王",
    "attendance": "皆勤賞",
}


def trophies_of(people: People, scope: Scope, ratings: Ratings | None) -> list[Trophy]:
    """The trophies of the scope's games."""
    lines = {p: line for p, line in (ratings.history if ratings else {}).items() if p in people.order}
    rises = {player: line.last - line.start for player, line in lines.items() if line.games}
    luck = _luck(people.snapshot, scope)
    return trophies(PeriodGames(scope.games, people.order, rises, luck))


def _luck(snapshot: LeagueSnapshot, scope: Scope) -> dict[str, tuple[float, int]]:
    """Each player's luck of the draws in standard deviations and the records that tell it, by the records of the scope's days."""
    days = {game.day for game in scope.games}
    sums: dict[str, PaifuTally] = {}
    told: dict[str, int] = {}
    for entry in snapshot.paifus:
        if entry.day not in days or entry.seats != scope.seats:
            continue
        for (name, _), tally in entry.statistics.players.items():
            if tally.luck.variance > 0:
                player = snapshot.league.player_of(name, entry.day)
                total = sums.setdefault(player, PaifuTally())
                total += tally
                told[player] = told.get(player, 0) + 1
    return {player: (total.luck.z or 0.0, told[player]) for player, total in sums.items()}


def trophy_row(people: People, scope: Scope, trophy: Trophy) -> Row:
    """A trophy as a row. A tap on one that a single member holds opens the member's card of the period."""
    players = [holder.player for holder in trophy.holders]
    alone = players[0] if len(players) == 1 else ""
    return Row(
        TITLES[trophy.name],
        people.named(players),
        extra=(_words(people, trophy),),
        detail=_detail(people, trophy) if alone else "",
        colour=people.colour(alone) if alone else style.CONTEXT,
        mine=any(map(people.is_asker, players)),
        data=data_of(Ask.PLAYER, **scope.options, player=token(alone)) if alone else "",
        said=people.shown(alone) if alone else "",
    )


def _words(people: People, trophy: Trophy) -> str:
    """What won the trophy, in a few characters."""
    value, holder = trophy.value, trophy.holders[0]
    if trophy.name == "score":
        return texts.points(value)
    if trophy.name == "closest" and holder.game is not None:
        return gap_words(people, holder.game, "差")
    if trophy.name == "comeback":
        return texts.change(texts.points(value))
    if trophy.name == "pair":
        return f"{holder.won}勝{holder.lost}敗"
    if trophy.name == "rise":
        decimals = MODELS[course_model(people.snapshot.league.model)].decimals
        return texts.change(texts.number(value, decimals, sign=True))
    if trophy.name == "unlucky":
        return luck_words(-value)
    return {"firsts": "{:.0f}連勝", "not_lasts": "{:.0f}戦", "attendance": "全{:.0f}日"}[trophy.name].format(
        value
    )


def _detail(people: People, trophy: Trophy) -> str:
    """What is its only holder's own: the day, the way back, the opponent."""
    (holder,) = trophy.holders
    if trophy.name in ("score", "closest") and holder.game is not None and holder.game.day is not None:
        others = "・".join(people.shown(p) for p in holder.game.players if p != holder.player)
        return f"{texts.short_day(holder.game.day)}　対{others}"
    if trophy.name == "comeback":
        return f"{texts.short_day(holder.day)}　{texts.points(holder.low)}から{texts.points(holder.high)}へ"
    return f"対{people.shown(holder.other)}" if trophy.name == "pair" else ""
