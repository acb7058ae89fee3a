"""Who is who: people, systems, the reference; chosen and renamed, in files and in Python."""

import json

import pytest

import accord
from accord.data.roles import reference_of, systems_of
from accord.errors import InputError, UsageError
from accord.reading import read_many
from tests.told import told

LONG = """item,annotator,value
1,Ann,yes
1,Bob,yes
1,gpt,odd
1,gold,yes
2,Ann,no
2,Bob,yes
2,gpt,no
2,gold,no
3,Ann,no
3,Bob,no
3,gpt,no
3,gold,no
4,gold,no
4,gpt,yes
"""


@pytest.fixture
def campaign(tmp_path):
    path = tmp_path / "all.csv"
    path.write_text(LONG)
    return path


def only(*names):
    """The same file with the rows of these annotators alone."""
    rows = [r for r in LONG.splitlines() if r.split(",")[1] in ("annotator", *names)]
    return "\n".join(rows) + "\n"


def test_a_reference_is_no_annotator_and_the_reading_says_so(campaign):
    data = accord.read(campaign)
    assert data.annotators == ("Ann", "Bob", "gpt")
    assert "'gold' is the reference (otherwise curation='include')" in str(data.reading)
    assert reference_of(data).n_ratings == 4
    asked = accord.read(campaign, annotators=["Ann", "gold"])
    assert asked.annotators == ("Ann", "gold")
    assert accord.read(campaign, curation="include").annotators == ("Ann", "Bob", "gold", "gpt")


