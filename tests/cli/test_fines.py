"""Fines and bonuses: 収支, まとめ, 条件, 優勝確率 and `flask forecast` have one champion.

The totals are recomputed here from the lines of the logs, by no code of the product.
"""

import random
import re
from collections import defaultdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.answers.games.digest import day_digest
from bot.answers.standings import summary
from rating.forecast import review
from rating.logdates import JST
from tests.answers.leagues import NOW, LeagueWorld
from tests.cli.running import Run, Runner, json_of

pytestmark = pytest.mark.any_backend("computes with logs; nothing is stored")

Json = dict[str, Any]
LEAGUES = 50
PLAYERS = ("みどり", "白發中", "東風", "さくら", "海底丸", "ぽん")
GUEST = "NoName"
SEAT = re.compile(r"(\S+?)\(([+-][0-9.]+)(?:,([+-][0-9]+)枚)?\)")
FINE = re.compile(r"罰符 \| [0-9:]+ \| (\S+?)\(([+-][0-9.]+)\)")


class FinedLeague(NamedTuple):
    """The files of a league of two seasons, and how many games the second one has."""

    files: dict[str, str]
    games: int
    chip: float


def game_line(rng: random.Random, seats: int) -> str:
    table = rng.sample((*PLAYERS, GUEST), seats)
    scores = [rng.randrange(-600, 600) / 10 for _ in range(seats - 1)]
    chips = [rng.randrange(-3, 4) for _ in range(seats - 1)]
    scores = sorted([*scores, -sum(scores)], reverse=True)
    chips = [*chips, -sum(chips)]
    results = zip(table, scores, chips, strict=True)
    return "C1934 | 20:00 | 三般南喰赤祝 | " + " ".join(
        f"{player}({score:+.1f},{chip:+d}枚)" for player, score, chip in results
    )


def fine_line(rng: random.Random) -> str:
    player = rng.choice((*PLAYERS, GUEST))
    return f"罰符 | 21:00 | {player}({rng.randrange(-200, 100):+.1f}) チョンボ"


def log_with_fines(rng: random.Random, games: int, seats: int) -> str:
    """A log of three days of play; fines are anywhere in it, also before the first game."""
    lines = [game_line(rng, seats) for _ in range(games)]
    for _ in range(rng.randrange(1, 9)):
        lines.insert(rng.randrange(len(lines) + 1), fine_line(rng))
    day = (NOW - timedelta(days=3)).date()
    third = len(lines) // 3
    parts = [
        lines[:third],
        lines[third : 2 * third],
        lines[2 * third :],
    ]
    dated = []
    for number, part in enumerate(parts):
        dated += [f"{day + timedelta(days=number):%Y%m%d}", *part]
    return "\n".join(dated) + "\n"


def fined_league(seed: int, planned: int = 0) -> FinedLeague:
    """A league whose second season ends after so many games more than it has."""
    rng = random.Random(seed)
    seats = rng.choice((3, 4))
    games = rng.randrange(30, 36)
    chip = rng.choice((0.0, 2.0))
    toml = f"[[season]]\n[[season]]\ngames = {games + planned}\n[rules]\nchip = {chip}\n"
    first = log_with_fines(rng, 30, seats)
    second = log_with_fines(rng, games, seats)
    files = {"logvol1.txt": first, "logvol2.txt": second, "league.toml": toml}
    return FinedLeague(files, games, chip)


def recomputed(league: FinedLeague) -> dict[str, float]:
    """The members' 収支 of the second season, the best first."""
    totals: dict[str, float] = defaultdict(float)
    fines: dict[str, float] = defaultdict(float)
    for line in league.files["logvol2.txt"].splitlines():
        if fine := FINE.match(line):
            fines[fine[1]] += float(fine[2])
        else:
            for player, score, chips in SEAT.findall(line):
                totals[player] += float(score) + league.chip * int(chips)
    members = {
        player: round(totals[player] + fines[player], 1) for player in totals if player != GUEST
    }
    return dict(sorted(members.items(), key=lambda member: -member[1]))


def world_of(league: FinedLeague) -> LeagueWorld:
    return LeagueWorld({name: text.encode() for name, text in league.files.items()})


