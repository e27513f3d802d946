"""Measure every answer about the demo league as a phone shows it: `python -m tests.tools.looks
[--docs] [names]`.

Prints for each answer: what is on the screen when it arrives (the last SCREEN points of the chat),
how much of the last picture is, the smallest text of the bubbles in points, of the pictures the
smallest text full screen and the smallest name in the chat, the messages sent, and their height at
390 points. Bubbles are measured in Chromium, pictures as they are drawn. With `--docs` the table
goes into docs/looks.md and a screenshot of each answer into docs/screens.
"""

import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PIL import Image

from bot.answers.catalogue import CATALOGUE
from bot.answers.paifu.analysis import analysed
from bot.answers.paifu.game_page import draw_game, draw_story
from bot.chat.replies import Picture
from bot.league.demo import GAMES, STRENGTH, ensure_demo, played
from bot.texts import COMING
from rating.paifu.deal_in import SOURCE_RATES
from rating.paifu.formats import parse
from tests.answers.leagues import LeagueWorld
from tests.backend import Embedded
from tests.browser import Phone, chromium
from tests.draw.writing import Written, written
from tests.fakes.process import service
from tests.fakes.servers import free_port

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "looks.md"
SCREENS = ROOT / "docs" / "screens"
BEGIN = "<!-- measured -->"
END = "<!-- end -->"
HEADS = (
    "| answer | on the screen on arrival | of the last picture | words of bubbles | pictures, full screen | names in the chat | messages | height |",
    "|---|---|---|---|---|---|---|---|",
)

SCREEN = 620  # points of the chat that a phone shows
# points: a picture's width in the chat, and full screen
IMAGE = 253
FULL = 390
TALL = 2400  # points: the page's height
PIXELS = 1200
WORDS = {  # what is typed for commands that need more than their own word
    "player": "個人 みどり",
    "matchup": "相性 みどり",
    "pair": "対決 みどり 白發中",
    "if": "もしも みどり",
    "recap": "月報",
    "year": "振り返り みどり",
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
  top: [...document.querySelectorAll('.message.theirs')].filter(m => m.getBoundingClientRect().bottom > bottom - arguments[0] + 40)
    .map(m => m.querySelector('.picture img') ? '画像' : m.querySelector('.flex-bubble') ? (m.querySelectorAll('.flex-letters').length > 5 ? '表' : 'ボタン') : '文').join('・'),
  shown: seen ? Math.max(0, Math.min(1, (seen.bottom - Math.max(seen.top, bottom - arguments[0])) / seen.height)) : null,
};
"""


@dataclass(frozen=True)
class Sizes:
    """The smallest texts in pixels of 1200: of anything, and of what begins with a member's
    name.
    """

    least: int
    names: int


@dataclass(frozen=True)
class Measured:
    """An answer on the page: its messages, their height in points, the smallest text of its bubbles
    (0 without any), the part of the last picture on the screen, and the sizes in its pictures."""

    name: str
    sizes: Sizes | None
    count: int
    height: int
    words: float
    shown: float | None
    top: str

    @property
    def row(self) -> str:
        """A row of the table in docs/looks.md: sizes in points."""
        sizes = self.sizes or Sizes(0, PIXELS)
        full = f"{sizes.least * FULL / PIXELS:.1f}" if sizes.least else "―"
        names = f"{sizes.names * IMAGE / PIXELS:.1f}" if sizes.names < PIXELS else "―"
        cells = (
            CATALOGUE[self.name].title,
            self.top,
            "―" if self.shown is None else f"{self.shown:.0%}",
            f"{self.words:.0f}" if self.words else "15.5",
            full,
            names,
            str(self.count),
            str(self.height),
        )
        return f"| {' | '.join(cells)} |"


def sizes(found: Sequence[Written], members: Iterable[str]) -> Sizes | None:
    """The sizes of texts; None without any.

    A name counts where it is written alone, whole or cut.
    """
    if not found:
        return None
    heads = tuple(name[:3] for name in members)
    names = [text.size for text in found if text.text.startswith(heads) and len(text.text) <= 9]
    return Sizes(min(text.size for text in found), min(names, default=PIXELS))


def members_of(world: LeagueWorld) -> list[str]:
    snapshot = world.repository.snapshot()
    players = {player for game in snapshot.all_games() for player in game.players}
    return [snapshot.league.shown(player) for player in players]


def report_pictures() -> list[Picture]:
    """The pictures of a report on one of the demo league's records."""
    analysis = analysed(
        parse(played(GAMES - 1).record(tuple(STRENGTH)[:3])),
        SOURCE_RATES,
    )
    return [Picture(analysis, draw, "") for draw in (draw_story, draw_game)]


