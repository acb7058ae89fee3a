"""Does a judge that gives probabilities mean them?"""

from __future__ import annotations

from typing import Any

import numpy as np

from accord.evaluation.judges.classes import wilson
from accord.evaluation.judges.labels import Array, Labels

_BINS = 10
_CLIP = 1e-6


def calibration(labels: Labels, level: float, *, seed: int = 0) -> dict[str, Any]:
    """Reliability on ten bins of equal count, Brier score and its parts, log loss, calibration error.

    The expected calibration error is biased upwards: beside it stands what a perfectly calibrated
    judge would get with these probabilities and this many labels. The Brier score is reliability −
    resolution + uncertainty (Murphy 1973) plus what is lost by taking each bin as one probability.
    """
    known = labels.m > 0
    p, y = labels.f[known], labels.y[known]
    order = np.argsort(p, kind="stable")
    parts = [b for b in np.array_split(order, min(_BINS, len(order))) if len(b)]
    rows = []
    for part in parts:
        low, high = wilson(float(y[part].sum()), len(part), level)
        rows.append(
            {
                "mean_probability": float(p[part].mean()),
                "rate": float(y[part].mean()),
                "low": low,
                "high": high,
                "n": len(part),
            }
        )
    share = np.array([len(b) / len(p) for b in parts])
    forecast = np.array([r["mean_probability"] for r in rows])
    rate = np.array([r["rate"] for r in rows])
    base = float(y.mean())
    clipped = np.clip(p, _CLIP, 1 - _CLIP)
    rng = np.random.default_rng(seed)
    drawn = [_ece((rng.random(len(p)) < p).astype(np.float64), p, parts) for _ in range(200)]
    return {
        "bins": rows,
        "brier": float(np.mean((p - y) ** 2)),
        "reliability": float(share @ (forecast - rate) ** 2),
        "resolution": float(share @ (rate - base) ** 2),
        "uncertainty": base * (1 - base),
        "log_loss": float(-np.mean(y * np.log(clipped) + (1 - y) * np.log(1 - clipped))),
        "clip": _CLIP,
        "ece": _ece(y, p, parts),
        "ece_if_calibrated": float(np.mean(drawn)),
    }


def _ece(y: Array, p: Array, parts: list[Any]) -> float:
    return float(sum(len(b) / len(p) * abs(p[b].mean() - y[b].mean()) for b in parts))
