"""What one release gives away: what is claimed of it, and what is true of the noise."""
