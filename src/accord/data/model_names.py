"""Names that language models go by: a model among people is asked about, families are told apart."""

from __future__ import annotations

import re
import unicodedata

#: family → what its names hold
_FAMILIES = {
    "gpt": r"gpt|davinci|(?:^|[^a-z])o[134](?:-|$)",
    "claude": r"claude",
    "gemini": r"gemini|gemma-?\d|palm-?\d",
    "llama": r"llama|vicuna|alpaca",
    "mistral": r"mi[sx]tral|ministral",
    "qwen": r"qwen|qwq",
    "deepseek": r"deepseek",
    "phi": r"(?:^|[^a-z])phi-?\d",
    "falcon": r"(?:^|[^a-z])falcon-?\d",
    "command": r"command-r|(?:^|[^a-z])cohere",
    "grok": r"(?:^|[^a-z])grok",
    "bert": r"roberta|deberta|distilbert|camembert|flaubert|bert-|(?:^|[^A-Za-z])m?(?-i:BERT)(?:[^A-Za-z]|$)",
    "t5": r"(?:^|[^a-z])(?:flan-?)?t5(?:[^a-z]|$)",
}
_KNOWN = {family: re.compile(names, re.IGNORECASE) for family, names in _FAMILIES.items()}
#: words that only a system has in its name
_WORDS = (
    "model|modell|modelo|modello|modèle|modele|system|systeem|sistema|système|systeme|bot|classifier|"
    "classifieur|clasificador|spacy|stanza|flair|treetagger|corenlp"
)
_SOME = re.compile(rf"llm|(?:^|[^a-zà-ÿ])(?:{_WORDS})(?:[^a-zà-ÿ]|$)", re.IGNORECASE)


def model_family(name: str) -> str | None:
    """The family of models that a name speaks of; None when it speaks of none.

    >>> model_family("gpt-4o-mini"), model_family("Mixtral-8x7B"), model_family("Albert")
    ('gpt', 'mistral', None)
    """
    return next((family for family, names in _KNOWN.items() if names.search(name)), None)


def looks_like_a_model(name: str) -> bool:
    """Whether an annotator's name is one that models and other systems go by.

    >>> [looks_like_a_model(n) for n in ("claude-3", "Système 1", "BERT", "spaCy", "Marie", "Bert")]
    [True, True, True, True, False, False]
    """
    name = unicodedata.normalize("NFC", name)
    return model_family(name) is not None or _SOME.search(name) is not None
