"""Is it true what the papers say? Every claim with what a recomputation finds of it, and what rests on what."""
