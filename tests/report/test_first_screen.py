"""First screens: what was read, the answer, who and what stands out, what to type next."""

import csv
import json
import re
from html import unescape

import pytest

import accord
from accord.report.aligned import aligned
from accord.report.first_screen import boundaries, first_screen, value_line
from accord.report.places import tally
from accord.result import Interval, Result
from accord.study.verdict import verdict
from tests.conftest import ROOT
from tests.in_process import run

#: words of the code, or of one paper, that no first screen has
PRIVATE = re.compile(
    r"\b(gap|0, proven|unitary alignments?|finds|invents|gain|borders?|cards?|seen|matter|atoms?"
    r"|scaffolding|ideal|urn|specific agreement|D|told|Algorithm 1)\b"
)
SAMPLES = ROOT / "tests" / "samples"


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory):
    """A file of every shape."""
    folder = tmp_path_factory.mktemp("campaigns")

    def written(name, header, rows):
        with (folder / name).open("w", newline="") as file:
            csv.writer(file).writerows([header, *rows])
        return folder / name

    cuts = [(f"t{d}", w, f"{5 + d} {7 - a} {8 + a}") for d in range(4) for a, w in enumerate("AB")]
    drawn = [
        (f"p{d}.png", w, 20 * i + a * (i % 2), 0, 20 * i + 9, 9, "cd"[i % 2])
        for d in range(4)
        for a, w in enumerate("AB")
        for i in range(3)
    ]
    entities = {"A": [[[0, 1], [4, 5]], [[8, 9], [12, 13]]], "B": [[[0, 1], [8, 9]], [[4, 5]]]}
    chains = folder / "chains.json"
    chains.write_text(json.dumps({"documents": {f"t{d}": entities for d in range(3)}}))
    return {
        "ratings": ROOT / "examples" / "moods.csv",
        "few ratings": SAMPLES / "csv" / "long.csv",
        "units": ROOT / "examples" / "claims.csv",
        "exported units": SAMPLES / "brat",
        "segments": written("cuts.csv", ("document", "annotator", "masses"), cuts),
        "boxes": written(
            "boxes.csv", ("document", "annotator", *("x0", "y0", "x1", "y1"), "label"), drawn
        ),
        "chains": chains,
    }


NAMES = ("ratings", "few ratings", "units", "exported units", "segments", "boxes", "chains")


ALIGNED = ("units", "exported units", "boxes")
COMMANDS = {
    "agree": NAMES,
    "align": ALIGNED,
    "audit": ("ratings", "few ratings", "units", "segments"),
    "gold": ("ratings", "few ratings", *ALIGNED),
}
LABELS = ROOT / "examples" / "labels.csv"
COMPARISONS = {
    "score": f"score {LABELS} --systems gpt",
    "score of chains": f"score {ROOT / 'examples' / 'key.conll'} {ROOT / 'examples' / 'response.conll'}",
    "scores": f"score {LABELS} --systems gpt,llama",
    "allowed": f"score {LABELS} --annotators Ana --systems gpt --measure kappa --allow-agreement",
    "rank": f"rank {LABELS} --systems gpt,llama",
    "judge": f"judge {LABELS} --judge gpt --without llama",
}


