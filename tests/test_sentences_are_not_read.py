"""Sentences are for people: no code decides by the words of one. What it needs is a field."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SENTENCES = {"detail", "explanation", "hint", "msg", "sentence", "sentences", "with_hint", "why"}
"""Attributes, and names of variables, that hold sentences."""
SEARCHES = {
    *("endswith", "find", "fullmatch", "index", "match", "partition", "removeprefix"),
    *("rpartition", "search", "split", "startswith"),
}
ALLOWED = {
    "admin/refereeing/log/reader.py": "old logs say in a sentence alone that bytes came unasked",
    "admin/testing/trial/player_source.py": "joins two sentences that say the same",
    "admin/tournament/games/result.py": "stores say in a sentence alone that a program was skipped",
}


def is_sentence(node: ast.AST) -> bool:
    """Whether an expression is a sentence, or the text of an exception."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name in SENTENCES
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return name in SENTENCES
        case ast.Call(func=ast.Name(id="str"), args=[ast.Name(id=name)]):
            return name in ("error", "fault")
    return False


def decisions(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that search a sentence, or compare it with words."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=receiver, attr=name), args=arguments):
                if name in SEARCHES and any(map(is_sentence, (receiver, *arguments))):
                    yield node.lineno
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[where]):
                if is_sentence(where) and isinstance(left, ast.Constant | ast.Name):
                    yield node.lineno
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[other]):
                if is_sentence(left) and is_words(other):
                    yield node.lineno


def is_words(node: ast.AST) -> bool:
    """Whether an expression is a text of ours, and not just another sentence to compare with."""
    match node:
        case ast.Constant(value=str(text)):
            return bool(text)
        case ast.Name(id=name):
            return name.isupper()
    return isinstance(node, ast.JoinedStr)


def found_in(folder: str) -> set[str]:
    return {
        str(file.relative_to(ROOT))
        for file in (ROOT / folder).rglob("*.py")
        if any(True for _ in decisions(ast.parse(file.read_text())))
    }


@pytest.mark.parametrize("folder", ["acquire", "admin", "game", "player", "protocol"])
def test_no_code_decides_by_the_words_of_a_sentence(folder: str) -> None:
    allowed = {path for path in ALLOWED if path.startswith(f"{folder}/")}
    assert found_in(folder) == allowed
