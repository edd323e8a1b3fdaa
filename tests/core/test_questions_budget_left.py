"""What is left of a budget: in releases by exact composition, day by day, if the year goes on like this, and for every odd ledger."""

import datetime
import itertools
import math
from dataclasses import replace

import pytest

from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.evidence import MODEL, PROVEN
from par_core.ledger import (
    Ledger,
    Policy,
    check,
    forecast,
    left,
    of_other_tool,
    released,
    reserved,
    spent,
    spent_by_day,
)
from par_core.ledger.example import EXAMPLE_DATA_SET, example_ledger
from par_core.ledger.lines import sealed
from par_core.plan import Plan, PlanScenario, Release
from par_core.queries.shapes import CountsShape, MeanShape
from par_core.questions import BudgetLeft
from par_core.questions.blocks import Fails, Meter, Words
from par_core.questions.composition.uploaded_ledger import UploadedLedger
from par_core.scenario import Neighbours, Scenario

REPLACE = Neighbours.REPLACE_ONE
TODAY = "2026-09-15"
DAY = datetime.date.fromisoformat(TODAY)
COUNTS = Plan((Release(CountsShape(12)),), 0.25)
TWO = PlanScenario.of(
    Scenario(epsilon0=0.4), (Release(CountsShape(8), times=2), Release(MeanShape(upper=90.0), rows=400))
)
POLICY = Policy("visits", delta=1e-6, epsilon_per_release=1.0, epsilon_per_year=3.0, epsilon_for_ever=3.2)


def made(month=3, *, year=2026, plan=COUNTS, day=5, data_set="visits", times=1):
    return released(plan, data_set, datetime.date(year, month, day), times=times)


def tool(epsilon=0.3, delta=0.0, *, month=3, neighbours=REPLACE, times=1):
    return of_other_tool(
        "OpenDP",
        "visits",
        datetime.date(2026, month, 5),
        epsilon=epsilon,
        delta=delta,
        neighbours=neighbours,
        times=times,
    )


def opened(*records, torn=b""):
    return UploadedLedger.from_bytes(b"".join(each.line + b"\n" for each in records) + torn)


def asked(*records, scenario=Scenario(), target=3.0, today=TODAY, torn=b"", **more):  # noqa: B008  # it is frozen
    return BudgetLeft(scenario, target, today, opened(*records, torn=torn), **more)


def texts(question):
    story = [*question.answer().story()]
    return "\n".join(each.told() if isinstance(each, Words) else getattr(each, "text", "") for each in story).replace(
        "\u00a0", " "
    )


def headline(question):
    return question.answer().headline.replace("\u00a0", " ")


YEAR = [made(month) for month in range(1, 9)]
BEFORE = [made(6, year=2025, times=3)]


@pytest.mark.parametrize("scenario", [Scenario(), Scenario(mechanism="gaussian", epsilon0=0.3), TWO])
@pytest.mark.parametrize("policy", [None, POLICY])
def test_what_is_left_is_the_most_that_fits_by_composing_it_with_the_ledger(scenario, policy):
    answer = asked(*BEFORE, *YEAR, tool(), scenario=scenario, policy=policy).answer()
    plan = scenario.whole if scenario is TWO else Plan.of(replace(scenario, releases=1))
    delta, limits = (1e-6, (3.0, 3.2)) if policy else (scenario.delta, (3.0, math.inf))

    def after(times):
        more = [released(plan, "visits", DAY, times=times)]
        return [
            spent((*records, *more), delta=delta).epsilon for records in ([*YEAR, tool()], [*BEFORE, *YEAR, tool()])
        ]

    def fits(times):
        return all(each <= limit for each, limit in zip(after(times), limits, strict=True))

    times = next(each for each in itertools.count() if not fits(each + 1))
    assert answer.left.times == answer.numbers()["times"].value == times
    assert answer.left.evidence.basis is MODEL
    assert answer.left.is_for_ever is (after(times + 1)[0] <= 3.0)


def test_by_subtraction_fewer_would_be_left():
    records = [made(3, times=40)]
    answer = asked(*records, target=8.0, scenario=Scenario(epsilon0=0.1)).answer()
    alone = spent([released(answer.question.plan, "visits", DAY)], delta=1e-5).epsilon
    assert answer.left.times > (8.0 - answer.left.year.epsilon) / alone


def test_the_days_of_the_year_are_composed_and_the_last_is_what_was_spent():
    answer = asked(*BEFORE, *YEAR).answer()
    for at, (day, found) in enumerate(answer.days, start=1):
        assert day == YEAR[at - 1].date
        assert found == spent(YEAR[:at], delta=1e-5)
    assert answer.days[-1][1] == answer.left.year
    many = [
        replace(made(1), date=datetime.date(2026, 1, 1) + datetime.timedelta(days=each), id=f"{each:032x}")
        for each in range(99)
    ]
    shown = spent_by_day(many, delta=1e-5)
    assert len(shown) <= 40
    assert shown[-1][0] == many[-1].date


