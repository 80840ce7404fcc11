"""An index on disk."""

import pyarrow as pa
import pytest

import nearcopy as nc
from conftest import CLOCK, MILL, SISTERS


@pytest.fixture
def index(tmp_path):
    return nc.Index.create(tmp_path / "index")


def table(**texts):
    return {"id": list(texts), "text": list(texts.values())}


def test_what_is_added_is_found_until_it_is_removed(index, tmp_path):
    added = index.add(pa.table({"id": ["mill", "null", "clock"], "text": [MILL, None, CLOCK]}), progress=False)
    assert list(added["added"]) == [True, False, True]
    assert len(index) == 2 and "mill" in index and "null" not in index
    found = index.query([CLOCK, None, SISTERS, "Nothing."], progress=False).to_pylist()
    assert [(row["row"], row["id"], row["rank"]) for row in found] == [(0, "clock", 1), (2, "mill", 1)]
    assert found[0]["rules"] == ["hamming", "jaccard", "text"] and found[1]["jaccard"] > 0.5
    other = nc.Index.open(str(tmp_path / "index"))
    assert index.remove(["mill", "mill", "nobody"]) == 1 and index.remove("mill") == 0
    assert len(index.query([SISTERS], progress=False)) == 0
    assert len(other.query([SISTERS], progress=False)) == 1, "as it was when it was opened"
    index.compact(progress=False)
    assert repr(index) == "<nearcopy.Index of 1 documents>"


def test_near_texts_are_left_out_if_asked(index):
    index.add(table(mill=MILL), progress=False)
    near = (
        MILL + " It had been theirs, and they had quarrelled over water, which neither of them owned, all their lives."
    )
    added = index.add(table(again=MILL.upper(), near=near, clock=CLOCK, copy=CLOCK), unique=True, progress=False)
    assert list(added["added"]) == [False, True, True, False]
    assert list(added["resembles"]) == ["mill", None, None, "clock"]
    assert list(added["jaccard"]) == [1, None, None, 1] and len(index) == 3
    assert list(added["removal"]) == ["same", None, None, "same"]


@pytest.mark.parametrize(
    ("unique", "removal"),
    [
        (False, [None, None, None]),
        ("same", ["same", None, None]),
        (True, ["same", "contained", None]),
        ("contained", ["same", "contained", None]),
        ("edited", ["same", "contained", "edited"]),
    ],
)
def test_texts_are_left_out_by_a_claim(index, claims, unique, removal):
    rule, _, longer, edited, *_ = claims
    index.add(table(longer=longer), progress=False)
    found = index.add(table(same=longer.upper(), contained=rule, edited=edited), unique=unique, progress=False)
    assert list(found["removal"]) == removal and list(found["added"]) == [claim is None for claim in removal]
    assert list(found["resembles"]) == ["longer" if claim else None for claim in removal]


def test_rules_are_those_of_edited_copies(index):
    for unique in [False, True, "same", "contained"]:
        for rule in [{"similarity": 0.5}, {"distance": 3}]:
            with pytest.raises(ValueError, match="is a rule of edited copies; give unique='edited' too"):
                index.add(table(a=MILL), unique=unique, progress=False, **rule)
    with pytest.raises(ValueError, match="unique 'all': expected 'same', 'contained' or 'edited'"):
        index.add(table(a=MILL), unique="all", progress=False)
    assert len(index) == 0
    index.add(table(a=MILL), progress=False)
    added = index.add(table(b=SISTERS), unique="edited", distance=64, progress=False)
    assert list(added["added"]) == [False] and list(added["removal"]) == ["edited"]
    assert list(index.query([MILL.upper()], progress=False)["removal"]) == ["same"]


def test_known_ids(index):
    index.add(table(a=MILL), progress=False)
    with pytest.raises(nc.Error, match="has a document 'a' already; nothing was added: skip those by known='skip'"):
        index.add(table(b=CLOCK, a=CLOCK), progress=False)
    assert len(index) == 1
    assert list(index.add(table(b=CLOCK, a=CLOCK), known="skip", progress=False)["added"]) == [True, False]
    assert list(index.add(table(a=CLOCK), known="replace", progress=False)["added"]) == [True]
    assert [row["id"] for row in index.query([CLOCK], progress=False).to_pylist()] == ["a", "b"]
    assert [row["id"] for row in index.query([CLOCK], top=1, progress=False).to_pylist()] == ["a"]


def test_an_iterator_may_ask_the_index_that_it_is_added_to(index):
    index.add(table(mill=MILL), progress=False)
    asked = []

    def rows():
        for id, text in [("mill", MILL), ("clock", CLOCK)]:
            asked.append((id in index, len(index)))
            if id not in index:
                yield id, text

    assert list(index.add(rows(), progress=False)["added"]) == [True]
    assert asked == [(True, 1), (False, 1)] and len(index) == 2


def test_refusals(index, tmp_path):
    with pytest.raises(ValueError, match="row 1: has no id; an index needs one of each text"):
        index.add([("a", MILL), CLOCK], progress=False)
    with pytest.raises(ValueError, match="known 'ask': expected refuse, skip or replace"):
        index.add(table(a=MILL), known="ask", progress=False)
    with pytest.raises(KeyError, match="no column 'id'; name one of these by id=: text"):
        index.add(pa.table({"text": [MILL]}), progress=False)
    with pytest.raises(nc.Error, match="is not an index"):
        nc.Index.open(tmp_path)
    with pytest.raises(nc.Error, match="is not empty"):
        nc.Index.create(tmp_path / "index")
    with pytest.raises(ValueError, match="neither a Hamming distance nor a similarity is set"):
        nc.Index.create(tmp_path / "other", similarity=None, distance=None)
    assert len(index) == 0


def test_an_index_with_passages_serves_screening(tmp_path):
    index = nc.Index.create(tmp_path / "index", nc.Fingerprinter(language="eng"), passages=True)
    index.add(table(mill=MILL + " " + CLOCK), progress=False)
    (tmp_path / "essay.txt").write_text("An essay. " + MILL + " " + CLOCK)
    assert (
        nc._native.command(
            ["dedup", "screen", str(tmp_path / "essay.txt"), "--against", str(tmp_path / "index"), "--quiet"]
        )
        == 0
    )


def test_an_id_that_is_given_twice_adds_nothing(index):
    twice = [{"id": "a", "text": MILL}, {"id": "a", "text": CLOCK}]
    with pytest.raises(nc.Error, match="has a document 'a' already; nothing was added"):
        index.add(twice, progress=False)
    assert len(index) == 0
    assert index.add(twice, known="skip", progress=False).to_pylist()[1]["added"] is False


def test_an_index_is_opened_or_created():
    with pytest.raises(TypeError, match=r"Index\.create\(path\) or Index\.open\(path\)"):
        nc.Index("letters")
