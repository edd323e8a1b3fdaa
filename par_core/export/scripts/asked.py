"""How columns are asked for. A call that hands over a part of `made_for` stands in a script as what the function returns for it."""

import numpy as np

from par_core.export.scripts.columns import dates_of, numbers, values_of


def asked(table, column, how):
    """Return a column with values of the kind that is asked for."""
    if how.kind == "numbers":
        return numbers(table, column)
    elif how.kind == "dates":
        return dates_of(table, column, how.letters)
    elif how.kind == "texts":
        return values_of(table, column, str)
    else:
        return values_of(table, column, (bool, np.bool_))


def compared(values, wanted, how):
    """Say for each value whether it is as wanted."""
    if how.comparison == "==":
        return values == wanted
    elif how.comparison == "!=":
        return values != wanted
    elif how.comparison == "<":
        return values < wanted
    elif how.comparison == "<=":
        return values <= wanted
    elif how.comparison == ">":
        return values > wanted
    elif how.comparison == ">=":
        return values >= wanted
    else:
        return values.isin(wanted)
