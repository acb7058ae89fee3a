"""JSON over HTTP: the queue, the cards, decisions, progress, and what comes out."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from accord.adjudication.campaign import Campaign, UnwrittenError
from accord.adjudication.pulse import Pulse
from accord.adjudication.queue import ORDERS, STATUSES, Filter
from accord.data import Annotations, Ratings, Segments, Units
from accord.errors import AccordError, InputError, UsageError
from accord.gold.decisions import ConflictError, Decision
from accord.gold.decisions.exchange import as_log, as_table
from accord.report.scene import looks
from accord.result import to_plain
from accord.web.accounts import Person
from accord.web.context import neighbourhood
from accord.web.events import Events
from accord.web.export import writable, written
from accord.web.guards import Door
from accord.web.writer import Writer

Answer = Callable[[Request], Awaitable[Response]]
_LOG = logging.getLogger("uvicorn.error")


class Json(JSONResponse):
    """JSON without NaN, numbers of numpy included."""

    def render(self, content: Any) -> bytes:
        try:
            # mostly plain already: only what is not is made so, one value at a time
            text = _written(content, default=to_plain)
        except ValueError:
            text = _written(to_plain(content))
        return text.encode()


#: decisions after which the store's log is moved into its file
_MANY = 250
_written = partial(json.dumps, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class Api:
    """The endpoints of one campaign."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.store = campaign.store.identity
        self.events = Events()
        self.writer = Writer(campaign.decide, self.tell)
        self.pulse = Pulse(campaign)

    def doors(self) -> list[Door]:
        get: list[tuple[str, Answer]] = [
            ("/api/about", self.about), ("/api/queue", self.queue),
            ("/api/items/{name:path}", self.item), ("/api/decisions", self.decisions),
            ("/api/progress", self.progress), ("/api/agreement", self.agreement),
            ("/api/reference", self.reference), ("/api/export", self.export),
            ("/api/events", self.listen),
        ]  # fmt: skip
        post: list[tuple[str, Answer]] = [
            ("/api/decisions", self.decide), ("/api/batches", self.batch),
            ("/api/undo", self.undo), ("/api/remarks", self.remark),
        ]  # fmt: skip
        return [
            *(Door(path, self._answered(f), who="viewer") for path, f in get),
            *(
                Door(path, self._answered(f), who="adjudicator", methods=["POST"])
                for path, f in post
            ),
        ]

    def tell(self) -> None:
        """After anything was stored: bring the cards up to date and let everybody know."""
        touched = self.campaign.catch_up()
        if touched:
            left = int(self.campaign.open_for(None).sum())
            self.events.tell("decisions", {"items": touched[:200], "left": left})

    async def watch(self) -> None:
        """Notice what other programs write to the store."""
        relieved = -_MANY
        while True:
            await asyncio.sleep(1.0)
            try:
                await asyncio.to_thread(self.campaign.store.refresh)
            except Exception as problem:  # a disk that is away comes back
                _LOG.error("the decisions cannot be read: %s", problem)
                continue
            self.tell()
            made = len(self.campaign.store.ledger)
            if made - relieved >= _MANY:
                relieved = made
                with contextlib.suppress(AccordError):  # on a full disk the log stays: it is whole
                    await asyncio.to_thread(self.campaign.store.relieve)
            if self.events.count and self.pulse.due():
                measuring = asyncio.create_task(self.measure())
                measuring.add_done_callback(lambda _: None)

    async def measure(self) -> None:
        """Measure agreement aside and let everybody know."""
        with contextlib.suppress(AccordError):  # who asked for it was told why
            found = await asyncio.to_thread(self.pulse.measure)
            self.events.tell("agreement", to_plain(found))

    # --- reading -----------------------------------------------------------------------------

    async def about(self, request: Request) -> Response:
        campaign = self.campaign
        data = campaign.data
        labels: Sequence[str] = ()
        if isinstance(data, Units):
            labels = data.categories
        elif isinstance(data, Ratings) and data.kind == "categories":
            labels = data.labels
        elif isinstance(data, Ratings) and len(data.values) <= 20:
            labels = (
                data.labels
                if data.kind == "numbers"
                else sorted({x for v in data.values for x in v})
            )
        return Json(
            {
                "store": self._store(request),
                "shape": data.shape,
                "cards": len(campaign.deck),
                "labels": list(labels),
                "looks": _looks(data),
                "kind": data.kind if isinstance(data, Ratings) else None,
                "annotators": [] if campaign.blind else list(data.annotators),
                "documents": list(data.documents)[:1000],
                "blind": campaign.blind,
                "method": campaign.draft.method,
                "orders": [o for o in ORDERS if o != "pair" or not campaign.blind],
                "statuses": list(STATUSES),
                "formats": writable(data.shape),
                "who": _person(request).name,
                "role": _person(request).role,
                "reasons": self._reasons(),
                "confusions": self._confusions(),
            }
        )

    async def queue(self, request: Request) -> Response:
        asked = request.query_params
        if self.campaign.blind and (asked.get("between") or asked.get("order") == "pair"):
            raise UsageError("who said what is hidden: cards cannot be chosen by annotators")
        return Json(
            self.campaign.queue(
                order=asked.get("order", "gain"),
                status=asked.get("status", "open"),
                limit=_whole(asked.get("limit", "50"), "limit"),
                after=asked.get("after") or None,
                who=self._who(request),
                wanted=_filter(asked),
            )
        )

    async def item(self, request: Request) -> Response:
        name = request.path_params["name"]
        try:
            card = self.campaign.whole_card(name, who=self._who(request))
            card["around"] = neighbourhood(self.campaign, self.campaign.element(name))
        except InputError as problem:
            return Json({"error": str(problem)}, 404)
        return Json(card)

    async def decisions(self, request: Request) -> Response:
        made = self.campaign.store.ledger.decisions
        first = _whole(request.query_params.get("first", "0"), "first")
        return Json({"decisions": [d.to_dict() for d in made[first:]], "first": first})

    async def progress(self, request: Request) -> Response:
        return Json(self.campaign.progress())

    async def agreement(self, request: Request) -> Response:
        return Json(await asyncio.to_thread(self.pulse.measure))

    async def reference(self, request: Request) -> Response:
        name = request.query_params.get("format", "csv")

        def made() -> tuple[bytes, str, list[str]]:
            return written(self.campaign.reference(), name, blind=self.campaign.blind)

        content, file, lost = await asyncio.to_thread(made)
        return Response(
            content,
            media_type=_media(file),
            headers={
                "content-disposition": f'attachment; filename="{file}"',
                "x-accord-lost": str(len(lost)),
            },
        )

    async def export(self, request: Request) -> Response:
        name = request.query_params.get("format", "jsonl")
        if name not in ("jsonl", "csv"):
            raise UsageError(f"decisions are exported as jsonl or csv, not {name!r}")
        store = self.campaign.store
        text = as_log(store) if name == "jsonl" else as_table(list(store.ledger.decisions))
        return Response(
            text.encode("utf-8", "replace"),
            media_type=_media(f"x.{name}"),
            headers={"content-disposition": f'attachment; filename="decisions.{name}"'},
        )

    async def listen(self, request: Request) -> Response:
        return StreamingResponse(
            self.events.listen(request.scope["accord.still"]),
            media_type="text/event-stream",
            headers={"x-accel-buffering": "no"},
        )

    # --- deciding ----------------------------------------------------------------------------

    async def decide(self, request: Request) -> Response:
        record = await _body(request)
        decision = self.campaign.checked({**record, "who": self._author(request, record)})
        outcome = (await self.writer.decide([decision]))[0]
        if isinstance(outcome, ConflictError):
            there = outcome.standing.in_force
            return Json(
                {
                    "in_force": None if there is None else there.to_dict(),
                    "rivals": [r.to_dict() for r in outcome.standing.rivals],
                    "error": str(outcome),
                },
                409,
            )
        return Json({"id": outcome.id, "item": outcome.item}, 201)

    async def batch(self, request: Request) -> Response:
        """Several cards in one step: those alike, those a filter lets through, or those named."""
        record = await _body(request)
        campaign, who = self.campaign, self._author(request, record)
        numbers = self._chosen(record)
        accept = record.get("accept") == "proposal"
        decisions = campaign.together(
            numbers, who=who, why=str(record.get("why") or ""), accept=accept,
            kind=record.get("kind", "label"), value=record.get("value"),
        )  # fmt: skip
        outcomes = await self.writer.decide(decisions)
        stored = [o for o in outcomes if isinstance(o, Decision)]
        return Json(
            {
                "batch": stored[0].batch if stored else None,
                "stored": len(stored),
                "refused": len(outcomes) - len(stored),
                "passed_over": len(numbers) - len(decisions),
            },
            201,
        )

    async def undo(self, request: Request) -> Response:
        record = await _body(request)
        key = record.get("id")
        if not isinstance(key, str):
            raise InputError("name the decision or the batch to be undone")
        decisions = self.campaign.undone(key, who=self._author(request, record))
        outcomes = await self.writer.decide(decisions)
        stored = [o for o in outcomes if isinstance(o, Decision)]
        return Json({"undone": len(stored), "items": [d.item for d in stored][:200]}, 201)

    async def remark(self, request: Request) -> Response:
        record = await _body(request)
        for name in ("item", "kind", "text"):
            if not isinstance(record.get(name, ""), str):
                raise InputError(f"{name} must be a text")
        kind: Any = record.get("kind", "comment")
        item, text, who = (
            record.get("item", ""),
            record.get("text", ""),
            self._author(request, record),
        )
        try:
            f"{item}{text}{who}".encode()
        except UnicodeEncodeError:
            raise InputError("the remark holds characters that no text can hold") from None
        made = await asyncio.to_thread(self.campaign.remark, item, kind, text, who)
        self.events.tell("remark", {"item": item, "kind": kind})
        return Json({"id": made.id}, 201)

    # --- small things ------------------------------------------------------------------------

    def _answered(self, answer: Answer) -> Answer:
        """accord's own errors become status codes: bad requests 400, decisions that cannot be made 422.

        A page names the store that it was opened on; once another one is served here, its requests
        are refused (412), and its decisions wait.
        """

        async def run(request: Request) -> Response:
            store = self._store(request)
            if request.headers.get("accord-store", store) != store:
                return Json({"error": "another campaign or account is open here now"}, 412)
            try:
                return await answer(request)
            except UnwrittenError as problem:
                return Json({"error": str(problem)}, 503, headers={"retry-after": "3"})
            except InputError as problem:
                return Json({"error": str(problem)}, 422)
            except AccordError as problem:
                return Json({"error": str(problem)}, 400)

        return run

    def _chosen(self, record: Mapping[str, Any]) -> list[int]:
        campaign = self.campaign
        place = campaign.deck.place
        if isinstance(record.get("like"), str):
            i = place.get(record["like"])
            if i is None:
                raise InputError(f"there is no item {record['like']!r}")
            by = record.get("by", "form")
            if by not in ("form", "confusion"):
                raise InputError("cards are alike by form or by confusion")
            return campaign.alike(i, by)
        if isinstance(record.get("items"), list):
            names = record["items"]
            unknown = [n for n in names if not isinstance(n, str) or n not in place]
            if unknown:
                raise InputError(f"there is no item {unknown[0]!r}")
            return [place[n] for n in dict.fromkeys(names)]
        if isinstance(record.get("filter"), dict):
            given = {k: str(v) for k, v in record["filter"].items() if v is not None}
            wanted = _filter(given)
            if wanted == Filter():
                raise InputError("say which cards: a filter that lets all through decides them all")
            mask = campaign.open_for(None) & campaign.queue_.mask(wanted)
            # what contradicts or changed is for a person to look at
            mask &= ~campaign.conflict & ~campaign.changed & ~campaign.decided
            return [int(i) for i in mask.nonzero()[0]]
        raise InputError("say which cards: like, items or filter")

    def _store(self, request: Request) -> str:
        """What a page's decisions are kept for: this store, and who logged in."""
        name = _person(request).name
        return self.store if name is None else f"{self.store}.{name.encode().hex()}"

    def _who(self, request: Request) -> str | None:
        return _person(request).name or request.query_params.get("who") or None

    def _author(self, request: Request, record: Mapping[str, Any]) -> str:
        """With accounts, whoever logged in; otherwise who the person says to be."""
        who = _person(request).name or record.get("who")
        if not isinstance(who, str) or not who.strip():
            raise InputError("a decision must say who makes it")
        return who.strip()

    def _reasons(self) -> list[str]:
        """Reasons given before, the latest first."""
        found = dict.fromkeys(
            d.why
            for d in reversed(self.campaign.store.ledger.decisions)
            if d.why and d.why != "undone"
        )
        return list(found)[:30]

    def _confusions(self) -> list[dict[str, Any]]:
        from collections import Counter

        deck = self.campaign.deck
        if isinstance(self.campaign.data, Segments) or not len(deck):
            return []
        counts = Counter(c for c in deck.confusion if c)
        return [{"confusion": c, "cards": n} for c, n in counts.most_common(50)]


