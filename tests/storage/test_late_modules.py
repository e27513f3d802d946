"""A part of a package that is loaded late is the same module, loaded when it is first used."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.fakes.process import ROOT

ASKED = """
import json, sys
sys.path[:0] = sys.argv[1:]
from storage.late_modules import load_late
load_late("parcel", "heavy", "missing")
import parcel
from parcel import heavy
seen = [list(parcel.loaded)]
seen += [heavy.weight, list(parcel.loaded), heavy.weight, sys.modules["parcel.heavy"] is heavy, hasattr(heavy, "gone")]
print(json.dumps(seen))
"""


def test_a_late_module_is_loaded_at_first_use(tmp_path: Path) -> None:
    (tmp_path / "parcel").mkdir()
    (tmp_path / "parcel" / "__init__.py").write_text("loaded = []\nfrom parcel import heavy\n")
    (tmp_path / "parcel" / "heavy.py").write_text("from parcel import loaded\nloaded.append(1)\nweight = 7\n")
    command = [sys.executable, "-c", ASKED, str(ROOT), str(tmp_path)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert json.loads(told) == [[], 7, [1], 7, True, False]


def test_dropbox_s_calls_for_business_wait() -> None:
    code = "import storage.dropbox_client, sys; m = sys.modules['dropbox.team_log']; print(type(m).__name__, m.TeamEvent.__name__, type(m).__name__)"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert told.stdout.split() == ["LateModule", "TeamEvent", "module"]


def test_of_line_s_sdk_only_what_is_used_is_loaded() -> None:
    code = (
        "import sys, bot.line.client as client; client.preload(); names = 'linebot.api', 'aiohttp', 'linebot.v3.webhooks';"
        " print(*(name in sys.modules for name in names));"
        " from linebot.v3 import WebhookParser; from linebot.v3.messaging import AsyncMessagingApi, ReplyMessageRequest;"
        " import linebot; print(WebhookParser.__name__, AsyncMessagingApi.__name__, linebot.LineBotApi.__name__)"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    seen = ["False"] * 3 + ["WebhookParser", "AsyncMessagingApi", "LineBotApi"]
    assert told.stdout.split() == seen
