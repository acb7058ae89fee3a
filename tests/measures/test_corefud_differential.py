"""Small random documents with zeros, discontinuous mentions and heads: ours against the definitions."""

from __future__ import annotations

import random

import pytest

import accord.measures.coreference as coreference
from accord.data import Chains
from tests.oracles import coreference as oracles
from tests.oracles import corefud as oracle
from tests.oracles.corefud import Span

SCORES = ("muc", "b3", "ceaf-m", "ceaf-e", "lea", "blanc-luo", "entity-f", "mention-detection")


def drawn_text(rng):
    """Places of two sentences with empty nodes; of each the sentence, and what empty ones depend on."""
    places = []
    start = 0
    for sentence in (1, 2):
        length = rng.randint(3, 4)
        for w in range(length):
            places.append((float(start + w), sentence))
            empty = range(1, rng.choice([0, 1, 1, 2]) + 1)
            places += [(round(start + w + n / 100, 4), sentence) for n in empty]
        start += length
    return places


def drawn_side(rng, places):
    """Up to six mentions of one sentence each, no two alike; a third have a gap."""
    found = {}
    for _ in range(rng.randint(2, 7)):
        sentence = rng.choice([1, 1, 2])
        here = [p for p, s in places if s == sentence]
        a, b = sorted((rng.randrange(len(here)), rng.randrange(len(here))))
        words = here[a : b + 1]
        if len(words) > 2 and rng.random() < 0.4:
            words.pop(rng.randint(1, len(words) - 2))
        if rng.random() < 0.5 and any(p != int(p) for p in here):
            words = [rng.choice([p for p in here if p != int(p)])]
        # nested mentions often have one head: where overlaps decide
        common = [p for p in words if p in (here[0], here[-1], here[len(here) // 2])]
        head = rng.choice(common or words)
        deps = frozenset()
        if head != int(head):
            parents = [p for p in here if p != head]
            deps = frozenset(
                (rng.choice(parents), rng.choice("sox")) for _ in range(rng.randint(1, 2))
            )
        found.setdefault(
            frozenset(words),
            Span(frozenset(words), head, rng.randint(0, 2), sentence, deps),
        )
    return list(found.values())


def chains(side, places, who):
    """The same as the reader makes of a file."""
    order = [p for p, _ in places]
    clusters, facts = {}, {}
    for m in side:
        spans = []
        for p in sorted(m.words):
            before = order[order.index(p) - 1] if order.index(p) else None
            if before is None or before not in m.words:
                spans += [p, 0.0]
            spans[-1] = round(p + 0.01, 4) if p != int(p) else p + 1
        mention = tuple(int(x) if x == int(x) else x for x in spans)
        fact = {"head": int(m.head) if m.head == int(m.head) else m.head}
        if empty := tuple(sorted(p for p in m.words if p != int(p))):
            fact["empty"] = empty
        if m.zero:
            fact |= {"sentence": m.sentence, "deps": tuple(sorted(m.deps))}
        clusters.setdefault(m.entity, []).append(mention)
        facts["d", mention] = fact
    return Chains.from_clusters({("d", who): list(clusters.values())}, facts=facts)


def check(rng):
    """One pair of documents under one setting; None when the order of mentions is not defined."""
    places = drawn_text(rng)
    key, response = drawn_side(rng, places), drawn_side(rng, places)
    matching = rng.choice(["exact", "head", "partial"])
    zeros = rng.choice(["linear", "dependent", "drop"])
    dropped = rng.random() < 0.4
    ours, theirs = chains(key, places, "k"), chains(response, places, "r")
    assert (len(ours.mention), len(theirs.mention)) == (len(key), len(response))
    if any(len({(m.entity, m.order) for m in side}) < len(side) for side in (key, response)):
        return None  # the same first and last word and number of words, in one entity
    key, response = (oracle.without(side, dropped, zeros) for side in (key, response))
    options = {"matching": matching, "zeros": zeros, "drop_singletons": dropped}
    if not key and not response:
        assert coreference.b3(ours, theirs, **options).undefined
        return matching, zeros
    allowed = []
    for pairs in oracle.matchings(key, response, matching, zeros):
        sides = oracle.partitions(key, response, pairs)
        values = {n: getattr(oracles, n.replace("-", "_"))(*sides) for n in SCORES}
        values["zero-anaphor"] = oracle.zero_anaphors(key, response, pairs)
        if matching != "exact":
            values["error"] = oracle.error_classes(key, response, pairs)
        allowed.append(values)
    found = {}
    for name in SCORES:
        terms = getattr(coreference, name.replace("-", "_"))(ours, theirs, **options).terms
        found[name] = tuple(terms[t] for t in "RPF")
    zero = coreference.zero_anaphor(ours, theirs, **options)
    found["zero-anaphor"] = tuple(
        0 if zero.undefined else int(zero.terms[t]) for t in ("TP", "FP", "FN", "WL")
    )
    if matching != "exact":
        rows = coreference.b3(ours, theirs, by=["error"], **options).by["error"]
        found["error"] = {row["error"]: row["count"] for row in rows}
    # equal sums of overlaps allow several matchings: ours must be one of them, in all scores at once
    assert any(_same(found, values) for values in allowed), (options, key, response, found, allowed)
    mor = coreference.mor(ours, theirs, **options)
    assert (mor.terms["R"], mor.terms["P"]) == pytest.approx(oracle.mor(key, response))
    return matching, zeros


def _same(found, values):
    return all(
        found[name] == pytest.approx(value, abs=1e-9) if name != "error" else found[name] == value
        for name, value in values.items()
    )


@pytest.mark.parametrize("seed", range(4))
def test_random_documents(seed):
    rng = random.Random(seed)
    seen = [check(rng) for _ in range(100)]
    counted = [s for s in seen if s is not None]
    assert len(counted) > 80
    assert len(set(counted)) == 9


def test_relations_weigh_ten_times_their_parents():
    """k1 shares a relation with r1, and only parents with r2; by parents alone the crosswise sum wins."""
    places = [(float(p), 1) for p in range(10)] + [(0.01, 1), (0.02, 1)]
    places.sort()

    def zeros(*dependencies):
        spans = [
            Span(frozenset([place]), place, entity, 1, frozenset(deps))
            for entity, (place, deps) in enumerate(zip((0.01, 0.02), dependencies, strict=True))
        ]
        return [*spans, Span(frozenset([3.0]), 3.0, 0), Span(frozenset([4.0]), 4.0, 1)]

    key = zeros([(5.0, "n")], [(7.0, "o")])
    response = zeros([(5.0, "n"), (7.0, "y"), (9.0, "z")], [(5.0, "x")])
    sides = chains(key, places, "k"), chains(response, places, "r")
    # k1–r1 and, at its place, k2–r2: both entities are right
    assert coreference.muc(*sides, zeros="dependent").value == 1
