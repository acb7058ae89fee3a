"""What people read, in their language: sentences are translated where they are shown.

The library writes English. A page, a terminal or a table that is shown in another language asks a
:class:`Translator`, which knows whole sentences and sentences with gaps (``{n} items tie``) from a
catalogue, ``fr.json``: English → French, the gaps named alike on both sides. What fills a gap is
translated too when the catalogue knows it (a word, a number) and is left alone otherwise (a name).
Numbers get the decimal sign of the language. Nothing of this is loaded for English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from html import escape, unescape

from accord.errors import UsageError

__all__ = [
    "LANGUAGES",
    "Translator",
    "figures",
    "headed",
    "keep",
    "page_script",
    "quoted",
    "speak",
    "speaker",
    "speaking",
    "speaks",
    "spoken",
    "translator",
]

LANGUAGES = ("en", "fr")

#: a gap has a word for its name: {12} is what it is
_GAP = re.compile(r"\{([a-z]\w*)\}")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
#: a number as accord writes it, perhaps with thousands and a percent sign
_NUMBER = re.compile(r"(?<![\w.|:-])([-−+±]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\w|]|\.\d)(\s?%)?")
#: two limits: a comma cannot both divide them and be their decimal sign
_LIMITS = re.compile(r"\[([^,\[\]]*\d(?:\s?%)?), ([^\[\]]*\d(?:\s?%)?)\]")
#: a name of the data in a sentence of ours
_QUOTED = re.compile(r"(?<![^\s(\[])'([^'\s][^'\n]{0,80}?)'(?![\w'])")
#: several of them, and how many are not told
_NAMES = re.compile(
    r"""((?:'[^'\n]+'|"[^"\n]+")(?:, (?:'[^'\n]+'|"[^"\n]+"))*)(?: (and [\d,]+ more))?"""
)
_AFTER_SPACE = re.compile(r"(?<=\S) (?=[:;!?»](?:\s|$))|(?<=«) ")
_BARE = re.compile(r"(?<![\w.])([-−+±]?)(\.\d+)(?![\w.])")
#: letters and spaces of its own under which a sentence with gaps says too little by itself
_LOOSE = 14
#: a word and its figure: "items 40"
_FACT = re.compile(r"(.+?) ([-−+±]?[\d.,]+\s?%?)")
#: how a text falls into pieces: sentences, then clauses, then the members of a list
_PIECES = tuple(map(re.compile, (r"((?<=[.!?]) |\n+)", r"((?<=[;:]) )", r"(, )")))
_SEVERAL = re.compile(r"[a-z\d)][.!?] [A-Z]")
_TAG = re.compile(r"(<!--.*?-->|<[^>]*>)", re.S)
_SHOWN = re.compile(r'\b(title|aria-label|placeholder|alt|data-title)="([^"]*)"')
#: words of the data: they stay as they are
_OTHERS = re.compile(r"""\btranslate=["']no["']""")
#: elements whose text is not prose
_VERBATIM = ("script", "style", "code", "pre", "textarea", "kbd")


