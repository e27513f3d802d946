"""Paifu (牌譜, game records): reading them, what each seat sees, the wall, luck, danger, tile
efficiency, and statistics.

`from rating import paifu` gives everything a reader of records needs; docs/paifu.md is a tour.
"""

from rating.paifu.chances import chances_of, turning_of
from rating.paifu.checked_walls import CheckedWalls, open_walls
from rating.paifu.danger import danger as danger_points
from rating.paifu.deal_in import waits as wait_shapes
from rating.paifu.efficiency import (
    DiscardChoice,
    EfficiencyRating,
    TileChoice,
    acceptance,
    choices,
    efficiency_of,
    shanten_of,
    tile_choices,
)
from rating.paifu.formats import parse
from rating.paifu.loss_differences import Difference, loss_difference, surely_apart
from rating.paifu.luck import DrawLuck, Luck, deal_luck, draw_luck, luck_of, ura_luck
from rating.paifu.melds import Meld
from rating.paifu.moments import Moment, MomentKind, all_moments, moments as best_moments
from rating.paifu.opened import Copy, OpenedWait, RoundEnd, opened_waits, round_end
from rating.paifu.play_figures import PlayFigure, play_figures, yaku_shares
from rating.paifu.record import (
    Away,
    Call,
    Discard,
    Draw,
    Event,
    GameRules,
    NewDora,
    NoWin,
    Record,
    Riichi,
    Round,
    Win,
)
from rating.paifu.recordlog import BestHand, best_hands
from rating.paifu.review import Push, Review, review as review_record
from rating.paifu.statistics import Statistics, of_record, of_records
from rating.paifu.table import TableState, replay
from rating.paifu.tiles import (
    KIND_NAMES,
    PaifuError,
    counts,
    dora_of,
    notation,
    parse as read_tiles,
)
from rating.paifu.wall import RoundWall

__all__ = [
    "KIND_NAMES",
    "Away",
    "BestHand",
    "Call",
    "CheckedWalls",
    "Copy",
    "Difference",
    "Discard",
    "DiscardChoice",
    "Draw",
    "DrawLuck",
    "EfficiencyRating",
    "Event",
    "GameRules",
    "Luck",
    "Meld",
    "Moment",
    "MomentKind",
    "NewDora",
    "NoWin",
    "OpenedWait",
    "PaifuError",
    "PlayFigure",
    "Push",
    "Record",
    "Review",
    "Riichi",
    "Round",
    "RoundEnd",
    "RoundWall",
    "Statistics",
    "TableState",
    "TileChoice",
    "Win",
    "acceptance",
    "all_moments",
    "best_hands",
    "best_moments",
    "chances_of",
    "choices",
    "counts",
    "danger_points",
    "deal_luck",
    "dora_of",
    "draw_luck",
    "efficiency_of",
    "loss_difference",
    "luck_of",
    "notation",
    "of_record",
    "of_records",
    "open_walls",
    "opened_waits",
    "parse",
    "play_figures",
    "read_tiles",
    "replay",
    "review_record",
    "round_end",
    "shanten_of",
    "surely_apart",
    "tile_choices",
    "turning_of",
    "ura_luck",
    "wait_shapes",
    "yaku_shares",
]
