import pytest

from storage.dropbox_logs import DropboxAuthorisation, DropboxLogs
from storage.ports import Denied, StorageError
from tests.fakes.dropbox import FakeDropbox


def test_code_is_exchanged_for_a_token(dropbox: FakeDropbox) -> None:
    authorisation = DropboxAuthorisation(dropbox.app_key)
    token = authorisation.refresh_token(dropbox.allow(authorisation.address))
    logs = DropboxLogs("", app_key=dropbox.app_key, refresh_token=token)
    logs.write("logvol1.txt", b"1", None)
    assert logs.read("logvol1.txt").data == b"1"


def test_code_of_another_authorisation_is_refused_and_spent(dropbox: FakeDropbox) -> None:
    authorisation = DropboxAuthorisation(dropbox.app_key)
    other = DropboxAuthorisation(dropbox.app_key)
    code = dropbox.allow(authorisation.address)
    with pytest.raises(Denied, match="the code is refused"):
        other.refresh_token(code)
    with pytest.raises(Denied, match="the code is refused"):
        authorisation.refresh_token(code)


def test_unreachable_dropbox_is_no_refusal(dropbox: FakeDropbox) -> None:
    authorisation = DropboxAuthorisation(dropbox.app_key)
    dropbox.fail("oauth2/token", status=503)
    with pytest.raises(StorageError) as caught:
        authorisation.refresh_token("code")
    assert not isinstance(caught.value, Denied)
