"""Build the parts of a bot and connect them."""

import logging
from collections.abc import Callable, Sequence
from datetime import date, datetime

from bot import texts
from bot.answers.catalogue import FEATURES
from bot.chat.access import ChatAccess
from bot.chat.links import LeagueLinks
from bot.dispatch.ahead import Ahead
from bot.dispatch.dispatcher import Dispatcher
from bot.dispatch.pending import PendingEvents
from bot.dispatch.pictures import Pictures
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
from bot.sync.jobs import JobRunner, Messenger, Progress, Workers, no_progress
from bot.sync.league_job import LeagueWork, OnDaysMerged
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
USED = 60.0  # seconds since a question about a league, for which its room is looked at soon
CHECKING = 4.5  # seconds for each of two rounds of checks: an admin waits in LINE
LEAGUES_IN_USE = 256  # leagues of which this is noted in one go
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
        self._connect_workers(sender)
        self._follow_leagues()
        self._let_chats_in()
        self._prepare_tenhou()
        self._answer_taps(pool, long_pool, is_worker=worker)
        self._send_notices()
        self._follow_rooms()
        self.background = BackgroundLoop(**self._chores(worker))

    def _connect_workers(self, sender: Messenger | None) -> None:
        self.sender = sender
        if sender is None and self.settings.redis_url:
            # Here, so that Redis is loaded only where it is used.
            from bot.runtime.work_queue import Sender

            self.sender = Sender(self.settings.redis_url)
        self.workers = Workers(self.state.jobs, self.sender) if self.sender else None

    def _follow_leagues(self) -> None:
        """The leagues' folders, and the pictures of their answers."""
        self.registry = LeagueRegistry(self.stores.open_logs, self.settings.cache_mb)
        self.pictures = Pictures(self.stores, self.settings.channel_secret, self.state.values)
        self.ahead = Ahead(
            catalogue=self.catalogue,
            registry=self.registry,
            pictures=self.pictures,
            now=self.now,
        )
        self.changes = ChangeSignal(self.state, self.registry, on_change=self.ahead.changed)

    def _let_chats_in(self) -> None:
        """LINE, the chats that may ask, and links to leagues' pages."""
        settings = self.settings
        self.line = LineClient(settings.line_api_url, settings.channel_access_token)
        self.access = ChatAccess(
            chats=self.state.chats,
            is_member=self.line.is_member,
            league_chats=settings.league_chats,
            admins=settings.admin_user_ids,
        )
        self.links = LeagueLinks(
            access=self.access,
            values=self.state.values,
            secret=settings.channel_secret,
            days=settings.page_days,
            base=self.stores.base,
        )

    def _prepare_tenhou(self) -> None:
        """What asks Tenhou: records, and leagues' own rooms. All share one connection's turn."""
        settings = self.settings
        turn = Throttle(self.state, self.now).turn
        self.paifus = PaifuFetcher(settings.tenhou_url, self.state, turn)
        self.room_ids = RoomIds(self.state.rooms, settings.secret_key, settings.tenhou_room_id)
        self.room_watch = RoomWatch(self.room_ids, self.state, settings.tenhou_url, self.now)
        self.rooms = RoomAsker(
            state=self.state,
            ids=self.room_ids.get,
            turn=turn,
            now=self.now,
            url=settings.tenhou_url,
            may_start=settings.start_games,
        )

    def _answer_taps(
        self, pool: WorkPool | None, long_pool: WorkPool | None, *, is_worker: bool
    ) -> None:
        """The way of a tap from LINE's event to the sent reply."""
        self.takers = BoundedWait("take", TAKERS)
        self.responder = Responder(self)
        self.pending = PendingEvents(self.state.events, self.responder.router.command_of, is_worker)
        self.dispatcher = Dispatcher(
            responder=self.responder,
            pending=self.pending,
            line=self.line,
            catalogue=self.catalogue,
            log_key=self.settings.channel_secret,
            pool=pool,
            long_pool=long_pool,
            sender=None if is_worker else self.sender,
        )

    def _send_notices(self) -> None:
        """What is sent unasked: to groups after a sync and of their evenings, and to admins."""
        push = GroupPush(
            access=self.access,
            line=self.line,
            notices=self.state.notices,
            pictures=self.pictures,
            catalogue=self.catalogue,
        )
        self.after_sync = AfterSync(
            registry=self.registry,
            pictures=self.pictures,
            ahead=self.ahead,
            push=push,
            features=self.features,
            now=self.now,
        )
        self.evening_notice = EveningNotice(
            registry=self.registry,
            push=push,
            state=self.state,
            features=self.features,
            now=self.now,
        )
        self.admin_notices = AdminNotices(self, push)

    def _follow_rooms(self) -> None:
        """What brings Tenhou's results into the season logs: once an hour, and from leagues' own
        rooms.
        """
        self.paifu_collector = PaifuCollector(
            state=self.state,
            fetcher=lambda: self.paifus,
            open_logs=self.stores.open_logs,
            now=self.now,
        )
        self.league_work = self.make_league_work(self.after_sync)
        self.room_loop = RoomLoop(
            ids=self.room_ids,
            watch=self.room_watch,
            state=self.state,
            work=self.league_work,
            now=self.now,
            workers=self.workers,
            leagues_in_use=self._leagues_in_use,
            on_room_activity=self.evening_notice,
        )
        self.day_loop = DayLoop(self.state, self._sync_all, self.now)

    def _leagues_in_use(self) -> list[str]:
        return [folder for folder, _ in self.registry.used(USED, LEAGUES_IN_USE)]

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
        """Whether results are fetched from Tenhou: not for the demo league, which has no room."""
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
        progress: Progress = no_progress,
    ) -> SyncResult:
        """Bring the leagues' logs up to date, as `sync_leagues` does, and report the result to
        HEARTBEAT_URL's watcher.
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

    def make_league_work(self, on_days_merged: OnDaysMerged) -> LeagueWork:
        return LeagueWork(
            open_league=folder_opener(self.stores.open_logs, self.now),
            state=self.state,
            now=self.now,
            on_days_merged=on_days_merged,
            own_room_of=self.room_ids.room,
            on_games_arrived=self.after_sync.games_came,
            fetch_records=self._fetch_records,
        )

    def forget_user(self, user: str, at: float) -> None:
        """Forget a user's id in all that is stored until LINE's time `at`. Raises StorageError."""
        self.features.forget_user(self.state, user, at)

    def _fetch_records(self, league: str) -> list[str]:
        return self.paifu_collector.collect([league], limit=RECORDS)

    def find_rooms(self, names: Sequence[str], progress: Progress = no_progress) -> RoomSearch:
        """Raises TooSoon where Tenhou has been queried just now."""
        with TenhouClient(self.settings.tenhou_url) as tenhou:
            return find_rooms(names, self.state, tenhou, self.now, progress=progress)

    def checks(self) -> Sequence[Finding]:
        # Here, because it loads the database's library, which a start can't wait for.
        from bot.checks.run import checks

        return checks(self, CHECKING)
