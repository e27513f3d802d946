"""A newcomer's way from an empty folder to the first tap's answer: `python -m tests.tools.newcomer
[ja|en] [database|dropbox]`.

It plays the admin at a terminal over stand-ins for LINE, Tenhou, Dropbox and S3 and a real
Postgres, prints every prompt and answer, and at the end how long the programs took. A person's
minutes are pasting and clicking, which take longer.
"""

import gettext
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from bot.runtime.translation import DOMAIN, LOCALE
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.line import SECRET, TOKEN, fake_line
from tests.fakes.platform import Platform
from tests.fakes.process import ROOT, clean_env, service
from tests.fakes.servers import free_port, postgres, rclone_s3
from tests.fakes.tenhou import FakeTenhou, TenhouClock

MEMBERS = ("みどり一色", "白發中", "東風")
ADMIN = DEMO_USERS[0].id
PATIENCE = 30.0  # seconds until a question is asked
Answer = str | Callable[[str], str]  # what is typed, or what is made of the text on the screen


@dataclass
class Protocol:
    """What happened. `show` prints it as it comes."""

    lang: str
    show: Callable[[str], None] = lambda text: None
    text: str = ""
    prompts: int = 0
    begun: float = field(default_factory=time.perf_counter)

    def add(self, text: str) -> None:
        self.text += text
        self.show(text)

    def step(self, words: str) -> None:
        self.add(f"\n### {words}\n\n")

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.begun

    def words(self, text: str) -> str:
        """What the commands say for an English text, up to its first field."""
        said = gettext.translation(DOMAIN, LOCALE, [self.lang], fallback=True).gettext(text)
        return said.partition("{")[0]


def play(
    protocol: Protocol,
    command: Sequence[str],
    env: dict[str, str],
    answers: Sequence[tuple[str, Answer]],
) -> int:
    """Run a command and type each answer when its question (the English text of it) stands on the
    screen.

    Return the exit status. Raises AssertionError when the command ends or asks something else.
    """
    protocol.add(f"$ {' '.join(('flask', *command))}\n")
    env = clean_env(PYTHONPATH=str(ROOT), LANGUAGE=protocol.lang, FLASK_SKIP_DOTENV="1", **env)
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "flask", "--app", "app", *command],
        cwd=ROOT,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdin
    with process:
        for question, answer in answers:
            screen = _until(process, protocol.words(question), protocol)
            typed = answer if isinstance(answer, str) else answer(screen)
            protocol.prompts += 1
            protocol.add(f"{typed}⏎\n")
            process.stdin.write(f"{typed}\n".encode())
            process.stdin.flush()
        rest, _nothing = process.communicate(timeout=60)
        protocol.add(rest.decode())
    return process.returncode


def _until(process: subprocess.Popen[bytes], question: str, protocol: Protocol) -> str:
    """Read what the command writes until it has asked the question and waits; return it."""
    assert process.stdout
    screen = b""
    while not (screen.endswith(b": ") and question in screen.decode(errors="ignore")):
        waiting, _writable, _failed = select.select([process.stdout], [], [], PATIENCE)
        assert waiting, f"it does not ask {question!r}: {screen.decode()[-1500:]}"
        sign = os.read(process.stdout.fileno(), 1)
        screen += sign
        assert sign, f"it ended before it asked {question!r}: {screen.decode()[-1500:]}"
    protocol.add(screen.decode())
    return screen.decode()


@dataclass(frozen=True)
class NewcomerWorld:
    """What is outside:

    LINE, Tenhou, the answers about the stores, and variables that point there.
    """

    line: Platform
    env: dict[str, str]
    stores: Sequence[tuple[str, Answer]]
    url: str
    port: int


