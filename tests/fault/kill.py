"""Kills web workers, queue workers, Redis and Postgres at random moments under load, and checks
that no tap is lost.

Every tap LINE was told is taken (status 200) is answered once, or the log says that it was given
up.

python -m tests.fault.kill [TAPS] [threads|workers]      (default: 1,000 taps, both)
"""

import random
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.e2e.fleet import Fleet, fleet, kill, season_logs
from tests.fakes.servers import PostgresServer


def hurt(
    ships: Fleet,
    stop: threading.Event,
    chance: random.Random,
    done: list[str],
) -> None:
    """Kill a process every 0.5 to 2.5 seconds until `stop` is set; `done` gets the kind of each."""
    while not stop.wait(chance.uniform(0.5, 2.5)):
        kinds = ["web"] + (["worker", "redis", "postgres"] if ships.redis else [])
        kind = chance.choice(kinds)
        done.append(kind)
        if kind == "redis" and ships.redis:
            ships.redis.kill()
            stop.wait(chance.uniform(0, 2))
            ships.redis.start()
            continue
        if kind == "postgres" and ships.postgres:
            kill(ships.postgres.process)
            ships.postgres.stop()
            stop.wait(chance.uniform(0, 2))
            start(ships.postgres)
            continue
        processes = ships.web_workers() if kind == "web" else ships.queue_workers()
        if processes:
            kill(chance.choice(processes))


def start(postgres: PostgresServer) -> None:
    for _ in range(50):
        try:
            return postgres.start()
        except RuntimeError:
            time.sleep(0.1)
    raise RuntimeError("Postgres does not start again")


def run(kind: str, taps: int) -> bool:
    chance = random.Random(7)
    stop = threading.Event()
    done: list[str] = []
    with tempfile.TemporaryDirectory() as folder, fleet(Path(folder), kind) as ships:
        logs = season_logs(ships)
        began = time.monotonic()
        killer = threading.Thread(target=hurt, args=(ships, stop, chance, done))
        killer.start()
        sent = ships.load(taps, 4, pause=0.05)
        stop.set()
        killer.join()
        left = ships.settled(sent, 70)
        tokens = [reply.token for reply in ships.line.sent]
        accepted = sum(tap.status == 200 for tap in sent)
        repeated = len(tokens) - len(set(tokens))
        whole = season_logs(ships) == logs
        print(
            f"{kind}: {len(done)} killed ({', '.join(f'{done.count(x)} {x}' for x in sorted(set(done)))})"
        )
        print(
            f"  {taps} taps in {time.monotonic() - began:.0f} s, {accepted} acknowledged (LINE sends the others again)"
        )
        print(
            f"  answered {accepted - len(left)}, given up in the log {ships.given_up()}, twice {repeated}"
        )
        print(f"  logs whole: {whole}; tracebacks of ours: {ships.lines().count('Traceback')}")
        return whole and not repeated and len(left) <= ships.given_up()


def main() -> None:
    taps = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    kinds = sys.argv[2:] or ["threads", "workers"]
    results = [run(kind, min(taps, 1000)) for kind in kinds]
    if not all(results):
        raise SystemExit("a tap was lost")


if __name__ == "__main__":
    main()
