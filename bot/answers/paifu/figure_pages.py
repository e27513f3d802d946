"""The pages of 牌譜成績, of all members or of one: each figure with its cases and interval."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from math import sqrt
from operator import iadd
from typing import NamedTuple

from bot import texts
from bot.answers.common.figures import POINTS, RECORD_WORDS, SHANTEN, SHARE, luck_words
from bot.answers.common.members import People, members, token
from bot.answers.paifu.figure_picture import FigurePanels, FigureRow, PanelValue, draw
from bot.chat.command import Ask, data_of
from bot.chat.replies import Part, Picture, Row, Table
from bot.draw.parts import Fact
from bot.league.snapshot import LeagueSnapshot
from rating.paifu.loss_differences import Difference, loss_difference, surely_apart
from rating.paifu.luck import DEAL_SHANTEN, RARE_Z
from rating.paifu.play_figures import PlayFigure, yaku_shares
from rating.paifu.recordlog import PaifuEntry
from rating.paifu.reference import TOP_TABLE
from rating.paifu.tally import PaifuTally
from rating.proportions import Z95


@dataclass(frozen=True)
class PaifuStanding:
    """The paifu of one number of seats, and each member's tally and those of each game, by Tenhou
    name.
    """

    seats: int
    entries: tuple[PaifuEntry, ...]
    tallies: dict[str, PaifuTally]
    games: dict[str, list[PaifuTally]]

    @property
    def title(self) -> str:
        return f"牌譜成績　{texts.SEATS[self.seats]}"

    @property
    def subtitle(self) -> str:
        return (
            f"牌譜{len(self.entries)}戦・{sum(entry.statistics.rounds for entry in self.entries)}局"
        )

    def subtitle_of(self, player: str) -> str:
        tally = self.tallies[player]
        return f"{texts.SEATS[self.seats]}　牌譜{tally.games}戦・{tally.rounds}局"


def standing(snapshot: LeagueSnapshot, seats: int) -> PaifuStanding:
    """The sums of the league's paifu with that many seats (3 or 4)."""
    kept = tuple(entry for entry in snapshot.paifus if entry.seats == seats)
    everyone = set(members(snapshot))
    games = defaultdict[str, list[PaifuTally]](list)
    for entry in kept:
        for (name, _), tally in entry.statistics.players.items():
            player = snapshot.league.player_of(name, entry.day)
            if player in everyone:
                games[player].append(tally)
    tallies = {player: _sum_of(played) for player, played in games.items()}
    return PaifuStanding(seats, kept, tallies, dict(games))


def total_of(chosen: PaifuStanding) -> PaifuTally:
    """The members' tallies together."""
    return _sum_of(chosen.tallies.values())


def _sum_of(tallies: Iterable[PaifuTally]) -> PaifuTally:
    return reduce(iadd, tallies, PaifuTally())


FEW_CASES = 30
MOST_YAKU = 15
CASES_NOTE = f"横線：95%区間　縦線：全員の値　薄い字：{FEW_CASES}回に満たない"
TOP_NOTE = f"横線：95%区間　縦線：全員（青：天鳳最上位卓）　薄字：{FEW_CASES}回未満"
IN_LINE = 2  # details below a member in the table of all


class FigurePage(NamedTuple):
    """Keys of RECORD_WORDS:

    `panels` are drawn with their intervals, the others stand in the table.
    """

    name: str
    title: str
    words: tuple[str, ...]
    panels: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    details: tuple[str, ...] = ()

    @property
    def every(self) -> tuple[str, ...]:
        return (*self.panels, *self.columns, *self.details)


PAGES = {
    page.name: page
    for page in (
        FigurePage(
            "wins",
            "アガリ",
            ("和了", "あがり"),
            panels=("win", "tsumo", "dama"),
            columns=("mean_win", "win_turn", "yakuman"),
        ),
        FigurePage(
            "deal_ins",
            "放銃",
            ("放銃", "振り込み"),
            panels=("deal_in", "mean_deal_in", "bust"),
            columns=("mean_deal_in_to_riichi", "mean_deal_in_to_open", "mean_deal_in_to_dama"),
            details=(
                "deal_in_in_riichi",
                "deal_in_with_calls",
                "dealer_tsumo_loss",
                "mean_dealer_tsumo_loss",
            ),
        ),
        FigurePage(
            "riichi",
            "リーチ",
            ("リーチ", "立直"),
            panels=("riichi_win", "riichi_deal_in", "good_wait"),
            columns=("first_riichi", "ippatsu", "ura"),
            details=(
                "riichi",
                "riichi_balance",
                "chasing_riichi",
                "chased_riichi",
                "riichi_turn",
                "many_kinds",
                "riichi_tiles",
                "riichi_draw",
                "furiten_riichi",
            ),
        ),
        FigurePage(
            "calls",
            "副露・流局",
            ("副露", "鳴き", "流局"),
            panels=("call_win", "call_deal_in", "tenpai_at_draw"),
            columns=("call", "draw", "deal_shanten"),
            details=("call_draw",),
        ),
        FigurePage("yaku", "役", ("役",)),
        FigurePage("luck", "運・牌効率", ("運", "牌効率", "ツモ運")),
    )
}


