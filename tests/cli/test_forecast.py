"""`flask forecast`: the contract of its JSON, where its games left come from, its line for bad
input.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from bot.chat.command import Command, Question
from rating.logdates import JST
from tests.answers.leagues import LeagueWorld
from tests.cli.running import League, Run, Table, json_of, refused

pytestmark = pytest.mark.any_backend("reckons with logs; nothing is kept")

Made = Callable[..., Run]
TABLES = ["あ い う", "い う え", "え あ い", "う え あ", "NoName あ え"] * 4
TODAY = datetime.now(JST).date()


def log(last: date = TODAY, a_day: int = 1) -> str:
    """Twenty days of play up to the last one; the first of each table wins 40 to 44 thousand
    points, two chips.
    """
    first = last - timedelta(days=len(TABLES) - 1)
    lines = []
    for number, table in enumerate(TABLES):
        winner, second, loser = table.split()
        points = 40 + number % 5
        seats = f"{winner}(+{points}.0,+2枚) {second}(-10.0,-1枚) {loser}(-{points - 10}.0,-1枚)"
        day = first + timedelta(days=number)
        lines.append(f"{day:%Y%m%d}\n")
        lines += [f"L1234 | {20 + n}:00 | 三般南喰赤－ | {seats}\n" for n in range(a_day)]
    return "".join(lines)


class Today(LeagueWorld):
    """A league's chat that asks today, as commands do."""

    def question(self, command: Command) -> Question:
        return replace(super().question(command), now=datetime.now(JST))


@pytest.fixture
def run(league: League) -> Made:
    """A function that writes league.toml and two seasons, and returns a runner of commands."""
    logs = {"logvol1.txt": log(TODAY - timedelta(days=60)), "logvol2.txt": log()}

    def made(toml: str = "") -> Run:
        if toml:
            return league(logs | {"league.toml": toml})
        return league(logs)

    return made


def seasons(second: str, rules: str = "") -> str:
    return f"[[season]]\n[[season]]\n{second}\n{rules}"


def test_the_contract_of_its_json(run: Made) -> None:
    flask = run(seasons("games = 30", "[rules]\nchip = 2.0"))
    result = flask("forecast", "--json")
    report = json_of(result)
    assert set(report) == {"season", "played", "left", "players", "sigma", "tau"}
    assert report["season"] == 2
    assert report["played"] == 20
    assert report["left"] == 10
    players = report["players"]
    games = {row["player"]: row["games"] for row in players}
    assert games == {"あ": 16, "い": 12, "う": 12, "え": 16}
    points = [row["points"] for row in players]
    assert points == sorted(points, reverse=True)
    keys = ["player", "points", "games", "first", "last", "places", "expected", "low", "high"]
    for row in players:
        assert list(row) == [*keys, "skill", "skill_low", "skill_high"]
        assert row["first"] == row["places"][0]
        assert row["last"] == row["places"][-1]
        assert sum(row["places"]) == pytest.approx(1, abs=1e-9)
        assert row["low"] < row["expected"] < row["high"]
        assert 0 <= row["skill_low"] < row["skill_high"] <= 1
        assert row["skill"] is None or row["skill_low"] <= row["skill"] <= row["skill_high"]
    for place in range(4):
        total = sum(row["places"][place] for row in players)
        assert total == pytest.approx(1, abs=1e-9)
    for spread in (report["sigma"], report["tau"]):
        assert 0 < spread["low"] < spread["value"] < spread["high"]
    assert flask("forecast", "--json").stdout == result.stdout
    assert flask("forecast", "--json", "--season", "2", "--left", "10").stdout == result.stdout
    words = ("forecast", "--json", "--seasons", "200")
    seeded = flask(*words, "--seed", "7").stdout
    assert flask(*words, "--seed", "7").stdout == seeded
    assert flask(*words).stdout != seeded


def test_points_are_those_of_the_balance(run: Made) -> None:
    points = {}
    for number, table in enumerate(TABLES):
        more = number % 5
        gains = (40 + more + 2 * 2, -10 - 2, -(30 + more) - 2)
        for player, gain in zip(table.split(), gains, strict=True):
            points[player] = points.get(player, 0) + gain
    del points["NoName"]
    report = json_of(run(seasons("", "[rules]\nchip = 2.0"))("forecast", "--json", "--left", "0"))
    assert {row["player"]: row["points"] for row in report["players"]} == points
    for row in report["players"]:
        assert row["low"] == row["high"] == row["expected"] == row["points"]
    assert [row["first"] for row in report["players"]] == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("games = 18", 0),
        (f"end = {TODAY + timedelta(days=10)}", 10),
        (f"games = 25\nend = {TODAY + timedelta(days=200)}", 5),
    ],
)
def test_games_left_by_plan(run: Made, second: str, expected: int) -> None:
    flask = run(seasons(second))
    words = ("forecast", "--json", "--seasons", "100")
    assert json_of(flask(*words))["left"] == expected
    assert json_of(flask(*words, "--left", "3"))["left"] == 3, "it goes first"