class Translator:
    """Translates sentences; called with one. English is returned as it is.

    `keep` are names of the data (labels, annotators, documents): they are never words of ours.
    `missing` collects the sentences that the catalogue does not know.
    """

    def __init__(self, lang: str, catalogue: Mapping[str, str], keep: Iterable[str] = ()) -> None:
        self.lang = lang
        self.keep = frozenset(keep)
        self.missing: set[str] = set()
        self._whole = catalogue
        self._gapped = _gapped(lang)
        self._known: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        """The text in the language.

        >>> translator("fr")("interval"), translator("en")("interval")
        ('intervalle', 'interval')
        >>> translator("fr")("0.646"), translator("fr")("1,234 of 95%")
        ('0,646', '1\\u202f234 sur 95\\u202f%')
        """
        if self.lang == "en" or not text or text.isspace():
            return text
        if text not in self._known:
            found = self._found(text)
            if found is None:
                self.missing.add(text)
                found = text
            self._known[text] = _QUOTED.sub("«\u00a0\\1\u00a0»", found)
        return self._known[text]

    def html(self, markup: str) -> str:
        """The same for the text between tags, and for what tags say to people.

        >>> translator("fr").html('<p title="interval">0.5 <b>value</b></p>')
        '<p title="intervalle">0,5 <b>valeur</b></p>'
        """
        if self.lang == "en":
            return markup
        out: list[str] = []
        verbatim = ""
        for piece in _TAG.split(markup):
            if piece.startswith("<"):
                name = re.match(r"</?(\w+)", piece)
                if name is not None and name[1] in _VERBATIM:
                    verbatim = "" if piece.startswith("</") else name[1]
                elif _OTHERS.search(piece) and not verbatim:
                    verbatim = name[1] if name is not None else ""
                elif verbatim and name is not None and piece.startswith(f"</{verbatim}"):
                    verbatim = ""
                piece = re.sub(r'(<html\b[^>]*\blang=")en"', rf'\g<1>{self.lang}"', piece)
                out.append(_SHOWN.sub(self._attribute, piece))
            else:
                out.append(piece if verbatim else self._node(piece))
        return "".join(out)

    def _attribute(self, found: re.Match[str]) -> str:
        return f'{found[1]}="{escape(self(unescape(found[2])))}"'

    def _node(self, text: str) -> str:
        inner = text.strip()
        if not inner:
            return text
        before, after = text[: text.index(inner)], text[text.index(inner) + len(inner) :]
        plain = " ".join(unescape(inner).split())
        said = self(plain)
        if said != plain:
            # a page breaks its lines anywhere: not before these
            said = _AFTER_SPACE.sub("\u00a0", said)
        return before + escape(said, quote=False) + after

    def _found(self, text: str, *, pieces: bool = True) -> str | None:
        """The translation, or None."""
        if text in self.keep:
            return text
        if text in self._whole:
            return self._whole[text]
        if not _LETTERS.search(text):
            return self.number(text)
        if (names := _NAMES.fullmatch(text)) is not None:
            return names[1] if names[2] is None else f"{names[1]} {self.filling(names[2])}"
        if " · " in text:
            known = [self._found(part) for part in text.split(" · ")]
            return None if None in known else " · ".join(k for k in known if k is not None)
        # several sentences one by one, before a gap could swallow the end of one and the next
        if pieces and _SEVERAL.search(text) and (told := self._in_pieces(text)) is not None:
            return told
        first = text.split(" ", 1)[0]
        for start in (first, ""):
            for pattern, french, loose in self._gapped.get(start, ()):
                found = pattern.fullmatch(text)
                if found is not None and (not loose or self._plain(found.groups())):
                    filled = {k: self.filling(v) for k, v in found.groupdict().items()}
                    return _GAP.sub(lambda gap, by=filled: by[gap[1]], french)  # type: ignore[misc]
        if (fact := _FACT.fullmatch(text)) is not None and (
            fact[1] in self._whole or fact[1] in self.keep
        ):
            return f"{self._whole.get(fact[1], fact[1])} {self.number(fact[2])}"
        return self._in_pieces(text) if pieces else None

    def _plain(self, fillings: Iterable[str]) -> bool:
        """Names, words and numbers: “{a} of {b}” must not swallow a sentence that nobody translated."""
        return all(
            not any(c.isspace() for c in text) or self._found(text, pieces=False) is not None
            for text in fillings
        )

    def _in_pieces(self, text: str) -> str | None:
        """Several sentences, clauses or members of a list: every piece must be known."""
        for level, cut in enumerate(_PIECES):
            parts = cut.split(text)
            if len(parts) < 2:
                continue
            known = [
                part if i % 2 or not part else self._found(part, pieces=level < len(_PIECES) - 1)
                for i, part in enumerate(parts)
            ]
            if None not in known:
                joined = "".join(part for part in known if part is not None)
                return re.sub(r"(?<=[^\s\d])([:;!?])(?= |$)", "\u00a0\\1", joined)
        return None

    def filling(self, text: str) -> str:
        """What fills a gap: a name of the data, a word we know, a number, or anything else."""
        if text in self.keep:
            return text
        known = self._found(text)
        return self.number(text) if known is None else known

    def number(self, text: str) -> str:
        """Numbers with the decimal sign of the language."""
        text = _NUMBER.sub(_comma, _LIMITS.sub("[\\1\u00a0; \\2]", text))
        return _BARE.sub(lambda m: f"{m[1]}0,{m[2][1:]}", text)


def _comma(found: re.Match[str]) -> str:
    sign, whole, rest, percent = found.groups()
    grouped = whole.replace(",", "\u202f")
    return f"{sign}{grouped}{(rest or '').replace('.', ',')}{chr(0x202F) + '%' if percent else ''}"


