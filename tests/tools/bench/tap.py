"""The time from a tap to the reply, warm and cold, as tests.tools.bench.engine measures it.

The service and the first version run with the same added latencies (Dropbox 40 ms, S3 25 ms, LINE 20 ms a call) under gunicorn with two
workers. Cold: the first tap after a game was added. Also: seconds from start to the first answer, and memory.
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.error import HTTPError

from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from bot.league.demo import demo_files
from tests.e2e.taps import say_changed
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.http import relay
from tests.fakes.line import fake_line
from tests.fakes.platform import Platform
from tests.fakes.process import ROOT, Running, service
from tests.fakes.servers import free_port, rclone_s3

DROPBOX, S3, LINE = 0.040, 0.025, 0.020  # seconds a call
WARM, COLD, TOLD = 40, 7, 5  # taps
FRESH, READ = 5.1, 2.0  # seconds until Dropbox is asked again; after its notification
MIDORI = DEMO_USERS[0].id


@contextmanager
def deployed(command: list[str] | None, root: Path = ROOT) -> Iterator[tuple[Platform, FakeDropbox, Running]]:
    port = free_port()
    with ExitStack() as stack:
        state = stack.enter_context(tempfile.TemporaryDirectory())
        dropbox = stack.enter_context(FakeDropbox(latency=DROPBOX))
        s3 = stack.enter_context(rclone_s3())
        late = stack.enter_context(relay(s3.port, lambda: time.sleep(S3)))
        line, line_env = stack.enter_context(fake_line(f"http://127.0.0.1:{port}/callback", LINE))
        for name, data in demo_files().items():
            dropbox.account.put(f"/league/{name}", data)
        env = {
            **line_env, **dropbox.env(), **s3.env(), "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{late}",
            "LOGS_URL": "dropbox:/league", "IMAGES_URL": f"s3://{s3.bucket}/charts",
            "DATABASE_URL": f"sqlite:///{Path(state) / 'state.sqlite3'}",
        }  # fmt: skip
        yield line, dropbox, stack.enter_context(service(port, env, command, root=root))


def tap(line: Platform) -> float:
    """Seconds from the tap to the answer."""
    began = time.perf_counter()
    line.answers(line.tap(DEMO_GROUP, MIDORI, "request_rating"), 30)
    return time.perf_counter() - began


def add_a_game(dropbox: FakeDropbox, number: int) -> None:
    log = dropbox.account.get("/league/logvol3.txt")
    dropbox.account.put("/league/logvol3.txt", log + log.splitlines()[-1 - number % 5] + b"\n")


def measure(
    command: list[str] | None, fresh: Callable[[], None] = lambda: time.sleep(FRESH), root: Path = ROOT
) -> dict[str, float]:
    """The figures of one deployment. `fresh` waits until Dropbox is asked again."""
    with deployed(command, root) as (line, dropbox, web):
        first = tap(line)
        for _ in range(6):  # so that both workers have read the league
            tap(line)
        warm = [tap(line) for _ in range(WARM)]
        cold, told = [], []
        for number in range(COLD):
            add_a_game(dropbox, number)
            fresh()
            cold.append(tap(line))
        for number in range(TOLD):
            add_a_game(dropbox, number)
            with suppress(HTTPError):  # the first version has no such route
                say_changed(web.url, dropbox)
            time.sleep(READ)
            told.append(tap(line))
        return {
            "start to first answer of /healthz, s": web.started,
            "first tap of a new process, ms": 1000 * first,
            "start to the first tap's answer, s": web.started + first,
            "warm tap, ms (median)": 1000 * statistics.median(warm),
            "cold tap, ms (median)": 1000 * statistics.median(cold),
            "tap 2 s after Dropbox's notification, ms (median)": 1000 * statistics.median(told),
            "memory of two web processes, MiB": web.memory(),
        }
