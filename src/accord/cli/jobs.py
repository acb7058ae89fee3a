"""Worker processes of a command: started while the data are read, used by everything inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

#: bytes of data whose work may be worth workers
_MUCH = 3_000_000


def start_workers(jobs: int, data: Sequence[Path]) -> None:
    """Have workers started beside the reading of large files."""
    if jobs == 1 or sum(p.stat().st_size for p in data if p.is_file()) < _MUCH:
        return
    from accord.data.workers import ProcessCrew, crew_for

    crew = crew_for(jobs)
    if isinstance(crew, ProcessCrew) and crew.size > 1:
        crew.start()


@contextmanager
def with_workers(jobs: int) -> Iterator[None]:
    """Inside, everything that is done by tasks is done by so many workers."""
    from accord.data.parallel import working_on
    from accord.data.workers import crew_for

    with working_on(crew_for(jobs)):
        yield
