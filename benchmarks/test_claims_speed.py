"""How fast each claim of the catalogue is recomputed. Nothing here fails for being slow.

Run: pytest benchmarks/test_claims_speed.py -s
"""

import time

from par_core.claims import CLAIMS, check

GOAL = 0.2  # seconds, for any of them


def _seconds(claim):
    times = []
    for _ in range(2):
        start = time.perf_counter()
        check(claim)
        times.append(time.perf_counter() - start)
    return min(times)


def test_every_claim(benchmark):
    benchmark.pedantic(lambda: [check(claim) for claim in CLAIMS], rounds=1)
    slowest = sorted(((_seconds(claim), claim.id) for claim in CLAIMS), reverse=True)[:5]
    print(f"\nslowest claims (goal {GOAL} s):", *(f"{name} {seconds:.3f} s" for seconds, name in slowest), sep="\n  ")
