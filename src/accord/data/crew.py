"""Workers: what is sent to them, and how; processes of this machine, or an executor.

Each crew has a size and turns a function and tasks into answers, in order. Others are in
:mod:`accord.data.clusters`.
"""

from __future__ import annotations

import hashlib
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.errors import UsageError

Task = TypeVar("Task")
Answer = TypeVar("Answer")
Bytes = NDArray[np.uint8]

#: tasks in the hands of each worker: one that it does, others that wait for it
WAITING = 4


class LostError(Exception):
    """A worker ended before its answer; it may be asked again."""


class Crew(Protocol):
    """Workers that do tasks."""

    @property
    def name(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def ready(self) -> bool:
        """They are there, and need not be started."""

    def answers(
        self, function: Callable[[Task], Answer], tasks: Sequence[Task]
    ) -> Iterator[Answer]:
        """One for each task, in order; :class:`LostError` when a worker ends before its answer."""


# --- what is sent ----------------------------------------------------------------------------------

#: the function that this worker has unpickled last
_held: dict[str, Callable[[Any], Any]] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Parcel:
    """A function with all it holds, pickled once; an array, which crews know to send once."""

    key: str
    content: Bytes

    @classmethod
    def of(cls, function: Callable[[Any], Any]) -> Parcel:
        import joblib

        try:
            # (functions of a notebook or of __main__ are sent whole)
            packed = pickle.dumps(joblib.wrap_non_picklable_objects(function), protocol=5)
        except Exception as problem:
            raise UsageError(
                f"the work cannot be sent to workers ({problem}); use `jobs=1`"
            ) from problem
        return cls(
            hashlib.blake2b(packed, digest_size=16).hexdigest(), np.frombuffer(packed, np.uint8)
        )


def work(key: str, content: Bytes, task: Any) -> Any:
    """Do one task in a worker, with the function that was sent: it is unpickled once."""
    # Ctrl-C reaches the workers too: only the parent answers it, and ends them
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if key not in _held:
        _held.clear()
        _held[key] = pickle.loads(content.data)
    return _held[key](task)


def _arrive(task: int) -> int:
    # (what the tasks will need; from here the layers above are not in sight)
    import_module("accord.measures")
    return task


# --- where it is sent ------------------------------------------------------------------------------

#: worker processes of joblib were started in this process already
_started: set[int] = set()


@dataclass(frozen=True, slots=True)
class JoblibCrew:
    """joblib's workers: processes of this machine, or what ``parallel_config`` says."""

    jobs: int

    @property
    def name(self) -> str:
        return "joblib"

    @property
    def size(self) -> int:
        import joblib

        return max(1, int(joblib.effective_n_jobs(self.jobs)))

    @property
    def ready(self) -> bool:
        return self.size in _started

    def start(self) -> None:
        """Have the processes started, and accord imported there, while this one does something else."""

        def call() -> None:
            for _ in self._run()(
                joblib.delayed(work)(parcel.key, parcel.content, k) for k in range(size)
            ):
                pass

        import joblib

        parcel, size = Parcel.of(_arrive), self.size
        if size > 1 and not self.ready:
            _started.add(size)
            threading.Thread(target=call, daemon=True).start()

    def answers(
        self, function: Callable[[Task], Answer], tasks: Sequence[Task]
    ) -> Iterator[Answer]:
        import joblib
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        parcel = Parcel.of(function)
        calls = (joblib.delayed(work)(parcel.key, parcel.content, task) for task in tasks)
        try:
            for answer in self._run()(calls):
                _started.add(self.size)
                yield answer
        except (TerminatedWorkerError, BrokenProcessPool) as problem:
            raise LostError(str(problem).split("\n")[0]) from problem

    def _run(self) -> Any:
        import joblib

        # (arrays beyond this are written once where all workers see them)
        return joblib.Parallel(n_jobs=self.jobs, return_as="generator", max_nbytes="100K")


@dataclass(frozen=True, slots=True)
class ExecutorCrew:
    """Anything with `submit`: concurrent.futures, mpi4py.futures, a Dask client, an IPython view."""

    executor: Executor
    name: str = "the executor"

    @property
    def size(self) -> int:
        return int(getattr(self.executor, "_max_workers", 0)) or 2

    @property
    def ready(self) -> bool:
        return True

    def answers(
        self, function: Callable[[Task], Answer], tasks: Sequence[Task]
    ) -> Iterator[Answer]:
        parcel = Parcel.of(function)

        def hand(task: Task) -> Any:
            return self.executor.submit(work, parcel.key, parcel.content, task)

        yield from in_turn(hand, lambda given: given.result(), tasks, self.size)


def in_turn(
    hand: Callable[[Task], Any],
    answer: Callable[[Any], Answer],
    tasks: Sequence[Task],
    size: int,
) -> Iterator[Answer]:
    """The answers in order, a few tasks in each worker's hands: memory stays bounded."""
    given: deque[Any] = deque()
    try:
        for task in tasks:
            given.append(hand(task))
            if len(given) > WAITING * size:
                yield answer(given.popleft())
        while given:
            yield answer(given.popleft())
    except BrokenProcessPool as problem:
        raise LostError(str(problem).split("\n")[0]) from problem
