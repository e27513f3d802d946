"""A league in a folder and the bot that serves it, fresh for each test."""

from tests.answers.conftest import world

__all__ = ["world"]
