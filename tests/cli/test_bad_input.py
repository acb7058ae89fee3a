"""Bad input gets one sentence and exit code 2, or a defined NaN with its sentence."""

import json

import pytest

import accord

GOOD = "item,annotator,value\n1,A,x\n1,B,x\n2,A,y\n2,B,x\n"

#: name → (file name, content, words the sentence must hold)
FILES = {
    "empty file": ("data.csv", "", ["is empty"]),
    "only spaces": ("data.csv", "  \n \n", ["is empty"]),
    "header only": ("data.csv", "item,annotator,value\n", ["header and no rows"]),
    "one annotator": (
        "data.csv",
        "item,annotator,value\n1,A,x\n2,A,y\n",
        ["at least two annotators"],
    ),
    "unknown columns": ("data.csv", "foo,bar,baz\n1,2,3\n", ["'foo'", "--column", "--wide"]),
    "wrong delimiter": ("data.csv", "item:annotator:value\n1:A:x\n", ["delimiter"]),
    "ragged rows": ("data.csv", "item,annotator,value\n1,A,x\n1,B\n", [":3:", "2 cells", "3"]),
    "two columns alike": ("data.csv", "item,item,value\n1,A,x\n", ["two columns called 'item'"]),
    "empty annotator": (
        "data.csv",
        "item,annotator,value\n1,A,x\n1,,y\n",
        [":3:", "annotator is empty"],
    ),
    "twice": (
        "data.csv",
        "item,annotator,value\n1,A,x\n1,B,x\n1,A,y\n",
        [":4:", "'A'", "twice", "line 2", "--duplicates first"],
    ),
    "binary": ("data.csv", b"item\0annotator\0\xff\xfe", ["binary"]),
    "not utf-8": ("data.csv", b"item,annotator,value\n1,A,x\n2,B,\xe9\n", [":3:", "UTF-8"]),
    "unclosed quote": ("data.csv", 'item,annotator,value\n1,A,"x\n', ["not a table"]),
    "0-byte parquet": ("data.parquet", b"", ["Parquet"]),
    "damaged parquet": ("data.parquet", b"PAR1xxxxPAR1", ["Parquet"]),
    "not json": ("data.jsonl", '{"item": 1}\nnope\n', [":2:", "not JSON"]),
    "json list": ("data.jsonl", "[1]\n", [":1:", "object"]),
    "deep json": ("data.jsonl", "[" * 100_000 + "\n", ["nested too deeply"]),
    "unknown format": ("data.xyz", b"\x00\x01\x02", ["--format"]),
}


@pytest.mark.parametrize("name", FILES)
def test_one_sentence_and_exit_code_2(name, table, accord_command):
    file, content, words = FILES[name]
    path = table(content, file)
    done = accord_command("agree", path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert str(path) in done.stderr or name == "one annotator"
    for word in words:
        assert word in done.stderr
    assert done.stdout == ""


def test_folder_and_missing_file(tmp_path, accord_command):
    assert accord_command("agree", tmp_path).returncode == 2
    gone = accord_command("agree", tmp_path / "nothing.csv")
    assert gone.returncode == 2
    assert "does not exist" in gone.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--measure", "kapa"], ["unknown measure", "kappa"]),
        (["--measure", "gamma-nothing"], ["unknown measure"]),
        (["--metric", "ordinal"], ["declared in order", "--categories"]),
        (["--metric", "nowhere.csv"], ["matrix file"]),
        (["--column", "value=grade"], ["no column 'grade'", "'value'"]),
        (["--column", "value"], ["OURS=THEIRS"]),
        (["--categories", "x"], ["'y'", "not among the declared"]),
        (["--by", "moon"], ["no breakdown by 'moon'"]),
        (["--ci", "magic"], ["bootstrap, jackknife"]),
        (["--level", "95"], ["between 0 and 1"]),
        (["--measure", "fleiss", "--metric", "nominal"], ["--metric", "fleiss"]),
        (["--duplicates", "maybe"], ["--duplicates must be one of"]),
        (["--unit", "document"], ["no documents"]),
        (["--format", "spreadsheet"], ["unknown format"]),
    ],
)
def test_wrong_options(options, words, table, accord_command):
    done = accord_command("agree", table(GOOD), *options)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


def test_one_item_is_a_defined_nan(table, accord_command):
    done = accord_command("agree", table("item,annotator,value\n1,A,x\n1,B,x\n"), "--json")
    assert done.returncode == 0
    result = json.loads(done.stdout)["results"][0]
    assert result["value"] is None
    assert "'x'" in result["undefined"]


def test_mixed_numbers_and_text_are_categories_with_a_note(table, accord_command):
    path = table("item,annotator,value\n1,A,1\n1,B,1\n2,A,unsure\n2,B,2\n")
    done = accord_command("agree", path, "--json")
    assert done.returncode == 0
    (decision,) = accord.read(path).reading.provenance.decisions
    assert "mixes numbers" in decision.why
    assert decision.others[0].option == ("missing_values", "unsure")
    numeric = accord_command("agree", path, "--values", "numbers")
    assert numeric.returncode == 2
    assert ":4:" in numeric.stderr
    declared = accord_command(
        "agree", path, "--missing-values", "unsure", "--metric", "interval", "--json"
    )
    assert declared.returncode == 0


def test_many_labels_and_unicode(table, accord_command):
    rows = "".join(
        f"{i},A,étiquette-{i}\n{i},B,étiquette-{i if i % 2 else -i}\n" for i in range(1, 50_001)
    )
    path = table("item,annotator,value\n" + rows)
    done = accord_command(
        "agree", path, "--measure", "alpha,fleiss,conger,percent", "--ci", "none", "--json"
    )
    assert done.returncode == 0, done.stderr
    values = {r["measure"]: r["value"] for r in json.loads(done.stdout)["results"]}
    assert values["percent"] == pytest.approx(0.5)
    assert values["alpha"] == pytest.approx(0.5, abs=1e-3)


def test_nan_is_a_label_where_that_is_said(table, accord_command):
    path = table("item,annotator,value\n1,A,nan\n1,B,nan\n2,A,None\n2,B,None\n")
    assert accord.read(path).labels == ("None",)
    done = accord_command("agree", path, "--keep-values", "nan", "--json")
    assert json.loads(done.stdout)["results"][0]["value"] == 1.0
    words = ("--missing-values", "None", "--keep-values", "nan")
    missing = accord_command("agree", path, *words, "--json")
    assert json.loads(missing.stdout)["results"][0]["value"] is None
