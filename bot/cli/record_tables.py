"""The report of `flask paifu` as tables."""

from collections.abc import Iterator, Sequence
from typing import Any

from bot.cli.printing import table_text
from rating.paifu.deal_in import SHAPES, SOURCE_GROUP_PERCENT, SOURCE_PERCENT, source_percent
from rating.paifu.tiles import notation

Json = dict[str, Any]


PLAYER_HEADS = (
    "player",
    "seats",
    "games",
    "placing",
    "win",
    "deal-in",
    "to riichi",
    "to others",
    "riichi",
    "call",
    "mean win",
    "a round",
)
DEAL_IN_HEADS = ("discards", "deal-ins", "rate", "from", "to")
WALL_PARTS = ("live", "rinshan", "dora", "ura")  # the live wall is in the order of drawing


def report_lines(report: Json) -> Iterator[str]:
    yield f"{report['records']} records, {report['rounds']} rounds, {report['discards']} discards"
    yield _players_table(report)
    yield "deal-in: share of the rounds; to riichi, to others: rons, each winner of a double ron counted"
    for seats, tables in report["deal_in_by_seats"].items():
        yield _classes_table(seats, tables)
        yield _waits_table(seats, tables)
        if tables["robbed"]:
            yield f"and {tables['robbed']} by a robbed kan, which is no discard"
    for game in report["games"]:
        yield from _wall_lines(game)


def _wall_lines(game: Json) -> Iterator[str]:
    """The walls of a game's rounds, where they were requested."""
    if "walls" not in game:
        return
    if not game["walls"]:
        yield f"{game['file']}: the walls are unknown"
        return
    yield f"{game['file']}: the walls"
    for number, wall in enumerate(game["walls"], 1):
        parts = [f"{part} {_tiles(wall[part])}" for part in WALL_PARTS]
        yield f"  round {number}: " + " | ".join(parts)


def _players_table(report: Json) -> str:
    rows = []
    for name, by_seats in {**report["players"], "(all)": report["overall"]}.items():
        for seats, row in by_seats.items():
            rows.append([name, seats, *_player_cells(row)])
    return table_text(PLAYER_HEADS, rows)


def _player_cells(row: Json) -> list[str]:
    """The figures of a player's row, in the order of the table's heads."""
    return [
        str(row["games"]),
        f"{row['mean_placing']:.2f}",
        f"{row['win']:.1%}",
        f"{row['deal_in']:.1%}",
        *map(str, row["deal_ins"].values()),
        f"{row['riichi']:.1%}",
        f"{row['call']:.1%}",
        f"{row['mean_win']:.0f}",
        f"{row['mean']:+.0f}",
    ]


def _tiles(tiles: Sequence[int]) -> str:
    return " ".join(notation([tile]) for tile in tiles)


def _classes_table(seats: str, tables: Json) -> str:
    """The deal-ins by class of tile and shape of the wait. A rate is the share of the class's
    discards that dealt into a wait of the shape; `source`: the same in the games that
    rating/paifu/deal_in.py names.
    """
    rows = []
    for group, percent in SOURCE_GROUP_PERCENT.items():
        # The source has the figures of whole groups for four seats only.
        source = percent if seats == "4" else None
        rows.append(_class_row(group, tables["groups"][group], source))
        for name in SOURCE_PERCENT:
            if name.startswith(group):
                source = source_percent(int(seats), name)
                rows.append(_class_row(f"  {name}", tables["classes"][name], source))
    heads = [f"into a riichi, {seats} seats", *DEAL_IN_HEADS, *SHAPES, "source"]
    return table_text(heads, rows)


def _class_row(name: str, row: Json, source: float | None) -> list[str]:
    shapes = []
    for shape in SHAPES:
        rate = ""
        if row[shape]:
            rate = f"{row[shape] / row['discards']:.2%}"
        shapes.append(rate)
    source_cell = ""
    if source is not None:
        source_cell = f"{source:.2f}%"
    return [name, *_counted(row), *shapes, source_cell]


def _waits_table(seats: str, tables: Json) -> str:
    """The deal-ins by the shape of the riichi's wait."""
    rows = [[name, *_counted(row)] for name, row in tables["wait_shapes"].items()]
    return table_text([f"wait of the riichi, {seats} seats", *DEAL_IN_HEADS], rows)


def _counted(row: Json) -> list[str]:
    rates = [f"{row[key]:.2%}" for key in ("rate", "low", "high")]
    return [str(row["discards"]), str(row["deal_ins"]), *rates]
