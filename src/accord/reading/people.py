"""Who is an annotator in a wide table: columns that share their values, and none that was computed.

Which columns are annotators is not written in the file. Annotators of one campaign use the same
values: columns are annotators together when they share values (for numbers: when their ranges
meet). A sum or a mean of the others, a text, a column that numbers its rows are left out, and said;
a column that shares nothing with the others may be an annotator with labels of her own, or none: that
is asked, unless its name says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import natural_key
from accord.data.reading import Record
from accord.data.roles import is_reference
from accord.data.values import Column, is_number
from accord.errors import InputError, did_you_mean, some
from accord.reading.columns import SYNONYMS, is_comment, may_be_comment, plain_name
from accord.reading.named import Named, Words

#: at least so many words must be nearly all distinct before that says something
_ENOUGH = 10
_NEARLY = 0.9
#: numbers over a range so many times wider are on another scale
_OTHER_SCALE = 4
#: names that are listed in an option that is shown
LISTED = 12

_SUMS = ("total", "totals", "sum", "sums", "somme", "totaux", "summe", "gesamt", "gesamtsumme",
         "suma", "totale", "somma")  # fmt: skip
_MEANS = ("mean", "means", "average", "avg", "moyenne", "mittelwert", "durchschnitt", "mittel",
          "media", "promedio")  # fmt: skip
#: what else is computed of the ratings of an item
_SPREADS = ("median", "sd", "std", "stdev", "std_dev", "variance", "mediane", "ecart_type",
            "standardabweichung", "mediana", "varianza")  # fmt: skip
_VOTES = ("majority", "majority_vote", "majority_label", "vote", "mode", "aggregated",
          "aggregated_label", "majorite", "vote_majoritaire", "mehrheit", "mayoria",
          "maggioranza")  # fmt: skip
TOTALS = frozenset({*_SUMS, *_MEANS, *_SPREADS})
_NUMBERED = re.compile(r"(.*?)[_#]?(\d+|[a-z])")

Array = NDArray[np.float64]


def annotators_among(
    named: Named, names: Sequence[str], *, keyword: str = "annotators"
) -> list[str]:
    """Return the columns that are annotators (or items, where rows are people): named, or told.

    What is left out is kept in the record, and what cannot be told is asked.
    """
    among = _Among(named, names, keyword)
    asked = getattr(named.options, keyword)
    return among.told() if asked is None else among.named_in(asked)


@dataclass(frozen=True, slots=True)
class _Among:
    """Columns of a table, of which some are annotators (or items)."""

    table: Named
    names: Sequence[str]
    keyword: str

    @property
    def record(self) -> Record:
        return self.table.record

    @property
    def people(self) -> bool:
        return self.keyword == "annotators"

    def named_in(self, asked: Iterable[str]) -> list[str]:
        """The columns that were named, and the reference beside them."""
        names = [*self._under_old_names(asked), *self._apart()]
        unknown = [n for n in names if n not in self.names]
        if unknown:
            meant = did_you_mean(unknown[0], self.names, "{!r}")
            raise InputError(
                f"has no column {unknown[0]!r}; it has {some(list(self.names))}{meant}",
                path=self.record.path,
                hint=f"name columns that are {self.keyword}",
            )
        return list(dict.fromkeys([*names, *self._references()]))

    def told(self) -> list[str]:
        """The columns that share their values, and those that names say."""
        sure = {*self._apart(), *self._references()}
        words = {n: self.table.words(n) for n in self.names}
        others = [n for n in self.names if n not in sure]
        why = _reasons(others, words)
        computed = _computed(
            {n: self.table.columns[n] for n in others if n not in why},
            {n for n in others if words[n].numeric},
        )
        groups = _meeting([n for n in self.names if n not in why and n not in computed], words)
        people = [[n for n in g if n not in sure] for g in groups]
        several = [g for g in people if len(g) > 1]
        alone = [g[0] for g in people if len(g) == 1]
        if len(several) > 1:
            self._ask_of_groups(several)
        if several:
            chosen = several[0]
        elif len(alone) > 1:
            self._ask_of_groups([alone])
        else:
            chosen, alone = alone, []
        if not chosen and not sure:
            raise InputError(
                f"has no column of ratings among {some(list(self.names))}",
                path=self.record.path,
                hint=f"name the columns of the {self.keyword} with `{self.keyword}`",
            )
        chosen = self._with_loners(chosen, alone)
        self._ask_of_scale(chosen)
        self._leave_out(why, computed, chosen)
        return [n for n in self.names if n in chosen or n in sure]

    def _references(self) -> list[str]:
        return [n for n in self.names if self.people and is_reference(n)]

    def _apart(self) -> list[str]:
        """Columns of people to whom options give another part."""
        options = self.table.options
        own = () if options.reference_annotator is None else (options.reference_annotator,)
        apart = (*options.systems, *options.without, *own) if self.people else ()
        return self._under_old_names(apart)

    def _under_old_names(self, names: Iterable[str]) -> list[str]:
        new_names = self.table.options.rename.items()
        renamed = {new: old for old, new in new_names if old in self.names}
        return [renamed.get(name, name) for name in names]

    def _ask_of_groups(self, groups: Sequence[Sequence[str]]) -> None:
        """Two groups of columns share values among themselves, or none does: only the user can tell."""
        self.record.ask(
            "has columns that share no values, so that those of ratings cannot be told from others",
            {self._are(group): (self.keyword, tuple(group)) for group in groups},
        )

    def _with_loners(self, chosen: Sequence[str], alone: Sequence[str]) -> list[str]:
        """The annotators with those columns that share no value with them and are called like them."""
        called = [n for n in alone if self._is_called_so(n, chosen)]
        unsure = [n for n in alone if n not in called]
        every = sorted([*chosen, *called], key=natural_key)
        if unsure:
            whole = sorted([*every, *unsure], key=natural_key)
            one = len(unsure) == 1
            they_are = "it is an annotator with labels of their own"
            if not one or not self.people:
                they_are = self._are(whole)
            self.record.ask(
                f"column {unsure[0]!r} shares no value with the others"
                if one
                else f"columns {some(unsure)} share no value with the others",
                {
                    they_are: (self.keyword, tuple(whole)),
                    "it is none" if one else "they are none": (self.keyword, tuple(every)),
                },
            )
        if called:
            self.record.assume(self._are(called), (self.keyword, tuple(chosen)), why="by its name")
        return every

    def _are(self, names: Sequence[str]) -> str:
        noun = "annotator" if self.people else "item"
        one = f"is an {noun}" if len(names) == 1 else f"are {noun}s"
        return f"{some(names)} {one}"

    def _is_called_so(self, name: str, chosen: Sequence[str]) -> bool:
        """Whether a column has a name of an annotator, or a number after the name that the others have."""
        if self.people and (called_annotator(name) or plain_name(name) in SYNONYMS["annotator"]):
            return True
        found = [_NUMBERED.fullmatch(plain_name(n)) for n in (name, *chosen)]
        stems = {None if one is None else one[1] for one in found}
        return len(stems) == 1 and None not in stems

    def _ask_of_scale(self, chosen: Sequence[str]) -> None:
        """A length or an age among ratings from 1 to 5 shares numbers with them, and may be no annotator."""
        for name in chosen:
            own = self.table.words(name)
            rest = tuple([n for n in chosen if n != name])
            others = [self.table.words(n) for n in rest]
            if len(others) < 2 or not all(w.numeric for w in (own, *others)):
                continue
            low, high = min(w.low for w in others), max(w.high for w in others)
            if own.high - own.low > _OTHER_SCALE * (high - low) > 0:
                self.record.ask(
                    f"has numbers from {own.low:g} to {own.high:g} in column {name!r} and from "
                    f"{low:g} to {high:g} in the others, so that it may be no annotator",
                    {
                        "it is none": (self.keyword, rest),
                        self._are(chosen): (self.keyword, tuple(chosen)),
                    },
                )

    def _leave_out(
        self, why: Mapping[str, str], computed: Mapping[str, str], chosen: Sequence[str]
    ) -> None:
        """Say which columns are no annotators: what was computed each, all the rest at once."""
        for name, reason in computed.items():
            whole = (*chosen, name)
            keep = (self.keyword, whole) if len(whole) <= LISTED else None
            self.record.leave_out(f"column {name!r}", why=reason, keep=keep)
        if why:
            names, reasons = list(why), {*why.values()}
            self.record.leave_out(
                f"column {names[0]!r}" if len(names) == 1 else f"columns {some(names)}",
                len(names),
                why=reasons.pop() if len(reasons) == 1 else "texts, numbers of rows, or empty",
            )


def share_values(words: Mapping[str, Words]) -> bool:
    """Whether two columns or more have the same values, so that they look like annotators."""
    held = [w for n, w in words.items() if w.size and not _is_index(n, words)]
    return any(one.alike(other) for i, one in enumerate(held) for other in held[:i])


def called_annotator(name: str) -> bool:
    """Whether a column is called like an annotator with a number: coder2, Annotateur B.

    >>> [called_annotator(n) for n in ("Coder 2", "rater_b", "annotator", "domain")]
    [True, True, False, False]
    """
    found = _NUMBERED.fullmatch(plain_name(name))
    return found is not None and found[1] in SYNONYMS["annotator"]


def called_total(name: str) -> bool:
    """Whether this is a name of what is computed: a sum, a mean, a deviation."""
    return plain_name(name) in TOTALS


def _is_index(name: str, words: Mapping[str, Words]) -> bool:
    """Rows numbered from 0 or 1, beside columns that are not."""
    own = words[name]
    n = own.size
    if not own.numeric or n < 3 or len(own.distinct) < min(n, 1000) or own.low not in (0.0, 1.0):
        return False
    others = [w for m, w in words.items() if m != name and w.size]
    return own.high - own.low == n - 1 and all(w.distinctness < 1 for w in others)


def _is_prose(name: str, words: Mapping[str, Words]) -> bool:
    """Nearly every cell is another text, where the cells of others are often the same."""
    own = words[name]
    others = [w for n, w in words.items() if n != name]
    if own.numeric or not others:
        return False
    usual = sorted(w.distinctness for w in others)[len(others) // 2]
    if own.size < _ENOUGH:
        alone = not any(map(own.meets, others))
        return alone and own.size > 2 and own.distinctness == 1 and usual <= 0.75
    return own.distinctness >= _NEARLY and usual < 0.5


def _meeting(names: Sequence[str], words: Mapping[str, Words]) -> list[list[str]]:
    """Groups of columns that share values, directly or through others."""
    groups: list[list[str]] = []
    for name in names:
        joined = [g for g in groups if any(words[name].meets(words[m]) for m in g)]
        groups = [g for g in groups if g not in joined]
        groups.append([*(m for g in joined for m in g), name])
    return [[n for n in names if n in group] for group in groups]


# --- what is no annotator --------------------------------------------------------------------------


def _reasons(names: Sequence[str], words: Mapping[str, Words]) -> dict[str, str]:
    """Columns that nobody takes for an annotator → why."""
    why = {n: "called like a text or remark" for n in names if _is_remark(n, words[n])}
    why |= {n: "empty" for n in names if n not in why and not words[n].size}
    own = {n: w for n, w in words.items() if n not in why}
    why |= {n: "numbers its rows" for n in names if n in own and _is_index(n, own)}
    left = {n: words[n] for n in names if n not in why}
    return why | {n: "nearly every value is another" for n in left if _is_prose(n, left)}


def _is_remark(name: str, own: Words) -> bool:
    """Whether a column is called like a remark, or may be and holds texts that hardly repeat."""
    texts = own.size > 0 and not own.numeric and own.distinctness >= _NEARLY
    return is_comment(name) or (texts and may_be_comment(name))


def _computed(columns: Mapping[str, Column], numeric: set[str]) -> dict[str, str]:
    """Columns that were computed of the others → how."""
    numbers = {n: numbers_of(c) for n, c in columns.items() if n in numeric}
    rated = [c for n, c in numbers.items() if not called_total(n)]
    found: dict[str, str] = {}
    for name in [n for n in numbers if called_total(n) and len(rated) > 1]:
        if why := why_computed(numbers[name], rated, "the others", called=True):
            found[name] = why
    left = [n for n in numbers if n not in found]
    for name in reversed(left):
        if why := why_computed(
            numbers[name], [numbers[n] for n in left if n != name], "the others"
        ):
            found[name] = why
            break
    votes = [n for n in columns if plain_name(n) in _VOTES]
    people = [list(c) for n, c in columns.items() if n not in votes and n not in found]
    return found | {n: "the vote of the others" for n in votes if _is_vote(columns[n], people)}


def why_computed(own: Array, others: Sequence[Array], of: str, *, called: bool = False) -> str:
    """Return why numbers (which are `called` so) were computed of the others; "" where they are ratings."""
    way = computed_of(own, others, named=called)
    if way is not None:
        return f"the {way} of {of}"
    if not called:
        return ""
    held, mine = np.concatenate([c[c == c] for c in others]), own[own == own]
    beyond = bool(len(held) and ((mine > held.max()) | (mine < held.min())).any())
    parts = bool(np.any(mine % 1) and not np.any(held % 1))
    return "called like a sum or mean, with other numbers" if beyond or parts else ""


def numbers_of(column: Column) -> Array:
    """Return the cells as numbers, NaN where one is none."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return column.astype(np.float64)
    out = np.full(len(column), np.nan)
    for row, cell in enumerate(column):
        text = str(cell).replace(",", ".")
        if cell is not None and is_number(text):
            out[row] = float(text)
    return out


