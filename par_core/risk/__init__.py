"""What one release gives away: what is claimed of it, and what is true of the noise."""

from par_core.public_names import listed, modules

__all__ = [
    "attacks",
    "explicit_curves",
    "loss_curves",
    "relaxations",
    "simulation",
]
__getattr__ = modules(__name__, __all__)
__dir__ = listed(__all__)
