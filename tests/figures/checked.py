"""Figures as Plotly sees them: each is checked by Plotly before a test reads it."""

from functools import wraps
from inspect import isfunction

from par_core.figures.drawing import Drawing


class Checked:
    """A module of figures whose functions return what they draw as a checked figure of Plotly."""

    def __init__(self, module):
        self._module = module

    def __getattr__(self, name):
        found = getattr(self._module, name)
        if not isfunction(found):
            return found

        @wraps(found)
        def checked(*args, **named):
            answer = found(*args, **named)
            return answer.figure() if isinstance(answer, Drawing) else answer

        return checked
