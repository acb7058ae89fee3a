"""References from people of different reliability: tag sequences, kinds of items, real and invented units."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.special import gammaln

import accord
from accord.data import Ratings, Units
from accord.errors import AccordError
from accord.gold.atoms import Sequences, allowed, runs, sequences_of
from accord.gold.chain import best_path, run_probability, smooth
from accord.gold.ebcc import ebcc
from accord.gold.labels import Labels
from accord.gold.presence import presence
from accord.gold.sequence import bsc, hmm_crowd, token_dawid_skene

TAGS = {"O": 0, "B": 1, "I": 2}


def tagged(*documents: list[str]) -> Sequences:
    """Each document a list of tag strings, one per annotator."""
    atom, annotator, tag, before, indptr = [], [], [], [], [0]
    for document in documents:
        for a, text in enumerate(document):
            last = 0
            for i, letter in enumerate(text):
                atom.append(indptr[-1] + i)
                annotator.append(a)
                tag.append(TAGS[letter])
                before.append(last)
                last = TAGS[letter]
        indptr.append(indptr[-1] + len(document[0]))
    n = indptr[-1]
    return Sequences(
        indptr=np.array(indptr), document=np.arange(len(documents)), start=np.arange(n) * 1.0,
        end=np.arange(n) + 1.0, atom=np.array(atom), annotator=np.array(annotator),
        tag=np.array(tag), before=np.array(before), n_annotators=len(documents[0]), n_labels=1,
    )  # fmt: skip


WORKED = (["BIO", "BOO", "BII"], ["OB", "OB", "BI"])


@pytest.mark.parametrize(
    ("memory", "bound", "second"),
    [(True, -14.7113, (0.0392, 0.0223, 0.9385)), (False, -17.36307, (0.062, 0.0076, 0.9304))],
)
def test_bsc_worked(memory, bound, second):
    found = bsc(tagged(*WORKED), memory=memory, tolerance=1e-9, rounds=2000)
    assert found.objective[-1] == pytest.approx(bound, abs=1e-4)
    assert found.posterior[1] == pytest.approx(second, abs=1e-4)
    assert found.path.tolist() == [1, 2, 0, 0, 1]
    assert np.all(np.diff(found.objective) > -1e-9)


def dirichlet_evidence(counts, prior):
    """ln of the probability of these counts under a Dirichlet prior."""
    return (
        gammaln(prior.sum())
        - gammaln((prior + counts).sum())
        + np.sum(gammaln(prior + counts) - gammaln(prior))
    )


def test_the_bound_is_below_the_evidence_by_enumeration():
    """ln evidence −13.05063 over all true sequences, parameters integrated out."""
    documents, K = WORKED, 3
    ok = allowed(K)
    logs = []
    for path in product(range(K), repeat=5):
        parts = (path[:3], path[3:])
        moves = np.zeros((K, K))
        said = np.zeros((3, K, K, K))
        valid = True
        for document, part in zip(documents, parts, strict=True):
            last = 0
            for t in part:
                valid &= bool(ok[last, t])
                moves[last, t] += 1
                last = t
            for a, text in enumerate(document):
                m = 0
                for letter, t in zip(text, part, strict=True):
                    said[a, m, t, TAGS[letter]] += 1
                    m = TAGS[letter]
        if not valid:
            continue
        total = sum(dirichlet_evidence(moves[k][ok[k]], np.ones(ok[k].sum())) for k in range(K))
        for a, m, k in product(range(3), range(K), range(K)):
            prior = 1 + (np.arange(K) == k)
            total += dirichlet_evidence(said[a, m, k][ok[m]], prior[ok[m]].astype(float))
        logs.append(total)
    evidence = np.logaddexp.reduce(logs)
    assert evidence == pytest.approx(-13.05063, abs=1e-5)
    assert bsc(tagged(*WORKED), tolerance=1e-9, rounds=500).objective[-1] < evidence


def test_smoothing_equals_enumeration():
    rng = np.random.default_rng(0)
    K, sizes = 3, (4, 1, 3)
    transition = np.where(allowed(K), rng.random((K, K)), 0.0)
    evidence = np.log(rng.random((sum(sizes), K)))
    indptr = np.concatenate([[0], np.cumsum(sizes)])
    found = smooth(evidence, transition, indptr)
    path = best_path(evidence, np.log(np.maximum(transition, 1e-300)), indptr)
    total = 0.0
    for s, n in enumerate(sizes):
        low = indptr[s]
        weights = {}
        for tags in product(range(K), repeat=n):
            last, w = 0, 1.0
            for i, t in enumerate(tags):
                w *= transition[last, t] * np.exp(evidence[low + i, t])
                last = t
            weights[tags] = w
        z = sum(weights.values())
        total += np.log(z)
        for i, k in product(range(n), range(K)):
            mass = sum(w for tags, w in weights.items() if tags[i] == k) / z
            assert found.posterior[low + i, k] == pytest.approx(mass, abs=1e-12)
        assert tuple(path[low : low + n]) == max(weights, key=weights.get)
        for first in range(n):
            for end in range(first + 1, n + 1):
                inside = (1, *[2] * (end - first - 1))
                mass = sum(
                    w for tags, w in weights.items()
                    if tags[first:end] == inside and (end == n or tags[end] != 2)
                ) / z  # fmt: skip
                p = run_probability(
                    found, transition, int(low + first), int(low + end), 0, first == 0, end == n
                )
                assert p == pytest.approx(mass, abs=1e-12)
    assert found.log_evidence == pytest.approx(total)
    assert found.moves.sum() == pytest.approx(sum(sizes))


def test_hmm_crowd_never_falls_and_finds_the_reliable():
    rng = np.random.default_rng(1)
    documents = []
    for _ in range(40):
        truth = "".join(rng.choice(["O", "BI", "B"], 6))
        good = [truth, truth]
        noise = "".join(rng.choice(list("OB"), len(truth)))
        documents.append([*good, noise])
    found = hmm_crowd(tagged(*documents))
    assert np.all(np.diff(found.objective) > -1e-9)
    assert found.accuracy[0] > 0.95 > found.accuracy[2]


def test_careful_annotators_are_believed_against_careless_ones():
    """Three careless annotators outvote two careful ones now and then; the models do not count heads."""
    rng = np.random.default_rng(2)
    documents = []
    truth = []
    for _ in range(150):
        t = "".join(rng.choice(["O", "O", "BI"], 5))
        truth.append(t)
        careless = ["".join(rng.choice(["O", "B"], len(t), p=[0.6, 0.4])) for _ in range(3)]
        documents.append([t, t, *careless])
    for model in (hmm_crowd, token_dawid_skene):
        found = model(tagged(*documents))
        wanted = [TAGS[c] for t in truth for c in t]
        assert np.mean(found.path == wanted) > 0.95


def test_atoms_are_cut_at_the_borders():
    rows = [("d", "A", 0, 10, "x"), ("d", "B", 5, 10, "x"), ("d", "B", 10, 12, "y")]
    data = Units.from_rows(rows, coverage=[("d", "C")])
    atoms = sequences_of(data, np.array([0, 1]))
    assert atoms.start.tolist() == [0, 5, 10]
    assert atoms.end.tolist() == [5, 10, 12]
    by = {a: atoms.tag[atoms.annotator == a].tolist() for a in range(3)}
    assert by == {0: [1, 2, 0], 1: [0, 1, 3], 2: [0, 0, 0]}


def test_runs_close_and_open():
    assert runs(np.array([1, 2, 1, 0])) == [(0, 2, 0), (2, 3, 0)]
    assert runs(np.array([2, 4, 4])) == [(0, 1, 0), (1, 3, 1)]
    assert runs(np.array([0, 0])) == []


def spans(seed=0, documents=60, people=4):
    """True units on words of a text, and people who miss, invent and move borders by a word."""
    rng = np.random.default_rng(seed)
    truth, rows = [], []
    skill = np.linspace(0.95, 0.6, people)

    def place(first, last):
        return 5 * first, 5 * last - 1

    for d in range(documents):
        start = 0
        for _ in range(4):
            start += int(rng.integers(3, 9))
            end = start + int(rng.integers(2, 5))
            label = "xy"[int(rng.integers(2))]
            truth.append((f"d{d}", "truth", *place(start, end), label))
            for a in range(people):
                if rng.random() < skill[a]:
                    e = end if rng.random() < skill[a] else end + 1
                    rows.append((f"d{d}", f"a{a}", *place(start, e), label))
            start = end + 1
        loud = [a for a in range(people) if rng.random() > skill[a]]
        rows += [(f"d{d}", f"a{a}", *place(start + 5, start + 8), "x") for a in loud]
    names = [f"d{d}" for d in range(documents)]
    coverage = [(d, f"a{a}") for d in names for a in range(people)]
    texts = dict.fromkeys(names, "word " * 80)
    return Units.from_rows(rows, coverage=coverage, texts=texts), Units.from_rows(truth)


@pytest.mark.parametrize("method", ["bsc", "hmm-crowd", "token-dawid-skene", "consensus"])
def test_every_method_recovers_a_simulated_reference(method):
    data, truth = spans()
    found = accord.gold(data, method)
    assert accord.score(truth, found.reference, "f1").value > 0.75
    assert all(0 <= row["confidence"] <= 1 for row in found.considered)
    careful, careless = found.annotators[0], found.annotators[-1]
    assert careful["recall"] > careless["recall"]


@pytest.mark.parametrize("method", ["bsc", "token-dawid-skene", "consensus"])
def test_names_and_row_order_do_not_matter(method):
    data, _ = spans(documents=20)
    rng = np.random.default_rng(3)
    rows = [
        (data.documents[d], data.annotators[a], s, e, data.categories[c])
        for d, a, s, e, c in zip(
            data.document, data.annotator, data.start, data.end, data.label, strict=True
        )
    ]
    rename = {"a0": "zed", "a1": "bob", "a2": "ann", "a3": "x"}
    mixed = [rows[i] for i in rng.permutation(len(rows))]
    other = Units.from_rows(
        [(d, rename[a], s, e, c) for d, a, s, e, c in mixed],
        coverage=[(d, rename[a]) for d in data.documents for a in data.annotators],
        texts=dict(zip(data.documents, data.texts, strict=True)),
    )
    one, two = (accord.gold(x, method).reference for x in (data, other))
    assert one.start.tolist() == two.start.tolist()
    assert one.label.tolist() == two.label.tolist()


def test_layers_that_overlap_are_taken_label_by_label():
    rows = [
        (d, a, s, e, c)
        for d in ("d1", "d2")
        for a in "AB"
        for s, e, c in ((0, 10, "x"), (2, 4, "y"))
    ]
    found = accord.gold(Units.from_rows(rows), "bsc")
    assert found.terms["layers"] == 2
    assert len(found.reference) == 4
    twice = Units.from_rows([("d", a, s, s + 5, "x") for a in "AB" for s in (0, 3)])
    with pytest.raises(AccordError, match="overlap in 'd' at 3"):
        accord.gold(twice, "bsc")


def test_human_decisions_win_over_the_sequence_model():
    data, _ = spans(documents=5)
    found = accord.gold(data, "bsc")
    first = next(row for row in found.considered if row["kept"])
    again = accord.gold(data, "bsc", decisions={first["item"]: {"kind": "reject", "who": "me"}})
    assert len(again.reference) == len(found.reference) - 1


# --- EBCC ---------------------------------------------------------------------------------------


def test_ebcc_worked():
    """Votes 001 / 111 / 010 of three annotators, two kinds, flat prevalence."""
    data = Labels.of(Ratings.from_matrix([list("010"), list("011"), list("110")]))
    found = ebcc(data, subtypes=2, prevalence="flat", tolerance=1e-9, rounds=3000)
    assert found.posterior[:, 0] == pytest.approx([0.9548, 0.0141, 0.9548], abs=1e-4)
    assert found.objective[-1] == pytest.approx(-8.9277, abs=1e-4)
    assert np.all(np.diff(found.objective) > -1e-9)


def test_ebcc_does_not_depend_on_names():
    rng = np.random.default_rng(4)
    matrix = rng.integers(0, 3, (6, 80))
    one = ebcc(Labels.of(Ratings.from_matrix(matrix.astype(str).tolist(), categories=list("012"))))
    order, names = rng.permutation(6), np.array([2, 0, 1])
    other = Ratings.from_matrix(names[matrix[order]].astype(str).tolist(), categories=list("012"))
    two = ebcc(Labels.of(other))
    assert two.posterior[:, names] == pytest.approx(one.posterior, abs=1e-6)


def test_ebcc_is_a_method_of_gold():
    data = Ratings.from_matrix([["a", "b", "a"], ["a", "b", "b"], ["a", "b", "a"]])
    assert [accord.gold(data, "ebcc").written(i) for i in range(3)] == ["a", "b", "a"]


# --- real and invented units --------------------------------------------------------------------


def test_presence_recovers_who_misses_and_who_invents():
    rng = np.random.default_rng(5)
    s, f = np.array([0.9, 0.7, 0.8, 0.6, 0.85]), np.array([0.05, 0.3, 0.1, 0.2, 0.15])
    real = rng.random(6000) < 0.5
    marks = (rng.random((6000, 5)) < np.where(real[:, None], s, f)).astype(np.int8)
    seen = marks.any(axis=1)
    found = presence(marks[seen])
    assert found.found == pytest.approx(s, abs=0.05)
    assert found.invented == pytest.approx(f, abs=0.05)
    share = np.mean((found.probability > 0.5) == real[seen])
    votes = np.mean((marks[seen].sum(axis=1) > 2.5) == real[seen])
    assert share > votes


def test_few_candidates_are_decided_by_the_majority():
    rows = [("d", a, 0, 5, "x") for a in "AB"] + [("d", "C", 50, 55, "x")]
    found = accord.gold(Units.from_rows(rows), "consensus")
    assert found.reference.start.tolist() == [0]
    assert "keep:0.5" in found.signature
