"""Passages that texts share."""

import pyarrow as pa
import pytest

import nearcopy as nc

GLASS = (
    "Glass begins as sand that is melted with soda and lime until it glows like honey. A gatherer turns the iron in "
    "the furnace and lifts out a drop, and the blower gives it his breath before it stiffens."
)
ESSAY = f"Über unser Dorf: our village had one ferry, and the ferryman was deaf. {GLASS} Snow came early that year."


def test_passages_are_places_in_both_texts():
    found = nc.screen([None, ESSAY], against=["", None, GLASS], progress=False)
    [passage] = found.passages.to_pylist()
    assert (passage["document"], passage["source"]) == (1, 2) and repr(found) == "<nearcopy.Screening: 1 passages>"
    start = passage["offset"]
    assert "melted with soda" in ESSAY[start : start + passage["length"]]
    there = passage["source_offset"]
    assert ESSAY[start : start + passage["length"]].strip(".") in GLASS[there : there + passage["source_length"]]
    assert passage["words"] == passage["exact"] == passage["verbatim"] > 30 and passage["missing"] == 0
    assert passage["score"] > 25 and 0.5 < passage["probability"] < 1 and passage["weak"] is False
    assert (passage["kind"], passage["quotation"]) == ("copied", "none")


def test_other_places_of_a_passage_are_counted():
    between = " ".join(f"word{number}" for number in range(600))
    rows = nc.screen([ESSAY], against=[GLASS, f"{GLASS} {between} {GLASS}"], progress=False).passages.to_pylist()
    assert {row["source"]: row["repeats"] for row in rows} == {0: 0, 1: 1}


def test_texts_are_compared_with_each_other_without_sources():
    passages = nc.screen([GLASS, ESSAY, GLASS], progress=False).passages.to_pylist()
    assert {frozenset([row["document"], row["source"]]) for row in passages} == {
        frozenset(pair) for pair in [(0, 1), (0, 2), (1, 2)]
    }


@pytest.mark.parametrize(
    "options",
    [{"ignore": GLASS}, {"ignore": [GLASS]}, {"ignore": pa.table({"text": [GLASS]})}],
)
def test_what_does_not_count(options):
    assert len(nc.screen([ESSAY], against=[GLASS], progress=False, **options).passages) == 0


def test_passages_have_a_least_length():
    source = f"Tides follow the moon. {GLASS} Bees follow the sun, and the stream of images that passes below them."
    assert len(nc.screen([ESSAY], against=[source], progress=False).passages) == 1
    assert len(nc.screen([ESSAY], against=[source], min_words=100, progress=False).passages) == 0


def test_quotations_do_not_count_if_asked():
    quoted = f"They write: “{GLASS}” And so on, as everybody knows who has been to a furnace in the north."
    assert len(nc.screen([quoted], against=[GLASS], progress=False).passages) == 1
    assert len(nc.screen([quoted], against=[GLASS], no_quotations=True, progress=False).passages) == 0


def test_what_many_texts_share_is_no_passage():
    own = [" ".join(f"word{text}x{at}" for at in range(60)) for text in range(12)]
    essays = [f"{text} {GLASS}" for text in own]
    assert len(nc.screen(essays[:6], progress=False).passages) == 15
    assert len(nc.screen(essays, progress=False).passages) == 0
    assert len(nc.screen(essays, no_common=True, progress=False).passages) == 0


def test_the_page_names_the_rows(tmp_path):
    page = tmp_path / "page.html"
    table = pa.table({"id": ["ferry"], "text": [ESSAY]})
    nc.screen(table, against=pa.table({"id": ["glass"], "text": [GLASS]}), id="id", progress=False).report(page)
    assert '"ferry"' in page.read_text() and '"glass"' in page.read_text() and "melted with soda" in page.read_text()
    screening = nc.screen([ESSAY, GLASS], progress=False)
    with pytest.raises(FileExistsError, match="page.html.*, or give overwrite=True to replace it"):
        screening.report(page)
    screening.report(page, overwrite=True)
    assert '"row 1"' in page.read_text()


def test_refusals():
    with pytest.raises(ValueError, match="language 'Klingon' is unknown"):
        nc.screen([ESSAY], language="Klingon", progress=False)


def test_texts_are_compared_with_sources_and_with_each_other():
    found = nc.screen([GLASS, GLASS + " And so on."], [GLASS], with_each_other=True, progress=False)
    rows = found.passages.to_pylist()
    pairs = sorted((row["document"], row["source"], row["in_table"]) for row in rows)
    assert pairs in ([(0, 0, False), (0, 1, True), (1, 0, False)], [(0, 0, False), (1, 0, False), (1, 0, True)])
    alone = nc.screen([GLASS, GLASS + " And so on."], [GLASS], progress=False).passages.to_pylist()
    assert sorted((row["document"], row["source"]) for row in alone) == [(0, 0), (1, 0)]
    assert {row["in_table"] for row in alone} == {False}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_probability": 7}, "min_probability 7: expected a number from 0 to 1"),
        ({"min_probability": float("nan")}, "min_probability NaN: expected"),
        ({"min_words": 0}, "min_words 0: expected a whole number of 1 or more"),
        ({"threads": -1}, "threads -1: expected a whole number from 1 to 65535"),
        ({"max_memory": -1}, "max_memory -1: expected a number of bytes"),
    ],
)
def test_options_out_of_bounds_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        nc.screen(["one two three", "one two three"], progress=False, **options)
