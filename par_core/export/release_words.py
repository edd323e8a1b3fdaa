"""What a release script says of itself in its head, and what its user should know."""

from __future__ import annotations

from par_core.export import release_meaning
from par_core.export.release_constants import STEPS, is_single_mean
from par_core.plan.named import COPIED
from par_core.queries import Count, CountBy, Histogram, MeanQuery, Over, PersonCounts, Quantile, Share, TableAmount
from par_core.release import PlannedRelease


def does(planned: PlannedRelease, *, capped: bool, copied: bool = False) -> str:
    """Return what a script does between reading and checking, as lines of its head; `copied` as in `planned_code`."""
    query, in_l1 = planned.query, planned.norm == "L1"
    if isinstance(query, PersonCounts):
        said = ["counts each person once in a cell, and in CELLS_PER_PERSON cells at most"]
    elif capped:
        said = ["keeps no more rows of a person than promised, whatever they hold"]
    else:
        said = ["relies on your promise that no person has more rows than ROWS_PER_PERSON: it does not check it"]
    noise, whole = ("Laplace", ": whole numbers stay whole") if in_l1 else ("Gaussian", "")
    of_counts = f"discrete {noise}" if in_l1 else noise
    said = [f"takes categories that were {COPIED}"] * copied + said
    if isinstance(query, Histogram):
        said += ["finds the bin of each value: a bin holds its lower edge and not its upper one"]
    if isinstance(query, CountBy | Histogram):
        said += [f"counts the rows in each cell, and adds {of_counts} noise to each{whole}"]
    elif isinstance(query, Count):
        said += [f"counts the rows that meet the condition, and adds {of_counts} noise{whole}"]
    elif isinstance(query, Quantile):
        said += [
            "leaves out rows without a value, and moves each value to the candidate next to it",
            f"chooses one of {len(query.candidates):,} candidates as the {query.labels[0]}, by permute and flip",
        ]
    elif isinstance(query, TableAmount | Share):
        in_groups = " in each group" * (query.groups is not None)
        if isinstance(query, Share):
            said += ["takes 1 for each row that meets the condition, and 0 for the others that it looks at"]
            clamps = f"adds these up{in_groups},"
        else:
            said += [f"looks for missing values: {release_meaning.blanks(query)}"]
            clamps = f"clamps the values to the bounds, adds {query.asks.added} up{in_groups},"
        if planned.is_pair:
            said += [
                f"{clamps} and adds {noise} noise",
                f"counts the rows {'in each group' if in_groups else 'under the ' + query.asks.noun}, and adds {of_counts} noise{whole}",
                f"prints their quotient{'s' * bool(in_groups)}, with a count of 1 at least, clamped to the bounds; "
                "this costs no further epsilon",
            ]
        elif isinstance(query, MeanQuery):
            said += [f"{clamps} adds {noise} noise, and divides by ROWS"]
        else:
            said += [f"{clamps} and adds {noise} noise"]
    return "\n".join(f"  - {each}" for each in said)


def notes(planned: PlannedRelease, *, rows: int | None, person: str | None, over: Over) -> tuple[str, ...]:
    """Return what the user of a script should know before it is run."""
    query = planned.query
    said = [
        "The script stops if the file is not the one planned with, judging by its column names and encoding.",
    ]
    in_l1, counts = planned.norm == "L1", isinstance(query, Count | CountBy | Histogram) or planned.is_pair
    if not in_l1:
        said.append(
            "OpenDP proves zero-concentrated privacy of the Gaussian noise. The script turns that into ε and δ by the exact law of "
            "Gaussian noise (Balle and Wang 2018), stops if it is more than planned, and prints OpenDP's own looser ε beside it."
        )
    if not in_l1 and planned.statistics > 1:
        said.append(
            f"ε and δ are those of {planned.statistics:,} statistics together; the others have to be released with the same plan, "
            "and no further ones."
        )
    if counts and not in_l1:
        said.append("Counts are published with their decimals: rounding them afterwards costs no privacy.")
        said.append(
            "By how much one person moves the counts (COUNTS_MOVE) follows from how the script counts; OpenDP proves the noise for it."
        )
    elif counts:
        said.append(
            "Counts get discrete Laplace noise, as planned, and stay whole: the mean absolute error is 1/sinh(1/b) for a "
            "scale b, which is below b."
        )
    if isinstance(query, TableAmount | Share):
        noise = "Laplace" if in_l1 else "Gaussian"
        said.append(
            f"Sums are taken in steps of about a 2^{STEPS}-th of the larger bound, and get discrete {noise} noise of such "
            "steps: nobody can tell it from the planned noise, and no rounding of floats weakens the proof."
        )
        if query.groups is not None:
            said.append("Rows of groups that are not on the list, or without a group, are left out.")
            said.append(
                "By how much one person moves the sums (SUMS_MOVE) follows from how the script adds up; OpenDP proves the noise for it."
            )
    if isinstance(query, Quantile):
        said.append(
            "OpenDP's private quantile chooses among the candidates. With few rows, or a small ε, any of them may come out; "
            "a range in their unit holds only for the table at hand, and is as private as the table."
        )
    said += release_meaning.meaning(planned, rows=rows, capped=person is not None and over == "truncate")
    if is_single_mean(planned):
        said.append("The script stops if the number of rows differs, once those over the limit are left out.")
    what = "cells" if isinstance(query, PersonCounts) else "rows"
    if person is None:
        said.append("That no person has more rows than allowed is your promise; the script does not check it.")
    elif over == "truncate":
        said.append(f"Each person's first {what} stay, as many as are allowed; the others are left out.")
    else:
        said.append(f"The script stops if a person has more {what} than allowed; that it stops is itself private.")
    return tuple(said)