def value_words(name: str, value: float | None) -> str:
    """A value with its unit: 24.1%, 5,200点, 11.9巡; － for none."""
    if value is None:
        return "－"
    unit = RECORD_WORDS[name].unit
    if unit == SHARE:
        return texts.percent(value)
    if unit == POINTS:
        return (
            f"{value:+,.0f}点".replace("-", "−") if name == "riichi_balance" else f"{value:,.0f}点"
        )
    return f"{value:.2f}" if unit == SHANTEN else f"{value:.1f}{unit}"


def cases_words(figure: PlayFigure) -> str:
    """How often of how many: 53/220, or 53回 for a mean."""
    return f"{figure.cases}回" if figure.counted is None else f"{figure.counted}/{figure.cases}"


def interval_words(name: str, figure: PlayFigure) -> str:
    """The interval: 95%区間 18.9〜30.1%; "" where there is none."""
    if figure.value is None or figure.low is None or figure.high is None:
        return ""
    low = value_words(name, figure.low).removesuffix(RECORD_WORDS[name].unit)
    return f"95%区間 {low}〜{value_words(name, figure.high)}"


def page_of_all(
    people: People,
    chosen: PaifuStanding,
    page: FigurePage,
) -> tuple[Part, ...]:
    """The figures of all members: a table of those that the picture does not show, and the
    picture.
    """
    title = f"{page.title}　{chosen.title}"
    first = page.panels[0]
    every = {player: tally.all_figures() for player, tally in chosen.tallies.items()}
    sign = 1 if first == "deal_in" else -1  # the fewest deal-ins stand first
    order = sorted(
        every,
        key=lambda player: (sign * (every[player][first].value or 0.0), player),
    )
    together = total_of(chosen).all_figures()
    rows = tuple(
        FigureRow(
            people.shown(player),
            people.colour(player),
            people.is_asker(player),
            tuple(panel_value(name, every[player][name]) for name in page.panels),
        )
        for player in order
    )
    heads = tuple(RECORD_WORDS[name].title for name in page.panels)
    middles = tuple(together[name].value for name in page.panels)
    alt = f"{title}：{heads[0]} " + "、".join(
        f"{people.shown(player)} {value_words(first, every[player][first].value)}"
        for player in order[:3]
    )
    tops = tuple(TOP_TABLE[name] for name in page.panels) if chosen.seats == 3 else ()

    def table(columns: tuple[str, ...], details: tuple[str, ...]) -> Table:
        rows = []
        for player in order:
            value, *extra = (value_words(name, every[player][name].value) for name in columns)
            said = (
                f"{RECORD_WORDS[name].title} {value_words(name, every[player][name].value)}"
                for name in details
            )
            tap = data_of(
                Ask.PAIFU,
                player=token(player),
                seats=chosen.seats,
                show=page.name,
            )
            rows.append(
                people.row(
                    player,
                    value,
                    0,
                    tuple(extra),
                    "　".join(said),
                    tap,
                )
            )
        heads = tuple(RECORD_WORDS[name].title for name in columns)
        return Table(title, tuple(rows), heads=heads, alt=alt, even=True)

    note = TOP_NOTE if tops else CASES_NOTE
    panels = FigurePanels(title, chosen.subtitle, heads, middles, rows, note, tops=tops)
    in_words = table(page.panels, page.columns[:IN_LINE])
    return table(
        page.columns,
        page.details[:IN_LINE],
    ), Picture(panels, draw, alt, (in_words,))


def panel_value(name: str, figure: PlayFigure) -> PanelValue | None:
    if figure.value is None:
        return None
    low, high = (figure.value if end is None else end for end in (figure.low, figure.high))
    if figure.cases >= 1000:
        cases = f"{figure.cases // 1000}千"
    elif figure.cases >= 100:
        cases = f"{figure.cases}回"
    else:
        cases = cases_words(figure)
    few = figure.cases < FEW_CASES
    return PanelValue(figure.value, low, high, value_words(name, figure.value), cases, few)


