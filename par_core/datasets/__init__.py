"""Built-in data, each with its source, its licence, and bounds and categories that are public anyway."""

from par_core.datasets.county_murders import county_murders
from par_core.datasets.dataset import Dataset
from par_core.datasets.household_heads import household_heads
from par_core.datasets.pate_votes import digit_votes, synthetic_votes
from par_core.datasets.precipitation import gpcp, precipitation_synthetic
from par_core.datasets.wooldridge import census2000
from par_core.public_names import listed

__all__ = [
    "Dataset",
    "census2000",
    "county_murders",
    "digit_votes",
    "gpcp",
    "household_heads",
    "precipitation_synthetic",
    "synthetic_votes",
]
__dir__ = listed(__all__)
