"""List what members read: every Japanese template, by feature, to be read in one sitting.

    python -m tests.tools.sentences                    every template
    python -m tests.tools.sentences bot/answers/games  those of some folders or files
    python -m tests.tools.sentences strings            the Japanese that is not in a template yet
    python -m tests.tools.sentences check              refuse more of it than tests/data/sentences.json
    python -m tests.tools.sentences lower              lower that file to today's counts

A template is a string of a module or a class, with a name: a constant such as
`NOT_YET = "今日の対局はまだありません"`, or part of one, such as the help of a Spec in `SPECS`. What
changes in it has a place with a name, `{player}`, which `.format(player=…)` fills. Strings inside
functions, and places without a name, are no templates. Words that members type are not sentences:
regular expressions, strings that something is compared with, and the `words` of a Spec.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import string
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.tools.house import ROOT

PRODUCT = ("bot",)
RATCHET = ROOT / "tests" / "data" / "sentences.json"
ACTIONS = ("strings", "check", "lower")
PLACES_SHOWN = 25
JAPANESE = re.compile("[ぁ-ゖァ-ヺ㐀-鿿々]")
# What members type: keywords of a Spec and of the words of figures, and modules that read words.
TYPED_KEYWORDS = frozenset({"words", "shortcuts", "everyday", "again", "typed"})
TYPED_MODULES = frozenset({"bot/answers/common/reader.py", "bot/answers/players/figure_words.py"})
# Methods that look for a string in a text.
SEARCHES = frozenset(
    "startswith endswith removeprefix removesuffix split rsplit partition rpartition strip lstrip"
    " rstrip replace count find index translate maketrans".split()
)
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Template(NamedTuple):
    """A string that members read. `name`: its constant, with the keyword or key inside it."""

    path: str
    line: int
    name: str
    text: str


class JapaneseString(NamedTuple):
    """Japanese that is not in a template. `reason`: what keeps it from being one."""

    path: str
    line: int
    text: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text!r} ({self.reason})"


IN_FUNCTION = "inside a function"
UNNAMED_PLACE = "a place without a name"
NO_CONSTANT = "no constant"


class ModuleStrings:
    """The templates and other Japanese strings of one module."""

    def __init__(self, path: str, source: str) -> None:
        self.path = path
        self.templates: list[Template] = []
        self.strings: list[JapaneseString] = []
        if path not in TYPED_MODULES:
            self._read_block(ast.parse(source).body, "")

    def _read_block(self, statements: Sequence[ast.stmt], prefix: str) -> None:
        """Read the statements of a module or a class. `prefix`: the class with a dot."""
        for statement in statements:
            match statement:
                case ast.ClassDef():
                    self._read_block(statement.body, f"{statement.name}.")
                case ast.Assign(targets=[target], value=value):
                    self._read_value(value, prefix + ast.unparse(target))
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    self._read_value(value, prefix + ast.unparse(target))
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._read_function(statement)
                case ast.Expr(value=ast.Constant()):  # a docstring
                    continue
                case _:
                    self._add_all(statement, NO_CONSTANT)

    def _read_value(self, node: ast.AST, name: str) -> None:
        """Read the value of a constant, and the values in it."""
        match node:
            case ast.Constant() | ast.JoinedStr():
                self._add_template(node, name)
            case ast.FunctionDef() | ast.Lambda():
                self._read_function(node)
            case ast.Dict():
                for key, value in zip(node.keys, node.values, strict=True):
                    if key is None:  # **values
                        self._read_value(value, name)
                    else:
                        self._read_value(value, f"{name}[{ast.unparse(key)}]")
            case ast.keyword(arg=keyword, value=value):
                if keyword not in TYPED_KEYWORDS:
                    self._read_value(value, f"{name} {keyword}")
            case _:
                for child in _read_children(node):
                    self._read_value(child, name)

    def _read_function(self, node: Scope) -> None:
        self._add_all(node.args, IN_FUNCTION)
        if isinstance(node, ast.Lambda):
            self._add_all(node.body, IN_FUNCTION)
            return
        for statement in node.body:
            self._add_all(statement, IN_FUNCTION)

    def _add_template(self, node: ast.Constant | ast.JoinedStr, name: str) -> None:
        text = text_of(node)
        if not JAPANESE.search(text):
            return
        if isinstance(node, ast.Constant) and has_unnamed_place(text):
            self.strings.append(JapaneseString(self.path, node.lineno, text, UNNAMED_PLACE))
        else:
            self.templates.append(Template(self.path, node.lineno, name, text))

    def _add_all(self, node: ast.AST, reason: str) -> None:
        """Add the Japanese strings in a node, without docstrings and what is looked for."""
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        if isinstance(node, ast.Constant | ast.JoinedStr):
            text = text_of(node)
            if JAPANESE.search(text):
                self.strings.append(JapaneseString(self.path, node.lineno, text, reason))
        for child in _read_children(node):
            self._add_all(child, reason)


def _read_children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes in a node that members may read, without the words that they type."""
    match node:
        case ast.Compare():
            return
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"))):
            return
        case ast.Call(func=ast.Attribute(attr=method, value=text)) if method in SEARCHES:
            if not isinstance(text, ast.Constant):
                yield text
        case ast.Set() | ast.Call(func=ast.Name(id="frozenset" | "set")):
            return
        case ast.keyword(arg=keyword) if keyword in TYPED_KEYWORDS:
            return
        case ast.JoinedStr():
            for part in node.values:
                if isinstance(part, ast.FormattedValue):
                    yield part.value
        case _:
            yield from ast.iter_child_nodes(node)


