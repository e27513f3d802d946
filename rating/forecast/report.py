"""A forecast as a dict for programs (`flask forecast --json`) and as a table for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rating.forecast.outlook import Forecast, MemberOutlook
from rating.forecast.strengths import Credible

Report = dict[str, Any]

DIGITS = 12  # of figures in a report: beyond, machines differ in how they round sums


def forecast_report(found: Forecast, season: int | None) -> Report:
    """The report of a forecast; `season` is None for a score table."""
    return {
        "season": season,
        "played": found.played,
        "left": found.left,
        "players": [_member(member) for member in found.members],
        "sigma": _credible(found.sigma),
        "tau": _credible(found.tau),
    }


def _member(member: MemberOutlook) -> Report:
    return {
        "player": member.player,
        "points": member.points,
        "games": member.games,
        "first": round(member.first, DIGITS),
        "last": round(member.last, DIGITS),
        "places": [round(chance, DIGITS) for chance in member.places],
        "expected": round(member.expected, DIGITS),
        "low": round(member.low, DIGITS),
        "high": round(member.high, DIGITS),
        "skill": round(member.skill, DIGITS),
    }


def _credible(found: Credible) -> dict[str, float]:
    return {key: round(value, DIGITS) for key, value in found._asdict().items()}


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
    sigma, tau = (_words(report[key]) for key in ("sigma", "tau"))
    played = f"{report['played']} games played, {report['left']} left."
    return heads, rows, f"{played} One game's chance: sd {sigma}. Skill between members: sd {tau}."


def _words(found: dict[str, Any]) -> str:
    return f"{found['value']:.1f} ({found['low']:.1f} .. {found['high']:.1f})"