def page_of_one(
    people: People, chosen: PaifuStanding, page: FigurePage, player: str
) -> tuple[Part, ...]:
    """One member's figures, one a row, each with its cases and its interval."""
    rows = []
    figures = chosen.tallies[player].all_figures()
    for name in page.every:
        figure = figures[name]
        few = "暫定" if 0 < figure.cases < FEW_CASES else ""
        top = f"最上位卓 {value_words(name, TOP_TABLE[name])}" if chosen.seats == 3 else ""
        detail = "　".join(
            filter(None, (cases_words(figure), interval_words(name, figure), few, top))
        )
        rows.append(
            Row(
                RECORD_WORDS[name].title,
                value_words(name, figure.value),
                detail=detail,
            )
        )
    return (
        Table(
            f"{people.shown(player)}　{page.title}",
            tuple(rows),
            subtitle=chosen.subtitle_of(player),
        ),
    )


def yaku_page(people: People, chosen: PaifuStanding, player: str = "") -> tuple[Part, ...]:
    """The most frequent yaku of all members, or of one beside all."""
    every = yaku_shares(total_of(chosen).play)
    shown = yaku_shares(chosen.tallies[player].play) if player else every
    rows = []
    for name, figure in list(shown.items())[:MOST_YAKU]:
        usual = every[name].value or 0.0
        extra = [f"{figure.counted}回"]
        if player:
            extra.append(f"全員{usual:.0%}")
        shown_name = name if "風" in name else name.split(" ")[-1]
        rows.append(Row(shown_name, f"{figure.value or 0.0:.1%}", extra=tuple(extra)))
    title = f"{people.shown(player)}　役" if player else f"役　{chosen.title}"
    wins = next(iter(shown.values())).cases if shown else 0
    subtitle = (
        f"{chosen.subtitle_of(player) if player else chosen.subtitle}　アガリ{wins}回に占める割合"
    )
    return (Table(title, tuple(rows), subtitle=subtitle),)


TITLE = "運・牌効率"
HEADS = ("ツモ運", "配牌運", "裏運", "牌効率")
PICTURE_NOTE = "牌効率は1打あたりのロス　右ほど幸運・速い打牌　帯：偶然の95%"
NOTE = (
    "ツモ運・裏運は見込みとの差の枚数です。合計の幅は打つほど広がります。運は実力ではありません。"
)
UNSEEN = "牌効率の差はまだ見えません。"


def loss_of(chosen: PaifuStanding, player: str) -> Difference:
    """How much more a member gives up a discard than all members together."""
    usual = total_of(chosen).efficiency.mean_loss or 0.0
    return loss_difference([tally.efficiency for tally in chosen.games[player]], usual)


def loss_words(chosen: PaifuStanding, player: str) -> str:
    """What a member gives up a discard: 1.3%; － without decisions.

    There is no grade: against Tenhou's top table all members of a league may have the same one."""
    loss = chosen.tallies[player].efficiency.mean_loss
    return "－" if loss is None else texts.percent(loss)


def sides_of(chosen: PaifuStanding) -> dict[str, int]:
    """-1 for members whose discards are surely faster than all members', 1 for slower ones, else
    0.
    """
    every = [[tally.efficiency for tally in games] for games in chosen.games.values()]
    return dict(zip(chosen.games, surely_apart(every), strict=True))


def luck_of_all(people: People, chosen: PaifuStanding) -> tuple[Part, ...]:
    """The luck and tile efficiency of all members: a table, and the picture about the middle."""
    title = f"{TITLE}　{chosen.title}"
    known = {
        player: tally for player, tally in chosen.tallies.items() if tally.efficiency.decisions
    }
    order = sorted(
        known,
        key=lambda player: (known[player].efficiency.mean_loss or 0.0, player),
    )
    usual = total_of(chosen).efficiency.mean_loss or 0.0
    drawn = []
    rows = []
    for player in order:
        luck = known[player].luck
        efficiency = known[player].efficiency
        loss = loss_of(chosen, player)
        # The dot stands the more to the right, the less is given up.
        value = -(usual + loss.value)
        half = loss.half or 0.0
        dot = PanelValue(
            value,
            low=value - half,
            high=value + half,
            words=loss_words(chosen, player),
            cases="",
            few=loss.half is None,
        )
        values = (
            _z(luck.z),
            _z(luck.deal),
            _z(luck.ura_z),
            dot,
        )
        drawn.append(
            FigureRow(people.shown(player), people.colour(player), people.is_asker(player), values)
        )
        tap = data_of(Ask.PAIFU, player=token(player), seats=chosen.seats, show="luck")
        extra = (_tiles(luck.ura), texts.percent(efficiency.share or 0.0))
        rows.append(
            people.row(
                player,
                _tiles(luck.draws),
                0,
                extra,
                data=tap,
            )
        )
    alt = f"{title}：" + "、".join(
        f"{people.shown(one)} ロス{loss_words(chosen, one)}" for one in order[:3]
    )
    # Whose tile efficiency is surely above or below all members', with all of them looked at.
    found = sides_of(chosen)
    told = ""
    for side, words in ((-1, "全員の平均より速い：{}。"), (1, "平均より遅い：{}。")):
        names = [people.shown(one) for one in order if found[one] * side > 0]
        if names:
            told += words.format("・".join(names))
    note = NOTE + (told or UNSEEN)
    heads = ("ツモ", "裏", "最善打率")
    table = Table(
        title,
        tuple(rows),
        heads=heads,
        subtitle=chosen.subtitle,
        note=note,
        alt=alt,
        even=True,
    )
    middles = (0.0, 0.0, 0.0, -usual)
    bands = (Z95, Z95, Z95, 0.0)
    panels = FigurePanels(title, chosen.subtitle, HEADS, middles, tuple(drawn), PICTURE_NOTE, bands)
    return table, Picture(panels, draw, alt, (table,))


