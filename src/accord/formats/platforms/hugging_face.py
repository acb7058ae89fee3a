"""Hugging Face datasets: Parquet, JSON lines or a saved folder with `tokens` and tags, or labels.

A column of tags (`ner_tags`) is a layer of units, B- and I- read as conlleval does and any other tag as
a unit of its token; a column of class labels is a question. The names of numbered tags come from the
schema that `datasets` writes, or from `dataset_info.json`. Folders are annotators, or files that are
no splits; train, validation and test are parts of one annotator's data. Offsets count characters of
the tokens joined by blanks.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from accord.errors import InputError, missing_dependency
from accord.files import safe_json
from accord.files.archive import Entry, Tree
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Regex, Sniff
from accord.formats.tags.tags import TAG, spans_of
from accord.formats.tags.tokens import placed

_TAGS = re.compile(r"(\w+_)?(tags|labels)", re.IGNORECASE)
_SHARD = re.compile(r"-\d{5}-of-\d{5}$")
_SPLITS = frozenset({"train", "training", "validation", "valid", "val", "dev", "test", "data"})
_PEOPLE = frozenset({"annotator", "coder", "rater", "worker", "user", "annotator_id", "worker_id"})


class _Rows(NamedTuple):
    """The rows of a file, and the names of numbered tags or labels by column."""

    rows: list[dict[str, Any]]
    names: Mapping[str, Sequence[str]]
    #: columns of one class label a row
    labels: Sequence[str]


def test(path: Path, head: bytes) -> bool:
    """In Parquet the schema tells."""
    return head[:4] != b"PAR1" or (
        path.is_file() and _is_ours(_schema(path.read_bytes(), str(path)))
    )


def test_tree(tree: Tree) -> bool:
    """A dataset saved by `save_to_disk`, or a folder of Parquet files with such a schema."""
    if tree.ending(".arrow") and any(e.name.endswith("state.json") for e in tree):
        return True
    files = tree.ending(".parquet")
    return bool(files) and _is_ours(_schema(files[0].read(), files[0].path))


def collect(export: Export) -> None:
    """Every tagged token and every class label."""
    files = export.tree.ending(".parquet", ".arrow") or export.files
    infos = {str(PurePosixPath(e.name).parent): e for e in export.tree.ending("dataset_info.json")}
    counts: dict[tuple[str, str], int] = {}
    for entry, annotator, prefix in _places(export.tree, files):
        held = _rows(entry, infos.get(str(PurePosixPath(entry.name).parent)))
        for row in held.rows:
            number = counts[annotator, prefix] = counts.get((annotator, prefix), -1) + 1
            name = row.get("id")
            name = str(number) if name is None else safe_json.word(name, "an id", entry.path)
            document = f"{prefix}/{name}" if prefix else name
            _read_row(row, held, export.see(document, annotator), f"{entry.path}: row {number}")
    layers = {m.layer for m in export.marks}
    if "ner_tags" in layers:
        # parts of speech and chunks come with entities and are rarely what is compared
        export.scaffolding.update(layers & {"pos_tags", "chunk_tags", "upos", "xpos"})


def _read_row(row: dict[str, Any], held: _Rows, sheet: Sheet, where: str) -> None:
    tokens = row.get("tokens")
    if isinstance(tokens, list):
        words = [safe_json.word(t, "a token", where) for t in tokens]
        text, places = placed(words, None, where)
        sheet.export.add_text(sheet.document, text, where)
        for column, values in row.items():
            if _TAGS.fullmatch(column) and isinstance(values, list):
                tags = _named(values, held.names.get(column), column, where)
                if len(tags) != len(words):
                    raise InputError(
                        f"has {len(words)} tokens and {len(tags)} {column}", path=where
                    )
                for first, last, label in _spans(tags):
                    sheet.mark(places[first][0], places[last - 1][1], label, column)
    elif isinstance(row.get("text"), str):
        sheet.export.add_text(sheet.document, row["text"], where)
    for column in held.labels:
        value = row.get(column)
        if value is not None and value != -1:
            sheet.judge(_named([value], held.names.get(column), column, where)[0], column)


def _spans(tags: Sequence[str]) -> list[tuple[int, int, str | None]]:
    if all(TAG.match(tag) for tag in tags):
        return spans_of(tags)
    return [(i, i + 1, tag) for i, tag in enumerate(tags) if tag not in ("O", "", "_")]


def _named(
    values: Sequence[Any], names: Sequence[str] | None, column: str, where: str
) -> list[str]:
    if all(isinstance(v, str) for v in values):
        return list(values)
    if names is None:
        raise InputError(
            f"has numbers in {column} and nothing that says what they mean",
            path=where,
            hint="export the names of the tags, or keep dataset_info.json beside the file",
        )
    found = []
    for value in values:
        place = safe_json.integer(value, f"a value of {column}", where)
        if not 0 <= place < len(names):
            raise InputError(f"has the number {place} in {column}, which has no name", path=where)
        found.append(names[place])
    return found


def _places(tree: Tree, files: Sequence[Entry]) -> Iterator[tuple[Entry, str, str]]:
    """Annotator and split of each file."""
    stems = [_SHARD.sub("", e.stem) for e in files]
    folders = [tuple(p for p in e.parts[:-1] if p.lower() not in _SPLITS) for e in files]
    several = len(set(folders)) > 1
    root = tree.path.resolve().name if tree.path.is_dir() else _SHARD.sub("", tree.path.stem)
    parts = len(set(stems)) > 1 and not {s.lower() for s in stems} <= _SPLITS
    for entry, stem, folder in zip(files, stems, folders, strict=True):
        # the folder `data` holds all splits of a dataset and names none
        split = next((p for p in entry.parts[:-1] if p.lower() in _SPLITS - {"data"}), "")
        if not several and parts:
            yield entry, stem, split
        else:
            who = folder[0] if several and folder else root
            yield entry, who, split or (stem if len(set(stems)) > 1 else "")


def _rows(entry: Entry, info: Entry | None) -> _Rows:
    data, path = entry.read(), entry.path
    features: Mapping[str, Any] = {}
    if info is not None:
        described = safe_json.record(safe_json.load(info.read(), info.path), "the info", info.path)
        features = described.get("features") or {}
    if entry.suffix in (".parquet", ".arrow") or data[:4] == b"PAR1":
        table = _table(data, path)
        features = _features(table.schema) or features
        rows = table.to_pylist()
    else:
        rows = [safe_json.record(r, "a row", path, n) for n, r in safe_json.load_lines(data, path)]
    names, labels = {}, []
    for column, feature in features.items():
        inner = feature.get("feature", feature) if isinstance(feature, dict) else feature
        inner = inner[0] if isinstance(inner, list) and inner else inner
        if isinstance(inner, dict) and isinstance(inner.get("names"), list):
            names[column] = [str(n) for n in inner["names"]]
            if inner is feature:
                labels.append(column)
    return _Rows(rows, names, labels)


def _table(data: bytes, path: str) -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise missing_dependency("pyarrow", "parquet", "reading Hugging Face datasets") from None
    try:
        if data[:4] == b"PAR1":
            return pyarrow.parquet.read_table(io.BytesIO(data))
        return pyarrow.ipc.open_stream(io.BytesIO(data)).read_all()
    except Exception as problem:  # pyarrow has errors of its own for a damaged file
        first = str(problem).split("\n")[0][:200]
        raise InputError(f"is not a readable dataset ({first})", path=path) from None


def _schema(data: bytes, path: str) -> Any:
    try:
        import pyarrow.parquet

        return pyarrow.parquet.read_schema(io.BytesIO(data))
    except Exception:  # a damaged file is refused by whoever reads it
        return None


def _features(schema: Any) -> Mapping[str, Any]:
    try:
        described = json.loads((schema.metadata or {}).get(b"huggingface", b"{}"))
        features = described["info"]["features"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    return features if isinstance(features, dict) else {}


def _is_ours(schema: Any) -> bool:
    if schema is None or _PEOPLE & {n.lower() for n in schema.names}:
        return False
    tagged = "tokens" in schema.names and any(_TAGS.fullmatch(n) for n in schema.names)
    return tagged or any(
        isinstance(f, dict) and f.get("_type") == "ClassLabel" for f in _features(schema).values()
    )


FORMAT = Format(
    name="hugging-face",
    title="Hugging Face dataset (tokens with tags, class labels)",
    sniff=(
        Sniff(begins=b"PAR1"),
        Sniff(
            start=b"{[",
            every=(
                Regex(rb'"tokens"\s*:\s*\[\s*"'),
                Regex(rb'"(?:\w+_)?(?:tags|labels)"\s*:\s*\[\s*(?:"|\d|\])'),
            ),
        ),
    ),
    tree=((r"state\.json$", r"(?i)\.arrow$"), (r"(?i)\.parquet$",)),
    test=test,
    test_tree=test_tree,
    collect=collect,
)
