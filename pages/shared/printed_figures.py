"""The figures of the two papers, each with a link to the section that redraws it, at the settings that it was printed for."""

from collections.abc import Mapping

import streamlit as st

from pages.shared import navigation

FIGURES: dict[str, dict[str, tuple[str, Mapping[str, str]]]] = {
    "Privacy at Risk": {
        "1a": ("explicit_risk", {"tab": "dimension", "ks": "1,2,3", "fe0": "1", "axis": "risk"}),
        "1b": ("explicit_risk", {"tab": "level", "e0s": "1,1.5,2,2.5", "fk": "1", "axis": "risk"}),
        "2": ("sample_planner", {"tab": "samples", "srhos": "0.0001,0.001,0.01,0.1"}),
        "3a": ("sample_planner", {"tab": "both", "bby": "rho", "brhos": "0.01,0.012,0.015,0.02", "bn": "10000"}),
        "3b": ("sample_planner", {"tab": "both", "bby": "samples", "bns": "10000,15000,20000,25000", "brho": "0.01"}),
        "4": ("budget_minimiser", {"tab": "budget", "lv": "0.7,0.6,0.5"}),
        "5a": ("composition", {"tab": "accountants", "ce0": "0.1", "cn": "300", "cd": "1e-05", "ck": "1"}),
        "5b": ("composition", {"tab": "accountants", "ce0": "0.5", "cn": "300", "cd": "1e-05", "ck": "1"}),
        "5c": ("composition", {"tab": "accountants", "ce0": "1", "cn": "300", "cd": "1e-05", "ck": "1"}),
        "6": ("sample_planner", {"tab": "accuracy", "ae0s": "1,0.8,0.6", "anoise": "published"}),
        "7": ("sample_planner", {"tab": "sampled"}),
    },
    "Empirical Differential Privacy": {
        "1": ("empirical_audit", {"tab": "noise"}),
        "2": ("empirical_audit", {"tab": "databases"}),
        "3": ("empirical_audit", {"tab": "exposed", "ewhich": "delta"}),
        "4": ("empirical_audit", {"tab": "exposed", "ewhich": "total"}),
        "5": ("empirical_audit", {"tab": "exposed"}),
    },
}
"""By paper and number: the page, and what of its address makes the figure."""


def draw() -> None:
    for place, (paper, figures) in enumerate(FIGURES.items()):
        with st.container(horizontal=True, gap="small", key=f"figures_{place}"):
            st.caption(f"Figures of *{paper}*", width="content")
            for number, (module, address) in figures.items():
                label = f":small[Figure {number}]"
                st.page_link(navigation.entry(module), label=label, query_params=dict(address), width="content")
