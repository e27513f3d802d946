"""A league's own room through the background loop: requests, and minutes from a result to the
chat's rating.

    python -m tests.tools.bench.room            # an idle day and an evening
    python -m tests.tools.bench.room --quick    # with fewer games

The times are the stand-in's (virtual). Every fifteen seconds a tick of the loop, and the chat is
asked every minute. The exit status is 1 where the chat shows other games than the log has.
"""

import argparse
import json
import random
import re
import statistics
import tempfile
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path

from bot.chat.access import Access
from bot.chat.command import Command
from bot.dispatch.responder import Tap
from bot.line.messages import messages
from bot.line.webhook import Event
from bot.service import Service
from tests.backend import Embedded
from tests.fakes.tenhou import FakeTenhou
from tests.sync.evenings import evening
from tests.sync.nights import NIGHT, Nights, nights

MINUTE = timedelta(minutes=1)
COUNTED = re.compile(
    r'"text": "\d+/\d+[^"]*?(\d+)戦'
)  # below the title: the days, and the games of them


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--quick", action="store_true", help="6 games instead of 30")
    games = 6 if parser.parse_args().quick else 30
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name in ("idle", "evening"):
            (home / name).mkdir()
        idle_day(home / "idle")
        quiet_evening(home / "evening", games)


def idle_day(home: Path) -> None:
    with FakeTenhou() as tenhou, nights(home, tenhou, Embedded()) as night:
        night.service()
        night.until(NIGHT + timedelta(days=1), MINUTE)
        print(f"idle day: {len(night.room.asked)} requests")


def quiet_evening(home: Path, games: int) -> None:
    with FakeTenhou() as tenhou, nights(home, tenhou, Embedded()) as night:
        played = evening(night.room, random.Random(1), games)
        service = night.service()
        begin = min(game.start for game in played)
        end = max(game.end for game in played)
        waits: dict[str, float] = {}
        moment = NIGHT
        while moment < end + timedelta(hours=1):
            moment += MINUTE
            night.until(moment)
            shown = games_in_chat(service) - 1  # one was there before
            log = night.log
            there = [game for game in played if game.line.encode() in log]
            if shown != len(there):
                raise SystemExit(f"the chat shows {shown} games, the log has {len(there)}")
            for game in there:
                waits.setdefault(game.id, (moment - game.end) / MINUTE)
        hours = (end - begin) / timedelta(hours=1)
        evening_figures(night, played_hours=hours, waits=list(waits.values()))


def games_in_chat(service: Service) -> int:
    """How many games the answer to 収支 counts in the chat."""
    tap = Tap(Event("", "postback", "C" + "0" * 32, "", "", 0.0))
    tap.command = Command("point")
    tap.access = Access("", False)
    for step in service.responder.answering[1:]:
        if not step(tap):
            break
    reply = tap.reply
    sent = messages(service.pictures.stored(reply))
    counted = COUNTED.search(json.dumps(sent, ensure_ascii=False))
    return int(counted[1]) if counted else 0


def evening_figures(night: Nights, played_hours: float, waits: list[float]) -> None:
    asked = [at for at in night.room.asked if at > datetime(2026, 8, 10, 19, 0)]
    tries = sum("/0/log/" in path for path in night.tenhou.judge.requests)
    print(
        f"evening of {len(waits)} games in {played_hours:.1f} hours: {len(asked)} requests of results"
    )
    print(f"requests of records: {tries} for {len(night.room.fetched)} records")
    told = f"median {statistics.median(waits):.1f}, longest {max(waits):.1f}"
    print(f"minutes from the result to the rating in the chat: {told}")


if __name__ == "__main__":
    main()
