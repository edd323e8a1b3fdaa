"""What the quiz says: each question, and why its answer is right."""

from typing import NamedTuple


class Words(NamedTuple):
    """A question as a headline with one more sentence, its explanation, and what helps after the first wrong answer and the second."""

    asked: str
    detail: str
    explanation: str
    hints: tuple[str, str]


WORDS = {
    "grade": Words(
        "{students} students average {mean}; one leaves, the others average {after}. What was that grade?",
        "Both averages were published without noise.",
        "The sums are {students} · {mean} and {others} · {after}; their difference is the grade, **{grade}**. Two exact answers give "
        "one person away, though each of them is about a crowd.",
        (
            "An average times its number of people is a sum. The two sums differ by one grade.",
            "Compute {students} · {mean} − {others} · {after}.",
        ),
    ),
    "response": Words(
        "{yes:,} of {people:,} say yes after a toss of coins. How many truly would?",
        "With probability {heads:percent} the first coin asks for the truth, else a fair one answers; give deviation and ε too.",
        "The second coin alone says yes in {blind:percent}; of the {rate:percent} who said it, what is left is divided by "
        "{heads:percent}: **{share}**, give or take {deviation}. A true yes says it {odds:.3g} times as often as a true "
        "no: ε = ln {odds:.3g} = **{level}**.",
        (
            "Some say yes only because the second coin told them to. Take these off first.",
            "The share is ({rate:percent} − {blind:percent}) / {heads:percent}. Its deviation is that of the yes rate, √(q(1 − q)/n), "
            "divided by {heads:percent}. ε is the logarithm of {odds:.3g}, the ratio of the two chances to say yes.",
        ),
    ),
    "loss": Words(
        "Laplace noise is made for {epsilon0:level0}. How often does the privacy loss exceed {epsilon:.4g}?",
        "The loss counts with either sign, between worst-case neighbouring tables.",
        "It stays within with probability e^(−ε₀/2) · sinh(ε/2), so it exceeds {epsilon:.4g} in **{exceeds}** of releases. *Privacy at "
        "Risk* says {claimed}: it takes the noise seen from two tables for independent, but it is the same noise.",
        (
            "Between the two true answers the loss runs from ε₀ down to −ε₀; beyond them it is ε₀ in size.",
            "It stays within with probability e^(−ε₀/2) · sinh(ε/2), where ε₀ = {epsilon0:.4g}.",
        ),
    ),
    "belief": Words(
        "An attacker is {prior:percent} sure. How sure can one release with {epsilon:level} make them?",
        "The suspicion is that one person's true record was used; the attacker knows all the others.",
        "No answer is more than e^ε times as likely under one table as under the other: the odds grow by that factor at most, and "
        "{prior:percent} becomes at most **{belief}**.",
        (
            "Turn the belief into odds, sure to unsure: a release can multiply those.",
            "Odds of {prior:percent} to the rest grow by e^ε at most. Odds of o are a belief of o/(1 + o).",
        ),
    ),
    "hits": Words(
        "With {epsilon:level}, how high can the true-positive rate of an attack be?",
        "Its false-positive rate is {false_positive:percent}, and somebody reports a true-positive rate of {reported:percent}.",
        "No attack reaches more than e^ε times its false-positive rate, **{hits}**. Truly measuring {reported:percent} shows "
        "that the release does not have {epsilon:level}.",
        (
            "An alarm is right under one table and false under the other. How much likelier can it be under one of them?",
            "Nothing is more than e^ε times as likely: multiply {false_positive:percent} by it.",
        ),
    ),
    "invented": Words(
        "Noise falls on {cells:,} empty cells, and negatives become 0. How many people are invented?",
        "The noise is discrete Laplace noise with {epsilon:level}; one person counts once, in one cell.",
        "Nothing balances the positive noise any more: a cell is too large by 1/(2 sinh ε) on average, all together by **{people}**. "
        "Each number came nearer to the truth, and their total went far away from it.",
        (
            "Negative noise becomes 0 and positive noise stays. What is left of one cell on average?",
            "One cell is too large by 1/(2 sinh ε) on average, and there are {cells:,}.",
        ),
    ),
    "added": Words(
        "A release each week for {releases:,} weeks: which ε does basic composition give?",
        "Each has {epsilon:level} and is about the same people.",
        "Levels add up: {releases:,} · {epsilon:.4g} = **{total}**. That always holds, and for many releases it is far more than the "
        "truth.",
        ("Basic composition asks for the levels alone.", "Multiply {epsilon:.4g} by {releases:,}."),
    ),
    "spent": Words(
        "A release each week for {releases:,} weeks: which ε do they spend exactly?",
        "Each has Laplace noise with {epsilon:level} and is about the same people; all together may have δ = {delta_told}.",
        "Losses have either sign, and partly cancel: all releases together have ε = **{spent}**, where basic composition adds up to "
        "{total}. No smaller ε holds for this δ.",
        (
            "Losses of either sign partly cancel, so it is less than the sum of all levels.",
            "No formula gives it by hand: open Composition, Accountants, and read its exact curve at "
            "{releases:,} releases of {epsilon:.4g}.",
        ),
    ),
    "crossing": Words(
        "From how many counts on is Gaussian noise more accurate than Laplace noise?",
        "One person moves each count by 1; ε = {epsilon:.4g} for all counts together, Gaussian noise with δ = {delta_told} too.",
        "Laplace noise grows with the number of counts, Gaussian noise with its root. At **{counts}** counts the average error of each "
        "is {plain} with Laplace and {normal} with Gaussian noise, exactly calibrated.",
        (
            "Laplace noise grows with the number of counts, Gaussian noise with its root: they meet once.",
            "Take both average errors for one count, Gaussian over Laplace, and square that ratio. The next whole number is the answer.",
        ),
    ),
    "clamped": Words(
        "Noise is clamped to ±{bound}. How often does a release rule the other table out?",
        "Discrete Laplace noise with {epsilon:level} is clamped, then added to a count; the other table counts one more.",
        "Noise of −{bound} or less gives a number that the other table never gives. That has probability q^{bound}/(1 + q) with q = "
        "e^−ε: in **{ruled_out}** of releases the table is certain. Clamp the released number instead: that is post-processing and "
        "tells nothing more.",
        (
            "Which released number can come from one of the two tables only?",
            "The lowest one, which takes noise of −{bound} or less: its probability is q^{bound}/(1 + q) with q = e^−ε.",
        ),
    ),
    "refuted": Words(
        "An event in {first:,} against {second:,} of {runs:,} runs: which ε is refuted?",
        "It is rarer without one person's record; take two Clopper–Pearson bounds that are both right in 95 of 100 audits.",
        "Each bound may be wrong in 2.5 of 100. The event has a chance of at least {least} with the record and of at most {most} "
        "without it: every ε below the logarithm of their ratio, **{refuted}**, is refuted.",
        (
            "One chance is at least so large, the other at most so large. What does their ratio bound?",
            "Take the lower Clopper–Pearson bound for {first:,} of {runs:,} and the upper one for {second:,}, each wrong in 2.5 of 100. "
            "ε is the logarithm of their ratio.",
        ),
    ),
    "somebody": Words(
        "Each of {people:,} records is published with probability δ. How likely is at least one?",
        "δ = {delta_told}, and nothing else is published: that is (0, δ)-differential privacy.",
        "On average {expected:.3g} of the records come out; at least one does with probability 1 − (1 − δ)^n, **{somebody}**. "
        "δ has to "
        "be far below 1 divided by the number of people.",
        (
            "Ask first how likely it is that no record comes out.",
            "No record comes out with probability (1 − δ)^n, where n = {people:,}.",
        ),
    ),
}
