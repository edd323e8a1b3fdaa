"""Traps: four ways to give everything away, or to be far off, with a mechanism that looks private."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from par_core.evidence import quantity_of
from par_core.figures import lab_traps as figures
from par_core.figures.drawing import Drawing
from par_core.lab import clamping, float_noise, private_average, published_records
from par_core.progress import Progress
from par_core.questions.blocks import Block, Headline, Note, Part, Sentence
from par_core.questions.mechanism_lab.lab_question import LabQuestion, Range, Toy, ToyAnswer
from par_core.questions.question import Ask, anew
from par_core.rounding import rounded, small


@dataclass(frozen=True, repr=False)
class PublishedRecords(Toy):
    """The trap of a δ near 1/n: how often does it let somebody's whole record be published?"""

    expected: float = 1.0  # records published: δ·n
    people: int = 1000

    ranges: ClassVar = {
        "expected": Range("Records published, δ·n", 1e-3, published_records.MOST_EXPECTED),
        "people": Range("People in the table, n", published_records.FEWEST, 10**9),
    }
    moved_by = ("expected",)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> PublishedRecordsAnswer:
        return PublishedRecordsAnswer(self, published_records.published_records(self.expected, self.people))


class PublishedRecordsAnswer(ToyAnswer[PublishedRecords, published_records.PublishedRecords]):
    """How often whole records come out."""

    told: ClassVar = {"somebody_is_exposed": "each_alone", "if_one_record_at_most_comes_out": "one_at_most"}

    def story(self) -> Iterator[Block]:
        own = self.found
        yield Headline(
            "With δ = {delta} somebody's whole record may come out, in {own.each_alone} of releases",
            delta=small(rounded(own.delta)),
            own=own,
            bare=True,
        )
        yield Sentence("Each record is published with probability δ; that is (0, δ)-differential privacy, at ε = 0.")
        yield self.pictured(
            "whole_records",
            self._drawn,
            "Chance that a whole record is published against δ·n: {found.each_alone} at δ·n = {found.expected:g} with {found.people:,} "
            "people.",
        )
        yield self.said(
            "A mechanism that picks one record at random and publishes it with probability δ·n keeps the same promise: somebody is exposed "
            "in {found.one_at_most} of releases."
        )
        yield Sentence(
            "So choose δ far below 1/n: at δ = 1/n² such a mechanism exposes somebody in {safe.one_at_most} of releases.",
            safe=published_records.published_records(1 / own.people, own.people),
            term="delta",
        )

    def _drawn(self) -> Drawing:
        curves = published_records.published_records(published_records.GRID, self.found.people)
        return figures.published_records(curves, own=self.found)


@dataclass(frozen=True, repr=False)
class InventedPeople(LabQuestion):
    """The trap of post-processing: how many people does it invent that negative counts are set to 0?"""

    cells: int = 1000  # in which there is truly nobody
    bound: int = 5  # what the noise itself would be cut off at

    ranges: ClassVar = {
        "cells": Range("Empty cells", 1, clamping.MOST_CELLS),
        "bound": Range("Noise cut off at ±", 1, 100),
    }

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> InventedPeopleAnswer:
        return InventedPeopleAnswer(self, clamping.invented_people(self.cells, self.level))


class InventedPeopleAnswer(ToyAnswer[InventedPeople, clamping.InventedPeople]):
    """How many people appear in empty cells."""

    told: ClassVar = {
        "people_invented": "invented",
        "by_laplace_noise": "by_laplace",
        "deviation_unclamped": "deviation",
    }

    def story(self) -> Iterator[Block]:
        asked = self.question
        yield self.titled(
            "Negative counts set to 0: {found.cells:,} empty cells hold {found.invented} people, at {found.epsilon:level}"
        )
        yield Sentence("Clamping costs no privacy, but what it cuts off always lies below the true 0.")
        yield self.pictured(
            "invented_people",
            self._drawn,
            "People who appear in {found.cells:,} empty cells against ε: {found.invented} at ε = {found.epsilon:g}.",
        )
        yield self.said(
            "That is for discrete Laplace noise, which the release scripts draw for counts; with Laplace noise it would be "
            "{found.by_laplace}. Left as they are, the noisy counts would add up to 0 on average, with a standard deviation of "
            "{found.deviation}.",
            term="clamped",
        )
        yield Part(NoiseCutOff(asked.scenario, asked.epsilon, asked.bound))

    def _drawn(self) -> Drawing:
        return figures.invented_people(clamping.invented_people(self.found.cells, clamping.GRID), own=self.found)


@dataclass(frozen=True, repr=False)
class NoiseCutOff(LabQuestion):
    """How often does noise that is cut off itself give the table away?"""

    bound: int = 5

    ranges: ClassVar = {"bound": InventedPeople.ranges["bound"]}
    moved_by = "bound", "epsilon"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> NoiseCutOffAnswer:
        return NoiseCutOffAnswer(self, clamping.clamped_noise(self.bound, self.level))


