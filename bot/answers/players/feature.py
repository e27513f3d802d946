"""One member, or two: the card, 対決, 相性, one figure, a year."""

from bot.answers.players import figure, matchup, offers, pair, player, year
from bot.chat.feature import Feature

FEATURE = Feature(
    name="players",
    specs=(
        *figure.SPECS,
        *matchup.SPECS,
        *pair.SPECS,
        *player.SPECS,
        *year.SPECS,
    ),
    offers=(offers.own_years,),
)
