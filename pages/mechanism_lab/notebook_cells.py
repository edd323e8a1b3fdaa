"""What a notebook recomputes of each toy of the lab."""

from __future__ import annotations

from pages.mechanism_lab import (
    choose_one,
    coins,
    quiz,
    refute_claim,
    release_columns,
    trap_average,
    trap_clamping,
    trap_delta,
    trap_floats,
    two_worlds,
    watch_it_run,
    which_mechanism,
    why_the_proof_fails,
)
from pages.mechanism_lab.candidates_table import TABLE
from pages.mechanism_lab.lab_settings import DELTA, EPSILON, NOISE
from pages.mechanism_lab.traps import TRAP
from pages.shared.notebook_tables import instead_of_own
from pages.shared.notebooks import NOTHING
from par_core.export.notebook import Cell, code


def worlds() -> list[Cell]:
    return [
        code(
            """
            from par_core.figures import lab_two_worlds as figures
            from par_core.lab.two_worlds import two_worlds

            seen = two_worlds($noise, $epsilon, delta=$delta, answer=$answer, prior=$prior)
            show("a belief that Angie failed becomes", seen.quantity("raised" if seen.loss >= 0 else "lowered"))
            show("privacy loss of this answer", seen.quantity("size"))
            draw(figures.densities(seen))
            """,
            noise=NOISE.value(),
            epsilon=EPSILON.value(),
            delta=DELTA.value(),
            answer=two_worlds.ANSWER.value(),
            prior=two_worlds.PRIOR.value(),
        )
    ]


def rain() -> list[Cell]:
    return [
        code(
            """
            from par_core.figures import lab_watch_it_run as figures
            from par_core.lab.watch_it_run import run

            seen = run($noise, $epsilon, $releases, delta=$delta, k=$k, beta=$beta, seed=$seed)
            show("releases off by more than the bound", seen.beyond, of=seen)
            show("the bound", seen.quantity("off"))
            show("their share", seen.quantity("share"))
            draw(figures.histogram(seen))
            """,
            noise=NOISE.value(),
            epsilon=EPSILON.value(),
            releases=watch_it_run.RELEASES.value(),
            delta=DELTA.value(),
            k=watch_it_run.NUMBERS.value(),
            beta=watch_it_run.BETA.value(),
            seed=watch_it_run.SEED.value(),
        )
    ]


def survey() -> list[Cell]:
    people, epsilon = coins.PEOPLE.value(), EPSILON.value()
    if coins.FROM.value() == "own":
        if coins.SAID.value() > people:
            return [NOTHING]
        start = "found = coins.survey($said, $people, epsilon=$epsilon)\ndrawn, true = None, found.share"
        values: dict[str, float] = {"said": coins.SAID.value()}
    else:
        start = (
            "drawn = coins.draw($true, $people, epsilon=$epsilon, seed=$seed)\nfound, true = drawn.answers, drawn.true"
        )
        values = {"true": coins.TRUE.value(), "seed": coins.SEED.value()}
    return [
        code(f"from par_core.lab import coins\n\n{start}", people=people, epsilon=epsilon, **values),
        code(
            """
            from par_core.figures import lab_coins as figures

            show("said yes", found.said, of=found)
            show("estimated share", found.quantity("share"))
            show("at least", found.quantity("low"))
            show("at most", found.quantity("high"))
            draw(figures.survey(found, drawn=drawn))
            """
        ),
        code(
            """
            errors = coins.errors(true, found.people, epsilon=found.epsilon)
            show("95 of 100 surveys are off by at most, in percentage points", errors.quantity("own_local"))
            show("a trusted curator by at most", errors.quantity("own_curator"))
            draw(figures.errors(errors))
            """
        ),
    ]


