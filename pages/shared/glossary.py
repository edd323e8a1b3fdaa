"""Every technical word in one line, for the hover texts of all pages."""

from __future__ import annotations

_WORDS = {
    "epsilon0": "ε₀: the privacy level that the noise is made for. Smaller is more private: 0.1 is strict, 1 is common, "
    "above 5 hardly anything is protected.",
    "epsilon": "ε: a stronger (smaller) level than ε₀ that one hopes to reach with the same noise, at least often.",
    "k": "k: how many numbers one answer holds. A single count has k = 1, a histogram of five age groups k = 5.",
    "sensitivity": "By how much the answer can change, in its own unit, when one row changes. A count has 1.",
    "neighbours": "What “one person's data change” means: replaced by another person's (the number of persons is public), or "
    "added to and removed from the table.",
    "rows_per_person": "How many rows of the table can belong to one person at most; the noise grows with them.",
    "statistics": "How many separate statistics this release holds; they share ε₀ equally, so each needs more noise.",
    "releases": "How many times you plan to publish from the same people; privacy wears out with each.",
    "stakeholders": "How many people would have to be compensated after a breach.",
    "compensation": "What each of them would be paid after a breach if nothing protected them.",
    "currency": "Three capital letters, such as USD, EUR or SGD. Amounts are not converted.",
    "delta": "δ: the small probability with which a guarantee may fail altogether. Far below 1 divided by the number of people.",
    "confidence": "How often one release is as private as ε instead of only ε₀. Risk is 1 minus confidence.",
    "true_confidence": "The same for two tables that differ as much as they can, computed exactly. Rounded down.",
    "risk": "How often one release is less private than ε. Risk is 1 minus confidence.",
    "loss": "Privacy loss: how strongly one published answer speaks for one table and against its neighbour, as a logarithm. "
    "Never above ε₀.",
    "false_positive": "False alarms: how often an attacker says yes where the answer is no.",
    "false_negative": "Misses: how often an attacker says no where the answer is yes.",
    "advantage": "The largest gap between right and wrong accusations that any attacker can reach: 0 is blind, 1 is certain.",
    "posterior": "What an attacker believes after seeing the release, in the worst case, against what they believed before.",
    "prior": "What an attacker believed about one person before the release.",
    "overlap": "The area shared by two noise distributions: 1 if they are the same, 0 if they have nothing in common.",
    "post_processing": "Anything done with a release afterwards, without the data: rounding, thresholds, charts.",
    "threshold": "Only “above it” or “not above it” is published. In units of the sensitivity; the two tables answer 0 and 1.",
    "query": "What is published: how many rows meet a condition, how many fall into each category, a sum, or a mean.",
    "categories": "The list of cells, one per line. It must be known without the table: a list read off the table tells which "
    "values occur in it.",
    "rest_cell": "One more cell for every value that is not on the list. Without it such rows are counted nowhere.",
    "bounds": "Values outside are moved to the nearest bound before they are added. Take them from what is publicly known, never "
    "from the table: its largest value belongs to one person.",
    "condition": "Which rows are counted. A row without a value in that column never meets it.",
    "person_column": "The column that says whose row it is, if one person can have several rows.",
    "over_cap": "What happens to persons with more rows than “Rows per person” in the sidebar allows.",
    "rows_guess": "How many rows the mean is taken over, at least: your guess from what is publicly known. Not read off the table.",
    "range95": "In 95 of 100 releases the published number is off by at most this.",
    "exact_answer": "The answer without noise. Private: it is for your eyes only, in no link, no file and no code.",
    "measure": "What is meant by the error: of one number or of all at once in 95 of 100 releases, of their total, or on average.",
    "present": "Large type, the sidebar folded, one section at a time; PageDown and PageUp (a clicker) move on and back.",
}


def explain(word: str) -> str:
    """Return the one-line explanation of a word; KeyError for a word that has none."""
    return _WORDS[word]
