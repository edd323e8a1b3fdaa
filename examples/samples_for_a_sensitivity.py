"""How many pairs of neighbours must be sampled before the largest difference can stand for the sensitivity?"""

from par_core.sampling import samples_for_largest

number = samples_for_largest(share=0.99, wanted=0.95)
print(f"{number:,} pairs: the largest then covers 99 in 100 pairs, with 95 % certainty")
