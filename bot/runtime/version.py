"""Which Janroku this is: the version, and the commit where it can be known."""

import subprocess
from functools import cache
from pathlib import Path

VERSION = "0.2.0"  # the newest number in CHANGELOG.md
SHORT = 7  # characters of a commit that are shown
_ROOT = Path(__file__).resolve().parents[2]


def release(commit: str = "") -> str:
    """`0.2.0 (1a2b3c4)`: the version, and the given commit or the checkout's, where either is
    known.
    """
    short_commit = shown_commit(commit)
    if not short_commit:
        return VERSION
    return f"{VERSION} ({short_commit})"


def shown_commit(commit: str = "") -> str:
    """As `release`, without the version."""
    return commit[:SHORT] or checked_out()


@cache
def checked_out(root: Path = _ROOT) -> str:
    """The commit of the checkout, abbreviated; "" where this is none, or git is not installed."""
    if not (root / ".git").exists():
        return ""
    # git reads a checkout of another user, such as a service's, only where it is named as safe
    command = ["git", "-c", f"safe.directory={root}", "rev-parse", f"--short={SHORT}", "HEAD"]
    try:
        process = subprocess.run(  # noqa: S603
            command, cwd=root, capture_output=True, text=True, check=True, timeout=5
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return process.stdout.strip()
