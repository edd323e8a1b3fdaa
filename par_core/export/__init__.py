"""What a steward takes away: scripts that publish a planned statistic with a production library."""

from par_core.public_names import listed, modules

__all__ = [
    "catalogue_files",
    "certificate",
    "mechanism_code",
    "notebook",
    "plan_code",
    "release_code",
    "safe_csv",
    "scenario_code",
]
__getattr__ = modules(__name__, __all__)
__dir__ = listed(__all__)
