"""What is public explains itself: a summary that begins with a verb, parameters, an example that runs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import ModuleType

import pytest

import accord

#: the verbs that summaries of functions and methods begin with
VERBS = {
    "Adjudicate", "Align", "Ask", "Audit", "Build", "Compare", "Count", "Find", "Judge", "Keep", "Leave",
    "List", "Look", "Make", "Measure", "Rank", "Read", "Reduce", "Return", "Say", "Score", "Serve", "Settle",
    "Share", "Sum", "Test", "Write",
}  # fmt: skip
#: verbs of the top whose examples would take a server, a notebook or a file on the disk
NO_EXAMPLE = {"adjudicate", "serve", "write", "rank_located", "report", "alt_test", "Study",
              "UsageError", "RefusedError", "Interval"}  # fmt: skip
#: parameters that need no words of their own
PLAIN = {"self", "cls"}


def functions() -> Iterator[tuple[str, object]]:
    """The public functions by name, and the public methods of public classes."""
    for name in accord.__all__:
        found = getattr(accord, name)
        if isinstance(found, ModuleType):
            found = getattr(found, "_function", None) if hasattr(found, name) else None
        if found is None or isinstance(found, str):
            continue
        if not inspect.isclass(found):
            yield name, found
            continue
        for method, held in vars(found).items():
            plain = held.__func__ if isinstance(held, (classmethod, staticmethod)) else held
            if inspect.isfunction(plain) and not method.startswith("_"):
                yield f"{name}.{method}", plain


FUNCTIONS = dict(functions())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_summary_begins_with_a_verb(name):
    summary = (inspect.getdoc(FUNCTIONS[name]) or "").partition("\n")[0]
    assert summary.partition(" ")[0].rstrip(":,") in VERBS, f"{name}: {summary!r}"
    assert summary.endswith((".", ":", "of")) or "\n" in (inspect.getdoc(FUNCTIONS[name]) or "")


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if "." not in n])
def test_more_than_three_parameters_are_explained(name):
    parameters = [
        p
        for p in inspect.signature(FUNCTIONS[name]).parameters.values()
        if p.kind is not p.VAR_KEYWORD and p.name not in PLAIN
    ]
    if len(parameters) <= 3:
        return
    told = inspect.getdoc(FUNCTIONS[name]) or ""
    silent = [p.name for p in parameters if not re.search(rf"\b{re.escape(p.name)}\b", told)]
    # those of another verb, which the text names
    if re.search(r":func:`[^`]+`", told):
        silent = []
    assert silent == [], name


@pytest.mark.parametrize("name", sorted(set(accord.__all__) - NO_EXAMPLE))
def test_what_is_public_has_an_example(name):
    found = getattr(accord, name)
    if isinstance(found, (str, ModuleType)) and not hasattr(found, "_function"):
        return
    told = inspect.getdoc(
        getattr(found, "_function", found) if not inspect.isclass(found) else found
    )
    assert ">>>" in (told or ""), name


def test_exceptions_to_the_example_are_needed():
    for name in NO_EXAMPLE:
        assert ">>>" not in (inspect.getdoc(getattr(accord, name)) or ""), name
