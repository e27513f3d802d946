"""Measure every answer about the demo league as a phone shows it: `python -m tests.tools.looks [--docs] [names]`.

Prints for each answer: messages sent, their height at 390 points, how much of the last picture is on the
screen when the answer arrives (the last SCREEN points of the chat), the smallest text of the bubbles in
points, and of the pictures the smallest text full screen and the smallest name in the chat. Bubbles are
measured in Chromium, pictures as they are drawn. With `--docs` the table goes into docs/looks.md and a
screenshot of each answer into docs/screens.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.answers.catalogue import CATALOGUE
from bot.answers.paifu.analysis import analysed
from bot.answers.paifu.game_page import draw_game, draw_story
from bot.chat.replies import Picture
from bot.league.demo import GAMES, STRENGTH, played
from rating.paifu.deal_in import SOURCE_RATES
from rating.paifu.mjlog import parse
from tests.answers.leagues import World
from tests.draw.writing import Written, written
from tests.tools.screens import answers, phone_with_demo, save

ROOT = Path(__file__).parents[2]
DOCS, SCREENS = ROOT / "docs" / "looks.md", ROOT / "docs" / "screens"
BEGIN, END = "<!-- measured -->", "<!-- end -->"
HEADS = (
    "| answer | on the screen on arrival | of the last picture | words of bubbles | pictures, full screen | names in the chat | messages | height |",
    "|---|---|---|---|---|---|---|---|",
)

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
  top: [...document.querySelectorAll('.message.theirs')].filter(m => m.getBoundingClientRect().bottom > bottom - arguments[0] + 40)
    .map(m => m.querySelector('.picture img') ? '画像' : m.querySelector('.flex-bubble') ? (m.querySelectorAll('.flex-letters').length > 5 ? '表' : 'ボタン') : '文').join('・'),
  shown: seen ? Math.max(0, Math.min(1, (seen.bottom - Math.max(seen.top, bottom - arguments[0])) / seen.height)) : null,
};
"""


@dataclass(frozen=True)
class Sizes:
    """The smallest texts in pixels of 1200: of anything, and of what begins with a member's name."""

    least: int
    names: int


@dataclass(frozen=True)
class Measured:
    """An answer on the page: its messages, their height in points, the smallest text of its bubbles (0
    without any), the part of the last picture on the screen, and the sizes in its pictures."""

    name: str
    sizes: Sizes | None
    count: int
    height: int
    words: float
    shown: float | None
    top: str

    @property
    def on_screen(self) -> str:
        return "" if self.shown is None else f"{self.shown:.0%}"

    @property
    def full(self) -> str:
        """The smallest text of the pictures full screen, in points."""
        return f"{self.sizes.least * FULL / PIXELS:.1f}" if self.sizes else ""

    @property
    def names(self) -> str:
        """The smallest name of the pictures in the chat, in points."""
        return f"{self.sizes.names * IMAGE / PIXELS:.1f}" if self.sizes and self.sizes.names < PIXELS else ""

    @property
    def drawn(self) -> str:
        return f"{self.full:>5} {self.names}".rstrip()

    @property
    def row(self) -> str:
        """A row of the table in docs/looks.md."""
        words = f"{self.words:.0f}" if self.words else "15.5"
        cells = (
            CATALOGUE[self.name].title, self.top, self.on_screen or "―", words, self.full or "―",
            self.names or "―", str(self.count), str(self.height),
        )  # fmt: skip
        return f"| {' | '.join(cells)} |"


def sizes(found: Sequence[Written], members: Iterable[str]) -> Sizes | None:
    """The sizes of texts; None without any. A name counts where it is written alone, whole or cut."""
    if not found:
        return None
    heads = tuple(name[:3] for name in members)
    names = [text.size for text in found if text.text.startswith(heads) and len(text.text) <= 9]
    return Sizes(min(text.size for text in found), min(names, default=PIXELS))


def members_of(world: World) -> list[str]:
    snapshot = world.repository.snapshot()
    players = {player for game in snapshot.all_games() for player in game.players}
    return [snapshot.league.shown(player) for player in players]


def report_pictures() -> list[Picture]:
    """The pictures of a report on one of the demo league's records."""
    analysis = analysed(parse(played(GAMES - 1).record(tuple(STRENGTH)[:3])), SOURCE_RATES)
    return [Picture(analysis, draw, "") for draw in (draw_story, draw_game)]


def measured(wanted: Sequence[str], directory: Path | None) -> Iterator[Measured]:
    """Every answer as the page shows it, with a screenshot of it in the directory."""
    demo = World.again("demo")
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
    print("answer        messages height shown words  full chat")
    rows = []
    for each in measured(wanted, SCREENS if docs else None):
        print(
            f"{each.name:14}{each.count:8}{each.height:7}{each.on_screen:>6}{each.words:6.1f} {each.drawn}",
            flush=True,
        )
        rows.append(each.row)
    if docs:
        head, _, rest = DOCS.read_text("utf-8").partition(BEGIN)
        _, _, tail = rest.partition(END)
        DOCS.write_text(head + BEGIN + "\n" + "\n".join((*HEADS, *rows)) + "\n" + END + tail, "utf-8")


if __name__ == "__main__":
    asked = sys.argv[1:]
    if any(name.startswith("-") and name != "--docs" for name in asked):
        raise SystemExit(__doc__)
    main([name for name in asked if name != "--docs"], "--docs" in asked)
