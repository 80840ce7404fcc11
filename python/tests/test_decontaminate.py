"""Items of test sets among texts."""

import json
import pickle
import random
import subprocess
import sys

import datasets
import duckdb
import pandas
import polars
import pyarrow as pa
import pytest

import nearcopy as nc

WORDS = [
    f"{a}{b}" for a in ("mill", "tide", "boat", "lamp", "oar") for b in ("er", "ing", "y", "s", "land", "ward", "é")
]


def made():
    """Items of several kinds, and texts with some of them."""
    chance = random.Random(3)
    phrase = lambda length: " ".join(chance.choices(WORDS, k=length))  # noqa: E731
    prompt = phrase(25)
    items = [
        {
            "id": f"i{number}",
            "question": phrase(3 if number % 5 == 4 else 24) if number % 6 else f"{prompt} {phrase(2)}",
            "choices": {"text": [phrase(4), phrase(4)], "label": [1, 2]},
            "answer": chance.choice([7, "seven of them", None]),
        }
        for number in range(40)
    ]
    items[3] = {"id": "i3", "question": phrase(5), "choices": {"text": [phrase(6)]}, "answer": phrase(5)}
    rare = " ".join(f"{chance.choice(WORDS)}{first}{second}" for first in "bdfgk" for second in "aeiouyæøåü")
    items[8]["question"] = rare
    items[4] = {"id": "i4", "question": "How far?", "choices": {"text": ["a", " ", ""]}, "answer": "far"}
    texts = [phrase(chance.randrange(60)) for _ in range(80)]
    for number in range(0, 40, 3):
        item = items[number]
        asked = f"{item['question'].upper()}? {'; '.join(item['choices']['text'])} \U0001f600 {item['answer']}"
        texts[number] += f" \U0001f600 {asked} {texts[number + 1]}"
        texts[number + 30] = asked if number % 2 else f"été \U0001f600 {item['question']}"
    # In other words: every fifth is another.
    texts[79] = " ".join("violin" if at % 5 == 4 else word for at, word in enumerate(rare.split()))
    return items, texts


ITEMS, TEXTS = made()
ROWS = [{"id": f"d{row:02}", "text": text} for row, text in enumerate(TEXTS)]
FIELDS = ["question", "choices.text", "answer"]


def by_command(folder, items, *options, rows=ROWS):
    """The items, the documents and the texts that the command writes."""
    for name, written in [("corpus", rows), ("test", items)]:
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in written))
    arguments = ["decontaminate", "corpus.jsonl", "--against", "test.jsonl", "--id-field", "id", "-o", "out.jsonl"]
    run = subprocess.run(
        [sys.executable, "-m", "nearcopy", *arguments, *options], cwd=folder, capture_output=True, text=True
    )
    assert run.returncode in (0, 2), run.stderr
    names = ["out.jsonl.items.jsonl", "out.jsonl.documents.jsonl", "out.jsonl"]
    return [[json.loads(line) for line in (folder / name).read_text().splitlines()] for name in names]


