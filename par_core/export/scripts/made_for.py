"""What a script is made for; as they stand, the modules here are made for the example."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MadeFor:
    """What decides which sections a script has."""

    gaussian: bool = False
    whole_numbers: bool = False  # are all that is answered

    notations: bool = False  # are of columns of the table
    numbered_persons: bool = False  # have numbers for names
    truncated: bool = True  # is what a person has too much of; otherwise the script stops
    persons: bool = False  # are counted, and not rows
    added_or_removed: bool = False  # are neighbours; otherwise rows are replaced


made_for = MadeFor()
