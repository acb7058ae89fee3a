"""``accord.adjudicate``: one card after the other as the value of a cell."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from html import escape
from os import PathLike
from typing import Any

from accord.adjudication import Campaign
from accord.errors import AccordError, UsageError
from accord.gold import Reference, Store
from accord.gold.decisions import ConflictError, store_path
from accord.notebook.widget import Widget, made, shown
from accord.options.kinds import refuses_other_kinds
from accord.reading.given import Given, as_annotations

#: cards listed where there is no widget
_LISTED = 20


class CardView:
    """Cards in the order in which a decision gains most; every answer is on the disk at once."""

    def __init__(self, campaign: Campaign, who: str) -> None:
        self.campaign = campaign
        self.who = who
        #: cards passed over in this session
        self._passed: list[str] = []

    @property
    def card(self) -> dict[str, Any] | None:
        """The card that is asked now, with its context; None when none is left."""
        wanted = len(self._passed) + 1
        items = self.campaign.queue(limit=min(1000, wanted), who=self.who)["items"]
        name = next((c["id"] for c in items if c["id"] not in self._passed), None)
        if name is None:
            return None
        card = self.campaign.whole_card(name, who=self.who)
        for version in card["versions"]:
            version["shown"] = said(version["value"])
        return card | {"proposed": said(card["proposal"])}

    def answer(self, value: Any = None, *, kind: str = "label", why: str = "") -> None:
        """Decide the card that is asked: a label (or unit), or kind="none" or "reject"."""
        card = self.card
        if card is None:
            raise UsageError("no card is left to decide")
        decided = self.campaign.checked(
            {"item": card["id"], "kind": kind, "value": value, "who": self.who, "why": why}
        )
        (stored,) = self.campaign.decide([decided])
        if isinstance(stored, ConflictError):
            raise stored
        self.campaign.catch_up()
        self._refresh()

    def skip(self) -> None:
        """Leave the card that is asked for later."""
        if (card := self.card) is not None:
            self._passed.append(card["id"])
            self._refresh()

    def reference(self) -> Reference:
        """The reference, with what was decided so far."""
        return self.campaign.reference()

    # --- what is shown -----------------------------------------------------------------------

    @cached_property
    def widget(self) -> Widget | None:
        """The live widget; None where anywidget is not installed."""
        widget = made("cards.js", {**self._state(), "said": {}})
        if widget is not None:
            widget.observe(self._heard, "said")
        return widget

    def _state(self, problem: str = "") -> dict[str, Any]:
        where = self.campaign.progress()
        return {
            "card": self.card,
            "left": where["left"],
            "decided": where["decided"],
            "problem": problem,
        }

    def _refresh(self, problem: str = "") -> None:
        if self.widget is not None:
            for name, value in self._state(problem).items():
                setattr(self.widget, name, value)

    def _heard(self, change: Any) -> None:
        """The person pressed a button."""
        told = change["new"]
        try:
            if told.get("do") == "skip":
                self.skip()
            elif told.get("do") == "answer":
                self.answer(told.get("value"), kind=told["kind"], why=told.get("why", ""))
        except AccordError as problem:
            self._refresh(str(problem))

    def static(self) -> str:
        """The first cards as a list, for notebooks without widgets."""
        page = self.campaign.queue(limit=_LISTED, who=self.who)
        rows = []
        for card in page["items"]:
            versions = "; ".join(
                f"{said(v['value'])}"
                + (f" ({', '.join(v['annotators'])})" if "annotators" in v else "")
                for v in card["versions"]
            )
            cells = (card["id"], said(card["proposal"]), f"{card['confidence']:.2f}", versions)
            rows.append("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in cells) + "</tr>")
        head = "".join(f"<th>{c}</th>" for c in ("item", "proposal", "confidence", "versions"))
        return (
            f"<p>{page['left']} cards to decide. Call <code>.answer(label)</code> and "
            "<code>.skip()</code>, install <code>accord[notebook]</code> to click, or use "
            f"<code>accord.serve</code>.</p><table><tr>{head}</tr>{''.join(rows)}</table>"
        )

    def __repr__(self) -> str:
        where = self.campaign.progress()
        return f"<CardView: {where['decided']} decided, {where['left']} left>"

    def _repr_mimebundle_(self, **asked: Any) -> Any:
        return shown(self, self.widget, asked)


@refuses_other_kinds
def adjudicate(
    data: Given,
    *,
    who: str,
    decisions: str | PathLike[str] | None = None,
    method: str | None = None,
    texts: Mapping[str, str] | None = None,
    blind: bool = False,
    guidelines: Mapping[str, str] | None = None,
    new_labels: bool = False,
    seed: int = 0,
) -> CardView:
    """Settle what is in doubt, card by card, in a notebook.

    Parameters
    ----------
    data : what :func:`accord.read` returns, or what it reads: a path, a dataframe
    who : name of the person who decides
    decisions : file that keeps the decisions; `accord serve` and `accord gold` read the same. By default
        the name of the data with ``.decisions.db``, or ``accord.decisions.db`` for data without a file
    method : who proposes: a method of :func:`accord.gold`
    texts : text of each item or document
    blind : do not show who said what
    guidelines : label → what the guidelines say of it
    new_labels : labels that nobody used are allowed
    """
    campaign = Campaign(
        as_annotations(data),
        Store(store_path(decisions, data)),
        method=method,
        texts=texts,
        blind=blind,
        guidelines=guidelines,
        new_labels=new_labels,
        seed=seed,
    )
    return CardView(campaign, who)


def said(value: Any) -> str:
    """A value of a card in words.

    >>> said("PER"), said(None), said({"start": 3.0, "end": 9, "label": "x"}), said(4.0)
    ('PER', 'nothing', 'x 3–9', '4')
    """
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        ends = "–".join(f"{value[k]:g}" for k in ("start", "end") if k in value)
        return f"{value.get('label') or ''} {ends}".strip()
    if isinstance(value, (list, tuple)):
        return ", ".join(said(v) for v in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
