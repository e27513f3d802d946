"""Encrypt leagues' secrets for the state store with JANROKU_SECRET_KEY.

It may have several keys, separated by commas: the first encrypts, each decrypts, so one can be
replaced.
"""


class Encryption:
    """Encrypts texts with Fernet: AES-128-CBC and HMAC-SHA256 (https://github.com/fernet/spec)."""

    def __init__(self, keys: str) -> None:
        """`keys` are as in JANROKU_SECRET_KEY. Raises ValueError when one of them is malformed."""
        from cryptography.fernet import Fernet, MultiFernet

        try:
            self._fernet = MultiFernet(
                [Fernet(key.strip()) for key in keys.split(",") if key.strip()]
            )
        except ValueError:
            raise ValueError("JANROKU_SECRET_KEY is no key: `flask league key` makes one") from None

    def encrypt(self, text: str) -> str:
        return self._fernet.encrypt(text.encode()).decode()

    def decrypt(self, encrypted: str) -> str:
        """Raises ValueError when none of the keys fits."""
        from cryptography.fernet import InvalidToken

        try:
            return self._fernet.decrypt(encrypted.encode()).decode()
        except InvalidToken:
            raise ValueError("was encrypted with another JANROKU_SECRET_KEY") from None


def new_key() -> str:
    from cryptography.fernet import Fernet

    return Fernet.generate_key().decode()
