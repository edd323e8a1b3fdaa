"""`par audit --cluster`: what is told of a data set that is larger than memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from par_core.cli.answer import Answer, Gate, Row
from par_core.evidence import Quantity
from par_core.rounding import amount

if TYPE_CHECKING:
    from par_distributed import DatasetAudit


def answer(result: DatasetAudit, settings: Mapping[str, Any], gate: Gate | None) -> Answer:
    """Return what the audit has found; what it has found of each individual stands in its folder."""
    rows, sure = [], f"both limits hold with probability {result.level:g}"
    for at, level in enumerate(result.epsilons):
        where, exposed = f"ε = {amount(float(level), 10)}", int(result.exposed[at])
        rows += [
            Row(f"largest δ at {where}", result.quantity("delta", at)),
            Row(f"true one, at least, at {where}", result.quantity("lower", at), "", sure),
            Row(f"true one, at most, at {where}", result.quantity("upper", at), "", sure),
            Row(f"total risk at {where}", result.quantity("total", at), "", "no probability of a breach"),
            Row(
                f"individuals exposed at {where}",
                Quantity(exposed, "count", result.evidence),
                f"of {result.individuals:,}",
                counted=True,
            ),
        ]
    rows.append(Row("nobody exposed from ε", result.quantity("loss")))
    count, worst = len(result.databases), amount(float(result.delta.max()))
    return Answer(
        f"{result.individuals:,} individuals in {count:,} databases: the largest δ is {worst}; below 1/{count:,} nothing can be said.",
        {**settings, "databases": count, "individuals": result.individuals},
        tuple(rows),
        (
            result.independent.words,
            result.comparable.words,
            "The folder names everybody with their δ: it is as sensitive as the data.",
            result.limits,
        ),
        gate,
    )
