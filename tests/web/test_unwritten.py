"""A disk that takes nothing more: what is decided is refused for now, never for good."""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.adjudication import Campaign
from accord.adjudication.campaign import UnwrittenError
from accord.errors import InputError
from accord.gold import Store
from tests.served import Client, ratings_file, serving


@contextmanager
def full(client: Client) -> Iterator[None]:
    """The server may write no further byte to any file, until the block ends."""
    limits = resource.prlimit(client.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(client.process.pid, resource.RLIMIT_FSIZE, (1, limits[1]))
    try:
        yield
    finally:
        resource.prlimit(client.process.pid, resource.RLIMIT_FSIZE, limits)


def test_what_cannot_be_written_is_told_apart_from_what_is_wrong(tmp_path: Path) -> None:
    with serving(ratings_file(tmp_path), "--decisions", tmp_path / "c.db") as client:
        assert client.decide("i0", "yes")[0] == 201
        with full(client):
            for path, body in (
                ("/api/decisions", {"item": "i1", "kind": "label", "value": "yes", "who": "Ann"}),
                (
                    "/api/batches",
                    {"filter": {"confidence": 0.9}, "accept": "proposal", "who": "Ann"},
                ),
                ("/api/remarks", {"item": "i1", "kind": "flag", "who": "Ann"}),
            ):
                status, said, headers = client.ask(path, body)
                assert (status, headers["retry-after"]) == (503, "3"), (path, said)
                assert "c.db" in said["error"]
            # what is wrong is wrong, on a full disk too
            assert client.decide("i1", "no such label")[0] == 422
            assert client.decide("no such item", "yes")[0] == 422
            # and what was decided is still there to be read
            assert client.get("/api/progress")["decided"] == 1
        assert client.decide("i1", "yes")[0] == 201
        assert client.get("/api/progress")["decided"] == 2
    with Store(tmp_path / "c.db") as store:
        assert [d.item for d in store.ledger.decisions] == ["i0", "i1"]


@pytest.mark.parametrize(
    "problem", [InputError("cannot be written (No space left on device)"),
                OSError(28, "No space left on device"), sqlite3.OperationalError("disk is full")],
)  # fmt: skip
def test_every_failure_to_write_is_one(
    problem: Exception, tmp_path: Path, monkeypatch: Any
) -> None:
    with Store(tmp_path / "c.db") as store:
        campaign = Campaign(accord.read(ratings_file(tmp_path)), store)

        def fails(*_: object) -> None:
            raise problem

        monkeypatch.setattr(Store, "decide_all", fails)
        monkeypatch.setattr(Store, "remark", fails)
        decision = campaign.checked({"item": "i1", "kind": "label", "value": "yes", "who": "Ann"})
        with pytest.raises(UnwrittenError):
            campaign.decide([decision])
        with pytest.raises(UnwrittenError):
            campaign.remark("i1", "flag", "", "Ann")
        with pytest.raises(InputError, match="no item"):
            campaign.remark("nothing", "flag", "", "Ann")


def test_a_page_of_another_store_is_refused(tmp_path: Path) -> None:
    with serving(ratings_file(tmp_path), "--decisions", tmp_path / "c.db") as client:
        own = client.get("/api/about")["store"]
        body = {"item": "i1", "kind": "label", "value": "yes", "who": "Ann"}
        for path, sent in (
            ("/api/decisions", body), ("/api/batches", {"like": "i1", "who": "Ann"}),
            ("/api/undo", {"id": "x", "who": "Ann"}), ("/api/remarks", {**body, "kind": "flag"}),
            ("/api/queue", None), ("/api/items/i1", None),
        ):  # fmt: skip
            status, said, _ = client.ask(path, sent, headers={"Accord-Store": "another"})
            assert (status, "another campaign" in said["error"]) == (412, True), path
        assert client.ask("/api/decisions", body, headers={"Accord-Store": own})[0] == 201
        # programs that name none mean the one that is served
        assert client.decide("i2", "yes")[0] == 201
