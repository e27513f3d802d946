"""Tonight: who is in the room, and who comes."""

from bot.answers.tonight import evening, room, signup, signup_list
from bot.chat.feature import Feature, Happening, Unasked, UnaskedWhen

FEATURE = Feature(
    name="tonight",
    specs=(
        *room.SPECS,
        *signup.SPECS,
    ),
    texts=(room.recognise, signup.recognise),
    unasked=(
        Unasked("first game", UnaskedWhen.EVENING_BEGAN, evening.first_game),
        Unasked("whole evening", UnaskedWhen.EVENING_ENDED, evening.whole_evening),
    ),
    listeners={
        Happening.MEMBERS_LEFT: signup_list.members_left,
        Happening.USER_FORGOTTEN: signup_list.user_forgotten,
    },
)
