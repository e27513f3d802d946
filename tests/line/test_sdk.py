"""LINE's SDK is imported in one place, whole, whoever needs it first."""

import json
import subprocess
import sys

import pytest

from tests.fakes.process import ROOT, clean_env

CALLS = {
    "member": "client.LineClient(URL, 'token').is_member('C1', 'U1')",
    "push": "client.LineClient(URL, 'token', sleep=print).push('C1', [TEXT], KEY)",
    "loading": "client.LineClient(URL, 'token').show_loading('U1')",
    "bot": "client.LineClient(URL, 'token').bot()",
    "secret": "account.secret_fits(URL, 'token', 'secret')",
    "menus": "channel.rich_menus(URL, 'token').__enter__().names()",
    "webhook": "account.webhook_endpoint(URL, 'token').__enter__().put('https://bot.example')",
    "console": "importlib.import_module('bot.console.checks').problems({}, 'ReplyMessageRequest')",
}
"""Calls that use different parts of the SDK, at an address where nobody answers."""

AT_ONCE = """
import importlib, json, sys, threading
from bot.line import account, channel, client

URL = "http://127.0.0.1:1"
TEXT = {"type": "text", "text": "a"}
KEY = "00000000-0000-0000-0000-000000000000"
start = threading.Barrier(len(sys.argv) - 1)
errors = {}

def call(words):
    start.wait(20)
    try:
        eval(words)
    except client.LineDown:
        pass
    except Exception as error:
        errors[words] = repr(error)

threads = [threading.Thread(target=call, args=(words,)) for words in sys.argv[1:]]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("ERRORS", json.dumps(errors))
"""


@pytest.mark.parametrize("first", ["member", "secret", "menus"])
def test_threads_that_need_the_sdk_first_share_one_import(first: str) -> None:
    others = [call for name, call in CALLS.items() if name != first]
    calls = [CALLS[first], *others]
    command = [sys.executable, "-c", AT_ONCE, *calls]
    output = subprocess.run(
        command, cwd=ROOT, env=clean_env(), check=True, capture_output=True, text=True
    ).stdout
    assert json.loads(output.rpartition("ERRORS ")[2]) == {}


def test_the_sdk_is_not_imported_before_line_is_called() -> None:
    code = "import sys, bot.service, bot.checks.run; print('linebot' in sys.modules)"
    command = [sys.executable, "-c", code]
    output = subprocess.run(
        command, cwd=ROOT, env=clean_env(), check=True, capture_output=True, text=True
    ).stdout
    assert output == "False\n"


def test_every_class_of_the_sdk_comes_from_one_module() -> None:
    importers = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "bot").rglob("*.py")
        if "linebot" in path.read_text("utf-8")
    ]
    assert sorted(importers) == ["bot/console/checks.py", "bot/line/sdk.py"]
