"""After a restart the bot answers by the last good version of a file that was broken meanwhile, and says
so."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.answers.world import ADMIN, LEAGUE, LOG, World, words_of
from tests.backend import Backend


@contextmanager
def served(folder: Path, backend: Backend) -> Iterator[World]:
    world = World(folder, backend)
    yield world
    world.close()


def test_broken_files_leave_the_answers_as_they_were(tmp_path: Path, backend: Backend) -> None:
    logs = backend.logs(tmp_path)
    logs.mkdir()
    (logs / "league.toml").write_text(LEAGUE, "utf-8")
    (logs / "logvol1.txt").write_text(LOG, "utf-8")
    with served(tmp_path, backend) as world:
        before = words_of(world.tap("request_sum"))
    assert "みどり" in before
    (logs / "league.toml").write_text(LEAGUE + "[", "utf-8")
    (logs / "logvol1.txt").write_bytes(LOG.encode("cp932") + LOG.encode())
    with served(tmp_path, backend) as world:
        after = words_of(world.tap("request_sum"))
        told = words_of(world.tap("request_sum", ADMIN))
    assert after.startswith(before)
    assert after.removeprefix(before).strip().startswith("（logvol1.txt がいま使えないため、そのシーズンは")
    assert "（管理者へ）league.toml の14行目に間違いがあるので、直してください" in told
    assert "（それまでは前の内容で動きます）。" in told
    assert "logvol1.txt の文字コードが UTF-8 でも Shift-JIS でもなく読めないので" in told
