"""Fixed text of the release scripts. No gap in it is for what a user typed, which stands in constants at the top of a script.

That is why no column name, category or value can become code.
"""

from __future__ import annotations

HEAD = '''\
"""Publish one statistic with differential privacy, with OpenDP.

Install:  pip install {requirements}
Run:      python this_script.py your_file.csv        (or Parquet; either also as gzip)

{year}
What it does
  - reads the columns that it needs from your file, on your machine; nothing is sent anywhere
{does}
  - prints what OpenDP proves about the privacy of the release, and stops if that is more than planned
  - prints the release and writes it beside your file, as your_file_release_1.csv and so on

What it does not do
  - keep account of what is released elsewhere about the same persons: that epsilon comes on top
  - read bounds, categories or conditions off the data: they stand below, and must come from public knowledge
  - hide what you print, log or keep besides: error messages and the table itself are private
"""

import argparse
import codecs
import csv
import datetime
import gzip
import hashlib
import json
import os
import re
import sys
import zlib

import numpy as np
import opendp.prelude as dp
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
{imports}
# OpenDP asks for this consent to use components whose proofs are written but not all reviewed yet.
dp.enable_features("contrib")
'''

CAP_DOES = "  - keeps no more rows of a person than promised, whatever they hold"
PERSONS_DOES = "  - counts each person once in a cell, and in CELLS_PER_PERSON cells at most"
PROMISE_DOES = "  - relies on your promise that no person has more rows than ROWS_PER_PERSON: it does not check it"
COUNT_DOES = "  - counts the rows that meet the condition, and adds discrete Laplace noise: whole numbers stay whole"
COUNTS_DOES = "  - counts the rows in each cell, and adds discrete Laplace noise to each: whole numbers stay whole"
SUM_DOES = "  - clamps the values to the bounds, adds them up, and adds Laplace noise"
MEAN_DOES = "  - clamps the values to the bounds, adds them up, adds Laplace noise, and divides by ROWS"
PAIR_DOES = """\
  - clamps the values to the bounds, adds them up, and adds Laplace noise
  - counts the rows under the mean, and adds discrete Laplace noise: whole numbers stay whole
  - prints their quotient, with a count of 1 at least, clamped to the bounds; this costs no further epsilon"""


HAS_VALUE = '''
def chosen(table):
    """Say for each row whether it is averaged: one without a value is left out."""
    return {where}numbers(table, COLUMN).notna()
'''
ALL_ROWS = '''
def chosen(table):
    """All rows are looked at."""
    return pd.Series(True, index=table.index)
'''

PLACE_OTHER = '''
def place(values, categories):
    """Return for each value its place in the list, len(categories) if it is not there, and -1 if it is missing."""
    places = {category: number for number, category in enumerate(categories)}
    found = [places.get(value, len(categories)) for value in values.tolist()]
    return np.where(values.isna(), -1, np.array(found, dtype=np.int64))
'''
PLACE = '''
def place(values, categories):
    """Return for each value its place in the list, and -1 if it is not there or missing."""
    places = {category: number for number, category in enumerate(categories)}
    found = [places.get(value, -1) for value in values.tolist()]
    return np.where(values.isna(), -1, np.array(found, dtype=np.int64))
'''

PLACES = '''
def places(table):
    """Return for each column the place of every row in its list, and how many places there are."""
    return [
{places}
    ]
'''

