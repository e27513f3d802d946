"""app.json, which the deploy button reads: in Heroku's form, in step with the settings, the Procfile and the
documents.

The form: https://devcenter.heroku.com/articles/app-json-schema
"""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from app import create_app
from bot.settings import SettingsError, read_settings

ROOT = Path(__file__).parents[1]
APP = json.loads((ROOT / "app.json").read_text("utf-8"))
TEXT = {"type": "string", "minLength": 1}
DYNOS = ["eco", "basic", "standard-1x", "standard-2x", "performance-m", "performance-l"]


def an_object(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False, **more}


VARIABLE = an_object(
    {"description": TEXT, "value": TEXT, "required": {"type": "boolean"}, "generator": {"const": "secret"}}
)
PROCESS = an_object(
    {"quantity": {"type": "integer", "minimum": 0}, "size": {"enum": DYNOS}}, required=["quantity"]
)
ADDON = {"plan": TEXT, "as": TEXT, "options": {"type": "object"}}
PLAN = {"type": "string", "pattern": "^[a-z0-9-]+(:[a-z0-9-]+)?$"}
SCHEMA = an_object(
    {
        "name": {"type": "string", "minLength": 3, "maxLength": 30},
        "description": {"type": "string", "maxLength": 140},
        "keywords": {"type": "array", "items": TEXT},
        "website": TEXT, "repository": TEXT, "logo": TEXT,
        "success_url": {"type": "string", "pattern": "^(/|https://)"},
        "scripts": an_object({"postdeploy": TEXT, "pr-predestroy": TEXT}),
        "env": an_object({}, patternProperties={"^[A-Z][A-Z0-9_]*$": {"anyOf": [TEXT, VARIABLE]}}),
        "formation": {"type": "object", "additionalProperties": PROCESS},
        "addons": {"type": "array", "items": {"anyOf": [PLAN, an_object(ADDON, required=["plan"])]}},
        "buildpacks": {"type": "array", "items": an_object({"url": TEXT}, required=["url"])},
        "stack": {"pattern": "^(heroku-[0-9]{2}|container)$"},
        "environments": {"type": "object"},
    },
    required=["name", "env", "addons", "formation", "scripts", "success_url"],
)  # fmt: skip


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
    filled = {name: entry["value"] for name, entry in APP["env"].items() if "value" in entry}
    given = {"DYNO": "web.1", "PORT": "5000", "DATABASE_URL": "postgres://u:p@h:5432/d"}
    asked = {name for name, one in APP["env"].items() if one.get("required", True) and "value" not in one}
    with pytest.raises(SettingsError) as caught:
        read_settings(filled | given)
    assert all(fault.partition(":")[0] in asked for fault in caught.value.faults)
    typed = {"LINE_CHANNEL_SECRET": "s" * 32, "LINE_CHANNEL_ACCESS_TOKEN": "t" * 40}
    typed["ADMIN_USER_IDS"] = "U" + "1" * 32
    assert asked == set(typed)
    settings = read_settings(filled | given | typed)
    assert (settings.logs_url, settings.images_url, settings.console) == ("postgres:", "postgres:", False)


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
    assert [name for name in APP["env"] if not re.search(rf"^#?{name}=", example, re.M)] == []