def screen(line, lang, folder, monkeypatch):
    """The lines of a first screen, which fit a terminal, and the commands at their end, which run."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(folder)
    code, shown, told, _ = run(f"accord {line} --lang {lang}")
    assert code == 0, told
    lines = shown.splitlines()
    steps = [line for line in lines if line.startswith("  accord ")]
    assert len(lines) <= 24
    assert all(len(line) <= 80 for line in lines if line not in steps)
    assert lines[-len(steps) - 1] == {"en": "next:", "fr": "ensuite\N{NO-BREAK SPACE}:"}[lang]
    assert steps
    assert not PRIVATE.search(shown), PRIVATE.findall(shown)
    if lang == "en":
        for step in steps:
            # (a server runs until it is stopped)
            assert step.strip().startswith("accord serve") or run(step.strip())[0] == 0, step
    return lines


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(
    ("command", "name"), [(c, n) for c, names in COMMANDS.items() for n in names]
)
def test_a_first_screen_fits_and_says_what_to_type_next(
    command, name, lang, campaigns, tmp_path, monkeypatch
):
    lines = screen(f"{command} {campaigns[name]}", lang, tmp_path, monkeypatch)
    # what was read, then the answer
    answer = lines[lines.index("") + 1]
    assert lines[0].startswith(str(campaigns[name]))
    assert (" = " if command in ("agree", "audit") else "") in answer
    assert re.search(r"\d", answer)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("line", COMPARISONS.values(), ids=COMPARISONS)
def test_a_comparison_fits_a_screen_too(line, lang, tmp_path, monkeypatch):
    screen(line, lang, tmp_path, monkeypatch)


def test_a_score_names_its_most_frequent_error():
    shown = run(f"accord score {LABELS} --systems gpt")[1]
    assert "most frequent error  no → yes (25)" in shown
    # what the judges tie on is no label
    assert "(tie)" not in shown


def test_the_steps_repeat_how_the_data_were_read_and_measured(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    moods = ROOT / "examples" / "moods.csv"
    typed = f"{moods} --without Cleo --measure weighted-kappa --weights linear --ordered"
    shown = run(f"accord agree {typed} --categories negative,neutral,positive")[1]
    step = next(line for line in shown.splitlines() if "--by item" in line)
    for option in ("--without Cleo", "--measure weighted-kappa", "--weights linear", "--ordered"):
        assert option in step
    assert run(step.strip())[0] == 0


def test_everything_else_is_shown_when_it_is_asked_for():
    moods = ROOT / "examples" / "moods.csv"
    brief, whole = (run(f"accord agree {moods} {how}")[1] for how in ("", "--verbose"))
    for figure in ("0.2167", "was chosen because"):
        assert figure in whole
        assert figure not in brief
    assert "next:" not in run(f"accord agree {moods} --quiet")[1]


def test_several_measures_are_a_table():
    shown = run(f"accord agree {ROOT / 'examples' / 'moods.csv'} --measure alpha,fleiss")[1]
    assert "0.6458" in shown
    assert "weakest pair" not in shown


def test_who_and_what_stands_out_of_ratings():
    rows = [
        ["a", "a", "b", "b", "c", "a", "b", "c"],
        ["a", "a", "b", "b", "c", "a", "b", "c"],
        ["a", "b", "a", "b", "c", "b", "a", "a"],
    ]
    data = accord.Ratings.from_matrix(rows, annotators=["Ana", "Ben", "Zoe"])
    facts = dict(first_screen(data, accord.agree(data, "alpha"), {}).facts)
    assert facts["weakest pair"].startswith("Ana, Zoe (")
    assert facts["weakest pair"].endswith("strongest: Ana, Ben (1.00)")
    assert facts["most confused"] == "a / b (4 items)"
    assert "Zoe" in facts["most disputed"]


UNITS = [
    # the same; other boundaries; another label; alone
    *[("d", w, 0, 10, "x") for w in "AB"],
    *[("d", "A", 20, 30, "x"), ("d", "B", 20, 31, "x")],
    *[("d", "A", 40, 50, "x"), ("d", "B", 40, 50, "y")],
    ("d", "A", 90, 95, "x"),
]


def test_places_are_counted_by_what_people_did_there():
    data = accord.Units.from_rows(UNITS)
    places = tally(data, aligned(data, {}))
    assert (places.identical, places.moved, places.renamed, places.single) == (1, 1, 1, 1)
    assert places.alone == {"A": (1, 4), "B": (0, 3)}
    assert list(places.people()) == [("most often alone", "A (1 of 4)")]
    assert places.sentence() == (
        "4 places marked: 1 identical, 1 with the same label but other boundaries, "
        "1 with another label, 1 by one person only."
    )


def test_a_place_is_identical_when_all_who_marked_it_say_the_same():
    rows = [("d", w, 0, 10, "x") for w in "AB"] + [("d", w, 50, 60, "x") for w in "ABC"]
    data = accord.Units.from_rows(rows)
    assert tally(data, aligned(data, {})).identical == 2


def test_relations_and_boundaries_are_counted_too():
    rows = [("d", w, i, i + 1 + (w == "B" and i == 3), "x") for w in "AB" for i in range(6)]
    data = accord.Relations.from_rows(rows)
    said = first_screen(data, accord.agree(data), {}).meaning[0]
    assert said.startswith("6 relations marked: 5 identical, 1 with the same label but other ends")
    cuts = [("d", "A", [2, 3, 5]), ("d", "B", [2, 8]), ("d", "C", [2, 3, 5])]
    assert boundaries(accord.Segments.from_masses(cuts)) == (
        "2 places have a boundary: 1 of everybody, 1 of some people, 0 of one person only."
    )


@pytest.mark.parametrize(
    ("value", "limits", "said"),
    [
        (-0.1, (-0.3, 0.1), "less than chance"),
        (0.1, (-0.1, 0.3), "includes 0:"),
        (0.5, (0.4, 0.6), "below 0.667"),
        (0.65, (0.5, 0.7), "includes 0.667"),
        (0.7, (0.68, 0.75), "between 0.667 and 0.8"),
        (0.8, (0.7, 0.85), "includes 0.8"),
        (0.9, (0.85, 0.95), "above 0.8"),
        (0.5, None, "below 0.667"),
        (0.7, None, "above 0.667, but there is no interval"),
        (0.9, None, "above 0.8, but there is no interval"),
    ],
)
def test_the_verdict_is_that_of_the_whole_interval(value, limits, said):
    made = limits and Interval(*limits, 0.95, "dirichlet:item")
    assert said in verdict(Result(measure="alpha", value=value, interval=made))
    borrowed = verdict(Result(measure="gamma", value=value, interval=made))
    assert ("none exists for γ" in borrowed) == ("0.667" in said or "0.8" in said)
    assert not verdict(Result(measure="percent", value=value, interval=made))


def test_a_value_has_the_digits_that_its_interval_bears():
    def line(low, high):
        made = Interval(low, high, 0.9, "jackknife:document")
        return value_line(Result(measure="gamma", value=0.59213, interval=made))

    assert line(0.4, 0.7) == "γ = 0.59   90 % interval 0.40 to 0.70"
    assert line(0.5911, 0.5931) == "γ = 0.5921   90 % interval 0.5911 to 0.5931"


def test_what_is_rare_is_not_called_the_weakest():
    rows = [
        ("d", w, 20 * i, 20 * i + (5 if i >= 6 and w == "B" else 9), "x" if i < 6 else "y")
        for w in "AB"
        for i in range(12)
    ]
    rare = [("d", "A", 300, 309, "rare"), ("d", "B", 400, 409, "rare")]
    data = accord.Units.from_rows(rows + rare)
    facts = dict(first_screen(data, accord.agree(data), {}).facts)
    assert facts["weakest label"].startswith("y (")


def test_a_breakdown_shows_first_where_people_differ(tmp_path):
    table = tmp_path / "votes.csv"
    votes = ["aaab", "abbb", "bbba", "aabb", "aaaa", "bbbb"]
    rows = [f"i{i},{w},{v[k]}" for i, v in enumerate(votes) for k, w in enumerate("WXYZ")]
    table.write_text("item,annotator,value\n" + "\n".join(rows))
    pairs = _rows(run(f"accord agree {table} --by pair --quiet")[1], "first ")
    values = [float(row.split()[2]) for row in pairs]
    assert values == sorted(values)
    met = _rows(run(f"accord agree {table} --by coincidence --quiet")[1], "first ")
    apart = [row.split()[0] != row.split()[1] for row in met]
    assert apart == sorted(apart, reverse=True)


def _rows(shown, heading):
    """The lines of a table below its heading."""
    lines = shown.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(heading)) + 1
    return [line for line in lines[start:] if line.strip()]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", ["ratings", "units"])
def test_the_top_of_the_report_says_the_same(name, lang, campaigns, monkeypatch):
    monkeypatch.setenv("COLUMNS", "500")
    lines = run(f"accord agree {campaigns[name]} --lang {lang}")[1].splitlines()
    page = accord.report(accord.read(campaigns[name]), lang=lang).html()
    top = unescape(page[page.index('id="agreement"') : page.index('id="findings"')])
    plain = " ".join(re.sub(r"<[^>]*>", " ", top).split())
    answer = lines.index("") + 1
    facts = lines.index("", answer) + 1
    for line in lines[answer + 1 : facts - 1]:
        assert " ".join(line.split()) in plain
    for line in lines[facts : lines.index("", facts)]:
        assert " ".join(line.split()) in plain


def test_a_finding_on_the_page_has_no_raw_figures():
    page = accord.report(accord.read(ROOT / "examples" / "moods.csv"), resamples=50)
    findings = page.html().partition('id="findings"')[2].partition("</section>")[0]
    assert "few-pairable" not in findings
    assert "<span>" not in findings
    assert "evidence" in page.tables["findings"].columns
