"""The recording beside its units: which file belongs to which document, and how loud it is where.

The page plays the file with the browser's own elements and loads nothing else; the waveform is drawn from
loudness that is computed here, so it needs no decoding in the browser.
"""

from __future__ import annotations

import mimetypes
import os
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from accord.errors import InputError, UsageError

#: columns of a waveform: enough for a screen at ten times zoom
_COLUMNS = 12_000
#: samples read at once, so that an hour of sound needs no more memory than a second
_BLOCK = 1 << 18


@dataclass(frozen=True, slots=True)
class Recording:
    """A sound or film file, with the loudness (0–99) of equal stretches when it is a WAV."""

    path: Path
    kind: str
    #: length in seconds, where the samples tell it
    seconds: float | None = None
    loudness: tuple[int, ...] = ()

    def compact(self, beside: Path | None) -> dict[str, Any]:
        """For the explorer: the address as the page at `beside` reaches it."""
        if beside is None:
            address = self.path.resolve().as_uri()
        else:
            address = quote(Path(os.path.relpath(self.path, beside.parent)).as_posix())
        return {
            "f": address,
            "v": self.kind == "video",
            **({} if self.seconds is None else {"s": self.seconds, "p": list(self.loudness)}),
        }


def recordings(media: str | Path, documents: Sequence[str]) -> dict[str, Recording]:
    """The recordings of these documents: one file for one document, or a folder of files named like them.

    >>> recordings("nowhere.wav", ["d"])
    Traceback (most recent call last):
    accord.errors.InputError: nowhere.wav does not exist
    """
    path = Path(media)
    if not path.exists():
        raise InputError(f"{path} does not exist")
    if path.is_dir():
        files: dict[str, Path] = {}
        for file in sorted(path.iterdir()):
            if file.is_file() and _kind(file):
                if file.stem in files and file.stem in documents:
                    raise InputError(
                        f"{path} holds two recordings of {file.stem!r}, {files[file.stem].name} and "
                        f"{file.name}: keep one of them there"
                    )
                files[file.stem] = file
        found = {d: files[_stem(d)] for d in documents if _stem(d) in files}
        if not found:
            raise InputError(
                f"{path} holds no recording named like a document: "
                f"{documents[0]!r} would be {_stem(documents[0])}.wav, .mp3, .mp4 or the like"
            )
    elif not _kind(path):
        raise InputError(f"{path} is not a sound or film file by its name")
    elif len(documents) == 1:
        found = {documents[0]: path}
    else:
        found = {d: path for d in documents if _stem(d) == path.stem}
        if not found:
            raise UsageError(
                f"{path} is one recording and there are {len(documents)} documents, none of them called "
                f"{path.stem!r}: give a folder of recordings named like the documents"
            )
    return {d: _opened(p) for d, p in found.items()}


def _stem(document: str) -> str:
    """A document's name without folders or a sound file's suffix."""
    name = document.replace("\\", "/").rsplit("/", 1)[-1]
    return Path(name).stem if _kind(Path(name)) else name


def _kind(path: Path) -> str:
    """ "audio" or "video" by the file's name, else an empty string."""
    kind = (mimetypes.guess_type(path.name)[0] or "").split("/")[0]
    return kind if kind in ("audio", "video") else ""


def _opened(path: Path) -> Recording:
    kind = _kind(path)
    if path.suffix.lower() not in (".wav", ".wave"):
        return Recording(path, kind)
    try:
        with wave.open(str(path), "rb") as sound:
            return Recording(
                path, kind, sound.getnframes() / sound.getframerate(), _loudness(sound)
            )
    except (wave.Error, EOFError, ZeroDivisionError):
        # compressed or floating samples: the browser may play what cannot be drawn
        return Recording(path, kind)


def _loudness(sound: wave.Wave_read) -> tuple[int, ...]:
    """The largest sample of each of at most `_COLUMNS` equal stretches, as a share of the loudest."""
    frames, width = sound.getnframes(), sound.getsampwidth()
    columns = min(_COLUMNS, frames)
    if columns == 0:
        return ()
    peaks = np.zeros(columns)
    done = 0
    while done < frames:
        block = sound.readframes(_BLOCK)
        if not block:
            break
        values = np.abs(_samples(block, width)).reshape(-1, sound.getnchannels()).max(axis=1)
        column = (np.arange(done, done + len(values)) * columns) // frames
        np.maximum.at(peaks, column, values)
        done += len(values)
    loudest = peaks.max(initial=0.0) or 1.0
    return tuple(int(v) for v in np.rint(99 * peaks / loudest))


def _samples(block: bytes, width: int) -> NDArray[np.float64]:
    """PCM samples as numbers around zero; eight bits are unsigned, by the format's rule."""
    if width == 1:
        return np.frombuffer(block, dtype=np.uint8).astype(np.float64) - 128
    if width == 3:
        bytes_ = np.frombuffer(block, dtype=np.uint8).reshape(-1, 3).astype(np.int32)
        values = bytes_[:, 0] | bytes_[:, 1] << 8 | bytes_[:, 2] << 16
        return np.where(values >= 1 << 23, values - (1 << 24), values).astype(np.float64)
    return np.frombuffer(block, dtype="<i2" if width == 2 else "<i4").astype(np.float64)
