"""What a script of a plan says of its releases, in its head and above each of them, and what its user should know."""

from __future__ import annotations

from collections.abc import Sequence

from par_core.export import release_words
from par_core.mechanisms import PermuteAndFlip, drawn
from par_core.plan import NamedRelease, Plan, Release
from par_core.plan.named import COPIED
from par_core.queries.quantile_shape import QuantileShape, quantile_name
from par_core.queries.shapes import CountsShape
from par_core.release import PlannedRelease
from par_core.rounding import amount


def year(plan: Plan, epsilon: float) -> str:
    """Return the plan as lines of the head of a script; `epsilon` is what all releases spend together."""
    said = [f"release {at + 1}: {_release(plan, at)}" for at in range(len(plan.releases))]
    said.append(
        f"a run of all of them spends at most epsilon {amount(plan.epsilon0, 4)}{f' at delta {plan.delta:g}' * (plan.in_l2 > 0)}"
    )
    said.append(f"all runs together spend at most epsilon {amount(epsilon, 4, toward='up')} at delta {plan.delta:g}")
    return "\n".join(f"  - {each}" for each in said)


def heading(plan: Plan, at: int, named: NamedRelease, planned: PlannedRelease) -> list[str]:
    """Return what stands above a release in a script. No name of a column or a category is in it."""
    does = release_words.does(planned, capped=bool(named.person)).split("\n")
    mark = [f"Categories: {COPIED}"] * named.copied
    return [f"--- Release {at + 1}: {_release(plan, at)} ---", *mark, "It", *does]


def notes(named: Sequence[NamedRelease], planned: Sequence[PlannedRelease]) -> tuple[str, ...]:
    """Return what the user of a script should know before it is run: what holds of all releases first, then what does of some."""
    told: dict[str, list[int]] = {}
    for number, (each, one) in enumerate(zip(named, planned, strict=True), start=1):
        person = each.person or None
        for note in release_words.notes(one, rows=each.release.rows, person=person, over=each.over):
            told.setdefault(note, []).append(number)
    of_all = [note for note, numbers in told.items() if len(numbers) == len(named)]
    of_some = [
        f"Release {', '.join(map(str, numbers))}: {note}" for note, numbers in told.items() if note not in of_all
    ]
    ledger = (
        "A ledger beside the script counts the runs of each release, and refuses any after the last. Keep it: without it, "
        "with an older copy or with its end cut off, runs are not counted."
    )
    return (ledger, *of_all, *of_some)


def what(release: Release) -> str:
    """Return what a release publishes, without names."""
    shape = release.shape
    if isinstance(shape, QuantileShape):
        return quantile_name(shape.alpha)
    if not isinstance(shape, CountsShape):
        return shape.noun if shape.k == 1 else f"{shape.k:,} {shape.noun}s"
    return f"{shape.k:,} count{'s' * (shape.k > 1)}{' of persons' * shape.persons}"


def _release(plan: Plan, at: int) -> str:
    """Return what a release is, without names: “12 counts of persons, Laplace noise with epsilon 0.1, 12 times”."""
    release = plan.releases[at]
    level = amount(plan.levels[at], 4)
    times = "once" if release.times == 1 else f"{release.times:,} times"
    whole = isinstance(release.shape, CountsShape)
    noise = f"{drawn(whole=whole, mechanism=release.mechanism).name} noise with epsilon {level}"
    if release.shape.is_selection:
        noise = f"{PermuteAndFlip.name} with epsilon {level}"
    if release.norm == "L2":
        noise = f"Gaussian noise with {level} of EPSILON_GAUSSIAN"
    return f"{what(release)}, {noise}, {times}"
