"""`flask setup`: each answer is tried and stored in `.env`, secrets are never shown, and a stopped
run can be continued.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

import pytest
from click.testing import Result

from app import create_app
from bot.runtime.env_file import read_env_file
from bot.settings import read_settings
from rating.league_file import parse_league
from tests.checks.conftest import serving
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.line import SECRET, TOKEN
from tests.tools import newcomer

Setup = Callable[..., Result]
CHANNEL = [TOKEN, SECRET, newcomer.ADMIN]


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[newcomer.NewcomerWorld]:
    with newcomer.world("folder", tmp_path) as made:
        yield made


@pytest.fixture
def setup(outside: newcomer.NewcomerWorld) -> Iterator[Setup]:
    """Run the command with these lines typed, in this process, whose environment is put back
    afterwards.
    """
    with ExitStack() as ends:
        runner = create_app(read_settings({})).test_cli_runner()
        ends.enter_context(mock.patch.dict(os.environ, outside.env))
        yield lambda *words, typed=(): runner.invoke(
            args=["setup", *words], input="\n".join((*typed, ""))
        )


def kept(outside: newcomer.NewcomerWorld) -> dict[str, str]:
    return read_env_file(Path(outside.env["JANROKU_ENV_FILE"]))


def restarted(outside: newcomer.NewcomerWorld) -> None:
    """Forget what the wizard put into the environment, as another process would."""
    for name in kept(outside):
        os.environ.pop(name, None)


def test_a_newcomer_comes_from_nothing_to_the_first_tap(
    setup: Setup, outside: newcomer.NewcomerWorld
) -> None:
    """The short way, a folder of the machine; `python -m tests.tools.newcomer` plays the others."""
    first = setup(typed=[answer for _question, answer in newcomer.first_answers(outside)])
    assert first.exit_code == 1
    assert "does not reach" in first.output
    assert "synced: 6 games added" in first.output
    protocol = newcomer.Protocol("en")
    with serving(os.environ | kept(outside), outside.port):
        newcomer.go_on(protocol, outside)
        newcomer.first_tap(protocol, outside.line)
    assert "arrived, rightly signed" in protocol.text
    assert "1位 東風" in protocol.text
    for secret in (SECRET, TOKEN):
        assert secret not in protocol.text


@pytest.mark.parametrize(
    ("places", "rooms", "next_step"),
    [("2", ("雀魂",), "Send the bot a game's file"), ("3", ("卓",), "takes the results in")],
)
def test_league_without_tenhou_names_its_members(
    setup: Setup,
    outside: newcomer.NewcomerWorld,
    places: str,
    rooms: tuple[str, ...],
    next_step: str,
) -> None:
    stores = [answer for _question, answer in outside.stores]
    answers = [*CHANNEL, outside.url, *stores, "4", places, "東風 白發中 東風", "雀魂の会", "y"]
    os.environ["TENHOU_URL"] = "http://127.0.0.1:9"
    first = setup(typed=answers)
    assert "Give numbers from 1 to 3." in first.output
    assert "played together" not in first.output
    assert "synced: 0 games added" in first.output
    assert "✗ Tenhou" not in first.output
    text = Path(kept(outside)["LOGS_URL"].removeprefix("file:"), "league.toml").read_text("utf-8")
    league = parse_league(text)
    assert (league.name, league.rooms) == ("雀魂の会", rooms)
    assert list(league.players) == ["東風", "白發中"]
    with serving(os.environ | kept(outside), outside.port):
        assert next_step in setup().output


def test_wrong_answers_are_refused_as_they_come(
    setup: Setup, outside: newcomer.NewcomerWorld
) -> None:
    typed = ["no token", TOKEN, "f" * 32, SECRET, "U123", "U" + "0" * 32]
    out = setup(typed=typed).output
    result_lines = (
        "LINE does not know this token",
        "not the secret of the token's channel",
        "U123 is no user ID",
    )
    assert all(
        words in out for words in (*result_lines, "U0000… (add the bot as a friend in LINE)")
    )
    assert kept(outside)["ADMIN_USER_IDS"] == "U" + "0" * 32


def test_it_is_stopped_and_gone_on_with(setup: Setup, outside: newcomer.NewcomerWorld) -> None:
    stopped = setup(typed=CHANNEL[:2])
    assert stopped.exit_code == 1
    assert "Stopped. What was answered is in" in stopped.output
    file = Path(outside.env["JANROKU_ENV_FILE"])
    assert file.stat().st_mode & 0o777 == 0o600
    assert kept(outside) == {"LINE_CHANNEL_ACCESS_TOKEN": TOKEN, "LINE_CHANNEL_SECRET": SECRET}
    restarted(outside)
    again = create_app(read_settings({})).test_cli_runner()
    with mock.patch.dict(os.environ, kept(outside)):
        out = again.invoke(args=["setup"], input=f"{newcomer.ADMIN}\n").output
        anew = again.invoke(args=["setup", "--anew"], input="\n\n").output
    assert "Channel secret (Basic settings tab) […cdef]" in anew
    assert "Channel secret (Basic settings tab)" not in out
    assert TOKEN not in out + anew
    assert SECRET not in out
    assert kept(outside)["ADMIN_USER_IDS"] == newcomer.ADMIN


def test_a_second_run_asks_only_for_what_works_no_longer(
    setup: Setup, outside: newcomer.NewcomerWorld
) -> None:
    setup(typed=[answer for _question, answer in newcomer.first_answers(outside)])
    os.environ["LINE_CHANNEL_SECRET"] = (
        "f" * 32
    )  # the secret from before the channel's was issued again
    again = setup(typed=[SECRET])
    assert "not the secret of the token's channel" in again.output
    assert again.output.count("Basic settings tab") == 1
    assert kept(outside)["LINE_CHANNEL_SECRET"] == SECRET


def test_line_away_is_no_wrong_answer(setup: Setup, outside: newcomer.NewcomerWorld) -> None:
    os.environ["LINE_API_URL"] = "http://127.0.0.1:9"
    out = setup(typed=[TOKEN, "y"]).output
    assert "LINE can't be reached at the moment." in out
    assert kept(outside) == {"LINE_CHANNEL_ACCESS_TOKEN": TOKEN}


def test_dropbox_lacking_a_right_is_asked_anew(
    setup: Setup, outside: newcomer.NewcomerWorld, tmp_path: Path
) -> None:
    with FakeDropbox() as fake, fake.patched():
        fake.forbid("files.content.write")
        os.environ.update(
            fake.credentials() | {"DATABASE_URL": f"sqlite:///{tmp_path / 'a.sqlite3'}"}
        )
        out = setup(typed=[*CHANNEL, outside.url, "2"]).output
        assert "DROPBOX_REFRESH_TOKEN: the Dropbox app lacks a permission" in out
        assert "LOGS_URL" not in kept(outside)
        assert fake.refresh_token not in out
        assert fake.app_secret not in out


def test_check_asks_and_changes_nothing(
    setup: Setup, outside: newcomer.NewcomerWorld, tmp_path: Path
) -> None:
    before = sorted(path.name for path in tmp_path.iterdir())
    nothing = setup("--check")
    assert nothing.exit_code == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    folder = tmp_path / "logs"
    names = "LINE_CHANNEL_ACCESS_TOKEN", "LINE_CHANNEL_SECRET", "ADMIN_USER_IDS"
    channel = dict(zip(names, CHANNEL, strict=True))
    stores = {
        "LOGS_URL": f"file:{folder}",
        "DATABASE_URL": f"sqlite:///{tmp_path / 'state.sqlite3'}",
    }
    os.environ.update(channel | stores | {"PUBLIC_URL": outside.url})
    result = setup("--check")
    assert result.exit_code == 1
    todo = "webhook", "richmenu", "league.toml", "logvol1.txt", "DATABASE_URL: nothing is in it yet"
    assert all(f"TO DO  {step}" in result.output for step in todo)
    assert "ok    LINE_CHANNEL_SECRET" in result.output
    assert list(folder.iterdir()) == []
    assert not (tmp_path / "state.sqlite3").exists()
    assert outside.line.callback_url == ""


def test_a_dyno_is_no_place_for_it(setup: Setup) -> None:
    os.environ["DYNO"] = "run.1"
    result = setup(typed=CHANNEL)
    assert result.exit_code == 2
    assert "run it on your own machine" in result.output


def test_the_language_is_chosen(setup: Setup, outside: newcomer.NewcomerWorld) -> None:
    assert "1/5 LINEのチャネル" in setup("--lang", "ja").output
    assert kept(outside)["LANGUAGE"] == "ja"  # what later commands read
    assert "1/5 The LINE channel" in setup("--lang", "en").output
