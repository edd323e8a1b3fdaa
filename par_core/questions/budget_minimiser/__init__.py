"""What is asked about the cost of a breach."""
