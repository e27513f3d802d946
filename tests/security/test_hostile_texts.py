"""What members and editors may send (talk, names, postbacks, logs, records) is read in time."""

import math
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import pytest

from bot.answers.catalogue import FEATURES
from bot.answers.common.faults import in_japanese
from bot.answers.common.members import key
from bot.chat.command import LONGEST, Command
from bot.dispatch.router import Router
from bot.league.check import ignored
from bot.line.webhook import Event
from bot.tenhou.client import TenhouError, parse_index
from rating.league_edit import Setting, apply
from rating.league_file import LeagueError, parse_ratings
from rating.paifu.formats import parse as parse_record
from rating.paifu.tiles import PaifuError
from rating.roomlog import parse as parse_log
from rating.teamlog import parse as parse_teamlog
from tests.fakes.speed import slowness

pytestmark = pytest.mark.any_backend("reads texts; nothing is kept")

USER = "U" + "1" * 32
GROUP = "C" + "2" * 32
NAMES = {key(name): name for name in ("みどり", "のの", "と", "は")}
PARTS = (
    "ー",
    "は",
    "の",
    "と",
    "〜",
    "~",
    " ",
    "\n",
    "1",
    "1/",
    "月",
    "からの",
    "は何位",
    "今月",
    "収支",
    "収支 ",
    "みどり",
    "😂",
    "危険度 ",
    "1m",
    "1z ",
    "http://tenhou.net/0/?log=",
    "2020051820gm-0009-1234-",
    "[",
    "[[season]]\n",
    '"',
    "'''",
    '"""\\',
    "#",
    "C1234 | 20:00 | 三 | a(1) ",
    "a(1)",
    "(",
    "20200101",
    "\\",
    "<",
    "<a ",
    "&",
    "=",
    ".",
    "logvol1",
    "league(",
    "\x00",
    "\u3000",
)
BEGINS = (
    "",
    "収支 ",
    "みどりの",
    "危険度 ",
    "#",
    "C1234 | 20:00 | 三 | ",
    "name = ",
    '"',
    "x)",
    "list([",
    "<mjloggm ",
)
TEXTS = [begin + (part * 5_000)[:5_000] + "!" for part in PARTS for begin in BEGINS]
ROUTER = Router(FEATURES, lambda chat: NAMES, lambda chat, message: "request_sum?season=1")


def _event(text: str, chat: str = GROUP, **more: str) -> Event:
    return Event(
        "1",
        "message",
        chat,
        USER,
        "t",
        0.0,
        message_type="text",
        text=text,
        **more,
    )


def _of_file(name: str) -> Command | None:
    return ROUTER.command_of(
        Event("1", "message", USER, USER, "t", 0.0, message_type="file", file_name=name)
    )


def _changed(text: str) -> None:
    with suppress(LeagueError):
        apply(text, Setting("model", "tenhou"))
    try:
        apply('name = "x"\n# ' + text.replace("\n", " "), Setting("model", "tenhou"))
    except LeagueError as error:
        in_japanese(error)


def _record(text: str) -> None:
    with suppress(PaifuError):
        parse_record(text.encode())


def _index(text: str) -> None:
    with suppress(TenhouError):
        parse_index(text)


def _short_talk(text: str) -> None:
    for length in (LONGEST, 40):
        ROUTER.command_of(_event(text[:length]))


READERS: dict[str, Callable[[str], object]] = {
    "talk in a group": lambda text: ROUTER.command_of(_event(text)),
    "talk in the 1:1 chat": lambda text: ROUTER.command_of(_event(text, USER)),
    "a quoting text": lambda text: ROUTER.command_of(_event(text, quoted="1")),
    "short talk": _short_talk,
    "a postback": lambda text: ROUTER.from_postback(f"request_sum?season={text}&{text}"),
    "a file's name": _of_file,
    "names in the folder": lambda text: list(ignored([text[:200]], [text[:200]])),
    "a season log": lambda text: parse_log("logvol1.txt", text.encode()),
    "teamlog.txt": parse_teamlog,
    "rating.txt": parse_ratings,
    "league.toml": _changed,
    "a record": _record,
    "Tenhou's list": _index,
}
# Of processor time on a machine as fast as the reference: each text takes a few milliseconds,
# and minutes where a pattern is not linear.
SECONDS = 0.1


def _slow(
    read: Callable[[str], object],
    texts: Iterable[str],
) -> Iterable[tuple[float, str]]:
    limit = SECONDS * slowness()
    for text in texts:
        seconds = math.inf
        for _again in range(3):  # the slow reading of a busy machine is not slow twice more
            began = time.process_time()
            read(text)
            if (seconds := min(seconds, time.process_time() - began)) <= limit:
                break
        else:
            yield seconds, text[:40]


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_is_fast(reader: str) -> None:
    assert list(_slow(READERS[reader], TEXTS)) == []


@pytest.mark.parametrize("part", [part for part in PARTS if "://" not in part])
def test_what_is_longer_than_a_command_is_none(part: str) -> None:
    long = "収支 " + part * 100 + "!"
    assert ROUTER.command_of(_event(long)) is None
    assert ROUTER.command_of(_event(long, quoted="1")) is None
    assert ROUTER.command_of(_event(long, USER)) == Command("unknown")


def test_a_command_has_at_most_sixty_characters() -> None:
    whole = "収支" + " 9月" * 29
    assert len(whole[:LONGEST]) == LONGEST == 60
    assert ROUTER.command_of(_event(whole[:60])) is not None
    assert ROUTER.command_of(_event(whole[:60] + "月")) is None


def test_three_rivers_fit_into_one_message() -> None:
    text = f"危険度 {'1m9p' * 7} {'1z2m3p4s' * 4} {'5z6m7p8s' * 4} {'9s1p2z3m' * 4}"
    assert len(text) > LONGEST
    command = ROUTER.command_of(_event(text))
    assert command is not None
    assert (command.name, len(command.rest)) == ("danger", 4)
