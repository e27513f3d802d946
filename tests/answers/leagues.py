"""Leagues in memory, and a way to ask questions about them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from types import SimpleNamespace
from typing import Any

from bot.answers.catalogue import CATALOGUE, FEATURES
from bot.answers.common.typed import understood
from bot.chat.access import ChatAccess
from bot.chat.command import Asker, Command, Question, Tools
from bot.chat.links import LeagueLinks
from bot.chat.replies import Picture, Reply, Stored, Table, UserError
from bot.dispatch.pictures import with_addresses
from bot.dispatch.router import Router
from bot.league.demo import demo_files
from bot.league.repository import LeagueRegistry, LeagueRepository
from bot.line.messages import messages
from bot.tenhou.paifu_fetcher import PaifuFetcher
from bot.tenhou.room_now import RoomAsker
from rating.games import Game, Seat
from rating.logdates import JST
from rating.roomlog import format_game
from storage.ports import FRESH, LogFile, NotFound
from storage.state import open_state
from tests.schema import objects

Json = dict[str, Any]
Names = tuple[str, ...]
Files = Mapping[str, bytes]
NOW = datetime(2026, 11, 5, 21, 0, tzinfo=JST)
NINE = (
    "みどり",
    "白發中",
    "東風",
    "まん|がん",
    "両面待ち",
    "さくら",
    "m9(-Д-)",
    "ぽん&ちー",
    "海底丸",
)
LONG = ("国士無双十三面", "夏海里伽子（本人", "＠＃＆％＝＋？／", "WWWWWWWW", "🀄🀅🀆🀇🀈🀉🀊🀋")


@dataclass
class MemoryLogs:
    """A LogSource of fixed files that must not be written."""

    files: Files
    fresh: float = FRESH

    def revisions(self) -> dict[str, str]:
        return {name: str(hash(data)) for name, data in self.files.items()}

    def folders(self) -> set[str]:
        return set()

    def read(self, name: str) -> LogFile:
        if name not in self.files:
            raise NotFound(name)
        return LogFile(name, str(hash(self.files[name])), self.files[name])

    def write(self, *_: object) -> Any:
        raise AssertionError("an answer that reads must not write")

    overwrite = remove = write


FIRST = date(2026, 9, 1)


def log_of(
    players: Names, games: int, seats: int = 3, chips: bool = True, first: date = FIRST
) -> bytes:
    """A season log of `games` games, eight a day. The scores and chips of each game sum to 0."""
    rng = random.Random(len(players) * 1000 + games)
    lines = []
    rule = "三般南喰赤祝" if chips else "三般南喰赤－"
    for number in range(games):
        if number % 8 == 0:
            lines.append(f"{first + timedelta(days=number // 8):%Y%m%d}")
        table = rng.sample(players, min(seats, len(players)))
        table += ["NoName"] * (seats - len(table))
        scores = sorted(
            (float(rng.randrange(-60, 60)) for _ in range(seats - 1)),
            reverse=True,
        )
        scores = sorted([*scores, -sum(scores)], reverse=True)
        won = [rng.randrange(-3, 4) for _ in range(seats - 1)]
        counts = [*won, -sum(won)] if chips else [None] * seats
        columns = zip(table, scores, counts, strict=True)
        seated = tuple(Seat(player, score, chips) for player, score, chips in columns)
        start = time(19 + number % 8 // 4, number % 4 * 15)
        lines.append(format_game(Game(seated, None, start, "C1934", rule)))
    return ("\n".join(lines) + "\n").encode()


def undated() -> bytes:
    """A season log without the lines of days."""
    lines = log_of(NINE, 30).split(b"\n")
    return b"\n".join(line for line in lines if b"|" in line)


def twenty() -> Names:
    return (*LONG, *NINE, "春", "なつ", "あき男", "冬将軍", "αβγ", "リーチ棒")


TEAMS = '[team."東家"]\nmembers = ["みどり", "東風"]\n[team."西家"]\nmembers = ["白發中"]\n[rules]\nchip = 2.0\n'
TEAMLOG = "2026-09-04 | みどり 白發中 東風 両面待ち | o x o\n2026-09-05 | みどり 白發中 東風 海底丸 | x - o\n"

LEAGUES: dict[str, dict[str, bytes]] = {
    "empty": {},
    "one game": {"logvol1.txt": log_of(NINE[:3], 1)},
    "one player": {"logvol1.txt": log_of(NINE[:1], 40)},
    "guests only": {"logvol1.txt": log_of((), 12)},
    "nine": {
        "logvol1.txt": log_of(NINE, 200, chips=False, first=date(2026, 1, 3)),
        "logvol2.txt": log_of(NINE, 160),
        "league.toml": TEAMS.encode(),
        "teamlog.txt": TEAMLOG.encode(),
    },
    "twenty": {
        "logvol1.txt": log_of(twenty(), 400),
        "logvol2.txt": log_of(twenty()[:7], 20, seats=4),
    },
    "long names": {
        "logvol1.txt": log_of(LONG, 60),
        "league.toml": "".join(f'[player."{p}"]\nname = "{p * 8}"\n' for p in LONG).encode(),
    },
    "undated": {"logvol1.txt": undated()},
    "demo": demo_files(),
}


ROUTER = Router(FEATURES)


@dataclass
class Asked:
    """An answer as a reply, as LINE's messages, and the files its links lead to."""

    reply: Reply
    messages: list[Json]
    files: dict[str, Stored]
    refused: bool

    @property
    def pictures(self) -> list[Picture]:
        return [part for part in self.files.values() if isinstance(part, Picture)]

    @property
    def chart(self) -> Any:
        """What the last picture shows."""
        return self.pictures[-1].chart

    @property
    def tables(self) -> list[Table]:
        return [part for part in self.reply.parts if isinstance(part, Table)]

    @property
    def table(self) -> Table:
        """The first table."""
        return self.tables[0]

    @property
    def words(self) -> str:
        """Every text a member reads."""
        keys = ("text", "altText", "label")
        texts = [found.get(key) for found in objects(self.messages) for key in keys]
        return "\n".join(text for text in texts if isinstance(text, str))

    @property
    def choices(self) -> list[Json]:
        """Every postback and calendar in rows, buttons and quick replies."""
        kinds = ("postback", "datetimepicker")
        return [found for found in objects(self.messages) if found.get("type") in kinds]

    @property
    def taps(self) -> dict[str, str]:
        """The choices' labels -> their data; of several alike the first."""
        return {tap["label"]: tap["data"] for tap in reversed(self.choices)}


