"""What has to be asked of a panel before its audit is believed: are the databases independent, the individuals comparable.

A check can speak against; it cannot speak for. Not rejecting independence is no proof of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.audit.panel import Panel
from par_core.audit.query import ratio
from par_core.errors import ParameterError
from par_core.evidence import ESTIMATE, Evidence, Result
from par_core.parameters import check_integer, check_number, check_numbers, check_type

_LIMITS = (
    "Accepting a null hypothesis cannot show that databases are independent and alike: it only says that these data do not show "
    "the contrary."
)
_POWER = 4.0  # lag-1 correlation times √databases: seen at 0.05 in 4 of 5 simulated autoregressions of 17 to 101
_CELLS = 4_000_000  # numbers held at once
_DRAWN = 199  # drawings behind a p-value of `representativeness`
_MANY = 500  # individuals from which on a rank correlation by chance follows its large-sample distribution

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Check(Result):
    """What one check found.

    `statistic` is without unit, NaN where there is nothing to compute it from. `p_value` is how often chance alone gives such
    a statistic or a more extreme one, None where nothing can be tested. `level` is the p-value from which on (downwards) the
    check fails, corrected where several checks answer one question; `size` the databases or individuals looked at.
    """

    name: str
    statistic: float
    p_value: float | None
    level: float
    failed: bool
    words: str
    size: int
    evidence = Evidence(ESTIMATE, source="Empirical Differential Privacy (2020), section 5", limits=_LIMITS)


@dataclass(frozen=True)
class Checks(Result):
    """All checks that answer one question: where the answer is yes, at least one fails with a probability of at most `level` (Holm).

    The statistic of a check that has nothing to test is NaN.
    """

    question: str
    level: float
    checks: tuple[Check, ...]
    words: str
    evidence = Evidence(
        ESTIMATE, source="Empirical Differential Privacy (2020), section 5; Holm (1979)", limits=_LIMITS
    )

    @property
    def failed(self) -> bool:
        """Whether any check fails: what then stands above the result of the audit."""
        return any(check.failed for check in self.checks)


def independence(
    answers: ArrayLike,
    *,
    rng: np.random.Generator,
    level: float = 0.05,
    permutations: int = 9_999,
    by_construction: bool = False,
) -> Checks:
    """Ask whether the answers look like independent draws from one distribution, in the order of the databases (of time, if they have one).

    Three checks: runs above and below the median, correlation of neighbours (lag 1), and trend (Kendall's tau). The first
    two shuffle the answers (shape (n,)) 99 to 1,000,000 times, so that no distribution of the answers is assumed; the smallest possible
    p-value is two over the number of shuffles plus one, for the tests look at both sides. `level`, above 0 and below 1, is how
    often all three together may fail though the databases are independent. With `by_construction` (`Panel.independent`) the
    words say that a failure is chance.
    """
    found, alpha = check_numbers("answers", answers), check_number("level", level, above=0, below=1)
    shuffles = check_integer("permutations", permutations, at_least=99, at_most=1_000_000)
    if found.ndim != 1:
        raise ParameterError(f"answers must have shape (n,), got {found.shape}")
    check_type("rng", rng, np.random.Generator)
    check_type("by_construction", by_construction, bool)
    question = "Are the databases independent?"
    if len(found) < 4 or np.ptp(found) == 0:
        few = f"there are {len(found)} databases, and at least 4 are needed"
        reason = few if len(found) < 4 else "all answers are equal"
        untested = ((name, math.nan, None, f"Nothing to test: {reason}.") for name in ("Runs", "Neighbours", "Trend"))
        checks = _tested(*untested, level=alpha, size=len(found))
        return Checks(question, alpha, checks, f"This cannot be tested: {reason}.")
    from scipy import stats  # late: it takes most of a second to load

    runs, lag, p_runs, p_lag = _shuffled(found, rng, shuffles)
    tau, p_trend = stats.kendalltau(np.arange(len(found)), found)
    checks = _tested(
        ("Runs", runs, p_runs, f"The answers cross their median {runs:g} times in their order."),
        ("Neighbours", lag, p_lag, f"Answers of neighbouring databases have correlation {lag:.2f} (lag 1)."),
        ("Trend", float(tau), float(p_trend), f"Kendall's tau of answer and order is {tau:.2f}."),
        level=alpha,
        size=len(found),
    )
    return Checks(question, alpha, checks, _together(_failed(checks), len(found), by_construction))


def representativeness(panel: Panel, *, rng: np.random.Generator, level: float = 0.05) -> Checks:
    """Ask what can be asked of whether the individuals of a panel with one column of values are comparable with each other.

    Presence: does everybody have the same chance to be in a database (given the databases' sizes)? Presence and value: are
    those who are seldom there different from the others (Spearman's rank correlation)? Both compare with 199 drawings by
    chance (rank correlations of more than 500 individuals with their large-sample distribution), so that the smallest p-value of
    drawings is 1/200. Coverage cannot be tested: an individual unlike all others that is not in the panel is in no number
    computed from it. `level`, above 0 and below 1, is how often the two tests together may fail though everybody is alike.
    """
    alpha = check_number("level", level, above=0, below=1)
    check_type("panel", panel, Panel)
    check_type("rng", rng, np.random.Generator)
    if len(panel.columns) > 1:
        raise ParameterError(f"the panel has {len(panel.columns)} columns of values; make one of a single column")
    there, size = panel.presence(), len(panel.individuals)
    means = _means(panel)
    always = int(np.count_nonzero(there == len(panel.databases)))
    middle = np.median(there)
    present = f"{always:,} of {size:,} individuals are in every database; the median individual is in {middle:g}."
    spread, p_spread = _presence(panel, there, rng)
    rank, p_rank = _presence_and_value(there, means, rng)
    alike = f"Presence and mean value have rank correlation {rank:.2f}."
    if p_rank is None:
        alike = f"{present} Nothing to test: one of the two does not vary."
    if p_spread is None:
        present += " Nothing to test: presence does not vary."
    tested = _tested(
        ("Presence", spread, p_spread, present), ("Presence and value", rank, p_rank, alike), level=alpha, size=size
    )
    if failed := _failed(tested):
        whole = f"The individuals are not alike ({failed}): the numbers of those who are seldom there say little about them."
    else:
        whole = (
            "These data do not show that the individuals differ in when they are there; "
            "individuals who are in no database remain unseen."
        )
    return Checks("Are the individuals comparable?", alpha, (*tested, _coverage(means, alpha)), whole)


def _tested(*found: tuple[str, float, float | None, str], level: float, size: int) -> tuple[Check, ...]:
    """Return checks of name, statistic, p-value and words, at one level for all that could be tested."""
    bars = iter(_holm([p for _, _, p, _ in found if p is not None], level))
    checks = []
    for name, value, p, text in found:
        if p is None:
            checks.append(Check(name, value, None, level, False, text, size))
        else:
            bar = next(bars)
            checks.append(Check(name, value, p, bar, p <= bar, f"{text} {_verdict(p, bar)}", size))
    return tuple(checks)


def _failed(checks: tuple[Check, ...]) -> str:
    return ", ".join(check.name.lower() for check in checks if check.failed)


def _shuffled(found: Values, rng: np.random.Generator, shuffles: int) -> tuple[float, float, float, float]:
    """Return crossings of the median and lag-1 correlation with their two-sided p-values under shuffling."""
    centred = found - found.mean()
    square = float(centred @ centred)
    side = np.sign(found - np.median(found))
    observed = (float(_crossings(side[None, :])[0]), float(centred[1:] @ centred[:-1]) / square)
    counts = np.zeros((2, 2))
    step = max(1, _CELLS // len(found))
    for start in range(0, shuffles, step):
        order = rng.permuted(np.tile(np.arange(len(found)), (min(step, shuffles - start), 1)), axis=1)
        again = centred[order]
        lags = np.einsum("ij,ij->i", again[:, 1:], again[:, :-1]) / square
        for place, (drawn, seen) in enumerate(zip((_crossings(side[order]), lags), observed, strict=True)):
            margin = 1e-12 * max(1.0, abs(seen))  # an equal arrangement must count as equal
            counts[place] += [np.count_nonzero(drawn >= seen - margin), np.count_nonzero(drawn <= seen + margin)]
    p_values = np.minimum(1.0, 2 * (1 + counts.min(axis=1)) / (1 + shuffles))
    return observed[0], observed[1], float(p_values[0]), float(p_values[1])


def _crossings(side: Values) -> Values:
    """Return how often each row changes sides; values equal to the median are passed over."""
    places = np.arange(side.shape[1])
    last = np.maximum.accumulate(np.where(side != 0, places, 0), axis=1)  # where a side was taken last
    taken = np.take_along_axis(side, last, axis=1)
    return np.asarray(np.count_nonzero(taken[:, 1:] * taken[:, :-1] < 0, axis=1), dtype=np.float64)


def _holm(p_values: list[float], level: float) -> list[float]:
    """Return for each p-value the bar that it has to be above, by Holm's procedure; the order is kept."""
    bars, open_ = [0.0] * len(p_values), True
    for rank, place in enumerate(np.argsort(p_values, kind="stable")):
        bar = level / (len(p_values) - rank)
        bars[place] = bar if open_ else min(bar, math.nextafter(p_values[place], 0.0))
        open_ = open_ and p_values[place] <= bar
    return bars


def _verdict(p_value: float, bar: float) -> str:
    chance = f"Chance alone would give that, or more, in {_percent(p_value)} of cases; the bar is {_percent(bar)}."
    return f"{chance} {'This speaks against it.' if p_value <= bar else 'That is no proof of the contrary.'}"


def _percent(p_value: float) -> str:
    return f"{100 * p_value:.2g} %" if p_value >= 1e-4 else "less than 0.01 %"


def _together(failed: str, size: int, by_construction: bool) -> str:
    if failed and by_construction:
        return f"The databases were drawn independently, so what the checks show ({failed}) is chance."
    if failed:
        return f"The databases are not independent draws ({failed}): the audit below assumes that they are."
    if by_construction:
        return "The databases were drawn independently, and the checks show nothing else."
    seen = min(0.95, _POWER / math.sqrt(size))
    return (
        f"Nothing here speaks against independence. {size} databases show a correlation of neighbours of {seen:.2f} in about "
        "four cases of five, and weaker ones more seldom."
    )


def _means(panel: Panel) -> Values:
    size = len(panel.individuals)
    sums, counts = np.zeros(size), np.zeros(size, dtype=np.int64)
    for codes, values in panel:
        sums += np.bincount(codes, weights=values, minlength=size)
        counts += np.bincount(codes, minlength=size)
    return ratio(sums, counts)


def _presence(panel: Panel, there: NDArray[np.int64], rng: np.random.Generator) -> tuple[float, float | None]:
    """Return how much more presence varies than by chance (1: as by chance), and a p-value.

    Chance draws each database anew, a random subset of the individuals of its size. Only how many individuals are how often
    there counts, and how many of each such class the next database takes is hypergeometric.
    """
    size = len(there)
    members = [int(np.count_nonzero(np.diff(codes, prepend=-1))) for codes, _ in panel]  # who is there stands in order
    if all(each in (0, size) for each in members) or size < 2 or len(members) < 2:
        return math.nan, None
    classes = np.zeros((len(members) + 1, _DRAWN), dtype=np.int64)  # who were so often there, in each drawing
    classes[0] = size
    for place, taken in enumerate(members):
        left, open_ = np.full(_DRAWN, taken), np.full(_DRAWN, size)
        before = classes[: place + 1].copy()
        for often in np.flatnonzero(before.any(axis=1)):
            chosen = rng.hypergeometric(before[often], open_ - before[often], left)
            classes[often] -= chosen
            classes[often + 1] += chosen
            left, open_ = left - chosen, open_ - before[often]
    drawn = np.arange(len(classes)) ** 2 @ classes
    observed = int((there**2).sum())
    total = sum(members)
    free = total - sum(each**2 for each in members) / size  # the expected sum of squares less that of equal presence
    chance = (1 + int(np.count_nonzero(drawn >= observed))) / (1 + _DRAWN)
    return float((observed - total**2 / size) / free), chance


def _presence_and_value(
    there: NDArray[np.int64], means: Values, rng: np.random.Generator
) -> tuple[float, float | None]:
    from scipy import stats  # late: it takes most of a second to load

    seen = ~np.isnan(means)
    if np.count_nonzero(seen) < 4 or np.ptp(there[seen]) == 0 or np.ptp(means[seen]) == 0:
        return math.nan, None
    if np.count_nonzero(seen) > _MANY:
        found = stats.spearmanr(there[seen], means[seen])
        return float(found.statistic), float(found.pvalue)
    first, second = (stats.rankdata(each) - (np.count_nonzero(seen) + 1) / 2 for each in (there[seen], means[seen]))
    observed = float(first @ second)
    drawn = np.array([first @ rng.permutation(second) for _ in range(_DRAWN)])
    bar = abs(observed) * (1 - 1e-12)  # an equal arrangement must count as equal
    extreme = int(np.count_nonzero(np.abs(drawn) >= bar))
    return observed / math.sqrt(float(first @ first) * float(second @ second)), (1 + extreme) / (1 + _DRAWN)


def _coverage(means: Values, level: float) -> Check:
    seen = means[~np.isnan(means)]
    far = np.abs(seen - np.median(seen))
    usual = float(np.quantile(far, 0.95))
    times = float(far.max()) / usual if usual > 0 else math.nan
    beyond = f"The most unusual individual is {times:.3g} times as far from the middle as 95 of 100. " * (usual > 0)
    words = (
        f"{beyond}Whether somebody still more unusual exists outside the panel cannot be tested; if the individuals are a random choice, "
        f"the next one would be it with probability 1 in {len(seen) + 1:,}."
    )
    return Check("Coverage", times, None, level, False, words, len(seen))
