"""The figures of game records for `flask paifu`, each game counted once."""

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bot.chat.feature import Drawing
from bot.league.moment_text import moment_text_in
from bot.runtime.translation import translated as _
from rating.paifu import chances
from rating.paifu.checked_walls import open_walls
from rating.paifu.moments import Moment, moments
from rating.paifu.record import Record
from rating.paifu.recordlog import game_key
from rating.paifu.review import review
from rating.paifu.statistics import Conduct, Statistics, conduct_of, judgements, of_record, summary
from rating.paifu.top_table import review as top_table

Json = dict[str, Any]
LONGEST_NAME = 80  # characters of a picture's file name


class RecordFigures:
    """The games of the records read, each counted once: of two copies the one with more rounds. So
    a record with problems is counted only at the end. `has_judgements`: summaries have riichi,
    luck, efficiency, push and chances; `has_walls`: the walls; `has_choices`: what the top table
    would discard.
    """

    def __init__(self, has_judgements: bool, has_walls: bool, has_choices: bool) -> None:
        self._has_judgements = has_judgements
        self._has_walls = has_walls
        self._has_choices = has_choices
        self.summaries: dict[str, Json] = {}
        self.problems: list[dict[str, str]] = []
        self._total = Statistics()
        self._with_problems: dict[str, Statistics] = {}
        self._pictures: RecordPictures | None = None

    def draw_into(self, folder: Path, draw: Drawing) -> None:
        """Write the pages of each record's report into the folder."""
        self._pictures = RecordPictures(folder, draw)

    def add_problem(self, name: str, text: str) -> None:
        self.problems.append({"file": name, "text": text})

    def add(self, record: Record, name: str) -> None:
        key = game_key(record)
        if key in self.summaries and not self._replaces_copy(key, record, name):
            return
        self.summaries[key] = summary(record, name)
        conduct = conduct_of(record)
        if record.problems:
            self._with_problems[key] = of_record(record, conduct)
        else:
            self._total += of_record(record, conduct)
        for text in (*record.problems, *record.notes):
            self.add_problem(name, text)
        if self._has_judgements or self._has_walls:
            self.summaries[key] |= self._figures_of_wall(record, name, conduct)
        if self._has_choices:
            self.summaries[key]["choices"] = top_table.report(record)
        if self._pictures is not None:
            self._pictures.write(record, key, name)

    def _replaces_copy(self, key: str, record: Record, name: str) -> bool:
        """Whether the record has more rounds than the earlier copy of its game, which had problems;
        the copy that does not count is a problem.
        """
        earlier = self.summaries[key]
        is_better = key in self._with_problems and len(record.rounds) > earlier["rounds"]
        text = _("the same game as {kept}: counted once")
        if not is_better:
            self.add_problem(name, text.format(kept=earlier["file"]))
            return False
        self.add_problem(earlier["file"], text.format(kept=name))
        del self._with_problems[key]
        return True

    def _figures_of_wall(self, record: Record, name: str, conduct: Conduct) -> Json:
        """The figures of a record's wall and discards; a wall that is wrong is a problem."""
        row: Json = {}
        walls = open_walls(record)
        if walls.problem:
            self.add_problem(name, walls.problem)
        if self._has_walls:
            row["walls"] = None
            if walls.rounds is not None:
                row["walls"] = [asdict(wall) for wall in walls.rounds]
        if self._has_judgements:
            reviewed = review(record)
            row |= judgements(record, conduct, walls.rounds, reviewed)
            best = moments(record, walls.rounds, reviewed)
            row["moments"] = [_moment_row(moment, record) for moment in best]
            row |= chances.report(record)
        return row

    def totals(self) -> Json:
        """The statistics of all games. Call it when all records are added."""
        for statistics in self._with_problems.values():
            self._total += statistics
        self._with_problems.clear()
        return self._total.figures()


class RecordPictures:
    """Writes the pages of records' reports into a folder, under names of their own."""

    def __init__(self, folder: Path, draw: Drawing) -> None:
        self._folder = folder
        self._draw = draw
        self._names: dict[str, str] = {}  # by game

    def write(self, record: Record, key: str, file: str) -> None:
        """`key` is that of the record's game: a better copy replaces the pages of a former one."""
        if key not in self._names:
            self._names[key] = self._new_name(file)
        name = self._names[key]
        self._folder.mkdir(parents=True, exist_ok=True)
        for number, page in enumerate(self._draw(record), 1):
            (self._folder / f"{name}-{number}.png").write_bytes(page)

    def _new_name(self, file: str) -> str:
        plain = re.sub(r"[^\w.-]", "_", Path(file).name)[-LONGEST_NAME:]
        names_in_use = {name.casefold() for name in self._names.values()}
        name = plain
        number = 1
        while name.casefold() in names_in_use:
            number += 1
            name = f"{plain}_{number}"
        return name


def _moment_row(moment: Moment, record: Record) -> Json:
    return {
        "round": moment.round,
        "seat": moment.seat,
        "player": record.players[moment.seat],
        "rule": moment.rule,
        "grade": moment.grade,
        "words": moment_text_in(moment, record),
        "kinds": list(moment.kinds),
    }
