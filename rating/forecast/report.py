"""A forecast as a dict for programs (`flask forecast --json`) and as a table for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rating.forecast.outlook import Forecast

Report = dict[str, Any]

DIGITS = 12  # of figures in a report: beyond, machines differ in how they round sums


def forecast_report(forecast: Forecast, season: int | None) -> Report:
    """The report of a forecast; `season` is None for a score table."""
    return {
        "season": season,
        "played": forecast.played,
        "left": forecast.left,
        "players": [
            {
                "player": member.player,
                "points": member.points,
                "games": member.games,
                **_rounded({"first": member.first, "last": member.last}),
                "places": [round(chance, DIGITS) for chance in member.places],
                **_rounded({key: getattr(member, key) for key in ("expected", "low", "high", "skill")}),
            }
            for member in forecast.members
        ],
        "sigma": _rounded(forecast.sigma._asdict()),
        "tau": _rounded(forecast.tau._asdict()),
    }


def _rounded(figures: Mapping[str, float]) -> dict[str, float]:
    return {key: round(value, DIGITS) for key, value in figures.items()}


def render_forecast(report: Report, shown: Callable[[str], str]) -> tuple[list[str], list[list[str]], str]:
    """Heads, rows and a closing sentence; `shown` gives the name to show for a player."""
    heads = ["player", "points", "games", "champion", "last", "final points", "90 %", "skill"]
    rows = [
        [
            shown(row["player"]),
            f"{row['points']:+.1f}",
            str(row["games"]),
            *(f"{row[key]:.1%}" for key in ("first", "last")),
            f"{row['expected']:+.1f}",
            f"{row['low']:+.1f} .. {row['high']:+.1f}",
            f"{row['skill']:.0%}",
        ]
        for row in report["players"]
    ]
    spreads = (report["sigma"], report["tau"])
    sigma, tau = (f"{each['value']:.1f} ({each['low']:.1f} .. {each['high']:.1f})" for each in spreads)
    played = f"{report['played']} games played, {report['left']} left."
    return heads, rows, f"{played} One game's chance: sd {sigma}. Skill between members: sd {tau}."
