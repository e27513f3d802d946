"""Write what follows from the table of variables (bot/settings/table.py): `.env.example`, app.json
and the tables of both reference pages.

    python -m tests.tools.variables          writes them
    python -m tests.tools.variables check    names those that are stale
"""

import json
import re
import sys
from collections.abc import Callable
from itertools import groupby
from operator import attrgetter
from textwrap import wrap
from typing import Any

from bot.settings import table
from bot.settings.stores import KINDS
from bot.settings.table import NO_DEFAULT
from bot.settings.variable import Variable, Wording
from tests.tools.house import ROOT

WIDTH = 118
HEAD = """\
# Every variable. `flask setup` asks for the usual ones and writes .env, which the service and every command read; or copy
# this file to .env, or set them on Heroku. The environment's own variables win. JANROKU_ENV_FILE names another file than
# .env next to app.py. Nothing is needed to try it: with none set, the console plays LINE and a demo league is there.
# `make variables` writes this file from bot/settings/.
"""


def plain(markdown: str) -> str:
    """Markdown as plain text: a link becomes its text."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", markdown)


def default_of(variable: Variable[Any]) -> Wording:
    if variable.default is not None:
        return variable.default
    if variable.kind.default:
        return Wording(f"`{variable.kind.default}`", f"`{variable.kind.default}`")
    return NO_DEFAULT


def meaning_of(variable: Variable[Any]) -> Wording:
    """The meaning, after the store that the variable belongs to."""
    meaning = variable.meaning
    for kind in KINDS:
        if variable in kind.variables:
            title = kind.title.removesuffix(":")
            return Wording(f"{title}: {meaning.en}", f"{title}：{meaning.ja}")
    return meaning


def example(_stale: str) -> str:
    """The text of `.env.example`: a variable that has a default one could write is commented out."""
    lines = [HEAD]
    for topic, variables in groupby(table(), key=attrgetter("topic")):
        lines.append(f"## {topic}")
        for variable in variables:
            if not variable.in_env_file:
                continue
            meaning = plain(meaning_of(variable).en)
            lines += [f"# {line}" for line in wrap(meaning, WIDTH, break_on_hyphens=False)]
            default = variable.kind.default
            if default:
                lines.append(f"#{variable.name}={default}")
            else:
                lines.append(f"{variable.name}=")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def heroku_env() -> dict[str, dict[str, Any]]:
    """The variables of app.json: those that the deploy button asks for."""
    entries: dict[str, dict[str, Any]] = {}
    for variable in table():
        heroku = variable.heroku
        if heroku is None:
            continue
        entry: dict[str, Any] = {"description": plain(meaning_of(variable).en)}
        if heroku.value:
            entry["value"] = heroku.value
        elif not heroku.required:
            entry["required"] = False
        entries[variable.name] = entry
    return entries


def app_json(stale: str) -> str:
    app = json.loads(stale)
    app["env"] = heroku_env()
    return json.dumps(app, ensure_ascii=False, indent=2) + "\n"


def reference(stale: str, rows: list[str]) -> str:
    """A reference page with these rows in its table of variables."""
    section = re.search(r"^## (?:Variables|環境変数)\n\n\|.*\n\|[-|]+\n", stale, re.M)
    assert section, "the page has no table of variables"
    after = stale.index("\n\n", section.end())
    return stale[: section.end()] + "\n".join(rows) + stale[after:]


def english(stale: str) -> str:
    rows = [
        f"| `{variable.name}` | {meaning_of(variable).en} | {default_of(variable).en} |"
        for variable in table()
    ]
    return reference(stale, rows)


def japanese(stale: str) -> str:
    rows = [
        f"| `{variable.name}` | {meaning_of(variable).ja} | {default_of(variable).ja} |"
        for variable in table()
    ]
    return reference(stale, rows)


PAGES: dict[str, Callable[[str], str]] = {
    ".env.example": example,
    "app.json": app_json,
    "docs/reference.md": english,
    "docs/reference.ja.md": japanese,
}
"""The function that updates each page's text."""


def main() -> None:
    stale: list[str] = []
    for name, written in PAGES.items():
        path = ROOT / name
        text = path.read_text("utf-8")
        if written(text) != text:
            stale.append(name)
            if "check" not in sys.argv:
                path.write_text(written(text), "utf-8")
    if "check" in sys.argv and stale:
        raise SystemExit(f"stale: {', '.join(stale)}; `make variables` writes them")


if __name__ == "__main__":
    main()
