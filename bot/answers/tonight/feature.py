"""Tonight: who is in the room, and who comes."""

from bot.answers.tonight import room, signup
from bot.chat.feature import Feature

FEATURE = Feature(
    name="tonight",
    specs=(
        *room.SPECS,
        *signup.SPECS,
    ),
    texts=(room.recognise, signup.recognise),
)
