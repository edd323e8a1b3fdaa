"""Add noise: the level that is wanted, the kernels, and whether the noise goes into the certificate."""

from __future__ import annotations

from typing import cast, get_args

import streamlit as st

from pages.empirical_audit.query_fields import choose
from pages.shared import controls, settings
from pages.shared.dial import dial
from par_core.evidence import quantity_of
from par_core.export.sentences import level
from par_core.figures.quantities import format_quantity
from par_core.mechanisms import max_posterior
from par_core.questions.empirical_audit.noise import Kernel, NoiseWanted
from par_core.questions.glossary import explain
from par_core.scenario import Scenario
from par_core.tables.table import Table

WANTED = settings.number("enoise", "Wanted ε", NoiseWanted.epsilon, at_least=1e-4, at_most=100.0)
KERNEL = settings.choice("ekern", "Kernels", get_args(Kernel))
ADDED = settings.switch("eadd", "Into the certificate")

_KERNEL_WORDS = {"laplace": "Laplace", "gaussian": "Gaussian"}


def ask(_: Scenario, table: Table) -> NoiseWanted:
    chosen, wanted = choose(table), dial(WANTED, hint=explain("wanted_level"))
    sure = quantity_of(max_posterior, 0.5, wanted)
    st.caption(f"{level(wanted)}: an attacker who is 50 % sure becomes at most {format_quantity(sure)} sure.")
    kernel = controls.choice(KERNEL, hint=explain("kernels"), words=_KERNEL_WORDS.__getitem__)
    if kernel == "laplace":
        controls.switch(ADDED, hint="The certificate is under “Who is exposed?”.")
    return NoiseWanted(**chosen, epsilon=wanted, kernel=cast(Kernel, kernel))
