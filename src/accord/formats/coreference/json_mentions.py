"""One mention of JSON clusters, in the ways tools write it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from accord.data.chains import Mention
from accord.files.archive import Entry


def read_mention(
    given: Any, document: str, file: Entry, line: int | None
) -> tuple[str, Mention, dict[str, Any]]:
    """The document, the mention and what is known about it.

    >>> read_mention({"span": [0, 2], "type": "person"}, "d", "x", None)
    ('d', (0, 2), {'type': 'person'})
    >>> read_mention(["other", 0, 2], "d", "x", None)
    ('other', (0, 2), {})
    """
    value, fact = given, {}
    if isinstance(value, dict):
        fact = {k: value[k] for k in ("type", "head", "upos") if value.get(k) is not None}
        document = str(value.get("document", document))
        value = value.get("span", [value.get("start"), value.get("end")])
    elif isinstance(value, list) and len(value) % 2 and value and isinstance(value[0], str):
        document, value = value[0], value[1:]
    if isinstance(value, list):
        bounds = value and not len(value) % 2 and all(map(is_number, value))
        if bounds and all(s < e for s, e in zip(value[::2], value[1::2], strict=True)):
            return document, tuple(value), fact
    elif isinstance(value, str) or is_number(value):
        return document, value, fact
    raise file.wrong(
        f"document {document!r} has the mention {json.dumps(given)[:60]}",
        line,
        hint="a mention is a name, [start, end] with start < end, or [document, start, end]",
    )


def exclusive(clusters: Any, file: Entry, line: int | None) -> list[list[list[float]]]:
    """Clusters of [start, last] as clusters of [start, end]."""
    for mention in _numbers(clusters, 2, file, line):
        mention[1] += 1
    return clusters  # type: ignore[no-any-return]


def in_document(
    clusters: Any, sentences: Sequence[Sequence[Any]], file: Entry, line: int | None
) -> list[list[list[float]]]:
    """Clusters of [sentence, start, end] as clusters of [start, end] in the document."""
    starts = [0, *accumulate(map(len, sentences))]
    for mention in _numbers(clusters, 3, file, line):
        sentence = mention.pop(0)
        if not (isinstance(sentence, int) and 0 <= sentence < len(sentences)):
            raise file.wrong(f"has a mention in sentence {sentence} of {len(sentences)}", line)
        mention[:] = [starts[sentence] + offset for offset in mention]
    return clusters  # type: ignore[no-any-return]


def whole_words(
    clusters: Any, pieces: Sequence[str], token: Sequence[int], file: Entry, line: int | None
) -> tuple[list[list[list[float]]], list[str]]:
    """Clusters over word pieces, ends exclusive, as clusters over the words; and the words.

    ``token`` is the number of the word of each piece; the marks around a text share that of a word.

    >>> whole_words([[[1, 3]]], ["[CLS]", "Pa", "##ulo", "."], [0, 0, 0, 1], "x", None)
    ([[[0, 1]]], ['Paulo', '.'])
    """
    for mention in _numbers(clusters, 2, file, line):
        start, end = mention
        if not 0 <= start < end <= len(token):
            raise file.wrong(f"has the mention {mention} of {len(token)} pieces", line)
        mention[:] = [token[start], token[end - 1] + 1]
    words: dict[int, str] = {}
    for piece, number in zip(pieces, token, strict=True):
        if piece not in ("[CLS]", "[SEP]"):
            words[number] = words.get(number, "") + piece.removeprefix("##")
    return clusters, [words.get(n, "") for n in range(max(words, default=-1) + 1)]


def _numbers(clusters: Any, size: int, file: Entry, line: int | None) -> list[list[Any]]:
    """All mentions of the clusters, which must be lists of so many numbers."""
    if not is_table(clusters):
        raise file.wrong("does not hold clusters of mentions", line)
    mentions = [m for cluster in clusters for m in cluster]
    wanted = {2: "[start, end]", 3: "[sentence, start, end]"}[size]
    for mention in mentions:
        if not (
            isinstance(mention, list) and len(mention) == size and all(map(is_number, mention))
        ):
            raise file.wrong(f"has a mention that is not {wanted}", line)
    return mentions


def names_entities(clusters: Mapping[str, Any]) -> bool:
    """{entity: [mention, …]} rather than {annotator: [[mention, …], …]}."""
    values = list(clusters.values())
    if not values or not all(isinstance(v, list) and v for v in values):
        return False
    # an annotator's value is a list of lists of mentions: one level deeper
    return all(not isinstance(v[0], list) or _is_mention(v[0]) for v in values)


def _is_mention(value: list[Any]) -> bool:
    """Offsets, alone or after the name of a document."""
    named = len(value) > 2 and isinstance(value[0], str)
    return len(value) > 1 and all(is_number(x) for x in value[named:])


def is_table(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(row, list) for row in value)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
