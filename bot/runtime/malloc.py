"""Save memory on a small dyno."""

from __future__ import annotations

import ctypes
import os

ARENAS = 2
_M_ARENA_MAX = -8  # malloc.h


def few_arenas() -> None:
    """Have glibc keep two heaps (arenas) for all threads: a fifth less memory under load (tests/fault/soak.py).

    Its default is eight for each core, and each keeps what it once needed
    (https://www.gnu.org/software/libc/manual/html_node/Memory-Allocation-Tunables.html). MALLOC_ARENA_MAX in the
    environment takes precedence. On other systems nothing happens.
    """
    if "MALLOC_ARENA_MAX" in os.environ:
        return
    try:
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, ARENAS)
    except (AttributeError, OSError):
        return  # not glibc