def choice() -> list[Cell]:
    table = TABLE.value()
    if not table:
        return [NOTHING]
    return [
        code(
            """
            from par_core.figures import lab_choose_one as figures
            from par_core.lab import choose_one

            utilities, weights = $utilities, $weights
            found = choose_one.choose(utilities, $epsilon, sensitivity=$sensitivity, prior=weights)
            show("the best is chosen with probability", found.quantity("best"))
            show("95 of 100 choices fall short by at most", found.quantity("shortfall"))
            draw(figures.choice(found, [f"no. {at}" for at in range(1, len(utilities) + 1)]))
            """,
            utilities=[utility for _, utility, _ in table],
            weights=[weight for *_, weight in table],
            epsilon=EPSILON.value(),
            sensitivity=choose_one.SENSITIVITY.value(),
        )
    ]


def compared() -> list[Cell]:
    return [
        code(
            """
            from par_core.figures import lab_which_mechanism as figures
            from par_core.lab import which_mechanism

            found = which_mechanism.compare($epsilon, $delta, measure=$measure, moves=$moves)
            first = which_mechanism.crossing($epsilon, $delta, measure=$measure, moves=$moves)
            if first is None:
                print("Laplace noise is smaller up to a million counts")
            else:
                show("Gaussian noise is smaller from so many counts on", first, of=which_mechanism.crossing)
            draw(figures.compared(found))
            """,
            epsilon=EPSILON.value(),
            delta=DELTA.value(),
            measure=which_mechanism.MEASURE.value(),
            moves=which_mechanism.MOVES.value(),
        )
    ]


def proof() -> list[Cell]:
    made = [
        code(
            """
            from par_core.figures import lab_proof as figures
            from par_core.lab import why_the_proof_fails as lab
            from par_core.risk import explicit_curves

            epsilon0 = $epsilon0
            drawn, own = lab.one_draw($noise, epsilon0), explicit_curves.risk_at($hoped * epsilon0, epsilon0)
            show("size of the noise, seen from table x", drawn.quantity("first"))
            show("and from table y", drawn.quantity("second"))
            show("privacy loss of this release", drawn.quantity("loss"))
            show("the loss exceeds ε in", own.quantity("exact_risk"))
            show("with two independent draws", own.quantity("risk"))
            """,
            epsilon0=EPSILON.value(),
            noise=why_the_proof_fails.DRAW.value(),
            hoped=why_the_proof_fails.HOPED.value(),
        )
    ]
    step = why_the_proof_fails.STEP.value()
    if step == 3:
        pairs = """
            pairs = lab.noise_pairs(epsilon0)
            show("releases on the outer lines, where the loss is ±ε₀", pairs.quantity("on_edge"))
            draw(figures.pairs(pairs, draw=drawn, epsilon=own.epsilon))
            """
        return [*made, code(pairs)]
    if step == 4:
        return [*made, code("draw(figures.law(explicit_curves.truth(epsilon0), own=own))")]
    return [*made, code("draw(figures.one_draw(drawn, both=$both))", both=step == 2)]


def traps() -> list[Cell]:
    return [_TRAPS[TRAP.value()]()]


def refuted() -> list[Cell]:
    epsilon, against = EPSILON.value(), refute_claim.AGAINST_WHAT.value()
    noise, delta = NOISE.value(), DELTA.value()
    if refute_claim.FROM.value() == "drawn":
        start = [
            code(
                """
                from par_core.lab.refute_claim import try_claim

                found = try_claim($noise, $epsilon, $pairs, share=$share, delta=$delta, against=$against, seed=$seed)
                tried = found.tried
                show("in truth ε is", found.quantity("truth"))
                """,
                noise=noise,
                epsilon=epsilon,
                pairs=refute_claim.PAIRS.value(),
                share=refute_claim.SHARE.value(),
                delta=delta,
                against=against,
                seed=refute_claim.SEED.value(),
            )
        ]
    else:
        claimed = code("claimed, delta = $epsilon, $delta", epsilon=epsilon, delta=refute_claim.CLAIMED_DELTA.value())
        if against == "curve":
            claimed = code(
                """
                from par_core.mechanisms import NOISES

                claimed, delta = NOISES[$noise].for_epsilon($epsilon, sensitivity=1, delta=$delta), 0.0
                """,
                noise=noise,
                epsilon=epsilon,
                delta=delta,
            )
        start = [
            *instead_of_own(release_columns.TABLE),
            claimed,
            code(
                """
                from par_core.audit.outputs import try_on
                from par_core.lab.refute_claim import releases
                from par_core.randomness import seeded

                first, second = releases(**$example, rng=seeded($seed)).T
                tried = try_on(first, second, claimed, delta=delta)
                """,
                example=release_columns.EXAMPLE,
                seed=release_columns.EXAMPLE_SEED,
            ),
        ]
    return [
        *start,
        code(
            """
            from par_core.figures import lab_refute_claim as figures

            refutation, bound = tried.refutation, tried.bound
            show("refuted after" if refutation.refuted_after else "not refuted by so many pairs", refutation.pairs, of=refutation)
            if bound.epsilon > 0:
                show("all at once: ε is at least", bound.quantity("epsilon"))
            if tried.check is not None:
                show("an attack misses at most", tried.check.quantity("false_negative"))
                show("and the claim allows no fewer misses than", tried.check.quantity("allowed"))
            draw(figures.wealth(refutation, claim="the claim"))
            """
        ),
    ]


