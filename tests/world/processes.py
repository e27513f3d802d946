"""The processes of a world, each a real service: web processes, workers, and `flask sync`."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import date, datetime, timedelta
from typing import Any
from unittest.mock import patch

from flask import Blueprint, Flask

from bot import service as service_module, stores as stores_module
from bot.chat.replies import Animation, Picture
from bot.page.routes import LeaguePage
from bot.runtime.background import INTERVAL
from bot.runtime.rate_limit import RateLimits
from bot.service import Service
from bot.settings import Settings, read_settings
from bot.sync.run import SyncResult, sync_leagues
from rating.logdates import JST
from storage.addresses import ImageOptions
from storage.ports import Guard, StorageError
from tests.world.clockwork import Process
from tests.world.line import WELL, Line, LinePort, Tap
from tests.world.patches import in_place
from tests.world.ports import ImagesPort, LogsPort, state_port
from tests.world.queues import Queue, QueuePort, Runner
from tests.world.tenhou import Tenhou, TenhouPort
from tests.world.world import GROUPS, World

AGAIN = 0.2  # the share of syncs that merge the lines of the last days once more
APART = 1200.0  # seconds a process's clock is ahead, behind, or neither
LOGS = "dropbox:/world"
ENVIRONMENT = {
    "LINE_CHANNEL_SECRET": "0" * 32,
    "LINE_CHANNEL_ACCESS_TOKEN": "1" * 32,
    "LOGS_URL": LOGS,
    "DROPBOX_ACCESS_TOKEN": "none",
    "IMAGES_URL": "s3://world/pictures",
    "DATABASE_URL": "postgres://world/state",
    "PUBLIC_URL": "https://world.example",
}


@contextmanager
def connected(world: World, line: Line) -> Iterator[Settings]:
    """Have services built meanwhile use the world's clock, stores and LINE.

    Pictures are not drawn.
    """

    def draw(picture: Picture | Animation) -> bytes:
        return repr(picture.chart).encode()

    def open_logs(url: str, *_: Any, guard: Guard, **__: Any) -> LogsPort:
        league = url[len(LOGS) :].strip("/")
        return LogsPort(world, "logs", f"{league}: ", world.folder(league), guard)

    def open_images(_: object, options: ImageOptions) -> ImagesPort:
        return ImagesPort(world, "images", "", world.images, options.guard)

    port = type("LinePort", (LinePort,), {"line": line})
    instead: list[tuple[Any, str, Any]] = [
        (service_module, "LineClient", port),
        (stores_module, "open_state", lambda url, around: state_port(world, around)),
        (stores_module, "open_images", open_images),
        (stores_module, "open_logs", open_logs),
        (Picture, "render", draw),
        (Animation, "render", draw),
    ]
    with ExitStack() as stack:
        stack.enter_context(in_place(world.clock))
        for owner, name, value in instead:
            stack.enter_context(patch.object(owner, name, value))
        yield read_settings(ENVIRONMENT)


class Pool:
    """A WorkPool whose threads are tasks of a process."""

    def __init__(
        self,
        world: World,
        process: Process,
        name: str,
        workers: int,
        most: int,
    ) -> None:
        self._world = world
        self._process = process
        self._name = name
        self._workers = workers
        self._most = most
        self._open = 0
        self._waiting: list[tuple[Callable[..., None], tuple[Any, ...]]] = []

    def submit(self, work: Callable[..., None], *args: Any) -> bool:
        if self._open >= self._most:
            return False
        self._open += 1
        self._waiting.append((work, args))
        if self._open <= self._workers:
            self._world.clock.begin(self._process, self._name, self._run)
        return True

    @property
    def room(self) -> int:
        return self._most // 2 - self._open

    def _run(self) -> None:
        while self._waiting:
            work, args = self._waiting.pop(0)
            work(*args)
            self._open -= 1


class ServiceProcess(Process):
    """A process with a service, whose background loop runs until it crashes."""

    def __init__(
        self,
        name: str,
        world: World,
        settings: Settings,
        queue: Queue | None,
    ) -> None:
        super().__init__(name)
        self.world = world
        # Without chance, so that each seed plays as it did.
        self.ahead = APART * (sum(name.encode()) % 3 - 1)
        self.holds: dict[int, Any] = {}  # the queue's messages it works on, by number
        pools = {
            "pool": Pool(world, self, "tap", 8, 1000),
            "long_pool": Pool(world, self, "long", 2, 24),
        }
        port = QueuePort(queue) if queue is not None else None
        worker = isinstance(self, Worker)
        self.service = Service(settings, self.now, **pools, sender=port, worker=worker)
        self.owner = self.service.pending.owner
        self.service.dispatcher.spare_pool = Pool(world, self, "aside", 1, 1000)  # type: ignore[assignment]
        self.service.ahead._pool = Pool(world, self, "ahead", 1, 2)  # type: ignore[assignment]
        self.service.ahead._slow_pool = Pool(world, self, "slow", 1, 1)  # type: ignore[assignment]
        self.service.room_loop.pool = Pool(world, self, "rooms", 1, 1)
        self.service.day_loop.ended = True  # unless Web begins it: processes of their own sync
        self.service.admin_notices.pool = Pool(world, self, "notices", 1, 1)
        self.service.responder.limits = RateLimits(lambda: world.clock.now)

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.world.clock.now, JST)

    def start(self) -> None:
        self.world.clock.say("starts", self.name)
        self.world.clock.begin(self, "background", self._chores, loop=True)

    def _chores(self) -> None:
        while True:
            self.service.background.run_once()
            self.world.clock.wait(INTERVAL)


class Web(ServiceProcess):
    """A web process. With `tenhou` it syncs by itself, as its loop does every hour."""

    def __init__(
        self,
        name: str,
        world: World,
        settings: Settings,
        queue: Queue | None,
        tenhou: Tenhou | None = None,
    ) -> None:
        super().__init__(name, world, settings, queue)
        self._queue = queue
        self._tenhou = tenhou
        self.page = Flask(name)
        links = self.service.links
        registry = self.service.registry
        page = Blueprint("page", name)
        LeaguePage(links, registry, self.now, proxied=False).add_to(page)
        self.page.register_blueprint(page)
        if tenhou is not None:
            self.service.day_loop.ended = False
            self.service.day_loop.pool = Pool(world, self, "own sync", 1, 1)
            self.service.day_loop._sync = self._sync

    def _sync(self) -> SyncResult:
        assert self._tenhou is not None
        self.world.counts["own syncs"] += 1
        result = synced(self, self.service.leagues, self._tenhou, self._queue)
        self.world.own_results.append(result)
        return result

    def look_for_sync(self, after: float) -> None:
        """Have the loop look in so many seconds whether a sync is due."""
        self.service.day_loop.next = self.now() + timedelta(seconds=after)

    def read_page(self, address: str, seen: Callable[[int, str], None]) -> None:
        """Answer a reader of the league's page, who has `seen` the status and the body."""
        try:
            with self.page.test_request_context(address):
                response = self.page.full_dispatch_request()
        except Exception as error:
            self.world.broken("raised", f"{address}: {type(error).__name__}: {error}")
            return
        seen(response.status_code, response.get_data(as_text=True))

    def accept(
        self,
        tap: Tap,
        raw: dict[str, Any],
        answer: list[bool],
    ) -> None:
        """Take an event of a webhook as `bot.web` does, and set `answer` when it is accepted."""
        tap.read = self.world.clock.now
        well = self.world.calm_from + WELL < tap.read
        self.take(raw, [])
        if not self.world.kept(tap.id):
            tap.unkept.append(self)
            if well and self.world.calm_from + WELL < self.world.clock.now:
                self.world.broken("not remembered", f"{tap.id} is accepted and not in the store")
        answer[0] = True

    def take(self, raw: dict[str, Any], answer: list[bool]) -> None:
        try:
            self.service.dispatcher.receive(raw, "https://world.example")
        except Exception as error:
            self.world.broken("raised", f"receive: {type(error).__name__}: {error}")
        answer[:] = [True]

    def hear_of_change(self) -> None:
        """Take Dropbox's notification as `bot.web` does."""
        try:
            self.service.changes.announce()
        except StorageError:
            self.world.clock.say("a change could not be told")


