"""Make the demo league with a seeded generator: nine friends, three seasons, about 1,400 games,
evenings of 2 against 2. The third season is a close race that is nearly over, and its last games
have records (牌譜).

Its logs have the oddities of logs kept by hand: a header, dates in several forms, one glued to a
game, games before any date, blank lines, a title, names with brackets and bars, and a player who
changed his name.

The records, and those of the console's evening, are games of a simple player (tile efficiency,
riichi, kita) against itself on walls of Tenhou's shuffle, with yaku, fu and points by the engine
riichienv.
"""

import gzip
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from urllib.parse import quote

from bot.league.files import TEAM_LOG
from bot.league.paifu_log import entry_of, keep_paifus
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
SEASONS = (  # first day, days, mean games a day of play, chips
    (date(2025, 10, 4), 98, 8, False),
    (date(2026, 2, 1), 88, 8, True),
    (date(2026, 7, 25), 110, 8, True),
)

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
    starts = [first + later for first, *_ in SEASONS]
    files = {LEAGUE_FILE: LEAGUE.format(*starts).encode()}
    for number in range(1, len(SEASONS) + 1):
        files[f"logvol{number}.txt"] = (
            "\n".join(list(_season(rng, number, later))) + "\n"
        ).encode()
    files[TEAM_LOG] = write(_team_evenings(rng, later)).encode()
    return files


def ensure_demo(directory: str | Path) -> None:
    """Write the demo league, until yesterday, if its folder is missing.

    Several processes may do it.
    """
    target = Path(directory)
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    made = Path(mkdtemp(dir=target.parent, prefix=".demo-"))
    now = datetime.now(JST)
    files = demo_files(last=now.date() - timedelta(days=1))
    for name, data in files.items():
        (made / name).write_bytes(data)
    kept = []
    for number, game in enumerate(parse("", files[f"logvol{len(SEASONS)}.txt"]).games[-GAMES:]):
        sat = {seat.score: seat.player for seat in game.seats}  # the scores tell who sat where
        data = played(number).record(
            [sat[score] for score in played(number).scores],
            WITH_CHIPS,
        )
        start = datetime.combine(game.day or LAST, game.start or time())
        paifu_id = f"{start:%Y%m%d%H}gm-{WITH_CHIPS:04x}-{ROOM[1:]}-{number:08x}"
        kept.append((data, entry_of(parse_record(data), paifu_id, start.date())))
    keep_paifus(FolderLogs(made), kept, now)
    made.chmod(0o755)
    try:
        os.rename(made, target)
    except OSError:  # another process was faster
        rmtree(made)


def _team_evenings(rng: random.Random, later: timedelta) -> Iterator[Session]:
    for evening in range(TEAM_EVENINGS):
        four = rng.sample(list(STRENGTH)[:7], 4)
        results: list[bool | None] = []
        for one, other in PAIRINGS:
            ahead = sum(STRENGTH[four[seat]] for seat in one) - sum(
                STRENGTH[four[seat]] for seat in other
            )
            results.append(rng.gauss(ahead, 10) > 0)
        if rng.random() < 0.1:
            results[2] = None
        days = 9 * evening + rng.randrange(5)
        day = SEASONS[1][0] + later + timedelta(days=days)
        yield Session(
            day,
            (
                four[0],
                four[1],
                four[2],
                four[3],
            ),
            (results[0], results[1], results[2]),
        )


