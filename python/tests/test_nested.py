"""Columns inside others are named with dots, in every kind of table."""

import json
import subprocess
import sys

import datasets
import duckdb
import pandas
import polars
import pyarrow as pa
import pytest

import nearcopy as nc

MENU = "Home | Boats | Contact\n"
TEXTS = [f"{MENU}The ferry to the {name} leaves at nine.\n" for name in ("pier", "mill", "brook", "pier")]
ROWS = [
    {"a": {"b": TEXTS[0], "n": {"id": "w", "at": 3}}, "url": {"of": "http://s.example/0"}, "year": 0},
    {"a": {"b": TEXTS[1], "n": {"id": "x", "at": 4}}, "url": {"of": "http://s.example/1"}, "year": 1},
    {"a": None, "url": {"of": "http://s.example/2"}, "year": 2},
    {"a": {"b": TEXTS[2], "n": {"id": "y", "at": 2}}, "url": None, "year": 3},
    {"a": {"b": TEXTS[3], "n": {"id": "z", "at": 1}}, "url": {"of": "http://s.example/4"}, "year": 4},
]
TABLE = pa.Table.from_pylist(ROWS)
FLAT = [
    {
        "text": row["a"] and row["a"]["b"],
        "id": row["a"] and row["a"]["n"]["id"],
        "at": row["a"] and row["a"]["n"]["at"],
        "url": row["url"] and row["url"]["of"],
    }
    for row in ROWS
]


class Stream:
    """An object with the Arrow interface alone."""

    def __arrow_c_stream__(self, requested_schema=None):
        return TABLE.__arrow_c_stream__(requested_schema)

    def __len__(self):
        return len(ROWS)


def tables():
    return {
        "list": ROWS,
        "iterator": iter(ROWS),
        "columns": {name: [row[name] for row in ROWS] for name in ROWS[0]},
        "pyarrow table": TABLE,
        "pyarrow batch": TABLE.to_batches()[0],
        "pyarrow reader": TABLE.to_reader(),
        "chunked table": pa.concat_tables([TABLE[:2], TABLE[2:2], TABLE[2:]]),
        "sliced table": pa.concat_tables([TABLE, TABLE]).combine_chunks()[5:],
        "polars": polars.DataFrame(ROWS),
        "pandas": pandas.DataFrame(ROWS),
        "pandas of Arrow": TABLE.to_pandas(types_mapper=pandas.ArrowDtype),
        "datasets": datasets.Dataset.from_list(ROWS),
        "datasets streamed": datasets.Dataset.from_list(ROWS).to_iterable_dataset(),
        "duckdb": duckdb.from_arrow(TABLE),
        "stream": Stream(),
    }


NAMES = list(tables())


def rows_of(table):
    """The rows of a table of any library."""
    if isinstance(table, dict):
        return [dict(zip(table, row)) for row in zip(*table.values())]
    if isinstance(table, pandas.DataFrame):
        return pa.Table.from_pandas(table, preserve_index=False).to_pylist()
    if isinstance(table, polars.DataFrame):
        return table.to_dicts()
    if isinstance(table, nc.Table):
        return pa.table(table).to_pylist()
    return table.to_pylist() if hasattr(table, "to_pylist") else list(table)


@pytest.mark.parametrize("name", NAMES)
def test_nested_columns_of_every_kind_of_table_are_found(name):
    for search in (nc.find, nc.clean):
        found = search(tables()[name], text="a.b", id="a.n.id", keep="field:a.n.at", progress=False)
        plain = search(FLAT, id="id", keep="field:at", progress=False)
        assert found.to_pylist() == plain.to_pylist()
        assert not found.keep[0] and found.survivor_id[0] == "z"


@pytest.mark.parametrize("name", NAMES)
def test_nested_texts_are_cut_in_every_kind_of_table(name):
    sites = {"max_documents": 9, "per_site": 0.5}
    cut = nc.clean_lines(tables()[name], text="a.b", id="a.n.id", url="url.of", progress=False, **sites)
    plain = nc.clean_lines(FLAT, id="id", url="url", progress=False, **sites)
    assert cut.spans.to_pylist() == plain.spans.to_pylist() and len(cut) > 0
    expected = [row if row["a"] is None else {**row, "a": {**row["a"], "b": None}} for row in ROWS]
    for row, left in zip(expected, plain.apply(FLAT), strict=True):
        if row["a"] is not None:
            row["a"]["b"] = left["text"]
    left = cut.apply(tables()[name])
    assert rows_of(left) == expected
    of = {"stream": nc.Table, "duckdb": nc.Table, "pyarrow reader": pa.Table}
    of |= {"iterator": list, "datasets streamed": list}
    assert isinstance(left, of.get(name, type(tables()[name])))
    if isinstance(left, pa.Table):
        assert left.schema == TABLE.schema
    if isinstance(left, datasets.Dataset):
        assert left.features == tables()[name].features
    if isinstance(left, polars.DataFrame):
        assert left.schema == tables()[name].schema


