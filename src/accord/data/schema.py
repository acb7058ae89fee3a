"""One record per shape: its columns and what people call them, what makes it, what a choice keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from accord.data.frame import cells, in_memory, opened, refuse_lacking
from accord.options.reading import Shape

#: the columns of a table by role
Columns: TypeAlias = Mapping[str, Any]

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame


@dataclass(frozen=True, slots=True)
class Role:
    """A column that tables have."""

    name: str
    #: a name is never empty, a label may be; a cell is taken as it is
    kind: Literal["name", "number", "label", "cell"]
    #: what people call it, compared without capitals and accents, with blanks, dots and hyphens as
    #: underscores; English first, then French, German, Spanish and Italian
    called: str
    #: what rows have where there is no such column; ...: there must be one
    default: Any = ...


_ROLES = (
    Role("document", "name",
        "document doc document_id doc_id file filename text_id fichier dokument datei documento archivo",
        "document"),
    Role("annotator", "name",
        "annotator coder rater judge worker user annotator_id worker_id coder_id rater_id user_id "
        "annotatorid workerid annotateur annotatrice codeur juge evaluateur annotatorin kodierer annotierer "
        "anotador codificador annotatore"),
    Role("item", "name",
        "item item_id id unit unit_id task task_id example sentence question subject case sentence_id unite "
        "identifiant enonce exemple einheit beispiel satz unidad elemento unita"),
    Role("value", "cell",
        "value label category rating score answer class code judgement judgment annotation response "
        "etiquette valeur categorie classe jugement reponse wert kategorie bewertung etiqueta valor "
        "categoria respuesta etichetta valore"),
    Role("label", "label",
        "label category type tag value class annotation etiquette categorie classe valeur kategorie wert "
        "etiqueta categoria valor etichetta tipo valore", None),
    Role("start", "number",
        "start begin from onset start_offset start_time debut anfang beginn inicio inizio"),
    Role("end", "number", "end stop to offset end_offset end_time fin ende fine"),
    Role("masses", "cell", "masses mass"),
    Role("boundary", "cell", "boundary boundaries position frontiere frontieres"),
    Role("mention", "name", "mention mention_id"),
    Role("entity", "name", "entity entity_id chain cluster chain_id cluster_id entite chaine"),
    Role("source", "name", "source source_id from_id dependent source_item"),
    Role("target", "name", "target target_id to_id head cible ziel target_item"),
    Role("source_start", "number", "source_start source_begin from_start"),
    Role("source_end", "number", "source_end from_end"),
    Role("target_start", "number", "target_start target_begin to_start"),
    Role("target_end", "number", "target_end to_end"),
    Role("source_label", "label", "source_label source_type", None),
    Role("target_label", "label", "target_label target_type", None),
    Role("x0", "number", "x0 xmin x_min", nan),
    Role("y0", "number", "y0 ymin y_min", nan),
    Role("x1", "number", "x1 xmax x_max", nan),
    Role("y1", "number", "y1 ymax y_max", nan),
    Role("points", "cell", "points polygon outline", None),
    Role("image", "cell", "image image_id image_path frame"),
    Role("time", "cell", "time batch round date timestamp lot"),
    Role("weight", "cell", "weight item_weight poids gewicht peso"),
    Role("type", "label", "type boundary_type", None),
    Role("text", "cell",
        "text content passage utterance tweet post body sentence_text texte phrase contenu inhalt frase "
        "texto testo oracion"),
    Role("comment", "cell",
        "comment comments remark remarks commentaire commentaires remarque remarques kommentar kommentare "
        "bemerkung bemerkungen anmerkung anmerkungen comentario comentarios commento commenti"),
)  # fmt: skip
ROLES: Mapping[str, Role] = {role.name: role for role in _ROLES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """What a shape is made of: readers, doors, choices and tables follow from it."""

    shape: Shape
    #: its columns, in the order of a row
    roles: tuple[str, ...]
    #: the columns that make the shape, one way or the other
    ways: tuple[tuple[str, ...], ...]
    #: what rows have without a column, where the role says otherwise
    defaults: Mapping[str, str] = field(default_factory=dict)
    #: places may be moments, written as clocks show them
    timed: bool = False
    #: what a row, a document and a category are called
    row: str = ""
    document: str = "document"
    category: tuple[str, str] = ("category", "categories")
    #: fields that say where a row is, in numbers
    places: tuple[str, ...] = ()
    #: fields that hold something of each row, each document, each pair of document and annotator
    of_row: tuple[str, ...] = ()
    of_document: tuple[str, ...] = ()
    of_pair: tuple[str, ...] = ()

    def default(self, role: str) -> Any:
        """What rows have where no column has the role; ... where one must."""
        return self.defaults.get(role, ROLES[role].default)

    def needed(self, there: Iterable[str], known: Iterable[str] | None = None) -> tuple[str, ...]:
        """The columns of the way of which most are there, and the annotators where all tables have them.

        `known` are the columns that can be there at all.
        """
        found = set(there)
        ways = [w for w in self.ways if known is None or found.union(known).issuperset(w)]
        way = max(ways, key=lambda way: len(found.intersection(way)) / len(way))
        return way if self.default("annotator") is not ... else (*way, "annotator")

    def of_rows(self, rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
        """Rows as columns, of which there are as many without rows."""
        return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in self.roles]

    def of_frame(self, frame: IntoFrame, *columns: str | Sequence[str]) -> Columns:
        """The columns of a dataframe by role; `columns` are their names there, in the order of the roles.

        Where several columns have one role, rows have what all say, with bars between.
        """
        table = in_memory(opened(frame))
        called = {
            r: [c] if isinstance(c, str) else list(c)
            for r, c in zip(self.roles, columns, strict=False)
        }
        there = [role for role, names in called.items() if set(names) <= set(table.columns)]
        needed = self.needed(there, called)
        found: dict[str, Any] = {}
        for role, names in called.items():
            default = self.default(role)
            if role in needed or len(names) > 1:
                refuse_lacking(table, names, role)
            elif role not in there or default is ...:
                if default is not ...:
                    found[role] = [default] * len(table)
                continue
            parts = [cells(table[name], ROLES[role].kind, role) for name in names]
            found[role] = parts[0]
            if len(parts) > 1:
                found[role] = ["|".join(p or "" for p in row) for row in zip(*parts, strict=True)]
        return found


BOXES = Schema(
    shape="boxes",
    roles=("document", "annotator", "x0", "y0", "x1", "y1", "points", "label"),
    ways=(("x0", "y0", "x1", "y1"), ("points",)),
    defaults={"document": "image"},
    row="shape",
    document="image",
    places=("x0", "y0", "x1", "y1"),
    of_row=("label", "x0", "y0", "x1", "y1", "area", "outlines", "extras"),
    of_document=("sizes", "images"),
    of_pair=("coverage",),
)
#: relations between places that annotators chose, and between given items
LOCATED = ("source_start", "source_end", "target_start", "target_end")
GIVEN = ("source", "target")
RELATIONS = Schema(
    shape="relations",
    roles=("document", "annotator", *GIVEN, "label", *LOCATED, "source_label", "target_label"),
    ways=(LOCATED, GIVEN),
    timed=True,
    row="relation",
    category=("label", "labels"),
    places=("source", "target"),
    of_row=("label", "source", "target", "source_kind", "target_kind", "extras"),
    of_document=("texts",),
    of_pair=("coverage",),
)
CHAINS = Schema(
    shape="chains",
    roles=("document", "annotator", "entity", "mention", "start", "end"),
    ways=(("entity", "mention"), ("entity", "start", "end")),
    defaults={"annotator": "annotator"},
    of_row=("mention", "entity"),
    of_document=("mentions", "facts", "words", "lengths", "groups"),
    of_pair=("coverage", "names", "links"),
)
UNITS = Schema(
    shape="units",
    roles=("document", "annotator", "start", "end", "label"),
    ways=(("start", "end"),),
    timed=True,
    row="unit",
    places=("start", "end"),
    of_row=("label", "start", "end", "extras"),
    of_document=("lengths", "texts", "words"),
    of_pair=("coverage",),
)
SEGMENTS = Schema(
    shape="segments",
    roles=("document", "annotator", "masses", "boundary", "type"),
    ways=(("masses",), ("boundary", "annotator")),
    of_document=("lengths",),
    of_pair=("boundaries", "types"),
)
RATINGS = Schema(
    shape="ratings",
    roles=("item", "document", "annotator", "value", "time", "weight"),
    ways=(
        ("item", "annotator", "value"),
        ("item", "value"),
        ("text", "annotator", "value"),
        ("text", "value"),
    ),
    of_row=("document", "time", "multiplicity", "weights", "extras"),
)
#: the most telling shape first
SCHEMAS: Mapping[Shape, Schema] = {
    schema.shape: schema for schema in (BOXES, RELATIONS, CHAINS, UNITS, SEGMENTS, RATINGS)
}
