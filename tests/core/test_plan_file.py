"""A plan with its names as a file: whatever the names are it comes back, and what is wrong is named by release and key."""

import random
from dataclasses import replace

import pytest

from par_core.errors import DataError, ParameterError
from par_core.plan import NamedRelease, Plan, Release, from_toml, to_toml
from par_core.queries import Condition, Count, CountBy, Groups, Histogram, Mean, PersonCount, PersonCountBy, Share, Sum
from par_core.scenario import Neighbours

NAMES = (
    *(
        "district",
        "",
        " ",
        "#",
        "=",
        "[[release]]",
        'say "when"',
        "it's",
        '"""',
        "'''",
        "back\\slash",
        "\\u0041",
        "a\r\nb",
    ),
    *(
        "\ttab\b\f",
        "\0\x1b\x7f",
        "\x85\u2028\ufeff",
        "Größe",
        "年齢",
        "🦠",
        "true",
        "1",
        "nan",
        "2020-01-31",
        "a" * 300,
    ),
)
NUMBERS = (0, -1, 12, 2**63, 10**300, -0.5, 0.1 + 0.2, 1e-300, -1e300, 5e-324, 12.5)
DATES = ("2020-01", "2020-02", "2020-12")
HEAD = 'format = 1\nepsilon0 = 0.5\nneighbours = "replace-one"\ndelta = 1e-5\n'


def some_categories(rng):
    pool = rng.choice([NAMES, NUMBERS, DATES, (True, False)])
    return tuple(rng.sample(pool, rng.randint(1, min(len(pool), 3))))


def some_edges(rng):
    return tuple(sorted(rng.sample([each for each in NUMBERS if abs(each) <= 2**63], rng.randint(2, 6))))


def some_condition(rng):
    if rng.random() < 0.3:
        return Condition(rng.choice(NAMES), rng.choice(["<", "<=", ">", ">="]), rng.choice(NUMBERS))
    if rng.random() < 0.5:
        return Condition(rng.choice(NAMES), "in", some_categories(rng))
    return Condition(rng.choice(NAMES), rng.choice(["==", "!="]), some_categories(rng)[0])


def some_groups(rng):
    return rng.choice([None, Groups(rng.choice(NAMES), some_categories(rng))])


def some_query(rng, person):
    where = rng.choice([None, some_condition(rng)])
    columns = tuple(rng.sample(NAMES, rng.choice([1, 2])))
    counts = CountBy(columns, tuple(some_categories(rng) for _ in columns), rng.random() < 0.5, where)
    bounds = (rng.choice([0, -1e12, 1e-300]), rng.choice([1, 1e12, 0.1 + 0.2]))
    queries = [
        Count(some_condition(rng), where),
        counts,
        Histogram(rng.choice(NAMES), some_edges(rng), where),
        Sum(rng.choice(NAMES), *bounds, where, groups=some_groups(rng)),
        Mean(rng.choice(NAMES), *bounds, where, groups=some_groups(rng), skip_missing=rng.random() < 0.5),
    ]
    queries.append(Share(some_condition(rng), where, groups=some_groups(rng)))
    if person:
        queries += [
            PersonCount(some_condition(rng), where, person=person),
            PersonCountBy(**vars(counts), person=person),
        ]
    return rng.choice(queries)


def some_named(rng):
    person = rng.choice(NAMES)
    query = some_query(rng, person)
    release = Release(
        query.shape,
        rows_per_person=rng.choice([1, 3, 10**6]),
        rows=rng.choice([1, 9277]) if isinstance(query, Mean | Share) else rng.choice([None, 5]),
        size=rng.choice([None, 10**9]),
        statistics=rng.choice([1, 4]),
        mechanism=rng.choice(["laplace", "discrete-laplace", "gaussian"]),
        weight=rng.choice([1.0, rng.random() + 1e-3]),
        times=rng.choice([1, 12, 365]),
    )
    return NamedRelease(release, query, person, rng.choice(["truncate", "refuse"]), rng.random() < 0.3)


