"""Every kind of table gives the same rows, and none of its texts is copied."""

import datasets
import duckdb
import numpy
import pandas
import polars
import pyarrow as pa
import pytest

import nearcopy as nc

DUCK = "select unnest($texts) as text, unnest($ids) as id"


def tables(texts):
    ids = [f"d{row}" for row in range(len(texts))]
    columns = {"id": ids, "text": texts}
    table = pa.table(columns)
    strings = pa.array(texts)
    half = len(texts) // 2
    surplus = ["before"] + texts + ["after", None]
    return {
        "list": texts,
        "tuple": tuple(texts),
        "iterator": iter(texts),
        "generator": (text for text in texts),
        "numpy": numpy.array(texts, dtype=object),
        "columns": columns,
        "rows": [dict(zip(columns, row)) for row in zip(ids, texts)],
        "pairs": list(zip(ids, texts)),
        "pyarrow table": table,
        "pyarrow batch": table.to_batches()[0],
        "pyarrow reader": table.to_reader(),
        "pyarrow array": strings,
        "pyarrow chunked array": pa.chunked_array([texts[:half], [], texts[half:]], pa.string()),
        "chunked table": pa.concat_tables([table[:half], table[half:]]),
        "sliced table": pa.table({"text": surplus, "id": surplus})[1:-2],
        "sliced array": pa.array(surplus)[1:-2],
        "sliced batch": pa.record_batch({"text": surplus})[1:-2],
        "large_utf8": strings.cast(pa.large_string()),
        "string_view": strings.cast(pa.string_view()),
        "dictionary": strings.dictionary_encode(),
        "sliced dictionary": pa.array(surplus).dictionary_encode()[1:-2],
        "dictionary of large_utf8": strings.cast(pa.large_string()).dictionary_encode(),
        "dictionary table": pa.table(
            {"text": pa.chunked_array([texts[:half], texts[half:]], pa.string()).dictionary_encode()}
        ),
        "other order": table.select(["text", "id"]),
        "polars": polars.DataFrame(columns),
        "polars series": polars.Series("text", texts),
        "polars categories": polars.DataFrame({"text": polars.Series(texts, dtype=polars.Categorical)}),
        "polars sliced": polars.DataFrame({"text": surplus})[1:-2],
        "pandas": pandas.DataFrame(columns),
        "pandas by index": pandas.DataFrame(columns, index=list(reversed(range(len(texts))))),
        "pandas series": pandas.Series(texts),
        "pandas objects": pandas.Series(texts, dtype=object),
        "duckdb reader": duckdb.sql(DUCK, params={"texts": texts, "ids": ids}).to_arrow_reader(),
        "duckdb relation": duckdb.from_arrow(table),
        "datasets": datasets.Dataset.from_dict(columns),
        "datasets column": datasets.Dataset.from_dict(columns)["text"],
        "datasets chosen": datasets.Dataset.from_dict({"text": surplus}).select(range(1, len(texts) + 1)),
        "datasets streamed": datasets.Dataset.from_dict(columns).to_iterable_dataset(),
    }


NAMES = list(tables(["a", "b"]))


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_table_has_the_same_rows(name, texts, keep):
    found = nc.find(tables(texts)[name], progress=False)
    assert list(found.keep) == keep
    assert list(found.survivor) == [0, 1, 0, None, 4, 0, 6]
    assert found.jaccard[0] is None and found.jaccard[2] > 0.5 and found.jaccard[5] == 1
    assert found.rules[5] == ["hamming", "jaccard", "text"] and found.rules[0] is None


WITH_IDS = ["columns", "rows", "pairs", "pyarrow table", "polars", "pandas", "duckdb relation", "datasets"]


@pytest.mark.parametrize("name", WITH_IDS)
def test_ids_name_the_survivors(name, texts):
    found = nc.find(tables(texts)[name], id="id", progress=False)
    assert list(found.survivor_id) == ["d0", "d1", "d0", None, "d4", "d0", "d6"]


def test_ids_may_all_be_null():
    table = pa.table({"text": ["The same words"] * 2, "id": pa.nulls(2)})
    assert list(nc.find(table, id="id", progress=False).survivor_id) == ["0000000000"] * 2


@pytest.mark.parametrize("of", [pa.int8(), pa.uint16(), pa.int32(), pa.int64(), pa.uint64(), pa.string_view()])
def test_ids_may_be_numbers_and_decide_among_equals(of):
    table = pa.table({"text": ["The same words"] * 3 + [None], "id": pa.array([3, 1, 2, None]).cast(pa.int64())})
    ids = table["id"].cast(pa.string()).cast(of) if of == pa.string_view() else table["id"].cast(of)
    found = nc.find(table.set_column(1, "id", ids), id="id", progress=False)
    assert list(found.keep) == [False, True, False, True]
    assert list(found.survivor_id) == ["1", "1", "1", None]


def test_null_ids_are_numbered():
    table = pa.table({"text": ["The same words", "The same words"], "id": pa.array([None, None], pa.string())})
    assert list(nc.find(table, id="id", progress=False).survivor_id) == ["0000000000"] * 2


@pytest.mark.parametrize(
    "table",
    [
        [],
        [None, None],
        pa.table({"text": pa.array([], pa.string())}),
        pa.array([None], pa.string()),
        pa.nulls(2),
        pa.table({"text": pa.nulls(2)}),
        polars.DataFrame({"text": [None, None]}),
    ],
)
def test_tables_without_texts_have_no_duplicates(table):
    found = nc.find(table, progress=False)
    assert list(found.keep) == [True] * len(table)
    assert len(found.clusters()) == len(found.pairs()) == 0


