"""The language of the command line: Japanese where LANGUAGE, LC_ALL, LC_MESSAGES or LANG ask for it, English elsewhere.

Messages are English in the code, marked by `gettext`; bot/locale has the Japanese. Only commands choose a language:
the service's log stays English.
"""

from __future__ import annotations

import gettext
import os
from pathlib import Path

DOMAIN = "janroku"
LOCALE = Path(__file__).parent.parent / "locale"


def follow_environment() -> None:
    """Let `gettext.gettext` answer in the language of the environment from now on."""
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)


def choose(language: str) -> None:
    """Take a language, "ja" or "en", whatever the environment says."""
    os.environ["LANGUAGE"] = language
    follow_environment()
