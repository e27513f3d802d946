"""Count what makes Python hard to read, and refuse more of it.

    python -m tests.tools.readability                     the table for the product
    python -m tests.tools.readability --of tests          the table for other folders or files
    python -m tests.tools.readability --list "MEASURE"    every place of one measure
    python -m tests.tools.readability check refuse a count above tests/data/readability.json
    python -m tests.tools.readability lower print both tables and lower the file to today's
    counts

Rates are per 10,000 tokens (names, operators, numbers, strings; comments and layout are not
tokens), so they do not depend on the width of the lines. `check` also reads the subjects of the
commits after the one that the file names: a verb, an object, at most 72 characters, no word that
a reader has to translate.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import statistics
import subprocess
import sys
import tokenize
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tests.tools.house import ROOT

RATCHET = ROOT / "tests" / "data" / "readability.json"
PARTS: Mapping[str, Sequence[str]] = {
    "product": ("app.py", "bot", "rating", "storage"),
    "tests": ("tests",),
}
PLACES_SHOWN = 25
LONGEST_SUBJECT = 72

ODD_ENGLISH = re.compile(
    r"\b(told|tells|tell|said|says|say|kept|asked|reckon\w*|mend\w*|deed\w*|beside|stands?|apart|anew|lest"
    r"|hold|holds|held(?!.out\b)|met|let alone)\b",
    re.IGNORECASE,
)
VAGUE_NAMES = frozenset(
    "told found own said each one who left beside apart came begun meant taken given here rest most least"
    " what many both kept asked way ways known shown seen drawn_ much some whose".split()
)
VERBS = frozenset(
    "Accept Add Allow Answer Apply Ask Bound Build Cache Calibrate Check Close Collect Compare Compute Convert Count"
    " Cover Cut Declare Decode Delete Describe Disable Document Draw Drop Enable End Encode Explain Export Extract Fetch"
    " Find Fix Forget Format Generate Give Group Handle Hide Import Improve Include Inline Join Keep Limit Link List"
    " Load Lower Make Mark Measure Merge Move Name Normalise Obey Offer Open Order Pin Plan Prepare Print Protect Publish"
    " Put Raise Rank Read Record Reduce Refuse Reject Release Remove Rename Render Repair Replay Replace Report Require Reset"
    " Restore Restrict Restructure Retry Return Reuse Revert Rewrite Run Save Send Separate Serve Set Share Shorten"
    " Show Simplify Skip Sort Speed Split Start State Stop Store Support Take Test Time Track Train Translate Treat Trust"
    " Turn Type Undo Unify Update Upgrade Use Validate Verify Wait Warn Withdraw Wrap Write".split()
)
VAGUE_OBJECTS = frozenset(
    "it this that things thing stuff code something everything misc various several some more bug bugs issue issues"
    " problem problems change changes fix fixes improvement improvements update updates cleanup work wip".split()
)


class Goal(NamedTuple):
    """The value to reach, and the mean of five well-kept code bases."""

    value: float
    others: float


# Counted as places, and judged per 10,000 tokens.
RATES: Mapping[str, Goal] = {
    "value * condition": Goal(0, 0),
    "a, b = x, y": Goal(2, 0.5),
    "three or more at once": Goal(0, 0.06),
    "nested comprehension": Goal(1.5, 0.4),
    "conditional expression": Goal(18, 11.0),
    "nested conditional": Goal(0, 0.02),
    "*(x if c else ())": Goal(0, 0),
    "walrus": Goal(2.5, 1.1),
    "lambda": Goal(5, 1.9),
    "returns a positional tuple": Goal(1.5, 1.7),
    "x[1], x[2] ...": Goal(2.5, 1.4),
    "line over 25 tokens": Goal(8, 2.0),
    "index or slice by a condition": Goal(0, 0),
    "expression for its effect": Goal(0, 0),
}
SHARES: Mapping[str, Goal] = {
    "functions with over 30 names, %": Goal(2.5, 2.0),
    "vague names, % of all bound": Goal(1.0, 0.07),
    "imported names a module, median": Goal(10, 5),
    "function tokens, median": Goal(60, 45),
    "function tokens, 90 %": Goal(190, 172),
    "odd English, per 1,000 words": Goal(4, 0.9),
}
# The shares that are counts of places divided by something; the others have no places.
COUNTED = ("function with over 30 names", "vague name", "odd English")

CODE = (tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING)
Function = ast.FunctionDef | ast.AsyncFunctionDef
Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
# Calls that return a bool, and comparisons that numpy makes element by element.
BOOLEAN_CALLS = frozenset(
    "bool any all isinstance issubclass startswith endswith isdigit isdecimal isspace isascii isupper islower"
    " exists is_file is_dir".split()
)
ELEMENTWISE = (
    ast.Lt,
    ast.LtE,
    ast.Gt,
    ast.GtE,
    ast.Eq,
    ast.NotEq,
)


class BooleanNames(NamedTuple):
    """Fields and functions annotated as bool: anywhere, and everywhere."""

    somewhere: frozenset[str]
    everywhere: frozenset[str]


@dataclass
class Report:
    """The measures of some files. Places are `path:line`."""

    tokens: int = 0
    words: int = 0
    places: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    function_tokens: list[int] = field(default_factory=list)
    imported_names: list[int] = field(default_factory=list)
    bound_names: int = 0

    def add(self, other: Report) -> None:
        self.tokens += other.tokens
        self.words += other.words
        self.bound_names += other.bound_names
        self.function_tokens += other.function_tokens
        self.imported_names += other.imported_names
        for measure, places in other.places.items():
            self.places[measure] += places

    def rates(self) -> dict[str, float]:
        """Places of each measure per 10,000 tokens."""
        return {name: 1e4 * len(self.places[name]) / max(self.tokens, 1) for name in RATES}

    def shares(self) -> dict[str, float]:
        sizes = sorted(self.function_tokens)
        wide = len(self.places["function with over 30 names"])
        vague = len(self.places["vague name"])
        odd = len(self.places["odd English"])
        return {
            "functions with over 30 names, %": 100 * wide / max(len(sizes), 1),
            "vague names, % of all bound": 100 * vague / max(self.bound_names, 1),
            "imported names a module, median": statistics.median(self.imported_names),
            "function tokens, median": statistics.median(sizes),
            "function tokens, 90 %": sizes[int(0.9 * len(sizes))],
            "odd English, per 1,000 words": 1000 * odd / max(self.words, 1),
        }

    def counts(self) -> dict[str, int]:
        """What the ratchet compares: the number of places of each measure."""
        return {name: len(self.places[name]) for name in (*RATES, *COUNTED)}

    def table(self) -> Iterator[str]:
        yield f"{self.tokens:,} tokens in {len(self.function_tokens):,} functions"
        yield f"{'':34}{'count':>7}{'per 10k':>9}{'goal':>7}{'others':>9}"
        short = 0
        for name, rate in self.rates().items():
            goal = RATES[name]
            is_short = rate > goal.value
            short += is_short
            row = f"{name:34}{len(self.places[name]):7}{rate:9.1f}{goal.value:7}{goal.others:9}"
            yield row + _mark(is_short)
        for name, share in self.shares().items():
            goal = SHARES[name]
            is_short = share > goal.value
            short += is_short
            yield f"{name:34}{share:16.1f}{goal.value:7}{goal.others:9}" + _mark(is_short)
        yield f"{short} of {len(RATES) + len(SHARES)} short of the goal"


def _mark(is_short: bool) -> str:
    if is_short:
        return "  short"
    return ""


# Reading files


def measure(parts: Iterable[str], root: Path = ROOT) -> Report:
    """Measure the Python files of some files and folders of `root`."""
    sources = {str(path.relative_to(root)): path.read_text("utf-8") for path in _files(parts, root)}
    booleans = boolean_names(ast.parse(source) for source in sources.values())
    report = Report()
    for name, source in sources.items():
        report.add(ModuleReader(name, source, booleans).read())
    return report


def _files(parts: Iterable[str], root: Path) -> Iterator[Path]:
    for part in parts:
        path = root / part
        if path.is_file():
            yield path
        else:
            yield from sorted(path.rglob("*.py"))


def boolean_names(trees: Iterable[ast.Module]) -> BooleanNames:
    """Collect the names of fields and functions that are annotated as bool."""
    boolean: set[str] = set()
    other: set[str] = set()
    for tree in trees:
        for name, annotation in _annotated(tree):
            if getattr(annotation, "id", "") == "bool":
                boolean.add(name)
            else:
                other.add(name)
    return BooleanNames(frozenset(boolean), frozenset(boolean - other))


def _annotated(tree: ast.Module) -> Iterator[tuple[str, ast.expr | None]]:
    """The functions, class fields and attributes of a module with their annotations."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node.name, node.returns
        elif isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.AnnAssign):
                    yield _last_name(part.target), part.annotation
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute):
            yield node.target.attr, node.annotation


