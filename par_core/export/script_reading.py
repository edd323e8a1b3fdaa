"""What in a release script reads the table."""

from __future__ import annotations

import inspect

from par_core.export.assembled import functions_of
from par_core.export.scripts.made_for import MadeFor


def reading(*, notations: bool) -> str:
    """Return the functions that read the table; with `notations` they read numbers and dates as WRITTEN says."""
    text = functions_of("reading", MadeFor(notations=notations))
    if not notations:
        return text
    from par_core.tables import notation  # it loads pyarrow, which other scripts do not need to be written

    functions = (notation.number_pattern, notation.numbers_in, notation.dates_in)
    return "\n\n\n".join([text.rstrip(), *(inspect.getsource(each).strip() for each in functions)]) + "\n"
