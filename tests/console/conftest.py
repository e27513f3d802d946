"""The console and a tiny bot in one server, fresh for each test."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.console.world import ConsoleWorld


@pytest.fixture
def world() -> Iterator[ConsoleWorld]:
    with closing(ConsoleWorld()) as made:
        yield made
