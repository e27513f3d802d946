"""The number of seats (3 or 4) that is asked for, the league's own, and the chances to deal in that go with it."""

from __future__ import annotations

from bot.chat.command import Question, normal
from bot.league.snapshot import LeagueSnapshot
from rating.games import same_seats
from rating.paifu.deal_in_rate import DealInRate, class_rates
from rating.paifu.recordlog import total

WORDS = {"三人": 3, "三人打ち": 3, "三麻": 3, "サンマ": 3, "四人": 4, "四人打ち": 4, "四麻": 4, "ヨンマ": 4}
_BY_WORD = {normal(word): seats for word, seats in WORDS.items()}


def seats_asked(question: Question, words: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """The number of seats the option `seats` or one of the words names (0 for none), and the other words."""
    said = [_BY_WORD[normal(word)] for word in words if normal(word) in _BY_WORD]
    left = tuple(word for word in words if normal(word) not in _BY_WORD)
    option = question.option("seats")
    return (int(option) if option in ("3", "4") else said[0] if said else 0), left


def league_seats(snapshot: LeagueSnapshot) -> int:
    """The commonest number of seats in the latest season; 4 without a game."""
    seasons = snapshot.seasons
    games = same_seats(snapshot.all_games(seasons[-1].number)) if seasons else []
    return len(games[0].seats) if games else 4


def rates_with(snapshot: LeagueSnapshot, seats: int) -> dict[str, DealInRate]:
    """Each class's chance to deal in; with three seats by the league's own records, where they hold enough."""
    if seats == 4:
        return class_rates()
    return class_rates(seats, total(each for each in snapshot.paifus if each.seats == seats).deal_ins[seats])
