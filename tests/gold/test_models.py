"""Models of a reference: known truth, oracles, order and names do not matter, objectives climb."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp

import accord
from accord.data.tables import ratings_from_long
from accord.gold import MODELS
from accord.gold.dawid_skene import dawid_skene, one_coin
from accord.gold.glad import glad
from accord.gold.labels import Labels
from accord.gold.mace import mace
from accord.gold.minimax import minimax_entropy
from accord.gold.votes import majority
from accord.kernels import crowd
from tests.kernels.test_kernels import uncompiled
from tests.oracles.campaigns import as_ratings, confused_campaign, one_coin_campaign

LEARNT = {
    "dawid-skene": dawid_skene,
    "one-coin": one_coin,
    "glad": glad,
    "mace": lambda labels, **o: mace(labels, restarts=3, **o),
    "minimax-entropy": minimax_entropy,
    "minimax-entropy-ordinal": lambda labels: minimax_entropy(labels, ordered=True),
}


@pytest.fixture(scope="module")
def coins():
    return one_coin_campaign(0, 600, 5, 40, 4)


@pytest.fixture(scope="module")
def confused():
    return confused_campaign(1, 800, 6, 30, 3)


@pytest.mark.parametrize("name", LEARNT)
def test_objective_never_falls(name, coins, confused):
    for labels in (coins[0], confused[0]):
        trace = np.array(LEARNT[name](labels).objective)
        assert len(trace) > 1
        assert np.all(np.diff(trace) >= -1e-9 * np.abs(trace[-1]))


@pytest.mark.parametrize("name", ["dawid-skene", "one-coin", "glad", "mace", "minimax-entropy"])
def test_better_than_the_majority_on_known_truth(name):
    gains = []
    for seed in range(3):
        labels, truth, _ = one_coin_campaign(seed, 500, 5, 20, 3)
        vote = majority(labels).posterior.argmax(axis=1)
        found = LEARNT[name](labels).posterior.argmax(axis=1)
        gains.append(np.mean(found == truth) - np.mean(vote == truth))
    assert np.mean(gains) > 0.02


def test_confusions_need_a_confusion_model(confused):
    labels, truth = confused
    right = {
        name: np.mean(LEARNT[name](labels).posterior.argmax(axis=1) == truth)
        for name in ("dawid-skene", "one-coin", "minimax-entropy")
    }
    vote = np.mean(majority(labels).posterior.argmax(axis=1) == truth)
    assert right["dawid-skene"] > vote + 0.03
    assert right["minimax-entropy"] > vote + 0.03


def test_accuracies_are_recovered():
    labels, _, skill = one_coin_campaign(3, 2000, 6, 12, 3)
    for name in ("dawid-skene", "one-coin", "mace", "glad", "minimax-entropy"):
        found = LEARNT[name](labels).accuracy
        assert np.corrcoef(found, skill)[0, 1] > 0.97, name
    assert one_coin(labels).accuracy == pytest.approx(skill, abs=0.05)


@pytest.mark.parametrize("name", [m for m in MODELS if m != "unanimity"])
def test_rows_and_names_do_not_matter(name):
    labels, _ = confused_campaign(5, 60, 4, 9, 3)
    plain = accord.gold(as_ratings(labels), name)
    mixed = np.random.default_rng(0).permutation(len(labels.code))
    moved = accord.gold(as_ratings(labels, names=["z", "NA", "b"], order=mixed), name)
    place = {item: i for i, item in enumerate(moved.data.items)}
    column = {"c0": "z", "c1": "NA", "c2": "b"}
    for i, item in enumerate(plain.data.items):
        j = place[item]
        assert column.get(plain.written(i), "") == moved.written(j)
        for k, label in enumerate(plain.labels):
            other = moved.posterior[j, moved.labels.index(column[label])]
            assert other == pytest.approx(plain.posterior[i, k], abs=1e-6)


def test_dawid_skene_against_the_formula():
    """EM written with plain loops, in logarithms."""
    labels, _ = confused_campaign(2, 40, 3, 5, 3)
    K, A = 3, 5
    belief = 0.01 + np.eye(K)
    T = labels.shares()
    for _ in range(30):
        p = T.sum(axis=0) + 1
        p = p / p.sum()
        pi = np.zeros((A, K, K))  # annotator, true, said
        for a in range(A):
            for k in range(K):
                for j in np.flatnonzero(labels.annotator == a):
                    pi[a, k, labels.code[j]] += T[labels.item[j], k]
                pi[a, k] += belief[k]
                pi[a, k] /= pi[a, k].sum()
        log_t = np.tile(np.log(p), (40, 1))
        for j in range(len(labels.code)):
            log_t[labels.item[j]] += np.log(pi[labels.annotator[j], :, labels.code[j]])
        T = np.exp(log_t - logsumexp(log_t, axis=1, keepdims=True))
    found = dawid_skene(labels, tolerance=-np.inf, rounds=30)
    assert found.posterior == pytest.approx(T, abs=1e-10)
    penalty = np.log(p).sum() + np.sum(belief * np.log(pi))
    assert found.objective[-1] == pytest.approx(logsumexp(log_t, axis=1).sum() + penalty)


def test_glad_gradient_by_finite_differences():
    labels, _, _ = one_coin_campaign(4, 12, 3, 5, 3)
    rng = np.random.default_rng(0)
    ability, ease = rng.normal(1, 0.5, 5), rng.normal(0, 0.5, 12)

    def value(ability, ease):
        out = np.empty((12, 3)), np.zeros(5), np.empty(12)
        total = crowd.ability_round(
            labels.indptr, labels.annotator, labels.code, labels.weight, labels.clamp,
            np.full(3, -np.log(3)), ability, ease, *out, np.empty(3),
        )  # fmt: skip
        return total, out[1], out[2]

    _, by_ability, by_ease = value(ability, ease)
    step = 1e-6
    for i in range(5):
        moved = ability + step * np.eye(5)[i]
        back = ability - step * np.eye(5)[i]
        slope = (value(moved, ease)[0] - value(back, ease)[0]) / (2 * step)
        assert slope == pytest.approx(by_ability[i], abs=1e-5)
    for i in range(12):
        moved, back = ease + step * np.eye(12)[i], ease - step * np.eye(12)[i]
        slope = (value(ability, moved)[0] - value(ability, back)[0]) / (2 * step)
        assert slope == pytest.approx(by_ease[i], abs=1e-5)


def test_mace_bound_is_below_the_evidence():
    """One annotator, one item, two classes: the bound can be checked by numerical integration."""
    labels = Labels(
        indptr=np.array([0, 1]), annotator=np.zeros(1, dtype=np.int32),
        code=np.zeros(1, dtype=np.int32), n_annotators=1, n_classes=2, weight=np.ones(1),
        clamp=np.full(1, -1, dtype=np.int32),
    )  # fmt: skip
    # P(y = 0) = ½ by symmetry, whatever θ and ξ
    assert mace(labels, prevalence="uniform").objective[-1] <= np.log(0.5) + 1e-9


@pytest.mark.parametrize("clamped", [False, True])
def test_kernels_equal_their_plain_source(clamped):
    labels, truth, _ = one_coin_campaign(6, 30, 3, 5, 3)
    clamp = labels.clamp.copy()
    if clamped:
        clamp[:5] = truth[:5]
    rng = np.random.default_rng(1)
    weight = rng.uniform(0.3, 1, 5)
    head = (labels.indptr, labels.annotator, labels.code, weight)
    prior = np.log(rng.dirichlet(np.ones(3)))
    shape = {"c": (5, 3, 3), "n": (30, 3), "a": (5,), "ak": (5, 3), "i": (30,), "ikk": (30, 3, 3)}

    def both(name, inputs, outputs):
        found = []
        for module in (crowd, uncompiled("crowd")):
            arrays = [np.zeros(shape[o]) for o in outputs]
            total = getattr(module, name)(*head, *inputs(arrays))
            found.append((total, arrays))
        assert found[0][0] == pytest.approx(found[1][0], rel=1e-12)
        for x, y in zip(found[0][1], found[1][1], strict=True):
            assert x == pytest.approx(y, rel=1e-10, abs=1e-12)

    confusion = np.log(rng.dirichlet(np.ones(3), size=(5, 3)))
    both("confusion_round", lambda out: (clamp, prior, confusion, *out), ["n", "c"])
    right = rng.uniform(0.5, 0.9, 5)
    both(
        "coin_round", lambda out: (clamp, prior, np.log(right), np.log(1 - right), *out), ["n", "a"]
    )
    guess = rng.uniform(0.1, 0.5, (5, 3))
    both(
        "spam_round",
        lambda out: (clamp, prior, np.log(guess), np.log1p(0.5 / guess), guess, *out),
        ["n", "a", "ak"],
    )
    both(
        "ability_round",
        lambda out: (clamp, prior, right - 0.7, rng.normal(size=30) * 0, *out, np.empty(3)),
        ["n", "a", "i"],
    )
    sigma, tau = rng.normal(size=(5, 3, 3)), rng.normal(size=(30, 3, 3))
    for which in (0, 1, 2):
        both(
            "entropy_round",
            lambda out, which=which: (
                sigma,
                tau,
                labels.shares(),
                out[0],
                out[1],
                out[2],
                which,
                np.empty(3),
            ),
            ["n", "c", "ikk"],
        )


@pytest.mark.parametrize("name", ["dawid-skene", "one-coin", "glad", "mace", "minimax-entropy"])
def test_known_items_stay_and_teach(name):
    gains = []
    for seed in range(4):
        labels, truth = confused_campaign(seed, 150, 4, 6, 3)
        data = as_ratings(labels)
        known = {f"i{i:04d}": f"c{truth[i]}" for i in range(100)}
        blind, told = accord.gold(data, name), accord.gold(data, name, known=known)
        assert all(told.written(i) == f"c{truth[i]}" for i in range(100))
        assert all(told.confidence[i] == 1 for i in range(100))
        right = [
            np.mean([r.written(i) == f"c{truth[i]}" for i in range(100, 150)])
            for r in (told, blind)
        ]
        gains.append(right[0] - right[1])
    assert np.mean(gains) >= -0.01


def test_weights_of_zero_silence_an_annotator(coins):
    data = as_ratings(coins[0])
    quiet = {"a000": 0.0, "a001": 0.0}
    for method in ("dawid-skene", "mace", "glad", "majority"):
        with_zero = accord.gold(data, method, weights=quiet)
        without = accord.gold(
            data.select(annotators=[a for a in data.annotators if a not in quiet]), method
        )
        assert with_zero.posterior == pytest.approx(without.posterior, abs=5e-3), method


@pytest.mark.parametrize("name", ["mace", "glad"])
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_renaming_annotators_items_and_labels_changes_nothing(name, seed):
    """Annotators, items and labels get other names and the rows another order, all at once."""
    rng = np.random.default_rng(seed)
    n, A, K = 25, 7, 3
    # (of mere noise GLAD's likelihood is flat: on 3 of 1 500 such draws its search ended elsewhere)
    truth = rng.integers(K, size=n).tolist()
    rows = [
        (i, a, truth[i] if rng.random() < 0.6 else int(rng.integers(K)))
        for i in range(n)
        for a in rng.permutation(A)[:4].tolist()
    ]
    turn = {"i": rng.permutation(n), "a": rng.permutation(A), "l": rng.permutation(K)}

    def posterior(names, order) -> dict[tuple[int, int], float]:
        data = ratings_from_long(
            [f"i{names['i'][i]}" for i, _, _ in order],
            [f"a{names['a'][a]}" for _, a, _ in order],
            [f"l{names['l'][k]}" for _, _, k in order],
            categories=[f"l{k}" for k in range(K)],
        )
        found = LEARNT[name](Labels.of(data)).posterior
        place = {item: j for j, item in enumerate(data.items)}
        column = {label: k for k, label in enumerate(data.labels)}
        return {
            (i, k): found[place[f"i{names['i'][i]}"], column[f"l{names['l'][k]}"]]
            for i in range(n)
            for k in range(K)
        }

    same = {key: np.arange(len(order)) for key, order in turn.items()}
    first = posterior(same, rows)
    second = posterior(turn, [rows[j] for j in rng.permutation(len(rows))])
    assert second == pytest.approx(first, abs=1e-7)
