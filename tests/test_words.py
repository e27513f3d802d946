"""The Japanese that members read: one word for each thing."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# What is not said any more, and what is said in its place. Members may go on typing it.
FORMER = {
    r"最高の1局|局目$": "戦",
    r"上の割合|上だった割合|^上の順位": "先着率",
    r"^二人": "対決",
    r"^比較": "レート検証",
    r"得点の強さ": "実力（推定）",
    r"ラスの少なさ": "最低ラス率",
    r"押してよい手|押し有利": "押し",
    r"余分な危険": "余計なリスク",
    r"運より当たる": "偶然の予想を統計的に上回っています",
    r"これは管理者だけが": "この操作は管理者専用です。",
    r"もう入っています。$": "登録済みです。",
    r"聞けること": "できること",
    r"覚えさせます": "自分の名前を登録します",
    r"確認の時間": "この確認は取り消し済みか、期限切れです。",
    r"数日で切れ": "リンクの有効期限：7日",
    r"が味方": "ペアです",
    r"1着の|^1着": "トップ",
    r"あなたはだれ": "どのメンバーですか？",
    r"巻き返し|逆転王": "大逆転",
    r"対決王": "キラー賞",
    r"連勝王|連勝！": "連続トップ",
    r"向聴$": "シャンテン",
    r"いま.*連続中": "現在10戦継続中",
    r"流れを変えた": "流れが変わった日",
    r"トップからラス": "1-2-3着",
    r"1打のロス|最善手": "1打あたりのロス, 最善打率",
    r"99%超|1%未満": ">99%, <1%",
    r"もしも、次": "もし次にトップなら",
}
SAID = sorted([*(ROOT / "bot").rglob("*.py"), *(ROOT / "rating" / "models").glob("*.py")])
TYPED = ("words", "everyday")  # keywords and names of what is typed, not said


def said(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every string of a module that may be said, with its line: no docstring, and nothing that is typed."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.keyword) and node.arg in TYPED:
            continue
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and "FORMER" in target.id for target in node.targets
        ):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        yield from said(node)


@pytest.mark.parametrize(("former", "now"), FORMER.items())
def test_the_former_words_are_not_said(former: str, now: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path, strings in _strings().items()
        for line, text in strings
        if re.search(former, text)
    ]
    assert found == [], f"say {now}"


def test_the_words_are_looked_at() -> None:
    tree = ast.parse('"""一"""\nSpec(words=("二",), help="三")\n_FORMER = "四"\nf"五{1}"\n')
    assert list(said(tree)) == [(2, "三"), (4, "五")]


@cache
def _strings() -> dict[Path, list[tuple[int, str]]]:
    return {path: list(said(ast.parse(path.read_text("utf-8")))) for path in SAID}
