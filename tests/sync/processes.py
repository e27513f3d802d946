"""Another process that runs syncs and looks in forks of itself (tests/sync/child.py), so that they can be killed."""

import json
import subprocess
import sys
from typing import Any

from tests.fakes.process import ROOT


class Processes:
    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.sync.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            text=True,
        )

    def all(self, **order: Any) -> list[str]:
        self._server.stdin.write(json.dumps(order) + "\n")
        self._server.stdin.flush()
        return json.loads(self._server.stdout.readline())

    def close(self) -> None:
        self._server.stdin.close()
        self._server.wait(30)
        self._server.stdout.close()
