import pytest

from storage.dropbox_logs import DropboxAuthorisation, DropboxLogs
from storage.ports import Denied, StorageError
from tests.fakes.dropbox import FakeDropbox


def test_a_code_becomes_a_token_that_works_once(dropbox: FakeDropbox) -> None:
    asked = DropboxAuthorisation(dropbox.app_key)
    token = asked.refresh_token(dropbox.allow(asked.address))
    logs = DropboxLogs("", app_key=dropbox.app_key, refresh_token=token)
    logs.write("logvol1.txt", b"1", None)
    assert logs.read("logvol1.txt").data == b"1"
    asked = DropboxAuthorisation(dropbox.app_key)
    other = DropboxAuthorisation(dropbox.app_key)
    code = dropbox.allow(asked.address)
    with pytest.raises(Denied, match="the code is refused"):
        other.refresh_token(code)
    with pytest.raises(Denied, match="the code is refused"):
        asked.refresh_token(code)


def test_dropbox_out_of_reach_is_no_refusal(dropbox: FakeDropbox) -> None:
    asked = DropboxAuthorisation(dropbox.app_key)
    dropbox.fail("oauth2/token", status=503)
    with pytest.raises(StorageError) as caught:
        asked.refresh_token("code")
    assert not isinstance(caught.value, Denied)
