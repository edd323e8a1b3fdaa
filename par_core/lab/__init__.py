"""What a lecture shows of mechanisms: one file for each toy of the mechanism lab, computed, never stored."""
