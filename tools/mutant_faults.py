"""The faults that may be put into a place of a program: the usual operators of mutation testing."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
CLAMPS = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "fmin": "fmax", "fmax": "fmin"}


def changed(node: ast.AST, **fields: object) -> ast.AST:
    """Return a copy of a node with other fields."""
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def negated(condition: ast.expr) -> ast.expr:
    """Return `not condition`, or what stands behind its `not`."""
    if isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        return condition.operand
    return ast.UnaryOp(ast.Not(), condition)


def clamps(call: ast.Call) -> Iterator[ast.AST]:
    """Drop the clamp of min(a, b), np.maximum(a, b), np.clip(x, low, high) or x.clip(low, high), or turn it around."""
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if name == "clip" and owner:
        yield call.args[0] if isinstance(owner, ast.Name) and owner.id == "np" else owner
    if name in CLAMPS:
        other = CLAMPS[name]
        yield changed(call, func=changed(call.func, attr=other) if owner else ast.Name(other))
        if len(call.args) > 1 and not any(isinstance(each, ast.Starred) for each in call.args):
            yield from call.args


def faults(node: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    """Return what may be put in the place of a node, or of a part of it: pairs of before and after."""
    found: list[tuple[ast.AST, ast.AST]] = []
    match node:
        case ast.Compare():
            for place, operator in enumerate(node.ops):
                for other in COMPARISONS[type(operator)]:
                    operators = [*node.ops[:place], other(), *node.ops[place + 1 :]]
                    found.append((node, changed(node, ops=operators)))
        case ast.BinOp() | ast.AugAssign() if type(node.op) in ARITHMETIC:
            found = [(node, changed(node, op=ARITHMETIC[type(node.op)]()))]
        case ast.UnaryOp() if not isinstance(node.op, ast.UAdd):
            found = [(node, node.operand)]
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            found = [(node, each) for each in (changed(node, op=other), *node.values)]
        case ast.Constant(value=bool()):
            found = [(node, ast.Constant(not node.value))]
        case ast.Constant(value=int() | float()):
            found = [
                (node, ast.Constant(each)) for each in dict.fromkeys([node.value + 1, node.value - 1, 2 * node.value])
            ]
            found = [(node, after) for node, after in found if after.value != node.value]
        case ast.If() | ast.IfExp() | ast.While():
            found = [(node.test, each) for each in (negated(node.test), ast.Constant(False))]
            if not isinstance(node, ast.While):
                found.append((node.test, ast.Constant(True)))
        case ast.comprehension(ifs=[_, *_]):
            found = [(test, each) for test in node.ifs for each in (negated(test), ast.Constant(True))]
        case ast.Return(value=ast.expr()) if ast.unparse(node.value) != "None":
            found = [(node.value, ast.Constant(None))]
            if isinstance(node.value, ast.BinOp):
                found.append((node.value, ast.UnaryOp(ast.USub(), node.value)))
            if isinstance(node.value, ast.Compare | ast.BoolOp | ast.UnaryOp):
                found.append((node.value, negated(node.value)))
        case ast.Call():
            found = [(node, each) for each in clamps(node)]
            for place, keyword in enumerate(node.keywords):
                if keyword.arg:
                    found.append((node, changed(node, keywords=node.keywords[:place] + node.keywords[place + 1 :])))
    return found
