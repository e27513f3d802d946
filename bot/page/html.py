"""The page in HTML: it says everything without JavaScript, which adds the charts, sorting and the replay."""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path

from bot.chat.replies import Menu, Row, Table, Text
from bot.draw.lines import Lines
from bot.page.figures import TABS, Answered, Folded, Grid, Shown, address, kept, takes

FILES = Path(__file__).parent / "static"
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
PLOT, PLOT_STYLE = "uPlot.iife.min.js", "uPlot.min.css"
WORSE, BETTER = ("−", "▼", "✗"), ("▲", "✓")
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
    """A whole page with these scripts and styles beside the page's own."""
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
    """The page in the place of a league's: one sentence that says what to do."""
    return document("雀録", f'<main class="alone"><h1>雀録</h1><p>{sentence}</p></main>')


def page(league: str, here: str, options: Mapping[str, str], made: Answered) -> str:
    """A league's page: the views (`here` is shown), the period, what is shown, and what leads on."""
    periods = "".join(f'<a href="{escape(h)}"{current(now)}>{escape(s)}</a>' for s, now, h in made.periods)
    above = f'<nav class="ways" aria-label="期間">{periods}</nav>' if periods else ""
    same = {"ask": here, **kept(options)}.items()
    hidden = "".join(f'<input type="hidden" name="{escape(k)}" value="{escape(v)}">' for k, v in same)
    first, last = (escape(options.get(end, "")) for end in ("from", "to"))
    form = f"""<form class="period" method="get">{hidden}
<label>この日から<input type="date" name="from" value="{first}"></label>
<label>この日まで<input type="date" name="to" value="{last}"></label>
<button>見る</button></form>"""
    titles = ("", *(part.title if isinstance(part, Lines | Table) else "" for part in made.parts))
    parts = "\n".join(_part(part, title) for part, title in zip(made.parts, titles, strict=False))
    body = f"""{_top(league, here)}
<main data-figures>
{above}
{parts}
<div class="ways">{"".join(f'<a href="{escape(h)}">{escape(said)}</a>' for said, h in made.ways)}</div>
{form if "period" in takes(here) else ""}
</main>"""
    charts = (PLOT, PLOT_STYLE) if any(isinstance(part, Lines) for part in made.parts) else ()
    return document(league or "雀録", body, *charts, "page.js")


def replay(league: str) -> str:
    """A game's replay, which is drawn by JavaScript alone."""
    body = f"""{_top(league, "recent")}
<main id="replay"><p>{NEEDS_SCRIPT}</p></main>"""
    return document(league or "雀録", body, "replay.js")


def _top(league: str, here: str) -> str:
    tabs = [(label, address(data, {})) for label, data in TABS]
    links = (f'<a href="{escape(h)}"{current(h == f"?ask={here}")}>{label}</a>' for label, h in tabs)
    nav = "".join(links)
    return f'<header><h1>{escape(league or "雀録")}</h1></header><nav aria-label="ページ">{nav}</nav>'


def _loaded(name: str) -> str:
    if name.endswith(".css"):
        return f'<link rel="stylesheet" href="{asset(name)}">'
    if name == PLOT:
        return f'<script defer src="{asset(name)}"></script>'
    script = f'<script type="module" src="{asset(name)}"></script>'
    return '<link rel="modulepreload" href="/page/colours.js">' + script


def current(here: bool) -> str:
    return ' aria-current="page"' if here else ""


