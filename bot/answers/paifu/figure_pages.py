"""The pages of 牌譜成績, of all members or of one: each figure with its cases and interval."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import sqrt
from operator import iadd
from typing import NamedTuple

from bot import texts
from bot.answers.common.figures import POINTS, RECORD_WORDS, SHANTEN, SHARE, luck_words
from bot.answers.common.members import People, members, token
from bot.answers.paifu import texts as paifu_texts
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
        return STANDING_TITLE.format(seats=texts.SEATS[self.seats])

    @property
    def subtitle(self) -> str:
        rounds = sum(entry.statistics.rounds for entry in self.entries)
        return paifu_texts.PAIFUS_AND_ROUNDS.format(paifus=len(self.entries), rounds=rounds)

    def subtitle_of(self, player: str) -> str:
        tally = self.tallies[player]
        counts = paifu_texts.PAIFUS_AND_ROUNDS.format(paifus=tally.games, rounds=tally.rounds)
        return f"{texts.SEATS[self.seats]}　{counts}"


STANDING_TITLE = "牌譜成績　{seats}"


def standing(snapshot: LeagueSnapshot, seats: int) -> PaifuStanding:
    """The sums of the league's paifu with that many seats (3 or 4)."""
    entries = tuple(entry for entry in snapshot.paifus if entry.seats == seats)
    everyone = set(members(snapshot))
    games = defaultdict[str, list[PaifuTally]](list)
    for entry in entries:
        for (name, _), tally in entry.statistics.players.items():
            player = snapshot.league.player_of(name, entry.day)
            if player in everyone:
                games[player].append(tally)
    tallies = {player: _sum_of(played) for player, played in games.items()}
    return PaifuStanding(seats, entries, tallies, dict(games))


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
PAGE_TITLE = "{page}　{title}"
NOTIFICATION = "{title}：{text}"
FIGURE_OF_PLAYERS = "{figure} {players}"
BALANCE_POINTS = "{points:+,.0f}点"
INTERVAL = "95%区間 {low}〜{high}"
THOUSANDS = "{count}千"
PROVISIONAL = "暫定"
TOP_TABLE_VALUE = "最上位卓 {value}"
YAKU = "役"
TITLE_OF_PLAYER = "{player}　{page}"
ALL_SHARE = "全員{share:.0%}"
YAKU_SUBTITLE = "{subtitle}　アガリ{wins}回に占める割合"
WIND = "風"


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
        return paifu_texts.UNKNOWN
    unit = RECORD_WORDS[name].unit
    if unit == SHARE:
        return texts.percent(value)
    if unit == SHANTEN:
        return f"{value:.2f}"
    if unit != POINTS:
        return f"{value:.1f}{unit}"
    points = paifu_texts.WIN_POINTS.format(points=round(value))
    if name == "riichi_balance":
        points = BALANCE_POINTS.format(points=value).replace("-", "−")
    return points


def cases_words(figure: PlayFigure) -> str:
    """How often of how many: 53/220, or 53回 for a mean."""
    if figure.counted is None:
        return paifu_texts.TIMES.format(count=figure.cases)
    return f"{figure.counted}/{figure.cases}"


def interval_words(name: str, figure: PlayFigure) -> str:
    """The interval: 95%区間 18.9〜30.1%; "" where there is none."""
    if figure.value is None or figure.low is None or figure.high is None:
        return ""
    low = value_words(name, figure.low).removesuffix(RECORD_WORDS[name].unit)
    return INTERVAL.format(low=low, high=value_words(name, figure.high))


@dataclass(frozen=True)
class _PageOfAll:
    """A page of all members: the figures of each, in the order shown."""

    people: People
    chosen: PaifuStanding
    page: FigurePage
    figures: Mapping[str, Mapping[str, PlayFigure]]
    order: Sequence[str]

    @property
    def title(self) -> str:
        return PAGE_TITLE.format(page=self.page.title, title=self.chosen.title)

    def words(self, player: str, name: str) -> str:
        return value_words(name, self.figures[player][name].value)

    @property
    def notification(self) -> str:
        """The first figure of the first three."""
        first = self.page.panels[0]
        players = "、".join(
            f"{self.people.shown(player)} {self.words(player, first)}" for player in self.order[:3]
        )
        text = FIGURE_OF_PLAYERS.format(figure=RECORD_WORDS[first].title, players=players)
        return NOTIFICATION.format(title=self.title, text=text)


