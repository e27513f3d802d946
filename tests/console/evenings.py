"""The demo league in the console, with evenings that take seconds."""

import urllib.error
import urllib.request
from pathlib import Path

from app import evening_of
from bot.console.evening import DemoEvening
from bot.league.demo import demo_files
from tests.answers.world import BotWorld
from tests.backend import Backend


class EveningWorld(BotWorld):
    """The demo league with its evening, twenty times as fast."""

    def __init__(self, folder: Path, backend: Backend) -> None:
        super().__init__(folder, backend)
        for name, data in demo_files().items():
            self.write(name, data.decode())

    def evening(self) -> DemoEvening:
        self.played = evening_of(self.service, self.platform, self.base)
        self.played.speed = 1800.0
        self.played.step = 0.1
        return self.played

    def close(self) -> None:
        self.played.stop()
        super().close()

    def ask(
        self,
        path: str,
        method: str = "GET",
        data: bytes | None = None,
    ) -> tuple[int, bytes]:
        request = urllib.request.Request(f"{self.base}/console/{path}", data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()
