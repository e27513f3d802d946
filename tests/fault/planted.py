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
    lines = DEFECTS.splitlines()
    missed = 0
    chosen = [
        lines[n : n + 3] for n in range(0, len(lines), 3) if " ".join(sys.argv[1:]) in lines[n]
    ]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        for head, right, wrong in chosen:
            what, name, tests, words = head.split(" | ")
            path = copy / name
            text = path.read_text("utf-8")
            right, wrong = (part.replace("\\n", "\n") for part in (right, wrong))
            path.write_text(text.replace(right, wrong), "utf-8")
            command = [sys.executable, "-m", "pytest", "-qx", *tests.split(), "-k", words]
            status = subprocess.run(
                command, cwd=copy, stdout=subprocess.DEVNULL, check=False
            ).returncode
            path.write_text(text, "utf-8")
            found = (
                status == 1 and text.count(right) == 1
            )  # else the code has changed: plant it anew
            missed += not found
            print(f"{'found' if found else 'NOT FOUND'}: {what}", flush=True)
    if missed:
        raise SystemExit(f"{missed} of {len(chosen)} defects are not found")


if __name__ == "__main__":
    main()
