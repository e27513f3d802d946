"""The two backends of the tests: tests get their stores from them, and on the cloud a worker
answers taps.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.answers.world import LEAGUE, LOG, opened
from tests.backend import SAME, Backend, depends

TESTS = Path(__file__).parent
OWN = {  # files with a database of their own, and why
    "backend.py": "chooses it",
    "test_settings.py": "reads addresses, opens none",
    "checks/planted.py": "plants faults in databases of its own",
    "page/test_figures.py": "commands of a folder of its own",
    "page/test_replay.py": "records of a folder of its own",
    "page/conftest.py": "a service of a folder of its own",
    "league/test_killed.py": "killed writers of folders of their own",
    "cli/test_leagues.py": "killed commands of folders of their own",
    "cli/setup/test_setup.py": "the wizard writes the address",
    "newcomer.py": "no test",
    "e2e/test_proxies.py": "a service with the settings of a recipe",
    "league/test_recorded.py": "a log's steps, with a clock of their own",
    "runtime/test_encryption.py": "a service that opens none",
    "e2e/fleet.py": "servers of its own, which tests hurt",
    "storage/test_state.py": "tests of SQLite itself",
    "storage/test_postgres_files.py": "refuses SQLite",
    "test_backend.py": "this one",
    "test_stores.py": "a file that is never made",
}


def test_databases_are_the_backends() -> None:
    """A test that opens a database by itself would not run on the cloud backend."""
    found = {
        str(path.relative_to(TESTS))
        for path in TESTS.rglob("*.py")
        if "sqlite:///" in path.read_text("utf-8")
    }
    assert {path for path in found if not path.startswith(("fault/", "tools/"))} <= set(OWN)


def test_no_test_of_a_backend_is_in_a_room_that_the_cloud_leaves_out(
    request: pytest.FixtureRequest,
) -> None:
    asked = [item.nodeid for item in request.session.items if depends(item)]
    assert [one for one in asked if one.split("/")[1] in SAME] == []


class Nobody:
    """Threads that do nothing."""

    room = 0

    def submit(self, *_: Any) -> bool:
        return False


@pytest.mark.cloud_only("the way through Redis and workers")
def test_it_is_a_worker_that_answers(tmp_path: Path, backend: Backend) -> None:
    with opened(tmp_path, backend) as world:
        world.write("league.toml", LEAGUE)
        world.write("logvol1.txt", LOG)
        world.service.dispatcher.pool = world.service.dispatcher.long_pool = Nobody()
        assert world.service.settings.database_url.startswith("postgres://")
        assert world.answering is not world.service
        assert world.tap("request_help")
