"""Which column is which: the names that people give, in several languages."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from accord.data.probabilities import PREFIX
from accord.data.protocol import Shape
from accord.data.schema import GIVEN, ROLES, SCHEMAS
from accord.errors import InputError, some
from accord.formats.format import ReadOptions

#: our name → names people use, compared without capitals and accents, with blanks, dots and hyphens
#: as underscores
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    role.name: tuple(role.called.split()) for role in ROLES.values()
}

#: names that documents and labels have in tables of located annotations, where no column has one of
#: the above: likely, and said (:mod:`accord.reading.unclaimed`); the most telling first
_LIKELY = {
    "document": (
        "video video_id video_file recording recording_id audio audio_file media media_file clip film tape "
        "interview conversation dialogue dialog meeting transcript article letter page session session_id "
        "observation observation_id trial tier enregistrement entretien seance lettre aufnahme aufzeichnung "
        "gesprach sitzung brief seite grabacion entrevista conversacion sesion carta pagina registrazione "
        "intervista conversazione seduta lettera image image_id"
        f" {ROLES['item'].called} "
        "participant speaker sujet proband sujeto soggetto"
    ),
    "label": (
        "behaviour behavior event event_type code activity action entity_type concept theme topic "
        "phenomenon state phase gesture emotion kind comportement evenement activite geste verhalten "
        "ereignis kode aktivitat thema comportamiento evento codigo actividad tema gesto comportamento "
        "codice attivita"
    ),
}
LIKELY: Mapping[str, tuple[str, ...]] = {
    role: tuple(names.split()) for role, names in _LIKELY.items()
}


def find_columns(
    names: Mapping[str, object], options: ReadOptions, path: str | None
) -> dict[str, str]:
    """Our column names → the table's, by option first, then by the names people use.

    A name that an option leaves empty is no column's.
    """
    found: dict[str, str] = {}
    for ours, theirs in options.columns.items():
        if ours not in SYNONYMS:
            raise InputError(
                f"there is no column {ours!r} to name; ours are {some(list(SYNONYMS), 20)}"
            )
        if not theirs:
            continue
        if theirs not in names:
            raise InputError(f"has no column {theirs!r}; it has {some(list(names))}", path=path)
        found[ours] = theirs
    plain = {plain_name(name): name for name in reversed(list(names))}
    for ours, known in SYNONYMS.items():
        if ours not in found and ours not in options.columns:
            match = next((plain[n] for n in known if n in plain), None)
            # what was called the item is not the document as well
            if match is not None and not (ours == "document" and match == found.get("item")):
                found[ours] = match
    if matching_shape(found) is None and {"document", "annotator", "value"} <= set(found):
        # whole documents were judged: they are the items
        found["item"] = found.pop("document")
    return found


#: what paired judgements are called
_SIDES = (("left", "right"), ("model_a", "model_b"))


#: what remarks are called too, where grades and observations may be called so as well
_NOTES = (
    *("note", "notes", "observation", "observations", "notiz", "notizen", "beobachtung"),
    *("beobachtungen", "nota", "notas", "observacion", "observaciones", "osservazione"),
    "osservazioni",
)


def may_be_comment(name: str) -> bool:
    """Whether a column is called like a remark, which its texts must show that it is."""
    return plain_name(name) in _NOTES


def is_comment(name: str) -> bool:
    """Whether a column is called like a text or a remark, which nobody takes for an annotator."""
    return plain_name(name) in (*SYNONYMS["text"], *SYNONYMS["comment"])


def matching_shape(found: Mapping[str, str]) -> Shape | None:
    """The first shape all of whose columns were found."""
    for shape, schema in SCHEMAS.items():
        # (given ends are the least telling: a table of texts may have a source and a target, too)
        if any(found.keys() >= {*way} for way in schema.ways if way != GIVEN):
            return shape
    return "relations" if found.keys() >= {*GIVEN} else None


def shape_of(names: Mapping[str, object], found: Mapping[str, str], path: str | None) -> Shape:
    """The shape whose columns are there; the most telling first."""
    plain = {plain_name(name): name for name in names}
    won = plain.get("winner")
    for sides in _SIDES:
        if won is not None and found.get("value", won) == won and all(x in plain for x in sides):
            raise InputError(
                f"holds paired judgements ({', '.join(sides)}, winner)",
                path=path,
                hint="rank what was compared with accord prefer: the name of a winner is a category only "
                "within its pair, so that no coefficient of agreement fits it",
            )
    shape = matching_shape(found)
    if shape is not None:
        return shape
    if "item" in found and any(name.startswith(PREFIX) for name in names):
        return "ratings"
    listed = list(names)
    hint = "name them with `columns={item: NAME}`, or pass `wide=True` for one column per annotator"
    if "item" in found and len(listed) > 2:
        hint = (
            "where each annotator has a column, pass `wide=True` or name them with `annotators`; "
            "otherwise say which one names them: `columns={annotator: NAME}`"
        )
    if len(listed) == 1:
        hint = "is the delimiter a comma, a tab, a semicolon or a bar? " + hint
    raise InputError(
        f"has columns {some(listed)}: those of the item, the annotator and the value are not recognised",
        path=path,
        hint=hint,
    )


def plain_name(name: str) -> str:
    """Without capitals and accents; blanks, dots and hyphens as underscores.

    >>> plain_name(" Étiquette.Finale")
    'etiquette_finale'
    """
    text = unicodedata.normalize("NFKD", str(name).strip().lower().lstrip("\ufeff"))
    return "".join("_" if c in " .-" else c for c in text if not unicodedata.combining(c))