def _z(z: float | None) -> PanelValue | None:
    return None if z is None else PanelValue(z, z, z, luck_words(z), "")


def _tiles(value: float) -> str:
    return f"{texts.number(value, 1, True)}枚"


def luck_of_one(people: People, chosen: PaifuStanding, player: str) -> tuple[Part, ...]:
    """One member's luck and tile efficiency; that it differs is said as on the page of all."""
    tally = chosen.tallies[player]
    half = loss_of(chosen, player).half
    luck = tally.luck
    efficiency = tally.efficiency
    dealt = Row("配牌運", "－")
    if luck.rounds:  # shanten nearer to tenpai than a random hand, a round
        spread = DEAL_SHANTEN[chosen.seats][1]
        nearer = texts.number(spread * luck.dealt / luck.rounds, 2, True)
        width = f"±{Z95 * spread / sqrt(luck.rounds):.2f}シャンテン"
        dealt = Row("配牌運", f"{nearer}シャンテン", detail=_chance(luck.deal, width))
    rows = [
        Row(
            "ツモ運",
            _tiles(luck.draws),
            detail=_chance(luck.z, f"±{Z95 * sqrt(luck.variance):.1f}枚"),
        ),
        dealt,
        Row(
            "裏運",
            _tiles(luck.ura),
            detail=_chance(luck.ura_z, f"±{Z95 * sqrt(luck.ura_variance):.1f}枚"),
        ),
    ]
    if efficiency.decisions:
        usual = total_of(chosen).efficiency.mean_loss or 0.0
        best = texts.percent(efficiency.share or 0.0)
        mean = efficiency.mean_loss or 0.0
        interval = (
            f"95%区間 {100 * max(0.0, mean - half):.1f}〜{100 * (mean + half):.1f}%　"
            if half
            else ""
        )
        rows.append(Row("最善打率", best, detail=f"{efficiency.decisions:,}打"))
        detail = f"{interval}全員 {texts.percent(usual)}"
        rows.append(Row("1打あたりのロス", texts.percent(mean), detail=detail))
    title = f"{people.shown(player)}　{TITLE}"
    loss = loss_words(chosen, player)
    alt = f"{title}：ツモ運 {luck_words(luck.z or 0.0)}、1打あたりのロス {loss}"
    note = ""
    if luck.z is not None and abs(luck.z) > RARE_Z:
        note += "ツモ運は、偶然だけなら20回に1回もない大きさです。"
    elif luck.z is not None and abs(luck.z) <= Z95:
        note += "ツモ運は偶然でよくある大きさです。"
    if efficiency.decisions:
        side = {-1: "速く", 1: "遅く"}.get(sides_of(chosen)[player])
        note += f"牌効率は平均より{side}、差は偶然とは言いにくい大きさです。" if side else UNSEEN
    return (
        Table(
            title,
            tuple(rows),
            subtitle=chosen.subtitle_of(player),
            note=note,
            alt=alt,
        ),
    )


def _chance(z: float | None, width: str) -> str:
    return "まだありません" if z is None else f"{luck_words(z)}　偶然だけで95%が収まる幅 {width}"


def conduct_facts(chosen: PaifuStanding, player: str) -> tuple[Fact, ...]:
    """A member's luck of draws and tile efficiency for the card; () where no paifu tells them."""
    tally = chosen.tallies.get(player)
    if tally is None or tally.luck.z is None or not tally.efficiency.decisions:
        return ()
    return (
        Fact("ツモ運", luck_words(tally.luck.z), _tiles(tally.luck.draws)),
        Fact(
            "最善打率",
            texts.percent(tally.efficiency.share or 0.0),
            f"1打あたりのロス {loss_words(chosen, player)}",
        ),
    )
