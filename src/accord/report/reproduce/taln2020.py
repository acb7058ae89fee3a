"""Lion-Bouton et al. (2020): are the scores of coreference resolution metrics?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accord.data import Chains
from accord.evaluation import score
from accord.measures.coreference import b3, blanc, ceaf_e, conll, lea, muc
from accord.report.counterexample import partitions_svg
from accord.report.reproduce.check import Check, Drawing, rows_of
from accord.simulate.falsify import PROPERTIES, falsify
from accord.simulate.falsify_table import TABLE_1

_row = rows_of("taln2020")
Clusters = Sequence[Sequence[int]]

#: the three triples of §5 and the scores each is said to falsify
TRIPLES: tuple[tuple[tuple[Clusters, Clusters, Clusters], tuple[str, ...]], ...] = (
    (([[1, 2, 3], [4, 5]], [[1, 2, 3], [4], [5]], [[1, 2], [3], [4], [5]]), ("muc", "b3", "lea")),
    (([[1, 2, 3, 4], [5]], [[1, 2, 3], [4], [5]], [[1, 2, 3, 5], [4]]), ("ceaf-e", "blanc")),
    (([[1, 2, 3, 4], [5]], [[1, 2, 3], [4, 5]], [[1], [2], [3], [4, 5]]), ("conll",)),
)
_SCORES = {"muc": muc, "b3": b3, "lea": lea, "ceaf-e": ceaf_e, "blanc": blanc, "conll": conll}
#: the seven mentions of the example of §2, in the order of the text: the reference, the system
GOLD: Clusters = [[1, 2, 3, 6], [4, 5, 7]]
SYSTEM: Clusters = [[1, 2], [3, 6], [4, 5, 7]]


def checks() -> Iterator[Check]:
    """The views of Figure 1, the cases of Figure 2 and §4, Table 1, and the counterexamples."""
    yield from _views()
    yield from _cases()
    yield from _table_1()
    yield from _triples()
    yield from _text()


def figures() -> Iterator[Drawing]:
    """The two partitions of Figure 1, and the four cases of Figure 2."""
    yield Drawing(table="Figure 1", caption="The entities of the reference and of the system.",
                  svg=partitions_svg({"GOLD": GOLD, "SYS": SYSTEM}, 7))  # fmt: skip
    yield Drawing(table="Figure 2", caption="The two partitions of two mentions; each takes the "
                  "place of a and of b, which makes four cases.",
                  svg=partitions_svg({"{1,2}": [[1, 2]], "{1},{2}": [[1], [2]]}, 2))  # fmt: skip


def excess(name: str, triple: tuple[Clusters, Clusters, Clusters]) -> float:
    """s(a,b) + s(b,c) − s(b,b) − s(a,c): positive when the triangle inequality fails."""
    a, b, c = triple

    def value(first: Clusters, second: Clusters) -> float:
        return _SCORES[name](_chains(first), _chains(second)).value

    return value(a, b) + value(b, c) - value(b, b) - value(a, c)


def _chains(clusters: Clusters) -> Chains:
    return Chains.from_clusters({("d", "A"): clusters})


def _views() -> Iterator[Check]:
    """What must be done to make the system the reference, seen as chains, links and sets."""
    gold, system = _chains(GOLD), _chains(SYSTEM)
    links, alone = _links(GOLD, SYSTEM), _links(GOLD[:1], SYSTEM[:2])
    for what, printed, ours, how in (
        ("(a) entities merged", "une", score(gold, system, "merge-split").value,
         "score merge-split"),
        ("(b) links of the reference's entity 1", "six", alone[0], "blanc"),
        ("(b) links of the system's entities 1 and 3", "deux", alone[1], "blanc"),
        ("(b) links missing", "quatre", links[0] - links[2], "blanc"),
        ("(d) mentions moved", "deux", score(gold, system, "split-join").value,
         "score split-join"),
    ):  # fmt: skip
        yield _row("Figure 1", what, printed, ours, how)


def _links(key: Clusters, response: Clusters) -> list[float]:
    """Coreference links as BLANC counts them: of the key, of the response, of both."""
    sample = blanc(_chains(key), _chains(response)).sample
    counted: list[float] = [] if sample is None or sample.rows is None else sample.rows[0].tolist()
    return counted


def _cases() -> Iterator[Check]:
    small = falsify("muc", max_n=2, max_n_triples=2).findings["3"]
    yield _row("Figure 2", "cases of property 3 on two mentions", "", small.by_n[1][1],
               "falsify", holds=small.by_n[1][1] == 4)  # fmt: skip
    found = falsify("ceaf-m", max_n=6, max_n_triples=5).findings
    for what, printed, property_, exact in (
        ("cases of property 4, n ≤ 5", "~140 000", "4", 144_117),
        ("cases of each property of pairs, n ≤ 6", "~40 000", "3", 44_168),
    ):
        cases = found[property_].cases
        yield _row("§4", what, printed, cases, "falsify", holds=cases == exact)


def _table_1() -> Iterator[Check]:
    for name, printed in TABLE_1.items():
        found = falsify(name, max_n=6, max_n_triples=5)
        for number in PROPERTIES:
            violations = found.findings[number].violations
            said = "yes" if number in printed else "no"
            yield _row("Table 1", f"{name} violates property {number}: {said}", "", violations,
                       "falsify", holds=(violations > 0) == (number in printed))  # fmt: skip


def _triples() -> Iterator[Check]:
    witness = ([[1, 2], [3]], [[1, 2, 3]], [[1, 3], [2]])
    for name, place, triple in (
        *((m, f"triple {k}", t) for k, (t, names) in enumerate(TRIPLES, 1) for m in names),
        ("muc", "{12|3}, {123}, {13|2}", witness),
    ):
        beyond = excess(name, triple)
        slip = None
        if (name, place) == ("muc", "triple 1"):
            slip = "1.467 ≤ 1.5: this triple does not falsify MUC; {12|3}, {123}, {13|2} does"
        yield _row("§5", f"{place}: {name} beyond the triangle inequality", "", beyond, name, slip,
                   holds=beyond > 1e-9)  # fmt: skip


def _text() -> Iterator[Check]:
    one, two = _chains([[1, 2, 3]]), _chains([[1, 2], [3]])
    alone = _chains([[1], [2], [3]])
    asymmetric = falsify("blanc", max_n=3, max_n_triples=3).findings["1"].by_n[2][2]
    for what, printed, ours, how in (
        ("BLANC({123}, {12|3})", "0.5", blanc(one, two).value, "blanc"),
        ("BLANC({12|3}, {123})", "0.25", blanc(two, one).value, "blanc"),
        ("asymmetric pairs among the 15 of three mentions", "6", asymmetric / 2, "falsify blanc"),
        ("MUC of singletons with themselves", "0", muc(alone, alone).value, "muc"),
        ("CoNLL of singletons with themselves", "2/3", conll(alone, alone).value, "conll"),
    ):
        yield _row("§5", what, printed, ours, how)


#: what cannot be recomputed, and why
CANNOT = {
    "Figure 1, (a) and (c)": "the orders of links and the links of non-coreference are drawn, not "
    "counted in the text",
}
