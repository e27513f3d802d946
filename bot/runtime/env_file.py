"""The file `.env` beside app.py: variables for the service and every command. The environment's own win."""

from __future__ import annotations

import io
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAMED_BY = "JANROKU_ENV_FILE"
_PLAIN = re.compile(r"[A-Za-z0-9_./:@%+=,?&~-]*")


def env_file() -> Path:
    """Return the file's path: JANROKU_ENV_FILE's, or `.env` beside app.py."""
    return Path(os.environ.get(NAMED_BY) or ROOT / ".env")


def read_env_file(path: Path) -> dict[str, str]:
    """Return the variables of the file that are not empty; none where there is no file.

    Raises ValueError, which names the file, when it is no text or can't be read.
    """
    if not path.is_file():
        return {}
    from dotenv import dotenv_values  # here, because most installations have no such file

    try:
        found = dotenv_values(path, interpolate=False, encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{path}: can't be read ({type(error).__name__})") from None
    return {name: value for name, value in found.items() if value}


def load_env_file() -> None:
    """Put the file's variables into the environment, but for those there. Errors: see `read_env_file`."""
    for name, value in read_env_file(env_file()).items():
        if not os.environ.get(name):
            os.environ[name] = value


def write_env_file(path: Path, values: Mapping[str, str]) -> None:
    """Set these variables in the file, which only its owner may read (mode 0600), and leave its other lines
    as they are.

    Raises OSError when it can't be written, ValueError for a value that holds a line's end.
    """
    from dotenv.parser import parse_stream  # see above

    lines = {name: f"{name}={_quoted(value)}\n" for name, value in values.items()}
    text, there = "", set[str]()
    with io.StringIO(path.read_text("utf-8") if path.is_file() else "") as former:
        for binding in parse_stream(former):
            name, original = binding.key or "", binding.original.string
            there.add(name)
            blank = original[: len(original) - len(original.lstrip())]  # it begins with the lines before it
            text += blank + lines[name] if name in lines else original
    if text and not text.endswith("\n"):
        text += "\n"
    text += "".join(line for name, line in lines.items() if name not in there)
    handle, made = tempfile.mkstemp(prefix=".env-", dir=path.parent)  # with mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(made).replace(path)
    except BaseException:
        Path(made).unlink(missing_ok=True)
        raise


def _quoted(value: str) -> str:
    if "\n" in value or "\r" in value or "\0" in value:
        raise ValueError("a variable's value is one line")
    if _PLAIN.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
