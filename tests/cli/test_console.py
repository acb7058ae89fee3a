"""Every command that the documentation shows exists, takes its options, and prints what is shown.

Fenced lines are run in a folder that holds the files they name; what stands under a line must be its
output (``...`` for what is left out). Of commands in a sentence the names and options are checked.
"""

from __future__ import annotations

import doctest
import re
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.in_process import commands, run, words_of
from tests.places import furnish

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in PAGES if "reference" not in page.relative_to(ROOT).parts[1:2]]

#: these wait for a browser, call another package or take half a minute; names and options are checked
NOT_RUN = (
    "accord serve",
    "accord falsify scorch.",
    "accord simulate grid examples/claims.csv",
    "accord simulate measures examples/claims.csv",
)

#: languages of fences in which commands stand
_FENCES = ("", "console", "bash", "text")
_INLINE = re.compile(r"`(accord [^`\n]+)`")
_SAME = doctest.OutputChecker()
#: before rich 14.3, the first and the last column of a table may have a blank more
_NARROW = tuple(map(int, version("rich").split(".")[:2])) >= (14, 3)
_ALIKE = doctest.ELLIPSIS | (0 if _NARROW else doctest.NORMALIZE_WHITESPACE)


def shown(page: Path) -> list[tuple[str, str]]:
    """The commands of a page's fences, each with the output that is shown under it.

    What stands under ``echo $?`` is the exit code of the command before. Where a fence has prompts, a
    command without one is what another has printed.
    """
    found: list[tuple[str, str]] = []
    language: str | None = None
    mine = prompted = False
    for line in page.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        if line.startswith("```"):
            language, mine = (line[3:].strip() if language is None else None), False
            prompted = False
        elif language not in _FENCES:
            continue
        elif line.startswith("$ " if prompted else ("$ ", "accord ")) and "...." not in line:
            prompted = prompted or line.startswith("$ ")
            command = line.removeprefix("$ ")
            mine = command.startswith(("accord ", "echo $?"))
            if mine:
                found.append((command, ""))
        elif mine:
            found[-1] = (found[-1][0], found[-1][1] + line.rstrip() + "\n")
    return found


def inline() -> list[str]:
    return sorted({
        line for page in PAGES for line in _INLINE.findall(page.read_text(encoding="utf-8"))
    } | {line for page in PAGES for line, _ in shown(page) if line.startswith("accord ")})  # fmt: skip


@pytest.mark.parametrize("line", inline())
def test_a_command_that_is_named_exists_with_its_options(line):
    words = words_of(line)
    command = commands()
    while getattr(command, "commands", None) and words and not words[0].startswith("-"):
        assert words[0] in command.commands, f"there is no accord {words[0]}"
        command = command.commands[words.pop(0)]
    known = {
        name
        for param in command.get_params(command.make_context("accord", [], resilient_parsing=True))
        for name in (*param.opts, *param.secondary_opts)
    } | {"--help", "--quiet", "-q"}
    for word in words:
        if word.startswith("-") and not re.fullmatch(r"-\.?\d.*", word):
            assert word.partition("=")[0] in known, f"{word} is no option of {line}"


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    return tmp_path


@pytest.mark.parametrize(
    "page", [page for page in PAGES if shown(page)], ids=lambda page: str(page.relative_to(ROOT))
)
def test_what_the_documentation_shows_is_what_comes(page, place):
    furnish(page, place)
    lines = shown(page)
    for (line, expected), (after, answer) in zip(lines, [*lines[1:], ("", "")], strict=True):
        if line.startswith((*NOT_RUN, "echo")):
            continue
        code, out, told, _ = run(line)
        assert code == (int(answer) if after.startswith("echo") else 0), f"{line}: {told}"
        got = "".join(f"{text.rstrip()}\n" for text in out.rstrip().splitlines())
        if expected.strip():
            assert _SAME.check_output(expected.rstrip() + "\n", got, _ALIKE), f"{line}\n{got}"
