"""Encryption of stored secrets."""

from __future__ import annotations

import json

import pytest

from bot.runtime.encryption import Encryption, new_key


def test_tokens_lie_encrypted_and_keys_can_be_changed() -> None:
    old, new = "k" * 43 + "=", "b" * 43 + "="
    encrypted = Encryption(old).encrypt("refresh-token")
    assert "refresh-token" not in encrypted
    assert Encryption(f"{new},{old}").decrypt(encrypted) == "refresh-token"
    with pytest.raises(ValueError, match="another"):
        Encryption(new).decrypt(encrypted)
    with pytest.raises(ValueError, match="flask league key"):
        Encryption("short")
    assert json.loads(json.dumps(encrypted)) == encrypted


def test_a_fresh_key_is_a_key() -> None:
    made = Encryption(new_key())
    assert made.decrypt(made.encrypt("秘密")) == "秘密"
