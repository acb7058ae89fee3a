"""French in a browser: what scripts write into a page is translated when it appears."""

from accord.data import Chains
from accord.report import report
from tests.browser.conftest import browser, visit  # noqa: F401 (fixtures)


def chains(**more):
    words = ["Ann", "said", "that", "the", "old", "woman", "saw", "Ann", "near", "her", "house"]
    clusters = {
        ("d", "A"): [[(0, 1), (7, 8)], [(3, 6), (9, 10)]],
        ("d", "B"): [[(0, 1)], [(7, 8), (3, 6), (9, 10)]],
    }
    return Chains.from_clusters(clusters, words={"d": words}, **more)


def test_words_of_the_text_stand_in_french_quotation_marks(visit):  # noqa: F811
    page = visit(report(chains(), lang="fr").html())
    said = page.find_element("css selector", ".chains").get_property("textContent")
    assert "«\u00a0Ann\u00a0» ne va pas avec «\u00a0the old woman\u00a0»" in said
    assert "“" not in said
    assert page.find_element("css selector", "h1").text == "Rapport d'annotation"


def test_a_long_word_in_a_note_does_not_widen_the_page(visit):  # noqa: F811
    note = f"`annotators={','.join(f'w{k}' for k in range(300))}` counts everybody"
    page = visit(report(chains(notes=[note])).html())
    widths = page.execute_script(
        "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )
    assert widths[0] <= widths[1]
