"""Faults for a healthy installation: what plants each and takes it away again, and a table of them,
each with the variable or check that must report it and words of its cure."""

import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psycopg

from bot.sync.run import SYNCED
from bot.texts import now
from storage.state import State, open_state
from tests.backend import app
from tests.checks.conftest import LOG, Installation
from tests.fakes.certificates import server_context
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.http import Handler, serving
from tests.fakes.redis import redis_server
from tests.fakes.servers import free_port
from tests.real import DATA

Env = dict[str, str]
Plant = Callable[[Installation], AbstractContextManager[Env]]
HOLD = """import signal, sqlite3, sys
held = sqlite3.connect(sys.argv[1])
held.executescript("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;")
print("held", flush=True)
signal.pause()"""


def nothing(healthy: Installation) -> AbstractContextManager[Env]:
    return nullcontext({})


@dataclass(frozen=True)
class Planted:
    """`env` changes variables ("" takes one away), `plant` makes something ill and returns more
    variables.

    The subject (`what`) and the text are of the one finding that is not well; `stops`: a release fails (None:
    either).
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


def dropbox(
    break_it: Callable[[FakeDropbox], object] = lambda fake: None,
    **env: str,
) -> Plant:
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


WITHOUT_REFRESH = dict.fromkeys(("DROPBOX_APP_KEY", "DROPBOX_REFRESH_TOKEN"), "")


def with_token(token: str, refusal: str = "") -> Plant:
    """The logs are in a Dropbox account, which is read with this access token."""
    return dropbox(lambda fake: fake.refuse(refusal), DROPBOX_ACCESS_TOKEN=token)


def forbidden(permission: str) -> Plant:
    return dropbox(lambda fake: fake.forbid(permission))


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
def answering(healthy: Installation, status: int, body: str, tls: bool) -> Iterator[str]:
    """The address of a server on loopback that answers every request so, perhaps with a certificate
    that nobody trusts."""

    class Same(Handler):
        def do_GET(self) -> None:
            self.body()
            self.answer(status, body.encode() if self.command != "HEAD" else b"")

        do_POST = do_PUT = do_HEAD = do_DELETE = do_GET

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """A client that does not trust the certificate hangs up."""

    server = Server(("127.0.0.1", 0), Same)
    if tls:
        server.socket = server_context(healthy.home)[0].wrap_socket(server.socket, server_side=True)
    with serving(server) as url:
        yield url.replace("http", "https") if tls else url


def answered(name: str, status: int, body: str, tls: bool = False) -> Plant:
    """At the address of a variable something else answers."""

    @contextmanager
    def plant(healthy: Installation) -> Iterator[Env]:
        with answering(healthy, status, body, tls) as url:
            yield {name: url}

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
                url = url.replace(
                    {"scheme": url.partition(":")[0] + "://", "end": "/0"}[old],
                    new,
                )
            yield {"REDIS_URL": url}

    return plant


def sql(before: str, after: str = "", user: str = "") -> Plant:
    """Postgres after these statements, opened by another user without our password, if one is
    named.
    """

    @contextmanager
    def plant(healthy: Installation) -> Iterator[Env]:
        yield {"DATABASE_URL": "postgres", "SQL": before, "SQL_AFTER": after, "SQL_USER": user}

    return plant


@contextmanager
def locked(healthy: Installation) -> Iterator[Env]:
    """A program locks the database's file, as a copy of it that is being made does."""
    path = healthy.home / "locked.sqlite3"
    with closing(open_state(f"sqlite:///{path}")) as state:
        state.values.put("a", "b")
    with subprocess.Popen(
        [
            sys.executable,
            "-c",
            HOLD,
            path,
        ],
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline()
        yield {"DATABASE_URL": f"sqlite:///{path}"}
        holder.kill()


@contextmanager
def run_sql(url: str, before: str, after: str) -> Iterator[None]:
    """Run statements before and after on the server at `url`; {database} in them is its database's
    name.
    """
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
    with changed(
        menu, body=menu.body | {"name": f"{menu.body['name'].split()[0]} 0123456789abcdef"}
    ):
        yield {}


def no_picture(healthy: Installation) -> AbstractContextManager[Env]:
    return changed(healthy.line.menus.all[healthy.line.menus.default], image=None)


def menus(**values: Any) -> Plant:
    return lambda healthy: changed(healthy.line.menus, **values)


def _put_or_delete(state: State, key: str, value: str | None) -> None:
    if value:
        state.values.put(key, value)
    else:
        state.values.delete(key)


def remembered(key: str, value: str) -> Plant:
    """The database has another value for a key; "": none."""

    @contextmanager
    def plant(healthy: Installation) -> Iterator[Env]:
        with closing(open_state(healthy.env["DATABASE_URL"])) as state:
            before = state.values.get(key)
            _put_or_delete(state, key, value)
            yield {}
            _put_or_delete(state, key, before)

    return plant


def synced(ago: timedelta) -> Plant:
    """The last sync was so long ago."""
    return remembered(SYNCED, (now() - ago).isoformat())


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
        with (
            answering(healthy, status, "", tls) as url,
            changed(healthy.line, callback_url=f"{url}/callback"),
        ):
            yield {}

    return plant


def proxied(host: str) -> Plant:
    """LINE calls a proxy, which passes on webhooks under this host's name, without saying that
    they came by https. PUBLIC_URL is not set.
    """

    @contextmanager
    def plant(healthy: Installation) -> Iterator[Env]:
        class Proxy(Handler):
            def do_POST(self) -> None:
                headers = {**dict(self.headers), "Host": host}
                request = urllib.request.Request(f"{healthy.url}/callback", self.body(), headers)
                with urllib.request.urlopen(request, timeout=20) as answer:
                    self.answer(answer.status, answer.read())

        with (
            serving(ThreadingHTTPServer(("127.0.0.1", 0), Proxy)) as url,
            changed(healthy.line, callback_url=f"{url}/callback"),
        ):
            yield {"PUBLIC_URL": ""}

    return plant


def lost(data: bytes | None) -> Plant:
    """A log that was read before has only these bytes now; None: it is gone."""

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


def other_database(path: Path) -> None:
    with closing(open_state(f"sqlite:///{path}")) as state:
        state.values.put(SYNCED, now().isoformat())


def newer_database(path: Path) -> None:
    other_database(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE janroku_schema SET version = 99")


@contextmanager
def no_service(healthy: Installation) -> Iterator[Env]:
    url = f"http://127.0.0.1:{free_port()}"
    with changed(healthy.line, callback_url=f"{url}/callback"):
        yield {"PUBLIC_URL": url}


A_YEAR = timedelta(days=365)
LINE = "LINE_CHANNEL_ACCESS_TOKEN"
S3 = {"IMAGES_URL": "s3://janroku-test/pictures"}
DYNO = {"DYNO": "web.1"}
FUTURE = f'[[season]]\nlog = "logvol9.txt"\nstart = {now().date() + A_YEAR}\n'
TWICE = '[[season]]\nlog = "logvol1.txt"\n[[season]]\nlog = "logvol1.txt"\n'
BACK = '[[season]]\nlog = "logvol1.txt"\nstart = 2026-05-01\nend = 2026-04-01\n'
NO_DATE = '[[season]]\nlog = "logvol1.txt"\nstart = "May"\n'
# The finding's subject, its text, variables, and what is planted: a release stops at it, does
# not, or either.
STOPPING = (
    (LINE, "issue a new long-lived token", {"LINE_CHANNEL_ACCESS_TOKEN": "wrong"}),
    ("LINE_CHANNEL_SECRET", "is missing", {"LINE_CHANNEL_SECRET": ""}),
    ("LINE_CHANNEL_SECRET", "is not this channel's", {"LINE_CHANNEL_SECRET": "f" * 32}),
    (LINE, "can't be reached at", {"LINE_API_URL": "http://127.0.0.1:9"}),
    ("ADMIN_USER_IDS", "nobody may use the bot", {"ADMIN_USER_IDS": "", "LEAGUE_CHATS": ""}),
    ("ADMIN_USER_IDS", "is no LINE id", {"ADMIN_USER_IDS": "U12345"}),
    ("LOGS_URL", "the demo league", {"LOGS_URL": ""}),
    ("LOGS_URL", "a dyno loses", DYNO | {"DATABASE_URL": "postgres", "IMAGES_URL": "postgres:"}),
    ("DATABASE_URL", "a dyno loses", DYNO | {"LOGS_URL": "dropbox:/"}, dropbox()),
    ("IMAGES_URL", "a dyno loses", DYNO | {"DATABASE_URL": "postgres", "LOGS_URL": "postgres:"}),
    ("DROPBOX_REFRESH_TOKEN", "no longer accepts it", {}, dropbox(FakeDropbox.revoke)),
    (
        "DROPBOX_APP_SECRET",
        "does not belong to DROPBOX_APP_KEY",
        {},
        dropbox(DROPBOX_APP_SECRET="wrong"),
    ),
    ("DROPBOX_REFRESH_TOKEN", "lacks a permission", {}, forbidden("files.content.write")),
    *(
        ("DROPBOX_ACCESS_TOKEN", "no token of this form", WITHOUT_REFRESH, with_token(token))
        for token in ("wrong", "トークン", "sl.x\nsl.y")
    ),
    (
        "DROPBOX_ACCESS_TOKEN",
        "lacks a permission",
        WITHOUT_REFRESH,
        with_token(
            "sl.x",
            'Your app (ID: 1) is not permitted to access this endpoint because it does not have the required scope "files.content.read".',
        ),
    ),
    (
        "DROPBOX_APP_KEY",
        "Dropbox refuses the app",
        {},
        dropbox(lambda fake: fake.refuse("Invalid app: the app is disabled.")),
    ),
    (
        "LOGS_URL",
        "no such path",
        {},
        dropbox(lambda fake: fake.refuse("request body: path: 'x' did not match pattern")),
    ),
    (
        "DROPBOX_REFRESH_TOKEN",
        "refuses the request: something else",
        {},
        dropbox(lambda fake: fake.refuse("something else")),
    ),
    ("DROPBOX_APP_KEY", "is missing", {"LOGS_URL": "dropbox:/", "DROPBOX_REFRESH_TOKEN": "x"}),
    ("DATABASE_URL", "refuses its user or password", {"DATABASE_URL": "wrong password"}),
    ("DATABASE_URL", "a newer Janroku", {}, sqlite(newer_database)),
    ("IMAGES_URL", "can't be written", {"IMAGES_URL": "file:{home}/state.sqlite3/images"}),
    ("IMAGES_URL", "no such bucket", {"IMAGES_URL": "s3://another-bucket"}),
    ("AWS_ACCESS_KEY_ID", "knows no such key", S3 | {"AWS_ACCESS_KEY_ID": "AKIAWRONG"}),
    ("AWS_SECRET_ACCESS_KEY", "does not belong", S3 | {"AWS_SECRET_ACCESS_KEY": "wrong"}),
    ("TENHOU_URL", "does not answer", {"TENHOU_URL": "http://127.0.0.1:9"}),
    ("TENHOU_ROOM_ID", "digits", {"TENHOU_ROOM_ID": "C12"}),
    ("JANROKU_SECRET_KEY", "is no key", {"JANROKU_SECRET_KEY": "short"}),
)
LET_THROUGH = (  # as they pass or are the league's
    (
        "webhook",
        "refuses LINE's signature",
        {"LINE_CHANNEL_SECRET": "f" * 32},
        line(channel_secret="f" * 32),
    ),
    ("webhook", "LINE knows no webhook address", {}, line(callback_url="")),
    ("webhook", "turn on Use webhook", {}, line(webhook_active=False)),
    (
        "webhook",
        "`flask setup` sets the webhook anew",
        {},
        line(callback_url="http://127.0.0.1:9/callback"),
    ),
    (
        "webhook",
        "answered with status 404",
        {"PUBLIC_URL": ""},
        lambda healthy: changed(healthy.line, callback_url=f"{healthy.url}/call"),
    ),
    ("webhook", "does not reach", {}, no_service),
    ("webhook", "not by this installation", {}, sqlite(other_database)),
    ("richmenu", "nobody is shown it", {}, menus(default=None)),
    (
        "LOGS_URL",
        "does not answer at the moment",
        {},
        dropbox(lambda fake: fake.fail(status=503, times=99)),
    ),
    ("DATABASE_URL", "can't be reached", {"DATABASE_URL": "postgres://u:p@127.0.0.1:9/d"}),
    ("REDIS_URL", "Redis can't be reached", {"REDIS_URL": "redis://127.0.0.1:9/0"}),
    ("REDIS_URL", "no worker lives", {}, redis()),
    ("sync", "none has been good yet", {}, remembered(SYNCED, "")),
    ("sync", "says what is in its way", {}, synced(timedelta(days=3))),
    (
        "memory",
        "set WEB_CONCURRENCY or CACHE_MB lower",
        {"WEB_CONCURRENCY": "200", "CACHE_MB": "4096"},
    ),
    ("league", "league.toml", {}, files(league__toml="rooms = 3\n")),
    ("league", "the folder has no logvolN.txt", {}, files(LogVol1__txt="20200518\n")),
    ("league", "give it the name logvol1.txt", {}, files(LogVol1__txt="20200518\n")),
)
ROWS = (
    (LINE, "try again later", {}, calls_fail("/v2/bot/info", 500)),
    (LINE, "try again later", {}, calls_fail("/v2/bot/info", 429)),
    (LINE, "LINE_API_URL", {}, answered("LINE_API_URL", 404, "<html>not found</html>")),
    (LINE, "issue a new long-lived token", {}, answered("LINE_API_URL", 401, '{"message": "no"}')),
    (LINE, "issue a new long-lived token", {}, answered("LINE_API_URL", 403, '{"message": "no"}')),
    (LINE, "LINE_API_URL", {}, answered("LINE_API_URL", 200, "<html>welcome</html>")),
    (LINE, "SSL_CERT_FILE", {}, answered("LINE_API_URL", 200, "{}", tls=True)),
    (LINE, "can't be reached", {"LINE_API_URL": "http://no-such-host.invalid"}),
    ("LINE_CHANNEL_SECRET", "could not be asked about it", {}, calls_fail("/oauth2/v3/token", 500)),
    ("webhook", "answered with status 502", {"PUBLIC_URL": ""}, webhook_answered(502)),
    ("webhook", "another one's", {"PUBLIC_URL": ""}, webhook_answered(200)),
    ("webhook", "certificate", {"PUBLIC_URL": ""}, webhook_answered(200, tls=True)),
    ("PUBLIC_URL", "FORWARDED_ALLOW_IPS", {}, proxied("bot.example")),
    ("PUBLIC_URL", "a phone gets no picture", {}, proxied("127.0.0.1:9")),
    (
        "richmenu",
        "`flask richmenu install`",
        {},
        menus(aliases={}, all={}, default=None),
    ),
    ("richmenu", "`flask richmenu install`", {}, other_menu),
    ("richmenu", "`flask richmenu install`", {}, no_picture),
    ("richmenu", "`flask richmenu install`", {}, menus(aliases={})),
    (
        "clock",
        "behind",
        {},
        line(clock=lambda: datetime.now().timestamp() + 900),
    ),
    (
        "clock",
        "ahead",
        {},
        line(clock=lambda: datetime.now().timestamp() - 900),
    ),
    ("quota", "used up", {}, line(pushed=200)),
    (
        "DATABASE_URL",
        "another bot",
        {},
        remembered("bot:U" + "e" * 32, now().isoformat()),
    ),
    (
        "DATABASE_URL",
        "only be read",
        {},
        sql(
            "ALTER DATABASE {database} SET default_transaction_read_only = on",
            "SET default_transaction_read_only = off; ALTER DATABASE {database} RESET ALL",
        ),
    ),
    (
        "DATABASE_URL",
        "no connection free",
        {},
        sql("CREATE ROLE a LOGIN PASSWORD 'x' CONNECTION LIMIT 0", "DROP ROLE a", "a"),
    ),
    (
        "DATABASE_URL",
        "user or password",
        {},
        sql("CREATE ROLE a NOLOGIN PASSWORD 'x'", "DROP ROLE a", "a"),
    ),
    (
        "DATABASE_URL",
        "may not write",
        {},
        sql("CREATE ROLE a LOGIN PASSWORD 'x'", "DROP ROLE a", "a"),
    ),
    ("DATABASE_URL", "no SQLite database", {}, sqlite(lambda path: path.write_bytes(b"x" * 4096))),
    ("DATABASE_URL", "can't be opened", {}, sqlite(Path.mkdir)),
    ("DROPBOX_APP_KEY", "is missing", {"DROPBOX_APP_KEY": ""}, dropbox()),
    ("DROPBOX_REFRESH_TOKEN", "is missing", {"DROPBOX_REFRESH_TOKEN": ""}, dropbox()),
    ("DROPBOX_APP_SECRET", "DROPBOX_APP_KEY", {"DROPBOX_APP_KEY": "wrong"}, dropbox()),
    (
        "DROPBOX_ACCESS_TOKEN",
        "no longer accepts it",
        {"DROPBOX_ACCESS_TOKEN": "sl.old", "DROPBOX_REFRESH_TOKEN": ""},
        dropbox(),
    ),
    ("DROPBOX_REFRESH_TOKEN", "lacks a permission", {}, forbidden("files.metadata.read")),
    ("DROPBOX_REFRESH_TOKEN", "lacks a permission", {}, forbidden("files.content.read")),
    (
        "LOGS_URL",
        "try again later",
        {},
        dropbox(lambda fake: fake.fail(status=429, times=99)),
    ),
    (
        "LOGS_URL",
        "certificate",
        {"REQUESTS_CA_BUNDLE": "/etc/ssl/certs/ca-certificates.crt"},
        dropbox(),
    ),
    ("IMAGES_URL", "clock", S3, s3_says("RequestTimeTooSkewed")),
    ("AWS_SESSION_TOKEN", "ended", S3, s3_says("ExpiredToken", 400)),
    ("AWS_SESSION_TOKEN", "ended", S3, s3_says("InvalidToken", 400)),
    ("IMAGES_URL", "s3:PutObject", S3, s3_says("AccessDenied")),
    ("IMAGES_URL", "account", S3, s3_says("AllAccessDisabled")),
    ("IMAGES_URL", "account", S3, s3_says("AccountProblem")),
    (
        "AWS_DEFAULT_REGION",
        "the bucket's region",
        S3,
        s3_says("IllegalLocationConstraintException", 400),
    ),
    ("AWS_DEFAULT_REGION", "the bucket's region", S3, s3_says("AuthorizationHeaderMalformed", 400)),
    ("IMAGES_URL", "try again later", S3, s3_says("SlowDown", 503)),
    ("IMAGES_URL", "no such bucket", S3, s3_says("NoSuchBucket", 404)),
    ("IMAGES_URL", "AWS_ENDPOINT_URL_S3", S3 | {"AWS_ENDPOINT_URL_S3": "http://127.0.0.1:9"}),
    ("IMAGES_URL", "certificate", S3, answered("AWS_ENDPOINT_URL_S3", 200, "", tls=True)),
    ("AWS_ACCESS_KEY_ID", "is missing", S3 | {"AWS_ACCESS_KEY_ID": ""}),
    ("IMAGES_URL", "PUBLIC_URL", {}, answered("PUBLIC_URL", 200, "<html>another</html>")),
    ("IMAGES_URL", "PUBLIC_URL", {}, answered("PUBLIC_URL", 404, "<html>none</html>")),
    ("IMAGES_URL", "PUBLIC_URL", {}, answered("PUBLIC_URL", 200, "", tls=True)),
    ("IMAGES_URL", "PUBLIC_URL", {"PUBLIC_URL": "http://127.0.0.1:9"}),
    ("REDIS_URL", "password", {}, redis("--requirepass", "x")),
    ("REDIS_URL", "password", {}, redis("--requirepass", "x", scheme="redis://:y@")),
    ("REDIS_URL", "rediss://", {}, redis(tls=True, scheme="redis://")),
    ("REDIS_URL", "redis://", {}, redis(scheme="rediss://")),
    ("REDIS_URL", "certificate", {}, redis(tls=True, end="/0?ssl_cert_reqs=required")),
    ("REDIS_URL", "only be read", {}, redis("--replicaof", "127.0.0.1 9")),
    ("REDIS_URL", "memory", {}, redis("--maxmemory", "1")),
    ("REDIS_URL", "number", {}, redis(end="/99999999")),
    ("REDIS_URL", "no such option", {}, redis(end="/0?janroku=1")),
    ("TENHOU_URL", "does not answer", {}, answered("TENHOU_URL", 502, "")),
    ("TENHOU_URL", "SSL_CERT_FILE", {}, answered("TENHOU_URL", 200, "", tls=True)),
    ("sync", "clock", {}, synced(-A_YEAR)),
    ("league", "future", {}, files(league__toml=FUTURE, logvol1__txt=LOG)),
    ("league", "league.toml", {}, files(league__toml="rooms = [\n", logvol1__txt=LOG)),
    ("league", "league.toml", {}, files(league__toml='model = "elo9000"\n', logvol1__txt=LOG)),
    ("league", "league.toml", {}, files(league__toml='rooms = ["X1"]\n', logvol1__txt=LOG)),
    ("league", "league.toml", {}, files(league__toml="[rules]\numa = 3\n", logvol1__txt=LOG)),
    ("league", "league.toml", {}, files(league__toml="[[season]]\nname = 3\n", logvol1__txt=LOG)),
    ("league", "roms", {}, files(league__toml='roms = ["L5678"]\n', logvol1__txt=LOG)),
    ("league", "logvol2.txt", {}, files(logvol1__txt=LOG, logvol2__txt=b"\xff\xfe\x00\x01" * 9)),
    ("league", "logvol1.txt:2", {}, files(logvol1__txt="2026-11-03\nL5678 | 20:11 | だれ\n")),
    ("league", "logvol1 (1).txt", {}, files(**{"logvol1_(1)__txt": LOG})),
    ("league", "logvol1.txt.txt", {}, files(logvol1__txt__txt=LOG)),
    ("league", "is a folder", {}, files(logvol1__txt=None)),
    ("league", "league (1).toml", {}, files(**{"league_(1)__toml": "rooms = []\n"})),
    ("league", "rating.txt", {}, files(logvol1__txt=LOG, rating__txt="みどり一色 千五百\n")),
    ("league", "teamlog.txt:1", {}, files(logvol1__txt=LOG, teamlog__txt="東 南 | o\n")),
    ("league", "leaves out", {}, files(logvol1__txt=LOG, league__toml='rooms = ["L1111"]\n')),
    ("league", "flask league restore", {}, lost(b"")),
    ("league", "flask league restore", {}, lost(None)),
    ("memory", "WEB_CONCURRENCY", {"WEB_CONCURRENCY": "256"}),
    ("BACKUP_URL", "no such bucket", {"BACKUP_URL": "s3://another-bucket/x", **S3}),
    ("LOGS_URL", "can't be", {}, files(charts="", logvol1__txt=LOG)),
    ("DATABASE_URL", "it is open in", {}, locked),
    ("webhook", "could not be asked", {}, calls_fail("/v2/bot/channel/webhook/endpoint", 500)),
    ("quota", "could not be asked", {}, calls_fail("/v2/bot/message/quota", 500)),
    ("richmenu", "could not be asked", {}, calls_fail("/v2/bot/richmenu/list", 500)),
    ("TENHOU_URL", "does not answer", {}, answered("TENHOU_URL", 404, "<html>none</html>")),
    (
        "REDIS_URL",
        "may not",
        {},
        redis(
            *["--user", "default", "on", "nopass", "~none", "+ping", "+hello", "+client", "+select"]
        ),
    ),
    ("league", "another season's already", {}, files(league__toml=TWICE, logvol1__txt=LOG)),
    ("league", "before the season's start", {}, files(league__toml=BACK, logvol1__txt=LOG)),
    ("league", "logvol1.txt", {}, files(logvol1__txt=b"\0" * 300)),
    ("league", "a date such as", {}, files(league__toml=NO_DATE, logvol1__txt=LOG)),
    ("memory", "CACHE_MB", {"CACHE_MB": "65536"}),
)
SETTINGS = [
    line.split("\t")
    for name in ("wrong_settings.tsv", "wrong_addresses.tsv")
    for line in (DATA / name).read_text("utf-8").splitlines()
]
FAULTS = (
    *(
        Planted(f"{name}={value}", name, says, {name: value}, stops=None)
        for name, value, says in SETTINGS
    ),
    *(
        Planted(f"{number} {what}: {says}", what, says, env, *(plant or [nothing]), stops=stops)
        for stops, rows in ((True, STOPPING), (False, LET_THROUGH), (None, ROWS))
        for number, (what, says, env, *plant) in enumerate(rows)
    ),
)
