"""Workbooks as people keep them: merged cells, titles, several sheets, percent cells and dates."""

import datetime

import pytest

import accord
from accord.errors import InputError

openpyxl = pytest.importorskip("openpyxl")


@pytest.fixture
def book(tmp_path):
    made = openpyxl.Workbook()

    def save():
        path = tmp_path / "b.xlsx"
        made.save(path)
        return path

    return made.active, save, made


def test_merged_names_and_values_are_those_of_all_their_rows(book):
    sheet, save, _ = book
    sheet.append(["item", "annotator", "value"])
    for i in range(4):
        sheet.append([i, "ana", "AB"[i % 2]])
        sheet.append([None, "ben", None])
        sheet.merge_cells(start_row=2 + 2 * i, end_row=3 + 2 * i, start_column=1, end_column=1)
        sheet.merge_cells(start_row=2 + 2 * i, end_row=3 + 2 * i, start_column=3, end_column=3)
    data = accord.read(save())
    assert (data.n_items, data.n_ratings) == (4, 8)
    assert accord.agree(data, "alpha").value == 1.0


def test_a_value_that_is_merged_over_two_people_is_that_of_both(book):
    sheet, save, _ = book
    sheet.append(["item", "ana", "ben"])
    for i in range(4):
        sheet.append([f"t{i}", "AB"[i % 2], None if i < 2 else "B"])
    sheet.merge_cells("B2:C2")
    sheet.merge_cells("B3:C3")
    data = accord.read(save(), wide=True)
    assert data.n_ratings == 8
    assert accord.agree(data, "percent").value == 0.75


def test_a_merged_title_is_left_out_and_said(book):
    sheet, save, _ = book
    sheet.append([None, "coders", None])
    sheet.merge_cells("B1:C1")
    sheet.append(["item", "ana", "ben"])
    for i in range(4):
        sheet.append([f"t{i}", "AB"[i % 2], "B"])
    data = accord.read(save())
    assert data.annotators == ("ana", "ben")
    assert [x.what for x in data.reading.left_out] == ["1 row above the header"]


def test_two_sheets_are_open_and_the_other_one_is_named(book):
    sheet, save, made = book
    for one in (sheet, made.create_sheet("more")):
        one.append(["item", "ana", "ben"])
        for i in range(3):
            one.append([f"t{i}", "AB"[i % 2], "B"])
    path = save()
    with pytest.raises(InputError, match="several sheets"):
        accord.read(path)
    left = accord.read(path, layer="Sheet").reading.left_out
    assert [(x.what, x.keep) for x in left] == [("sheet 'more'", ("layer", "more"))]


def test_percent_cells_are_numbers_and_dates_are_names(book):
    sheet, save, _ = book
    sheet.append(["item", "ana", "ben"])
    for i in range(4):
        sheet.append([f"t{i}", i / 4, i / 5])
        sheet[f"B{i + 2}"].number_format = "0%"
    assert accord.read(save(), wide=True).kind == "numbers"
    for i in range(4):
        sheet[f"B{i + 2}"] = sheet[f"C{i + 2}"] = datetime.date(2024, 1, 1 + i % 2)
    assert accord.read(save(), wide=True).labels == ("2024-01-01", "2024-01-02")
