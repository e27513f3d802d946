import os
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from bot.runtime import env_file
from bot.runtime.env_file import load_env_file, read_env_file, write_env_file
from bot.settings import SettingsError, read_settings

VALUES = st.text(
    st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=40
)
NAMES = st.from_regex(r"[A-Z][A-Z0-9_]{0,12}", fullmatch=True)


@settings(max_examples=50, deadline=None)
@given(
    before=st.dictionaries(NAMES, VALUES, max_size=4),
    after=st.dictionaries(NAMES, VALUES, max_size=4),
)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, before: dict[str, str], after: dict[str, str]
) -> None:
    path = tmp_path_factory.mktemp("env") / ".env"
    write_env_file(path, before)
    write_env_file(path, after)
    assert read_env_file(path) == before | after


def test_other_lines_stay_and_repeated_variables_are_set(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("# mine\nexport A=1 # one\nB='two\nlines'\nC=", encoding="utf-8")
    write_env_file(path, {"C": "3", "D": "it's"})
    assert (
        path.read_text(encoding="utf-8")
        == "# mine\nexport A=1 # one\nB='two\nlines'\nC=3\nD='it\\'s'\n"
    )
    assert read_env_file(path) == {"A": "1", "B": "two\nlines", "C": "3", "D": "it's"}
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("A=1\nA=2\n", encoding="utf-8")
    write_env_file(path, {"A": "3"})
    assert path.read_text(encoding="utf-8") == "A=3\nA=3\n"


def test_a_failed_write_leaves_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / ".env"
    write_env_file(path, {"A": "1"})

    def fail(*_: str) -> None:
        raise OSError("full")

    monkeypatch.setattr(env_file.os, "replace", fail)
    with pytest.raises(OSError, match="full"):
        write_env_file(path, {"A": "2"})
    with pytest.raises(ValueError, match="one line"):
        write_env_file(path, {"A": "2\n3"})
    assert [file.name for file in tmp_path.iterdir()] == [".env"]
    assert read_env_file(path) == {"A": "1"}


def test_the_environment_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / ".env"
    path.write_text("CACHE_MB=50\nWEB_CONCURRENCY=4\nREDIS_URL=\n", encoding="utf-8")
    monkeypatch.setenv("JANROKU_ENV_FILE", str(path))
    monkeypatch.setenv("WEB_CONCURRENCY", "3")
    monkeypatch.setenv("CACHE_MB", "")  # put back afterwards
    settings = read_settings()
    assert (settings.cache_mb, settings.web_concurrency, settings.redis_url) == (50, 3, "")
    assert "REDIS_URL" not in os.environ


def test_a_file_that_is_no_text_is_a_named_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / ".env"
    path.write_bytes(b"A=\xff\xfe\n")
    monkeypatch.setenv("JANROKU_ENV_FILE", str(path))
    with pytest.raises(ValueError, match=r"\.env: can't be read"):
        load_env_file()
    with pytest.raises(SettingsError, match=r"\.env: can't be read"):
        read_settings()
