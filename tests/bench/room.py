"""A room's own results: requests of an evening and of an idle day, minutes from a result to the season log.

The times are the stand-in's (virtual). The sync is run every minute, as often as anybody could.
"""

from __future__ import annotations

import random
import statistics
import tempfile
from datetime import datetime, timedelta
from pathlib import Path

from storage.logs import FolderLogs
from storage.state import SqlState
from tests.fakes.tenhou import FakeTenhou
from tests.sync.evenings import DAY, HAND, ROOM, ROOM_ID, Sync, evening, utc

MINUTE = timedelta(minutes=1)


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as home, FakeTenhou() as tenhou:
        (Path(home) / "logs").mkdir()
        logs, state = FolderLogs(Path(home) / "logs"), SqlState(f"sqlite:///{home}/state.sqlite3")
        logs.write("logvol1.txt", HAND.encode(), None)
        room = tenhou.open_room(ROOM_ID)
        tenhou.put(DAY, [])
        sync = Sync(tenhou, logs, state)
        moment = datetime(2026, 8, 9, 12, 0)
        while moment < datetime(2026, 8, 10, 12, 0):
            sync.at(moment)
            sync.watch().look({"": frozenset({ROOM})})
            moment += MINUTE
        print(f"idle day: {len(room.asked)} requests")
        played = evening(room, random.Random(1))
        begin, end = played[0].start, max(game.end for game in played)
        moment, waits, before = begin - 30 * MINUTE, {}, len(room.asked)
        while moment < end + 30 * MINUTE:
            tenhou.clock.time = utc(moment)
            sync()
            waits |= {
                game.id: moment - game.end
                for game in played
                if game.id not in waits and game.line.encode() in sync.log
            }
            moment += MINUTE
        took = [wait / MINUTE for wait in waits.values()]
        hours = (end - begin) / timedelta(hours=1)
        print(
            f"evening of {len(played)} games in {hours:.1f} hours: {len(room.asked) - before} requests of results"
        )
        print(
            f"requests of records: {sum('/0/log/' in path for path in tenhou.judge.requests)} for {len(room.fetched)} records"
        )
        print(
            f"minutes from result to log: median {statistics.median(took):.1f}, longest {max(took):.1f}, {len(took)} games"
        )
        state.close()


if __name__ == "__main__":
    main()