def test_plans_with_any_names_come_back_from_their_files():
    rng = random.Random(33)
    for _ in range(400):
        named = tuple(some_named(rng) for _ in range(rng.randint(1, 3)))
        plan = Plan(
            tuple(each.release for each in named),
            epsilon0=rng.uniform(0.01, 5.0),
            neighbours=rng.choice(list(Neighbours)),
            delta=10 ** -rng.uniform(1, 14),
            budget=rng.choice([None, rng.uniform(0.1, 9.0)]),
        )
        text = to_toml(plan, named)
        assert "only to those who may know them" in text
        assert text.count("# Categories: COPIED FROM THE FILE") == sum(each.copied for each in named)
        for written in (text, b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()):
            again, with_names = from_toml(written)
            assert (again, with_names) == (plan, named)
        for each, again in zip(named, with_names, strict=True):
            assert repr(vars(again.query)) == repr(vars(each.query))  # 1 and 1.0 and true are equal


def test_a_file_is_not_written_with_other_releases_or_with_what_is_no_text():
    query = Count(Condition("age", ">=", 18))
    named = NamedRelease(Release(query.shape), query)
    with pytest.raises(ParameterError, match="in their order"):
        to_toml(Plan((replace(named.release, times=2),)), [named])
    half = Count(Condition("\ud800", ">=", 18))
    with pytest.raises(ParameterError, match="no Unicode text"):
        to_toml(Plan((named.release,)), [NamedRelease(named.release, half)])


