"""The chances of every place, and the final points to expect: what simulated seasons say of each
member; as a dict for programs (`flask forecast --json`) and as a table for people."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rating.columns import Floats
from rating.forecast.past import Past
from rating.forecast.seasons import SEASONS, Progress, SimulatedSeasons, simulate_seasons
from rating.forecast.strengths import Credible, skill_ratio, tells
from rating.models.skill import Bounds
from rating.standings import NOISE

ENDS = 0.05, 0.95  # of the 90 % interval of final points


@dataclass(frozen=True, slots=True)
class MemberOutlook:
    """One member: points (thousands) and games so far, the chance of each place, and the final
    points. `low` and `high` bound a 90 % interval of final points. `skill`: the share of the mean
    that is skill, None where its 90 % confidence interval from `skill_low` to `skill_high` says
    nothing."""

    player: str
    points: float
    games: int
    places: tuple[float, ...]
    expected: float
    low: float
    high: float
    skill: float | None
    skill_low: float
    skill_high: float

    @property
    def first(self) -> float:
        return self.places[0]

    @property
    def last(self) -> float:
        return self.places[-1]


@dataclass(frozen=True, slots=True)
class Forecast:
    """How a season may end: games played and left, and the members in order of their points now.
    sigma, tau: the standard deviations of chance in one game and of skill between members,
    thousands of points a game, with 95 % intervals."""

    played: int
    left: int
    members: tuple[MemberOutlook, ...]
    sigma: Credible
    tau: Credible

    def member(self, player: str) -> MemberOutlook:
        """A member's outlook. Raises KeyError for somebody who is none."""
        for member in self.members:
            if member.player == player:
                return member
        raise KeyError(player)

    @property
    def favourite(self) -> MemberOutlook:
        """The member with the greatest chance of being champion; of equals the one who leads."""
        return max(self.members, key=lambda member: member.first)


def forecast(
    past: Past,
    left: int,
    *,
    seed: int | None = None,
    seasons: int = SEASONS,
    progress: Progress | None = None,
) -> Forecast:
    """How the season may end with `left` games left. Raises GameError as `simulate_seasons`."""
    return forecast_of(simulate_seasons(past, left, seed=seed, seasons=seasons, progress=progress))


def forecast_of(simulated: SimulatedSeasons) -> Forecast:
    past = simulated.past
    finals = simulated.finals
    places = chances_of_places(finals)
    low, high = np.quantile(finals, ENDS, axis=0)
    now = simulated.now
    means = finals.mean(axis=0)
    games = past.games[: past.members]
    share = simulated.skills.share(games.astype(float))
    ratio = skill_ratio(past)
    skill = [ratio.share(int(n)) for n in games]
    return Forecast(
        past.played,
        simulated.left,
        tuple(
            MemberOutlook(
                past.names[i],
                points=float(now[i]),
                games=int(games[i]),
                places=tuple(places[i].tolist()),
                expected=float(means[i]),
                low=float(low[i]),
                high=float(high[i]),
                skill=_skill_within(skill[i], float(share[i])),
                skill_low=skill[i].low,
                skill_high=skill[i].high,
            )
            for i in past.members_by(now)
        ),
        simulated.skills.sigma,
        simulated.skills.tau,
    )


def _skill_within(bounds: Bounds, share: float) -> float | None:
    """The share of skill within its bounds; None where these say nothing."""
    if not tells(bounds):
        return None
    return min(max(share, bounds.low), bounds.high)


def chances_of_places(finals: Floats) -> Floats:
    """The chance of each place (m, m), a row for each member, from final points (S, m). Members
    with equal points share their places equally; rows and columns sum to 1."""
    seasons, m = finals.shape
    order = np.argsort(-finals, axis=1)
    ordered = np.take_along_axis(finals, order, axis=1)
    steps = np.ones((seasons, m + 1), bool)
    gaps = ordered[:, :-1] - ordered[:, 1:]
    steps[:, 1:m] = gaps > NOISE
    column = np.arange(m)
    first = np.maximum.accumulate(
        np.where(steps[:, :m], column, 0),
        axis=1,
    )
    ends = np.where(steps[:, 1:], column + 1, m)[:, ::-1]
    after = np.minimum.accumulate(ends, axis=1)[:, ::-1]
    share = 1 / (after - first)
    shares = np.zeros(m * (m + 1))
    row = order * (m + 1)
    shares += np.bincount(
        (row + first).ravel(),
        share.ravel(),
        m * (m + 1),
    )
    shares -= np.bincount(
        (row + after).ravel(),
        share.ravel(),
        m * (m + 1),
    )
    counts = np.cumsum(shares.reshape(m, m + 1), axis=1)
    return np.asarray(counts[:, :m] / seasons)


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
                **_rounded({key: getattr(member, key) for key in ("expected", "low", "high")}),
                **_rounded(
                    {key: getattr(member, key) for key in ("skill", "skill_low", "skill_high")}
                ),
            }
            for member in forecast.members
        ],
        "sigma": _rounded(forecast.sigma._asdict()),
        "tau": _rounded(forecast.tau._asdict()),
    }


def _rounded(figures: Mapping[str, float | None]) -> dict[str, float | None]:
    rounded = dict(figures)
    for key, value in figures.items():
        if value is not None:
            rounded[key] = round(value, DIGITS)
    return rounded


def render_forecast(
    report: Report, shown: Callable[[str], str]
) -> tuple[list[str], list[list[str]], str]:
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
            f"{row['skill_low']:.0%} .. {row['skill_high']:.0%}",
        ]
        for row in report["players"]
    ]
    spreads = (report["sigma"], report["tau"])
    sigma, tau = (
        f"{each['value']:.1f} ({each['low']:.1f} .. {each['high']:.1f})" for each in spreads
    )
    played = f"{report['played']} games played, {report['left']} left."
    return heads, rows, f"{played} One game's chance: sd {sigma}. Skill between members: sd {tau}."
