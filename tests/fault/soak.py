"""Runs the service under load for five minutes: leagues on Dropbox and S3, many kinds of taps, logs that
change, 5 % faults.

LINE, Dropbox and S3 answer with errors, Dropbox also hangs up, and the state store is locked or restarted.
The script fails if memory grows, a tap is lost or anything is stuck. It prints the faults made and the
answers given.

python -m tests.fault.soak [SECONDS] [threads|workers]
"""

import collections
import json
import random
import sqlite3
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from bot.demo_chat import DEMO_USERS
from bot.league.demo import demo_files
from tests.e2e.fleet import Fleet, fleet
from tests.e2e.taps import say_changed
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.http import relay
from tests.fakes.servers import rclone_s3
from tests.kept import unanswered

KINDS = ("rating", "point", "rank", "team", "sum", "help", "x", "rating?span=50", "rating?model=jansou")
SHARE, LEAGUES, ROUND = 0.05, 60, 20
METRICS = "metrics-token-0123456789"


@dataclass
class Faults:
    chance: random.Random
    asked: collections.Counter[str] = field(default_factory=collections.Counter)
    made: collections.Counter[str] = field(default_factory=collections.Counter)

    def now(self, service: str) -> bool:
        self.asked[service] += 1
        bad = self.chance.random() < SHARE
        self.made[service] += bad
        return bad


@dataclass
class Soak:
    ships: Fleet
    dropbox: FakeDropbox
    faults: Faults
    answers: collections.Counter[str] = field(default_factory=collections.Counter)
    taps: int = 0
    calls: int = 0  # calls of Dropbox up to the last round

    def round(self) -> None:
        """Set some faults, send some taps, wait for their answers, and change a log."""
        chance, ships = self.faults.chance, self.ships
        for _ in range(ROUND):
            if self.faults.now("line"):
                ships.line.fail_next("/v2/bot/message/reply", chance.choice((429, 500, 503)))
        calls = self.dropbox.calls.total()
        for _ in range(self.calls, calls):  # one chance for each call since the last round
            if not self.faults.now("dropbox"):
                continue
            kind = chance.choice(({"status": 500}, {"status": 429, "retry_after": 1}, {"hang_up": True}))
            self.dropbox.fail("", **kind)
        self.calls = calls
        if self.faults.now("state"):
            self.hold_state(2.0)
        sent = [ships.tap(chance.randrange(1 << 20), f"request_{chance.choice(KINDS)}") for _ in range(ROUND)]
        self.taps += len(sent)
        left = ships.settled(sent, 60)
        for tap in sent:
            if tap.status != 200 or tap in left:
                self.answers["none" if tap.status == 200 else "not acknowledged"] += 1
                continue
            (first, *_) = ships.line.answers(tap)
            words = json.dumps(first, ensure_ascii=False)
            self.answers["sorry" if "もう一度" in words and first["type"] == "text" else first["type"]] += 1
        self.change()

    def change(self) -> None:
        """Change the end of one league's log, and send Dropbox's webhook."""
        path = f"/league/{self.faults.chance.choice(['', *(f'l{n}/' for n in range(LEAGUES))])}logvol3.txt"
        log = self.dropbox.account.get(path).splitlines(keepends=True)
        self.dropbox.account.put(path, b"".join([*log[:120], self.faults.chance.choice(log[-9:])]))
        say_changed(self.ships.web.url, self.dropbox)

    def hold_state(self, seconds: float) -> None:
        """Stop Postgres, or lock SQLite, for so many seconds, and send a tap meanwhile."""
        if self.ships.postgres is not None:
            self.ships.postgres.stop()
            again = self.ships.postgres.start
        else:
            held = sqlite3.connect(
                self.ships.folder / "state.sqlite3", isolation_level=None, check_same_thread=False
            )
            held.execute("BEGIN IMMEDIATE")
            again = held.close
        timer = threading.Timer(seconds, again)
        timer.start()
        with suppress(OSError):
            self.answers["while the store was held"] += self.ships.tap(1, "request_help").status == 200
        timer.join()

    def memory(self) -> float:
        worker = self.ships.worker
        return self.ships.web.memory() + (worker.memory() if worker else 0)

    def outside_errors(self) -> dict[str, float]:
        """Failures of each outside service, as the bot's own metrics count them."""
        request = urllib.request.Request(
            f"{self.ships.web.url}/metrics", headers={"Authorization": f"Bearer {METRICS}"}
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            lines = answer.read().decode().splitlines()
        found = (line.rpartition(" ") for line in lines if line.startswith("janroku_outside_errors_total"))
        return {name.split('"')[1]: float(value) for name, _, value in found}


@contextmanager
def set_up(folder: Path, kind: str, faults: Faults) -> Iterator[Soak]:
    with FakeDropbox() as dropbox, rclone_s3() as s3, relay(s3.port, lambda: faults.now("s3")) as port:
        for league in ("", *(f"l{number}/" for number in range(LEAGUES))):
            for name, data in demo_files().items():
                dropbox.account.put(f"/league/{league}{name}", data)
        (folder / "figures").mkdir()
        env = {
            **dropbox.env(), **s3.env(), "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{port}",
            "LOGS_URL": "dropbox:/league", "IMAGES_URL": f"s3://{s3.bucket}/charts",
            "METRICS_TOKEN": METRICS, "PROMETHEUS_MULTIPROC_DIR": str(folder / "figures"),
        }  # fmt: skip
        with fleet(folder, kind, 2, **env) as ships:
            ships.line.webhook_timeout = 20
            for number in range(LEAGUES):
                group = ships.line.add_group(f"league {number}", [user.id for user in DEMO_USERS])
                ships.state.chats.enrol(group, f"l{number}")
                ships.groups.append(group)
            yield Soak(ships, dropbox, faults)


def main() -> None:
    seconds = min(300, int(sys.argv[1]) if len(sys.argv) > 1 else 300)
    kind = sys.argv[2] if len(sys.argv) > 2 else "threads"
    faults = Faults(random.Random(3))
    with tempfile.TemporaryDirectory() as folder, set_up(Path(folder), kind, faults) as soak:
        memory = []
        for part in range(5):
            until = time.monotonic() + seconds / 5
            while time.monotonic() < until:
                soak.round()
            memory.append(soak.memory())
            print(f"part {part + 1}: {soak.taps} taps so far, {memory[-1]:.0f} MiB", flush=True)
        give_up = time.monotonic() + 60
        while (stuck := len(unanswered(soak.ships.state))) and time.monotonic() < give_up:
            time.sleep(0.5)
        for service in sorted(faults.asked):
            made, asked = faults.made[service], faults.asked[service]
            print(f"{service}: {made} faults in {asked} chances ({made / asked:.1%})")
        print("failures the service counted:", soak.outside_errors())
        print(
            "answers:",
            ", ".join(f"{kind} {count} ({count / soak.taps:.1%})" for kind, count in soak.answers.items()),
        )
        log = soak.ships.lines()
        print(f"stuck {stuck}, given up {soak.ships.given_up()}, tracebacks {log.count('Traceback')}")
        lost = soak.answers["none"] - soak.ships.given_up()
        if lost > 0 or stuck or "Traceback" in log or memory[-1] > 1.15 * memory[1]:
            Path(tempfile.gettempdir(), "soak.log").write_text(log)
            raise SystemExit("something leaks or is stuck")


if __name__ == "__main__":
    main()
