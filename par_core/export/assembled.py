"""Scripts out of the modules in `scripts/`: what a script is not made for is left out, and what it imports from there goes into it.

Each module is first specialised as `par_core.export.specialised` says. Of every one the functions stay that `main` needs in the end. What a
user typed enters as literals only, after all else is done: none of it can become code.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from par_core.export.pieces import (
    BETWEEN,
    LINE_END,
    defines,
    filled,
    imported,
    imports,
    kept,
    needed_for,
    pieces_of,
    with_value,
)
from par_core.export.scripts.made_for import MadeFor
from par_core.export.specialised import specialised


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
    pieces = [piece for module in order for piece in pieces_of(specialised(module, made_for))]
    doc, *own = pieces_of(specialised(script, made_for))
    *top, guard = [piece for piece in own if not isinstance(piece.node, ast.Import | ast.ImportFrom | ast.FunctionDef)]
    whole_plan = pieces_of(specialised(plan, made_for)) if plan else ()
    planned = [piece for piece in whole_plan if isinstance(piece.node, ast.Assign)]
    defined = {name: piece for piece in [*planned, *pieces] if piece not in top for name in defines(piece.node)}
    needed = needed_for("main", defined)
    functions = [piece for name, piece in defined.items() if name in needed - {"main"} and piece not in planned]
    used = {name for piece in own for name in imported(piece.node)}
    used = used.union(*(piece.names for piece in [*top, guard, defined["main"], *functions]))
    constants = [with_value(piece, values, words) for piece in [*top, *kept(planned, {*values, *needed})]]
    parts = [f"{filled(doc, words)}\n\n{imports(pieces, used)}\n\n" + "\n".join(constants).strip(LINE_END)]
    parts += [filled(each, words) for each in (*functions, defined["main"], guard)]
    return BETWEEN.join(parts) + LINE_END
