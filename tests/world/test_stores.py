"""The stores in memory keep the ports' contracts: the contract suites run on them too."""

import inspect
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tests.storage import test_images_contract, test_logs_contract
from tests.world.stores import FolderInMemory, ImagesInMemory

OTHERWISE = {
    "test_every_kind_of_address_is_tested_here",  # they have no address
    "test_a_file_beyond_the_limit_is_named_and_not_read",
    "test_a_missing_folder_is_named_and_made_by_writing",  # a folder in memory is always there
    "test_a_link_altered_anywhere_is_refused",  # their addresses carry no signature
}


def _suite(module: ModuleType) -> dict[str, Any]:
    """The tests of a contract suite, which find the fixtures of this module."""
    tests = {
        name: test
        for name, test in vars(module).items()
        if name.startswith("test_") and inspect.isfunction(test)
    }
    return {name: test for name, test in tests.items() if name not in OTHERWISE}


globals().update(_suite(test_logs_contract) | _suite(test_images_contract))


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ImagesInMemory]:
    """Makes the store of one place; `clock` is the one of the last that was made."""
    monkeypatch.setattr(test_images_contract, "fetch", lambda store, url: store.open(url)[:2])
    store = ImagesInMemory(time.time)

    def made(clock: Callable[[], float] = time.time) -> ImagesInMemory:
        store.clock = clock
        return store

    return made


@pytest.fixture
def images(make: Callable[..., ImagesInMemory]) -> ImagesInMemory:
    return make()


class FolderPlace(FolderInMemory):
    """A folder in memory from two sides (see tests/storage/places.py)."""

    def open(self) -> FolderInMemory:
        return self


@pytest.fixture
def place() -> FolderPlace:
    return FolderPlace()


@pytest.fixture
def logs(place: FolderPlace) -> FolderInMemory:
    return place.open()
