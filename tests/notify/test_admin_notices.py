import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from bot.demo_chat import DEMO_USERS
from bot.notify import admin
from bot.notify.admin import AGAIN, BEGIN, LOOK
from bot.runtime.translation import Message, japanese
from bot.service import Service
from bot.settings import read_settings
from bot.sync.run import SYNCED
from bot.tenhou.room import RoomMemory
from rating.logdates import JST
from storage.ports import Denied, StorageError, Unavailable
from tests.answers.world import LEAGUE, LOG
from tests.backend import Backend, close
from tests.fakes.line import fake_line
from tests.fakes.platform import Platform
from tests.sync.evenings import set_clock
from tests.sync.nights import Inline

PUSH = "/v2/bot/message/push"
QUOTA = "/v2/bot/message/quota"
ADMIN = DEMO_USERS[0].id
SECOND = DEMO_USERS[1].id
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
BROKEN = LOG + "C1934 | 22:00 | こわれた行\n"


class Killed(BaseException):
    pass


class Bot:
    """Processes of one bot, with a simulated LINE and a clock. `folder` is the log folder."""

    def __init__(self, home: Path, line: Platform, env: dict[str, str]) -> None:
        self.line = line
        self.env = env
        self.folder = home / "logs"
        self.now = datetime(2026, 11, 20, 21, 0, tzinfo=JST)
        self.services: list[Service] = []
        self.folder.mkdir()
        self.write("league.toml", 'rooms = ["C1017"]\n' + LEAGUE)
        self.write("logvol1.txt", LOG)

    def service(self) -> Service:
        made = Service(read_settings(self.env), lambda: self.now)
        made.admin_notices.pool = Inline()
        made.day_loop.ended = True  # no request to Tenhou here
        set_clock(made.state, lambda: self.now)
        made.line._sleep = lambda seconds: None
        self.services.append(made)
        return made

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, "utf-8")

    def pass_time(self, span: timedelta, step: timedelta = LOOK) -> None:
        end = self.now + span
        while self.now < end:
            self.now += step
            for service in self.services:
                service.background.run_once()

    def notices(self, user: str = ADMIN) -> list[str]:
        return [message["text"] for message in self.line.messages(user)]


@pytest.fixture
def bot(tmp_path: Path, backend: Backend) -> Iterator[Bot]:
    with fake_line("http://127.0.0.1:9/callback") as (line, env):
        files = {
            "LOGS_URL": f"file:{tmp_path / 'logs'}",
            "IMAGES_URL": f"file:{tmp_path / 'images'}",
        }
        variables = env | files | backend.env(tmp_path) | {"TENHOU_URL": "http://127.0.0.1:9"}
        variables.pop("REDIS_URL", None)
        made = Bot(tmp_path, line, variables)
        yield made
        for service in made.services:
            close(service)


def synced(bot: Bot, service: Service) -> None:
    service.state.values.put(SYNCED, bot.now.isoformat())


def test_many_processes_report_an_old_sync_once(bot: Bot) -> None:
    service = bot.service()
    synced(bot, service)
    bot.service()
    bot.pass_time(2 * DAY - HOUR, HOUR)
    assert bot.line.calls(PUSH) == []
    bot.pass_time(3 * DAY, 4 * HOUR)
    assert bot.notices() == [
        "11月20日(金) 21:00を最後に天鳳の結果を取り込めていないので、flask sync を実行して、原因を確認してください。"
    ]
    synced(bot, service)
    bot.pass_time(2 * HOUR)
    assert len(bot.notices()) == 1
    (past,) = service.state.faults.take_past("")
    assert (past.kind, (past.ended or 0) > past.since) == ("sync", True)
    assert service.state.faults.take_past("") == []


@pytest.mark.parametrize("room", [True, False])
def test_a_first_sync_that_never_comes_where_there_is_a_room(bot: Bot, room: bool) -> None:
    rooms = 'rooms = ["C1017"]\n' if room else ""
    bot.write("league.toml", rooms + LEAGUE)
    bot.service()
    bot.pass_time(2 * DAY, HOUR)
    assert bot.notices() == []
    bot.pass_time(3 * HOUR, HOUR)
    assert bot.notices() == ([admin.NEVER.said(japanese())] if room else [])


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("logvol1.txt", BROKEN.encode(), "logvol1.txt の4行目が読めず、その対局を数えていないので"),
        ("logvol1.txt", LOG.encode("cp932") + LOG.encode(), "logvol1.txt"),
        ("league.toml", LEAGUE.encode() + b"[", "league.toml の"),
        ("logvol1.txt", b"", "logvol1.txt の中身がなくなったので、1対1のトークの「状態」で"),
    ],
)
def test_a_file_that_can_t_be_read(bot: Bot, name: str, data: bytes, words: str) -> None:
    synced(bot, bot.service())
    bot.pass_time(HOUR)
    good = (bot.folder / name).read_bytes()
    (bot.folder / name).write_bytes(data)
    bot.pass_time(LOOK)
    assert bot.notices() == [], "somebody may be editing it"
    bot.pass_time(HOUR)
    assert len(bot.notices()) == 1
    assert words in bot.notices()[0]
    assert bot.notices()[0].count("。") == 1
    offers = [
        item["action"]["label"] for item in bot.line.messages(ADMIN)[0]["quickReply"]["items"]
    ]
    if data:
        assert offers == ["状態"]
    else:
        assert offers == ["この内容を使う", "状態"]
    (bot.folder / name).write_bytes(good)
    bot.pass_time(HOUR)
    assert len(bot.notices()) == 1


