"""What a notebook recomputes of each section on composition."""

from __future__ import annotations

from dataclasses import replace

from pages.composition import accountants as drawn
from pages.composition import votes as voted
from pages.composition.mixed_releases import TABLE, is_own
from pages.composition.release_plans import TARGET
from pages.shared.notebook_tables import instead_of_own
from pages.shared.notebooks import NOTHING, possible_scenario, the_scenario
from pages.shared.settings import present_scenario
from pages.shared.uploads import public
from par_core.composition import LARGEST_EPSILON0
from par_core.composition.of_mechanism import holding
from par_core.export.notebook import Cell, code
from par_core.scenario import Scenario

_SMALLEST = 1e-6


def accountants() -> list[Cell]:
    scenario, epsilon0, largest = present_scenario(), drawn.EPSILON0.value(), drawn.LARGEST.value()
    keys, known = drawn.CURVES.value(), ""
    if not scenario.as_published:
        keys = [key for key in keys if key in holding(replace(scenario, epsilon0=epsilon0).release)]
        known = """
            from dataclasses import replace

            from par_core.composition.of_mechanism import compare_of, exact_of

            each = replace(scenario, epsilon0=$epsilon0).release
            exact = exact_of(each, numbers, delta=$delta)
            compared = compare_of(each, $epsilon0, numbers, delta=$delta, keys=$keys, truth=exact)"""
    own = (
        drawn.LARGEST.opens_on == largest
        and scenario.releases <= largest
        and (epsilon0, drawn.DELTA.value()) == (scenario.epsilon0, scenario.delta)
    )
    values = {"epsilon0": epsilon0, "delta": drawn.DELTA.value(), "keys": keys}
    laplace = """
            compared = compare($epsilon0, numbers, delta=$delta, keys=$keys, k=$k)"""
    return [
        the_scenario(),
        code(
            """
            from par_core.composition import compare
            from par_core.figures import composition as figures

            numbers = $numbers"""
            + (known or laplace),
            numbers=list(drawn.numbers(largest)),
            **values,
            **({} if known else {"k": drawn.K.value()}),
        ),
        code(
            """
            at = numbers.index($releases)
            show(f"ε of {numbers[at]:,} releases together", compared.exact.quantity("upper", at))
            for curve in compared.curves:
                show(f"by {figures.short_name(curve.accountant.key)}", curve.quantity("epsilon", at))
            draw(figures.accountants(compared, k=$k))
            """,
            releases=scenario.releases if own else largest,
            k=drawn.K.value(),
        ),
    ]


def _is_composed(scenario: Scenario) -> bool:
    return _SMALLEST <= scenario.epsilon0 <= LARGEST_EPSILON0


def plan() -> list[Cell]:
    scenario = present_scenario()
    if not _is_composed(scenario):
        return [NOTHING]
    start = [the_scenario(), code("goal = {'epsilon': $target, 'delta': scenario.delta}", target=TARGET.value())]
    if not scenario.as_published:
        possible_scenario()
        return [
            *start,
            code(
                """
                from dataclasses import replace

                from par_core.composition.of_mechanism import epsilon0_for_of, largest_compositions_of
                from par_core.errors import InfeasibleError

                found = largest_compositions_of(scenario.release, scenario.epsilon0, **goal)
                show("releases within the target", found.compositions, of=found)
                try:
                    level = epsilon0_for_of(lambda each: replace(scenario, epsilon0=each).release, scenario.releases, **goal)
                    show("ε₀ of each planned release, at most", level.quantity("epsilon0"))
                except InfeasibleError as error:
                    print(error)
                """
            ),
        ]
    return [
        *start,
        code(
            """
            from par_core.composition import ACCOUNTANTS, epsilon0_for, largest_compositions
            from par_core.composition.plans import largest_proven
            from par_core.figures import composition as figures

            keys = ["exact", *ACCOUNTANTS]
            plans = [largest_compositions(key, scenario.epsilon0, **goal, k=scenario.k) for key in keys]
            best = largest_proven(plans, by="compositions")
            show("releases within the target", best.compositions, of=best)
            draw(figures.plans(plans, what="releases"))
            """
        ),
        code(
            """
            from par_core.errors import InfeasibleError

            try:
                level = epsilon0_for("exact", scenario.releases, **goal)
                show("ε₀ of each planned release, at most", level.quantity("epsilon0"))
            except InfeasibleError as error:
                print(error)
            """
        ),
    ]


def mixed() -> list[Cell]:
    scenario = present_scenario()
    rows = [(level, int(count)) for level, count in TABLE.value()]
    if not rows or not (is_own() or _is_composed(scenario)):
        return [NOTHING]
    start = the_scenario()
    if not scenario.as_published:
        possible_scenario()
        return [
            start,
            code(
                """
                from dataclasses import replace

                from par_core.composition.of_mechanism import basic_of, mixed_of

                releases = [replace(scenario, epsilon0=level).release for level, _ in $rows]
                counts = [count for _, count in $rows]
                exact = mixed_of(releases, counts, delta=scenario.delta)
                how = "at most" if exact.is_bound else "exactly"
                added = basic_of(releases, counts, delta=scenario.delta)
                show("releases", sum(counts), of=basic_of)
                show(f"ε of all, {how}", exact.quantity("upper"))
                show("by basic composition", added, of=basic_of)
                """,
                rows=rows,
            ),
        ]
    return [
        start,
        code(
            """
            from par_core.composition import added_up, exact_mixed, releases_in, running

            rows = $rows  # ε₀, and how many releases have it
            levels, counts = zip(*rows)
            exact, added = exact_mixed(levels, counts, delta=scenario.delta), added_up(rows)
            show("releases", sum(counts), of=added_up)
            show("ε of all, exactly", exact.quantity("upper"))
            show("by basic composition", float(added), of=added_up)
            claimed = running(rows, [releases_in(rows)], delta=scenario.delta, k=scenario.k)
            show("by the paper's Corollary 1", claimed.quantity("published", 0))
            """,
            rows=rows,
        ),
    ]


def votes() -> list[Cell]:
    builtin = next((each for each in voted.BUILTIN if each.slug == voted.TABLE.value()), voted.BUILTIN[0])
    return [
        *instead_of_own(voted.TABLE),
        code(
            """
            from par_core import datasets
            from par_core.composition import compose_votes
            from par_core.figures import votes as figures

            votes = getattr(datasets, $name)().table  # a row for each query, a column for each class
            count = compose_votes(votes, $epsilon0, delta=$delta, epsilon=$epsilon, moments=$moments, numbers=$numbers)
            for name, words in figures.NAMES.items():
                show(words, count.quantity(name, -1))
            draw(figures.votes(count))
            """,
            name=public(builtin.table).name,
            epsilon0=voted.EPSILON0.value(),
            delta=voted.DELTA.value(),
            epsilon=voted.EPSILON.value(),
            moments=voted.MOMENTS.value(),
            numbers=voted.places(min(voted.QUERIES.value(), builtin.table.rows)),
        ),
    ]
