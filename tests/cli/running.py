"""What commands are run by in tests, and what they print for programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from click.testing import Result

Run = Callable[..., Result]
Runner = Callable[..., Run]


def json_of(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)
