"""What the quiz says: each question, why its answer is right, and the page that shows it."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pages.shared.say import say, told
from par_core.lab.quiz import Question
from par_core.rounding import small
from par_core.standing import Quantity


class Words(NamedTuple):
    """A question as a headline with one more sentence, its explanation, and the page, section and settings that show it."""

    asked: str
    detail: str
    explanation: str
    link: str
    module: str
    tab: str
    settings: Callable[[Mapping[str, Any]], Mapping[str, Any]]


def _nothing(_: Mapping[str, Any]) -> Mapping[str, Any]:
    return {}


WORDS = {
    "grade": Words(
        "{students} students average {mean}; one leaves, the others average {after}. What was that grade?",
        "Both averages were published without noise.",
        "The sums are {students} · {mean} and {others} · {after}; their difference is the grade, **{grade}**. Two exact answers give "
        "one person away, though each of them is about a crowd.",
        "See who is exposed by exact answers",
        "empirical_audit",
        "exposed",
        _nothing,
    ),
    "response": Words(
        "{yes:,} of {people:,} say yes after a toss of coins. How many truly would?",
        "With probability {heads:percent} the first coin asks for the truth, else a fair one answers; give deviation and ε too.",
        "The second coin alone says yes in {blind:percent}; of the {rate:percent} who said it, what is left is divided by "
        "{heads:percent}: **{share}**, give or take {deviation}. Who truly would say yes says it {odds:.3g} times as often as who would "
        "not: ε = ln {odds:.3g} = **{level}**.",
        "Toss the coins",
        "mechanism_lab",
        "coins",
        lambda given: {"lcfrom": "own", "lcsaid": given["yes"], "lcn": given["people"], "le": given["level"]},
    ),
    "loss": Words(
        "Laplace noise is made for {epsilon0:level0}. How often does the privacy loss exceed {epsilon:.4g}?",
        "The loss counts with either sign, between worst-case neighbouring tables.",
        "It stays within with probability e^(−ε₀/2) · sinh(ε/2), so it exceeds {epsilon:.4g} in **{exceeds}** of releases. *Privacy at "
        "Risk* says {claimed}: it takes the noise seen from two tables for independent, but it is the same noise.",
        "See claim and truth",
        "explicit_risk",
        "truth",
        lambda given: {"e0": given["epsilon0"], "e": given["epsilon"], "m": "laplace"},
    ),
    "belief": Words(
        "An attacker is {prior:percent} sure. How sure can one release with {epsilon:level} make them?",
        "The suspicion is that one person's true record was used; the attacker knows all the others.",
        "No answer is more than e^ε times as likely under one table as under the other: the odds grow by that factor at most, and "
        "{prior:percent} becomes at most **{belief}**.",
        "See what an attacker gains",
        "explicit_risk",
        "attacker",
        lambda given: {"e0": given["epsilon"], "prior": given["prior"], "m": "laplace", "att": "one"},
    ),
    "hits": Words(
        "With {epsilon:level}, how high can the true-positive rate of an attack be?",
        "Its false-positive rate is {false_positive:percent}, and somebody reports a true-positive rate of {reported:percent}.",
        "No attack reaches more than e^ε times its false-positive rate, **{hits}**. Who truly measures {reported:percent} has shown "
        "that the release does not have {epsilon:level}.",
        "See the errors of an attack",
        "explicit_risk",
        "attacker",
        lambda given: {"e0": given["epsilon"], "m": "laplace", "att": "one"},
    ),
    "invented": Words(
        "Noise falls on {cells:,} empty cells, and negatives become 0. How many people are invented?",
        "The noise is discrete Laplace noise with {epsilon:level}; one person counts once, in one cell.",
        "Nothing balances the positive noise any more: a cell is too large by 1/(2 sinh ε) on average, all together by **{people}**. "
        "Each number came nearer to the truth, and their total went far away from it.",
        "See what setting to 0 does",
        "mechanism_lab",
        "traps",
        lambda given: {"tr": "clamping", "le": given["epsilon"], "tc": given["cells"]},
    ),
    "added": Words(
        "A release each week, {releases:,} weeks long: which ε does basic composition give?",
        "Each has {epsilon:level} and is about the same people.",
        "Levels add up: {releases:,} · {epsilon:.4g} = **{total}**. That always holds, and for many releases it is far more than the "
        "truth.",
        "See the accountants",
        "composition",
        "accountants",
        lambda given: {"ce0": given["epsilon"], "cn": given["releases"], "cno": given["releases"]},
    ),
    "spent": Words(
        "A release each week, {releases:,} weeks long: which ε do they spend exactly?",
        "Each has Laplace noise with {epsilon:level} and is about the same people; all together may have δ = {delta_told}.",
        "Losses have either sign, and partly cancel: all releases together have ε = **{spent}**, where basic composition adds up to "
        "{total}. No smaller ε holds for this δ.",
        "See the exact curve",
        "composition",
        "accountants",
        lambda given: {
            "ce0": given["epsilon"],
            "cn": given["releases"],
            "cno": given["releases"],
            "cd": f"{given['delta']:g}",
            "m": "laplace",
        },
    ),
    "crossing": Words(
        "From how many counts on is Gaussian noise more accurate than Laplace noise?",
        "One person moves each count by 1; ε = {epsilon:.4g} for all counts together, Gaussian noise with δ = {delta_told} too.",
        "Laplace noise grows with the number of counts, Gaussian noise with its root. At **{counts}** counts the average error of each "
        "is {plain} with Laplace and {normal} with Gaussian noise, exactly calibrated.",
        "See which mechanism",
        "mechanism_lab",
        "which",
        lambda given: {
            "le": given["epsilon"],
            "ld": f"{given['delta']:g}",
            "lwerr": "average",
            "lwmoves": "all",
        },
    ),
    "clamped": Words(
        "Noise is clamped to ±{bound}. How often does a release rule the other table out?",
        "Discrete Laplace noise with {epsilon:level} is clamped, then added to a count; the other table counts one more.",
        "Noise of −{bound} or less gives a number that the other table never gives. That has probability q^{bound}/(1 + q) with q = "
        "e^−ε: in **{ruled_out}** of releases the table is certain. Clamp the released number instead: that is post-processing and "
        "tells nothing more.",
        "See the traps",
        "mechanism_lab",
        "traps",
        lambda given: {"tr": "clamping", "le": given["epsilon"], "tk": given["bound"]},
    ),
    "refuted": Words(
        "An event in {first:,} against {second:,} of {runs:,} runs: which ε is refuted?",
        "It is rarer without one person's record; take two Clopper–Pearson bounds that are both right in 95 of 100 audits.",
        "Each bound may be wrong in 2.5 of 100. The event has a chance of at least {least} with the record and of at most {most} "
        "without it: every ε below the logarithm of their ratio, **{refuted}**, is refuted.",
        "See what an attack can reach",
        "explicit_risk",
        "attacker",
        _nothing,
    ),
    "somebody": Words(
        "Each of {people:,} records is published with probability δ. How likely is at least one?",
        "δ = {delta_told}, and nothing else is published: that is (0, δ)-differential privacy.",
        "On average {expected:.3g} of the records come out; at least one does with probability 1 − (1 − δ)^n, **{somebody}**. "
        "δ has to "
        "be far below 1 divided by the number of people.",
        "See the traps",
        "mechanism_lab",
        "traps",
        lambda given: {"tr": "delta", "td": f"{given['delta'] * given['people']:g}", "tn": given["people"]},
    ),
}


def link_settings(question: Question) -> Mapping[str, Any]:
    """Return the settings under which the linked page shows the answer: from the numbers given and the answers."""
    answers = {name: each.value for name, each in question.answers.items()}
    return WORDS[question.key].settings({**answers, **question.given})


def asked(question: Question) -> str:
    return told(WORDS[question.key].asked, **_values(question))


def detail(question: Question) -> str:
    return told(WORDS[question.key].detail, **_values(question))


def explanation(question: Question) -> str:
    """Return why the answers are right, with their numbers and what these are worth."""
    return say(WORDS[question.key].explanation, **{**question.explained, **question.answers, **_values(question)})


def _values(question: Question) -> dict[str, Any]:
    plain = {
        **question.given,
        **{name: each for name, each in question.explained.items() if not isinstance(each, Quantity)},
    }
    told_as = {name: int(value) if value == int(value) else value for name, value in plain.items()}
    return {**told_as, **({"delta_told": small(plain["delta"])} if "delta" in plain else {})}