COUNT = 'count = ["age", ">=", 18]\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"\xff\xfe", "it is not TOML"),
        ("format =\n", r"it is not TOML: Invalid value \(at line 1"),
        ("x = " + "[" * 100_000, "it is not TOML"),
        (f"x = {'1' * 5000}", "it is not TOML$"),
        ("", "format must be 1, got None"),
        ("format = true", "format must be 1, got True"),
        ("format = 2", "newer version wrote this file"),
        ("format = 1", "^epsilon0 must be given$"),
        (HEAD, "^releases must be 1 to 60, got 0"),
        (HEAD + "wish = 1", "a plan has no 'wish'"),
        (HEAD + "budget = nan", "^budget must be"),
        (HEAD.replace("0.5", '"0.5"'), "^epsilon0 must be"),
        (HEAD.replace("replace-one", "any"), "^neighbours must be"),
        (HEAD + "release = 1", "release must begin with"),
        (HEAD + f"[[release]]\n{COUNT}" * 61, "releases must be 1 to 60, got 61"),
    ],
)
def test_what_is_no_plan_file_is_refused_with_the_reason(text, said):
    with pytest.raises(DataError, match=said):
        from_toml(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "one of count, count_by, histogram, share, sum, mean and quantile must be given"),
        (COUNT + 'sum = "cost"', "one of count"),
        (COUNT + "bounds = [0, 1]", "'bounds' does not go with count"),
        ('sum = "cost"\nbounds = [0, 1]\nskip_missing = true', "'skip_missing' does not go with sum"),
        ('sum = "cost"', "bounds must be given"),
        (
            'sum = "cost"\nbounds = [9, 1]\nby = "ward"\ncategories = ["A"]',
            "bounds must have the lower below the upper",
        ),
        ('sum = "cost"\nbounds = [0, 1]\nby = "ward"', "categories must be given: a list of the groups"),
        ('sum = "cost"\nbounds = [0, 1]\ncategories = ["A"]', "by must be given"),
        ('sum = "cost"\nbounds = [0, 1]\nby = 3\ncategories = ["A"]', "by must be the name of a column, got 3"),
        ('sum = "cost"\nbounds = [0, 1]\nby = "ward"\ncategories = []', "must hold at least one"),
        ('sum = "cost"\nbounds = [0, 1]\nby = "ward"\ncategories = "A"', "categories must be a list"),
        (COUNT + 'by = "ward"', "'by' does not go with count"),
        ('sum = "cost"\nbounds = [1, 0]', "bounds must have the lower below"),
        ('sum = ["cost"]\nbounds = [0, 1]', "sum must be the name of a column"),
        ('mean = "cost"\nbounds = [0, 1]', "rows must be given"),
        ('share = ["age", ">=", 18]', "rows must be given"),
        ('share = "age"', "share must be a condition such as"),
        ('share = ["age", ">=", 18]\nbounds = [0, 1]', "'bounds' does not go with share"),
        ('mean = "cost"\nbounds = [0, 1]\nskip_missing = 1', "skip_missing must be true or false"),
        ('count = "age >= 18"', "count must be a condition such as"),
        ('count = ["age", "~", 18]', "count: comparison must be one of"),
        ('count = ["age", {}, 18]', "count: comparison must be one of"),
        ('count = ["age", ">=", "18"]', "count: value must be a number"),
        (COUNT + 'where = ["ward", "in", []]', "where: value must be a list"),
        (COUNT + 'where = ["ward", "in", ["a", 1]]', "where: value must be all of one kind"),
        (COUNT + "persons = true", "person must be given"),
        (COUNT + "persons = 1", "persons must be true or false"),
        (COUNT + "person = 0", "person must be the name of a column"),
        (COUNT + 'over = "drop"', "over must be"),
        (COUNT + "copied = 1", "copied must be true or false"),
        ('count_by = ["ward"]', "categories must be given"),
        ('count_by = "ward"', "count_by must be a list of one or two columns"),
        ('count_by = ["ward"]\ncategories = ["a"]', "categories must be a list for each column"),
        ('count_by = ["ward"]\ncategories = [[2020-01-31]]', "categories must be text"),
        ('count_by = ["ward"]\ncategories = [["a", "a"]]', "must not repeat, got 'a' twice"),
        ('count_by = ["ward"]\ncategories = [["a"]]\nother = 0', "other must be true or false"),
        ('histogram = "age"', "edges must be given"),
        ('histogram = "age"\nedges = 5', "edges must be a list of at least 2, got 5"),
        ('histogram = "age"\nedges = [5]', "edges must be a list of at least 2"),
        ('histogram = "age"\nedges = [5, 5]', "edges must rise"),
        ('histogram = "age"\nedges = [5, "6"]', "edges must be"),
        ('histogram = "age"\nedges = [5, inf]', "edges must be finite"),
        ('histogram = "age"\nedges = [1979-05-27, 1979-05-28]', "edges must be"),
        ('histogram = "age"\nedges = [5, 1e301]', "edges must be at least"),
        (f'histogram = "age"\nedges = [5, 0x{"f" * 9000}]', "edges must be"),
        (f'histogram = "age"\nedges = {list(range(10_000))}', "edges must make at most 10,000 cells, got 10001"),
        ('histogram = ["age"]\nedges = [5, 6]', "histogram must be the name of a column"),
        ('histogram = "age"\nedges = [5, 6]\npersons = true\nperson = "x"', "'persons' does not go with histogram"),
        ('histogram = "age"\nedges = [5, 6]\nbounds = [0, 1]', "'bounds' does not go with histogram"),
        (COUNT + "times = 1.5", "times must be"),
        (COUNT + "rows_per_person = true", "rows_per_person must be"),
        (COUNT + 'mechanism = "exponential"', "mechanism must be noise"),
        (COUNT + "weight = inf", "weight must be"),
        (COUNT + "size = {}", "size must be"),
        (COUNT + f"rows = 0x{'f' * 9000}", "rows must be"),
    ],
)
def test_what_is_wrong_with_a_release_is_named_by_its_number_and_key(text, said):
    with pytest.raises(DataError, match=f"^release 2: .*{said}"):
        from_toml(f"{HEAD}[[release]]\n{COUNT}[[release]]\n{text}")
