"""Write `src/accord/__init__.pyi`: what editors and type checkers see of `import accord`.

    python scripts/make_stub.py [--check]

The names of the package and one function per enrolled measure, from the records: a new measure or
option is completed by editors after this has been run (a test fails until it has).
"""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections import Counter
from pathlib import Path

import accord
from accord.measures import enrolled
from accord.registry import Measure

STUB = Path(accord.__file__).with_suffix(".pyi")
_TOP = '''"""What `import accord` offers; written by scripts/make_stub.py from the records of the measures."""

from collections.abc import Callable, Sequence
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from accord import simulate as simulate
'''


def stub() -> str:
    records = [m for m in enrolled() if not m.name.startswith("_")]
    shared = Counter(m.name for m in records)
    # an agreement and a score of one name stand together
    several = shared.total() > len(shared)
    lines = [_TOP.replace("PathLike\n", "PathLike\nfrom typing import overload\n", several)]
    homes = {**accord._HOMES, "audit": "accord.audit", "gold": "accord.gold"}
    homes |= {"report": "accord.report", "__version__": "accord.version"}
    lines += [
        f"from {home} import {name} as {name}" for name, home in sorted(homes.items(), key=str)
    ]
    lines += ["from accord.distance.units import OwnFunction", ""]
    for name in shared:
        both = "@overload\n" if shared[name] > 1 else ""
        lines += [both + _function(m) for m in records if m.name == name]
    # as the house formats everything, so that a formatter has nothing to change
    return subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(STUB), "-"],
        input="\n".join(lines) + "\n",
        cwd=STUB.parents[2],
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def _function(record: Measure) -> str:
    signature = inspect.signature(record.function)
    data = [
        f"{p.name}: {_plain(p.annotation)}"
        for p in signature.parameters.values()
        if p.kind is p.POSITIONAL_OR_KEYWORD
    ]
    options = [f"{o.name}: {o.annotation} = ..." for o in record.options]
    given = ", ".join([*data, *(["*", *options] if options else [])])
    name = record.name.replace("-", "_")
    return f"def {name}({given}) -> {_plain(signature.return_annotation)}: ..."


def _plain(annotation: object) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "object")


if __name__ == "__main__":
    text = stub()
    if "--check" in sys.argv:
        sys.exit(0 if STUB.read_text(encoding="utf-8") == text else "the stub is not current")
    STUB.write_text(text, encoding="utf-8")
