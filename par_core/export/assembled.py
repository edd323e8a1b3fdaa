"""Scripts out of the modules in `scripts/`: what a script is not made for is left out, and what it imports from there goes into it.

A section under `if made_for.…:` is kept, without the `if`, where that holds, and left out where not. Of every module the functions
stay that `main` needs in the end. What a user typed enters as literals only, after all else is done: none of it can become code.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from par_core.export.scripts.made_for import MadeFor

_SWITCH = "made_for"
_OWN = "par_core"
_LINE_END = "\n"
_BETWEEN = "\n\n\n"


@dataclass(frozen=True)
class _Piece:
    """A statement at the top of a module, its text and the names that it uses."""

    node: ast.stmt
    text: str
    names: frozenset[str]


def assembled(
    script: str,
    made_for: MadeFor,
    *,
    order: Sequence[str],
    words: Mapping[str, str],
    values: Mapping[str, str] | None = None,
    constants: Sequence[str] = (),
) -> str:
    """Return a script as one file; functions follow in the `order` of their modules, of which it is one, and `main` comes last.

    `words` fill the gaps of its docstring. `values` are literals that replace those of constants at its top, by their names;
    `constants` are lines that follow there.
    """
    pieces = [piece for module in order for piece in _pieces(module, made_for)]
    doc, *own = _pieces(script, made_for)
    top = [piece for piece in own if not isinstance(piece.node, ast.Import | ast.ImportFrom | ast.FunctionDef)]
    guard = top.pop()
    defined = {name: piece for piece in pieces if piece not in top for name in _defines(piece.node)}
    needed = _needed("main", defined)
    functions = [piece for name, piece in defined.items() if name in needed - {"main"}]
    used = set[str]().union(*(piece.names for piece in [*top, guard, defined["main"], *functions]))
    head = doc.text.strip(_LINE_END)
    for gap, text in words.items():
        head = head.replace(f"{{{gap}}}", text)
    below = "\n".join([*(_with_value(piece, values or {}) for piece in top), *([""] if constants else []), *constants])
    parts = [f"{head}\n\n{_imports(pieces, used)}\n\n{below.strip(_LINE_END)}"]
    parts += [each.text.strip(_LINE_END) for each in (*functions, defined["main"], guard)]
    return _BETWEEN.join(parts) + _LINE_END


def functions_of(module: str, made_for: MadeFor | None = None, *, only: str = "") -> str:
    """Return the functions of a module, and the constants beside them, or `only` one; by default as they stand."""
    pieces = _pieces(module, made_for or MadeFor())
    functions = [each.text.strip(_LINE_END) for each in pieces if (name := _defines(each.node)) and only in ("", *name)]
    return f"{_LINE_END}{_BETWEEN.join(functions)}{_LINE_END}"


@lru_cache(maxsize=256)
def _pieces(module: str, made_for: MadeFor) -> tuple[_Piece, ...]:
    """Return the statements at the top of a module as they are in a script that is made for this."""
    source = files(_OWN).joinpath(f"export/scripts/{module}.py").read_text(encoding="utf-8")
    lines = _settled(source, made_for)
    found, end = [], 0
    for node in ast.parse("\n".join(lines)).body:
        names = frozenset(each.id for each in ast.walk(node) if isinstance(each, ast.Name))
        found.append(_Piece(node, "\n".join(lines[end : node.end_lineno]), names))
        end = node.end_lineno or end
    return tuple(found)


def _settled(source: str, made_for: MadeFor) -> list[str]:
    """Return the lines of a source in which of each `if made_for.…:` only the branch that holds is left."""
    lines = source.splitlines()
    left, inward = [True] * len(lines), [0] * len(lines)
    seen: set[ast.AST] = set()
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.If) or node in seen or not _asks(node.test):
            continue
        chain = [*_branches(node)]
        seen.update(chain)
        last = chain[-1]
        body = next((each.body for each in chain if _holds(each.test, made_for)), last.orelse)
        start, end = (body[0].lineno - 1, body[-1].end_lineno or 0) if body else (0, 0)
        for at in range(node.lineno - 1, node.end_lineno or 0):
            if start <= at < end:
                inward[at] += 4
            else:
                left[at] = False
    return [line[by:] for line, by, stays in zip(lines, inward, left, strict=True) if stays]


def _branches(node: ast.If) -> Iterator[ast.If]:
    """Return an `if` and every `elif` of it."""
    yield node
    for each in node.orelse:
        if isinstance(each, ast.If) and each.col_offset == node.col_offset:
            yield from _branches(each)


def _asks(test: ast.expr) -> bool:
    return any(isinstance(each, ast.Name) and each.id == _SWITCH for each in ast.walk(test))


def _holds(test: ast.expr, made_for: MadeFor) -> bool:
    return bool(eval(compile(ast.Expression(test), "made_for", "eval"), {_SWITCH: made_for}))


def _defines(node: ast.stmt) -> list[str]:
    """Return the names that functions, and constants beside them, have."""
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    return [each.id for each in node.targets if isinstance(each, ast.Name)] if isinstance(node, ast.Assign) else []


def _needed(name: str, defined: Mapping[str, _Piece]) -> set[str]:
    """Return the names that a function needs, in the end, of those that are defined; its own is one of them."""
    found, ahead = {name}, [name]
    while ahead:
        further = {each for each in defined[ahead.pop()].names if each in defined} - found
        found |= further
        ahead += further
    return found


def _imports(pieces: Sequence[_Piece], used: Collection[str]) -> str:
    """Return the imports of what is used, sorted as ruff does it: what Python brings along first."""
    lines: dict[tuple[bool, bool, str], set[str]] = {}
    for node in (piece.node for piece in pieces):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        module = node.module or "" if isinstance(node, ast.ImportFrom) else node.names[0].name
        names = {ast.unparse(each) for each in node.names if (each.asname or each.name) in used}
        if names and module.partition(".")[0] != _OWN:
            own = module.partition(".")[0] not in sys.stdlib_module_names
            lines.setdefault((own, isinstance(node, ast.ImportFrom), module), set()).update(names)
    blocks = ["", ""]
    for (own, some, module), names in sorted(lines.items()):
        told = ", ".join(sorted(names))
        blocks[own] += f"from {module} import {told}\n" if some else f"import {told}\n"
    return "\n".join(block for block in blocks if block).rstrip(_LINE_END)


def _with_value(piece: _Piece, values: Mapping[str, str]) -> str:
    """Return a statement, with another value if it is a constant that has one."""
    for name in _defines(piece.node):
        if name in values:
            *before, last = piece.text.splitlines()  # a constant has a line of its own
            assert isinstance(piece.node, ast.Assign)
            note = last[piece.node.value.end_col_offset :]
            return "\n".join([*before, f"{name} = {values[name]}{note}"])
    return piece.text
