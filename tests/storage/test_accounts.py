from storage.accounts import Account
from storage.state import State


def test_league_has_an_account_of_its_own(state: State) -> None:
    assert state.accounts.get("east") is None
    state.accounts.set("east", Account("/old", "t1"))
    state.accounts.set("east", Account("/リーグ", "t2"))
    assert state.accounts.get("east") == Account("/リーグ", "t2")
    assert state.accounts.get("") is None
    state.accounts.remove("east")
    state.accounts.remove("east")
    assert state.accounts.get("east") is None
