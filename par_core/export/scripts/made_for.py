"""What a script is made for; as they stand, the modules here are made for the example."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Asked:
    """How a column is asked for: for numbers, dates, texts or truths, and compared with what."""

    kind: str = "numbers"
    letters: int = 10  # of its dates
    comparison: str = ">="


@dataclass(frozen=True)
class MadeFor:
    """What decides which sections a script has."""

    gaussian: bool = False
    whole_numbers: bool = False  # are all that is answered
    several: bool = False  # statistics are answered, each with noise of its own

    notations: bool = False  # are of columns of the table
    numbered_persons: bool = False  # have numbers for names
    truncated: bool = True  # is what a person has too much of; otherwise the script stops
    persons: bool = False  # are counted, and not rows
    capped: bool = False  # are the rows of each person
    added_or_removed: bool = False  # are neighbours; otherwise rows are replaced

    statistic: str = "count"  # or counts, quotient (of a sum and a count), quantile, or the name of what `par_core.queries.AMOUNTS` has
    condition: Asked = Asked()
    where: Asked | None = None
    first: Asked | None = None  # column that makes the cells; without one a condition makes the only cell
    second: Asked | None = None
    bins: bool = False  # of numbers are the cells
    other: bool = False  # values than the listed ones have a cell
    groups: int = 0  # so many have a sum or a mean of their own; 0 where all rows have one
    share: bool = False  # of rows that meet the condition is what a mean is taken of
    present: bool = False  # are only values that a mean is taken of
    shifted: bool = False  # by the lower bound are the values that are added up
    noun: str = "count"  # what a number that is published is called


made_for = MadeFor()
