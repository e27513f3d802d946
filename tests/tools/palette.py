"""Measure the members' colours: `python -m tests.tools.palette`.

Prints each colour's contrast with white and its lightness, and the least difference of two colours
for normal, protan, deutan and tritan eyes. Shares no code with the charts.

Differences: CIEDE2000 (Sharma, Wu, Dalal, "The CIEDE2000 color-difference formula", Color Res.
Appl. 30, 2005). Vision: matrices for severity 1.0 of Machado, Oliveira, Fernandes, "A
physiologically-based model for simulation of color vision deficiency", IEEE TVCG 15 (2009), applied
to linear sRGB.
"""

from collections.abc import Sequence
from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

from tests.real import cases

Triple = tuple[float, float, float]
Matrix = tuple[tuple[float, ...], ...]

VISIONS: dict[str, Matrix] = {
    name: tuple(tuple(map(float, row.split())) for row in rows)
    for name, *rows in cases("visions.tsv")
}
_XYZ = VISIONS.pop("XYZ")
_WHITE: Triple = (0.95047, 1.0, 1.08883)


def linear(colour: str) -> Triple:
    """The linear channels (0 to 1) of a #RRGGBB of sRGB."""
    red = _linear_channel(colour[1:3])
    green = _linear_channel(colour[3:5])
    blue = _linear_channel(colour[5:7])
    return red, green, blue


def _linear_channel(digits: str) -> float:
    value = int(digits, 16) / 255
    if value <= 0.04045:
        return value / 12.92
    result: float = ((value + 0.055) / 1.055) ** 2.4
    return result


def _sum_of_products(row: Triple, values: Triple) -> float:
    return sum(a * b for a, b in zip(row, values, strict=True))


def times(matrix: Matrix, values: Triple) -> Triple:
    first, second, third = (_sum_of_products(row, values) for row in matrix)
    return first, second, third


def lab(rgb: Triple) -> Triple:
    """CIELAB (D65) of linear channels, which are first cut to what a screen shows."""
    red, green, blue = (min(1.0, max(0.0, value)) for value in rgb)
    xyz = times(_XYZ, (red, green, blue))
    x, y, z = (_lab_root(value / white) for value, white in zip(xyz, _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _lab_root(value: float) -> float:
    """The cube root, with a straight line near zero."""
    if value > 216 / 24389:
        return float(value ** (1 / 3))
    return (24389 / 27 * value + 16) / 116


def contrast_with_white(colour: str) -> float:
    """The contrast ratio of WCAG 2.1."""
    return 1.05 / (times(_XYZ, linear(colour))[1] + 0.05)


def ciede2000(one: Triple, other: Triple) -> float:
    """The difference of two CIELAB colours."""
    mean = (hypot(*one[1:]) + hypot(*other[1:])) / 2
    grow = 1.5 - 0.5 * sqrt(mean**7 / (mean**7 + 25**7))
    c1, h1 = _polar(one[1] * grow, one[2])
    c2, h2 = _polar(other[1] * grow, other[2])
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    d_l = other[0] - one[0]
    d_c = c2 - c1
    d_h = 2 * sqrt(c1 * c2) * sin(radians(turn) / 2)
    light = (one[0] + other[0]) / 2
    chroma = (c1 + c2) / 2
    hue = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    t = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + (0.32 * cos(radians(3 * hue + 6)) - 0.20 * cos(radians(4 * hue - 63)))
    )
    from_grey = (light - 50) ** 2
    s_l = 1 + 0.015 * from_grey / sqrt(20 + from_grey)
    s_c = 1 + 0.045 * chroma
    s_h = 1 + 0.015 * chroma * t
    from_blue = (hue - 275) / 25
    turned = radians(60 * exp(-(from_blue**2)))
    bend = 2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(turned)
    l = d_l / s_l  # noqa: E741
    c = d_c / s_c
    h = d_h / s_h
    return sqrt(l * l + c * c + h * h - bend * c * h)


def _polar(a: float, b: float) -> tuple[float, float]:
    return hypot(a, b), degrees(atan2(b, a)) % 360


def least_difference(colours: Sequence[str], vision: str) -> tuple[float, str, str]:
    """The least CIEDE2000 of two of the colours for this vision, and the two."""
    seen = {colour: lab(times(VISIONS[vision], linear(colour))) for colour in colours}
    return min((ciede2000(seen[a], seen[b]), a, b) for a, b in combinations(colours, 2))


def main() -> None:
    from bot.draw.style import palette

    colours = palette(12)
    for colour in colours:
        print(
            f"{colour}  contrast {contrast_with_white(colour):5.2f}  L* {lab(linear(colour))[0]:5.1f}"
        )
    for vision in VISIONS:
        for count in (7, 9, 12):
            print(f"{vision:7} {count:2}: {least_difference(colours[:count], vision)}")


if __name__ == "__main__":
    main()
