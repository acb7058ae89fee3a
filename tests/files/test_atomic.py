"""Writing is done or not done: killed at any moment, what was there is whole."""

import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import accord
from accord.data import Ratings, Units
from accord.errors import InputError
from accord.files.atomic import replacing, staged, write_text
from accord.formats import formats, write
from accord.reading import read

TEXT = "Anna went home. 🥳 Bob stayed."
UNITS = Units.from_rows(
    [(d, a, 0, 4, "PER") for d in ("d1", "d2") for a in ("ann", "bob")],
    texts={"d1": TEXT, "d2": TEXT},
    lengths={"d1": len(TEXT), "d2": len(TEXT)},
)


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path):
    path = tmp_path / "new" / "x.txt"
    write_text(path, "one")
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~_umask()
    path.chmod(0o640)
    write_text(path, "two")
    assert path.read_text() == "two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [p.name for p in path.parent.iterdir()] == ["x.txt"]


def test_what_fails_leaves_the_old_file_and_nothing_beside(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), replacing(path) as beside:
        _half_done(beside)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    folder = tmp_path / "f"
    folder.mkdir()
    (folder / "a").write_text("old")
    with pytest.raises(KeyboardInterrupt), staged(folder, overwrite=True) as place:
        _half_done(place / "a")
    assert (folder / "a").read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["f", "x.txt"]


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    write_text(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    write_text("/dev/null", "gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_what_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"x\.txt: cannot be written \("):
        write_text(tmp_path / "file" / "x.txt", "")
    with pytest.raises(InputError, match="is a folder; name a file"):
        write_text(tmp_path, "")
    with pytest.raises(
        InputError, match=r"/dev/full: cannot be written \(No space left on device\)"
    ):
        write_text("/dev/full", "x" * 100_000)


def test_a_full_folder_is_replaced_only_when_asked(tmp_path):
    target = tmp_path / "out"
    write(UNITS, target, format="brat")
    before = sorted(p.name for p in target.rglob("*"))
    with pytest.raises(accord.UsageError, match=r"folder that is not empty.*overwrite=True"):
        write(UNITS, target, format="brat")
    (target / "stale.txt").write_text("")
    write(UNITS, target, format="brat", overwrite=True)
    assert sorted(p.name for p in target.rglob("*")) == before
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


_WRITER = """
import sys, os, time
sys.path.insert(0, sys.argv[3])
import accord.files.atomic as atomic
from accord.formats import write
from tests.files.test_atomic import UNITS
# every step that touches the disc is slowed, so that the kill falls between two of them
for name in ("_to_disc", "_keep_mode", "_exchanged", "_put"):
    def slow(*a, _f=getattr(atomic, name), **k):
        time.sleep(0.004)
        return _f(*a, **k)
    setattr(atomic, name, slow)
print("ready", flush=True)
while True:
    write(UNITS, sys.argv[1], format=sys.argv[2], overwrite=True)
"""


@pytest.mark.parametrize(("name", "target"), [("csv", "x.csv"), ("brat", "out"), ("uima", "out")])
def test_killed_at_any_moment_the_old_export_is_whole(name, target, tmp_path):
    path = tmp_path / target
    write(UNITS, path, format=name)
    root = Path(__file__).parents[2]
    for round_ in range(6):
        process = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), name, str(root)],
            stdout=subprocess.PIPE,
            env={
                **os.environ,
                "PYTHONPATH": f"{root / 'src'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
            },
        )
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.01 + 0.017 * round_)
        process.send_signal(signal.SIGKILL)
        process.wait()
        # (where all texts are the same, nothing tells folders from files)
        back = read(path, format=name, **({"annotator_from": "file"} if name == "uima" else {}))
        assert [tuple(u)[:1] + tuple(u)[2:] for u in back] == [
            tuple(u)[:1] + tuple(u)[2:] for u in UNITS
        ]


WRITERS = [f.name for f in formats() if f.writes]


@pytest.mark.parametrize("name", WRITERS)
def test_every_writer_goes_through_the_stage(name, tmp_path, monkeypatch):
    """Nothing stands at the target before the writer is done."""
    from accord.files import atomic

    data = UNITS
    record = next(f for f in formats() if f.name == name)
    if "units" not in record.holds:
        data = accord.Chains.from_clusters(
            {("d", "A"): [[(0, 1), (2, 3)]]}, words={"d": list("abcd")}
        )
    target = (
        tmp_path
        / f"out{record.suffixes[0] if record.suffixes and 'units' not in record.holds else ''}"
    )
    seen = []

    def put(made, place, _put=atomic._put):
        seen.append(target.exists())
        _put(made, place)

    monkeypatch.setattr(atomic, "_put", put)
    try:
        write(data, target, format=name)
    except accord.UsageError:
        pytest.skip("the writer does not hold these data")
    assert seen
    assert not seen[0]


