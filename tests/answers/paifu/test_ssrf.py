"""No other host than Tenhou is asked, whatever the address looks like and wherever Tenhou redirects to."""

import pytest

from bot.answers.paifu import report
from bot.demo_chat import DEMO_GROUP
from bot.tenhou.client import find_paifu
from tests.answers.paifu.world import ID, RecordWorld, serve
from tests.answers.world import MEMBER, words_of
from tests.fakes.tenhou import FakeTenhou

pytestmark = pytest.mark.any_backend("looks at addresses before anything is asked")

FOREIGN = [
    f"https://evil.example/0/?log={ID}",
    f"https://tenhou.net@evil.example/0/?log={ID}",
    f"https://tenhou.net:x@127.0.0.1/0/?log={ID}",
    f"https://tenhou.net.evil.example/0/?log={ID}",
    f"https://nottenhou.net/0/?log={ID}",
    f"https://evil.example/tenhou.net/0/?log={ID}",
    f"https://evil.example/?u=https://tenhou.net.evil/0/?log={ID}",
    f"https://evil.example#@tenhou.net.x/0/?log={ID}",
    f"https://tenhоu.net/0/?log={ID}",  # a Cyrillic о
    f"https://ｔenhou.net/0/?log={ID}",
    f"https://tenhou。net/0/?log={ID}",
    f"https://xn--tenhu-jua.net/0/?log={ID}",
    f"https://tenhou.net:8080/0/?log={ID}",
    f"https://tenhou.net\\@evil.example/0/?log={ID}",
    f"http://127.0.0.1/0/?log={ID}",
    f"http://[::1]/0/?log={ID}",
    f"http://169.254.169.254/0/?log={ID}",
    f"file:///0/?log={ID}",
    f"https://tenhou.net/0/?log=http://evil.example/{ID}",
    f"https://tenhou.net/0/?log=../../{ID}",
    f"https://tenhou.net/0/?log={ID}/../../x",
]


def test_foreign_addresses(world: RecordWorld, tenhou: FakeTenhou) -> None:
    """A 1:1 chat gets a sentence. A group gets one only for Tenhou's own address, else nothing. No foreign
    host is asked: from an address only the paifu's id is taken."""
    for address in FOREIGN:
        found = find_paifu(address)
        assert found is None or found.id == ID
        assert words_of(world.say(address, MEMBER, MEMBER)) in (report.ADDRESS, report.NOT_THERE), address
        said = world.platform.say(DEMO_GROUP, MEMBER, address)
        world.tap("request_menu")
        if world.platform.replied(said):
            assert address.startswith("https://tenhou.net/0/?log=")
        assert set(tenhou.judge.requests) <= {f"/0/log/?{ID}"}


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:9/0/log/?" + ID,
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost/",
        "http://[::1]:80/",
        "https://tenhou.net@169.254.169.254/",
        "//169.254.169.254/",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "gopher://127.0.0.1:6379/_FLUSHALL",
    ],
)
def test_redirects_away_are_not_followed(world: RecordWorld, tenhou: FakeTenhou, target: str) -> None:
    address = serve(tenhou)
    tenhou.fail("/0/log/", location=target)
    assert words_of(world.say(address)) == report.DOWN
    assert len(tenhou.judge.requests) == 1


def test_a_redirect_to_another_server_on_this_machine_is_not_followed(
    world: RecordWorld, tenhou: FakeTenhou
) -> None:
    address = serve(tenhou)
    with FakeTenhou() as other:
        serve(other)
        tenhou.fail("/0/log/", location=f"{other.url}/0/log/?{ID}")
        assert words_of(world.say(address)) == report.DOWN
        assert other.judge.requests == []


def test_a_redirect_at_home_is_followed_and_a_circle_is_left(world: RecordWorld, tenhou: FakeTenhou) -> None:
    address = serve(tenhou)
    tenhou.fail("/0/log/", location=f"/0/log/?{ID}")
    world.report(world.say(address))
    tenhou.fail("/0/log/", location=f"/0/log/?{ID}", times=50)
    other = ID.replace("0a1b", "0a1c")
    assert words_of(world.say(f"https://tenhou.net/0/?log={other}")) == report.DOWN