@pytest.mark.parametrize(
    "name",
    ["gold", "Reference", "curator", "curation", "CONSENSUS", "adjudicated", "CURATION_USER"],
)
def test_names_of_references(name, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(LONG.replace("gold", name))
    assert name not in accord.read(path).annotators


def test_a_file_of_the_reference_alone_is_the_reference(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(only("gold"))
    assert accord.read(path).annotators == ("gold",)
    path.write_text("item,value\n1,yes\n")
    assert accord.read(path.rename(tmp_path / "gold.csv")).annotators == ("gold",)


def test_a_curators_file_among_others(tmp_path):
    for name in ("ann", "bob", "curator"):
        (tmp_path / f"{name}.csv").write_text("item,value\n1,yes\n2,no\n")
    data = read_many([tmp_path / f"{n}.csv" for n in ("ann", "bob", "curator")])
    assert data.annotators == ("ann", "bob")
    assert accord.read(tmp_path).annotators == ("ann", "bob")


@pytest.mark.parametrize(
    "options",
    [
        {"annotators": ["Ann", "Bob"]},
        {"annotators": "Ann,Bob"},
        {"without": ["gpt"]},
        {"systems": ["gpt"]},
        {"systems": ["gpt"], "reference_annotator": "gold"},
        {"without": ["gpt", "gold"]},
    ],
)
def test_what_is_kept_is_what_a_file_of_the_people_alone_holds(options, campaign, tmp_path):
    alone = tmp_path / "alone.csv"
    alone.write_text(only("Ann", "Bob"))
    kept, expected = accord.read(campaign, **options), accord.read(alone)
    # the category of the system and the item that no person rated are gone
    assert kept.labels == expected.labels == ("no", "yes")
    assert list(kept.items) == list(expected.items) == ["1", "2", "3"]
    for measure in ("alpha", "s", "ac1", "percent"):
        assert accord.agree(kept, measure).value == accord.agree(expected, measure).value


def test_systems_stand_by_with_their_own_answers(campaign):
    data = accord.read(campaign, systems=["gpt"])
    (name, answers), *more = systems_of(data).items()
    assert (name, answers.n_ratings, answers.annotators) == ("gpt", 4, ("gpt",))
    assert not more
    assert data.roles.choice.signature() == "systems:gpt"


def test_numbers_are_numbers_once_the_refusals_of_a_system_are_aside(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("item,annotator,value\n1,A,3\n1,B,4\n1,gpt,I refuse\n2,A,1\n2,B,1\n2,gpt,1\n")
    assert accord.read(path).kind == "categories"
    assert accord.read(path, systems=["gpt"]).kind == "numbers"
    assert accord.read(path, systems=["gpt"], values="categories").kind == "categories"


def test_documents_are_chosen(tmp_path):
    path = tmp_path / "u.csv"
    path.write_text(
        "document,annotator,start,end,label\n"
        + "".join(f"{d},{a},0,4,{d}\n" for d in ("d1", "d2", "d3") for a in ("A", "B", "gpt"))
    )
    data = accord.read(path, documents="d1,d3", systems=["gpt"])
    assert data.documents == ("d1", "d3")
    assert data.categories == ("d1", "d3")
    assert systems_of(data)["gpt"].documents == ("d1", "d3")
    assert systems_of(data.select(documents=["d3"]))["gpt"].documents == ("d3",)


def test_the_older_documents_file_is_the_table_of_lengths(tmp_path):
    (tmp_path / "u.csv").write_text("annotator,start,end,label\nA,0,4,x\nB,0,5,x\n")
    (tmp_path / "sizes.csv").write_text("document,length\ndocument,20\n")
    data = accord.read(tmp_path / "u.csv", documents=tmp_path / "sizes.csv")
    assert data.lengths.tolist() == [20]
    assert any("now called `lengths`" in n for n in data.notes)
    assert accord.read(tmp_path / "u.csv", lengths=tmp_path / "sizes.csv").lengths.tolist() == [20]


def test_renaming(tmp_path, campaign):
    data = accord.read(campaign, rename={"Bob": "Abe"}, annotators=["Ann", "Abe"])
    assert data.annotators == ("Ann", "Abe")
    assert accord.read(campaign, rename=["gpt=a system"]).annotators == ("Ann", "Bob", "a system")
    with pytest.raises(InputError, match="no annotator is called 'Eve'"):
        accord.read(campaign, rename={"Eve": "Adam"})
    for name in ("r1", "r2"):
        (tmp_path / f"{name}.csv").write_text("document,annotator,start,end,label\nd,1,0,4,x\n")
    files = [tmp_path / "r1.csv", tmp_path / "r2.csv"]
    assert read_many(files).reading.left_out[0].what == "1 repeated unit"
    (tmp_path / "r2.csv").write_text("document,annotator,start,end,label\nd,1,5,9,x\n")
    assert any("is one person (`rename=" in one for one in told(read_many(files)))
    assert read_many(files, rename={"r1.csv:1": "Ann", "r2.csv:1": "Bob"}).annotators == (
        "Ann",
        "Bob",
    )


def test_two_names_of_one_person_become_one(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("item,annotator,value\n1,B. Smith,x\n2,Bob,y\n1,Ann,x\n2,Ann,x\n")
    data = accord.read(path, rename={"B. Smith": "Bob"})
    assert data.annotators == ("Ann", "Bob")
    assert data.n_ratings == 4
    path.write_text("item,annotator,value\n1,B. Smith,x\n1,Bob,y\n1,Ann,x\n")
    with pytest.raises(InputError, match="rates item '1' twice"):
        accord.read(path, rename={"B. Smith": "Bob"})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"annotators": ["Eve"]}, "unknown annotator 'Eve'"),
        ({"without": ["Eve"]}, "unknown annotator 'Eve'"),
        ({"systems": ["gpt"], "annotators": ["Ann", "gpt"]}, "one role"),
        ({"without": ["Ann", "Bob", "gpt"]}, "no annotator is left"),
        ({"annotators": []}, "names nobody"),
        ({"annotators": ["Ann", "Ann"]}, "named twice"),
        ({"rename": ["Ann"]}, "OLD=NEW"),
        ({"encoding": "klingon"}, "not known"),
        ({"colour": 1}, "reading has no option colour; its options are shape, columns"),
        (
            {"missing_value": "x"},
            "reading has no option missing_value; did you mean missing_values?",
        ),
        ({"wide": "yes"}, "wide must be True or False, got 'yes'"),
        ({"lengths": 3}, "lengths must be a path, got 3"),
        ({"merge": "ab"}, "merge must be NEW=A,B, got 'ab'"),
        ({"rows": "people"}, "rows must be one of items or annotators, got 'people'"),
    ],
)
def test_slips_are_told(options, words, campaign):
    with pytest.raises((InputError, UsageError), match=words):
        accord.read(campaign, **options)


def test_one_file_for_every_command(campaign, tmp_path, accord_command):
    path = tmp_path / "many.csv"
    rows = ["item,annotator,value"]
    for i in range(40):
        rows += [
            f"{i},{a},{int((i * 7 + k) % 5 < 3)}" for k, a in enumerate(["A", "B", "C", "gpt"])
        ]
        rows.append(f"{i},gold,{int(i % 5 < 3)}")
    path.write_text("\n".join(rows) + "\n")
    one = json.loads(accord_command("alt-test", path, "--systems", "gpt", "--json").stdout)
    for name, keep in (("people", ("A", "B", "C")), ("gpt", ("gpt",))):
        kept = [r for r in rows if r.split(",")[1] in ("annotator", *keep)]
        (tmp_path / f"{name}.csv").write_text("\n".join(kept) + "\n")
    two = accord_command("alt-test", tmp_path / "people.csv", tmp_path / "gpt.csv", "--json")
    assert one["omega"] == json.loads(two.stdout)["omega"]
    ranked = json.loads(
        accord_command("rank", path, "--systems", "gpt", "--resamples", "20", "--json").stdout
    )
    assert ranked["judges"] == 3
    for command in ("audit", "agree"):
        done = json.loads(accord_command(command, path, "--systems", "gpt", "--json").stdout)
        alone = accord_command(command, tmp_path / "people.csv", "--json")
        result = (done.get("results") or [done["recommendation"]["result"]])[0]
        other = json.loads(alone.stdout)
        expected = (other.get("results") or [other["recommendation"]["result"]])[0]
        assert result["value"] == expected["value"]
    scored = json.loads(
        accord_command(
            "score",
            path,
            "--reference-annotator",
            "gold",
            "--systems",
            "gpt",
            "-m",
            "accuracy",
            "--json",
        ).stdout
    )
    assert [r["system"] for r in scored["results"]] == ["gpt"]
    everyone = json.loads(accord_command("score", path, "-m", "accuracy", "--json").stdout)
    assert [r["system"] for r in everyone["results"]] == ["A", "B", "C", "gpt"]
    none = accord_command("rank", tmp_path / "people.csv")
    assert none.returncode == 2
    assert "--systems" in none.stderr


