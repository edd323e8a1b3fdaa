"""The case of implicit randomness: the sensitivity is sampled, and how far the sample can be trusted."""

from par_core.public_names import listed
from par_core.sampling.curves import (
    FIGURE_2,
    SamplesAt,
    SamplesCurve,
    risks_down_to,
    samples_at,
    samples_curves,
    samples_in_the_mean,
)
from par_core.sampling.distributions import FittedColumn, Law, fit_column
from par_core.sampling.fitted_population import FittedPopulation, fit_population
from par_core.sampling.pair_queries import CountOf, HistogramOf, MeanOf, QuantileOf, SumOf, VarianceOf
from par_core.sampling.pair_query import PairQuery
from par_core.sampling.pair_regression import RidgeOf
from par_core.sampling.population import Pairs
from par_core.sampling.sample_counts import (
    MOST_SAMPLES,
    coverage,
    rank_for,
    rho_for,
    samples_for_largest,
    samples_formula,
    samples_needed,
    tolerance,
)
from par_core.sampling.sampled import sample_sensitivity
from par_core.sampling.sensitivity_sample import CoveringChoice, PublishedChoice, SensitivitySample, sample_table

__all__ = [
    "FIGURE_2",
    "MOST_SAMPLES",
    "CountOf",
    "CoveringChoice",
    "FittedColumn",
    "FittedPopulation",
    "HistogramOf",
    "Law",
    "MeanOf",
    "PairQuery",
    "Pairs",
    "PublishedChoice",
    "QuantileOf",
    "RidgeOf",
    "SamplesAt",
    "SamplesCurve",
    "SensitivitySample",
    "SumOf",
    "VarianceOf",
    "coverage",
    "fit_column",
    "fit_population",
    "rank_for",
    "rho_for",
    "risks_down_to",
    "sample_sensitivity",
    "sample_table",
    "samples_at",
    "samples_curves",
    "samples_for_largest",
    "samples_formula",
    "samples_in_the_mean",
    "samples_needed",
    "tolerance",
]
__dir__ = listed(__all__)
