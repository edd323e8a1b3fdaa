"""The quiz: every answer against a second, independent computation, and what counts as right."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import optimize, stats

from par_core.errors import ParameterError
from par_core.lab import quiz
from par_core.lab.questions import KINDS
from par_core.risk import explicit_curves

LECTURE = {
    "grade": ["51"],
    "response": ["0.36", "0.0313", "1.0986"],
    "loss": ["0.847"],
    "belief": ["0.232"],
    "hits": ["0.0272"],
    "invented": ["425.46"],
    "added": ["5.2"],
    "spent": ["3.190"],
    "crossing": ["12"],
    "clamped": ["0.0049"],
    "refuted": ["1.327"],
    "somebody": ["0.632"],
}


def asked():
    """The lecture's questions, those of two readers, and those of a few students, by key."""
    sets = [
        quiz.lecture(),
        quiz.own(0.3, 1e-7),
        quiz.own(2.0, 1e-4),
        *(quiz.of_student(3, each) for each in (1, 7, 40)),
    ]
    return [pytest.param(each, id=f"{each.key} {number}") for number, one in enumerate(sets) for each in one]


def values(question):
    return tuple(each.value for each in question.answers.values())


def test_the_lectures_numbers_to_the_digits_given():
    for question, (key, texts) in zip(quiz.lecture(), LECTURE.items(), strict=True):
        digits = [len(text.partition(".")[2]) for text in texts]
        assert question.key == key
        assert [f"{each:.{many}f}" for each, many in zip(values(question), digits, strict=True)] == texts, key


def test_the_numbers_that_explain_the_lectures_answers():
    found = {name: getattr(each, "value", each) for one in quiz.lecture() for name, each in one.explained.items()}
    told = {"others": 39, "rate": 0.43, "blind": 0.25, "odds": 3, "claimed": 0.3775, "reported": 0.1, "total": 5.2}
    more = {"plain": 12, "normal": 11.677, "least": 0.04581, "most": 0.012150, "expected": 1}
    assert found == pytest.approx(told | more, rel=2e-4)


# --- a second computation of each ------------------------------------------------------------------------------------


def grade(students, mean, after):
    fits = [each for each in range(101) if math.isclose((students * mean - each) / (students - 1), after)]
    return (fits[0],)


def response(yes, people, heads):
    chance = {truth: heads * (truth == "yes") + (1 - heads) / 2 for truth in ("yes", "no")}  # of saying yes
    share = optimize.brentq(lambda each: each * chance["yes"] + (1 - each) * chance["no"] - yes / people, -1, 2)
    deviation = stats.binom(people, yes / people).std() / people / (chance["yes"] - chance["no"])
    return share, deviation, math.log(chance["yes"] / chance["no"])


def loss(epsilon0, epsilon):
    """The noise between which the log-likelihood ratio of the tables 0 and 1 stays within ±epsilon."""
    within = [(1 - epsilon / epsilon0) / 2, (1 + epsilon / epsilon0) / 2]
    low, high = stats.laplace(scale=1 / epsilon0).cdf(within)
    return (1 - (high - low),)


def belief(prior, epsilon):
    odds = prior / (1 - prior) * math.exp(epsilon)
    return (odds / (1 + odds),)


def hits(false_positive, epsilon):
    """Whether an attack says yes is post-processing: its four chances are the only ones to bound."""
    bound = math.exp(epsilon)
    rules = [[1.0], [-1.0], [bound]], [bound * false_positive, -false_positive / bound, bound - (1 - false_positive)]
    return (optimize.linprog([-1.0], *rules, bounds=[(0, 1)]).x[0],)


def invented(cells, epsilon):
    noise = np.arange(-3000, 3001)
    chance = np.exp(-epsilon * np.abs(noise))
    return (cells * (np.maximum(noise, 0) * chance).sum() / chance.sum(),)


def added(releases, epsilon):
    return (math.fsum([epsilon] * releases),)