def text_of(node: ast.Constant | ast.JoinedStr) -> str:
    """The text of a string, with `{…}` for an expression of an f-string.

    A regular expression and a constant of another kind have none.
    """
    parts: list[ast.expr] = [node]
    if isinstance(node, ast.JoinedStr):
        parts = node.values
    text = ""
    for part in parts:
        if not isinstance(part, ast.Constant):
            text += "{…}"
        elif isinstance(part.value, str):
            text += part.value
    if "\\" in text:
        return ""
    return text


def places_of(template: str) -> set[str]:
    """The names of a template's places, "" for one without a name.

    Raises ValueError for a text with braces that are none.
    """
    places: set[str] = set()
    for _, field, _, _ in string.Formatter().parse(template):
        if field is not None:
            places.add(re.split(r"[.\[]", field)[0])
    return places


def has_unnamed_place(text: str) -> bool:
    try:
        places = places_of(text)
    except ValueError:
        return False
    return any(not place or place.isdecimal() for place in places)


# Reading the tree


def read_strings(parts: Iterable[str], root: Path = ROOT) -> list[ModuleStrings]:
    """Read the Python files of some files and folders of `root`."""
    return [ModuleStrings(path, source) for path, source in sources(parts, root).items()]


def sources(parts: Iterable[str], root: Path) -> dict[str, str]:
    """The texts of the Python files of some files and folders, by path."""
    texts: dict[str, str] = {}
    for part in parts:
        paths = sorted((root / part).rglob("*.py"))
        if not paths:
            paths = [root / part]
        for path in paths:
            texts[str(path.relative_to(root))] = path.read_text("utf-8")
    return texts


def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def counts(modules: Iterable[ModuleStrings]) -> Counter[str]:
    """How many Japanese strings that are no templates each folder has."""
    numbers: Counter[str] = Counter()
    for module in modules:
        numbers[folder_of(module.path)] += len(module.strings)
    return +numbers


def faults(modules: Sequence[ModuleStrings], allowed: Mapping[str, int]) -> Iterator[str]:
    """One text for each folder with more strings than allowed, with their places."""
    for folder, count in sorted(counts(modules).items()):
        limit = allowed.get(folder, 0)
        if count <= limit:
            continue
        lines = [f"{folder}: {count} Japanese strings without template, more than {limit}:"]
        for module in modules:
            if folder_of(module.path) == folder:
                lines += [f"  {text}" for text in module.strings]
        yield "\n".join(lines[: PLACES_SHOWN + 1])


