"""What makes a healthy installation ill: each function returns what plants a fault and takes it away again."""

import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psycopg

from bot.sync.run import SYNCED
from bot.texts import now
from storage.state import open_state
from tests.backend import app
from tests.checks.conftest import Installation
from tests.fakes.certificates import server_context
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.redis import redis_server

Env = dict[str, str]
Plant = Callable[[Installation], AbstractContextManager[Env]]
HOLD = """import signal, sqlite3, sys
held = sqlite3.connect(sys.argv[1])
held.executescript("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;")
print("held", flush=True)
signal.pause()"""
LOG = "2026-11-03\nL5678 | 20:11 | 三般南喰赤－ | みどり一色(+50.0) 白發中(-5.0) 両面待ち(-45.0)\n"


def nothing(healthy: Installation) -> AbstractContextManager[Env]:
    return nullcontext({})


@dataclass(frozen=True)
class Planted:
    """`env` changes variables ("" takes one away), `plant` makes something ill and returns more variables.

    `what` and `says` are of the one finding that is not well; `stops`: a release fails (None: either).
    """

    name: str
    what: str
    says: str
    env: Env | None = None
    plant: Plant = nothing
    stops: bool | None = True


@contextmanager
def changed(thing: Any, **values: Any) -> Iterator[Env]:
    """Set attributes, and put them back afterwards."""
    before = {name: getattr(thing, name) for name in values}
    for name, value in values.items():
        setattr(thing, name, value)
    yield {}
    for name, value in before.items():
        setattr(thing, name, value)


def line(**values: Any) -> Plant:
    return lambda healthy: changed(healthy.line, **values)


def dropbox(break_it: Callable[[FakeDropbox], object] = lambda fake: None, **env: str) -> Plant:
    """The logs are in a Dropbox account, to which something happens."""

    @contextmanager
    def plant(healthy: Installation) -> Iterator[Env]:
        with FakeDropbox() as fake, fake.patched():
            for path in (healthy.home / "logs").iterdir():
                if path.is_file():
                    fake.account.put(f"/{path.name}", path.read_bytes())
            variables = fake.credentials()
            break_it(fake)
            yield {"LOGS_URL": "dropbox:/", **variables, **env}

    return plant


def files(**there: str | bytes | None) -> Plant:
    """The log folder with files of these texts more (`A__B` is `A.B`); of None: a folder."""

    @contextmanager
    def plant(healthy: Installation) -> Iterator[Env]:
        folder = healthy.home / f"broken {len(list(healthy.home.iterdir()))}"
        folder.mkdir()
        for name, text in there.items():
            path = folder / name.replace("__", ".").replace("_", " ")
            if text is None:
                path.mkdir()
            else:
                path.write_bytes(text.encode() if isinstance(text, str) else text)
        yield {"LOGS_URL": f"file:{folder}"}

    return plant


@contextmanager
def answering(status: int, body: bytes, context: ssl.SSLContext | None = None) -> Iterator[str]:
    """A server on loopback that answers every request so; the value is its host and port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        do_POST = do_PUT = do_HEAD = do_DELETE = do_GET

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """A client that does not trust the certificate hangs up."""

    server = Server(("127.0.0.1", 0), Handler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def answered(name: str, status: int, body: str, path: str = "", tls: bool = False) -> Plant:
    """At the address of a variable something else answers, perhaps with a certificate nobody trusts."""

    @contextmanager
    def plant(healthy: Installation) -> Iterator[Env]:
        context = server_context(healthy.home)[0] if tls else None
        with answering(status, body.encode(), context) as host:
            yield {name: f"http{'s' * tls}://{host}{path}"}

    return plant


def s3_says(code: str, status: int = 403) -> Plant:
    """S3 refuses everything with an error of its own."""
    body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>no</Message></Error>"
    return answered("AWS_ENDPOINT_URL_S3", status, body)


def redis(*words: str, tls: bool = False, **address: str) -> Plant:
    """A Redis with such words of its command line, and parts of its address that are replaced."""

    @contextmanager
    def plant(healthy: Installation) -> Iterator[Env]:
        with redis_server(*words, tls=tls) as server:
            url = server.url
            for old, new in address.items():
                url = url.replace({"scheme": url.partition(":")[0] + "://", "end": "/0"}[old], new)
            yield {"REDIS_URL": url}

    return plant


def sql(before: str, after: str = "", user: str = "") -> Plant:
    """Postgres after these statements, asked by another user without a password of ours, if one is named."""

    @contextmanager
    def plant(healthy: Installation) -> Iterator[Env]:
        yield {"DATABASE_URL": "postgres", "SQL": before, "SQL_AFTER": after, "SQL_USER": user}

    return plant


@contextmanager
def locked(healthy: Installation) -> Iterator[Env]:
    """A program holds the database's file, as a copy of it that is being made does."""
    path = healthy.home / "locked.sqlite3"
    with closing(open_state(f"sqlite:///{path}")) as state:
        state.values.put("a", "b")
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline()
        yield {"DATABASE_URL": f"sqlite:///{path}"}
        holder.kill()


