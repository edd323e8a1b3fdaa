"""How much privacy do many releases about the same people spend? By every accountant, over the exact truth."""
