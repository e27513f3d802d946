"""Keep what every answer says, and tell what differs later: python -m tests.tools.answers keep
FILE, or compare FILE FILE

Every command, every word of before and every sentence of the tests is asked of the demo league, of
both real seasons and of leagues of the tests, and every button that an answer shows is pressed, two
taps deep. Kept are LINE's messages (pictures by what is written in them), so two versions can be
compared that draw alike but not in the same way. Commands that do something, and reports of
records, are asked of the demo's bot.
"""

import gzip
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from bot.answers.catalogue import CATALOGUE
from bot.league.demo import ensure_demo
from rating.logdates import JST
from tests.answers.leagues import LEAGUES, NINE, Asked, LeagueWorld
from tests.answers.world import BotWorld, taps
from tests.backend import Embedded
from tests.draw.writing import watched
from tests.real import SEASONS, real_games

TAPS = 600  # at most, of a league
DEPTH = 2
PRESSED = 110  # of the bot itself: it lets a member tap 120 times at once
_TOKEN = re.compile(
    r"\b(?:([nk])=[0-9a-f]+|league/[\w.-]+)"
)  # of a form or the page; drawn by chance
_CHANCE = re.compile(r'https?://[^"]*|(?<="quoteToken": ")[^"]*')
_ADDRESS = re.compile(r"https://example\.com/[^\"]*")


def worlds() -> Iterator[tuple[str, LeagueWorld]]:
    real = {path.name: path.read_bytes() for path in SEASONS}
    first = real_games()[0].players[0]
    yield "seasons", LeagueWorld(real, first)
    yield "demo", LeagueWorld(LEAGUES["demo"], "みどり")
    for name in ("one game", "nine", "twenty"):
        yield name, LeagueWorld(LEAGUES[name], NINE[0])


def kept(asked: Asked) -> Any:
    text = json.dumps(asked.messages, ensure_ascii=False)
    drawn = {}
    for url in sorted(asked.files, key=text.find):
        picture = asked.files[url]
        if picture in asked.pictures:
            with watched() as texts:
                picture.render()
            drawn[url] = sorted({written.text for written in texts})
        else:
            drawn[url] = [picture.render().decode("utf-8", "replace")]
    shown = {url: f"picture {number}" for number, url in enumerate(drawn)}
    text = _ADDRESS.sub(lambda found: shown.get(found[0], "a picture"), text)
    return {
        "messages": json.loads(text),
        "pictures": list(drawn.values()),
        "refused": asked.refused,
    }


def asks() -> list[str]:
    data = [spec.data for spec in CATALOGUE.values() if spec.answer is not None]
    return data + [f"{each}?season=all" for each in data]


def answers(league: LeagueWorld) -> Iterator[tuple[str, Any]]:
    waiting = [(ask, 0) for ask in asks()]
    known = set[str]()
    while waiting and len(known) < TAPS:
        ask, depth = waiting.pop(0)
        if ask in known:
            continue
        known.add(ask)
        try:
            asked = league.ask(ask)
        except Exception as error:  # an answer that fails is one that differs
            yield ask, repr(error)
            continue
        yield ask, kept(asked)
        if depth < DEPTH:
            waiting += [
                (tap["data"], depth + 1) for tap in asked.choices if tap.get("type") == "postback"
            ]


def pressed() -> Iterator[tuple[str, Any]]:
    """What a member gets of the demo's bot, from commands that do something too, and from their
    buttons.
    """
    with tempfile.TemporaryDirectory() as home:
        world = BotWorld(Path(home), Embedded())
        world.now = datetime(2026, 11, 27, 12, tzinfo=JST)
        ensure_demo(str(world.logs))
        waiting = [(spec.data, 0) for spec in CATALOGUE.values() if not spec.admin]
        known = set[str]()
        while waiting and len(known) < PRESSED:
            ask, depth = waiting.pop(0)
            if ask not in known:
                known.add(ask)
                messages = world.tap(ask)
                yield ask, json.loads(_CHANCE.sub("", json.dumps(messages, ensure_ascii=False)))
                if depth < DEPTH:
                    waiting += [(data, depth + 1) for data in taps(messages).values()]
        world.close()


def keep(path: str) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        every = [(name, answers(league)) for name, league in worlds()]
        every.append(("pressed", pressed()))
        for name, found in every:
            for ask, said in found:
                file.write(json.dumps([name, ask, said], ensure_ascii=False) + "\n")


def read(path: str) -> dict[tuple[str, str], Any]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = (json.loads(_TOKEN.sub(r"\1", line)) for line in file)
        return {(name, ask): said for name, ask, said in rows}


def compare(before: str, after: str) -> int:
    one = read(before)
    two = read(after)
    differing = [ask for ask in one | two if one.get(ask) != two.get(ask)]
    for ask in differing:
        print(*ask)
        for sign, said in {"-": one.get(ask), "+": two.get(ask)}.items():
            print(f"  {sign} {json.dumps(said, ensure_ascii=False)[:2000]}")
    print(f"{len(one)} answers before, {len(two)} after, {len(differing)} differ")
    return len(differing)


def main(words: Sequence[str] = sys.argv[1:]) -> int:
    if len(words) == 2 and words[0] == "keep":
        keep(words[1])
        return 0
    if len(words) == 3 and words[0] == "compare":
        return int(compare(words[1], words[2]) > 0)
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())
