"""Several labels an item: read as sets, agreed and scored as sets and label by label."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.data import Ratings
from accord.errors import InputError, UsageError
from tests.told import told

#: METHODS §14.6, reference / system
PAIRS = [("ab", "a"), ("b", "bc"), ("ac", "ac"), ("", "a"), ("c", ""), ("", ""), ("abc", "ab"),
         ("bc", "bc"), ("a", "b"), ("c", "c")]  # fmt: skip
WORKED = {
    "f1-micro": 0.72,
    "f1-macro": 0.722222,
    "f1-samples": 0.513333,
    "exact-match": 0.4,
    "hamming-loss": 0.233333,
}


def ratings(rows: list[str], name: str = "system") -> Ratings:
    return Ratings.from_matrix([[frozenset(row) for row in rows]], annotators=[name])


def both(pairs) -> tuple[Ratings, Ratings]:
    return ratings([r for r, _ in pairs], "reference"), ratings([s for _, s in pairs])


def cell(labels: str, cut: str = "|") -> str:
    return cut.join(labels) if labels else "{}"


@pytest.mark.parametrize(("name", "value"), WORKED.items())
def test_worked_values(name, value):
    found = accord.score(*both(PAIRS), name, ci="auto")
    assert found.value == pytest.approx(value, abs=1e-6)
    assert found.interval.low <= value <= found.interval.high


def test_two_empty_sets_are_counted():
    found = accord.score(*both(PAIRS), "f1-samples")
    assert found.terms["both_empty"] == 1
    assert found.terms["with_one"] == pytest.approx(0.613333, abs=1e-6)
    assert any("no label on either side" in w for w in found.warnings)


@pytest.mark.parametrize("options", [(), ("--separator", "|"), ("--values", "sets")])
def test_the_command_reads_the_empty_set(tmp_path, accord_command, options):
    for k, name in enumerate(("r.csv", "s.csv")):
        rows = "".join(f"{i},{cell(pair[k])}\n" for i, pair in enumerate(PAIRS))
        (tmp_path / name).write_text("item,value\n" + rows)
    done = accord_command(
        "score", tmp_path / "r.csv", tmp_path / "s.csv", "-m", ",".join(WORKED), *options,
        "--json", "--ci", "none",
    )  # fmt: skip
    found = {r["measure"]: r["value"] for r in json.loads(done.stdout)["results"]}
    assert found == {name: pytest.approx(value, abs=1e-6) for name, value in WORKED.items()}
    done = accord_command("score", tmp_path / "r.csv", tmp_path / "s.csv", *options, "--verbose")
    assert "f1-micro" in done.stdout


sets = st.sampled_from([frozenset(c) for n in range(4) for c in itertools.combinations("abc", n)])


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(sets, sets), min_size=2, max_size=12))
def test_scores_by_definition(pairs):
    reference = Ratings.from_matrix([[r for r, _ in pairs]], annotators=["reference"])
    system = Ratings.from_matrix([[s for _, s in pairs]], annotators=["system"])
    labels = sorted(set().union(*(r | s for r, s in pairs)))
    value = {name: accord.score(reference, system, name).value for name in WORKED}
    n = len(pairs)

    def over(a, b):
        return a / b if b else 0.0

    assert value["exact-match"] == pytest.approx(sum(r == s for r, s in pairs) / n)
    samples = sum(over(2 * len(r & s), len(r) + len(s)) for r, s in pairs) / n
    assert value["f1-samples"] == pytest.approx(samples)
    if not labels:
        assert math.isnan(value["f1-macro"])
        return
    wrong = sum(len(r ^ s) for r, s in pairs)
    assert value["hamming-loss"] == pytest.approx(wrong / (n * len(labels)))
    sizes = sum(len(r) + len(s) for r, s in pairs)
    assert value["f1-micro"] == pytest.approx(2 * sum(len(r & s) for r, s in pairs) / sizes)
    each = [
        over(
            2 * sum(k in r and k in s for r, s in pairs),
            sum((k in r) + (k in s) for r, s in pairs),
        )
        for k in labels
    ]
    assert value["f1-macro"] == pytest.approx(np.mean(each))
    rows = accord.score(reference, system, "f1-macro", by="label").by["label"]
    assert [row["value"] for row in rows] == pytest.approx(each)
    assert [row["prevalence"] for row in rows] == pytest.approx(
        [sum(k in r for r, _ in pairs) / n for k in labels]
    )


def test_scikit_learn_agrees():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(1)
    y, x = (rng.random((60, 4)) < 0.4 for _ in range(2))
    pairs = [
        ("".join(np.array(list("abcd"))[a]), "".join(np.array(list("abcd"))[b]))
        for a, b in zip(y, x, strict=True)
    ]
    value = {name: accord.score(*both(pairs), name).value for name in WORKED}
    for average in ("micro", "macro", "samples"):
        theirs = metrics.f1_score(y, x, average=average, zero_division=0)
        assert value[f"f1-{average}"] == pytest.approx(theirs)
    assert value["hamming-loss"] == pytest.approx(metrics.hamming_loss(y, x))
    assert value["exact-match"] == pytest.approx(metrics.accuracy_score(y, x))


def test_declared_labels_count_in_the_hamming_loss(tmp_path):
    (tmp_path / "r.csv").write_text("item,value\n1,a|b\n2,{}\n")
    (tmp_path / "s.csv").write_text("item,value\n1,a\n2,{}\n")
    two, five = (
        [accord.read(tmp_path / f, separator="|", categories=c) for f in ("r.csv", "s.csv")]
        for c in (None, list("abcde"))
    )
    assert accord.score(*two, "hamming-loss").value == pytest.approx(1 / 4)
    assert accord.score(*five, "hamming-loss").value == pytest.approx(1 / 10)
    with pytest.raises(InputError, match="holds 'b', which is not among the declared"):
        accord.read(tmp_path / "r.csv", separator="|", categories=["a"])


def test_one_side_with_single_labels_is_sets_too():
    reference = ratings(["ab", "b"], "reference")
    system = Ratings.from_matrix([["a", "b"]], annotators=["system"])
    assert accord.score(reference, system, "f1-samples").value == pytest.approx((2 / 3 + 1) / 2)
    assert accord.score(reference, system, "accuracy").value == 0.5


# --- agreement -----------------------------------------------------------------------------------

MULTIPLE = """item,annotator,label
1,A,joy
1,A,love
1,B,joy
1,C,joy
2,A,anger
2,B,anger
2,B,fear
2,C,anger
3,A,nothing
3,B,nothing
3,C,joy
4,A,fear
4,B,fear
4,C,fear
5,A,love
5,B,joy
5,B,love
5,C,anger
"""


def brute_alpha(items: list[list[frozenset]], distance) -> float:
    values = [v for item in items if len(item) > 1 for v in item]
    N = len(values)
    observed = sum(
        sum(distance(a, b) for a, b in itertools.permutations(item, 2)) / (len(item) - 1)
        for item in items
        if len(item) > 1
    )
    expected = sum(distance(a, b) for a, b in itertools.permutations(values, 2))
    return 1 - observed / N / (expected / (N * (N - 1)))


def jaccard(a, b):
    return 1 - len(a & b) / len(a | b) if a | b else 0.0


@pytest.fixture
def emotions(tmp_path):
    (tmp_path / "m.csv").write_text(MULTIPLE)
    return tmp_path / "m.csv"


def test_rows_are_gathered_into_sets(emotions):
    data = accord.read(emotions, multiple=True, none="nothing")
    assert data.kind == "sets"
    assert data.n_ratings == 15
    held = {(i, a): v for i, a, v in _cells(data)}
    assert held["1", "A"] == {"joy", "love"}
    assert held["3", "A"] == frozenset()
    items = [[v for i, _, v in _cells(data) if i == k] for k in "12345"]
    found = accord.agree(data, "alpha", metric="jaccard")
    assert found.value == pytest.approx(brute_alpha(items, jaccard))


def _cells(data: Ratings):
    for i, a, c in zip(data.item, data.annotator, data.code, strict=True):
        yield str(data.items[i]), data.annotators[a], data.values[c]


def test_by_label_is_present_or_not(emotions, accord_command):
    data = accord.read(emotions, multiple=True, none="nothing")
    items = [[v for i, _, v in _cells(data) if i == k] for k in "12345"]
    rows = accord.agree(data, "alpha", metric="masi", by="label", ci="auto").by["label"]
    assert [row["label"] for row in rows] == ["anger", "fear", "joy", "love"]
    for row in rows:
        name = row["label"]
        alone = [[frozenset([name]) & v for v in item] for item in items]
        assert row["value"] == pytest.approx(brute_alpha(alone, lambda a, b: float(a != b)))
        assert row["count"] == sum(name in v for item in items for v in item)
        assert row["prevalence"] == pytest.approx(row["count"] / 15)
        assert row["low"] <= row["value"] <= row["high"]
    # the command shows both without being asked
    done = accord_command("agree", emotions, "--multiple", "--none", "nothing", "--json")
    result = json.loads(done.stdout)["results"][0]
    assert "metric:masi" in result["signature"]
    assert [r["label"] for r in result["by"]["label"]] == ["anger", "fear", "joy", "love"]


def test_labels_are_never_exploded_silently(emotions):
    with pytest.raises(InputError, match="multiple=True if an item can have several labels"):
        accord.read(emotions)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("1,A,x\n1,A,x\n", "gives item '1' one label twice"),
        ("1,A,nothing\n1,A,x\n", "gives item '1' no label and another"),
    ],
)
def test_rows_that_contradict_each_other(tmp_path, rows, says):
    (tmp_path / "m.csv").write_text("item,annotator,label\n0,A,x\n" + rows)
    with pytest.raises(InputError, match=says):
        accord.read(tmp_path / "m.csv", multiple=True, none="nothing")


def test_a_cell_with_the_word_for_none_beside_labels(tmp_path):
    (tmp_path / "m.csv").write_text("item,annotator,value\n1,A,x;nothing\n")
    with pytest.raises(InputError, match="means no label, beside others"):
        accord.read(tmp_path / "m.csv", separator=";", none="nothing")


def test_wide_tables_have_cells(tmp_path):
    (tmp_path / "w.csv").write_text("item,A,B\n1,a|b,a\n2,{},b\n3,b,b\n")
    data = accord.read(tmp_path / "w.csv", wide=True)
    assert frozenset() in data.values
    with pytest.raises(UsageError, match="use separator"):
        accord.read(tmp_path / "w.csv", wide=True, multiple=True)


@pytest.mark.parametrize("name", ["w.csv", "w.jsonl", "w.parquet"])
def test_sets_survive_writing(tmp_path, name):
    data = Ratings.from_matrix(
        [[frozenset("ab"), frozenset(), frozenset("b")], [frozenset("a")] * 3]
    )
    accord.write(data, tmp_path / name)
    again = accord.read(tmp_path / name)
    assert [v for _, _, v in _cells(again)] == [v for _, _, v in _cells(data)]


def test_a_note_where_cells_look_like_sets(tmp_path):
    (tmp_path / "r.csv").write_text("item,annotator,value\n1,A,a;b\n1,B,a\n2,A,b\n2,B,b\n")
    assert "'a;b' is one label (`separator=;`)" in told(accord.read(tmp_path / "r.csv"))


def test_gold_of_sets_writes_the_empty_set(emotions, tmp_path, accord_command):
    out = tmp_path / "gold.csv"
    accord_command(
        "gold", emotions, "--multiple", "--none", "nothing", "--ties", "first", "-o", out
    )
    assert "3,{}," in out.read_text()
    assert accord.read(out).kind == "sets"


# --- trees ---------------------------------------------------------------------------------------

TREE = "label,parent\ndog,animal\ncat,animal\ncar,thing\n"
EDGES = {"dog": "animal", "cat": "animal", "car": "thing"}


def path_length(a: str, b: str) -> float:
    lines = [[x, EDGES[x], "*"] if x in EDGES else [x, "*"] for x in (a, b)]
    return float(
        min(i + j for i, x in enumerate(lines[0]) for j, y in enumerate(lines[1]) if x == y)
    )


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "tree.csv").write_text(TREE)
    return tmp_path / "tree.csv"


def test_hierarchical_f_as_worked(tree):
    reference = Ratings.from_matrix([["dog", "dog", "cat", "car"]], annotators=["reference"])
    system = Ratings.from_matrix([["dog", "cat", "animal", "dog"]], annotators=["system"])
    found = accord.score(reference, system, "hierarchical-f1", taxonomy=tree)
    assert found.terms["P"] == pytest.approx(4 / 7)
    assert found.terms["R"] == pytest.approx(4 / 8)
    assert found.value == pytest.approx(0.533333, abs=1e-6)


def test_a_single_root_says_nothing(tmp_path):
    (tmp_path / "t.csv").write_text(TREE + "animal,all\nthing,all\n")
    reference = Ratings.from_matrix([["dog", "dog", "cat", "car"]], annotators=["reference"])
    system = Ratings.from_matrix([["dog", "cat", "animal", "dog"]], annotators=["system"])
    found = accord.score(reference, system, "hierarchical-f1", taxonomy=tmp_path / "t.csv")
    assert found.value == pytest.approx(0.533333, abs=1e-6)


def test_alpha_in_a_tree_by_brute_force(tree):
    rng = np.random.default_rng(4)
    names = ["dog", "cat", "car", "animal", "thing"]
    matrix = rng.choice(names, (3, 12)).tolist()
    items = [list(column) for column in zip(*matrix, strict=True)]
    data = Ratings.from_matrix(matrix, orientation="annotators")
    found = accord.agree(data, "alpha", metric="path", taxonomy=tree)
    assert found.value == pytest.approx(brute_alpha(items, path_length))
    assert "metric:path" in found.signature
    assert "taxonomy:tree.csv" in found.signature

    def wu_palmer(a, b):
        depth = {n: 2 if n in EDGES else 1 for n in names}
        shared = (depth[a] + depth[b] - path_length(a, b)) / 2
        return 1 - 2 * shared / (depth[a] + depth[b])

    found = accord.agree(data, "alpha", metric="wu-palmer", taxonomy=tree)
    assert found.value == pytest.approx(brute_alpha(items, wu_palmer))


def test_weighted_coefficients_in_a_tree(tree):
    rng = np.random.default_rng(4)
    matrix = rng.choice(["dog", "cat", "car"], (2, 30)).tolist()
    data = Ratings.from_matrix(matrix, orientation="annotators")
    found = accord.agree(data, "weighted-kappa", weights="path", taxonomy=tree)
    w = {
        (a, b): 1 - path_length(a, b) / 4
        for a in ("dog", "cat", "car")
        for b in ("dog", "cat", "car")
    }
    observed = np.mean([w[a, b] for a, b in zip(*matrix, strict=True)])
    expected = np.mean([w[a, b] for a in matrix[0] for b in matrix[1]])
    assert found.value == pytest.approx((observed - expected) / (1 - expected))
    assert "weights:path" in found.signature
    with pytest.raises(UsageError, match="path and wu-palmer"):
        accord.agree(data, "weighted-kappa", weights="linear", taxonomy=tree)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("label,parent\ndog,animal\ndog,thing\n", "has two parents"),
        ("label,parent\ndog,cat\ncat,dog\n", "is its own ancestor"),
        ("label,parent\ndog,animal\n", "'cat' of the data is not in the tree"),
        ("a,b\n", "must have the columns label,parent"),
    ],
)
def test_trees_that_are_none(tmp_path, table, says):
    (tmp_path / "t.csv").write_text(table)
    data = Ratings.from_matrix([["dog", "cat"], ["dog", "dog"]])
    with pytest.raises(InputError, match=says):
        accord.agree(data, "alpha", metric="path", taxonomy=tmp_path / "t.csv")
