"""The report of `flask standings` as a table."""

from typing import Any

from bot.cli.games import order_notes
from bot.cli.printing import table_text
from bot.runtime.translation import translated as _

Json = dict[str, Any]
HEADS = ("group", "", "player", "rating", "variance", "likely", "95 %", "games", "")


def standings_lines(report: Json) -> list[str]:
    rows = [_row_cells(row, report["decimals"]) for row in report["standings"]]
    lines = [
        f"{report['model']}  {report['games']} games  as of {report['as_of'] or '-'}",
        *order_notes(report),
        table_text(HEADS, rows, left_aligned=(2, 6, 8)),
    ]
    other_seats = _("not counted: {count} games of {seats} players (--seats {seats})")
    for seats, count in report.get("other_seats", {}).items():
        lines.append(other_seats.format(count=count, seats=seats))
    lines += report.get("notes", [])
    return lines


def _row_cells(row: Json, decimals: int) -> list[str]:
    """The cells of a player's row, in the order of HEADS."""
    interval = ""
    if "low" in row:
        interval = f"{row['low']:.{decimals}f} .. {row['high']:.{decimals}f}"
    provisional = ""
    if row["provisional"]:
        provisional = "provisional"
    return [
        str(row.get("group", "")),
        str(row["place"]),
        row["name"],
        _figure(row, "rating", decimals),
        _figure(row, "variance", 4),
        _figure(row, "likely", decimals),
        interval,
        str(row["games"]),
        provisional,
    ]


def _figure(row: Json, key: str, decimals: int) -> str:
    """A figure of the row, "" where the system has none."""
    if key not in row:
        return ""
    return f"{row[key]:.{decimals}f}"