def spans_of(documents):
    """The spans of the list of documents, one a row."""
    for document in documents:
        for item in document["items"]:
            for span in item["spans"]:
                yield {
                    "id": document["id"],
                    "start": span["offset"],
                    "end": span["offset"] + span["length"],
                    "start_bytes": span["offset_bytes"],
                    "end_bytes": span["offset_bytes"] + span["length_bytes"],
                    "words": item["words"],
                    "item_id": item["item"],
                    "coverage": item["coverage"],
                    "probability": item["probability"],
                }


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ([], {}),
        (["--need", "question"], {"need": "question"}),
        (["--coverage", "0.9"], {"coverage": 0.9}),
        (["--rewritten=0.1"], {"rewritten": 0.1}),
        (["--coverage", "0", "--need", "choices.text,question"], {"coverage": 0, "need": ["choices.text", "question"]}),
    ],
)
@pytest.mark.parametrize("kind", ["--drop", "--cut"])
def test_items_and_documents_are_those_of_the_command(kind, options, arguments, tmp_path):
    fields = ["--field", ",".join(FIELDS), "--item-id", "id", kind]
    items, documents, left = by_command(tmp_path, ITEMS, *fields, *options)
    found = nc.decontaminate(ROWS, ITEMS, id="id", fields=FIELDS, item_id="id", progress=False, **arguments)
    own = found.items.to_pylist()
    assert [item.pop("row") for item in own] == list(range(len(ITEMS)))
    for item, listed in zip(own, items, strict=True):
        row, named = item.pop("document"), item.pop("document_id")
        assert (None if row is None else ROWS[row]["id"]) == named == listed.pop("document")
        assert listed.pop("set") == "test.jsonl" and item == listed
    assert {item["verdict"] for item in own} == {"contaminated", "clean", "undecidable"}
    spans = found.spans.to_pylist()
    for span in spans:
        assert ITEMS[span.pop("item")]["id"] == span["item_id"] and ROWS[span.pop("row")]["id"] == span["id"]
    assert spans == list(spans_of(documents)) and len(spans) >= 10
    assert any(span["probability"] is not None for span in spans) == ("rewritten" in arguments)
    assert (found.filter if kind == "--drop" else found.apply)(ROWS) == left
    assert [row["id"] for row, keep in zip(ROWS, found.keep) if not keep] == [document["id"] for document in documents]


