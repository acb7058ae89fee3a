"""Help pages: what is used most first, then group by group; nothing is lost, in both languages."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from accord.cli.app import THEMES
from accord.cli.help import ALL, EXAMPLES, FIRST, GROUPS
from accord.language import translator
from accord.options.reading import PEOPLE_PANEL, READING, READING_PANEL
from tests.in_process import commands, run

#: an option where it is explained: the names that can be typed
NAMED = re.compile(r"^  ((?:--?[a-z][-a-z0-9]*(?:, |/)?)+)(?: |$)", re.M)


@pytest.fixture(autouse=True)
def _narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def every_command() -> dict[str, object]:
    found = {}
    for name, command in commands().commands.items():
        inner = getattr(command, "commands", None)
        found |= {f"{name} {n}": c for n, c in inner.items()} if inner else {name: command}
    return found


def page(command: str, *words: str) -> str:
    code, out, told, _ = run(" ".join(["accord", command, "--help", *words]))
    assert code == 0, told
    return out


def shown(text: str) -> list[str]:
    """The options that a page explains, each as its longest name."""
    return [max(re.split(", |/", names), key=len) for names in NAMED.findall(text)]


def groups(text: str) -> list[str]:
    return re.findall(r"^  ([a-z]+) {2,}\S", text.partition("--help GROUP")[2], re.M)


def known(name: str) -> list[str]:
    command = every_command()[name]
    params = command.get_params(command.context_class(command, info_name=name))
    return [
        max([*p.opts, *p.secondary_opts], key=len)
        for p in params
        if p.param_type_name == "option" and not getattr(p, "hidden", False)
    ]


@pytest.mark.parametrize("name", every_command())
def test_the_first_page_is_short_and_says_where_the_rest_is(name):
    text = page(name)
    options = shown(text)
    assert 0 < len(options) <= FIRST
    assert len(options) == len(set(options))
    assert "--help" in options
    assert len(text.splitlines()) <= 60
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    # each example is one line, and there are two
    examples = text.partition("\nExamples\n")[2].splitlines()
    assert examples == [f"  {line}" for line in EXAMPLES[name]]
    assert len(examples) == 2
    assert bool(groups(text)) == (len(known(name)) > FIRST)


@pytest.mark.parametrize("name", every_command())
def test_every_option_is_in_one_group_and_in_all(name):
    whole = sorted(shown(page(name, ALL)))
    assert whole == sorted(known(name))
    assert len(whole) == len(set(whole))
    named = groups(page(name)) or [ALL]
    assert named[-1] == ALL
    if len(named) > 1:
        assert sorted(one for group in named[:-1] for one in shown(page(name, group))) == whole


def test_the_pages_of_agree():
    first = page("agree")
    assert {"--measure", "--by", "--ci", "--fail-under", "--json"} <= set(shown(first))
    assert shown(page("agree", "intervals")) == [
        "--ci", "--level", "--resamples", "--seed", "--unit", "--threshold", "--jobs",
    ]  # fmt: skip
    # a measure is no group: its name shows what it takes, wherever that stands
    gamma = shown(page("agree", "gamma"))
    assert {"--alpha", "--chance", "--positional"} <= set(gamma)
    assert "--weights" not in gamma
    assert shown(page("agree", "kappa")) == ["--missing"]


def test_reading_is_in_its_two_groups():
    pages = {READING_PANEL: page("inspect", "reading"), PEOPLE_PANEL: page("inspect", "people")}
    for option in READING:
        if not option.python_only:
            text = pages[option.panel or READING_PANEL]
            assert max(option.flags[0].split("/"), key=len) in shown(text), option.name


def test_help_is_asked_for_anywhere():
    first = page("agree")
    assert run("accord agree data.csv --measure kappa --help")[1] == first
    assert run("accord agree -h")[1] == first
    assert run("accord agree data.csv --help intervals")[1] == page("agree", "intervals")


def test_an_unknown_group_is_one_sentence_with_the_groups():
    code, out, told, _ = run("accord agree --help nothing")
    assert (code, out) == (2, "")
    assert told.startswith("accord agree --help has no group 'nothing'; its groups are measure, ")
    assert told.endswith("boxes and all")
    assert run("accord judge --help gamma")[0] == 2
    typed = [sys.executable, "-m", "accord", "agree", "--help", "nothing"]
    done = subprocess.run(typed, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


def test_a_word_after_two_dashes_is_data():
    assert "--help: does not exist" in run("accord agree -- --help")[2]


def _texts() -> set[str]:
    """Everything that help pages say in words."""
    said = {"What is used most", "All the options", "every group", "Options of this command"}
    said |= set(GROUPS) - {""}
    for name, command in every_command().items():
        said |= {" ".join(p.split()) for p in (command.help or "").split("\n\n")}
        for param in command.get_params(command.context_class(command, info_name=name)):
            of_measures = param.name in (getattr(command, "listed", None) or {})
            if not getattr(param, "hidden", False) and not of_measures:
                said.add(param.help or "")
    for group in (commands(), commands().commands["simulate"]):
        said |= {group.help or ""} | {c.rich_help_panel or "" for c in commands().commands.values()}
        said |= {param.help for param in group.get_params(group.context_class(group))}
    return said - {""}


def test_help_is_in_french():
    say = translator("fr")
    assert sorted(text for text in _texts() if say(text) == text) == []
    text = run("accord agree --lang fr --help")[1]
    assert text.startswith("Usage\u00a0: accord agree DATA... [OPTIONS]")
    assert "Le plus utile" in text
    assert shown(text) == shown(page("agree"))
    assert "Les annotateurs sont-ils d'accord ?" in run("accord --help --lang fr")[1].replace(
        "\u00a0", " "
    )


def test_the_list_of_commands():
    code, out, _, _ = run("accord --help")
    assert code == 0
    for theme, names in THEMES.items():
        listed = out.partition(f"\n{theme}\n")[2].partition("\n\n")[0]
        assert sorted(re.findall(r"^  ([a-z-]+) {2,}\S", listed, re.M)) == sorted(names)