@contextmanager
def world(way: str, home: Path, database: str = "") -> Iterator[NewcomerWorld]:
    """The stand-ins.

    `way` is folder, database or dropbox; `database` is a Postgres, or one is started.
    """
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    number = "Number"
    place = "Address of the database"
    pictures = "Number"
    with ExitStack() as ends:
        line, channel = ends.enter_context(fake_line(""))
        tenhou = ends.enter_context(FakeTenhou(TenhouClock(datetime.now(UTC))))
        for back in (1, 2):
            tenhou.put(tenhou.today - timedelta(days=back), evening(back))
        env = {"LINE_API_URL": channel["LINE_API_URL"], "TENHOU_URL": tenhou.url}
        env["JANROKU_ENV_FILE"] = str(home / ".env")
        if way == "folder":
            stores: list[tuple[str, Answer]] = [
                (number, "3"),
                (place, f"sqlite:///{home / 'state.sqlite3'}"),
                ("Folder of the logs", f"file:{home / 'logs'}"),
            ]
            (home / "logs").mkdir()
            env["IMAGES_URL"] = f"file:{home / 'images'}"
        else:
            database = database or ends.enter_context(postgres()).url
            stores = [(number, "1"), (place, database)]
        if way == "dropbox":
            dropbox = ends.enter_context(FakeDropbox())
            s3 = ends.enter_context(rclone_s3())
            hosts = {
                name: value
                for name, value in dropbox.env().items()
                if name.startswith(("DROPBOX_API", "REQUESTS"))
            }
            env |= hosts | {
                name: value
                for name, value in s3.env().items()
                if "KEY" not in name and "REGION" not in name
            }
            secret = "App secret (Settings; it may be left out, and changes then show some seconds later)"
            stores = [
                (number, "2"),
                (place, database),
                ("App key (Settings)", dropbox.app_key),
                (secret, dropbox.app_secret),
                ("Code", lambda screen: dropbox.allow(_address(screen))),
                (pictures, "2"),
                ("Bucket, as s3://BUCKET/charts", f"s3://{s3.bucket}/charts"),
                ("The bucket's region", s3.region),
                ("Access key ID", s3.key),
                ("Secret access key", s3.secret),
            ]
        yield NewcomerWorld(line, env, stores, url, port)


def _address(screen: str) -> str:
    return next(
        word for word in screen.split() if word.startswith("https://www.dropbox.com/oauth2")
    )


def evening(seed: int) -> list[str]:
    one, two, three = MEMBERS[seed % 3 :] + MEMBERS[: seed % 3]
    seats = f"{one}(+32.0) {two}(-4.0) {three}(-28.0)"
    return [f"C1234 | 2{hour}:0{seed} | 三般南喰赤－ | {seats}" for hour in range(3)]


def first_answers(outside: NewcomerWorld) -> list[tuple[str, Answer]]:
    """The questions of the first `flask setup`, while nothing runs yet, with what is answered."""
    return [
        ("Channel access token (long-lived)", TOKEN),
        ("Channel secret (Basic settings tab)", SECRET),
        ("Your user ID (Basic settings tab; several: comma separated)", ADMIN),
        ("Address of the service (https://…)", outside.url),
        *outside.stores,
        ("Numbers, with blanks between", "1"),
        ("Names, with blanks between (Enter: later)", " ".join(MEMBERS[:2])),
        ("Name of the league", "雀録杯"),
        ("Write league.toml with these rooms and players?", "y"),
    ]


def go_on(protocol: Protocol, outside: NewcomerWorld) -> None:
    assert play(protocol, ["setup"], outside.env, []) == 0, "everything is set up"


def first_tap(protocol: Protocol, line: Platform) -> list[Any]:
    for words, act in (
        ("the bot is invited to the group", lambda: line.join(DEMO_GROUP)),
        ("the admin sends 登録", lambda: line.say(DEMO_GROUP, ADMIN, "登録")),
        (
            "a member taps レーティング",
            lambda: line.tap(DEMO_GROUP, DEMO_USERS[1].id, "request_rating"),
        ),
    ):
        messages = line.answers(act())
        protocol.add(f"LINE: {words}\n")
        for message in messages:
            said = (
                message.get("text") or message.get("altText") or message.get("originalContentUrl")
            )
            protocol.add(f"  -> {said}\n")
    return messages


def main() -> None:
    lang, way = (
        [*sys.argv[1:], "en", "database"][:2] if len(sys.argv) != 2 else (sys.argv[1], "database")
    )
    protocol = Protocol(lang, show=lambda text: print(text, end="", flush=True))
    with tempfile.TemporaryDirectory() as folder, world(way, Path(folder)) as outside:
        protocol.begun = time.perf_counter()
        protocol.step("an empty folder")
        status = play(protocol, ["setup"], outside.env, first_answers(outside))
        assert status == 1, "the service is not reached yet"
        protocol.step("the service is started (as the Procfile says)")
        with service(outside.port, outside.env):
            go_on(protocol, outside)
            protocol.step("everything is tried once more")
            assert play(protocol, ["doctor"], outside.env, []) == 0
            protocol.step("LINE")
            first_tap(protocol, outside.line)
    protocol.step(
        f"{protocol.prompts} prompts, {protocol.seconds / 60:.1f} minutes of the programs"
    )


if __name__ == "__main__":
    main()
