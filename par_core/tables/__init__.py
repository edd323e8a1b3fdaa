"""How a file of a reader is read safely: text, Parquet and arrays, checked before anything is taken from them."""

from par_core.public_names import listed, modules

__all__ = [
    "csv_text",
    "file_format",
    "notation",
    "npz",
    "parquet",
    "table",
]
__getattr__ = modules(__name__, __all__)
__dir__ = listed(__all__)
