"""The plan that a script of several releases holds; as it stands, that of an example with one."""

LEDGER = "privacy_ledger.jsonl"

# The promise to each person, by all releases of a run together.
PERSON = "who"
EPSILON = 0.5
EPSILON_GAUSSIAN = 0.25  # of it, for all releases with Gaussian noise together, at DELTA
DELTA = 1e-5

# The plan for the year. A ledger with another one is refused.
PLAN = {"releases": [{"times": 2}]}
# The SHA-256 of what a reservation of this plan spends. One that spends anything else is refused.
RESERVED = ""