def spent(releases, epsilon, delta):
    """Losses on a grid, rounded up and down: their sums by Fourier transform, and delta at each level."""
    step, found = epsilon / 400, []
    for rounding in (np.floor, np.ceil):
        noise = stats.laplace(loc=0.5, scale=1 / epsilon)
        edges = np.arange(-400, 401)
        places = np.linspace(0, 1, 4001)
        mass = np.diff(noise.cdf(places + 0.5))  # answers between those of the two tables, 0 and 1
        middle = (0.5 - (places[1:] + places[:-1]) / 2) * 2 * epsilon
        law = np.zeros(2 * 400 + 1)
        np.add.at(law, np.clip(rounding(middle / step), -400, 400).astype(int) + 400, mass)
        law[-1] += 0.5
        law[0] += 1 - law.sum()
        size = 2 ** math.ceil(math.log2(len(edges) * releases))
        sums = np.maximum(np.fft.irfft(np.fft.rfft(law, size) ** releases, size)[: 800 * releases + 1], 0)
        losses = (np.arange(len(sums)) - 400 * releases) * step
        found.append(
            optimize.brentq(
                lambda at, sums=sums, losses=losses: (sums * -np.expm1(np.minimum(at - losses, 0))).sum() - delta,
                0.0,
                epsilon * releases,
            )
        )
    assert found[1] == pytest.approx(found[0], rel=0.05)
    return (sum(found) / 2,)


def crossing(epsilon, delta):
    def exceeds(sigma):
        return (
            stats.norm.cdf(0.5 / sigma - epsilon * sigma)
            - math.exp(epsilon) * stats.norm.cdf(-0.5 / sigma - epsilon * sigma)
            - delta
        )

    sigma = optimize.brentq(exceeds, 1e-2, 1e4, xtol=1e-12)
    one = stats.norm(scale=sigma).expect(abs)
    better = [k for k in range(1, 200) if one * math.sqrt(k) < k / epsilon]
    return (better[0],)


def clamped(bound, epsilon):
    noise = np.arange(-2000, 2001)
    chance = np.exp(-epsilon * np.abs(noise))
    here = np.clip(noise, -bound, bound)
    possible = set((here + 1).tolist())
    return (sum(chance[[each not in possible for each in here.tolist()]]) / chance.sum(),)


def refuted(first, second, runs):
    ends = [stats.binomtest(each, runs).proportion_ci(0.95, method="exact") for each in (first, second)]
    return (math.log(ends[0].low / ends[1].high),)


def somebody(people, delta):
    return (1 - (1 - delta) ** people,)


AGAIN = [grade, response, loss, belief, hits, invented, added, spent, crossing, clamped, refuted, somebody]


@pytest.mark.parametrize("question", asked())
def test_each_answer_is_found_in_a_second_way(question):
    again = next(each for each in AGAIN if each.__name__ == question.key)
    assert values(question) == pytest.approx(again(**question.given), rel=2e-3 if question.key == "spent" else 1e-9)


# --- variants --------------------------------------------------------------------------------------------------------


def test_no_two_of_a_class_have_the_same_numbers_in_any_question():
    for seed in (0, 7):
        everybody = [quiz.of_student(seed, each) for each in range(1, quiz.STUDENTS + 1)]
        for asked_of_each in zip(*everybody, strict=True):
            assert len({tuple(each.given.items()) for each in asked_of_each}) == quiz.STUDENTS
        assert len({tuple(map(values, each)) for each in everybody}) == quiz.STUDENTS


def test_a_class_seed_gives_the_same_numbers_again_and_another_others():
    assert quiz.of_student(7, 3) == quiz.of_student(7, 3)
    assert sum(a.given != b.given for a, b in zip(quiz.of_student(7, 3), quiz.of_student(8, 3), strict=True)) > 6


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
def test_no_variant_has_an_answer_that_is_trivial_or_could_be_mistaken(kind):
    """The answer that a question is meant to refute is told from the right one by the tolerance."""
    edges = [dict(kind.lecture) | dict(kind.own(*ends)) for ends in product(quiz.EPSILONS, quiz.DELTAS)]
    for given in (*kind.variants, *edges):
        found = {name: float(each) for name, each in kind.solve(**given).items()}
        for name, (_, told) in kind.answers.items():
            low, high = (0.001, 0.999) if told.kind in ("share", "points") else (0.1, 1e5)
            assert low <= found[name] <= high, (given, name)
        wrong = {
            "grade": lambda given=given: given["mean"],
            "response": lambda given=given: given["yes"] / given["people"],
            "loss": lambda given=given: explicit_curves.risk_at(given["epsilon"], given["epsilon0"]).risk,
            "hits": lambda given=given: 10 * given["false_positive"],
            "spent": lambda given=given: given["releases"] * given["epsilon"],
            "refuted": lambda given=given: math.log(given["first"] / given["second"]),
        }.get(kind.key)
        if wrong:
            assert abs(wrong() / next(iter(found.values())) - 1) > 2 * quiz.TOLERANCE, given
    if kind.key == "grade":
        assert all(0 <= kind.solve(**given)["grade"] <= 100 for given in kind.variants)


