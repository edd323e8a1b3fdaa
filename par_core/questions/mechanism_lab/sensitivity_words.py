"""The words of the exercises about sensitivity: what is published, and why one person moves it so far."""

from typing import NamedTuple

from par_core.lab.sensitivity import QUERIES, Exercise
from par_core.scenario import Neighbours


class Words(NamedTuple):
    """What a query is called, what has to be known of it, and why its sensitivity is what it is, by the neighbours if that differs."""

    query: str
    detail: str
    replaced: str
    added: str = ""


WORDS = {
    "count": Words(
        "the count of values of {cut} or more",
        "Values from {low} to {high}",
        "One person is counted or not: the count moves by 1 at most, whatever the values.",
    ),
    "sum": Words(
        "the sum of the values",
        "Values from {low} to {high}",
        "One value goes from one bound to the other: {high} − ({low}).",
        "One value comes or goes, and the one furthest from 0 moves the sum most. The width of the bounds does not matter.",
    ),
    "mean": Words(
        "the mean, if n = {people} is public",
        "{people} values from {low} to {high}",
        "The sum moves by {high} − ({low}) at most, and is divided by {people}.",
    ),
    "mean of a private number": Words(
        "the mean, if n is private",
        "At least one value from {low} to {high}",
        "Nothing says that there are many. One person alone is the mean, and goes from bound to bound. Publish a noisy sum and a noisy "
        "count instead.",
        "Nothing says that there are many. A second person at the other bound moves the mean to the middle, by half of {high} − ({low}). "
        "Publish a noisy sum and a noisy count instead.",
    ),
    "largest": Words(
        "the largest value",
        "At least one value from {low} to {high}",
        "All others may be at {low}: then one person alone decides, from bound to bound. At usual ε such noise drowns the answer; "
        "private quantiles are selected instead, as by the exponential mechanism.",
    ),
    "median": Words(
        "the median, if n = {people} is public",
        "{people} values from {low} to {high}",
        "Half of the others may be at either bound: then the one in the middle decides, from bound to bound. Private medians are "
        "selected instead of noised.",
    ),
    "histogram": Words(
        "a histogram, all changes added up",
        "Values from {low} to {high} in bins of ten",
        "Whoever goes from one bin to another moves two counts by 1 each.",
        "Whoever comes or goes is in one bin, and moves one count by 1.",
    ),
    "distinct": Words(
        "the number of distinct values",
        "Values from {low} to {high}",
        "One value may be lost and another one new: these cancel, and the number moves by 1 at most.",
        "The value of one person may be new or not: 1 at most.",
    ),
}
assert [*WORDS] == [each.key for each in QUERIES]


def explained(found: Exercise) -> str:
    """Return why the sensitivity of an exercise is what it is."""
    words = WORDS[found.key]
    is_added = found.neighbours is Neighbours.ADD_OR_REMOVE
    return filled((words.added if is_added else "") or words.replaced, found)


def filled(template: str, found: Exercise) -> str:
    """Return a text with the public numbers of an exercise in it."""
    numbers = found.numbers
    low, high = (f"{each}".replace("-", "−") for each in (numbers.low, numbers.high))
    text = template.replace("({low})", low if numbers.low >= 0 else "({low})")
    return text.format(low=low, high=high, cut=f"{numbers.cut}".replace("-", "−"), people=numbers.people)
