"""Does a number published from repeated databases without noise give anyone away? By an audit of these databases."""
