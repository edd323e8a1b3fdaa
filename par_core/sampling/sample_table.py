"""A sample of sensitivities as a table: every value with its share and the band around it."""

from __future__ import annotations

import pandas as pd

from par_core.parameters import of_type
from par_core.sampling.sensitivity_sample import SensitivitySample


def sample_table(sample: SensitivitySample, confidence: float) -> pd.DataFrame:
    """Return one row for each sampled pair, from the smallest sensitivity to the largest, with the ends of `sample.band(confidence)`."""
    lower, upper = of_type("sample", sample, SensitivitySample).band(confidence)
    return pd.DataFrame(
        {
            "sensitivity": sample.values,
            "share of pairs up to it": sample.cdf(sample.values),
            "band, lower end": lower,
            "band, upper end": upper,
        }
    )
