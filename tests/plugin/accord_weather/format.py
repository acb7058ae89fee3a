"""A line per annotator: a name, a colon, one value per day."""

from __future__ import annotations

from accord.data import Ratings
from accord.files.archive import Entry
from accord.formats import Format, ReadOptions, Sniff


def _read(file: Entry, options: ReadOptions) -> Ratings:
    lines = [line.partition(":") for line in file.read().decode().splitlines()]
    return Ratings.from_matrix(
        [values.split() for _, _, values in lines], annotators=[name for name, _, _ in lines]
    )


FORMAT = Format(
    name="weather-log",
    title="Weather log",
    sniff=(Sniff(endings=(".weather",)),),
    read=_read,
)
