"""What is always there: the menu, help, the greeting, and changes that are confirmed."""

from bot.answers.common import confirm, help as help_answers, notices
from bot.chat.feature import Feature

FEATURE = Feature(
    name="common",
    specs=(
        *help_answers.SPECS,
        *confirm.SPECS,
    ),
    notices=(notices.file_notices,),
)
