"""What a notebook recomputes of each section of the sample planner, always on a built-in table."""

from __future__ import annotations

from pages.sample_planner import (
    accuracy,
    both_sources,
    how_many,
    law_fields,
    query_fields,
    ridge_fields,
    sampled,
    tables,
)
from pages.shared import settings
from pages.shared.amount_fields import AmountSettings
from pages.shared.notebook_tables import instead_of_own, public_condition, public_only
from pages.shared.notebooks import NOTHING
from pages.shared.table_fields import categories_in
from pages.shared.uploads import builtin_of, public
from par_core.export.notebook import Cell, code
from par_core.sampling import CountOf, HistogramOf, PairQuery, QuantileOf, RidgeOf
from par_core.tables.table import Table


def how_many_samples() -> list[Cell]:
    find = how_many.FIND.value()
    rhos, _ = settings.usable(how_many.RHOS)
    return [
        code(
            """
            from par_core.figures import sample_planner as figures
            from par_core.sampling import risks_down_to, samples_at, samples_curves, tolerance

            found = samples_at(samples=$samples, rho=$rho, wanted=$wanted)
            show("pairs", found.samples, of=tolerance)
            show("distance ρ", found.quantity("rho"))
            show("certainty", found.quantity("tolerance"))
            show("the largest value covers a share of 1 − ρ with probability", found.quantity("share_covered"))
            """,
            samples=None if find == "samples" else how_many.PAIRS.value(),
            rho=None if find == "rho" else how_many.RHO.value(),
            wanted=None if find == "alpha" else how_many.ALPHA.value(),
        ),
        *[
            code(
                """
                curves = samples_curves($rhos, risk=risks_down_to(min(max(found.risk, 1e-9), 1.0)))
                draw(figures.samples_needed_figure(curves, own=found))
                """,
                rhos=rhos,
            )
        ]
        * bool(rhos),
    ]


def sampled_sensitivity() -> list[Cell]:
    table = builtin_of(tables.TABLE, tables.BUILTIN)
    query = _query(table)
    laws = {}
    if of_laws := law_fields.FROM.value() == "laws":
        laws = {name: law for name, law in law_fields.LAWS.value() if name in query.used_columns}
    rows = sampled.ROWS.value()
    if not of_laws and rows + 1 > table.rows:
        return [NOTHING]
    population = "data.table"
    if of_laws:
        population = "sampling.fit_population(data.table[list(query.used_columns)], laws=$laws)"
    return [
        *instead_of_own(tables.TABLE),
        _data(table, query),
        code(
            f"""
            from par_core import sampling
            from par_core.randomness import seeded

            population = {population}
            sample = sampling.sample_sensitivity(query, population, rows=$rows, pairs=$pairs, rng=seeded($seed))
            """,
            rows=rows,
            pairs=sampled.PAIRS.value(),
            seed=sampled.SEED.value(),
            **({"laws": laws} if of_laws else {}),
        ),
        code(
            """
            from par_core.errors import InfeasibleError
            from par_core.figures import sample_planner as figures

            share, sure = $share, $sure
            try:
                chosen = sample.for_share(share, sure)
                value, place = chosen.value, chosen.rank / chosen.samples
            except InfeasibleError as error:  # the largest is marked then
                print(error)
                value, place = float(sample.values[-1]), 1.0
            show("one person moves it by at most", sample.as_quantity("values", value))
            if sample.worst_case is not None:
                show("no pair exceeds", sample.quantity("worst_case"))
            draw(figures.sensitivity_cdf(sample, share=place, confidence=sure))
            """,
            share=sampled.SHARE.value(),
            sure=sampled.SURE.value(),
        ),
    ]