# Where templates are filled


class Module(NamedTuple):
    """`constants`: the texts of its strings by name. `imports`: where other names come from."""

    path: str
    tree: ast.Module
    constants: Mapping[str, str]
    imports: Mapping[str, str]

    @property
    def name(self) -> str:
        return self.path.removesuffix(".py").replace("/", ".")

    def name_of(self, node: ast.expr) -> str:
        """The full name of a constant that the module uses, "" for anything else."""
        match node:
            case ast.Name(id=name):
                return self.imports.get(name, f"{self.name}.{name}")
            case ast.Attribute(value=ast.Name(id=other), attr=name):
                return f"{self.imports.get(other, other)}.{name}"
        return ""


def read_module(path: str, source: str) -> Module:
    tree = ast.parse(source)
    constants: dict[str, str] = {}
    imports: dict[str, str] = {}
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    constants[name] = value.value
            case ast.ImportFrom(module=str() as origin):
                for alias in statement.names:
                    imports[alias.asname or alias.name] = f"{origin}.{alias.name}"
    return Module(path, tree, constants, imports)


def wrong_places(parts: Iterable[str] = PRODUCT, root: Path = ROOT) -> Iterator[str]:
    """Each call of a template's `format` whose keywords are not the template's places."""
    modules = [read_module(path, source) for path, source in sources(parts, root).items()]
    templates: dict[str, str] = {}
    for module in modules:
        for name, text in module.constants.items():
            templates[f"{module.name}.{name}"] = text
    for module in modules:
        for node in ast.walk(module.tree):
            match node:
                case ast.Call(func=ast.Attribute(value=template, attr="format")):
                    name = module.name_of(template)
                    if name in templates and not _fills(node, templates[name]):
                        yield f"{module.path}:{node.lineno}: {templates[name]!r}"


def _fills(call: ast.Call, text: str) -> bool:
    keywords = {keyword.arg for keyword in call.keywords}
    if None in keywords:  # **values
        return True
    places = {place for place in places_of(text) if place and not place.isdecimal()}
    return keywords == places


# The command


def listing(modules: Iterable[ModuleStrings]) -> Iterator[str]:
    """The templates as lines, under their folders and files."""
    folder = ""
    for module in modules:
        if not module.templates:
            continue
        if folder_of(module.path) != folder:
            folder = folder_of(module.path)
            yield f"\n== {folder}"
        yield f"\n{Path(module.path).name}"
        for template in module.templates:
            text = template.text.replace("\n", "\n      ")
            yield f"  {template.name}\n      {text}"


def lower(modules: Iterable[ModuleStrings]) -> None:
    """Write counts that have fallen. A count that has risen stays as it was."""
    allowed = json.loads(RATCHET.read_text("utf-8"))
    lowered = {
        folder: min(count, allowed.get(folder, count))
        for folder, count in sorted(counts(modules).items())
    }
    RATCHET.write_text(json.dumps(lowered, indent=2) + "\n", "utf-8")


def check(modules: Sequence[ModuleStrings]) -> int:
    problems = list(faults(modules, json.loads(RATCHET.read_text("utf-8"))))
    problems += wrong_places()
    for problem in problems:
        print(problem)
    return int(bool(problems))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("words", nargs="*", metavar="ACTION or PATH", help=", ".join(ACTIONS))
    words = parser.parse_args(arguments).words
    action = ""
    if words and words[0] in ACTIONS:
        action = words.pop(0)
    modules = read_strings(words or PRODUCT)
    if action == "check":
        return check(modules)
    if action == "lower":
        lower(modules)
    elif action == "strings":
        for module in modules:
            for text in module.strings:
                print(text)
    else:
        print("\n".join(listing(modules)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
