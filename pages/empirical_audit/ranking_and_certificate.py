"""What is taken along from an audit: the ranking as CSV, and a certificate that names nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.empirical_audit import noise_fields, query_fields
from pages.empirical_audit.current_audit import Audited
from pages.shared import downloads, links, version
from pages.shared.glossary import explain
from par_core.audit.auditing import AuditAt
from par_core.audit.intervals import AuditIntervals
from par_core.audit.ranking import ranking_table
from par_core.errors import ParameterError
from par_core.export.certificate import SHORTEST_KEY, certificate, fingerprint

if TYPE_CHECKING:
    import pandas as pd


def draw(audited: Audited, at: AuditAt, ends: AuditIntervals | None, *, protected: tuple[float, float] | None) -> None:
    """Draw the downloads; `protected` holds an allowed δ and the ε from which on nobody has a larger one."""
    st.markdown("##### Take it along")
    link = f"?{links.full()}"  # bound now: the download runs later and without a session
    noise = noise_fields.added(audited)
    query = query_fields.words(audited.query)
    head = {
        "title": "Ranking of an empirical audit",
        "query": query,
        "epsilon": f"{at.epsilon:g}",
        "names": "masked" if audited.masked else "as in the data: the ranking itself is sensitive",
        "standing": f"{at.standing.value}; {at.limits}",
        "link": link,
    }

    def ranking() -> pd.DataFrame:
        return ranking_table(audited.result, at, masked=audited.masked)

    with st.container(horizontal=True):
        st.download_button(
            "Ranking (CSV)",
            data=lambda: downloads.as_csv(ranking(), head),
            file_name="ranking.csv",
            mime="text/csv",
            key="ranking_csv",
            on_click="ignore",
            help="δ of every individual at this ε. Without names where they are masked; the ranking itself is sensitive.",
        )
        secret = _key()
        st.download_button(
            "Certificate (JSON)",
            data=lambda: _certificate(audited, at, ends, noise, protected, query, link, secret),
            file_name="certificate.json",
            mime="application/json",
            key="certificate",
            on_click="ignore",
            help="Parameters, versions, results, checks and what they are worth; nobody’s name and no answer.",
        )


def _key() -> str:
    """Draw the field for the secret of a fingerprint; returns it, or nothing."""
    with st.expander("With a fingerprint of the data", key="fingerprint", on_change="rerun", type="compact") as more:
        if not more.open:
            return ""
        secret: str = st.text_input("Secret key", type="password", key="_fingerprint_key", help=explain("fingerprint"))
        if secret and len(secret) < SHORTEST_KEY:
            st.error(f"The key must have at least {SHORTEST_KEY} letters.")
            return ""
        return secret


def _certificate(
    audited: Audited,
    at: AuditAt,
    ends: AuditIntervals | None,
    noise: noise_fields.Added | None,
    protected: tuple[float, float] | None,
    query: str,
    link: str,
    secret: str,
) -> str:
    """Make the certificate."""
    more = {"made with": f"Privacy at Risk explorer {version.text()}", "link": link}
    if secret:
        try:
            more["keyed fingerprint"] = fingerprint(audited.panel, secret)
        except ParameterError as error:
            more["keyed fingerprint"] = f"none: {error}"
    return certificate(
        audited.result,
        at,
        query=query,
        databases=audited.panel.source,
        intervals=ends,
        noise=noise,
        protected=protected,
        more=more,
    )
