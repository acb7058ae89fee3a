"""Many fits of Aickin's model at once: each stops when it has arrived, and is the largest likelihood."""

import numpy as np

from accord.measures.ratings.aickin import maximum_likelihood


def likelihood(table, alpha, p, q):
    chance = np.outer(p, q)
    s = np.trace(chance)
    cells = (1 - alpha) * chance + alpha * np.diag(np.diag(chance)) / s
    return float((table[table > 0] * np.log(cells[table > 0])).sum())


def test_a_fit_that_goes_on_does_not_hold_the_others_up(monkeypatch):
    rng = np.random.default_rng(4)
    tables = rng.integers(1, 9, (60, 2, 2)) + 20.0 * np.eye(2)
    # a category that is never confused in one direction: a parameter leaves for infinity
    tables[0, 0, 1] = 0
    solved = []
    solve = np.linalg.solve

    def counted(hessian, gradient):
        solved.append(len(hessian))
        return solve(hessian, gradient)

    monkeypatch.setattr(np.linalg, "solve", counted)
    maximum_likelihood(tables)
    assert solved[0] == 60
    assert len(solved) > 15
    assert solved[-1] == 1
    assert sum(solved) < 60 * len(solved) / 2


def test_alpha_is_where_the_likelihood_is_largest():
    table = np.array([[20.0, 3, 2], [4, 15, 1], [2, 5, 9]])
    (alpha,), _ = maximum_likelihood(table[None])
    n = table.sum()

    def best(a):
        p, q = table.sum(1) / n, table.sum(0) / n
        top = -np.inf
        rng = np.random.default_rng(0)
        step = 0.2
        for i in range(4000):
            if i % 400 == 399:
                step /= 3
            p2 = np.abs(p * np.exp(step * rng.standard_normal(3)))
            q2 = np.abs(q * np.exp(step * rng.standard_normal(3)))
            p2, q2 = p2 / p2.sum(), q2 / q2.sum()
            here = likelihood(table, a, p2, q2)
            if here > top:
                top, p, q = here, p2, q2
        return top

    there = best(alpha)
    assert best(alpha - 0.03) < there
    assert best(alpha + 0.03) < there
