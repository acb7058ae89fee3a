"""Coreference scores straight from their set definitions, slow and obvious: test oracles."""

from __future__ import annotations

from itertools import combinations, permutations
from math import log

Partition = list[set]


def harmonic(r: float, p: float) -> float:
    return 2 * r * p / (r + p) if r + p else 0.0


def quotient(a: float, b: float) -> float:
    return a / b if b else 0.0


def rpf(r: float, p: float) -> tuple[float, float, float]:
    return r, p, harmonic(r, p)


def muc_recall(key: Partition, response: Partition) -> float:
    def parts(k: set) -> int:
        inside = [r & k for r in response if r & k]
        return len(inside) + len(k - set().union(*inside, set()))

    return quotient(sum(len(k) - parts(k) for k in key), sum(len(k) - 1 for k in key))


def muc(key, response):
    return rpf(muc_recall(key, response), muc_recall(response, key))


def b3_recall(key, response):
    total = sum(len(k) for k in key)
    return quotient(sum(len(k & r) ** 2 / len(k) for k in key for r in response), total)


def b3(key, response):
    return rpf(b3_recall(key, response), b3_recall(response, key))


def best_alignment(key, response, phi):
    """Best one-to-one alignment by trying all of them."""
    few, many = (key, response) if len(key) <= len(response) else (response, key)
    return max(
        (
            sum(phi(a, b) for a, b in zip(few, choice, strict=True))
            for choice in permutations(many, len(few))
        ),
        default=0.0,
    )


def ceaf_m(key, response):
    best = best_alignment(key, response, lambda a, b: len(a & b))
    return rpf(quotient(best, sum(map(len, key))), quotient(best, sum(map(len, response))))


def ceaf_e(key, response):
    best = best_alignment(key, response, lambda a, b: 2 * len(a & b) / (len(a) + len(b)))
    return rpf(quotient(best, len(key)), quotient(best, len(response)))


def lea_recall(key, response):
    def links(entity):
        if len(entity) == 1:
            return {(m, m) for m in entity}
        return set(combinations(sorted(entity, key=repr), 2))

    total = sum(
        len(k) * sum(len(links(k) & links(r)) for r in response) / len(links(k)) for k in key
    )
    return quotient(total, sum(map(len, key)))


def lea(key, response):
    return rpf(lea_recall(key, response), lea_recall(response, key))


def entity_f(key, response):
    same = sum(k in response for k in key)
    return rpf(quotient(same, len(key)), quotient(same, len(response)))


def mention_detection(key, response):
    k, r = set().union(*key, set()), set().union(*response, set())
    return rpf(quotient(len(k & r), len(k)), quotient(len(k & r), len(r)))


def conll(key, response):
    scores = [muc(key, response), b3(key, response), ceaf_e(key, response)]
    return tuple(sum(s[i] for s in scores) / 3 for i in range(3))


def link_sets(partition):
    mentions = sorted(set().union(*partition, set()), key=repr)
    together = {pair for e in partition for pair in combinations(sorted(e, key=repr), 2)}
    return together, set(combinations(mentions, 2)) - together


def _f_sets(a, b):
    return rpf(quotient(len(a & b), len(a)), quotient(len(a & b), len(b)))


def blanc(key, response, luo=False):
    C_k, N_k = link_sets(key)
    C_r, N_r = link_sets(response)
    if not (C_k | N_k | C_r | N_r):
        return mention_detection(key, response)
    c, n = _f_sets(C_k, C_r), _f_sets(N_k, N_r)
    drop_c = not (C_k | C_r) if luo else not C_k
    drop_n = not (N_k | N_r) if luo else not N_k
    if drop_c and not drop_n:
        return n
    if drop_n and not drop_c:
        return c
    return tuple((x + y) / 2 for x, y in zip(c, n, strict=True))


def blanc_luo(key, response):
    return blanc(key, response, luo=True)


