"""Empirical audit: whether a query that already exists leaks anyone, and who; from repeated databases."""

from pages.empirical_audit import adversary, attack, databases, exposed, joint, noise, other_densities, take_along
from pages.empirical_audit.panel_fields import open_table
from pages.empirical_audit.query_fields import EPSILON
from pages.shared.page import Page, Section

_EPSILON = {"epsilon": EPSILON}
_OWN = {"ranking": exposed.choose_in_ranking, "take_along": take_along.draw}


PAGE = Page(
    "empirical_audit",
    "Does a number published from repeated databases without noise give anyone away?",
    (
        Section("exposed", "Who is exposed?", about=open_table, ask=exposed.ask, fields=_EPSILON, dial="ε", own=_OWN),
        Section("databases", "The databases", about=open_table, ask=databases.ask),
        Section("other", "Other densities", about=open_table, ask=other_densities.ask, fields=_EPSILON, dial="ε"),
        Section("adversary", "What they know", about=open_table, ask=adversary.ask, fields=_EPSILON, dial="ε"),
        Section("joint", "Two answers", about=open_table, ask=joint.ask, fields=_EPSILON, dial="ε"),
        Section("attack", "An attack", about=open_table, ask=attack.ask, fields=_EPSILON, dial="ε"),
        Section("noise", "Add noise", about=open_table, ask=noise.ask, fields={"epsilon": noise.WANTED}, dial="ε"),
    ),
    stops=("exposed", "other", "noise"),  # the databases show exact answers, which are for one pair of eyes
    of_scenario=False,  # what is audited here carries no noise
)