class NoiseCutOffAnswer(ToyAnswer[NoiseCutOff, clamping.ClampedNoise]):
    """How often an answer comes out that the other table cannot give."""

    def story(self) -> Iterator[Block]:
        found = self.found
        yield self.said(
            "**Never clamp the noise itself.** Cut off at ±{found.bound:,} it gives an answer that the other table cannot give, in "
            "{found.impossible} of releases: then the loss is infinite. ε is gone, and δ is at least that much."
        )
        yield self.pictured(
            "clamped_noise",
            partial(figures.clamped_noise, found),
            "What two tables publish with noise cut off at ±{found.bound:d}: {found.impossible} of releases tell them apart.",
        )
        yield Note("Rounding, clamping or thresholding the noisy *answer* keeps ε: it looks at nothing but the answer.")


@dataclass(frozen=True, repr=False)
class FloatNoise(LabQuestion):
    """The trap of floating point: how often do the last bits of a noisy number tell the tables apart?"""

    bits: int = 11

    ranges: ClassVar = {"bits": Range("Bits of a number", float_noise.FEWEST_BITS, float_noise.MOST_BITS)}
    moved_by = "bits", "epsilon"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> FloatNoiseAnswer:
        return FloatNoiseAnswer(self, float_noise.float_noise(self.bits, self.level))


class FloatNoiseAnswer(ToyAnswer[FloatNoise, float_noise.FloatNoise]):
    """Which numbers can come out of which table."""

    told: ClassVar = {"out_of_one_table_only": "exposed"}

    def story(self) -> Iterator[Block]:
        own = self.found
        yield self.titled("{found.exposed} of noisy numbers of {found.bits:d} bits can come out of one table only")
        yield Sentence("Each column is one number that the computer can hold, just above the next.")
        yield self.pictured(
            "float_noise",
            partial(figures.float_noise, own),
            "Neighbouring numbers of {found.bits:d} bits and the tables they come from; {found.exposed} of releases tell them apart.",
        )
        yield Sentence(
            "More bits do not help: with {most.bits:d} it is {most.exposed}. A double has 53, too many to count here, and fails alike "
            "(Mironov, 2012).",
            most=float_noise.float_noise(float_noise.MOST_BITS, own.epsilon),
        )
        yield Sentence(
            "The noise is b times the logarithm of a random number, and only some numbers are such a product; 1 plus such a product is "
            "mostly another number. Discrete Laplace noise on whole steps can come out anywhere from either table: that is what the "
            "release scripts draw."
        )
        yield Note(
            "Every outcome is counted: each random number of so many bits, each sign, each step rounded as the processor does."
        )


@dataclass(frozen=True, repr=False)
class PrivateAverage(LabQuestion):
    """The trap of an average over a private count: how often does noise that is made for it break its ε?"""

    averaged: int = 5  # people

    ranges: ClassVar = {"averaged": Range("People in the average, n", 1, 1000)}
    moved_by = "averaged", "epsilon"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> PrivateAverageAnswer:
        return PrivateAverageAnswer(self, private_average.private_scale(self.averaged, self.level))


class PrivateAverageAnswer(ToyAnswer[PrivateAverage, private_average.PrivateScale]):
    """The privacy loss of each published average."""

    told: ClassVar = {"epsilon_is_broken_in": "exceeds", "one_release_in_1000_loses_at_least": "rare_loss"}

    def story(self) -> Iterator[Block]:
        own = self.found
        yield self.titled("Noise scaled by a private count breaks {found.epsilon:level} in {found.exceeds} of releases")
        yield Sentence("One person joins: the noise, made for 1/n, changes its width, and the loss has no bound.")
        yield self.pictured(
            "private_average",
            partial(figures.private_scale, own),
            "Privacy loss against the published average of {found.people:,} people: larger than ε = {found.epsilon:g} in size in "
            "{found.exceeds} of releases.",
        )
        yield self.said(
            "All {found.people:,} have the value 0, the one who joins has 1. One release in 1,000 loses {found.rare_loss} or more: with "
            "many people that is little above ε, with few it is not.",
            term="loss",
        )
        yield Sentence(
            "A noisy sum divided by the exact count is the same mistake: its noise is divided by n too. Add noise to the sum *and* to the "
            "count, each with a part of ε, and divide: that costs nothing more."
        )
        yield Sentence(
            "Without noise two averages give everything away: 40 students have a mean of 90; one leaves, and it is 91. Their grade: "
            "**{grade}**.",
            grade=quantity_of(private_average.value_of_leaver, 40, 90.0, mean_without=91.0),
        )
