"""What an audit found, as a file that can be kept: parameters, versions, results and what they rest on; nobody's name."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import numpy as np

import par_core
from par_core.audit.auditing import AuditAt, AuditResult
from par_core.audit.checks import Checks
from par_core.audit.intervals import AuditIntervals
from par_core.audit.noise import MixtureNoise, NoiseScale
from par_core.audit.panel import Panel
from par_core.errors import ParameterError
from par_core.rounding import rounded

FORMAT = 1
SHORTEST_KEY = 8  # letters
_PACKAGES = ("numpy", "scipy", "pandas")


def certificate(
    result: AuditResult,
    at: AuditAt,
    *,
    query: str,
    databases: str,
    intervals: AuditIntervals | None = None,
    noise: tuple[NoiseScale, MixtureNoise] | None = None,
    protected: tuple[float, float] | None = None,
    more: Mapping[str, str] | None = None,
) -> str:
    """Return the certificate of an audit as JSON text: every number with three or four digits, bounds on their safe side.

    `result` and `at` are those of `audit` and of its `at` for one epsilon, as are the intervals and the noise that is to be added.
    `query` and `databases` say in words what was asked, and how the databases came about. `protected` is a delta, and the epsilon from
    which on no delta_i is above it. `more` is what else is to stand in it: a link, a keyed fingerprint, a version of the dashboard.
    """
    content: dict[str, Any] = {
        "format": FORMAT,
        "what": "Empirical differential privacy audit (EDP 2020)",
        "versions": {
            "par_core": par_core.__version__,
            "python": platform.python_version(),
            **{name: version(name) for name in _PACKAGES},
        },
        "query": query,
        "databases": {"number": len(result.databases), "origin": databases},
        "individuals": len(result.individuals),
        "density": {
            "kernel": result.density.kernel,
            "bandwidth": rounded(result.bandwidth),
            "chosen": result.density.words,
            "held-out log likelihood": _number(result.density.held_out),
        },
        "result": {
            "epsilon": at.epsilon,
            "delta": rounded(at.delta),
            "total risk (heuristic of the paper, no probability of a breach)": rounded(at.total),
            "individuals above 0": at.exposed,
            "nothing can be said below a delta of about": rounded(result.floor, 2),
            "epsilon from which nobody is exposed": rounded(result.losses.max(), 4, toward="up"),
        },
        "checks": [_checks(each) for each in (result.independent, result.comparable)],
        "standing": result.evidence.basis.value,
        "source": result.source,
        "limits": result.limits,
    }
    failed = [each for each in (result.independent, result.comparable) if each.failed]
    if failed and not result.by_construction:
        content["warning"] = "Do not rely on this audit: " + " ".join(each.words for each in failed)
    if protected is not None:
        content["result"] |= {
            "allowed delta": protected[0],
            "no delta is above it from epsilon": rounded(protected[1], 4, toward="up"),
        }
    if intervals is not None:
        content["intervals"] = {
            "level": intervals.level,
            "true delta": _ends(intervals.delta),
            "true total risk": _ends(intervals.total),
            "delta estimated from half of the databases": rounded(intervals.half_delta),
            "total risk estimated from half of the databases": rounded(intervals.half_total),
            "by": intervals.source,
            "limits": intervals.limits,
        }
    if noise is not None:
        content["noise"] = _noise(*noise)
    return json.dumps(content | dict(more or {}), indent=2, ensure_ascii=False) + "\n"


def fingerprint(panel: Panel, key: str) -> str:
    """Return a keyed fingerprint of the data, with which whoever has the key and the data can recognise them later.

    A plain hash of personal data could be guessed by trying; without the key this one cannot.
    The key is a secret of at least 8 letters; it is not stored anywhere.
    """
    if len(key) < SHORTEST_KEY:
        raise ParameterError(f"key must have at least {SHORTEST_KEY} characters, got {len(key)}")
    secret = hashlib.blake2b(key.encode(), digest_size=32).digest()
    found = hashlib.blake2b(key=secret, digest_size=16)
    for codes, values in panel:
        found.update(np.int64(len(codes)).tobytes())
        found.update(np.ascontiguousarray(codes, dtype=np.int64).tobytes())
        found.update(np.ascontiguousarray(values, dtype=np.float64).tobytes())
    return found.hexdigest()


def _checks(checks: Checks) -> dict[str, Any]:
    return {
        "question": checks.question,
        "failed": checks.failed,
        "level": checks.level,
        "found": [
            {
                "name": each.name,
                "statistic": _number(each.statistic),
                "p-value": None if each.p_value is None else rounded(each.p_value, 2),
                "failed": each.failed,
            }
            for each in checks.checks
        ],
    }


def _noise(scale: NoiseScale, mixture: MixtureNoise) -> dict[str, Any]:
    return {
        "wanted epsilon": scale.epsilon,
        "scale": rounded(scale.scale, 4, toward="up"),
        "by": scale.source,
        "probability that the exact answer is released": rounded(mixture.exact_share, toward="up"),
        "mean size": rounded(mixture.mean_absolute),
        "standing": f"{mixture.evidence.basis.value} for the estimated densities, which are an estimate",
        "limits": mixture.limits,
    }


def _ends(interval: tuple[float, float]) -> list[float]:
    return [rounded(interval[0], toward="down"), rounded(interval[1], toward="up")]


def _number(value: float) -> float | None:
    return rounded(value, 4) if np.isfinite(value) else None
