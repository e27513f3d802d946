"""`flask sweep` removes old pictures alone, and never one that a link may lead to."""

from __future__ import annotations

import os
import time
from pathlib import Path

from tests.cli.running import Run, json_of


def test_old_pictures_go_and_others_stay(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "images/charts"
    folder.mkdir(parents=True)
    for days in (1, 14, 16, 40):
        (folder / f"{days}.png").write_bytes(b"\x89PNG")
        then = time.time() - days * 86400
        os.utime(folder / f"{days}.png", (then, then))
    assert json_of(run("sweep", "--days", "30", "--json")) == {"removed": 1, "days": 30}
    assert run("sweep").output == "1 pictures older than 15 days removed\n"
    assert sorted(path.name for path in folder.iterdir()) == ["1.png", "14.png"]


def test_pictures_that_a_link_leads_to_are_never_removed(run: Run) -> None:
    result = run("sweep", "--days", "14")
    assert result.exit_code == 2
    assert "--days" in result.stderr
    assert result.stderr.count("\n") == 1
