"""What a notebook recomputes of each section of Paper check."""

from __future__ import annotations

from pages.paper_check import claims as listed
from pages.paper_check import ledger_found, own_numbers
from pages.paper_check import theorem_map as drawn_map
from pages.paper_check.own_numbers import CLAIM
from par_core.export.notebook import Cell, code


def claims() -> list[Cell]:
    return _opened(CLAIM.value()) if CLAIM.value() else _listed()


def _listed() -> list[Cell]:
    left = listed.chosen(ledger_found.known())[: listed.ROWS.value()]
    return [
        code(
            """
            from par_core.claims import check
            from par_core.figures.paper_check import told

            for claim in $claims:
                verdict = check(claim)
                print(f"{verdict.claim.source}. {verdict.claim.statement} {verdict.verdict}: {verdict.reason}")
                for name in ("recomputed", "exact"):
                    if (value := getattr(verdict, name)) is not None:
                        show(f"{claim}, {name}", told(value), of=verdict)
            """,
            claims=[each.claim.id for each in left],
        )
    ]


def _opened(claim: str) -> list[Cell]:
    made = [
        code(
            """
            from par_core.claims import check
            from par_core.figures import paper_check as figures

            verdict = check($claim)
            print(verdict.claim.source)
            print(verdict.claim.statement)
            print(f"{verdict.verdict}: {verdict.reason}")
            for name in ("recomputed", "exact"):
                if (value := getattr(verdict, name)) is not None:
                    show(name, figures.told(value), of=verdict)
            """,
            claim=claim,
        )
    ]
    if own_numbers.own_of(claim) is None:
        return made
    return [
        *made,
        code(
            """
            from par_core.claims.ledger import decide_at

            there = decide_at(verdict.claim, *$values)  # the claim at numbers of your own
            print(f"{there.verdict}: {there.reason}")
            draw(figures.claim_numbers(there))
            """,
            values=list(own_numbers.values_of(claim)),
        ),
    ]


def theorem_map() -> list[Cell]:
    return [
        code(
            """
                        from par_core.claims import check_all
            from par_core.claims.theorems import fates
            from par_core.figures import paper_check as figures

            found = fates(check_all())
            shown = [found[name] for name in $names]
            for each in shown:
                print(f"{each.node.name}, {each.node.subject}: {each.outcome}", *each.falls_with)
            down = [each.node.name for each in shown if each.outcome in ("falls", "fails by itself")]
            print(f"statements that fail or fall: {len(down)} (exact)")
            print(f"of these rest on {$focus!r}: {len({*down} & {*$over})} (exact)")
            draw(figures.theorem_map(shown))
            """,
            names=drawn_map.around(drawn_map.FOCUS.value()),
            focus=drawn_map.FOCUS.value(),
            over=drawn_map.resting_on(drawn_map.FOCUS.value()),
        )
    ]


def numbering() -> list[Cell]:
    return [
        code(
            """
            from par_core.claims.inventory import rows
            from par_core.figures import paper_check as figures

            print(f"statements with numbers to check: {sum(bool(each.claims) for each in rows())} (exact)")
            print(f"statements in all: {len(rows())} (exact)")
            draw(figures.inventory(rows()))
            figures.inventory_table(rows())
            """
        )
    ]