def test_counts_are_those_of_the_command(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    for number, rows in enumerate((ROWS[:30], ROWS[30:], ROWS[:30])):
        found = nc.decontaminate(rows, ITEMS, id="id", fields=FIELDS, counts=here, progress=False)
        folder = tmp_path / str(number)
        folder.mkdir()
        options = ["--field", ",".join(FIELDS), "--cut", f"--counts={there}"]
        items, documents, left = by_command(folder, ITEMS, *options, rows=rows)
        assert found.apply(rows) == left and len(documents) > 3
        assert [item["verdict"] for item in items] == found.items["verdict"].to_pylist()
        assert here.read_bytes() == there.read_bytes()
    with pytest.raises(nc.Error, match="has the counts of other items; name the same test sets and fields"):
        nc.decontaminate(ROWS, ITEMS[:9], fields=FIELDS, counts=here)


def test_null_texts_are_counted_as_the_command_counts_them(tmp_path):
    rows, counts = [*ROWS[:20], {**ROWS[20], "text": None}, *ROWS[21:30]], tmp_path / "counts"
    found = nc.decontaminate(pa.Table.from_pylist(rows), ITEMS, fields=FIELDS, counts=counts, progress=False)
    before = counts.read_bytes()
    _, _, left = by_command(tmp_path, ITEMS, "--field", ",".join(FIELDS), "--cut", f"--counts={counts}", rows=rows)
    assert counts.read_bytes() == before and found.apply(rows) == left


def test_what_is_left_and_the_spans_are_the_text():
    found = nc.decontaminate(TEXTS, ITEMS, fields=FIELDS, progress=False)
    left = found.apply(TEXTS)
    for row, text in enumerate(TEXTS):
        gone = set()
        for span in found.spans.to_pylist():
            if span["row"] == row:
                part = text.encode()[span["start_bytes"] : span["end_bytes"]].decode()
                assert text[span["start"] : span["end"]] == part
                gone |= set(range(span["start"], span["end"]))
        assert left[row] == "".join(letter for place, letter in enumerate(text) if place not in gone)
    counts = found.counts
    assert counts["rows"] == 80 and counts["contaminated_rows"] == list(found.fates).count("cut") > 5
    assert counts["items"] == 40 == counts["contaminated"] + counts["clean"] + counts["undecidable"]
    assert repr(found).startswith(
        f"<nearcopy.Decontaminated: rows 80, contaminated_rows {counts['contaminated_rows']}, "
    )
    again = pickle.loads(pickle.dumps(found))
    assert again.items.to_pylist() == found.items.to_pylist() and again.apply(TEXTS) == left
    assert again.filter(TEXTS) == found.filter(TEXTS) and len(found.filter(TEXTS)) == 80 - counts["contaminated_rows"]
    assert pa.table(found)["item"].to_pylist() == found.spans["item"].to_pylist()
    assert duckdb.sql("select count(*) from found").fetchall() == [(len(found),)]
    with pytest.raises(ValueError, match="has another text than the one that was searched"):
        found.apply(TEXTS[::-1])


def test_every_kind_of_test_set_has_the_same_items():
    items = [{**item, "answer": str(item["answer"])} for item in ITEMS]
    expected = nc.decontaminate(TEXTS, items, fields=FIELDS, progress=False)
    table = pa.Table.from_pylist(items)
    kinds = [
        iter(items),
        table,
        table.to_reader(),
        polars.from_arrow(table),
        datasets.Dataset.from_list(items),
        datasets.Dataset.from_list(items).to_iterable_dataset(),
        duckdb.from_arrow(table),
        {name: [item[name] for item in items] for name in items[0]},
        [{**item, "picture": object()} for item in items],
    ]
    for kind in kinds:
        found = nc.decontaminate(pa.table({"text": TEXTS}), kind, fields=FIELDS, progress=False)
        assert found.items.to_pylist() == expected.items.to_pylist(), type(kind)
        assert found.spans.to_pylist() == expected.spans.to_pylist(), type(kind)


def test_items_may_be_texts():
    asked = [item["question"] for item in ITEMS]
    expected = nc.decontaminate(TEXTS, [{"text": text} for text in asked], progress=False)
    assert "contaminated" in list(expected.items["verdict"])
    for kind in [asked, iter(asked), pa.array(asked), polars.Series(asked), pandas.Series(asked), {"text": asked}]:
        found = nc.decontaminate(TEXTS, kind, progress=False)
        assert found.items.to_pylist() == expected.items.to_pylist(), type(kind)
    with_null = nc.decontaminate(TEXTS, [*asked, None], progress=False).items.to_pylist()
    assert with_null[-1]["verdict"] == "undecidable" and with_null[-1]["reason"] == "short"


def test_what_is_no_number_is_nothing():
    nan, question = float("nan"), ITEMS[1]["question"]
    expected = nc.decontaminate(TEXTS, [{"q": question, "a": None}, {"q": None, "a": None}], fields=["q", "a"])
    assert expected.items["verdict"].to_pylist()[1] == "undecidable"
    plain = [{"q": question, "a": nan, "score": nan}, {"q": nan, "a": float("inf"), "score": nan}]
    nested = [{"m": {"q": question, "a": nan, "n": [{"score": nan}]}}, {"m": {"q": nan, "a": nan, "n": []}}]
    for items, fields in [(plain, ["q", "a"]), (nested, ["m.q", "m.a"])]:
        for kind in [items, pa.Table.from_pylist(items[:1] + [{**items[1], "q": None}]) if items is plain else items]:
            found = nc.decontaminate(TEXTS, kind, fields=fields, progress=False)
            assert found.items.to_pylist() == expected.items.to_pylist()
            assert found.spans.to_pylist() == expected.spans.to_pylist()


def test_maps_are_objects():
    question = ITEMS[1]["question"]
    of_map = pa.array([[("a", question), ("b", "seven")]], pa.map_(pa.string(), pa.string()))
    items = [{"q": {"a": question, "b": "seven"}}]
    for fields in ["q.a", ["q.b", "q.a"]]:
        expected = nc.decontaminate(TEXTS, items, fields=fields, progress=False)
        found = nc.decontaminate(TEXTS, pa.table({"q": of_map}), fields=fields, progress=False)
        assert found.items.to_pylist() == expected.items.to_pylist() and len(found) == len(expected)


def test_what_no_item_has_and_what_is_no_text_is_an_error():
    texts, question = ["a text"], "who rings the bell of the old mill?"
    for options, name in [({"fields": ["q", "answr"]}, "answr"), ({"fields": "q", "item_id": "zz"}, "zz")]:
        with pytest.raises(ValueError, match=f"no item of against has the field '{name}'; check its name"):
            nc.decontaminate(texts, [{"q": question}], **options)
    for value in (question.encode(), object()):
        words = f"row 0 of against: a value is of type {type(value).__name__}; expected text, a number"
        with pytest.raises(TypeError, match=words):
            nc.decontaminate(texts, [{"q": [value]}], fields="q")
    nested = nc.decontaminate(texts, [{"q": question, "m": {"id": 7}}], fields="q", item_id="m.id")
    assert nested.items["id"].to_pylist() == ["7"]


def test_an_item_without_its_parts_is_left_out_with_a_warning(tmp_path):
    items = [*ITEMS[:9], {"id": "x", "prompt": "a"}, *ITEMS[9:], {"prompt": "b"}]
    words = "2 of 42 items left out; row 9 of against: has no text in the field 'question'; it has id, prompt; name"
    with pytest.warns(RuntimeWarning, match=words):
        found = nc.decontaminate(ROWS, items, fields="question", item_id="id", progress=False)
    assert [row for row in range(42) if row not in list(found.items["row"])] == [9, 41]
    listed, *_ = by_command(tmp_path, items, "--field", "question", "--item-id", "id", "--drop")
    assert [item["verdict"] for item in listed] == list(found.items["verdict"])


@pytest.mark.parametrize("texts", [[], [None], ["One text."], [None, "One text."], pa.nulls(2)])
def test_clean_texts_have_nothing(texts):
    found = nc.decontaminate(texts, [ITEMS[1]["question"]], progress=False)
    assert len(found) == 0 and list(found.keep) == [True] * len(texts)
    assert found.items["verdict"].to_pylist() == ["clean"] and found.items["document"].to_pylist() == [None]
    assert list(found.filter(texts)) == list(found.apply(texts)) == list(texts)


@pytest.mark.parametrize(
    ("against", "options", "error", "words"),
    [
        (ITEMS, {"fields": "q"}, ValueError, "row 0 of against: has no text in the field 'q'; it has answer, choices"),
        (ITEMS, {"fields": []}, ValueError, "fields: name the parts of an item"),
        (ITEMS, {"fields": "question", "need": "answer"}, ValueError, "need 'answer': is no part of an item"),
        (ITEMS, {"fields": "question", "coverage": 2}, ValueError, "coverage 2: expected a number from 0 to 1"),
        (ITEMS, {"fields": "question", "threads": 0}, ValueError, "threads 0: expected a whole number from 1 to 65535"),
        ([], {}, ValueError, "against: has no items"),
        ("one text", {}, TypeError, "a single str"),
        (7, {}, TypeError, "int: expected a table"),
        ([7], {}, TypeError, "row 0 of against: is of type int; expected str, a dictionary or None"),
        (["a", "\ud800"], {}, ValueError, "row 1 of against: has half of a surrogate pair"),
        (polars.LazyFrame({"text": ["a"]}), {}, TypeError, "LazyFrame is no table; collect it first"),
    ],
)
def test_other_test_sets_and_options_are_refused(against, options, error, words):
    with pytest.raises(error) as raised:
        nc.decontaminate(TEXTS, against, progress=False, **options)
    assert words in str(raised.value)


def test_half_of_a_surrogate_pair_names_its_row():
    with pytest.raises(ValueError, match="row 1: has half of a surrogate pair"):
        nc.decontaminate(["a", "\ud800"], ["b"], progress=False)


def test_threads_change_nothing_and_progress_is_told():
    heard = []
    many = nc.decontaminate(TEXTS * 20, ITEMS, fields=FIELDS, threads=3, progress=lambda *step: heard.append(step))
    one = nc.decontaminate(iter(TEXTS * 20), ITEMS, fields=FIELDS, threads=1, progress=False)
    assert one.spans.to_pylist() == many.spans.to_pylist() and one.items.to_pylist() == many.items.to_pylist()
    assert {"reading the test set", "reading", "counting", "searching"} == {stage for stage, *_ in heard}


@pytest.mark.parametrize("level", [True, False])
def test_the_level_of_other_words_is_no_bool(level):
    with pytest.raises(TypeError, match="expected the least probability, such as 0.5, or None"):
        nc.decontaminate(TEXTS, ITEMS, fields=FIELDS, rewritten=level)
