"""A module of scripts as it is in one that is made for something: with the branches that hold, and what is asked for written out.

Of each `if` that asks what a script is made for only the branch that holds is left, without the `if` and without what is noted before
its first statement and after its last one. A call that hands over a part of `made_for` becomes what the function of that name in
`scripts/asked.py` returns for it, and `made_for.noun` the word itself.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from types import CodeType

from par_core.export.scripts.made_for import Asked, MadeFor

OWN = "par_core"
_SWITCH, _PART = "made_for", "how"
_WRITTEN_OUT = "asked"
_WORD = re.compile(rf"\b{_SWITCH}\.(noun)\b")


@cache
def _source_of(module: str) -> str:
    """Return the text of a module of scripts, or of any other one by its whole name."""
    path = module.removeprefix(f"{OWN}.").replace(".", "/") if "." in module else f"export/scripts/{module}"
    return files(OWN).joinpath(f"{path}.py").read_text(encoding="utf-8")


def specialised(module: str, made_for: MadeFor) -> str:
    """Return the text of a module in a script that is made for this."""
    text = _branches_that_hold(_source_of(module), _SWITCH, made_for)
    lines = text.split("\n")
    for call in _calls(text):
        part = getattr(made_for, _part(call))
        if part is not None:
            line, at = lines[call.lineno - 1], call.lineno - 1
            lines[at] = line[: call.col_offset] + _written_out(call, part) + line[call.end_col_offset :]
    return _WORD.sub(lambda found: f'"{getattr(made_for, found[1])}"', "\n".join(lines))


@dataclass(frozen=True)
class _Branch:
    """A branch of an `if`: its test, or none for what is left, and the lines of its body."""

    test: CodeType | None
    body: range


@cache
def _choices(source: str, switch: str) -> list[tuple[range, list[_Branch]]]:
    """Return the lines of each `if` that asks for the switch, and its branches."""
    found: list[tuple[range, list[_Branch]]] = []
    seen: set[ast.AST] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.If) and node not in seen and _asks(node.test, switch):
            chain = [*_chain(node)]
            seen.update(chain)
            branches = [
                _Branch(compile(ast.Expression(each.test), switch, "eval"), _lines(each.body)) for each in chain
            ]
            found.append((_lines([node]), [*branches, _Branch(None, _lines(chain[-1].orelse))]))
    return found


def _branches_that_hold(source: str, switch: str, value: MadeFor | Asked) -> str:
    """Return a source in which of each `if` that asks for the switch only the branch that holds is left."""
    lines = source.splitlines()
    left, inward = [True] * len(lines), [0] * len(lines)
    for whole, branches in _choices(source, switch):
        body = next(each.body for each in branches if each.test is None or eval(each.test, {switch: value}))
        for at in whole:
            if at in body:
                inward[at] += 4
            else:
                left[at] = False
    return "\n".join(line[by:] for line, by, stays in zip(lines, inward, left, strict=True) if stays)


def _chain(node: ast.If) -> Iterator[ast.If]:
    """Return an `if` and every `elif` of it."""
    yield node
    for each in node.orelse:
        if isinstance(each, ast.If) and each.col_offset == node.col_offset:
            yield from _chain(each)


def _lines(body: Sequence[ast.stmt]) -> range:
    """Return where the lines of statements are in a source."""
    return range(body[0].lineno - 1, body[-1].end_lineno or 0) if body else range(0)


def _asks(test: ast.expr, switch: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == switch for each in ast.walk(test))


@lru_cache(maxsize=256)
def _calls(text: str) -> list[ast.Call]:
    """Return the calls that hand over a part of `made_for`, the last one first."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and _part(node)]
    return sorted(calls, key=lambda each: (each.lineno, each.col_offset), reverse=True)


def _part(call: ast.Call) -> str:
    """Return the name of the part of `made_for` that a call hands over, or none."""
    last = call.args[-1] if call.args else None
    is_part = isinstance(last, ast.Attribute) and isinstance(last.value, ast.Name) and last.value.id == _SWITCH
    return last.attr if is_part and isinstance(last, ast.Attribute) else ""


def _written_out(call: ast.Call, part: Asked) -> str:
    """Return what a function returns for a part, in brackets unless it is a call itself."""
    text = _branches_that_hold(_source_of(_WRITTEN_OUT), _PART, part)
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    function = next(each for each in functions if isinstance(call.func, ast.Name) and each.name == call.func.id)
    returned = function.body[-1]
    assert isinstance(returned, ast.Return)
    assert returned.value is not None
    given = dict(zip((each.arg for each in function.args.args), call.args[:-1], strict=False))
    found = _Handed(given, part).visit(returned.value)
    return ast.unparse(found) if isinstance(found, ast.Call) else f"({ast.unparse(found)})"


class _Handed(ast.NodeTransformer):
    """Puts what a call hands over in the places of parameters."""

    def __init__(self, given: dict[str, ast.expr], part: Asked) -> None:
        self._given, self._part = given, part

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._given.get(node.id, node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == _PART:
            return ast.Constant(getattr(self._part, node.attr))
        return self.generic_visit(node)
