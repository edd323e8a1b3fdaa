"""How private is one release, thanks to its noise alone? As published and in truth."""
