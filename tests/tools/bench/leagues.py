"""Measure many leagues on one machine: memory, taps of leagues that are not in memory, and busy leagues.

python -m tests.tools.bench.leagues [LEAGUES]

Each league (10,000 by default) has GAMES games. There are two web processes with CACHE_MB=256, on SQLite. The
clients and the stand-in LINE run on the same machine, so the figures are a lower bound.
"""

import random
import sys

from storage.state import open_state
from tests.fakes.process import ROOT
from tests.tools.bench.engine import Contender, janroku, waited
from tests.tools.bench.loadkit import percentile

LEAGUES, GAMES, WARM = 10_000, 1000, 1500


def season_log(seed: int) -> bytes:
    """A season of `GAMES` games of nine players."""
    chance, lines = random.Random(seed), []
    names = [f"選手{seed}の{number}" for number in range(9)]
    for number in range(GAMES):
        if number % 8 == 0:
            month, day = divmod(number // 8, 28)
            lines.append(f"#{month % 12 + 1}/{day + 1}")
        one, two = chance.randint(20, 60), chance.randint(-20, 20)
        a, b, c = chance.sample(names, 3)
        players = f"{a}(+{one}.0,+3枚) {b}({two:+d}.0,0枚) {c}({-one - two:+d}.0,-3枚)"
        lines.append(f"C1934 | {12 + number % 8:02}:{chance.randint(0, 59):02} | 三般南喰赤速 | {players}")
    return "\n".join(lines).encode()


def found(bot: Contender, leagues: int) -> list[str]:
    """Make the leagues, and return their chats. Twenty different logs are shared, so that disks are not
    filled."""
    kinds = [bot.folder / f"season{seed}.txt" for seed in range(20)]
    for seed, path in enumerate(kinds):
        path.write_bytes(season_log(seed))
    state = open_state(bot.database)
    chats = [f"C{number:032x}" for number in range(1000, 1000 + leagues)]
    for number in range(leagues):
        league = bot.folder / "logs" / f"l{number}"
        league.mkdir()
        (league / "logvol1.txt").hardlink_to(kinds[number % 20])
    for number, chat in enumerate(chats):
        state.chats.enrol(chat, f"l{number}")
    state.close()
    return chats


def show(name: str, value: float, unit: str = "") -> None:
    print(f"  {name:58}{value:10.1f} {unit}", flush=True)


def main() -> None:
    leagues = int(sys.argv[1]) if len(sys.argv) > 1 else LEAGUES
    print(f"{leagues} leagues of {GAMES} games, one machine, two web processes (CACHE_MB=256 each)")
    with janroku(ROOT, workers=False, CACHE_MB="256") as bot:
        chats, chance = found(bot, leagues), random.Random(1)
        some, busy = min(400, leagues), chats[:80]
        waited(bot, 20, chats, 4)  # draws the picture of each of the twenty logs
        show("memory before", bot.memory(), "MiB")
        cold = waited(bot, some, chance.sample(chats, some), 4)
        show(f"memory after {some} leagues were asked", bot.memory(), "MiB")
        waited(bot, some, chance.sample(chats, some), 4)
        waited(bot, 4 * len(busy), busy, 4)
        warm = waited(bot, WARM, busy, 8)
        show("memory at the end", bot.memory(), "MiB")
        show("league not in memory, median", 1000 * percentile(cold.times, 0.5), "ms")
        show("league not in memory, 99th percentile", 1000 * percentile(cold.times, 0.99), "ms")
        show("80 busy leagues, 8 clients, answered a second", warm.answered)
        show("80 busy leagues, median", 1000 * percentile(warm.times, 0.5), "ms")
        show("80 busy leagues, 99th percentile", 1000 * percentile(warm.times, 0.99), "ms")
        assert not bot.line.repeated


if __name__ == "__main__":
    main()