def _looks(data: Annotations) -> dict[str, list[str]]:
    """The paint of each label, the same as in the explorer."""
    if not isinstance(data, Units):
        return {}
    return {c: [p.hue, p.ink] for c, p in zip(data.categories, looks(data), strict=True)}


async def _body(request: Request) -> dict[str, Any]:
    """The JSON object that was sent."""
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise UsageError("send JSON")
    try:
        found = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise UsageError("the body is not JSON") from None
    if not isinstance(found, dict):
        raise InputError("send a JSON object")
    return found


def _filter(asked: Mapping[str, str]) -> Filter:
    between = asked.get("between")
    pair: tuple[str, str] | None = None
    if between:
        first, tilde, second = between.partition("~")
        if not tilde:
            raise UsageError("between must be two annotators, A~B")
        pair = (first.strip(), second.strip())
    confidence = asked.get("confidence")
    try:
        at_least = float(confidence) if confidence else None
    except ValueError:
        raise UsageError(f"the confidence must be a number, got {confidence!r}") from None
    disputed = asked.get("disputed")
    return Filter(
        document=asked.get("document") or None,
        category=asked.get("category") or None,
        confusion=asked.get("confusion") or None,
        between=pair,
        search=(asked.get("search") or "")[:200] or None,
        disputed=None if not disputed else disputed.lower() in ("1", "true", "yes"),
        confidence=at_least,
    )


def _whole(text: str, name: str) -> int:
    if not text.isdigit() or len(text) > 9:
        raise UsageError(f"{name} must be a whole number, got {text[:20]!r}")
    return int(text)


def _media(name: str) -> str:
    kinds = {"csv": "text/csv", "json": "application/json", "jsonl": "application/x-ndjson",
             "zip": "application/zip"}  # fmt: skip
    return kinds.get(name.rpartition(".")[2], "application/octet-stream")


def _person(request: Request) -> Person:
    found: Person = request.scope["accord.person"]
    return found
