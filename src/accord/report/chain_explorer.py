"""The explorer of chains: a text with the entities of two sides, what differs, and of which class.

All documents are embedded as compact JSON, one list per pair of sides; the page draws one at a time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from accord.data import Chains
from accord.data.header import under_title
from accord.data.reading import Reading
from accord.errors import InputError
from accord.measures.coreference.aligned_entities import aligned_entities
from accord.measures.coreference.corrections import (
    CLASSES,
    MEANINGS,
    Corrections,
    Side,
    corrections,
)
from accord.measures.coreference.enrolment import paired_by
from accord.measures.coreference.key_response import Paired
from accord.report.explorer import embeddable
from accord.report.palette import HUES, ink_on
from accord.report.template import page, style

#: what the page runs, in this order, and its style sheets
SCRIPTS = ("chains.js", "chains_text.js", "chains_entities.js")
STYLES = ("page.css", "explorer.css", "chains.css")
#: yellow is too pale for a line under a word
_HUES = tuple(hue for hue in HUES if hue != "#F0E442")


@dataclass(frozen=True, slots=True)
class ChainExplorer:
    """What the template needs: its data, and what had to stay out."""

    data: str
    one: bool
    #: a sentence when not every document fits, else an empty string
    left_out: str
    #: documents, and differences in all of them
    documents: int
    differences: int


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Two sides of the same documents, called `first` and `second`."""

    first: str
    second: str
    paired: Paired
    #: the score of each document, by its name
    values: Mapping[str, float] | None = None


def compared(
    reference: Chains,
    system: Chains,
    *,
    names: tuple[str, str],
    values: Mapping[str, float] | None = None,
    **options: Any,
) -> Compared:
    """A response against a key, under the options of a score."""
    return Compared(*names, paired_by(reference, system, **options), values)


def compared_annotators(data: Chains, **options: Any) -> list[Compared]:
    """Every two annotators on the documents both annotated."""
    found = []
    for a, b in combinations(range(len(data.annotators)), 2):
        shared = [
            data.documents[d]
            for d in range(len(data.documents))
            if {(d, a), (d, b)} <= data.coverage
        ]
        if shared:
            names = data.annotators[a], data.annotators[b]
            sides = [data.select(annotators=[name], documents=shared) for name in names]
            found.append(compared(*sides, names=names, **options))
    if not found:
        raise InputError(
            "no document was annotated by two people", hint="there is nothing to compare"
        )
    return found


def chain_explorer(
    pairs: Sequence[Compared], *, measure: str = "", most_bytes: int | None = None
) -> ChainExplorer:
    """Pack the pairs; when they exceed `most_bytes`, documents with the fewest differences stay out."""
    texts: list[tuple[str, ...]] = []
    place: dict[tuple[str, ...], int] = {}
    packed: list[dict[str, Any]] = []
    used = whole = shown = differences = 0
    for pair in pairs:
        documents = _documents(pair, texts, place)
        whole += len(documents)
        differences += sum(len(d["e"]) for d in documents)
        documents.sort(key=lambda d: -len(d["e"]))
        kept: list[dict[str, Any]] = []
        for document in documents:
            size = len(json.dumps(document, ensure_ascii=False).encode())
            size += sum(map(len, texts[document["t"]])) if document["t"] >= 0 else 0
            if most_bytes is not None and used + size > most_bytes and shown + len(kept):
                break
            used += size
            kept.append(document)
        shown += len(kept)
        if kept:
            packed.append({"a": pair.first, "b": pair.second, "documents": kept})
    left_out = ""
    if shown < whole:
        left_out = f"The {shown} documents with the most differences of {whole} are shown."
    data = {
        "pairs": packed,
        "texts": [list(words) for words in texts],
        "classes": list(CLASSES),
        "meanings": [MEANINGS[name] for name in CLASSES],
        "looks": [[hue, ink_on(hue)] for hue in _HUES],
        "measure": measure,
    }
    one = all(len(p["documents"]) == 1 for p in packed)
    return ChainExplorer(embeddable(data), one, left_out, whole, differences)


def chains_html(
    pairs: Sequence[Compared],
    *,
    title: str = "Entities of both sides",
    measure: str = "",
    notes: Sequence[str] = (),
    scores: str = "",
    reading: Reading | None = None,
) -> str:
    """A page of its own: text, entities, differences by class; no network. `scores` is markup."""
    packed = chain_explorer(pairs, measure=measure)
    about = f"{_count(packed.documents, 'document')}, {_count(packed.differences, 'difference')}"
    about += f" ({pairs[0].first} and {pairs[0].second})" if len(pairs) == 1 else ""
    return page(
        "chains_page.html",
        *SCRIPTS,
        title=title,
        about=about,
        read=[] if reading is None else under_title(reading),
        notes=[n for n in (*notes, packed.left_out) if n],
        scores=scores,
        chains=packed,
        style=style(*STYLES),
    )


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}".replace(",", "\u202f")


