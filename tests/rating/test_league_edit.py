import difflib
import tomllib
from datetime import date
from itertools import product
from unicodedata import normalize

import pytest
import tomlkit
from hypothesis import given, settings, strategies as st

from rating import league_edit
from rating.league_edit import (
    Edit,
    Forgotten,
    NewAlias,
    NewSeason,
    Setting,
    ShownName,
    TableRules,
    TeamMembers,
    apply,
)
from rating.league_file import LeagueError, parse_league
from rating.toml_text import comments, written
from tests.real import DATA

MODELS = ["tenhou", "jansou"]
FULL = (DATA / "league_remarks.toml").read_text("utf-8")
EDITS: list[Edit] = [
    NewSeason("第2シーズン", "logvol2.txt", date(2026, 2, 1)),
    ShownName("白發中", "はくさん"),
    ShownName("みどり一色", "緑さん"),
    ShownName("海底丸", "かいてい"),
    ShownName("海底丸", ""),
    NewAlias("みどり一色", "りゅう"),
    NewAlias("みどり一色", "りゅう", date(2026, 1, 1)),
    NewAlias("白發中", "中發白"),
    NewAlias("海底丸", "河底"),
    TeamMembers("東家", ("白發中",)),
    TeamMembers("南家", ("白發中", "海底丸")),
    Setting("model", "jansou"),
    Setting("members_only", True),
    TableRules("Mリーグ"),
]


def lost(text: str, new: str) -> list[str]:
    """Lines of the old text that are missing, or in another order, in the new one."""
    lines = difflib.ndiff(text.split("\n"), new.split("\n"))
    return [line for line in lines if line.startswith("- ")]


@pytest.mark.parametrize("edit", EDITS, ids=repr)
def test_edit_changes_only_its_values(edit: Edit) -> None:
    for mark, ends in product(("", "\ufeff"), ("\n", "\r\n")):
        text = mark + FULL.replace("\n", ends)
        new = apply(text, edit, MODELS)
        assert len(lost(text, new)) <= 1  # only the line of the value that was replaced
        assert new.startswith(mark)
        assert ends == "\n" or new.count("\n") == new.count("\r\n")
        assert ends == "\r\n" or "\r" not in new
    assert parse_league(apply("", edit, MODELS), MODELS)


DECOMPOSED = normalize(
    "NFD", '# がく\n[player."がくと"]\nname = "ガク"\n[team."ガチ"]\nmembers = ["がくと", "い"]\n'
)


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (ShownName("がくと", "新"), "ガク", "新"),
        (TeamMembers("ガチ", ("がくと", "う")), '["がくと", "い"]', '["がくと", "う"]'),
    ],
)
def test_a_table_in_another_unicode_form_is_edited(edit: Edit, old: str, new: str) -> None:
    text = apply(DECOMPOSED, edit)
    assert normalize("NFC", text) == normalize("NFC", DECOMPOSED).replace(old, new)
    assert text.splitlines()[:2] == DECOMPOSED.splitlines()[:2]


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (ShownName("がくと", "ガク"), "member_already"),
        (NewAlias("い", "がくと"), "own_name"),
        (TeamMembers("ガチ", ("がくと", "い")), "team_same"),
        (TeamMembers("別", ("がくと",)), "team_taken"),
    ],
)
def test_edit_that_changes_only_the_unicode_form_is_refused(edit: Edit, code: str) -> None:
    with pytest.raises(LeagueError) as caught:
        apply(DECOMPOSED, edit)
    assert caught.value.code == code


def test_edit_without_a_change_is_refused() -> None:
    jansou = Setting("model", "jansou")
    with pytest.raises(LeagueError, match="is jansou already"):
        apply(apply(FULL, jansou, MODELS), jansou, MODELS)


def test_a_season_goes_below_the_seasons_or_into_their_list() -> None:
    new = apply(FULL, EDITS[0], MODELS)
    assert new.index("logvol2.txt") < new.index("# 名前") < new.index("[player.")
    league = parse_league(new, MODELS)
    assert [season.log for season in league.seasons] == ["logvol1.txt", "logvol2.txt"]
    assert league_edit.next_season(league.seasons) == (3, "logvol3.txt")
    assert league_edit.next_season([]) == (1, "logvol1.txt")
    new = apply(
        "season = [{log = 'logvol1.txt'}] # s\n", NewSeason("x", "logvol2.txt", date(2026, 1, 1))
    )
    assert new.startswith("season = [{log = 'logvol1.txt'}, {")
    assert new.endswith("] # s\n")


