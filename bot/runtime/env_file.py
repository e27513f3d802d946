"""The file `.env` next to app.py: variables for the service and every command.

The environment's own win.
"""

import os
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def env_file() -> Path:
    return Path(os.environ.get("JANROKU_ENV_FILE") or ROOT / ".env")


def read_env_file(path: Path) -> dict[str, str]:
    """Return the variables of the file that are not empty; none where there is no file. Raises
    ValueError, which names the file, when it is no text or can't be read."""
    try:
        if not path.is_file():
            return {}
        from dotenv import dotenv_values  # here, because most installations have no such file

        variables = dotenv_values(path, interpolate=False, encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{path}: can't be read ({type(error).__name__})") from None
    return {name: value for name, value in variables.items() if value}


def what_is_read() -> str:
    path = env_file()
    if path.is_file():
        return f"{path}; environment"
    return f"environment (no {path})"


def load_env_file() -> None:
    """Put the file's variables into the environment, but for those there.

    Errors: see `read_env_file`.
    """
    for name, value in read_env_file(env_file()).items():
        if not os.environ.get(name):
            os.environ[name] = value


def write_env_file(path: Path, values: Mapping[str, str]) -> None:
    """Set these variables in the file and leave its others as they are. Only its owner may read it
    (0600). Raises OSError when it can't be written, ValueError for a value with a line's end.
    """
    from dotenv import set_key  # see above

    if any(set(value) & set("\n\r\0") for value in values.values()):
        raise ValueError("a variable's value is one line")
    path.touch(0o600)
    path.chmod(0o600)  # which the next step keeps
    for name, value in values.items():
        set_key(path, name, value, quote_mode="auto")
