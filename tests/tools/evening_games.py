"""Play the games of the console's evening and write them as mjlogs: `python -m tests.tools.evening_games
DIRECTORY`.

Three players of one policy sit down to a hanchan with the walls of a seed: tile efficiency, riichi, kita,
closed kans, and pon of yakuhai. The engine riichienv tells yaku, fu and points. The players have placeholder
names, a letter each.
"""

import gzip
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from riichienv import Conditions, HandEvaluator3P, Meld as EngineMeld, MeldType, get_all_yaku

from bot.league.demo import GAMES, SEATS
from rating.paifu.deal_in import waits
from rating.paifu.efficiency import shanten_of
from rating.paifu.mjlog import parse
from rating.paifu.record import CLOSED_KAN, DORA, KANS, KITA, OPEN, PON, RED, URA, Meld, encode
from rating.paifu.tiles import counts, dora_of
from rating.paifu.wall import open_walls
from tests.rating.paifu.play import DRAWS
from tests.rating.paifu.shuffle import WalledGame, seed_of, shuffles

TENHOU = {yaku.id: yaku.tenhou_id for yaku in get_all_yaku()}
SEAT_WIND, ROUND_WIND = 10, 14  # the numbers of east as seat wind and round wind
HAN = {21: (2, 2), 22: (2, 2), 23: (2, 1), 24: (2, 1), 25: (2, 1), 26: (2, 2), 27: (2, 2), 28: (2, 2), 29: (2, 2), 30: (2, 2), 31: (2, 2), 32: (3, 3), 33: (3, 2), 34: (3, 2), 35: (6, 5)}  # fmt: skip
REDS = (16, 52, 88)
KINDS = {PON: MeldType.Pon, CLOSED_KAN: MeldType.Ankan}
START, RETURN, UMA = 35000, 40000, (30.0, 0.0, -30.0)
Ten, Yaku = tuple[int, int, int], list[tuple[int, int]]  # fu, points and limit; Tenhou's numbers and han


