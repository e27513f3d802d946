"""Both languages' documents say the same, links lead somewhere, a clone does what README begins
with.
"""

import re
import shlex
import subprocess
import tomllib
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from rating.league_file import parse_league

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
BOTH = [
    (path.with_name(path.name.replace(".ja.md", ".md")), path)
    for path in PAGES
    if path.name.endswith(".ja.md")
]
FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.S | re.M)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def prose(path: Path) -> str:
    """Return a page without its fenced code."""
    return FENCED.sub("", path.read_text("utf-8"))


def headings(path: Path) -> list[str]:
    return re.findall(r"^(#+ .*)$", prose(path), re.M)


def anchors(path: Path) -> set[str]:
    """Return the names under which GitHub finds a page's sections."""
    titles = [
        re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", line.lstrip("# ")) for line in headings(path)
    ]
    plain_titles = [re.sub(r"[^\w\- ]", "", title.lower()) for title in titles]
    return {title.replace(" ", "-") for title in plain_titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Those to other sites are looked at for their form alone."""
    text = prose(page)
    for link in [*LINK.findall(text), *re.findall(r'src="([^"]+)"', text)]:
        parts = urlsplit(link)
        if parts.scheme:
            assert parts.scheme == "https", link
            assert re.fullmatch(r"[\w-]+(\.[\w-]+)+", parts.hostname or ""), link
            continue
        target = (page.parent / parts.path).resolve() if parts.path else page
        assert target.exists(), link
        assert not parts.fragment or parts.fragment in anchors(target), link


def code(path: Path) -> list[str]:
    """Return a page's lines of code, without what is said of them in words."""
    indented = re.findall(r"^(?: {4}|\t)(?!\s*[-*])(.*)$", prose(path), re.M)
    lines = [re.split(r" {2,}", line.strip())[0] for line in indented]
    for kind, text in FENCED.findall(path.read_text("utf-8")):
        lines += [str(tomllib.loads(text))] if kind == "toml" else text.splitlines()
    return [line for line in lines if line]


def named(path: Path) -> set[str]:
    """Return the variables, commands, options and files that a page names."""
    words = set(re.findall(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b", prose(path)))
    return words | {
        name
        for name in re.findall(r"`([^`\n]+)`", prose(path))
        if re.match(r"flask |heroku |--|[\w/]+\.\w+$", name)
    }


def targets(path: Path) -> Counter[str]:
    """Return where a page's links lead, without the one to the other language, sections and
    languages.
    """
    _, _, rest = prose(path).partition("\n")
    links = [link.replace(".ja.md", ".md") for link in LINK.findall(rest)]
    return Counter(link.partition("#")[0] for link in links)


@pytest.mark.parametrize(("english", "japanese"), BOTH, ids=lambda page: page.name)
def test_both_languages_say_the_same(english: Path, japanese: Path) -> None:
    assert f"]({japanese.name})" in english.read_text("utf-8").splitlines()[0]
    assert f"]({english.name})" in japanese.read_text("utf-8").splitlines()[0]
    assert [re.sub("[^#]", "", line) for line in headings(japanese)] == [
        re.sub("[^#]", "", line) for line in headings(english)
    ]
    assert code(japanese) == code(english)
    assert named(japanese) == named(english)
    assert targets(japanese) == targets(english)
    for part in (r"^\|", r"^ *(?:-|\d\.) ", r"^\*\*", r"<img src"):
        in_english = re.findall(part, prose(english), re.M)
        in_japanese = re.findall(part, prose(japanese), re.M)
        assert len(in_english) == len(in_japanese), part


@pytest.mark.parametrize(("english", "japanese"), BOTH, ids=lambda page: page.name)
def test_japanese_pages_are_in_japanese(english: Path, japanese: Path) -> None:
    """Every paragraph, item and row that the English page has in words has kana in the Japanese
    one.
    """
    text = re.sub(
        r"`[^`]*`|\]\([^)]*\)|<[^>]*>|^ {4}.*$|^\|[-|]+$", "", prose(japanese), flags=re.M
    )
    lines = [
        line
        for line in text.splitlines()[1:]
        if len(
            re.findall(
                "[A-Za-z]",
                line,
            )
        )
        > 40
    ]
    assert [line for line in lines if not re.search("[ぁ-んァ-ヶ一-龠]", line)] == []


@pytest.mark.parametrize("name", ["docs/reference.md", "docs/reference.ja.md"])
def test_the_readmes_league_can_be_read(name: str) -> None:
    blocks = FENCED.findall((ROOT / name).read_text("utf-8"))
    (text,) = [block for kind, block in blocks if kind == "toml"]
    assert parse_league(text).players["みどり一色"].name == "みどり"


def test_every_variable_of_the_readme_is_in_the_example_and_the_other_way_round() -> None:
    readme = (ROOT / "docs/reference.md").read_text("utf-8")
    table = readme[readme.index("## Variables") : readme.index("## Commands")]
    told = {
        name
        for row in re.findall(r"^\| (`.*?`) \|", table, re.M)
        for name in re.findall(r"`(\w+)`", row)
    }
    text = (ROOT / ".env.example").read_text("utf-8")
    example = set(re.findall(r"^#?([A-Z_]+)=", text, re.M))
    # An older name, and where the file itself is.
    assert told - example == {"HEROKU_SLUG_COMMIT", "JANROKU_ENV_FILE"}
    assert example - told == set()


def test_a_fresh_clone_knows_what_the_readme_begins_with(tmp_path: Path) -> None:
    """The first block is run as it stands, but `make` only prints what it would do."""
    readme = (ROOT / "README.md").read_text("utf-8")
    block = re.findall(r"(?:^ {4}.*\n)+", readme, re.M)[0]
    lines = [line.strip() for line in block.splitlines()]
    assert (lines[0], lines[-1]) == ("git clone REPOSITORY janroku", "make run")
    script = "\n".join(["set -e", *lines, "make test"])
    script = (
        script.replace("clone", "clone --quiet")
        .replace("make ", "make --dry-run ")
        .replace("REPOSITORY", shlex.quote(str(ROOT)))
    )
    run = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert "gunicorn --config bot/gunicorn.py app:app" in run.stdout
    assert "pytest" in run.stdout
