"""Make the demo league with a seeded generator: nine friends, three seasons, about 1,400 games,
evenings of 2 against 2. The third season is a close race that is nearly over, and its last games
have records (牌譜).

Its logs have the oddities of logs written by hand: a header, dates in several forms, a date glued
to a game, games before any date, blank lines, a title, names with brackets and bars, and a player
who changed his name.

The records, and those of the console's evening, are games of a simple player (tile efficiency,
riichi, kita) against itself on walls of Tenhou's shuffle. The engine riichienv computed yaku, fu
and points.
"""

from __future__ import annotations

import gzip
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import NamedTuple
from urllib.parse import quote

from bot.league.files import TEAM_LOG
from bot.league.paifu_log import CountedRecord, entry_of, keep_paifus
from rating.games import Game, Seat
from rating.league_file import LEAGUE_FILE
from rating.logdates import JST
from rating.paifu.formats import parse as parse_record
from rating.roomlog import format_game, parse
from rating.teamlog import PAIRINGS, Session, write
from storage.folder import FolderLogs

SEED = 20260401
GAMES = 12  # recorded
SEATS = ("東の席", "南の席", "西の席")  # the names in the files
BITS = 0x19  # the rule: three players, south rounds, no chips (三般南喰赤－)
WITH_CHIPS = 0x219  # the same with chips (祝)
_FOLDER = Path(__file__).parent / "demo_games"
STRENGTH = {  # name on Tenhou -> mean advantage in thousands of points
    "みどり一色": 3.0,
    "白發中": 1.5,
    "東風(本人)": 1.2,
    "まん|がん": 0.6,
    "両面待ち": 0.0,
    "三色のさくら": -0.6,
    "m9(-Д-)": -1.2,
    "ぽん&ちー": -1.5,
    "海底丸": -2.6,
}
# The same in the third season, a close race.
IN_FORM = {"みどり一色": 1.5, "東風(本人)": 1.5, "白發中": 1.8, "まん|がん": 1.6}
ATTENDANCE = (0.9, 0.8, 0.75, 0.7, 0.6, 0.55, 0.5, 0.3, 0.12)
# renamed after the first season
FORMER_NAME = "さくら三色"
RENAMED = "三色のさくら"
ROOM = "C1934"


class DemoSeason(NamedTuple):
    number: int
    first_day: date
    days: int
    mean_games: int  # a day of play
    has_chips: bool


SEASONS = (
    DemoSeason(
        1,
        date(2025, 10, 4),
        days=98,
        mean_games=8,
        has_chips=False,
    ),
    DemoSeason(
        2,
        date(2026, 2, 1),
        days=88,
        mean_games=8,
        has_chips=True,
    ),
    DemoSeason(
        3,
        date(2026, 7, 25),
        days=110,
        mean_games=8,
        has_chips=True,
    ),
)
FIRST_SEASON, SECOND_SEASON, LAST_SEASON = SEASONS

LAST = date(2026, 11, 10)  # the last day of play
RECORDED = date(2026, 11, 6)  # from this day on there are GAMES games, and all have records
TEAM_EVENINGS = 30

LEAGUE = """\
name = "雀録杯"
rooms = ["C1934"]

[[season]]
name = "第1シーズン"
log = "logvol1.txt"
start = {}

[[season]]
name = "第2シーズン"
log = "logvol2.txt"
start = {}

[[season]]
name = "第3シーズン"
log = "logvol3.txt"
start = {}
games = 640

[player."みどり一色"]
name = "みどり"

[player."白發中"]

[player."東風(本人)"]
name = "東風"

[player."まん|がん"]
name = "まんがん太郎"

[player."両面待ち"]
name = "りゃんめん"

[player."三色のさくら"]
aliases = ["さくら三色"]          # the name in the first season

[player."m9(-Д-)"]
name = "つばめ返し"

[player."ぽん&ちー"]
name = "ぽん吉"

[player."海底丸"]

[team."東家"]
members = ["みどり一色", "東風(本人)", "両面待ち", "m9(-Д-)"]

[team."南家"]
members = ["白發中", "まん|がん", "三色のさくら", "ぽん&ちー"]

[rules]
chip = 2.0
uma = [30, 0, -30]
"""


