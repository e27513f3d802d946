"""Measure the structure of the code. `python -m tests.tools.house` prints the figures of a tree.

A room is a folder of bot/ (or a file directly in it), rating, storage, or app.py. An arrow is an
import: imports inside functions count, and those under TYPE_CHECKING count only where `typed`. A
circle is an import cycle. A room's floor is one more than the highest floor it imports.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
Graph = dict[str, set[str]]


@dataclass
class House:
    """The measures of a tree. Sizes are in lines, by `path` and by `path:name:line`."""

    modules: dict[str, int] = field(default_factory=dict)
    functions: dict[str, int] = field(default_factory=dict)
    arrows: Graph = field(default_factory=lambda: defaultdict(set))
    typed: Graph = field(default_factory=lambda: defaultdict(set))
    # Imports of own modules inside functions of bot/, as `path:line`.
    inner: list[str] = field(default_factory=list)
    classes: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    @property
    def imports(self) -> Graph:
        return {
            name: self.arrows.get(name, set()) | self.typed.get(name, set())
            for name in {*self.arrows, *self.typed}
        }

    @property
    def loose(self) -> int:
        return sum(path.startswith("bot/") and path.count("/") == 1 for path in self.modules)

    @property
    def twice(self) -> dict[str, set[str]]:
        """Public class names that are defined in several modules, with their paths."""
        return {name: where for name, where in self.classes.items() if len(where) > 1}

    @property
    def inner_share(self) -> float:
        """Imports of own modules inside functions, for each 100 functions of bot/."""
        return (
            100 * len(self.inner) / max(1, sum(name.startswith("bot/") for name in self.functions))
        )

    def circles(self, typed: bool = False) -> list[list[str]]:
        """Groups of modules that import each other in a circle."""
        return [sorted(loop) for loop in _loops(self.imports if typed else self.arrows)]

    @property
    def rooms(self) -> Graph:
        """The other rooms that each room imports."""
        graph: Graph = {room_of(module): set() for module in map(_module, self.modules)}
        for module, targets in self.arrows.items():
            graph[room_of(module)] |= {room_of(target) for target in targets} - {room_of(module)}
        return graph

    @property
    def floors(self) -> dict[str, int]:
        """Each room's floor, the lowest being 1. Works only where rooms make no circle."""
        graph = self.rooms
        known: dict[str, int] = {}

        def floor(room: str) -> int:
            if room not in known:
                known[room] = 1 + max(map(floor, graph[room]), default=0)
            return known[room]

        return {room: floor(room) for room in graph}


def room_of(module: str) -> str:
    """`bot.league.files` -> `bot.league`; `rating.paifu.tiles` -> `rating`."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "bot" else parts[0]


def measure(root: Path = ROOT) -> House:
    house = House()
    paths = sorted(p for top in ("bot", "rating", "storage") for p in (root / top).rglob("*.py"))
    files = {str(path.relative_to(root)): path for path in [*paths, root / "app.py"]}
    modules = {_module(name) for name in files}
    for name, path in files.items():
        text = path.read_text("utf-8")
        house.modules[name] = text.count("\n")
        tree = ast.parse(text)
        _read(house, name, tree, modules)
    return house


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _read(
    house: House,
    path: str,
    tree: ast.Module,
    modules: set[str],
) -> None:
    own = _module(path)
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            house.classes[node.name].add(path)
    for node, inside, typed in _walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            house.functions[f"{path}:{node.name}:{node.lineno}"] = lines
        for target in _targets(node, modules) - {own}:
            (house.typed if typed else house.arrows)[own].add(target)
            if inside and not typed and path.startswith("bot/"):
                house.inner.append(f"{path}:{node.lineno}")  # type: ignore[attr-defined]


def _walk(
    node: ast.AST, inside: bool = False, typed: bool = False
) -> Iterator[tuple[ast.AST, bool, bool]]:
    """Every node below: (node, whether it is in a function, whether it is under TYPE_CHECKING)."""
    for child in ast.iter_child_nodes(node):
        yield child, inside, typed
        is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
        is_typing = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test)
        yield from _walk(child, inside or is_function, typed or is_typing)


def _targets(node: ast.AST, modules: set[str]) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names} & modules
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        full = {f"{node.module}.{alias.name}" for alias in node.names}
        return (full & modules) or ({node.module} & modules)
    return set()


def _loops(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Strongly connected components of more than one node: what each node leads to, and leads back
    to it.
    """
    leads: Graph = {}
    for node in graph:
        leads[node] = set()
        ahead = [node]
        while ahead:
            new = set(graph.get(ahead.pop(), ())) - leads[node]
            leads[node] |= new
            ahead += new
    loops = {
        frozenset(n for n in below if node in leads.get(n, ())) for node, below in leads.items()
    }
    return [set(loop) for loop in loops if len(loop) > 1]


def figures(house: House) -> list[str]:
    modules = list(house.modules.values())
    functions = list(house.functions.values())
    loops = [len(loop) for loop in house.circles()]
    rooms = house.rooms
    floors = max(house.floors.values()) if not _loops(rooms) else 0
    return [
        f"files directly in bot/: {house.loose}",
        f"circles of modules: {len(loops)} {loops or ''}".rstrip(),
        f"rooms {len(rooms)}, arrows {sum(map(len, rooms.values()))}, floors {floors or '(rooms make circles)'}",
        f"own imports inside functions: {len(house.inner)}, {house.inner_share:.1f} in 100 functions of bot/",
        f"public class names in two modules: {len(house.twice)}",
        f"modules {len(modules)}: longest {max(modules)} lines",
        f"functions {len(functions)}: longest {max(functions)} lines",
    ]


if __name__ == "__main__":
    print("\n".join(figures(measure(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))))
