"""Server-sent events: everybody sees what everybody does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable

#: events that wait for a slow reader; then it is told to load anew
_MOST = 500
_BREATH = 15.0


class Events:
    """Who listens."""

    def __init__(self) -> None:
        self._listeners: set[asyncio.Queue[str | None]] = set()

    @property
    def count(self) -> int:
        return len(self._listeners)

    def tell(self, kind: str, content: object) -> None:
        """Send an event to everybody who listens."""
        text = f"event: {kind}\ndata: {json.dumps(content, ensure_ascii=False)}\n\n"
        for queue in self._listeners:
            if queue.full():
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait("event: reload\ndata: {}\n\n")
            else:
                queue.put_nowait(text)

    def close(self) -> None:
        """End all streams, so that the server can stop."""
        for queue in self._listeners:
            while queue.full():
                queue.get_nowait()
            queue.put_nowait(None)

    async def listen(self, still: Callable[[], bool]) -> AsyncIterator[str]:
        """Events as they come, and a sign of life between them, while whoever listens `still` may."""
        queue: asyncio.Queue[str | None] = asyncio.Queue(_MOST)
        self._listeners.add(queue)
        try:
            yield "retry: 2000\n\n"
            while True:
                try:
                    text = await asyncio.wait_for(queue.get(), _BREATH)
                except TimeoutError:
                    text = ": still here\n\n"
                if text is None or not still():
                    return
                yield text
        finally:
            self._listeners.discard(queue)
