"""``accord serve``: settle it together, in the browser."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from accord.cli import inputs
from accord.cli.help import ADDRESS
from accord.cli.keywords import Blind, Method, NewLabels, Output, Seed, Texts
from accord.cli.output import introduce, print_json, say
from accord.cli.progress import progress_bar
from accord.cli.texts import quoted, read_pairs
from accord.errors import UsageError
from accord.language import spoken
from accord.options import Said


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where the page is to be found, and who may come in."""

    host: Annotated[str, Said("Address to listen on.", first=True)] = "127.0.0.1"
    port: Annotated[
        int | None, Said("Port; 0 chooses any. By default the store's own.", first=True)
    ] = None
    users: Annotated[
        Path | None, Said("File of accounts; needed beyond this machine.", first=True)
    ] = None
    add_user: Annotated[
        str | None,
        Said("NAME or NAME:viewer: add an account to --users, asking its password."),
    ] = None
    tls_certificate: Annotated[Path | None, Said("TLS certificate (PEM).")] = None
    tls_key: Annotated[Path | None, Said("TLS key (PEM).")] = None
    name: Annotated[
        list[str] | None,
        Said("Name of this machine, as people write it in the address. Repeatable."),
    ] = None
    behind_proxy: Annotated[str | None, Said("https://NAME of a proxy that adds TLS.")] = None
    no_browser: Annotated[bool, Said("Do not open the page in the browser.", first=True)] = False


@inputs.reads
def serve(
    data: Annotated[list[Path] | None, Said("Files, or folders, of one campaign.")] = None,
    *,
    decisions: Annotated[
        Path | None,
        Said("Store of the decisions; by default DATA's with .decisions.db.", first=True),
    ] = None,
    texts: Texts = None,
    method: Method = None,
    blind: Blind = False,
    double: Annotated[float, Said("Share of the cards that two people are asked, unseen.")] = 0.0,
    guidelines: Annotated[
        Path | None, Said("CSV label,text: what the guidelines say of each label.", first=True)
    ] = None,
    new_labels: NewLabels = False,
    address: Annotated[Address, ADDRESS],
    seed: Seed = 0,
    as_json: Annotated[
        bool,
        Output('Print {"url", "token"} on one line when ready.', typed="--json", first=True),
    ] = False,
    how: inputs.How,
) -> None:
    """Adjudicate in the browser: cards, keys, no decision lost."""
    if address.add_user is not None:
        _add_user(address.users, address.add_user)
        return
    if not data:
        raise UsageError("name the data to adjudicate")
    port = address.port
    if port is not None and not 0 <= port <= 65535:
        raise UsageError(f"`port` must be between 0 and 65535, got {port}")
    from accord.adjudication import Campaign
    from accord.gold import Store
    from accord.gold.decisions import store_path
    from accord.web.server import Listen
    from accord.web.server import serve as listen

    path = store_path(decisions, data[0])
    place = Listen(
        host=address.host,
        port=_own_port(path) if port is None else port,
        or_any=port is None,
        users=address.users,
        tls_certificate=address.tls_certificate,
        tls_key=address.tls_key,
        names=tuple(address.name or ()),
        behind_proxy=address.behind_proxy,
    )
    place.check()
    found, told = quoted(how.read(*data), texts)
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
                guidelines={} if guidelines is None else read_pairs(guidelines, ("label",), "text"),
                progress=progress,
            )
        if campaign.resolution is not None:
            say(campaign.resolution.sentences(campaign.elements))

        def ready(url: str, token: str) -> None:
            full = f"{url}?token={token}" if token else url
            if as_json:
                print_json({"url": url, "token": token}, None)
                sys.stdout.flush()
            else:
                print(  # noqa: T201
                    f"accord: {full}\n" + spoken(f"decisions go to {path}; stop with Ctrl+C"),
                    flush=True,
                )

        listen(
            campaign,
            place,
            title=data[0].stem,
            lang=how.lang,
            browser=not address.no_browser,
            ready=ready,
        )


def _own_port(path: Path) -> int:
    """The same port for the same store: what a browser kept unsent is found again after a restart."""
    from zlib import crc32

    return 20_000 + crc32(str(path.resolve()).encode()) % 20_000


def _add_user(users: Path | None, account: str) -> None:
    import getpass

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
