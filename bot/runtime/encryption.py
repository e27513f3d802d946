"""Secrets of leagues as they lie in the state store, encrypted with JANROKU_SECRET_KEY.

The variable may hold several keys with commas between them, so that a key can be replaced: the first one encrypts, each
of them decrypts.
"""

from __future__ import annotations


class Encryption:
    """Texts to and from their encrypted form: Fernet, AES-128-CBC with HMAC-SHA256 (https://github.com/fernet/spec)."""

    def __init__(self, keys: str) -> None:
        """`keys` as in JANROKU_SECRET_KEY. Raises ValueError where one of them is no key."""
        from cryptography.fernet import Fernet, MultiFernet

        try:
            self._fernet = MultiFernet([Fernet(key.strip()) for key in keys.split(",") if key.strip()])
        except ValueError:
            raise ValueError("JANROKU_SECRET_KEY is no key: `flask league key` makes one") from None

    def encrypt(self, text: str) -> str:
        """The text, encrypted."""
        return self._fernet.encrypt(text.encode()).decode()

    def decrypt(self, encrypted: str) -> str:
        """The text again. Raises ValueError where none of the keys fits."""
        from cryptography.fernet import InvalidToken

        try:
            return self._fernet.decrypt(encrypted.encode()).decode()
        except InvalidToken:
            raise ValueError("was encrypted with another JANROKU_SECRET_KEY") from None


def new_key() -> str:
    """A fresh key for JANROKU_SECRET_KEY."""
    from cryptography.fernet import Fernet

    return Fernet.generate_key().decode()
