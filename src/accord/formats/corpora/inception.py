"""INCEpTION and WebAnno project archives: every user's annotations of every document.

`annotation/<document>/<user>.*` (perhaps a zip with one file) are the annotations, `curation/` the
adjudicated ones, left out of agreement unless asked for. `INITIAL_CAS` and `TypeSystem.xml` are
scaffolding. Binary CAS (`annotation_ser`) is skipped: INCEpTION always exports a readable format
beside it when one is chosen in the export dialog.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from accord.errors import InputError
from accord.files import safe_json
from accord.files.archive import Entry, Tree
from accord.formats.corpora import uima, webanno_tsv3
from accord.formats.corpora.label_feature import label_layers
from accord.formats.export import Export
from accord.formats.format import Format

_PROJECT = re.compile(r"(^|/)exportedproject\d*\.json$")
_PLACE = re.compile(
    r"(?:^|/)(annotation|curation)/([^/]+)/([^/]+?)(?:\.[A-Za-z0-9]+)?(?:/([^/]+))?$"
)
_STATES = {
    "NEW": "not begun",
    "IN_PROGRESS": "not finished",
    "IGNORE": "skipped by their annotator",
}


def collect(export: Export) -> None:
    """Everything that users annotated in the project."""
    states = _states(export.tree)
    unread: set[str] = set()
    done: set[tuple[str, str]] = set()
    for entry in export.tree:
        match = _PLACE.search(entry.name)
        if match is None or entry.stem == "TypeSystem" or entry.stem == "INITIAL_CAS":
            continue
        where, document, user, _ = match.groups()
        if user == "INITIAL_CAS":
            continue
        curated = where == "curation" or user == "CURATION_USER"
        if curated and export.options.curation == "leave-out":
            export.leave_out("curated document(s)", keep=("curation", "include"))
            continue
        if not curated and export.options.curation == "only":
            continue
        state = states.get((document, user))
        if state == "IGNORE":
            export.leave_out(f"document(s) {_STATES[state]}", why="count as not annotated")
            continue
        if _read(entry, document, user, export):
            done.add((document, user))
            if state in ("NEW", "IN_PROGRESS"):
                export.assume(f"document(s) are {_STATES[state]}; read as they are")
        else:
            unread.add(entry.name)
    if unread:
        export.leave_out("annotation files in formats that accord does not read", len(unread))
    binary = [e for e in export.tree if re.search(r"(^|/)(annotation|curation)_ser/", e.name)]
    if binary and not done:
        curated_too = any(one.keep == ("curation", "include") for one in export.ignored)
        raise InputError(
            "holds binary CAS only",
            path=export.tree.path,
            hint="export the project again with the secondary format UIMA CAS XMI or JSON"
            + ("; `curation=only` reads the curated documents" if curated_too else ""),
        )
    label_layers(export)


def _read(entry: Entry, document: str, user: str, export: Export) -> bool:
    head = entry.head(8192)
    for module in (webanno_tsv3, uima):
        if module.FORMAT.recognises(Path(entry.name), head):
            module.read(entry, export.see(document, user))
            return True
    return False


def _states(tree: Tree) -> dict[tuple[str, str], str]:
    """How far each user says to be with each document, from the project file."""
    for entry in tree:
        if _PROJECT.search(entry.name):
            project = safe_json.load(entry.read(), entry.path)
            rows: Any = project.get("annotation_documents") if isinstance(project, dict) else None
            return {
                (str(row.get("name")), str(row.get("user"))): str(row.get("state"))
                for row in (rows if isinstance(rows, list) else ())
                if isinstance(row, dict)
            }
    return {}


FORMAT = Format(
    name="inception",
    title="INCEpTION or WebAnno project archive",
    tree=(
        (r"(^|/)exportedproject\d*\.json$",),
        (r"(^|/)annotation/[^/]+/([^/]+/)?[^/]+\.(?i:xmi|json|tsv)$",),
    ),
    collect=collect,
)
