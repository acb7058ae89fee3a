"""Run the tests with the lowest (or the newest) versions that pyproject.toml allows.

    python scripts/lowest_versions.py FOLDER            the lowest versions
    python scripts/lowest_versions.py FOLDER --newest   the newest

The package is built as a wheel and installed with its dependencies in an environment of its own
below FOLDER; the tests run from a copy, so that nothing of the source tree is imported. Left out are
`spacy`, `ray` and `spark`, which need more than a minute and a gigabyte each: name them with --extras.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTRAS = ("parquet", "polars", "duckdb", "plot", "graphemes", "excel", "notebook", "logs",
          "shapes", "dask")  # fmt: skip
#: what the tests themselves are run with; their oracles and linters may be as new as they like
TOOLS = ("pytest", "hypothesis")
#: one or more files or folders for each dependency, all that it does for accord among them
TESTS = (
    "files/test_atomic.py", "cli/test_bad_input.py", "measures/test_boxes.py",
    "cli/test_command_line.py", "cli/test_console.py", "measures/test_coreference.py",
    "kernels/test_covers.py", "data/test_dataframes.py", "gold/test_decisions.py",
    "large/test_engines.py", "evaluation/test_evaluation.py", "formats/test_evaluation_logs.py",
    "measures/test_every_measure.py", "files/test_folders.py", "formats/test_exports.py",
    "formats/test_platforms.py", "formats/test_real_samples.py", "measures/test_fragments.py",
    "test_frozen.py", "measures/test_gamma.py", "gold/test_models.py", "uncertainty/test_intervals.py",
    "language/test_language.py", "large/test_lazy_frames.py", "options/test_options.py",
    "data/test_parallel.py", "alignment/test_pricing.py", "data/test_progress.py",
    "report/test_report.py", "measures/test_segmentation.py", "web/test_serve.py",
    "reading/test_tables_people_have.py", "cli/test_terminal.py", "formats/test_unreadable.py",
    "data/test_workers.py", "gold", "web",
)  # fmt: skip


def lowest(requirement: str) -> str:
    """Return a requirement with its lowest version alone.

    >>> lowest("dask[dataframe]>=2024.8"), lowest("typer>=0.12.4, !=0.15.0")
    ('dask[dataframe]==2024.8', 'typer==0.12.4')
    """
    found = re.match(r"([\w.-]+(?:\[[\w,]+\])?)\s*>=\s*([\w.]+)", requirement)
    if found is None:
        raise SystemExit(f"{requirement!r} states no lowest version")
    return f"{found[1]}=={found[2]}"


def declared(extras: list[str]) -> list[str]:
    """Return the requirements of the package, of its extras and of the tools of the tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    tools = [r for r in optional["test"] if re.split("[>=<~!;[]", r)[0].strip() in TOOLS]
    return [*project["dependencies"], *(r for e in extras for r in optional[e]), *tools]


def main() -> int:
    """Build, install, list what was installed, and run the tests."""
    asked = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    asked.add_argument("folder", type=Path, help="where the environment is made; may be deleted")
    asked.add_argument("--newest", action="store_true", help="the newest versions instead")
    asked.add_argument("--extras", default=",".join(EXTRAS), help="extras, separated by commas")
    asked.add_argument(
        "--tests", nargs="*", default=list(TESTS), help="files and folders below tests/"
    )
    how = asked.parse_args()
    folder = how.folder.resolve()
    place = folder / ("newest" if how.newest else "lowest")
    wheels = folder / "wheels"
    # (built anew: one that is there may be of another day)
    shutil.rmtree(wheels, ignore_errors=True)
    _run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", wheels, ROOT)
    wheel = next(wheels.glob("accord-*.whl"))
    venv.create(place, with_pip=True, clear=True)
    python = place / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    wanted = declared(how.extras.split(",") if how.extras else [])
    # (an extra may need more of a package than the core does)
    raised = {re.split("[>=<~!;[]", r)[0].strip(): r for r in wanted}
    versions = wanted if how.newest else [lowest(r) for r in raised.values()]
    upgrade = ["--upgrade"] if how.newest else []
    _run(python, "-m", "pip", "install", "--quiet", *upgrade, wheel, *versions)
    _run(python, "-m", "pip", "check")
    _run(python, "-m", "pip", "list", "--format", "freeze")
    # (all but the source, what tools left behind, and this folder, which may stand in it)
    copy, left = place / "run", (folder.name, ".git", ".venv*", ".*_cache", "src", "*.egg-info")
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*left))
    options = ("-q", "-p", "no:cacheprovider", "--import-mode=importlib", "--rootdir", copy)
    files = [copy / "tests" / name for name in how.tests]
    code = _run(python, "-m", "pytest", *options, *files, cwd=copy, check=False)
    kind = "newest" if how.newest else "lowest"
    verdict = "do" if code == 0 else f"do NOT do (pytest: {code})"
    print(f"the {kind} versions that pyproject.toml allows {verdict}: {len(files)} files of tests")
    return code


def _run(*words: object, cwd: Path | None = None, check: bool = True) -> int:
    # (with a source tree on PYTHONPATH, pip would take the wheel for installed)
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([str(w) for w in words], check=check, cwd=cwd, env=own).returncode


if __name__ == "__main__":
    sys.exit(main())
