"""What a notebook recomputes of each section of the audit, always on built-in databases; it names no individual."""

from __future__ import annotations

from pages.empirical_audit import adversary as knowledge
from pages.empirical_audit import exposure, noise_fields, panel_fields, query_fields
from pages.empirical_audit import joint as pair
from pages.shared.notebook_tables import instead_of_own
from pages.shared.uploads import OWN
from par_core.export.notebook import Cell, code

_SEED_OF_NOISE = 1


def exposed() -> list[Cell]:
    return [
        *_audit(),
        code(
            """
            from par_core.figures import empirical_audit as figures

            at = result.at($epsilon)
            show("exposed", at.exposed, of=at)
            show("largest δ", at.quantity("delta"))
            show("nobody’s is above 0 from ε =", result.as_quantity("losses", result.losses.max()))
            draw(figures.exposure(result, which=$which, own=at))
            """,
            epsilon=exposure.EPSILON.value(),
            which=exposure.WHICH.value(),
        ),
        *[
            code(
                """
                from par_core.audit.intervals import intervals

                ends = intervals(result, $epsilon)
                show("the true δ is at least", ends.as_quantity("lower", ends.delta[0]))
                show("and at most", ends.as_quantity("upper", ends.delta[1]))
                """,
                epsilon=exposure.EPSILON.value(),
            )
        ]
        * exposure.INTERVALS.value(),
    ]


def databases() -> list[Cell]:
    return [
        *_audit(),
        code(
            """
            from par_core.figures import empirical_audit as figures
            from par_core.rounding import brief

            # Of data of your own these would be private
            print("lowest answer:", brief(float(result.answers.min()), toward="down"), "(exact)")
            print("highest answer:", brief(float(result.answers.max()), toward="up"), "(exact)")
            draw(figures.answers(result))
            """
        ),
    ]


def other_densities() -> list[Cell]:
    return [
        *_audit(),
        code(
            """
            from par_core.audit.other_densities import delta_curves
            from par_core.figures import empirical_audit as figures

            at = result.at($epsilon)
            rank = min($rank, len(at.ranking))
            individual = int(at.ranking[rank - 1])
            curves = delta_curves(result, individual)
            show(f"no. {rank} is exposed until ε =", result.quantity("losses", individual))
            for curve in curves:
                show(f"log likelihood of left-out answers, {curve.words}", f"{curve.held_out:.2f}", of=curve)
            draw(figures.other_densities(curves, name=f"no. {rank}"))
            """,
            epsilon=exposure.EPSILON.value(),
            rank=exposure.RANK.value(),
        ),
    ]


def noise() -> list[Cell]:
    if noise_fields.KERNEL.value() == "gaussian":
        return [
            *_audit(),
            code(
                """
                from par_core.audit.density import fit_density
                from par_core.audit.gaussian_noise import band_limited_noise, measured_level
                from par_core.audit.noise import wasserstein_scale
                from par_core.errors import InfeasibleError, ParameterError
                from par_core.rounding import brief

                scale = wasserstein_scale(result.answers, result.without, epsilon=$epsilon)
                width = float(fit_density(result.answers, kernel="gaussian", bandwidth="fixed").bandwidths[0])
                try:
                    noise = band_limited_noise(width, scale.scale)
                    found = measured_level(noise, result.answers, without=result.without)
                    show("measured ε", brief(found.epsilon, toward="up"), of=found)
                except (InfeasibleError, ParameterError) as error:
                    print(error)
                """,
                epsilon=noise_fields.WANTED.value(),
            ),
        ]
    return [
        *_audit(),
        code(
            """
            from par_core.audit.curves import noise_curves
            from par_core.audit.noise import mixture_noise, wasserstein_scale
            from par_core.figures import empirical_audit as figures
            from par_core.randomness import seeded

            scale = wasserstein_scale(result.answers, result.without, epsilon=$epsilon)
            noise = mixture_noise(result.bandwidth, scale.scale)
            show("noise on average", noise.quantity("mean_absolute"))
            show("nothing is added, the exact answer goes out, in", noise.quantity("exact_share"))
            if noise.exact_share < 1:
                picture = draw(figures.noise(noise_curves(noise, rng=seeded($seed))))
            """,
            epsilon=noise_fields.WANTED.value(),
            seed=_SEED_OF_NOISE,
        ),
    ]


