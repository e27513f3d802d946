"""Whether two names on Tenhou are likely one person's: the same but for width and case, or one sign apart."""

from __future__ import annotations

import unicodedata


def alike(one: str, other: str) -> bool:
    """Equal when read without regard to width, case and look-alike signs, or (from three signs on) one edit apart."""
    a, b = _plain(one), _plain(other)
    if a == b:
        return True
    return min(len(a), len(b)) >= 3 and _one_edit(a, b)


def _plain(name: str) -> str:
    return (
        unicodedata.normalize("NFKC", name).casefold().replace("ー", "-").replace("―", "-").replace("−", "-")
    )


def _one_edit(a: str, b: str) -> bool:
    """Whether one sign was changed, added, left out, or two neighbours swapped."""
    if abs(len(a) - len(b)) > 1:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    if len(a) == len(b):
        swapped = a[:start] + a[start + 1 : start + 2] + a[start : start + 1] + a[start + 2 :]
        return a[start + 1 :] == b[start + 1 :] or swapped == b
    short, long = sorted((a, b), key=len)
    return short[start:] == long[start + 1 :]
