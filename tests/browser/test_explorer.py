"""The alignment explorer in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.browser.conftest import settle
from tests.oracles.drawn import aligned
from tests.report.test_recording import sound

import accord
from accord.report import alignment_html, alignment_svg


def _count(browser: Any, query: str) -> int:
    return int(browser.execute_script(f"return document.querySelectorAll('{query}').length"))


def _press(browser: Any, key: str) -> None:
    browser.find_element("css selector", ".canvas").send_keys(key)
    settle(browser)


def test_draws_every_unit_and_is_accessible(
    visit: Callable[[str], Any], violations: Callable[[], list[str]]
) -> None:
    units, alignments = aligned(documents=3, text=True)
    browser = visit(alignment_html(units, alignments))
    worst = max(alignments, key=lambda a: a.disorder)
    assert browser.find_element("css selector", ".title").text == worst.document
    assert _count(browser, ".plane g.unit") == int((worst.members >= 0).sum())
    assert _count(browser, ".documents li") == 3
    assert "some words" in browser.find_element("css selector", ".words").text
    assert violations() == []


def test_zoom_pan_and_walk_by_keyboard(visit: Callable[[str], Any]) -> None:
    browser = visit(alignment_html(*aligned(groups=30)))
    whole = _count(browser, ".plane g.unit")
    _press(browser, "+")
    _press(browser, "+")
    near = _count(browser, ".plane g.unit")
    assert near < whole
    first = browser.find_element("css selector", ".plane g.unit").get_attribute("data-unit")
    for _ in range(6):
        _press(browser, "\ue014")  # right arrow
    moved = browser.find_element("css selector", ".plane g.unit").get_attribute("data-unit")
    assert moved != first
    _press(browser, "0")
    assert _count(browser, ".plane g.unit") == whole
    _press(browser, "n")
    assert "Place" in browser.find_element("css selector", ".details h4").text
    assert _count(browser, ".plane g.lit") >= 1
    _press(browser, "\ue00c")  # escape
    assert _count(browser, ".plane g.lit") == 0


def test_filters_by_category_annotator_and_disorder(visit: Callable[[str], Any]) -> None:
    units, alignments = aligned(groups=30)
    browser = visit(alignment_html(units, alignments))
    assert _count(browser, ".plane g.unit.dim") == 0
    browser.find_element("css selector", "#filter-categories input").click()
    settle(browser)
    in_category = int((units.label == 0).sum())
    assert _count(browser, ".plane g.unit.dim") == in_category
    browser.find_element("css selector", "#filter-annotators input").click()
    settle(browser)
    assert _count(browser, ".plane g.unit") == int((units.annotator != 0).sum())
    browser.find_element("css selector", "#filter-annotators input").click()
    browser.find_element("css selector", "#filter-categories input").click()
    browser.execute_script(
        "const s = document.getElementById('least-disorder'); s.value = 1;"
        "s.dispatchEvent(new Event('input'));"
    )
    settle(browser)
    perfect = alignments[0].members[alignments[0].disorders == 0]
    assert _count(browser, ".plane g.unit.dim") == int((perfect >= 0).sum())


def test_two_thousand_units_and_nine_hundred_documents_stay_quick(
    visit: Callable[[str], Any],
) -> None:
    browser = visit(alignment_html(*aligned(groups=900)))
    assert _count(browser, ".plane g.unit") < 300  # opens on a part of it
    _press(browser, "0")
    assert _count(browser, ".plane g.unit") > 2000
    page = alignment_html(*aligned(documents=900, groups=6))
    assert len(page) < 1_000_000
    browser = visit(page)
    assert "300 of 900" in browser.find_element("css selector", ".documents [role=status]").text
    browser.find_element("css selector", "#find-document").send_keys("text 777")
    browser.find_element("css selector", ".documents li button").click()
    settle(browser)
    assert browser.find_element("css selector", ".title").text == "text 777"


def test_names_are_text_and_never_markup(visit: Callable[[str], Any]) -> None:
    from dataclasses import replace

    units, (alignment,) = aligned()
    name = "</script><script>document.title='taken'</script><b>"
    units = replace(
        units,
        documents=(name,),
        annotators=(name, "b", "c"),
        categories=(name, *units.categories[1:]),
    )
    browser = visit(
        alignment_html(units, [replace(alignment, document=name, annotators=units.annotators)])
    )
    assert browser.title == "Alignments"
    assert browser.find_element("css selector", ".title").text == name


def test_two_annotators_side_by_side(
    visit: Callable[[str], Any], violations: Callable[[], list[str]]
) -> None:
    units, alignments = aligned(text=True, groups=30)
    browser = visit(alignment_html(units, alignments))
    _press(browser, "s")
    first, second = (
        [m.text for m in version.find_elements("css selector", "mark")]
        for version in browser.find_elements("css selector", ".words .version")
    )
    assert len(first) == int((units.annotator == 0).sum())
    assert len(second) == int((units.annotator == 1).sum())
    members = alignments[0].members
    only_first = int(((members[:, 0] >= 0) & (members[:, 1] < 0)).sum())
    assert _count(browser, ".version:first-child mark.alone") == only_first > 0
    assert violations() == []
    browser.find_element("css selector", "#right-annotator").send_keys("annotator 3")
    settle(browser)
    assert browser.find_elements("css selector", ".version h4")[1].text == "annotator 3"
    _press(browser, "s")
    assert _count(browser, ".words .version") == 0


def test_seven_layers_lie_below_the_words_they_mark(
    visit: Callable[[str], Any], violations: Callable[[], list[str]]
) -> None:
    """Lines are readable; below each, whoever marked something in it has lanes with his name."""
    text = "".join(f"word{k:03} " for k in range(120))
    names = [f"annotator {a}" for a in range(7)]
    # two overlapping units of each in the first line; the last annotator also in the last words
    rows = [("d", a, s, e, c) for a in names for s, e, c in ((8, 31, "x"), (16, 23, "y"))]
    rows.append(("d", names[6], 117 * 8, 117 * 8 + 7, "x"))
    units = accord.Units.from_rows(rows, texts={"d": text}, lengths={"d": len(text)})
    browser = visit(alignment_html(units, accord.align(units)))
    found = browser.execute_script(
        """
        const box = (node) => {
          const b = node.getBoundingClientRect();
          return [b.left, b.right, b.top, b.bottom];
        };
        return [...document.querySelectorAll(".words .line")].map((line) => {
          const said = line.querySelector(".said"), range = document.createRange(), place = (from, to) => {
            const at = said.textContent.indexOf(from);
            if (at < 0) return null;
            range.setStart(said.firstChild, at);
            range.setEnd(said.firstChild, said.textContent.indexOf(to) + to.length);
            return box(range);
          };
          return { text: said.textContent, said: box(said), marked: place("word001", "word003"),
            who: [...line.querySelectorAll(".who")].map((n) => n.textContent),
            colours: [...line.querySelectorAll(".who")].map((n) => getComputedStyle(n).borderRightColor),
            bars: [...line.querySelectorAll(".lane i")].map(box) };
        });
        """
    )
    assert "".join(line["text"] + " " for line in found) == text
    assert len(found) > 1
    assert found[0]["who"] == names
    assert len(set(found[0]["colours"])) == 7
    assert [line["who"] for line in found[1:]] == [[]] * (len(found) - 2) + [[names[6]]]
    bars = found[0]["bars"]
    assert len(bars) == 14
    # below the words, one below the other, at the letters
    assert all(bar[2] >= found[0]["said"][3] - 1 for bar in bars)
    tops = sorted(bar[2] for bar in bars)
    assert all(b - a >= 5 for a, b in pairwise(tops))
    wide = [bar for bar in bars if abs(bar[0] - found[0]["marked"][0]) < 1]
    assert len(wide) == 7
    assert all(abs(bar[1] - found[0]["marked"][1]) < 1 for bar in wide)
    assert max(tops) + 5 <= found[1]["said"][2]
    assert violations() == []


def test_zoomed_text_is_cut_at_words(visit: Callable[[str], Any]) -> None:
    text = "".join(f"word{k:03} " for k in range(60))
    rows = [("d", a, 8 * k, 8 * k + 7, "x") for a in "AB" for k in range(0, 60, 3)]
    units = accord.Units.from_rows(rows, texts={"d": text}, lengths={"d": len(text)})
    browser = visit(alignment_html(units, accord.align(units)))
    seen = set()
    for _ in range(6):
        _press(browser, "+")
        shown = browser.find_elements("css selector", ".plane text.letters")
        if shown:
            words = shown[0].get_attribute("textContent").replace("\u00a0", " ").split()
            assert set(words) <= set(text.split())
            seen.update(words)
    assert len(seen) > 3


def test_without_a_text_versions_are_lists(visit: Callable[[str], Any]) -> None:
    units, alignments = aligned()
    browser = visit(alignment_html(units, alignments))
    assert not browser.find_element("css selector", ".words").is_displayed()
    _press(browser, "s")
    assert _count(browser, ".version:first-child li") == int((units.annotator == 0).sum())


def test_a_recording_is_drawn_and_follows(
    visit: Callable[[str], Any], violations: Callable[[], list[str]], tmp_path: Path
) -> None:
    units, alignments = aligned()
    sound(tmp_path / "heard.wav", [((i // 9000) % 3) / 2 for i in range(1_600_000)], rate=8000)
    page = alignment_html(
        units, alignments, time="s", media=tmp_path / "heard.wav", beside=tmp_path / "page.html"
    )
    browser = visit(page)
    assert browser.find_element("css selector", "audio").is_displayed()
    assert len(browser.find_element("css selector", ".sound").get_attribute("d")) > 1_000
    assert violations() == []
    button = browser.find_element("css selector", ".recording button")
    assert not button.is_enabled()
    _press(browser, "n")
    assert button.is_enabled()
    # the line stands where the recording is: half of 200 seconds is the middle of the drawing
    place = browser.execute_async_script(
        "const done = arguments[0], a = document.querySelector('audio');"
        "a.addEventListener('seeked', () => setTimeout(() => {"
        "  const n = document.querySelector('.needle').getBoundingClientRect();"
        "  const c = document.querySelector('.canvas').getBoundingClientRect();"
        "  done((n.left - c.left - 110) / (c.width - 122)); }, 50), {once: true});"
        "const go = () => { a.currentTime = 100; };"
        "a.readyState ? go() : a.addEventListener('loadedmetadata', go);"
    )
    assert abs(place - 0.5) < 0.01


def test_relations_are_arcs(
    visit: Callable[[str], Any], violations: Callable[[], list[str]], tmp_path: Path
) -> None:
    for who in ("ann", "bob"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "d.txt").write_text("Ann met Bob.\n")
    units = "T1\tPER 0 3\tAnn\nT2\tPER 8 11\tBob\n"
    (tmp_path / "ann" / "d.ann").write_text(units + "R1\tmet Arg1:T1 Arg2:T2\n")
    event = "T3\tMeet 4 7\tmet\nE1\tMeet:T3 Who:T1 Whom:T2\n"
    (tmp_path / "bob" / "d.ann").write_text(units + event)
    data = accord.read(tmp_path, shape="units")
    assert isinstance(data, accord.Units)
    found = accord.align(data)
    browser = visit(alignment_html(data, found))
    titles = browser.execute_script(
        "return [...document.querySelectorAll('.relation title')].map((t) => t.textContent)"
    )
    assert sorted(titles) == ["Meet → Who → PER", "Meet → Whom → PER", "PER → met → PER"]
    assert violations() == []
    browser.find_element("css selector", "#show-relations").click()
    settle(browser)
    assert _count(browser, ".relation") == 0
    _press(browser, "n")
    assert "→ met →" in browser.find_element("css selector", ".details").text
    drawing = alignment_svg(data, found[0])
    assert drawing.count('class="relation"') == 3


def test_a_long_document_opens_where_its_units_begin(visit: Callable[[str], Any]) -> None:
    rows = [("d", who, 5000 + 10 * i, 5006 + 10 * i, "x") for who in "AB" for i in range(200)]
    units = accord.Units.from_rows(rows, lengths={"d": 8000})
    browser = visit(alignment_html(units, accord.align(units)))
    assert _count(browser, ".plane g.unit") > 10
