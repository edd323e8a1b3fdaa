"""What stands in the "How this is computed" expanders, one file per page."""
