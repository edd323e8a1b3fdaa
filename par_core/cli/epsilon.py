"""`par epsilon`: which privacy levels meet all that a steward wishes, or which two wishes collide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from par_core.cli.scenario_options import scenario_options
from par_core.cli.shell import NUMBER, WHOLE, Command
from par_core.errors import ParameterError

if TYPE_CHECKING:
    from par_core.cli.answer import Answer
    from par_core.decision import Wish
    from par_core.progress import Progress

_FIELDS = (
    *("sensitivity", "neighbours", "rows_per_person", "statistics", "releases"),
    *("delta", "mechanism", "stakeholders", "compensation", "currency"),
)
_TWO = (NUMBER, NUMBER)

_EXAMPLES = (
    "par epsilon --error 6 --belief 0.1 0.3",
    "par epsilon --error 10 --belief 0.5 0.7 --releases 2 --gate 0.4 --format json",
    'par epsilon --error 1 --advantage 0.1 --format csv || echo "These wishes collide"',
)


@click.command(
    "epsilon", cls=Command, examples=_EXAMPLES, short_help="Which levels ε₀ meet all wishes, or which wishes collide."
)
@click.option("--error", type=NUMBER, metavar="WITHIN", help="Each number is within that in 95 of 100 releases.")
@click.option("--group", type=WHOLE, metavar="ROWS", help="Counts from that up are right within 10 % in 95 of 100.")
@click.option(
    "--belief", type=_TWO, multiple=True, metavar="PRIOR MOST", help="Anyone PRIOR sure becomes at most MOST sure."
)
@click.option("--rise", type=NUMBER, metavar="POINTS", help="No belief rises by more, as a share.")
@click.option("--attack", type=_TWO, metavar="FALSE TRUE", help="At FALSE alarms no attack hits more than TRUE.")
@click.option(
    "--baseline", type=_TWO, metavar="UNAIDED MOST", help="Whoever succeeds UNAIDED so often succeeds at most MOST."
)
@click.option("--advantage", type=NUMBER, metavar="MOST", help="True positives less false positives, of any attack.")
@click.option("--money", type=NUMBER, metavar="BUDGET", help="A breach costs that at most, on average, by equation 8.")
@click.option("--total", type=NUMBER, metavar="EPSILON", help="All planned releases together spend at most that, at δ.")
@scenario_options(*_FIELDS)
@click.option("--gate", type=NUMBER, metavar="EPSILON0", help="Exit with 3 unless that level meets all wishes.")
def command(scenario: str | None, gate: float | None, progress: Progress, **given: Any) -> Answer:  # noqa: ARG001  # every command gets it
    """Which privacy levels ε₀ meet all wishes. Exit code 3 where two of them collide.

    The error is per release; everything else covers all planned releases. Shares go from 0 to 1.
    """
    from par_core.cli.answer import Answer, Gate, Row
    from par_core.cli.scenario_options import scenario_of
    from par_core.decision import LARGEST, SMALLEST
    from par_core.figures.decision_words import colliding, levels_of, name_of, number_of, promise_of, would_give
    from par_core.parameters import check_number
    from par_core.questions.decide.which_epsilon0 import WhichEpsilon0
    from par_core.rounding import amount

    if gate is not None:
        check_number("gate", gate, at_least=SMALLEST, at_most=LARGEST)
    settled = scenario_of(scenario, {name: given.pop(name) for name in _FIELDS})
    wishes = _wishes(given)
    if not wishes:
        raise ParameterError("at least one wish must be given, such as --error 6")
    settled.release  # noqa: B018  # asked for the sake of its error
    answer = WhichEpsilon0(settled, tuple(wishes)).answer()
    found, rows = answer.found, []
    for wish, band in zip(found.wishes, found.bands, strict=True):
        end = band.quantity("high" if wish.upper else "low")
        nowhere = f"met by no level from {SMALLEST:g} to {LARGEST:g}"
        note = promise_of(wish, band, settled) if band.possible else nowhere
        rows.append(Row(f"{name_of(wish)}: ε₀ at {'most' if wish.upper else 'least'}", end, "", note))
    if found.possible:
        headline = f"Take ε₀ {levels_of(found)}"
        rows += [
            Row(f"all wishes: ε₀ at {name}", end) for name, end in zip(("least", "most"), answer.ends, strict=True)
        ]
    elif (worst := found.collision) is not None:
        headline = f"No ε₀ meets all wishes: {colliding(found)}. {would_give(found, settled.currency)}"
        for wish, would in (
            *((each.first, each.quantity("first_would")) for each in found.collisions if each.second == worst.second),
            *((each.second, each.quantity("second_would")) for each in found.collisions if each.first == worst.first),
        ):
            asked = f"instead of {number_of(wish, settled.currency)}"
            rows.append(Row(f"{name_of(wish)}: would be", would, "", asked))
    else:
        lost = (name_of(wish) for wish, band in zip(found.wishes, found.bands, strict=True) if not band.possible)
        headline = f"No ε₀ meets all wishes: none meets {', '.join(lost)}"
    passes, why = found.possible, headline
    if found.possible and gate is not None:
        missed = [name_of(wish) for wish in found.missed(gate)]
        passes = not missed
        why = f"ε₀ = {amount(gate, 12)} {'misses ' + ', '.join(missed) if missed else 'meets all wishes'}"
    rests_on = (
        f"{name_of(wish)}: {band.source}; {band.limits}" for wish, band in zip(wishes, found.bands, strict=True)
    )
    return Answer(
        f"{headline}.",
        {name: getattr(settled, name) for name in _FIELDS},
        tuple(rows),
        tuple(f"{each.removesuffix('.')}." for each in dict.fromkeys(rests_on)),
        Gate(passes, why),
        currency=settled.currency,
    )


def _wishes(given: dict[str, Any]) -> list[Wish]:
    """Return the wishes that the options make, in the order of the options."""
    from par_core.decision import KINDS

    found: list[Wish] = []
    for kind in KINDS:
        value = given[kind.option]
        several = value if kind.option == "belief" else [] if value is None else [value]
        # On the command line a wish's own number comes last.
        found += (kind.made(*(each[::-1] if isinstance(each, tuple) else (each,))) for each in several)
    return found
