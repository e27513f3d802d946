"""The cloud backend:

Postgres, Redis and a worker for all tests of a process; see tests/backend.py.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
from sqlalchemy import func, select

from bot.service import Service
from bot.settings import Settings
from storage.database import Database, parsed
from storage.ports import LogSource
from storage.postgres import PostgresLogs
from storage.schema import IMAGES
from tests.backend import Bot, Embedded, Now, close
from tests.fakes.redis import RedisServer, redis_server
from tests.fakes.servers import postgres
from tests.fakes.table_folder import TableFolder
from tests.fakes.worker import Worker, worker


class Cloud(Embedded):
    """The cloud backend: a Postgres schema for each folder, a Redis database for each service."""

    kind = "workers"

    def __init__(self, url: str, redis: RedisServer, at_work: Worker) -> None:
        self._url = url
        self._redis = redis
        self._worker = at_work
        self._connection = psycopg.connect(url, autocommit=True)
        self._schemas: dict[Path, str] = {}
        self._services = 0
        self._opened = Database(url)

    def database(self, folder: Path) -> str:
        if folder not in self._schemas:
            self._schemas[folder] = schema = f"folder{len(self._schemas)}"
            self._connection.execute(f"CREATE SCHEMA {schema}")
        return f"{self._url}?options=-csearch_path%3D{self._schemas[folder]}"

    def env(self, folder: Path) -> dict[str, str]:
        self._services += 1
        return {
            "DATABASE_URL": self.database(folder),
            "REDIS_URL": self._redis.address(self._services),
        }

    def files(self, folder: Path) -> dict[str, str]:
        return {"LOGS_URL": "postgres:", "IMAGES_URL": "postgres:"}

    def logs(self, folder: Path) -> TableFolder:
        return TableFolder(self._database(folder))

    def log_source(self, folder: Path) -> LogSource:
        return PostgresLogs(self._database(folder))

    def pictures(self, folder: Path) -> int:
        query = select(func.count()).select_from(IMAGES)
        return int(self._database(folder).first(query)[0])

    def _database(self, folder: Path) -> Database:
        """The folder's database.

        Another folder's is closed first: Postgres takes a hundred connections.
        """
        if self._opened.address != parsed(self.database(folder)):
            self._opened.close()
            self._opened = Database(self.database(folder))
        return self._opened

    @contextmanager
    def bot(self, settings: Settings, now: Now) -> Iterator[Bot]:
        """The service of a web process, as `app.py` makes it, and a worker's.

        They share only the stores.
        """
        settings = replace(settings, redis_url=self._worker.url)
        web = Service(settings, now)
        answering = Service(settings, now, worker=True)
        with self._worker.serving(answering):
            web.dispatcher.pending.show_alive()
            web.background.start()
            yield Bot(web, answering)
            close(web)
        close(answering)

    def close(self) -> None:
        self._opened.close()
        self._connection.close()


@contextmanager
def cloud() -> Iterator[Cloud]:
    """The backend with its servers running; they stop afterwards."""
    with (
        redis_server() as redis,
        postgres() as server,
        worker(redis.address(0)) as at_work,
        closing(Cloud(server.url, redis, at_work)) as made,
    ):
        yield made
