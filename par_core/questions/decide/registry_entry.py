"""The facts of a label as a draft for the registry of deployments of OpenDP, in YAML.

Source of its form: schemas/deployments-schema.yaml of opendp/deployments-registry-data (MIT licence), here filled in by ourselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from par_core.errors import InfeasibleError
from par_core.export.block_yaml import Value, block_yaml
from par_core.figures.quantities import as_told, format_quantity
from par_core.plan import in_words
from par_core.questions.decide import label_words as words
from par_core.questions.plan_assumptions import assumed
from par_core.rounding import brief, small
from par_core.scenario import Neighbours

if TYPE_CHECKING:
    from par_core.questions.decide.public_label import PublicLabelAnswer

_ASK = "To be completed by the publisher: "


def registry_entry(answer: PublicLabelAnswer) -> str:
    """Return the entry as YAML, a draft; InfeasibleError where a text that the registry requires is missing.

    Epsilon is rounded up as on the label, so that both say the same.
    """
    if lacks := answer.question.lacks(registry=True):
        raise InfeasibleError(f"the registry requires {', '.join(lacks)}")
    return block_yaml(
        {
            "status": "Draft",
            "registry_authors": [answer.question.publisher],
            "tier": 2,
            "deployment": _deployment(answer),
        }
    )


def _deployment(answer: PublicLabelAnswer) -> dict[str, Value]:
    asked, plan = answer.question, answer.plan
    return {
        "name": asked.name,
        "data_curators": [asked.publisher],
        "description": asked.description,
        "intended_use": asked.purpose,
        "data_product_type": asked.product,
        "data_product_region": asked.region,
        "publication_date": asked.date,
        "dp_flavor": {
            "name": "Approximate DP",
            "data_domain": f"Tables in which one person has at most {words.most_of(plan)}.",
            "unprotected_quantities": _in_the_clear(answer),
        },
        "privacy_loss": _privacy_loss(answer),
        "model": _model(answer),
        "accounting": {
            "post_processing": f"{_ASK}what is done with the noisy numbers, such as rounding. It costs no privacy.",
            "composition": _composition(answer),
        },
        "implementation": {
            "pre_processing_eda_hyperparameter_tuning": f"{_ASK}whether the data were seen before bounds, categories and ε were chosen.",
            "mechanisms": "; ".join(_mechanisms(answer)),
            "justification": f"{_ASK}why this ε and these mechanisms.",
        },
        "additional_information": _more(answer),
    }


def _in_the_clear(answer: PublicLabelAnswer) -> str:
    plan = answer.plan
    counted = ["The number of persons in the data."] * (plan.neighbours is Neighbours.REPLACE_ONE)
    counted += [
        f"The number of rows of release {at}."
        for at, each in enumerate(plan.releases, start=1)
        if each.rows is not None
    ]
    return " ".join([*counted, "Bounds, categories and the most rows of a person, which are public by declaration."])


def _privacy_loss(answer: PublicLabelAnswer) -> dict[str, Value]:
    plan, scenario, most = answer.plan, answer.question.scenario, words.most_of(answer.plan)
    changed = "replaced by another" if plan.neighbours is Neighbours.REPLACE_ONE else "added or removed"
    added, delta = answer.total.added, scenario.delta
    parameters: dict[str, Value] = {"epsilon": as_told(answer.spent), "delta": delta}
    told = f"ε = {format_quantity(answer.spent)} at δ = {small(delta)} for all releases together, rounded up."
    if added < float("inf"):
        told += f" Pure differential privacy holds with ε = {brief(added, toward='up')}."
    told += (
        f" Of 100 guesses about one person that start from even odds, at most {format_quantity(answer.right)} are right, whatever the "
        "guesser knows of everybody else."
    )
    return {
        "privacy_unit": f"Person with at most {most}",
        "privacy_unit_description": f"Adjacent tables are alike but for one person, who has at most {most} and is {changed}.",
        "privacy_parameters": parameters,
        "privacy_parameters_description": told,
    }


def _model(answer: PublicLabelAnswer) -> dict[str, Value]:
    releases = answer.plan.releases
    many = any(each.times > 1 for each in releases)
    local = all(each.mechanism == "randomised-response" for each in releases)
    return {
        "model_name": "Local" if local else "Central",
        "is_many_release": many,
        "is_many_release_description": f"Releases in all: {answer.plan.number:,}. All of them are counted; the budget does not start anew.",
        "is_interactive": False,
    }


def _composition(answer: PublicLabelAnswer) -> str:
    if answer.plan.number == 1:
        return "One release, counted exactly by its privacy loss distribution and rounded up."
    return (
        f"All {answer.plan.number:,} releases are composed exactly by their privacy loss distributions, for neighbours who are the worst "
        "case in each, and rounded up."
    )


def _mechanisms(answer: PublicLabelAnswer) -> Iterator[str]:
    plan = answer.plan
    for at, each in enumerate(plan.releases):
        cap, often = words.cap_of(each), words.times(each.times)
        yield f"{at + 1}. {in_words(each)}: {words.noise_of(plan, at)}, at most {cap} of one person, {often}"


def _more(answer: PublicLabelAnswer) -> str:
    offs = (f"release {at}: {words.within(off)}" for at, off in enumerate(answer.offs, start=1))
    told = f"How far off the numbers are at most, 95 times in 100: {'; '.join(offs)}."
    only = "".join(f" All this holds if {each}." for each in [assumed(answer.plan)] if each)
    return f"Contact: {answer.question.contact}\n\n{told}{only}"
