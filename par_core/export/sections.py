"""Scripts of several releases: what all of them share stands there once, and each release has a section with names of its own.

A constant of a release has a name of its own, but for how many rows a person has where that is the same in all releases. A function has
one unless its text, and that of all that it needs, is the same in every release that has it. A name of its own ends in the number of the
release: `cells_r2`, `EPSILON_R2`.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass

from par_core.export.pieces import (
    BETWEEN,
    LINE_END,
    Piece,
    defines,
    filled,
    imports,
    kept,
    needed_for,
    pieces_of,
    with_value,
)
from par_core.export.scripts.made_for import MadeFor
from par_core.export.specialised import specialised

_SCRIPT, _MAIN, _READY = "plan", "main", "ready"
_OF_RELEASE, _OF_ALL = "plan_of_release", "plan_of_releases"
_ROWS = ("ROWS_PER_PERSON", "ONE_PERSON")


@dataclass(frozen=True)
class Section:
    """A release in a script: what its modules are made for, `values` and `words` as in `assembled`, and comments that stand above it."""

    made_for: MadeFor
    values: Mapping[str, str]
    words: Mapping[str, str]
    heading: Sequence[str]


def own_name(name: str, release: int) -> str:
    """Return what a constant or a function is called in the section of a release.

    >>> own_name("COLUMN_1", 2), own_name("cells", 2)
    ('COLUMN_1_R2', 'cells_r2')
    """
    return f"{name}_{'R' if name.isupper() else 'r'}{release}"


def with_sections(
    sections: Sequence[Section],
    *,
    made_for: MadeFor,
    order: Sequence[str],
    words: Mapping[str, str],
    values: Mapping[str, str],
    last: Mapping[str, str],
    renamed: Mapping[str, Mapping[str, str]],
) -> str:
    """Return the script `scripts/plan.py` as one file, with a section for each release.

    Functions follow in the `order` of their modules. `words` and `values` are as in `assembled`, of the script as a whole: a constant among
    `values` is the same for all releases. Those in `last` use names of the sections, and follow them. A function that is `renamed` calls
    constants by other names than it does in its module.
    """
    main = _Part(made_for, order, needed_by=_MAIN, words=words, without=last)
    parts = [_Part(each.made_for, order, needed_by=_READY, words=each.words) for each in sections]
    of_all = pieces_of(specialised(_OF_ALL, made_for))
    common = {*values}.difference(*(each.values for each in sections))
    in_sections = [part.constants({*each.values}, common) for each, part in zip(sections, parts, strict=True)]
    alike = _alike(sections, in_sections)
    in_sections = [[piece for piece in found if alike.keys().isdisjoint(defines(piece.node))] for found in in_sections]
    own = _own(parts, {name for found in in_sections for piece in found for name in defines(piece.node)})

    doc, *rest = main.modules[_SCRIPT]
    top, *among, guard = [
        each for each in rest if not isinstance(each.node, ast.Import | ast.ImportFrom | ast.FunctionDef)
    ]
    of_file = {*values} - {name for each in kept(of_all, {*values}) for name in defines(each.node)}
    constants = [*kept(main.planned, of_file), *kept(of_all, {*values})]
    at_end = [each for each in [*of_all, *among] if not {*last}.isdisjoint(defines(each.node))]
    shared = {name: part.texts[name] for part in (main, *parts) for name in part.texts if name not in {*own, _MAIN}}

    every = [piece for part in (main, *parts) for found in part.modules.values() for piece in found]
    used = [piece for part in (main, *parts) for piece in part.functions.values()]
    used += [top, *(piece for found in in_sections for piece in found)]
    imported = imports(every, {name for piece in used for name in piece.names})

    top_lines = [top.text, _valued(constants, values, words), *alike.values()]
    found = [f"{filled(doc, words)}\n\n{imported}\n" + LINE_END.join(top_lines)]
    found += [_with_names(shared[name], renamed.get(name, {})) for name in _in_order((main, *parts), shared)]
    for number, (section, part, of_one) in enumerate(zip(sections, parts, in_sections, strict=True), start=1):
        found.append(_written(section, part, of_one, own, number))
    whole = {own_name(name, number): name for name in alike for number in range(1, len(sections) + 1)}
    found += [_with_names(_valued(at_end, last, words).strip(LINE_END), whole), main.texts[_MAIN], filled(guard, words)]
    return BETWEEN.join(found) + LINE_END


def _alike(sections: Sequence[Section], constants: Sequence[Sequence[Piece]]) -> dict[str, str]:
    """Return the lines of the constants for how many rows a person has, if they are the same in all releases."""
    lines: dict[str, list[str]] = {name: [] for name in _ROWS}
    for section, found in zip(sections, constants, strict=True):
        for piece in found:
            for name in lines.keys() & {*defines(piece.node)} if piece.names <= {*_ROWS} else ():
                lines[name].append(with_value(piece, section.values, section.words).split(LINE_END)[-1])
    same = all(len(found) == len(sections) and len({*found}) == 1 for found in lines.values())
    return {name: found[0] for name, found in lines.items()} if same else {}


def _valued(constants: Sequence[Piece], values: Mapping[str, str], words: Mapping[str, str]) -> str:
    return LINE_END.join(with_value(each, values, words) for each in constants)


class _Part:
    """The modules of a script, made for the whole or for one release, and what is needed of them in the end: functions, and their words."""

    def __init__(
        self,
        made_for: MadeFor,
        order: Sequence[str],
        *,
        needed_by: str,
        words: Mapping[str, str],
        without: Collection[str] = (),
    ) -> None:
        self.modules = {module: pieces_of(specialised(module, made_for)) for module in order}
        plan = pieces_of(specialised(_OF_RELEASE, made_for))
        self.planned = [piece for piece in plan if isinstance(piece.node, ast.Assign)]
        made = [piece for found in self.modules.values() for piece in found]
        defined = {name: piece for piece in [*self.planned, *made] for name in defines(piece.node)}
        defined = {name: piece for name, piece in defined.items() if name not in without}
        self.needed = needed_for(needed_by, defined)
        self.functions = {name: defined[name] for name in self.needed if defined[name] not in self.planned}
        self.texts = {name: filled(piece, words) for name, piece in self.functions.items()}

    def constants(self, valued: Set[str], common: Set[str]) -> list[Piece]:
        """Return the constants that have a value or are needed, without those that all releases have in common."""
        of_one = [piece for piece in self.planned if common.isdisjoint(defines(piece.node))]
        return kept(of_one, {*valued, *self.needed})


def _own(parts: Sequence[_Part], constants: Set[str]) -> set[str]:
    """Return what has a name of its own in every section: the constants, and the functions that differ or need what does."""
    texts: dict[str, set[str]] = {}
    for part in parts:
        for name, text in part.texts.items():
            texts.setdefault(name, set()).add(text)
    own, more = set[str](), {*constants, _READY, *(name for name, found in texts.items() if len(found) > 1)}
    while more - own:
        own |= more
        more = {name for part in parts for name, piece in part.functions.items() if piece.names & own}
    return own


def _in_order(parts: Sequence[_Part], names: Collection[str]) -> list[str]:
    """Return names of functions as their modules, and these in their order, have them."""
    every = [(part, piece) for module in parts[0].modules for part in parts for piece in part.modules[module]]
    made = [name for part, piece in every for name in defines(piece.node) if part.functions.get(name) is piece]
    return [name for name in dict.fromkeys(made) if name in names]


def _written(section: Section, part: _Part, constants: Sequence[Piece], own: Set[str], release: int) -> str:
    """Return the section of a release, with its own names."""
    names = {name: own_name(name, release) for name in own}
    valued = _valued(constants, section.values, section.words)
    heading = LINE_END.join(f"# {_with_names(line, _upper(names))}" for line in section.heading)
    functions = {name: part.texts[name] for name in part.texts if name in own}
    used = {name: {each: names[each] for each in {name, *part.functions[name].names} & own} for name in functions}
    return BETWEEN.join(
        [
            f"{heading}\n{_with_names_of_constants(valued, names)}",
            *(_with_names(functions[name], used[name] | _upper(names)) for name in _in_order([part], functions)),
        ]
    )


def _upper(names: Mapping[str, str]) -> dict[str, str]:
    return {name: other for name, other in names.items() if name.isupper()}


def _with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a text that holds nothing of a user with other names: of constants wherever they stand, of functions where they are called."""
    for name, other in names.items():
        called = "" if name.isupper() else r"(?=\()"
        text = re.sub(rf"(?<![\w.]){name}\b{called}", other, text)
    return text


def _with_names_of_constants(text: str, names: Mapping[str, str]) -> str:
    """Return constants with other names. What a user typed stands in literals, which stay as they are."""
    lines = text.split(LINE_END)
    for token in reversed([*tokenize.generate_tokens(io.StringIO(text).readline)]):
        (row, start), (_, end) = token.start, token.end
        if token.type == tokenize.COMMENT:
            told = _with_names(token.string, _upper(names))
        elif token.type == tokenize.NAME and token.string in names:
            told = names[token.string]
        else:
            continue
        lines[row - 1] = lines[row - 1][:start] + told + lines[row - 1][end:]
    return LINE_END.join(lines)
