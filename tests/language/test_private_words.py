"""Words of the code, or of one paper, that people need not know stand in nothing that is printed."""

import json
import re
from importlib.resources import files

import pytest

import accord.measures  # noqa: F401 enrols what is described
from accord.language import catalogue, translator
from accord.registry import enrolled
from tests.conftest import ROOT
from tests.in_process import commands

PRIVATE = re.compile(
    r"\b(the gap|gap of|honest gap|0, proven|proven ideal|\(ideal\)|ideal alignments?|unitary alignments?"
    r"|finds|invents|borders|pairs seen|seen by|the matter|much matter|of matter|atoms?|scaffolding|urns?"
    r"|specific agreement|Algorithm 1|cuttings?)\b|\(ideal\)"
)
#: what may have one of them, and why
ALLOWED = {
    # the papers in their own words (accord reproduce)
    "papers",
    # the pages on which people decide, whose cards and borders are explained there
    "adjudication",
}
#: sentences in which the word is nobody's own
PLAIN = (
    "How much of each class the system finds; read it with precision.",
    "insensitive to cutting a stretch",
    "cutting one span in two",
    "cutting {a}",
    "cutting a unit in two",
    "cutting of documents",
    # an option or a method by its name
    "give their size with `atom`",
    "greedy (Algorithm 1)",
)


def private(text):
    for plain in PLAIN:
        text = text.replace(plain, "")
    return PRIVATE.search(text)


def sections():
    text = (files("accord.language") / "fr.json").read_text(encoding="utf-8")
    return {name: words for name, words in json.loads(text).items() if name not in ALLOWED}


def test_no_sentence_has_a_private_word():
    assert len(catalogue("fr")) > 2000
    found = [key for words in sections().values() for key in words if private(key)]
    assert not found


@pytest.mark.parametrize("name", sorted(commands().commands))
def test_no_help_page_has_a_private_word(name):
    command = commands().commands[name]
    texts = [command.help or "", *(getattr(p, "help", "") or "" for p in command.params)]
    assert not [text for text in texts if private(text)]


def test_no_measure_is_described_in_private_words():
    texts = [text for m in enrolled() for text in (m.title, m.use, *(o.help for o in m.options))]
    assert len(texts) > 300
    assert not [text for text in texts if private(text)]


@pytest.mark.parametrize(
    "sentence", ["0.2 (gap of 3)", "a unitary alignment", "gap 0, proven", "the matter marked"]
)
def test_the_list_catches_them(sentence):
    assert private(sentence)


def _entries(page, section):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8").partition(section)[2]
    return re.findall(r"(?m)^(.+)\n: ", text.partition("\n## ")[0])


def test_the_words_of_first_screens_stand_in_the_glossary_of_both_languages():
    english = _entries("glossary.md", "## Words that accord prints")
    french = _entries("fr/glossaire.md", "# Glossaire")
    assert len(english) == len(french) == len(set(english)) == len(set(french))
    say = translator("fr")
    for word in ("alone", "identical", "most confused", "most disputed", "confirmed by another"):
        assert word in english
        assert say(word) in french, say(word)
