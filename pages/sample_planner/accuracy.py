"""The section "What it does to accuracy": the error of a private regression beside the confidence, figure 6 on the open table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import streamlit as st

from pages.sample_planner import formulas, own_level, ridge_fields, tables
from pages.sample_planner.tables import Population
from pages.shared import badges, controls, jobs, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import paragraph
from pages.shared.settings import Setting
from pages.shared.table_fields import ask
from pages.shared.uploads import is_own, public
from pages.shared.words import amount, letters, level, level0
from par_core.figures import sample_planner as figures
from par_core.mechanisms import default_noise
from par_core.progress import Progress, portion
from par_core.published import explicit
from par_core.questions.glossary import explain
from par_core.randomness import seeded
from par_core.regression import RidgeUtility, utility
from par_core.risk import explicit_curves
from par_core.sampling import RidgeOf
from par_core.standing import quantity_of
from par_core.tables.table import Table

EPSILON = settings.number("ae", "Level hoped for, ε", 0.4, at_least=1e-4, at_most=100.0)
EPSILON0 = settings.number("ae0", "ε₀ of the noise", 0.8, at_least=1e-4, at_most=100.0)
EPSILON0S = settings.numbers("ae0s", "Confidence for ε₀", (1.0, 0.8, 0.6), at_least=1e-4, at_most=100.0)
RUNS = settings.whole("aruns", "Runs", 50, at_least=2, at_most=2_000)
SEED = settings.whole("aseed", "Seed of the runs", 1, at_least=0, at_most=2**31)
NOISE = settings.choice("anoise", "Noise for", ("proven", "published"))
SETTINGS: tuple[Setting[Any], ...] = (EPSILON, EPSILON0, EPSILON0S, RUNS, SEED, NOISE)

_THEOREM_4, _SCRIPT = "par-theorem-4", "par-ridge-sensitivity"
_NOISE_WORDS = {"proven": "the proven sensitivity", "published": "the published one"}
_LOWEST, _HIGHEST, _POINTS = 0.1, 0.99, 50  # the levels of figure 6
_FIRST_LEVEL = 1.0  # of the runs: those that are shown follow from them without a fit
_HARDLY = 0.98  # of the error of guessing: from here on a regression says next to nothing


@dataclass(frozen=True)
class _Asked:
    """Everything that the runs depend on. The levels do not belong to it: the error at any of them follows from the runs."""

    query: RidgeOf
    population: Population
    runs: int
    seed: int
    noise: Literal["proven", "published"]


def draw() -> None:
    """Draw the section."""
    main, side = chart_and_controls()
    with main:
        table = tables.open_table()
    asked = ask(main, side, partial(_controls, table))
    if asked is None:
        return
    with main:
        found = jobs.run(
            "regression_runs",
            partial(_work, asked),
            inputs=(asked.query, asked.population.key, asked.runs, asked.seed, asked.noise),
            label="Fitting",
            deadline=jobs.LONG,
            public=not is_own(table),
        )
        if found is not None:
            epsilon0s, _ = settings.usable(EPSILON0S)
            _show(asked, found.at(_levels(epsilon0s)), epsilon0s)


def _controls(table: Table) -> _Asked:
    controls.number(EPSILON, hint=explain("epsilon"))
    controls.number(EPSILON0, hint=explain("epsilon0"))
    own_level.say(EPSILON0)
    controls.number_list(EPSILON0S, hint=explain("confidence"), offers=("0.6", "0.8", "1", "2"))
    query = ridge_fields.choose(table)
    population = tables.population(table, query.used_columns)
    noise = controls.choice(NOISE, hint=explain("noise_for"), words=_NOISE_WORDS.__getitem__)
    runs = controls.whole(RUNS, hint=explain("runs"))
    seed = controls.whole(SEED, hint="The same seed gives the same picture.")
    controls.button(
        "Figure 6",
        _as_published,
        table,
        hint="As in the paper: ε from 0.1 to 0.99, ε₀ = 1, 0.8 and 0.6, 50 runs, λ = 0.01, no intercept and the published noise; of a "
        "built-in table also what is predicted from what, and its bounds.",
    )
    return _Asked(query, population, runs, seed, "published" if noise == "published" else "proven")


def _levels(epsilon0s: list[float]) -> list[float]:
    """Return the levels of figure 6 and the reader's own, rising."""
    own = (EPSILON.value(), EPSILON0.value(), *epsilon0s)
    highest = max(own)
    last = _HIGHEST if highest <= 1 else highest  # an ε₀ of 1 is a point more and leaves those of the figure in place
    even = (_LOWEST + (last - _LOWEST) * at / (_POINTS - 1) for at in range(_POINTS))
    return sorted({*even, *own})


def _as_published(table: Table) -> None:
    for each in (*SETTINGS, ridge_fields.PENALTY, ridge_fields.INTERCEPT):
        each.put(each.default)
    NOISE.put("published")
    if not is_own(table):
        ridge_fields.put_preset(table)


def _work(asked: _Asked, *, progress: Progress) -> RidgeUtility:
    progress(0.0)
    problem = asked.query.prepare(asked.population.frame)
    progress(0.01)
    return utility(
        problem,
        [_FIRST_LEVEL],
        penalty=asked.query.penalty,
        runs=asked.runs,
        rng=seeded(asked.seed),
        sensitivity=asked.noise,
        progress=portion(progress, 0.01),
    )