def both() -> list[Cell]:
    page, vary = both_sources, both_sources.VARY.value()
    values, _ = settings.usable(page.RHOS if vary == "rho" else page.NUMBERS)
    if not values:
        return [NOTHING]
    of_rho = vary == "rho"
    given = {"bound": page.BOUND.value(), "sampled": page.SAMPLED.value()}
    eta, needed = {
        "paper": ("coupled.PAPER_ETA", {}),
        "bound": ("coupled.eta_of_bound($bound, $sampled)", given),
        "model": ("coupled.eta(rho, $sampled, order=$order, unit=$unit)", {"sampled": given["sampled"]}),
    }[page.ETA_FROM.value()]
    if page.ETA_FROM.value() == "model":
        needed |= {"order": page.ORDER.value(), "unit": 1000.0 if page.THOUSANDS.value() else 1.0}
    elif page.ETA_FROM.value() == "bound" and given["bound"] < given["sampled"]:
        eta, needed = "1.0  # a sampled pair has refuted the bound", {}
    curves = "by_rho($values, samples, setting=setting)" if of_rho else "by_samples($values, rho, setting=setting)"
    return [
        code(
            f"""
            from par_core.published import coupled
            from par_core.sampling.coupled_curves import Setting, by_rho, by_samples, coupled_at

            samples, rho = $samples, $rho
            eta = {eta}
            setting = Setting(epsilon0=$epsilon0, k=$k, eta=eta, confidence2=$share)
            at = coupled_at($epsilon, samples, rho=rho, setting=setting)
            show("less private than ε in up to", at.quantity("exact_risk"))
            show("the paper claims", at.quantity("risk"))
            """,
            samples=page.PAIRS.value() if of_rho else int(values[0]),
            rho=values[0] if of_rho else page.RHO.value(),
            epsilon0=page.EPSILON0.value(),
            epsilon=page.EPSILON.value(),
            k=page.K.value(),
            share=page.SHARE.value(),
            **needed,
        ),
        code(
            f"""
            from par_core.figures import sample_planner as figures

            draw(figures.both_sources_figure({curves}, by=$by, own=at))
            """,
            values=values if of_rho else [int(each) for each in values],
            by=vary,
        ),
        code(
            """
            from par_core.errors import InfeasibleError
            from par_core.sampling import tolerance
            from par_core.sampling.coupled_calibration import calibrate, share_to_take

            try:
                show("case 2: take the quantile at", share_to_take($wanted, samples=samples, rho=rho).quantity("share"))
            except InfeasibleError as error:
                print("case 2:", error)
            try:
                alpha = float(tolerance(samples, rho))
                found = calibrate($epsilon, $wanted, eta=eta, confidence2=$share, alpha=alpha, k=$k)
                if found.epsilon0 is not None:
                    show("case 3: noise for ε₀", found.quantity("epsilon0"))
            except InfeasibleError as error:
                print("case 3:", error)
            """,
            wanted=page.WANTED.value(),
            epsilon=page.EPSILON.value(),
            k=page.K.value(),
            share=page.SHARE.value(),
        ),
    ]


def regression() -> list[Cell]:
    table = builtin_of(tables.TABLE, tables.BUILTIN)
    epsilon, epsilon0 = accuracy.EPSILON.value(), accuracy.EPSILON0.value()
    return [
        *instead_of_own(tables.TABLE),
        _data(table, _ridge(table)),
        code(
            """
            from par_core.randomness import seeded
            from par_core.regression import utility
            from par_core.rounding import amount

            runs = utility(
                query.prepare(data.table),
                [1.0],
                penalty=query.penalty,
                runs=$runs,
                rng=seeded($seed),
                sensitivity=$noise,
            )
            for level in $levels:
                show(f"off with noise for {level:g} by", amount(float(runs.at([level]).mean_in_unit[0])), of=runs)
            show("without noise by", amount(runs.non_private_mean_in_unit), of=runs)
            show("guessing by", amount(runs.guess_mean_in_unit), of=runs)
            """,
            runs=accuracy.RUNS.value(),
            seed=accuracy.SEED.value(),
            noise=accuracy.NOISE.value(),
            levels=[epsilon0, epsilon] if epsilon < epsilon0 else [epsilon0],
        ),
    ]


def _data(table: Table, query: PairQuery) -> Cell:
    name, kind = table.digest.rpartition(":")[2], type(query).__name__
    condition = "\nfrom par_core.queries import Condition" * isinstance(query, CountOf)
    return code(
        f"from par_core.datasets import {name}{condition}\nfrom par_core.sampling import {kind}\n\ndata = {name}()\nquery = $query",
        query=query,
    )


def _query(table: Table) -> PairQuery:
    """Return the query that the fields make of a built-in table; see `query_fields.choose`."""
    ask = query_fields.ASK.value()
    if ask == "ridge":
        return _ridge(table)
    if ask == "count":
        return CountOf(public_condition(table, query_fields.CONDITION))
    if ask == "histogram":
        column = query_fields.BY.value()
        known = public(table).categories.get(column, ())
        values = categories_in(query_fields.LIST.value(), table.kind(column)) or tuple(known)
        public_only(values, known)
        return HistogramOf(column, values)
    column, bounds = _amount(table, query_fields.AMOUNT)
    if ask in query_fields.BOUNDED:
        return query_fields.BOUNDED[ask](column, bounds)
    return QuantileOf(column, bounds, 0.5 if ask == "median" else query_fields.SHARE.value())


def _amount(table: Table, of: AmountSettings) -> tuple[str, tuple[float, float]]:
    """Return a column of numbers with its bounds: those of the fields, or of the preset where they are of another table."""
    preset = tables.preset(table)
    if of.of.value() not in table.frame:
        return preset.target, preset.target_bounds
    return of.of.value(), (of.lower.value(), of.upper.value())


def _ridge(table: Table) -> RidgeOf:
    """Return the regression that the fields make of a built-in table; see `ridge_fields.choose`."""
    target, bounds = _amount(table, ridge_fields.AMOUNT)
    known = public(table).categories
    names = [name for name in ridge_fields.PREDICTORS.value() if name in table.frame and name != target]
    predictors = names or list(tables.preset(table).predictors)
    lists = tuple((name, tuple(known[name])) for name in predictors if table.kind(name) == "text")
    penalty, intercept = ridge_fields.PENALTY.value(), ridge_fields.INTERCEPT.value()
    return RidgeOf(target, tuple(predictors), bounds, penalty, intercept, lists, coding="code")