class Hanchan(WalledGame):
    """A hanchan for three. `xml()` is its record; `points` are the final ones."""

    def __init__(self, seed: int) -> None:
        key = [random.Random(seed * 1000 + place).getrandbits(32) for place in range(624)]
        self.seed, self.old, self.source = seed_of(key), False, shuffles(key, 3)
        self.random = random.Random(seed)
        self.seats = 3
        self.points = [START] * 3
        self.sticks = self.honba = 0
        self.out: list[str] = []
        self.endings: list[str] = []
        number = 0
        while not self.over(number):
            again = self.round(number)
            if again and number >= 5 and self.points[number % 3] == max(self.points) >= RETURN:
                break
            number += not again
        self.points[max(range(3), key=lambda seat: (self.points[seat], -seat))] += 1000 * self.sticks
        self.out[-1] = self.out[-1].replace(" />", f' owari="{self.owari()}" />')

    def over(self, number: int) -> bool:
        return min(self.points) < 0 or number >= 9 or (number >= 6 and max(self.points) >= RETURN)

    def round(self, number: int) -> bool:
        self.rivers: list[set[int]] = [set(), set(), set()]
        self.ippatsu: set[int] = set()
        self.passed: set[int] = set()
        self.rinshan_draw = False
        self.wind = number // 3
        self.stays = False
        self.shown: list[int] = []
        self.deal(number)
        return self.stays

    def build(self, number: int) -> None:
        super().build(number)
        self.shown = [self.dead[0]]

    def turned(self) -> int:
        tile = super().turned()
        self.shown.append(tile)
        return tile

    def owari(self) -> str:
        order = sorted(range(3), key=lambda seat: (-self.points[seat], seat))
        scores = {seat: (self.points[seat] - START) / 1000 + UMA[place] for place, seat in enumerate(order)}
        return ",".join(f"{self.points[seat] // 100},{scores[seat]:.1f}" for seat in range(3)) + ",0,0.0"

    def xml(self, pretty: str = "") -> bytes:
        names = " ".join(f'n{seat}="{quote((*SEATS, "")[seat])}"' for seat in range(4))
        head = (
            f'<mjloggm ver="2.3"><SHUFFLE seed="{self.seed}" ref=""/><GO type="25" lobby="1934"/>'
            f'<UN {names} dan="0,0,0,0" rate="1500.00,1500.00,1500.00,1500.00" sx="M,M,M,C"/><TAIKYOKU oya="0"/>'
        )
        return (head + pretty.join(self.out) + "</mjloggm>").encode()

    # What is played

    def turn(self, seat: int, tile: int) -> bool:
        self.out.append(f"<{DRAWS[seat]}{tile}/>")
        self.hands[seat].append(tile)
        self.passed.discard(seat)
        if shanten_of(counts(self.hands[seat])) == -1 and self.worth(seat, seat, tile):
            self.win([seat], seat, tile)
            return True
        self.rinshan_draw = False
        meld = None if seat in self.riichi else self.own_call(seat)
        if meld is None or not self.supplements or not self.wall:
            return False
        self.call(seat, meld)
        if meld.type in KANS:
            self.out.append(f'<DORA hai="{self.turned()}" />')
        self.rinshan_draw = True
        return self.turn(seat, self.rinshan())

    def own_call(self, seat: int) -> Meld | None:
        found = super().own_call(seat)
        return found if found and found.type in (KITA, CLOSED_KAN) else None

    def call(self, seat: int, meld: Meld) -> None:
        super().call(seat, meld)
        self.ippatsu.clear()

    def called(self, giver: int, tile: int) -> int | None:
        for seat in ((giver + step) % 3 for step in (1, 2)):
            same = [t for t in self.hands[seat] if t // 4 == tile // 4]
            own = {27 + (seat - self.dealer) % 3, 27 + self.wind, 31, 32, 33}
            if seat in self.riichi or not self.wall or len(same) < 2 or tile // 4 not in own:
                continue
            if self.random.random() < 0.75:
                towards = (giver - seat) % 3
                self.call(seat, Meld(PON, tuple(sorted((*same[:2], tile))), tile, towards))
                return seat
        return None

    def choose(self, seat: int) -> int:
        before = dict(self.riichi)
        tile = super().choose(seat)
        if self.riichi != before:
            self.ippatsu.add(seat)
        return tile

    def discard(self, seat: int, tile: int) -> bool:
        if self.riichi.get(seat):
            self.ippatsu.discard(seat)
        self.rivers[seat].add(tile // 4)
        return super().discard(seat, tile)

    def winners(self, giver: int, tile: int) -> list[int]:
        """Those who win on a discard: with a yaku, and not in furiten."""
        found = []
        for seat in ((giver + step) % 3 for step in (1, 2)):
            if shanten_of(counts([*self.hands[seat], tile])) >= 0:
                continue
            furiten = self.rivers[seat] & set(waits(counts(self.hands[seat])))
            if furiten or seat in self.passed or not self.worth(seat, giver, tile):
                self.passed.add(seat)
            else:
                found.append(seat)
        return found

    # What it is worth

    def worth(self, seat: int, giver: int, tile: int) -> tuple[int, Yaku, int, list[int]] | None:
        """Fu, (Tenhou's yaku, han), and what the dealer and the others pay; None without a yaku."""
        hand = [t for t in self.hands[seat] if t != tile]
        own = [meld for meld in self.melds[seat] if meld.type != KITA]
        closed = not any(meld.type in OPEN for meld in own)
        kita = len(self.melds[seat]) - len(own)
        conditions = Conditions(
            tsumo=seat == giver, riichi=self.riichi.get(seat, False), ippatsu=seat in self.ippatsu,
            haitei=seat == giver and not self.wall and not self.rinshan_draw,
            houtei=seat != giver and not self.wall, rinshan=seat == giver and self.rinshan_draw,
            player_wind=(seat - self.dealer) % 3, round_wind=self.wind, kita_count=kita,
        )  # fmt: skip
        called = [EngineMeld(KINDS[m.type], list(m.tiles), m.type != CLOSED_KAN) for m in own]
        ura = self.ura[: len(self.shown)] if self.riichi.get(seat) else ()
        found = HandEvaluator3P(hand, called).calc(tile, self.shown, conditions, list(ura))
        if not found.is_win:
            return None
        every = [*hand, tile, *(t for m in self.melds[seat] for t in m.tiles)]
        dora = {
            DORA: sum(t // 4 == dora_of(shown, 3) for t in every for shown in self.shown) + kita,
            URA: sum(t // 4 == dora_of(shown, 3) for t in every for shown in ura),
            RED: sum(t in REDS for t in every),
        }
        yaku = []
        for number in sorted({TENHOU[number] for number in found.yaku}):
            if number in dora:
                continue
            wind = {SEAT_WIND: (seat - self.dealer) % 3, ROUND_WIND: self.wind}.get(number, 0)
            yaku.append((number + wind, HAN.get(number, (1, 1))[not closed]))
        if found.yakuman:
            yaku = [(number, 13) for number, _ in yaku if number >= 37]
        else:
            yaku += [(number, count) for number, count in dora.items() if count]
            assert sum(han for _, han in yaku) == found.han, (yaku, found.han, found.yaku)
        drawn = [found.tsumo_agari_oya or found.tsumo_agari_ko, found.tsumo_agari_ko]
        paid = drawn if seat == giver else [found.ron_agari] * 2
        return found.fu, yaku, sum(han for _, han in yaku), paid

    def win(self, winners: list[int], giver: int, tile: int) -> None:
        self.endings.append("tsumo" if winners == [giver] else "ron")
        self.stays = self.dealer in winners
        honba = self.honba if self.stays else 0
        for seat in winners:
            worth = self.worth(seat, giver, tile)
            assert worth is not None
            fu, yaku, han, paid = worth
            payers = [s for s in range(3) if s != seat] if seat == giver else [giver]
            change = [0] * 3
            for payer in payers:
                change[payer] = -(paid[payer != self.dealer] + (100 if seat == giver else 200) * self.honba)
            value = -sum(change) - 100 * self.honba * 2
            change[seat] = -sum(change) + 1000 * self.sticks
            self.out.append(self.agari(seat, giver, tile, (fu, value, _limit(fu, han)), yaku, change))
            self.points = [p + c for p, c in zip(self.points, change, strict=True)]
            self.sticks = self.honba = 0
        self.honba = honba + 1 if self.stays else 0

    def agari(self, seat: int, giver: int, tile: int, ten: Ten, yaku: Yaku, change: Sequence[int]) -> str:
        sc = ",".join(f"{p // 100},{c // 100}" for p, c in zip([*self.points, 0], [*change, 0], strict=True))
        hand = sorted({*self.hands[seat], tile})
        codes = ",".join(str(encode(m)) for m in reversed(self.melds[seat]))
        if yaku[0][1] == 13:
            words = f'yakuman="{",".join(str(number) for number, _ in yaku)}"'
        else:
            words = f'yaku="{",".join(f"{number},{count}" for number, count in yaku)}"'
        ura = ",".join(map(str, self.ura[: len(self.shown)]))
        return (
            f'<AGARI ba="{self.honba},{self.sticks}" hai="{",".join(map(str, hand))}"'
            + (f' m="{codes}"' if codes else "")
            + f' machi="{tile}" ten="{",".join(map(str, ten))}" {words} doraHai="{",".join(map(str, self.shown))}"'
            + (f' doraHaiUra="{ura}"' if self.riichi.get(seat) else "")
            + f' who="{seat}" fromWho="{giver}" sc="{sc}" />'
        )

    def empty_wall(self) -> None:
        """No more tiles: who is not ready pays, 2000 points in all."""
        self.endings.append("draw")
        ready = [seat for seat in range(3) if waits(counts(self.hands[seat]))]
        change = [0] * 3
        if len(ready) in (1, 2):
            for seat in range(3):
                change[seat] = 2000 // len(ready) if seat in ready else -2000 // (3 - len(ready))
        hai = " ".join(f'hai{seat}="{",".join(map(str, sorted(self.hands[seat])))}"' for seat in ready)
        sc = ",".join(f"{p // 100},{c // 100}" for p, c in zip([*self.points, 0], [*change, 0], strict=True))
        self.out.append(f'<RYUUKYOKU ba="{self.honba},{self.sticks}" sc="{sc}" {hai} />')
        self.points = [p + c for p, c in zip(self.points, change, strict=True)]
        self.stays = self.dealer in ready
        self.honba += 1


def _limit(fu: int, han: int) -> int:
    """Tenhou's number: 0 none, 1 mangan, 2 haneman, 3 baiman, 4 sanbaiman, 5 yakuman."""
    for least, limit in ((13, 5), (11, 4), (8, 3), (6, 2), (5, 1)):
        if han >= least:
            return limit
    return int(fu * 2 ** (2 + han) >= 2000)


def main(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    number = seed = 0
    while number < GAMES:
        seed += 1
        game = Hanchan(seed)
        record = parse(game.xml())
        if not 7 <= len(record.rounds) <= 12:
            continue
        assert record.problems == ()
        walls = open_walls(record)
        assert walls.rounds
        assert not walls.problem
        number += 1
        (directory / f"{number:02}.mjlog").write_bytes(gzip.compress(game.xml(), mtime=0))
        print(number, seed, len(record.rounds), record.points(), record.scores)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
