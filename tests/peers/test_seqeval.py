"""seqeval 1.2.2 on random tags (seed 7), and its own reading of them.

seqeval.metrics.precision_score([g], [p]), recall_score, f1_score, f1_score(average="macro"),
f1_score(average="weighted"); seqeval.metrics.sequence_labeling.get_entities(g). The same entities
as conlleval: both let I- start a span.
"""

import pytest

import accord
from accord.formats.tags.tags import spans_of

ROWS = [
    ("O O O I-PER B-PER O O I-LOC I-PER I-LOC O O B-PER I-PER",
     "O B-LOC B-PER I-PER B-PER O O I-LOC I-PER I-LOC B-PER I-ORG B-PER O",
     [("PER", 3, 3), ("PER", 4, 4), ("LOC", 7, 7), ("PER", 8, 8), ("LOC", 9, 9), ("PER", 12, 13)],
     0.4444444444444444, 0.6666666666666666, 0.5333333333333333, 0.4148148148148148,
     0.562962962962963),
    ("O I-ORG I-ORG I-LOC B-PER I-LOC O B-PER O O I-LOC O I-LOC O",
     "O I-PER I-ORG I-LOC B-PER I-LOC O B-PER O O B-LOC O I-LOC I-PER",
     [("ORG", 1, 2), ("LOC", 3, 3), ("PER", 4, 4), ("LOC", 5, 5), ("PER", 7, 7), ("LOC", 10, 10),
      ("LOC", 12, 12)],
     0.6666666666666666, 0.8571428571428571, 0.75, 0.5555555555555555, 0.7619047619047619),
    ("E-LOC E-LOC B-LOC I-LOC I-LOC B-LOC E-PER S-LOC E-PER B-PER S-PER E-LOC I-PER E-PER",
     "E-LOC O S-LOC I-LOC I-LOC B-LOC E-PER S-LOC E-PER B-PER E-PER I-PER I-PER B-LOC",
     [("LOC", 0, 0), ("LOC", 1, 1), ("LOC", 2, 4), ("LOC", 5, 5), ("PER", 6, 6), ("LOC", 7, 7),
      ("PER", 8, 8), ("PER", 9, 9), ("PER", 10, 10), ("LOC", 11, 11), ("PER", 12, 13)],
     0.5, 0.45454545454545453, 0.47619047619047616, 0.4722222222222222, 0.47474747474747475),
    ("I-LOC S-PER S-LOC E-LOC S-PER B-PER S-PER I-PER E-PER O B-PER S-PER I-LOC B-LOC",
     "I-LOC I-PER O E-LOC S-PER B-PER S-PER I-PER E-PER O B-PER B-PER I-LOC E-PER",
     [("LOC", 0, 0), ("PER", 1, 1), ("LOC", 2, 2), ("LOC", 3, 3), ("PER", 4, 4), ("PER", 5, 5),
      ("PER", 6, 6), ("PER", 7, 8), ("PER", 10, 10), ("PER", 11, 11), ("LOC", 12, 12),
      ("LOC", 13, 13)],
     0.9090909090909091, 0.8333333333333334, 0.8695652173913043, 0.8416666666666666,
     0.8569444444444444),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_entities_and_scores(row, tmp_path):
    gold, predicted, entities, P, R, F, macro, weighted = row
    assert [(x, s, e - 1) for s, e, x in spans_of(gold.split())] == entities
    sides = []
    for name, tags in (("gold", gold), ("predicted", predicted)):
        path = tmp_path / f"{name}.conll"
        path.write_text("\n".join(f"w{i} {t}" for i, t in enumerate(tags.split())) + "\n")
        sides.append(accord.read(path))
    result = accord.f1(*sides)
    assert result.terms["P"] == pytest.approx(P, abs=1e-12)
    assert result.terms["R"] == pytest.approx(R, abs=1e-12)
    assert result.value == pytest.approx(F, abs=1e-12)
    assert accord.f1(*sides, average="macro").value == pytest.approx(macro, abs=1e-12)
    assert accord.f1(*sides, average="weighted").value == pytest.approx(weighted, abs=1e-12)
