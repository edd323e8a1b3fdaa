"""The statements of a module of scripts, as pieces that a script is put together from.

What a user typed enters a piece as a literal only, in `with_value`, after all else is done: none of it can become code.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from par_core.export.specialised import OWN

LINE_END = "\n"
BETWEEN = "\n\n\n"


@dataclass(frozen=True)
class Piece:
    """A statement at the top of a module, its text and the names that it uses, without those that a function has for itself."""

    node: ast.stmt
    text: str
    names: frozenset[str]


def kept(pieces: Sequence[Piece], names: Set[str]) -> list[Piece]:
    """Return the constants of these names; the heading of a group, after an empty line, stays though its first constant does not."""
    found, heading = [], ""
    for piece in pieces:
        *above, _ = piece.text.rsplit(LINE_END, 1)
        if above and above[0].startswith(LINE_END):
            heading = above[0] + LINE_END
        if not names.isdisjoint(defines(piece.node)):
            found.append(replace(piece, text=heading + piece.text.removeprefix(heading)))
            heading = ""
    return found


@lru_cache(maxsize=256)
def pieces_of(text: str) -> tuple[Piece, ...]:
    """Return the statements at the top of a module."""
    lines = text.split("\n")
    found, end = [], 0
    for node in ast.parse(text).body:
        names = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
        own = {each.id for each in names if isinstance(node, ast.FunctionDef) and isinstance(each.ctx, ast.Store)}
        # A comment belongs to what it stands above, but for functions, which say all in themselves.
        start = end
        if isinstance(node, ast.FunctionDef):
            start = min([node.lineno, *(each.lineno for each in node.decorator_list)]) - 1
        used = frozenset(each.id for each in names) - own
        found.append(Piece(node, "\n".join(lines[start : node.end_lineno]), used))
        end = node.end_lineno or end
    return tuple(found)


def defines(node: ast.stmt) -> list[str]:
    """Return the names that functions, and constants beside them, have."""
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]


def needed_for(name: str, defined: Mapping[str, Piece]) -> set[str]:
    """Return the names that a function needs, in the end, of those that are defined; its own is one of them."""
    found, ahead = {name}, [name]
    while ahead:
        further = {each for each in defined[ahead.pop()].names if each in defined} - found
        found |= further
        ahead += further
    return found


def filled(piece: Piece, words: Mapping[str, str]) -> str:
    """Return the text of a statement, with words in the gaps of its docstring."""
    node = piece.node
    doc = ast.get_docstring(node if isinstance(node, ast.FunctionDef) else ast.Module([node], []), clean=False) or ""
    return piece.text.replace(doc, _with_words(doc, words), 1).strip(LINE_END)


def _with_words(text: str, words: Mapping[str, str]) -> str:
    for gap, told in words.items():
        text = text.replace(f"{{{gap}}}", told)
    return text


def imported(node: ast.stmt) -> list[str]:
    """Return the names that a statement imports."""
    return [each.asname or each.name for each in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []


def imports(pieces: Sequence[Piece], used: Collection[str]) -> str:
    """Return the imports of what is used, sorted as ruff does it: what Python brings along first."""
    lines: dict[tuple[bool, bool, str], set[str]] = {}
    for node in (piece.node for piece in pieces):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        module = node.module or "" if isinstance(node, ast.ImportFrom) else node.names[0].name
        names = {ast.unparse(each) for each in node.names if (each.asname or each.name) in used}
        if names and module.partition(".")[0] != OWN:
            own = module.partition(".")[0] not in sys.stdlib_module_names
            lines.setdefault((own, isinstance(node, ast.ImportFrom), module), set()).update(names)
    blocks = ["", ""]
    for (own, some, module), names in sorted(lines.items()):
        told = ", ".join(sorted(names))
        blocks[own] += f"from {module} import {told}\n" if some else f"import {told}\n"
    return "\n".join(block for block in blocks if block).rstrip(LINE_END)


def with_value(piece: Piece, values: Mapping[str, str], words: Mapping[str, str]) -> str:
    """Return a statement, with another value if it is a constant that has one, and with words in the gaps of its note."""
    for name in (*defines(piece.node), ", ".join(defines(piece.node))):
        if name in values:
            *before, last = piece.text.split(LINE_END)  # a constant has a line of its own
            assert isinstance(piece.node, ast.Assign)
            note = _with_words(last[piece.node.value.end_col_offset :], words)
            return "\n".join([*(_with_words(each, words) for each in before), f"{name} = {values[name]}{note}"])
    return piece.text
