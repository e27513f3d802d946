import logging

import pytest

from bot.runtime.heartbeat import beat
from tests.fakes.watcher import watcher


def test_a_watcher_gets_a_report_of_good_and_bad_syncs() -> None:
    with watcher() as (url, heard):
        beat(url, good=True)
        beat(f"{url}?create=1", good=False)
        beat("", good=True)
    assert heard == ["/ping/0123-secret", "/ping/0123-secret/fail?create=1"]


@pytest.mark.parametrize("status", [404, 500, 0])
def test_a_failing_watcher_is_logged_without_its_address(
    status: int, caplog: pytest.LogCaptureFixture
) -> None:
    with watcher(status or 200) as (url, _heard), caplog.at_level(logging.WARNING):
        beat(url if status else "http://127.0.0.1:9/0123-secret", good=True)
    (line,) = caplog.messages
    assert line == f"HEARTBEAT_URL could not be called: {status or 'URLError'}"
