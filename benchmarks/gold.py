"""References and scores against crowd-kit and scikit-learn, on a simulated campaign.

    python benchmarks/gold.py [SECTION…]

With names of sections (values, speed, minimax, growth, memory, f1) only those are made again; the others
stay as the table has them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from harness import main, run, task, write

#: 10⁶ labels: 10⁵ items × 10, 1 000 annotators, 5 classes
BIG = (100_000, 10, 1_000, 5)


def campaign(items: int, per: int, annotators: int, classes: int):
    """Columns item, annotator, label, and the truth; skills between .4 and .95."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, classes, items)
    skill = rng.uniform(0.4, 0.95, annotators)
    item = np.repeat(np.arange(items), per)
    who = rng.integers(0, annotators, (items, per))
    # distinct annotators on each item: spread the draws over blocks of annotators
    who = ((who // per) * per + np.arange(per)) % annotators
    who = who.ravel()
    right = rng.random(items * per) < skill[who]
    label = np.where(
        right, truth[item], (truth[item] + rng.integers(1, classes, len(item))) % classes
    )
    order = rng.permutation(len(item))
    return item[order], who[order], label[order], truth


def frame(*size: int):
    import pandas as pd

    item, who, label, truth = campaign(*size)
    return pd.DataFrame({"task": item, "worker": who, "label": label}), truth


# --- accord ---------------------------------------------------------------------------------------


def ratings(*size: int):
    import accord

    item, who, label, truth = campaign(*size)
    names = {"item": item, "annotator": who, "value": label}
    import pandas as pd

    return accord.read(pd.DataFrame(names), values="categories"), truth


def coded(data, truth) -> np.ndarray:
    """The truth as codes of the data's values, in the order of its items; prepared beforehand."""
    place = {label: code for code, label in enumerate(data.labels)}
    return np.array([place[str(truth[int(name)])] for name in data.items])


@task
def accord_gold(method: str, size: list[int], options: dict):
    import accord

    accord.gold(accord.Ratings.from_matrix([["a", "b"], ["a", "a"]]), method, **options)
    data, truth = ratings(*size)
    target = coded(data, truth)

    def work():
        reference = accord.gold(data, method, ties="first", **options)
        return {
            "right": float(np.mean(reference.code == target)),
            "rounds": len(reference.estimate.objective),
        }

    return work


@task
def accord_read_and_gold(method: str, size: list[int], options: dict):
    import pandas as pd

    import accord

    accord.gold(accord.Ratings.from_matrix([["a", "b"], ["a", "a"]]), method, **options)
    item, who, label, truth = campaign(*size)
    table = pd.DataFrame({"item": item, "annotator": who, "value": label})
    target = coded(accord.read(table, values="categories"), truth)

    def work():
        data = accord.read(table, values="categories")
        reference = accord.gold(data, method, ties="first", **options)
        return {"right": float(np.mean(reference.code == target)), "rounds": 0}

    return work


@task
def accord_traced(method: str, size: list[int], options: dict):
    """Peak of the memory asked for while the reference is made, whatever preparing had needed."""
    import tracemalloc

    import accord

    accord.gold(accord.Ratings.from_matrix([["a", "b"], ["a", "a"]]), method, **options)
    data, truth = ratings(*size)
    target = coded(data, truth)

    def work():
        tracemalloc.start()
        before, _ = tracemalloc.get_traced_memory()
        reference = accord.gold(data, method, ties="first", **options)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        right = float(np.mean(reference.code == target))
        return {"right": right, "traced": (peak - before) / 2**20}

    return work


@task
def accord_f1(items: int, named: str):
    """Macro F of 20 classes; items numbered, named, or named and in another order."""
    import accord
    from accord.data.tables import ratings_from_long

    accord.score(["a", "b"], ["a", "a"], "f1-macro")
    rng = np.random.default_rng(0)
    y, x = rng.integers(0, 20, items), rng.integers(0, 20, items)
    if named == "numbered":
        reference = accord.Ratings.from_matrix(y[None].astype(float), annotators=["reference"])
        system = accord.Ratings.from_matrix(x[None].astype(float), annotators=["system"])
    else:
        order = rng.permutation(items) if named == "other order" else np.arange(items)
        reference = ratings_from_long(
            [f"item-{i:07d}" for i in range(items)], ["reference"] * items, y.astype(float)
        )
        system = ratings_from_long(
            [f"item-{i:07d}" for i in order.tolist()], ["system"] * items, x[order].astype(float)
        )
    return lambda: accord.score(reference, system, "f1-macro").value


# --- peers ----------------------------------------------------------------------------------------


@task
def crowdkit(method: str, size: list[int], options: dict):
    from crowdkit import aggregation

    table, truth = frame(*size)
    aggregator = getattr(aggregation, method)(**options)

    def work():
        labels = aggregator.fit_predict(table)
        return {"right": float(np.mean(labels.sort_index().to_numpy() == truth)), "rounds": 0}

    return work


@task
def sklearn_f1(items: int):
    from sklearn.metrics import f1_score

    rng = np.random.default_rng(0)
    y, x = rng.integers(0, 20, items), rng.integers(0, 20, items)
    return lambda: float(f1_score(y, x, average="macro"))


# --- report ---------------------------------------------------------------------------------------


def values() -> list[str]:
    return [
        "## The same values on a small campaign",
        "",
        "| method | labels alike |",
        "|---|---|",
        *same_values(),
    ]


def speed() -> list[str]:
    lines = [
        "## 10⁶ labels",
        "",
        "10⁵ items × 10 labels, 1 000 annotators, 5 classes; share right is against the simulated "
        "truth. Confidences are left as the models say. Added memory is 0 where preparing the data had "
        "needed more.",
        "",
        "| method | accord | share right | crowd-kit | share right | ratio |",
        "|---|---|---|---|---|---|",
    ]
    pairs = [
        ("majority", {}, "MajorityVote", {}),
        ("dawid-skene", {"smoothing": 0.0}, "DawidSkene", {"n_iter": 100}),
        ("one-coin", {}, "OneCoinDawidSkene", {"n_iter": 100}),
        ("mace", {"restarts": 1, "rounds": 50}, "MACE", {"n_restarts": 1, "n_iter": 50}),
        ("glad", {}, "GLAD", {}),
    ]
    for ours, own, theirs, options in pairs:
        mine = run("accord_gold", ours, list(BIG), own | {"calibrate": "model"})
        peer = run("crowdkit", theirs, list(BIG), options, timeout=600)
        lines.append(_line(f"{ours} {own or ''}", mine, peer))
    mine = run("accord_read_and_gold", "dawid-skene", list(BIG), {"calibrate": "model"})
    what = "dawid-skene with reading the dataframe, default priors"
    return [*lines, _line(what, mine, {"failed": ""})]


def minimax() -> list[str]:
    lines = [
        "## Minimax entropy (no package on PyPI has it), 10⁵ labels",
        "",
        "| form | accord | share right |",
        "|---|---|---|",
    ]
    small = [10_000, 10, 1_000, 5]
    for ordinal in (False, True):
        options = {"ordinal": ordinal, "calibrate": "model"}
        mine = run("accord_gold", "minimax-entropy", small, options)
        lines.append(f"| {'ordinal' if ordinal else 'nominal'} | {_cost(mine)} | {_right(mine)} |")
    return lines


def growth() -> list[str]:
    lines = [
        "## Growth",
        "",
        "| labels | majority | dawid-skene | mace, one restart | glad |",
        "|---|---|---|---|---|",
    ]
    for items in (25_000, 50_000, 100_000, 200_000):
        size = [items, 10, max(100, items // 100), 5]
        cells = [
            _cost(run("accord_gold", m, size, o | {"calibrate": "model"}))
            for m, o in (
                ("majority", {}),
                ("dawid-skene", {}),
                ("mace", {"restarts": 1}),
                ("glad", {}),
            )
        ]
        lines.append(f"| {items * 10:,} | {' | '.join(cells)} |")
    return lines


def memory() -> list[str]:
    lines = [
        "## Memory",
        "",
        "Peak of the memory asked for by the model (traced, which slows it), 5 classes.",
        "",
        "| labels | dawid-skene | dawid-skene with confidences | minimax-entropy |",
        "|---|---|---|---|",
    ]
    for items in (10_000, 100_000):
        size = [items, 10, max(100, items // 100), 5]
        cells = []
        for method, calibrate in (
            ("dawid-skene", "model"), ("dawid-skene", "bagged"), ("minimax-entropy", "model"),
        ):  # fmt: skip
            found = run("accord_traced", method, size, {"calibrate": calibrate})
            value = found.get("value")
            cells.append(f"{value['traced']:.0f} MB" if isinstance(value, dict) else str(found))
        lines.append(f"| {items * 10:,} | {' | '.join(cells)} |")
    return lines


def f1() -> list[str]:
    theirs = run("sklearn_f1", 1_000_000)
    lines = [
        "## Macro F, 10⁶ items, 20 classes",
        "",
        f"scikit-learn on two arrays of integers: {theirs['cpu']:.2f} s. accord, which matches the items "
        "by their names:",
        "",
        "| items | accord | value |",
        "|---|---|---|",
    ]
    for named in ("numbered", "named", "other order"):
        mine = run("accord_f1", 1_000_000, named)
        same = abs(mine["value"] - theirs["value"]) < 1e-12
        lines.append(
            f"| {named} | {mine['cpu']:.2f} s | {'the same' if same else 'DIFFERENT'} "
            f"({mine['value']:.6f}) |"
        )
    return lines


TITLES = {
    "values": "The same values on a small campaign",
    "speed": "10⁶ labels",
    "minimax": "Minimax entropy (no package on PyPI has it), 10⁵ labels",
    "growth": "Growth",
    "memory": "Memory",
    "f1": "Macro F, 10⁶ items, 20 classes",
}
SECTIONS = {
    "values": values, "speed": speed, "minimax": minimax, "growth": growth, "memory": memory, "f1": f1,
}  # fmt: skip


def report() -> None:
    asked = sys.argv[1:] or list(SECTIONS)
    before = Path(__file__).with_name("results") / "gold.md"
    parts = before.read_text(encoding="utf-8").split("\n## ")[1:] if before.exists() else []
    old = {part.partition("\n")[0]: ("## " + part).rstrip() for part in parts}
    lines: list[str] = []
    for name, make in SECTIONS.items():
        kept = [text for title, text in old.items() if title == TITLES[name]]
        made = make() if name in asked else kept
        lines += [*made, ""]
    write("gold", "References and scores", lines[:-1], "crowd-kit", "scikit-learn", "pandas")


def same_values() -> list[str]:
    """Labels of both on one small campaign, and how often they are the same."""
    from crowdkit import aggregation

    import accord

    size = (400, 7, 21, 3)
    table, truth = frame(*size)
    data, _ = ratings(*size)
    target = coded(data, truth)
    rows = []
    for ours, own, theirs, options in (
        ("majority", {}, "MajorityVote", {}),
        (
            "dawid-skene",
            {"smoothing": 0.0, "tolerance": 1e-10},
            "DawidSkene",
            {"n_iter": 1000, "tol": 1e-10},
        ),
        ("mace", {}, "MACE", {"n_restarts": 10}),
        ("glad", {}, "GLAD", {}),
    ):
        reference = accord.gold(data, ours, ties="first", **own)
        peer = getattr(aggregation, theirs)(**options).fit_predict(table)
        alike = np.mean(
            [int(reference.written(i)) == peer[int(name)] for i, name in enumerate(data.items)]
        )
        rows.append(
            f"| {ours} {own or ''} | {alike:.4f} (right: accord {np.mean(reference.code == target):.4f}, crowd-kit "
            f"{np.mean(peer.to_numpy() == truth[peer.index.to_numpy()]):.4f}) |"
        )
    return rows


def _cost(result: dict) -> str:
    if "failed" in result:
        return str(result["failed"])
    return f"{result['cpu']:.2f} s, {result['peak']:.0f} MB"


def _right(result: dict) -> str:
    value = result.get("value")
    return f"{value['right']:.4f}" if isinstance(value, dict) else ""


def _line(what: str, mine: dict, peer: dict) -> str:
    ratio = ""
    if "cpu" in mine and "cpu" in peer:
        ratio = f"{peer['cpu'] / mine['cpu']:.1f}× faster"
    return f"| {what} | {_cost(mine)} | {_right(mine)} | {_cost(peer)} | {_right(peer)} | {ratio} |"


if __name__ == "__main__":
    main(__file__, report)