def translator(lang: str | None, keep: Iterable[str] = ()) -> Translator:
    """The translator of a language; an unknown one is refused."""
    lang = lang or "en"
    if lang not in LANGUAGES:
        raise UsageError(f"`lang` must be one of {', '.join(LANGUAGES)}, got {lang!r}")
    return Translator(lang, {} if lang == "en" else catalogue(lang), keep)


#: what the terminal speaks: None until a language is chosen, English
_speaking: ContextVar[Translator | None] = ContextVar("speaking", default=None)


def speak(lang: str) -> None:
    """Sentences, headings and numbers of tables in this language from now on."""
    _speaking.set(None if lang == "en" else translator(lang))


def speaker() -> Translator:
    """Who translates into the language that is spoken."""
    return _speaking.get() or translator("en")


@contextmanager
def speaking(lang: str, names: Iterable[str] = ()) -> Iterator[None]:
    """Speak this language for a while; `names` of the data are no words of ours."""
    before = _speaking.set(None if lang == "en" else translator(lang, names))
    try:
        yield
    finally:
        _speaking.reset(before)


def speaks() -> str:
    """The language that is spoken."""
    say = _speaking.get()
    return "en" if say is None else say.lang


def keep(names: Iterable[str]) -> None:
    """These are names of the data from now on, and no words of ours."""
    say = _speaking.get()
    if say is not None:
        _speaking.set(translator(say.lang, say.keep | set(names)))


def spoken(sentence: str) -> str:
    """A sentence or a word of ours in the language that is spoken."""
    say = _speaking.get()
    return sentence if say is None else say(sentence)


def headed(head: str, text: str) -> str:
    """What a sentence is about, and the sentence, with the colon of the language that is spoken.

    >>> headed("alpha", "fits")
    'alpha: fits'
    """
    return f"{head}{'' if speaks() == 'en' else chr(0xA0)}: {text}"


def quoted(text: str) -> str:
    """A text in the quotation marks of the language that is spoken."""
    return f"“{text}”" if speaks() == "en" else f"«\u00a0{text}\u00a0»"


def figures(text: str) -> str:
    """Numbers with the decimal sign of the language that is spoken."""
    say = _speaking.get()
    return text if say is None else say.number(text)


def page_script(lang: str, keep: Iterable[str] = ()) -> str:
    """The script that translates what other scripts write into a page; nothing for English."""
    if lang == "en":
        return ""
    known = {"words": dict(catalogue(lang)), "keep": sorted(keep)}
    text = json.dumps(known, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    source = _file("page.js")
    return f"const accordWords = {text};\n{source}"


def _file(name: str) -> str:
    """A file of this package; nothing of it is imported for English."""
    from importlib.resources import files

    return (files("accord.language") / name).read_text(encoding="utf-8")


@cache
def catalogue(lang: str) -> Mapping[str, str]:
    """English → the language; sections of the file only group."""
    text = _file(f"{lang}.json")
    found: dict[str, str] = {}
    for section in json.loads(text).values():
        found |= section
    # sentences that stand together in one place may stand alone in another
    for english, french in list(found.items()):
        ours, theirs = (re.split(r"(?<=[.!?]) ", side) for side in (english, french))
        if len(ours) == len(theirs) > 1 and not _GAP.search(english):
            for one, other in zip(ours, theirs, strict=True):
                found.setdefault(one, other)
    return found


@cache
def _gapped(lang: str) -> Mapping[str, tuple[tuple[re.Pattern[str], str, bool], ...]]:
    """Sentences with gaps, by their first word; those that begin with a gap under ""."""
    if lang == "en":
        return {}
    out: dict[str, list[tuple[int, re.Pattern[str], str]]] = {}
    for english, french in catalogue(lang).items():
        if _GAP.search(english) is None:
            continue
        seen: set[str] = set()
        parts = _GAP.split(english)
        pattern = ""
        for i, part in enumerate(parts):
            if i % 2 == 0:
                pattern += re.escape(part)
            elif part in seen:
                pattern += f"(?P={part})"
            else:
                seen.add(part)
                pattern += f"(?P<{part}>.+?)"
        first = english.split(" ", 1)[0]
        key = "" if "{" in first else first
        fixed = len(_GAP.sub("", english))
        out.setdefault(key, []).append((fixed, re.compile(pattern, re.S), french))
    # the one that says most by itself is tried first
    return {
        key: tuple((p, f, n < _LOOSE) for n, p, f in sorted(found, key=lambda one: -one[0]))
        for key, found in out.items()
    }
