"""The tables and figures of the papers accord is built from, recomputed.

One module per paper; each offers ``checks()``, ``figures()`` and what it ``CANNOT``, and is listed in
`PAPERS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from accord.errors import UsageError
from accord.report.reproduce.check import Check, Drawing

#: key → module with `checks()`, and what people call the paper
PAPERS = {
    "tal2016": "Mathet & Widlöcher (2016), Évaluation des annotations : ses principes et ses pièges",
    "taln2011_alignment": "Mathet & Widlöcher (2011), Une approche holiste et unifiée de l'alignement "
    "et de la mesure d'accord inter-annotateurs",
    "taln2011_opinion": "Antoine, Le Tallec & Villaneau (2011), Evaluation de la détection des émotions",
    "taln2020": "Lion-Bouton et al. (2020), Comment arpenter sans mètre",
}

__all__ = ["PAPERS", "Check", "Drawing", "cannot", "figures", "reproduce"]


def reproduce(table: str | None = None) -> Sequence[Check]:
    """Recompute all tables, or those whose key or table name starts with `table`."""
    found: list[Check] = []
    for key in PAPERS:
        checks = import_module(f"accord.report.reproduce.{key}").checks()
        found.extend(
            c
            for c in checks
            if table is None or table in (key, c.table) or f"{key}:{c.table}".startswith(table)
        )
    if not found:
        known = ", ".join(PAPERS)
        raise UsageError(
            f"there is no table {table!r}; papers: {known}; or a table such as 'Table 1'"
        )
    return found


def figures() -> dict[str, list[Drawing]]:
    """The figures of each paper that can be drawn."""
    return {key: list(import_module(f"accord.report.reproduce.{key}").figures()) for key in PAPERS}


def cannot() -> dict[str, dict[str, str]]:
    """What of each paper cannot be recomputed, and why."""
    return {key: import_module(f"accord.report.reproduce.{key}").CANNOT for key in PAPERS}
