"""Windows slid over two cuttings: Pk, WindowDiff and WinPR, from runs of equal windows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from accord.data import Segments
from accord.errors import UsageError
from accord.measures.ratio import ratio
from accord.measures.segmentation.cuttings import Pair, by_type, pair_up
from accord.measures.segmentation.options import PADDING, WINDOW
from accord.measures.segmentation.result import segmentation_result
from accord.registry import measure
from accord.result import Array, Result

Counts = NDArray[np.int64]
_SHORT = "no window fits: every text is shorter than its window"


@measure(
    "pk",
    title="Pk, the share of windows that disagree on whether their ends are together",
    usual=True,
    shape="segments",
    question="score",
    citation="Beeferman, Berger & Lafferty 1999, Machine Learning 34",
    range=(0.0, 1.0),
    similarity=False,
    use="The oldest segmentation error; counts a near miss as part of an error, but misses false "
    "boundaries close to true ones. Prefer windowdiff, or boundary-similarity.",
    options=(WINDOW,),
)
def pk(reference: Segments, system: Segments, *, window: int | None) -> Result:
    """Pk: share of the N - k windows on whose ends the two cuttings disagree.

    ::

        Pk = 1/(N - k) Σ_i [ same_ref(i, i + k) ≠ same_sys(i, i + k) ]

    `same` says whether atoms i and i + k are in one segment; k is `window`, by default half the mean
    length of a reference segment, rounded half to even, at least 2, document by document.

    >>> ref = Segments.from_masses([("d", "ref", [2, 3, 6])])
    >>> sys = Segments.from_masses([("d", "sys", [2, 2, 7])])
    >>> print(pk(ref, sys))
    pk = 0.2222
    """
    return _windowed(
        "pk",
        reference,
        system,
        lambda p, k: _share(p, k, lambda r, h: (r > 0) != (h > 0), padded=False),
        window=window,
        parts=by_type(pk, reference, system, {"window": window}),
    )


@measure(
    "windowdiff",
    title="WindowDiff, the share of windows with another number of boundaries",
    usual=True,
    shape="segments",
    question="score",
    citation="Pevzner & Hearst 2002, Computational Linguistics 28(1); Lamprier et al. 2007, ICTAI",
    range=(0.0, 1.0),
    aliases=("window-diff", "wd"),
    similarity=False,
    use="The usual error of a segmenter; the value depends on the window, so report it. Boundaries "
    "near the ends count less unless padding is lamprier.",
    options=(WINDOW, PADDING),
)
def windowdiff(
    reference: Segments,
    system: Segments,
    *,
    window: int | None,
    padding: Literal["none", "lamprier"],
) -> Result:
    """WindowDiff: share of windows in which the number of boundaries differs.

    ::

        WD = 1/(N - k) Σ_i [ b_ref(i, i + k) ≠ b_sys(i, i + k) ]

    `b` counts the boundaries between atoms i and i + k; k as in :func:`pk`. With ``padding=
    "lamprier"`` k atoms are added before and after the text, so that every boundary is seen by
    exactly k of the N + k windows.

    >>> ref = Segments.from_masses([("d", "ref", [2, 3, 6])])
    >>> sys = Segments.from_masses([("d", "sys", [2, 2, 7])])
    >>> print(windowdiff(ref, sys))
    windowdiff = 0.2222

    Deviations: segeval 2.0.11 divides the padded sum of N + k windows by N + k + 1.
    """
    if padding not in ("none", "lamprier"):
        raise UsageError(f"the padding must be none or lamprier, got {padding!r}")
    options = {"window": window, "padding": padding}
    return _windowed(
        "windowdiff",
        reference,
        system,
        lambda p, k: _share(p, k, lambda r, h: r != h, padded=padding == "lamprier"),
        window=window,
        padding=padding,
        parts=by_type(windowdiff, reference, system, options),
    )


@measure(
    "winpr",
    title="WinPR, precision and recall of boundaries with partial credit for near misses",
    shape="segments",
    question="score",
    citation="Scaiano & Inkpen 2012, NAACL",
    range=(0.0, 1.0),
    use="When misses and false alarms must be told apart; the window sets how near a near miss is.",
    options=(WINDOW,),
)
def winpr(reference: Segments, system: Segments, *, window: int | None) -> Result:
    """WinPR: F-measure of boundaries counted in windows over the padded text.

    ::

        TP = Σ_i min(R_i, C_i), FP = Σ_i max(0, C_i - R_i), FN = Σ_i max(0, R_i - C_i),
        TN = -k(k - 1) + Σ_i (k - max(R_i, C_i)), i from 1 - k to N

    R_i and C_i count the reference's and the system's boundaries in window i. The value is
    F = 2TP/(2TP + FP + FN); P and R are in the terms.

    >>> ref = Segments.from_masses([("d", "ref", [2, 3, 6])])
    >>> sys = Segments.from_masses([("d", "sys", [2, 2, 7])])
    >>> result = winpr(ref, sys)
    >>> print(result, result.terms["TP"], result.terms["FP"], result.terms["FN"])
    winpr = 0.7500 3 1 1
    """
    pairs, _ = pair_up(reference, system)
    rows = np.array([_confusion(p, _window(p, window)) for p in pairs]).reshape(-1, 4)

    def score(totals: Array) -> Mapping[str, Array]:
        TP, FP, FN = totals[:, 0], totals[:, 1], totals[:, 2]
        return {"value": ratio(2 * TP, 2 * TP + FP + FN)}

    return segmentation_result(
        "winpr",
        pairs,
        rows,
        score,
        terms=_precision_recall,
        options={"window": _named(pairs, window)},
        undefined="neither side has a boundary",
        parts=by_type(winpr, reference, system, {"window": window}),
    )


def window_size(length: int, boundaries: int) -> int:
    """Half the mean segment length, rounded half to even, at least 2.

    >>> window_size(11, 2), window_size(10, 1)
    (2, 2)
    """
    return max(2, round(length / (2 * (boundaries + 1))))


def _windowed(
    name: str,
    reference: Segments,
    system: Segments,
    count: Any,
    *,
    window: int | None,
    padding: str | None = None,
    parts: Mapping[str, Any],
) -> Result:
    pairs, _ = pair_up(reference, system)
    rows = np.array([count(p, _window(p, window)) for p in pairs]).reshape(-1, 2)
    short = [p.document for p, row in zip(pairs, rows, strict=True) if row[1] == 0]
    warnings = []
    if short and len(short) < len(pairs):
        warnings.append(
            f"{len(short)} of {len(pairs)} documents are too short for their window "
            f"and do not count: {', '.join(short[:5])}"
        )
    return segmentation_result(
        name,
        pairs,
        rows,
        lambda totals: {"value": ratio(totals[:, 0], totals[:, 1])},
        terms=lambda row: {"errors": int(row[0]), "windows": int(row[1])},
        options={"window": _named(pairs, window), "padding": padding},
        undefined=_SHORT,
        parts=parts,
        warnings=warnings,
    )


def _window(pair: Pair, window: int | None) -> int:
    if window is None:
        return window_size(pair.length, len(np.unique(pair.first)))
    if window < 1:
        raise UsageError(f"the window must be at least 1, got {window}")
    return int(window)


def _named(pairs: list[Pair], window: int | None) -> str:
    """The window as the signature tells it: the number, or how it was chosen where it varies."""
    sizes = {_window(p, window) for p in pairs}
    return str(sizes.pop()) if len(sizes) == 1 else "half-mean-segment"


def _counts(pair: Pair, k: int, *, padded: bool) -> tuple[Counts, Counts, Counts]:
    """Boundaries of both sides in a window, and in how many windows: runs of equal windows.

    Window i sees the boundaries i < p ≤ i + k, so counts change only where i passes p - k or p.
    """
    low, high = (-k, pair.length) if padded else (0, max(0, pair.length - k))
    every = np.concatenate([pair.first, pair.second])
    turns = np.concatenate([[low, high], every, every - k])
    edges = np.unique(np.clip(turns, low, high))
    starts = edges[:-1]
    ref, hyp = (
        np.searchsorted(p, starts + k, "right") - np.searchsorted(p, starts, "right")
        for p in (np.unique(pair.first), np.unique(pair.second))
    )
    return ref, hyp, np.diff(edges)


def _share(pair: Pair, k: int, differ: Any, *, padded: bool) -> tuple[int, int]:
    ref, hyp, windows = _counts(pair, k, padded=padded)
    return int(windows[differ(ref, hyp)].sum()), int(windows.sum())


def _confusion(pair: Pair, k: int) -> tuple[int, int, int, int]:
    R, C, windows = _counts(pair, k, padded=True)
    return (
        int(windows @ np.minimum(R, C)),
        int(windows @ np.maximum(C - R, 0)),
        int(windows @ np.maximum(R - C, 0)),
        int(windows @ (k - np.maximum(R, C)) - k * (k - 1)),
    )


def _precision_recall(row: Array) -> Mapping[str, Any]:
    TP, FP, FN, TN = (int(x) for x in row)
    return {
        "TP": TP,
        "FP": FP,
        "FN": FN,
        "TN": TN,
        "P": TP / (TP + FP) if TP + FP else float("nan"),
        "R": TP / (TP + FN) if TP + FN else float("nan"),
        "F": 2 * TP / (2 * TP + FP + FN) if TP + FP + FN else float("nan"),
    }
