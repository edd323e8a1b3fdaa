"""Whether a computation fits into the memory of the machine: what does not is refused before it begins."""

from __future__ import annotations

from pathlib import Path

from par_core.errors import DataError

_MEMINFO = Path("/proc/meminfo")
_CGROUP = Path("/sys/fs/cgroup")
_FEWEST = 384 << 20  # bytes of addresses; with two cores 300 MB do
ON_A_CLUSTER = "par audit DATA.parquet --individual COLUMN --epsilon NUMBER --cluster local --folder FOLDER"
"""The command that audits a data set of any size in blocks."""


def free() -> int | None:
    """Return how many bytes can still be had, None where the system does not tell."""
    found = []
    try:
        lines = dict(line.split(":", 1) for line in _MEMINFO.read_text(encoding="ascii").splitlines())
        found.append(1024 * int(lines["MemAvailable"].split()[0]))
    except (OSError, KeyError, ValueError):
        return None
    try:
        limit, used = ((_CGROUP / name).read_text(encoding="ascii") for name in ("memory.max", "memory.current"))
        stat = dict(line.split() for line in (_CGROUP / "memory.stat").read_text(encoding="ascii").splitlines())
        found.append(
            int(limit) - int(used) + int(stat["inactive_file"])
        )  # copies of files, which go when room is wanted
    except (OSError, KeyError, ValueError):  # no group, or none with a limit ("max")
        pass
    return max(min(found), 0)


def check_fits(needed: int, *, otherwise: str) -> None:
    """Raise a DataError with what can be done `otherwise` where so many bytes are not free."""
    there = free()
    if there is not None and needed > there:
        raise DataError(f"This needs about {_told(needed)} of memory, and {_told(there)} are free. {otherwise}")


def is_starved() -> bool:
    """Return whether the system allows so few addresses that OpenBLAS may end or hang the program while it is loaded."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return False
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return limit != resource.RLIM_INFINITY and limit < _FEWEST


_SAY_SO = (
    "failed to map segment",
    "Cannot allocate memory",
    "can't start new thread",
)


def is_out_of_memory(error: BaseException | None) -> bool:
    """Return whether memory ran out: a library or a thread that cannot start says it in its own way, perhaps by its cause."""
    if error is None:
        return False
    short = isinstance(error, MemoryError) or any(words in str(error) for words in _SAY_SO)
    return short or is_out_of_memory(error.__cause__ or error.__context__)


def _told(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e8 else f"{size / 1e6:,.1f} MB"
