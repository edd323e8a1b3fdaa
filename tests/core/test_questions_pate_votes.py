"""The votes of PATE's teachers: what is told of them is what the core counts, and nothing of a file of one's own leaves its question."""

import numpy as np
import pytest

from par_core.composition import compose_votes
from par_core.datasets import digit_votes, synthetic_votes
from par_core.errors import DataError
from par_core.questions import Votes
from par_core.questions import notebook as as_notebook
from par_core.rounding import brief
from par_core.scenario import Scenario
from par_core.tables.table import read_table
from tests.shown import Story

MARKER = "zebra4711"


def votes(epsilon0=0.1, epsilon=0.08, **more):
    return Votes(Scenario(), drawn_epsilon0=epsilon0, epsilon=epsilon, **more)


def own(data, name="votes.csv"):
    return read_table(name, data)


def spent(shown):
    """What each count comes to, by its name."""
    (table,) = shown.tables
    names = [each.partition(" (")[0] for each in table["Count"]]
    return dict(zip(names, map(float, table["ε"]), strict=True))


def test_the_story_is_what_the_core_counts():
    shown, count = Story(votes().answer()), compose_votes(synthetic_votes().table, 0.1, delta=1e-5, epsilon=0.08)
    assert shown.headline == "1,000 noisy votes with ε₀ = 0.1 spend at most ε = 11.4; the paper’s count: 6.95"
    found = spent(shown)
    published = {"PATE’s bound": count.plain, "PATE’s bound with PaR": count.at_risk}
    for name, value in (published | {"PaR, as the script counts": count.script}).items():
        assert found[name] == float(f"{float(value):.3g}")
    for name, value in (("Proven, these votes alone", count.these_votes), ("Proven, any votes", count.any_votes)):
        assert found[name] == float(brief(float(value), toward="up"))
    numbers, drawn = shown.chart.curve("PaR, as the script")
    again = compose_votes(synthetic_votes().table, 0.1, delta=1e-5, epsilon=0.08, numbers=numbers.astype(int))
    np.testing.assert_array_equal(drawn, again.script)
    assert "luck" in shown.words
    assert "Teachers are models" in shown.words
    marks = [each.rpartition("(")[2] for each in shown.tables[0]["Count"]]
    assert marks == ["Proven)", "Proven)", "Holds here)", "Holds here)", "Refuted)"]  # more than these votes spend
    assert "these votes alone spend at most ε = 2.89. (Proven)" in shown.words


@pytest.mark.parametrize(("queries", "printed"), [(100, 2.04), (1_000, 8.03)])
def test_table_1_is_told_where_it_is_asked_for_and_nowhere_else(queries, printed):
    shown = Story(votes(queries=queries).answer())
    assert round(spent(shown)["PATE’s bound"], 2) == printed
    assert f"Table 1 prints {printed} without privacy at risk" in shown.words
    for other in (votes(queries=queries - 1), votes(epsilon=0.09, queries=queries), votes(table="digits", queries=100)):
        assert "Table 1 prints" not in Story(other.answer()).words
    assert "Table 1 prints 8.03" in Story(votes(queries=5_000).answer()).words, "all 1,000 that there are"


def test_levels_follow_the_scenario():
    shown = Story(Votes(Scenario(epsilon0=0.3, delta=1e-7)).answer())
    assert "with ε₀ = 0.3" in shown.headline
    assert "δ = 10⁻⁷" in shown.words
    assert Votes(Scenario(epsilon0=0.3)).hoped < 0.3
    default, (least, most) = Votes(Scenario()), (Votes(Scenario(epsilon0=each)) for each in (1e-8, 700.0))
    assert least.level_of_each == most.level_of_each == default.level_of_each
    assert 0 < least.hoped < most.hoped <= 50


def test_a_claim_below_what_is_proven_is_called_no_guarantee():
    shown = Story(votes(1.0, 0.42, table="digits").answer())
    count = compose_votes(digit_votes().table, 1.0, delta=1e-5, epsilon=0.42)
    assert count.at_risk < count.these_votes
    assert "The claim is below everything that is proven for these votes" in shown.words
    assert "There are 500 queries in this table: all of them are counted." in shown.words


def test_an_epsilon_that_is_not_below_epsilon0_changes_nothing():
    shown = Story(votes(0.1, 0.1).answer())
    assert "Choose ε below ε₀" in shown.words
    assert spent(shown)["PATE’s bound with PaR"] == spent(shown)["PATE’s bound"]


@pytest.mark.parametrize("number", [1, 2, 59, 61])
def test_few_queries_are_all_drawn(number):
    numbers, _ = Story(votes(queries=number).answer()).chart.curve("Proven, any votes")
    assert (numbers[0], numbers[-1]) == (1, number)
    assert number > 50 or len(numbers) == number


def test_votes_that_spend_nothing_are_drawn_too():
    """Loud winners at a large δ: what is proven for these votes is 0, which no logarithmic axis has."""
    shown = Story(votes(50.0, 1e-8, drawn_delta=0.5, moments=1).answer())
    assert "these votes alone spend at most ε = 0." in shown.words
    _, drawn = shown.chart.curve("Proven, these votes alone")
    assert (drawn == 0).all()


def test_dials_move_what_is_quickly_counted():
    assert votes().dials == ("epsilon",)
    assert votes(queries=30).dials == ("epsilon", "drawn_epsilon0", "scenario.epsilon0")


def test_a_file_of_ones_own_is_private_and_its_notebook_asks_of_the_built_in_table():
    table = own((f"{MARKER}a,{MARKER}b,c\n" + "40,8,2\n7,31,12\n50,0,0\n" * 4).encode(), f"{MARKER}.csv")
    question = votes(0.5, 0.3, own=table)
    count = compose_votes([[40, 8, 2], [7, 31, 12], [50, 0, 0]] * 4, 0.5, delta=1e-5, epsilon=0.3)
    assert spent(Story(question.answer()))["PATE’s bound"] == float(f"{float(count.plain):.3g}")
    assert question.private
    assert question.public == votes(0.5, 0.3)
    assert not question.public.private
    assert MARKER not in "".join(cell.source for cell in as_notebook.cells(question.public))
    other = votes(0.5, 0.3, own=own(b"a,b,c\n" + b"40,8,2\n7,31,12\n50,0,1\n" * 4))
    assert other.apart_from("epsilon") != question.apart_from("epsilon"), "frames of one table are not those of another"


def test_a_file_that_holds_no_votes_is_refused_at_once():
    for data, says in ((b"a,b\n3,4\n-1,2\n", "row 2, column 1"), (b"a\n3\n4\n", "at least two classes")):
        with pytest.raises(DataError, match=says):
            votes(own=own(data))