def test_remarks_stay_at_lists_that_grow_or_are_replaced() -> None:
    new = apply(FULL, NewAlias("みどり一色", "りゅう", date(2026, 1, 1)), MODELS)
    assert '"緑一色の人",               # 2年前まで\n' in new
    aliases = parse_league(new, MODELS).players["みどり一色"].aliases
    assert [alias.name for alias in aliases] == ["緑一色の人", "りゅう"]
    assert aliases[1].since == date(2026, 1, 1)
    text = "[team.t] # t\nmembers = [\n  'a', # the captain\n]\n"
    new = apply(text, TeamMembers("t", ("b",)))
    assert new == '[team.t] # t\n# the captain\nmembers = ["b"]\n'


def test_a_forgotten_player_has_no_name_left_in_the_text() -> None:
    text = FULL + '# "みどり一色" joined late\n'
    new = apply(text, Forgotten("みどり一色", "退会者1"), MODELS)
    assert "みどり" not in new
    assert new.index('[player."退会者1"]') < new.index('[player."白發中"]')
    assert 'members = ["退会者1", "a#b"]' in new
    assert '# "退会者1" joined late' in new
    assert "# 2年前まで" in new


def test_a_text_with_other_data_than_wanted_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unreliable(tomlkit.TOMLDocument):
        def as_string(self) -> str:
            return super().as_string().replace("true", "false")

    monkeypatch.setattr(tomlkit, "parse", lambda text: Unreliable())
    with pytest.raises(LeagueError, match="by hand"):
        apply(FULL, Setting("members_only", True), MODELS)


REFUSED: list[tuple[Edit, str]] = [
    (NewSeason("x", "logvol1.txt", date(2026, 2, 1)), "another season's already"),
    (NewSeason("x", "logvol2.txt", date(2025, 10, 4)), "starts on 2025-10-04"),
    (NewSeason("x", "log2.txt", date(2026, 2, 1)), "not of the form"),
    (ShownName("みどり一色", "みどり"), "is a member already"),
    (ShownName("白發中", ""), "is a member already"),
    (ShownName("緑一色の人", "x"), "is an alias of みどり一色"),
    (NewAlias("白發中", "緑一色の人"), "is an alias of みどり一色"),
    (NewAlias("白發中", "みどり一色"), "a player's own name"),
    (NewAlias("新人", "新人"), "a player's own name"),
    (TeamMembers("南家", ("みどり一色",)), "is in the team 東家"),
    (Setting("model", "elo"), "is none of"),
]


@pytest.mark.parametrize(("edit", "reason"), REFUSED, ids=repr)
def test_impossible_edit_is_refused_with_the_reason(edit: Edit, reason: str) -> None:
    with pytest.raises(LeagueError, match=reason):
        apply(FULL, edit, MODELS)


@pytest.mark.parametrize("text", ["name = ", "modle = 'x'", "[[season]\n"])
def test_a_broken_file_is_not_touched(text: str) -> None:
    with pytest.raises(LeagueError, match=r"league\.toml"):
        apply(text, Setting("model", "jansou"), MODELS)


ODD = [
    # seasons with another table between them
    '[[season]]\nlog = "logvol1.txt"\n[player.a]\nname = "x" # 1\n[[season]]\nlog = "logvol3.txt" # 2\n',
    # inline, dotted and literal forms
    "season = [{log = 'logvol1.txt'}]\nplayer.a.name = 'x'\nplayer.'b'.aliases = ['c', {name = 'd', since = 2020-01-01}] # 1\n",
    "player = {a = {name = 'x', aliases = ['q']}, b = {}}\nteam = {t = {members = ['a']}} # t\n",
    # text that looks like a header, a list over several lines, keys at odd places
    'name = """\n[[season]]\n# no remark\n"""\n"model" = \'tenhou\' # m\n[player.a]\naliases = [\n  "b", # b\n  "d" # d\n  , # end\n]\n',
    "[team.t]\nmembers = [\n 'a', # [x]\n]\n[player.a]",
    "   [player.a]   # indented\n   name = 'x'\n\t[rules]\nchip = 1\n",
    "# nothing but remarks\n\n# here",
]
ODD_EDITS: list[Edit] = [
    ShownName("a", "あ"),
    ShownName("new", "新"),
    NewAlias("a", "e"),
    NewAlias("a", "e", date(2026, 1, 1)),
    TeamMembers("t", ("b#", '"')),
    TeamMembers("u", ("b",)),
    Setting("model", "jansou"),
    Setting("members_only", True),
]


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("edit", ODD_EDITS, ids=repr)
def test_files_written_in_unusual_ways(text: str, edit: Edit) -> None:
    new = apply(text, edit, MODELS)
    parse_league(new, MODELS)
    assert not comments(text) - comments(new)


