"""Build the parts of a bot and connect them."""

import logging
from collections.abc import Callable, Sequence
from datetime import date, datetime

from bot import texts
from bot.answers.catalogue import FEATURES
from bot.chat.access import ChatAccess
from bot.chat.links import LeagueLinks
from bot.dispatch.dispatcher import Dispatcher
from bot.dispatch.pending import PendingEvents
from bot.dispatch.pictures import Ahead, Pictures
from bot.dispatch.responder import Responder
from bot.league.backup import keep_daily
from bot.league.change_signal import ChangeSignal
from bot.league.repository import LeagueRegistry
from bot.league.season_log import folder_opener
from bot.line.client import LineClient
from bot.notify.admin import AdminNotices
from bot.notify.evenings import EveningNotice
from bot.notify.groups import AfterSync, GroupPush
from bot.runtime.background import BackgroundLoop
from bot.runtime.finding import Finding
from bot.runtime.heartbeat import beat
from bot.runtime.threads import BoundedWait, WorkPool
from bot.settings import TENHOU, Settings
from bot.settings.stores import open_backups
from bot.stores import Stores
from bot.sync.day_loop import DayLoop
from bot.sync.jobs import JobRunner, Messenger, Progress, Workers
from bot.sync.league_job import After, LeagueWork
from bot.sync.paifu_collector import PaifuCollector
from bot.sync.room_ids import RoomIds
from bot.sync.room_loop import RoomLoop
from bot.sync.room_search import RoomSearch, find_rooms
from bot.sync.room_watch import RoomWatch
from bot.sync.run import SyncResult, sync_leagues
from bot.tenhou.client import TenhouClient
from bot.tenhou.paifu_fetcher import PaifuFetcher
from bot.tenhou.room_now import RoomAsker
from bot.tenhou.throttle import Throttle
from storage.ports import ImageStore, StorageError

RECORDS = 20  # a league's records that are fetched in one go
TAKERS = 8  # threads that remember webhooks' events
USED = 60.0  # seconds since a league was asked about, for which its room is looked at soon
CHECKING = 4.5  # seconds for each of two rounds of checks: an admin waits in LINE
MOST = 256  # leagues of which this is noted in one go
log = logging.getLogger(__name__)


