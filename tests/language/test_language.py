"""French: every sentence that a page, the audit or a terminal shows is in the catalogue."""

from __future__ import annotations

import ast
import html
import json
import random
import re
import shutil
import string
from functools import cache
from pathlib import Path

import pytest

import accord
from accord.data.tables import ratings_from_long
from accord.language import LANGUAGES, catalogue, page_script, translator
from accord.report.headings import heading
from tests import places
from tests.conftest import ROOT
from tests.in_process import commands, run

SOURCE = Path(accord.__file__).parent
GAP = re.compile(r"\{([a-z]\w*)\}")


def campaigns():
    """Data of every shape, with and without moments, documents, order."""
    draw = random.Random(1)
    yield "moods", accord.read(ROOT / "examples" / "moods.csv")
    yield "claims", accord.read(ROOT / "examples" / "claims.csv")
    rows = [
        (f"i{i}", w, str(min(4, max(0, int(draw.gauss(i % 5, 1))))), f"b{i // 20}", f"d{i // 10}")
        for i in range(60)
        for w in "ABCD"
    ]
    item, who, value, time, document = zip(*rows, strict=True)
    yield "numbers", ratings_from_long(item, who, value, times=time, documents=document)
    yield "grades", ratings_from_long(item, who, value, categories=list("01234"))
    noise = [[draw.choice("ab") for _ in range(80)] for _ in range(3)]
    yield "noise", accord.Ratings.from_matrix(noise)
    rare = [["-"] * 94 + list("++++--"), ["-"] * 94 + list("++--++"), ["-"] * 100]
    yield "skew", accord.Ratings.from_matrix(rare)
    cuts = [
        (f"t{d}", w, [a, b - a, 20 - b])
        for d in range(4)
        for w in "ABC"
        for a, b in [(draw.randint(2, 8), draw.randint(10, 17))]
    ]
    yield "cuttings", accord.Segments.from_masses(cuts)
    clusters = {}
    for d in range(4):
        for w in "ABC":
            grouped: dict[int, list[tuple[int, int]]] = {}
            for i in range(0, 20, 2):
                if draw.random() < 0.9:
                    entity = i // 6 if draw.random() < 0.8 else draw.randint(0, 3)
                    grouped.setdefault(entity, []).append((i, i + 1))
            clusters[f"doc{d}", w] = list(grouped.values())
    yield "chains", accord.Chains.from_clusters(clusters)
    linked = [
        (f"d{d}", who, i, draw.choice([i + 1, i + 1, i + 2]), draw.choice("xxy"))
        for d in range(4)
        for who in "ABC"
        for i in range(6)
    ]
    yield "relations", accord.Relations.from_rows(linked)
    drawn = [
        (f"p{d}", who, 10 * i + draw.randint(0, 2), 0, 10 * i + 8, 9, draw.choice("cd"))
        for d in range(5)
        for who in "AB"
        for i in range(3)
    ]
    yield "boxes", accord.Boxes.from_rows(drawn)


@pytest.fixture(scope="module")
def reports():
    return {name: (data, accord.report(data, resamples=20)) for name, data in campaigns()}


@pytest.mark.parametrize("name", [name for name, _ in campaigns()])
def test_no_sentence_of_a_report_is_missing(name, reports):
    data, page = reports[name]
    say = translator("fr", page.names)
    made = say.html(page.html())
    findings = accord.audit(data)
    for finding in findings:
        say(finding.statement), say(finding.advice)
    for skipped in findings.skipped:
        say(skipped.reason)
    assert say.missing == set()
    assert '<html lang="fr">' in made
    assert "Avant de s'y fier" in html.unescape(made) or "Rien" in made


