"""Take screenshots of every answer about the demo league at a phone's size: `python -m tests.tools.screens
DIRECTORY`.

It makes the pictures in docs/. Run it again after a change that can be seen.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from bot.answers.catalogue import CATALOGUE
from bot.league.demo import ensure_demo
from tests.browser import Phone, chromium
from tests.fakes.process import service
from tests.fakes.servers import free_port

WIDTH, TALL = 390, 2400
WORDS = {  # what is typed for commands that need more than their own word
    "player": "個人 みどり",
    "matchup": "相性 みどり",
    "pair": "対決 みどり 白發中",
    "if": "もしも みどり",
    "recap": "月報",
    "year": "みどりのまとめ",
    "table_game": "結果 みどり 52000 +3枚 東風 31000 -1枚 白發中",
    "fine": "罰符 みどり -10 チョンボ",
    "danger": "危険度 19m406p789s11123z 9m4p2z ドラ表示3p",
}
UNASKED = ("unknown", "record_report", "undo")  # no words; shown by さっきの; silent without one
STANDS = {"summary": 8.5}  # seconds after which an animation stands still
EMPTY = "document.getElementById('thread').replaceChildren()"
LOADED = "return [...document.images].every(image => image.complete)"
BOTTOM = "return document.getElementById('composer').getBoundingClientRect().top"
HEIGHT = "return [...document.querySelectorAll('.message')].reduce((sum, each) => sum + each.offsetHeight + 12, 0) + document.getElementById('quick-replies').offsetHeight"


@contextmanager
def phone_with_demo() -> Iterator[Phone]:
    """The console's page with the demo league."""
    with tempfile.TemporaryDirectory() as home:
        ensure_demo(f"{home}/demo")
        env = {
            "LOGS_URL": f"file:{home}/demo",
            "IMAGES_URL": f"file:{home}/images",
            "DATABASE_URL": f"sqlite:///{home}/state.sqlite3",
        }
        with service(free_port(), env) as web, chromium(Path(home) / "profile", WIDTH, TALL) as browser:
            phone = Phone(web.url, browser)
            # Wait for the greeting that the bot sends when it joins: it is not an answer.
            phone.until(lambda: phone.all(".message.theirs"))
            yield phone


def answers(phone: Phone, wanted: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Ask every question of members that is `wanted` (all without any): its name and what was typed, once the
    answer is drawn."""
    for spec in CATALOGUE.values():
        if spec.admin or spec.name in UNASKED or (wanted and spec.name not in wanted):
            continue
        words = WORDS.get(spec.name, spec.words[0] if spec.words else spec.title)
        _ask(phone, words)
        time.sleep(STANDS.get(spec.name, 0.0))
        yield spec.name, words


def _ask(phone: Phone, words: str) -> None:
    """Type the words into an empty chat, and wait until the answer is there with its pictures."""
    phone.browser.execute_script(EMPTY)
    phone.say(words)
    phone.until(lambda: phone.all(".message.theirs"))
    phone.until(lambda: phone.browser.execute_script(LOADED))


def main(directory: Path, wanted: list[str]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    with phone_with_demo() as phone:
        for name, _ in answers(phone, wanted):
            save(phone, directory / f"{name}.png")
            print(name, flush=True)


def save(phone: Phone, picture: Path) -> None:
    """A screenshot of the answer."""
    browser = phone.browser
    browser.save_screenshot(str(picture))
    _crop(picture, browser.execute_script(BOTTOM), browser.execute_script(HEIGHT))


def _crop(picture: Path, bottom: float, height: float) -> None:
    """Crop the picture to the messages and the buttons below them, at a phone's size and in 256 colours."""
    with Image.open(picture) as shot:
        scale = shot.width / WIDTH
        top = max(0, bottom - height - 24) * scale
        kept = shot.crop((0, int(top), shot.width, int(bottom * scale)))
        small = kept.resize((WIDTH, int(kept.height / scale)), Image.Resampling.LANCZOS)
        few = small.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        few.save(picture, optimize=True)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2:])
