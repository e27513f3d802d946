"""Take screenshots of every answer about the demo league at a phone's size: `python -m tests.tools.screens
DIRECTORY [--members N [--me]] [NAMES]`.

It makes the pictures in docs/. Run it again after a change that can be seen. With `--members` the league is
one of so many, the first two with long names; with `--me` the first of them asks.
"""

import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from bot.answers.catalogue import CATALOGUE
from bot.league.demo import ensure_demo
from tests.answers.leagues import log_of, twenty
from tests.browser import Phone, chromium
from tests.fakes.process import service
from tests.fakes.servers import free_port

WIDTH, TALL = 390, 2400
WORDS = {  # what is typed for commands that need more than their own word
    "player": "個人 みどり", "matchup": "相性 みどり", "pair": "対決 みどり 白發中", "if": "もしも みどり",
    "recap": "月報", "year": "振り返り みどり",
    "table_game": "結果 みどり 52000 +3枚 東風 31000 -1枚 白發中", "fine": "罰符 みどり -10 チョンボ",
    "danger": "危険度 19m406p789s11123z 9m4p2z ドラ表示3p",
}  # fmt: skip
NAMES = "みどり", "白發中", "東風"  # in the WORDS
UNASKED = ("unknown", "record_report", "undo")  # no words; shown by さっきの; silent without one
STANDS = {"summary": 8.5}  # seconds after which an animation stands still
EMPTY = "document.getElementById('thread').replaceChildren()"
LOADED = "return [...document.images].every(image => image.complete)"
BOTTOM = "return document.getElementById('composer').getBoundingClientRect().top"
HEIGHT = "return [...document.querySelectorAll('.message')].reduce((sum, each) => sum + each.offsetHeight + 12, 0) + document.getElementById('quick-replies').offsetHeight"


LONGEST = "緑一色字一色清老頭大四喜", "🐉🀄大三元🎉のひと🀅🀆"


def made(folder: Path, members: int) -> None:
    """Write a league of so many members."""
    players = twenty()[::-1][:members]
    folder.mkdir()
    (folder / "logvol1.txt").write_bytes(log_of(players, 20 * members))
    named = zip(players, LONGEST, strict=False)
    toml = "".join(f'[player."{player}"]\nname = "{name}"\n' for player, name in named)
    (folder / "league.toml").write_text(toml, "utf-8")


@contextmanager
def phone_with_demo(members: int = 0) -> Iterator[Phone]:
    """The console's page with the demo league, or with one of so many members."""
    with tempfile.TemporaryDirectory() as home:
        if members:
            made(Path(home, "demo"), members)
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


def answers(phone: Phone, wanted: Sequence[str], names: Sequence[str] = NAMES) -> Iterator[tuple[str, str]]:
    """Ask all that is `wanted` (all without any): its name and what was typed, once it is drawn."""
    for spec in CATALOGUE.values():
        if spec.admin or spec.name in UNASKED or (wanted and spec.name not in wanted):
            continue
        words = WORDS.get(spec.name, spec.words[0] if spec.words else spec.title)
        for usual, name in zip(NAMES, names, strict=False):
            words = words.replace(usual, name)
        _ask(phone, words)
        time.sleep(STANDS.get(spec.name, 0.0))
        yield spec.name, words


def _ask(phone: Phone, words: str) -> None:
    """Type the words into an empty chat, and wait until the answer is there with its pictures."""
    phone.browser.execute_script(EMPTY)
    phone.say(words)
    phone.until(lambda: phone.all(".message.theirs"))
    phone.until(lambda: phone.browser.execute_script(LOADED))


def main(directory: Path, wanted: list[str], members: int, me: bool) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    names = (*LONGEST, *twenty()[::-1][2:members]) if members else NAMES
    with phone_with_demo(members) as phone:
        if me:
            _ask(phone, f"自分 {names[0]}")
        for name, _ in answers(phone, wanted, names):
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
    parser = ArgumentParser(usage=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--members", type=int, default=0)
    parser.add_argument("--me", action="store_true")
    args = parser.parse_args()
    main(args.directory, args.names, args.members, args.me)
