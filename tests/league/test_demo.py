"""The demo league, as somebody finds it at the first tap."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.league.balances import chip_worth
from bot.league.demo import GAMES, TEAM_EVENINGS, ensure_demo
from bot.league.repository import LeagueRepository
from bot.league.snapshot import LeagueSnapshot, earlier_games, team_games
from bot.settings.stores import open_logs
from rating.forecast.outlook import forecast
from rating.forecast.past import past_of, plan_of
from rating.logdates import JST
from rating.paifu.formats import parse

pytestmark = pytest.mark.any_backend("the demo league is a folder on disk")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("home") / "demo"
    ensure_demo(path)
    return path


@pytest.fixture(scope="module")
def demo(folder: Path) -> LeagueSnapshot:
    return LeagueRepository(open_logs(f"file:{folder}", {})).snapshot()


def test_last_games_have_records_with_their_scores(folder: Path, demo: LeagueSnapshot) -> None:
    games = demo.all_games()
    assert sorted(demo.paifu_of, key=games.index) == list(games[-GAMES:])
    for game, head in demo.paifu_of.items():
        record = parse((folder / "records" / f"{head.file}.mjlog").read_bytes())
        scores = {seat.player: seat.score for seat in game.seats}
        assert dict(zip(record.players, record.scores or (), strict=True)) == scores
        assert record.rules.name == game.rule
    assert sum(entry.statistics.records for entry in demo.paifus) == GAMES


def test_demo_ends_yesterday(demo: LeagueSnapshot) -> None:
    today = datetime.now(JST).date()
    last = demo.all_games()[-1].day
    assert last is not None
    assert timedelta(0) < today - last <= timedelta(days=2)  # midnight may pass meanwhile


def test_demo_has_team_matches_until_its_last_day(demo: LeagueSnapshot) -> None:
    last = demo.all_games()[-1].day
    assert last is not None
    assert len({game.session for game in team_games(demo)}) == TEAM_EVENINGS
    assert all(game.day and game.day <= last for game in team_games(demo))


def test_last_season_is_a_close_race_with_games_to_play(demo: LeagueSnapshot) -> None:
    past = past_of(demo.all_games(3), earlier_games(demo, 3), chips=chip_worth(demo))
    games_to_play = plan_of(demo.league.season(3)).left_after(past)
    assert 30 <= games_to_play <= 100
    members = forecast(past, games_to_play, seasons=1000).members
    first, _, third, *_ = sorted((member.first for member in members), reverse=True)
    assert first < 0.7
    assert third > 0.1


def test_existing_demo_is_not_changed(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    ensure_demo(folder)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
