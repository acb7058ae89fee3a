"""The decision tree of the documentation: every way is clicked to its end, and every end can be typed."""

from __future__ import annotations

import html
import random
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ROOT
from tests.in_process import commands, run
from tests.places import write_rows

from accord.registry import enrolled, find

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "how-to" / "choose-a-measure.md"


def tree() -> str:
    found = re.search(r"```\{raw\} html\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert found is not None
    return f"<!doctype html><html lang='en'><title>tree</title>{found[1]}</html>"


def test_every_way_ends_with_something_to_type(visit: Callable[[str], Any]) -> None:
    from selenium.webdriver.common.by import By

    browser = visit(tree())
    ends: list[tuple[list[str], Any]] = []

    def walk(branch: Any, way: list[str]) -> None:
        """Open what stands under a branch, one after the other, and close it again."""
        for end in branch.find_elements(By.XPATH, "./p[@class='end']"):
            assert end.is_displayed(), way
            ends.append((way, [c.text for c in end.find_elements(By.TAG_NAME, "code")]))
        for below in branch.find_elements(By.XPATH, "./details"):
            summary = below.find_element(By.XPATH, "./summary")
            assert not below.get_attribute("open"), summary.text
            summary.click()
            walk(below, [*way, summary.text])
            summary.click()

    root = browser.find_element(By.CSS_SELECTOR, ".tree > details")
    walk(root, [])
    # every end was reached by clicks
    assert len(ends) == len(re.findall('class="end"', tree())) > 15
    shapes = set()
    for way, codes in ends:
        assert codes, way
        assert codes[0].startswith("accord "), way
        for code in codes:
            shapes |= typed(code, codes[0], way)
    # every shape of data, and both questions, are somewhere in the tree
    assert shapes == {(m.shape, m.question) for m in enrolled()}


def typed(code: str, whole: str, way: list[str]) -> set[tuple[str, str]]:
    """Check a command, or the options that stand for another end of it; which data it is for."""
    words = shlex.split(code)
    name = words[1] if words[0] == "accord" else shlex.split(whole)[1]
    command = commands().commands[name]
    context = command.make_context(name, [], resilient_parsing=True)
    known = {o for p in command.get_params(context) for o in p.opts}
    options = [w for w in words if w.startswith("--")]
    assert set(options) <= known, (way, code)
    if "--measure" not in words:
        return set()
    measures = words[words.index("--measure") + 1].split(",")
    records = [find(m, name) for m in measures]  # type: ignore[arg-type]
    assert {r.question for r in records} == {name}, code
    return {(r.shape, r.question) for r in records}


def ends() -> list[str]:
    """What the tree says to type, the options that stand for another end as whole commands."""
    found = []
    for end in re.findall(r'<p class="end">(.*?)</p>', tree(), re.S):
        codes = [html.unescape(code) for code in re.findall(r"<code>(.*?)</code>", end)]
        whole = codes[0].split(" --measure")[0]
        found += [c if c.startswith("accord ") else f"{whole} {c}" for c in codes]
    return found


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Small data of every kind that the tree speaks of."""
    monkeypatch.chdir(tmp_path)
    draw = random.Random(1)
    rated = ["item", "annotator", "value"]
    people = [(item, who) for item in range(30) for who in ("Ana", "Ben")]
    kinds: dict[str, Callable[[int], object]] = {
        "names": lambda item: "xyz"[item % 3],
        "grades": lambda item: ("low", "mid", "high")[item % 3],
        "numbers": lambda item: item % 7 + draw.random(),
        "sets": lambda item: ";".join(sorted({"xyz"[item % 3], draw.choice("xyz")})),
    }
    for name, value in kinds.items():
        rows = [[i, who, value(i + (draw.random() < 0.2))] for i, who in people]
        write_rows(tmp_path / f"{name}.csv", rated, *rows)
        write_rows(
            tmp_path / f"{name}-ref.csv", ["item", "value"], *([i, value(i)] for i in range(30))
        )
    write_rows(
        tmp_path / "chances.csv",
        ["item", "p:x", "p:y", "p:z"],
        *([i, 0.6, 0.3, 0.1] for i in range(30)),
    )
    located = ["document", "annotator", "start", "end", "label"]
    cut = ["document", "annotator", "masses"]
    linked = ["document", "annotator", "source", "target", "label"]
    boxed = ["document", "annotator", "x0", "y0", "x1", "y1", "label"]
    for suffix, who in (("", ("Ana", "Ben")), ("-ref", ("Ana",)), ("-sys", ("Ben",))):
        spans = [[d, w, 9 * i + k, 9 * i + 5, "xy"[i % 2]]
                 for d in ("d", "e") for k, w in enumerate(who) for i in range(4)]  # fmt: skip
        write_rows(tmp_path / f"spans{suffix}.csv", located, *spans)
        masses = [[d, w, f"{4 + k} {6 - k} 5"] for d in ("d", "e") for k, w in enumerate(who)]
        write_rows(tmp_path / f"cuts{suffix}.csv", cut, *masses)
        links = [
            [d, w, i + 2, i + k, "x"]
            for d in ("d", "e")
            for k, w in enumerate(who)
            for i in range(4)
        ]
        write_rows(tmp_path / f"links{suffix}.csv", linked, *links)
        boxes = [[d, w, 10 * i + k, 0, 10 * i + 8, 9, "x"]
                 for d in ("d", "e") for k, w in enumerate(who) for i in range(4)]  # fmt: skip
        write_rows(tmp_path / f"boxes{suffix}.csv", boxed, *boxes)
    return tmp_path


def files_of(line: str) -> dict[str, str]:
    """What the words in capitals stand for in this command."""
    examples = ROOT / "examples"
    if line.startswith("accord prefer"):
        return {"JUDGEMENTS": f"{examples}/judgements.csv"}
    if line.startswith("accord judge"):
        return {"DATA": f"{examples}/labels.csv", "MODEL": "gpt,llama"}
    if line.startswith("accord rank"):
        return {"JUDGES": "names.csv", "SYSTEM": "names-ref.csv"}
    words = shlex.split(line)
    if "--measure" not in words:
        return {"DATA": "numbers.csv" if words[1] == "limits" else "names.csv"}
    name = words[words.index("--measure") + 1].split(",")[0]
    record = find(name, words[1])  # type: ignore[arg-type]
    kind = {"units": "spans", "segments": "cuts", "relations": "links", "boxes": "boxes"}.get(
        record.shape
    )
    if record.shape == "chains" and record.question == "score":
        return {"KEY": f"{examples}/key.conll", "RESPONSE": f"{examples}/response.conll"}
    if record.shape == "chains":
        return {"DATA": f"{examples}/key.conll {examples}/response.conll"}
    if kind is not None:
        return {"DATA": f"{kind}.csv", "REF": f"{kind}-ref.csv", "SYSTEM": f"{kind}-sys.csv"}
    if record.question == "score":
        system = "chances.csv" if name == "cross-entropy" else "names-ref.csv"
        return {"REF": "names-ref.csv", "SYSTEM": system}
    values = {"ordinal": "grades", "interval": "numbers", "masi": "sets"}
    metric = words[words.index("--metric") + 1] if "--metric" in words else ""
    return {"DATA": f"{values.get(metric, 'numbers' if name.startswith('icc') else 'names')}.csv"}


def test_every_end_can_be_typed_as_it_is(place: Path) -> None:
    lines = ends()
    # the table of distances is made before it is used
    lines.sort(key=lambda line: "--propose-distances" not in line)
    assert len(lines) > 25
    for line in lines:
        for word, stands_for in files_of(line).items():
            line = re.sub(rf"\b{word}\b", stands_for, line)
        assert not re.search(r"\b[A-Z]{3,}\b", line), line
        code, _, told, _ = run(line)
        assert code == 0, f"{line}: {told}"


def test_links_of_the_tree_lead_somewhere() -> None:
    links = re.findall(r'href="([^"]+)\.html"', tree())
    assert len(links) > 5
    for link in links:
        assert (PAGE.parent / f"{link}.md").resolve().exists(), link
