"""``accord.serve`` in Python: the adjudication page from a script or a notebook."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from html import escape
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from accord.adjudication import Campaign
from accord.errors import AccordError, UsageError
from accord.gold import Reference, Store
from accord.gold.decisions import store_path
from accord.language import translator
from accord.options.kinds import refuses_other_kinds
from accord.reading.given import Given, as_annotations
from accord.web.server import Listen, Running
from accord.web.server import serve as listen


class Session:
    """A page that is being served, until :meth:`stop` or the end of Python.

    `url` opens it, `decisions` is the file that keeps what people decide; :meth:`reference` is the
    reference with what was decided so far.
    """

    def __init__(
        self,
        data: Any,
        decisions: Path,
        place: Listen,
        page: Mapping[str, Any],
        options: Mapping[str, Any],
    ) -> None:
        self.decisions = decisions
        self.url = ""
        self._campaign: Campaign | None = None
        self._server: Running | None = None
        self._failed: BaseException | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(
            target=self._serve, args=(data, place, page, options), name="accord serve", daemon=True
        )
        self._thread.start()
        self._ready.wait()
        if self._failed is not None:
            raise self._failed

    def _serve(
        self, data: Any, place: Listen, page: Mapping[str, Any], options: Mapping[str, Any]
    ) -> None:
        try:
            with Store(self.decisions) as store:
                self._campaign = Campaign(data, store, **options)
                listen(
                    self._campaign,
                    place,
                    title=self.decisions.stem,
                    ready=self._answering,
                    started=lambda server: setattr(self, "_server", server),
                    **page,
                )
        except (AccordError, OSError, SystemExit) as problem:
            self._failed = problem if isinstance(problem, Exception) else UsageError(str(problem))
        finally:
            self._ready.set()

    def _answering(self, address: str, token: str) -> None:
        self.url = f"{address}?token={token}" if token else address
        self._ready.set()

    @property
    def running(self) -> bool:
        """Whether requests are answered."""
        return self._thread.is_alive()

    def reference(self) -> Reference:
        """The reference, with the decisions that are in force now."""
        if self._campaign is None:
            raise UsageError("the page is not served yet")
        self._campaign.catch_up()
        return self._campaign.reference()

    def wait(self) -> None:
        """Wait until the page is stopped (from a script: until Ctrl+C)."""
        try:
            self._thread.join()
        except KeyboardInterrupt:
            self.stop()

    def stop(self) -> None:
        """Stop answering; what was decided is in the file."""
        if self._server is not None:
            self._server.should_exit = True
        self._thread.join(timeout=10)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        state = f"at {self.url}" if self.running else "stopped"
        return f"<Session {state}; decisions in {self.decisions}>"

    def _repr_html_(self) -> str:
        if not self.running:
            return f"<p>{escape(repr(self))}</p>"
        return (
            f'<p><a href="{escape(self.url)}" target="_blank">Open the adjudication page</a>; '
            f"decisions go to <code>{escape(str(self.decisions))}</code>.</p>"
        )


@refuses_other_kinds
def serve(
    data: Given,
    *,
    decisions: str | PathLike[str] | None = None,
    method: str | None = None,
    texts: Mapping[str, str] | None = None,
    blind: bool = False,
    double: float = 0.0,
    guidelines: Mapping[str, str] | None = None,
    new_labels: bool = False,
    port: int = 0,
    browser: bool = False,
    lang: str = "en",
    seed: int = 0,
) -> Session:
    """Serve the adjudication page on this machine and go on: it answers from a thread of its own.

    Parameters
    ----------
    data : what :func:`accord.read` returns, or what it reads: a path, a dataframe
    decisions : file that keeps the decisions; by default the name of the data with ``.decisions.db``,
        or ``accord.decisions.db`` for data without a file
    method : who proposes: a method of :func:`accord.gold`
    texts : text of each item or document
    blind : do not show who said what
    double : share of the cards that two people are asked, unseen
    guidelines : label → what the guidelines say of it
    port : 0 for any that is free
    browser : open the page
    lang : language of the page, "en" or "fr"

    Beyond this machine use the command ``accord serve``, which has accounts and TLS.

    ::

        with accord.serve("claims.csv") as page:
            print(page.url)
            page.wait()
    """
    translator(lang)
    return Session(
        as_annotations(data),
        store_path(decisions, data),
        Listen(port=port),
        {"lang": lang, "browser": browser},
        {
            "method": method,
            "texts": texts,
            "blind": blind,
            "double": double,
            "guidelines": guidelines,
            "new_labels": new_labels,
            "seed": seed,
        },
    )
