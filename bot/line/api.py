"""The SDK's clients for settings of a channel, and its errors."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bot.line.client import LineDown, line_sdk, status_of


@contextmanager
def messaging_api(api_url: str, access_token: str) -> Iterator[Any]:
    sdk = line_sdk()
    configuration = sdk.Configuration(host=api_url, access_token=access_token)
    with sdk.ApiClient(configuration) as client:
        yield sdk.MessagingApi(client)


def line_error(error: Exception, cause: str = "") -> LineDown:
    status = status_of(error)
    if status:
        return LineDown(f"LINE answered {status}", status=status)
    return LineDown(f"LINE can't be reached{cause}")