def question() -> list[Cell]:
    calls: dict[str, tuple[str, dict[str, float]]] = {
        "mine": ("own($epsilon, $delta)", {"epsilon": EPSILON.value(), "delta": DELTA.value()}),
        "lecture": ("lecture()", {}),
        "class": ("of_student($seed, $student)", {"seed": quiz.CLASS.value(), "student": quiz.STUDENT.value() or 1}),
    }
    call, values = calls[quiz.NUMBERS.value()]
    return [
        code(
            f"""
            from par_core.lab import quiz

            question = quiz.{call}[$at]
            print(question.key, dict(question.given))
            """,
            at=quiz.QUESTION.value() - 1,
            **values,
        ),
        code(
            """
            # The answer
            for name, label in question.labels.items():
                show(label, question.answers[name])
            """
        ),
    ]


def _delta() -> Cell:
    return code(
        """
        from par_core.figures import lab_traps as figures
        from par_core.lab import published_records as lab

        own = lab.published_records($expected, $people)
        show("somebody's whole record comes out in", own.quantity("each_alone"))
        show("one record at most, in", own.quantity("one_at_most"))
        draw(figures.published_records(lab.published_records(lab.GRID, $people), own=own))
        """,
        expected=trap_delta.EXPECTED.value(),
        people=trap_delta.PEOPLE.value(),
    )


def _clamping() -> Cell:
    return code(
        """
        from par_core.figures import lab_traps as figures
        from par_core.lab import clamping

        own = clamping.invented_people($cells, $epsilon)
        show("people in empty cells", own.quantity("invented"))
        found = clamping.clamped_noise($bound, $epsilon)
        show("answers that the other table cannot give", found.quantity("impossible"))
        draw(figures.clamped_noise(found))
        """,
        cells=trap_clamping.CELLS.value(),
        bound=trap_clamping.BOUND.value(),
        epsilon=EPSILON.value(),
    )


def _floats() -> Cell:
    return code(
        """
        from par_core.figures import lab_traps as figures
        from par_core.lab.float_noise import float_noise

        own = float_noise($bits, $epsilon)
        show("numbers that can come out of one table only", own.quantity("exposed"))
        draw(figures.float_noise(own))
        """,
        bits=trap_floats.BITS.value(),
        epsilon=EPSILON.value(),
    )


def _average() -> Cell:
    return code(
        """
        from par_core.figures import lab_traps as figures
        from par_core.lab.private_average import private_scale

        own = private_scale($people, $epsilon)
        show("ε is broken in", own.quantity("exceeds"))
        show("one release in 1,000 loses at least", own.quantity("rare_loss"))
        draw(figures.private_scale(own))
        """,
        people=trap_average.PEOPLE.value(),
        epsilon=EPSILON.value(),
    )


_TRAPS = {"delta": _delta, "clamping": _clamping, "floats": _floats, "average": _average}