@contextmanager
def phone_with_demo() -> Iterator[Phone]:
    """The console's page with the demo league."""
    with tempfile.TemporaryDirectory() as home:
        ensure_demo(f"{home}/logs")
        env = Embedded().files(Path(home)) | Embedded().env(Path(home))
        with (
            service(free_port(), env) as web,
            chromium(Path(home) / "profile", FULL, TALL) as browser,
        ):
            phone = Phone(web.url, browser)
            # Wait for the greeting that the bot sends when it joins: it is not an answer.
            phone.until(lambda: phone.all(".message.theirs"))
            yield phone


def is_answered(phone: Phone, words: str) -> bool:
    """Ask in an empty chat; return False where the bot replies that the answer is still made."""
    phone.browser.execute_script(EMPTY)
    phone.say(words)
    phone.until(lambda: phone.all(".message.theirs"))
    ending = COMING.partition("{title}")[2]
    return all(ending not in message.text for message in phone.all(".message.theirs"))


def answers(phone: Phone, wanted: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Ask all that is `wanted` (all without any), each in an empty chat: its name and what was
    typed, once the answer is there with its pictures."""
    for spec in CATALOGUE.values():
        if spec.admin or spec.name in UNASKED or (wanted and spec.name not in wanted):
            continue
        words = WORDS.get(spec.name) or [*spec.words.split(), spec.title][0]
        phone.until(partial(is_answered, phone, words))
        phone.until(lambda: phone.browser.execute_script(LOADED))
        time.sleep(STANDS.get(spec.name, 0.0))
        yield spec.name, words


def save(phone: Phone, picture: Path) -> None:
    """A screenshot of the answer: the messages and the buttons below them, at a phone's size, in
    256 colours.
    """
    browser = phone.browser
    browser.save_screenshot(str(picture))
    bottom = browser.execute_script(BOTTOM)
    height = browser.execute_script(HEIGHT)
    with Image.open(picture) as shot:
        scale = shot.width / FULL
        top = max(0, bottom - height - 24) * scale
        kept = shot.crop(
            (
                0,
                int(top),
                shot.width,
                int(bottom * scale),
            )
        )
        small = kept.resize((FULL, int(kept.height / scale)), Image.Resampling.LANCZOS)
        few = small.convert("RGB").quantize(
            256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
        )
        few.save(picture, optimize=True)


def measured(wanted: Sequence[str], directory: Path | None) -> Iterator[Measured]:
    """Every answer as the page shows it, with a screenshot of it in the directory."""
    demo = LeagueWorld.again("demo")
    members = members_of(demo)
    with phone_with_demo() as phone:
        for name, words in answers(phone, wanted):
            found = phone.browser.execute_script(MEASURE, SCREEN)
            pictures = report_pictures() if name == "last_record" else demo.ask(words).pictures
            if directory is not None:
                save(phone, directory / f"{name}.png")
            texts = [text for picture in pictures for text in written(picture.render)]
            yield Measured(name, sizes(texts, members), **found)


def main(wanted: Sequence[str], docs: bool) -> None:
    rows = list(HEADS)
    print("\n".join(HEADS))
    for each in measured(wanted, SCREENS if docs else None):
        print(each.row, flush=True)
        rows.append(each.row)
    if docs:
        head, _, rest = DOCS.read_text("utf-8").partition(BEGIN)
        _, _, tail = rest.partition(END)
        DOCS.write_text(head + BEGIN + "\n" + "\n".join(rows) + "\n" + END + tail, "utf-8")


if __name__ == "__main__":
    asked = sys.argv[1:]
    if any(name.startswith("-") and name != "--docs" for name in asked):
        raise SystemExit(__doc__)
    main([name for name in asked if name != "--docs"], "--docs" in asked)
