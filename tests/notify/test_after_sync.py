import json
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from bot.chat.replies import Picture, Reply
from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from bot.dispatch.pictures import Pictures
from bot.league.snapshot import LeagueReader
from bot.service import Service
from storage.ports import Denied, StorageError
from storage.schema import NOTICES
from tests.backend import Backend, app
from tests.fakes.line import fake_line
from tests.fakes.platform import Platform
from tests.fakes.table_folder import TableFolder
from tests.fakes.tenhou import FakeTenhou
from tests.sync.worlds import NAMES, ROOM, Played, month, show

GAMES = month(40, date(2020, 5, 15), 3)
PUSH = "/v2/bot/message/push"
SEASONS = """
[[season]]
log = "logvol1.txt"
start = 2020-05-01
[[season]]
log = "logvol2.txt"
start = 2020-05-17
"""


class League:
    """A bot on a log folder, with a simulated LINE and Tenhou."""

    def __init__(
        self, folder: Path | TableFolder, tenhou: FakeTenhou, line: Platform, served: Flask
    ) -> None:
        self.folder = folder
        self.line = line
        self.tenhou = tenhou
        self.app = served
        self.folder.mkdir()
        self.toml("")

    def toml(self, more: str) -> None:
        (self.folder / "league.toml").write_text(f'rooms = ["{ROOM}"]\n{more}', "utf-8")

    @property
    def service(self) -> Service:
        made: Service = self.app.extensions["janroku"]
        return made

    def later(self) -> None:
        """Sync an hour later."""
        self.tenhou.clock.forward(hours=1)
        self.sync()

    def sync(self) -> None:
        result = self.app.test_cli_runner().invoke(args=["sync"])
        assert result.exit_code == 0, result.output

    @property
    def sent(self) -> list[Any]:
        return self.line.messages(DEMO_GROUP)

    @property
    def pushes(self) -> list[Any]:
        return self.line.calls(PUSH)

    def another_group(self, league: str = "") -> str:
        """Add another group, to the same league or to another one."""
        group = self.line.add_group("もうひとつ", [DEMO_USERS[0].id])
        self.service.access.enrol(group, league)
        return group


@pytest.fixture
def league(tmp_path: Path, backend: Backend, tenhou: FakeTenhou) -> Iterator[League]:
    show(tenhou, GAMES)
    urls = {"TENHOU_URL": tenhou.url, "PUBLIC_URL": "https://janroku.example"}
    ours = backend.files(tmp_path) | urls | backend.env(tmp_path)
    with (
        fake_line("http://127.0.0.1:9/callback") as (line, env),
        app(env | ours, tenhou.clock) as served,
    ):
        served.extensions["janroku"].line._sleep = lambda seconds: None
        yield League(backend.logs(tmp_path), tenhou, line, served)


def test_a_chart_lies_there_and_the_next_tap_is_warm(
    league: League, backend: Backend, tmp_path: Path
) -> None:
    league.sync()
    assert (league.folder / "charts" / "rating.png").read_bytes().startswith(b"\x89PNG")
    assert backend.pictures(tmp_path)
    assert league.sent == []


def test_the_digest_is_pushed_once_where_the_league_wants_it(league: League) -> None:
    league.toml("digest = true\n")
    league.sync()
    words, poster, buttons = league.sent
    assert words["text"].startswith("5月17日(日)の結果")
    assert poster["type"] == "image"
    assert buttons["altText"].startswith("5月17日(日)の全3戦：MVP")
    assert league.line.refused() == []
    league.later()
    assert len(league.sent) == 3
    database = league.service.state.database
    (noted,) = (row for row in database.rows(select(NOTICES)) if row.key.startswith("digest:"))
    assert noted.until - database.clock() > 400 * 86400.0, "games of its day may come so late"


def test_a_digest_goes_to_the_groups_of_its_own_league_alone(league: League) -> None:
    (league.folder / "north").mkdir()
    (league.folder / "north" / "league.toml").write_text(
        'rooms = ["C9999"]\ndigest = true\n', "utf-8"
    )
    north = league.another_group("north")
    league.toml("digest = true\n")
    league.sync()
    assert (len(league.sent), league.line.messages(north)) == (3, [])


