"""`flask league room`: the id of a league's own room at Tenhou, encrypted in the database."""

from __future__ import annotations

import sys
from collections.abc import Callable
from gettext import gettext as _

import click

from bot.cli.errors import Failure
from bot.league.repository import check_folder_name
from bot.service import Service
from bot.sync.room_watch import RoomIds
from rating.room_id import RoomId


def commands(get: Callable[[], Service]) -> list[click.Command]:
    """Return the command `room`, for the group `league`."""

    @click.command("room")
    @click.argument("words", nargs=-1, metavar="[ID]")
    @click.option("--league", default="", help="The league's folder; without it, the root folder's league.")
    @click.option("--remove", is_flag=True, help="Forget the id.")
    def command(words: tuple[str, ...], league: str, remove: bool) -> None:
        """Read a league's results from its own room at Tenhou as games end.

        ID is the one of the room's management page, C and 12 or 16 digits. Without ID it is read from
        standard input, so that no other user of the machine sees it.
        """
        service = get()
        settings = service.settings
        ids = service.room_ids
        check_folder_name(league)
        said = f"{league}: " if league else ""
        if remove:
            ids.remove(league)
            click.echo(said + _("the room's id is forgotten"))
            return
        room = _read(words)
        if not league and settings.tenhou_room_id:
            raise Failure(_("TENHOU_ROOM_ID is set, and counts for this league: change it there"))
        others = [other for other in ids.leagues() if other != league]
        if any(_same(ids, other, room) for other in others):
            raise Failure(_("another league has this room already"))
        ids.put(league, room)
        click.echo(said + _("the results of room {room} are read as games end").format(room=room.room))

    return [command]


def _read(words: tuple[str, ...]) -> RoomId:
    """Return the id that was given. Its digits are in no message."""
    if len(words) > 1:
        raise Failure(_("give one id, and the league's folder with --league"))
    text = words[0] if words and words[0] != "-" else sys.stdin.readline()
    try:
        return RoomId(text.strip())
    except ValueError as error:
        raise Failure(f"ID {error}") from None


def _same(ids: RoomIds, league: str, room: RoomId) -> bool:
    try:
        return ids.get(league) == room
    except ValueError:  # encrypted with a key that is gone
        return False
