"""Screenshots of every answer at a phone's size, on the demo league: `python -m tests.screens DIRECTORY`.

The pictures in docs/ are made by it; look at them after a change of looks.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from bot.answers import SPECS
from tests.browser import Phone, chromium
from tests.fakes.process import service
from tests.fakes.servers import free_port

WIDTH, HEIGHT, TALL = 390, 844, 1900


def main(directory: Path, wanted: list[str]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        env = {"IMAGES_URL": f"file:{home}/images", "DATABASE_URL": f"sqlite:///{home}/state.sqlite3"}
        with service(free_port(), env) as web, chromium(Path(home) / "profile", WIDTH, TALL) as browser:
            for spec in SPECS.values():
                if spec.admin or spec.name == "unknown" or (wanted and spec.name not in wanted):
                    continue
                phone = Phone(web.url, browser)
                before = len(phone.all(".message.theirs"))
                phone.say(spec.words[0] if spec.words else spec.title)
                phone.until(lambda p=phone, n=before: len(p.all(".message.theirs")) > n)
                pictures = "return [...document.images].every(i => i.complete)"
                phone.until(lambda: browser.execute_script(pictures))
                browser.save_screenshot(str(directory / f"{spec.name}.png"))
                print(spec.name, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
