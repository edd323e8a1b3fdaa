"""The sections and controls of the page Sample planner."""
