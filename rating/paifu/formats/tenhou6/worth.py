"""Reads what a hand is worth: "30符4飜7700点", "満貫2000-4000点", "Mangan 4000点∀", "役満32000点"."""

import re
from typing import NamedTuple

from rating.paifu.formats.tenhou6.values import MOST_POINTS, shortened
from rating.paifu.tiles import PaifuError

_WORTH = re.compile(
    r"(?:(?P<fu>[0-9]{1,3}) ?(?:符|fu) ?(?P<han>[0-9]{1,3}) ?(?:飜|翻|番|han) ?)?"
    r"(?P<limit>[^0-9]*|[^∀]*[^0-9∀-]) ?"
    r"(?P<points>[0-9]{1,8})(?: ?- ?(?P<from_dealer>[0-9]{1,8}))? ?(?:点|點|points?)? ?(?P<all>∀|オール)?",
    re.IGNORECASE,
)
# The ends of the words for a limit, the longer ones first.
_LIMITS = (
    ("役満", 5),
    ("yakuman", 5),
    ("三倍満", 4),
    ("sanbaiman", 4),
    ("倍満", 3),
    ("baiman", 3),
    ("跳満", 2),
    ("haneman", 2),
    ("満貫", 1),
    ("mangan", 1),
)
# The points of a unit, by limit, and how many units a ron is worth, or each payer of a tsumo gives.
_BASES = {5: 8000, 4: 6000, 3: 4000, 2: 3000, 1: 2000}
_UNITS = {(False, False): 4, (False, True): 6, (True, False): 1, (True, True): 2}


class Worth(NamedTuple):
    """The fu of a hand (0 where they are not written), its points and limit as in Win."""

    fu: int
    value: int
    limit: int


class Payers(NamedTuple):
    """Who pays for a hand: whether it is the dealer's, won by tsumo, and of how many seats."""

    is_dealer: bool
    is_tsumo: bool
    seats: int


def read_worth(text: str, payers: Payers) -> Worth:
    """The worth in the text. With three seats nobody pays for the seat that is not there."""
    match = _WORTH.fullmatch(" ".join(text.split()))
    if not match:
        raise PaifuError(f"a win without its points: {shortened(text)}")
    points = int(match["points"])
    if match["all"]:
        value = points * (payers.seats - 1)
    elif match["from_dealer"]:
        value = points * (payers.seats - 2) + int(match["from_dealer"])
    else:
        value = points
    if not 0 < value <= MOST_POINTS:
        raise PaifuError(f"a win without its points: {shortened(text)}")
    fu = int(match["fu"] or 0)
    limit_name = match["limit"].strip().casefold()
    if limit_name:
        return Worth(fu, value, _limit_of(limit_name))
    if match["fu"]:
        return Worth(fu, value, limit=0)
    return Worth(fu, value, _limit_of_points(match, payers))


def _limit_of(name: str) -> int:
    for ending, limit in _LIMITS:
        if name.endswith(ending):
            return limit
    raise PaifuError(f"there is no limit {shortened(name)}")


def _limit_of_points(match: re.Match[str], payers: Payers) -> int:
    """The limit of a hand of which only the points are written."""
    points = int(match["points"])
    units = _UNITS[payers.is_tsumo, payers.is_dealer]
    for limit, base in _BASES.items():
        if points >= base * units:
            return limit
    return 0
