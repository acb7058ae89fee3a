"""What points outside a table is an IndexError at the door of a kernel, never the end of the process."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import accord.kernels


def ints(*values):
    return np.array(values, dtype=np.int32)


def longs(*values):
    return np.array(values, dtype=np.int64)


def reals(*values):
    return np.array(values, dtype=np.float64)


FAR = 10_000_000
TWO = longs(0, 1, 2)
LABELS = (longs(0, 1), ints(0), ints(0), reals(1.0), ints(-1))

#: kernel → sound arguments (None where the test of alignments has them), and argument → what is not sound
CASES = {
    "components.label_components": ([longs(0), longs(0), 1, 1], {0: longs(FAR), 1: longs(-FAR)}),
    "profiles.group_rows": ([longs(0, 1), ints(0), ints(0), True], {0: longs(0, FAR), 1: ints()}),
    "covers.columns_of_units": ([longs(0, 2), ints(0, 1), 2], {0: longs(0, FAR), 1: ints(0, FAR)}),
    "covers.first_prices": (
        [longs(0, 2), ints(0, 1), reals(1.0), reals(0, 0), 0.5],
        {0: longs(FAR, 0), 1: ints(-FAR, 1), 2: reals()},
    ),
    "covers.smooth_prices": (
        [longs(0, 2), ints(0, 1), reals(1.0), TWO, ints(0, 0), reals(0, 0), 0.1, 1, 1e-3],
        {1: ints(0, FAR), 3: longs(0, 1, FAR), 4: ints(0, FAR), 5: reals(0)},
    ),
    "covers.repair_prices": (
        [longs(0, 2), ints(0, 1), longs(1), TWO, ints(0, 0), longs(1, 1)],
        {1: ints(0, FAR), 4: ints(0, FAR), 5: longs(1)},
    ),
    "covers.take_greedily": (
        [longs(0, 2), ints(0, 1), longs(0), ints(-1, -1), longs(1)],
        {1: ints(0, FAR), 2: longs(FAR), 4: longs()},
    ),
    "covers.search_covers": (
        [longs(0, 2), longs(0, 1), longs(0, 2), ints(0, 1), longs(0), longs(9), 2, 99, False],
        {0: longs(0, FAR), 1: longs(0, FAR), 3: ints(0, FAR), 4: longs(), 5: longs()},
    ),
    "outcome.canonical_order": (
        [longs(0, 1, 2)[None], reals(0, 0), reals(1, 1), ints(0, 0)],
        {0: longs(0, 1, FAR)[None], 2: reals(1)},
    ),
    "outcome.unitary_table": (
        [longs(0, 1), TWO[None], ints(0, 0), longs(0, 2), ints(0, 1)],
        {0: longs(0, FAR), 1: longs(0, 1, FAR)[None], 2: ints(FAR, 0), 4: ints(0, FAR)},
    ),
    "outcome.has_tight_exchange": (
        [longs(0, 2), ints(0, 1), longs(0), TWO, ints(0, 0), longs(1, 1), ints(0, 0)],
        {1: ints(0, FAR), 4: ints(0, FAR), 5: longs(1), 6: ints(FAR, 0)},
    ),
    "outcome.packing_total": (
        [ints(0, 0), longs(0, 2), ints(0, 1), longs(1)],
        {0: ints(0, FAR), 1: longs(0, FAR), 3: longs()},
    ),
    "outcome.packing_totals": (
        [ints(0, 0), longs(0, 2), ints(0, 1), longs(1), TWO[None]],
        {0: ints(0, FAR), 4: longs(0, 1, FAR)[None]},
    ),
    "matching.match_rows": (
        [longs(0, 1), ints(0), reals(-1.0), 1],
        {0: longs(0, FAR), 1: ints(FAR), 2: reals()},
    ),
    "matching.match_pairs": ([ints(0, 1), longs(1), 2], {0: ints(0, FAR), 1: longs()}),
    "matching.matching_costs": (
        [TWO, longs(0, 1, 2), ints(1, 0), longs(1, 1), 2],
        {0: longs(0, 1, FAR), 2: ints(FAR, 0), 3: longs(1)},
    ),
    "exchange.exchange_units": (
        [
            TWO,
            ints(1, 0),
            longs(1, 1),
            ints(0, 1),
            1,
            longs(1, 1),
            ints(0, -1, -1, 1).reshape(2, 2),
            0,
            0,
        ],
        {1: ints(FAR, 0), 3: ints(0, FAR), 5: longs(1)},
    ),
    "pricing.priced_tuples": (
        [longs(0, 1, 1), ints(1), longs(1), ints(0, 1), 2, 0, 2, 1, longs(1, 1), 9, False, 99, 99],
        {1: ints(FAR), 3: ints(0, FAR), 6: FAR, 8: longs(1)},
    ),
    "line_pricing.priced_on_line": (
        [longs(0, 1), ints(0, 1), 2, 1, 9, 1, longs(1, 1), 9, False, 99],
        {1: ints(0, FAR), 6: longs(1)},
    ),
    "candidates.candidate_tuples": (
        [longs(0, 1, 1), ints(1), reals(0.5), 2, 100, 100.0, 99],
        {0: longs(0, 1, FAR), 1: ints(FAR), 2: reals()},
    ),
    "regions.open_regions": (
        [longs(0, 2), ints(0, 1), longs(0), TWO, ints(0, 0), longs(1, 1), ints(0, 0), False],
        {1: ints(0, FAR), 4: ints(0, FAR), 5: longs(1), 6: ints(FAR, 0)},
    ),
    "turns.turned_units": (
        [TWO, reals(0, 0), reals(1, 1), ints(0, 0), 9.0, False, 0.0, 1.0, reals(*[0.5] * 4)],
        {0: longs(0, 1, FAR), 2: reals(1), 8: reals(0.5)},
    ),
    "boxes.meeting_boxes": (
        [TWO[None], longs(0, 1), *[reals(0, 0)] * 2, *[reals(1, 1)] * 2],
        {0: longs(0, 1, FAR)[None], 1: longs(0, FAR), 5: reals(1)},
    ),
    "lines.sweep": (
        [
            longs(0, 2),
            reals(0, 1),
            longs(0, 0),
            ints(1, -1),
            longs(0),
            longs(2),
            reals(2.0),
            np.eye(2),
        ],
        {0: longs(0, FAR), 2: longs(0, FAR), 4: longs(FAR), 6: reals()},
    ),
    "lines.squared_differences": (
        [longs(0, 2), TWO, reals(0, 0), reals(1, 1)],
        {0: longs(0, FAR), 1: longs(0, 1, FAR), 3: reals(1)},
    ),
    "dissimilarity.set_positions": (
        [longs(0), longs(1), TWO, reals(0, 0), reals(1, 1), 1.0],
        {0: longs(FAR), 1: longs(-FAR), 2: longs(0, 1, FAR), 4: reals(1)},
    ),
    "dissimilarity.near_pairs": (
        [
            TWO,
            reals(0, 0),
            reals(1, 1),
            ints(0, 0),
            np.zeros((2, 2)),
            0,
            1.0,
            1.0,
            reals(0, 0),
            ints(0, 1),
            TWO,
            ints(0, 1),
            reals(1, 1),
            1.0,
            1.0,
        ],
        {
            0: longs(0, 1, FAR),
            3: ints(0, FAR),
            9: ints(0, FAR),
            10: longs(0, 1, FAR),
            11: ints(0, FAR),
        },
    ),
    "dissimilarity.window_pairs": (
        [TWO[None], reals(0, 0), reals(1, 1), ints(0, 0), np.zeros((2, 2)), 0, reals(1.0), 1.0],
        {0: longs(0, 1, FAR)[None], 3: ints(0, FAR), 6: reals()},
    ),
    "dissimilarity.unitary_costs": (
        [
            longs(0, 1)[None],
            reals(0, 0),
            reals(1, 1),
            ints(0, 0),
            np.zeros((2, 2)),
            0,
            reals(1.0),
            1.0,
        ],
        {0: longs(0, FAR)[None], 3: ints(FAR, 0), 6: reals()},
    ),
    "relations.relation_pairs": (
        [
            ints(0, 0),
            ints(1, 1),
            ints(0, 0),
            longs(1, 2),
            TWO,
            ints(0, 1),
            reals(0, 0),
            longs(0, 2, 2),
            ints(0, 1),
            longs(0, 0, 2),
            ints(0, 1),
            np.zeros((2, 2)),
            np.zeros(2, dtype=np.int8),
            1.0,
            1.0,
        ],
        {
            0: ints(0, FAR),
            1: ints(FAR, 1),
            2: ints(0, FAR),
            4: longs(0, 1, FAR),
            5: ints(0, FAR),
            7: longs(0, 2, FAR),
            8: ints(0, FAR),
            10: ints(FAR, 1),
        },
    ),
    "crowd.confusion_round": (
        [*LABELS, reals(0.0), np.zeros((1, 1, 1)), np.zeros((1, 1)), np.zeros((1, 1, 1))],
        {0: longs(0, FAR), 1: ints(FAR), 2: ints(FAR), 4: ints(FAR), 6: np.zeros((0, 1, 1))},
    ),
    "crowd.coin_round": (
        [*LABELS, reals(0.0), reals(0.0), reals(0.0), np.zeros((1, 1)), reals(0.0)],
        {0: longs(0, FAR), 1: ints(FAR), 2: ints(FAR), 4: ints(FAR)},
    ),
    "crowd.spam_round": (
        [*LABELS, reals(0.0), *[np.zeros((1, 1))] * 4, reals(0.0), np.zeros((1, 1))],
        {0: longs(0, FAR), 1: ints(FAR), 2: ints(FAR), 4: ints(FAR)},
    ),
    "crowd.ability_round": (
        [
            *LABELS,
            reals(0.0),
            reals(1.0),
            reals(0.0),
            np.zeros((1, 1)),
            reals(0),
            reals(0),
            reals(0),
        ],
        {0: longs(0, FAR), 1: ints(FAR), 2: ints(FAR), 4: ints(FAR)},
    ),
    "crowd.entropy_round": (
        [
            *LABELS[:4],
            *[np.zeros((1, 1, 1))] * 2,
            np.ones((1, 1)),
            np.zeros((1, 1)),
            *[np.zeros((1, 1, 1))] * 2,
            0,
            reals(0.0),
        ],
        {0: longs(0, FAR), 1: ints(FAR), 2: ints(FAR)},
    ),
}

#: kernels that are given no indices
WITHOUT = {"dissimilarity.positions", "frontier.extend_beginnings", "lines.match_line"}


def kernel(name):
    module, function = name.split(".")
    return getattr(importlib.import_module(f"accord.kernels.{module}"), function)


def copies(arguments):
    return [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]


def knock(name):
    """What each unsound argument of a kernel ends in; the sound ones must pass."""
    sound, unsound = CASES[name]
    kernel(name)(*copies(sound))
    for place, wrong in unsound.items():
        given = copies(sound)
        given[place] = wrong
        try:
            kernel(name)(*given)
        except IndexError:
            continue
        return f"argument {place} was let in"
    return "refused"


@pytest.fixture(scope="module")
def told():
    """What each kernel did, from a process of their own: one that lets all in may end it."""
    code = (
        "from tests.kernels.test_doors import CASES, knock\n"
        "for name in CASES: print(name, knock(name), sep=': ', flush=True)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return dict(line.split(": ") for line in done.stdout.splitlines()), done.stderr[-500:]


@pytest.mark.parametrize("name", CASES)
def test_kernels_refuse_what_points_outside_their_tables(name, told):
    answers, problem = told
    assert answers.get(name, problem or "the process died") == "refused"


def test_every_kernel_has_a_door():
    """What is called from Python in the kernels stands among the cases."""
    names = set()
    for place in map(Path, accord.kernels.__path__):
        for path in place.glob("[a-z]*.py"):
            text = path.read_text(encoding="utf-8")
            called = re.findall(r"^@cython.ccall\ndef (\w+)", text, re.MULTILINE)
            names |= {f"{path.stem}.{name}" for name in called if path.stem != "doors"}
    assert names == set(CASES) | WITHOUT
