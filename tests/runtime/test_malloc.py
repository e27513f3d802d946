import platform
import subprocess
import sys

import pytest

from bot import lifecycle
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


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="counts glibc's heaps")
def test_threads_share_two_heaps_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-c", COUNT]
    run = subprocess.run(
        command, cwd=ROOT, env=clean_env(), capture_output=True, text=True, check=True
    )
    assert run.stdout.count("<heap nr=") == 2
    monkeypatch.setenv("MALLOC_ARENA_MAX", "5")
    monkeypatch.delattr(lifecycle, "ctypes")
    lifecycle.save_memory()
