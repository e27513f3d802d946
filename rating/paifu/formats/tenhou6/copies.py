"""Gives every face its copies (0-135), since the form writes equal tiles alike.

The copies are given in the order in which the tiles appear, so the same round has the same ones
whoever wrote it.
"""

from typing import NamedTuple

from rating.paifu.formats.tenhou6.words import RED_FACES, kind_of
from rating.paifu.tiles import PaifuError, copies_of


class RedFives(NamedTuple):
    """How many red fives there are of man, pin and sou: 0 to 4 each."""

    man: int
    pin: int
    sou: int


class Copies:
    """The copies of each face that have not appeared in a round."""

    def __init__(self, red_fives: RedFives) -> None:
        self._red_fives = dict(zip(RED_FACES, red_fives, strict=True))
        self._free: dict[int, list[int]] = {}
        self._face_of: dict[int, int] = {}

    def take(self, face: int) -> int:
        """The next copy of a face. Raises PaifuError where none is left."""
        if face not in self._free:
            self._free[face] = self._all_copies(face)
        if not self._free[face]:
            raise PaifuError(f"the tile {face} appears too often")
        tile = self._free[face].pop(0)
        self._face_of[tile] = face
        return tile

    def face(self, tile: int) -> int:
        """The face of a copy that has appeared."""
        return self._face_of[tile]

    def _all_copies(self, face: int) -> list[int]:
        copies = list(copies_of(kind_of(face)))
        red_face = RED_FACES[0] + kind_of(face) // 9
        if face in RED_FACES:
            return copies[: self._red_fives[face]]
        if kind_of(face) != kind_of(red_face):
            return copies
        red = self._red_fives[red_face]
        if red:
            return copies[red:]
        return [*copies[1:], copies[0]]  # the copy that other rules make red comes last
