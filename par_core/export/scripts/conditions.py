"""Which rows a script looks at, and which of them meet the condition that is counted."""

import pandas as pd

from par_core.export.scripts.asked import asked, compared
from par_core.export.scripts.columns import numbers
from par_core.export.scripts.made_for import made_for
from par_core.export.scripts.plan_of_release import COLUMN, CONDITION_COLUMN, CONDITION_VALUE, WHERE_COLUMN, WHERE_VALUE


def meets(table):
    """Say for each row whether it meets the condition; a missing value meets none."""
    values = asked(table, CONDITION_COLUMN, made_for.condition)
    return (values.notna() & compared(values, CONDITION_VALUE, made_for.condition)).astype(bool)


def among(table):
    """Say for each row whether it meets the condition; a missing value meets none."""
    values = asked(table, WHERE_COLUMN, made_for.where)
    return (values.notna() & compared(values, WHERE_VALUE, made_for.where)).astype(bool)


if made_for.present:

    def chosen(table):
        """Say for each row whether it is averaged: one without a value is left out."""
        if made_for.where:
            return among(table) & numbers(table, COLUMN).notna()
        else:
            return numbers(table, COLUMN).notna()

elif made_for.where:

    def chosen(table):
        """Say for each row whether it meets the condition; a missing value meets none."""
        values = asked(table, WHERE_COLUMN, made_for.where)
        return (values.notna() & compared(values, WHERE_VALUE, made_for.where)).astype(bool)

else:

    def chosen(table):
        """All rows are looked at."""
        return pd.Series(True, index=table.index)
