"""`distribute`: the work of a measure shared among workers, the documents read where they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from typing import Any

from accord.data import Annotations
from accord.data.parallel import working_on
from accord.data.workers import crew_of
from accord.errors import UsageError
from accord.large.parquet_rows import is_parquet
from accord.large.stored_units import StoredUnits
from accord.options import LEVEL, RESAMPLES
from accord.options.kinds import refuses_other_kinds
from accord.reading import read
from accord.reading.given import Given, read_with, takes_sequences
from accord.registry import Measure, enrolled
from accord.result import Result, Results
from accord.study.ask import Ask, breakdown_names, certainty_of, shape_asked


@takes_sequences(shape_asked)
@refuses_other_kinds
def distribute(
    data: Given | Sequence[str | PathLike[str]],
    measure: str = "gamma",
    *,
    on: object = None,
    columns: Mapping[str, str] | None = None,
    seen: str | None = None,
    length: float | None = None,
    duplicates: str = "error",
    ci: str | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
    by: str | Sequence[str] = (),
    unit: str | None = None,
    **options: object,
) -> Result | tuple[Result, ...]:
    """Share the work of :func:`agree` by documents among workers: the same number to the last bit.

    Each worker aligns some documents and answers with their sums; the sums are put together in the order of
    the documents. What all of the work shares is sent to each worker once, and a worker that is lost is
    replaced by another.

    Parameters
    ----------
    data : units, or what :func:`accord.read` reads. Units in Parquet (a file, a folder, a glob, a list of
        files) stay there: workers read their documents themselves, and what is held here is a few numbers
        for each document. The rows of a document must be together.
    measure : any agreement measure; of units in Parquet gamma, gamma-cat, gamma-k or holistic
    on : the workers: a Dask client, the module ``ray``, a Spark session, or an executor such as those of
        concurrent.futures or mpi4py.futures. None: as many processes of this machine as `jobs` says, or
        what ``joblib.parallel_config`` says.
    columns, seen, length, duplicates : how a table is read, as for :func:`accord.read`
    ci, level, resamples, seed, by, unit, **options : as for :func:`agree`

    Of units in Parquet, chance is rotation or shuffle, and the expected disorder that of the corpus; by
    document only. What needs all units at once is refused.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from accord.data import Units
    >>> rows = [(d, a, s, s + 5, c) for d in "de" for a in "AB" for s, c in ((0, "x"), (20, "y"))]
    >>> with ThreadPoolExecutor(2) as workers:
    ...     print(distribute(Units.from_rows(rows), "gamma", on=workers))
    gamma = 1.0000
    """
    certainty = certainty_of(ci, level, resamples, seed, unit)
    told: dict[str, Any] = {
        name: value
        for name, value in (("columns", columns), ("seen", seen), ("length", length))
        if value is not None
    }
    if duplicates != "error":
        told["duplicates"] = duplicates
    source: Annotations
    if is_parquet(data):
        source = StoredUnits.opened(data, **told)  # type: ignore[arg-type] # they are paths
    elif told:
        source = read(data, **told)
    else:
        source, options = read_with(data, options, meant=shape_asked({"measure": measure}))
    ask = Ask(
        question="agree",
        measures=measure,
        options=options,
        certainty=certainty,
        by=breakdown_names(by),
    )
    with shared(ask.records(source), source, on):
        found = ask.answer(source).returned
    return tuple(found) if isinstance(found, Results) else found


@contextmanager
def shared(records: Sequence[Measure], source: Annotations, on: object) -> Iterator[None]:
    """Inside, these measures are the work of these workers; refuse what they cannot do."""
    if isinstance(source, StoredUnits):
        for record in records:
            if not record.by_parts:
                able = [m.name for m in enrolled(shape="units", question="agree") if m.by_parts]
                raise UsageError(
                    f"{record.name} needs all units at once; of units that stay in Parquet there are "
                    f"{', '.join(able)}; read them into memory for the others"
                )
    with working_on(None if on is None else crew_of(on)):
        yield
