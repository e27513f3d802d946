"""Single games: 今日, 直近, and the export; the menu of periods."""

from bot.answers.games import digest, export, games, periods, recent
from bot.chat.feature import Feature, Unasked, UnaskedWhen

FEATURE = Feature(
    name="games",
    specs=(
        *export.SPECS,
        *games.SPECS,
        *recent.SPECS,
        *periods.SPECS,
    ),
    unasked=(Unasked("digest", UnaskedWhen.GAMES_CAME, digest.digest),),
)
