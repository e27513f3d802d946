"""Games at a table: results that are typed, fines, the sets of rules."""

from bot.answers.table_game import fine, record, rules
from bot.chat.feature import Feature

FEATURE = Feature(
    name="table_game",
    specs=(
        *fine.SPECS,
        *record.SPECS,
        *rules.SPECS,
    ),
    texts=(record.recognise,),
)
