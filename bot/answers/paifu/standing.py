"""The league's paifu of one number of seats, added up: what 牌譜成績 and its pages show."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from bot import texts
from bot.answers.common.members import members
from bot.league.snapshot import LeagueSnapshot
from rating.paifu.recordlog import PaifuEntry, total
from rating.paifu.statistics import Statistics
from rating.paifu.tally import PaifuTally


@dataclass(frozen=True)
class PaifuStanding:
    """The paifu entries of one number of seats, and each member's tally by name on Tenhou; `games` are those
    of each game."""

    seats: int
    entries: tuple[PaifuEntry, ...]
    tallies: dict[str, PaifuTally]
    games: dict[str, list[PaifuTally]] = field(default_factory=dict)

    @property
    def statistics(self) -> Statistics:
        """The statistics of all entries together, players who are no members included."""
        return total(self.entries)

    @property
    def title(self) -> str:
        return f"牌譜成績　{texts.SEATS[self.seats]}"

    @property
    def subtitle(self) -> str:
        return f"牌譜{len(self.entries)}戦・{sum(entry.statistics.rounds for entry in self.entries)}局"

    def subtitle_of(self, player: str) -> str:
        """The subtitle of one member's figures."""
        tally = self.tallies[player]
        return f"{texts.SEATS[self.seats]}　牌譜{tally.games}戦・{tally.rounds}局"


def standing(snapshot: LeagueSnapshot, seats: int) -> PaifuStanding:
    """The sums of the league's paifu with that many seats (3 or 4)."""
    kept = tuple(entry for entry in snapshot.paifus if entry.seats == seats)
    everyone, games = set(members(snapshot)), defaultdict[str, list[PaifuTally]](list)
    for entry in kept:
        for (name, _), tally in entry.statistics.players.items():
            player = snapshot.league.player_of(name, entry.day)
            if player in everyone:
                games[player].append(tally)
    tallies = {}
    for player, each in games.items():
        tallies[player] = PaifuTally()
        for tally in each:
            tallies[player] += tally
    return PaifuStanding(seats, kept, tallies, dict(games))
