"""Describe the league as league.toml and the logs give it (`flask league show`)."""

from collections import Counter
from dataclasses import asdict, dataclass
from datetime import date

from bot.league.snapshot import LeagueSnapshot
from bot.runtime.finding import translated as _
from bot.texts import season_title
from rating.roomlog import is_guest


@dataclass(frozen=True)
class SeasonRow:
    """A season; the dates are ISO dates, "" if unknown."""

    title: str
    log: str
    start: str
    games: int
    first: str
    last: str


@dataclass(frozen=True)
class Overview:
    """The league in numbers. `read_through` is the day (ISO date) up to which Tenhou's files were read."""

    name: str
    rooms: list[str]
    members_only: bool
    seasons: list[SeasonRow]
    players: dict[str, int]  # shown name -> games
    read_through: str

    def as_dict(self) -> dict[str, object]:
        return asdict(self)

    def lines(self) -> list[str]:
        rooms = ", ".join(self.rooms) or _("none named: those of the newest log count")
        only = " " + _("(only games among the players)") if self.members_only else ""
        lines = [self.name or _("league without a name"), _("rooms: {rooms}", rooms=rooms) + only]
        for row in self.seasons:
            span = _(", {first} to {last}", first=row.first, last=row.last) if row.first else ""
            told = _("{title}: {log}, {games} games{span}", **vars(row), span=span)
            lines.append(told + (_(", starts {start}", start=row.start) if row.start else ""))
        for player, games in self.players.items():
            lines.append(_("  {player}: {games} games", player=player, games=games))
        return [*lines, _("Tenhou read up to {day}", day=self.read_through or _("(never)"))]


def overview(snapshot: LeagueSnapshot, read_through: date | None) -> Overview:
    league, rows, games = snapshot.league, [], Counter[str]()
    for season in league.seasons:
        log = snapshot.logs.get(season.log)
        played = log.games if log else []
        days = sorted(game.day.isoformat() for game in played if game.day) or [""]
        start = season.start.isoformat(" ", "minutes") if season.start else ""
        rows.append(SeasonRow(season_title(season), season.log, start, len(played), days[0], days[-1]))
        games.update(p for game in league.canonical(played) for p in game.players if not is_guest(p))
    players = {league.shown(player): count for player, count in games.most_common()}
    players |= {league.shown(player): 0 for player in league.players if player not in games}
    through = read_through.isoformat() if read_through else ""
    return Overview(league.name, list(league.rooms), league.members_only, rows, players, through)
