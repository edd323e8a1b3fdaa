"""What several pages use: scenario, links, charts, badges, explanations, downloads."""
