"""Annotation platforms on this machine: started once, with an empty database, and ended."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.platforms.client import Client, free_port, until

#: seconds in which a platform must be ready
PATIENCE = 300
ROOT = Path(__file__).parents[2]
PASSWORD = "correct horse 7 battery"  # of people who exist for the length of a test

Started = Callable[[Sequence[object]], None]


def _program(platform: str) -> Path:
    """The program of a platform, in a virtual environment of its own."""
    held = Path(os.environ.get(f"ACCORD_{platform.upper()}", ROOT / f".venv-{platform}"))
    program = held / "bin" / {"labelstudio": "label-studio"}.get(platform, platform)
    if not program.is_file():
        pytest.skip(f"{platform} is not installed in {held.name}")
    return program


@contextmanager
def _running(folder: Path, environment: Mapping[str, str]) -> Iterator[Started]:
    """Start programs, each of which is ended with the children it has."""
    held: list[subprocess.Popen[bytes]] = []
    own = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    with (folder / "log").open("ab") as log:

        def start(words: Sequence[object]) -> None:
            held.append(
                subprocess.Popen(
                    list(map(str, words)), cwd=folder, env={**own, **environment}, stdout=log,
                    stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                )
            )  # fmt: skip

        try:
            yield start
        finally:
            for process in held:
                # a session of its own: nobody else's processes are in the group
                os.killpg(process.pid, 15)
            for process in held:
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, 9)
                    process.wait(20)


@pytest.fixture(scope="session")
def label_studio(tmp_path_factory) -> Iterator[Callable[[str], Client]]:
    """Label Studio: who signs in, by the first part of their address; `admin` is the administrator."""
    program, port = _program("labelstudio"), free_port()
    folder = tmp_path_factory.mktemp("label-studio")
    environment = {
        "LABEL_STUDIO_BASE_DATA_DIR": str(folder), "DJANGO_DB": "sqlite", "LOG_LEVEL": "WARNING",
        "COLLECT_ANALYTICS": "false", "HOME": str(folder),
    }  # fmt: skip
    with _running(folder, environment) as start:
        start([
            program, "start", "--no-browser", "--internal-host", "127.0.0.1", "--port", port,
            "--data-dir", folder, "--username", "admin@example.org", "--password", PASSWORD,
            "--user-token", "0123456789abcdef0123", "--enable-legacy-api-token",
        ])  # fmt: skip
        admin = Client(port, "0123456789abcdef0123")
        if not until(lambda: admin.get("/api/projects/"), PATIENCE):
            pytest.skip(f"Label Studio was not ready in {PATIENCE} s: {_end_of(folder)}")
        people: dict[str, Client] = {"admin": admin}

        def sign_in(name: str) -> Client:
            if name not in people:
                found = people[name] = Client(port)
                found.get("/user/signup/")
                person = {"email": f"{name}@example.org", "password": PASSWORD}
                found.post("/user/signup/", {**person, "allow_newsletters": "false"}, form=True)
            return people[name]

        yield sign_in


@pytest.fixture(scope="session")
def doccano(tmp_path_factory) -> Iterator[Callable[[str], Client]]:
    """The programs of doccano, web server and tasks: who signs in, by name."""
    program, port = _program("doccano"), free_port()
    folder = tmp_path_factory.mktemp("doccano")
    environment = {"DOCCANO_HOME": str(folder), "HOME": str(folder)}
    own = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    for words in (["init"], ["createuser", "--username", "admin", "--password", PASSWORD]):
        done = subprocess.run(
            [program, *words], cwd=folder, env={**own, **environment}, capture_output=True,
            stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False,
        )  # fmt: skip
        if done.returncode:
            pytest.skip(f"doccano {words[0]}: {done.stderr.decode(errors='replace')[-300:]}")
    with _running(folder, environment) as start:
        start([program, "task"])
        start([program, "webserver", "--port", port])
        people: dict[str, Client] = {}

        def signed_in(name: str) -> Client:
            found = Client(port)
            found.post("/v1/auth/login/", {"username": name, "password": PASSWORD})
            return found

        if not until(lambda: people.setdefault("admin", signed_in("admin")), PATIENCE):
            pytest.skip(f"doccano was not ready in {PATIENCE} s: {_end_of(folder)}")

        def sign_in(name: str) -> Client:
            if name not in people:
                person = {"username": name, "email": f"{name}@example.org"}
                twice = {"password1": PASSWORD, "password2": PASSWORD}
                people["admin"].post("/v1/users/create", {**person, **twice})
                people[name] = signed_in(name)
            return people[name]

        yield sign_in


def _end_of(folder: Path) -> str:
    return (folder / "log").read_text(errors="replace")[-300:]
