"""Workers on other machines: Dask, Ray and Spark; and which workers are meant."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from types import ModuleType
from typing import Any, TypeVar

from accord.data.crew import (
    WAITING,
    Crew,
    ExecutorCrew,
    JoblibCrew,
    LostError,
    Parcel,
    ProcessCrew,
    first_line,
    in_turn,
    work,
)
from accord.errors import UsageError

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def crew_for(jobs: int) -> Crew | None:
    """The workers for so many jobs (-1 for all cores): processes, or what joblib is told to use."""
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
    if name == "RayBackend":
        import ray

        return RayCrew(ray)
    return JoblibCrew(size, name)


def crew_of(given: object) -> Crew:
    """The crew that an object stands for.

    A Dask client (or cluster), the module ``ray``, a Spark session, or an executor.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> crew_of(ThreadPoolExecutor(3)).size
    3
    """
    home = (given.__name__ if isinstance(given, ModuleType) else type(given).__module__).split(".")[
        0
    ]
    if home == "distributed":
        from distributed import Client

        return DaskCrew(given if isinstance(given, Client) else Client(given))  # type: ignore[no-untyped-call]
    if home == "ray":
        import ray

        return RayCrew(ray)
    if home == "pyspark":
        return SparkCrew(given)
    if callable(getattr(given, "submit", None)):
        return ExecutorCrew(given)  # type: ignore[arg-type] # duck-typed
    raise UsageError(
        "`on` must be a Dask client, the module ray, a Spark session or an executor, got "
        f"{type(given).__name__}"
    )


@dataclass(frozen=True, slots=True)
class DaskCrew(Crew):
    """The workers of a Dask cluster; Dask itself gives what a lost worker had to another."""

    client: Any

    @property
    def name(self) -> str:
        return "Dask"

    @property
    def size(self) -> int:
        return max(1, int(sum(self.client.nthreads().values())))

    def answers(
        self, function: Callable[[Task], Answer], tasks: Sequence[Task]
    ) -> Iterator[Answer]:
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        parcel = Parcel.of(function)
        try:
            (content,) = self.client.scatter([parcel.content], broadcast=True, hash=False)

            def hand(task: Task) -> Any:
                return self.client.submit(work, parcel.key, content, task, pure=False)

            yield from in_turn(hand, lambda given: given.result(), tasks, self.size)
        except (KilledWorker, FutureCancelledError, TimeoutError) as problem:
            raise LostError(first_line(problem)) from problem


@dataclass(frozen=True, slots=True)
class RayCrew(Crew):
    """The workers of a Ray instance; Ray itself gives what a lost worker had to another."""

    ray: Any

    @property
    def name(self) -> str:
        return "Ray"

    @property
    def size(self) -> int:
        if not self.ray.is_initialized():
            self.ray.init()
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def answers(
        self, function: Callable[[Task], Answer], tasks: Sequence[Task]
    ) -> Iterator[Answer]:
        parcel = Parcel.of(function)
        size = self.size
        content = self.ray.put(parcel.content)
        remote = self.ray.remote(work)
        try:
            yield from in_turn(
                lambda task: remote.remote(parcel.key, content, task), self.ray.get, tasks, size
            )
        except self.ray.exceptions.WorkerCrashedError as problem:
            raise LostError(first_line(problem)) from problem


@dataclass(frozen=True, slots=True)
class SparkCrew(Crew):
    """The executors of a Spark session, classic or Connect: tasks are rows of a frame."""

    session: Any

    @property
    def name(self) -> str:
        return "Spark"

    @property
    def size(self) -> int:
        context = getattr(self.session, "sparkContext", None)
        return int(getattr(context, "defaultParallelism", 2) or 2)

    def answers(
        self, function: Callable[[Task], Answer], tasks: Sequence[Task]
    ) -> Iterator[Answer]:
        parcel = Parcel.of(function)
        rows = [(i, pickle.dumps(task, protocol=5)) for i, task in enumerate(tasks)]
        frame = self.session.createDataFrame(rows, "number long, content binary")
        spread = frame.repartitionByRange(min(len(rows), WAITING * self.size), "number")
        done = spread.mapInPandas(_rows_of(parcel), "number long, content binary")
        answers = {row["number"]: row["content"] for row in done.collect()}
        for number in range(len(rows)):
            yield pickle.loads(answers.pop(number))


def _rows_of(parcel: Parcel) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """What Spark's mapInPandas does with the rows of a partition."""
    key, content = parcel.key, parcel.content

    def done(frames: Iterator[Any]) -> Iterator[Any]:
        for frame in frames:
            yield frame.assign(
                content=[
                    pickle.dumps(work(key, content, pickle.loads(task)))
                    for task in frame["content"]
                ]
            )

    return done
