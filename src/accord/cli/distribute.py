"""``accord distribute``: agreement on units that stay in Parquet, its work shared among workers."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from accord.cli import inputs, keywords, measure_options
from accord.cli.measure_options import given
from accord.cli.output import print_results
from accord.cli.progress import progress_bar
from accord.errors import UsageError, in_command, missing_dependency
from accord.options import LEVEL, RESAMPLES, USUAL, Said

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
    measure: keywords.Measures = None,
    by: keywords.AgreeBy = None,
    ci: keywords.Ci = None,
    level: keywords.Level = LEVEL,
    resamples: keywords.Resamples = RESAMPLES,
    seed: keywords.Seed = 0,
    as_json: keywords.AsJson = False,
    jobs: keywords.Jobs = 1,
    dask: Annotated[str | None, Said("Address of a Dask scheduler.", first=True)] = None,
    ray: Annotated[str | None, Said("Address of a Ray cluster, or auto.", first=True)] = None,
    spark: Annotated[str | None, Said("Master of Spark, such as local[4].", first=True)] = None,
    how: inputs.How,
    **options: Any,
) -> None:
    """Measure the agreement on units by documents, in files and on clusters."""
    from accord.measures.distribute import shared
    from accord.study.ask import Ask, certainty_of

    ask = Ask(
        question="agree",
        measures=inputs.names(measure) or ("gamma",),
        options=given({**options, "jobs": None if jobs == 1 else jobs}),
        certainty=certainty_of(ci or USUAL, level, resamples, seed, None),
        by=inputs.names(by),
    )
    found = _opened(data, how)
    with ExitStack() as until:
        until.enter_context(shared(ask.records(found), found, _cluster(until, dask, ray, spark)))
        answered = ask.answer(found, told=in_command, watch=progress_bar)
    print_results(as_json, found.shape, answered, found.reading, notes=found.notes)


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
    """Join the cluster at the address that was given; it is left again at the end."""
    given = {"dask": dask, "ray": ray, "spark": spark}
    asked = {name: where for name, where in given.items() if where is not None}
    if len(asked) > 1:
        raise UsageError("give one of `dask`, `ray` and `spark`")
    for name, where in asked.items():
        join, package, lacking = _CLUSTERS[name]
        try:
            return join(until, where)
        except ImportError:
            raise missing_dependency(package, name, f"`{name}`") from None
        except Exception as problem:  # each has errors of its own; Java's have no class here
            raise UsageError(f"{lacking} {where} ({problem})") from None
    return None


def _dask(until: ExitStack, where: str) -> object:
    from distributed import Client

    client: object = until.enter_context(Client(where, timeout="20s"))  # type: ignore[no-untyped-call]
    return client


def _ray(until: ExitStack, where: str) -> object:
    import ray

    ray.init(address=where, log_to_driver=False)
    until.callback(ray.shutdown)
    cluster: object = ray
    return cluster


def _spark(until: ExitStack, where: str) -> object:
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master(where).appName("accord").getOrCreate()
    until.callback(session.stop)
    running: object = session
    return running


#: how a cluster is joined, the package that does it, and what is said where it cannot be
_CLUSTERS = {
    "dask": (_dask, "distributed", "there is no Dask scheduler at"),
    "ray": (_ray, "ray", "there is no Ray cluster at"),
    "spark": (_spark, "pyspark", "Spark does not start at"),
}