def adversary() -> list[Cell]:
    knows = knowledge.KNOWS.value()
    query = knowledge.OTHER[knowledge.KNOWN.value()]
    return [
        *_audit(),
        *{
            "size": [code("known = panel.sizes()")],
            "own": [
                code(
                    """
                    from par_core.audit.adversary import contribution

                    ranking = result.at($epsilon).ranking
                    known = contribution(panel, int(ranking[min($rank, len(ranking)) - 1]))
                    """,
                    epsilon=exposure.EPSILON.value(),
                    rank=exposure.RANK.value(),
                )
            ],
            "answer": [
                code(
                    f"""
                    from par_core.audit import answers
                    from {type(query).__module__} import {type(query).__name__}

                    known = answers(panel, $query)
                    """,
                    query=query,
                )
            ],
        }[knows],
        code(
            """
            from par_core.audit.adversary import audit_given, random_groups
            from par_core.randomness import seeded

            given = audit_given(result, known, buckets=$buckets, fewest=$fewest)
            at = given.at($epsilon)
            if len(given.refused) < len(given.buckets):
                show("largest δ given what is known", at.quantity("worst"))
                show("and else", at.quantity("without_knowledge"))
                groups = random_groups(given, $epsilon, rng=seeded($seed))
                show("half of random groups show at most", groups.quantity("median"))
                show("and all at most", groups.quantity("largest"))
            else:
                print("every bucket has too few databases")
            """,
            buckets=knowledge.BUCKETS.value(),
            fewest=knowledge.FEWEST.value(),
            epsilon=exposure.EPSILON.value(),
            seed=knowledge.SEED_OF_GROUPS,
        ),
    ]


def joint() -> list[Cell]:
    second = pair.SECOND.value()
    query = knowledge.OTHER.get(second, query_fields.present())
    left_out = second not in knowledge.OTHER
    named = {"query": query, "epsilon": exposure.EPSILON.value(), "rank": exposure.RANK.value()}
    audited = "panel.lacking(individual)" if left_out else "panel"
    return [
        *_audit(),
        code(
            f"""
            from par_core.audit.joint import joint_audit
            from par_core.figures import empirical_audit as figures
            from {type(query).__module__} import {type(query).__name__}

            rank = min($rank, len(result.individuals))
            individual = int(result.at($epsilon).ranking[rank - 1])
            both = joint_audit(result, audit({audited}, $query))
            {"" if left_out else "individual = int(both.at($epsilon, listed=max(10, rank)).ranking[rank - 1])"}
            own = both.curve(individual, epsilons=[$epsilon])
            show(f"δ of no. {{rank}} from both answers", own.quantity("together", 0))
            show("from the first alone", own.quantity("first", 0))
            show("from the second alone", own.quantity("second", 0))
            curve = both.curve(individual, up_to=$epsilon)
            if curve.disclosed:
                show("disclosed exactly in", curve.quantity("disclosed"))
            draw(figures.together(curve, names=("first", "second"), who=f"no. {{rank}}", own=own))
            """,
            **named,
        ),
    ]


def attack() -> list[Cell]:
    return [
        *_audit(),
        code(
            """
            from par_core.audit.attack import attack
            from par_core.figures import empirical_audit as figures

            at = result.at($epsilon)
            rank = min($rank, len(at.ranking))
            individual = int(at.ranking[rank - 1])
            found = attack(result, individual)
            show(f"right about no. {rank} in", found.quantity("right"))
            show("at least", found.quantity("right_lower"))
            show("and at most", found.quantity("right_upper"))
            show("hits at 5 % of false alarms", found.quantity("at_small"))
            show("δ of this individual", at.quantity("deltas", individual))
            show("answers beyond ε", found.beyond($epsilon).quantity("share"))
            draw(figures.attack(found, who=f"no. {rank}"))
            """,
            epsilon=exposure.EPSILON.value(),
            rank=exposure.RANK.value(),
        ),
    ]


def _audit() -> list[Cell]:
    """Return the databases and the audit of the query."""
    table, fields = panel_fields.TABLE.value(), panel_fields
    slug = fields.BUILTIN[0].slug if table == OWN else table
    if slug == fields.MURDERS:
        panel = code(
            """
            from par_core.audit import Panel
            from par_core.datasets import county_murders

            panel = Panel.from_long(county_murders().table, database="year", individual="county", value=$value)
            """,
            value=fields.COUNTED.value(),
        )
    elif slug == fields.RAIN:
        panel = code("from par_core.datasets import precipitation_synthetic\n\npanel = precipitation_synthetic()")
    else:
        panel = code(
            """
            from par_core.audit import Panel
            from par_core.datasets import census2000
            from par_core.randomness import seeded

            panel = Panel.from_table(
                census2000().table, value=$value, databases=$draws, share=$share, rng=seeded($seed)
            )
            """,
            value=fields.AMOUNT.value(),
            draws=fields.DRAWS.value(),
            share=fields.PART.value(),
            seed=fields.SEED.value(),
        )
    query = query_fields.present()
    kind = type(query)
    return [
        *instead_of_own(fields.TABLE),
        panel,
        code(
            f"""
            from par_core.audit.auditing import audit
            from {kind.__module__} import {kind.__name__}

            result = audit(panel, $query)
            """,
            query=query,
        ),
    ]
