"""``accord distribute``: agreement on units that stay in Parquet, its work shared among workers."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from accord.cli import inputs, measure_options
from accord.cli.keywords import (
    AgreeBy,
    AsJson,
    Ci,
    Jobs,
    Level,
    Measures,
    Resamples,
    Seed,
)
from accord.cli.measure_options import given
from accord.cli.output import print_json, print_results
from accord.errors import UsageError, missing_dependency
from accord.options import Said

if TYPE_CHECKING:
    from accord.data import Annotations


def _uses() -> measure_options.Uses:
    from accord.measures import enrolled

    return measure_options.collected(m for m in enrolled(question="agree") if m.by_parts)


@measure_options.takes(_uses)
@inputs.reads
def distribute(
    data: Annotated[list[Path], Said("Parquet files or folders of units; or any campaign.")],
    *,
    measure: Measures = None,
    by: AgreeBy = None,
    ci: Ci = "auto",
    level: Level = 0.95,
    resamples: Resamples = 2000,
    seed: Seed = 0,
    as_json: AsJson = False,
    jobs: Jobs = 1,
    dask: Annotated[str | None, Said("Address of a Dask scheduler.")] = None,
    ray: Annotated[str | None, Said("Address of a Ray cluster, or auto.")] = None,
    spark: Annotated[str | None, Said("Master of Spark, such as local[4].")] = None,
    how: inputs.How,
    **options: Any,
) -> None:
    """Measure the agreement on units by documents, in files and on clusters."""
    from accord.cli.measure_choice import run_measures
    from accord.measures.distribute import distribute as distributed
    from accord.registry import find

    records = [find(name, "agree") for name in inputs.names(measure) or ("gamma",)]
    typed = given({**options, "jobs": None if jobs == 1 else jobs})
    common: dict[str, Any] = {"ci": ci, "level": level, "resamples": resamples, "seed": seed}
    found = _opened(data, how)
    with ExitStack() as until:
        crew = _cluster(until, dask, ray, spark)
        results, warnings = run_measures(
            records,
            typed,
            lambda name, own: distributed(
                found, name, on=crew, by=inputs.names(by), **common, **own
            ),
        )
    if as_json:
        document = {"shape": found.shape, "results": [r.to_dict() for r in results]}
        print_json(document | {"warnings": [*found.notes, *warnings]}, found.reading)
        return
    print_results(results, found.reading, notes=found.notes)


def _opened(data: list[Path], how: inputs.How) -> Annotations:
    """Open units in Parquet where they stay; anything else is read."""
    from accord.large.parquet_rows import is_parquet
    from accord.large.stored_units import StoredUnits

    if how.format in (None, "parquet") and is_parquet(data):
        return StoredUnits.opened(data, **how.options)
    return how.read(*data)


def _cluster(
    until: ExitStack, dask: str | None, ray: str | None, spark: str | None
) -> object | None:
    """The cluster at the address that was given; left again at the end."""
    if sum(x is not None for x in (dask, ray, spark)) > 1:
        raise UsageError("give one of `dask`, `ray` and `spark`")
    if dask is not None:
        try:
            from distributed import Client
        except ImportError:
            raise missing_dependency("distributed", "dask", "`dask`") from None
        try:
            client: object = until.enter_context(Client(dask, timeout="20s"))  # type: ignore[no-untyped-call]
            return client
        except (OSError, ValueError) as problem:
            raise UsageError(f"there is no Dask scheduler at {dask} ({problem})") from None
    if ray is not None:
        try:
            import ray as module
        except ImportError:
            raise missing_dependency("ray", "ray", "`ray`") from None
        try:
            module.init(address=ray, log_to_driver=False)
        except (ConnectionError, ValueError, RuntimeError) as problem:
            raise UsageError(f"there is no Ray cluster at {ray} ({problem})") from None
        until.callback(module.shutdown)
        cluster: object = module
        return cluster
    if spark is not None:
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise missing_dependency("pyspark", "spark", "`spark`") from None
        try:
            session = SparkSession.builder.master(spark).appName("accord").getOrCreate()
        except Exception as problem:  # Java's errors have no class here
            raise UsageError(f"Spark does not start at {spark} ({problem})") from None
        until.callback(session.stop)
        running: object = session
        return running
    return None
