"""What is taken along from an audit: the ranking as CSV, and a certificate that names nobody."""

from __future__ import annotations

import streamlit as st

from pages.shared import app_version, downloads
from pages.shared.page import Section
from par_core.audit.ranking import ranking_table
from par_core.errors import ParameterError
from par_core.export.certificate import SHORTEST_KEY, certificate, fingerprint
from par_core.questions.empirical_audit.exposure import WhoIsExposedAnswer
from par_core.questions.glossary import explain


def draw(_: Section, answer: WhoIsExposedAnswer) -> None:
    """Draw the downloads."""
    st.markdown("### Take it along")
    asked, at, result = answer.question, answer.at, answer.result
    head = downloads.linked(
        {
            "title": "Ranking of an empirical audit",
            "query": asked.asked,
            "epsilon": f"{at.epsilon:g}",
            "names": "masked" if asked.masked else "as in the data: the ranking itself is sensitive",
            "standing": f"{at.evidence.basis.value}; {at.limits}",
        }
    )
    with st.container(horizontal=True):
        downloads.button(
            "Ranking (CSV)",
            lambda: downloads.as_csv(ranking_table(result, at, masked=asked.masked), head),
            "ranking.csv",
            key="ranking_csv",
            hint="δ of every individual at this ε. Without names where they are masked; the ranking itself is sensitive.",
        )
        secret = _key()

        def certified() -> str:
            more = {"made with": f"Privacy at Risk explorer {app_version.text()}", "link": head["link"]}
            if secret:
                more["keyed fingerprint"] = _fingerprint(answer, secret)
            return certificate(
                result,
                at,
                query=asked.asked,
                databases=answer.audited.source,
                intervals=answer.ends,
                noise=answer.noise,
                protected=None if answer.protected is None else (asked.allowed, answer.protected),
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
            st.error(f"The key must have at least {SHORTEST_KEY} characters.")
            return ""
        return secret


def _fingerprint(answer: WhoIsExposedAnswer, secret: str) -> str:
    try:
        return fingerprint(answer.question.panel(), secret)
    except ParameterError as error:
        return f"none: {error}"
