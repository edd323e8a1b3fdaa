"""Your table: from a private table to a plan that can be published."""
