"""Real corpora: cuttings of a novel, stuttering against its gold, music structure."""

import csv
from collections import Counter

import numpy as np
import pytest

import accord
from accord.data import Segments, Units


def moonstone(shared, name) -> Segments:
    with (shared / "segments" / name / "segmentations.csv").open() as file:
        return Segments.from_masses(
            [
                (r["document"], r["coder"], [int(m) for m in r["masses"].split()])
                for r in csv.DictReader(file)
            ]
        )


@pytest.mark.parametrize(
    ("name", "pi", "kappa", "observed"),
    [
        # segeval 2.0.11: fleiss_pi_linear, fleiss_kappa_linear, actual_agreement_linear
        ("moonstone_g5", 0.23995756521971964, 0.24210993245790463, 0.2564575645756458),
        ("moonstone_g2", 0.40829, 0.41073, None),
    ],
)
def test_moonstone_agreement(shared, name, pi, kappa, observed):
    data = moonstone(shared, name)
    tolerance = 1e-12 if observed else 5e-5
    result = accord.agree(data, "boundary-pi", ci="bootstrap", by=["pair"])
    assert result.value == pytest.approx(pi, abs=tolerance)
    assert accord.agree(data, "boundary-kappa").value == pytest.approx(kappa, abs=tolerance)
    if observed:
        assert result.observed == pytest.approx(observed, abs=1e-12)
    assert result.interval.low < result.value < result.interval.high
    assert 0 < accord.agree(data, "boundary-alpha").value < 1


def test_moonstone_by_the_command_line(shared, accord_command):
    path = shared / "segments" / "moonstone_g5" / "segmentations.csv"
    run = accord_command("agree", path, "--measure", "boundary-pi", "--json", "--ci", "none")
    assert run.returncode == 0, run.stderr
    assert '"value": 0.23995756521971' in run.stdout


@pytest.fixture
def stuttering(shared) -> tuple[Units, Units]:
    folder = shared / "units" / "casa_stuttering"
    tables = {"lengths": folder / "documents.csv", "coverage": folder / "coverage.csv"}
    gold = accord.read(folder / "gold.csv", lengths=tables["lengths"], annotators=["Gold"])
    gold = gold.select(documents=sorted({u.document for u in gold}))
    return gold, accord.read(folder / "spans.csv", **tables)


def test_stuttering_against_gold(stuttering):
    gold, people = stuttering
    for who in people.annotators:
        system = people.select(annotators=[who], documents=gold.documents)
        exact = accord.score(gold, system, "f1", ci="bootstrap")
        spans = [Counter((u.document, u.start, u.end, u.label) for u in x) for x in (gold, system)]
        assert exact.terms["COR"] == (spans[0] & spans[1]).total()
        assert exact.terms["POS"] == len(gold)
        strict, bounds, partial, kind = accord.semeval(gold, system)
        assert strict.value == pytest.approx(exact.value)
        assert bounds.value >= strict.value
        assert partial.value >= bounds.value
        assert kind.value == pytest.approx(accord.overlap_f1(gold, system).value)
        near = accord.f1(gold, system, tolerance=200)
        assert near.value > exact.value
        # milliseconds, label by label
        length = int(gold.lengths.max()) + 1
        shared_ms = 0
        for document in gold.documents:
            for label in set(gold.categories) | set(system.categories):
                marks = []
                for side in (gold, system):
                    at = np.zeros(length, dtype=bool)
                    for u in side.select(documents=[document]):
                        if u.label == label:
                            at[int(u.start) : int(u.end)] = True
                    marks.append(at)
                shared_ms += int((marks[0] & marks[1]).sum())
        assert accord.token_f1(gold, system).terms["COR"] == shared_ms
        told = [e["error"] for e in exact.by["errors"]]
        assert Counter(told)["missed"] > 0
    assert accord.disorder(gold, gold).value == 0


def test_stuttering_agreement(stuttering):
    _, people = stuttering
    for name in ("u-alpha", "bar-u-alpha", "cu-alpha", "alpha-u"):
        result = accord.agree(people, name, ci="bootstrap", resamples=200)
        assert result.interval.low < result.value < result.interval.high
    assert any("not monotone" in told for told in accord.agree(people, "alpha-u").warnings)
    found = {r.terms["category"]: r for r in accord.agree(people, "ku-alpha")}
    assert len(found) == len(people.categories)


def test_music_structure_pools_and_stacks(shared):
    levels = {}
    for name in ("upper", "lower"):
        folder = shared / "units" / "spam_music" / name
        data = accord.read(
            folder / "spans.csv",
            documents=folder / "documents.csv",
            coverage=folder / "coverage.csv",
        )
        value = accord.agree(data, "u-alpha").value
        offset = dict(zip(data.documents, np.cumsum([0, *data.lengths[:-1]]).tolist(), strict=True))
        whole = Units.from_rows(
            [
                (
                    "all",
                    u.annotator,
                    u.start + offset[u.document],
                    u.end + offset[u.document],
                    u.label,
                )
                for u in data
            ],
            lengths={"all": float(data.lengths.sum()) + 1e-6},
        )
        assert accord.agree(whole, "u-alpha").value == pytest.approx(value, abs=1e-4)
        levels[name] = Segments.from_units(data, atom=0.5, gaps="segment")
    first, second = (
        Segments.stacked({n: s.select(annotators=[who]) for n, s in levels.items()})
        for who in ("A1", "A2")
    )
    result = accord.boundary_similarity(first, second, nt=4)
    assert [r["level"] for r in result.by["level"]] == ["upper", "lower"]
    assert 0 < result.value < 1
    assert len(result.by["document"]) == 50
