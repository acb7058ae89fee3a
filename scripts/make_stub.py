"""Write `src/accord/__init__.pyi`, what editors and type checkers see of `import accord`, and
`src/accord/reading/keywords.py`, what they see of the keywords of `accord.read`.

    python scripts/make_stub.py [--check]

The names of the package and one function per enrolled measure, from the records, and the options of
reading from their fields: a new measure or option is completed by editors after this has been run
(a test fails until it has).
"""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections import Counter
from pathlib import Path

import accord
from accord.measures import enrolled
from accord.options import Option
from accord.options.reading import KEYWORDS, ReadOptions
from accord.reading.request import OPENED
from accord.registry import Measure

STUB = Path(accord.__file__).with_suffix(".pyi")
READING = STUB.parent / "reading" / "keywords.py"
_TOP = '''"""What `import accord` offers; written by scripts/make_stub.py from the records of the measures."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from accord import simulate as simulate
'''
_READING_TOP = '''"""The keywords of :func:`accord.read` as people give them; written by scripts/make_stub.py.

:class:`accord.options.reading.ReadOptions` declares them and says what each does.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Literal, TypedDict

from accord.options.reading import Duplicates, EngineName, Names, Shape

if TYPE_CHECKING:
    from accord.data.said import Pairs


class KeywordsButAny(TypedDict, total=False):
    """What a reader may be told, without what a caller has a parameter of its own for."""

'''
#: the keywords that callers have parameters of their own for, and who does
_OWN = {
    ("systems",): "a verb whose own `systems` say who is one",
    ("shape",): "who says which shape is read",
    ("length", "units"): "a measure with `length` or `units` of its own",
}


def written() -> dict[Path, str]:
    """Each file with what has to stand in it."""
    fields = {o.name: f"    {o.name}: {_given(o)}" for o in KEYWORDS}
    own = {name: fields.pop(name) for names in _OWN for name in names}
    parts = [_READING_TOP + "\n".join(fields.values())]
    for names, who in _OWN.items():
        rest = "\n".join(line for other, line in own.items() if other not in names)
        told = f'"""What a reader may be told by {who}."""'
        head = f"class KeywordsBut{names[0].title()}(KeywordsButAny, total=False):"
        parts.append(f"{head}\n    {told}\n\n{rest}")
    systems = own["systems"]
    head = "class Keywords(KeywordsButSystems, total=False):"
    parts.append(f'{head}\n    """What a reader may be told."""\n\n{systems}')
    return {STUB: stub(), READING: _formatted("\n\n\n".join(parts), READING)}


def _given(option: Option) -> str:
    """The type of what people give: that of the conversion, else that of the field."""
    made = OPENED.get(option.name, option.made)
    if made is not None:
        return f"{next(iter(made.__annotations__.values()))} | None"
    # Annotated[TYPE, Said(…)]
    annotated = ast.parse(ReadOptions.__annotations__[option.name], mode="eval").body
    if not isinstance(annotated, ast.Subscript) or not isinstance(annotated.slice, ast.Tuple):
        raise TypeError(f"{option.name} is not annotated with what it says")
    if option.type is Path:
        return "str | PathLike[str] | None"
    return ast.unparse(annotated.slice.elts[0])


def _formatted(text: str, path: Path) -> str:
    """As the house formats everything, so that a formatter has nothing to change."""
    return subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(path), "-"],
        input=text + "\n",
        cwd=STUB.parents[2],
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def stub() -> str:
    records = [m for m in enrolled() if not m.name.startswith("_")]
    shared = Counter(m.name for m in records)
    # an agreement and a score of one name stand together
    several = shared.total() > len(shared)
    lines = [_TOP.replace("Literal, Unpack", "Literal, Unpack, overload", several)]
    homes = {**accord._HOMES, "audit": "accord.audit", "gold": "accord.gold"}
    homes |= {"report": "accord.report", "__version__": "accord.version"}
    lines += [
        f"from {home} import {name} as {name}" for name, home in sorted(homes.items(), key=str)
    ]
    lines += [
        "from accord.distance.units import OwnFunction",
        "from accord.reading.given import Plain",
        "from accord.reading.keywords import Keywords, KeywordsButLength",
        "",
    ]
    for name in shared:
        both = "@overload\n" if shared[name] > 1 else ""
        lines += [both + _function(m) for m in records if m.name == name]
    return _formatted("\n".join(lines), STUB)


def _function(record: Measure) -> str:
    signature = inspect.signature(record.function)
    data = [
        f"{p.name}: {_plain(p.annotation)} | Plain"
        for p in signature.parameters.values()
        if p.kind is p.POSITIONAL_OR_KEYWORD
    ]
    options = [f"{o.name}: {_words(o)} = ..." for o in record.options]
    # (an agreement takes the answers of several people, each as a sequence of its own)
    options = ["*others: Plain" if record.question == "agree" else "*", *options]
    # what the measure has by the same name is its own
    named = {*signature.parameters, *(o.name for o in record.options)}
    reading = "ButLength" if named & {"length", "units"} else ""
    whole = f"**reading: Unpack[Keywords{reading}]"
    given = ", ".join([*data, *options, whole])
    name = record.name.replace("-", "_")
    return f"def {name}({given}) -> {_plain(signature.return_annotation)}: ..."


def _words(option: Option) -> str:
    """The type of an option, with its words where there are no others."""
    if not option.choices or option.type is not str or option.file:
        return option.annotation
    words = ", ".join(map(repr, option.choices))
    return option.annotation.replace("str", f"Literal[{words}]", 1)


def _plain(annotation: object) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "object")


if __name__ == "__main__":
    for path, text in written().items():
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.name} is not current")