def _season(rng: random.Random, number: int, later: timedelta) -> Iterator[str]:
    first, days, mean, chips = SEASONS[number - 1]
    if number == 1:
        yield "roomID | time | ルール | Player1  Player2 Player3"
    else:
        yield f"第{number}シーズン"
    dated = number > 1  # the first season begins without a date
    records = count()
    for offset in range(days):
        if rng.random() < 0.38:
            continue
        day = first + later + timedelta(days=offset)
        games = list(_day(rng, number, day, mean, chips))
        if day >= RECORDED + later:
            for n, game in enumerate(games):  # the scores, from the best to the last, of a record
                scores = sorted(played(next(records)).scores, reverse=True)
                seats = (
                    replace(s, score=score) for s, score in zip(game.seats, scores, strict=True)
                )
                games[n] = replace(game, seats=tuple(seats))
        lines = list(map(format_game, games))
        if not lines:
            continue
        if number > 1:
            yield day.strftime("%Y%m%d")
        elif dated:
            yield rng.choice(
                ["#{0.month}/{0.day}", "＃{0.month}/{0.day}", "# {0.month}/{0.day}"]
            ).format(day)
        if dated and (day.month, day.day) == (12, 31):
            yield "# 大みそかスペシャル"
        dated = True
        if number == 3 and offset > 40 and rng.random() < 0.03:
            lines[-1] += (day + timedelta(days=1)).strftime("%Y%m%d")
        yield from lines
        if rng.random() < 0.05:
            yield ""


def _day(
    rng: random.Random,
    number: int,
    day: date,
    mean: int,
    chips: bool,
) -> Iterator[Game]:
    present = [p for p, often in zip(STRENGTH, ATTENDANCE, strict=True) if rng.random() < often]
    if len(present) < 3:
        return
    minute = rng.randrange(13 * 60, 20 * 60)
    for _ in range(max(1, round(rng.gauss(mean, 3)))):
        minute += rng.randrange(11, 24)
        if minute >= 24 * 60:
            return
        strength = STRENGTH | (IN_FORM if number == len(SEASONS) else {})
        seats = _table(
            rng,
            {player: strength[player] for player in rng.sample(present, 3)},
            chips,
        )
        if number == 1:
            seats = tuple(
                replace(s, player=FORMER_NAME) if s.player == RENAMED else s for s in seats
            )
        rule = "三般南喰赤祝" if chips else "三般南喰赤－"
        yield Game(seats, day, time(minute // 60, minute % 60), ROOM, rule)


def _table(
    rng: random.Random,
    strength: dict[str, float],
    chips: bool,
) -> tuple[Seat, ...]:
    """Return a game's result: the hands' thousands of points plus uma, whole, with sum zero."""
    players = list(strength)
    hands = [rng.gauss(strength[player], 17) for player in players]
    centre = sum(hands) / 3
    order = sorted(range(3), key=lambda i: -hands[i])
    scores = [
        round(hands[i] - centre) + uma
        for i, uma in zip(
            order,
            (
                30,
                0,
                -30,
            ),
            strict=True,
        )
    ]
    scores[0] -= sum(scores)
    counts: list[int | None] = [None, None, None]
    if chips:
        won = [rng.choice((-3, -2, -1, 0, 1, 2, 4)) for _ in range(2)]
        counts = [-sum(won), *won]
    return tuple(
        Seat(players[i], float(s), count) for i, s, count in zip(order, scores, counts, strict=True)
    )


@dataclass(frozen=True)
class PlayedGame:
    """A game without its players: its XML, and the points (thousands) by seat."""

    xml: bytes
    scores: tuple[float, ...]

    def record(self, names: Sequence[str], bits: int = BITS) -> bytes:
        """Return the record as if these players had sat there under the rule of these bits,
        gzipped.
        """
        xml = self.xml.replace(f'<GO type="{BITS}"'.encode(), f'<GO type="{bits}"'.encode())
        for seat, (old, new) in enumerate(zip(SEATS, names, strict=True)):
            xml = xml.replace(
                f'n{seat}="{quote(old)}"'.encode(), f'n{seat}="{quote(new)}"'.encode()
            )
        return gzip.compress(xml, mtime=0)


@cache
def played(number: int) -> PlayedGame:
    """Return the game of a number from 0."""
    xml = gzip.decompress((_FOLDER / f"{number % GAMES + 1:02}.mjlog").read_bytes())
    scores = parse_record(xml).scores
    assert scores is not None
    return PlayedGame(xml, scores)
