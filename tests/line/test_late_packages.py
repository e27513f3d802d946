"""Of LINE's SDK that is loaded which is used; the rest is there when it is asked for."""

import json
import subprocess
import sys
from pathlib import Path

from tests.fakes.process import ROOT

ASKED = """
import json, sys
sys.path[:0] = sys.argv[1:]
from bot.line.client import load_late
load_late("parcel", "parcel.inner")
import parcel.inner.light
seen = [parcel.inner.light.weight, parcel.inner is sys.modules["parcel.inner"], "parcel.heavy" in sys.modules]
seen += [parcel.weight, hasattr(parcel, "gone"), parcel.inner.heavy, "parcel.heavy" in sys.modules]
print(json.dumps(seen))
"""


def test_a_late_package_is_executed_when_it_is_asked_for_more_than_its_modules(
    tmp_path: Path,
) -> None:
    files = {
        "__init__.py": "weight = 9\n",
        "heavy.py": "weight = 7\n",
        "inner/__init__.py": "from parcel.heavy import weight as heavy\n",
        "inner/light.py": "weight = 1\n",
    }
    for name, text in files.items():
        path = tmp_path / "parcel" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    command = [sys.executable, "-c", ASKED, str(ROOT), str(tmp_path)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert json.loads(told) == [1, True, False, 9, False, 7, True]


def test_of_line_s_sdk_only_what_is_used_is_loaded() -> None:
    code = (
        "import sys, bot.line.client as client; client.preload(); names = 'linebot.api', 'aiohttp', 'linebot.v3.webhooks';"
        " print(*(name in sys.modules for name in names));"
        " from linebot.v3 import WebhookParser; from linebot.v3.messaging import AsyncMessagingApi, ReplyMessageRequest;"
        " import linebot; print(WebhookParser.__name__, AsyncMessagingApi.__name__, linebot.LineBotApi.__name__)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    seen = ["False"] * 3 + ["WebhookParser", "AsyncMessagingApi", "LineBotApi"]
    assert told.stdout.split() == seen