def test_of_one_kind_one_a_day(bot: Bot) -> None:
    synced(bot, bot.service())
    bot.write("logvol1.txt", BROKEN)
    bot.pass_time(HOUR)
    bot.write("logvol1.txt", BROKEN + BROKEN)
    bot.pass_time(HOUR)
    assert len(bot.notices()) == 1
    bot.pass_time(2 * HOUR)
    assert [notice.count("ほか1行") for notice in bot.notices()] == [0, 1]


@pytest.mark.parametrize(
    ("token", "renewed"), [("", "DROPBOX_REFRESH_TOKEN"), ("sl.x", "DROPBOX_ACCESS_TOKEN")]
)
def test_a_refused_token_of_dropbox_is_reported_at_once(
    bot: Bot, monkeypatch: pytest.MonkeyPatch, token: str, renewed: str
) -> None:
    service = bot.service()
    synced(bot, service)
    bot.pass_time(LOOK)
    logs = service.registry.known("").logs
    variables = {"DROPBOX_ACCESS_TOKEN": token}
    settings = replace(service.settings, logs_url="dropbox:/logs", store_variables=variables)
    monkeypatch.setattr(service, "settings", settings)
    monkeypatch.setattr(logs, "revisions", Mock(side_effect=Denied("no")))
    bot.pass_time(2 * LOOK)
    (notice,) = bot.notices()
    assert notice.startswith("Dropbox")
    assert renewed in notice


@pytest.mark.parametrize(
    ("error", "words"), [(Unavailable, admin.PICTURES), (Denied, admin.REFUSED)]
)
def test_the_pictures_store_is_away(
    bot: Bot, monkeypatch: pytest.MonkeyPatch, error: type[StorageError], words: Message
) -> None:
    service = bot.service()
    synced(bot, service)
    monkeypatch.setattr(service.images, "has", Mock(side_effect=error("no")))  # type: ignore[attr-defined]
    bot.pass_time(2 * HOUR)
    assert bot.notices() == [words.said(japanese())]


