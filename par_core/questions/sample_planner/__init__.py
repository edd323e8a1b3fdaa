"""Can a sample tell how far one person moves a query? What that is worth, as published and in truth, and what it costs."""
