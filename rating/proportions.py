"""How sure a share is: the 95 % interval of a proportion that was counted."""

from __future__ import annotations

Z95 = 1.959963984540054  # half width of a normal 95 % interval, in standard errors


def wilson(count: int, of: int) -> tuple[float, float]:
    """The ends (0 to 1) of the 95 % score interval of the share `count` of `of`; (0, 1) where `of` is 0.

    E. Wilson, JASA 22, 1927, doi:10.1080/01621459.1927.10502953.
    """
    if not of:
        return 0.0, 1.0
    square, share = Z95 * Z95, count / of
    scale = 1 + square / of
    middle = (share + square / (2 * of)) / scale
    half = Z95 / scale * (share * (1 - share) / of + square / (4 * of * of)) ** 0.5
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))  # rounding may cross it
