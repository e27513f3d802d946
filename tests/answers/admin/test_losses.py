"""An admin accepts a file that has lost games, or puts it back, nobody else, and nothing seen too late; a restart finds files broken and
answers by their last good versions."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.answers.admin.confirm import ADMIN_ONLY, DONE
from bot.answers.admin.losses import BACK, MEANWHILE, TAKEN, WELL
from bot.league.files import read_version, versions
from tests.answers.world import ADMIN, LEAGUE, LOG, MEMBER, Json, World, taps, words_of
from tests.backend import Backend

NAME, WHOLE = "logvol1.txt", LOG + "".join(LOG.splitlines(keepends=True)[1].replace("20:00", f"{hour}:15")
                                           for hour in range(10, 20))  # fmt: skip
USE, UNDO = "この内容を使う", "元に戻す"


def lose(world: World, left: str = LOG, name: str = NAME) -> dict[str, str]:
    """A hand takes games out of a log that was known; the buttons of the form that an admin is shown."""
    world.write(NAME, WHOLE)
    world.tap("request_sum")
    world.write(name, left)
    return taps(ask(world))


def ask(world: World) -> list[Json]:
    return world.tap(taps(world.say("状態", ADMIN, ADMIN))[USE], ADMIN, ADMIN)


def tap(world: World, data: str, user: str = ADMIN) -> str:
    return words_of(world.tap(data, user, user))


@pytest.mark.parametrize(("button", "said", "games"), [(USE, TAKEN, 2), (UNDO, BACK, 12)])
def test_the_choice_is_shown_and_made_once(world: World, button: str, said: str, games: int) -> None:
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
    kept = {read_version(logs, NAME, version.name).decode() for version in versions(logs, NAME)}
    assert (WHOLE if button == USE else LOG) in kept


def test_a_league_toml_that_was_emptied(world: World) -> None:
    buttons = lose(world, "", "league.toml")
    assert "league.toml" in words_of(ask(world))
    assert tap(world, buttons[UNDO]) == BACK.format("league.toml")
    assert world.read("league.toml") == LEAGUE


@pytest.mark.parametrize("button", [USE, UNDO])
def test_what_changed_meanwhile_is_neither_accepted_nor_replaced(world: World, button: str) -> None:
    buttons, less = lose(world), LOG[: LOG.rindex("C1934")]
    world.write(NAME, less)
    assert tap(world, buttons[button]) == MEANWHILE.format(NAME)
    assert world.read(NAME) == less
    assert "12戦" in words_of(world.tap("request_sum"))


def test_members_neither_see_it_nor_can_do_it(world: World) -> None:
    buttons = lose(world)
    assert tap(world, buttons[USE], MEMBER) == ADMIN_ONLY
    assert tap(world, "request_lost", MEMBER) == ADMIN_ONLY
    member = world.say("合計", MEMBER)
    assert USE not in taps(member)
    assert USE not in words_of(member)


@contextmanager
def served(folder: Path, backend: Backend) -> Iterator[World]:
    world = World(folder, backend)
    yield world
    world.close()


def test_broken_files_leave_the_answers_as_they_were(tmp_path: Path, backend: Backend) -> None:
    logs = backend.logs(tmp_path)
    logs.mkdir()
    (logs / "league.toml").write_text(LEAGUE, "utf-8")
    (logs / "logvol1.txt").write_text(LOG, "utf-8")
    with served(tmp_path, backend) as world:
        before = words_of(world.tap("request_sum"))
    assert "みどり" in before
    (logs / "league.toml").write_text(LEAGUE + "[", "utf-8")
    (logs / "logvol1.txt").write_bytes(LOG.encode("cp932") + LOG.encode())
    with served(tmp_path, backend) as world:
        after = words_of(world.tap("request_sum"))
        told = words_of(world.tap("request_sum", ADMIN))
    assert after.startswith(before)
    assert after.removeprefix(before).strip().startswith("（logvol1.txt がいま使えないため、そのシーズンは")
    assert "（管理者へ）league.toml の14行目に間違いがあるので、直してください" in told
    assert "（それまでは前の内容で動きます）。" in told
    assert "logvol1.txt の文字コードが UTF-8 でも Shift-JIS でもなく読めないので" in told
