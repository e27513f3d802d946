"""Defects of the evening's list (募集)."""

from collections.abc import Callable, Collection
from dataclasses import replace

from bot.answers.tonight import signup_list
from bot.answers.tonight.signup_list import SignUpList, SignUps, SignUpTap, SignUpWord
from storage.values import Values
from tests.world.defects.plant import Plant, defect, instead


@defect
def tap_on_a_list_counted_again(plant: Plant) -> None:
    """A tap that comes again counts as a new one."""

    def with_tap(
        self: SignUpList,
        at: float,
        user: str,
        word: str,
        name: str = "",
        player: str = "",
    ) -> SignUpList:
        signups = right(self, at, user, word, name, player)
        return replace(signups, taps=(*self.taps, SignUpTap(at, user, word)))

    right = SignUpList.with_tap
    plant.instead(SignUpList, "with_tap", with_tap)


@instead(Values, "change")
def one_of_two_taps_on_a_list_lost(
    self: Values,
    key: str,
    new: Callable[[str | None], str],
    ttl: float | None = None,
) -> str:
    """A list is written whatever has become of it since it was read."""
    made = new(self.get(key))
    self.put(key, made, ttl)
    return made


@defect
def button_of_an_old_list(plant: Plant) -> None:
    """A button of a list that is over counts for the one that is open."""
    right = SignUps.tap
    plant.instead(
        SignUps,
        "tap",
        lambda self, nonce, *rest, **names: right(self, "", *rest, **names),
    )


@defect
def list_without_an_end(plant: Plant) -> None:
    """A list is open for a day and more."""
    plant.instead(signup_list, "END", signup_list.time(15))


@instead(SignUps, "left")
def who_leaves_stays_on_the_list(self: SignUps, users: Collection[str], at: float) -> None:
    """A list keeps who has left the group."""
    """Leave everybody on it."""


@instead(SignUpList, "without")
def id_stays_on_the_list(self: SignUpList, user: str, at: float) -> SignUpList:
    """Who leaves the group is off the list, which keeps the id."""
    return replace(
        self,
        taps=tuple(sorted({*self.taps, SignUpTap(at, user, SignUpWord.LEFT)})),
    )
