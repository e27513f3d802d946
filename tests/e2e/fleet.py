"""Several processes on loopback that a test may kill: web processes, workers, Redis, Postgres."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from bot.console.platform import Delivery
from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from bot.league.demo import demo_files
from storage.ports import LogSource
from storage.postgres import PostgresLogs
from storage.state import State, open_state
from tests.backend import Embedded
from tests.fakes.line import fake_line
from tests.fakes.platform import Platform
from tests.fakes.process import Running, service, web_command, wrong_clock
from tests.fakes.redis import redis_server
from tests.fakes.servers import free_port, postgres
from tests.kept import alive, unanswered

GROUPS = 6
WORKERS = 2  # processes of the worker


@dataclass
class Fleet:
    """The parts of the deployment that a test may kill or watch; the last three where workers
    answer.
    """

    line: Platform
    web: Running
    state: State
    groups: list[str]
    folder: Path
    logs: LogSource
    redis: Any = None
    postgres: Any = None
    worker: Any = None

    def tap(self, number: int = 0, data: str = "request_help") -> Delivery:
        """Send the n-th of many taps; groups and members take turns."""
        chat = self.groups[number % len(self.groups)]
        user = DEMO_USERS[number % len(DEMO_USERS)].id
        return self.line.tap(chat, user, data)

    def load(
        self,
        taps: int,
        clients: int = 8,
        pause: float = 0.0,
    ) -> list[Delivery]:
        """Send `taps` taps with `clients` threads, each with a `pause` in seconds before it."""

        def one(number: int) -> Delivery:
            time.sleep(pause)
            return self.tap(number)

        with ThreadPoolExecutor(clients) as pool:
            return list(pool.map(one, range(taps)))

    def web_workers(self) -> list[int]:
        return [child.pid for child in psutil.Process(self.web.process.pid).children()]

    def queue_workers(self) -> list[int]:
        return [child.pid for child in psutil.Process(self.worker.process.pid).children()]

    def lines(self) -> str:
        """Everything that web and worker have logged so far."""
        lines = [*self.web.log]
        if self.worker:
            lines += self.worker.log
        return "".join(lines)

    def given_up(self) -> int:
        return self.lines().count("is given up")

    def settled(self, taps: list[Delivery], seconds: float) -> list[Delivery]:
        """Wait until each acknowledged tap is answered; the taps without an answer after
        `seconds`.
        """
        acknowledged = [tap for tap in taps if tap.status == 200]
        self.line.wait_for(lambda: all(map(self.line.replied, acknowledged)), seconds)
        return [tap for tap in acknowledged if not self.line.replied(tap)]


def kill(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def until(ready: Any, seconds: float = 20.0) -> None:
    """Wait until `ready()` is true, at most `seconds`."""
    give_up = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < give_up, "it never came to pass"
        time.sleep(0.05)


@contextmanager
def fleet(
    folder: Path, kind: str, concurrency: int = 2, apart: float = 0.0, **more: str
) -> Iterator[Fleet]:
    """A running deployment. The web processes' clocks are `apart` seconds ahead, the workers' as
    much behind.

    Kind `threads` has SQLite and folders; `workers` has Postgres with the logs and pictures in it,
    Redis and a worker process.
    """
    port = free_port()
    with ExitStack() as stack:
        line, env = stack.enter_context(fake_line(f"http://127.0.0.1:{port}/callback"))
        line.webhook_timeout = 10
        members = [user.id for user in DEMO_USERS]
        groups = [DEMO_GROUP]
        groups += [line.add_group(f"g{number}", members) for number in range(1, GROUPS)]
        embedded = Embedded()
        env |= embedded.files(folder) | embedded.env(folder)
        env["LEAGUE_CHATS"] = ",".join(groups)
        env |= {"WEB_CONCURRENCY": str(concurrency), "WORKER_CONCURRENCY": str(WORKERS), **more}
        redis = database = worker = None
        logs = embedded.log_source(folder)
        if kind == "workers":
            redis = stack.enter_context(redis_server())
            database = stack.enter_context(postgres())
            env |= {"REDIS_URL": redis.url, "DATABASE_URL": database.url}
            env |= {"LOGS_URL": "postgres:", "IMAGES_URL": "postgres:"}
        state = stack.enter_context(closing(open_state(env["DATABASE_URL"])))
        if kind == "workers":
            logs = PostgresLogs(state.database)
        for name, data in demo_files().items():
            logs.write(name, data, None)
        ahead, behind = (
            (env | wrong_clock(apart), env | wrong_clock(-apart)) if apart else (env, env)
        )
        web = stack.enter_context(service(port, ahead))
        if kind == "workers":
            worker = stack.enter_context(service(port, behind, web_command("worker"), restart=True))
        made = Fleet(line, web, state, groups, folder, logs, redis, database, worker)
        processes = concurrency + (WORKERS if worker else 0)
        until(lambda: alive(state) >= processes, 30)
        yield made


def season_logs(ships: Fleet) -> dict[str, bytes]:
    return {name: ships.logs.read(name).data for name in ships.logs.revisions()}


@contextmanager
def unharmed(ships: Fleet) -> Iterator[None]:
    """Check afterwards: taps are answered, each once, no season log changed, no traceback was
    logged.
    """
    logs = season_logs(ships)
    yield
    assert ships.settled(ships.load(6), 20) == []
    tokens = [sent.token for sent in ships.line.sent]
    assert len(tokens) == len(set(tokens))
    assert season_logs(ships) == logs
    assert "Traceback" not in ships.lines()
    until(lambda: unanswered(ships.state) == [])