def no_turn(*_: object) -> Any:
    """In the place of a turn at Tenhou: it is free at once."""
    return nullcontext(lambda: None)


@cache
def _repository(league: str) -> LeagueRepository:
    return LeagueRepository(MemoryLogs(LEAGUES[league]))


class LeagueWorld:
    """A league and a user who asks. `me` is the member this user is, "" for an unknown one."""

    def __init__(
        self,
        files: Files,
        me: str = "",
        group: bool = True,
        repository: LeagueRepository | None = None,
    ) -> None:
        """With `repository` the league is one that another world has read, with what was computed
        of it.
        """
        self.repository = repository or LeagueRepository(MemoryLogs(files))
        self.state = open_state("sqlite://")
        access = ChatAccess(self.state.chats, lambda chat, user: False, frozenset(), frozenset())
        registry = LeagueRegistry(lambda folder: self.repository.logs, 8)
        parts: Any = SimpleNamespace(
            state=self.state,
            access=access,
            registry=registry,
            paifus=PaifuFetcher("http://127.0.0.1:9", self.state, no_turn),
            rooms=RoomAsker(self.state, lambda league: None, no_turn, lambda: NOW, ""),
            links=LeagueLinks(
                access, self.state.values, "secret", 30, lambda: "https://bot.example"
            ),
        )
        self.tools = Tools(
            "", self.repository, parts, lambda message, most: None, lambda chat, user: "LINEの名前"
        )
        user = "U" + "1" * 32
        self.asker = Asker("C" + "2" * 32 if group else user, user, player=me)
        access.enrol(self.asker.chat)

    @classmethod
    def again(cls, league: str, me: str = "", group: bool = True) -> LeagueWorld:
        """One of LEAGUES, with what earlier tests had computed of it."""
        return cls(LEAGUES[league], me, group, _repository(league))

    def question(self, command: Command) -> Question:
        snapshot = self.repository.snapshot()
        return Question(
            command, snapshot, self.repository.ratings(snapshot), self.asker, NOW, CATALOGUE
        )

    def reply(self, command: Command) -> Reply:
        """The reply to a command, from its action or its answer."""
        question = understood(self.question(command))
        spec = CATALOGUE[question.command.name]
        if spec.action is not None:
            return spec.act(question, self.tools)
        assert spec.answer is not None
        return spec.answer(question)

    def ask(self, what: str) -> Asked:
        """The answer to a postback's data or to typed words."""
        command = ROUTER.from_postback(what) or ROUTER.from_words(what)
        assert command is not None, f"{what} asks nothing"
        refused = False
        try:
            reply = self.reply(command)
        except UserError as error:
            reply = error.reply
            refused = True
        files: dict[str, Stored] = {}

        def url_of(part: Stored) -> str:
            url = "https://example.com/" + part.key("1|secret")
            files[url] = part
            return url

        return Asked(reply, messages(with_addresses(reply, url_of)), files, refused)


def world(
    *lines: str,
    toml: str = "",
    me: str = "",
    **files: str,
) -> LeagueWorld:
    """A league with these lines (days, and games of `game`) in its first log, and other files."""
    texts = {"logvol1.txt": "\n".join(lines) + "\n", "league.toml": toml, **files}
    return LeagueWorld({name: text.encode() for name, text in texts.items()}, me)


def game(*seats: str, at: str = "20:00") -> str:
    """The line of a game of three or four seats, such as `甲(+40.0)`, `乙(0.0,+2枚)`."""
    kind = "三般南喰赤－" if len(seats) == 3 else "四般南喰赤－"
    return f"C1934 | {at} | {kind} | {' '.join(seats)}"
