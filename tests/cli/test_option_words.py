"""Every option that a sentence names exists: on the command it is said by, or on the one it names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from accord.errors import in_command
from tests.in_process import commands, run
from tests.source import docstrings_of

SOURCE = Path(__file__).parents[2] / "src" / "accord"
#: an option as it is typed
WORD = re.compile(r"(?<![\w/-])--[a-z][a-z0-9-]*[a-z0-9]")
#: a command with its options, up to the end of the sentence or of its bracket
COMMAND = re.compile(r"\baccord ((?:[a-z]+(?:-[a-z]+)* ?)+)((?:(?!accord )[^;()\n])*)")


@pytest.fixture(scope="module")
def options() -> dict[str, set[str]]:
    """Command → its options."""
    made: dict[str, set[str]] = {}

    def walk(group: object, before: str = "") -> None:
        for name, command in group.commands.items():  # type: ignore[attr-defined]
            whole = f"{before}{name}"
            if hasattr(command, "commands"):
                walk(command, f"{whole} ")
                made[whole] = set().union(
                    *(o for n, o in made.items() if n.startswith(f"{whole} "))
                )
                continue
            # (options of measures are added when they are asked for)
            params = command.get_params(command.context_class(command, info_name=name))
            made[whole] = {
                o for p in params for o in (*p.opts, *p.secondary_opts) if o[:2] == "--"
            } | {"--help"}

    walk(commands())
    return made


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module that are no docstrings, those that are joined as one."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = docstrings_of(tree)
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inside |= {id(v) for v in node.values}
            yield (
                node.lineno,
                "".join(str(v.value) if isinstance(v, ast.Constant) else "X" for v in node.values),
            )
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docstrings | inside
        ):
            yield node.lineno, node.value


def named(sentence: str, known: dict[str, set[str]]) -> tuple[str, list[tuple[str, str]]]:
    """The sentence without the commands that it names, and (command, option) of those."""
    found: list[tuple[str, str]] = []

    def take(match: re.Match[str]) -> str:
        words = match[1].split()
        name = next((" ".join(words[:k]) for k in (2, 1) if " ".join(words[:k]) in known), None)
        if name is None:
            return match[0]
        found.extend((name, word) for word in WORD.findall(match[2]))
        return ""

    return COMMAND.sub(take, sentence), found


def test_commands_that_are_named_have_the_options(options):
    wrong = [
        f"{path.relative_to(SOURCE)}:{line}: accord {name} has no {word}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line, text in sentences(path)
        for name, word in named(text, options)[1]
        if word not in options[name]
    ]
    assert not wrong, "\n".join(wrong)


def test_what_the_command_line_says_can_be_typed(options):
    """In the module of a command, there; in what they share, somewhere."""
    somewhere = set().union({"--version", "--install-completion"}, *options.values())
    wrong = []
    for path in sorted((SOURCE / "cli").rglob("*.py")):
        own = options.get(path.stem.replace("_", "-"), somewhere)
        for line, text in sentences(path):
            rest, _ = named(text, options)
            # (which command it is may be filled in)
            there = somewhere if "accord X" in rest else own
            wrong += [
                f"{path.name}:{line}: {word}" for word in WORD.findall(rest) if word not in there
            ]
    assert not wrong, "\n".join(wrong)


def test_what_the_audit_says_can_be_typed_there(options):
    """What it says in backticks is an option of audit; another command is named as a whole."""
    wrong = []
    for path in sorted((SOURCE / "audit").glob("*.py")):
        for line, text in sentences(path):
            rest, _ = named(in_command(text), options)
            wrong += [
                f"{path.name}:{line}: {word}"
                for word in WORD.findall(rest)
                if word not in options["audit"]
            ]
    assert not wrong, "\n".join(wrong)


def test_a_command_that_is_shown_uses_the_new_name_of_an_option(tmp_path):
    """``--documents FILE`` was the table of lengths once; who still types it is shown ``--lengths``."""
    data, lengths = tmp_path / "units.csv", tmp_path / "how_long.csv"
    rows = [f"d,{who},{5 * k},{5 * k + 3},x" for who in "AB" for k in range(6)]
    data.write_text("document,annotator,start,end,label\n" + "\n".join(rows) + "\n")
    lengths.write_text("document,length\nd,40\n")
    code, out, told, _ = run(f"accord audit {data} --documents {lengths}")
    assert code == 0, told
    (shown,) = [
        line.strip() for line in out.splitlines() if line.strip().startswith("accord agree")
    ]
    assert f"--lengths {lengths}" in shown
    assert "--documents" not in shown
    assert run(shown)[0] == 0
