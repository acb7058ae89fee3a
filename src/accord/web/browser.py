"""Open the page in the browser: by a private file that leads to it.

A browser is started with what it opens in its command line, where every user of the machine can
read it: that is the name of a file which its owner alone can read, never the address with its token.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import webbrowser
from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path

#: seconds after which the file goes, whether it was used or not
_SECONDS = 120.0


def open_page(address: str, used: threading.Event) -> Callable[[], None]:
    """Open an address; the file that leads to it goes once it was `used`, in a while, or when told."""
    # (the folder is its owner's alone: mkdtemp makes it so)
    folder = tempfile.mkdtemp(prefix="accord-")
    page = Path(folder) / "open.html"
    handle = os.open(page, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(
            '<!DOCTYPE html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
            f'<title>accord</title><meta http-equiv="refresh" content="0; url={escape(address)}">'
            f'<a href="{escape(address)}">accord</a>\n'
        )
    remove = partial(shutil.rmtree, folder, ignore_errors=True)

    def remove_used() -> None:
        used.wait(_SECONDS)
        remove()

    # a browser in the terminal returns when it is left: the server answers meanwhile
    for work in (partial(webbrowser.open, page.as_uri()), remove_used):
        threading.Thread(target=work, name="accord opens the browser", daemon=True).start()
    return remove