def test_runs_and_items_are_cut_from_nested_texts():
    notice = "All rights in this page are reserved by the old mill and by its heirs in the valley below the bridge"
    texts = [f"The tide turned. {notice}.", None, f"{notice}, he said to the aunt and to the two brothers."]
    rows = [{"a": {"n": {"body": text}, "k": row}, "x": row} for row, text in enumerate(texts)] + [{"a": None, "x": 9}]
    plain = [*texts, None]
    of = [list, pa.Table.from_pylist, polars.DataFrame, pandas.DataFrame, datasets.Dataset.from_list]
    for table in (make(rows) for make in of):
        cut = nc.clean_repeats(table, text="a.n.body", words=8, max_cut=1.0, progress=False)
        found = nc.decontaminate(table, [notice], text="a.n.body", progress=False)
        for made, expected in [
            (cut, nc.clean_repeats(plain, words=8, max_cut=1.0, progress=False).apply(plain)),
            (found, nc.decontaminate(plain, [notice], progress=False).apply(plain)),
        ]:
            left = rows_of(made.apply(table))
            assert [row["a"] and row["a"]["n"]["body"] for row in left] == expected != plain
            assert [row["a"] and row["a"]["k"] for row in left] == [0, 1, 2, None]
            assert [row["x"] for row in left] == [0, 1, 2, 9]


