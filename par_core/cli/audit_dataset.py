"""`par audit --cluster`: the same question to a data set that is larger than memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from par_core.cli.answer import Answer, Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from par_core.audit.query import PanelQuery
    from par_core.progress import Progress


def answer(
    data: str,
    query: PanelQuery,
    *,
    individual: str,
    database: str | None,
    value: str | None,
    levels: Sequence[float],
    folder: str,
    cluster: str,
    gate: float | None,
    independent: bool,
    settings: dict[str, object],
    progress: Progress,
) -> Answer:
    """Return what the audit finds; all that is written of the individuals stands in the folder."""
    from par_core.audit.distributed import audit_dataset
    from par_core.cli.audit import judged
    from par_core.rounding import amount

    result = audit_dataset(
        data,
        query,
        epsilons=levels,
        folder=folder,
        individual=individual,
        database=database,
        value=value,
        cluster=cluster,
        independent=independent,
        progress=progress,
    )
    rows = []
    for at, level in enumerate(result.epsilons):
        where = f"ε = {amount(float(level), 10)}"
        rows += [
            Row(f"largest δ at {where}", result.quantity("delta", at)),
            Row(f"total risk at {where}", result.quantity("total", at), "", "no probability of a breach"),
            Row(
                f"individuals exposed at {where}",
                int(result.exposed[at]),
                f"of {result.individuals:,}",
                standing=result.standing,
            ),
        ]
    rows.append(Row("nobody exposed from ε", result.quantity("loss")))
    largest, count = float(result.delta.max()), len(result.databases)
    return Answer(
        f"{result.individuals:,} individuals in {count:,} databases: the largest δ is {amount(largest)}; "
        f"below 1/{count:,} nothing can be said.",
        {**settings, "databases": count, "individuals": result.individuals, "folder": folder},
        tuple(rows),
        (
            result.independent.words,
            result.comparable.words,
            "δ of every individual, with names, is in the folder: it is as sensitive as the data.",
            result.limits,
        ),
        None if gate is None else judged(result, largest, gate),
    )
