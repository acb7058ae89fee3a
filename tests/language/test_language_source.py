"""French, seen from the source: what a result, a note or a warning may say is in the catalogue.

The tests of the language run commands and read what they print. A warning for data that no test has would
stay English: here every sentence that the library writes is looked up, whether or not a test meets it.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import accord
from accord.language import translator

SOURCE = Path(accord.__file__).parent
#: packages whose sentences reach a reader through a result, a reference or a ranking
TOLD = (
    *("measures", "uncertainty", "study", "evaluation", "gold"),
    *("reading", "large", "formats", "files", "data"),
)
#: modules whose sentences are those of errors, or whose texts are lists of names
REFUSALS = (
    "unreadable.py",
    "records.py",
    "box_checks.py",
    "nesting.py",
    "columns.py",
    "schema.py",
    "fragments.py",
    "values.py",
)
#: what a check is told that it looks at, for its error
LOOKED_AT = re.compile(r"(the|an?) [a-z ]+ of (an?|the) [a-z]+|what (a|an) [a-z]+ is (to|about)")
#: said to who writes a program, or not said at all: the sentences of errors, and what a record declares
DECLARED = {"citation", "use", "title", "help", "hint", "question", "doc", "metavar", "reference"}
SAID = {"problem", "hint"}
YEAR = re.compile(r"\b1[89]\d\d\b|\b20\d\d\b")
#: an option in the words of Python, as sentences name it
OPTION = re.compile(r"`[^`]*`")


def sentence(node: ast.expr) -> str | None:
    """The text of a string; gaps are filled with a number."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    elif isinstance(node, ast.JoinedStr):
        text = "".join(v.value if isinstance(v, ast.Constant) else "7" for v in node.values)
    else:
        return None
    return text.strip()


