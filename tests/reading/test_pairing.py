"""Two sides of a score whose items are numbered: by their place, or by the index of a dataframe."""

import numpy as np
import pandas as pd
import pytest

import accord
from accord.errors import InputError

WHOLE = pd.DataFrame(
    {"x": range(10), "value": list("aabbaabbab"), "own": list("aabbaabbaa"), "more": list("aabbaabbba")}
)  # fmt: skip
PART = WHOLE[WHOLE.x > 3]


def right(system, reference=None, **options):
    of = WHOLE.value if reference is None else reference
    return accord.score(of, system, "accuracy", **options).value


def test_a_series_that_was_filtered_stands_beside_the_rows_it_is_of():
    # (four of ten are not answered, and one answer is wrong)
    assert right(PART.own) == 0.5
    assert right(WHOLE.own, PART.value) == pytest.approx(5 / 6)
    assert right(PART.own, PART.value) == pytest.approx(5 / 6)
    assert right(WHOLE.own) == 0.9


def test_wide_frames_are_paired_by_their_index_in_every_verb():
    people = WHOLE[["value", "more", "own"]]
    paired = accord.alt_test(people, PART.own, least_items=1)
    plain = accord.alt_test(people[4:].reset_index(drop=True), list(PART.own), least_items=1)
    assert paired.annotators == plain.annotators
    judged = accord.audit(people, reference=WHOLE.value, system=PART.own)
    plainly = accord.audit(people, reference=list(WHOLE.value), system=[None] * 4 + list(PART.own))
    assert [f.statement for f in judged] == [f.statement for f in plainly]


def test_a_filter_that_takes_the_first_rows_leaves_their_numbers():
    first = WHOLE[WHOLE.x < 6]
    assert right(list(first.own), first.value) == right(first.own, first.value) == 1.0


def test_arrays_and_tuples_of_other_lengths_are_refused_as_lists_are():
    for short in (np.array(WHOLE.own[:9]), tuple(WHOLE.own[:9])):
        with pytest.raises(InputError, match="the reference has 10 values and the system 9"):
            right(short)
    assert right(WHOLE.own[:9]) == 0.9


def test_places_and_labels_are_not_taken_for_one_another():
    for other in (list(PART.own), np.array(PART.own), PART.own.reset_index(drop=True)):
        with pytest.raises(InputError, match="by the index of one dataframe") as found:
            right(other, PART.value)
        assert "reset_index(drop=True)" in str(found.value)
        with pytest.raises(InputError, match="by the index of one dataframe"):
            right(PART.own, other)


def test_names_of_items_pair_as_they_did(tmp_path):
    named = PART.rename_axis("item")
    assert right(named.own, named.value) == pytest.approx(5 / 6)
    shuffled = PART.sample(frac=1, random_state=1)
    assert right(shuffled.own, PART.value) == pytest.approx(5 / 6)
    path = tmp_path / "s.csv"
    path.write_text("item,value\n" + "".join(f"{i},{v}\n" for i, v in PART.own.items()))
    assert right(str(path), PART.value) == pytest.approx(5 / 6)
    assert right(list(WHOLE.own)) == right(np.array(WHOLE.own)) == 0.9