def test_a_dictionary_without_values_is_all_null():
    nothing = pa.DictionaryArray.from_arrays(pa.array([None, None], pa.int32()), pa.array([], pa.string()))
    assert list(nc.find(nothing, progress=False).keep) == [True, True]


def test_nothing_is_copied():
    """A table of 64 MB is searched in a process that may not grow by half of it."""
    import resource

    word = "nineteen ferries left the pier before the lamps were lit along the harbour wall "
    texts = [f"{number} {word * 10_000}" for number in range(80)]
    table = pa.table({"text": texts})
    bytes_of_texts = table.nbytes
    assert bytes_of_texts > 60_000_000
    del texts
    nc.find(table[:2], progress=False)
    before = pa.total_allocated_bytes(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fingerprints = nc.Fingerprinter(language="eng").fingerprint(table, threads=1)
    after = pa.total_allocated_bytes(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert len(fingerprints) == 80 and after[0] == before[0]
    assert (after[1] - before[1]) * 1024 < bytes_of_texts / 2


@pytest.mark.parametrize(
    ("table", "error", "words"),
    [
        ("one text", TypeError, "a single str"),
        (7, TypeError, "int: expected a table"),
        (["a", 7], TypeError, "row 1: is of type int; expected str or None"),
        (pa.table({"body": ["a"]}), KeyError, "no column 'text'; name one of these by text=: body"),
        (pa.table({"text": [1]}), TypeError, "column 'text': is of type Int64; expected strings"),
        (pa.array([1.5]), TypeError, "is of type Float64; expected strings"),
        ([{"text": "a"}, {"body": "b"}], KeyError, "row 1: has no field 'text'; it has body"),
        ({"body": ["a"]}, KeyError, "no column 'text'; name one of these by text=: body"),
        (datasets.Dataset.from_dict({"body": ["a"]}), KeyError, "no column 'text'; name one of these by text=: body"),
        ({"text": ["a", "b"], "id": [1]}, ValueError, "different numbers of values: 'text' has 2, 'id' has 1"),
        ({"text": ["a"], "id": [True]}, TypeError, "row 0: the id is of type bool; expected str or int"),
        ({"text": ["a"], "id": [b"x"]}, TypeError, "row 0: the id is of type bytes; expected str or int"),
        (["a", "\ud800"], ValueError, "row 1: has half of a surrogate pair"),
        ({"text": ["a", None, "b \ud800"]}, ValueError, "replace it, as by text.encode('utf-8', 'replace').decode()"),
        (polars.LazyFrame({"text": ["a"]}), TypeError, "LazyFrame is no table; collect it first"),
        (datasets.DatasetDict(), TypeError, "DatasetDict is no table; choose one of its splits"),
        (datasets.IterableDatasetDict(), TypeError, "IterableDatasetDict is no table; choose one of its splits"),
    ],
)
def test_other_tables_are_refused_in_words(table, error, words):
    with pytest.raises(error) as raised:
        nc.find(table, id="id" if isinstance(table, dict) and "id" in table else None, progress=False)
    assert words in str(raised.value)


def test_an_error_of_an_iterator_is_raised():
    def texts():
        yield "one"
        raise LookupError("the disk is gone")

    with pytest.raises(LookupError, match="the disk is gone"):
        nc.find(texts(), progress=False)


def test_an_error_of_a_stream_is_raised():
    def batches():
        yield pa.record_batch({"text": ["one"]})
        raise LookupError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"text": pa.string()}), batches())
    with pytest.raises(ValueError, match="the disk is gone"):
        nc.find(reader, progress=False)


def test_the_index_of_pandas_is_not_read():
    texts = ["a b c d", "a b c d", "x y z"]
    for index in ([0, 1, "k"], [1, 2.5, (1, 2)], [b"a", "b", None], pandas.Index([0, 1, "k"], name="text")):
        frame = pandas.DataFrame({"text": texts}, index=pandas.Index(index, dtype=object))
        for table in (frame, frame["text"]):
            assert list(nc.find(table, progress=False).keep) == [True, False, True]
            assert nc.decontaminate(table, table, progress=False).items["row"].to_pylist() == [0, 1, 2]
            for search in (nc.clean, nc.clean_lines, nc.clean_repeats, nc.pairs, nc.neighbours, nc.screen):
                search(table, progress=False)
        assert nc.Fingerprinter().fingerprint(frame)["tokens"].to_pylist() == [4, 4, 3]
        assert nc.clean(frame, progress=False).filter(frame)["text"].tolist() == ["a b c d", "x y z"]


def test_two_relations_of_a_connection_are_read_in_one_call():
    connection = duckdb.connect()
    words = "nobody wound the clock in the hall after the aunts had left but it struck all the same at night"
    one, other = (
        connection.sql(f"select * from (values ('{words}'), ('{more}')) as t(text)") for more in ("a b c", "x")
    )
    assert nc.pairs(one, against=other, progress=False)["b"].to_pylist() == [0]
    assert nc.screen(one, against=other, ignore=other, progress=False).passages.to_pylist() == []
    assert len(nc.screen(one, against=other, progress=False).passages) == 1
    assert nc.decontaminate(one, other, progress=False).keep.to_pylist() == [False, True]


def test_columns_of_pandas_that_are_not_read_may_hold_anything():
    frame = pandas.DataFrame({"key": ["a", "b"], "text": ["a b c", "a b c"], "score": [1, "n/a"]})
    cleaned = nc.clean(frame, id="key", progress=False)
    assert list(cleaned.keep) == [True, False] and cleaned.filter(frame)["score"].tolist() == [1]
    assert nc.clean_lines(frame, progress=False).apply(frame)["score"].tolist() == [1, "n/a"]
    with pytest.raises(KeyError, match="no column 'body'; name one of these by text=: key, text, score"):
        nc.find(frame, text="body", progress=False)