def page_of_all(people: People, chosen: PaifuStanding, page: FigurePage) -> tuple[Part, ...]:
    """The figures of all members: a table of those that the picture does not show, and the
    picture.
    """
    figures = {player: tally.all_figures() for player, tally in chosen.tallies.items()}
    first = page.panels[0]
    sign = -1
    if first == "deal_in":  # the fewest deal-ins come first
        sign = 1
    order = sorted(
        figures, key=lambda player: (sign * (figures[player][first].value or 0.0), player)
    )
    shown = _PageOfAll(people, chosen, page, figures, order)
    table = _table_of_all(shown, page.columns, page.details[:IN_LINE])
    return table, _picture_of_all(shown)


def _table_of_all(shown: _PageOfAll, columns: Sequence[str], details: Sequence[str]) -> Table:
    rows = tuple(_row_of_all(shown, player, columns, details) for player in shown.order)
    heads = tuple(RECORD_WORDS[name].title for name in columns)
    return Table(shown.title, rows, heads=heads, alt=shown.notification, even=True)


def _row_of_all(
    shown: _PageOfAll, player: str, columns: Sequence[str], details: Sequence[str]
) -> Row:
    value, *extra = (shown.words(player, name) for name in columns)
    detail = [f"{RECORD_WORDS[name].title} {shown.words(player, name)}" for name in details]
    data = data_of(
        Ask.PAIFU,
        player=token(player),
        seats=shown.chosen.seats,
        show=shown.page.name,
    )
    return shown.people.row(
        player,
        value,
        extra=tuple(extra),
        detail="　".join(detail),
        data=data,
    )


def _picture_of_all(shown: _PageOfAll) -> Picture:
    """The panels of the page; in their place a table of the same figures."""
    people = shown.people
    page = shown.page
    rows = tuple(
        FigureRow(
            people.shown(player),
            people.colour(player),
            people.is_asker(player),
            tuple(panel_value(name, shown.figures[player][name]) for name in page.panels),
        )
        for player in shown.order
    )
    together = total_of(shown.chosen).all_figures()
    tops: tuple[float | None, ...] = ()
    note = CASES_NOTE
    if shown.chosen.seats == 3:
        tops = tuple(TOP_TABLE[name] for name in page.panels)
        note = TOP_NOTE
    panels = FigurePanels(
        shown.title,
        shown.chosen.subtitle,
        heads=tuple(RECORD_WORDS[name].title for name in page.panels),
        middles=tuple(together[name].value for name in page.panels),
        rows=rows,
        note=note,
        tops=tops,
    )
    table = _table_of_all(shown, page.panels, page.columns[:IN_LINE])
    return Picture(panels, draw, shown.notification, (table,))