def test_inputs_are_not_written_onto(tmp_path, accord_command):
    path = tmp_path / "r.csv"
    text = "item,annotator,value\n1,A,x\n1,B,x\n2,A,y\n2,B,x\n"
    path.write_text(text)
    for words in (
        ["convert", path, path],
        ["gold", path, "-o", path],
        ["gold", path, "--worklist", path],
        ["report", path, "-o", path],
        ["agree", path, "--propose-distances", path],
    ):
        done = accord_command(*words)
        assert done.returncode == 2, words
        assert "--overwrite" in done.stderr
        assert path.read_text() == text
    done = accord_command("convert", path, path, "--overwrite")
    assert done.returncode == 0
    assert read(path).n_ratings == 4
    folder = tmp_path / "f"
    write(UNITS, folder, format="brat")
    done = accord_command("convert", folder, folder, "--to", "brat")
    assert done.returncode == 2
    assert accord_command("convert", folder, folder, "--to", "brat", "--overwrite").returncode == 0
    assert len(read(folder)) == 4


@pytest.mark.parametrize(
    "words",
    [
        ["convert", "{data}", "{bad}/x.csv"],
        ["gold", "{data}", "-o", "{bad}/x.csv"],
        ["gold", "{data}", "--worklist", "{bad}/x.csv"],
        ["report", "{data}", "-o", "{bad}/x.html"],
        ["agree", "{data}", "--ci", "none", "--propose-distances", "{bad}/x.csv"],
        ["falsify", "b3", "--max-n", "3", "--max-n-triples", "3", "--svg", "{bad}/x.svg"],
        ["align", "{units}", "--csv", "{bad}/x.csv"],
        ["align", "{units}", "--svg", "{bad}/x.svg"],
    ],
)
def test_unwritable_output_is_one_sentence_of_every_command(words, tmp_path, accord_command):
    (tmp_path / "r.csv").write_text("item,annotator,value\n1,A,x\n1,B,x\n2,A,y\n2,B,x\n")
    (tmp_path / "u.csv").write_text("annotator,start,end,label\nA,0,4,x\nB,0,5,x\n")
    (tmp_path / "file").write_text("")
    places = {"data": tmp_path / "r.csv", "units": tmp_path / "u.csv", "bad": tmp_path / "file"}
    done = accord_command(*(w.format(**places) for w in words))
    assert done.returncode == 2
    assert "cannot be written (" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_full_disc_under_the_output_is_one_sentence(tmp_path):
    (tmp_path / "r.csv").write_text("item,annotator,value\n1,A,x\n1,B,x\n2,A,y\n2,B,x\n")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "accord", "agree", str(tmp_path / "r.csv"), "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "accord: No space left on device\n"


def test_control_characters_do_not_reach_the_terminal(tmp_path, accord_command):
    path = tmp_path / "r.csv"
    evil = "\x1b]0;owned\x07\x1b[2Jred"
    path.write_text(f"item,annotator,value\n1,A,{evil}\n1,B,{evil}\n2,A,y\n2,B,y\n")
    for words in (["agree", path, "--by", "category"], ["inspect", path], ["gold", path]):
        done = accord_command(*words)
        assert done.returncode == 0
        assert "\x1b" not in done.stdout + done.stderr
        assert "\x07" not in done.stdout + done.stderr
    assert "␛]0;owned" in accord_command("inspect", path).stdout


def _half_done(path):
    path.parent.mkdir(exist_ok=True)
    path.write_text("half")
    raise KeyboardInterrupt


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _node(path):
    status = path.stat()
    return status.st_ino, status.st_mode, status.st_rdev


def test_devices_and_pipes_are_written_into_and_never_replaced(tmp_path, accord_command):
    """A pipe stands in for devices here: nothing may be renamed onto it."""
    data = Ratings.from_matrix([["a", "b"], ["a", "a"]])
    for name, out in (("csv", "p.csv"), ("jsonl", "p.jsonl"), ("label-studio", "p.json")):
        pipe = tmp_path / out
        os.mkfifo(pipe)
        before = _node(pipe)
        heard = []
        reader = threading.Thread(
            target=lambda pipe=pipe, heard=heard: heard.append(pipe.read_bytes())
        )
        reader.start()
        write(data, pipe, format=name)
        reader.join(10)
        assert heard[0]
        assert _node(pipe) == before
    with pytest.raises(InputError, match="one file and no folder"):
        write(data, tmp_path / "p.csv", format="doccano")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["p.csv", "p.json", "p.jsonl"]


@pytest.mark.skipif(os.geteuid() == 0, reason="never tried as root, who could replace the device")
def test_a_full_device_is_one_sentence(tmp_path):
    with pytest.raises(InputError, match="No space left"):
        write(Ratings.from_matrix([["a", "b"], ["a", "a"]]), Path("/dev/full"), format="csv")


def test_a_worklist_is_never_read_from_a_device(tmp_path, accord_command):
    table = tmp_path / "x.csv"
    table.write_text("item,annotator,value\n1,A,x\n1,B,y\n")
    # (the size of what may be read is bounded: an endless device would fill the memory)
    done = accord_command("gold", table, "-o", tmp_path / "g.csv", "--known", "/dev/zero")
    assert done.returncode == 2
    assert "/dev/zero: is a device" in done.stderr
    for option in ("--adjudicate", "--texts"):
        done = accord_command("gold", table, "-o", tmp_path / "g.csv", option, "/dev/zero")
        assert done.returncode == 2, option
        assert "/dev/zero" in done.stderr
