import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from storage.files import folder_of, is_name


@given(st.text())
def test_a_name_stays_inside_its_folder(name: str) -> None:
    if is_name(name):
        path = os.path.normpath(f"/folder/{name}")
        assert path.startswith("/folder/")
        assert path == f"/folder/{name}"


@pytest.mark.parametrize(
    "name", ["logvol1.txt", "charts/rating.png", "雀録 (第1期).txt", "a..b", "a."]
)
def test_usual_names_are_names(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("file:logs", Path("logs")),
        ("file:../logs", Path("../logs")),
        ("file:/srv/logs", Path("/srv/logs")),
        ("file:///srv/logs", Path("/srv/logs")),
        ("file:雀 録", Path("雀 録")),
        ("file:.", Path(".")),
    ],
)
def test_file_addresses(url: str, path: Path) -> None:
    assert folder_of(url) == path


def test_importing_the_stores_imports_no_sdk() -> None:
    code = (
        "import sys, bot.settings.stores;"
        "heavy = {'boto3', 'botocore', 'dropbox', 'requests', 'psycopg', 'sqlalchemy', 'flask'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
