"""Tonight: who is in the room, and who comes."""

from bot.answers.tonight import room, signup, signup_list
from bot.chat.feature import Feature, Happening

FEATURE = Feature(
    name="tonight",
    specs=(
        *room.SPECS,
        *signup.SPECS,
    ),
    texts=(room.recognise, signup.recognise),
    listeners={
        Happening.MEMBERS_LEFT: signup_list.members_left,
        Happening.USER_FORGOTTEN: signup_list.user_forgotten,
    },
)
