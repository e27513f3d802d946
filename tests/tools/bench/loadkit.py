"""Load for the benches: signed webhooks from many clients, and a stand-in LINE that takes
replies.
"""

import base64
import hashlib
import hmac
import http.client
import itertools
import json
import threading
import time
import timeit
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from bot.league.demo import demo_files
from tests.backend import Embedded
from tests.fakes.http import Handler, serving

GUNICORN = [
    "--worker-class",
    "gthread",
    "--threads",
    "8",
    "--workers",
    "2",
    "--preload",
    "--keep-alive",
    "95",
]
"""The settings of bot/gunicorn.py that count, for other bots."""
SECRET = "0123456789abcdef0123456789abcdef"
TOKEN = "token-of-the-bench"
_numbers = itertools.count()


def demo(folder: Path) -> dict[str, str]:
    """Write the demo league into a folder; the variables of a service that keeps everything
    there.
    """
    embedded = Embedded()
    logs = embedded.log_source(folder)
    for name, data in demo_files().items():
        logs.write(name, data, None)
    return embedded.files(folder) | embedded.env(folder)


class Line:
    """The replies received: each one's time (perf_counter) by token.

    A reply takes `latency` seconds.
    """

    def __init__(self, latency: float = 0.0) -> None:
        self.latency = latency
        self.replied: dict[str, float] = {}
        self.repeated = 0
        self.changed = threading.Condition()

    def take(self, token: str) -> bool:
        with self.changed:
            if token in self.replied:
                self.repeated += 1
                return False
            self.replied[token] = time.perf_counter()
            self.changed.notify_all()
            return True

    def wait(self, tokens: list[str], seconds: float) -> list[str]:
        """The tokens that got no reply within `seconds`."""
        with self.changed:
            self.changed.wait_for(lambda: all(token in self.replied for token in tokens), seconds)
            return [token for token in tokens if token not in self.replied]


@contextmanager
def line_stub(latency: float = 0.0) -> Iterator[tuple[Line, str]]:
    line = Line(latency)
    sent = [{"id": "1", "quoteToken": "q"}]
    good = json.dumps({"sentMessages": sent}).encode()
    bad = json.dumps({"message": "Invalid reply token"}).encode()

    class Stub(Handler):
        def do_POST(self) -> None:
            token = json.loads(self.body())["replyToken"]
            if line.latency:
                time.sleep(line.latency)
            told = (200, good) if line.take(token) else (400, bad)
            self.answer(*told, {"Content-Type": "application/json"})

    class Server(ThreadingHTTPServer):
        request_queue_size = 256

        def handle_error(self, *_: Any) -> None:
            """Ignore connections that a stopping service closes."""

    with serving(Server(("127.0.0.1", 0), Stub)) as url:
        yield line, url


def webhook(chat: str, data: str = "request_rating") -> tuple[str, bytes, str]:
    """A postback of one of the chat's nine members: its reply token, the body, the signature."""
    number = next(_numbers)
    user = f"U{chat[2:-1]}{number % 9}"
    token = f"t{time.time_ns()}-{number}"
    event = {
        "type": "postback",
        "webhookEventId": f"{time.time_ns():x}{number:x}",
        "deliveryContext": {"isRedelivery": False},
        "timestamp": int(time.time() * 1000),
        "source": {"type": "group", "groupId": chat, "userId": user},
        "mode": "active",
        "replyToken": token,
        "postback": {"data": data},
    }
    payload = {"destination": "U" + "0" * 32, "events": [event]}
    body = json.dumps(payload).encode()
    digest = hmac.new(SECRET.encode(), body, hashlib.sha256).digest()
    return token, body, base64.b64encode(digest).decode()


class Client:
    def __init__(self, port: int) -> None:
        self._port = port
        self._connection: http.client.HTTPConnection | None = None

    def post(self, body: bytes, signature: str) -> int:
        headers = {"X-Line-Signature": signature, "Content-Type": "application/json"}
        return self.ask("POST", "/callback", body, headers)

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None,
        headers: dict[str, str],
    ) -> int:
        """The status of the answer, 0 for none."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        try:
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
            answer.read()
            return answer.status
        except (OSError, http.client.HTTPException):
            self.close()
            return 0

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def together(
    clients: int,
    work: Any,
    tasks: list[Any],
    port: int,
) -> tuple[list[Any], float]:
    """Do `work(client, task)` for all tasks with so many clients at once; results and seconds."""
    queue = iter(list(enumerate(tasks)))
    lock = threading.Lock()
    results: list[Any] = [None] * len(tasks)

    def one() -> None:
        client = Client(port)
        while True:
            with lock:
                item = next(queue, None)
            if item is None:
                return client.close()
            results[item[0]] = work(client, item[1])

    began = time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        for done in [pool.submit(one) for _ in range(clients)]:
            done.result()
    return results, time.perf_counter() - began


def fastest(work: Callable[[], object], rounds: int = 7) -> float:
    """Seconds of processor time of the fastest of some rounds, since other work on the machine can
    only add.
    """
    timer = time.process_time
    return min(timeit.repeat(work, "gc.enable()", timer=timer, repeat=rounds, number=1))


def percentile(values: list[float], share: float) -> float:
    place = min(len(values) - 1, int(share * len(values)))
    return sorted(values)[place]
