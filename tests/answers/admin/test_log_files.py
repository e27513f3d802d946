"""An admin sends a log or league.toml, gets files back, and accepts one that has lost games, or
undoes it.
"""

import urllib.request
from pathlib import Path

import pytest

from bot.answers.admin import log_files
from bot.answers.admin.losses import BACK, MEANWHILE, TAKEN, WELL
from bot.answers.common.confirm import DONE, EXPIRED, STOPPED
from bot.chat.command import ADMIN_ONLY
from bot.demo_chat import DEMO_GROUP
from bot.league.files import read_version, versions
from tests.answers.world import (
    ADMIN,
    LEAGUE,
    LOG,
    MEMBER,
    BotWorld,
    Json,
    links,
    opened,
    taps,
    words_of,
)
from tests.backend import Backend

MORE = LOG + "C1934 | 21:00 | 三般南喰赤－ | 白發中(+44.0) 両面待ち(+1.0) みどり一色(-45.0)\n"


def send(
    world: BotWorld, name: str, data: bytes | str, user: str = ADMIN, chat: str = ADMIN
) -> list[Json]:
    content = data.encode() if isinstance(data, str) else data
    return world.answers(world.platform.send_file(chat, user, name, content))


def confirmed(world: BotWorld, shown: list[Json], label: str = "確定") -> str:
    return words_of(world.tap(taps(shown)[label], ADMIN, ADMIN))


def test_a_log_is_shown_first_and_written_when_confirmed(world: BotWorld) -> None:
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


def test_a_league_toml_is_checked_before_it_is_shown(world: BotWorld) -> None:
    said = words_of(send(world, "league.toml", LEAGUE + "[player\n"))
    assert "league.toml に間違いがあります" in said
    assert "確定" not in taps(send(world, "league.toml", "name = 3\n"))
    shown = send(world, "league.toml", LEAGUE.replace("雀録杯", "春風会"))
    confirmed(world, shown)
    assert 'name = "春風会"' in world.read("league.toml")


UNUSABLE: dict[bytes | str, str] = {
    **dict.fromkeys(
        (LOG.encode("cp932") + LOG.encode(), b"\0" * 100),
        "文字として読めません",
    ),
    **dict.fromkeys(("# 4/1\n", ""), "対局が1戦もありません"),
    LOG: "いまの内容と同じです",
}


