"""Plants defects one by one in a copy of the code, and checks that the test named beside each fails
by it.

python -m tests.fault.planted [WORDS]      (default: all; else those whose description holds the
words)

Each defect of tests/data/defects.txt has three lines: `what is wrong | file | tests | pytest's -k`,
the text that is right, and the one in its place.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
DEFECTS = (ROOT / "tests/data/defects.txt").read_text("utf-8")


def main() -> None:
    wanted = " ".join(sys.argv[1:])
    lines = DEFECTS.splitlines()
    defects = [lines[n : n + 3] for n in range(0, len(lines), 3)]
    chosen = [defect for defect in defects if wanted in defect[0]]
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        for head, right, wrong in chosen:
            what, name, tests, words = head.split(" | ")
            command = [sys.executable, "-m", "pytest", "-qx", *tests.split(), "-k", words]
            if fails_with(copy, name, right, wrong, command):
                print(f"found: {what}", flush=True)
            else:
                missed += 1
                print(f"NOT FOUND: {what}", flush=True)
    if missed:
        raise SystemExit(f"{missed} of {len(chosen)} defects are not found")


def fails_with(
    copy: Path,
    name: str,
    right: str,
    wrong: str,
    command: list[str],
) -> bool:
    """Whether the tests of a command fail while `wrong` is in the place of `right` in a file.

    Where `right` is not there once, the code has changed: plant the defect anew.
    """
    right = right.replace("\\n", "\n")
    wrong = wrong.replace("\\n", "\n")
    file = copy / name
    text = file.read_text("utf-8")
    file.write_text(text.replace(right, wrong), "utf-8")
    tests = subprocess.run(command, cwd=copy, stdout=subprocess.DEVNULL, check=False)
    file.write_text(text, "utf-8")
    return tests.returncode == 1 and text.count(right) == 1


if __name__ == "__main__":
    main()