def _not_told(tree: ast.AST) -> Iterator[int]:
    """Docstrings, what is raised, what records declare, and the parts of longer sentences."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr):
                yield id(first.value)
        if isinstance(node, ast.Raise):
            yield from map(id, ast.walk(node))
        # the sentence of an error that is put into words the line before
        if isinstance(node, ast.Assign) and {getattr(t, "id", "") for t in node.targets} <= SAID:
            yield from map(id, ast.walk(node.value))
        if isinstance(node, ast.Call):
            name = (
                node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            )
            if name.endswith("Error") or name in {
                "Option",
                "Choice",
                "execute",
                "einsum",
                "needed",
                "refuse",
            }:
                yield from map(id, ast.walk(node))
        if isinstance(node, ast.keyword) and node.arg in DECLARED:
            yield from map(id, ast.walk(node.value))
        if isinstance(node, ast.JoinedStr):
            yield from (id(part) for part in ast.walk(node) if part is not node)


def sentences(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = set(_not_told(tree))
    found = []
    for node in ast.walk(tree):
        if id(node) in silent or not isinstance(node, ast.expr):
            continue
        text = sentence(node)
        if text is None or "\n" in text or "|" in text or text.startswith("<") or YEAR.search(text):
            continue
        words = OPTION.sub("", text)
        if len(re.findall(r"[a-z]{2,}", words)) >= 4 and "{" not in words and "_" not in words:
            found.append(text)
    return found


#: halves of sentences that are in the catalogue as a whole, and what is said in errors or to who programs
ELSEWHERE = {
    "7, so that CoNLL cannot exceed 2/3",
    "head and partial matching",
    "kept a loop after 1 000 tries",
    "scores a system against a reference",
    "use conll, lea or b3",
    "use f1, overlap-f1 or ser",
    "; --option takes near misses as one",
    "7 of 7 mentions were marked by one annotator only and are left out7; --option unmatched lists them",
    "7 random sets of an annotator's relations 7",
    "7; another random seed would move the value by about 7",
    "7: the minimum is over the other chance models",
    "7only sums over the 7s are known: use 7",
    "7this measure keeps no sample to resample",
    "Mean over pairs of annotators of 7, with the table of pairs.",
    "ends past the end of its document",
    "measures the agreement among annotators",
    "repeated a pair of units: there are too few of them",
    "some alignments may not be the best (at most 7 of the disorder): 7; a longer --option "
    "may prove them",
    "the confusion of two annotators",
    "the reference's 7 there are missed",
    "the sizes 7are not known: chance takes the shapes of other images as they are, not scaled to one size; "
    "give them with --option",
    "the system's 7 there are spurious",
    "use accuracy, observed-agreement (the raw part of it) and baseline; with several judges "
    "weighted-accuracy, accord rank or accord alt-test",
    "use windowdiff, ghd or boundary-similarity",
    "with proofs the value would be 7 as well",
    "with proofs the value would be between 7 and 7",
    "7 7: winning rate 7 over 7 annotators (ε = 7), advantage 7",
    "there is no system; give its file, or name it among the annotators with --option",
    # halves of notes on what was read
    "the files hold different texts: each is taken as a document of one annotator,",
    "have length zero: no token carries them",
    "overlap another of the same annotator that is longer or first: a token has one tag",
    "begin before their document",
    "7 7 is called 7, after the file",
    "document(s) are 7; read as they are",
    "write a coverage table as well",
    "7 images annotated without any shape: 7",
    "7 documents annotated without any unit: 7",
    "7 documents annotated without any relation: 7",
    "7 documents annotated without any mention: 7",
    ", and the byte-order mark was left out",
    "nothing says who saw what: 7 7 no 7 (7)",
    "nothing says who saw what: 7 7 no 7 where the others marked three or more (7)",
    # said in errors on what was read
    "a symbolic link that leads out of the folder",
    "a symbolic link that leads in a circle",
    "a symbolic link that leads nowhere",
    "no file but a device or a pipe",
    "points of the timeline",
    "it has no features",
    "starts before the text",
    "cuts a character in two",
    "ends past the end of the text, which has 7 characters",
    "ends before it starts",
    "7 7 of annotator 7 in image 7",
    "the relation 7 → 7 7 of annotator 7 in document 7",
    "has an offset that is not a number",
    "swap the two offsets",
    "a unit has a length: correct it or drop the row",
    "the unit [7, 7) 7 of annotator 7 in document 7",
    "drop it, or pass --option",
    "ends past its document's end",
    "check the document's length",
    "has a label that is not among the declared categories",
    "check the network, the address and the keys of this machine, or use a copy of the table",
    "check the network, the address and the keys of this machine; DuckDB fetches its extension httpfs the "
    "first time (--option): use --option, or a copy of the table",
    # words that files hold
    "/sys/fs/cgroup/memory.max",
    "eid-etype-head-other",
    "ooTextFile short",
    "ms msec millisecond milliseconds",
    "char chars character characters",
    "token tokens word words",
    "number long, content binary",
    "custom.SpanArgumentsLink",
    "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type",
}  # fmt: skip


@pytest.mark.parametrize("package", TOLD)
def test_what_is_told_is_in_the_catalogue(package):
    say = translator("fr")
    missing = []
    for path in sorted((SOURCE / package).rglob("*.py")):
        if path.name in REFUSALS:
            continue
        for text in sentences(path):
            in_terminal = OPTION.sub("--option", text)
            if in_terminal in ELSEWHERE or LOOKED_AT.fullmatch(text) or "://" in text:
                continue
            # what was left out is counted, and what is wrong with a file stands after its name
            said = (text, in_terminal, f"7 {in_terminal}", f"7: {in_terminal}")
            if all(say(english) == english for english in said):
                missing.append(f"{path.relative_to(SOURCE)}: {in_terminal}")
    assert missing == []


def test_nothing_is_excused_that_is_not_said():
    said = {
        OPTION.sub("--option", text)
        for package in TOLD
        for path in (SOURCE / package).rglob("*.py")
        for text in sentences(path)
    }
    assert said >= ELSEWHERE


def test_halves_are_translated_together():
    say = translator("fr")
    for english in (
        "some alignments may not be the best (at most 3.5% of the disorder): with proofs the "
        "value would be between 0.361 and 0.372; a longer --time-limit may prove them",
        "12 of 40 mentions were marked by one annotator only and are left out; --by unmatched lists them",
        "12 of 40 mentions were marked by one annotator only and are left out; --mentions (near) takes near "
        "misses as one; --by unmatched lists them",
        "3 random sets of an annotator's relations kept a loop after 1 000 tries",
        "no interval: only sums over the items are known: use --ci analytic",
        "no interval: it needs at least two documents",
        "2 of 9 documents have nothing in the system (d1, d2): the reference's units there are missed",
        "'gold' is the reference",
        "'gold', 'ref' are references",
        "1 discontinuous unit(s) are read as one unit per fragment",
        "nothing says who saw what: 12 of 60 pairs of document and annotator have no unit where the others "
        "marked three or more (A in 'd1')",
        "entities of one name in several documents are apart (2 names)",
        "all rows give probabilities; single answers are their value",
        "3 documents annotated without any unit: write a coverage table as well",
        "the label of layer 'Named' is its feature 'value'",
        "read back, the gaps in 1 discontinuous unit(s) are not kept",
        "the files hold different texts: each is taken as a document of one annotator, 'a' (rename with "
        "--annotator)",
    ):
        french = say(english)
        assert french != english
        assert not re.search(r"\b(the|of|are|is|with|needs|takes|documents have)\b", french), french
    assert say.missing == set()


def _evidence_keys() -> set[str]:
    """The names under which findings give their figures, wherever the audit writes them."""
    from accord.measures.ratings import diagnostics

    trees = [ast.parse(path.read_text("utf-8")) for path in (SOURCE / "audit").glob("*.py")]
    trees.append(ast.parse(Path(diagnostics.__file__).read_text("utf-8")))
    found = {
        key.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }
    # names of measures, and the parts of a finding itself
    return found - {"b3", "blanc", "ceaf-e", "conll", "lea", "muc", "severity", "advice", "citation",
                    "rule", "statement", "caution", "note", "serious"}  # fmt: skip


def test_figures_of_findings_have_french_names():
    say = translator("fr")
    known = {
        key for key in _evidence_keys() if say(f"{key.replace('_', ' ')}:").endswith("\u00a0:")
    }
    assert sorted(_evidence_keys() - known) == []
    assert say("kappa max:") == "kappa maximal\u00a0:"
    assert len(known) > 60


def test_names_in_french_sentences_stand_in_french_quotation_marks():
    say = translator("fr")
    assert (
        say("2 items tie: 'm22', 'm38'")
        == "2 items sont à égalité : «\u00a0m22\u00a0», «\u00a0m38\u00a0»"
    )
    # an apostrophe is no quotation mark
    assert "«" not in say("documents are what is resampled. One document alone has no interval")


def test_titles_of_formats_are_translated():
    say = translator("fr")
    titles = {
        title
        for path in (SOURCE / "formats").rglob("*.py")
        for title in re.findall(r'title="([^"]+)"', path.read_text("utf-8"))
    }
    # a name and what its files end with; nothing to translate
    names = {"BioC (XML, JSON)", "COCO JSON", "CVAT XML", "ELAN (.eaf)", "GATE XML", "Praat TextGrid",
             "TCF (WebLicht)", "TEI standOff", "WebAnno TSV 3 (WebAnno, INCEpTION)", "XCES",
             "tagtog (ann.json)"}  # fmt: skip
    assert {title for title in titles if say(title) == title} == names


def test_labels_of_the_data_stay_what_they_are(accord_command):
    labels = Path(__file__).parents[2] / "examples" / "labels.csv"
    done = accord_command("judge", labels, "--judge", "gpt,llama", "--lang", "fr")
    assert "taux de yes, selon le juge seul" in done.stdout
    assert "par post-stratification" in done.stdout
    assert "oui" not in done.stdout.split()
