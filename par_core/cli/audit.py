"""`par audit`: whether a query on repeated databases gives anyone away, and a gate that stops its release."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import click

from par_core.cli.shell import NUMBER, Command
from par_core.errors import ParameterError

if TYPE_CHECKING:
    import pandas as pd

    from par_core.audit import AuditResult, Panel
    from par_core.audit.auditing import AuditAt
    from par_core.audit.intervals import AuditIntervals
    from par_core.audit.query import PanelQuery
    from par_core.cli.answer import Answer, Gate, Row
    from par_core.progress import Progress
    from par_distributed import DatasetAudit

_EXAMPLES = (
    'par audit builtin:county_murders --individual county --database year --value murder_rate --epsilon 0.1 --gate 0.1 || echo "stop"',
    "par audit panel.csv --individual person --epsilon 0.1 --epsilon 1 --independent --gate 0.2 --format json",
    "par audit panel.csv --individual person --epsilon 0.1 --query quantile=0.5 --ranking ranking.csv",
    "par audit panel.parquet --individual person --epsilon 0.1 --cluster local --folder audit --progress",
)


@click.command(
    "audit", cls=Command, examples=_EXAMPLES, short_help="Whether numbers from repeated databases give anyone away."
)
@click.argument("data", type=click.Path(allow_dash=True))
@click.option("--individual", required=True, metavar="COLUMN", help="Says whose a record is.")
@click.option(
    "--database", metavar="COLUMN", help="Says in which database a record is; without it every other column is one."
)
@click.option("--value", metavar="COLUMN", help="The numbers that are asked for, with --database.")
@click.option(
    "--epsilon", type=NUMBER, multiple=True, required=True, metavar="NUMBER", help="Level; may be given several times."
)
@click.option(
    "--query",
    default="mean",
    show_default=True,
    metavar="QUERY",
    help="mean, sum, count, variance, share-above=NUMBER or quantile=SHARE of every database.",
)
@click.option("--independent", is_flag=True, help="You know that the databases were drawn independently.")
@click.option(
    "--ranking", type=click.Path(dir_okay=False), metavar="FILE", help="Write δ of every individual as CSV, with names."
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Read Parquet in blocks on a Dask cluster: the address of its scheduler, or local for the cores of this machine.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False),
    help="With --cluster: where the results go; the same command goes on from what is there.",
)
@click.option("--gate", type=NUMBER, metavar="DELTA", help="Exit with 3 unless every δ is shown to be at most that.")
def command(
    data: str,
    individual: str,
    database: str | None,
    value: str | None,
    epsilon: tuple[float, ...],
    query: str,
    independent: bool,
    ranking: str | None,
    cluster: str | None,
    folder: str | None,
    gate: float | None,
    progress: Progress,
) -> Answer:
    """Whether the same number, published of repeated databases without noise, gives anyone away.

    DATA is a CSV, TSV, Parquet or NPZ file, or - for stdin: a record in each row, or an individual in each row and a database
    in each column. builtin:county_murders is there to try. With --cluster it is a Parquet file or a folder of them, of any size;
    the query is then mean, sum, count or share-above. The answer names nobody; --ranking and --folder do.

    The gate fails where a δ is above DELTA, where there are too few databases to tell, and where a check speaks against the
    audit.
    """
    from dataclasses import replace

    from par_core.audit import audit, intervals
    from par_core.audit.ranking import ranking_table
    from par_core.cli import files
    from par_core.cli.answer import Answer, Row
    from par_core.parameters import check_number
    from par_core.progress import portion
    from par_core.rounding import amount

    if gate is not None:
        check_number("gate", gate, at_least=0, at_most=1)
    if (cluster is None) != (folder is None) or (cluster is not None and ranking is not None):
        raise ParameterError("--cluster and --folder must be given together, and without --ranking")
    levels = [check_number("epsilon", each, at_least=0, at_most=500) for each in dict.fromkeys(epsilon)]
    asked = _query(query)
    if cluster is not None and folder is not None:
        from par_core.cli.audit_dataset import answer
        from par_distributed import audit_dataset

        given: dict[str, Any] = {"individual": individual, "database": database, "value": value}
        given |= {"folder": folder, "cluster": cluster, "independent": independent}
        before = logging.root.manager.disable
        logging.disable(logging.CRITICAL)  # Dask has much to say of a lost scheduler, where a sentence does
        try:
            found = audit_dataset(data, asked, epsilons=levels, progress=progress, **given)
        finally:
            logging.disable(before)
        judgement = None if gate is None else judged(found, float(found.delta.max()), gate)
        return answer(found, {"query": query, "epsilon": levels, "folder": folder}, judgement)
    panel = _panel(files.read(data).frame, individual, database, value)
    if independent:
        panel = replace(panel, independent=True)
    result = audit(panel, asked, epsilons=levels, progress=portion(progress, 0.0, 0.5))
    rows, largest, tables = [], 0.0, []
    for done, level in enumerate(levels):
        start, end = (0.5 + 0.5 * (done + part) / len(levels) for part in (0, 1))
        at, ends = result.at(level), intervals(result, level, progress=portion(progress, start, end))
        largest = max(largest, at.delta)
        rows += _rows_at(at, ends)
        tables.append(ranking_table(result, at, masked=False).assign(epsilon=level))
    rows.append(Row("nobody exposed from ε", result.as_quantity("losses", result.losses.max())))
    count = len(result.databases)
    named = () if ranking is None else ((ranking, _ranking(result, tables, query)),)
    checks = tuple(each.words for each in (result.independent, result.comparable))
    worst = amount(largest)
    return Answer(
        f"{len(result.losses):,} individuals in {count:,} databases: the largest δ is {worst}; below 1/{count:,} nothing can be said.",
        {"query": query, "epsilon": levels, "databases": count, "individuals": len(result.losses)},
        tuple(rows),
        (*checks, result.limits),
        None if gate is None else judged(result, largest, gate),
        named,
    )


def _rows_at(at: AuditAt, ends: AuditIntervals) -> list[Row]:
    """Return what is found at one ε."""
    from par_core.cli.answer import Row
    from par_core.evidence import Quantity
    from par_core.rounding import amount

    where, sure = f"ε = {amount(at.epsilon, 10)}", f"both limits hold with probability {ends.level:g}"
    exposed = Quantity(at.exposed, "count", at.evidence)
    return [
        Row(f"largest δ at {where}", at.quantity("delta")),
        Row(f"true one, at least, at {where}", ends.as_quantity("lower", ends.delta[0]), "", sure),
        Row(f"true one, at most, at {where}", ends.as_quantity("upper", ends.delta[1]), "", sure),
        Row(f"total risk at {where}", at.quantity("total"), "", "no probability of a breach"),
        Row(f"individuals exposed at {where}", exposed, f"of {len(at.deltas):,}", counted=True),
    ]


def _ranking(result: AuditResult, tables: list[pd.DataFrame], query: str) -> str:
    """Return the rankings at all levels as CSV, with names."""
    import pandas as pd

    import par_core
    from par_core.export import safe_csv

    head = {
        "title": "Ranking of an empirical audit",
        "query": query,
        "names": "as in the data: the ranking itself is sensitive",
        "standing": f"{result.evidence.basis.value}; {result.limits}",
    }
    return safe_csv.as_csv(pd.concat(tables), head, version=par_core.__version__)


def judged(result: AuditResult | DatasetAudit, largest: float, gate: float) -> Gate:
    """Return whether the largest δ is shown to be at most that of the gate."""
    from par_core.cli.answer import Gate, beside
    from par_core.rounding import amount

    count, allowed = len(result.databases), amount(gate, 12)
    failed = [each for each in (result.independent, result.comparable) if each.failed and not result.by_construction]
    if largest > gate:
        return Gate(False, f"the largest δ, {beside(largest, gate, 3)}, is above {allowed}")
    if gate < result.floor:
        return Gate(
            False, f"{count:,} databases cannot show that δ is at most {allowed}: below 1/{count:,} they say nothing"
        )
    if failed:
        return Gate(False, " ".join(each.words.removesuffix(".") for each in failed))
    return Gate(True, f"the largest δ, {beside(largest, gate, 3)}, is not above {allowed}")


def _panel(frame: pd.DataFrame, individual: str, database: str | None, value: str | None) -> Panel:
    from par_core.audit import Panel

    if (database is None) != (value is None):
        raise ParameterError("--database and --value must be given together")
    if database is None or value is None:
        return Panel.from_wide(frame, individual=individual)
    return Panel.from_long(frame, database=database, individual=individual, value=value)


def _query(text: str) -> PanelQuery:
    from par_core.audit import queries
    from par_core.audit.variance_and_quantile import PanelQuantile
    from par_core.scenario import is_decimal

    if text in queries.PLAIN:
        return queries.PLAIN[text]()
    of_number = {"share-above": queries.ShareAbove, "quantile": PanelQuantile}
    name, _, number = text.partition("=")
    if name in of_number and is_decimal(number):
        asked: PanelQuery = of_number[name](float(number))
        return asked
    raise ParameterError(
        f"--query must be {', '.join(queries.PLAIN)}, share-above=NUMBER or quantile=SHARE, got {text[:40]!r}"
    )
