"""All that an annotation export holds, before a layer and a shape are chosen.

Every reader of a platform's export fills one :class:`Export`: located marks, judgements on given
items, relations, texts, who saw what, and a count of whatever it left out. `accord inspect` shows
it as it is; :meth:`Export.data` chooses one layer and one shape and makes the data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from accord.data import Annotations, Boxes, Chains, Ratings, Units
from accord.data.boxes import hull
from accord.data.statements import Statement
from accord.data.texts import first_difference, same_places
from accord.errors import InputError, UsageError, some
from accord.files.archive import Tree, open_tree
from accord.formats.format import ReadOptions
from accord.formats.said import said_of


class Mark(NamedTuple):
    """One located unit, with everything the export says about it."""

    document: str
    annotator: str
    start: float
    end: float
    label: str | None
    layer: str = ""
    #: named features, among them the one that gave the label
    features: Mapping[str, str] | None = None
    #: the parts of a discontinuous unit
    fragments: tuple[tuple[float, float], ...] | None = None
    line: int | None = None
    #: the chain (entity) this mark belongs to, where the layer groups mentions
    chain: str | None = None
    #: what statements of the same annotator and document call it
    name: str = ""


class Drawn(NamedTuple):
    """One shape drawn in an image."""

    document: str
    annotator: str
    #: x0, y0, x1, y1 of a rectangle; or the points of a polygon
    corners: tuple[float, float, float, float] | None
    points: tuple[tuple[float, float], ...] | None
    label: str | None
    layer: str = ""


class TextConflictError(InputError):
    """Two files give one document two texts."""


class Judgement(NamedTuple):
    """One value given to one item, for one question."""

    item: str
    annotator: str
    value: Any
    question: str = ""


@dataclass(slots=True)
class Export:
    """What was found at a path."""

    path: Path
    format: str
    marks: list[Mark] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    shapes: list[Drawn] = field(default_factory=list)
    #: width and height of images, and their files
    sizes: dict[str, tuple[float, float]] = field(default_factory=dict)
    images: dict[str, str] = field(default_factory=dict)
    #: the export says who saw what; otherwise only who drew something is known
    told: bool = True
    #: the format holds shapes in images and nothing else
    of_images: bool = False
    #: relations, chains' links, events: (layer or kind) → how many
    relations: Counter[str] = field(default_factory=Counter)
    #: what was left out: sentence → how many
    ignored: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    lengths: dict[str, float] = field(default_factory=dict)
    #: who saw what, in order of appearance
    seen: dict[tuple[str, str], None] = field(default_factory=dict)
    #: layers that hold tokens, sentences and other scaffolding: read only when named
    scaffolding: set[str] = field(default_factory=set)
    #: scaffolding that was counted and not kept: layer → how many
    skipped: Counter[str] = field(default_factory=Counter)
    #: layer → the feature its labels come from
    label_features: dict[str, str] = field(default_factory=dict)
    #: (document, annotator) → what is said of marks by their names: relations, events, notes
    statements: dict[tuple[str, str], list[Statement]] = field(default_factory=dict)
    #: what offsets count: characters, seconds, milliseconds
    unit: str = "characters"

    # --- filling -----------------------------------------------------------------------------

    def see(self, document: str, annotator: str) -> None:
        """This annotator has seen this document, whether or not there is a mark in it."""
        self.seen[document, annotator] = None

    def add_text(self, document: str, text: str, path: str) -> None:
        """The text of a document; two annotators must have seen the same."""
        known = self.texts.setdefault(document, text)
        if known is not text and not same_places(known, text):
            raise TextConflictError(
                f"has another text for document {document!r} than another annotator's file, "
                f"from character {first_difference(known, text)} on",
                path=path,
                hint="offsets into different texts cannot be compared; leave one out",
            )
        if len(text) > len(known):
            self.texts[document] = text
        self.lengths[document] = float(len(self.texts[document]))

    def clear(self) -> None:
        """Forget everything but the path and the notes, to read again in another way."""
        for held in (
            self.marks,
            self.judgements,
            self.shapes,
            self.sizes,
            self.images,
            self.relations,
            self.ignored,
            self.texts,
            self.lengths,
            self.seen,
            self.scaffolding,
            self.skipped,
            self.label_features,
            self.statements,
        ):
            held.clear()

    def name_annotator(self, name: str) -> None:
        """Call the annotator of everything `name`; two people in one document are not one."""
        pairs = dict.fromkeys(
            [
                *self.seen,
                *((m.document, m.annotator) for m in self.marks),
                *((j.item, j.annotator) for j in self.judgements),
                *((x.document, x.annotator) for x in self.shapes),
            ]
        )
        first: dict[str, str] = {}
        for document, own in pairs:
            if own != name and first.setdefault(document, own) != own:
                people = list(dict.fromkeys(who for _, who in pairs if who != name))
                raise InputError(
                    f"holds {len(people)} annotators ({some(people)}), of whom two or more "
                    f"annotated document {document!r}: they cannot all be called {name!r}",
                    path=self.path,
                    hint="leave `annotator` out",
                )
        self.marks = [m._replace(annotator=name) for m in self.marks]
        self.judgements = [j._replace(annotator=name) for j in self.judgements]
        self.shapes = [x._replace(annotator=name) for x in self.shapes]
        self.seen = {(document, name): None for document, _ in self.seen}
        self.statements = {(d, name): said for (d, _), said in self.statements.items()}

    # --- choosing ----------------------------------------------------------------------------

    def layers(self) -> Counter[str]:
        """Marks per layer."""
        return Counter(mark.layer for mark in self.marks) + self.skipped

    def drawn(self) -> Counter[str]:
        """Shapes per layer."""
        return Counter(shape.layer for shape in self.shapes)

    def questions(self) -> Counter[str]:
        """Judgements per question."""
        return Counter(judgement.question for judgement in self.judgements)

    def data(self, options: ReadOptions) -> Annotations:
        """The chosen layer in the chosen shape, with notes on everything left out."""
        if options.annotator is not None:
            self.name_annotator(options.annotator)
        shape = options.shape or self._shape(options)
        if shape == "units":
            return self._units(options)
        if shape == "ratings":
            return self._ratings(options)
        if shape == "chains":
            return self._chains(options)
        if shape == "relations":
            from accord.formats.relations import relations_of

            return relations_of(self, options)
        if shape == "boxes":
            return self._boxes(options)
        raise UsageError(
            f"{self.format} exports hold units, ratings, chains, relations or boxes, not {shape}"
        )

    def _shape(self, options: ReadOptions) -> str:
        if (self.shapes or self.of_images) and not self.marks:
            asked = options.layer is not None and not _matching(options.layer, self.drawn())
            return "ratings" if asked and self.judgements else "boxes"
        if options.layer is not None:
            named = set(_matching(options.layer, self.questions()))
            if named and not _matching(options.layer, self.layers()):
                return "ratings"
        if self.judgements and not [m for m in self.marks if m.layer not in self.scaffolding]:
            return "ratings"
        content = [m for m in self.marks if m.layer not in self.scaffolding]
        if options.layer is not None:
            named = set(_matching(options.layer, self.layers()))
            content = [m for m in content if m.layer in named]
        return "chains" if content and all(m.chain is not None for m in content) else "units"

    def _chains(self, options: ReadOptions) -> Chains:
        linked = Counter(m.layer for m in self.marks if m.chain is not None)
        if not linked:
            raise InputError("holds no chains", path=self.path, hint="read it with `shape=units`")
        chosen, notes = self._chosen_layers(linked, options, "layer", set())
        clusters: dict[tuple[str, str], dict[str, list[tuple[int, int]]]] = {
            key: {} for key in self.seen
        }
        for mark in self.marks:
            if mark.layer in chosen and mark.chain is not None:
                mention = (int(mark.start), int(mark.end))
                here = clusters.setdefault((mark.document, mark.annotator), {})
                here.setdefault(mark.chain, []).append(mention)
        return Chains.from_clusters(
            {key: list(entities.values()) for key, entities in clusters.items()},
            notes=[*self._said(), *notes],
        )

    def _boxes(self, options: ReadOptions) -> Boxes:
        if not self.seen and not self.shapes:
            raise InputError(
                "holds no boxes or polygons",
                path=self.path,
                hint="see what it holds: accord inspect",
            )
        chosen, notes = self._chosen_layers(self.drawn(), options, "layer", set())
        notes = [*self._said(), *notes]
        for left, what, shape in (
            (self.judgements, "judgements on whole items", "ratings"),
            (self.marks, "located units", "units"),
        ):
            if left:
                notes.append(f"{len(left)} {what} were left out; read them with `shape={shape}`")
        kept = [x for x in self.shapes if x.layer in chosen]
        unlabelled = sum(x.label is None for x in kept)
        if unlabelled and unlabelled < len(kept):
            notes.append(f"{unlabelled} shape(s) have no label")
        return Boxes.from_columns(
            [x.document for x in kept],
            [x.annotator for x in kept],
            np.array(
                [x.corners or hull(np.array(x.points)) for x in kept], dtype=np.float64
            ).reshape(-1, 4),
            [x.label for x in kept],
            outlines=[None if x.points is None else np.array(x.points) for x in kept],
            sizes=self.sizes,
            images=self.images,
            coverage=list(self.seen) if self.told else None,
            categories=options.categories,
            duplicates="keep" if options.duplicates == "error" else options.duplicates,
            notes=notes,
            path=str(self.path),
        )

    def _units(self, options: ReadOptions) -> Units:
        if not self.seen and not self.marks:
            systems = any("predictions" in what or "suggestions" in what for what in self.ignored)
            raise InputError(
                "holds predictions of systems and no annotations"
                if systems
                else "holds no annotations",
                path=self.path,
                hint="read them with `predictions=True`"
                if systems
                else "see what it holds: accord inspect",
            )
        chosen, notes = self._chosen_layers(self.layers(), options, "layer", self.scaffolding)
        notes = [*self._said(), *notes]
        if self.judgements:
            notes.append(
                f"{len(self.judgements)} judgements on whole items were left out; "
                "read them with `shape=ratings`"
            )
        rows = self._rows(chosen, options, notes)
        lengths = dict(self.lengths)
        if options.length is not None:
            lengths.update({d: options.length for d, _ in self.seen})
        units = Units.from_rows(
            rows,
            lengths=lengths,
            coverage=list(self.seen),
            texts=self.texts or None,
            categories=options.categories,
            points=options.points,
            # platforms let people stack equal annotations, and rows have no lines to point at
            duplicates="keep" if options.duplicates == "error" else options.duplicates,
            notes=notes,
            path=str(self.path),
        )
        said = said_of(self, chosen, options, self._label_picker(chosen, options, []))
        return replace(units, statements=said, unit=self.unit)

    def _rows(
        self, layers: set[str], options: ReadOptions, notes: list[str]
    ) -> list[tuple[str, str, float, float, str | None]]:
        pick = self._label_picker(layers, options, notes)
        rows: list[tuple[str, str, float, float, str | None]] = []
        points = broken = unlabelled = 0
        for mark in self.marks:
            if mark.layer not in layers:
                continue
            pieces: Iterable[tuple[float, float]] = ((mark.start, mark.end),)
            if mark.fragments is not None and len(mark.fragments) > 1:
                broken += 1
                if options.discontinuous == "drop":
                    continue
                if options.discontinuous == "fragments":
                    pieces = mark.fragments
            label = pick(mark)
            unlabelled += label is None
            for start, end in pieces:
                if start == end and not options.points:
                    points += 1
                    continue
                rows.append((mark.document, mark.annotator, start, end, label))
        if broken:
            policy = {
                "hull": "are read as one unit from their first to their last character (γ and alignments "
                "compare their fragments)",
                "fragments": "are read as one unit per fragment",
                "drop": "were left out",
            }
            notes.append(f"{broken} discontinuous unit(s) {policy[options.discontinuous]}")
        if points:
            notes.append(
                f"{points} unit(s) of length zero were left out (`points=True` keeps them)"
            )
        if unlabelled:
            notes.append(f"{unlabelled} unit(s) have no label")
        return rows

    def _label_picker(
        self, layers: set[str], options: ReadOptions, notes: list[str]
    ) -> Callable[[Mark], str | None]:
        wanted = options.feature
        if wanted is None:
            for layer in sorted(layers):
                if layer in self.label_features:
                    others = sorted(
                        {f for m in self.marks if m.layer == layer for f in m.features or ()}
                        - {self.label_features[layer]}
                    )
                    if others:
                        notes.append(
                            f"the label of layer {layer!r} is its feature "
                            f"{self.label_features[layer]!r}; other features: {some(others)} "
                            "(choose with `feature`)"
                        )
            return lambda mark: mark.label
        known = {f for m in self.marks if m.layer in layers for f in m.features or ()}
        if wanted not in known:
            have = f"it has {some(sorted(known))}" if known else "it has no features"
            raise UsageError(f"no feature {wanted!r} in the chosen layer; {have}")
        return lambda mark: (mark.features or {}).get(wanted)

    def _ratings(self, options: ReadOptions) -> Ratings:
        from accord.data.tables import ratings_from_long

        if not self.judgements:
            raise InputError(
                "holds no judgements on whole items",
                path=self.path,
                hint="read its located units with `shape=units`",
            )
        chosen, notes = self._chosen_layers(self.questions(), options, "question", set())
        notes = [*self._said(), *notes]
        if self.marks:
            notes.append(
                f"{len(self.marks)} located units were left out; read them with `shape=units`"
            )
        rows = [j for j in self.judgements if j.question in chosen]
        sets = any(isinstance(j.value, frozenset) for j in rows)
        single = all(not isinstance(j.value, frozenset) or len(j.value) == 1 for j in rows)
        if sets and single:
            values: list[Any] = [
                next(iter(j.value)) if isinstance(j.value, frozenset) else j.value for j in rows
            ]
        elif sets:
            values = [
                j.value if isinstance(j.value, frozenset) else frozenset({str(j.value)})
                for j in rows
            ]
        else:
            values = [j.value for j in rows]
        return ratings_from_long(
            [j.item for j in rows],
            [j.annotator for j in rows],
            values,
            kind=options.values,
            categories=options.categories,
            missing=options.missing or (),
            separator=options.separator,
            multiple=options.multiple,
            none=options.none,
            duplicates=options.duplicates,
            notes=notes,
            path=str(self.path),
            # what was judged is read again where somebody has to judge by it
            extras={"text": [self.texts.get(j.item) for j in rows]} if self.texts else None,
        )

    def _chosen_layers(
        self, counts: Counter[str], options: ReadOptions, what: str, scaffolding: set[str]
    ) -> tuple[set[str], list[str]]:
        """The layers to read: those named, or the only one there is; never a silent guess."""
        if options.layer is not None:
            found = _matching(options.layer, counts)
            if not found:
                raise UsageError(
                    f"no {what} {options.layer!r} in {self.path}; it has "
                    + (some(sorted(counts)) if counts else "none")
                )
            return set(found), _left_out(counts, set(found), what)
        content = [name for name in counts if name not in scaffolding]
        if len(content) > 1:
            listed = ", ".join(f"{n} ({counts[n]})" for n in sorted(content))
            raise InputError(
                f"holds several {what}s: {listed}", path=self.path, hint="choose one with `layer`"
            )
        if not content and counts:
            listed = ", ".join(f"{n} ({counts[n]})" for n in sorted(counts))
            return set(), [
                f"nothing but tokens, sentences and the like, read only by `layer`: {listed}"
            ]
        return set(content), _left_out(counts, set(content), what)

    def _said(self) -> list[str]:
        """Notes, relations and what was ignored, as sentences."""
        said = list(self.notes)
        if self.relations:
            kinds = ", ".join(f"{name} ({n})" for name, n in sorted(self.relations.items()))
            said.append(
                f"{sum(self.relations.values())} relations are not used: {kinds}; "
                "`shape=relations` reads them"
            )
        said.extend(f"{n} {what}" for what, n in self.ignored.items())
        return said


def read_with(
    collect: Callable[[Tree, ReadOptions], Export], *, beside: tuple[str, ...] = ()
) -> Callable[[Path, ReadOptions], Annotations]:
    """The `read` of a format that has a `collect`."""

    def read(path: Path, options: ReadOptions) -> Annotations:
        tree = open_tree(path, beside=beside).recoded(options.encoding)
        export = collect(tree, options)
        export.notes.extend(tree.unread(f"{export.format} exports"))
        return export.data(options)

    return read


def _matching(wanted: str, names: Iterable[str]) -> list[str]:
    """Names asked for as a,b; each in full, or the last part of a dotted name."""
    words = [w.strip() for w in wanted.split(",") if w.strip()]
    return [n for n in names if n in words or n.rpartition(".")[2] in words]


def _left_out(counts: Counter[str], chosen: set[str], what: str) -> list[str]:
    others = {name: n for name, n in counts.items() if name not in chosen}
    if not others:
        return []
    listed = ", ".join(f"{name} ({n})" for name, n in sorted(others.items()))
    return [f"only the {what} {', '.join(sorted(chosen))} is read; left out: {listed}"]