@contextmanager
def run_sql(url: str, before: str, after: str) -> Iterator[None]:
    """Run statements before and after on the server at `url`; {database} in them is its database's name."""
    server, _, database = url.rpartition("/")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(before.format(database=database))
    yield
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        for statement in filter(None, after.split(";")):
            connection.execute(statement.format(database=database))


@contextmanager
def other_menu(healthy: Installation) -> Iterator[Env]:
    """The menu on the channel is an older version's."""
    menu = healthy.line.menus.all[healthy.line.menus.default]
    with changed(menu, body=menu.body | {"name": f"{menu.body['name'].split()[0]} 0123456789abcdef"}):
        yield {}


@contextmanager
def no_picture(healthy: Installation) -> Iterator[Env]:
    with changed(healthy.line.menus.all[healthy.line.menus.default], image=None):
        yield {}


@contextmanager
def alias_astray(healthy: Installation) -> Iterator[Env]:
    with changed(healthy.line.menus, aliases={}):
        yield {}


@contextmanager
def all_menus_gone(healthy: Installation) -> Iterator[Env]:
    with changed(healthy.line.menus, aliases={}, all={}, default=None):
        yield {}


@contextmanager
def two_bots(healthy: Installation) -> Iterator[Env]:
    """LINE has called with another bot's events here, too."""
    state = open_state(healthy.env["DATABASE_URL"])
    state.values.put("bot:U" + "e" * 32, now().isoformat())
    yield {}
    state.values.delete("bot:U" + "e" * 32)
    state.close()


def calls_fail(path: str, status: int) -> Plant:
    @contextmanager
    def plant(healthy: Installation) -> Iterator[Env]:
        healthy.line.fail_next(path, status=status, times=99)
        yield {}
        healthy.line.heal()

    return plant


def webhook_answered(status: int, tls: bool = False) -> Plant:
    """LINE calls something else than this bot."""

    @contextmanager
    def plant(healthy: Installation) -> Iterator[Env]:
        with ExitStack() as ends:
            context = server_context(healthy.home)[0] if tls else None
            host = ends.enter_context(answering(status, b"", context))
            url = f"http{'s' * tls}://{host}/callback"
            yield ends.enter_context(changed(healthy.line, callback_url=url))

    return plant


def synced(ago: timedelta | None) -> Plant:
    """The last sync was so long ago; None: there was none."""

    @contextmanager
    def plant(healthy: Installation) -> Iterator[Env]:
        state = open_state(healthy.env["DATABASE_URL"])
        kept = state.values.get(SYNCED) or ""
        (state.values.delete(SYNCED) if ago is None else state.values.put(SYNCED, (now() - ago).isoformat()))
        yield {}
        state.values.put(SYNCED, kept)
        state.close()

    return plant


def lost(data: bytes | None) -> Plant:
    """A log that was read before holds only these bytes now; None: it is gone."""

    @contextmanager
    def plant(healthy: Installation) -> Iterator[Env]:
        with (
            files(logvol1__txt=LOG, logvol2__txt=LOG.replace("20:11", "21:05"))(healthy) as env,
            app(healthy.env | env) as made,
        ):
            registry = made.extensions["janroku"].registry
            registry.league().snapshot()
            registry.settle(quiet=True)
            path = Path(env["LOGS_URL"].removeprefix("file:")) / "logvol1.txt"
            path.unlink()
            if data is not None:
                path.write_bytes(data)
            yield env

    return plant


def sqlite(make: Callable[[Path], object]) -> Plant:
    @contextmanager
    def plant(healthy: Installation) -> Iterator[Env]:
        path = healthy.home / f"odd {len(list(healthy.home.iterdir()))}.sqlite3"
        make(path)
        yield {"DATABASE_URL": f"sqlite:///{path}"}

    return plant
