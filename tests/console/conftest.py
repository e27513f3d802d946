"""The console and a tiny bot in one server, fresh for each test."""

from collections.abc import Iterator

import pytest

from tests.console.world import World


@pytest.fixture
def world() -> Iterator[World]:
    made = World()
    yield made
    made.close()
