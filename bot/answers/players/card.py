"""What a member's card is made of: the figures of one member in some games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.answers.common.figures import careers_of
from bot.answers.common.members import People
from bot.answers.common.model_names import course_model
from bot.answers.common.pick_player import scope_with
from bot.answers.common.ratings import Ratings, ratings_of
from bot.answers.common.scope import Scope
from bot.answers.forecast.skill_words import ShareOfSkill, share_of
from bot.answers.paifu.statistics import record_facts
from bot.answers.players.honours import Compared, compared_in, honour_of
from bot.charts.parts.facts import Fact
from bot.charts.player import Honour
from bot.chat.command import Question
from bot.chat.replies import UserError
from rating.careers import FEWEST, Career, careers
from rating.models import MODELS
from rating.standings import Rating
from rating.statistics import COMPARED
from rating.titles import EarnedTitle

CARD_MODEL = next(name for name, model in MODELS.items() if model.on_card)


@dataclass(frozen=True)
class Card:
    """What is known of one member in some games.

    `rating` and the course are by the league's rating, or by the first that learns game by game; `rank` (from 1, 0 for none)
    is the place among `among` players. `near` are the careers the radar compares the member with: of those with enough games,
    where these are too few of those with FEWEST. `strength` is 実力（推定） with its interval, None when it can't be computed.
    """

    player: str
    scope: Scope
    career: Career
    rating: Rating | None
    rank: int
    among: int
    ratings: Ratings
    strength: Rating | None
    honour: Honour
    compared: Compared
    share: ShareOfSkill | None = None  # of skill; None with too few games
    near: Mapping[str, Career] = field(default_factory=dict)
    paifu: tuple[Fact, ...] = ()  # from the member's paifu (game records)

    @property
    def held(self) -> Sequence[EarnedTitle]:
        """The titles that the member earned, the first one is on the card."""
        return self.compared.titles.get(self.player, ())


def card_of(question: Question, people: People, player: str) -> Card:
    """The card of a member. Raises UserError when the member has no game."""
    scope = scope_with(question, player)
    ratings = ratings_of(question, scope, course_model(question.snapshot.league.model))
    try:
        strength = ratings_of(question, scope, CARD_MODEL).standings.get(player)
    except UserError:
        strength = None
    place = ratings.places.get(player)
    compared = compared_in(question, people, scope)
    near = compared.careers
    if len(near) < COMPARED:
        near = careers(scope.games, frozenset(people.order), FEWEST)
    return Card(
        player,
        scope,
        career=careers_of(people, scope, ratings)[player],
        rating=ratings.standings.get(player),
        rank=place.place if place else 0,
        among=sum(place is not None and other.group == place.group for other in ratings.places.values()),
        ratings=ratings,
        strength=strength,
        honour=honour_of(question, compared, player),
        compared=compared,
        near=near,
        share=share_of(question, scope, player),
        paifu=record_facts(question, player, scope.seats),
    )
