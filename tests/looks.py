"""Measure every answer about the demo league as a phone shows it: `python -m tests.looks [names]`.

Prints for each answer: messages sent, their height at 390 points, how much of the last picture is on the screen when the answer
arrives (the last SCREEN points of the chat), the smallest text of the bubbles in points, and of the pictures the smallest text
full screen and the smallest name in the chat. Bubbles are measured in Chromium, pictures as they are drawn.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.answers.catalogue import CATALOGUE
from bot.chat.replies import Picture
from tests.answers.leagues import World
from tests.browser import Phone, chromium
from tests.charts.writing import written
from tests.fakes.process import service
from tests.fakes.servers import free_port
from tests.screens import EMPTY, LOADED, WIDTH, WORDS

SCREEN = 620  # points of the chat that a phone shows
IMAGE, FULL = 253, 390  # points: a picture's width in the chat, and full screen
PIXELS = 1200
MEASURE = """
const messages = [...document.querySelectorAll('.message.theirs')];
const letters = [...document.querySelectorAll('.flex-letters')].filter(e => e.innerText.trim());
const bottom = Math.max(...messages.map(m => m.getBoundingClientRect().bottom));
const top = Math.min(...messages.map(m => m.getBoundingClientRect().top));
const picture = [...document.querySelectorAll('.picture img')].pop();
const seen = picture ? picture.getBoundingClientRect() : null;
return {
  count: messages.length,
  height: Math.round(bottom - top),
  words: letters.length ? Math.min(...letters.map(e => parseFloat(getComputedStyle(e).fontSize))) : 0,
  shown: seen ? Math.max(0, Math.min(1, (seen.bottom - Math.max(seen.top, bottom - arguments[0])) / seen.height)) : null,
};
"""


@dataclass(frozen=True)
class Sizes:
    """The smallest texts of pictures in pixels of 1200: of anything, and of what begins with a member's name."""

    least: int
    names: int


def sizes(pictures: Iterable[Picture], members: Iterable[str]) -> Sizes | None:
    """The sizes in the pictures; None without any. A name counts where it is written alone, whole or cut."""
    found = [text for picture in pictures for text in written(picture.render)]
    if not found:
        return None
    heads = tuple(name[:3] for name in members)
    names = [text.size for text in found if text.text.startswith(heads) and len(text.text) <= 9]
    return Sizes(min(text.size for text in found), min(names, default=PIXELS))


def members_of(world: World) -> list[str]:
    snapshot = world.repository.snapshot()
    players = {player for game in snapshot.all_games() for player in game.players}
    return [snapshot.league.shown(player) for player in players]


def main(wanted: list[str]) -> None:
    demo = World.again("demo")
    members = members_of(demo)
    print("answer        messages height shown words  full chat")
    with tempfile.TemporaryDirectory() as home:
        env = {"IMAGES_URL": f"file:{home}/images", "DATABASE_URL": f"sqlite:///{home}/state.sqlite3"}
        with service(free_port(), env) as web, chromium(Path(home) / "profile", WIDTH, 2400) as browser:
            phone = Phone(web.url, browser)
            phone.until(lambda: phone.all(".message.theirs"))
            for spec in CATALOGUE.values():
                if spec.admin or spec.name == "unknown" or (wanted and spec.name not in wanted):
                    continue
                browser.execute_script(EMPTY)
                words = WORDS.get(spec.name, spec.words[0] if spec.words else spec.title)
                phone.say(words)
                phone.until(lambda: phone.all(".message.theirs"))
                phone.until(lambda: browser.execute_script(LOADED))
                found = browser.execute_script(MEASURE, SCREEN)
                print(_line(spec.name, found, sizes(demo.ask(words).pictures, members)), flush=True)


def _line(name: str, found: dict[str, Any], drawn: Sizes | None) -> str:
    shown = "" if found["shown"] is None else f"{found['shown']:.0%}"
    pictures = ""
    if drawn:
        pictures = f"{drawn.least * FULL / PIXELS:5.1f}"
        pictures += f"{drawn.names * IMAGE / PIXELS:5.1f}" if drawn.names < PIXELS else ""
    return f"{name:14}{found['count']:8}{found['height']:7}{shown:>6}{found['words']:6.1f} {pictures}"


if __name__ == "__main__":
    if any(name.startswith("-") for name in sys.argv[1:]):
        raise SystemExit(__doc__)
    main(sys.argv[1:])
