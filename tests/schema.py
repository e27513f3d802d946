"""Check messages with the console's checks, and with LINE's own schema where a copy lies beside the repository."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from openapi_schema_validator import OAS30Validator

from bot.console import checks

SCHEMA = Path(__file__).parents[2] / "shared/data/line/messaging-api.strict.yml"


@cache
def validator(name: str) -> Any:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    components = yaml.load(SCHEMA.read_text("utf-8"), loader)["components"]
    return OAS30Validator({"$ref": f"#/components/schemas/{name}", "components": components})


def assert_messages_pass(messages: list[dict[str, Any]]) -> None:
    """Check that one to five messages keep LINE's limits and schema."""
    assert 1 <= len(messages) <= 5
    problems = checks.reply_problems({"replyToken": "t", "messages": messages})
    assert not problems, problems
    if SCHEMA.exists():
        for message in messages:
            errors = [f"{list(e.path)}: {e.message[:200]}" for e in validator("Message").iter_errors(message)]
            assert not errors, errors