def _show(asked: _Asked, found: RidgeUtility, epsilon0s: list[float]) -> None:
    _answer(asked, found)
    if not epsilon0s:
        st.info("Add at least one ε₀ to see its confidence.")
        _about_the_error(asked, found)
        return
    own = explicit_curves.risk_at(EPSILON.value(), EPSILON0.value(), k=asked.query.k)
    curves = explicit_curves.by_epsilon0(epsilon0s, asked.query.k, upto=float(found.epsilons[-1]))
    # It names no column of an upload, and shows none of its markup.
    column = "what is predicted" if is_own(asked.population.table) else asked.query.target
    unit = _unit(asked)
    figure = figures.utility_figure(found, curves, unit=f"unit: {unit}" if unit else f"unit of {column}", own=own)
    chart(
        figure,
        "accuracy_of_regression",
        table=partial(figures.utility_table, figure),
        alt=(
            f"Left axis: confidence in ε for ε₀ = {', '.join(f'{each:g}' for each in epsilon0s)}, as published and exact. Right axis: "
            f"error of the regression with noise for ε, mean of {found.runs} runs with one standard deviation; at ε₀ = "
            f"{EPSILON0.value():g} it is {amount(_error(found, EPSILON0.value()))}, without noise "
            f"{amount(found.non_private_mean_in_unit)}."
        ),
        notes={
            "runs": str(found.runs),
            "seed": str(asked.seed),
            "penalty": f"{found.penalty:g}",
            "L1 sensitivity of the coefficients": f"{found.sensitivity:.6g} ({found.sensitivity_choice})",
            "proven L1 sensitivity": f"{found.proven_sensitivity:.6g}",
            "rows fitted and tested": f"{found.rows_fitted} and {found.rows_tested}",
            "standing": f"{found.standing.value}; {found.limits}",
            "source": f"{found.source}; confidence: {curves[0].source}",
        },
    )
    _about_the_error(asked, found)
    _about_the_noise(asked, found)
    formula_expander("accuracy_of_regression", formulas.ACCURACY)


def _answer(asked: _Asked, found: RidgeUtility) -> None:
    epsilon0, guess = EPSILON0.value(), found.guess_mean_in_unit
    with_noise, without = _error(found, epsilon0), found.non_private_mean_in_unit
    st.markdown(
        f"## With noise for {level0(epsilon0)} the regression is off by {amount(with_noise)}, without noise by {amount(without)}",
        help=explain("rmse"),
    )
    off = (
        f"off by {amount(guess)}, in {_unit(asked) or f'the unit of {letters(asked.query.target)}'}. {badges.of(found)}"
    )
    st.markdown(
        f"That is **no better than guessing** the same for everybody, {off}"
        if with_noise > guess
        else f"Guessing the same for everybody is {off}",
        help=badges.legend(),
    )
    if not found.is_enough:
        st.warning(
            "**The noise is too small: not a valid guarantee.** The published sensitivity is below the proven one: nothing shows that "
            "this noise gives ε₀. Choose the noise for the proven sensitivity."
        )


def _about_the_error(asked: _Asked, found: RidgeUtility) -> None:
    epsilon, epsilon0 = EPSILON.value(), EPSILON0.value()
    stronger = f"With noise for {level(epsilon)} the regression would be off by {amount(_error(found, epsilon))}. "
    st.markdown(
        f"{stronger if epsilon < epsilon0 else ''}All errors are means of {found.runs:,} runs, each with its own split and noise, on rows "
        f"that were not fitted. {badges.of(found)}",
        help=badges.legend(),
    )
    if found.non_private_mean_in_unit > _HARDLY * found.guess_mean_in_unit:
        st.markdown(
            "Even without noise it hardly beats guessing: the paper’s scaling keeps only the proportions of a row. Try an intercept and a "
            "smaller λ."
        )
    if epsilon < epsilon0:
        paragraph(
            "**What the larger ε₀ costs:** as private as {epsilon} in {held} of releases at worst; the paper claims {claimed}.",
            epsilon=level(epsilon),
            claimed=quantity_of(explicit.confidence, epsilon, epsilon0, k=asked.query.k),
            held=quantity_of(default_noise(epsilon0).loss_within, epsilon),
            help=badges.legend(_THEOREM_4),
        )
    if not is_own(asked.population.table):
        st.caption(tables.preset(asked.population.table).stands_for)


def _unit(asked: _Asked) -> str:
    return public(asked.population.table).units.get(asked.query.target, "")


def _error(found: RidgeUtility, epsilon: float) -> float:
    """Return the mean error with noise for one of the levels that were asked for."""
    return float(found.mean_in_unit[[float(each) for each in found.epsilons].index(epsilon)])


def _about_the_noise(asked: _Asked, found: RidgeUtility) -> None:
    many = asked.query.k > 1
    moved = f"the {asked.query.k} coefficients" if many else "the coefficient"
    start = f"Replacing one of {found.rows_fitted:,} rows moves {moved} by at most {{moves}}{' in all' * many}"
    about = "for a target from 0 to 1 and rows of length 1."
    if found.sensitivity_choice == "proven":
        paragraph(f"{start}, {about}", moves=found.quantity("proven_sensitivity"))
    else:
        goes_with = "It goes with a penalty that grows with the rows, as here; the" if found.is_enough else "The"
        paragraph(
            f"{start}, by the formula of the published script; proven is {{found.proven_sensitivity}}, {about} {goes_with} script "
            "itself fits with a penalty that does not grow: there one income can move a coefficient by 0.99 where 0.344 was used. It "
            "also gave the intercept no noise: its figure is not ε-private.",
            moves=found.as_quantity("published_sensitivity", found.sensitivity),
            found=found,
            help=badges.legend(_SCRIPT),
        )
    st.caption(
        "The intercept is one of the coefficients: it is scaled, bounded and noised like the others."
        if asked.query.intercept
        else "Without an intercept: nothing is released in its place."
    )
