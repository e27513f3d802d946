"""Names of leagues' folders."""

from __future__ import annotations

import re

_FOLDER = re.compile(r"^[A-Za-z0-9_-]{1,40}$")


def check_folder_name(folder: str) -> None:
    """Raises ValueError for what cannot be the name of a league's folder."""
    if folder and not _FOLDER.fullmatch(folder):
        raise ValueError(f"no name for a league's folder: {folder!r}")
