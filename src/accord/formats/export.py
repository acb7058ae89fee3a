"""All that an annotation export holds, before a layer and a shape are chosen.

Every reader of a platform's export fills one :class:`Export`: located marks, judgements on given
items, relations, texts, who saw what, and a count of whatever it left out. `accord inspect` shows
it as it is; :meth:`Export.data` chooses one layer and one shape and makes the data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack

from accord.data.reading import LeftOut, Record
from accord.data.statements import Statement
from accord.data.texts import first_difference, same_places
from accord.errors import InputError, some
from accord.formats.offsets import Counting, Span, settle

if TYPE_CHECKING:
    from accord.files.archive import Entry, Tree
    from accord.formats.format import Format, ReadOptions


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


class MoreOfMark(TypedDict, total=False):
    """What few formats say of a mark."""

    fragments: tuple[tuple[float, float], ...] | None
    line: int | None
    chain: str | None
    name: str


Corners = tuple[float, float, float, float]
Points = tuple[tuple[float, float], ...]


class Drawn(NamedTuple):
    """One shape drawn in an image."""

    document: str
    annotator: str
    #: x0, y0, x1, y1 of a rectangle; or the points of a polygon
    corners: Corners | None
    points: Points | None
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

    #: the format, the files, and how the person says to read them
    known: Format
    tree: Tree
    options: ReadOptions
    notes: list[str] = field(default_factory=list)
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
    #: what was left out → how many
    ignored: Counter[LeftOut] = field(default_factory=Counter)
    #: what was read in a way that the file does not say → how many
    assumed: Counter[str] = field(default_factory=Counter)
    texts: dict[str, str] = field(default_factory=dict)
    #: (document, start, end) → what stands there, of documents whose texts are not known
    words: dict[tuple[str, int, int], str] = field(default_factory=dict)
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
    #: what a reference says of an item beside its value: why none, how sure, who decided
    said: dict[str, dict[str, Any]] = field(default_factory=dict)
    #: the layers or questions that are read, where there are others
    chosen: set[str] = field(default_factory=set)
    #: what offsets count: characters, seconds, milliseconds
    unit: str = "characters"
    #: what was decided about it
    record: Record = field(default_factory=Record)

    @property
    def path(self) -> Path:
        return self.tree.path

    @property
    def files(self) -> list[Entry]:
        """The files of this format, by their first bytes."""
        return self.known.among(self.tree)

    # --- filling -----------------------------------------------------------------------------

    def see(self, document: str, annotator: str) -> Sheet:
        """This annotator has seen this document, whether or not there is a mark in it."""
        self.seen[document, annotator] = None
        return self.sheet(document, annotator)

    def sheet(self, document: str, annotator: str) -> Sheet:
        """Where to write what this annotator says of this document."""
        return Sheet(self, document, annotator)

    def leave_out(
        self, what: str, n: int = 1, *, why: str = "", keep: tuple[str, object] | None = None
    ) -> None:
        """Count what is in the files and not in the data, with the option that keeps it."""
        if n:
            self.ignored[LeftOut(what=what, why=why, keep=keep)] += n

    def assume(self, what: str, n: int = 1) -> None:
        """Count what is read in a way that the files do not say."""
        self.assumed[what] += n

    def counted(self) -> Record:
        """Return the record, with what was counted while the files were read."""
        for one, n in self.ignored.items():
            self.record.leave_out(f"{n:,} {one.what}", n, why=one.why, keep=one.keep)
        for means, n in self.assumed.items():
            self.record.assume(f"{n:,} {means}")
        return self.record

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

    def add_size(self, image: str, size: tuple[float, float], path: str, line: int | None) -> None:
        """Width and height of an image, the same in every file."""
        known = self.sizes.setdefault(image, size)
        if known != size:
            raise InputError(
                f"has image {image!r} of {size[0]:g} × {size[1]:g}, which is {known[0]:g} × "
                f"{known[1]:g} elsewhere",
                path=path,
                line=line,
                hint="shapes in images of different size cannot be compared",
            )

    def settle(
        self,
        document: str,
        text: str | None,
        spans: Sequence[Span],
        where: str,
        counting: Counting = "code-points",
    ) -> list[tuple[int, int]]:
        """Where the spans are in the text, which is kept with what had to be said; as given without it."""
        if text is None:
            return [(s.start, s.end) for s in spans]
        forced = self.options.offsets
        read = settle(text, spans, path=where, counting=counting, forced=forced)
        self.add_text(document, read.text, where)
        self.notes.extend(read.notes)
        return list(zip(read.starts, read.ends, strict=True))

    def add_words(self, document: str, span: Span, path: str) -> None:
        """What stands at a place of a document whose text is not there: the same for everybody."""
        place = (document, span.start, span.end)
        known = span.covered and self.words.setdefault(place, span.covered)
        if known != span.covered:
            raise TextConflictError(
                f"has {span.covered!r} at {span.start} to {span.end} of document {document!r} where "
                f"another annotator's file has {known!r}",
                path=path,
                line=span.line,
                hint="offsets into different texts cannot be compared; leave one out",
            )

    def clear(self, notes: int) -> None:
        """Forget everything but the path and the first notes, to read again in another way."""
        del self.notes[notes:]
        for name in (each.name for each in fields(self) if each.name != "notes"):
            held = getattr(self, name)
            if isinstance(held, (list, dict, set)):
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


@dataclass(slots=True, frozen=True)
class Sheet:
    """What one annotator says of one document; a reader writes on it, the export keeps it."""

    export: Export = field(repr=False, compare=False)
    document: str
    annotator: str

    def mark(
        self,
        start: float,
        end: float,
        label: str | None = None,
        layer: str = "",
        features: Mapping[str, str] | None = None,
        **more: Unpack[MoreOfMark],
    ) -> None:
        """Add a located unit."""
        self.export.marks.append(
            Mark(self.document, self.annotator, start, end, label, layer, features, **more)
        )

    def mark_pieces(
        self,
        pieces: Sequence[tuple[float, float]],
        label: str | None = None,
        layer: str = "",
        features: Mapping[str, str] | None = None,
        **more: Unpack[MoreOfMark],
    ) -> None:
        """Add a unit of one piece, or a discontinuous one of several."""
        start, end = min(s for s, _ in pieces), max(e for _, e in pieces)
        if len(pieces) > 1:
            more["fragments"] = tuple(pieces)
        self.mark(start, end, label, layer, features, **more)

    def judge(self, value: Any, question: str = "") -> None:
        """Add an answer about the whole document."""
        self.export.judgements.append(Judgement(self.document, self.annotator, value, question))

    def draw(self, shape: Corners | Points, label: str | None, layer: str = "") -> None:
        """Add a rectangle (x0, y0, x1, y1), or a polygon of points, in an image."""
        corners, points = (None, shape) if isinstance(shape[0], tuple) else (shape, None)
        drawn = Drawn(self.document, self.annotator, corners, points, label, layer)
        self.export.shapes.append(drawn)

    def relate(self, kind: str, ends: Sequence[str], name: str = "") -> None:
        """Add a relation of this kind between two marks, by their names."""
        self.say(Statement(name, "relation", kind, tuple(zip(("Arg1", "Arg2"), ends, strict=True))))

    def say(self, *statements: Statement) -> None:
        """Add what is said of marks: relations, events, notes."""
        if statements:
            said = self.export.statements.setdefault((self.document, self.annotator), [])
            said.extend(statements)

    def settle(
        self,
        text: str | None,
        spans: Sequence[Span],
        where: str,
        counting: Counting = "code-points",
    ) -> list[tuple[int, int]]:
        """Where the spans are in the document's text, which is kept."""
        return self.export.settle(self.document, text, spans, where, counting)

    def mark_spans(
        self, text: str | None, spans: Sequence[Span], where: str, layer: str = ""
    ) -> None:
        """Add a unit for each span, labelled with its name."""
        for span, place in zip(spans, self.settle(text, spans, where), strict=True):
            self.mark(*place, span.name or None, layer, line=span.line)
