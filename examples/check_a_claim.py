"""Does a lemma that a paper states hold when it is computed again?"""

from par_core.claims import check

print(f"Lemma 1 of the empirical paper: {check('edp-lemma-1').verdict}")
