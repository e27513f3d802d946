"""No pattern takes long, whatever it reads: each one gets hostile texts made of its own parts."""

import ast
import gc
import re
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from bot.answers.catalogue import CATALOGUE
from tests.fakes.process import ROOT

pytestmark = pytest.mark.any_backend("reads texts; nothing is stored")

LENGTH = 5_000  # characters
LIMIT = 0.010  # seconds of processor time
# of the time for a text of four times the length: 4 in linear time, 16 in quadratic time
MOST_GROWTH = 8.0
HANGS = 5.0  # seconds after which a pattern is stopped
CALLS = ("compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
LOCALS = {
    "key": "games",
    "named": "みどり|東風",
    "self": CATALOGUE,
    "raw_names": {"みどり".encode()},
}  # for names that only a function knows
HOSTILE = settings(
    max_examples=2, derandomize=True, phases=[Phase.generate], suppress_health_check=[*HealthCheck]
)
CLASSES = {
    "s": " ",
    "d": "1",
    "w": "a",
    "D": "x",
    "W": "/",
    "S": "x",
    "b": "",
    "Z": "",
    "A": "",
}
FILES = sorted(
    path for room in ("bot", "rating", "storage") for path in (ROOT / room).rglob("*.py")
)
NAMES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for path in (ROOT / "app.py", *FILES)
}
TEXTS = {name: path.read_text("utf-8") for name, path in NAMES.items()}


def _values(
    arg: ast.expr,
    tree: ast.Module,
    names: dict[str, Any],
) -> list[str | bytes]:
    """What the first argument of a call of `re` may be: its value, or the values of a name in the function."""
    with suppress(NameError):
        return [eval(compile(ast.Expression(arg), "", "eval"), names, LOCALS)]
    assert isinstance(arg, ast.Name), ast.unparse(arg)
    values: list[str | bytes] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            if ast.unparse(node.targets[0]) == arg.id:
                values += _values(node.value, tree, names)
            continue
        if isinstance(node, ast.For) and ast.unparse(node.target).startswith(f"({arg.id}, "):
            values += [row[0] for row in names[ast.unparse(node.iter)]]
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Shape":
            values += _values(node.args[0], tree, names)
    return values


def _patterns(name: str) -> Iterator[tuple[str, re.Pattern[Any], str]]:
    """Every pattern of a module with its place, and a way in which it is used."""
    tree = ast.parse(TEXTS[name])
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    owners = {id(node.value): ast.unparse(node.targets[0]) for node in assigned}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if ast.unparse(node.func.value) != "re" or node.func.attr not in CALLS:
            continue
        uses = {node.func.attr}
        if uses == {"compile"}:
            owner = owners.get(id(node), "any pattern")
            texts = [TEXTS[name]] if owner.startswith("_") else TEXTS.values()
            use_of = re.compile(rf"\b{owner}\.({'|'.join(CALLS)})\(")
            uses = set(use_of.findall("\n".join(texts)))
        values = _values(node.args[0], tree, vars(import_module(name)))
        assert values, f"{name}:{node.lineno}"
        flags = []
        if node.func.attr == "compile":
            flags = [eval(ast.unparse(flag)) for flag in node.args[1:]]
        for value in values:
            for use in sorted(uses or {"search"}):
                yield f"{name}:{node.lineno} {use} {value!r:.60}", re.compile(value, *flags), use


def _alphabet(pattern: re.Pattern[Any]) -> list[str]:
    """The characters and words of a pattern: its literal text, and one of each of its
    classes.
    """
    plain = (
        pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    )
    plain = re.sub(r"\(\?(?:P<\w+>|[-aiLmsux]*:|<?[=!])|\{[0-9,]*\}", "(", plain)
    plain = re.sub(
        r"\\(.)",
        lambda match: CLASSES.get(match[1], match[1]),
        plain,
    )
    words = [word for word in re.split(r"[][|+*?^$]", plain) if word]
    return list(
        dict.fromkeys(
            [
                "x",
                " ",
                *(char for word in words for char in word),
                *words,
            ]
        )
    )


def _breakers(pattern: re.Pattern[Any]) -> list[str]:
    """What may keep a text from matching at its very end."""
    characters = [part for part in _alphabet(pattern) if len(part) == 1]
    signs = [character for character in characters if not character.isalnum()]
    return ["", "\x00", "\nx", *signs]


def _seconds(pattern: re.Pattern[Any], use: str, text: str) -> float:
    """The least processor time of five tries, or of the first that is within the limit.

    The timer counts real time: with a timer of processor time, Linux's clock of processor time
    advances in ticks of 4 ms.
    """
    in_bytes = isinstance(pattern.pattern, bytes)
    subject: Any = text.encode("latin-1", "replace") if in_bytes else text
    act = getattr(pattern, use)
    shortest = HANGS
    words = [subject[:0], subject] if use.startswith("sub") else [subject]
    for _ in range(5):
        began = time.process_time()
        signal.setitimer(signal.ITIMER_REAL, HANGS)
        try:
            result = act(*words)
            if use == "finditer":
                list(result)
        except TimeoutError:
            return HANGS
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        shortest = min(shortest, time.process_time() - began)
        if shortest < LIMIT:
            break
    return shortest


@pytest.fixture(autouse=True)
def _stopped() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    gc.disable()  # its time is no pattern's
    yield
    gc.enable()
    signal.signal(signal.SIGALRM, before)


def _check(
    place: str, pattern: re.Pattern[Any], use: str, begin: str, part: str, breakers: list[str]
) -> None:
    whole = (begin + part * (LENGTH // len(part)))[:LENGTH]
    for breaker in breakers:
        seconds = _seconds(pattern, use, whole + breaker)
        if seconds < LIMIT:
            continue
        # On a slow machine a pattern of many words exceeds the limit in linear time.
        quarter = _seconds(pattern, use, whole[: len(whole) // 4] + breaker)
        assert seconds < MOST_GROWTH * quarter, (
            f"{place}: {seconds:.3f} s for {begin!r} + {part!r} repeated + {breaker!r}"
        )


@pytest.mark.parametrize(
    "name",
    [name for name, text in TEXTS.items() if "import re\n" in text],
)
def test_no_pattern_of_a_module_takes_long(name: str) -> None:
    """Its parts repeated; and each sign, and each two, of how a matching text begins, after those
    before.
    """
    for place, pattern, use in _patterns(name):
        breakers = _breakers(pattern)
        for part in _alphabet(pattern)[:30]:
            _check(place, pattern, use, "", part, breakers[:5])

        @settings(HOSTILE)
        @given(st.from_regex(pattern))
        def what_it_matches_repeated(match: str | bytes) -> None:
            text = (match if isinstance(match, str) else match.decode("latin-1"))[:20]
            for at in range(len(text)):
                for part in (text[at], text[at : at + 2]):
                    _check(place, pattern, use, text[:at], part, breakers[1:5])  # noqa: B023

        what_it_matches_repeated()
