"""Plays seeded made-up games and writes them as mjlog XML, Tenhou's format.

The hands are dealt near tenpai so that riichi, calls, kans, kita, ron (double ron too), tsumo, robbed kans
and empty walls all occur. Payments are simple but add up.
"""

import random
from urllib.parse import quote

from rating.paifu.deal_in import waits
from rating.paifu.efficiency import shanten_of
from rating.paifu.record import ADDED_KAN, CHI, CLOSED_KAN, KANS, KITA, OPEN, OPEN_KAN, PON, Meld, encode
from rating.paifu.tiles import ABSENT_IN_THREE, counts

NAMES = ("東野", "南原", "西田", "北山")
DRAWS, DISCARDS = "TUVW", "DEFG"


class Game:
    """A game, played when it is made: `xml()` is its paifu, `points` the points by seat at the end."""

    seed = ""  # of the walls, as the paifu tells it
    dice = (1, 2)
    ura: tuple[int, ...] = ()

    def __init__(self, seed: int, seats: int = 4, rounds: int = 4) -> None:
        self.random = random.Random(seed)
        self.seats = seats
        self.points = [35000 if seats == 3 else 25000] * seats
        self.sticks = self.honba = 0
        self.out: list[str] = []
        self.endings: list[str] = []
        for number in range(rounds):
            self.deal(number)
        self.out[-1] = self.out[-1].replace(" />", f' owari="{self.owari()}" />')

    def owari(self) -> str:
        pairs = [f"{ten // 100},{(ten - 30000) / 1000:.1f}" for ten in self.points] + ["0,0.0"] * (
            4 - self.seats
        )
        return ",".join(pairs)

    def xml(self, pretty: str = "") -> bytes:
        names = " ".join(f'n{seat}="{quote(NAMES[seat] if seat < self.seats else "")}"' for seat in range(4))
        kind = 1 | 8 | 0x20 | 0x80 | (0x10 if self.seats == 3 else 0)
        head = (
            f'<mjloggm ver="2.3"><SHUFFLE seed="{self.seed}" ref=""/><GO type="{kind}" lobby="0"/>'
            f'<UN {names} dan="1,2,3,4" rate="1500.00,1600.00,1700.00,1800.00" sx="M,F,M,C"/><TAIKYOKU oya="0"/>'
        )
        return (head + pretty.join(self.out) + "</mjloggm>").encode()

    def deal(self, number: int) -> None:
        self.dealer = number % self.seats
        self.build(number)
        self.melds: list[list[Meld]] = [[] for _ in range(self.seats)]
        self.riichi: dict[int, bool] = {}
        self.kans = 0
        tens = ",".join(str(p // 100) for p in [*self.points, 0][:4])
        hai = " ".join(
            f'hai{s}="{",".join(map(str, self.hands[s])) if s < self.seats else ""}"' for s in range(4)
        )
        number4 = number // self.seats * 4 + number % self.seats
        seed = f"{number4},{self.honba},{self.sticks},{self.dice[0]},{self.dice[1]},{self.dead[0]}"
        self.out.append(f'<INIT seed="{seed}" ten="{tens}" oya="{self.dealer}" {hai}/>')
        self.play()

    def build(self, number: int) -> None:
        wall = [t for t in range(136) if self.seats == 4 or t // 4 not in ABSENT_IN_THREE]
        self.random.shuffle(wall)
        self.hands = [self.near_tenpai(wall) for _ in range(self.seats)]
        self.dead = [wall.pop() for _ in range(14)]
        self.wall = wall

    def rinshan(self) -> int:
        return self.dead.pop()

    def turned(self) -> int:
        return self.dead.pop()

    def near_tenpai(self, wall: list[int]) -> list[int]:
        """Deal 13 tiles from the wall: runs and triplets with a few tiles changed."""
        hand: list[int] = []
        while len(hand) < 12:
            start = self.random.choice(wall)
            kind = start // 4
            step = self.random.choice((0, 1)) if kind < 27 and kind % 9 < 7 else 0
            group: list[int] = []
            for place in range(3):
                group += [t for t in wall if t // 4 == kind + step * place and t not in group][:1]
            if len(group) == 3:
                hand += group
                for tile in group:
                    wall.remove(tile)
        for _ in range(self.random.choice((1, 2, 3))):
            wall.insert(self.random.randrange(len(wall)), hand.pop(self.random.randrange(len(hand))))
        while len(hand) < 13:
            hand.append(wall.pop())
        return hand

    def play(self) -> None:
        seat, needs_draw = self.dealer, True
        while True:
            if needs_draw:
                if len(self.wall) < 1:
                    return self.empty_wall()
                if self.turn(seat, self.wall.pop()):
                    return None
            tile = self.choose(seat)
            if self.discard(seat, tile):
                return None
            caller = self.called(seat, tile)
            seat, needs_draw = (caller, False) if caller is not None else ((seat + 1) % self.seats, True)

    def turn(self, seat: int, tile: int) -> bool:
        """Draw a tile; win, take out a north or make a closed or added kan where possible. True when the
        round is over."""
        self.out.append(f"<{DRAWS[seat]}{tile}/>")
        self.hands[seat].append(tile)
        if shanten_of(counts(self.hands[seat])) == -1:
            self.win([seat], seat, tile)
            return True
        meld = None if seat in self.riichi else self.own_call(seat)
        if meld is None or len(self.dead) < 3:
            return False
        if meld.type == ADDED_KAN:
            robbers = self.winners(seat, meld.added or 0)
            self.melds[seat] = [m for m in self.melds[seat] if m.tiles[0] // 4 != meld.tiles[0] // 4]
            self.call(seat, meld)
            if robbers:
                self.win(robbers, seat, meld.added or 0)
                return True
        else:
            self.call(seat, meld)
        if meld.type in KANS:
            self.out.append(f'<DORA hai="{self.turned()}" />')
        return self.turn(seat, self.rinshan())

    def own_call(self, seat: int) -> Meld | None:
        hand = self.hands[seat]
        if self.seats == 3:
            for tile in hand:
                if tile // 4 == 30:
                    return Meld(KITA, (tile,), tile)
        for kind, count in enumerate(counts(hand)):
            if count == 4 and self.random.random() < 0.5:
                return Meld(CLOSED_KAN, tuple(range(kind * 4, kind * 4 + 4)), kind * 4)
        for meld in self.melds[seat]:
            added = [t for t in hand if meld.type == PON and t // 4 == meld.called // 4]
            if added:
                four = tuple(sorted((*meld.tiles, added[0])))
                return Meld(ADDED_KAN, four, meld.called, meld.giver, added[0])
        return None

    def call(self, seat: int, meld: Meld) -> None:
        self.out.append(f'<N who="{seat}" m="{encode(meld)}" />')
        self.melds[seat].append(meld)
        self.hands[seat] = [t for t in self.hands[seat] if t not in meld.from_hand]

    def choose(self, seat: int) -> int:
        """The tile to discard: the drawn one in riichi, else one that leaves tenpai (riichi where allowed),
        else any."""
        hand = self.hands[seat]
        if seat in self.riichi:
            return hand[-1]
        for tile in hand:
            if waits(counts([t for t in hand if t != tile])):
                if not any(m.type in OPEN for m in self.melds[seat]) and len(self.wall) > 4:
                    self.riichi[seat] = False
                    self.out.append(f'<REACH who="{seat}" step="1"/>')
                return tile
        return self.random.choice(hand)

    def discard(self, seat: int, tile: int) -> bool:
        """Discard the tile; True when somebody wins on it. A riichi is paid for after its discard has
        passed."""
        self.out.append(f"<{DISCARDS[seat]}{tile}/>")
        self.hands[seat].remove(tile)
        winners = self.winners(seat, tile)
        if winners:
            self.win(winners, seat, tile)
            return True
        if self.riichi.get(seat) is False:
            self.riichi[seat] = True
            self.points[seat] -= 1000
            self.sticks += 1
            self.out.append(f'<REACH who="{seat}" step="2"/>')
        return False

    def winners(self, giver: int, tile: int) -> list[int]:
        order = [(giver + step) % self.seats for step in range(1, self.seats)]
        return [s for s in order if shanten_of(counts([*self.hands[s], tile])) == -1][:2]

    def called(self, giver: int, tile: int) -> int | None:
        """Let somebody call the discard (open kan, pon, or chi by the next seat); return the caller's seat,
        if any."""
        for seat in ((giver + step) % self.seats for step in range(1, self.seats)):
            same = [t for t in self.hands[seat] if t // 4 == tile // 4]
            if seat in self.riichi or not self.wall or self.random.random() < 0.5:
                continue
            towards = (giver - seat) % 4 if self.seats == 4 else (giver - seat) % 3
            if len(same) == 3 and len(self.dead) > 3:
                self.call(seat, Meld(OPEN_KAN, tuple(sorted((*same, tile))), tile, towards))
                self.out.append(f"<{DRAWS[seat]}{(drawn := self.rinshan())}/>")
                self.hands[seat].append(drawn)
                self.out.append(f'<DORA hai="{self.turned()}" />')
                return seat
            if len(same) >= 2:
                self.call(seat, Meld(PON, tuple(sorted((*same[:2], tile))), tile, towards))
                return seat
        seat = (giver + 1) % self.seats
        kind = tile // 4
        if self.seats == 4 and kind < 27 and kind % 9 < 7 and seat not in self.riichi and self.wall:
            two = [next((t for t in self.hands[seat] if t // 4 == kind + step), None) for step in (1, 2)]
            if two[0] is not None and two[1] is not None and self.random.random() < 0.3:
                self.call(seat, Meld(CHI, (tile, two[0], two[1]), tile, 3))
                return seat
        return None

    def win(self, winners: list[int], giver: int, tile: int) -> None:
        self.endings.append("tsumo" if winners == [giver] else "ron")
        for seat in winners:
            change = [0] * self.seats
            value = self.random.choice((1000, 2600, 5200, 8000, 12000))
            payers = [s for s in range(self.seats) if s != seat] if seat == giver else [giver]
            for payer in payers:
                change[payer] -= value // len(payers) // 100 * 100 + 300 * self.honba
            change[seat] = -sum(change) + 1000 * self.sticks
            sc = ",".join(
                f"{p // 100},{c // 100}" for p, c in zip([*self.points, 0], [*change, 0], strict=True)
            )
            sc = ",".join(sc.split(",")[:8])
            hand = sorted({*self.hands[seat], tile})
            codes = ",".join(str(encode(m)) for m in reversed(self.melds[seat]))
            self.out.append(
                f'<AGARI ba="{self.honba},{self.sticks}" hai="{",".join(map(str, hand))}"'
                + (f' m="{codes}"' if codes else "")
                + f' machi="{tile}" ten="30,{value},0" yaku="1,1,52,1" doraHai="{self.dead[0]}"'
                + (f' doraHaiUra="{self.ura[0]}"' if self.ura and seat in self.riichi else "")
                + f' who="{seat}"'
                f' fromWho="{giver}" sc="{sc}" />'
            )
            self.points = [p + c for p, c in zip(self.points, change, strict=True)]
            self.sticks = self.honba = 0

    def empty_wall(self) -> None:
        self.endings.append("draw")
        shown = [s for s in range(self.seats) if waits(counts(self.hands[s]))]
        hai = " ".join(f'hai{s}="{",".join(map(str, sorted(self.hands[s])))}"' for s in shown)
        sc = ",".join(f"{p // 100},0" for p in [*self.points, 0][:4])
        self.out.append(f'<RYUUKYOKU ba="{self.honba},{self.sticks}" sc="{sc}" {hai} />')
        self.honba += 1
