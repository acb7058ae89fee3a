"""No command writes onto what it reads: every option of every command that names a file is tried."""

import pytest

from accord.cli.help import _kind
from accord.cli.inputs import WRITTEN
from tests.in_process import commands, run

#: options that name what is read (or what a command keeps): a new one must be put here or in WRITTEN
READ = {
    "adjudicate", "against", "annotator_weights", "check", "coverage", "data", "decisions",
    "guidelines", "import_", "known", "lengths", "like", "media", "ratings", "reference",
    "source", "store", "system", "texts", "tls_certificate", "tls_key", "units", "unlabelled",
    "users",
}  # fmt: skip
#: words that may name a file
WORDS = ("--metric", "--groups")


def _walked(command=None, name=()):
    command = command or commands()
    if hasattr(command, "commands"):
        for word, below in command.commands.items():
            yield from _walked(below, (*name, word))
    else:
        yield name, command


def _files(command):
    return [p for p in command.params if "path" in _kind(p)]


def _typed(param, path):
    option = param.opts[0].startswith("-")
    return f"{param.opts[-1]} {path!s}" if option else str(path)


def _lines():
    """Every command as one line with gaps: each of what it writes, and each of what it reads."""
    for name, command in _walked():
        files = _files(command)
        targets = [p for p in files if p.name in WRITTEN]
        sources = [p for p in files if p.name not in WRITTEN]
        words = sorted({w for p in command.params for w in p.opts} & set(WORDS))
        for t, target in enumerate(targets):
            rest = [p for p in command.params if p.required and p is not target]
            for source in sources if t == 0 else sources[:1]:
                asked = sorted({*rest, source, target}, key=command.params.index)
                gaps = {source: "{source}", target: "{target}"}
                yield " ".join(
                    ["accord", *name, *(_typed(p, gaps.get(p, "{other}")) for p in asked)]
                )
            for word in words if t == 0 else ():
                asked = [_typed(p, "{other}") for p in rest]
                yield " ".join(
                    ["accord", *name, *asked, word, "{source}", _typed(target, "{target}")]
                )


LINES = sorted(set(_lines()))


def test_every_option_that_names_a_file_is_read_or_written():
    names = {p.name for _, command in _walked() for p in _files(command)}
    assert names == WRITTEN | READ
    assert len(LINES) > 60


@pytest.mark.parametrize("line", LINES)
def test_nothing_is_written_onto_what_is_read(line, tmp_path):
    held = tmp_path / "top" / "between" / "below"
    held.mkdir(parents=True)
    source, other = held / "in.csv", tmp_path / "other.csv"
    text = "item,annotator,value\n1,A,x\n1,B,x\n2,A,y\n2,B,x\n"
    for path in (source, other):
        path.write_text(text)
    link = tmp_path / "link.csv"
    link.symlink_to(source)
    # itself, the folder above the folder that holds it, and another name of it
    for target in (source, tmp_path / "top", link):
        code, _, told, _ = run(line.format(source=source, target=target, other=other))
        assert code == 2, line
        assert "is read by this command" in told, told
        assert source.read_text() == text
        assert sorted(p.name for p in tmp_path.rglob("*")) == [
            "below", "between", "in.csv", "link.csv", "other.csv", "top",
        ]  # fmt: skip


def test_a_file_of_a_folder_that_is_read(tmp_path):
    """It may be one of the annotators'; a page to look at is none."""
    for who in ("ann", "bob"):
        (tmp_path / f"{who}.csv").write_text("item,value\n1,x\n2,y\n3,x\n")
    line = "accord gold {0} -o {0}/bob.csv"
    code, _, told, _ = run(line.format(tmp_path))
    assert code == 2
    assert "bob.csv is read by this command" in told
    assert run(f"accord gold {tmp_path} -o {tmp_path}/new.csv")[0] == 0
    for _ in range(2):
        code, _, told, _ = run(f"accord report {tmp_path} --resamples 20 -o {tmp_path}/page.html")
        assert code == 0, told


def test_the_old_name_of_the_table_of_annotators(tmp_path):
    table, people = tmp_path / "r.csv", tmp_path / "people.csv"
    text = "item,annotator,value\n1,A,x\n1,B,x\n2,A,y\n2,B,x\n"
    table.write_text(text)
    code, _, told, _ = run(f"accord gold {table} --annotators {table}")
    assert code == 2
    assert "is read by this command" in told
    assert table.read_text() == text
    for _ in range(2):
        code, _, told, _ = run(f"accord gold {table} --annotators {people}")
        assert (code, "it is now called --annotator-details" in told) == (0, True)
    assert people.read_text().startswith("annotator,")
