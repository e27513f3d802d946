"""No other host than Tenhou is asked, whatever the address looks like and wherever Tenhou redirects to."""

import pytest

from bot.answers.paifu import report
from bot.demo_chat import DEMO_GROUP
from bot.tenhou.client import find_paifu
from tests.answers.paifu.world import ID, RecordWorld, serve
from tests.answers.world import MEMBER, words_of
from tests.fakes.tenhou import FakeTenhou
from tests.real import cases

pytestmark = pytest.mark.any_backend("looks at addresses before anything is asked")

ADDRESSES = [(kind, address.replace("{id}", ID)) for kind, address in cases("addresses.tsv")]


def test_foreign_addresses(world: RecordWorld) -> None:
    """A 1:1 chat gets a sentence. A group gets one only for Tenhou's own address, else nothing. No foreign
    host is asked: from an address only the paifu's id is taken."""
    for address in (address for kind, address in ADDRESSES if kind == "sent"):
        found = find_paifu(address)
        assert found is None or found.id == ID
        assert words_of(world.say(address, MEMBER, MEMBER)) in (report.ADDRESS, report.NOT_THERE), address
        said = world.platform.say(DEMO_GROUP, MEMBER, address)
        world.tap("request_menu")
        if world.platform.replied(said):
            assert address.startswith("https://tenhou.net/0/?log=")
        assert set(world.tenhou.judge.requests) <= {f"/0/log/?{ID}"}


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
def test_redirects_away_are_not_followed(world: RecordWorld, target: str) -> None:
    address = world.serve()
    world.tenhou.fail("/0/log/", location=target)
    assert words_of(world.say(address)) == report.DOWN
    assert len(world.tenhou.judge.requests) == 1


def test_a_redirect_to_another_server_on_this_machine_is_not_followed(world: RecordWorld) -> None:
    address = world.serve()
    with FakeTenhou() as other:
        serve(other)
        world.tenhou.fail("/0/log/", location=f"{other.url}/0/log/?{ID}")
        assert words_of(world.say(address)) == report.DOWN
        assert other.judge.requests == []


def test_a_redirect_at_home_is_followed_and_a_circle_is_left(world: RecordWorld) -> None:
    address = world.serve()
    world.tenhou.fail("/0/log/", location=f"/0/log/?{ID}")
    world.report(world.say(address))
    world.tenhou.fail("/0/log/", location=f"/0/log/?{ID}", times=50)
    other = ID.replace("0a1b", "0a1c")
    assert words_of(world.say(f"https://tenhou.net/0/?log={other}")) == report.DOWN