class Worker(ServiceProcess):
    def answer(self, event: str) -> None:
        with suppress(StorageError):  # the engine brings the message again
            self.service.dispatcher.take_queued(event)


class Sync(ServiceProcess):
    def __init__(
        self, name: str, world: World, settings: Settings, queue: Queue | None, tenhou: Tenhou
    ) -> None:
        super().__init__(name, world, settings, None)
        self.result: SyncResult | None = None
        self.again = False
        self._queue = queue
        self._tenhou = tenhou

    def run(self) -> None:
        """Sync as `flask sync` does, with --since where `again` says so.

        With --since a game that a hand took out comes again, so not where that was done.
        """
        again = self.again and not self.world.counts["hand remove"]
        since = self.now().date() - timedelta(days=2) if again else None
        self.result = synced(self, list(GROUPS), self._tenhou, self._queue, since)


def synced(
    process: ServiceProcess,
    leagues: list[str],
    tenhou: Tenhou,
    queue: Queue | None,
    since: date | None = None,
) -> SyncResult:
    """Have a process sync these leagues, as `Service.sync` does with real connections."""
    clock = process.world.clock
    runner: Any = Runner(process.world, process, queue)
    port = TenhouPort(tenhou)
    state = process.service.state
    result = sync_leagues(
        leagues, runner, state, port, now=process.now, since=since, wait=clock.wait
    )
    clock.say("sync ends:", *result.lines(), *result.problems)
    return result