def _documents(
    pair: Compared, texts: list[tuple[str, ...]], place: dict[tuple[str, ...], int]
) -> list[dict[str, Any]]:
    paired, found = pair.paired, corrections(pair.paired)
    rows = [_rows_by_document(side, len(paired.table.documents)) for side in _sides(found)]
    number = [{row: i for own in side for i, row in enumerate(own)} for side in rows]
    twin: list[dict[int, int]] = [dict(found.twins), {r: k for k, r in found.twins}]
    looks = _looks(found)
    errors: list[list[dict[str, Any]]] = [[] for _ in paired.table.documents]
    for c in found.found:
        s = int(c.side is found.response)
        errors[c.document].append(
            {
                "c": CLASSES.index(c.error),
                "s": s,
                "m": [number[s][row] for row in c.rows],
                "z": c.size,
                "y": c.side.fact(c.rows[0], "type"),
            }
        )
    out = []
    for d, name in enumerate(paired.table.documents):
        words = _words(paired, d)
        if words is not None and words not in place:
            place[words] = len(texts)
            texts.append(words)
        value = None if pair.values is None else pair.values.get(name)
        out.append(
            {
                "n": name,
                "t": -1 if words is None else place[words],
                "v": None if value is None or not np.isfinite(value) else round(value, 4),
                "e": errors[d],
                **{
                    key: _side(side, rows[s][d], twin[s], number[1 - s], looks[s])
                    for s, (key, side) in enumerate(zip("kr", _sides(found), strict=True))
                },
            }
        )
    return out


def _sides(found: Corrections) -> tuple[Side, Side]:
    return found.key, found.response


def _rows_by_document(side: Side, documents: int) -> list[list[int]]:
    """The rows of each document in the order of the text."""
    out: list[list[int]] = [[] for _ in range(documents)]
    for row, (d, _) in enumerate(side.entity):
        out[d].append(row)
    return out


def _words(paired: Paired, d: int) -> tuple[str, ...] | None:
    for rows, number in zip((paired.key, paired.response), paired.where[d].tolist(), strict=True):
        if number >= 0 and rows.chains.words is not None:
            words: tuple[str, ...] | None = rows.chains.words[number]
            if words is not None:
                return words
    return None


Looks = Mapping[tuple[int, int], tuple[int, str]]


def _looks(found: Corrections) -> tuple[Looks, Looks]:
    """Colour and label of each entity: entities that are aligned have the same."""
    ours: dict[tuple[int, int], tuple[int, str]] = {}
    theirs: dict[tuple[int, int], tuple[int, str]] = {}
    count: dict[int, int] = {}
    extra: dict[int, int] = {}
    for pair in aligned_entities(found):
        if pair.first is not None:
            d = pair.first[0]
            count[d] = count.get(d, 0) + 1
            ours[pair.first] = (count[d] - 1, str(count[d]))
            if pair.second is not None:
                theirs[pair.second] = ours[pair.first]
        elif pair.second is not None:
            d = pair.second[0]
            extra[d] = extra.get(d, 0) + 1
            theirs[pair.second] = (count.get(d, 0) + extra[d] - 1, _letters(extra[d]))
    return ours, theirs


def _letters(n: int) -> str:
    """a, b, …, z, aa, ab, … for entities that are aligned with none."""
    out = ""
    while n:
        n, rest = divmod(n - 1, 26)
        out = chr(ord("a") + rest) + out
    return out


def _side(
    side: Side, rows: Sequence[int], twin: Mapping[int, int], there: Mapping[int, int], looks: Looks
) -> dict[str, Any]:
    entities = {entity: i for i, entity in enumerate(dict.fromkeys(side.entity[r] for r in rows))}
    chains = side.rows.chains
    mentions = side.mentions(rows)
    return {
        "m": [list(m) if isinstance(m, tuple) else None for m in mentions],
        "x": [chains.text(side.where[r], side.which[r]) for r in rows],
        "n": [entities[side.entity[r]] for r in rows],
        "p": [there[twin[r]] if r in twin else -1 for r in rows],
        "y": [side.fact(r, "type") or "" for r in rows],
        "c": [looks[entity][0] for entity in entities],
        "l": [looks[entity][1] for entity in entities],
    }
