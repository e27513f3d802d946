"""An admin sends a season log or league.toml as a file, confirms it, and gets the files back; nobody else
can."""

import urllib.request

import pytest

from bot.answers.admin import log_files
from bot.answers.admin.confirm import ADMIN_ONLY, DONE, EXPIRED, STOPPED
from bot.demo_chat import DEMO_GROUP
from tests.answers.world import ADMIN, LEAGUE, LOG, MEMBER, Json, World, links, taps, words_of

MORE = LOG + "C1934 | 21:00 | 三般南喰赤－ | 白發中(+44.0) 両面待ち(+1.0) みどり一色(-45.0)\n"


def send(world: World, name: str, data: bytes | str, user: str = ADMIN, chat: str = ADMIN) -> list[Json]:
    content = data.encode() if isinstance(data, str) else data
    return world.answers(world.platform.send_file(chat, user, name, content))


def confirmed(world: World, shown: list[Json], label: str = "確定") -> str:
    return words_of(world.tap(taps(shown)[label], ADMIN, ADMIN))


def test_a_log_is_shown_first_and_written_when_confirmed(world: World) -> None:
    shown = send(world, "logvol1.txt", MORE)
    assert world.read("logvol1.txt") == LOG
    for words in ("logvol1.txt を置き換えますか？", "3戦", "2戦", "前の内容は残しておきます"):
        assert words in words_of(shown)
    assert confirmed(world, shown) == "logvol1.txt を書き込みました。"
    assert world.read("logvol1.txt") == MORE
    assert world.read("history/logvol1.txt/00.txt") == LOG
    assert "3戦" in words_of(world.tap("request_sum"))
    assert confirmed(world, shown) == EXPIRED
    # A first log is added.
    shown = send(world, "LOGVOL2.TXT", MORE.encode("cp932"))
    assert "logvol2.txt を加えますか？" in words_of(shown)
    confirmed(world, shown)
    assert world.read("logvol2.txt") == MORE, "in UTF-8"


def test_a_league_toml_is_checked_before_it_is_shown(world: World) -> None:
    said = words_of(send(world, "league.toml", LEAGUE + "[player\n"))
    assert "league.toml に間違いがあります" in said
    assert "確定" not in taps(send(world, "league.toml", "name = 3\n"))
    shown = send(world, "league.toml", LEAGUE.replace("雀録杯", "春風会"))
    confirmed(world, shown)
    assert 'name = "春風会"' in world.read("league.toml")


UNUSABLE: tuple[tuple[bytes | str, str], ...] = (
    (LOG.encode("cp932") + LOG.encode(), "文字として読めません"),
    (b"\0" * 100, "文字として読めません"),
    ("# 4/1\n", "対局が1戦もありません"),
    ("", "対局が1戦もありません"),
    (LOG, "いまの内容と同じです"),
)


def test_what_cannot_be_used_is_said_and_loses_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for data, words in UNUSABLE:
        shown = send(world, "logvol1.txt", data)
        assert words in words_of(shown)
        assert "確定" not in taps(shown)
        assert world.read("logvol1.txt") == LOG
    shown = send(world, "logvol1.txt", LOG + "C1934 | 22:00 | こわれた行\n")
    assert "1行（最初は4行目）" in words_of(shown), "lines that can't be read"
    monkeypatch.setattr(log_files, "LARGEST", 100)
    assert words_of(send(world, "logvol1.txt", MORE)) == log_files.TOO_LARGE


def test_what_was_written_meanwhile_is_not_lost(world: World) -> None:
    shown = send(world, "logvol1.txt", MORE)
    world.write("logvol1.txt", LOG + "# 別の人\n")
    assert confirmed(world, shown) == log_files.MEANWHILE.format("logvol1.txt")
    assert world.read("logvol1.txt") == LOG + "# 別の人\n"


def test_stopped_and_done_twice(world: World) -> None:
    shown = send(world, "logvol1.txt", MORE)
    assert confirmed(world, shown, "やめる") == STOPPED
    assert confirmed(world, shown) == EXPIRED
    assert world.read("logvol1.txt") == LOG
    shown = send(world, "logvol1.txt", MORE)
    world.write("logvol1.txt", MORE)
    assert confirmed(world, shown) == DONE


def test_only_an_admin_and_only_alone(world: World) -> None:
    assert words_of(send(world, "logvol1.txt", MORE, MEMBER, MEMBER)) == ADMIN_ONLY
    world.platform.send_file(DEMO_GROUP, ADMIN, "logvol1.txt", MORE.encode())
    assert words_of(world.say("記録ファイル", MEMBER, MEMBER)) == ADMIN_ONLY
    assert words_of(world.say("記録ファイル", ADMIN)) == log_files.ALONE
    shown = send(world, "logvol1.txt", MORE)
    assert words_of(world.tap(taps(shown)["確定"], MEMBER, MEMBER)) == ADMIN_ONLY
    assert world.read("logvol1.txt") == LOG


def test_the_files_come_back_as_they_are(world: World) -> None:
    world.write("teamlog.txt", "# 2対2\n")
    world.write("notes.md", "x")
    (message,) = world.say("記録ファイル", ADMIN, ADMIN)
    assert [name for name, _ in links(message)] == ["logvol1.txt", "league.toml", "teamlog.txt"]
    for name, link in links(message):
        with urllib.request.urlopen(link, timeout=5) as answer:
            assert answer.read().decode() == world.read(name)
            assert answer.headers["Content-Disposition"] == f"attachment; filename={name}"
