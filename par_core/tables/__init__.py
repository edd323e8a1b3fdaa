"""How a file of a reader is read safely: text, Parquet and arrays, checked before anything is taken from them."""
