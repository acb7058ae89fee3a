"""Whose the tiers of a recording are: the question that ELAN and Praat files leave open.

A tier may be an annotator, a speaker, or one kind of annotation among others. Files of one name in
several folders are several people's (``ann/r1.TextGrid``, ``bob/r1.TextGrid``): the folders are
annotators and tiers are layers. Otherwise tiers are taken as annotators, and said so; where each
file holds but one and the same tier, nobody can tell, and accord asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from accord.errors import InputError, some
from accord.files.archive import Entry
from accord.formats.export import Export
from accord.formats.places import places


def tier_places(export: Export, files: Sequence[Entry]) -> list[tuple[Entry, str, str | None]]:
    """Document and annotator of each recording; the annotator is None where tiers name it."""
    options = export.options
    if options.annotator_from is None and options.path is None and _by_folder(files):
        export.notes.append(
            "files of one name stand in several folders: the folders are taken as annotators and "
            "tiers as layers (`annotator_from=tier` takes tiers as annotators)"
        )
        options = replace(options, annotator_from="folder")
    if options.annotator_from in (None, "tier") and options.path is None:
        # who names the one annotator says that the tiers are something else
        who = options.annotator if options.annotator_from is None else None
        return [(e, e.without_suffix(), who) for e in files]
    return [(*p,) for p in places(export.tree, files, options)]


def check_tiers(export: Export, files: Sequence[Entry]) -> None:
    """Say that tiers were taken as annotators; refuse where that can hardly be meant."""
    options = export.options
    if options.annotator_from is not None or options.annotator is not None or options.path:
        return
    names = list(dict.fromkeys(who for _, who in export.seen))
    if len(files) > 1 and len(names) == 1:
        raise InputError(
            f"holds {len(files)} files with one tier, {names[0]!r}, which cannot be all annotators",
            path=export.path,
            hint="say what names the annotator: `annotator_from=file` for files of one recording, "
            "`annotator_from=folder`, or `annotator_from=tier` for one annotator of several recordings",
        )
    if len(names) > 1:
        export.notes.append(
            f"the tiers are taken as annotators: {some(names)}; if they are layers, "
            "`annotator_from=file` or `annotator_from=folder` says who annotated"
        )


def distinct(names: Sequence[str]) -> list[str]:
    """Names of tiers, of which two may be the same, kept apart.

    >>> distinct(["word", "phone", "word"])
    ['word', 'phone', 'word (2)']
    """
    seen: Counter[str] = Counter()
    found: list[str] = []
    for name in names:
        seen[name] += 1
        apart = name if seen[name] == 1 else f"{name} ({seen[name]})"
        while apart in found:
            seen[name] += 1
            apart = f"{name} ({seen[name]})"
        found.append(apart)
    return found


def _by_folder(files: Sequence[Entry]) -> bool:
    """Whether a file of one name stands in two folders."""
    paths = [PurePosixPath(entry.name) for entry in files]
    folders: dict[str, set[PurePosixPath]] = {}
    for path in paths:
        folders.setdefault(path.stem, set()).add(path.parent)
    return any(len(found) > 1 for found in folders.values())