def test_if_the_year_goes_on_like_this_the_plan_is_made_at_its_pace():
    answer = asked(*YEAR, target=3.0).answer()
    found, elapsed = answer.goes_on, DAY.timetuple().tm_yday
    assert (found.made, found.elapsed) == (8, elapsed)
    each = elapsed / 8
    assert [day for day, _ in found.days] == [
        DAY + datetime.timedelta(days=math.floor(times * each)) for times in range(1, len(found.days) + 1)
    ]
    once = released(answer.question.plan, "visits", DAY, times=2)
    assert found.days[1][1].epsilon == spent((*YEAR, once), delta=1e-5).epsilon
    assert all(day.year == 2026 for day, _ in found.days)
    assert found.evidence.basis is MODEL
    soon = asked(*YEAR, target=2.6).answer().goes_on
    assert soon.ends == soon.days[-1][0]
    assert soon.days[-1][1].epsilon > 2.6 >= soon.days[-2][1].epsilon
    assert f"the budget ends in {soon.ends:%B}" in texts(asked(*YEAR, target=2.6))
    assert "the budget lasts to the end of the year" in texts(asked(*YEAR, target=5.0))


def test_a_whole_plan_takes_the_time_of_its_releases():
    records = [made(month, times=3) for month in range(1, 9)]
    found = asked(*records, scenario=TWO, target=9.0).answer().goes_on
    assert found.made == 24
    assert found.days[0][0] == DAY + datetime.timedelta(days=math.floor(258 * 3 / 24))


def test_a_plan_that_takes_longer_than_the_year_has_no_forecast():
    long = PlanScenario.of(Scenario(epsilon0=0.4), (Release(CountsShape(8), times=36),))
    told = texts(asked(*YEAR, scenario=long))
    assert "At that pace the whole plan is not done this year: nothing is forecast." in told
    assert "lasts" not in told


def test_no_pace_where_nothing_was_spent_this_year_and_no_forecast_beyond_december():
    ledger, plan = Ledger(tuple(YEAR)), COUNTS
    late = datetime.date(2026, 12, 31)
    found = left(ledger, plan, "visits", late, delta=1e-5, epsilon_per_year=3.0)
    assert forecast(found, YEAR, plan, late).days == ()
    assert "Nothing has been released this year" in texts(asked(*BEFORE))


def test_the_policy_is_held_by_the_gates_own_check():
    question = asked(*BEFORE, *YEAR, policy=replace(POLICY, approvers=("Zoë",), mechanisms=("gaussian",)))
    answer = question.answer()
    assert answer.checked == check(question.policy, question.ledger, question.plan, DAY)
    assert (answer.left.year.epsilon, answer.left.year_with.epsilon) == (
        answer.checked.year_before,
        answer.checked.year,
    )
    assert (answer.left.ever.epsilon, answer.left.ever_with.epsilon) == (
        answer.checked.ever_before,
        answer.checked.ever,
    )
    (fails,) = (each for each in answer.story() if isinstance(each, Fails))
    assert "release 1 is made with laplace: allowed is gaussian" in fails.told()
    assert "Zoë" not in texts(question)
    assert "par gate" in texts(question)
    assert len([each for each in answer.story() if isinstance(each, Meter)]) == 2


def test_an_empty_ledger_has_the_whole_budget_left():
    question = asked()
    assert question.answer().numbers()["year"].value == 0.0
    assert "The ledger is empty: nothing has been spent." in texts(question)
    assert question.answer().left.times == asked(*BEFORE).answer().left.times
    question.answer().chart.draw().figure()
    assert asked(policy=POLICY).chosen == "visits"


def test_an_overspent_budget_is_said_in_the_headline():
    question = asked(*YEAR, tool(2.0), target=3.0)
    answer = question.answer()
    assert answer.left.is_overspent
    assert answer.left.times == 0
    assert headline(question).startswith("The budget in 2026 is overspent: ε = ")
    assert "too much" in texts(question)
    assert "the budget ends" not in texts(question)
    ever = asked(*BEFORE, *YEAR, policy=replace(POLICY, epsilon_for_ever=2.0, epsilon_per_year=2.0))
    assert "for ever is overspent" in headline(ever)
    assert (
        headline(asked(*YEAR, target=1.8)) == "The budget in 2026, ε′ = 1.8, has no room for a release of your scenario"
    )


def test_dates_in_the_future_count_already_as_in_the_gate():
    later = [made(11), made(2, year=2027)]
    question = asked(*YEAR, *later)
    assert "2 records are dated after 15 September 2026: they count already." in texts(question)
    found = question.answer()
    assert found.left.year == spent((*YEAR, *later), delta=1e-5)
    assert found.goes_on.days == (), "the plan goes on from the latest record, which is of the year after"
    drawn = found.chart.draw()
    for each in (trace["x"].tolist() for trace in drawn.data):
        assert each == sorted(each)
        assert each[-1] <= 365
    assert asked(*YEAR, made(11)).answer().goes_on.days[0][0] > datetime.date(2026, 11, 5)


