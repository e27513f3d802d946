"""What a night and a week or month were: ポスター and まとめ."""

from bot.answers.recaps import offers, poster, recap
from bot.chat.feature import Feature

FEATURE = Feature(
    name="recaps",
    specs=(
        *poster.SPECS,
        *recap.SPECS,
    ),
    offers=(offers.recap_since,),
)
