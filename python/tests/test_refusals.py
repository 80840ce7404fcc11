"""Arguments of any kind are refused in words that name them."""

import os

import datasets
import pandas
import polars
import pyarrow as pa
import pytest

import nearcopy as nc
from conftest import CLOCK, MILL

TEXTS = [MILL, CLOCK]


@pytest.mark.parametrize("number", [-1, 2**40, -(2**70), 2**70])
@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("min", nc.Fingerprinter),
        ("max", nc.Fingerprinter),
        ("sketches", nc.Fingerprinter),
        ("distance", lambda **options: nc.find(TEXTS, **options)),
        ("threads", lambda **options: nc.find(TEXTS, **options)),
        ("max_documents", lambda **options: nc.clean_lines(TEXTS, **options)),
        ("min_left", lambda **options: nc.clean_lines(TEXTS, **options)),
        ("words", lambda **options: nc.clean_repeats(TEXTS, **options)),
        ("min_words", lambda **options: nc.screen(TEXTS, **options)),
    ],
)
def test_whole_numbers_of_any_size_are_refused_by_name(name, call, number):
    with pytest.raises(ValueError, match=f"{name} {number}: expected a whole number"):
        call(**{name: number})


def test_other_bounds_are_refused_by_name(tmp_path):
    for memory in (-1, 2**70):
        with pytest.raises(ValueError, match=f"max_memory {memory}: expected a number of bytes, or None"):
            nc.find(TEXTS, max_memory=memory)
    assert len(nc.find(TEXTS, max_memory=2**63, progress=False)) == 2
    with pytest.raises(ValueError, match="k -1: expected 1 or more"):
        nc.neighbours(TEXTS, -1)
    assert len(nc.neighbours([MILL, MILL], 2**70, progress=False)) == 2
    index = nc.Index.create(tmp_path / "index")
    with pytest.raises(ValueError, match="top -1: expected a whole number of 0 or more"):
        index.query(TEXTS, top=-1, progress=False)


@pytest.mark.parametrize("fingerprinter", ["eng", {}, {"language": "eng"}, nc.Fingerprinter])
def test_a_fingerprinter_is_one(fingerprinter, tmp_path):
    calls = [
        lambda: nc.find(TEXTS, fingerprinter=fingerprinter),
        lambda: nc.compare("a", "b", fingerprinter=fingerprinter),
        lambda: nc.Index.create(tmp_path / "index", fingerprinter),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="fingerprinter: is of type .*; expected .*Fingerprinter"):
            call()


def test_an_error_lists_a_few_names():
    with pytest.raises(KeyError) as raised:
        nc.find({f"id {number}": "a text" for number in range(1000)})
    assert "no column 'text'; name one of these by text=: id 0, id 1," in str(raised.value)
    assert str(raised.value).endswith('id 19, …"') and "id 20" not in str(raised.value)
    with pytest.raises(KeyError, match="row 1: has no field 'text'; it has none"):
        nc.find([{"text": "a"}, {}], progress=False)


def test_columns_of_a_dictionary_have_one_length():
    for search in (nc.find, nc.clean_lines, nc.screen):
        with pytest.raises(ValueError, match="different numbers of values: 'text' has 2, 'id' has 1"):
            search({"text": TEXTS, "id": [1]}, progress=False)


@pytest.mark.parametrize("of", [pa.table, pandas.DataFrame, polars.DataFrame, datasets.Dataset.from_dict])
def test_a_column_that_a_test_set_lacks_is_named(of):
    against = of({"text": ["a b c"], "n": [1]})
    for options, words in [
        ({"item_id": "qid"}, "against: no column 'qid'; name one of these by item_id=: text, n"),
        ({"fields": ["text", "q.a"]}, "against: no column 'q.a'; name one of these by fields=: text, n"),
    ]:
        with pytest.raises(KeyError, match=words):
            nc.decontaminate(TEXTS, against, progress=False, **options)


NAMES = [os.fsdecode(b"caf\xe9.txt"), os.fsdecode(b"caf\xe8.txt")]
"""Names of files in Latin-1, which would be equal if the half of a surrogate pair became U+FFFD."""


@pytest.mark.parametrize(
    "table",
    [
        [("a", MILL), (NAMES[0], CLOCK)],
        [{"id": id, "text": MILL} for id in ("a", NAMES[0])],
        {"id": ["a", NAMES[0]], "text": TEXTS},
        pandas.DataFrame({"id": pandas.Series(["a", NAMES[0]], dtype=object), "text": TEXTS}),
        pandas.DataFrame({"id": [None, NAMES[0]], "text": [None, MILL]}, index=[1, "b"], dtype=object),
    ],
)
def test_half_of_a_surrogate_pair_in_an_id_names_its_row(table, tmp_path):
    index = nc.Index.create(tmp_path / "index")
    words = r"row 1: has half of a surrogate pair .*; replace it, as by id.encode\('utf-8', 'backslashreplace'\)"
    for call in (nc.find, nc.clean_lines, index.add):
        with pytest.raises(ValueError, match=words):
            call(table, id="id", progress=False)


def test_half_of_a_surrogate_pair_in_a_text_or_a_key_names_its_row():
    texts = pandas.Series([MILL, None, NAMES[0]], dtype=object)
    words = r"row 2: has half of a surrogate pair .*; replace it, as by text.encode\('utf-8', 'replace'\)"
    for table in (texts, texts.to_frame("text")):
        with pytest.raises(ValueError, match=words):
            nc.find(table, progress=False)
        with pytest.raises(ValueError, match="row 2 of against: has half of a surrogate pair"):
            nc.decontaminate(TEXTS, table, progress=False)
    rows = [{"text": MILL, "name": name} for name in NAMES]
    with pytest.raises(ValueError, match="row 0: has half of a surrogate pair"):
        nc.find(rows, keep="field:name", progress=False)


def test_a_report_of_other_texts_is_refused(tmp_path):
    page = tmp_path / "page.html"
    texts = [MILL, None, MILL, CLOCK]
    found, cleaned = nc.find(texts, progress=False), nc.clean(texts, progress=False)
    texts[2] = CLOCK
    for result in (found, cleaned):
        with pytest.raises(ValueError, match="row 2: has another text than the one that was searched"):
            result.report(page)
    texts[2:] = [MILL]
    with pytest.raises(ValueError, match="the result has 4 rows and this table has not"):
        found.report(page)
    assert not page.exists()
    texts.append("A text that the page does not show may be another.")
    found.report(page)
    assert page.exists()
