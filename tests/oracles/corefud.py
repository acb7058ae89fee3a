"""Scores of small CorefUD documents straight from the definitions, by trying all assignments."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations, product

from tests.oracles import coreference as oracles


@dataclass(frozen=True)
class Span:
    """A mention: its words (places), its head among them, its entity; of a zero, what it depends on."""

    words: frozenset
    head: float
    entity: int
    sentence: int = 0
    deps: frozenset = field(default_factory=frozenset)

    @property
    def zero(self):
        return self.head != int(self.head)

    @property
    def order(self):
        return (min(self.words), max(self.words), len(self.words))


def f_of(a, b):
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0


def assignments(key, response, weight):
    """All sets of pairs with the greatest sum, pairs without weight left out."""
    few, many, turned = (key, response, False)
    if len(key) > len(response):
        few, many, turned = response, key, True
    best, found = -1.0, set()
    for chosen in permutations(range(len(many)), len(few)):
        pairs = []
        for i, j in enumerate(chosen):
            k, r = (j, i) if turned else (i, j)
            if weight(key[k], response[r]) > 0:
                pairs.append((k, r))
        total = sum(weight(key[k], response[r]) for k, r in pairs)
        if total > best + 1e-9:
            best, found = total, set()
        if total > best - 1e-9:
            found.add(frozenset((key[k], response[r]) for k, r in pairs))
    return found or {frozenset()}


def matchings(key, response, matching, zeros):
    """Every set of pairs of the same mention that the rules allow (several when sums are equal)."""
    firsts = {frozenset()}
    if zeros == "dependent":
        firsts = assignments(
            [k for k in key if k.zero],
            [r for r in response if r.zero],
            lambda k, r: (
                0
                if k.sentence != r.sentence
                else 10 * f_of(k.deps, r.deps)
                + f_of({p for p, _ in k.deps}, {p for p, _ in r.deps})
            ),
        )
    out = set()
    for first in firsts:
        left = [k for k in key if k not in {a for a, _ in first}]
        right = [r for r in response if r not in {b for _, b in first}]
        same = {
            (k, r)
            for k in left
            for r in right
            if k.words == r.words and (matching != "head" or k.head == r.head)
        }
        left = [k for k in left if k not in {a for a, _ in same}]
        right = [r for r in right if r not in {b for _, b in same}]
        rest = {frozenset()}
        if matching == "head":
            rest = assignments(
                left,
                right,
                lambda k, r: len(k.words & r.words) / len(k.words) if k.head == r.head else 0,
            )
        elif matching == "partial":
            rest = assignments(
                left,
                right,
                lambda k, r: (
                    len(r.words) / len(k.words) if k.head in r.words and r.words <= k.words else 0
                ),
            )
        out |= {first | same | more for more in rest}
    return out


def without(side, drop_singletons, zeros):
    if drop_singletons:
        side = [m for m in side if sum(o.entity == m.entity for o in side) > 1]
    return [m for m in side if zeros != "drop" or not m.zero]


def partitions(key, response, pairs):
    """Both sides as sets of names, one name for what is the same mention."""
    name = {}
    for n, (k, r) in enumerate(sorted(pairs, key=repr)):
        name["k", k] = name["r", r] = n
    sides = []
    for which, side in (("k", key), ("r", response)):
        entities = {}
        for i, m in enumerate(side):
            entities.setdefault(m.entity, set()).add(name.get((which, m), f"{which}{i}"))
        sides.append(list(entities.values()))
    return sides


def mor(key, response):
    best = 0
    few, many = (key, response) if len(key) <= len(response) else (response, key)
    for chosen in permutations(many, len(few)):
        best = max(best, sum(len(a.words & b.words) for a, b in zip(few, chosen, strict=True)))
    return (
        oracles.quotient(best, sum(len(k.words) for k in key)),
        oracles.quotient(best, sum(len(r.words) for r in response)),
    )


def zero_anaphors(key, response, pairs):
    """TP, FP, FN, WL."""
    twin = dict(pairs)
    first = {min((r for r in response if r.entity == e), key=lambda m: m.order)
             for e in {r.entity for r in response}}  # fmt: skip
    tp = fn = wl = 0
    covered = set()
    for entity in {k.entity for k in key}:
        members = sorted((k for k in key if k.entity == entity), key=lambda m: m.order)
        for i, k in enumerate(members[1:], 1):
            if not k.zero:
                continue
            r = twin.get(k)
            covered.add(r)
            if r is None or r in first:
                fn += 1
            elif any(twin[b].entity == r.entity for b in members[:i] if b in twin):
                tp += 1
            else:
                wl += 1
    fp = sum(r.zero and r not in first and r not in covered for r in response)
    return tp, fp, fn, wl


def error_classes(key, response, pairs):
    """Counts of conflated, divided, extra and missing, from the cells of the table alone."""
    cells = {(k.entity, r.entity) for k, r in pairs}
    taken = {k for k, _ in pairs}, {r for _, r in pairs}
    shared = {k for k, _ in cells}, {r for _, r in cells}
    ours, theirs = {k.entity for k in key}, {r.entity for r in response}
    return {
        "span": sum(k.words != r.words for k, r in pairs),
        "extra entity": len(theirs - shared[1]),
        "extra mention": sum(r.entity in shared[1] and r not in taken[1] for r in response),
        "conflated": len(cells) - len(shared[1]),
        "missing entity": len(ours - shared[0]),
        "missing mention": sum(k.entity in shared[0] and k not in taken[0] for k in key),
        "divided": len(cells) - len(shared[0]),
    }


__all__ = ["Span", "error_classes", "matchings", "mor", "partitions", "product", "without"]
