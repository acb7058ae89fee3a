"""Workers: what is sent to them, and how; processes of this machine, or an executor.

Each crew has a size and turns a function and tasks into answers, in order. Others are in
:mod:`accord.data.clusters`.
"""

from __future__ import annotations

import hashlib
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
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
        return True

    def answers(
        self, function: Callable[[Task], Answer], tasks: Sequence[Task]
    ) -> Iterator[Answer]:
        """One for each task, in order; :class:`LostError` when a worker ends before its answer."""


# --- what is sent ----------------------------------------------------------------------------------

#: the function that this worker has unpickled last
_held: dict[str, Callable[[Any], Any]] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Parcel:
    """A function with all it holds, pickled once."""

    key: str
    #: an array, which crews know to send once
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
        key = hashlib.blake2b(packed, digest_size=16).hexdigest()
        return cls(key, np.frombuffer(packed, np.uint8))

    @contextmanager
    def on_disk(self) -> Iterator[str]:
        """A file that the processes of this machine read it from, while the work lasts."""
        with TemporaryDirectory(prefix="accord-") as folder:
            path = Path(folder, self.key)
            self.content.tofile(path)
            yield str(path)


def work(key: str, content: Bytes | str, task: Any) -> Any:
    """Do one task in a worker, with the function that was sent (or is in that file): unpickled once."""
    function = _held.get(key)
    if function is None:
        packed = Path(content).read_bytes() if isinstance(content, str) else content.data
        function = pickle.loads(packed)
        # (a worker may have several threads)
        _held.clear()
        _held[key] = function
    return function(task)


def _work_in_process(key: str, path: str, task: Any) -> Any:
    """The same in a process of our own: Ctrl-C reaches it too, but only the parent answers, and ends it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return work(key, path, task)


# --- where it is sent ------------------------------------------------------------------------------

#: idle processes end after so many seconds
_IDLE = 300
#: one thread each: there are as many processes as cores
_ONE_THREAD = {f"{of}_NUM_THREADS": "1" for of in ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM")}
#: numbers of processes that were started here, and when they had work last
_used: dict[int, float] = {}


@dataclass(frozen=True, slots=True)
class ProcessCrew(Crew):
    """Processes of this machine (loky's), which stay for the next work."""

    size: int
    name: str = "this machine"

    @property
    def ready(self) -> bool:
        return time.monotonic() - _used.get(self.size, -_IDLE) < _IDLE - 10

    def start(self) -> None:
        """Have them started, and accord imported there, while this process does something else."""
        if not self.ready:
            executor = self._executor()
            for _ in range(self.size):
                executor.submit(_arrive)

    def answers(
        self, function: Callable[[Task], Answer], tasks: Sequence[Task]
    ) -> Iterator[Answer]:
        parcel = Parcel.of(function)
        executor = self._executor()
        try:
            with parcel.on_disk() as path:

                def hand(task: Task) -> Any:
                    return executor.submit(_work_in_process, parcel.key, path, task)

                yield from in_turn(hand, lambda given: given.result(), tasks, self.size)
        except KeyboardInterrupt:
            executor.shutdown(kill_workers=True)
            raise
        _used[self.size] = time.monotonic()

    def _executor(self) -> Any:
        from joblib.externals.loky import get_reusable_executor

        _used[self.size] = time.monotonic()
        return get_reusable_executor(max_workers=self.size, timeout=_IDLE, env=_ONE_THREAD)


@dataclass(frozen=True, slots=True)
class JoblibCrew(Crew):
    """The workers of any other backend of joblib, as ``parallel_config`` says."""

    size: int
    name: str

    def answers(
        self, function: Callable[[Task], Answer], tasks: Sequence[Task]
    ) -> Iterator[Answer]:
        import joblib

        parcel = Parcel.of(function)
        calls = [joblib.delayed(work)(parcel.key, parcel.content, task) for task in tasks]
        # (not every backend gives answers one by one: progress is told from time to time)
        window = WAITING * self.size
        try:
            for first in range(0, len(calls), window):
                yield from joblib.Parallel(n_jobs=self.size)(calls[first : first + window])
        except BrokenProcessPool as problem:
            raise LostError(first_line(problem)) from problem


@dataclass(frozen=True, slots=True)
class ExecutorCrew(Crew):
    """Anything with `submit`: concurrent.futures, mpi4py.futures, an IPython view."""

    executor: Executor
    name: str = "the executor"

    @property
    def size(self) -> int:
        return int(getattr(self.executor, "_max_workers", 0)) or 2

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
        raise LostError(first_line(problem)) from problem
    finally:
        for one in given:
            if callable(cancel := getattr(one, "cancel", None)):
                cancel()


def first_line(problem: BaseException) -> str:
    """What an error says, without the rest."""
    return str(problem).strip().split("\n")[0]


def _arrive() -> None:
    # (what the tasks will need; from here the layers above are not in sight)
    import_module("accord.measures")
