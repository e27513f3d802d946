"""app.json, which the deploy button reads: in Heroku's form, in step with the settings, the
Procfile and the documents.
"""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from app import create_app
from bot.settings import SettingsError, read_settings

ROOT = Path(__file__).parents[1]
APP = json.loads((ROOT / "app.json").read_text("utf-8"))
SCHEMA = json.loads((ROOT / "tests/data/app_json_schema.json").read_text("utf-8"))


def test_it_has_herokus_form() -> None:
    jsonschema.validate(APP, SCHEMA)


def test_processes_are_the_procfiles_and_do_not_sleep() -> None:
    procfile = (ROOT / "Procfile").read_text("utf-8")
    processes = set(re.findall(r"^(\w+):", procfile, re.M)) - {"release"}
    assert set(APP["formation"]) == processes
    assert {entry["size"] for entry in APP["formation"].values()} == {"basic"}
    assert APP["formation"]["web"]["quantity"] == 1


def test_what_is_filled_in_makes_settings_that_lack_only_what_is_asked_for() -> None:
    """Heroku itself sets DYNO, PORT and DATABASE_URL."""
    filled = {}
    asked = set()
    for name, entry in APP["env"].items():
        if "value" in entry:
            filled[name] = entry["value"]
        elif entry.get("required", True):
            asked.add(name)
    given = {"DYNO": "web.1", "PORT": "5000", "DATABASE_URL": "postgres://u:p@h:5432/d"}
    with pytest.raises(SettingsError) as caught:
        read_settings(filled | given)
    assert all(fault.partition(":")[0] in asked for fault in caught.value.lines)
    typed = {"LINE_CHANNEL_SECRET": "s" * 32, "LINE_CHANNEL_ACCESS_TOKEN": "t" * 40}
    typed["ADMIN_USER_IDS"] = "U" + "1" * 32
    assert asked == set(typed)
    settings = read_settings(filled | given | typed)
    assert settings.logs_url == "postgres:"
    assert settings.images_url == "postgres:"
    assert not settings.console


def test_the_postdeploy_command_is_there_and_its_failure_stops_nothing() -> None:
    command, _, otherwise = APP["scripts"]["postdeploy"].partition(" || ")
    assert otherwise == "true"
    assert command.split()[:2] == ["flask", "richmenu"]
    assert command.split()[1] in create_app(read_settings({})).cli.commands


def test_the_page_that_opens_after_the_deployment_is_ours() -> None:
    assert create_app(read_settings({})).test_client().get(APP["success_url"]).status_code == 200


def test_plans_are_those_that_the_documents_name() -> None:
    for page in ("README.md", "README.ja.md"):
        text = (ROOT / page).read_text("utf-8")
        assert all(f"heroku addons:create {plan}" in text for plan in APP["addons"]), page


def test_every_variable_asked_for_is_in_the_example() -> None:
    example = (ROOT / ".env.example").read_text("utf-8")
    for name in APP["env"]:
        assert re.search(rf"^#?{name}=", example, re.M), name