def test_a_short_outage_is_no_news(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    service = bot.service()
    synced(bot, service)
    bot.pass_time(LOOK)
    with monkeypatch.context() as patch:
        patch.setattr(
            service.registry.known("").logs, "revisions", Mock(side_effect=StorageError("no"))
        )
        bot.pass_time(4 * LOOK)
    bot.pass_time(HOUR)
    assert bot.notices() == []


def test_the_state_store_itself_is_away(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    services = [bot.service(), bot.service()]
    synced(bot, services[0])
    bot.pass_time(HOUR)
    with monkeypatch.context() as patch:
        for service in services:
            patch.setattr(service.state.database, "_around", Mock(side_effect=Unavailable("no")))
        bot.pass_time(timedelta(minutes=25), AGAIN)
        assert bot.notices() == []
        bot.pass_time(timedelta(minutes=60), AGAIN)
        assert bot.notices() == [admin.DATABASE.said(japanese())], (
            "each process sends it, LINE takes it once"
        )
    bot.pass_time(HOUR)
    assert len(bot.notices()) == 1
    (past,) = services[0].state.faults.take_past("")
    assert past.kind == "database"


def with_room(bot: Bot, room: str) -> tuple[Service, RoomMemory]:
    """A service whose league has this room of its own, which the test asks itself."""
    bot.env["TENHOU_ROOM_ID"] = f"{room}682512345678"
    service = bot.service()
    service.background._chores.pop("own_rooms")
    synced(bot, service)
    return service, RoomMemory.new(room, bot.now.replace(tzinfo=None))


def test_the_room_s_results_are_gone(bot: Bot) -> None:
    service, memory = with_room(bot, "C1017")
    for hours in (1, 11, 13):
        requested = bot.now.replace(tzinfo=None) + hours * HOUR
        memory = RoomMemory(
            **{**{f: getattr(memory, f) for f in memory.__slots__}, "requested": requested}
        )
        service.state.rooms.remember("", "C1017", memory.to_text())
        bot.pass_time(2 * LOOK)
        assert len(bot.notices()) == (hours == 13)
    assert "天鳳の部屋 C1017 の結果が12時間以上読めないので" in bot.notices()[0]
    assert "12345678" not in bot.notices()[0]


def test_a_room_that_league_toml_does_not_name(bot: Bot) -> None:
    service, memory = with_room(bot, "C1018")
    service.state.rooms.remember("", "C1018", memory.to_text())
    bot.pass_time(HOUR)
    (notice,) = bot.notices()
    assert notice.startswith("天鳳の部屋 C1018 が league.toml の rooms にないので")


def test_records_that_tenhou_does_not_give(bot: Bot) -> None:
    service = bot.service()
    synced(bot, service)
    records = service.state.records
    records.put("", ["a", "b", "c"], bot.now.timestamp())
    bot.pass_time(HOUR)
    assert bot.notices() == []
    for name in ("a", "b"):
        records.give_up("", name)
    bot.pass_time(HOUR)
    (notice,) = bot.notices()
    assert notice.startswith("天鳳から取れなかった牌譜が2件あるので")
    records.mark_fetched("", "c")
    bot.pass_time(HOUR)
    assert records.given_up("") == []
    assert [past.kind for past in service.state.faults.take_past("")] == ["records"]


def test_neither_none_nor_two_whatever_is_killed(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process ends before or after each of its writes, another takes over; LINE counts
    deliveries.
    """
    first = bot.service()
    synced(bot, first)
    first.registry.league().snapshot()
    bot.write("logvol1.txt", BROKEN)
    bot.pass_time(HOUR - LOOK)
    sent = len(bot.notices())
    for stop in range(40):
        bot.write("logvol1.txt", BROKEN + "# \n" * stop + "C1934 | 22:30 | もう一行\n")
        bot.pass_time(LOOK)  # the fault begins
        bot.now += DAY
        synced(bot, first)
        dying = bot.service()
        steps = [stop]

        def step(steps: list[int] = steps) -> None:
            steps[0] -= 1
            if steps[0] < 0:
                raise Killed

        def counted(
            real: Callable[..., Any], step: Callable[[], None] = step
        ) -> Callable[..., Any]:
            def call(*words: Any, **more: Any) -> Any:
                step()
                done = real(*words, **more)
                step()
                return done

            return call

        with monkeypatch.context() as patch:
            for name in ("write", "rows"):
                patch.setattr(
                    dying.state.database, name, counted(getattr(dying.state.database, name))
                )
            patch.setattr(dying.line, "push", counted(dying.line.push))
            ended = False
            with suppress(Killed):
                dying.admin_notices.round()
                ended = True
        bot.services.remove(dying)
        close(dying)
        first.admin_notices.round()
        sent += 1
        assert len(bot.notices()) == sent, f"after {stop} steps"
        if ended:
            assert stop > 5
            return
    raise AssertionError("the look never ended")


def test_line_s_blip_only_delays_it(bot: Bot) -> None:
    synced(bot, bot.service())
    bot.line.fail_next(PUSH, status=500, times=4)
    bot.write("logvol1.txt", BROKEN)
    bot.pass_time(HOUR)
    assert len(bot.notices()) == 1


def test_without_quota_nothing_is_sent_and_line_asked_once(bot: Bot) -> None:
    bot.line.pushed = 200
    synced(bot, bot.service())
    bot.write("logvol1.txt", BROKEN)
    bot.pass_time(5 * HOUR)
    assert bot.notices() == []
    quota_calls = [call for call in bot.line.calls(QUOTA) if call["path"] == QUOTA]
    assert len(quota_calls) == 1


def test_switched_off(bot: Bot) -> None:
    bot.env["ADMIN_NOTICES"] = "off"
    bot.service()
    bot.write("logvol1.txt", BROKEN)
    bot.pass_time(3 * DAY, HOUR)
    assert bot.line.calls(PUSH) == []


def test_each_league_s_own_admins(bot: Bot) -> None:
    """Of a host's leagues, the admins in the league's group are notified; the host's own faults go to
    all.
    """
    bot.env["ADMIN_USER_IDS"] = f"{ADMIN},{SECOND}"
    service = bot.service()
    synced(bot, service)
    other = bot.line.add_group("春風会", [SECOND])
    service.access.enrol(other, "spring")
    (bot.folder / "spring").mkdir()
    (bot.folder / "spring" / "logvol1.txt").write_text(BROKEN, "utf-8")
    bot.pass_time(HOUR)
    assert bot.notices() == []
    assert [notice.partition("）")[0] for notice in bot.notices(SECOND)] == ["（spring"]
    bot.pass_time(3 * DAY, HOUR)
    assert (len(bot.notices()), len(bot.notices(SECOND))) == (1, 2)
    assert json.dumps(bot.line.refused()) == "[]"


def test_the_first_look_waits_until_a_new_process_has_answered(bot: Bot) -> None:
    service = bot.service()
    bot.write("logvol1.txt", BROKEN)
    service.background.run_once()
    assert service.registry.in_memory("") is None
    bot.pass_time(BEGIN + AGAIN, AGAIN)
    assert service.registry.in_memory("") is not None
