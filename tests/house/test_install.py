"""The package as others get it: the source archive, and an install without a C compiler."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import accord
from tests.conftest import ROOT

#: kept in the repository for those who work on it, not in the source archive
WORKSHOP = (
    ".github/",
    ".ci/",
    ".gitignore",
    ".gitattributes",
    ".pre-commit-config.yaml",
    ".readthedocs",
)


def tracked() -> list[str]:
    """The files of the repository; the test is skipped in a source archive, which has none."""
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode or not done.stdout:
        pytest.skip("not in a repository")
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def copied(names: list[str], where: Path) -> Path:
    """A copy of these files: building leaves traces."""
    for name in names:
        (where / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, where / name)
    return where


@pytest.mark.slow
def test_the_source_archive_has_everything(tmp_path):
    names = tracked()
    tree = copied(names, tmp_path / "tree")
    code = "from setuptools.build_meta import build_sdist; build_sdist('dist')"
    (tree / "dist").mkdir()
    subprocess.run([sys.executable, "-c", code], cwd=tree, check=True, capture_output=True)
    (archive,) = (tree / "dist").glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        inside = {name.partition("/")[2] for name in opened.getnames()}
    missing = [name for name in names if name not in inside and not name.startswith(WORKSHOP)]
    assert missing == []
    assert not [name for name in inside if name.endswith((".c", ".so"))]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="MSVC is not chosen by CC")
def test_without_a_compiler_the_kernels_are_the_python_they_are(tmp_path):
    """A wheel built where the compiler fails has no binary, says so, and gives the same numbers."""
    source = [str(p.relative_to(ROOT)) for p in (ROOT / "src").rglob("*") if _is_source(p)]
    tree = copied([*source, "pyproject.toml", "README.md", "LICENSE"], tmp_path / "tree")
    code = "from setuptools.build_meta import build_wheel; build_wheel('.')"
    subprocess.run(
        [sys.executable, "-c", code],
        cwd=tree,
        env={**os.environ, "CC": "/bin/false", "CXX": "/bin/false"},
        check=True,
        capture_output=True,
    )
    (wheel,) = tree.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        assert not [n for n in opened.namelist() if n.endswith(".so")]
        opened.extractall(tmp_path / "site")
    plain = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "accord", *map(str, words)],
            capture_output=True, text=True, env=plain, cwd=tmp_path, check=True,
        )  # fmt: skip

    assert run("--version").stdout.strip() == f"{accord.__version__} (kernels not compiled)"
    done = run("agree", ROOT / "examples" / "moods.csv", "--json")
    assert done.stderr.count("not compiled") == 1
    value = json.loads(done.stdout)["results"][0]["value"]
    moods = accord.read(ROOT / "examples" / "moods.csv")
    assert value == accord.agree(moods, "alpha").value
    units = run("agree", ROOT / "examples" / "claims.csv", "--measure", "gamma", "--json")
    claims = accord.read(ROOT / "examples" / "claims.csv")
    gamma = json.loads(units.stdout)["results"][0]["value"]
    assert gamma == pytest.approx(accord.agree(claims, "gamma").value, abs=1e-12)


def _is_source(path: Path) -> bool:
    return (
        path.is_file()
        and path.suffix not in (".so", ".c", ".pyc", ".pyd")
        and ("egg-info" not in str(path) and not path.name.startswith("."))
    )
