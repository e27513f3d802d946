"""When a service outside fails, members get picture, figures or a sentence, and the next tap
works.
"""

from collections.abc import Iterator

import pytest

from bot import texts
from bot.demo_chat import DEMO_GROUP
from tests.e2e.conftest import Cloud
from tests.e2e.fleet import until
from tests.e2e.taps import MIDORI, announce, fetch, image_of, say_changed, tap

pytestmark = [pytest.mark.usefixtures("by_the_worker"), pytest.mark.xdist_group("cloud")]


@pytest.fixture(autouse=True)
def _healthy(cloud: Cloud) -> Iterator[None]:
    """Each test begins with a league that was read.

    Afterwards the service runs and its log is clean.
    """
    tap(cloud)
    yield
    cloud.dropbox.heal()
    say_changed(cloud.web.url, cloud.dropbox)
    # A worker asks Dropbox only once it has heard of the notification.
    until(lambda: texts.FROM_MEMORY not in str(tap(cloud)))
    assert image_of(tap(cloud))
    assert cloud.web.process.poll() is None
    log = "".join(cloud.log)
    assert "Traceback" not in log
    dropbox = cloud.dropbox.access_token, cloud.dropbox.refresh_token
    assert not any(
        secret in log for secret in (*dropbox, cloud.s3.secret, cloud.line.channel_secret)
    )


def test_dropbox_refuses_once_and_is_asked_again(cloud: Cloud) -> None:
    for status, pause in ((429, 1), (503, None)):
        cloud.dropbox.fail("files/list_folder/continue", status=status, retry_after=pause)
        announce(cloud)
        assert fetch(image_of(tap(cloud))).startswith(b"\x89PNG")


def test_dropbox_is_down_and_what_is_known_serves(cloud: Cloud) -> None:
    cloud.dropbox.fail("", times=1000, hang_up=True)
    announce(cloud)
    messages = tap(cloud)
    assert image_of(messages)
    assert texts.FROM_MEMORY in [message.get("text") for message in messages]


def test_an_expired_token_is_renewed_and_a_reset_cursor_starts_over(cloud: Cloud) -> None:
    for end in (cloud.dropbox.expire_tokens, cloud.dropbox.account.reset_cursors):
        end()
        announce(cloud)
        assert image_of(tap(cloud)), end
    assert cloud.dropbox.calls["oauth2/token"] >= 2


def test_a_deleted_season_stays_in_force_and_the_answer_says_so(cloud: Cloud) -> None:
    first = image_of(tap(cloud))
    log = cloud.dropbox.account.get("/league/logvol3.txt")
    cloud.dropbox.account.delete("/league/logvol3.txt")
    announce(cloud)
    messages = tap(cloud)
    assert image_of(messages).partition("?")[0] == first.partition("?")[0]
    assert "logvol3.txt" in str(messages)
    cloud.dropbox.account.put("/league/logvol3.txt", log)
    announce(cloud)
    assert image_of(tap(cloud)).partition("?")[0] == first.partition("?")[0]


def test_broken_bytes_in_a_log_lose_nothing_else(cloud: Cloud) -> None:
    log = cloud.dropbox.account.get("/league/logvol3.txt")
    broken = log + b"C1934 | 12:0\xff\xfe | \x00\x80(((\n" + log[-400:]
    cloud.dropbox.account.put("/league/logvol3.txt", broken)
    announce(cloud)
    assert image_of(tap(cloud))
    cloud.dropbox.account.put("/league/logvol3.txt", log)


def test_the_bucket_is_gone_and_the_figures_come_as_a_table(cloud: Cloud) -> None:
    bucket = cloud.s3.folder / cloud.s3.bucket
    away = bucket.rename(cloud.s3.folder / "away")
    bucket.write_text("a file where the bucket was")
    try:
        messages = tap(cloud, "request_rating?span=50")
    finally:
        bucket.unlink()
        away.rename(bucket)
    assert messages[0]["type"] == "flex"
    assert "image" not in [message["type"] for message in messages]
    assert "みどり" in str(messages[0])
    assert image_of(tap(cloud, "request_rating?span=50"))


def test_line_refuses_and_the_answer_is_sent_again(cloud: Cloud) -> None:
    for status in (429, 500):
        cloud.line.fail_next("/v2/bot/message/reply", status=status, times=2)
        assert image_of(tap(cloud))


def test_enrolling_again_while_dropbox_fails_shows_what_is_known(cloud: Cloud) -> None:
    group = cloud.line.tap(DEMO_GROUP, MIDORI, "request_enrol")
    cloud.line.answers(group)
    cloud.dropbox.fail("", times=1000, status=500)
    announce(cloud)
    assert image_of(tap(cloud))


def test_junk_in_postback_data_is_a_polite_sentence(cloud: Cloud) -> None:
    errors = [line for line in cloud.log if '"error"' in line]
    options = "season=../1", "season=999", "model=\x00"
    for data in (
        "../../etc/passwd",
        "x" * 300,
        *(f"request_rating?{option}" for option in options),
    ):
        message, *_buttons = tap(cloud, data)
        said = message.get("text") or message["altText"]
        assert said.startswith((texts.UNKNOWN, texts.NO_SUCH_SEASON, texts.NO_SUCH_MODEL))
    assert [line for line in cloud.log if '"error"' in line] == errors