def panel_value(name: str, figure: PlayFigure) -> PanelValue | None:
    """A figure as its panel shows it; one without an interval has that of its value alone."""
    if figure.value is None:
        return None
    low = figure.low
    if low is None:
        low = figure.value
    high = figure.high
    if high is None:
        high = figure.value
    if figure.cases >= 1000:
        cases = THOUSANDS.format(count=figure.cases // 1000)
    elif figure.cases >= 100:
        cases = paifu_texts.TIMES.format(count=figure.cases)
    else:
        cases = cases_words(figure)
    few = figure.cases < FEW_CASES
    return PanelValue(figure.value, low, high, value_words(name, figure.value), cases, few)


def page_of_one(
    people: People, chosen: PaifuStanding, page: FigurePage, player: str
) -> tuple[Part, ...]:
    """One member's figures, one a row, each with its cases and its interval."""
    figures = chosen.tallies[player].all_figures()
    rows = tuple(_row_of_one(chosen, name, figures[name]) for name in page.every)
    title = TITLE_OF_PLAYER.format(player=people.shown(player), page=page.title)
    return (Table(title, rows, subtitle=chosen.subtitle_of(player)),)


def _row_of_one(chosen: PaifuStanding, name: str, figure: PlayFigure) -> Row:
    details = [cases_words(figure), interval_words(name, figure)]
    if 0 < figure.cases < FEW_CASES:
        details.append(PROVISIONAL)
    if chosen.seats == 3:
        details.append(TOP_TABLE_VALUE.format(value=value_words(name, TOP_TABLE[name])))
    return Row(
        RECORD_WORDS[name].title,
        value_words(name, figure.value),
        detail="　".join(filter(None, details)),
    )


def yaku_page(people: People, chosen: PaifuStanding, player: str = "") -> tuple[Part, ...]:
    """The most frequent yaku of all members, or of one compared with all."""
    yaku_of_all = yaku_shares(total_of(chosen).play)
    title = PAGE_TITLE.format(page=YAKU, title=chosen.title)
    subtitle = chosen.subtitle
    shares = yaku_of_all
    if player:
        title = TITLE_OF_PLAYER.format(player=people.shown(player), page=YAKU)
        subtitle = chosen.subtitle_of(player)
        shares = yaku_shares(chosen.tallies[player].play)
    rows = []
    for name, share in list(shares.items())[:MOST_YAKU]:
        extra = [paifu_texts.TIMES.format(count=share.counted)]
        if player:
            extra.append(ALL_SHARE.format(share=yaku_of_all[name].value or 0.0))
        rows.append(Row(_short_yaku(name), f"{share.value or 0.0:.1%}", extra=tuple(extra)))
    wins = 0
    if shares:
        wins = next(iter(shares.values())).cases
    subtitle = YAKU_SUBTITLE.format(subtitle=subtitle, wins=wins)
    return (Table(title, tuple(rows), subtitle=subtitle),)


def _short_yaku(name: str) -> str:
    """役牌 白 as 白; the winds keep which wind they are: 場風 東."""
    if WIND in name:
        return name
    return name.split(" ")[-1]


TITLE = "運・牌効率"
HEADS = ("ツモ運", "配牌運", "裏運", "牌効率")
PICTURE_NOTE = "牌効率は1打あたりのロス　右ほど幸運・速い打牌　帯：偶然の95%"
NOTE = (
    "ツモ運・裏運は見込みとの差の枚数です。合計の幅は打つほど広がります。運は実力ではありません。"
)
UNSEEN = "牌効率の差はまだ見えません。"
FASTER = "全員の平均より速い：{players}。"
SLOWER = "平均より遅い：{players}。"
LOSS_OF = "{player} ロス{loss}"
LUCK_HEADS = ("ツモ", "裏", "最善打率")
TILES = "{count}枚"
DRAW_LUCK = "ツモ運"
DEAL_LUCK = "配牌運"
URA_LUCK = "裏運"
BEST_SHARE = "最善打率"
LOSS = "1打あたりのロス"
SHANTEN_NEARER = "{count}シャンテン"
TILES_WIDTH = "±{width:.1f}枚"
SHANTEN_WIDTH = "±{width:.2f}シャンテン"
DISCARDS = "{count:,}打"
LOSS_OF_ALL = "全員 {loss}"
LOSS_INTERVAL = "95%区間 {low:.1f}〜{high:.1f}%　全員 {loss}"
NOTIFICATION_OF_LUCK = "{title}：ツモ運 {luck}、1打あたりのロス {loss}"
RARE_LUCK = "ツモ運は、偶然だけなら20回に1回もない大きさです。"
USUAL_LUCK = "ツモ運は偶然でよくある大きさです。"
SURELY_FASTER = "牌効率は平均より速く、差は偶然とは言いにくい大きさです。"
SURELY_SLOWER = "牌効率は平均より遅く、差は偶然とは言いにくい大きさです。"
NO_LUCK = "まだありません"
LUCK_DETAIL = "{luck}　偶然だけで95%が収まる幅 {width}"
LOSS_DETAIL = "1打あたりのロス {loss}"


def loss_of(chosen: PaifuStanding, player: str) -> Difference:
    """How much more a member gives up a discard than all members together."""
    usual = total_of(chosen).efficiency.mean_loss or 0.0
    return loss_difference([tally.efficiency for tally in chosen.games[player]], usual)


def loss_words(chosen: PaifuStanding, player: str) -> str:
    """What a member gives up a discard: 1.3%; － without decisions.

    There is no grade: against Tenhou's top table all members of a league may have the same one."""
    loss = chosen.tallies[player].efficiency.mean_loss
    if loss is None:
        return paifu_texts.UNKNOWN
    return texts.percent(loss)


def sides_of(chosen: PaifuStanding) -> dict[str, int]:
    """-1 for members whose discards are surely faster than all members', 1 for slower ones, else
    0.
    """
    every = [[tally.efficiency for tally in games] for games in chosen.games.values()]
    return dict(zip(chosen.games, surely_apart(every), strict=True))


def luck_of_all(people: People, chosen: PaifuStanding) -> tuple[Part, ...]:
    """The luck and tile efficiency of all members: a table, and the picture about the middle."""
    losses = {
        player: tally.efficiency.mean_loss or 0.0
        for player, tally in chosen.tallies.items()
        if tally.efficiency.decisions
    }
    order = sorted(losses, key=lambda player: (losses[player], player))
    title = PAGE_TITLE.format(page=TITLE, title=chosen.title)
    first_players = [
        LOSS_OF.format(player=people.shown(player), loss=loss_words(chosen, player))
        for player in order[:3]
    ]
    table = Table(
        title,
        tuple(_luck_row(people, chosen, player) for player in order),
        heads=LUCK_HEADS,
        subtitle=chosen.subtitle,
        note=NOTE + _surely_different(people, chosen, order),
        alt=NOTIFICATION.format(title=title, text="、".join(first_players)),
        even=True,
    )
    return table, _luck_picture(people, chosen, order, table)


def _surely_different(people: People, chosen: PaifuStanding, order: Sequence[str]) -> str:
    """Whose tile efficiency is surely above or below all members', with all of them looked at."""
    sides = sides_of(chosen)
    sentences = []
    for side, template in ((-1, FASTER), (1, SLOWER)):
        names = [people.shown(player) for player in order if sides[player] * side > 0]
        if names:
            sentences.append(template.format(players="・".join(names)))
    return "".join(sentences) or UNSEEN


def _luck_row(people: People, chosen: PaifuStanding, player: str) -> Row:
    tally = chosen.tallies[player]
    return people.row(
        player,
        _tiles(tally.luck.draws),
        extra=(_tiles(tally.luck.ura), texts.percent(tally.efficiency.share or 0.0)),
        data=data_of(
            Ask.PAIFU,
            player=token(player),
            seats=chosen.seats,
            show="luck",
        ),
    )


def _luck_picture(
    people: People, chosen: PaifuStanding, order: Sequence[str], table: Table
) -> Picture:
    usual = total_of(chosen).efficiency.mean_loss or 0.0
    rows = []
    for player in order:
        luck = chosen.tallies[player].luck
        dots = (
            _z(luck.z),
            _z(luck.deal),
            _z(luck.ura_z),
            _loss_dot(
                chosen,
                player,
                usual,
            ),
        )
        name = people.shown(player)
        row = FigureRow(name, people.colour(player), people.is_asker(player), dots)
        rows.append(row)
    panels = FigurePanels(
        table.title,
        chosen.subtitle,
        HEADS,
        middles=(0.0, 0.0, 0.0, -usual),
        rows=tuple(rows),
        note=PICTURE_NOTE,
        bands=(Z95, Z95, Z95, 0.0),
    )
    return Picture(panels, draw, table.notification, (table,))


def _loss_dot(chosen: PaifuStanding, player: str, usual: float) -> PanelValue:
    """The loss a discard: the less is given up, the more to the right the dot is."""
    loss = loss_of(chosen, player)
    value = -(usual + loss.value)
    half = loss.half or 0.0
    return PanelValue(
        value,
        low=value - half,
        high=value + half,
        words=loss_words(chosen, player),
        cases="",
        few=loss.half is None,
    )


def _z(z: float | None) -> PanelValue | None:
    if z is None:
        return None
    return PanelValue(z, z, z, luck_words(z), "")


def _tiles(value: float) -> str:
    return TILES.format(count=texts.number(value, 1, True))


def luck_of_one(people: People, chosen: PaifuStanding, player: str) -> tuple[Part, ...]:
    """One member's luck and tile efficiency, and whether it differs, as on the page of all."""
    title = TITLE_OF_PLAYER.format(player=people.shown(player), page=TITLE)
    luck = luck_words(chosen.tallies[player].luck.z or 0.0)
    loss = loss_words(chosen, player)
    table = Table(
        title,
        (*_luck_rows(chosen, player), *_efficiency_rows(chosen, player)),
        subtitle=chosen.subtitle_of(player),
        note=_luck_note(chosen, player),
        alt=NOTIFICATION_OF_LUCK.format(title=title, luck=luck, loss=loss),
    )
    return (table,)


def _luck_rows(chosen: PaifuStanding, player: str) -> Iterator[Row]:
    luck = chosen.tallies[player].luck
    width = TILES_WIDTH.format(width=Z95 * sqrt(luck.variance))
    yield Row(DRAW_LUCK, _tiles(luck.draws), detail=_chance(luck.z, width))
    if luck.rounds:  # shanten nearer to tenpai than a random hand, a round
        _, spread = DEAL_SHANTEN[chosen.seats]
        nearer = texts.number(spread * luck.dealt / luck.rounds, 2, True)
        width = SHANTEN_WIDTH.format(width=Z95 * spread / sqrt(luck.rounds))
        value = SHANTEN_NEARER.format(count=nearer)
        yield Row(DEAL_LUCK, value, detail=_chance(luck.deal, width))
    else:
        yield Row(DEAL_LUCK, paifu_texts.UNKNOWN)
    width = TILES_WIDTH.format(width=Z95 * sqrt(luck.ura_variance))
    yield Row(URA_LUCK, _tiles(luck.ura), detail=_chance(luck.ura_z, width))


def _efficiency_rows(chosen: PaifuStanding, player: str) -> Iterator[Row]:
    """The share of a member's discards that are the best ones, and the mean loss of a discard with
    its interval and the mean loss of all members."""
    efficiency = chosen.tallies[player].efficiency
    if not efficiency.decisions:
        return
    best_share = texts.percent(efficiency.share or 0.0)
    yield Row(BEST_SHARE, best_share, detail=DISCARDS.format(count=efficiency.decisions))
    loss = efficiency.mean_loss or 0.0
    mean_of_all = texts.percent(total_of(chosen).efficiency.mean_loss or 0.0)
    margin = loss_of(chosen, player).half  # half the width of the interval
    if margin:
        low = 100 * max(0.0, loss - margin)
        high = 100 * (loss + margin)
        detail = LOSS_INTERVAL.format(low=low, high=high, loss=mean_of_all)
    else:
        detail = LOSS_OF_ALL.format(loss=mean_of_all)
    yield Row(LOSS, texts.percent(loss), detail=detail)


def _luck_note(chosen: PaifuStanding, player: str) -> str:
    """Whether luck and tile efficiency are more than chance."""
    tally = chosen.tallies[player]
    sentences = []
    z = tally.luck.z
    if z is not None and abs(z) > RARE_Z:
        sentences.append(RARE_LUCK)
    elif z is not None and abs(z) <= Z95:
        sentences.append(USUAL_LUCK)
    if tally.efficiency.decisions:
        side = sides_of(chosen)[player]
        sentences.append({-1: SURELY_FASTER, 1: SURELY_SLOWER}.get(side, UNSEEN))
    return "".join(sentences)


def _chance(z: float | None, width: str) -> str:
    if z is None:
        return NO_LUCK
    return LUCK_DETAIL.format(luck=luck_words(z), width=width)


def conduct_facts(chosen: PaifuStanding, player: str) -> tuple[Fact, ...]:
    """A member's luck of draws and tile efficiency for the card; () where no paifu has them."""
    tally = chosen.tallies.get(player)
    if tally is None or tally.luck.z is None or not tally.efficiency.decisions:
        return ()
    return (
        Fact(DRAW_LUCK, luck_words(tally.luck.z), _tiles(tally.luck.draws)),
        Fact(
            BEST_SHARE,
            texts.percent(tally.efficiency.share or 0.0),
            LOSS_DETAIL.format(loss=loss_words(chosen, player)),
        ),
    )
