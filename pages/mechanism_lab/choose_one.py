"""Choose one of many: the exponential mechanism on a table of the reader's own."""

from functools import partial

import streamlit as st

from pages.mechanism_lab import candidates_table
from pages.mechanism_lab.candidates_table import TABLE
from pages.mechanism_lab.lab_settings import EPSILON, choose_epsilon
from pages.shared import controls, downloads, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import paragraph, told
from par_core.figures import lab_choose_one as figures
from par_core.figures.drawing import Drawing
from par_core.lab import choose_one
from par_core.questions.blocks import Formula
from par_core.questions.glossary import explain

SENSITIVITY = settings.number("lusens", "Sensitivity of the utility", 1.0, at_least=1e-6, at_most=1e9)
DRAWS = settings.whole("ludraws", "Draws", 200, at_least=0, at_most=choose_one.MOST_DRAWS)
SEED = settings.whole("luseed", "Seed of the draws", 1, at_least=0, at_most=10**9)

_FORMULAS = (
    Formula(
        "Probability of candidate r",
        r"P(r) \propto \text{weight}(r)\cdot\exp\!\left(\frac{\varepsilon\,u(r)}{2\Delta_u}\right)",
        choose_one.Choice,
        "McSherry and Talwar 2007",
        "Neighbouring tables move the utility of each candidate by Δ at most.",
    ),
    Formula(
        "Utility bound, missed with probability β = 5 % at most",
        r"u(\text{best}) - u(r) \le \frac{2\Delta_u}{\varepsilon}\,\ln\frac{1}{\beta\,\pi(\text{best})}",
        choose_one.Choice,
        "McSherry and Talwar 2007; lecture on mechanisms",
        "π is the share of the best candidates in all weights: 1/|R| for one of |R| candidates alike.",
    ),
    Formula(
        "The same as a noisy maximum",
        r"\arg\max_r\left(\frac{\varepsilon\,u(r)}{2\Delta_u} + \ln\text{weight}(r) + G_r\right),\qquad G_r \sim \text{Gumbel}",
        choose_one.Choice,
        "law of the largest of shifted Gumbel variables",
        "Only the name of the largest is published, not its value.",
    ),
)


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        choose_epsilon()
        candidates_table.draw()
        controls.number(SENSITIVITY, hint=explain("utility_sensitivity"))
        controls.whole(DRAWS, hint=explain("choice_draws"))
        controls.whole(SEED, hint=explain("lab_seed"))
    with main:
        if not TABLE.value():
            st.info("Add at least one candidate to the table: its name and its utility.")
            return
        found, drawn = _choice(), _drawn()
        st.markdown(_headline())
        paragraph("In 95 of 100 choices the utility falls short of the best by at most {found.shortfall}.", found=found)
        chart(
            _figure,
            "choose_one",
            dials=(EPSILON,),
            headline=_headline,
            table=partial(figures.choice_table, found, _names(), drawn=drawn),
            alt="Probability of each of {number} candidates; one of the best is chosen with probability {found.best}.",
            number=len(_names()),
            found=found,
            notes={"source": found.source},
        )
        paragraph(
            "**The lecture's bound** holds whatever the table: in 95 of 100 choices at most {found.bound} below the best; here it is "
            "{found.beyond} of choices miss it.",
            found=found,
            help=explain("utility_bound"),
        )
        if drawn is not None:
            paragraph(
                "**The same by noise:** add Gumbel noise to each utility times ε/(2Δ), and publish the name of the largest alone. The "
                "circles are {drawn.draws:,} such draws; each interval holds the exact probability in 95 of 100 repetitions.",
                drawn=drawn,
                standing_of=drawn,
            )
        formula_expander("choose_one", _FORMULAS)
        downloads.button(
            "Script for a choice (Python)",
            partial(_script, EPSILON.value(), SENSITIVITY.value()),  # made later, without a session
            "choose_one.py",
            key="choice_script",
            hint="Chooses with OpenDP from a file of candidates and utilities. It takes all candidates alike, whatever the prior here.",
        )


def _script(epsilon: float, sensitivity: float) -> str:
    """Return the script; imported here, because only a reader who wants it needs it."""
    from par_core.export.mechanism_code import choice_code

    return choice_code(epsilon, sensitivity=sensitivity).text


def _names() -> list[str]:
    return [name for name, _, _ in TABLE.value()]


def _choice() -> choose_one.Choice:
    _, utilities, weights = zip(*TABLE.value(), strict=True)
    return choose_one.choose(utilities, EPSILON.value(), sensitivity=SENSITIVITY.value(), prior=weights)


def _drawn() -> choose_one.DrawnChoices | None:
    if not DRAWS.value():
        return None
    _, utilities, weights = zip(*TABLE.value(), strict=True)
    return choose_one.draw(
        utilities,
        EPSILON.value(),
        draws=DRAWS.value(),
        seed=SEED.value(),
        sensitivity=SENSITIVITY.value(),
        prior=weights,
    )


def _figure() -> Drawing:
    return figures.choice(_choice(), _names(), drawn=_drawn())


def _headline() -> str:
    found = _choice()
    who = "The best candidate is" if found.best_of == 1 else f"One of the {found.best_of} best candidates is"
    return told(f"## {who} chosen with probability {{found.best}} at {{found.epsilon:level}}", found=found)