def templates(path, calls):
    """Strings and f-strings given to some calls, with gaps for what is computed."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        for word, given in [
            *((None, a) for a in node.args),
            *((k.arg, k.value) for k in node.keywords),
        ]:
            if word in calls.get(name, ()) and (text := template(given)) is not None:
                yield text


def template(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        gaps = iter(string.ascii_uppercase)
        return "".join(
            v.value if isinstance(v, ast.Constant) else f"⟨{next(gaps)}⟩" for v in node.values
        )
    return None


def test_no_sentence_of_the_audit_is_missing():
    """Read off the code, so that rules which no data of ours trigger are there too."""
    calls = {"Finding": ("statement", "advice"), "Skipped": (None, "reason")}
    found = [t for p in sorted((SOURCE / "audit").glob("*.py")) for t in templates(p, calls)]
    assert len(found) > 60
    say = translator("fr")
    for sentence in found:
        if re.search(r"[^\W\d_]{2,}", re.sub(r"⟨\w⟩", "", sentence)):
            say(sentence)
    # sentences that are put together from parts are covered by the reports above
    composed = {s for s in say.missing if s.count("⟨") >= 1 and (s.startswith("⟨") or "⟩." in s)}
    assert say.missing - composed == set()


def test_no_word_of_the_adjudication_page_is_missing():
    say = translator("fr")
    for path in sorted((SOURCE / "web" / "templates").glob("*.html")):
        page = re.sub(r"\{%.*?%\}|\{\{.*?\}\}", "", path.read_text(encoding="utf-8"), flags=re.S)
        say.html(page)
    assert say.missing == set()


def test_french_says_what_english_says():
    for english, french in catalogue("fr").items():
        assert set(GAP.findall(english)) >= set(GAP.findall(french)), english
        assert french.strip(), english
        # nothing is left in English by mistake
        if " " in english and len(english) > 30:
            assert french != english, english


def test_numbers_get_a_comma():
    say = translator("fr")
    assert say("0.646") == "0,646"
    assert say("[-0.12, 1,234.5]") == "[-0,12\u00a0; 1\u202f234,5]"
    assert say("95%") == "95\u202f%"
    assert say.number("version 0.1.0, m12.3x, a.b, 3.11.7") == "version 0.1.0, m12.3x, a.b, 3.11.7"
    assert say.html("<td>0.5</td><code>0.5</code><script>0.5</script>") == (
        "<td>0,5</td><code>0.5</code><script>0.5</script>"
    )


def test_names_of_the_data_are_left_alone():
    assert translator("fr", {"note"})("note") == "note"
    assert translator("fr")("note") == "remarque"
    data = accord.Ratings.from_matrix([["note", "value"] * 10, ["note", "note"] * 10])
    page = accord.report(data, resamples=20, lang="fr").html()
    assert ">remarque<" not in page.partition('id="categories"')[2].partition("</section>")[0]


def test_an_unknown_language_is_refused():
    assert LANGUAGES == ("en", "fr")
    with pytest.raises(accord.UsageError, match="lang must be one of en, fr, got 'de'"):
        accord.report("examples/moods.csv", lang="de")


def test_english_loads_nothing():
    import subprocess
    import sys

    code = (
        "import accord.language as l, sys\n"
        "assert l.translator('en')('x 0.5') == 'x 0.5'\n"
        "assert l.page_script('en') == ''\n"
        "assert l.catalogue.cache_info().currsize == 0\n"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_commands_speak_french(accord_command, tmp_path):
    moods = ROOT / "examples" / "moods.csv"
    audit = accord_command("audit", moods, "--lang", "fr")
    assert audit.returncode == 0
    assert "prudence" in audit.stdout
    assert "Donner l'intervalle" in audit.stdout
    assert "0,646" in audit.stdout
    told = json.loads(accord_command("audit", moods, "--lang", "fr", "--json").stdout)
    assert all("agreement" not in f["statement"] for f in told["findings"])
    assert told["recommendation"]["sentence"].startswith("L'accord entre 3 annotateurs")
    agree = accord_command("agree", moods, "--lang", "fr")
    assert "Même réponse dans 78 % des comparaisons" in agree.stdout
    target, table = tmp_path / "rapport.html", tmp_path / "accord.tex"
    done = accord_command(
        "report", moods, "-o", target, "--latex", table, "--lang", "fr", "--resamples", "50"
    )
    assert done.returncode == 0, done.stderr
    assert "Pires désaccords" in target.read_text(encoding="utf-8")
    text = table.read_text(encoding="utf-8")
    assert r"$\alpha$ de Krippendorff & 0,646" in text
    assert "Accord entre 3 annotateurs." in text


#: what --lang fr is asked for in a terminal; every command is there at least once
TERMINAL = (
    "agree examples/moods.csv --by category,annotator,pair,item --measure alpha,fleiss,ac1",
    "agree examples/moods.csv --threshold .667",
    "agree examples/claims.csv --by category,document,annotator,pair",
    "agree examples/claims.csv --measure gamma,gamma-k --by document --samples 5",
    "agree scores.csv --by annotator,pair",
    "agree cuttings.csv --by document,pair",
    "agree examples/key.conll examples/response.conll --by document,pair,annotator",
    "agree links.csv --by label,errors,document,annotator,pair",
    "agree links.csv --measure relation-f1,relation-alpha,relation-cat",
    "agree boxes.csv --by label,errors,document,annotator,pair",
    "agree boxes.csv --measure box-f1,box-cat",
    "align examples/claims.csv",
    "align links.csv",
    "align boxes.csv",
    "align examples/key.conll examples/response.conll",
    "alt-test judges.csv system-a.csv",
    "alt-test judges.csv system-a.csv system-b.csv --epsilon 0.1",
    "audit examples/moods.csv",
    "audit examples/claims.csv",
    "audit links.csv",
    "audit boxes.csv",
    "convert examples/key.conll key.json",
    "decisions campaign.db --import decided.csv --export all.csv",
    "decisions campaign.db --import decided.csv --check examples/moods.csv",
    "discuss examples/moods.csv -o meeting",
    "distribute examples/claims.csv --by document",
    "falsify b3 --max-n 4",
    "falsify nvi pk --max-n 4 --max-n-triples 4",
    "falsify muc --max-n 3 --max-n-triples 3 --svg example.svg",
    "falsify bridging --max-n 2 --max-n-triples 2",
    "falsify --table --max-n 3 --max-n-triples 3",
    "gold examples/moods.csv",
    "gold examples/moods.csv --method dawid-skene",
    "gold examples/moods.csv --method mace --soft",
    "gold labels.csv --groups age -o groups.csv",
    "gold examples/claims.csv",
    "gold examples/claims.csv -o reference.csv --worklist todo.csv",
    "gold links.csv",
    "gold boxes.csv",
    "inspect examples/moods.csv",
    "inspect examples/claims.csv",
    "inspect scores.csv",
    "inspect links.csv",
    "inspect boxes.csv",
    "inspect cuttings.csv",
    "inspect copy.csv",
    "inspect examples/key.conll",
    "judge labels.csv --judge gpt,llama --positive yes --width 0.1",
    "limits scores.csv --others",
    "limits scores.csv",
    "measures",
    "measures gamma",
    "measures ser",
    "prefer judgements.csv --column winner=choice",
    "rank judges.csv system-a.csv system-b.csv --paired --resamples 20",
    "rank crowd.csv --systems H --resamples 20",
    "rank examples/claims.csv copy.csv --resamples 20",
    "report examples/moods.csv --resamples 20 --tables tables --latex paper.tex",
    "report examples/claims.csv --resamples 20 --measure gamma,gamma-k",
    "reproduce",
    "report single.csv --resamples 20",
    "score copy.csv examples/claims.csv --system-annotator Ben --by errors",
    "score examples/key.conll examples/response.conll --by document,error",
    "score reference.csv system.csv --by category,confusion",
    "score reference.csv system.csv --measure accuracy,cross-entropy",
    "score judges.csv system-a.csv system-b.csv",
    "simulate chains --repetitions 2",
    "simulate chains --like examples/key.conll --repetitions 2",
    "simulate grid examples/moods.csv --campaigns 1 --steps 2 --value 0.6",
    "simulate grid examples/claims.csv --campaigns 1 --steps 2 --value 0.01 --samples 3",
    "simulate grid --delta 2 --campaigns 1 --steps 2 --value 0.5 --degradation shift,omission",
    "simulate damage --degradation shift --level 1.2 -o shifted.csv",
    "simulate measures examples/moods.csv --campaigns 1 --steps 2",
    "simulate prevalence --at 0.5,0.01",
    "simulate reliability scores.csv",
    "simulate reliability scores.csv --nested",
    "simulate size --width 0.3 --campaigns 20",
    "simulate size examples/moods.csv --threshold 0.5 --campaigns 20",
    "simulate size --costs 2,1 --width 0.4 --campaigns 20",
)
#: words of the data, of options and of commands that are to be typed
ALLOWED = {
    *("neutral", "negative", "positive", "yes", "trees", "key", "response", "copy", "boxes"),
    *("data", "reference", "system", "majority", "move", "prevalence", "old"),
}
#: signatures, paths, names cut in the middle, citations, what may be chosen or typed
VERBATIM = "|".join(
    (
        r"\[[^\[\]]*?\|.*?\]",
        # (a signature, and the end of its version where a line is full)
        r"\S+\|\S+(\s+\S+\|\S+)*(\s+[\d.]+\s*$)?",
        r"\S+/\S+",
        r"\S*…\S*",
        r"^source .*?(?=^  --)",
        r"Parmi .*?\.",
        r"Par défaut: .*?\.",
        r"--by\s+\w+",
    )
)
#: those that do not end
ENDLESS = {"serve"}


def every_command(group=None, path=()):
    """The words of each command, and the command."""
    group = group or commands()
    for name, found in group.commands.items():
        if hasattr(found, "commands"):
            yield from every_command(found, (*path, name))
        else:
            yield (*path, name), found


def test_every_command_speaks_every_language():
    """A new command has --lang and --quiet, and is tried in French below."""
    tried = [tuple(line.split()) for line in TERMINAL]
    for words, command in every_command():
        options = {o for p in command.params for o in getattr(p, "opts", ())}
        assert {"--lang", "--quiet"} <= options, words
        assert words[0] in ENDLESS or any(line[: len(words)] == words for line in tried), words


@cache
def english_words():
    """Words of our English sentences that no French sentence of ours has."""
    known = catalogue("fr")
    ours, theirs = (
        {w for side in sides for w in re.findall(r"[a-z]{3,}", GAP.sub("", side).lower())}
        for sides in (known, known.values())
    )
    from accord.registry import enrolled

    named = {w for m in enrolled() for w in re.findall("[a-z]+", m.name)}
    return ours - theirs - named


@pytest.fixture(scope="module")
def campaign_folder(tmp_path_factory):
    """Data of every shape and for every command."""
    folder = tmp_path_factory.mktemp("campaign")
    shutil.copytree(ROOT / "examples", folder / "examples")
    places.evaluation(folder)
    places.preferences(folder)
    places.numbers(folder / "scores.csv")
    places.judged(folder / "labels.csv", ("Ana", "Ben", "Cleo", "gpt", "llama"), labelled=40)
    cuts = [
        [f"d{d}", who, masses] for d in range(4) for who, masses in (("A", "5 5 6"), ("B", "5 6 5"))
    ]
    places.write_rows(folder / "cuttings.csv", ["document", "annotator", "masses"], *cuts)
    draw = random.Random(3)
    links = [
        [f"d{d}", who, i, draw.choice([i + 1, i + 1, i + 2]), draw.choice("xxy")]
        for d in range(4)
        for who in "AB"
        for i in range(6)
    ]
    columns = ["document", "annotator", "source", "target", "label"]
    places.write_rows(folder / "links.csv", columns, *links)
    shapes = [
        [f"p{d}", who, 10 * i + draw.randint(0, 2), 0, 10 * i + 8, 9, draw.choice("cd")]
        for d in range(5)
        for who in "AB"
        for i in range(3)
    ]
    columns = ["document", "annotator", "x0", "y0", "x1", "y1", "label"]
    places.write_rows(folder / "boxes.csv", columns, *shapes)
    places.write_rows(
        folder / "decided.csv", ["item", "value", "who", "why", "when"],
        ["m01", "neutral", "ann", "", "2026-01-01T00:00:00Z"],
    )  # fmt: skip
    crowd = [
        [f"i{i}", who, "x" if draw.random() < 0.8 else "y"] for i in range(60) for who in "ABCDEFGH"
    ]
    places.write_rows(folder / "crowd.csv", ["item", "annotator", "value"], *crowd)
    columns = ["document", "annotator", "start", "end", "label"]
    alone = [["d", who, 10 * i, 10 * i + 6 + (who == "B"), "x"] for i in range(4) for who in "AB"]
    places.write_rows(folder / "single.csv", columns, *alone)
    units = accord.read(folder / "examples" / "claims.csv")
    one = units.select(annotators=units.annotators[:1])
    accord.write(one, folder / "copy.csv")
    return folder


def test_words_of_ours_among_those_of_the_data(campaign_folder, monkeypatch):
    monkeypatch.chdir(campaign_folder)
    monkeypatch.setenv("COLUMNS", "80")
    for line, expected in (
        ("inspect boxes.csv", "lu comme boîtes ; 5 documents, 2 annotateurs"),
        ("inspect copy.csv", "3 documents, 1 annotateur,"),
        ("inspect cuttings.csv", "frontière 16"),
        ("agree crowd.csv --by confusion", "autre  valeur  autre valeur"),
        (
            "rank crowd.csv --systems G,H --resamples 20 --verbose",
            "systèmes deux à deux\u00a0: a = G, b = H",
        ),
        ("report single.csv --resamples 20 -o single.html", "gamma = 0,"),
    ):
        code, out, told, _ = run(f"accord {line} --lang fr")
        assert code == 0, told
        assert expected in out, out
    # how often an annotator marks what is real, and what is not
    assert [translator("fr")(heading(word)) for word in ("finds", "invents")] == [
        "marque ce qui y est",
        "marque ce qui n'y est pas",
    ]


def test_the_sentence_on_a_judge_agrees_with_its_noun():
    say = translator("fr", ["yes"])
    end = "(95% CI [2.798, 2.820], human estimate from 10 items labelled by people and 20 by s1)"
    test = "; the alternative annotator test gave ω = 1.00 at ε = 0.2 (smallest passing ε 0.015)."
    for last in (".", test):
        assert say(f"The mean was 2.809 {end}{last}").startswith("La moyenne est de 2,809 (IC à")
        assert say(f"The rate of yes was 0.809 {end}{last}").startswith("Le taux de yes est de")
        assert "estimation humaine" in say(f"The mean was 2.809 {end}{last}")
    assert say.missing == set()


def test_names_that_are_not_all_told():
    say = translator("fr", ["LOC"])
    names = ", ".join(repr(f"NAME-{k}") for k in range(8))
    french = say(
        f"3 of 9 categories have fewer than 10 units: {names} and 3 more. How far annotators agree on "
        "them cannot be known from these data."
    )
    assert "«\u00a0NAME-7\u00a0» et 3 de plus. On ne peut" in french
    assert say(f"ignored, not brat exports: {names} and 3 more").endswith("et 3 de plus")


@pytest.mark.parametrize("line", TERMINAL)
def test_a_terminal_speaks_french(line, campaign_folder, tmp_path, monkeypatch):
    from accord.registry import enrolled

    shutil.copytree(campaign_folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    code, out, told, who = run(f"accord {line} --lang fr")
    assert code == 0, told
    assert who is not None
    # names of measures and of groups head columns
    assert who.missing <= {m.name for m in enrolled()} | {"young", "old"}
    out = out.partition("La description qui suit")[0]
    # what to type next is typed as it stands
    out = "\n".join(row for row in out.splitlines() if not row.startswith("  accord "))
    # signatures and names of files are what they are
    shown = re.sub(VERBATIM, "", f"{out}\n{told}", flags=re.S | re.M)
    assert not re.search(r"(?<![\w|:.§-])\d*\.\d+(?![\w|.])", shown)
    words = set(re.findall(r"(?<![\w.–-])[a-zà-ÿ]{3,}(?![\w.-])", shown.lower()))
    assert words & english_words() - ALLOWED == set()
    assert max(map(len, out.splitlines()), default=0) <= 80


def test_the_page_script_holds_the_catalogue():
    script = page_script("fr", {"</script>"})
    assert "</script>" not in script
    assert '"measure":"mesure"' in script


def test_latex_is_safe():
    from accord.report.latex import tex

    nasty = accord.Ratings.from_matrix([["a_b & c%", "x"] * 10, ["a_b & c%", "a_b & c%"] * 10])
    text = accord.report(nasty, resamples=20).latex()
    assert r"a\_b \& c\%" in text
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 2
    assert tex("\\") == r"\textbackslash{}"


def test_a_gap_does_not_swallow_the_next_sentence():
    said = translator("fr")(
        "The dashed line is the value of the whole corpus. The 30 documents that agree least are drawn, "
        "of 200. One document alone has no interval: documents are what is resampled."
    )
    assert said.startswith("La ligne pointillée est la valeur du corpus entier. Les 30 documents")
    assert "is" not in said.split()
