"""Real clusters: Dask, Ray and Spark give the bits of one process, tell progress, and lose workers.

Each skips with its reason where it is not installed (`pip install 'accord[dask,ray,spark]'`) or has no Java.
"""

import os
import shutil
import signal
import sys
from functools import partial
from pathlib import Path

import pytest

import accord
from accord.data.parallel import map_tasks, working_on
from accord.data.workers import crew_of
from tests.data.test_workers import bits, campaign, double

#: workers must find these functions
PATHS = os.pathsep.join(p for p in sys.path if p)


@pytest.fixture(scope="module")
def dask_client():
    distributed = pytest.importorskip("distributed", reason="needs distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def ray():
    module = pytest.importorskip("ray", reason="needs ray")
    module.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        configure_logging=False,
        object_store_memory=100_000_000,
        runtime_env={"env_vars": {"PYTHONPATH": PATHS}},
    )
    yield module
    module.shutdown()


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql", reason="needs pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs a Java runtime")
    session = (
        sql.SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.memory", "512m")
        .config("spark.executorEnv.PYTHONPATH", PATHS)
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(params=["dask_client", "ray", "spark"])
def cluster(request):
    return request.getfixturevalue(request.param)


def test_same_bits_on_every_cluster(cluster, monkeypatch):
    monkeypatch.setattr("accord.data.corpus._LEAST", 100)
    told = []
    for measure, options in (("gamma", {}), ("gamma-cat", {"samples": 8})):
        alone = bits(accord.agree(campaign(), measure, **options))
        found = accord.distribute(
            campaign(),
            measure,
            on=cluster,
            progress=lambda done, total: told.append((done, total)),
            **options,
        )
        assert bits(found) == alone
    assert len(told) > 4
    assert told[-1][0] == told[-1][1]


def test_units_in_parquet_on_every_cluster(cluster, tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "units.parquet"
    accord.write(campaign(30), path)
    found = accord.distribute(path, "gamma", on=cluster, duplicates="keep")
    whole = accord.agree(campaign(30), "gamma")
    assert bits(found, stored=True) == bits(whole, stored=True)


def test_an_error_in_the_work_comes_back(cluster):
    with working_on(crew_of(cluster)), pytest.raises(Exception, match="division"):
        map_tasks(partial(divmod, 1), [1, 0, 2])


def dies_once(x, *, folder):
    mark = Path(folder, "killed")
    if x == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * x


def test_the_work_of_a_killed_worker_is_done_again(cluster, tmp_path):
    with working_on(crew_of(cluster)):
        found = map_tasks(partial(dies_once, folder=tmp_path), list(range(12)))
    assert (tmp_path / "killed").exists()
    assert found == list(range(0, 24, 2))


@pytest.mark.parametrize("backend", ["threading", "multiprocessing", "dask", "ray"])
def test_backends_of_joblib(backend, request):
    import joblib

    if backend == "dask":
        request.getfixturevalue("dask_client")
    elif backend == "ray":
        request.getfixturevalue("ray")
        from ray.util.joblib import register_ray

        register_ray()
    alone = bits(accord.agree(campaign(), "gamma"))
    with joblib.parallel_config(backend=backend):
        assert map_tasks(double, list(range(9)), jobs=2) == list(range(0, 18, 2))
        assert bits(accord.agree(campaign(), "gamma", jobs=2)) == alone