MEETS_CELL = '''
def cells(table):
    """Return the cell of each row: 0, and -1 for a row that is not counted."""
    return np.where(meets(table) & chosen(table), 0, -1)
'''
PLACES_CELL = '''
def cells(table):
    """Return the cell of each row, and -1 for a row that is counted nowhere."""
    cell = np.zeros(len(table), dtype=np.int64)
    counted = chosen(table).to_numpy(dtype=bool, copy=True)
    for found, size in places(table):
        cell = cell * size + found
        counted &= found >= 0
    return np.where(counted, cell, -1)
'''
ROWS_PREPARE = '''
def prepare(table):
    """Return what is measured: the cell of each row."""
    return [cells(table)]
'''
PERSONS_PREPARE = '''
def prepare(table):
    """Return what is measured: the cells of all persons, one after another."""
    return [once(table, cells(table))]
'''
ONE_CELL_ROWS_PREPARE = '''
def prepare(table):
    """Return what is measured: 1 for a row that is counted, otherwise 0."""
    return [(cells(table) >= 0).astype(np.int64)]
'''
ONE_CELL_PERSONS_PREPARE = '''
def prepare(table):
    """Return what is measured: 1 for each person who is counted."""
    return [once(table, cells(table)) + 1]
'''
COUNT_PUBLISHED = '''
def measurements(rows):
    """Return the measurement of each part of the release."""
    return [noisy_count(rows, EPSILON)]


def published(noisy, rows):
    """Return what is published. A negative count may be set to 0 afterwards: that costs no privacy."""
    return [(LABELS[0], noisy[0])]
'''
COUNTS_PUBLISHED = '''
def measurements(rows):
    """Return the measurement of each part of the release."""
    return [noisy_counts(rows, EPSILON)]


def published(noisy, rows):
    """Return what is published. Negative counts may be set to 0 afterwards: that costs no privacy."""
    return list(zip(LABELS, noisy[0], strict=True))
'''
CLAMPED = '''
def clamped(table):
    """Return the values within the bounds; a missing one is taken for 0 and clamped too; rows not chosen add 0."""
    values = numbers(table, COLUMN).astype(float).fillna(0.0).clip(LOWER, UPPER)
    return values.where(chosen(table), 0.0).to_numpy(dtype=float, copy=True)
'''
CLAMPED_SHIFTED = '''
def clamped(table):
    """Return the values within the bounds, less LOWER; a missing one is taken for 0 and clamped too.

    LOWER times the public number of rows is added again after the noise. (That makes steps as fine as they can be.)
    """
    values = numbers(table, COLUMN).astype(float).fillna(0.0).clip(LOWER, UPPER)
    return (values - LOWER).clip(LEAST, MOST).to_numpy(dtype=float, copy=True)
'''
SUM_PREPARE = '''
def prepare(table):
    """Return what is measured."""
    return [steps(clamped(table))]


def measurements(rows):
    """Return the measurement of each part of the release."""
    return [noisy_sum(rows, {share})]

'''
ONE_PUBLISHED = '''\

def published(noisy, rows):
    """Return what is published.{note}"""
    return [("{label}", noisy[0] * STEP{rest})]
'''
PAIR_PREPARE = '''
def prepare(table):
    """Return what is measured: the values, and 1 for a row under the mean, otherwise 0."""
    return [steps(clamped(table)), chosen(table).to_numpy(dtype=np.int64, copy=True)]


def measurements(rows):
    """Return the measurement of each part of the release; their epsilons add up to that of the release."""
    return [noisy_sum(rows, EPSILON_SUM), noisy_count(rows, EPSILON_COUNT)]


def published(noisy, rows):
    """Return what is published: the quotient (the noisy sum and the noisy count could be published as well)."""
    return [("mean", min(max(noisy[0] * STEP / max(noisy[1], 1), LOWER), UPPER))]
'''

MAIN_HEAD = '''
def row(label, value):
    """Return a line of the results; no spreadsheet takes a label for a formula."""
    labels = label if isinstance(label, tuple) else (label,)
    wide = "\\uff1d\\uff0b\\uff0d\\uff20\\ufe66\\ufe62\\ufe63\\ufe6b"  # the same signs in East Asian writing
    formulas = tuple("=+-@\\t\\r" + wide)
    return [*(f"'{each}" if isinstance(each, str) and each[:1] in formulas else each for each in labels), value]


def main():
    """Read, measure once, print the release and write it."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # a console without a label's letters shows their numbers
    arguments = argparse.ArgumentParser(description="Publish one statistic by its plan; this script's head says how.")
    arguments.add_argument("file", nargs="?", default=FILE)
    arguments.add_argument("--ledger", default=os.path.join(os.path.dirname(os.path.realpath(sys.argv[0])), LEDGER))
    asked = arguments.parse_args()
    table = read(asked.file)
'''
MAIN_CAP = """\
    table = cap(table)
"""
MAIN_ROWS = """\
    if len(table) != ROWS:
        stop("the table does not have as many rows as planned (ROWS); plan the release again")
"""
MAIN = """\
    vectors, mechanisms = prepare(table), measurements(len(table))
"""
CHECK = """\
    spent = [mechanism.map(ONE_PERSON) for mechanism in mechanisms]  # OpenDP's own proof of the epsilon of each part
    for epsilon, planned in zip(spent, EPSILONS, strict=True):
        print(f"proven epsilon {epsilon} (planned {planned})")
        if not epsilon <= planned:
            stop("this release would be less private than planned: nothing was measured")
    if sum(EPSILONS) > EPSILON:
        stop("the parts would spend more than planned: nothing was measured")
"""
MAIN_END = """\
    results = take_place(os.path.realpath(asked.ledger), os.path.splitext(asked.file)[0] + "_release")
    noisy = [mechanism(vector) for mechanism, vector in zip(mechanisms, vectors, strict=True)]
    found = published(noisy, len(table))
    with open(results, "w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows(row(label, value) for label, value in [(HEADINGS, "published"), *found])
    for label, value in found:
        print(f"{label!r}\\t{value}")


if __name__ == "__main__":
    main()
"""
