# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""One pass over all labels for each model that estimates a reference from annotators.

All functions read a ragged table sorted by item: the labels of item i stand at
indptr[i]:indptr[i + 1] in `annotator` and `code`. `weight` counts each annotator's labels that many
times; `clamp[i]` is the known class of item i, or -1. Each fills the posterior of the items and the
sums its model needs next, and returns the log-likelihood.
"""

import cython

from accord.kernels.doors import check_indices, check_lengths, check_offsets

if cython.compiled:
    from cython.cimports.libc.math import exp, log, log1p
else:
    from math import exp, log, log1p


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _normalise(
    posterior: cython.double[:, :], i: cython.Py_ssize_t, K: cython.Py_ssize_t, known: cython.int
) -> cython.double:
    """Turn row i from log-weights into probabilities; returns their log-sum."""
    k: cython.Py_ssize_t
    top: cython.double = posterior[i, 0]
    total: cython.double = 0.0
    value: cython.double
    if known >= 0:
        value = posterior[i, known]
        for k in range(K):
            posterior[i, k] = 0.0
        posterior[i, known] = 1.0
        return value
    for k in range(1, K):
        if posterior[i, k] > top:
            top = posterior[i, k]
    for k in range(K):
        value = exp(posterior[i, k] - top)
        posterior[i, k] = value
        total += value
    for k in range(K):
        posterior[i, k] /= total
    return top + log(total)


def _labelled(indptr, annotator, code, clamp, weight, posterior, labels):
    """The door of a table of labels: items, their labels, whose they are, and what is known."""
    check_offsets(indptr, code.shape[0])
    check_lengths(code.shape[0], annotator)
    check_indices(annotator, weight.shape[0])
    check_indices(code, labels)
    if clamp is not None:
        check_lengths(indptr.shape[0] - 1, clamp)
        check_indices(clamp, posterior.shape[1], -1)
    check_lengths(indptr.shape[0] - 1, posterior)


@cython.ccall
def confusion_round(
    indptr: cython.const[cython.longlong][:],
    annotator: cython.const[cython.int][:],
    code: cython.const[cython.int][:],
    weight: cython.const[cython.double][:],
    clamp: cython.const[cython.int][:],
    log_prior: cython.const[cython.double][:],
    log_confusion: cython.const[cython.double][:, :, :],
    posterior: cython.double[:, :],
    counts: cython.double[:, :, :],
):
    """Dawid and Skene: posterior of each item, and expected confusion counts.

    log_confusion[a, l, k] = log P(annotator a says l | true class k); counts[a, l, k] receives the
    expected number of times a said l when the class was k.
    """
    _labelled(indptr, annotator, code, clamp, weight, posterior, log_confusion.shape[1])
    check_lengths(weight.shape[0], log_confusion, counts)
    K: cython.Py_ssize_t = posterior.shape[1]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    y: cython.Py_ssize_t
    w: cython.double
    total: cython.double = 0.0
    for i in range(indptr.shape[0] - 1):
        for k in range(K):
            posterior[i, k] = log_prior[k]
        for j in range(indptr[i], indptr[i + 1]):
            a = annotator[j]
            y = code[j]
            w = weight[a]
            for k in range(K):
                posterior[i, k] += w * log_confusion[a, y, k]
        total += _normalise(posterior, i, K, clamp[i])
        for j in range(indptr[i], indptr[i + 1]):
            a = annotator[j]
            y = code[j]
            w = weight[a]
            for k in range(K):
                counts[a, y, k] += w * posterior[i, k]
    return total


@cython.ccall
def coin_round(
    indptr: cython.const[cython.longlong][:],
    annotator: cython.const[cython.int][:],
    code: cython.const[cython.int][:],
    weight: cython.const[cython.double][:],
    clamp: cython.const[cython.int][:],
    log_prior: cython.const[cython.double][:],
    log_right: cython.const[cython.double][:],
    log_wrong: cython.const[cython.double][:],
    posterior: cython.double[:, :],
    right: cython.double[:],
):
    """One coin per annotator: posterior of each item, and expected number of right labels."""
    _labelled(indptr, annotator, code, clamp, weight, posterior, posterior.shape[1])
    check_lengths(weight.shape[0], log_right, log_wrong, right)
    K: cython.Py_ssize_t = posterior.shape[1]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    start: cython.double
    total: cython.double = 0.0
    for i in range(indptr.shape[0] - 1):
        start = 0.0
        for k in range(K):
            posterior[i, k] = log_prior[k]
        for j in range(indptr[i], indptr[i + 1]):
            a = annotator[j]
            start += weight[a] * log_wrong[a]
            posterior[i, code[j]] += weight[a] * (log_right[a] - log_wrong[a])
        total += start + _normalise(posterior, i, K, clamp[i])
        for j in range(indptr[i], indptr[i + 1]):
            a = annotator[j]
            right[a] += weight[a] * posterior[i, code[j]]
    return total


@cython.ccall
def spam_round(
    indptr: cython.const[cython.longlong][:],
    annotator: cython.const[cython.int][:],
    code: cython.const[cython.int][:],
    weight: cython.const[cython.double][:],
    clamp: cython.const[cython.int][:],
    log_prior: cython.const[cython.double][:],
    log_guess: cython.const[cython.double][:, :],
    lift: cython.const[cython.double][:, :],
    knew: cython.const[cython.double][:, :],
    posterior: cython.double[:, :],
    know: cython.double[:],
    guess: cython.double[:, :],
):
    """MACE: posterior of each item, and how often each annotator knew, or guessed each label.

    For annotator a saying l: log_guess[a, l] is the log-weight of guessing it, lift[a, l] what is
    added when the class is l, knew[a, l] the probability of having known it then.
    """
    _labelled(indptr, annotator, code, clamp, weight, posterior, log_guess.shape[1])
    check_lengths(weight.shape[0], log_guess, lift, knew, know, guess)
    K: cython.Py_ssize_t = posterior.shape[1]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    y: cython.Py_ssize_t
    w: cython.double
    p: cython.double
    start: cython.double
    total: cython.double = 0.0
    for i in range(indptr.shape[0] - 1):
        start = 0.0
        for k in range(K):
            posterior[i, k] = log_prior[k]
        for j in range(indptr[i], indptr[i + 1]):
            a = annotator[j]
            y = code[j]
            start += weight[a] * log_guess[a, y]
            posterior[i, y] += weight[a] * lift[a, y]
        total += start + _normalise(posterior, i, K, clamp[i])
        for j in range(indptr[i], indptr[i + 1]):
            a = annotator[j]
            y = code[j]
            w = weight[a]
            p = posterior[i, y] * knew[a, y]
            know[a] += w * p
            guess[a, y] += w * (1.0 - p)
    return total


@cython.ccall
def ability_round(
    indptr: cython.const[cython.longlong][:],
    annotator: cython.const[cython.int][:],
    code: cython.const[cython.int][:],
    weight: cython.const[cython.double][:],
    clamp: cython.const[cython.int][:],
    log_prior: cython.const[cython.double][:],
    ability: cython.const[cython.double][:],
    log_ease: cython.const[cython.double][:],
    posterior: cython.double[:, :],
    by_ability: cython.double[:],
    by_ease: cython.double[:],
    scratch: cython.double[:],
):
    """GLAD: posterior of each item, log-likelihood, and its gradient by ability and log-ease.

    `scratch` is as long as the most labelled item has labels.
    """
    _labelled(indptr, annotator, code, clamp, weight, posterior, posterior.shape[1])
    check_lengths(weight.shape[0], ability, by_ability)
    K: cython.Py_ssize_t = posterior.shape[1]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    first: cython.Py_ssize_t
    x: cython.double
    s: cython.double
    ease: cython.double
    gap: cython.double
    slope: cython.double
    start: cython.double
    spread: cython.double = log(K - 1.0)
    total: cython.double = 0.0
    for i in range(indptr.shape[0] - 1):
        ease = exp(log_ease[i])
        start = 0.0
        for k in range(K):
            posterior[i, k] = log_prior[k]
        first = indptr[i]
        for j in range(first, indptr[i + 1]):
            a = annotator[j]
            x = ability[a] * ease
            # log(1 - sigmoid(x)) and sigmoid(x) from one exponential that cannot overflow
            if x > 0:
                s = exp(-x)
                gap = -x - log1p(s)
                scratch[j - first] = 1.0 / (1.0 + s)
            else:
                s = exp(x)
                gap = -log1p(s)
                scratch[j - first] = s / (1.0 + s)
            start += weight[a] * (gap - spread)
            posterior[i, code[j]] += weight[a] * (x + spread)
        total += start + _normalise(posterior, i, K, clamp[i])
        by_ease[i] = 0.0
        for j in range(first, indptr[i + 1]):
            a = annotator[j]
            slope = weight[a] * (posterior[i, code[j]] - scratch[j - first]) * ease
            by_ability[a] += slope
            by_ease[i] += slope * ability[a]
    return total


@cython.ccall
def entropy_round(
    indptr: cython.const[cython.longlong][:],
    annotator: cython.const[cython.int][:],
    code: cython.const[cython.int][:],
    weight: cython.const[cython.double][:],
    by_annotator: cython.const[cython.double][:, :, :],
    by_item: cython.const[cython.double][:, :, :],
    posterior: cython.const[cython.double][:, :],
    evidence: cython.double[:, :],
    slope_annotator: cython.double[:, :, :],
    slope_item: cython.double[:, :, :],
    which: cython.int,
    scratch: cython.double[:],
):
    """Minimax entropy: log P(labels of i | class k) into `evidence`, and one gradient.

    P(l | k) is proportional to exp(by_annotator[a, k, l] + by_item[i, k, l]). `which` says which
    gradient is wanted: 0 none, 1 by annotator, 2 by item. Returns the expected log-likelihood.
    """
    _labelled(indptr, annotator, code, None, weight, posterior, by_annotator.shape[2])
    check_lengths(weight.shape[0], by_annotator)
    K: cython.Py_ssize_t = posterior.shape[1]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    q: cython.Py_ssize_t
    a: cython.Py_ssize_t
    y: cython.Py_ssize_t
    top: cython.double
    norm: cython.double
    part: cython.double
    total: cython.double = 0.0
    for i in range(indptr.shape[0] - 1):
        for k in range(K):
            evidence[i, k] = 0.0
        for j in range(indptr[i], indptr[i + 1]):
            a = annotator[j]
            y = code[j]
            for k in range(K):
                top = -1e300
                for q in range(K):
                    scratch[q] = by_annotator[a, k, q] + by_item[i, k, q]
                    if scratch[q] > top:
                        top = scratch[q]
                evidence[i, k] += weight[a] * (scratch[y] - top)
                norm = 0.0
                for q in range(K):
                    scratch[q] = exp(scratch[q] - top)
                    norm += scratch[q]
                evidence[i, k] -= weight[a] * log(norm)
                part = weight[a] * posterior[i, k]
                if which == 1 and part > 0:
                    for q in range(K):
                        slope_annotator[a, k, q] -= part * scratch[q] / norm
                    slope_annotator[a, k, y] += part
                elif which == 2 and part > 0:
                    for q in range(K):
                        slope_item[i, k, q] -= part * scratch[q] / norm
                    slope_item[i, k, y] += part
        for k in range(K):
            if posterior[i, k] > 0:
                total += posterior[i, k] * evidence[i, k]
    return total