class Service:
    """One bot. Its stores are opened when first used."""

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], datetime] = texts.now,
        *,
        pool: WorkPool | None = None,
        long_pool: WorkPool | None = None,
        sender: Messenger | None = None,
        worker: bool = False,
    ) -> None:
        """`now` gives an aware time (JST). The default pools are threads. `worker`: this process is
        one. `sender` is the way to the workers; the default is that of REDIS_URL, if it is set."""
        self.settings = settings
        self.now = now
        self.features = FEATURES
        self.catalogue = FEATURES.catalogue
        self.stores = Stores(settings)
        self.state = self.stores.state
        self.takers = BoundedWait("take", TAKERS)
        self.sender = sender
        if sender is None and settings.redis_url:
            # Here, so that Redis is loaded only where it is used.
            from bot.runtime.work_queue import Sender

            self.sender = Sender(settings.redis_url)
        self.workers = Workers(self.state.jobs, self.sender) if self.sender else None
        self.line = LineClient(settings.line_api_url, settings.channel_access_token)
        self.registry = LeagueRegistry(self.stores.open_logs, settings.cache_mb)
        self.pictures = Pictures(self.stores, settings.channel_secret, self.state.values)
        self.ahead = Ahead(self.catalogue, self.registry, self.pictures, now)
        self.changes = ChangeSignal(self.state, self.registry, self.ahead.changed)
        turn = Throttle(self.state, now).turn
        self.paifus = PaifuFetcher(settings.tenhou_url, self.state, turn)
        self.room_ids = RoomIds(self.state.rooms, settings.secret_key, settings.tenhou_room_id)
        self.rooms = RoomAsker(
            self.state,
            self.room_ids.get,
            turn,
            now,
            settings.tenhou_url,
            may_start=settings.start_games,
        )
        self.access = ChatAccess(
            self.state.chats, self.line.is_member, settings.league_chats, settings.admin_user_ids
        )
        self.links = LeagueLinks(
            self.access,
            self.state.values,
            settings.channel_secret,
            settings.page_days,
            self.stores.base,
        )
        self.responder = Responder(self)
        self.pending = PendingEvents(self.state.events, self.responder.router.command_of, worker)
        self.dispatcher = Dispatcher(
            self.responder,
            self.pending,
            self.line,
            self.catalogue,
            settings.channel_secret,
            pool=pool,
            long_pool=long_pool,
            sender=None if worker else self.sender,
        )
        push = GroupPush(self.access, self.line, self.state.notices, self.pictures, self.catalogue)
        self.after_sync = AfterSync(
            self.registry, self.pictures, self.ahead, push, self.features, now
        )
        self.room_watch = RoomWatch(self.room_ids, self.state, settings.tenhou_url, now)
        self.paifu_collector = PaifuCollector(
            self.state, lambda: self.paifus, self.stores.open_logs, now
        )
        self.league_work = self.make_league_work(self.after_sync)
        self.room_loop = RoomLoop(
            *(self.room_ids, self.room_watch, self.state, self.league_work, now),
            workers=self.workers,
            used=lambda: [folder for folder, _ in self.registry.used(USED, MOST)],
            tell=EveningNotice(self.registry, push, self.state, self.features, now),
        )
        self.day_loop = DayLoop(self.state, self._sync_all, now)
        self.admin_notices = AdminNotices(self, push)
        self.background = BackgroundLoop(**self._chores(worker))

    def _chores(self, worker: bool) -> dict[str, Callable[[], object]]:
        """What the background loop does again and again, by name."""
        chores: dict[str, Callable[[], object]] = {
            "sign_of_life": self.pending.show_alive,
            "recovery": self.dispatcher.recover,
            "quotable_answers": self.responder.quotable.write,
            "change_signal": self.changes.listen,
            "leagues_in_use": self.ahead.watch,
        }
        if self.has_rooms:
            chores["own_rooms"] = self.room_loop.tick
            if not worker:
                chores["day_sync"] = self.day_loop.tick
        chores["sweep"] = self.stores.sweep
        if self.settings.admin_notices:
            chores["admin_notices"] = self.admin_notices.tick
        return chores

    @property
    def images(self) -> ImageStore:
        return self.stores.images

    @property
    def has_rooms(self) -> bool:
        """Whether rooms at Tenhou are asked: not of the demo league, which has none."""
        return not (self.settings.demo and self.settings.tenhou_url == TENHOU)

    @property
    def leagues(self) -> list[str]:
        """The folders of the leagues, the root's first. Raises StorageError."""
        return ["", *sorted(set(self.access.groups().values()) - {""})]

    def sync(
        self,
        leagues: Sequence[str],
        work: LeagueWork,
        since: date | None = None,
        progress: Progress = lambda done, total, name: None,
    ) -> SyncResult:
        """Bring the leagues' logs up to date, as `sync_leagues` does, and tell HEARTBEAT_URL's
        watcher.
        """
        runner = JobRunner(work, self.workers if len(leagues) > 1 else None)
        with TenhouClient(self.settings.tenhou_url) as tenhou:
            rooms = self.room_watch
            result = sync_leagues(
                leagues, runner, self.state, tenhou, self.now, since, progress, rooms=rooms
            )
        beat(self.settings.heartbeat_url, good=not result.problems)
        return result

    def _sync_all(self) -> SyncResult:
        """Do the web process's own sync, and before it, where BACKUP_URL is set, the day's
        backup.
        """
        if self.settings.backup_url:
            try:
                place = open_backups(self.settings.backup_url, self.settings.store_variables)
                keep_daily(
                    place,
                    self.state.database,
                    self.stores.open_logs,
                    self.now().date(),
                )
            except (StorageError, ValueError) as error:
                log.error("the day's backup could not be kept: %s", error)
        return self.sync(self.leagues, self.league_work)

    def make_league_work(self, after: After) -> LeagueWork:
        return LeagueWork(
            folder_opener(self.stores.open_logs, self.now),
            self.state,
            self.now,
            after=after,
            own_room=self.room_ids.room,
            came=self.after_sync.games_came,
            collect=lambda league: self.paifu_collector.collect([league], most=RECORDS),
        )

    def forget_user(self, user: str, at: float) -> None:
        """Forget a user's id in all that is stored until LINE's time `at`. Raises StorageError."""
        self.features.forget_user(self.state, user, at)

    def find_rooms(
        self, names: Sequence[str], progress: Progress = lambda done, total, name: None
    ) -> RoomSearch:
        """Raises TooSoon where Tenhou was asked just now."""
        with TenhouClient(self.settings.tenhou_url) as tenhou:
            return find_rooms(names, self.state, tenhou, self.now, progress=progress)

    def checks(self) -> Sequence[Finding]:
        # Here, because it loads the database's library, which a start can't wait for.
        from bot.checks.run import checks

        return checks(self, CHECKING)
