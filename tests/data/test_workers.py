"""Workers of this machine: the same bits for any number, what is sent, and what is lost."""

import os
import pickle
import signal
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import accord
from accord.data import parallel, workers
from accord.data.continuum import documents_of
from accord.data.corpus import Held, cut
from accord.data.parallel import map_tasks, working_on
from accord.data.progress import hearing
from accord.data.workers import crew_of


def campaign(documents=40, units=6, people="ABC", seed=0, span=100):
    """Documents of some units each, moved and relabelled from one annotator to the next."""
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(documents):
        start = np.sort(rng.choice(span, units, replace=False))
        for who in people:
            moved = np.maximum(0, start + rng.integers(-2, 3, units))
            for s, length, label in zip(
                moved, rng.integers(1, 9, units), rng.integers(3, size=units), strict=True
            ):
                rows.append((f"d{d:03}", who, float(s), float(s + length), "xyz"[label]))
    return accord.Units.from_rows(rows)


def bits(result, *, stored=False):
    """All that a number and its interval rest on, to the last bit.

    Of units that stay `stored`, what is left beyond shared layout is not known.
    """
    but = {"beyond_layout"} if stored else set()
    some = result if isinstance(result, tuple) else (result,)
    return [
        (
            r.value.hex(),
            r.signature.replace("|beyond-layout:documents", "") if stored else r.signature,
            sorted(repr(term) for term in r.terms.items() if term[0] not in but),
            None if r.sample is None else r.sample.rows.tobytes(),
        )
        for r in some
    ]


@pytest.fixture
def eager(monkeypatch):
    """Workers are called however short the work is."""
    monkeypatch.setattr(parallel, "_START", 0.0)
    monkeypatch.setattr(parallel, "_HANDING", 0.0)


CASES = [
    ("gamma", {}),
    ("gamma", {"expected": "document", "samples": 3}),
    ("gamma", {"chance": "min", "samples": 5}),
    ("gamma", {"ground_truth": ("A", "B"), "chance": "shuffle"}),
    ("gamma-cat", {}),
    ("gamma-k", {"precision": 0.03}),
    ("holistic", {"samples": 4}),
]


@pytest.mark.parametrize(("measure", "options"), CASES)
def test_same_bits_for_any_number_of_workers(eager, monkeypatch, measure, options):
    monkeypatch.setattr("accord.data.corpus._LEAST", 100)
    alone = bits(accord.agree(campaign(), measure, **options))
    assert bits(accord.agree(campaign(), measure, jobs=2, **options)) == alone
    with ThreadPoolExecutor(3) as pool, working_on(crew_of(pool)):
        assert bits(accord.agree(campaign(), measure, **options)) == alone


def test_alignments_kept_by_workers_are_those_of_align(eager):
    data = campaign(30)
    accord.agree(data, "gamma-cat", jobs=2)
    kept, fresh = accord.align(data), accord.align(campaign(30), jobs=2)
    assert [a.members.tolist() for a in kept] == [a.members.tolist() for a in fresh]


def test_long_documents_go_to_workers(eager):
    """Arrays beyond a megabyte once came back read-only, and kernels refused them."""
    data = campaign(1, units=24_000, span=400_000)
    assert len(data) > 70_000
    assert bits(accord.agree(data, "gamma", samples=2, jobs=2)) == bits(
        accord.agree(campaign(1, units=24_000, span=400_000), "gamma", samples=2)
    )


def test_kernels_take_read_only_arrays():
    """What Ray and memory maps give cannot be written to."""
    data = campaign(12)
    expected = [bits(accord.agree(campaign(12), m, samples=4)) for m in ("gamma", "gamma-cat")]
    for column in (data.document, data.annotator, data.start, data.end, data.label, data.coverage):
        column.flags.writeable = False
    assert [bits(accord.agree(data, m, samples=4)) for m in ("gamma", "gamma-cat")] == expected
    assert len(accord.align(data)) == 12


