"""What a script is made for; as they stand, the modules here are made for the example."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MadeFor:
    """What decides which sections a script has."""

    gaussian: bool = False
    whole_numbers: bool = False  # are all that is answered

    notations: bool = False  # are of columns of the table


made_for = MadeFor()
