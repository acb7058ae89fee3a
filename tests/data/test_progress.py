"""What is told of long work: shares by weight, stages of a whole, and an estimate that is steady."""

import math

import numpy as np
import pytest

import accord
from accord.cli.progress import Estimate
from accord.data.parallel import map_tasks
from accord.data.progress import Course, counted, heard, hearing, stages, stepwise, weighed
from accord.gold.rounds import Rounds


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Listener:
    """Keeps what it is told, and what it is told to expect."""

    def __init__(self):
        self.told = []
        self.expected = []

    def __call__(self, done, total):
        self.told.append((done, total))

    def coming(self, upto, total):
        self.expected.append((upto, total))

    @property
    def shares(self):
        return [done / total for done, total in self.told]


def watched(made, clock, pieces, *, speed=1.0, look=0.25):
    """Do pieces of these weights, each in its weight divided by `speed`; what is seen every moment."""
    total = sum(pieces)
    done, seen = 0.0, []
    made.told(0, round(100 * total))
    for piece in pieces:
        made.coming(round(100 * (done + piece)), round(100 * total))
        until = clock.now + piece / (speed(done / total) if callable(speed) else speed)
        while clock.now + look < until:
            clock.now += look
            seen.append((clock.now, made.share, made.left))
        clock.now, done = until, done + piece
        made.told(round(100 * done), round(100 * total))
        seen.append((clock.now, made.share, made.left))
    return seen


def ratios(seen):
    """What was thought to be the whole time over what it was, after 15 % of it and two seconds."""
    end = seen[-1][0]
    return [(t + left) / end for t, _, left in seen if left is not None and t > max(2, 0.15 * end)]


# --- the estimate, by a clock that is moved by hand ---------------------------------------------------------


def test_even_work_is_estimated_to_the_second():
    clock = Clock()
    seen = watched(Estimate(clock), clock, [1.0] * 30)
    assert min(ratios(seen)) > 0.95
    assert max(ratios(seen)) < 1.05
    assert seen[-1][1] == 1.0
    assert seen[-1][2] == 0.0


def test_nothing_is_estimated_before_it_means_something():
    clock = Clock()
    made = Estimate(clock)
    assert (made.share, made.left) == (0.0, None)
    made.told(0, 100)
    clock.now = 30.0
    assert made.left is None
    made.told(1, 100)
    clock.now = 30.5
    made.told(2, 100)
    assert made.left is None
    clock.now = 32.0
    made.told(6, 100)
    assert made.left is not None


def test_the_start_of_workers_is_not_taken_for_the_pace():
    """The first piece comes after five seconds, the others every tenth of one."""
    clock = Clock()
    made = Estimate(clock)
    made.told(0, 100)
    clock.now = 5.0
    made.told(1, 100)
    for done in range(2, 22):
        clock.now += 0.1
        made.told(done, 100)
    assert made.left == pytest.approx(7.9, rel=0.1)


def test_the_share_moves_within_a_long_piece_and_never_beyond_it():
    clock = Clock()
    made = Estimate(clock)
    seen = watched(made, clock, [0.5] * 10 + [5.0])
    shares = [share for _, share, _ in seen]
    assert shares == sorted(shares)
    last = [share for t, share, _ in seen if 5 < t < 10]
    assert max(np.diff(last)) < 0.05
    assert len(set(last)) == len(last)
    assert last[-1] < 1
    # the same, ten times longer than it was thought: it slows down, the rest is not said to be nothing
    clock = Clock()
    made = Estimate(clock)
    slow = watched(made, clock, [0.5] * 10 + [5.0], speed=lambda done: 0.1 if done > 0.45 else 1.0)
    inside = [(share, left) for t, share, left in slow if 10 < t < 50]
    assert max(share for share, _ in inside) < 1
    assert min(left for _, left in inside) > 0.1


def test_half_the_pace_from_the_middle_on_stays_within_a_factor_of_two():
    clock = Clock()
    seen = watched(
        Estimate(clock), clock, [0.5] * 60, speed=lambda done: 1.0 if done < 0.5 else 0.5
    )
    assert 0.5 < min(ratios(seen)) < max(ratios(seen)) < 2
    ends = [t + left for t, _, left in seen if left is not None]
    # nor does it jump: from one look to the next by little of the whole
    assert max(np.abs(np.diff(ends))) < 0.15 * seen[-1][0]


