"""Everything accord raises on purpose.

::

    AccordError
    ├── InputError              the data are wrong: says where, what, and what to do
    │   └── UnreadableError     a file is empty, damaged or locked; others beside it may be read
    ├── UsageError              the request is wrong: unknown measure, option or shape
    │   └── RefusedError        the request is well formed and would mislead
    │       ├── TooLittleError  the data are too few for it; a larger part of them may do
    │       └── PairsOnlyError  it is defined for two annotators; of more there is a table of pairs
    └── MissingDependencyError  an optional package is needed: gives the install command

The command line turns each into one sentence on stderr and exit code 2.

Sentences (errors, notes, warnings) name an option by its Python keyword in backticks, alone or with a
value: "pass `duplicates=last`", "`columns={item: NAME}`". :func:`in_python` writes them for a caller in
Python, :func:`in_command` for somebody in a terminal, so that there is one text for both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib import import_module
from os import PathLike
from typing import Any, Self

__all__ = [
    "AccordError",
    "InputError",
    "MissingDependencyError",
    "PairsOnlyError",
    "RefusedError",
    "SlowWarning",
    "TooLittleError",
    "UnreadableError",
    "UsageError",
    "did_you_mean",
    "in_command",
    "in_python",
    "missing_dependency",
]

_OPTION = re.compile(r"`([a-z][a-z0-9_]*)(?:=([^`]*))?`")
#: a mapping in Python; in a terminal an option of its singular, given once per entry
_MAPPING = re.compile(r"\{[^{}:]+: [^{}]*\}")
_ENTRY = re.compile(r"([^{}:]+): (.*?)(?:, (?=[^:,]+: )|\})")
#: options whose opposite has a name of its own in a terminal
_OTHERWISE = {"wide": "--long"}
#: what a shell does not leave as it is
_SHELL = re.compile(r"[\s<>|&;()*$]")


def in_python(sentence: str) -> str:
    """The sentence with its options as keywords.

    >>> in_python("`metric` must be a word; pass `metric=ordinal` or `forbid=True`")
    "metric must be a word; pass metric='ordinal' or forbid=True"
    >>> in_python("name it with `columns={item: NAME}`")
    "name it with columns={'item': 'NAME'}"
    """

    def keyword(found: re.Match[str]) -> str:
        name, value = found.groups()
        if value is None:
            return str(name)
        if _MAPPING.fullmatch(value):
            entries = ", ".join(f"{ours!r}: {own!r}" for ours, own in _ENTRY.findall(value[1:]))
            return f"{name}={{{entries}}}"
        plain = re.fullmatch(r"True|False|None|[-+]?\.?\d[-+.\de]*|[\"'(\[].*", value)
        return f"{name}={value if plain else repr(value)}"

    return _OPTION.sub(keyword, sentence)


def in_command(sentence: str) -> str:
    """The sentence with its options as they are typed in a terminal.

    >>> in_command("`metric` must be a word; pass `metric=ordinal` or `forbid=True`")
    '--metric must be a word; pass --metric ordinal or --forbid'
    >>> in_command("name it with `columns={item: NAME}`")
    'name it with --column item=NAME'
    >>> in_command("`keep_values=-` or `categories=low<high`")
    "--keep-values=- or --categories 'low<high'"
    >>> in_command("`wide=False` or `forbid=False`")
    '--long or --no-forbid'
    >>> in_command("`columns={document: , label: }`")
    '--column document= --column label='
    """

    def typed(found: re.Match[str]) -> str:
        name, value = found.groups()
        option = f"--{name.replace('_', '-')}"
        if value in (None, "True"):
            return option
        if _MAPPING.fullmatch(value):
            single = option.removesuffix("s")
            return " ".join(f"{single} {ours}={own}" for ours, own in _ENTRY.findall(value[1:]))
        if value == "False":
            return _OTHERWISE.get(name, f"--no-{name.replace('_', '-')}")
        bare = value.strip(chr(34) + chr(39))
        if bare.startswith("-"):
            return f"{option}={bare}"
        return f"{option} '{bare}'" if _SHELL.search(bare) else f"{option} {bare}"

    return _OPTION.sub(typed, sentence)


def did_you_mean(name: str, known: Iterable[str], shown: str = "{}") -> str:
    """The end of a sentence about an unknown name: what it may have been meant for, if anything.

    >>> did_you_mean("metrik", ["metric", "period"]), did_you_mean("zzz", ["metric"])
    ('; did you mean metric?', '')
    """
    from difflib import get_close_matches

    near = get_close_matches(str(name), list(known), n=1, cutoff=0.7)
    return f"; did you mean {shown.format(near[0])}?" if near else ""


def some(names: Sequence[str], most: int = 8) -> str:
    """The first few names, quoted.

    >>> some(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    shown = ", ".join(repr(n) for n in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


class AccordError(Exception):
    """Base of all errors that accord raises on purpose.

    >>> import accord
    >>> try:
    ...     accord.agree([["a", "b"], ["a"]])
    ... except accord.AccordError as problem:
    ...     print(isinstance(problem, accord.InputError))
    True
    """

    def __init__(self, sentence: str) -> None:
        #: as it was written, options in backticks
        self.sentence = sentence
        super().__init__(in_python(sentence))


class InputError(AccordError):
    """Data that cannot be used as they are.

    >>> str(InputError("item '7' is labelled twice", path="notes.csv", line=41,
    ...                hint='drop a row or pass duplicates="last"'))
    'notes.csv:41: item \\'7\\' is labelled twice; drop a row or pass duplicates="last"'
    """

    def __init__(
        self,
        problem: str,
        *,
        path: str | PathLike[str] | None = None,
        line: int | None = None,
        hint: str | None = None,
    ) -> None:
        self.problem = problem
        self.path = None if path is None else str(path)
        self.line = line
        self.hint = hint
        where = "" if self.path is None else f"{self.path}: "
        if self.path is not None and line is not None:
            where = f"{self.path}:{line}: "
        elif line is not None:
            where = f"line {line}: "
        super().__init__(where + problem + (f"; {hint}" if hint else ""))

    def at(self, path: str | PathLike[str]) -> Self:
        """Return the same error, of another file."""
        InputError.__init__(self, self.problem, path=path, line=self.line, hint=self.hint)
        return self


class UnreadableError(InputError):
    """A file of which nothing can be read: it is empty, damaged, locked or no text."""


class UsageError(AccordError):
    """A request that cannot be met: an unknown measure, a wrong option, the wrong shape."""


class RefusedError(UsageError):
    """A request that could be computed but would mislead; the message says why and what instead."""


class PairsOnlyError(RefusedError):
    """The measure is defined for two annotators, and the data have more."""


class TooLittleError(RefusedError):
    """The data are too few for this; where they are a part of others, the part has no value."""


class SlowWarning(UserWarning):
    """The same result could be had much faster; said once."""


class MissingDependencyError(AccordError):
    """An optional package is not installed."""


def missing_dependency(package: str, extra: str, purpose: str) -> MissingDependencyError:
    """Build the error that tells how to install what `purpose` needs.

    >>> str(missing_dependency("pyarrow", "parquet", "reading Parquet files"))
    "reading Parquet files needs pyarrow; install it with: pip install 'accord[parquet]'"
    """
    return MissingDependencyError(
        f"{purpose} needs {package}; install it with: pip install 'accord[{extra}]'"
    )


def needed(module: str, extra: str, purpose: str) -> Any:
    """Import a library that only some installations have, or tell how to install it.

    >>> needed("math", "parquet", "counting").sqrt(4)
    2.0
    """
    try:
        return import_module(module)
    except ImportError:
        raise missing_dependency(module.split(".")[0], extra, purpose) from None


def first_line(problem: BaseException) -> str:
    """Return what an error of another library says, without the rest."""
    return str(problem).strip().split("\n")[0]
