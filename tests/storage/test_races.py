import os
import subprocess
import sys
from pathlib import Path

from storage.folder import FolderLogs
from tests.backend import Backend
from tests.storage.races import check_that_no_line_is_lost, grow_folder


def test_processes_growing_one_log_lose_no_line(tmp_path: Path) -> None:
    check_that_no_line_is_lost(FolderLogs(tmp_path), grow_folder, str(tmp_path))
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [".janroku.lock", "logvol1.txt", "logvol2.txt"]


FORKING = """
import os, sys
from storage.state import open_state
state = open_state(sys.argv[1])
for key in state.values.items(""): state.values.delete(key)
state.values.put("parent", "1")
children = []
for number in range(3):
    state.close()
    child = os.fork()
    if child == 0:
        try:
            good = state.values.get("parent") == "1"
            for turn in range(10):
                state.values.put(f"{number}.{turn}", str(turn))
                good = good and state.values.get(f"{number}.{turn}") == str(turn)
            state.values.add("once", str(number))
            os._exit(0 if good else 1)
        except BaseException as error:
            print(repr(error), file=sys.stderr)
            os._exit(2)
    children.append(child)
    state.values.put("parent", "1")
for child in children:
    assert os.waitpid(child, 0)[1] == 0
assert state.values.get("parent") == "1"
assert len(state.values.items("")) == 32, state.values.items("")
"""


def test_forked_workers_use_a_store_their_parent_has_closed(
    backend: Backend, tmp_path: Path
) -> None:
    url = backend.database(tmp_path)
    command = [sys.executable, "-c", FORKING, url]
    env = os.environ | {"PYTHONPATH": "."}
    done = subprocess.run(
        command,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
