"""Memory on a small dyno."""

from __future__ import annotations

import ctypes
import os

ARENAS = 2
_M_ARENA_MAX = -8  # malloc.h


def few_arenas() -> None:
    """Have glibc keep two heaps for all threads, not eight a core that each keep what they once needed: a fifth less memory
    under load (tests/fault/soak.py). MALLOC_ARENA_MAX in the environment says otherwise; nothing happens on other systems."""
    if "MALLOC_ARENA_MAX" in os.environ:
        return
    try:
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, ARENAS)
    except (AttributeError, OSError):
        return  # not glibc
