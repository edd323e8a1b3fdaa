"""What is taken along from an audit: the ranking as CSV, and a certificate that names nobody."""

from __future__ import annotations

import streamlit as st

from pages.empirical_audit import noise_fields, query_fields
from pages.empirical_audit.current_audit import Audited
from pages.shared import app_version, downloads
from par_core.audit.auditing import AuditAt
from par_core.audit.intervals import AuditIntervals
from par_core.audit.ranking import ranking_table
from par_core.errors import ParameterError
from par_core.export.certificate import SHORTEST_KEY, certificate, fingerprint
from par_core.questions.glossary import explain


def draw(audited: Audited, at: AuditAt, ends: AuditIntervals | None, *, protected: tuple[float, float] | None) -> None:
    """Draw the downloads; `protected` holds an allowed δ and the ε from which on nobody has a larger one."""
    st.markdown("### Take it along")
    noise, query = noise_fields.added(audited), query_fields.words(audited.query)
    head = downloads.linked(
        {
            "title": "Ranking of an empirical audit",
            "query": query,
            "epsilon": f"{at.epsilon:g}",
            "names": "masked" if audited.masked else "as in the data: the ranking itself is sensitive",
            "standing": f"{at.standing.value}; {at.limits}",
        }
    )
    with st.container(horizontal=True):
        downloads.button(
            "Ranking (CSV)",
            lambda: downloads.as_csv(ranking_table(audited.result, at, masked=audited.masked), head),
            "ranking.csv",
            key="ranking_csv",
            hint="δ of every individual at this ε. Without names where they are masked; the ranking itself is sensitive.",
        )
        secret = _key()

        def certified() -> str:
            more = {"made with": f"Privacy at Risk explorer {app_version.text()}", "link": head["link"]}
            if secret:
                more["keyed fingerprint"] = _fingerprint(audited, secret)
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

        downloads.button(
            "Certificate (JSON)",
            certified,
            "certificate.json",
            key="certificate",
            hint="Parameters, versions, results, checks and what they are worth; nobody’s name and no answer.",
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


def _fingerprint(audited: Audited, secret: str) -> str:
    try:
        return fingerprint(audited.panel, secret)
    except ParameterError as error:
        return f"none: {error}"
