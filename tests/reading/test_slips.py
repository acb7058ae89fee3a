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
