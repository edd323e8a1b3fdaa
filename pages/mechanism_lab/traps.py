"""Traps: four ways to give everything away, or to be far off, with a mechanism that looks private."""

from pages.mechanism_lab import trap_average, trap_clamping, trap_delta, trap_floats
from pages.shared import controls, settings
from pages.shared.layout import chart_and_controls
from par_core.questions.glossary import explain

TRAP = settings.choice("tr", "Trap", ("delta", "clamping", "floats", "average"))

_TRAPS = {
    "delta": ("δ near 1/n", trap_delta),
    "clamping": ("Post-processing", trap_clamping),
    "floats": ("Floating point", trap_floats),
    "average": ("Averages", trap_average),
}


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        controls.choice(TRAP, hint=explain("trap"), words=lambda key: _TRAPS[key][0])
        _, trap = _TRAPS[TRAP.value()]
        trap.choose()
    with main:
        trap.show()