def test_a_digest_arrives_once_though_never_noted(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = league.service.line
    push = line.push

    def sent_and_no_more(*words: Any) -> None:
        push(*words)
        raise StorageError("the database is away")

    league.toml("digest = true\n")
    with monkeypatch.context() as patched:
        patched.setattr(line, "push", sent_and_no_more)
        league.sync()
    league.later()
    assert [len(league.pushes), len(league.sent)] == [2, 3]


def test_a_digest_waits_for_a_folder_that_is_away(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read before lacks the new games, and has nothing of the day."""

    def away(reader: LeagueReader) -> bool:
        raise StorageError("the folder is away")

    league.toml("digest = true\n")
    league.service.registry.league("").snapshot()
    with monkeypatch.context() as outage:
        outage.setattr(LeagueReader, "follow", away)
        league.sync()
    assert league.sent == []
    league.later()
    assert league.sent[0]["text"].startswith("5月17日(日)の結果")


def test_a_poster_that_can_not_be_drawn_costs_the_digest_nothing(
    league: League, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(poster: Any) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr("bot.answers.recaps.poster_picture.draw", broken)
    league.toml("digest = true\n")
    league.sync()
    words, figures = league.sent
    assert words["text"].startswith("5月17日(日)の結果")
    assert figures["altText"].startswith("5月17日(日)")
    assert "a picture could not be drawn" in caplog.text


def test_no_digest_beyond_the_months_quota(
    league: League, caplog: pytest.LogCaptureFixture
) -> None:
    league.line.pushed = 195
    league.toml("digest = true\n")
    league.sync()
    assert league.sent == []
    assert "no digest" in caplog.text


def test_a_season_that_has_ended_gets_its_report_once(league: League) -> None:
    league.toml(SEASONS)
    league.sync()
    sent = league.sent
    assert [message["type"] for message in sent] == ["image", "flex"]
    assert "第1シーズンのまとめ" in sent[1]["altText"]
    assert league.line.refused() == []
    league.later()
    assert len(league.sent) == 2


def test_seasons_long_past_get_no_report(league: League) -> None:
    """A league that starts with old logs gets no report of the seasons in them."""
    game = f"{ROOM} | 12:00 | 三般南喰赤－ | a(+50.0) b(0.0) c(-50.0)\n"
    for number, day in ((1, "20200401"), (2, "20200501")):
        (league.folder / f"logvol{number}.txt").write_text(f"{day}\n{game}", "utf-8")
    league.sync()
    assert league.sent == []


@pytest.mark.parametrize("toml", ["digest = true\n", SEASONS], ids=["digest", "season report"])
def test_a_push_names_nobody_where_names_are_hidden(
    league: League, monkeypatch: pytest.MonkeyPatch, toml: str
) -> None:
    """Neither in its text nor in its pictures, while another group gets the names."""
    charts: dict[str, str] = {}
    stored = Pictures.stored

    def noted(pictures: Pictures, reply: Reply) -> Reply:
        addressed = stored(pictures, reply)
        for part in addressed.parts:
            if isinstance(part, Picture):
                charts[part.url] = repr(part)
        return addressed

    monkeypatch.setattr(Pictures, "stored", noted)
    hidden = league.another_group()
    league.service.state.chats.hide_names(hidden, True)
    league.toml(toml)
    league.sync()
    for chat, names in ((DEMO_GROUP, True), (hidden, False)):
        sent = league.line.messages(chat)
        urls = [message["originalContentUrl"] for message in sent if message["type"] == "image"]
        texts = json.dumps(sent, ensure_ascii=False)
        content = texts + "".join(charts[url] for url in urls)
        assert urls
        assert any(name in content for name in NAMES) == names


def test_one_failing_step_is_done_alone_next_time(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    league.toml("digest = true\n" + SEASONS)
    pictures = league.service.pictures
    real = pictures.keep
    refused = [True]

    def keep(picture: Any, drawn: bytes | None) -> str:
        if refused[0]:
            raise StorageError("the bucket is away")
        return real(picture)

    monkeypatch.setattr(pictures, "keep", keep)
    league.sync()
    assert [message["type"] for message in league.sent][:1] == ["text"]  # the digest
    assert not (league.folder / "charts" / "rating.png").exists()
    refused[0] = False
    league.later()
    assert (league.folder / "charts" / "rating.png").exists()
    digests = [push for push in league.pushes if push["request"]["messages"][0]["type"] == "text"]
    assert len(digests) == 1  # there is not even another request to LINE


def test_a_season_s_report_is_not_lost_where_line_blips(league: League) -> None:
    league.toml(SEASONS)
    league.line.fail_next(PUSH, status=500, times=4)
    league.sync()
    assert league.sent == []
    league.later()  # this sync brings no new game
    assert [message["type"] for message in league.sent] == ["image", "flex"]
    league.later()
    assert len(league.sent) == 2


def test_one_group_s_failure_skips_no_other(league: League) -> None:
    league.toml("digest = true\n")
    group = league.another_group()
    league.line.fail_next(PUSH, status=400)
    league.sync()
    got = [chat for chat in (DEMO_GROUP, group) if league.line.messages(chat)]
    assert len(got) == 1  # LINE refused the other group's, so it is not tried again
    before = len(league.pushes)
    league.later()
    assert len(league.pushes) == before


@pytest.mark.parametrize("error", [Denied, StorageError])
def test_a_refusal_is_final(
    league: League, monkeypatch: pytest.MonkeyPatch, error: type[StorageError]
) -> None:
    quotas: list[str] = []

    def keep(picture: Any, drawn: bytes | None) -> str:
        quotas.append(picture.alt)
        raise error("not now")

    monkeypatch.setattr(league.service.pictures, "keep", keep)
    league.sync()
    before = len(quotas)
    assert before
    league.later()
    assert (len(quotas) == before) == (error is Denied)


def test_a_day_with_tables_of_three_and_four_is_told_whole(league: League) -> None:
    four = f"{ROOM} | 23:10 | 四般東喰赤－ | 東(+45.0) 南(+5.0) 西(-15.0) 北(-35.0)"
    show(
        league.tenhou,
        [
            *GAMES,
            Played(
                date(2020, 5, 17),
                four,
                datetime(2020, 5, 17, 23, 50),
            ),
        ],
    )
    league.toml("digest = true\n")
    league.sync()
    message, *posters = league.sent
    assert [poster["type"] for poster in posters] == ["image", "image"]
    three_players, _, four_players = message["text"].partition("四人打ち\n")
    assert three_players.startswith("三人打ち\n5月17日(日)の結果")
    assert "（1戦）" in four_players
    assert "東 +45.0 (トップ1 2着0 3着0 ラス0)" in four_players
