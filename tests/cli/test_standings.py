"""`flask standings`: places that equals share, and players who never played each other."""

import pytest

from tests.cli.running import League, Run, Table, json_of
from tests.rating.models.leagues import random_league

pytestmark = pytest.mark.any_backend("reckons with logs; nothing is kept")

SHARED = """date,p1,s1,p2,s2,p3,s3
2026-09-01,a,30,b,0,c,-30
2026-09-01,b,30,a,0,c,-30
"""
APART = SHARED + "2026-09-02,x,50,y,0,z,-50\n2026-09-02,x,20,y,0,z,-20\n2026-09-03,c,5,a,0,d,-5\n"


def lines(run: Run, *args: str) -> list[str]:
    result = run("standings", *args)
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_equal_players_share_a_place(run: Run, table: Table) -> None:
    games = table(SHARED)
    report = json_of(run("standings", "--model", "btr", "--games", games, "--json"))
    places = [(row["player"], row["place"]) for row in report["standings"]]
    assert places == [("a", 1), ("b", 1), ("c", 3)]
    assert "group" not in report["standings"][0]
    assert "notes" not in report
    text = lines(run, "--model", "btr", "--games", games)
    printed = [line.split()[0] for line in text[2:5]]
    assert printed == ["1", "1", "3"]


def test_players_who_never_met_are_ranked_apart_with_a_note(run: Run, table: Table) -> None:
    games = table(APART)
    report = json_of(run("standings", "--model", "btr", "--games", games, "--json"))
    rows = report["standings"]
    groups = [row["group"] for row in rows]
    places = [row["place"] for row in rows]
    assert groups == [1, 1, 1, 1, 2, 2, 2]
    assert places == [1, 2, 3, 4, 1, 2, 3]
    assert {row["player"] for row in rows[4:]} == set("xyz")
    assert "never met" in report["notes"][0]
    text = lines(run, "--model", "btr", "--games", games)
    assert text[1].split()[0] == "group"
    assert [line.split()[:2] for line in text[2:9]] == [
        [str(r["group"]), str(r["place"])] for r in rows
    ]
    assert text[-1] == report["notes"][0]


def test_a_rating_from_a_start_is_one_table(run: Run, table: Table) -> None:
    report = json_of(run("standings", "--model", "tenhou", "--games", table(APART), "--json"))
    ratings = [row["rating"] for row in report["standings"]]
    assert ratings == sorted(ratings, reverse=True)
    assert "notes" not in report


def test_the_sheets_streaks_after_unfinished_sessions(league: League) -> None:
    """An unfinished session's wins are added to those before it, even after a loss (x x - after
    two: 2).
    """
    log = (
        "2020-07-03 | A B C D | o o -\n2020-07-04 | A B C D | x x -\n2020-07-05 | A B C D | o - -\n"
    )
    run = league({"teamlog.txt": log})
    ratings = {}
    for mode in ("sheet", "natural"):
        report = json_of(run("standings", "--model", "team_elo", "-O", f"streaks={mode}", "--json"))
        ratings[mode] = {row["player"]: row["rating"] for row in report["standings"]}
    assert ratings["sheet"]["A"] > ratings["natural"]["A"] + 5


def test_games_with_another_number_of_seats_are_counted(league: League) -> None:
    three = "C1934 | 20:00 | 三般南喰赤－ | a(+30.0) b(0.0) c(-30.0)\n"
    four = "C1934 | 21:00 | 四般南喰赤－ | a(+30.0) b(+10.0) c(-10.0) d(-30.0)\n"
    run = league({"logvol1.txt": f"20260901\n{three * 3}{four * 2}"})
    assert lines(run)[-1] == "not counted: 2 games of 4 players (--seats 4)"
    assert lines(run, "--seats", "4")[-1] == "not counted: 3 games of 3 players (--seats 3)"


def test_cross_validation_at_the_end_of_its_grid_says_so(run: Run, table: Table) -> None:
    rows = ["date,p1,s1,p2,s2,p3,s3"]
    for game in random_league(0, 8, 120, 3, skill=0.0):
        seats = [f"{seat.player},{seat.score}" for seat in game.seats]
        rows.append(",".join([str(game.day), *seats]))
    games = table("\n".join(rows))
    options = ("--model", "btr", "-O", "alpha=cv", "--games", games)
    report = json_of(run("standings", *options, "--json"))
    assert "alpha=cv chose 1000, the end of its grid" in report["notes"][0]
    assert lines(run, *options)[-1] == report["notes"][0]


def test_intervals_have_a_centre_and_posteriors_a_variance(run: Run, table: Table) -> None:
    games = table(APART)
    for model in ("btr", "bayesian_btr"):
        rows = json_of(run("standings", "--model", model, "--games", games, "--json"))["standings"]
        assert all(row["low"] < row["likely"] < row["high"] for row in rows)
        assert all(row["rating"] not in (row["low"], row["high"]) for row in rows)
        assert all(("variance" in row) == (model == "bayesian_btr") for row in rows)
        best = rows[0]
        printed = run("standings", "--model", model, "--games", games).output
        assert f"{best['likely']:.2f}  {best['low']:.2f} .. {best['high']:.2f}" in printed
        assert (f"  {best.get('variance', 0):.4f}  " in printed) == ("variance" in best)
    assert best["variance"] == pytest.approx(best["error"] ** 2)
