"""Whose the tiers of a recording are: the question that ELAN and Praat files leave open.

A tier may be an annotator, a speaker, or one kind of annotation among others. Files of one name in
several folders are likely several people's (``ann/r1.TextGrid``, ``bob/r1.TextGrid``): the folders are
annotators and tiers are layers. Otherwise tiers are likely annotators where they share labels; tiers
that share none, or are called words or phones, may be layers of one annotator, and accord asks, as it
does where each file holds but one and the same tier.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from accord.data.reading import Answer, Decision
from accord.errors import some
from accord.files.archive import Entry
from accord.formats.export import Export
from accord.formats.places import by_way, named_parts, places
from accord.formats.ways import FOLDER, choose, nested_ways

#: what tiers are called that hold one kind of annotation and are nobody's
_LAYERS = re.compile(
    r"(word|phone|phoneme|segment|syllable|token|utterance|sentence|ipu|morpheme|translation"
    r"|mot|phonème|syllabe|phrase)s?|syl|orthography|ipa|gloss"
)
_TIERS = Answer("tiers are annotators", ("annotator_from", "tier"))
_FILES = Answer("tiers are layers and files annotators", ("annotator_from", "file"))
_FOLDERS = Answer("tiers are layers and folders annotators", ("annotator_from", "folder"))


def tier_places(export: Export, files: Sequence[Entry]) -> list[tuple[Entry, str, str | None]]:
    """Document and annotator of each recording; the annotator is None where tiers name it."""
    options = export.options
    if options.annotator_from is None and options.path is None and _by_folder(files):
        ways = [way for way in nested_ways(named_parts(files)[1]) if way.shares]
        export.record.path = str(export.path)
        taken = choose(ways, export.record, likely=FOLDER, more=(_TIERS,))
        if taken is not None:
            return [(*p,) for p in by_way(taken, files)]
    if options.annotator_from in (None, "tier") and options.path is None:
        # who names the one annotator says that the tiers are something else
        who = options.annotator if options.annotator_from is None else None
        return [(e, e.without_suffix(), who) for e in files]
    return [(*p,) for p in places(export.tree, files, options)]


def check_tiers(export: Export, files: Sequence[Entry]) -> None:
    """Decide whether tiers are annotators, where neither an option nor a folder says so."""
    options, record = export.options, export.record
    if options.annotator_from is not None or options.annotator is not None or options.path:
        return
    names = list(dict.fromkeys(who for _, who in export.seen))
    decided = any(d.about == "path" for d in record.decisions)
    if decided or (len(names) < 2 and len(files) < 2):
        return
    doubtful = len(names) < 2 or _like_layers(names, export)
    record.path = str(export.path)
    others = (_FILES, _FOLDERS) if len(files) > 1 else (_FILES,)
    record.take(
        Decision(
            about="tiers",
            taken=None if doubtful else _TIERS,
            others=(_TIERS, *others) if doubtful else others,
            why=f"has tiers of which nothing tells whether they are annotators: {some(names)}",
        )
    )


def _like_layers(names: Sequence[str], export: Export) -> bool:
    """Whether tiers are called as layers are, or fall into groups that share no label."""
    if any(_LAYERS.fullmatch(w) for name in names for w in re.split(r"[\W_]+", name.lower())):
        return True
    labels: dict[str, set[str | None]] = {}
    for mark in export.marks:
        if mark.layer not in export.scaffolding:
            labels.setdefault(mark.annotator, set()).add(mark.label)
    groups: list[set[str | None]] = []
    for held in labels.values():
        apart = [group for group in groups if group.isdisjoint(held)]
        groups = [*apart, held.union(*(g for g in groups if g not in apart))]
    return len(groups) > 1


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
