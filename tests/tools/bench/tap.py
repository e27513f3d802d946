"""The time from a tap to the reply, beside the first version's. `python -m tests.tools.bench.tap`

The service and the first version run with the same added latency (Dropbox 40 ms a call; none of
LINE and S3, which favours the first version) under gunicorn with two workers. Cold: the first tap
after a game was added.
"""

import statistics
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from bot.league.demo import demo_files
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.line import fake_line
from tests.fakes.platform import Platform
from tests.fakes.process import GUNICORN as PROGRAM, service
from tests.fakes.servers import free_port, rclone_s3
from tests.tools.bench.loadkit import GUNICORN

DROPBOX = 0.040  # seconds a call
WARM = 40  # taps
COLD = 7  # taps
FRESH = 5.1  # seconds until Dropbox is asked again


def tap(line: Platform) -> float:
    """Seconds from the tap to the answer."""
    began = time.perf_counter()
    line.answers(line.tap(DEMO_GROUP, DEMO_USERS[0].id, "request_rating"), 30)
    return time.perf_counter() - began


def measure(command: list[str] | None, fresh: float) -> dict[str, float]:
    """The figures of one deployment. `fresh`: seconds until Dropbox is asked again."""
    port = free_port()
    with ExitStack() as stack:
        state = stack.enter_context(tempfile.TemporaryDirectory())
        dropbox = stack.enter_context(FakeDropbox(latency=DROPBOX))
        s3 = stack.enter_context(rclone_s3())
        line, line_env = stack.enter_context(fake_line(f"http://127.0.0.1:{port}/callback"))
        for name, data in demo_files().items():
            dropbox.account.put(f"/league/{name}", data)
        env = {
            **line_env,
            **dropbox.env(),
            **s3.env(),
            "LOGS_URL": "dropbox:/league",
            "IMAGES_URL": f"s3://{s3.bucket}/charts",
            "DATABASE_URL": f"sqlite:///{Path(state) / 'state.sqlite3'}",
        }
        web = stack.enter_context(service(port, env, command))
        first = tap(line)
        for _ in range(6):  # so that both workers have read the league
            tap(line)
        warm = [tap(line) for _ in range(WARM)]
        cold = []
        for number in range(COLD):
            log = dropbox.account.get("/league/logvol3.txt")
            dropbox.account.put(
                "/league/logvol3.txt", log + log.splitlines()[-1 - number % 5] + b"\n"
            )
            time.sleep(fresh)
            cold.append(tap(line))
        return {
            "start to the first tap's answer, s": web.started + first,
            "warm tap, ms (median)": 1000 * statistics.median(warm),
            "cold tap, ms (median)": 1000 * statistics.median(cold),
            "memory of two web processes, MiB": web.memory(),
        }


def main() -> None:
    base = measure([*PROGRAM, *GUNICORN, "tests.tools.bench.first_version:app"], 0)
    own = measure(None, FRESH)
    print(f"{'':40}{'first version':>15}{'service':>12}{'share':>8}")
    for row, value in own.items():
        print(f"{row:40}{base[row]:15.2f}{value:12.2f}{value / base[row]:8.2f}")


if __name__ == "__main__":
    main()
