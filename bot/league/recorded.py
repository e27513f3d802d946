"""The steps of what members record in a chat: a game at a table (卓), or a session of team matches.

A writer that dies leaves ADDING or REMOVING; the tap, which is answered again, does what is left
(bot/league/table_log.py, team_log.py).
"""

from enum import StrEnum

UNDO = 24 * 3600.0  # seconds in which a game or session can be taken out again
STUCK = 90.0  # seconds after which a writer counts as dead


class RecordStep(StrEnum):
    """How far the writing of one record has come, as the State stores it."""

    ADDING = "adding"
    WRITTEN = "there"
    REMOVING = "removing"
    REMOVED = "gone"
