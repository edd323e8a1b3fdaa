"""What the sections of the page Decide ask and answer."""