def completed(key, response):
    """Both sides over the mentions of either: twinless ones are alone on the other side."""
    every = set().union(*key, *response, set())
    return tuple(
        [set(e) for e in side] + [{m} for m in every - set().union(*side, set())]
        for side in (key, response)
    )


def entropies(key, response):
    key, response = completed(key, response)
    n = sum(map(len, key))

    def entropy(sizes):
        return -sum(s / n * log(s / n) for s in sizes if s)

    return (
        entropy([len(k) for k in key]),
        entropy([len(r) for r in response]),
        entropy([len(k & r) for k in key for r in response]),
    )


def vi(key, response):
    h_k, h_r, h = entropies(key, response)
    return 2 * h - h_k - h_r


def vi_scaled(key, response):
    n = len(set().union(*key, *response))
    return 1 - quotient(vi(key, response), log(n))


def nvi(key, response):
    h_k, h_r, h = entropies(key, response)
    return quotient(2 * h - h_k - h_r, h)


def nid(key, response):
    h_k, h_r, h = entropies(key, response)
    return 1 - (h_k + h_r - h) / max(h_k, h_r) if max(h_k, h_r) > 0 else 0.0


def rand(key, response):
    C_k, N_k = link_sets(key)
    C_r, N_r = link_sets(response)
    every = sorted(set().union(*key, *response), key=repr)
    pairs = list(combinations(every, 2))
    if not pairs:
        return mention_detection(key, response)[2]
    return len(C_k & C_r | N_k & N_r) / len(pairs)


def ari(key, response):
    key, response = completed(key, response)
    C_k, _ = link_sets(key)
    C_r, _ = link_sets(response)
    n = sum(map(len, key))
    expected = quotient(len(C_k) * len(C_r), n * (n - 1) / 2)
    below = (len(C_k) + len(C_r)) / 2 - expected
    return (len(C_k & C_r) - expected) / below if below else 1.0


def pair_jaccard(key, response):
    C_k, C_r = link_sets(key)[0], link_sets(response)[0]
    return len(C_k & C_r) / len(C_k | C_r) if C_k | C_r else 1.0


def split_join(key, response):
    key, response = completed(key, response)
    n = sum(map(len, key))
    return (
        2 * n
        - sum(max(len(k & r) for r in response) for k in key)
        - sum(max(len(k & r) for k in key) for r in response)
    )


def merge_split(key, response):
    """Breadth-first search over merges, splits, and adding or deleting a singleton mention."""
    every = set().union(*key, *response, set())
    start = frozenset(map(frozenset, key))
    goal = frozenset(map(frozenset, response))
    seen, front, steps = {start}, [start], 0
    while goal not in seen:
        steps += 1
        following = []
        for state in front:
            for neighbour in _edits(state, every):
                if neighbour not in seen:
                    seen.add(neighbour)
                    following.append(neighbour)
        front = following
    return steps


def _edits(state, every):
    entities = list(state)
    for a, b in combinations(entities, 2):
        yield (state - {a, b}) | {a | b}
    for e in entities:
        members = sorted(e, key=repr)
        if len(members) == 1:
            yield state - {e}
        for bits in range(1, 2 ** (len(members) - 1)):
            part = frozenset(m for i, m in enumerate(members[1:]) if bits >> i & 1)
            yield (state - {e}) | {part, e - part}
    for m in every - set().union(*state, set()):
        yield state | {frozenset([m])}


def b3_jaccard(key, response):
    every = set().union(*key, *response, set())

    def entity(side, mention):
        return next((e for e in side if mention in e), set())

    total = 0.0
    for m in every:
        k, r = entity(key, m), entity(response, m)
        if k and r:
            total += len(k & r) / len(k | r)
    return total / len(every)


def ceaf_m_jaccard(key, response):
    best = best_alignment(key, response, lambda a, b: len(a & b))
    return best / (sum(map(len, key)) + sum(map(len, response)) - best)
