"""Workers: executors that do tasks, on this machine or on others, and what is sent to them.

Each :class:`Crew` has a size and turns a function and tasks into answers, in order. Most are an executor
of concurrent.futures: loky's processes, Dask's, anything with `submit`. Ray hands out tasks of its own,
Spark and joblib take many tasks at a time.
"""

from __future__ import annotations

import hashlib
import pickle
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from numbers import Integral
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.errors import UsageError

Task = TypeVar("Task")
Answer = TypeVar("Answer")
Bytes = NDArray[np.uint8]

#: tasks in the hands of each worker: one that it does, others that wait for it
WAITING = 4


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


# --- where it is sent ------------------------------------------------------------------------------


class Crew:
    """Workers behind anything with `submit`: concurrent.futures, mpi4py.futures, an IPython view."""

    #: what is raised when a worker ends before its answer; it may be asked again
    lost: tuple[type[Exception], ...] = (BrokenProcessPool,)

    def __init__(self, executor: Any = None, *, size: int, name: str = "the executor") -> None:
        self.executor = executor
        self.size = size
        self.name = name

    @property
    def ready(self) -> bool:
        """They are there, and need not be started."""
        return True

    def answers(
        self, function: Callable[[Task], Answer], tasks: Sequence[Task]
    ) -> Iterator[Answer]:
        """Yield one for each task, in order, a few tasks in each worker's hands: memory stays bounded."""
        parcel = Parcel.of(function)
        given: deque[Any] = deque()
        with self.sharing(parcel.content) as content:
            try:
                for task in tasks:
                    given.append(self.submit(parcel.key, content, task))
                    if len(given) > WAITING * self.size:
                        yield self.result(given.popleft())
                while given:
                    yield self.result(given.popleft())
            finally:
                for one in given:
                    if callable(cancel := getattr(one, "cancel", None)):
                        cancel()

    def sharing(self, content: Bytes) -> AbstractContextManager[Any]:
        """Put bytes where all workers find them, while the work lasts; give what stands for them."""
        return nullcontext(content)

    def submit(self, key: str, content: Any, task: Any) -> Any:
        """Hand a task to a worker."""
        return self.executor.submit(work, key, content, task)

    def result(self, given: Any) -> Any:
        """Wait for the answer to a task that was handed over."""
        return given.result()