def computed_of(own: Array, others: Sequence[Array], *, named: bool = False) -> str | None:
    """Return whether these numbers are the sum or the mean of the others, place by place.

    That two of a few people make a third by chance is to be ruled out: at some places the others
    must differ, and there must be many of them, or numbers that no rating is. What is `named` so
    needs less.

    >>> a, b = np.array([1.0, 2, 2, 4]), np.array([2.0, 2, 3, 1])
    >>> computed_of(a + b, [a, b]), computed_of((a + b) / 2, [a, b]), computed_of(a, [a, a])
    ('sum', 'mean', None)
    """
    held = ~np.isnan(own)
    if len(others) < 2 or int(held.sum()) < 2:
        return None
    grid, mine = np.stack(others)[:, held], own[held]
    there = ~np.isnan(grid)
    count, total = there.sum(axis=0), np.where(there, grid, 0.0).sum(axis=0)
    if not (count > 0).all():
        return None
    added = int(((there & (grid != 0)).sum(axis=0) > 1).sum())
    beyond = bool((mine > grid[there].max()).any())
    if np.allclose(mine, total, rtol=1e-9, atol=1e-9):
        return "sum" if added > (0 if named else 1) and (named or beyond or added > 3) else None
    apart = int((np.nanmax(grid, axis=0) != np.nanmin(grid, axis=0)).sum())
    parts = bool(np.any(mine % 1) and not np.any(grid[there] % 1))
    if bool((np.abs(mine - total / count) <= _rounding(mine, whole=named)).all()):
        return "mean" if apart > 1 and (named or parts or apart > 3) else None
    return None


def _rounding(numbers: Array, *, whole: bool) -> float:
    """How far numbers may be off that were rounded as they are written; `whole` ones too, or not."""
    places = max(len(repr(v).partition(".")[2].rstrip("0")) for v in numbers.tolist())
    if places:
        return max(0.5000001 * 10.0**-places, 1e-9)
    return 0.5000001 if whole else 1e-9


def _is_vote(column: Column, people: Sequence[Sequence[object]]) -> bool:
    """Whether each cell is what most others say, wherever one answer has the most votes."""
    if len(people) < 2:
        return False
    met = 0
    for row, own in enumerate(column):
        said = [str(c[row]) for c in people if c[row] is not None]
        votes = {v: said.count(v) for v in said}
        best = [v for v, n in votes.items() if n == max(votes.values())]
        if len(best) == 1 and own is not None:
            if str(own) != best[0]:
                return False
            met += 1
    return met > 1
