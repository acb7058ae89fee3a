"""The application: pages, the API, and what happens when it starts and stops."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from accord.adjudication.campaign import Campaign
from accord.data import Units
from accord.data.header import under_title
from accord.data.names import vocabulary
from accord.errors import InputError
from accord.gold.placed_reference import PlacedReference
from accord.language import Translator, page_script, speaking, translator
from accord.report.explorer import SCRIPTS, explorer
from accord.web.api import Api
from accord.web.attempts import Attempts
from accord.web.discussion import discussion
from accord.web.gate import Gate, user_of
from accord.web.guards import Door, Guarded, guards
from accord.web.pages import render, static

#: the explorer sets colours on elements; scripts and style sheets stay ours
_EXPLORER = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; " \
    "img-src data:; base-uri 'none'; frame-ancestors 'self'"  # fmt: skip
#: pages of documents that are kept: the next card is mostly of the same one
_MOST_PAGES = 16


def _with_texts(campaign: Campaign) -> Units:
    """The data with the texts that were given beside them, for the explorer to show."""
    data = campaign.data
    assert isinstance(data, Units)
    held = data.texts or (None,) * len(data.documents)
    given = campaign.deck.texts
    texts = tuple(given.get(d, t) for d, t in zip(data.documents, held, strict=True))
    return replace(data, texts=texts) if any(t is not None for t in texts) else data


def _in_language(page: str, say: Translator) -> str:
    """The page in its language, with the script that translates what other scripts write."""
    if say.lang == "en":
        return page
    return say.html(page).replace("</title>", '</title>\n<script src="/language.js"></script>', 1)


def application(
    campaign: Campaign,
    gate: Gate,
    *,
    names: tuple[frozenset[str], frozenset[str]],
    title: str = "accord",
    lang: str = "en",
) -> Starlette:
    """An ASGI application that settles this campaign; `names` are its Host and Origin values."""
    api = Api(campaign)
    attempts = Attempts(now=gate.now)
    # of their own: who tries passwords, however often, keeps nobody else waiting
    hashing = ThreadPoolExecutor(2, "passwords")
    pages: dict[str, str] = {}
    known = vocabulary(campaign.data, annotators=not campaign.blind) | {title}
    say = translator(lang, known)
    with speaking(lang, known):
        read = under_title(campaign.reading)

    def shown(template: str, **values: object) -> str:
        return _in_language(render(template, **values), say)

    def outside(template: str, status: int = 200, **values: object) -> HTMLResponse:
        """A page for somebody who is not in: it tells nothing of the campaign."""
        page = say.html(render(template, title="accord", **values))
        return HTMLResponse(page, status)

    def closed(request: HTTPConnection) -> Response:
        if gate.accounts is not None:
            return RedirectResponse("/login", 303)
        return outside("closed.html", 401)

    async def language(request: Request) -> Response:
        return Response(page_script(lang, known), media_type="text/javascript; charset=utf-8")

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        api.writer.start()
        watch = asyncio.create_task(api.watch())
        yield
        watch.cancel()
        api.events.close()
        await api.writer.stop()
        hashing.shutdown(wait=False)

    async def home(request: Request) -> Response:
        response = HTMLResponse(
            shown(
                "app.html",
                title=title,
                read=read,
                shape=campaign.data.shape,
                accounts=gate.accounts is not None,
            )
        )
        token = request.query_params.get("token", "")
        if gate.opens(token):
            gate.remember(response, gate.pass_of(request))
            gate.entered.set()
        return response

    async def document(request: Request) -> Response:
        name = request.query_params.get("name", "")
        draft = campaign.draft
        if not isinstance(draft, PlacedReference) or not isinstance(campaign.data, Units):
            return PlainTextResponse("these data have no alignment to look at", 404)
        found = [a for a in draft.alignments if a.document == name]
        if not found or campaign.blind:
            return PlainTextResponse("there is no alignment of such a document to show", 404)
        embedded = request.query_params.get("embedded") == "1"
        key = f"{embedded} {name}"
        if key not in pages:
            packed = await asyncio.to_thread(explorer, _with_texts(campaign), found)
            html = shown(
                "document.html", title=name, explorer=packed, scripts=SCRIPTS, embedded=embedded
            )
            while len(pages) >= _MOST_PAGES:
                del pages[next(iter(pages))]
            pages[key] = html
        # the card shows this page in a frame of its own
        return HTMLResponse(pages[key], headers={"content-security-policy": _EXPLORER})

    async def discuss(request: Request) -> Response:
        who = request.query_params.get("annotator")
        try:
            html = await asyncio.to_thread(discussion, campaign, who)
        except InputError as problem:
            return PlainTextResponse(str(problem), 404)
        return HTMLResponse(say.html(html))

    async def login(request: Request) -> Response:
        if gate.accounts is None:
            return RedirectResponse("/", 303)
        if request.method != "POST":
            return outside("login.html", problem="")
        form = parse_qs((await request.body()).decode("utf-8", "replace"))
        name, password = (form.get(k, [""])[0] for k in ("name", "password"))
        # a browser that this person logged in with before waits for its own wrong passwords alone
        here = gate.was_here(request, name)
        by = (name, gate.address(request)) if here is None else (here, here)
        seconds = math.ceil(attempts.wait(*by))
        if seconds:
            problem = f"Too many wrong passwords: try again in {seconds} seconds."
            html = outside("login.html", 429, problem=problem)
            html.headers["retry-after"] = str(seconds)
            return html
        # counted before it is known, so that many at once are not tried for one
        attempts.wrong(*by)
        # hashing takes its time on purpose: not on the loop that serves everybody
        account = await asyncio.get_running_loop().run_in_executor(
            hashing, gate.accounts.log_in, name, password
        )
        if account is None:
            return outside("login.html", 401, problem="The name or the password is not right.")
        attempts.right(*by)
        response = RedirectResponse("/", 303)
        gate.remember_browser(response, name, account)
        gate.remember(response, gate.open_session(name, account, user_of(request)))
        return response

    async def logout(request: Request) -> Response:
        gate.close_session(request)
        response = RedirectResponse("/login", 303)
        response.delete_cookie(gate.cookie, path="/")
        return response

    async def icon(request: Request) -> Response:
        return Response(status_code=204)

    doors = [
        Door("/", home, who="viewer"),
        Door("/document", document, who="viewer"),
        Door("/discussion", discuss, who="viewer"),
        Door("/login", login, who="stranger", methods=["GET", "POST"]),
        Door("/logout", logout, who="viewer", methods=["POST"]),
        Door("/language.js", language, who="viewer"),
        Door("/static/{name}", static, who="stranger"),
        Door("/favicon.ico", icon, who="stranger"),
        *api.doors(),
    ]
    return Starlette(
        routes=doors,
        middleware=[Middleware(Guarded, guards=guards(gate, names, doors, closed))],
        lifespan=life,
    )
