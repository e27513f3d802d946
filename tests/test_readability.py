"""The readability ratchet: tests/tools/readability.py counts what it should, and refuses more."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.tools.readability import Report, boolean_names, faults, measure, subject_fault

# A line for each measure, and next to it what does not count.
PLACES = {
    "value * condition": 'text = "x" * bool(y)\ntext = "x" * 3\n',
    "a, b = x, y": "a, b = 1, 2\na, b = pair\n",
    "three or more at once": "a, b, c = 1, 2, 3\n",
    "nested comprehension": "rows = [x for line in lines for x in line]\nrow = [x for x in line]\n",
    "conditional expression": "x = 1 if y else 2\n",
    "nested conditional": "x = 1 if y else 2 if z else 3\n",
    "*(x if c else ())": "rows = [*(more if c else ())]\noptions = {**(more if c else {})}\n",
    "walrus": "if (x := y):\n    pass\n",
    "lambda": "key = lambda x: x\n",
    "returns a positional tuple": "def f() -> tuple[int, str]: ...\ndef g() -> tuple[int, ...]: ...\n",
    "x[1], x[2] ...": "x = y[1]\nx = y[0]\nx = y[-1]\n",
    "line over 25 tokens": f"x = [{'1, ' * 12}]\ny = [{'1, ' * 10}]\n",
    "index or slice by a condition": "x = y[a is None]\nx = y[: a > b]\nx = y[: len(a)]\n",
    "expression for its effect": "all(f(x) for x in y)\nx or f()\nf()\n",
    "function with over 30 names": "def f():\n" + "".join(f"    n{i} = 1\n" for i in range(31)),
    "vague name": "told = 1\ndef f(found): ...\ntotal = 1\n",
    "odd English": "# It says what is kept.\nx = 1\n",
}
COUNTS = {
    "*(x if c else ())": 2,
    "index or slice by a condition": 2,
    "expression for its effect": 2,
    "vague name": 2,
    "odd English": 2,
}


def report_of(folder: Path, source: str) -> Report:
    (folder / "module.py").write_text(source, "utf-8")
    return measure(["module.py"], folder)


@pytest.mark.parametrize("name", PLACES)
def test_each_measure_counts_its_places(name: str, tmp_path: Path) -> None:
    assert report_of(tmp_path, PLACES[name]).counts()[name] == COUNTS.get(name, 1)


def test_every_counted_measure_has_a_sample() -> None:
    assert set(PLACES) == set(Report().counts())


def test_product_of_arrays_is_no_condition(tmp_path: Path) -> None:
    source = "import numpy as np\nx = (a > b) * c\ny = (a > b) * 2\n"
    assert report_of(tmp_path, source).places["value * condition"] == ["module.py:3"]


def test_names_assigned_conditions_only_are_booleans(tmp_path: Path) -> None:
    source = "def f(x):\n    is_new = x > 1\n    count = x > 1\n    count = 2\n"
    source += "    return (is_new * 'new', count * 'new')\n"
    assert report_of(tmp_path, source).places["value * condition"] == ["module.py:5"]


def test_a_field_annotated_in_two_ways_is_no_sure_boolean() -> None:
    trees = [
        ast.parse("class A:\n    ready: bool\n    done: bool"),
        ast.parse("class B:\n    done: int"),
    ]
    names = boolean_names(trees)
    assert names.somewhere == {"ready", "done"}
    assert names.everywhere == {"ready"}


def test_a_planted_place_is_refused_with_file_and_line(tmp_path: Path) -> None:
    allowed = report_of(tmp_path, "x = 1\n").counts()
    planted = report_of(tmp_path, '"""Was told."""\n\nx = "x" * bool(y)\n')
    problems = list(faults("product", planted, allowed, set()))
    assert problems == [
        "product: value * condition: 1, more than 0:\n  module.py:3",
        "product: odd English: 1, more than 0:\n  module.py:1",
    ]


def test_places_in_changed_files_are_listed_first(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("x = 1 if y else 2\n", "utf-8")
    report = measure(["a.py", "b.py"], tmp_path)
    allowed = report.counts() | {"conditional expression": 1}
    (problem,) = faults("product", report, allowed, {"b.py"})
    assert problem.endswith(":\n  b.py:1\n  a.py:1")


@pytest.mark.parametrize(
    "subject",
    [
        "Fix the reading of closing elements with doubled attributes",
        "Add a readability ratchet",
        "Speed up replays",
    ],
)
def test_subjects_with_verb_and_object_pass(subject: str) -> None:
    assert subject_fault(subject) == ""


@pytest.mark.parametrize(
    ("subject", "fault"),
    [
        ("Fix things", "names no object"),
        ("Fix", "names no object"),
        ("Better charts", "does not begin with a verb"),
        ("Show what was told", "the word 'told'"),
        ("Add " + "x" * 80, "84 characters"),
    ],
)
def test_vague_subjects_are_refused(subject: str, fault: str) -> None:
    assert fault in subject_fault(subject)