def forecast_of(
    run: Run,
    root: Path,
    name: str,
    league: FinedLeague,
    *options: str,
) -> list[Json]:
    """The members in `flask forecast` of the league, written into a folder of this name."""
    folder = root / name
    folder.mkdir()
    for file, text in league.files.items():
        (folder / file).write_text(text, "utf-8")
    players: list[Json] = json_of(
        run(
            "forecast",
            "--json",
            "--league",
            name,
            *options,
        )
    )["players"]
    return players


def number(words: str) -> float:
    return float(
        words.replace("−", "-")
        .replace(",", "")
        .replace(
            "±",
            "",
        )
    )


@pytest.fixture
def without_course(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what costs most and is not looked at: the chances during the season."""
    monkeypatch.setattr(review, "DAY_SEASONS", (10, 20))
    monkeypatch.setattr(summary, "review_facts", lambda *_: [])


@pytest.mark.usefixtures("without_course")
def test_all_answers_have_the_recomputed_champion(runner: Runner, tmp_path: Path) -> None:
    run = runner(tmp_path, tmp_path / "state")
    changed_champions = 0
    for seed in range(LEAGUES):
        fined = fined_league(seed)
        totals = recomputed(fined)
        champion = next(iter(totals))
        points = list(totals.values())
        world = world_of(fined)

        balance = world.ask("収支").table
        assert {row.name: number(row.value) for row in balance.rows} == totals
        assert balance.rows[0].name == champion

        report = world.ask("まとめ")
        assert f"優勝は{champion}（" in report.words
        _, _, bars, _ = report.chart.totals.columns
        ends = [bar.end for (bar,) in bars.cells]
        assert dict(zip(report.chart.totals.names(), ends, strict=True)) == totals

        assert f"優勝は{champion}です。" in world.ask("条件").words

        chances = world.ask("優勝確率")
        assert f"{champion}が優勝" in chances.table.alt
        assert {row.name: number(row.value) for row in chances.table.rows} == totals

        players = forecast_of(run, tmp_path, f"league{seed}", fined, "--seasons", "100")
        assert [(row["player"], row["points"]) for row in players] == list(totals.items())
        assert [row["first"] for row in players] == [1, *[0] * (len(points) - 1)]

        plain = {name: without_fine_lines(text) for name, text in fined.files.items()}
        changed_champions += champion != next(iter(recomputed(fined._replace(files=plain))))
    assert changed_champions > 5, "fines decide some of the leagues"


def without_fine_lines(log: str) -> str:
    return "".join(line for line in log.splitlines(keepends=True) if not FINE.match(line))


def test_running_seasons_start_from_the_fined_totals() -> None:
    for seed in range(10):
        fined = fined_league(seed, planned=20)
        totals = recomputed(fined)
        best = next(iter(totals.values()))
        rows = world_of(fined).ask("条件").table.rows
        behind = {row.name: number(row.extra[1]) for row in rows}
        for player, total in list(totals.items())[1:]:
            assert behind[player] == pytest.approx(total - best, abs=0.051)


def test_a_chat_and_a_command_forecast_the_same(runner: Runner, tmp_path: Path) -> None:
    fined = fined_league(3, planned=20)
    now = datetime.now(JST).date()
    files = {
        name: re.sub(r"(?m)^\d{8}$", f"{now:%Y%m%d}", text) for name, text in fined.files.items()
    }
    fined = fined._replace(files=files)
    players = forecast_of(runner(tmp_path, tmp_path / "state"), tmp_path, "league", fined)
    rows = world_of(fined).ask("優勝確率").table.rows
    expected = {
        row["player"]: f"{round(row['low']):,}〜{round(row['high']):,}".replace("-", "−")
        for row in players
    }
    assert {row.name: row.extra[0] for row in rows} == expected


def test_what_shows_points_says_that_it_leaves_fines_out() -> None:
    """Without a fine no line is printed."""
    with_fines = fined_league(4)
    plain = {name: without_fine_lines(text) for name, text in with_fines.files.items()}
    note = "罰符は含みません。"
    for files, fined in ((with_fines.files, True), (plain, False)):
        world = world_of(with_fines._replace(files=files))
        snapshot = world.repository.snapshot()
        days = {game.day for game in snapshot.all_games(2) if game.day}
        ratings = world.repository.ratings(snapshot)
        digests = [day_digest(snapshot, ratings, day) for day in days]
        posters = [world.ask(f"request_poster?date={day}").chart.note for day in days]
        assert any(note in digest for digest in digests) == fined
        assert any(note in poster for poster in posters) == fined
        assert (note in world.ask("点数推移").words) == fined
