"""Coins: a survey that is drawn, or one of the reader's own."""

from pages.mechanism_lab.lab_settings import EPSILON, choose_epsilon, toy_setting
from pages.shared import controls, settings
from pages.shared.dial import dial
from pages.shared.error_reports import UnreadyError
from par_core.lab.coins import MOST_PEOPLE, TWO_COINS
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.coins import Coins
from par_core.scenario import Scenario

FROM = settings.choice("lcfrom", "Survey", ("drawn", "own"))
TRUE = toy_setting("lcyes", Coins, "true")
PEOPLE = toy_setting("lcn", Coins, "people")
SAID = settings.whole("lcsaid", "Said yes", 430, at_least=0, at_most=MOST_PEOPLE)
SEED = toy_setting("lcseed", Coins, "seed")

_SHARES = tuple(round(0.02 * step, 2) for step in range(51))
_LECTURE = {FROM: "own", SAID: 430, PEOPLE: 1_000, EPSILON: TWO_COINS}


def ask(scenario: Scenario) -> Coins:
    words = {"drawn": "Drawn", "own": "My own"}
    is_own = controls.choice(FROM, hint=explain("survey"), words=words.__getitem__) == "own"
    epsilon, true, seed, said = choose_epsilon(hint="coins_epsilon"), Coins.true, Coins.seed, None
    if not is_own:
        true = dial(TRUE, hint=explain("true_share"), steps=_SHARES)
    people = controls.whole(PEOPLE, hint=explain("people_asked"))
    if is_own:
        said = controls.whole(SAID, hint=explain("said_yes"))
    else:
        seed = controls.whole(SEED, hint=explain("lab_seed"))
    controls.button("Two fair coins", EPSILON.put, TWO_COINS, hint=explain("two_coins"))
    hint = "430 of 1,000 said yes, with two fair coins."
    controls.button("The lecture's survey", settings.put_all, _LECTURE, hint=hint)
    if said and said > people:
        raise UnreadyError(f"{said:,} cannot have said yes of {people:,} who were asked.")
    return Coins(scenario, epsilon, true, people, seed, said)
