"""The HTML of the league's page: the document, a view with its parts, and a game's replay."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path

from bot.chat.replies import Menu, Table, Text
from bot.draw.lines import Lines
from bot.page.links import address
from bot.page.parts import Answered, Folded, Grid, PeriodLink, Shown
from bot.page.periods import without_period
from bot.page.tables import grid_html, table_html
from bot.page.views import TABS, takes

FILES = Path(__file__).parent / "static"
PLOT = "uPlot.iife.min.js"
PLOT_STYLE = "uPlot.min.css"
VIEW_SCRIPT = "page.js"
REPLAY_SCRIPT = "replay_page.js"
IMPORTED_MODULES = {
    VIEW_SCRIPT: ("charts.js", "colours.js", "dom.js", "periods.js", "sorting.js", "touch.js"),
    REPLAY_SCRIPT: (
        "chances.js",
        "colours.js",
        "dom.js",
        "replay.js",
        "round_state.js",
        "table.js",
        "tiles.js",
        "top_table.js",
    ),
}
"""The modules that a script imports, directly or not: the browser loads them all at once."""

GONE = (
    "このページは開けません。リンクが間違っているか、期限が切れているか、無効になっています。"
    "LINEで「ページ」と送ると、新しいリンクが出ます。"
)
NEEDS_SCRIPT = "再生にはJavaScriptが必要です。ブラウザの設定で有効にしてください。"
DOWN = "いま記録を読みに行けません。1分ほどおいて、もう一度開いてください。"
TOO_MUCH = "少し速すぎます。1分ほどおいてから、もう一度開いてください。"


@cache
def asset(name: str) -> str:
    """The address of one of the page's own files, which changes with its content."""
    digest = hashlib.sha256((FILES / name).read_bytes()).digest()
    return f"/page/{name}?{base64.urlsafe_b64encode(digest[:9]).decode()}"


def document(title: str, body: str, *files: str) -> str:
    added = "".join(map(_loaded, ("page.css", *files)))
    return f"""<!doctype html>
<html lang="ja">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
{added}
</head>
<body>
{body}
</body>
</html>
"""


def refused(sentence: str) -> str:
    """The page in the place of a league's: one sentence with the way out."""
    return document("雀録", f'<main class="alone"><h1>雀録</h1><p>{sentence}</p></main>')


def page(
    league: str,
    view: str,
    options: Mapping[str, str],
    made: Answered,
) -> str:
    """A league's page: the views (`view` is shown), the periods, the parts, and links."""
    form = ""
    if "period" in takes(view):
        form = _period_form(view, options)
    links = "".join(f'<a href="{escape(url)}">{escape(label)}</a>' for label, url in made.links)
    body = f"""{_top(league, view)}
<main data-figures>
{_period_links(made.periods)}
{_parts(made.parts)}
<div class="ways">{links}</div>
{form}
</main>"""
    files = [VIEW_SCRIPT]
    if any(isinstance(part, Lines) for part in made.parts):
        files = [PLOT, PLOT_STYLE, VIEW_SCRIPT]
    return document(league or "雀録", body, *files)


def _period_links(periods: Sequence[PeriodLink]) -> str:
    if not periods:
        return ""
    links = ""
    for period in periods:
        mark = current(period.is_shown)
        links += f'<a href="{escape(period.url)}"{mark}>{escape(period.label)}</a>'
    return f'<nav class="ways" aria-label="期間">{links}</nav>'


def _period_form(view: str, options: Mapping[str, str]) -> str:
    """The form for a period of the same question."""
    hidden = ""
    for name, value in {"ask": view, **without_period(options)}.items():
        hidden += f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
    first = escape(options.get("from", ""))
    last = escape(options.get("to", ""))
    return f"""<form class="period" method="get">{hidden}
<label>この日から<input type="date" name="from" value="{first}"></label>
<label>この日まで<input type="date" name="to" value="{last}"></label>
<button>見る</button></form>"""


def _parts(parts: Sequence[Shown]) -> str:
    """The parts, one below the other. A table below lines of the same title has no title."""
    texts_of_parts = []
    title_above = ""
    for part in parts:
        texts_of_parts.append(_part(part, title_above))
        title_above = ""
        if isinstance(part, Lines | Table):
            title_above = part.title
    return "\n".join(texts_of_parts)


def replay(league: str) -> str:
    """A game's replay, which is drawn by JavaScript alone."""
    body = f"""{_top(league, "recent")}
<main id="replay"><p>{NEEDS_SCRIPT}</p></main>"""
    return document(league or "雀録", body, REPLAY_SCRIPT)


def _top(league: str, view: str) -> str:
    nav = ""
    for label, data in TABS:
        url = address(data, {})
        nav += f'<a href="{escape(url)}"{current(url == f"?ask={view}")}>{label}</a>'
    return (
        f'<header><h1>{escape(league or "雀録")}</h1></header><nav aria-label="ページ">{nav}</nav>'
    )


def _loaded(name: str) -> str:
    """The element that loads a style or a script; a script's modules are loaded with it."""
    if name.endswith(".css"):
        return f'<link rel="stylesheet" href="{asset(name)}">'
    if name == PLOT:
        return f'<script defer src="{asset(name)}"></script>'
    modules = "".join(
        f'<link rel="modulepreload" href="/page/{module}">' for module in IMPORTED_MODULES[name]
    )
    return f'{modules}<script type="module" src="{asset(name)}"></script>'


def current(is_shown: bool) -> str:
    if is_shown:
        return ' aria-current="page"'
    return ""


def _part(part: Shown, above: str = "") -> str:
    """A part. A table with the title of the part above it (`above`) needs none."""
    if isinstance(part, Folded):
        inner = _part(part.part, getattr(part.part, "title", ""))
        return f"<details><summary>{escape(getattr(part.part, 'title', ''))}</summary>{inner}</details>"
    if isinstance(part, Text):
        return f"<p>{escape(part.text)}</p>"
    if isinstance(part, Menu):
        links = ""
        for choice in part.choices:
            links += f'<a href="{escape(choice.data)}">{escape(choice.label)}</a>'
        return f'<section>{_head(part.title, part.text)}<div class="ways">{links}</div></section>'
    if isinstance(part, Lines):
        head = _head(part.title, part.subtitle)
        return f'<section class="chart">{head}<div class="plot"></div></section>'
    if isinstance(part, Grid):
        rows = grid_html(part)
        frame = f' class="wide" tabindex="0" role="region" aria-label="{escape(part.title)}"'
    else:
        rows = table_html(part)
        frame = ""
    note = ""
    if part.note:
        note = f'<p class="note">{escape(part.note)}</p>'
    if part.title == above:
        return f"<section class=below><div{frame}>{rows}</div>{note}</section>"
    head = _head(part.title, part.subtitle)
    return f"<section>{head}<div{frame}>{rows}</div>{note}</section>"


def _head(title: str, subtitle: str) -> str:
    head = f"<h2>{escape(title)}</h2>"
    if subtitle:
        head += f'<p class="when">{escape(subtitle)}</p>'
    return head
