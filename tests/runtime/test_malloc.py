import platform
import subprocess
import sys

import pytest

from tests.fakes.process import ROOT, clean_env

COUNT = """
import ctypes, threading
from bot.lifecycle import save_memory
save_memory()
libc, busy = ctypes.CDLL(None), threading.Barrier(17)
def use():
    libc.malloc(1000)
    busy.wait()
    busy.wait()
threads = [threading.Thread(target=use) for _ in range(16)]
for thread in threads: thread.start()
busy.wait()
libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
libc.fflush(None)
busy.wait()
for thread in threads: thread.join()
"""


def heaps(**env: str) -> int:
    run = subprocess.run(
        [sys.executable, "-c", COUNT],
        cwd=ROOT,
        env=clean_env(**env),
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.count("<heap nr=")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="counts glibc's heaps")
def test_threads_share_two_heaps_unless_the_environment_says_otherwise() -> None:
    assert (heaps(), heaps(MALLOC_ARENA_MAX="5")) == (2, 5)