def test_what_cannot_be_used_is_said_and_loses_nothing(
    world: BotWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    for data, words in UNUSABLE.items():
        shown = send(world, "logvol1.txt", data)
        assert words in words_of(shown)
        assert "確定" not in taps(shown)
        assert world.read("logvol1.txt") == LOG
    shown = send(world, "logvol1.txt", LOG + "C1934 | 22:00 | こわれた行\n")
    assert "1行（最初は4行目）" in words_of(shown), "lines that can't be read"
    monkeypatch.setattr(log_files, "LARGEST", 100)
    assert words_of(send(world, "logvol1.txt", MORE)) == log_files.TOO_LARGE


def test_what_was_written_meanwhile_is_not_lost(world: BotWorld) -> None:
    shown = send(world, "logvol1.txt", MORE)
    world.write("logvol1.txt", LOG + "# 別の人\n")
    assert confirmed(world, shown) == log_files.MEANWHILE.format("logvol1.txt")
    assert world.read("logvol1.txt") == LOG + "# 別の人\n"


def test_stopped_and_done_twice(world: BotWorld) -> None:
    shown = send(world, "logvol1.txt", MORE)
    assert confirmed(world, shown, "やめる") == STOPPED
    assert confirmed(world, shown) == EXPIRED
    assert world.read("logvol1.txt") == LOG
    shown = send(world, "logvol1.txt", MORE)
    world.write("logvol1.txt", MORE)
    assert confirmed(world, shown) == DONE


def test_only_an_admin_and_only_alone(world: BotWorld) -> None:
    assert words_of(send(world, "logvol1.txt", MORE, MEMBER, MEMBER)) == ADMIN_ONLY
    world.platform.send_file(DEMO_GROUP, ADMIN, "logvol1.txt", MORE.encode())
    assert words_of(world.say("記録ファイル", MEMBER, MEMBER)) == ADMIN_ONLY
    assert words_of(world.say("記録ファイル", ADMIN)) == log_files.ALONE
    shown = send(world, "logvol1.txt", MORE)
    assert words_of(world.tap(taps(shown)["確定"], MEMBER, MEMBER)) == ADMIN_ONLY
    assert world.read("logvol1.txt") == LOG


def test_a_file_is_confirmed_in_its_own_chat_alone(tmp_path: Path, backend: Backend) -> None:
    with opened(tmp_path, backend, {"ADMIN_USER_IDS": f"{ADMIN},{MEMBER}"}) as world:
        world.write("league.toml", LEAGUE)
        world.write("logvol1.txt", LOG)
        button = taps(send(world, "logvol1.txt", MORE))["確定"]
        assert words_of(world.tap(button, MEMBER, MEMBER)) == EXPIRED
        assert world.read("logvol1.txt") == LOG
        assert words_of(world.tap(button, ADMIN, ADMIN)) == "logvol1.txt を書き込みました。"


def test_a_file_is_confirmed_for_its_own_league_alone(world: BotWorld) -> None:
    """Meanwhile the admin's chat asks for another league, whose log has the same name."""
    button = taps(send(world, "logvol1.txt", MORE))["確定"]
    world.write("north/logvol1.txt", LOG)
    world.service.access.enrol(ADMIN, "north")
    assert words_of(world.tap(button, ADMIN, ADMIN)) == EXPIRED
    assert world.read("north/logvol1.txt") == world.read("logvol1.txt") == LOG


def test_the_files_come_back_as_they_are(world: BotWorld) -> None:
    world.write("teamlog.txt", "# 2対2\n")
    world.write("notes.md", "x")
    (message,) = world.say("記録ファイル", ADMIN, ADMIN)
    assert [name for name, _ in links(message)] == ["logvol1.txt", "league.toml", "teamlog.txt"]
    for name, link in links(message):
        with urllib.request.urlopen(link, timeout=5) as answer:
            assert answer.read().decode() == world.read(name)
            assert answer.headers["Content-Disposition"] == f"attachment; filename={name}"


NAME = "logvol1.txt"
GAME = LOG.splitlines(keepends=True)[1]
WHOLE = LOG + "".join(GAME.replace("20:00", f"{hour}:15") for hour in range(10, 20))
USE = "この内容を使う"
UNDO = "元に戻す"


def lose(
    world: BotWorld,
    left: str = LOG,
    name: str = NAME,
) -> dict[str, str]:
    """A hand takes games out of a log that was known; the buttons of the form that an admin is
    shown.
    """
    world.write(NAME, WHOLE)
    world.tap("request_sum")
    world.write(name, left)
    return taps(ask(world))


def ask(world: BotWorld) -> list[Json]:
    return world.tap(
        taps(world.say("状態", ADMIN, ADMIN))[USE],
        ADMIN,
        ADMIN,
    )


def tap(world: BotWorld, data: str, user: str = ADMIN) -> str:
    return words_of(world.tap(data, user, user))


@pytest.mark.parametrize(
    ("button", "said", "games"),
    [(USE, TAKEN, 2), (UNDO, BACK, 12)],
)
def test_the_choice_is_shown_and_made_once(
    world: BotWorld, button: str, said: str, games: int
) -> None:
    lose(world)
    shown = ask(world)
    for words in (f"{NAME} をいまの内容で使いますか？", "12戦", "2戦", "なくなる", "10戦"):
        assert words in words_of(shown)
    assert len(shown) == 1, "the form tells it; no notice beside it"
    assert "12戦" in words_of(world.tap("request_sum"))
    assert tap(world, taps(shown)[button]) == said.format(NAME)
    assert world.read(NAME) == (WHOLE if games == 12 else LOG)
    assert f"{games}戦" in words_of(world.tap("request_sum"))
    assert USE not in taps(world.say("状態", ADMIN, ADMIN))
    assert tap(world, taps(shown)[USE]) in (DONE, MEANWHILE.format(NAME))
    assert tap(world, "request_lost") == WELL
    logs = world.service.registry.known("").logs
    names = [version.name for version in versions(logs, NAME)]
    kept = {read_version(logs, NAME, name).decode() for name in names}
    assert (WHOLE if button == USE else LOG) in kept


def test_a_league_toml_that_was_emptied(world: BotWorld) -> None:
    buttons = lose(world, "", "league.toml")
    assert "league.toml" in words_of(ask(world))
    assert tap(world, buttons[UNDO]) == BACK.format("league.toml")
    assert world.read("league.toml") == LEAGUE


@pytest.mark.parametrize("button", [USE, UNDO])
def test_what_changed_meanwhile_is_neither_accepted_nor_replaced(
    world: BotWorld, button: str
) -> None:
    buttons = lose(world)
    less = LOG[: LOG.rindex("C1934")]
    world.write(NAME, less)
    assert tap(world, buttons[button]) == MEANWHILE.format(NAME)
    assert world.read(NAME) == less
    assert "12戦" in words_of(world.tap("request_sum"))


def test_members_neither_see_it_nor_can_do_it(world: BotWorld) -> None:
    buttons = lose(world)
    assert tap(world, buttons[USE], MEMBER) == ADMIN_ONLY
    assert tap(world, "request_lost", MEMBER) == ADMIN_ONLY
    member = world.say("合計", MEMBER)
    assert USE not in taps(member)
    assert USE not in words_of(member)


def test_broken_files_leave_the_answers_as_they_were(tmp_path: Path, backend: Backend) -> None:
    logs = backend.logs(tmp_path)
    logs.mkdir()
    (logs / "league.toml").write_text(LEAGUE, "utf-8")
    (logs / "logvol1.txt").write_text(LOG, "utf-8")
    with opened(tmp_path, backend) as world:
        before = words_of(world.tap("request_sum"))
    assert "みどり" in before
    (logs / "league.toml").write_text(LEAGUE + "[", "utf-8")
    (logs / "logvol1.txt").write_bytes(LOG.encode("cp932") + LOG.encode())
    with opened(tmp_path, backend) as world:
        after = words_of(world.tap("request_sum"))
        told = words_of(world.tap("request_sum", ADMIN))
    assert after.startswith(before)
    assert (
        after.removeprefix(before)
        .strip()
        .startswith("（logvol1.txt がいま使えないため、そのシーズンは")
    )
    assert "（管理者へ）league.toml の14行目に間違いがあるので、直してください" in told
    assert "（それまでは前の内容で動きます）。" in told
    assert "logvol1.txt の文字コードが UTF-8 でも Shift-JIS でもなく読めないので" in told