def _last_name(node: ast.AST) -> str:
    """`x` of a name `x`, `c` of `a.b.c`, "" of anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    return ""


def tokens_of(source: str) -> Iterator[tokenize.TokenInfo]:
    """Return a source's tokens. An f-string is one token in every version of Python."""
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        kind = tokenize.tok_name[token.type]
        if kind in ("FSTRING_END", "TSTRING_END"):
            depth -= 1
        elif kind in ("FSTRING_START", "TSTRING_START"):
            depth += 1
            if depth == 1:
                yield token._replace(type=tokenize.STRING)
        elif depth == 0:
            yield token


class ModuleReader:
    """Measures one module."""

    def __init__(self, name: str, source: str, booleans: BooleanNames) -> None:
        self.name = name
        self.tree = ast.parse(source)
        self.tokens = list(tokens_of(source))
        self.code = [token for token in self.tokens if token.type in CODE]
        self.starts = [token.start for token in self.code]
        self.booleans = booleans
        self.uses_numpy = any(
            isinstance(node, ast.Import) and any(alias.name == "numpy" for alias in node.names)
            for node in ast.walk(self.tree)
        )
        self.report = Report(tokens=len(self.code))

    def read(self) -> Report:
        self._read_lines()
        self._read_prose()
        self._read_imports()
        self._read_conditions(self.tree, frozenset())
        for node in ast.walk(self.tree):
            self._read_node(node)
        return self.report

    def _add(self, measure_name: str, line: int) -> None:
        self.report.places[measure_name].append(f"{self.name}:{line}")

    def _read_lines(self) -> None:
        for line, count in Counter(token.start[0] for token in self.code).items():
            if count > 25:
                self._add("line over 25 tokens", line)

    def _read_prose(self) -> None:
        for token in self.tokens:
            is_docstring = token.type == tokenize.STRING and token.string.lstrip(
                "rRbBuU"
            ).startswith('"""')
            if token.type == tokenize.COMMENT or is_docstring:
                self.report.words += sum(word.isascii() for word in token.string.split())
                for _ in ODD_ENGLISH.finditer(token.string):
                    self._add("odd English", token.start[0])

    def _read_imports(self) -> None:
        imports = [node for node in self.tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        self.report.imported_names.append(sum(len(node.names) for node in imports))

    def _read_node(self, node: ast.AST) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._read_function(node)
            case ast.Assign(targets=[ast.Tuple() as target], value=ast.Tuple()):
                self._add("a, b = x, y", node.lineno)
                if len(target.elts) > 2:
                    self._add("three or more at once", node.lineno)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                if len(node.generators) > 1 or _contains(node, Comprehension):
                    self._add("nested comprehension", node.lineno)
            case ast.IfExp():
                self._add("conditional expression", node.lineno)
                if _contains(node, ast.IfExp):
                    self._add("nested conditional", node.lineno)
            case ast.Starred(value=ast.IfExp() as value):
                if _is_empty(value.body) or _is_empty(value.orelse):
                    self._add("*(x if c else ())", node.lineno)
            case ast.Dict():
                for key, value in zip(node.keys, node.values, strict=True):
                    if key is None and isinstance(value, ast.IfExp):
                        self._add("*(x if c else ())", value.lineno)
            case ast.NamedExpr():
                self._add("walrus", node.lineno)
            case ast.Lambda():
                self._add("lambda", node.lineno)
            case ast.Subscript():
                self._read_subscript(node)
            case ast.Name(id=name, ctx=ast.Store()):
                self._read_bound_name(name, node.lineno)
            case ast.arg(arg=name):
                self._read_bound_name(name, node.lineno)

    def _read_function(self, node: Function) -> None:
        first = bisect_left(self.starts, (node.lineno, 0))
        last = bisect_left(self.starts, ((node.end_lineno or node.lineno) + 1, 0))
        self.report.function_tokens.append(last - first)
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        if len(names) > 30:
            self._add("function with over 30 names", node.lineno)
        if node.returns is not None and _has_positional_tuple(node.returns):
            self._add("returns a positional tuple", node.lineno)

    def _read_subscript(self, node: ast.Subscript) -> None:
        index = node.slice
        if isinstance(index, ast.Constant) and type(index.value) is int and index.value >= 1:
            self._add("x[1], x[2] ...", node.lineno)
        ends = (index,)
        if isinstance(index, ast.Slice):
            ends = tuple(end for end in (index.lower, index.upper) if end is not None)
        conditions = [end for end in ends if self._is_condition(end, frozenset())]
        if any(not self._is_mask(condition, node.value) for condition in conditions):
            self._add("index or slice by a condition", node.lineno)

    def _read_bound_name(self, name: str, line: int) -> None:
        self.report.bound_names += 1
        if name in VAGUE_NAMES:
            self._add("vague name", line)

    # Conditions used as numbers, and expressions evaluated for their effect

    def _read_conditions(self, scope: Function | ast.Module, outer: frozenset[str]) -> None:
        """Read a module or function and the functions in it.

        `outer`: names around it that are bools.
        """
        nodes = list(_scope_nodes(scope))
        names = self._boolean_locals(scope, nodes, outer)
        for node in nodes:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._read_conditions(node, names)
                case ast.BinOp(op=ast.Mult(), left=left, right=right):
                    if self._multiplies(left, right, names) or self._multiplies(right, left, names):
                        self._add("value * condition", node.lineno)
                case ast.AugAssign(op=ast.Mult(), target=target, value=value):
                    if self._multiplies(value, target, names):
                        self._add("value * condition", node.lineno)
                case ast.Expr(value=ast.BoolOp() | ast.IfExp()):
                    self._add("expression for its effect", node.lineno)
                case ast.Expr(value=ast.Call(func=ast.Name(id="all" | "any"))):
                    self._add("expression for its effect", node.lineno)

    def _multiplies(
        self,
        condition: ast.expr,
        value: ast.expr,
        names: frozenset[str],
    ) -> bool:
        # A field that is a bool here and a number there counts only with a text, a list, a tuple
        # or a constant.
        booleans = self.booleans.everywhere
        if _is_text(value) or _is_constant(value):
            booleans = self.booleans.somewhere
        return self._is_condition(condition, names, booleans) and not self._is_mask(
            condition, value
        )

    def _is_condition(
        self, node: ast.AST, names: frozenset[str], booleans: frozenset[str] | None = None
    ) -> bool:
        """Return whether a value is a bool.

        `names` are the bools of the scope, `booleans` those with a dot.
        """
        if booleans is None:
            booleans = self.booleans.everywhere
        match node:
            case ast.BoolOp():  # `x or 0` is a default
                if isinstance(node.op, ast.And):
                    return self._is_condition(node.values[-1], names, booleans)
                return all(self._is_condition(value, names, booleans) for value in node.values)
            case ast.Compare():
                return True
            case ast.UnaryOp():
                return isinstance(node.op, ast.Not)
            case ast.Call():
                name = _last_name(node.func)
                if name in ("int", "float") and node.args:
                    return self._is_condition(node.args[0], names, booleans)
                is_numpy = ast.unparse(node.func).startswith("np.")
                return (name in booleans or name in BOOLEAN_CALLS) and not is_numpy
            case ast.Attribute():
                return node.attr in booleans
            case ast.Name():
                return node.id in names
        return False

    def _is_mask(self, condition: ast.AST, value: ast.AST | None) -> bool:
        """Return whether a condition is an array's: `(a > b) * c` and `c[a > b]` are natural in
        numpy.

        In a module that imports numpy, such a product counts only with a text, a list, a tuple,
        a number or a constant.
        """
        if not self.uses_numpy or not isinstance(condition, ast.Compare):
            return False
        if not all(isinstance(operator, ELEMENTWISE) for operator in condition.ops):
            return False
        if value is None:
            return True
        return not (isinstance(value, ast.Constant) or _is_text(value) or _is_constant(value))

    def _boolean_locals(
        self, scope: Function | ast.Module, nodes: Sequence[ast.AST], outer: frozenset[str]
    ) -> frozenset[str]:
        """The names of a scope that are annotated as bool, or assigned conditions and nothing
        else.
        """
        boolean: set[str] = set()
        other: set[str] = set()
        if isinstance(scope, Function):
            arguments = scope.args
            for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                if getattr(argument.annotation, "id", "") == "bool":
                    boolean.add(argument.arg)
                else:
                    other.add(argument.arg)
        known = frozenset(boolean) | outer
        conditions = set[int]()  # the targets that are assigned conditions, by id
        for target, value in _assignments(nodes):
            if self._is_condition(value, known) and not self._is_mask(value, None):
                conditions.add(id(target))
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                if id(node) in conditions:
                    boolean.add(node.id)
                else:
                    other.add(node.id)
        return (outer | boolean) - other


def _scope_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function or module without those of the functions in it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function):
            waiting += ast.iter_child_nodes(node)


