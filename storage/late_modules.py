"""Have parts of an SDK loaded when they are first used, where the SDK itself loads all of them at once."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec
from types import ModuleType
from typing import Any


class LateModule(ModuleType):
    """A module that is executed when something in it is first asked for. A late package can give its modules before."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or self.__spec__ is None or self.__spec__.loader is None:
            raise AttributeError(name)
        full, home = f"{self.__name__}.{name}", self.__spec__.submodule_search_locations
        if home is not None and PathFinder.find_spec(full, home) is not None:
            return import_module(full)
        self.__class__ = ModuleType  # type: ignore[assignment]
        self.__spec__.loader.exec_module(self)
        return getattr(self, name)


def load_late(package: str, *names: str) -> None:
    """Have these modules of a top-level package loaded late, unless they are loaded already. Call it before the import.

    `importlib.util.LazyLoader` does not serve: importing such a module a second time asks for its `__spec__`, which loads it.
    """
    found = find_spec(package)
    home = found.submodule_search_locations if found is not None else None
    for name in names:
        full = f"{package}.{name}"
        spec = PathFinder.find_spec(full, home)
        if full in sys.modules or spec is None or package in sys.modules:
            continue
        module = LateModule(full)
        module.__spec__, module.__package__, module.__file__ = spec, package, spec.origin
        sys.modules[full] = module


def load_packages_late(*packages: str) -> None:
    """Have what these packages import themselves loaded late; their modules can be imported without it.

    Name a package after the one that it is in. Nothing changes where the first one is loaded already.
    """
    home = None
    if packages[0] in sys.modules:
        return
    for full in packages:
        spec = PathFinder.find_spec(full, home)
        if spec is None or spec.submodule_search_locations is None:
            return
        home = spec.submodule_search_locations
        module = LateModule(full)
        module.__spec__, module.__package__, module.__file__ = spec, full, spec.origin
        module.__path__ = home
        sys.modules[full] = module
        parent, _, name = full.rpartition(".")
        if parent:
            setattr(sys.modules[parent], name, module)
