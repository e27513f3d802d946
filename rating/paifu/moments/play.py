"""Moments of the deal, of draws and discards, and of rounds without a win."""

from collections.abc import Iterator

from rating.paifu.efficiency import shanten_of
from rating.paifu.luck import DrawLuck
from rating.paifu.moments.moment import Find, Sighting
from rating.paifu.moments.places import after_discard_of, after_draw
from rating.paifu.record import NoWin
from rating.paifu.story import Story, passed_waits
from rating.paifu.tiles import counts

LEAST_HONBA = 4
LEAST_TILES = 6  # accepted by a tenpai that was refused
# `NoWin.type` of the draws that are moments: all but nine terminals and honours
ABORTED = ("reach4", "ron3", "kan4", "kaze4")
NAGASHI = "nm"


def honba(story: Story) -> Iterator[Sighting]:
    if story.played.honba >= LEAST_HONBA:
        yield Sighting(story.played.dealer, subject=story.played.honba, at=0)


def dealt(*shanten: int) -> Find:
    """The rule of hands dealt with one of these shanten."""

    def find(story: Story) -> Iterator[Sighting]:
        for seat, hand in enumerate(story.played.hands):
            if shanten_of(counts(hand), story.record.seats) in shanten:
                yield Sighting(seat, at=0)

    return find


def runs(hit: bool, least: int) -> Find:
    """The rule of so many draws in a row that all lowered the shanten (`hit`), or did not."""

    def find(story: Story) -> Iterator[Sighting]:
        for seat in range(story.record.seats):
            draws = [draw for draw in story.draws if draw.seat == seat]
            run = _longest_run(draws, hit)
            if len(run) >= least:
                at = after_draw(story.played, run[-1].tile)
                yield Sighting(seat, subject=len(run), at=at)

    return find


def _longest_run(draws: list[DrawLuck], hit: bool) -> list[DrawLuck]:
    """The most draws in a row with this `hit`; of equally long runs the first."""
    longest: list[DrawLuck] = []
    run: list[DrawLuck] = []
    for draw in draws:
        if draw.hit != hit:
            run = []
            continue
        run.append(draw)
        if len(run) > len(longest):
            longest = list(run)
    return longest


def passed(furiten: bool) -> Find:
    """The rule of a wait that a hand in riichi did not win on, being furiten or not."""

    def find(story: Story) -> Iterator[Sighting]:
        for wait in passed_waits(story):
            at = after_discard_of(story.played, wait.tile)
            for waiting in wait.waiting:
                if waiting.furiten == furiten:
                    yield Sighting(waiting.seat, (wait.tile // 4,), at=at)

    return find


def tenpai_refused(story: Story) -> Iterator[Sighting]:
    for choice in story.choices:
        best = choice.best
        if best.shanten == 0 and choice.taken.shanten > 0 and best.tiles >= LEAST_TILES:
            at = after_discard_of(story.played, choice.tile)
            yield Sighting(choice.seat, best.kinds, best.tiles, at=at)


def all_tenpai(story: Story) -> Iterator[Sighting]:
    for ending in _no_wins(story):
        if not ending.type and all(ending.shown):
            yield Sighting(story.played.dealer)


def aborted(story: Story) -> Iterator[Sighting]:
    for ending in _no_wins(story):
        if ending.type in ABORTED:
            yield Sighting(story.played.dealer, subject=ending)


def nagashi(story: Story) -> Iterator[Sighting]:
    """The seat that wins most of a nagashi mangan."""
    winners = {
        ending.change.index(max(ending.change))
        for ending in _no_wins(story)
        if ending.type == NAGASHI
    }
    for seat in sorted(winners):
        yield Sighting(seat)


def _no_wins(story: Story) -> Iterator[NoWin]:
    for ending in story.played.endings:
        if isinstance(ending, NoWin):
            yield ending
