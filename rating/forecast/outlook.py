"""The chances of every place and the expected final points of each member, from simulated seasons;
as a dict for programs (`flask forecast --json`) and as a table for people."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from rating.columns import Floats
from rating.forecast.past import Past
from rating.forecast.seasons import SEASONS, Progress, SimulatedSeasons, simulate_seasons
from rating.forecast.strengths import Credible, is_informative, skill_ratio
from rating.models.skill import Bounds
from rating.standings import NOISE

ENDS = 0.05, 0.95  # of the 90 % interval of final points


@dataclass(frozen=True, slots=True)
class MemberOutlook:
    """One member: points (thousands) and games so far, the chance of each place, and the final
    points. `low` and `high` bound a 90 % interval of final points. `skill`: the share of the mean
    that is skill, None where its 90 % confidence interval from `skill_low` to `skill_high` is too
    wide (`is_informative`)."""

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
        """A member's outlook. Raises KeyError for other people."""
        for member in self.members:
            if member.player == player:
                return member
        raise KeyError(player)

    @property
    def favourite(self) -> MemberOutlook:
        """The member with the greatest chance of being champion; of equals the one with most
        points."""
        return max(self.members, key=attrgetter("first"))


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
    games = past.games[: past.members].tolist()
    skill_shares = simulated.skills.share(np.array(games, float))
    bounds = list(map(skill_ratio(past).share, games))
    members = [
        MemberOutlook(
            past.names[member],
            points=float(now[member]),
            games=games[member],
            places=tuple(places[member].tolist()),
            expected=float(means[member]),
            low=float(low[member]),
            high=float(high[member]),
            skill=_skill_within(bounds[member], float(skill_shares[member])),
            skill_low=bounds[member].low,
            skill_high=bounds[member].high,
        )
        for member in past.members_by(now)
    ]
    skills = simulated.skills
    return Forecast(past.played, simulated.left, tuple(members), skills.sigma, skills.tau)


def _skill_within(bounds: Bounds, share: float) -> float | None:
    """The share of skill, limited to its bounds; None where these are too wide."""
    if not is_informative(bounds):
        return None
    return min(max(share, bounds.low), bounds.high)


def chances_of_places(finals: Floats) -> Floats:
    """The chance of each place (m, m), a row for each member, from final points (S, m). Members
    with equal points share their places equally; rows and columns sum to 1.

    In each season the members in order have the places from `first` to before `end`, with an equal
    part of each. So the part is added at `first` and subtracted at `end`, and the sums along a row
    are its places.
    """
    seasons, m = finals.shape
    order = np.argsort(-finals, axis=1)
    ordered = np.take_along_axis(finals, order, axis=1)
    # whether a new place begins before each member in order, and after the last
    begins = np.ones((seasons, m + 1), bool)
    begins[:, 1:m] = np.diff(ordered, axis=1) < -NOISE
    index = np.arange(m)
    starts = np.where(begins[:, :m], index, 0)
    first = np.maximum.accumulate(starts, axis=1)
    ends = np.where(begins[:, 1:], index + 1, m)
    end = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    part = (1 / (end - first)).ravel()
    row = order * (m + 1)
    cells = m * (m + 1)
    changes = np.bincount((row + first).ravel(), part, cells)
    changes -= np.bincount((row + end).ravel(), part, cells)
    counts = np.cumsum(changes.reshape(m, m + 1), axis=1)
    return np.asarray(counts[:, :m] / seasons)


Report = dict[str, Any]

DIGITS = 12  # of figures in a report: further digits depend on the machine's order of sums


def forecast_report(forecast: Forecast, season: int | None) -> Report:
    """The report of a forecast; `season` is None for a score table."""
    return {
        "season": season,
        "played": forecast.played,
        "left": forecast.left,
        "players": list(map(_member_report, forecast.members)),
        "sigma": _rounded(forecast.sigma._asdict()),
        "tau": _rounded(forecast.tau._asdict()),
    }


def _member_report(member: MemberOutlook) -> Report:
    figures = ("expected", "low", "high", "skill", "skill_low", "skill_high")
    return {
        "player": member.player,
        "points": member.points,
        "games": member.games,
        **_rounded({"first": member.first, "last": member.last}),
        "places": [round(chance, DIGITS) for chance in member.places],
        **_rounded({key: getattr(member, key) for key in figures}),
    }


def _rounded(figures: Mapping[str, float | None]) -> dict[str, float | None]:
    rounded = dict(figures)
    for key, value in figures.items():
        if value is not None:
            rounded[key] = round(value, DIGITS)
    return rounded


class RenderedForecast(NamedTuple):
    """A forecast as a table with a closing sentence."""

    heads: list[str]
    rows: list[list[str]]
    sentence: str


def render_forecast(report: Report, shown: Callable[[str], str]) -> RenderedForecast:
    """Render a report; `shown` gives the name to show for a player."""
    heads = ["player", "points", "games", "champion", "last", "final points", "90 %", "skill"]
    rows = [
        [
            shown(row["player"]),
            f"{row['points']:+.1f}",
            str(row["games"]),
            f"{row['first']:.1%}",
            f"{row['last']:.1%}",
            f"{row['expected']:+.1f}",
            f"{row['low']:+.1f} .. {row['high']:+.1f}",
            f"{row['skill_low']:.0%} .. {row['skill_high']:.0%}",
        ]
        for row in report["players"]
    ]
    sigma = _credible(report["sigma"])
    tau = _credible(report["tau"])
    games = f"{report['played']} games played, {report['left']} left."
    sentence = f"{games} One game's chance: sd {sigma}. Skill between members: sd {tau}."
    return RenderedForecast(heads, rows, sentence)


def _credible(figures: Report) -> str:
    return f"{figures['value']:.1f} ({figures['low']:.1f} .. {figures['high']:.1f})"
