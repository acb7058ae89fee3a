"""Reading exports: brat folders, tables, and UIMA, ELAN and TextGrid against their libraries."""

from __future__ import annotations

import atexit
import multiprocessing
import random
import shutil
import tempfile
from functools import partial
from pathlib import Path

from harness import main, run, task, write

# --- data -----------------------------------------------------------------------------------------


def folder() -> Path:
    path = Path(tempfile.mkdtemp(prefix="accord-formats-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def made(kind: str, size: int) -> Path:
    """The data, made in a process of its own so that its memory is not counted."""
    root = folder()
    maker = multiprocessing.Process(target=MAKERS[kind], args=(size, root))
    maker.start()
    maker.join()
    return root if kind == "brat" else next(p for p in root.iterdir() if p.suffix != ".xml")


def brat(files: int, root: Path) -> None:
    """Two annotators, 20 units a file, each file beside its text with emoji and accents."""
    rng = random.Random(0)
    for i in range(files // 2):
        words = [rng.choice(["alpha", "beta", "gamma", "🥳", "épsilon"]) for _ in range(200)]
        starts = [sum(len(w) + 1 for w in words[:k]) for k in range(0, 200, 10)]
        units = [
            f"T{k + 1}\tX{k % 7} {s} {s + len(words[10 * k])}\t{words[10 * k]}\n"
            for k, s in enumerate(starts)
        ]
        for who in ("ann", "bob"):
            place = root / who
            place.mkdir(exist_ok=True)
            (place / f"d{i}.txt").write_text(" ".join(words), encoding="utf-8")
            (place / f"d{i}.ann").write_text("".join(units), encoding="utf-8")


def xmi(megabytes: int, root: Path) -> None:
    """One text with its tokens, sentences and units, of about this size."""
    from accord.data import Units
    from accord.formats import write as written

    rng = random.Random(0)
    size = megabytes * 25_000
    text = "".join("🥳" if rng.random() < 0.01 else rng.choice("abcde \n") for _ in range(size))
    places = [rng.randrange(size - 21) for _ in range(megabytes * 3_200)]
    rows = [("d", "ann", s, s + rng.randint(1, 20), f"L{s % 10}") for s in places]
    written(Units.from_rows(rows, texts={"d": text}, lengths={"d": size}), root / "ann.xmi")


def intervals(n: int, root: Path) -> None:
    """One tier of n intervals."""
    from accord.data import Units
    from accord.formats import write as written

    rows = [("d", "ann", 2.0 * i, 2.0 * i + 1, f"L{i % 9}") for i in range(n)]
    written(Units.from_rows(rows, lengths={"d": 2.0 * n}), root / "d.TextGrid")


def eaf(n: int, root: Path) -> None:
    slots = "".join(f'<TIME_SLOT TIME_SLOT_ID="t{i}" TIME_VALUE="{i * 10}"/>' for i in range(2 * n))
    marks = "".join(
        f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{i}" TIME_SLOT_REF1="t{2 * i}" '
        f'TIME_SLOT_REF2="t{2 * i + 1}"><ANNOTATION_VALUE>L{i % 9}</ANNOTATION_VALUE>'
        "</ALIGNABLE_ANNOTATION></ANNOTATION>"
        for i in range(n)
    )
    (root / "d.eaf").write_text(
        '<?xml version="1.0" encoding="UTF-8"?><ANNOTATION_DOCUMENT AUTHOR="" DATE="" FORMAT="3.0" '
        'VERSION="3.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        'xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd"><HEADER/>'
        f"<TIME_ORDER>{slots}</TIME_ORDER>"
        f'<TIER TIER_ID="ann" LINGUISTIC_TYPE_REF="x">{marks}</TIER></ANNOTATION_DOCUMENT>'
    )


def table(rows: int, root: Path) -> None:
    rng = random.Random(0)
    body = (f"{i // 4},a{i % 4},{rng.choice('vwxyz')}\n" for i in range(rows))
    (root / "ratings.csv").write_text("item,annotator,value\n" + "".join(body))


def spans(rows: int, root: Path, *, shuffled: bool = False) -> None:
    """Units of ten annotators, a hundred in each document of an annotator."""
    rng = random.Random(0)
    lines = []
    for i in range(rows // 100):
        place = 0
        for _ in range(100):
            place += rng.randint(0, 20)
            end = place + rng.randint(1, 30)
            lines.append(f"doc{i // 10},ann{i % 10},{place},{end},{rng.choice('vwxyz')}\n")
    if shuffled:
        rng.shuffle(lines)
    (root / "units.csv").write_text("document,annotator,start,end,label\n" + "".join(lines))


MAKERS = {
    "brat": brat,
    "xmi": xmi,
    "textgrid": intervals,
    "elan": eaf,
    "csv": table,
    "csv-units": spans,
    "csv-shuffled": partial(spans, shuffled=True),
}

# --- tasks ----------------------------------------------------------------------------------------


@task
def accord_read(kind: str, size: int):
    from accord.formats import formats
    from accord.reading import read

    formats()
    path = made(kind, size)

    def work():
        data = read(path)
        return len(data.code) if kind == "csv" else len(data)

    return work


@task
def cassis_read(size: int):
    import cassis

    path = made("xmi", size)
    with (path.parent / "TypeSystem.xml").open("rb") as file:
        types = cassis.load_typesystem(file)

    def work():
        with path.open("rb") as file:
            return len(cassis.load_cas_from_xmi(file, typesystem=types).select("custom.Span"))

    return work


@task
def praatio_read(size: int):
    from praatio import textgrid

    path = str(made("textgrid", size))

    def work():
        grid = textgrid.openTextgrid(path, includeEmptyIntervals=False)
        return sum(len(grid.getTier(name).entries) for name in grid.tierNames)

    return work


@task
def pympi_read(size: int):
    import pympi

    path = str(made("elan", size))
    return lambda: len(pympi.Elan.Eaf(path).get_annotation_data_for_tier("ann"))


# --- report ---------------------------------------------------------------------------------------


def cell(result: dict) -> str:
    if "failed" in result:
        return result["failed"]
    return f"{result['cpu']:.2f} s, {result['peak']:.0f} MB"


def report() -> None:
    lines = ["| what | units | accord | library | ratio |", "|---|---|---|---|---|"]
    rows = [
        *(("brat", n, f"brat, {n} files", None) for n in (2_500, 5_000, 10_000)),
        *(("csv", n, f"CSV of ratings, {n} rows", None) for n in (250_000, 1_000_000)),
        *(("csv-units", n, f"CSV of units, {n} rows", None) for n in (250_000, 1_000_000)),
        ("csv-shuffled", 1_000_000, "CSV of units, 1000000 rows in any order", None),
        *(("xmi", n, f"XMI, about {n} MB", "cassis_read") for n in (5, 10, 20)),
        ("xmi", 50, "XMI, about 50 MB", "cassis_read"),
        ("textgrid", 20_000, "TextGrid, 20 000 intervals", "praatio_read"),
        ("elan", 20_000, "ELAN, 20 000 annotations", "pympi_read"),
    ]
    for kind, size, title, peer in rows:
        ours = run("accord_read", kind, size)
        theirs = None if peer is None else run(peer, size)
        ratio = ""
        if theirs is not None and "failed" not in theirs and "failed" not in ours:
            if theirs["value"] != ours["value"]:
                raise SystemExit(f"{title}: {ours['value']} units here, {theirs['value']} there")
            ratio = f"{theirs['cpu'] / ours['cpu']:.1f}"
        shown = "" if theirs is None else cell(theirs)
        lines.append(f"| {title} | {ours.get('value', '')} | {cell(ours)} | {shown} | {ratio} |")
    lines += ["", "XMI is read with dkpro-cassis, TextGrid with praatio, ELAN with pympi-ling."]
    write("formats", "Reading exports", lines, "dkpro-cassis", "praatio", "pympi-ling")


if __name__ == "__main__":
    main(__file__, report)
