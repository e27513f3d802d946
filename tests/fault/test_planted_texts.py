"""The lists of planted defects quote code: each quoted text is in its file, once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fault.planted import DEFECTS, ROOT

MUTANTS = (ROOT / "tests/data/mutants.txt").read_text("utf-8").splitlines()


def quoted_defects() -> list[tuple[Path, str]]:
    lines = DEFECTS.splitlines()
    heads = lines[::3]
    texts = lines[1::3]
    return [
        (ROOT / head.split(" | ")[1], text.replace("\\n", "\n"))
        for head, text in zip(heads, texts, strict=True)
    ]


def quoted_mutants() -> list[tuple[Path, str]]:
    rows = [line.split(" ¦ ") for line in MUTANTS]
    return [(ROOT / "rating" / file, text) for file, text, _, _ in rows]


@pytest.mark.parametrize("quotes", [quoted_defects, quoted_mutants])
def test_each_quoted_text_is_in_its_file_once(
    quotes: Callable[[], list[tuple[Path, str]]],
) -> None:
    changed = [text for path, text in quotes() if path.read_text("utf-8").count(text) != 1]
    assert changed == []
