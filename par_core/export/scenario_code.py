"""A script that adds the noise of a scenario to exact answers, with OpenDP: for any query, which stays with its owner."""

from __future__ import annotations

from dataclasses import dataclass

from par_core.export import script_gaussian as gaussian
from par_core.export import script_ledger as ledger
from par_core.export import script_text as pieces
from par_core.export.release_code import OPENDP
from par_core.export.script_constants import literal
from par_core.mechanisms import NOISES, Noise
from par_core.parameters import of_type, one_of
from par_core.scenario import Neighbours, Scenario
from par_core.standing import PROVEN, Standing


@dataclass(frozen=True)
class ScenarioCode:
    """A script that publishes by a scenario, what it needs from PyPI, and what its user should know."""

    text: str
    requirements: tuple[str, ...]
    notes: tuple[str, ...]
    year: ledger.YearPlan
    standing: Standing = PROVEN
    source: str = f"privacy map of {OPENDP}, checked by the script itself before it measures anything"


def scenario_code(scenario: Scenario) -> ScenarioCode:
    """Return a script that publishes exact answers with a scenario's noise, and keeps account of its releases in a ledger.

    It reads k numbers for each statistic of a release, one on each line. That one person moves them by no more than the sensitivity
    allows is the user's promise. With discrete Laplace noise they are whole numbers.

    ParameterError for a mechanism that adds no noise to numbers, or cannot have the sensitivity.

    >>> code = scenario_code(Scenario(epsilon0=0.5, k=3, sensitivity=2.0))
    >>> "NUMBERS = 3" in code.text, "SENSITIVITY = 2.0" in code.text
    (True, True)
    """
    of_type("scenario", scenario, Scenario)
    one_of("mechanism", scenario.mechanism, tuple(NOISES))
    release, year = scenario.release, ledger.plan_of_scenario(scenario)
    assert isinstance(release, Noise)
    in_l1, whole = release.norm == "L1", scenario.mechanism == "discrete-laplace"
    moves = scenario.moves * scenario.statistics if in_l1 else scenario.moves * scenario.statistics**0.5
    constants = {
        "EPSILON": literal(scenario.epsilon0),
        **({} if in_l1 else {"DELTA": literal(scenario.delta)}),
        "SENSITIVITY": literal(int(moves) if whole else float(moves)),
        **({} if in_l1 else {"DEVIATION": literal(float(release.scale))}),
        "NUMBERS": literal(scenario.k * scenario.statistics),
        "LEDGER": literal(ledger.NAME),
    }
    promise = {name.lower(): name for name in constants if name not in ("NUMBERS", "LEDGER")}
    needed = (OPENDP,) if in_l1 else (OPENDP, "numpy>=2.3", gaussian.REQUIREMENT)
    head = _HEAD.replace("{requirements}", " ".join(f"'{each}'" for each in needed)).replace("{year}", year.head)
    text = "\n".join(
        [
            head.replace("{noise}", release.name).replace("{norm}", release.norm),
            ledger.IMPORTS,
            f"{'' if in_l1 else _NUMPY}import opendp.prelude as dp\n{'' if in_l1 else gaussian.IMPORTS}\n{_CONSENT}",
            "# The promise to each person. All numbers of a release together move by SENSITIVITY at most, in their unit.",
            *(f"{name} = {value}" for name, value in constants.items()),
            *year.lines(each={**promise, "neighbours": literal(str(scenario.neighbours))}),
            pieces.STOP,
            pieces.OPENED,
            _of_numbers(_ANSWERS, whole=whole),
            *([_of_numbers(_LAPLACE, whole=whole)] if in_l1 else [_GAUSSIAN, gaussian.PROOF]),
            ledger.TAKE_PLACE,
            _MAIN.replace("{check}", _CHECK if in_l1 else _CHECK_GAUSSIAN),
        ]
    )
    return ScenarioCode(text, needed, _notes(scenario, year, norm=release.norm), year)


def _of_numbers(script: str, *, whole: bool) -> str:
    gaps = _WHOLE if whole else _FLOATS
    for gap, text in gaps.items():
        script = script.replace(f"{{{gap}}}", text)
    return script


