"""The facts of a label as a draft for the registry of deployments of OpenDP, in YAML.

Source of its form: schemas/deployments-schema.yaml of opendp/deployments-registry-data (MIT licence), here filled in by ourselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from par_core.export.block_yaml import Value, block_yaml
from par_core.figures.quantities import as_told, format_quantity
from par_core.plan import in_words
from par_core.questions.decide import label_words as words
from par_core.questions.decide.label_facts import LabelFacts
from par_core.questions.plan_assumptions import assumed
from par_core.rounding import brief, small
from par_core.scenario import Neighbours

_ASK = "To be completed by the publisher: "


def registry_entry(found: LabelFacts, texts: Mapping[str, str]) -> str:
    """Return the entry as YAML, a draft, of the numbers of a label and what the publisher says, by the names of `PublicLabel`.

    Epsilon is rounded up as on the label, so that both say the same.
    """
    authors = [texts["publisher"]]
    return block_yaml(
        {"status": "Draft", "registry_authors": authors, "tier": 2, "deployment": _deployment(found, texts)}
    )


def _deployment(found: LabelFacts, texts: Mapping[str, str]) -> dict[str, Value]:
    plan = found.plan
    return {
        "name": texts["name"],
        "data_curators": [texts["publisher"]],
        "description": texts["description"],
        "intended_use": texts["purpose"],
        "data_product_type": texts["product"],
        "data_product_region": texts["region"],
        "publication_date": texts["date"],
        "dp_flavor": {
            "name": "Approximate DP",
            "data_domain": f"Tables in which one person has at most {words.most_of(plan)}.",
            "unprotected_quantities": _in_the_clear(found),
        },
        "privacy_loss": _privacy_loss(found),
        "model": _model(found),
        "accounting": {
            "post_processing": f"{_ASK}what is done with the noisy numbers, such as rounding. It costs no privacy.",
            "composition": _composition(found),
        },
        "implementation": {
            "pre_processing_eda_hyperparameter_tuning": f"{_ASK}whether the data were seen before bounds, categories and ε were chosen.",
            "mechanisms": "; ".join(_mechanisms(found)),
            "justification": f"{_ASK}why this ε and these mechanisms.",
        },
        "additional_information": _more(found, texts["contact"]),
    }


def _in_the_clear(found: LabelFacts) -> str:
    plan = found.plan
    counted = ["The number of persons in the data."] * (plan.neighbours is Neighbours.REPLACE_ONE)
    counted += [
        f"The number of rows of release {at}."
        for at, each in enumerate(plan.releases, start=1)
        if each.rows is not None
    ]
    return " ".join([*counted, "Bounds, categories and the most rows of a person, which are public by declaration."])


def _privacy_loss(found: LabelFacts) -> dict[str, Value]:
    plan, scenario, most = found.plan, found.scenario, words.most_of(found.plan)
    changed = "replaced by another" if plan.neighbours is Neighbours.REPLACE_ONE else "added or removed"
    added, delta = found.total.added, scenario.delta
    parameters: dict[str, Value] = {"epsilon": as_told(found.spent), "delta": delta}
    told = f"ε = {format_quantity(found.spent)} at δ = {small(delta)} for all releases together, rounded up."
    if added < float("inf"):
        told += f" Pure differential privacy holds with ε = {brief(added, toward='up')}."
    told += (
        f" Of 100 guesses about one person that start from even odds, at most {format_quantity(found.right)} are right, whatever the "
        "guesser knows of everybody else."
    )
    return {
        "privacy_unit": f"Person with at most {most}",
        "privacy_unit_description": f"Adjacent tables are alike but for one person, who has at most {most} and is {changed}.",
        "privacy_parameters": parameters,
        "privacy_parameters_description": told,
    }


def _model(found: LabelFacts) -> dict[str, Value]:
    releases = found.plan.releases
    many = any(each.times > 1 for each in releases)
    local = all(each.mechanism == "randomised-response" for each in releases)
    return {
        "model_name": "Local" if local else "Central",
        "is_many_release": many,
        "is_many_release_description": f"Releases in all: {found.plan.number:,}. All of them are counted; the budget does not start anew.",
        "is_interactive": False,
    }


def _composition(found: LabelFacts) -> str:
    if found.plan.number == 1:
        return "One release, counted exactly by its privacy loss distribution and rounded up."
    return (
        f"All {found.plan.number:,} releases are composed exactly by their privacy loss distributions, for neighbours who are the worst "
        "case in each, and rounded up."
    )


def _mechanisms(found: LabelFacts) -> Iterator[str]:
    plan = found.plan
    for at, each in enumerate(plan.releases):
        cap, often = words.cap_of(each), words.times(each.times)
        yield f"{at + 1}. {in_words(each)}: {words.noise_of(plan, at)}, at most {cap} of one person, {often}"


def _more(found: LabelFacts, contact: str) -> str:
    each_off = zip(found.plan.releases, found.offs, strict=True)
    offs = (f"release {at}: {words.within(*each)}" for at, each in enumerate(each_off, start=1))
    told = f"How far off the numbers are at most, 95 times in 100: {'; '.join(offs)}."
    only = "".join(f" All this holds if {each}." for each in [assumed(found.plan)] if each)
    return f"Contact: {contact}\n\n{told}{only}"
