"""What admins do in a chat: enrol it, change settings, files and members, see what is at fault."""

from bot.answers.admin import enrol, ident, log_files, losses, members, rooms, settings, status
from bot.chat.feature import Feature

FEATURE = Feature(
    name="admin",
    specs=(
        *enrol.SPECS,
        *ident.SPECS,
        *log_files.SPECS,
        *losses.SPECS,
        *members.SPECS,
        *rooms.SPECS,
        *settings.SPECS,
        *status.SPECS,
    ),
    files=(log_files.recognise,),
)
