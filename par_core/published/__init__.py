"""Every formula as a paper prints it, and nothing else: what comes out of here is PUBLISHED."""
