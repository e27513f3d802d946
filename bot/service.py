"""Build the parts of a bot and connect them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from bot import texts
from bot.answers.catalogue import CATALOGUE
from bot.chat.access import ChatAccess
from bot.chat.identity import Identities
from bot.dispatch.ahead import Ahead
from bot.dispatch.dispatcher import Dispatcher, EventQueue
from bot.dispatch.pending import PendingEvents
from bot.dispatch.pictures import Pictures
from bot.dispatch.responder import Parts, Responder
from bot.dispatch.router import Router
from bot.league.change_signal import ChangeSignal
from bot.league.league_folder import folder_opener
from bot.league.registry import LeagueRegistry
from bot.line.client import LineClient
from bot.notify.after_sync import AfterSync
from bot.runtime.background import BackgroundLoop
from bot.runtime.thread_pool import WorkPool
from bot.settings import Settings
from bot.stores import Stores
from bot.sync.league_job import LeagueWork
from bot.sync.room_ids import RoomIds
from bot.tenhou.paifu_fetcher import PaifuFetcher
from bot.tenhou.throttle import Throttle


class Service:
    """One bot. Its stores are opened when first used."""

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], datetime] = texts.now,
        *,
        pool: WorkPool | None = None,
        long_pool: WorkPool | None = None,
        queue: EventQueue | None = None,
    ) -> None:
        """`now` gives an aware time (JST). The default pools are threads. Without `queue` there are no workers."""
        self.settings = settings
        self.now = now
        self.catalogue = CATALOGUE
        self.stores = Stores(settings)
        self.state = self.stores.state
        self.images = self.stores.images
        self.line = LineClient(settings.line_api_url, settings.channel_access_token)
        self.registry = LeagueRegistry(self.stores.open_logs, settings.cache_mb)
        self.pictures = Pictures(self.images, settings.channel_secret, state=self.state)
        self.ahead = Ahead(CATALOGUE, self.registry, self.pictures, now)
        self.changes = ChangeSignal(self.state, self.registry, self.ahead.changed)
        self.paifus = PaifuFetcher(settings.tenhou_url, self.state, Throttle(self.state, now).turn)
        self.access = ChatAccess(
            self.state, self.line.is_member, settings.league_chats, settings.admin_user_ids
        )
        self.router = Router(CATALOGUE)
        self.pending = PendingEvents(self.state, self.router.command_of)
        self.responder = self._make_responder()
        self.dispatcher = self._make_dispatcher(pool, long_pool, queue)
        self.after_sync = self._make_after_sync()
        self.league_work = LeagueWork(
            folder_opener(self.stores.open_logs, now),
            self.state,
            now,
            after=self.after_sync,
            own_room=RoomIds(self.state, settings.secret_key, settings.tenhou_room_id).room,
        )
        self.background = BackgroundLoop(
            sign_of_life=self.pending.show_alive,
            recovery=self.dispatcher.recover,
            change_signal=self.changes.listen,
            leagues_in_use=self.ahead.watch,
            sweep=self.stores.sweep,
        )

    def _make_responder(self) -> Responder:
        return Responder(
            Parts(
                catalogue=self.catalogue,
                registry=self.registry,
                access=self.access,
                identities=Identities(self.state),
                state=self.state,
                line=self.line,
                paifus=self.paifus,
                now=self.now,
            )
        )

    def _make_dispatcher(
        self, pool: WorkPool | None, long_pool: WorkPool | None, queue: EventQueue | None
    ) -> Dispatcher:
        return Dispatcher(
            router=self.router,
            responder=self.responder,
            catalogue=self.catalogue,
            pending=self.pending,
            pictures=self.pictures,
            line=self.line,
            access=self.access,
            log_key=self.settings.channel_secret,
            pool=pool,
            long_pool=long_pool,
            queue=queue,
        )

    def _make_after_sync(self) -> AfterSync:
        return AfterSync(
            registry=self.registry,
            pictures=self.pictures,
            ahead=self.ahead,
            access=self.access,
            line=self.line,
            state=self.state,
            now=self.now,
        )