def test_the_older_table_of_annotators_of_gold(campaign, tmp_path, accord_command):
    table = tmp_path / "quality.csv"
    done = accord_command("gold", campaign, "--without", "gpt", "--annotators", table)
    assert done.returncode == 0
    assert "--annotator-details" in done.stderr
    assert table.is_file()
    chosen = accord_command("gold", campaign, "--annotators", "Ann,Bob", "--json")
    assert {a["annotator"] for a in json.loads(chosen.stdout)["annotators"]} == {"Ann", "Bob"}


def test_groups_from_a_column_a_file_or_a_mapping(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("item,annotator,value,team\n1,A,x,red\n1,B,x,blue\n2,A,y,red\n2,B,y,blue\n")
    table = tmp_path / "g.csv"
    table.write_text("annotator,group\nA,red\nB,blue\n")
    expected = {"A": "red", "B": "blue"}
    for given in ("team", table, expected):
        assert accord.read(path, groups=given).roles.groups == expected
    with pytest.raises(InputError, match="no file and no column is called 'club'"):
        accord.read(path, groups="club")
    path.write_text("item,annotator,value,team\n1,A,x,red\n2,A,y,blue\n")
    with pytest.raises(
        InputError, match=r"x\.csv:3: annotator 'A' is in group 'red' and in 'blue'"
    ):
        accord.read(path, groups="team")


def test_texts_of_a_table_reach_the_worklist_and_the_report(tmp_path, accord_command):
    path = tmp_path / "r.csv"
    rows = [
        f"{i},{a},{'xy'[(i + k) % 2]},the text of {i}" for i in range(6) for k, a in enumerate("AB")
    ]
    path.write_text("item,annotator,value,text\n" + "\n".join(rows) + "\n")
    todo, page = tmp_path / "todo.csv", tmp_path / "page.html"
    assert accord_command("gold", path, "--worklist", todo).returncode == 0
    assert "the text of 3" in todo.read_text()
    assert accord_command("report", path, "-o", page, "--resamples", "50").returncode == 0
    assert "the text of 3" in page.read_text()


def test_who_saw_none_of_the_chosen_documents_is_not_counted(tmp_path):
    """Whatever the shape; who is named stays, and so do all values that the file has."""
    ratings = tmp_path / "ratings.csv"
    rows = [f"{d}{i},{who},{'xyz'[i % 3 if d == 'a' else 0]},{d}" for d, crew in (("a", "AB"), ("b", "BC"))
            for i in range(4) for who in crew]  # fmt: skip
    ratings.write_text("\n".join(["item,annotator,value,document", *rows]))
    some = accord.read(ratings, documents=["b"])
    assert some.annotators == ("B", "C")
    assert some.values == accord.read(ratings).values
    assert accord.read(ratings, documents=["b"], annotators=["A", "B"]).annotators == ("A", "B")
    units = tmp_path / "units.csv"
    marks = ["a,A,0,2,x", "a,B,0,2,x", "b,B,1,3,x", "b,C,1,3,x"]
    units.write_text("\n".join(["document,annotator,start,end,label", *marks]))
    assert accord.read(units, documents=["b"], seen="marked").annotators == ("B", "C")
    # (everybody is taken to have seen everything where nobody says who did)
    assert accord.read(units, documents=["b"]).annotators == ("A", "B", "C")
    cuts = tmp_path / "cuts.csv"
    cuts.write_text("document,annotator,masses\na,A,2 3\na,B,1 4\nb,B,2 2\nb,C,1 3\n")
    assert accord.read(cuts, documents=["b"]).annotators == ("B", "C")
    chains = tmp_path / "chains.json"
    told = {"a": {"A": [["m", "n"]], "B": [["m"], ["n"]]}, "b": {"B": [["m", "n"]], "C": [["m"]]}}
    chains.write_text(json.dumps({"documents": told}))
    assert accord.read(chains, documents=["b"]).annotators == ("B", "C")
