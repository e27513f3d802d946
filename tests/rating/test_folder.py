"""Season logs read together: dates without a year fit the dates of the next season's log."""

from __future__ import annotations

from datetime import date, datetime

from rating.league import League, Season, parse_logs

TODAY = date(2026, 11, 21)


def days(league: League, **files: str) -> dict[str, list[str]]:
    data = {f"{name}.txt": text.encode() for name, text in files.items()}
    logs = parse_logs(league.with_logs(data), data, TODAY)
    return {name: [str(day) for day in log.days] for name, log in logs.items()}


def test_a_season_ends_before_the_next_begins() -> None:
    found = days(League(), logvol1="#4/7\n#12/20\n", logvol2="20210105\n", logvol10="#4/1\n#11/20\n")
    assert found == {
        "logvol1.txt": ["2020-04-07", "2020-12-20"],
        "logvol2.txt": ["2021-01-05"],
        "logvol10.txt": ["2026-04-01", "2026-11-20"],
    }


def test_a_chain_without_any_year_hangs_on_today() -> None:
    found = days(League(), logvol1="#4/7\n#12/20\n", logvol2="#1/5\n#6/1\n", logvol3="#7/1\n#11/21\n")
    assert list(found.values()) == [
        ["2025-04-07", "2025-12-20"], ["2026-01-05", "2026-06-01"], ["2026-07-01", "2026-11-21"],
    ]  # fmt: skip


def test_a_seasons_start_in_league_toml_counts_first() -> None:
    league = League(seasons=(Season(1, "logvol1.txt", start=datetime(2019, 4, 1)), Season(2, "logvol2.txt")))
    found = days(league, logvol1="#4/7\n#3/1\n", logvol2="#4/2\n#5/1\n")
    assert found["logvol1.txt"] == ["2019-04-07", "2020-03-01"]
    assert found["logvol2.txt"] == ["2026-04-02", "2026-05-01"]
