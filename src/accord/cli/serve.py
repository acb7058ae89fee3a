"""``accord serve``: settle it together, in the browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from accord.cli import inputs
from accord.cli.texts import Texts, read_texts, texts_of, with_texts
from accord.language import spoken

if TYPE_CHECKING:
    from collections.abc import Mapping


def _port(given: int | None) -> int | None:
    """A port that exists; a range in the option's type would crowd the help page."""
    if given is not None and not 0 <= given <= 65535:
        raise typer.BadParameter(f"must be between 0 and 65535, got {given}")
    return given


@inputs.reads
def serve(
    data: Annotated[
        list[Path] | None, typer.Argument(help="Files, or folders, of one campaign.")
    ] = None,
    decisions: Annotated[
        Path | None,
        typer.Option(help="Store of the decisions; by default DATA's with .decisions.db."),
    ] = None,
    texts: Texts = None,
    method: Annotated[
        str | None, typer.Option("--method", "-m", help="Who proposes: a method of accord gold.")
    ] = None,
    blind: Annotated[bool, typer.Option("--blind", help="Do not show who said what.")] = False,
    double: Annotated[
        float, typer.Option(help="Share of the cards that two people are asked, unseen.")
    ] = 0.0,
    guidelines: Annotated[
        Path | None, typer.Option(help="CSV label,text: what the guidelines say of each label.")
    ] = None,
    new_labels: Annotated[
        bool, typer.Option("--new-labels", help="Decisions may use labels that nobody used.")
    ] = False,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(callback=_port, help="Port; 0 chooses any. By default the store's own."),
    ] = None,
    users: Annotated[
        Path | None, typer.Option(help="File of accounts; needed beyond this machine.")
    ] = None,
    add_user: Annotated[
        str | None,
        typer.Option(help="NAME or NAME:viewer: add an account to --users, asking its password."),
    ] = None,
    tls_certificate: Annotated[Path | None, typer.Option(help="TLS certificate (PEM).")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="TLS key (PEM).")] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="Name of this machine, as people write it in the address. Repeatable."),
    ] = None,
    behind_proxy: Annotated[
        str | None, typer.Option(help="https://NAME of a proxy that adds TLS.")
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open the page in the browser.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Seed of everything random.")] = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help='Print {"url", "token"} on one line when ready.')
    ] = False,
    *,
    how: inputs.How,
) -> None:
    """Adjudicate in the browser: cards, keys, no decision lost."""
    from accord.cli.output import introduce, say
    from accord.cli.progress import progress_bar
    from accord.errors import UsageError, missing_dependency

    if add_user is not None:
        _add_user(users, add_user)
        return
    if not data:
        raise UsageError("name the data to adjudicate")
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as problem:
        raise missing_dependency(str(problem.name), "web", "accord serve") from None
    from accord.adjudication import Campaign
    from accord.gold import Store
    from accord.gold.decisions import store_path
    from accord.web.server import Listen
    from accord.web.server import serve as listen

    path = store_path(decisions, data[0])
    place = Listen(
        host=host,
        port=_own_port(path) if port is None else port,
        or_any=port is None,
        users=users,
        tls_certificate=tls_certificate,
        tls_key=tls_key,
        names=tuple(name or ()),
        behind_proxy=behind_proxy,
    )
    place.check()
    found = how.read(*data)
    told = {**texts_of(found), **read_texts(texts)}
    found = with_texts(found, told)
    # (what is printed when the page is ready may be read by a program)
    if as_json:
        say(found.notes)
    else:
        introduce(found.reading.whole(), found.notes)
    with Store(path) as store:
        say(store.notes)
        if not store.writable:
            say([f"{path} can only be read: nothing can be decided on the page"], prefix="warning")
        with progress_bar(method or "proposals") as progress:
            campaign = Campaign(
                found,
                store,
                method=method,
                texts=told,
                blind=blind,
                double=double,
                new_labels=new_labels,
                seed=seed,
                guidelines=_guidelines(guidelines),
                progress=progress,
            )
        if campaign.resolution is not None:
            say(campaign.resolution.sentences(campaign.draft.elements))  # type: ignore[union-attr]

        def ready(address: str, token: str) -> None:
            full = f"{address}?token={token}" if token else address
            if as_json:
                from accord.cli.output import print_json

                print_json({"url": address, "token": token}, None)
                sys.stdout.flush()
            else:
                print(  # noqa: T201
                    f"accord: {full}\n" + spoken(f"decisions go to {path}; stop with Ctrl+C"),
                    flush=True,
                )

        listen(
            campaign, place, title=data[0].stem, lang=how.lang, browser=not no_browser, ready=ready
        )


def _own_port(path: Path) -> int:
    """The same port for the same store: what a browser kept unsent is found again after a restart."""
    from zlib import crc32

    return 20_000 + crc32(str(path.resolve()).encode()) % 20_000


def _add_user(users: Path | None, account: str) -> None:
    import getpass

    from accord.errors import UsageError
    from accord.web.accounts import add

    if users is None:
        raise UsageError("name the file of accounts with --users FILE")
    name, _, role = account.partition(":")
    if sys.stdin.isatty():
        password = getpass.getpass(f"password of {name}: ")
    else:
        password = sys.stdin.readline().rstrip("\n")
    add(users, name, role or "adjudicator", password)
    print(spoken(f"{name} may come in as {role or 'adjudicator'}"), file=sys.stderr)  # noqa: T201


def _guidelines(path: Path | None) -> Mapping[str, str]:
    import csv

    from accord.errors import InputError

    if path is None:
        return {}
    from accord.files.text import open_table

    try:
        with open_table(path) as file:
            rows = csv.DictReader(file)
            if not {"label", "text"} <= set(rows.fieldnames or ()):
                raise InputError("needs the columns label and text", path=path, line=1)
            return {row["label"]: row["text"] or "" for row in rows}
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        raise InputError(f"cannot be read ({problem})", path=path) from None