def test_the_table_at_the_terminal(run: Made) -> None:
    result = run(seasons("games = 30", '[player."あ"]\nname = "みどり"'))("forecast")
    assert result.exit_code == 0
    assert "みどり" in result.stdout
    assert "20 games played, 10 left." in result.stdout
    heads = result.stdout.splitlines()[0].split()
    assert heads == "player points games champion last final points 90 % skill".split()


def test_the_table_shows_shares_with_a_wide_interval(run: Made, table: Table) -> None:
    in_turn = "a,30,b,0,c,-30\nb,30,c,0,a,-30\nc,30,a,0,b,-30\n" * 4
    file = table("p1,s1,p2,s2,p3,s3\n" + in_turn + "a,30,b,0,c,-30\n" * 3)
    flask = run()
    options = ("forecast", "--games", file, "--left", "5", "--seasons", "100")
    players = json_of(flask(*options, "--json"))["players"]
    assert [row["skill"] for row in players] == [None] * 3, "hardly any or more than half"
    lines = flask(*options).stdout
    for row in players:
        assert f"{row['skill_low']:.0%} .. {row['skill_high']:.0%}" in lines


def test_a_score_table(run: Made, table: Table) -> None:
    file = table("p1,s1,p2,s2,p3,s3\n" + "a,30,b,0,c,-30\nb,10,c,0,d,-10\n" * 3)
    flask = run()
    report = json_of(flask("forecast", "--games", file, "--left", "5", "--json"))
    assert (report["season"], report["played"]) == (None, 6)
    assert [row["player"] for row in report["players"]] == ["a", "b", "d", "c"]
    assert "order" in flask("forecast", "--games", file, "--left", "5").stdout


def test_without_a_plan_fifty_games_are_left_which_is_said(run: Made, table: Table) -> None:
    """As LINE takes them; a season after which another has games is over."""
    flask = run()
    result = flask("forecast", "--json", "--seasons", "100")
    assert json_of(result)["left"] == 50
    assert "so 50 are taken: --left or league.toml" in result.stderr
    assert "so 50 are taken: --left or league.toml" in flask("forecast", "--seasons", "100").stdout
    for options, expected in {"--left 7": 7, "--season 1": 0}.items():
        result = flask("forecast", "--json", "--seasons", "100", *options.split())
        assert (json_of(result)["left"], result.stderr) == (expected, "")
    file = table("date,p1,s1,p2,s2,p3,s3\n2026-09-01,a,30,b,0,c,-30\n")
    result = flask("forecast", "--games", file, "--json", "--seasons", "100")
    assert (json_of(result)["left"], "50 are taken" in result.stderr) == (50, True)


@pytest.mark.parametrize(
    ("plan", "days", "expected"),
    [
        ("", 30, 50),
        ("", 31, 0),
        ("games = 60", 31, 0),
        (f"end = {TODAY - timedelta(days=1)}", 20, 0),
        (f"end = {TODAY + timedelta(days=9)}", 31, 80),
    ],
)
def test_a_quiet_season_is_over_as_in_the_chat(
    league: League, plan: str, days: int, expected: int
) -> None:
    files = {
        "logvol1.txt": log(TODAY - timedelta(days=days), a_day=2),
        "league.toml": f"[[season]]\n{plan}\n",
    }
    run = league(files)
    forecast = run("forecast", "--json", "--seasons", "100")
    assert json_of(forecast)["left"] == expected
    assert ("the season is over, as in the chat" in forecast.stderr) == (expected == 0)
    again = run("forecast", "--json", "--seasons", "100", "--left", "7")
    assert (json_of(again)["left"], again.stderr) == (7, "")
    chat = Today({name: text.encode() for name, text in files.items()})
    assert chat.ask("優勝確率").table.title.endswith("（結果）") == (expected == 0)


def test_a_season_without_games(league: League) -> None:
    result = league({})("forecast", "--left", "3")
    assert "no games" in refused(result)
    flask = league({"logvol1.txt": log(), "logvol2.txt": ""})
    assert json_of(flask("forecast", "--left", "3", "--json", "--seasons", "100"))["season"] == 1
    assert "season 2 has no games" in flask("forecast", "--left", "3", "--season", "2").stderr
