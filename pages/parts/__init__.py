"""Parts of one page each; what several pages use is in `pages.shared`."""
