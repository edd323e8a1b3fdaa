"""What the cards of the overview ask."""