def _assignments(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.Name, ast.expr]]:
    """Each name that is assigned, with its value; those of `a, b = x, y` one by one."""
    for node in nodes:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        pairs: Iterable[tuple[ast.expr, ast.expr]] = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = zip(target.elts, node.value.elts, strict=False)
        for name, value in pairs:
            if isinstance(name, ast.Name):
                yield name, value


def _contains(node: ast.AST, kind: Any) -> bool:
    return any(isinstance(part, kind) for part in ast.walk(node) if part is not node)


def _is_constant(node: ast.AST) -> bool:
    return _last_name(node).isupper()


def _is_text(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    return isinstance(node, ast.JoinedStr | ast.List | ast.Tuple)


def _is_empty(node: ast.AST) -> bool:
    if isinstance(node, ast.Dict):
        return not node.keys
    return isinstance(node, ast.Tuple | ast.List) and not node.elts


def _has_positional_tuple(annotation: ast.expr) -> bool:
    """Return whether an annotation has a tuple of a fixed number of types."""
    for part in ast.walk(annotation):
        match part:
            case ast.Subscript(value=ast.Name(id="tuple" | "Tuple"), slice=ast.Tuple(elts=types)):
                if "..." not in map(ast.unparse, types):
                    return True
    return False


# Commit subjects


def subject_fault(subject: str) -> str:
    """What is wrong with a commit's subject, or "" where nothing is."""
    words = subject.split()
    if len(subject) > LONGEST_SUBJECT:
        return f"{len(subject)} characters, more than {LONGEST_SUBJECT}"
    match = ODD_ENGLISH.search(subject)
    if match:
        return f"the word {match[0]!r}"
    if not words or words[0] not in VERBS:
        return "does not begin with a verb such as Add, Fix, Remove, Rename, Split"
    if all(word.lower().strip(".,") in VAGUE_OBJECTS for word in words[1:]):
        return "names no object"
    return ""


def subjects_since(commit: str, root: Path = ROOT) -> list[str]:
    """The subjects after a commit, as `hash subject`; none where there is no history with it."""
    command = ["git", "log", "--no-merges", "--format=%h %s", f"{commit}..HEAD"]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return result.stdout.splitlines()


# The ratchet


def changed_files(root: Path = ROOT) -> set[str]:
    """The files that differ from the commit that last changed the ratchet's file."""
    name = str(RATCHET.relative_to(ROOT))
    log = ["git", "log", "-1", "--format=%H", "--", name]
    commit = subprocess.run(log, cwd=root, capture_output=True, text=True, check=False).stdout
    diff = ["git", "diff", "--name-only", commit.strip() or "HEAD"]
    names = subprocess.run(diff, cwd=root, capture_output=True, text=True, check=False).stdout
    return set(names.split())


def faults(
    part: str, report: Report, allowed: Mapping[str, int], changed: set[str]
) -> Iterator[str]:
    """One text for each measure that is above its allowed count, with places in changed files
    first.
    """
    for name, count in report.counts().items():
        if count <= allowed.get(name, 0):
            continue
        places = sorted(
            report.places[name], key=lambda place: place.rpartition(":")[0] not in changed
        )
        listed = "\n  ".join(places[:PLACES_SHOWN])
        yield f"{part}: {name}: {count}, more than {allowed.get(name, 0)}:\n  {listed}"


def check(reports: Mapping[str, Report]) -> int:
    ratchet = json.loads(RATCHET.read_text("utf-8"))
    changed = changed_files()
    problems: list[str] = []
    for part, report in reports.items():
        problems += faults(part, report, ratchet[part], changed)
    for line in subjects_since(ratchet["since"]):
        commit, _, subject = line.partition(" ")
        fault = subject_fault(subject)
        if fault:
            problems.append(f"commit {commit} {subject!r}: {fault}")
    for problem in problems:
        print(problem)
    return int(bool(problems))


def lower(reports: Mapping[str, Report]) -> int:
    """Print the tables, and write counts that have fallen.

    A count that has risen stays as it was.
    """
    ratchet = json.loads(RATCHET.read_text("utf-8"))
    for part, report in reports.items():
        print(f"== {part}")
        print("\n".join(report.table()))
        for name, count in report.counts().items():
            ratchet[part][name] = min(count, ratchet[part].get(name, count))
    RATCHET.write_text(json.dumps(ratchet, indent=2) + "\n", "utf-8")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("action", nargs="?", choices=("show", "check", "lower"), default="show")
    parser.add_argument("--of", nargs="+", metavar="PATH", default=PARTS["product"])
    parser.add_argument("--list", metavar="MEASURE", help="print every place of a measure")
    options = parser.parse_args(arguments)
    if options.action == "show":
        report = measure(options.of)
        if options.list:
            print("\n".join(report.places[options.list]))
        else:
            print("\n".join(report.table()))
        return 0
    with ProcessPoolExecutor() as processes:
        reports = dict(
            zip(
                PARTS,
                processes.map(measure, PARTS.values()),
                strict=True,
            )
        )
    if options.action == "check":
        return check(reports)
    return lower(reports)


if __name__ == "__main__":
    sys.exit(main())
