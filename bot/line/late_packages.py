"""Have what the packages of an SDK import themselves wait, where it is most of the SDK and is not used."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any


class LatePackage(ModuleType):
    """A package whose modules can be imported; it is executed when something else in it is first asked
    for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or self.__spec__ is None or self.__spec__.loader is None:
            raise AttributeError(name)
        if find_spec(f"{self.__name__}.{name}") is not None:
            return import_module(f"{self.__name__}.{name}")
        self.__class__ = ModuleType  # type: ignore[assignment]
        self.__spec__.loader.exec_module(self)
        return getattr(self, name)


def load_late(*packages: str) -> None:
    """Have these packages executed late, each named after the one that it is in, unless the first is loaded
    already.

    `importlib.util.LazyLoader` does not serve: importing such a module a second time asks for its `__spec__`,
    which loads it.
    """
    for name in () if packages[0] in sys.modules else packages:
        spec = find_spec(name)
        if spec is not None:
            sys.modules[name] = module_from_spec(spec)
            sys.modules[name].__class__ = LatePackage
            parent, _, own = name.rpartition(".")
            if parent:
                setattr(sys.modules[parent], own, sys.modules[name])
