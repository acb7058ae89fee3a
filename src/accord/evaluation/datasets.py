"""Several datasets: a score for each, and their unweighted mean, as shared tasks report it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from accord.errors import InputError, some
from accord.result import Result, signature


def paired_files(reference: Path, systems: Sequence[Path]) -> dict[str, tuple[Path, list[Path]]]:
    """For each dataset (a file of the reference's folder), its file and those of the systems.

    Files belong together when their names do, endings apart.
    """
    held = [_files(folder) for folder in (reference, *systems)]
    for folder, files in zip(systems, held[1:], strict=True):
        for lacking, there in ((held[0].keys() - files.keys(), folder),
                               (files.keys() - held[0].keys(), reference)):  # fmt: skip
            if lacking:
                raise InputError(
                    f"has no file for the dataset {some(sorted(lacking), 3)}",
                    path=there,
                    hint="give each dataset one file of the same name in both folders",
                )
    return {name: (file, [files[name] for files in held[1:]]) for name, file in held[0].items()}


def _files(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        raise InputError("is not a folder of datasets", path=folder, hint="give a folder")
    found: dict[str, Path] = {}
    for file in sorted(p for p in folder.iterdir() if p.is_file() and not p.name.startswith(".")):
        name = file.name.partition(".")[0]
        if name in found:
            raise InputError(f"has two files for the dataset {name!r}", path=folder)
        found[name] = file
    if not found:
        raise InputError("holds no file", path=folder)
    return found


def mean_over_datasets(results: Sequence[Result]) -> list[Result]:
    """For each system and measure, the mean of its values (and of R, P, F) over the datasets.

    A dataset without a value is left out, and said; the shared tasks count it 0.
    """
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        who = (result.system or "").rpartition(", ")[0]
        groups.setdefault((who, result.measure), []).append(result)
    means = []
    for (who, measure), found in groups.items():
        known = [r for r in found if not math.isnan(r.value)]
        n = sum(r.n for r in known)
        terms = {
            name: sum(float(r.terms[name]) for r in known) / len(known)
            for name in ("R", "P", "F")
            if known and all(name in r.terms for r in known)
        }
        means.append(
            Result(
                measure=measure,
                value=sum(r.value for r in known) / len(known) if known else math.nan,
                terms={"dataset": "mean", **terms, "datasets": len(known)},
                n=n,
                signature=signature(measure, n, mean="datasets", datasets=len(known)),
                undefined=None if known else "no dataset has a value",
                warnings=(
                    (
                        f"{len(found) - len(known)} of {len(found)} datasets have no value and are left "
                        "out; shared tasks count them 0"
                    ),
                )
                if len(known) < len(found)
                else (),
                system=f"{who}, mean",
            )
        )
    return means
