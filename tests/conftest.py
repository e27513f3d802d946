"""What every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared" / "data"
_OURS = (
    "LINE_",
    "LOGS_URL",
    "IMAGES_URL",
    "DATABASE_URL",
    "REDIS_URL",
    "PUBLIC_URL",
    "TENHOU_URL",
    "LEAGUE_",
    "ADMIN_",
    "DROPBOX_",
    "AWS_",
    "JANROKU_",
    "METRICS_",
    "CACHE_MB",
)

for _name in [name for name in os.environ if name.startswith(_OURS)]:
    del os.environ[_name]  # nothing of the developer's own set-up reaches a test


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real season logs, worked vectors and records, where they lie beside the repository."""
    if not SHARED.exists():
        pytest.skip("the shared check data are not beside the repository")
    return SHARED
