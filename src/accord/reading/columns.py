"""Which column is which: the names that people give, in several languages."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from accord.data.probabilities import PREFIX
from accord.data.protocol import Shape
from accord.errors import InputError, some
from accord.formats.format import ReadOptions

#: our name → names people use, compared without capitals and accents, with blanks, dots and hyphens
#: as underscores; English first, then French, German, Spanish and Italian
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "document": ("document", "doc", "document_id", "doc_id", "file", "filename", "text_id",
                 "fichier", "dokument", "datei", "documento", "archivo"),
    "annotator": ("annotator", "coder", "rater", "judge", "worker", "user", "annotator_id",
                  "worker_id", "coder_id", "rater_id", "user_id", "annotatorid", "workerid",
                  "annotateur", "annotatrice", "codeur", "juge", "evaluateur", "annotatorin",
                  "kodierer", "annotierer", "anotador", "codificador", "annotatore"),
    "item": ("item", "item_id", "id", "unit", "unit_id", "task", "task_id", "example", "sentence",
             "question", "subject", "case", "sentence_id", "unite", "identifiant", "enonce",
             "exemple", "einheit", "beispiel", "satz", "unidad", "elemento", "unita"),
    "value": ("value", "label", "category", "rating", "score", "answer", "class", "code", "judgement",
              "judgment", "annotation", "response", "etiquette", "valeur", "categorie", "classe",
              "jugement", "reponse", "wert", "kategorie", "bewertung", "etiqueta", "valor",
              "categoria", "respuesta", "etichetta", "valore"),
    "label": ("label", "category", "type", "tag", "value", "class", "annotation", "etiquette",
              "categorie", "classe", "valeur", "kategorie", "wert", "etiqueta", "categoria",
              "valor", "etichetta", "tipo", "valore"),
    "start": ("start", "begin", "from", "onset", "start_offset", "start_time", "debut", "anfang",
              "beginn", "inicio", "inizio"),
    "end": ("end", "stop", "to", "offset", "end_offset", "end_time", "fin", "ende", "fine"),
    "masses": ("masses", "mass"),
    "boundary": ("boundary", "boundaries", "position", "frontiere", "frontieres"),
    "mention": ("mention", "mention_id"),
    "entity": ("entity", "entity_id", "chain", "cluster", "chain_id", "cluster_id", "entite",
               "chaine"),
    "source": ("source", "source_id", "from_id", "dependent", "source_item"),
    "target": ("target", "target_id", "to_id", "head", "cible", "ziel", "target_item"),
    "source_start": ("source_start", "source_begin", "from_start"),
    "source_end": ("source_end", "from_end"),
    "target_start": ("target_start", "target_begin", "to_start"),
    "target_end": ("target_end", "to_end"),
    "source_label": ("source_label", "source_type"),
    "target_label": ("target_label", "target_type"),
    "x0": ("x0", "xmin", "x_min"),
    "y0": ("y0", "ymin", "y_min"),
    "x1": ("x1", "xmax", "x_max"),
    "y1": ("y1", "ymax", "y_max"),
    "points": ("points", "polygon", "outline"),
    "image": ("image", "image_id", "image_path", "frame"),
    "time": ("time", "batch", "round", "date", "timestamp", "lot"),
    "weight": ("weight", "item_weight", "poids", "gewicht", "peso"),
    "type": ("type", "boundary_type"),
    "text": ("text", "content", "passage", "utterance", "tweet", "post", "body", "sentence_text",
             "texte", "phrase", "contenu", "inhalt", "frase", "texto", "testo", "oracion"),
    "comment": ("comment", "comments", "remark", "remarks", "commentaire", "commentaires",
                "remarque", "remarques", "kommentar", "bemerkung", "comentario", "commento"),
}  # fmt: skip

#: names that documents and labels have in tables of located annotations, where no column has one of
#: the above: likely, and said (:mod:`accord.reading.unclaimed`); the most telling first
LIKELY: Mapping[str, tuple[str, ...]] = {
    "document": ("video", "video_id", "video_file", "recording", "recording_id", "audio", "audio_file",
                 "media", "media_file", "clip", "film", "tape", "interview", "conversation",
                 "dialogue", "dialog", "meeting", "transcript", "article", "letter", "page", "session",
                 "session_id", "observation", "observation_id", "trial", "tier", "enregistrement",
                 "entretien", "seance", "lettre", "aufnahme", "aufzeichnung", "gesprach", "sitzung",
                 "brief", "seite", "grabacion", "entrevista", "conversacion", "sesion", "carta",
                 "pagina", "registrazione", "intervista", "conversazione", "seduta", "lettera",
                 "image", "image_id", *SYNONYMS["item"], "participant", "speaker", "sujet", "proband",
                 "sujeto", "soggetto"),
    "label": ("behaviour", "behavior", "event", "event_type", "code", "activity", "action",
              "entity_type", "concept", "theme", "topic", "phenomenon", "state", "phase", "gesture",
              "emotion", "kind", "comportement", "evenement", "activite", "geste", "verhalten",
              "ereignis", "kode", "aktivitat", "thema", "comportamiento", "evento", "codigo",
              "actividad", "tema", "gesto", "comportamento", "codice", "attivita"),
}  # fmt: skip

#: shape → the roles that its data are made of
ROLES: Mapping[Shape, tuple[str, ...]] = {
    "ratings": ("item", "document", "annotator", "value", "time", "weight"),
    "units": ("document", "annotator", "start", "end", "label"),
    "segments": ("document", "annotator", "masses", "boundary", "type"),
    "chains": ("document", "annotator", "entity", "mention", "start", "end"),
    "relations": ("document", "annotator", "source", "target", "label", "source_start", "source_end",
                  "target_start", "target_end", "source_label", "target_label"),
    "boxes": ("document", "annotator", "x0", "y0", "x1", "y1", "points", "label"),
}  # fmt: skip

#: relations between given items
_GIVEN = ("source", "target")

#: shape → the columns that make it, one way or the other; the most telling shape first
NEEDED: Mapping[Shape, tuple[tuple[str, ...], ...]] = {
    "boxes": (("x0", "y0", "x1", "y1"), ("points",)),
    # (given ends are the least telling: a table of texts may have a source and a target, too)
    "relations": (("source_start", "source_end", "target_start", "target_end"), _GIVEN),
    "chains": (("entity", "mention"), ("entity", "start", "end")),
    "units": (("start", "end"),),
    "segments": (("masses",), ("boundary", "annotator")),
    "ratings": (
        ("item", "annotator", "value"),
        ("item", "value"),
        ("text", "annotator", "value"),
        ("text", "value"),
    ),
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


def is_comment(name: str) -> bool:
    """Whether a column is called like a text or a remark, which nobody takes for an annotator."""
    return plain_name(name) in (*SYNONYMS["text"], *SYNONYMS["comment"])


def matching_shape(found: Mapping[str, str]) -> Shape | None:
    """The first shape all of whose columns were found."""
    for shape, ways in NEEDED.items():
        if any(all(c in found for c in needed) for needed in ways if needed != _GIVEN):
            return shape
    return "relations" if all(c in found for c in _GIVEN) else None


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
        f"has columns {some(listed)}, which do not say who rated what", path=path, hint=hint
    )


def plain_name(name: str) -> str:
    """Without capitals and accents; blanks, dots and hyphens as underscores.

    >>> plain_name(" Étiquette.Finale")
    'etiquette_finale'
    """
    text = unicodedata.normalize("NFKD", str(name).strip().lower().lstrip("\ufeff"))
    return "".join("_" if c in " .-" else c for c in text if not unicodedata.combining(c))
