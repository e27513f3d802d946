"""Plant wrong formulas in a copy of the code, and check that a test fails for each:
`python -m tests.rating.mutants [WORD …]`.

Each line of tests/data/mutants.txt is a file below rating/, the text there, the planted text, and
the test that must fail. With words, only lines with one of them in file, change or test are tried.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.real import DATA

ROOT = Path(__file__).parents[2]
_LINES = (DATA / "mutants.txt").read_text("utf-8").splitlines()
MUTANTS = [line.split(" ¦ ") for line in _LINES]


def failed(file: str, before: str, after: str, test: str) -> list[str]:
    with TemporaryDirectory() as made:
        copy = Path(made)
        for part in ("bot", "rating", "storage", "tests", "app.py", "pyproject.toml"):
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, copy / part)
            else:
                shutil.copy(ROOT / part, copy / part)
        text = (copy / "rating" / file).read_text("utf-8")
        assert text.count(before) == 1, (file, before, text.count(before))
        (copy / "rating" / file).write_text(text.replace(before, after), "utf-8")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "-rf",
            "--tb=no",
            f"tests/rating/models/{test}",
        ]
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("FAILED ")]
    assert done.returncode == bool(lines), done.stdout
    return [line.split("::")[1].split(" - ")[0] for line in lines]


def main() -> None:
    survivors = 0
    words = sys.argv[1:]
    for mutant in MUTANTS:
        text = " ".join(mutant)
        if not words or any(word in text for word in words):
            killers = failed(*mutant)
            if not killers:
                survivors += 1
            print(" ¦ ".join(mutant), "->", " ".join(killers) or "SURVIVES", flush=True)
    sys.exit(bool(survivors))


if __name__ == "__main__":
    main()
