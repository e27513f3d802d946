"""How sure a share or a mean is: the 95 % interval of a proportion, and Student's t."""

from math import expm1, sqrt
from statistics import NormalDist

Z95 = 1.959963984540054  # half width of a normal 95 % interval, in standard errors
TAIL = 0.025  # the probability beyond each end of a 95 % interval


def wilson(count: float, of: float) -> tuple[float, float]:
    """The ends (0 to 1) of the 95 % score interval of the share `count` of `of`; (0, 1) where `of`
    is 0. E. Wilson, JASA 22, 1927, doi:10.1080/01621459.1927.10502953."""
    if not of:
        return 0.0, 1.0
    square = Z95 * Z95
    share = count / of
    scale = 1 + square / of
    middle = (share + square / (2 * of)) / scale
    variance = share * (1 - share) / of + square / (4 * of * of)
    half = Z95 / scale * variance**0.5
    # rounding may cross the share
    low = min(middle - half, share)
    high = max(middle + half, share)
    return max(0.0, low), min(1.0, high)


def t_quantile(freedom: int, tail: float = TAIL) -> float:
    """The value that Student's t with so many degrees of freedom exceeds with the probability
    `tail`. A normal quantile turned into one of t: D. Wallace, Annals of Mathematical Statistics
    30, 1959, doi:10.1214/aoms/1177706100. With 2 degrees of freedom it is 4 % too large, with 4 0.5
    %."""
    normal = NormalDist().inv_cdf(1 - tail)
    z = normal * (8 * freedom + 3) / (8 * freedom + 1)
    return sqrt(freedom * expm1(z * z / freedom))
