"""Scripts that publish the releases of a plan with OpenDP, with one ledger for all of them, on the user's own file and machine."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from par_core.errors import ParameterError
from par_core.evidence import MODEL, PROVEN, Evidence, Result
from par_core.export import plan_script_words, release_meaning
from par_core.export.release_code import (
    CSV,
    OPENDP,
    PLACEHOLDER,
    REQUIREMENTS,
    SCIPY,
    check_bounds,
    made_for_release,
)
from par_core.export.release_constants import kinds, literal, notations, of_file, of_plan
from par_core.export.run_limit import LEDGER
from par_core.export.scripts.made_for import MadeFor
from par_core.export.sections import Section, own_name, with_sections
from par_core.ledger.reserving import digest_of
from par_core.mechanisms import NOISES
from par_core.parameters import check_choice, check_list, check_type, shown
from par_core.plan import NamedRelease, Plan
from par_core.queries import Kind, PersonCounts
from par_core.queries.sensitivity import AS_MANY
from par_core.queries.shapes import NumbersShape
from par_core.release import PlannedRelease, plan_release
from par_core.release.error import release_error
from par_core.rounding import rounded
from par_core.tables.file_format import FileFormat

_MODULES = (  # in the order of what they hold in a script
    "files",
    "reading",
    "par_core.tables.notation",
    "columns",
    "persons",
    "conditions",
    "noise",
    "cells",
    "sums",
    "quantiles",
    "counts",
    "statistic",
    "ready",
    "gaussian_proof",
    "ledger",
    "plan_ledger",
    "reservation",
    "release",
    "plan",
)
_OF_STEPS = 1e-9  # of all epsilons: one person moves a sum by 2^35 steps or more, and noise in steps loses hardly more than without


@dataclass(frozen=True)
class PlanCode(Result):
    """A script that publishes the releases of a plan, what it needs from PyPI, and what its user should know.

    `epsilon` is what all of them spend together at the delta of the plan, with four digits and on the safe side. `repr` hides the script,
    which holds the user's columns and categories.
    """

    text: str
    requirements: tuple[str, ...]
    notes: tuple[str, ...]
    plan: Plan
    epsilon: float

    @property
    def evidence(self) -> Evidence:
        """Proven, or by the user's model where a release is as private as planned only if as many rows replace a person's rows."""
        source = f"privacy map of {OPENDP}, checked by the script itself before it measures anything"
        if self.plan.assumes_as_many:
            return Evidence(MODEL, source=f"{source}, if {AS_MANY}")
        return Evidence(PROVEN, source=source)

    def __repr__(self) -> str:
        return f"PlanCode(requirements={self.requirements!r}, text=<hidden>)"


def plan_code(
    plan: Plan,
    named: Sequence[NamedRelease],
    *,
    file: str = PLACEHOLDER,
    csv: FileFormat = CSV,
    person_kind: Kind = Kind.TEXT,
    dates: Collection[str] = (),
    header: Sequence[str] = (),
) -> PlanCode:
    """Return a script that publishes all releases of a plan, each as often as planned, and keeps one ledger for all of them.

    `named` holds the releases of the plan in their order, with the names of one table; those that have a person column have the same one.
    Each release keeps to its own rows per person. Other parameters are as in `planned_code`.

    A run publishes every release that has runs left, or only some of them. Before it measures anything, the script checks that OpenDP
    proves no more epsilon of any release than planned, and adds it up exactly. All Gaussian noise of a run is one release at the level
    `plan.in_l2` and the plan's delta: OpenDP proves its rho, and the exact law of Gaussian noise turns that into a delta.

    ParameterError for releases that are not those of the plan, several statistics in one of them, several person columns, a column asked
    for as text in one place and as numbers in another, or more than 1,000,000 releases in all.

    >>> from par_core.plan import Release
    >>> from par_core.queries import Condition, Count
    >>> count = Count(Condition("age", ">=", 18))
    >>> release = Release(count.shape, times=12)
    >>> code = plan_code(Plan((release,)), [NamedRelease(release, count)])
    >>> code.epsilon, "EPSILON_R1 = 0.5" in code.text
    (5.998, True)
    """
    check_type("plan", plan, Plan)
    check_type("file", file, str)
    check_type("csv", csv, FileFormat)
    check_choice("person_kind", person_kind, (Kind.TEXT, Kind.NUMBER))
    releases = _checked(plan, named)
    planned = [_planned(plan, at, each) for at, each in enumerate(releases)]
    person = next((each.person for each in releases if each.person), None)
    held = _kinds(releases)
    of_person = held.get(person or "", person_kind)
    written = notations(held, csv=csv, person=person, of_person=person_kind, dates=dates)
    gaussian = plan.in_l2 > 0
    needed = (*REQUIREMENTS, SCIPY) if gaussian else REQUIREMENTS
    epsilon = _together(plan)
    sections = [
        Section(
            made_for_release(
                one,
                of_person=of_person if each.person else None,
                over=each.over,
                dates=dates,
                notations=bool(written),
            ),
            _values(plan, at, each, one),
            {"publicity": release_meaning.publicity(one)},
            plan_script_words.heading(plan, at, each, one),
        )
        for at, (each, one) in enumerate(zip(releases, planned, strict=True))
    ]
    text = with_sections(
        sections,
        made_for=MadeFor(gaussian=gaussian, notations=bool(written), numbered_persons=of_person is Kind.NUMBER),
        order=_MODULES,
        words={
            "requirements": " ".join(f"'{each}'" for each in needed),
            "year": plan_script_words.year(plan, epsilon),
        },
        values={
            **of_file(held, file=file, csv=csv, person=person, of_person=person_kind, dates=dates, header=header),
            **({} if person is None else {"PERSON": literal(person)}),
            "LEDGER": literal(LEDGER),
            "EPSILON": literal(plan.epsilon0),
            **({"EPSILON_GAUSSIAN": literal(plan.in_l2), "DELTA": literal(plan.delta)} if gaussian else {}),
        },
        last={
            "PLAN": _plan(plan, planned, epsilon),
            "RESERVED": literal(digest_of(plan)),
            "RELEASES": _releases(len(planned)),
        },
        renamed={"proven_delta": {"EPSILON": "EPSILON_GAUSSIAN"}},
    )
    return PlanCode(text, needed, plan_script_words.notes(releases, planned), plan, epsilon)


def _checked(plan: Plan, named: Sequence[NamedRelease]) -> list[NamedRelease]:
    found = [check_type("named", each, NamedRelease) for each in check_list("named", named)]
    for number, release in enumerate(plan.releases, start=1):
        if isinstance(release.shape, NumbersShape):
            raise ParameterError(
                f"a script cannot publish release {number}: the plan does not say what its numbers are"
            )
        check_choice("mechanism", release.mechanism, tuple(NOISES))
        if release.statistics > 1:
            raise ParameterError(
                f"release {number} must be 1 statistic, got {release.statistics:,}: each needs a query, and a release, of its own"
            )
    if [each.release for each in found] != list(plan.releases):
        raise ParameterError("named must hold each release of the plan, in the order of the plan")
    if len({each.person for each in found if each.person}) > 1:
        raise ParameterError("all releases must have the same person column, where they have one")
    for each in found:
        check_bounds(each.query)
    return found


def _kinds(named: Sequence[NamedRelease]) -> dict[str, Kind]:
    """Return what each column has to hold that some release uses."""
    found: dict[str, Kind] = {}
    for each in named:
        for column, kind in kinds(each.query).items():
            if found.setdefault(column, kind) is not kind:
                raise ParameterError(f"column {shown(column)} cannot hold both {found[column]} and {kind}")
    return found


def _planned(plan: Plan, at: int, named: NamedRelease) -> PlannedRelease:
    """Return a release with the noise that it has in the plan: in L2, its part of that at the level of all that is in L2."""
    release = named.release
    planned = plan_release(
        named.query,
        plan.levels[at] if release.norm == "L1" else plan.in_l2,
        neighbours=plan.neighbours,
        rows_per_person=release.rows_per_person,
        rows=release.rows,
        mechanism=release.mechanism,
        delta=plan.delta,
    )
    if release.norm == "L1":
        return planned
    parts = [
        replace(
            each,
            error=release_error(
                plan.in_l2,
                float(noise.sensitivity),  # type: ignore[attr-defined]  # noise is a dataclass with one
                k=each.part.k,
                whole=each.part.whole,
                mechanism=planned.mechanism,
                delta=plan.delta,
            ),
        )
        for each, noise in zip(planned.parts, plan.noises(at), strict=True)
    ]
    return replace(planned, parts=tuple(parts))


def _values(plan: Plan, at: int, named: NamedRelease, planned: PlannedRelease) -> dict[str, str]:
    """Return the constants of one release that have a value of their own."""
    found = of_plan(planned, rows=named.release.rows, person=None)
    found |= {"EPSILON": literal(plan.levels[at]), "NAME": literal(release_meaning.named(named.query))}
    if planned.norm == "L2":
        joint = NOISES["gaussian"].for_epsilon(plan.in_l2, sensitivity=1.0, delta=plan.delta)
        found["RHO"] = literal(plan.levels[at] / plan.in_l2 / (2 * float(joint.scale) ** 2))
        del found["DELTA"], found["STATISTICS"]
    return found


def _together(plan: Plan) -> float:
    """Return the epsilon of all releases together at the delta of the plan, also with sums in the steps of a script."""
    spent = math.fsum(level * each.times for level, each in zip(plan.levels, plan.releases, strict=True))
    return rounded(float(plan.together.epsilon(plan.delta)) + _OF_STEPS * spent, 4, toward="up")


def _plan(plan: Plan, planned: Sequence[PlannedRelease], epsilon: float) -> str:
    """Return the plan as the script holds it, and the ledger: with no names of columns or categories."""
    lines = []
    for number, (release, each) in enumerate(zip(plan.releases, planned, strict=True), start=1):
        most = "CELLS_PER_PERSON" if isinstance(each.query, PersonCounts) else "ROWS_PER_PERSON"
        names = {"epsilon": "EPSILON", **({"rho": "RHO"} if each.norm == "L2" else {}), "rows_per_person": most}
        held = {
            "publishes": literal(plan_script_words.what(release)),
            "times": literal(release.times),
            **{key: own_name(name, number) for key, name in names.items()},
        }
        first, second, *others = [f"{literal(key)}: {value}" for key, value in held.items()]
        lines += [f"        {{{first}, {second},", f"         {', '.join(others)}}},"]
    held = {
        "epsilon": "EPSILON",
        **({"epsilon_gaussian": "EPSILON_GAUSSIAN"} if plan.in_l2 else {}),
        "neighbours": literal(str(plan.neighbours)),
        "epsilon_of_all": literal(epsilon),
        "delta_of_all": literal(plan.delta),
    }
    entries = [f"    {literal(name)}: {value}," for name, value in held.items()]
    return "\n".join(["{", '    "releases": [', *lines, "    ],", *entries, "}"])


def _releases(number: int) -> str:
    return "{" + ", ".join(f"{each}: {own_name('ready', each)}" for each in range(1, number + 1)) + "}"