def test_levels_that_cannot_be_asked_about_are_taken_at_the_nearest_end():
    assert quiz.own(20.0, 0.5) == quiz.own(quiz.EPSILONS[1], quiz.DELTAS[1])
    assert quiz.own(1e-3, 1e-15) == quiz.own(quiz.EPSILONS[0], quiz.DELTAS[0])
    assert quiz.own(0.123456, 1e-5)[2].given["epsilon0"] == 0.1235, "as it is written, so it is asked about"


@pytest.mark.parametrize("question", asked())
def test_the_picture_goes_through_the_answer(question):
    picture = quiz.picture(question)
    (height,) = picture.y[picture.x == picture.at]
    assert height == pytest.approx(values(question)[0], rel=1e-8)
    assert np.isfinite(picture.y).all()
    assert len(set(picture.y.tolist())) > 3


# --- what counts as right --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "name", "right", "wrong"),
    [
        ("grade", "grade", ["51", "51.0", "51,0", " 51 "], ["51.2", "90", "50", "0.51"]),
        (
            "response",
            "share",
            ["36 %", "36", "0.36", "0,36", "36,0 %", ".36", "36percent"],
            ["43", "0.43 %", "-36", "3.6"],
        ),
        (
            "response",
            "deviation",
            ["3.1", "3,13", "3.1 points", "0.0313", "3.14 pp", "3.1 percentage points"],
            ["1.57", "3"],
        ),
        ("response", "level", ["ln 3", "ln(3)", "1.0986", "1,1", "ε = 1.1"], ["3", "0.69", "ln 2"]),
        ("loss", "exceeds", ["0.847", "84.7 %", "84,7"], ["0.378", "37.8 %", "0.847 %", "0.61"]),
        ("invented", "people", ["425", "425.5", "425,46", "427"], ["500", "0", "4.25"]),
        ("spent", "spent", ["3.19", "3,2", "3.190"], ["5.2", "3.3"]),
        ("crossing", "counts", ["12"], ["11", "12.1", "13"]),
        ("clamped", "ruled_out", ["0.493 %", "0.49", "0.0049"], ["49", "0", "0.0049 %"]),
    ],
)
def test_answers_are_read_as_people_write_them(key, name, right, wrong):
    question = next(each for each in quiz.lecture() if each.key == key)
    assert [each for each in right if not question.accepts(name, each)] == []
    assert [each for each in wrong if question.accepts(name, each)] == []


def test_a_comma_may_part_thousands():
    question = next(each for each in quiz.own(0.3, 1e-6) if each.key == "invented")
    assert question.answers["people"].value == pytest.approx(1641.9, abs=0.1)
    assert [question.accepts("people", each) for each in ("1,642", "1,641.9", "1.641,9", "1 642")] == [True] * 4
    assert not question.accepts("people", "1.642")


@pytest.mark.parametrize(
    "text", ["", "abc", "1 or 2", "nan", "inf", "1e999", "%", ",", "--1", "ln -3", "9" * 10_000 + "x", "1.2.3", "ln 0"]
)
def test_what_is_no_number_is_named(text):
    with pytest.raises(ParameterError, match="must be a number such as"):
        quiz.lecture()[1].accepts("level", text)


def test_a_percent_sign_belongs_to_a_share():
    with pytest.raises(ParameterError, match="must be a number such as"):
        quiz.lecture()[0].accepts("grade", "51 %")


def test_the_sheet_holds_an_answer_to_each_question_of_each_student():
    sheet = quiz.answer_sheet(7)
    assert sheet["student"].tolist() == [*range(1, quiz.STUDENTS + 1)]
    rows = sheet.drop(columns="student").itertuples(index=False)
    for student, row in enumerate(rows, start=1):
        parts = [(each, name) for each in quiz.of_student(7, student) for name in each.answers]
        assert [each.accepts(name, str(cell)) for (each, name), cell in zip(parts, row, strict=True)] == [True] * 14
    assert [each.split()[0] for each in sheet.columns[1:5]] == ["1", "2a", "2b", "2c"]
