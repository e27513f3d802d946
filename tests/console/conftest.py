"""The console and a tiny bot in one server, fresh for each test."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.console.world import World


@pytest.fixture
def world() -> Iterator[World]:
    with closing(World()) as made:
        yield made