NAME = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\r"), min_size=1, max_size=8
)
REMARK_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=10)
REMARK = REMARK_TEXT.map("# {}\n".format)
GAP = st.one_of(
    st.just(""),
    st.just("\n"),
    REMARK,
    REMARK.map(lambda r: "\n" + r),
)


@st.composite
def leagues(draw: st.DrawFn) -> str:
    """A valid league.toml with comments anywhere and its tables in any order."""

    def line(key: str, value: object) -> str:
        return f"{key} = {written(value)}" + draw(
            st.one_of(st.just("\n"), REMARK.map(lambda r: "  " + r))
        )

    values = {"name": draw(NAME), "model": "tenhou", "members_only": False}.items()
    head = ""
    for key, value in values:
        if draw(st.booleans()):
            head += draw(GAP) + line(key, value)
    names = draw(st.lists(NAME, max_size=6, unique=True))
    count = draw(st.integers(0, 3))
    parts = [f"[[season]]\n{line('log', f'logvol{number + 1}.txt')}" for number in range(count)]
    for index in range(0, len(names), 2):
        name = names[index]
        aliases = names[index + 1 : index + 2]
        body = ""
        if draw(st.booleans()):
            body += line("name", draw(NAME))
        if aliases or draw(st.booleans()):
            body += line("aliases", aliases)
        parts.append(f"[player.{written(name)}]\n{body}")
    for name in draw(st.lists(NAME, max_size=2, unique=True)):
        parts.append(f"[team.{written(name)}]\n{line('members', names[:1])}")
    parts = draw(st.permutations(parts))
    seasons = sorted(part for part in parts if part.startswith("[[season]]"))
    parts = [seasons.pop(0) if part.startswith("[[season]]") else part for part in parts]
    return head + "".join(draw(GAP) + part for part in parts) + draw(GAP)


@st.composite
def edits(draw: st.DrawFn, text: str) -> Edit:
    data = tomllib.loads(text)
    names = [*data.get("player", {}), *data.get("team", {})]
    name = st.sampled_from(names) | NAME if names else NAME
    rooms = st.lists(st.sampled_from(["L1234", "C5678"]), unique=True)
    strategies: list[st.SearchStrategy[Edit]] = [
        st.builds(
            NewSeason,
            NAME,
            st.integers(4, 99).map("logvol{}.txt".format),
            st.dates(),
        ),
        st.builds(ShownName, name, NAME),
        st.builds(NewAlias, name, NAME, st.none() | st.dates()),
        st.builds(TeamMembers, name, st.lists(NAME, max_size=4).map(tuple)),
        st.builds(Setting, st.just("model"), st.sampled_from(MODELS)),
        st.builds(Setting, st.just("members_only"), st.booleans()),
        st.builds(Setting, st.just("rooms"), rooms),
        st.builds(TableRules, st.sampled_from(["天鳳", "三麻"])),
    ]
    return draw(st.one_of(strategies))


def edited(text: str, edit: Edit) -> str | None:
    """The new text, None for an edit that is refused. A request to edit by hand fails the test."""
    try:
        return apply(text, edit, MODELS)
    except LeagueError as error:
        if "by hand" in str(error):
            raise
        return None


@settings(max_examples=150)
@given(st.data())
def test_any_edit_of_any_league_parses_and_keeps_the_comments(data: st.DataObject) -> None:
    text = data.draw(leagues())
    edit = data.draw(edits(text))
    before = tomllib.loads(text)
    new = edited(text, edit)
    if new is None:
        return
    parse_league(new, MODELS)
    assert not comments(text) - comments(new)
    after = tomllib.loads(new)
    assert after != before
    for kind in ("player", "team"):
        names = set(before.get(kind, {}))
        assert names <= set(after.get(kind, {}))
    assert len(lost(text, new)) <= 1
