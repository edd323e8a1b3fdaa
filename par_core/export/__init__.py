"""What a steward takes away: scripts that publish a planned statistic with a production library."""
