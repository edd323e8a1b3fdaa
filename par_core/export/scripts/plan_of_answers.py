"""The plan that a script for exact answers holds in the constants at its top; as it stands, that of an example."""

# The promise to each person. {moving} together move by SENSITIVITY at most, in their unit.
EPSILON = 0.5
DELTA = 1e-5
SENSITIVITY = 1.0
STATISTICS = 1  # in a release, each with noise of its own
DEVIATION = 7.2
NUMBERS = 3
LEDGER = "privacy_ledger.jsonl"
# The plan for the year. A ledger with another one is refused.
PLAN = {"runs": 1}
