"""Scripts out of the modules in `scripts/`: what a script is not made for is left out, and what it imports from there goes into it.

Each module is first specialised as `par_core.export.specialised` says. Of every one the functions stay that `main` needs in the end. What a
user typed enters as literals only, after all else is done: none of it can become code.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from par_core.export.scripts.made_for import MadeFor
from par_core.export.specialised import OWN, specialised

_LINE_END = "\n"
_BETWEEN = "\n\n\n"


@dataclass(frozen=True)
class _Piece:
    """A statement at the top of a module, its text and the names that it uses, without those that a function has for itself."""

    node: ast.stmt
    text: str
    names: frozenset[str]


def assembled(
    script: str,
    made_for: MadeFor,
    *,
    order: Sequence[str],
    words: Mapping[str, str],
    values: Mapping[str, str],
    plan: str = "",
) -> str:
    """Return a script as one file; functions follow in the `order` of their modules, of which it is one, and `main` comes last.

    It keeps all its imports, and of those of other modules the ones that are used. `words` fill the gaps of docstrings and of notes
    beside constants and above them. `values` are literals that replace those of constants, by their names: of those at the top of the
    script, and of those in the module `plan`, which follow there where they have a value or are used.
    """
    pieces = [piece for module in order for piece in _pieces(specialised(module, made_for))]
    doc, *own = _pieces(specialised(script, made_for))
    *top, guard = [piece for piece in own if not isinstance(piece.node, ast.Import | ast.ImportFrom | ast.FunctionDef)]
    whole_plan = _pieces(specialised(plan, made_for)) if plan else ()
    planned = [piece for piece in whole_plan if isinstance(piece.node, ast.Assign)]
    defined = {name: piece for piece in [*planned, *pieces] if piece not in top for name in _defines(piece.node)}
    needed = _needed("main", defined)
    functions = [piece for name, piece in defined.items() if name in needed - {"main"} and piece not in planned]
    used = {name for piece in own for name in _imported(piece.node)}
    used = used.union(*(piece.names for piece in [*top, guard, defined["main"], *functions]))
    constants = [_with_value(piece, values, words) for piece in [*top, *_kept(planned, {*values, *needed})]]
    parts = [f"{_filled(doc, words)}\n\n{_imports(pieces, used)}\n\n" + "\n".join(constants).strip(_LINE_END)]
    parts += [_filled(each, words) for each in (*functions, defined["main"], guard)]
    return _BETWEEN.join(parts) + _LINE_END


def _kept(pieces: Sequence[_Piece], names: Set[str]) -> list[_Piece]:
    """Return the constants of these names; the heading of a group, after an empty line, stays though its first constant does not."""
    kept, heading = [], ""
    for piece in pieces:
        *above, _ = piece.text.rsplit(_LINE_END, 1)
        if above and above[0].startswith(_LINE_END):
            heading = above[0] + _LINE_END
        if not names.isdisjoint(_defines(piece.node)):
            kept.append(replace(piece, text=heading + piece.text.removeprefix(heading)))
            heading = ""
    return kept


@lru_cache(maxsize=256)
def _pieces(text: str) -> tuple[_Piece, ...]:
    """Return the statements at the top of a module."""
    lines = text.split("\n")
    found, end = [], 0
    for node in ast.parse(text).body:
        names = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
        own = {each.id for each in names if isinstance(node, ast.FunctionDef) and isinstance(each.ctx, ast.Store)}
        # A comment belongs to what it stands above, but for functions, which say all in themselves.
        start = node.lineno - 1 if isinstance(node, ast.FunctionDef) else end
        used = frozenset(each.id for each in names) - own
        found.append(_Piece(node, "\n".join(lines[start : node.end_lineno]), used))
        end = node.end_lineno or end
    return tuple(found)


def _defines(node: ast.stmt) -> list[str]:
    """Return the names that functions, and constants beside them, have."""
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]


def _needed(name: str, defined: Mapping[str, _Piece]) -> set[str]:
    """Return the names that a function needs, in the end, of those that are defined; its own is one of them."""
    found, ahead = {name}, [name]
    while ahead:
        further = {each for each in defined[ahead.pop()].names if each in defined} - found
        found |= further
        ahead += further
    return found


def _filled(piece: _Piece, words: Mapping[str, str]) -> str:
    """Return the text of a statement, with words in the gaps of its docstring."""
    node = piece.node
    doc = ast.get_docstring(node if isinstance(node, ast.FunctionDef) else ast.Module([node], []), clean=False) or ""
    return piece.text.replace(doc, _with_words(doc, words), 1).strip(_LINE_END)


def _with_words(text: str, words: Mapping[str, str]) -> str:
    for gap, told in words.items():
        text = text.replace(f"{{{gap}}}", told)
    return text


def _imported(node: ast.stmt) -> list[str]:
    """Return the names that a statement imports."""
    return [each.asname or each.name for each in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []


def _imports(pieces: Sequence[_Piece], used: Collection[str]) -> str:
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
    return "\n".join(block for block in blocks if block).rstrip(_LINE_END)


def _with_value(piece: _Piece, values: Mapping[str, str], words: Mapping[str, str]) -> str:
    """Return a statement, with another value if it is a constant that has one, and with words in the gaps of its note."""
    for name in (*_defines(piece.node), ", ".join(_defines(piece.node))):
        if name in values:
            *before, last = piece.text.split(_LINE_END)  # a constant has a line of its own
            assert isinstance(piece.node, ast.Assign)
            note = _with_words(last[piece.node.value.end_col_offset :], words)
            return "\n".join([*(_with_words(each, words) for each in before), f"{name} = {values[name]}{note}"])
    return piece.text
