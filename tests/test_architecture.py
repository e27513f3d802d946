"""The house's rules: arrows go one way, and each SDK stays in its one room."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = {  # package -> the files that may import it
    "dropbox": ("storage/dropbox_*.py",),
    "boto3": ("storage/s3_images.py",),
    "botocore": ("storage/s3_images.py",),
    "sqlalchemy": ("storage/state*.py",),
    "linebot": ("bot/line/*.py", "bot/service.py", "bot/console/*.py"),
    "flask": ("app.py", "bot/web.py", "bot/cli/*.py", "bot/console/*.py"),
    "matplotlib": ("bot/charts/canvas/*.py",),
    "celery": (
        "bot/dispatch/queue.py",
        "bot/sync/job_queue.py",
        "bot/runtime/queue_watch.py",
        "bot/worker.py",
    ),
    "redis": ("bot/dispatch/queue.py", "bot/sync/job_queue.py"),
    "numba": ("rating/*.py",),
    "mahjong": ("rating/paifu/*.py",),
    "riichienv": ("rating/paifu/*.py", "bot/cli/paifu.py", "bot/cli/paifu.py"),
    "tomlkit": ("rating/league_*.py",),
    "requests": ("bot/tenhou/client.py", "storage/dropbox_client.py"),
}
ALLOWED = {"rating": {"rating"}, "storage": {"storage"}, "bot": {"bot", "rating", "storage", "app"}}
FILES = [p for folder in ("bot", "rating", "storage") for p in (ROOT / folder).rglob("*.py")] + [
    ROOT / "app.py"
]


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
    return found


@pytest.mark.parametrize("package", ["rating", "storage"])
def test_arrows_go_one_way(package: str) -> None:
    ours = {"app", "bot", "rating", "storage", "tests"}
    for path in (ROOT / package).rglob("*.py"):
        used = {name.partition(".")[0] for name in imports(path)} & ours
        assert used <= ALLOWED[package], f"{path.relative_to(ROOT)} imports {used - ALLOWED[package]}"


def test_product_code_imports_no_tests() -> None:
    for path in FILES:
        assert not any(name.partition(".")[0] == "tests" for name in imports(path)), path


@pytest.mark.parametrize("package", ROOMS)
def test_each_sdk_stays_in_its_room(package: str) -> None:
    rooms = {path for pattern in ROOMS[package] for path in ROOT.glob(pattern)}
    for path in FILES:
        if package in {name.partition(".")[0] for name in imports(path)}:
            assert path in rooms, f"{path.relative_to(ROOT)} imports {package}"


def test_the_top_level_is_the_clients() -> None:
    import subprocess

    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    folders = {name.partition("/")[0] for name in listed.splitlines() if "/" in name}
    assert folders <= {"bot", "rating", "storage", "tests", "docs", ".ci"}
    code = {name for name in listed.splitlines() if "/" not in name and name.endswith(".py")}
    assert code == {"app.py"}
