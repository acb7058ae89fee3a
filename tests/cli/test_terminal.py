"""The terminal: what to type first, help that says everything, tables that fit, silence when asked."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import time

import pytest

from tests.conftest import ROOT
from tests.patience import until

EXAMPLES = ROOT / "examples"
NAME = "annotator.of.the.university.of.somewhere@example.org"


def run(*words, width=80, **more):
    environment = {
        k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "TERM")
    } | {"COLUMNS": str(width), "PYTHONIOENCODING": "utf-8", **more.pop("env", {})}
    return subprocess.run(
        [sys.executable, "-m", "accord", *map(str, words)],
        capture_output=True, text=True, encoding="utf-8", env=environment, timeout=300, **more,
    )  # fmt: skip


def test_accord_alone_says_what_to_type_first():
    done = run()
    assert done.returncode == 0
    for command in ("inspect", "agree", "audit", "report", "gold", "serve", "score"):
        assert f"accord {command} " in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_metrics_in_the_help_are_those_of_alpha():
    from accord.cli.keywords import METRICS
    from accord.measures import find

    metric = next(option for option in find("alpha").options if option.name == "metric")
    assert ", ".join(metric.choices) + ", or a file" == METRICS


#: what the help shows and a test cannot run: a server, a cluster, tables of papers for minutes
NOT_RUN = ("accord serve", "--dask", "accord reproduce", "simulate measures", "simulate grid")


def test_examples_of_the_help_run(tmp_path):
    """As printed, in a folder with nothing but the repository's examples; each on one line."""
    from accord.cli.help import EXAMPLES as EXAMPLES_OF

    shutil.copytree(EXAMPLES, tmp_path / "examples")
    everything = [line for lines in EXAMPLES_OF.values() for line in lines]
    assert [line for line in everything if len(line) > 77] == []
    lines = [line for line in everything if not any(words in line for words in NOT_RUN)]
    assert len(lines) > 35
    script = (
        "import sys, shlex, contextlib, io, typer\n"
        "import accord.cli.app as a\n"
        "a.load_commands()\n"
        "group = typer.main.get_command(a.app)\n"
        "for line in sys.stdin.read().splitlines():\n"
        "    out = io.StringIO()\n"
        "    try:\n"
        "        with contextlib.redirect_stdout(out):\n"
        "            group.main(shlex.split(line)[1:], prog_name='accord', standalone_mode=False)\n"
        "    except BaseException as problem:\n"
        "        sys.exit(f'{line}: {problem!r}')\n"
        "    quiet = line.startswith(('accord convert', 'accord simulate damage'))\n"
        "    assert out.getvalue().strip() or quiet, line\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input="\n".join(lines), capture_output=True, text=True,
        cwd=tmp_path, timeout=600, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert (tmp_path / "report.html").exists()


@pytest.fixture(scope="module")
def long_names(tmp_path_factory):
    """A campaign whose names are far too long, as ratings and as units."""
    folder = tmp_path_factory.mktemp("long")
    draw = random.Random(0)
    labels = [f"a-very-long-category-name-that-nobody-should-use-{i}" for i in range(3)]
    with (folder / "ratings.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["document", "item", "annotator", "value"])
        for i in range(40):
            truth = draw.choice(labels)
            for who in range(3):
                said = truth if draw.random() < 0.7 else draw.choice(labels)
                place = f"corpus/with/a/long/path/document-{i // 8}.txt"
                table.writerow([place, f"item-of-a-long-identifier-{i:05}", f"{NAME}{who}", said])
    with (folder / "units.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["document", "annotator", "start", "end", "label"])
        for d in range(3):
            for start in range(0, 200, 40):
                for who in range(3):
                    place = f"corpus/with/a/long/path/document-{d}.xml"
                    at = start + draw.randint(0, 5)
                    table.writerow([place, f"{NAME}{who}", at, at + 20, draw.choice(labels)])
    return folder


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize(
    "words",
    [
        ("agree", "ratings.csv", "--by", "category,annotator,pair,document"),
        ("agree", "units.csv", "--by", "category,document,pair", "--samples", "10"),
        ("agree", "units.csv", "-m", "gamma-k", "--samples", "10"),
        ("gold", "ratings.csv", "-m", "dawid-skene"),
        ("gold", "units.csv"),
        ("inspect", "ratings.csv"),
        ("align", "units.csv"),
        ("score", EXAMPLES / "key.conll", EXAMPLES / "response.conll", "-m", "muc,b3,ceaf-e,lea"),
    ],
    ids=lambda words: " ".join(map(str, words[:2])).replace(str(EXAMPLES), "examples"),
)
def test_tables_fit(words, width, long_names):
    if width == 120 and words[0] not in ("agree", "gold"):
        pytest.skip("one of each is enough")
    done = run(*words, width=width, cwd=long_names)
    assert done.returncode == 0, done.stderr
    signature = [line for line in done.stdout.splitlines() if "|n:" in line or "|v:" in line]
    for line in done.stdout.splitlines():
        # (a command is typed as it stands)
        assert len(line) <= width or line in signature or line.startswith("  accord "), line
    if words[1] == "ratings.csv" and words[0] != "inspect":
        # the last character tells the annotators apart, and is never cut
        for who in range(3):
            assert re.search(rf"^anno\S*…?\S*rg{who}\s", done.stdout, re.M), done.stdout
    # no name is broken into pieces over lines
    assert not re.search(r"^\s*ame-that", done.stdout, re.M)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("width", [80, 100])
def test_no_number_of_a_result_is_cut(width, lang, tmp_path):
    """Measures of chains have long names: the axis stays out and names are cut, never a value."""
    clusters = {
        who: [[[10 * k + j, 10 * k + j + 1] for j in range(3)] for k in range(700 + shift)]
        for shift, who in enumerate(("A", "B"))
    }
    path = tmp_path / "chains.json"
    path.write_text(json.dumps({"documents": {f"d{d}": clusters for d in range(3)}}))
    asked = ("chain-alpha,mention-u-alpha,pairwise-mention-detection,pairwise-merge-split",)
    done = run("agree", path, "-m", *asked, "--lang", lang, width=width)
    assert done.returncode == 0, done.stderr
    table = done.stdout.split("\n\n")[1].splitlines()
    assert max(map(len, table)) <= width
    results = json.loads(run("agree", path, "-m", *asked, "--json").stdout)["results"]
    for line, result in zip(table[1:], results, strict=True):
        value, n = f"{result['value']:.4f}", f"{result['n']:,}"
        if lang == "fr":
            value, n = value.replace(".", ","), n.replace(",", "\u202f")
        assert f" {value} " in line
        assert line.endswith(f" {n}")
        assert "…" not in line.partition("  ")[2]


def test_gold_speaks_in_sentences(long_names):
    done = run("gold", "units.csv", cwd=long_names)
    assert "label_ties" not in done.stdout
    assert re.search(r"^\d+ units are in the reference", done.stdout, re.M)


def test_quiet(tmp_path):
    path = tmp_path / "notes.csv"
    path.write_text("item,annotator,value\n1,A,x\n1,B,x\n2,A,NA\n2,B,y\n3,A,y\n3,B,x\n")
    loud = run("agree", path)
    assert "accord: warning" in loud.stderr
    for words in (("agree", path, "--quiet"), ("-q", "agree", path)):
        done = run(*words)
        assert (done.returncode, done.stderr) == (0, ""), words
        answer, _, _ = loud.stdout.partition("\n\n")[2].partition("\nnext:")
        assert done.stdout == answer
    failed = run("agree", path, "-q", "--fail-under", "0.99")
    assert failed.returncode == 1
    assert "failed" in failed.stderr
    assert "does not exist" in run("agree", "nothing.csv", "-q").stderr


def test_no_color():
    coloured = run(
        "agree", EXAMPLES / "moods.csv", env={"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    )
    plain = run(
        "agree", EXAMPLES / "moods.csv",
        env={"FORCE_COLOR": "1", "TERM": "xterm-256color", "NO_COLOR": "1"},
    )  # fmt: skip
    colours = r"\x1b\[[0-9;]*3[0-9]m"
    assert re.search(colours, coloured.stdout)
    assert not re.search(colours, plain.stdout)


def test_completion():
    """What bash asks for when somebody presses the tabulator."""
    code = "import sys; sys.argv[0] = 'accord'; from accord.cli import main; main()"
    for typed, expected in (
        ("accord ag", "agree"),
        ("accord agree --measure alph", "alpha"),
        ("accord agree --measure alpha,flei", "alpha,fleiss"),
        ("accord agree --metric ord", "ordinal"),
        ("accord agree --ci jack", "jackknife"),
        ("accord score --by error-s", "error-size"),
        ("accord agree --by pair,anno", "pair,annotator"),
        ("accord agree --lang f", "fr"),
        ("accord inspect --shape seg", "segments"),
        ("accord gold --method dawid", "dawid-skene"),
        ("accord judge --method ppi+", "ppi++"),
        ("accord convert --to webanno", "webanno-tsv3"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=300,
            env={
                **os.environ, "_ACCORD_COMPLETE": "complete_bash", "COMP_WORDS": typed,
                "COMP_CWORD": str(len(shlex.split(typed)) - 1),
            },
        )  # fmt: skip
        assert expected in done.stdout.split(), (typed, done.stdout, done.stderr)


def test_words_that_are_offered_are_those_of_the_help():
    """Every word of an option stands in its help, so that neither is forgotten when the other changes."""
    from accord.cli.keywords import LANG
    from accord.options.reading import READING
    from tests.in_process import commands

    looked = set()
    for name, command in commands().commands.items():
        if hasattr(command, "commands"):
            continue
        for param in command.get_params(command.context_class(command, info_name=name)):
            if param.name in ("format", "to", "measure"):
                continue  # (formats and measures are listed by their own pages)
            words = [found.value for found in param.shell_complete(None, "")]
            known = re.findall(r"[\w+-]+", getattr(param, "help", None) or "") if words else []
            assert set(words) <= set(known), (name, param.name)
            looked |= {(name, param.name)} if words else set()
    assert looked >= {
        *(("agree", option) for option in ("ci", "unit", "by", "fail_on")),
        *(("score", option) for option in ("ci", "unit", "by", "fail_on")),
        *(("gold", option) for option in ("method", "ties")),
        *(("judge", option) for option in ("method", "sampling")),
        *(("audit", "fail_on"), ("measures", "question"), ("inspect", "shape")),
    }
    for option in (*READING, LANG):
        assert set(option.choices) <= set(re.findall(r"[\w-]+", option.help)), option.name


class Screen:
    """A terminal that keeps what is written to it."""

    encoding = "utf-8"

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text
        return len(text)

    def flush(self):
        pass

    def isatty(self):
        return True

    def fileno(self):
        raise OSError


def test_progress_appears_before_the_work_says_how_long_it_is(monkeypatch):
    from accord.cli import progress

    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress, "_PATIENCE", 0.05)
    monkeypatch.setattr(progress, "_SECONDS", 0.1)
    monkeypatch.setenv("TERM", "xterm")
    with progress.progress_bar("gamma") as advance:
        assert until(lambda: "gamma" in screen.text)
        advance(3, 10)
        time.sleep(0.1)
        advance(4, 10)
        assert until(lambda: "40%" in screen.text)
        advance(5, 10)
        assert until(lambda: "left" in screen.text)
    short = Screen()
    monkeypatch.setattr(sys, "stderr", short)
    monkeypatch.setattr(progress, "_PATIENCE", 3600.0)
    with progress.progress_bar("alpha") as advance:
        advance(1, 1)
    assert "alpha" not in short.text


def test_columns_without_room_stay_out_and_are_named():
    """Eleven columns of numbers: none is cut to another number, and what is missing is said."""
    from rich.console import Console

    from accord.report.tables import rows_table

    rows = [{"size": "3–4", **{f"measure-{k}": k + 0.1234 for k in range(11)}}]
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(rows_table("costs", rows, width=80))
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= 80
    text = " ".join(text.split())
    shown = [k for k in range(11) if f"{k}.1234" in text]
    assert shown == list(range(len(shown)))
    assert 3 < len(shown) < 11
    assert (
        "too narrow for measure-6, measure-7, measure-8, measure-9, measure-10 (--json has them)"
        in text
    )


def test_a_bar_moves_the_cursor_and_a_name_cannot(monkeypatch):
    from accord.cli import progress
    from accord.cli.terminal import Terminal

    screen = Screen()
    monkeypatch.setattr(sys, "stderr", Terminal(screen))
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    with progress.progress_bar("reading a\x1b]0;owned\x07b.csv"):
        assert until(lambda: "\x1b[2K" in screen.text and "b.csv" in screen.text)
    assert "␛[2K" not in screen.text
    assert "a␛]0;owned␇b.csv" in screen.text
    assert "\x1b]0;" not in screen.text


def test_a_bar_stands_while_a_file_is_read(monkeypatch, tmp_path):
    from accord.cli import inputs, progress

    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    path = tmp_path / "many.csv"
    path.write_text(
        "item,annotator,value\n" + "\n".join(f"{i},{w},x" for i in range(9) for w in "AB")
    )
    seen = []

    def slow(paths, **options):
        until(lambda: "reading many.csv" in screen.text)
        seen.append(screen.text)

    monkeypatch.setattr("accord.reading.read_many", slow)
    inputs.How(None, {}).read(path)
    assert "reading many.csv" in seen[0]


def test_audit_fails_on_what_was_asked(tmp_path):
    path = tmp_path / "noise.csv"
    draw = random.Random(3)
    rows = [f"{i},{who},{draw.choice('ab')}" for i in range(60) for who in "ABC"]
    path.write_text("item,annotator,value\n" + "\n".join(rows) + "\n")
    assert run("audit", path).returncode == 0
    assert run("audit", path, "--fail-on", "serious").returncode == 1
    assert run("audit", EXAMPLES / "moods.csv", "--fail-on", "serious").returncode == 0
    wrong = run("audit", path, "--fail-on", "grave")
    assert wrong.returncode == 2
    assert "--fail-on must be one of serious, caution, note" in wrong.stderr


# --- hooks and containers ------------------------------------------------------------------------


def test_hooks_and_action_say_commands_that_exist(tmp_path):
    yaml = pytest.importorskip("yaml")
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    shutil.copy(EXAMPLES / "moods.csv", tmp_path)
    for hook in hooks:
        words = shlex.split(hook["entry"])
        assert words[0] == "accord"
        needed = ["--judge", "Cleo", "--positive", "positive"] if words[1] == "judge" else []
        done = run(*words[1:], "moods.csv", *needed, cwd=tmp_path)
        assert done.returncode == 0, (hook["id"], done.stderr)
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert action["runs"]["using"] == "composite"
    for step in action["runs"]["steps"]:
        # what people write into an input never becomes a command
        assert "${{" not in step["run"], step["run"]
    commands = [
        word
        for s in action["runs"]["steps"]
        for word in re.findall(r"^ *accord (\w+)", s["run"], re.M)
    ]
    assert commands == ["report", "audit"]


def test_dockerfile_keeps_the_rules():
    """The rules a linter of Dockerfiles checks: fixed base, no root, no leftovers, exec form."""
    text = (ROOT / "Dockerfile").read_text()
    lines = re.sub(r"\\\n", " ", text).splitlines()
    bases = [line for line in lines if line.startswith("FROM ")]
    assert all(re.match(r"FROM python:3\.\d+-slim-\w+( AS \w+)?$", b) for b in bases), bases
    last = text[text.rindex("FROM ") :]
    assert re.search(r"^USER (?!root)\w+$", last, re.M)
    assert re.search(r'^ENTRYPOINT \[".*"\]$', last, re.M)
    for line in lines:
        if "apt-get install" in line:
            assert "--no-install-recommends" in line
            assert "rm -rf /var/lib/apt/lists/*" in line
        if re.search(r"pip (install|wheel)", line):
            assert "--no-cache-dir" in line
        assert not line.startswith(("ADD ", "MAINTAINER ", "RUN cd ", "RUN sudo"))
    assert all(not line.startswith("WORKDIR") or line.split()[1].startswith("/") for line in lines)
    linter = shutil.which("hadolint")
    if linter:
        done = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, "")
