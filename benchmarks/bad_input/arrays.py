"""Tables and matrices in bytes: NPZ as numpy reads it, Parquet as pandas does."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

from benchmarks.bad_input.damage import damaged
from par_core.tables.table import read_table


def npz(**arrays: Any) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


MATRIX = np.arange(12.0).reshape(3, 4)
NPZ = (
    npz(values=MATRIX),
    npz(values=MATRIX.T.astype("i4"), individuals=np.array(["a", "b", "c", "d"]), databases=np.arange(2001, 2004)),
)


@st.composite
def damaged_npz(draw: st.DrawFn) -> bytes:
    """An archive with faults, or a sound one whose arrays have faults."""
    if draw(st.integers(0, 3)) == 0:
        return draw(damaged(*NPZ))
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(draw(st.sampled_from(NPZ)))) as old, zipfile.ZipFile(out, "w") as new:
        hit = draw(st.sampled_from(old.namelist()))
        for name in old.namelist():
            array = old.read(name)
            if name == hit:
                head = 10 + int.from_bytes(array[8:10], "little")
                body = draw(damaged(array[:head])), array[head:]
                array = b"".join(body) if draw(st.booleans()) else array[:head] + draw(damaged(array[head:]))
            new.writestr(draw(st.sampled_from((name, name, name, name, "values.npy", "../x.npy"))), array)
    return out.getvalue()


def take_npz(data: bytes) -> str | None:
    table = read_table("a.npz", data)
    if "NPZ" not in table.form:
        return None
    held = np.load(io.BytesIO(data), allow_pickle=False)["values"]
    numbers = table.frame.iloc[:, len(table.columns) - held.shape[1] :].to_numpy(dtype=float)
    return None if np.array_equal(numbers, held.astype(float), equal_nan=True) else "other numbers than numpy reads"


def parquet(**options: Any) -> bytes:
    out = io.BytesIO()
    columns = {"who": ["a", "b", "a", None], "age": [1, 2, 3, 4], "cost": [0.5, None, 1.5, 1e300]}
    pq.write_table(pa.table(columns), out, **options)
    return out.getvalue()


PARQUET = (parquet(), parquet(compression="none", use_dictionary=False), parquet(compression="gzip", data_page_version="2.0"))  # fmt: skip


def take_parquet(data: bytes) -> str | None:
    table = read_table("a.parquet", data)
    if table.form != "Parquet":
        return None
    held = pd.read_parquet(io.BytesIO(data), engine="pyarrow")
    return None if held.shape == table.frame.shape else "another shape than pandas reads"
