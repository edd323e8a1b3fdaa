"""What does a private mechanism do, and what can go wrong? Toys for a lecture, and for a student alone."""
