"""How a script adds noise, and which tables are neighbours."""

import opendp.prelude as dp

from par_core.export.scripts.files import stop
from par_core.export.scripts.made_for import made_for
from par_core.export.scripts.plan_of_release import ONE_PERSON

if made_for.gaussian:

    def with_noise(exact, multiple):
        """Add Gaussian noise of so many times what OpenDP proves that one person moves the sum by.

        OpenDP draws from a secure source of randomness, and whole numbers only: nothing shows in the last digits.
        """
        return exact >> dp.m.then_gaussian(multiple * exact.map(ONE_PERSON))


else:

    def with_noise(exact, epsilon):
        """Add the least Laplace noise with which OpenDP proves epsilon for one person.

        OpenDP draws from a secure source of randomness, and whole numbers only: nothing shows in the last digits.
        """
        scale = exact.map(ONE_PERSON) / epsilon
        while (exact >> dp.m.then_laplace(scale)).map(ONE_PERSON) > epsilon:
            scale *= 1 + 1e-15  # the division was rounded to the wrong side
        return exact >> dp.m.then_laplace(scale)


if made_for.persons:

    def tables(atom, rows):
        """Neighbouring lists of the cells that persons are counted in: one person changes ONE_PERSON of them at most."""
        return dp.vector_domain(atom), dp.symmetric_distance()


elif made_for.added_or_removed:

    def tables(atom, rows):
        """Neighbouring tables: ONE_PERSON rows appear or disappear; the number of rows is private and not used."""
        return dp.vector_domain(atom), dp.symmetric_distance()


else:

    def tables(atom, rows):
        """Neighbouring tables: ONE_PERSON rows are replaced by as many others; the number of rows stays the same."""
        if rows < 1:
            stop("the table has no rows")
        space = dp.vector_domain(atom, size=rows), dp.change_one_distance()
        return space >> dp.t.then_metric_unbounded()  # one row replaced is one removed and one added
