"""Small scripts for what adds no noise to numbers: answers by randomised response, and a choice by the exponential mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Result
from par_core.export.assembled import assembled
from par_core.export.release_code import OPENDP
from par_core.export.release_constants import literal
from par_core.export.scripts.made_for import MadeFor
from par_core.parameters import check_list, check_number, check_type, shown

_LARGEST_EPSILON0 = 700.0
_MOST_CATEGORIES = 1000
_REQUIREMENTS = (OPENDP, "scipy>=1.14")


@dataclass(frozen=True)
class MechanismCode(Result):
    """A script that runs one mechanism, what it needs from PyPI, and what its user should know."""

    text: str
    requirements: tuple[str, ...]
    notes: tuple[str, ...]
    evidence = Evidence(
        PROVEN, source=f"privacy map of {OPENDP}, checked by the script itself before it measures anything"
    )


def randomised_response_code(epsilon0: float, *, categories: Sequence[str] = ("no", "yes")) -> MechanismCode:
    """Return a script with which each person answers by randomised response, and which estimates the shares from all answers.

    epsilon0 is above 0 and at most 700; `categories` are 2 to 1,000 different texts, not empty and each on one line.

    >>> code = randomised_response_code(1.0, categories=("no", "yes", "perhaps"))
    >>> 'CATEGORIES = ["no", "yes", "perhaps"]' in code.text
    True
    """
    level = _level(epsilon0)
    names = [check_type("categories", each, str) for each in check_list("categories", categories)]
    if not 2 <= len(names) <= _MOST_CATEGORIES or len(set(names)) < len(names):
        raise ParameterError(f"categories must be 2 to {_MOST_CATEGORIES} different texts, got {shown(categories)}")
    if any(each != each.strip() or len(each.splitlines()) != 1 for each in names):
        raise ParameterError(
            f"categories must be texts on one line without spaces around them, got {shown(categories)}"
        )
    notes = (
        "Each person answers once, on their own device: every further answer spends epsilon again.",
        "Who collects the answers learns only what was said, and needs no trust.",
        "The ends of a share hold for the population that the people were drawn from, 95 times out of 100.",
    )
    values = {"EPSILON": literal(level), "CATEGORIES": literal(names)}
    return MechanismCode(_script("response", _REQUIREMENTS, values), _REQUIREMENTS, notes)


def choice_code(epsilon0: float, *, sensitivity: float = 1.0) -> MechanismCode:
    """Return a script that chooses one of several candidates by the exponential mechanism, from a list of them with their utilities.

    epsilon0 is above 0 and at most 700; one person moves each utility by `sensitivity` at most, 1e-9 to 1e12, in its unit.

    >>> "SENSITIVITY = 2.0" in choice_code(1.0, sensitivity=2).text
    True
    """
    level, moves = _level(epsilon0), check_number("sensitivity", sensitivity, at_least=1e-9, at_most=1e12)
    notes = (
        "Run it once: every run spends epsilon again. The candidates are public, their utilities private.",
        "That one person moves no utility by more than the sensitivity is your promise; the script does not check it.",
        "OpenDP draws by the largest utility with Gumbel noise, which has the distribution of the exponential mechanism, and proves "
        "rho = ε²/8 of zero-concentrated privacy: as for any mechanism whose losses lie within a range as wide as ε.",
        "With dp.max_divergence() in place of dp.zero_concentrated_divergence() OpenDP draws by permute-and-flip: another law, for the "
        "same ε on average no worse.",
    )
    values = {"EPSILON": literal(level), "SENSITIVITY": literal(moves)}
    return MechanismCode(_script("choice", _REQUIREMENTS[:1], values), _REQUIREMENTS[:1], notes)


def _level(epsilon0: float) -> float:
    return check_number("epsilon0", epsilon0, above=0.0, at_most=_LARGEST_EPSILON0)


def _script(name: str, requirements: tuple[str, ...], values: dict[str, str]) -> str:
    words = {"requirements": " ".join(f"'{each}'" for each in requirements)}
    return assembled(name, MadeFor(), order=(name, "files"), words=words, values=values)
