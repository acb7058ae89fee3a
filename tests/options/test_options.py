"""Options live on the record of a measure: every door has them, and says the same."""

from __future__ import annotations

import inspect

import pytest
import typer

import accord
import accord.evaluation
from accord.cli.app import app, load_commands
from accord.errors import UsageError, in_command
from accord.measures import enrolled
from accord.options import BY, JOBS, SEED, Option, filled
from accord.registry import measure
from accord.result import Result, signature

#: given to every run of a command rather than to a measure
COMMON = {SEED.name, JOBS.name, BY.name}


@pytest.fixture(scope="module")
def commands():
    load_commands()
    whole = typer.main.get_command(app)
    made = {}
    for name in ("agree", "score", "align"):
        command = whole.commands[name]
        with command.make_context(name, ["x"] * (2 if name == "score" else 1)) as context:
            made[name] = {
                opt: p for p in command.get_params(context) for opt in getattr(p, "opts", ())
            }
    return made


@pytest.mark.parametrize("record", enrolled(), ids=lambda m: m.name)
def test_every_option_is_reachable_and_explained(record, commands):
    for option in record.options:
        if option.python_only:
            continue
        there = commands[record.question]
        assert option.flag in there, f"{record.name}: {option.flag} cannot be typed"
        assert option.name in COMMON or option.help, f"{record.name}: {option.name} has no help"
        for word in option.choices:
            if option.name not in ("by", "length"):
                assert word in there[option.flag].help


def test_align_takes_what_gamma_takes(commands):
    from accord.measures.gamma.options import DISTANCE

    for option in DISTANCE:
        assert option.python_only or option.help in commands["align"][option.flag].help


@pytest.mark.parametrize("record", enrolled(), ids=lambda m: m.name)
def test_the_signature_is_the_record(record):
    named = [
        p
        for p in inspect.signature(record.function).parameters.values()
        if p.kind is p.KEYWORD_ONLY
    ]
    assert [(p.name, p.default) for p in named] == [(o.name, o.default) for o in record.options]
    assert len({o.name for o in record.options}) == len(record.options)
    assert all(o.help for o in record.options), "an option that is not declared has no help"
    for option in record.options:
        option.checked(option.default) if option.type is not object else None


def test_an_option_has_one_meaning_in_a_shape():
    seen = {}
    for record in enrolled():
        for option in record.options:
            known = seen.setdefault((record.shape, record.question, option.name), option)
            assert (known.type, known.help) == (option.type, option.help), (
                f"{option.name} means two things for {record.shape}"
            )


def test_an_option_has_one_type_in_a_command():
    seen = {}
    for record in enrolled():
        for option in record.options:
            assert seen.setdefault(option.name, option.type) is option.type, option.name


@pytest.mark.parametrize("record", enrolled(), ids=lambda m: m.name)
def test_a_wrong_word_is_refused_by_name(record):
    for option in record.options:
        if option.type is object:
            continue
        wrong = {str: "no such word", tuple: 3, bool: "maybe"}.get(option.type, "many")
        if option.type is str and not option.choices and not option.file:
            wrong = 3.5
        if option.file and not option.choices:
            continue
        with pytest.raises(UsageError, match=f"{option.name} must be") as told:
            filled(record.name, record.options, {option.name: wrong})
        assert f"{option.flag} must be" in in_command(told.value.sentence)


def test_python_and_the_command_line_refuse_alike(tmp_path, capsys):
    data = accord.Ratings.from_matrix([["a", "b"], ["a", "a"]])
    with pytest.raises(UsageError) as by_function:
        accord.alpha(data, metric="cubic")
    with pytest.raises(UsageError) as by_verb:
        accord.agree(data, "alpha", metric="cubic")
    assert str(by_function.value) == str(by_verb.value)
    assert str(by_function.value).startswith("metric must be one of nominal, ")
    with pytest.raises(UsageError, match="alpha has no option flavour; its options are metric"):
        accord.alpha(data, flavour="sweet")


def test_what_changes_a_number_stands_in_its_signature():
    data = accord.Chains.from_clusters({("d", "A"): [[1, 2], [3]], ("d", "B"): [[1], [2, 3]]})
    one, other = data.select(annotators=["A"]), data.select(annotators=["B"])
    line = accord.b3(one, other, drop_singletons=True, missing_documents="empty").signature
    assert "singletons:dropped" in line
    assert "drop_singletons" not in line
    assert "missing:empty" in line


def test_both_styles_of_function(monkeypatch):
    from accord import registry

    monkeypatch.setattr(registry, "_measures", dict(registry._measures))
    monkeypatch.setattr(registry, "_names", dict(registry._names))
    size = Option("size", int, "How many.", default=2, least=1)
    record = {"title": "t", "shape": "ratings", "question": "agree", "citation": "c"}

    def result(name, n):
        return Result(measure=name, value=float(n), n=1, signature=signature(name, 1))

    @measure("plain-style", range=(0, 1), options=(size,), **record)
    def plain(ratings, *, size):
        return result("plain-style", size)

    @measure("object-style", range=(0, 1), options=(size,), into=dict, **record)
    def gathered(ratings, settings):
        return result("object-style", settings["size"])

    data = accord.Ratings.from_matrix([["a", "b"], ["a", "a"]])
    for function in (plain, gathered):
        assert function(data).value == 2
        assert function(data, size=5).value == 5
        assert "|size:5|" in function(data, size=5).signature
        with pytest.raises(UsageError, match="size must be at least 1, got 0"):
            function(data, size=0)
    with pytest.raises(ValueError, match="depth declared or taken, but not both"):

        @measure("undeclared", range=(0, 1), options=(size,), **record)
        def undeclared(ratings, *, size, depth):
            return result("undeclared", size)


@pytest.mark.parametrize(
    ("option", "given", "made"),
    [
        (Option("x", float, "h"), 3, 3.0),
        (Option("x", int, "h", default=1), 4, 4),
        (Option("x", tuple, "h"), "a, b", ("a", "b")),
        (Option("x", tuple, "h"), ["a"], ("a",)),
        (Option("x", bool, "h", default=False), True, True),
        (Option("x", str, "h"), None, None),
    ],
)
def test_values_are_read(option, given, made):
    assert option.checked(given) == made
    assert type(option.checked(given)) is type(made)


@pytest.mark.parametrize(
    ("option", "wrong"),
    [
        (Option("x", float, "h"), "3"),
        (Option("x", float, "h"), True),
        (Option("x", float, "h"), float("nan")),
        (Option("x", float, "h", least=0, open=True), 0),
        (Option("x", float, "h", least=0, most=1, open=True), 1),
        (Option("x", int, "h"), 2.5),
        (Option("x", int, "h", most=3), 4),
        (Option("x", bool, "h", default=False), 2),
        (Option("x", tuple, "h"), [1]),
        (Option("x", str, "h", default="a", choices=("a", "b")), None),
    ],
)
def test_values_are_refused(option, wrong):
    with pytest.raises(UsageError, match="x must be"):
        option.checked(wrong)


def test_properties_stand_on_the_record():
    """Code asks the record, so a new measure needs to be named nowhere else."""
    from typing import get_args

    from accord.measures.agreement import PerCategory

    several = [m for m in enrolled(question="agree") if m.several]
    assert {n for m in several for n in (m.name, *m.aliases)} == set(get_args(PerCategory))
    for record in enrolled():
        returned = str(inspect.signature(record.function).return_annotation)
        assert record.several == returned.startswith("tuple"), record.name
    assert [m.name for m in enrolled() if m.right] == ["accuracy", "exact-match"]