def _notes(scenario: Scenario, year: ledger.YearPlan, *, norm: str) -> tuple[str, ...]:
    replaced = scenario.neighbours is Neighbours.REPLACE_ONE
    change = "are replaced by as many others" if replaced else "appear or disappear"
    return (
        year.note,
        f"That one person moves the numbers by no more than SENSITIVITY, in {norm}, is your promise; the script does not check it.",
        f"Neighbours: one person's rows {change}; {scenario.rows_per_person:,} of them at most.",
        "What is published may be rounded, or set to 0 where it is below: that costs no privacy.",
    )


_FLOATS = {"read": "float", "what": "", "most": "1e300", "kind": "float", "domain": "T=float, nan=False"}
_WHOLE = {"read": "int", "what": "whole ", "most": "2**62", "kind": '"i64"', "domain": 'T="i64"'}
_NUMPY = "import numpy as np\n"
_CONSENT = """\
# OpenDP asks for this consent to use components whose proofs are written but not all reviewed yet.
dp.enable_features("contrib")
"""
_HEAD = '''\
"""Publish exact answers with {noise} noise, with OpenDP.

Install:  pip install {requirements}
Run:      python this_script.py answers.txt        (one exact answer on each line; without a file they are typed in)

{year}
What it does
  - reads the exact answers, on your machine; nothing is sent anywhere
  - relies on your promise that one person moves them by SENSITIVITY at most, in {norm}: it does not check it
  - prints what OpenDP proves about the privacy of the release, and stops if that is more than planned
  - adds {noise} noise to each answer, prints the release, and writes it beside the answers, as
    answers_release_1.csv and so on

What it does not do
  - keep account of what is released elsewhere about the same persons: that epsilon comes on top
  - hide what you print, log or keep besides: the exact answers are private
"""
'''
_ANSWERS = '''
def answers(path):
    """Return the exact answers, one on each line of a file, or as they are typed in."""
    with sys.stdin if path == "-" else opened(path, encoding="utf-8-sig") as file:
        lines = [line.strip() for line in file if line.strip()]
    try:
        found = [{read}(line) for line in lines]
    except ValueError:  # what it says would quote an answer
        stop("every line must hold one {what}number")
    if len(found) != NUMBERS or not all(abs(each) < {most} for each in found):
        stop(f"there must be {NUMBERS} finite {what}numbers, one on each line")
    return found
'''
_LAPLACE = '''
def noise():
    """Return the least Laplace noise with which OpenDP proves EPSILON; it draws from a secure source of randomness."""
    space = dp.vector_domain(dp.atom_domain({domain})), dp.l1_distance(T={kind})
    scale = SENSITIVITY / EPSILON
    while (space >> dp.m.then_laplace(scale)).map(SENSITIVITY) > EPSILON:
        scale *= 1 + 1e-15  # the division was rounded to the wrong side
    return space >> dp.m.then_laplace(scale)
'''
_GAUSSIAN = '''
def noise():
    """Return Gaussian noise; OpenDP draws it from a secure source of randomness, in steps finer than any float."""
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l2_distance(T=float)
    return space >> dp.m.then_gaussian(DEVIATION)
'''
_CHECK = """\
    epsilon = measurement.map(SENSITIVITY)  # OpenDP's own proof
    print(f"proven epsilon {epsilon} (planned {EPSILON})")
    if not epsilon <= EPSILON:
        stop("this release would be less private than planned: nothing was measured")
"""
_CHECK_GAUSSIAN = gaussian.CHECK.partition("\n")[2].replace("STATISTICS * sum(spent)", "measurement.map(SENSITIVITY)")
_MAIN = '''
def main():
    """Read, measure once, write the release and print it."""
    arguments = argparse.ArgumentParser(description="Publish exact answers by a plan; this script's head says how.")
    arguments.add_argument("file", nargs="?", default="-")
    arguments.add_argument("--ledger", default=os.path.join(os.path.dirname(os.path.realpath(sys.argv[0])), LEDGER))
    asked = arguments.parse_args()
    exact, measurement = answers(asked.file), noise()
{check}    beside = "" if asked.file == "-" else os.path.splitext(asked.file)[0] + "_"
    results = take_place(os.path.realpath(asked.ledger), beside + "release")
    found = measurement(exact)
    with open(results, "w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows([("number", "published"), *enumerate(found, start=1)])
    for value in found:
        print(value)


if __name__ == "__main__":
    main()
'''
