"""Secrets of leagues as they lie in the state store: encrypted with JANROKU_SECRET_KEY, whose first key encrypts and of
which every key (comma separated, to change it) decrypts."""

from __future__ import annotations


class Vault:
    """Texts to and from their encrypted form (Fernet: AES-128-CBC with HMAC-SHA256)."""

    def __init__(self, keys: str) -> None:
        """ValueError where a key is none."""
        from cryptography.fernet import Fernet, MultiFernet

        try:
            self._fernet = MultiFernet([Fernet(key.strip()) for key in keys.split(",") if key.strip()])
        except ValueError:
            raise ValueError("JANROKU_SECRET_KEY is no key: `flask league key` makes one") from None

    def close(self, text: str) -> str:
        """The text, encrypted."""
        return self._fernet.encrypt(text.encode()).decode()

    def open(self, closed: str) -> str:
        """The text again; ValueError where none of the keys fits."""
        from cryptography.fernet import InvalidToken

        try:
            return self._fernet.decrypt(closed.encode()).decode()
        except InvalidToken:
            raise ValueError("was encrypted with another JANROKU_SECRET_KEY") from None
