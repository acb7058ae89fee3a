"""The one seam to parallel work: the same numbers whatever the number of workers and where they are.

A function with all that its tasks share (the corpus, tables of distances) is pickled once, sent to each
worker once, and unpickled there once; a task is little more than a number. Answers come back in the order
of the tasks, so that sums over them have the same last bit everywhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import TypeVar

import numpy as np

from accord.data.progress import hearing, weighed
from accord.data.workers import Crew, crew_for
from accord.errors import AccordError, first_line

Task = TypeVar("Task")
Answer = TypeVar("Answer")

#: seconds that it takes to start worker processes, each of which imports accord and what it needs: two
#: on two cores took 1.6 to 2.6
_START = 2.0
#: and to hand work to those that are there
_HANDING = 0.01
#: seconds of work that are handed over together at most, where tasks are short
_TOGETHER = 0.2
#: losing workers as often in a row, without an answer between, is no accident
_LOSSES = 3

#: seconds that workers would have saved since the last were started
_missed = 0.0

_crew: ContextVar[Crew | None] = ContextVar("crew", default=None)


def map_tasks(
    function: Callable[[Task], Answer],
    tasks: Sequence[Task],
    *,
    jobs: int = 1,
    seconds: float | None = None,
    progress: Callable[[int], None] | None = None,
    into: list[Answer] | None = None,
) -> list[Answer]:
    """Apply `function` to each task, in order, with `jobs` worker processes (-1 for all cores).

    Tasks must carry their own seed. `seconds` is a guess of what all of them take together: no worker
    is called where that costs more than the work, unless the work turns out to be longer. `progress` is
    told the number of tasks done so far, else whoever listens (:mod:`accord.data.progress`); answers are put
    `into` a list as they come, where one is given. Inside :func:`working_on` the work goes to that crew; else
    to joblib, whose ``parallel_config(backend="dask")`` around the call sends it elsewhere too. What a lost
    worker had in hand is done again by another.

    >>> map_tasks(abs, [-1, 2, -3])
    [1, 2, 3]
    """
    answers: list[Answer] = [] if into is None else into
    tell = progress or (weighed(None, [1.0] * len(tasks)) if len(tasks) > 1 else None)
    # (a task done here tells nothing of its own, as one done by a worker does not)
    with hearing(None):
        for answer in _answers(function, tasks, jobs, seconds):
            answers.append(answer)
            if tell is not None:
                tell(len(answers))
    return answers


@contextmanager
def working_on(crew: Crew | None) -> Iterator[None]:
    """Inside, tasks go to this crew whatever the number of jobs."""
    before = _crew.set(crew)
    try:
        yield
    finally:
        _crew.reset(before)


def workers_of(jobs: int) -> int:
    """How many workers there are for so many jobs."""
    crew = _crew_for(jobs)
    return 1 if crew is None else crew.size


def _crew_for(jobs: int) -> Crew | None:
    return _crew.get() or crew_for(jobs)


def _answers(
    function: Callable[[Task], Answer], tasks: Sequence[Task], jobs: int, seconds: float | None
) -> Iterator[Answer]:
    crew = _crew_for(jobs)
    done = 0
    each = None if seconds is None else seconds / max(1, len(tasks))
    if crew is None or crew.size == 1 or len(tasks) < 2 or not _worth(crew, seconds):
        began = time.monotonic()
        limit = _cost(crew) if crew is not None and crew.size > 1 else None
        for task in tasks:
            # what was thought to be short is long: workers for the rest
            if limit is not None and len(tasks) - done > 1 and time.monotonic() - began > limit:
                break
            yield function(task)
            done += 1
            each = (time.monotonic() - began) / done
    if done == len(tasks) or crew is None:
        return
    losses = 0
    while done < len(tasks):
        rest = tasks[done:]
        sizes = bundled(len(rest), crew.size, each)
        ends = np.cumsum(sizes).tolist()
        bundles = [rest[end - size : end] for end, size in zip(ends, sizes, strict=True)]
        try:
            for answers in crew.answers(partial(_each, function), bundles):
                yield from answers
                done, losses = done + len(answers), 0
        except crew.lost as lost:
            losses += 1
            if losses == _LOSSES:
                raise AccordError(
                    f"{crew.name} lost its workers {losses} times without an answer "
                    f"({first_line(lost)}): they were killed or ran out of memory; use fewer `jobs`"
                ) from lost


def bundled(tasks: int, workers: int, each: float | None) -> list[int]:
    """How many tasks are handed over at a time, when each takes so many seconds.

    A message costs as much as a short task. The first are large and the last single, so that all
    workers end together; tasks of unknown length are handed over one by one.

    >>> bundled(31, 2, 0.006)
    [8, 6, 5, 3, 3, 2, 1, 1, 1, 1]
    >>> bundled(3, 2, 10.0), bundled(3, 2, None)
    ([1, 1, 1], [1, 1, 1])
    """
    most = 1 if each is None else max(1, int(_TOGETHER / max(each, 1e-9)))
    sizes: list[int] = []
    while tasks:
        sizes.append(min(most, -(-tasks // (2 * workers))))
        tasks -= sizes[-1]
    return sizes


def _each(function: Callable[[Task], Answer], tasks: Sequence[Task]) -> list[Answer]:
    return [function(task) for task in tasks]


def _cost(crew: Crew) -> float:
    return _HANDING if crew.ready else _START


def _worth(crew: Crew, seconds: float | None) -> bool:
    """Whether workers save more time than they cost, or would have since the first time."""
    global _missed
    if seconds is None:
        return True
    saved = seconds * (1 - 1 / crew.size)
    if saved + (0.0 if crew.ready else _missed) > _cost(crew):
        _missed = 0.0
        return True
    _missed += saved
    return False
