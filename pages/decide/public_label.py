"""The section "For the public": what is typed for a label stays in its session, in no link and in no file but the label itself."""

from __future__ import annotations

import datetime as dt

import streamlit as st

from pages.shared import controls, plan, settings
from pages.shared.settings import Setting
from par_core.plan import PlanScenario
from par_core.questions.decide.label_words import one_line
from par_core.questions.decide.public_label import LONGEST, LONGEST_NAME, PRODUCTS, PublicLabel
from par_core.questions.glossary import explain
from par_core.scenario import Scenario


def _text(key: str, label: str) -> Setting[str]:
    return settings.unlinked(Setting(key, label, "", str, str, is_text=True))


_TEXTS = {
    "name": _text("pl_name", "Name of the publication"),
    "publisher": _text("pl_by", "Published by"),
    "purpose": _text("pl_for", "What it is for"),
    "unit": _text("pl_row", "What one row is"),
    "contact": _text("pl_ask", "Contact"),
}
_FOR_REGISTRY = {
    "description": _text("pl_what", "Description"),
    "region": _text("pl_where", "Region"),
}
_PRODUCT = settings.unlinked(settings.choice("pl_type", "Kind of product", PRODUCTS))
_DATE: Setting[dt.date | None] = settings.unlinked(Setting("pl_date", "Date", None, dt.date.fromisoformat, str))


def ask(scenario: Scenario) -> PublicLabel:
    typed = {name: _typed(name, setting) for name, setting in _TEXTS.items()}
    day = controls.date(_DATE, hint=explain("label_date"), at_first=dt.datetime.now(dt.UTC).date())
    with st.expander("For the registry"):
        typed |= {name: _typed(name, setting) for name, setting in _FOR_REGISTRY.items()}
        product = controls.choice(_PRODUCT, hint=explain("label_registry"))
    called = plan.called() if isinstance(scenario, PlanScenario) else ()
    names = tuple(one_line(each)[:LONGEST_NAME] for each in called)
    return PublicLabel(scenario, **typed, date=day.isoformat(), product=product, names=names)


def _typed(name: str, setting: Setting[str]) -> str:
    hint = explain("label_registry" if name in _FOR_REGISTRY else "label_text")
    return controls.text(setting, hint=hint, longest=LONGEST[name], area=LONGEST[name] > 120)
