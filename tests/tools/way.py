"""Measure which files of ours a tap runs through, and which calls go up a floor. `python -m
tests.tools.way` prints them: of the first tap of a process (cold), and how many the same tap runs
through once more (warm).

A rating tap in the demo league is accepted and answered in one thread while every call between
files is noted. A turn back is a call to a file on a higher floor than the caller's (see
tests/tools/house.py): a callback, or a call that is made too late.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from flask import Flask

from bot.demo_chat import DEMO_GROUP
from bot.league.demo import ensure_demo
from bot.lifecycle import preload
from bot.service import Service
from bot.settings import read_settings
from bot.web import create_web
from tests.backend import Embedded
from tests.tools.bench.loadkit import SECRET, TOKEN, line_stub, webhook
from tests.tools.house import ROOT, House, measure, room_of

Step = tuple[str, str]  # the caller's file and the called one


class Inline:
    room = 1000

    def submit(self, work: Callable[..., None], *args: Any) -> bool:
        work(*args)
        return True

    do = submit


def traced(work: Callable[[], object]) -> list[Step]:
    """The calls between files of ours while `work` runs, in order."""
    steps: list[Step] = []
    root = tuple(str(ROOT / folder) for folder in ("bot", "rating", "storage"))

    def own(frame: FrameType | None) -> str:
        while frame is not None and not frame.f_code.co_filename.startswith(root):
            frame = frame.f_back
        return frame.f_code.co_filename.removeprefix(f"{ROOT}/") if frame is not None else ""

    def note(frame: FrameType, what: str, _: Any) -> None:
        if what == "call" and frame.f_code.co_filename.startswith(root):
            step = own(frame.f_back), own(frame)
            if step[0] != step[1]:
                steps.append(step)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return steps


def turns(steps: list[Step], house: House) -> set[Step]:
    floors = house.floors

    def floor(path: str) -> int:
        return floors[room_of(path.removesuffix(".py").replace("/", "."))]

    return {(one, other) for one, other in steps if one and floor(other) > floor(one)}


def way(folder: Path) -> tuple[list[Step], list[Step]]:
    """The steps of a rating tap, with the league read and the chart drawn on the way, and of
    another.
    """
    with line_stub() as (_line, api):
        env = {
            "LINE_API_URL": api,
            "LINE_CHANNEL_SECRET": SECRET,
            "LINE_CHANNEL_ACCESS_TOKEN": TOKEN,
            "PUBLIC_URL": "https://janroku.example",
            "LEAGUE_CHATS": DEMO_GROUP,
        }
        env |= Embedded().files(folder) | Embedded().env(folder)
        ensure_demo(folder / "logs")
        service = Service(read_settings(env), pool=Inline())
        service.takers = Inline()  # type: ignore[assignment]
        preload(service)
        app = Flask("way")
        app.register_blueprint(create_web(service))
        client = app.test_client()

        def tap() -> None:
            _token, tapped, signed = webhook(DEMO_GROUP)
            client.post("/callback", data=tapped, headers={"X-Line-Signature": signed})

        return traced(tap), traced(tap)


def files_of(steps: list[Step]) -> list[str]:
    return list(dict.fromkeys(file for step in steps for file in step if file))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        steps, again = way(Path(folder))
    files = files_of(steps)
    back = sorted(turns(steps, measure()))
    print(f"{len(files)} files of ours cold, {len(files_of(again))} warm, {len(back)} turns back")
    print("\n".join(files))
    print("turns back:", *(f"{one} -> {other}" for one, other in back), sep="\n  ")