#: idle processes end after so many seconds
_IDLE = 300
#: one thread each: there are as many processes as cores
_ONE_THREAD = {f"{of}_NUM_THREADS": "1" for of in ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM")}
#: numbers of processes that were started here, and when they had work last
_used: dict[int, float] = {}


class ProcessCrew(Crew):
    """Processes of this machine (loky's), which stay for the next work."""

    def __init__(self, size: int) -> None:
        super().__init__(size=size, name="this machine")

    @property
    def ready(self) -> bool:
        return time.monotonic() - _used.get(self.size, -_IDLE) < _IDLE - 10

    def start(self) -> None:
        """Have them started, and accord imported there, while this process does something else."""
        if not self.ready:
            self._open()
            for _ in range(self.size):
                # (what the tasks will need; from here the layers above are not in sight)
                self.executor.submit(import_module, "accord.measures")

    def answers(
        self, function: Callable[[Task], Answer], tasks: Sequence[Task]
    ) -> Iterator[Answer]:
        self._open()
        try:
            yield from super().answers(function, tasks)
        except KeyboardInterrupt:
            self.executor.shutdown(kill_workers=True)
            raise
        _used[self.size] = time.monotonic()

    @contextmanager
    def sharing(self, content: Bytes) -> Iterator[str]:
        with TemporaryDirectory(prefix="accord-") as folder:
            path = Path(folder, "work")
            content.tofile(path)
            yield str(path)

    def _open(self) -> None:
        from joblib.externals.loky import get_reusable_executor

        _used[self.size] = time.monotonic()
        # (Ctrl-C reaches the workers too, but only this process answers, and ends them)
        self.executor = get_reusable_executor(
            max_workers=self.size,
            timeout=_IDLE,
            env=_ONE_THREAD,
            initializer=signal.signal,
            initargs=(signal.SIGINT, signal.SIG_IGN),
        )


class DaskCrew(Crew):
    """The workers of a Dask cluster; Dask itself gives what a lost worker had to another."""

    def __init__(self, client: Any) -> None:
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        size = max(1, int(sum(client.nthreads().values())))
        super().__init__(client, size=size, name="Dask")
        self.lost = (KilledWorker, FutureCancelledError, TimeoutError)

    def sharing(self, content: Bytes) -> AbstractContextManager[Any]:
        (there,) = self.executor.scatter([content], broadcast=True, hash=False)
        return nullcontext(there)

    def submit(self, key: str, content: Any, task: Any) -> Any:
        return self.executor.submit(work, key, content, task, pure=False)


class RayCrew(Crew):
    """The workers of a Ray instance; Ray itself gives what a lost worker had to another."""

    def __init__(self) -> None:
        import ray

        if not ray.is_initialized():
            ray.init()
        size = max(1, int(ray.cluster_resources().get("CPU", 1)))
        super().__init__(ray, size=size, name="Ray")
        self.lost = (ray.exceptions.WorkerCrashedError,)
        self._work = ray.remote(work)

    def sharing(self, content: Bytes) -> AbstractContextManager[Any]:
        return nullcontext(self.executor.put(content))

    def submit(self, key: str, content: Any, task: Any) -> Any:
        return self._work.remote(key, content, task)

    def result(self, given: Any) -> Any:
        return self.executor.get(given)


class JoblibCrew(Crew):
    """The workers of any other backend of joblib, as ``parallel_config`` says."""

    def answers(
        self, function: Callable[[Task], Answer], tasks: Sequence[Task]
    ) -> Iterator[Answer]:
        import joblib

        parcel = Parcel.of(function)
        calls = [joblib.delayed(work)(parcel.key, parcel.content, task) for task in tasks]
        # (not every backend gives answers one by one: progress is told from time to time)
        window = WAITING * self.size
        for first in range(0, len(calls), window):
            yield from joblib.Parallel(n_jobs=self.size)(calls[first : first + window])


class SparkCrew(Crew):
    """The executors of a Spark session, classic or Connect: tasks are rows of a frame."""

    def answers(
        self, function: Callable[[Task], Answer], tasks: Sequence[Task]
    ) -> Iterator[Answer]:
        rows = [(i, pickle.dumps(task, protocol=5)) for i, task in enumerate(tasks)]
        frame = self.executor.createDataFrame(rows, "number long, content binary")
        spread = frame.repartitionByRange(min(len(rows), WAITING * self.size), "number")
        parcel = Parcel.of(function)
        done = spread.mapInPandas(
            partial(_answered, parcel.key, parcel.content), "number long, content binary"
        )
        answers = {row["number"]: row["content"] for row in done.collect()}
        for number in range(len(rows)):
            yield pickle.loads(answers.pop(number))


def _answered(key: str, content: Bytes, frames: Iterator[Any]) -> Iterator[Any]:
    """Do what Spark's mapInPandas does with the rows of a partition."""
    for frame in frames:
        tasks = map(pickle.loads, frame["content"])
        yield frame.assign(content=[pickle.dumps(work(key, content, task)) for task in tasks])


# --- which workers are meant -----------------------------------------------------------------------


def crew_for(jobs: int) -> Crew | None:
    """Return the workers for so many jobs (-1 for all cores): processes, or what joblib is told to use."""
    if not isinstance(jobs, Integral) or not jobs:
        raise UsageError(f"`jobs` must be a number of workers, -1 for all cores, got {jobs!r}")
    if jobs == 1:
        return None
    import joblib
    from joblib.parallel import get_active_backend

    size = max(1, int(joblib.effective_n_jobs(jobs)))
    backend = get_active_backend()[0]
    name = type(backend).__name__
    if name == "LokyBackend":
        return ProcessCrew(size)
    if name == "DaskDistributedBackend":
        return DaskCrew(backend.client)
    return RayCrew() if name == "RayBackend" else JoblibCrew(size=size, name=name)


def crew_of(given: object) -> Crew:
    """Return the crew that an object stands for.

    A Dask client (or cluster), the module ``ray``, a Spark session, or an executor.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> crew_of(ThreadPoolExecutor(3)).size
    3
    """
    place = given.__name__ if isinstance(given, ModuleType) else type(given).__module__
    home = place.split(".")[0]
    if home == "distributed":
        from distributed import Client

        return DaskCrew(given if isinstance(given, Client) else Client(given))  # type: ignore[no-untyped-call]
    if home == "ray":
        return RayCrew()
    if home == "pyspark":
        context = getattr(given, "sparkContext", None)
        size = int(getattr(context, "defaultParallelism", 2) or 2)
        return SparkCrew(given, size=size, name="Spark")
    if callable(getattr(given, "submit", None)):
        return Crew(given, size=int(getattr(given, "_max_workers", 0)) or 2)
    raise UsageError(
        "`on` must be a Dask client, the module ray, a Spark session or an executor, got "
        f"{type(given).__name__}"
    )
