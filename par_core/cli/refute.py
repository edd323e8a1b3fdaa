"""`par refute`: whether outputs of a mechanism speak against the privacy that is claimed for it, and a gate that stops there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from par_core.cli.scenario_options import NOISES
from par_core.cli.shell import NUMBER, WHOLE, Command
from par_core.errors import ParameterError

if TYPE_CHECKING:
    from par_core.audit.outputs.answer_sets import Floats
    from par_core.cli.answer import Answer
    from par_core.progress import Progress

_BUILT_IN = tuple(f"builtin:{kind}" for kind in NOISES)
_DRAWN: dict[str, Any] = {"share": 1.0, "pairs": 2_000, "seed": 1}

_EXAMPLES = (
    'par refute builtin:laplace --share 0.5 --epsilon 0.5 --gate || echo "stop"',
    "par refute builtin:gaussian --epsilon 1 --delta 1e-5 --curve gaussian --pairs 500 --seed 7 --format json",
    "par refute outputs.csv --first with --second without --epsilon 1 --gate",
)


@click.command(
    "refute", cls=Command, examples=_EXAMPLES, short_help="Whether a mechanism's outputs refute a claimed ε."
)
@click.argument("data", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--first", metavar="COLUMN", help="Outputs on one input; not needed where DATA has two columns.")
@click.option("--second", metavar="COLUMN", help="Outputs on the neighbouring input.")
@click.option("--epsilon", type=NUMBER, required=True, metavar="NUMBER", help="Claimed ε.")
@click.option("--delta", type=NUMBER, default=0.0, show_default=True, metavar="NUMBER", help="Claimed δ.")
@click.option("--curve", type=click.Choice(NOISES), help="Claim the whole trade-off curve of that noise.")
@click.option("--share", type=NUMBER, show_default="1", metavar="NUMBER", help="Built-in only: share of its noise.")
@click.option("--pairs", type=WHOLE, show_default="2000", metavar="NUMBER", help="Built-in only: pairs that are drawn.")
@click.option("--seed", type=WHOLE, show_default="1", metavar="NUMBER", help="Built-in only: seed of the draws.")
@click.option("--gate", is_flag=True, help="Exit with 3 if the claim is refuted.")
def command(
    data: str,
    first: str | None,
    second: str | None,
    epsilon: float,
    delta: float,
    curve: str | None,
    gate: bool,
    progress: Progress,
    **drawn: Any,
) -> Answer:
    """Whether outputs of a mechanism on two neighbouring inputs refute the ε that is claimed for it. Nothing confirms a claim.

    DATA is a CSV, TSV or Parquet file, or - for stdin: in each row an output on either input, all drawn independently.
    builtin:laplace, builtin:discrete-laplace and builtin:gaussian are there to try; with a --share below 1 they break their claim.
    """
    from par_core.audit.outputs import try_on
    from par_core.cli.answer import Answer, Gate, Row
    from par_core.evidence import Quantity
    from par_core.mechanisms import NOISES as KINDS
    from par_core.parameters import check_number
    from par_core.questions.mechanism_lab.refute_claim import outcome
    from par_core.rounding import amount, small

    claimed: Any = check_number("epsilon", epsilon, at_least=0, at_most=500)
    claim = f"ε = {amount(epsilon, 12)}{f', δ = {small(delta)}' if delta else ''}"
    if curve is not None:
        claimed = KINDS[curve].for_epsilon(epsilon, sensitivity=1, delta=delta)
        claim = f"the curve of {claimed.name} noise at {claim}"
        if claimed.guarantee.delta != delta:
            raise ParameterError("with --curve, --delta is for Gaussian noise only")
    settings = {"epsilon": epsilon, "delta": delta, "curve": curve or "none"}
    if data in _BUILT_IN:
        if first or second:
            raise ParameterError("--first and --second are for a table")
        drawn = {name: usual if drawn[name] is None else drawn[name] for name, usual in _DRAWN.items()}
        outputs = _drawn(data.removeprefix("builtin:"), epsilon, delta, **drawn)
        settings |= drawn
    elif given := [name for name, value in drawn.items() if value is not None]:
        raise ParameterError(f"--{given[0]} is for a built-in mechanism, such as {_BUILT_IN[0]}")
    else:
        outputs = _read(data, first, second)
    tried = try_on(*outputs, claimed, delta=delta, progress=progress)
    bets, bound, check = tried.refutation, tried.bound, tried.check
    refuted, how = bets.refuted_after is not None or tried.at_once, outcome(tried)
    where = f"an answer {bound.answers.words}; likelier on the {('first', 'second')[bound.likelier - 1]} input"
    rows = [
        Row("pairs looked at", Quantity(bets.pairs, "count", bets.evidence), counted=True),
        Row("highest wealth of bets", bets.quantity("highest"), "", "20 refutes"),
        Row("ε at least, with 95 % confidence", bound.quantity("epsilon"), "", where if bound.epsilon else ""),
    ]
    if check is not None:
        attack = ("false_positive", "false alarms at most"), ("false_negative", "misses at most")
        rows += [Row(f"an attack has {name}", check.quantity(key)) for key, name in attack]
        rows.append(Row("the curve allows no fewer misses than", check.quantity("allowed")))
    notes = (
        "The bets refute a true claim in at most 5 % of samples, and all pairs at once do so as rarely.",
        bets.limits,
    )
    return Answer(
        f"{how[0].upper()}{how[1:]}: {claim}.",
        {**settings, "refuted": refuted},
        tuple(rows),
        notes,
        Gate(not refuted, f"{claim} is {how}") if gate else None,
    )


def _drawn(kind: str, epsilon: float, delta: float, *, share: float, pairs: int, seed: int) -> tuple[Floats, Floats]:
    from par_core.lab.refute_claim import releases
    from par_core.randomness import seeded

    first, second = releases(kind, epsilon, pairs, share=share, delta=delta, rng=seeded(seed)).T
    return first, second


def _read(data: str, first: str | None, second: str | None) -> tuple[Floats, Floats]:
    from par_core.audit.outputs import outputs_of
    from par_core.cli import files

    table = files.read(data)
    names = [each.name for each in table.columns]
    if first is None and second is None and len(names) == 2:
        first, second = names
    if first is None or second is None:
        raise ParameterError(f"--first and --second must say which two of the {len(names)} columns hold the outputs")
    return outputs_of(table.frame, first, second)