def demo_files(seed: int = SEED, last: date = LAST) -> dict[str, bytes]:
    """Return the folder's text files by name, the same for the same seed; `last` is the last day of
    play.
    """
    rng = random.Random(seed)  # noqa: S311
    later = last - LAST
    starts = [season.first_day + later for season in SEASONS]
    files = {LEAGUE_FILE: LEAGUE.format(*starts).encode()}
    for season in SEASONS:
        lines = [f"{line}\n" for line in _season(rng, season, later)]
        files[f"logvol{season.number}.txt"] = "".join(lines).encode()
    files[TEAM_LOG] = write(_team_evenings(rng, later)).encode()
    return files


def ensure_demo(directory: str | Path) -> None:
    """Write the demo league, until yesterday, if its folder is missing.

    Several processes may do it: each writes a folder of its own, and the rename guarantees that one
    whole folder becomes the league's.
    """
    target = Path(directory)
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(dir=target.parent, prefix=".demo-"))
    now = datetime.now(JST)
    files = demo_files(last=now.date() - timedelta(days=1))
    for name, data in files.items():
        (folder / name).write_bytes(data)
    games = parse("", files[f"logvol{LAST_SEASON.number}.txt"]).games[-GAMES:]
    paifus = [_paifu(number, game) for number, game in enumerate(games)]
    keep_paifus(FolderLogs(folder), paifus, now)
    folder.chmod(0o755)
    try:
        os.rename(folder, target)
    except OSError:  # another process was faster
        rmtree(folder)


def _paifu(number: int, game: Game) -> CountedRecord:
    """Return the record of a played game with this game's players, and its entry."""
    players = {seat.score: seat.player for seat in game.seats}  # no two have the same score
    data = played(number).record(
        [players[score] for score in played(number).scores],
        WITH_CHIPS,
    )
    start = datetime.combine(game.day or LAST, game.start or time())
    paifu_id = f"{start:%Y%m%d%H}gm-{WITH_CHIPS:04x}-{ROOM[1:]}-{number:08x}"
    return CountedRecord(data, entry_of(parse_record(data), paifu_id, start.date()))


def _team_evenings(rng: random.Random, later: timedelta) -> Iterator[Session]:
    for evening in range(TEAM_EVENINGS):
        east, south, west, north = rng.sample(list(STRENGTH)[:7], 4)
        players = (east, south, west, north)
        results: list[bool | None] = []
        for first_pair, second_pair in PAIRINGS:
            first_strength = sum(STRENGTH[players[seat]] for seat in first_pair)
            second_strength = sum(STRENGTH[players[seat]] for seat in second_pair)
            results.append(rng.gauss(first_strength - second_strength, 10) > 0)
        if rng.random() < 0.1:
            results[-1] = None
        days = 9 * evening + rng.randrange(5)
        day = SECOND_SEASON.first_day + later + timedelta(days=days)
        first, second, third = results
        yield Session(day, players, (first, second, third))


def _season(rng: random.Random, season: DemoSeason, later: timedelta) -> Iterator[str]:
    """Yield the lines of a season's log."""
    if season is FIRST_SEASON:
        yield "roomID | time | ルール | Player1  Player2 Player3"
    else:
        yield f"第{season.number}シーズン"
    has_date = season is not FIRST_SEASON  # the first season begins without a date
    record_numbers = count()
    for offset in range(season.days):
        if rng.random() < 0.38:
            continue
        day = season.first_day + later + timedelta(days=offset)
        games = list(_day(rng, season, day))
        if not games:
            continue
        if day >= RECORDED + later:
            games = [_with_scores(game, played(next(record_numbers))) for game in games]
        if has_date:
            yield from _heading(rng, season, day)
        has_date = True
        lines = list(map(format_game, games))
        if season is LAST_SEASON and offset > 40 and rng.random() < 0.03:
            lines[-1] += (day + timedelta(days=1)).strftime("%Y%m%d")
        yield from lines
        if rng.random() < 0.05:
            yield ""


