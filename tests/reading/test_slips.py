"""What the header says to check: labels written in two ways, test accounts, somebody who did half."""

import pytest

import accord
from accord.data.reading import OpenQuestionError, Person
from accord.data.slips import in_part
from tests.in_process import run

LABELS = ("LOC", "Loc", "PER")


def table(people, labels=LABELS, items=12, rest=None):
    rows = [
        f"{i},{who},{labels[(i + k) % len(labels)]}"
        for k, who in enumerate(people)
        for i in range(items if who != rest else items // 2)
    ]
    return "\n".join(["item,annotator,value", *rows, ""])


@pytest.fixture
def told(tmp_path):
    def tell(text, options=""):
        path = tmp_path / "r.csv"
        path.write_text(text)
        code, printed, stderr, _ = run(f"accord agree {path} --ci none {options}")
        assert code == 0, stderr
        head = printed.partition("\n\n")[0]
        assert head.count("\n") < 5
        return head

    return tell


@pytest.mark.parametrize(
    ("text", "said", "option"),
    [
        (
            table(["ana", "ben"]),
            "labels 'LOC' and 'Loc' differ in spelling only",
            "--merge LOC=Loc",
        ),
        (
            table(["admin@localhost", "ana", "ben"], "xyz"),
            "'admin@localhost' looks like a test account",
            "--without admin@localhost",
        ),
        (
            table(["ana", "ben", "cy"], "xyz", rest="ben"),
            "'ben' rated 6 items, others 12",
            "--without ben",
        ),
    ],
)
def test_the_header_says_what_to_check_and_the_option_mends_it(told, text, said, option):
    head = " ".join(told(text).split())
    assert f"to check: {said} ({option})" in head
    assert "to check" not in told(text, option)


def test_ordinary_data_have_nothing_to_check(told):
    assert "to check" not in told(table(["ana", "tester", "Testa"], ["in", "out", "0"]))
    assert "to check" not in told(table(["test1", "test2"], ["+", "-", "0"]), "--keep-values=-")


def test_at_most_two_slips_are_told_and_the_audit_has_all(told):
    labels = ["a", "A", "b", "B", "c", "C"]
    assert told(table(["ana", "ben"], labels)).count("differ in spelling only") == 2
    data = accord.read([["a", "A", "b", "B", "c", "C"]] * 2, orientation="annotators")
    found = next(f for f in accord.audit(data) if f.rule == "spelling-variants")
    assert len(found.evidence["labels"]) == 3


def test_many_who_did_little_are_a_crowd():
    people = [Person(name=str(i), role="annotator", n=n) for i, n in enumerate([12, 5, 4, 12])]
    assert in_part(people) == []
    assert [p.name for p, _ in in_part(people[1:])] == []
    assert [p.name for p, _ in in_part([people[0], people[1], people[3]])] == ["1"]


def test_truth_values_beside_0_and_1_are_asked(tmp_path):
    path = tmp_path / "b.csv"
    rows = [f"{i},{who},{v}" for i in range(6) for who, v in (("a", i % 2), ("b", str(i % 2 == 1)))]
    path.write_text("\n".join(["item,annotator,value", *rows, ""]))
    with pytest.raises(OpenQuestionError) as asked:
        accord.read(path)
    values = {}
    for answer in asked.value.decision.others:
        name, value = answer.option
        values[name] = accord.agree(accord.read(path, **{name: value}), "percent").value
    assert values == {"recode": 1.0, "values": 0.0}


def test_json_says_what_to_check(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text(table(["ana", "ben", "test"], items=3))
    found = accord.read(path).reading.to_dict()["to_check"]
    assert found == [
        {"what": "labels 'LOC' and 'Loc' differ in spelling only", "mend_with": "--merge LOC=Loc"},
        {"what": "'test' looks like a test account", "mend_with": "--without test"},
    ]


def test_one_item_is_no_plural():
    people = [Person(name=n, role="annotator", n=k) for n, k in (("ana", 2), ("ben", 1))]
    data = accord.read(
        {"item": [1, 2, 1], "annotator": ["ana", "ana", "ben"], "value": list("xyx")}
    )
    assert data.reading.to_check[0][0] == "'ben' rated 1 item, others 2"
    assert in_part(people) == [(people[1], 2)]


@pytest.mark.parametrize(
    ("ours", "theirs"), [(("007", "008"), ("7", "8")), (("7.0", "8"), ("7", "9"))]
)
def test_names_of_one_item_written_in_two_ways(ours, theirs, tmp_path):
    for name, items in (("a", ours), ("b", theirs)):
        rows = "".join(f"{item},{name},x\n" for item in items)
        (tmp_path / f"{name}.csv").write_text("item,annotator,value\n" + rows)
    code, printed, _, _ = run(f"accord agree {tmp_path / 'a.csv'} {tmp_path / 'b.csv'} --ci none")
    head = " ".join(printed.partition("\n\n")[0].split())
    assert code == 0
    assert f"items {ours[0]!r} and {theirs[0]!r} are two; if they are one, write them alike" in head
    code, _, stderr, _ = run(f"accord score {tmp_path / 'a.csv'} {tmp_path / 'b.csv'}")
    assert code == 2
    assert f"such as {ours[0]!r} and {theirs[0]!r}" in stderr


def test_items_that_are_shared_or_of_other_names_raise_no_doubt():
    def assumed(*items):
        rows = [{"item": i, "annotator": "AB"[k], "value": "x"} for k, i in enumerate(items)]
        return [d.taken.means for d in accord.read(rows).reading.provenance.decisions]

    assert assumed("7", "8") == assumed("1.05", "1.5") == []
    assert assumed("item 1", "Item 01") != []
