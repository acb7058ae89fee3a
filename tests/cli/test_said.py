"""What a command declares: options of its signature and of dataclasses, and small tables beside the data."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest

import accord
from accord.cli.inputs import told
from accord.cli.parameters import parameter
from accord.cli.texts import read_pairs
from accord.errors import InputError, UsageError
from accord.options import Said, declared
from tests.in_process import run


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    host: Annotated[str, Said("Where.")] = "here"
    port: Annotated[list[int] | None, Said("Ports.", panel="Own")] = None


def command(
    source: Annotated[Path, Said("What is read.")],
    *,
    place: Annotated[Place, "Address"],
    loud: Annotated[bool, Said("Loud.", typed="--loud -l", words="yes no")] = False,
    count: int = 3,
) -> None:
    """A command."""
    SEEN.append((source, place, loud, count))


SEEN: list[object] = []


def test_options_of_a_function_are_those_that_say_something():
    options = {option.name: option for option in declared(command)}
    assert list(options) == ["source", "host", "port", "loud"]
    assert options["source"].argument
    assert options["source"].type is Path
    assert [options[name].panel for name in ("host", "port", "loud")] == ["Address", "Own", ""]
    assert options["port"].repeatable
    assert options["port"].type is int
    assert options["loud"].flags == ["--loud", "-l"]
    offered = parameter(options["loud"]).annotation.__metadata__[0].autocompletion
    assert offered("y") == ["yes"]


def test_a_dataclass_of_options_is_filled():
    SEEN.clear()
    whole = told(command)
    whole(
        source=Path("a"), host="there", port=[1], loud=True, quiet=False, verbose=False, lang="en"
    )
    assert [(Path("a"), Place(host="there", port=[1]), True, 3)] == SEEN


def test_what_a_dataclass_says_is_written_is_not_written_onto_what_is_read(tmp_path):
    table = tmp_path / "ratings.csv"
    table.write_text("item,annotator,value\n1,A,x\n1,B,x\n2,A,y\n2,B,y\n")
    code, _, said, _ = run(f"accord gold {table} -o {table}")
    assert code == 2
    assert "is read by this command" in said


def test_a_key_of_a_table_beside_the_data_has_one_value(tmp_path):
    table = tmp_path / "texts.csv"
    table.write_text("document,text\nd,one\ne,two\nd,one\n")
    assert read_pairs(table, ("item", "document"), "text") == {"d": "one", "e": "two"}
    table.write_text("document,text\nd,one\nd,other\n")
    with pytest.raises(InputError, match=r"texts.csv:3: names 'd' twice"):
        read_pairs(table, ("item", "document"), "text")
    with pytest.raises(InputError, match="name them item,value"):
        read_pairs(table, ("item",), "value")


def test_a_port_that_does_not_exist_is_refused_in_one_sentence(tmp_path):
    code, _, said, _ = run(f"accord serve {tmp_path} --port 70000")
    assert code == 2
    assert "must be between 0 and 65535, got 70000" in said


def test_all_measures_can_be_asked_for_in_python_too():
    data = accord.Ratings.from_matrix([list("aabb"), list("abbb")])
    found = {r.measure for r in accord.agree(data, ["all"])}
    assert {"alpha", "percent", "kappa"} <= found
    with pytest.raises(UsageError, match="delta is not an option of alpha, percent"):
        accord.agree(data, ["alpha", "percent"], delta=2)


def test_kept_boxes_of_each_group_are_counted(tmp_path):
    rows = [
        f"d,{who},0,0,10,10,cat\nd,{who},20,20,30,30,{'dog' if who in 'AB' else 'cat'}"
        for who in "ABCD"
    ]
    table, groups = tmp_path / "boxes.csv", tmp_path / "groups.csv"
    table.write_text("document,annotator,x0,y0,x1,y1,label\n" + "\n".join(rows) + "\n")
    groups.write_text("annotator,group\nA,one\nB,one\nC,two\nD,two\n")
    code, out, said, _ = run(f"accord gold {table} --shape boxes --groups {groups}")
    assert code == 0, said
    assert out.count(" 2") >= 2