def _heading(rng: random.Random, season: DemoSeason, day: date) -> Iterator[str]:
    """Yield the lines above a day's games: its date, and a title of the last day of the year."""
    if season is FIRST_SEASON:
        yield _date_line(rng, day)
    else:
        yield day.strftime("%Y%m%d")
    if (day.month, day.day) == (12, 31):
        yield "# 大みそかスペシャル"


def _with_scores(game: Game, record: PlayedGame) -> Game:
    """Return the game with the scores of a record, from the best to the last."""
    scores = sorted(record.scores, reverse=True)
    seats = [replace(seat, score=score) for seat, score in zip(game.seats, scores, strict=True)]
    return replace(game, seats=tuple(seats))


def _date_line(rng: random.Random, day: date) -> str:
    forms = ["#{0.month}/{0.day}", "＃{0.month}/{0.day}", "# {0.month}/{0.day}"]
    return rng.choice(forms).format(day)


def _day(rng: random.Random, season: DemoSeason, day: date) -> Iterator[Game]:
    """Yield the games of a day; none if fewer than three players are present."""
    present = []
    for player, chance in zip(STRENGTH, ATTENDANCE, strict=True):
        if rng.random() < chance:
            present.append(player)
    if len(present) < 3:
        return
    rule = "三般南喰赤祝" if season.has_chips else "三般南喰赤－"
    minute = rng.randrange(13 * 60, 20 * 60)
    for _ in range(max(1, round(rng.gauss(season.mean_games, 3)))):
        minute += rng.randrange(11, 24)
        if minute >= 24 * 60:
            return
        players = _strengths(season, rng.sample(present, 3))
        seats = _table(rng, players, season.has_chips)
        yield Game(seats, day, time(minute // 60, minute % 60), ROOM, rule)


def _strengths(season: DemoSeason, players: Sequence[str]) -> dict[str, float]:
    """Return the strength of each player in a season, by the name in that season."""
    strengths = STRENGTH
    if season is LAST_SEASON:
        strengths = STRENGTH | IN_FORM
    by_name = {}
    for player in players:
        name = player
        if season is FIRST_SEASON and player == RENAMED:
            name = FORMER_NAME
        by_name[name] = strengths[player]
    return by_name


def _table(
    rng: random.Random,
    strength: Mapping[str, float],
    has_chips: bool,
) -> tuple[Seat, ...]:
    """Return a game's result by placing: the hands' thousands of points plus uma, whole, with sum
    zero.
    """
    hands = {player: rng.gauss(mean, 17) for player, mean in strength.items()}
    centre = sum(hands.values()) / 3
    ranking = sorted(hands, key=hands.__getitem__, reverse=True)
    scores = [
        round(hands[player] - centre) + uma
        for player, uma in zip(ranking, (30, 0, -30), strict=True)
    ]
    scores[0] -= sum(scores)
    chips: list[int | None] = [None, None, None]
    if has_chips:
        others = [rng.choice((-3, -2, -1, 0, 1, 2, 4)) for _ in range(2)]
        chips = [-sum(others), *others]
    return tuple(
        Seat(player, float(score), count)
        for player, score, count in zip(ranking, scores, chips, strict=True)
    )


@dataclass(frozen=True)
class PlayedGame:
    """A game without its players: its XML, and the points (thousands) by seat."""

    xml: bytes
    scores: tuple[float, ...]

    def record(self, names: Sequence[str], bits: int = BITS) -> bytes:
        """Return the record with these players by seat and the rule of these bits, gzipped."""
        xml = self.xml.replace(f'<GO type="{BITS}"'.encode(), f'<GO type="{bits}"'.encode())
        for seat, (old, new) in enumerate(zip(SEATS, names, strict=True)):
            xml = xml.replace(
                f'n{seat}="{quote(old)}"'.encode(), f'n{seat}="{quote(new)}"'.encode()
            )
        return gzip.compress(xml, mtime=0)


@cache
def played(number: int) -> PlayedGame:
    """Return the stored game with this number (from 0, repeating after `GAMES`)."""
    xml = gzip.decompress((_FOLDER / f"{number % GAMES + 1:02}.mjlog").read_bytes())
    scores = parse_record(xml).scores
    assert scores is not None
    return PlayedGame(xml, scores)
