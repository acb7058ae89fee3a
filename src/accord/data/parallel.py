"""The one seam to parallel work: the same numbers whatever the number of workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def map_tasks(
    function: Callable[[Task], Answer],
    tasks: Iterable[Task],
    *,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[Answer]:
    """Apply `function` to each task, in order, with `jobs` worker processes (joblib; -1 for all).

    Tasks must carry their own seed. `progress` is told the number of tasks done so far. With joblib,
    ``joblib.parallel_config(backend="dask")`` around the call sends the work elsewhere.

    >>> map_tasks(abs, [-1, 2, -3])
    [1, 2, 3]
    """
    if jobs == 1:
        answers: list[Answer] = []
        for task in tasks:
            answers.append(function(task))
            if progress is not None:
                progress(len(answers))
        return answers
    import joblib

    run = joblib.Parallel(n_jobs=jobs, return_as="generator")
    answers = []
    for answer in run(joblib.delayed(_in_worker)(function, task) for task in tasks):
        answers.append(answer)
        if progress is not None:
            progress(len(answers))
    return answers


def _in_worker(function: Callable[[Task], Answer], task: Task) -> Answer:
    """Ctrl-C reaches the workers too: only the parent answers it, and ends them."""
    import signal
    import threading

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return function(task)
