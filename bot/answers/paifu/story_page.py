"""The story of a game as PNG: everybody's chance of first at each deal, and what changed it the most."""

from bot.answers.common.story import TITLE, curves, story_lines, swing_of, turning_line
from bot.answers.paifu.analysis import Analysis, result, subtitle
from bot.draw.layout import prose, titled
from rating.paifu.chances import Turning, deals_of
from rating.paifu.record import Round

_HIGH = 400


def turned_round(analysis: Analysis) -> tuple[Round, Turning] | None:
    """The round of the turning point; None where nothing changes or the chances are unknown."""
    turning = analysis.turning
    return None if turning is None else (deals_of(analysis.record)[turning.round][0], turning)


def swing_words(analysis: Analysis, turning: Turning) -> tuple[int, str]:
    """The seat whose chance of first the round changed the most, and how: 31%→78%."""
    assert analysis.chances is not None
    return swing_of([places[:, 0].tolist() for places in analysis.chances], turning, analysis.order)


def draw_story(analysis: Analysis, when: str = "") -> bytes:
    """A PNG, 1200 pixels wide: the turning point in words, and the curves; the chances are known."""
    assert analysis.chances is not None
    final = [f"{points:,}".replace("-", "−") for points in analysis.record.points()]
    chart = story_lines(
        [places[:, 0].tolist() for places in analysis.chances],
        [deal.name for deal, _ in deals_of(analysis.record)],
        list(zip(analysis.names, analysis.colours, final, strict=False)),
        analysis.turning,
        analysis.order,
        analysis.seat,
    )
    sections = turning_line(chart)
    if (turned := turned_round(analysis)) and turned[0].endings:
        sections += [prose(result(turned[0], analysis.names), air=6)]
    subtitles = filter(None, (when, subtitle(analysis.record)))
    return titled(TITLE, "　".join(subtitles), [*sections, curves(chart, _HIGH)])