@pytest.mark.parametrize(
    "of",
    [
        list,
        lambda rows: {name: [row[name] for row in rows] for name in rows[0]},
        pa.Table.from_pylist,
        polars.DataFrame,
        pandas.DataFrame,
        datasets.Dataset.from_list,
        lambda rows: duckdb.from_arrow(pa.Table.from_pylist(rows)),
    ],
)
def test_a_column_of_the_whole_name_comes_first(of, tmp_path):
    """As in the command."""
    rows = [
        {"a": {"b": "nested words here", "b.c": {"d": MENU + text}}, "a.b": text, "a.b.c": {"e": text}}
        for text in (TEXTS[0], TEXTS[1], TEXTS[0])
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for text in ("a.b", "a.b.c.e"):
        command = [sys.executable, "-m", "nearcopy", "clean", "rows.jsonl", "-o", f"{text}.jsonl", "--text-field", text]
        subprocess.run([*command, "--keep=first", "--quiet"], cwd=tmp_path, check=True)
        by_command = (tmp_path / f"{text}.jsonl").read_text()
        found = nc.clean(of(rows), text=text, keep="first", progress=False)
        assert found.keep.to_pylist() == [True, True, False], text
        assert [json.loads(line) for line in by_command.splitlines()] == rows_of(found.filter(of(rows))), text
    # Dots in the name of an inner field, as in columns of Parquet.
    assert nc.clean(of(rows), text="a.b.c.d", keep="first", progress=False).keep.to_pylist() == [True, True, False]
    cut = nc.clean_lines(of(rows), text="a.b", max_documents=2, progress=False)
    left = rows_of(cut.apply(of(rows)))
    assert [row["a.b"] for row in left] == [TEXTS[0], TEXTS[1].removeprefix(MENU), TEXTS[0].removeprefix(MENU)]
    assert [row["a"] for row in left] == [row["a"] for row in rows]


@pytest.mark.parametrize("name", [name for name in NAMES if "iterator" not in name])
def test_a_name_that_leads_nowhere_is_a_key_error(name):
    # Records of an iterator may lack addresses and keys.
    optional = [] if name in ("list", "columns", "datasets streamed") else [{"url": "url.x"}, {"keep": "field:a.x"}]
    for given in [{"text": "a.x"}, {"id": "a.x"}, *optional]:
        with pytest.raises(KeyError, match=r"'(a|url)\.x'.*a, url.*'(a' has b, n|url' has of)"):
            nc.clean_lines(tables()[name], progress=False, **{"text": "a.b", **given})
    with pytest.raises(KeyError, match="'body.text'.*: *a, url, year|it has a, url, year"):
        nc.find(tables()[name], text="body.text", progress=False)


def test_names_of_columns_are_listed():
    words = "no column 'a.x'; name one of these by text=: a, url, year; 'a' has b, n"
    for table in (TABLE, pandas.DataFrame(ROWS), polars.DataFrame(ROWS), datasets.Dataset.from_list(ROWS), Stream()):
        with pytest.raises(KeyError, match=words):
            nc.find(table, text="a.x", progress=False)
        with pytest.raises(KeyError, match="no column 'x.a'; name one of these by text=: a, url, year"):
            nc.find(table, text="x.a", progress=False)
    with pytest.raises(KeyError, match="row 0: has no field 'a.x'; it has a, url, year; 'a' has b, n"):
        nc.find(ROWS, text="a.x", progress=False)
    with pytest.raises(KeyError, match="row 0: has no field 'year.x'; it has a, url, year"):
        nc.find(ROWS, text="year.x", progress=False)
    with pytest.raises(TypeError, match="column 'a.n': is of type Struct.*; expected strings"):
        nc.find(TABLE, text="a.n", progress=False)
    with pytest.raises(TypeError, match="column 'a.n.at': is of type Int64; expected strings"):
        nc.find(TABLE, text="a.n.at", progress=False)


def test_a_key_that_some_rows_lack_comes_last():
    rows = [{"text": TEXTS[0], "m": {}}, {"text": TEXTS[0], "m": {"at": 7}}, {"text": TEXTS[0]}]
    columns = {"text": [TEXTS[0]] * 3, "m": [{}, {"at": 7}, None]}
    for table in (rows, columns):
        assert nc.find(table, keep="field:m.at", progress=False).keep.to_pylist() == [False, True, False]


def test_other_searches_have_nested_columns(tmp_path):
    texts = [row["text"] for row in FLAT]
    flat = [{**row, "id": row["id"] or "none"} for row in FLAT if row["text"]]
    rows = [{"a": {"b": row["text"], "id": row["id"]}} for row in flat]
    for table in (rows, pa.Table.from_pylist(rows), polars.DataFrame(rows)):
        index = nc.Index.create(tmp_path / f"index {type(table).__module__}")
        assert index.add(table, text="a.b", id="a.id", progress=False).to_pylist()[0]["added"] and "w" in index
        assert index.query(table, text="a.b", progress=False)["id"][0] == "w"
        assert len(nc.pairs(table, table, text="a.b", progress=False)) == len(nc.pairs(flat, flat, progress=False)) > 0
        assert len(nc.neighbours(table, text="a.b", progress=False)) > 0
        assert len(nc.screen(table, text="a.b", id="a.id", progress=False).passages) == len(
            nc.screen(flat, id="id", progress=False).passages
        )
        fingerprints = nc.Fingerprinter(language="eng").fingerprint(table, text="a.b")
        assert fingerprints["digest"].to_pylist() == nc.Fingerprinter().fingerprint(flat)["digest"].to_pylist()
        nc.clean(table, text="a.b", id="a.id", progress=False).report(tmp_path / "page.html", overwrite=True)
        assert "The ferry to the pier" in (tmp_path / "page.html").read_text()
    assert texts.count(None) == 1


def test_texts_alone_have_no_names():
    texts = ["The same words"] * 2
    for table in (pa.array(texts), pa.chunked_array([texts]), polars.Series(texts), pandas.Series(texts), texts):
        assert nc.find(table, text="a.b", progress=False).keep.to_pylist() == [True, False]


def test_types_of_nested_texts_are_kept():
    values = pa.array([MENU + "one", MENU + "two", None])
    for of in (values, values.cast(pa.large_string()), values.cast(pa.string_view()), values.dictionary_encode()):
        inner = pa.StructArray.from_arrays([of, pa.array([1, 2, 3])], ["b", "n"], mask=pa.array([False, False, True]))
        for table in (
            pa.table({"a": inner}),
            pa.record_batch({"a": inner}),
            pa.table({"a": pa.chunked_array([inner])}),
        ):
            left = nc.clean_lines(table, text="a.b", max_documents=1, progress=False).apply(table)
            assert type(left) is type(table)
            assert left.to_pylist() == [{"a": {"b": MENU + "one", "n": 1}}, {"a": {"b": "two", "n": 2}}, {"a": None}]
            expected = getattr(of.type, "value_type", of.type)
            assert left.schema.field("a").type == pa.struct({"b": expected, "n": pa.int64()})


def test_all_rows_may_go():
    rows = [{"a": {"b": MENU}}, {"a": {"b": MENU}}]
    for of in (list, pa.Table.from_pylist, polars.DataFrame, pandas.DataFrame, datasets.Dataset.from_list):
        table = of(rows)
        cut = nc.clean_lines(table, text="a.b", max_documents=1, keep="none", progress=False)
        assert cut.fates.to_pylist() == ["goes", "goes"] and len(cut.apply(table)) == 0


def test_half_of_a_surrogate_pair_in_a_nested_column_names_its_row():
    for table in ([{"a": {"b": "x"}}, {"a": {"b": "\ud800"}}], pandas.DataFrame({"a": [{"b": "x"}, {"b": "\ud800"}]})):
        with pytest.raises(ValueError, match="row 1: has half of a surrogate pair"):
            nc.find(table, text="a.b", progress=False)


def test_fields_of_pandas_beside_the_text_may_hold_anything():
    frame = pandas.DataFrame({"a": [{"b": "one two", "n": 1}, {"b": "one two", "n": "n/a"}, None]})
    assert nc.find(frame, text="a.b", progress=False).keep.to_pylist() == [True, False, True]


def test_an_error_of_a_stream_is_raised():
    def batches():
        yield TABLE.to_batches()[0]
        raise LookupError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(TABLE.schema, batches())
    with pytest.raises(ValueError, match="the disk is gone"):
        nc.find(reader, text="a.b", progress=False)


def test_without_pyarrow_whole_names_are_found(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    frame = polars.DataFrame(ROWS)
    assert len(nc.clean(frame, text="a.b", progress=False)) == 5
    assert len(nc.clean(ROWS, text="a.b", progress=False)) == 5
    with pytest.raises(KeyError, match="no column 'a.b'"):
        nc.clean(Stream(), text="a.b", progress=False)
