"""Taguette projects (the SQLite file): highlights with their tags.

A highlight is one unit for each of its tags. Offsets count the bytes of the document's text in UTF-8.
Who made a highlight stands only in the log of commands: the user who added it is the annotator.
Taguette's other exports (highlights as table or document, codebook) hold no places and no names.
"""

from __future__ import annotations

from html.parser import HTMLParser

from accord.files import safe_json, safe_sqlite
from accord.files.archive import Entry
from accord.formats.export import Export
from accord.formats.format import Format, Sniff

_DOCUMENTS = """
    SELECT d.id, d.name, p.name, d.contents FROM documents d JOIN projects p ON p.id = d.project_id
"""
_HIGHLIGHTS = """
    SELECT h.id, h.document_id, h.start_offset, h.end_offset, t.path
    FROM highlights h LEFT JOIN highlight_tags l ON l.highlight_id = h.id
    LEFT JOIN tags t ON t.id = l.tag_id ORDER BY h.id, t.path
"""
_COMMANDS = "SELECT user_login, payload FROM commands ORDER BY id"


def collect(export: Export) -> None:
    """Every highlight of every document."""
    for entry in export.files:
        _read_project(entry, export)


def _read_project(entry: Entry, export: Export) -> None:
    path = entry.path
    with safe_sqlite.opened(entry.read(), path) as database:
        people = _people(list(database.execute(_COMMANDS)), path)
        documents = list(database.execute(_DOCUMENTS))
        highlights = list(database.execute(_HIGHLIGHTS))
    several = len({project for _, _, project, _ in documents}) > 1
    names: dict[object, str] = {}
    places: dict[object, dict[int, int]] = {}
    for number, name, project, contents in documents:
        names[number] = f"{project}/{name}" if several else str(name)
        text = _text(safe_sqlite.words(contents, "the contents of a document", path))
        export.add_text(names[number], text, path)
        places[number] = _characters(text)
    for number, document, start, end, tag in highlights:
        if document not in names:
            continue
        at = places[document]
        if start not in at or end not in at or end < start:
            problem = f"highlight {number} [{start}, {end}) is not in the text of its document"
            raise entry.wrong(problem, hint="export the project again")
        sheet = export.see(names[document], people.get(number, "unknown"))
        sheet.mark(at[start], at[end], None if tag is None else str(tag))
    unknown = sum(m.annotator == "unknown" for m in export.marks)
    if unknown:
        export.assume("highlights that nobody is known to have made are of 'unknown'", unknown)


def _people(commands: list[tuple[object, ...]], path: str) -> dict[object, str]:
    """Who added each highlight; a highlight that is changed by another stays whose it was."""
    found: dict[object, str] = {}
    for login, payload in commands:
        value = safe_json.load(str(payload).encode(), path)
        if isinstance(value, dict) and value.get("type") == "highlight_add":
            number = value.get("highlight_id")
            if isinstance(number, int):
                found.setdefault(number, str(login))
    return found


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)


def _text(contents: str) -> str:
    """What is left of HTML without its tags: that is what Taguette counts in.

    >>> _text("<p>a &amp; b</p>\\n<p>c</p>")
    'a & b\\nc'
    """
    parser = _Text()
    parser.feed(contents)
    parser.close()
    return "".join(parser.pieces)


def _characters(text: str) -> dict[int, int]:
    """Bytes before each character of the text, and at its end → characters before it."""
    found, place = {}, 0
    for i, character in enumerate(text):
        found[place] = i
        place += len(character.encode("utf-8", "replace"))
    found[place] = len(text)
    return found


FORMAT = Format(
    name="taguette",
    title="Taguette project (SQLite)",
    sniff=(Sniff(begins=safe_sqlite.MAGIC, every=(b"highlight_tags", b"project_members")),),
    collect=collect,
)