def test_records_of_other_tools_count_as_those_say_and_their_delta_may_be_too_much():
    question = asked(*YEAR, tool(0.3, 1e-7))
    assert "1 record comes from other tools: it counts as that tool says." in texts(question)
    assert question.answer().left.evidence.basis is MODEL
    assert asked(*YEAR).answer().left.evidence.basis is PROVEN
    none = asked(tool(0.1, 1e-6, times=20))
    assert headline(none) == "No ε holds any more at δ = 10⁻⁵"
    assert "The δ of the other tools adds up to 2·10⁻⁵." in texts(none)
    assert none.answer().chart is None
    assert set(none.answer().numbers()) == {"times"}
    assert none.answer().left.times == 0


def test_what_cannot_be_composed_is_said_when_it_is_asked():
    with pytest.raises(InfeasibleError, match=r"for neighbours by add-or-remove, and your scenario for replace-one"):
        asked(tool(neighbours="add-or-remove"))
    with pytest.raises(DataError, match="different neighbours"):
        asked(tool(neighbours="add-or-remove"), tool())
    with pytest.raises(DataError, match="another data set"):
        asked(*YEAR, policy=replace(POLICY, data_set="incomes"))
    with pytest.raises(ParameterError, match="data_set must be one of those"):
        asked(*YEAR, made(data_set="incomes"))
    with pytest.raises(ParameterError, match="today must be a date"):
        asked(*YEAR, today="soon")
    with pytest.raises(DataError, match="line 2 of the ledger was edited"):
        UploadedLedger.from_bytes(made(1).line + b"\n" + made(2).line.replace(b'"times":1,', b'"times":2,') + b"\n")
    assert asked(*YEAR, made(data_set="incomes"), data_set="incomes").answer().left.year.releases == 1


def test_a_torn_line_is_named_and_does_not_count():
    question = asked(*YEAR, torn=b'{"format":1,"id"')
    assert "1 line was broken off while being written" in texts(question)
    assert question.answer().left.year == asked(*YEAR).answer().left.year


def test_reserved_places_are_told_and_what_was_taken_beyond_them_is_spent_too():
    reservation = reserved(TWO.whole, "visits", datetime.date(2026, 4, 1))

    def with_places(*releases):
        lines = [place(reservation, release, number) for number, release in enumerate(releases, start=1)]
        return asked(*YEAR, reservation, torn=b"".join(lines))

    held = with_places(1)
    assert "1 of 3 reserved places is taken; all of them are spent already." in texts(held)
    assert held.answer().left.year == asked(*YEAR, reservation).answer().left.year
    assert "beyond" not in texts(with_places(1, 2, 1))
    more = with_places(1, 2, 1, 2)
    assert "3 of 3 reserved places are taken" in texts(more)
    assert "1 place was taken beyond those reserved, as two branches can do: it counts as a release on top." in texts(
        more
    )
    found, on_top = more.answer().left.year, released(TWO.whole, "visits", DAY, release=2)
    assert found == asked(*YEAR, reservation, on_top).answer().left.year
    assert "reserved" not in texts(asked(*YEAR))


def place(reservation, release, number):
    """Return the line of a place, as a script writes it."""
    held = {"format": 1, "id": f"{number:032x}", "date": TODAY, "kind": "place"}
    return sealed({**held, "reservation": reservation.id, "release": release, "place": number}) + b"\n"


def test_a_ledger_of_the_readers_own_is_private_and_the_example_is_not():
    question = asked(
        *YEAR, made(data_set="zebra4711"), policy=replace(POLICY, data_set="zebra4711"), data_set="zebra4711"
    )
    assert question.private
    assert "zebra4711" not in repr(question) + repr(question.own) + repr(question.public) + texts(question)
    assert question.public == BudgetLeft(Scenario())
    assert not BudgetLeft(Scenario()).private
    assert asked(*YEAR) == asked(*YEAR)
    assert asked(*YEAR) != asked(*YEAR[1:])


def test_the_example_is_the_same_each_time_and_made_up():
    assert example_ledger(REPLACE) == example_ledger(REPLACE)
    for neighbours in Neighbours:
        question = BudgetLeft(Scenario(neighbours=neighbours))
        assert question.ledger.data_sets == (EXAMPLE_DATA_SET,)
        assert "In this made-up ledger" in texts(question)
        assert question.answer().left.times >= 1


def test_many_records_take_a_bar_and_seconds():
    records = [replace(made(1 + at % 9), id=f"{at:032x}") for at in range(10_000)]
    own = UploadedLedger("many", Ledger(tuple(records)))
    question, shares = BudgetLeft(Scenario(), 3.0, TODAY, own), []
    assert question.long
    answer = question.answer(shares.append)
    assert shares[-1] == 1.0
    assert answer.left.year.releases == 10_000
    assert answer.left.times == 0
    with pytest.raises(ParameterError, match="so many cannot be composed"):
        asked(made(times=10**6)).answer()


def test_a_headline_stays_short_at_the_ends():
    for question in (
        asked(),
        asked(*YEAR, scenario=Scenario(epsilon0=1e-8)),
        asked(*YEAR, scenario=TWO, target=50.0),
        asked(*YEAR, target=0.01, policy=None),
    ):
        assert len(question.answer().headline.replace("\u00a0", "").split()) <= 16
    assert "or even more" in asked(scenario=Scenario(epsilon0=1e-8)).answer().headline
