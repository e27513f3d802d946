import json
from pathlib import Path

import pytest

from bot.runtime.encryption import Encryption, new_key
from bot.settings import read_settings
from bot.stores import Stores
from storage.accounts import Account
from storage.ports import StorageError
from tests.backend import Backend


def test_tokens_lie_encrypted_and_keys_can_be_changed() -> None:
    old = "k" * 43 + "="
    new = "b" * 43 + "="
    encrypted = Encryption(old).encrypt("refresh-token")
    assert "refresh-token" not in encrypted
    assert Encryption(f"{new},{old}").decrypt(encrypted) == "refresh-token"
    with pytest.raises(ValueError, match="another"):
        Encryption(new).decrypt(encrypted)
    with pytest.raises(ValueError, match="flask league key"):
        Encryption("short")
    assert json.loads(json.dumps(encrypted)) == encrypted
    made = Encryption(new_key())
    assert made.decrypt(made.encrypt("秘密")) == "秘密"


@pytest.mark.parametrize(
    ("key", "why"),
    [("", "needs JANROKU_SECRET_KEY, which is missing"), (new_key(), "another")],
    ids=["missing", "another"],
)
def test_without_the_right_key_an_account_of_its_own_is_refused(
    tmp_path: Path, backend: Backend, key: str, why: str
) -> None:
    """Never is the folder in LOGS_URL opened in its place."""
    env = {"LOGS_URL": f"file:{tmp_path}", "JANROKU_SECRET_KEY": key}
    stores = Stores(read_settings(env | backend.env(tmp_path)))
    stores.state.accounts.set(
        "east",
        Account("/x", Encryption(new_key()).encrypt("a token")),
    )
    with pytest.raises(
        StorageError, match=rf"^the Dropbox token of league east: .*{why}"
    ) as refused:
        stores.open_logs("east")
    assert "\n" not in str(refused.value)
    stores.open_logs("west")
    stores.state.close()
