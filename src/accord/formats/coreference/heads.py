"""Heads of CoNLL-U trees as relations: from each word to its head, labelled with the dependency.

Every sentence is a document, since a word's head is one of its sentence: chance must not look for it
elsewhere. The root is an item of its own, called 0. Words of multi-word tokens count, the tokens over them
(1-2) and empty nodes (1.1) do not; enhanced dependencies are left out.

Nivre, J. et al. (2020). Universal Dependencies v2. LREC.
"""

from __future__ import annotations

import re

from accord.data import Relations
from accord.data.reading import Record
from accord.files.archive import Entry
from accord.formats.coreference.brackets import bare_name, text_lines
from accord.formats.format import ReadOptions

_DOCUMENT = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*\S))?")
_SENTENCE = re.compile(r"#\s*sent_id\s*=\s*(.*\S)")


def read_heads(file: Entry, options: ReadOptions) -> Relations:
    """The trees of one annotator or parser."""
    who = options.annotator or bare_name(file.name)
    rows: list[tuple[str, str, str, str, str | None]] = []
    seen: dict[str, None] = {}
    document, name, count, headless = "", "", 0, 0
    inside = False
    for number, line in text_lines(file):
        if line.startswith("#"):
            if found := _DOCUMENT.match(line):
                document = found[1] or ""
            if found := _SENTENCE.match(line):
                name = found[1]
        elif not line.strip():
            inside, name = False, ""
        else:
            columns = line.split("\t")
            if len(columns) != 10:
                raise file.wrong(f"has {len(columns)} columns where CoNLL-U has 10", number)
            if not inside:
                inside = True
                count += 1
                called = name or str(count)
                sentence = f"{document}/{called}" if document else called
                if sentence in seen:
                    problem = f"has two sentences called {called!r}"
                    raise file.wrong(problem, number, hint="give each its own sent_id")
                seen[sentence] = None
            if not columns[0].isdecimal():
                continue
            if not columns[6].isdecimal():
                headless += 1
                continue
            label = None if columns[7] == "_" else columns[7]
            rows.append((sentence, who, columns[0], columns[6], label))
    if not rows:
        raise file.wrong("holds no heads", hint="read its entities with `shape=chains`")
    record = Record()
    if headless:
        record.leave_out(f"{headless:,} words without a head", headless)
    relations = Relations.from_rows(
        rows,
        coverage=[(sentence, who) for sentence in seen],
        categories=options.categories,
        path=file.path,
    )
    return record.kept_by(relations)
