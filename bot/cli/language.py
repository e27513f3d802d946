"""The language of the command line: Japanese where LANGUAGE, LC_ALL, LC_MESSAGES or LANG ask for it, English
elsewhere.

Messages are English in the code, marked by `gettext`; a command's docstring and the help of its options are
messages too. bot/locale has the Japanese, also of click's own words. Only commands choose a language: the
service's log stays English.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import cleandoc

import click

from bot.runtime.finding import DOMAIN, LOCALE


def follow_environment() -> None:
    """Let `gettext.gettext` answer in the language of the environment from now on."""
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)


def choose(language: str) -> None:
    """Take a language, "ja" or "en", whatever the environment says."""
    os.environ["LANGUAGE"] = language
    follow_environment()


@contextmanager
def helping(command: click.Command) -> Iterator[None]:
    """Have the help of a command, of its options and of the commands in it be in the chosen language
    meanwhile."""
    inner = command.commands.values() if isinstance(command, click.Group) else ()
    helped = [it for it in (command, *inner, *command.params) if getattr(it, "help", None)]
    english = [it.help for it in helped]
    try:
        for it, text in zip(helped, english, strict=True):
            it.help = gettext.gettext(cleandoc(text))
        yield
    finally:
        for it, text in zip(helped, english, strict=True):
            it.help = text