def test_the_parts_of_a_corpus_are_its_documents():
    data = campaign(50)
    held = Held(data)
    edges = cut(held.sizes, 3)
    assert edges[0] == 0
    assert edges[-1] == 50
    from_parts = [c for part in held.parts(3) for piece in part.continua() for c in piece]
    for one, document in zip(from_parts, documents_of(data), strict=True):
        assert one.start.tolist() == document.continuum.start.tolist()
        assert one.offsets.tolist() == document.continuum.offsets.tolist()
        assert (one.low, one.high) == (document.continuum.low, document.continuum.high)


def test_a_worker_gets_only_what_it_draws_from(eager, monkeypatch):
    """3 000 documents, 36 samples: the rest of the corpus stays here."""
    sent = []
    real = workers.Parcel.of.__func__

    def noted(cls, function):
        parcel = real(cls, function)
        sent.append(len(parcel.content))
        return parcel

    monkeypatch.setattr(workers.Parcel, "of", classmethod(noted))
    data = campaign(600)
    accord.agree(data, "gamma", samples=30, jobs=2)
    whole = len(pickle.dumps(data.start)) * 3
    assert sent
    assert sum(sent) < whole / 2


class Shared:
    """Leaves a mark wherever it is unpickled."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return arrived, (self.folder,)


def arrived(folder):
    Path(folder, f"{os.getpid()}-{time.monotonic_ns()}").touch()
    return Shared(folder)


def with_shared(task, *, shared):
    time.sleep(0.01)
    return os.getpid()


def test_what_tasks_share_is_unpickled_once_in_each_worker(tmp_path):
    found = map_tasks(partial(with_shared, shared=Shared(tmp_path)), list(range(30)), jobs=2)
    assert len(list(tmp_path.iterdir())) == len(set(found)) <= 2


def test_no_worker_where_it_costs_more_than_the_work(monkeypatch):
    monkeypatch.setattr(parallel, "_missed", 0.0)
    monkeypatch.setattr(workers, "_used", {})
    # (the work takes as long as if nobody else used the machine)
    monkeypatch.setattr(parallel, "time", SimpleNamespace(monotonic=time.thread_time))
    monkeypatch.setattr(
        workers.ProcessCrew, "answers", lambda *_: pytest.fail("workers were called")
    )
    accord.agree(campaign(), "gamma", jobs=2)


def test_work_that_turns_out_long_gets_workers(monkeypatch):
    monkeypatch.setattr(parallel, "_START", 0.01)
    monkeypatch.setattr(parallel, "_HANDING", 0.01)
    monkeypatch.setattr(parallel, "_missed", 0.0)
    called = []
    monkeypatch.setattr(
        workers.ProcessCrew,
        "answers",
        lambda self, function, bundles: called.append(bundles) or map(function, bundles),
    )
    assert map_tasks(slowly_double, list(range(9)), jobs=2, seconds=0.0) == list(range(0, 18, 2))
    assert [task for bundle in called[0] for task in bundle] == list(range(1, 9))
    assert len(called) == 1


def test_short_tasks_are_handed_over_together_and_come_back_one_by_one(monkeypatch):
    monkeypatch.setattr(parallel, "_HANDING", 0.0)
    workers.ProcessCrew(2).start()
    told = []
    found = map_tasks(double, list(range(41)), jobs=2, seconds=0.4, progress=told.append)
    assert found == list(range(0, 82, 2))
    assert told == list(range(1, 42))
    for tasks in (1, 7, 200):
        sizes = parallel.bundled(tasks, 3, 0.001)
        assert sum(sizes) == tasks
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[-1] == 1
    # what is handed over together is never much
    assert max(parallel.bundled(1000, 2, 0.05)) == 4


def double(x):
    return 2 * x


def slowly_double(x):
    time.sleep(0.02)
    return 2 * x


def dies_once(x, *, folder):
    """The first worker that takes task 3 is killed."""
    mark = Path(folder, "killed")
    if x == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * x


def dies(x):
    if x == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def test_the_work_of_a_killed_worker_is_done_again(tmp_path):
    told = []
    found = map_tasks(
        partial(dies_once, folder=tmp_path), list(range(12)), jobs=2, progress=told.append
    )
    assert (tmp_path / "killed").exists()
    assert found == list(range(0, 24, 2))
    assert told == list(range(1, 13))


def test_workers_that_die_again_and_again_are_an_error():
    with pytest.raises(accord.AccordError, match="killed or ran out of memory; use fewer jobs"):
        map_tasks(dies, list(range(6)), jobs=2)
    # and the next work finds workers
    assert map_tasks(double, [1, 2, 3], jobs=2) == [2, 4, 6]


def test_a_killed_process_of_an_executor_is_told(tmp_path):
    with ProcessPoolExecutor(2) as pool, working_on(crew_of(pool)):  # noqa: SIM117
        with pytest.raises(accord.AccordError, match="the executor lost its workers"):
            map_tasks(dies, list(range(6)))


def test_functions_of_a_session_are_sent_whole(eager):
    far = 3.0
    data = campaign(6)

    def own(one, two):
        return min(far, abs(one[0] - two[0]) / 10 + (one[2] != two[2]))

    assert bits(accord.agree(data, "gamma", dissimilarity=own, samples=2, jobs=2)) == bits(
        accord.agree(campaign(6), "gamma", dissimilarity=own, samples=2)
    )


def test_what_cannot_be_sent_is_said():
    import threading

    lock = threading.Lock()
    with pytest.raises(accord.UsageError, match=r"cannot be sent to workers .*use jobs=1"):
        map_tasks(lambda x: (x, lock), [1, 2, 3], jobs=2)


def test_errors_of_workers_are_those_of_the_work():
    with pytest.raises(ZeroDivisionError):
        map_tasks(partial(divmod, 1), [1, 0, 2], jobs=2)


def test_workers_in_this_process_leave_its_signals_alone():
    """A backend that works here and now must not switch Ctrl-C off."""
    import joblib

    before = signal.getsignal(signal.SIGINT)
    with joblib.parallel_config(backend="sequential"):
        assert map_tasks(double, [1, 2, 3], jobs=2) == [2, 4, 6]
    parcel = workers.Parcel.of(double)
    assert workers.work(parcel.key, parcel.content, 4) == 8
    assert signal.getsignal(signal.SIGINT) is before


def test_what_is_no_crew_is_refused():
    with pytest.raises(accord.UsageError, match=r"on must be a Dask client.*got int"):
        crew_of(3)


def test_progress_weighs_documents_and_samples(eager):
    told = []
    accord.agree(
        campaign(600), "gamma", samples=30, jobs=2, progress=lambda *done: told.append(done)
    )
    assert told[-1][0] == told[-1][1]
    # (a little may come after the samples until the end is told)
    assert all(told[-1][1] <= of <= 1.02 * told[-1][1] for _, of in told[1:])
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert len(told) > 2


def test_everything_inside_goes_to_the_crew_and_is_watched(eager):
    told = []
    alone = accord.align(campaign(300))
    with working_on(workers.ProcessCrew(2)), hearing(lambda *done: told.append(done)):
        found = accord.align(campaign(300))
    assert [a.members.tolist() for a in found] == [a.members.tolist() for a in alone]
    assert len(told) > 2
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]


def test_workers_are_started_beside_the_reading_of_large_files(tmp_path, monkeypatch):
    from accord.cli import jobs

    started = []
    monkeypatch.setattr(workers.ProcessCrew, "start", lambda self: started.append(self.size))
    path = tmp_path / "units.csv"
    path.write_bytes(b"x" * 4_000_000)
    jobs.start_workers(1, [path])
    jobs.start_workers(2, [tmp_path / "none.csv"])
    assert started == []
    jobs.start_workers(2, [path])
    assert started == [2]


def test_started_workers_have_arrived():
    ready = workers.ProcessCrew(2)
    ready.start()
    assert ready.ready
    assert map_tasks(double, list(range(5)), jobs=2, seconds=0.1) == [0, 2, 4, 6, 8]


def test_commands_take_jobs(tmp_path, accord_command):
    path = tmp_path / "units.csv"
    accord.write(campaign(2, units=3, people="AB"), path)
    wanted = ["--duplicates", "keep", "--json", "--jobs"]
    for words in (
        ["agree", path, "--measure", "gamma"],
        ["align", path],
        ["gold", path],
        ["report", path, "--overwrite", "-o", tmp_path / "report.html"],
    ):
        one, two = (accord_command(*words, *wanted, n) for n in (1, 2))
        assert one.returncode == two.returncode == 0, two.stderr
        assert one.stdout == two.stdout