def _part(part: Shown, above: str = "") -> str:
    """A part. A table with the title of what stands above it (`above`) needs none."""
    if isinstance(part, Folded):
        inner = _part(part.part, getattr(part.part, "title", ""))
        return f"<details><summary>{escape(getattr(part.part, 'title', ''))}</summary>{inner}</details>"
    if isinstance(part, Text):
        return f"<p>{escape(part.text)}</p>"
    if isinstance(part, Menu):
        links = "".join(f'<a href="{escape(c.data)}">{escape(c.label)}</a>' for c in part.choices)
        return f'<section>{_head(part.title, part.text)}<div class="ways">{links}</div></section>'
    if isinstance(part, Lines):
        head = _head(part.title, part.subtitle)
        return f'<section class="chart">{head}<div class="plot"></div></section>'
    rows = _grid(part) if isinstance(part, Grid) else _table(part)
    note = f'<p class="note">{escape(part.note)}</p>' if part.note else ""
    wide = f' class="wide" tabindex="0" role="region" aria-label="{escape(part.title)}"'
    frame = wide if isinstance(part, Grid) else ""
    head = "" if part.title == above else _head(part.title, part.subtitle)
    return f"<section{' class=below' * (not head)}>{head}<div{frame}>{rows}</div>{note}</section>"


def _head(title: str, subtitle: str) -> str:
    return f"<h2>{escape(title)}</h2>" + (f'<p class="when">{escape(subtitle)}</p>' if subtitle else "")


def _table(table: Table) -> str:
    groups = (("", table.rows), *table.more)
    rows = [row for _, own in groups for row in own]
    columns = max((len(row.extra) for row in rows), default=0)
    ranked, marked = any(row.rank for row in rows), not all(row.mine for row in rows)
    heads = [*table.heads, *[""] * (1 + columns - len(table.heads))]
    top = "".join(f'<th scope="col">{escape(head)}</th>' if head else "<td></td>" for head in heads)
    head = f"<thead><tr>{'<td></td>' * (1 + ranked)}{top}</tr></thead>" if any(table.heads) else ""

    def tr(row: Row) -> str:
        own = row if marked else replace(row, mine=False)
        rank = f'<td class="rank">{escape(row.rank)}</td>' * ranked
        cells = (row.value, *row.extra, *[""] * (columns - len(row.extra)))
        said = "".join(_cell(words, table.plain) for words in cells)
        return f"<tr{' class=mine' * own.mine}>{rank}{_name(own)}{said}</tr>"

    wide = columns + 2 + ranked
    bodies = (f"<tbody>{_group(words, wide)}{''.join(map(tr, own))}</tbody>" for words, own in groups)
    return f"<table>{head}{''.join(bodies)}</table>"


def _group(words: str, columns: int) -> str:
    return f'<tr><th class="group" colspan="{columns}">{escape(words)}</th></tr>' if words else ""


def _name(row: Row) -> str:
    bar = f'<rect width="4" height="16" rx="2" fill="{escape(row.colour)}"/>'
    swatch = f'<svg class="swatch" viewBox="0 0 4 16" aria-hidden="true">{bar}</svg>' if row.colour else ""
    name = f'<a href="{escape(row.data)}">{escape(row.name)}</a>' if row.data else escape(row.name)
    detail = f"<small>{escape(row.detail)}</small>" if row.detail else ""
    word = row.mark if row.mark and row.data else "自分" * row.mine
    mark = f' <small class="mark">{escape(word)}</small>' if word else ""
    return f'<th scope="row">{swatch}{name}{mark}{detail}</th>'


def _cell(words: str, plain: bool = False) -> str:
    tone = " class=worse" * words.startswith(WORSE) + " class=better" * words.startswith(BETTER)
    return f"<td{tone * (not plain)}>{escape(words)}</td>"


def _grid(grid: Grid) -> str:
    heads = "".join(f'<th scope="col" data-key="{key}">{escape(name)}</th>' for key, name in grid.heads)
    body = ""
    for words, rows in grid.groups:
        body += f"<tbody>{_group(words, len(grid.heads) + 1)}"
        for row, cells in rows:
            body += f"<tr{' class=mine' * row.mine}>{_name(row)}"
            for value, said in cells:
                body += f"<td{'' if value is None else f' data-value={value!r}'}>{escape(said)}</td>"
            body += "</tr>"
        body += "</tbody>"
    return f'<table class="grid"><thead><tr><td></td>{heads}</tr></thead>{body}</table>'