@pytest.mark.parametrize("seed", range(5))
def test_pieces_of_any_length_stay_within_a_factor_of_two(seed):
    """Pieces weighed within a factor of three, as alignments are."""
    rng = np.random.default_rng(seed)
    clock = Clock()
    pieces = rng.uniform(0.05, 1.0, size=80).tolist()
    seen = watched(Estimate(clock), clock, pieces, speed=lambda _: math.exp(rng.uniform(-1.1, 1.1)))
    assert 0.5 < min(ratios(seen)) < max(ratios(seen)) < 2
    shares = [share for _, share, _ in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_work_that_turns_out_to_be_more_stretches_what_is_left_to_show():
    clock = Clock()
    made = Estimate(clock)
    made.told(0, 100)
    for done in range(1, 51):
        clock.now = float(done)
        made.told(done, 100)
    assert made.share == pytest.approx(0.5)
    # four times as much: the share goes on from where it was, the rest is told as it is
    clock.now = 51.0
    made.told(51, 400)
    assert made.share == pytest.approx(0.5, abs=0.01)
    for done in range(52, 401):
        clock.now = float(done)
        made.told(done, 400)
        if done == 225:
            assert made.share == pytest.approx(0.75, abs=0.01)
            assert made.left == pytest.approx(175, rel=0.1)
    assert (made.share, made.phase) == (1.0, 1)


def test_work_after_all_was_done_is_a_phase_of_its_own():
    clock = Clock()
    made = Estimate(clock)
    for done in range(11):
        clock.now = float(done)
        made.told(done, 10)
    assert (made.share, made.phase) == (1.0, 1)
    clock.now = 11.0
    made.told(11, 20)
    assert made.phase == 2
    assert made.share < 0.6


def test_a_piece_that_turns_out_to_be_many_is_no_other_work():
    """The share moved on within the last stage, which then says how far it is: less far."""
    clock = Clock()
    made = Estimate(clock)
    for done in range(10):
        clock.now = float(done)
        made.told(done, 10)
        made.coming(done + 1, 10)
    clock.now = 30.0
    assert 0.97 < made.share < 1
    for done in range(91, 101):
        clock.now += 1.0
        made.told(done, 100)
        assert (made.share < 1) == (done < 100)
    assert made.phase == 1


def test_less_work_than_was_thought_ends_early():
    clock = Clock()
    made = Estimate(clock)
    for done in range(41):
        clock.now = float(done)
        made.told(done, 100)
    made.told(40, 50)
    assert made.share == pytest.approx(0.8)
    clock.now = 41.0
    assert made.left < 60
    made.told(50, 50)
    assert made.share == 1.0


# --- what is told -------------------------------------------------------------------------------------------


def test_weights_are_told_in_order_with_what_is_under_way():
    heard_by = Listener()
    tell = weighed(heard_by, [1, 3, 0], before=4, whole=10)
    tell(1)
    tell(2)
    tell(3)
    assert heard_by.told == [(400, 1000), (500, 1000), (800, 1000), (800, 1000)]
    assert heard_by.expected == [(500, 1000), (800, 1000), (800, 1000)]
    assert weighed(None, [1]) is None


def test_rounds_are_told_as_one_work():
    heard_by = Listener()
    course = Course(heard_by)
    course.later = 6
    tell = course.round([1, 1])
    tell(1)
    course.later = 2  # thought again: less comes after
    tell(2)
    tell = course.round([2])
    tell(1)
    course.end()
    # all is told by the end alone
    assert heard_by.told == [
        (0, 1), (0, 600), (100, 600), (200, 400), (200, 404), (400, 404), (400, 400),
    ]  # fmt: skip


def test_stages_are_shares_of_the_whole_and_nest():
    heard_by = Listener()
    with hearing(heard_by):
        one, two = stages([1, 1])
        with one:
            for _ in stepwise("abcd"):
                pass
        with two:
            inner, rest = stages([3, 1])
            with inner:
                map_tasks(abs, [-1, -2])
                # a second work in the same stage does not fall back
                map_tasks(abs, [-1, -2])
            with rest:
                pass
    assert heard() is None
    assert heard_by.shares == sorted(heard_by.shares)
    assert {0.0, 0.125, 0.25, 0.375, 0.5, 0.6875, 0.875, 1.0} <= set(heard_by.shares)
    assert heard_by.told[-1][0] == heard_by.told[-1][1]


def test_a_failed_stage_is_not_told_as_done():
    heard_by = Listener()
    with hearing(heard_by):
        (only,) = stages([1])
        with pytest.raises(ZeroDivisionError), only:
            _ = 1 / 0
    assert heard_by.shares == [0.0]
    assert heard() is None


def test_a_task_done_here_tells_nothing_of_its_own():
    """As one that a worker does: its own works would be taken for the whole."""
    heard_by = Listener()
    with hearing(heard_by):
        assert map_tasks(lambda n: sum(map_tasks(abs, [-n, n])), [1, 2, 3]) == [2, 4, 6]
    assert heard_by.told == [(0, 300), (100, 300), (200, 300), (300, 300)]


def test_a_few_items_are_not_told():
    heard_by = Listener()
    with hearing(heard_by):
        assert list(counted(range(3), 5)) == [0, 1, 2]
        assert heard_by.told == []
        assert list(counted(range(7), 5)) == list(range(7))
    assert heard_by.told == [(0, 7), (5, 7), (7, 7)]


def test_rounds_of_a_fit_that_slows_evenly_are_foreseen():
    heard_by = Listener()
    told = Rounds(heard_by, 1e-6, 1000)
    change, turns = 1.0, 0
    while change > 1e-6:
        change *= 0.5
        turns += 1
        told.told(change)
    assert heard_by.told[-1] == (turns, turns)
    assert heard_by.shares == sorted(heard_by.shares)
    # as many, or up to twice: most climbs slow down
    assert all(turns <= total <= 2 * turns for _, total in heard_by.told)
    endless = Listener()
    stuck = Rounds(endless, 0.0, 10)
    for _ in range(10):
        stuck.told(1.0)
    assert endless.told == []


# --- and by whom --------------------------------------------------------------------------------------------


def units(documents=12, people="ABC", size=6, seed=0):
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(documents):
        at = np.sort(rng.choice(200, size=size, replace=False))
        rows += [
            (f"d{d}", who, float(x), float(x + rng.integers(2, 9)), str(rng.choice(["a", "b"])))
            for who in people
            for x in at + rng.integers(-2, 3, size=size)
        ]
    return accord.Units.from_rows(rows, duplicates="first")


@pytest.mark.parametrize("measure", ["gamma", "gamma-cat", "holistic"])
@pytest.mark.parametrize("precision", [None, 0.02])
def test_gamma_tells_one_work_from_nothing_to_all(measure, precision):
    """Samples that are asked for later are foreseen by the first ones, not a work of their own."""
    heard_by = Listener()
    options = {} if precision is None else {"precision": precision}
    accord.agree(units(), measure, progress=heard_by, **options)
    assert heard_by.told[0][0] == 0
    assert heard_by.told[-1][0] == heard_by.told[-1][1]
    done = [d for d, _ in heard_by.told]
    assert done == sorted(done)
    assert heard_by.shares.index(1.0) == len(heard_by.shares) - 1


def test_more_samples_are_foreseen_before_the_first_are_done():
    heard_by = Listener()
    found = accord.agree(units(3, size=3), "gamma", precision=0.01, progress=heard_by)
    assert found.terms["samples"] > 300
    begun = heard_by.told[1][1]
    known = next(k for k, (_, total) in enumerate(heard_by.told) if total > begun)
    # known while little is done, and not far from what it was
    assert heard_by.shares[known] < 0.1
    assert 0.5 < heard_by.told[known + 1][1] / heard_by.told[-1][1] < 2


def test_large_samples_are_tasks_of_their_own_and_change_nothing(monkeypatch):
    from accord.measures.gamma import samples

    few, many = Listener(), Listener()
    one = accord.agree(units(2, size=20), "gamma", samples=20, progress=few)
    monkeypatch.setattr(samples, "_TOLD", 1.0)
    two = accord.agree(units(2, size=20), "gamma", samples=20, progress=many)
    assert (one.value, one.expected) == (two.value, two.expected)
    assert len(few.told) + 15 < len(many.told)


def test_boxes_tell_images_and_chance_as_one_work():
    rng = np.random.default_rng(0)
    rows = [
        (f"i{d}", who, x, y, x + 9, y + 9, "a")
        for d in range(8)
        for who in ("A", "B", "C") + (("D",) if d % 2 else ())
        for x, y in rng.integers(0, 80, size=(3, 2)).tolist()
    ]
    heard_by = Listener()
    coverage = sorted({(d, who) for d, who, *_ in rows})
    accord.agree(
        accord.Boxes.from_rows(rows, coverage=coverage), "box-gamma", samples=50, progress=heard_by
    )
    assert [done for done, _ in heard_by.told] == sorted(done for done, _ in heard_by.told)
    whole = heard_by.told[-1][0]
    assert all(whole <= total <= 1.02 * whole for _, total in heard_by.told[1:])
    assert heard_by.shares.index(1.0) == len(heard_by.shares) - 1
    assert len(heard_by.told) > 4


def test_a_report_and_an_audit_are_told_from_nothing_to_all():
    ratings = accord.Ratings.from_matrix(
        [list("ababbaabab"), list("abbbbaabab"), list("aaabbaabaa")]
    )
    for data in (ratings, units(4)):
        for verb in (accord.report, accord.audit):
            heard_by = Listener()
            with hearing(heard_by):
                verb(data)
            assert heard_by.shares == sorted(heard_by.shares)
            assert heard_by.shares[0] == 0
            assert heard_by.shares[-1] == 1
            assert len(set(heard_by.shares)) > 5


@pytest.mark.parametrize("method", ["dawid-skene", "mace", "one-coin", "ebcc", "glad"])
def test_a_fit_and_the_refits_of_its_confidence_are_one_work(method):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 60)
    rows = [["ab"[t ^ int(rng.random() < 0.2)] for t in truth] for _ in range(5)]
    heard_by = Listener()
    accord.gold(accord.Ratings.from_matrix(rows), method, progress=heard_by)
    assert heard_by.shares == sorted(heard_by.shares)
    assert heard_by.shares[-1] == 1
    # the refits are told, too: as much as the rest or more
    assert sum(0.1 < share < 0.95 for share in set(heard_by.shares)) > 5
