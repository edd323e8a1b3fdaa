"""What an attacker gains: what they believed before, and from how many releases."""

from pages.explicit_risk.risk_settings import choose_epsilon
from pages.shared import controls, settings
from par_core.questions.explicit_risk.attacker_gains import AttackerGains
from par_core.questions.glossary import explain
from par_core.scenario import Scenario

ABOUT = settings.choice("att", "Releases", ("one", "all"))
PRIOR = settings.number("prior", "Belief before", 0.5, at_least=0.0, at_most=1.0)


def ask(scenario: Scenario) -> AttackerGains:
    epsilon = choose_epsilon()
    prior = controls.number(PRIOR, hint=explain("prior"), step=0.05)
    about = ABOUT.value()
    if scenario.releases > 1:
        words = {"one": "One", "all": f"All {scenario.releases:,}"}.__getitem__
        hint = "One release, or all that your scenario plans, by exact composition."
        about = controls.choice(ABOUT, words=words, hint=hint)
    return AttackerGains(scenario, epsilon, prior, about == "all")
