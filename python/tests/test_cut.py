"""Runs of words and lines that are cut from texts."""

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

NOTICE = "All rights in this page are reserved by the old mill and by its heirs \U0001f600 in the valley.\n"
MENU = "Home | Boats | Contact\n"


def corpus():
    """Texts with menus, notices, code, passages of others, emoji, Chinese, and lines that a few texts share."""
    chance = random.Random(5)
    words = "tide mill boat wheel brook clock aunt night hall war lamp oar été 河 水 \U0001f680".split()
    passages = [" ".join(chance.choices(words, k=length)) for length in (8, 20, 60, 80)]
    for number in range(60):
        own = [" ".join(chance.choices(words, k=chance.randrange(3, 30))) for _ in range(chance.randrange(1, 9))]
        own.insert(chance.randrange(len(own) + 1), chance.choice(passages))
        if number % 3 == 0:
            own.append("for (int i = 0; i < n; i++) {\n    sum += value[i];\n}")
        if number % 7 == 0:
            own = ["\U0001f600 " + passages[3]] * (number % 2 + 1)
        yield (MENU if number % 4 else "") + "\n\n".join(own) + "\r\n" + (NOTICE if number % 5 else "")


TEXTS = list(corpus())
TABLE = {
    "id": [f"d{row:03}" for row in range(len(TEXTS))],
    "text": TEXTS,
    "year": [row % 9 for row in range(len(TEXTS))],
    "url": [f"{'http://' * (row % 2)}S{row % 5}.example:80/{row}" if row % 11 else None for row in range(60)],
}
ROWS = [dict(zip(TABLE, row)) for row in zip(*TABLE.values())]


def by_command(folder, *options, rows=ROWS):
    """The spans and the texts that the command leaves, and the spans of --attributes."""
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    arguments = [
        "clean",
        "corpus.jsonl",
        "--id-field",
        "id",
        "-o",
        "out.jsonl",
        "--attributes",
        "spans.jsonl",
        "--summary",
        "summary.json",
        *options,
    ]
    run = subprocess.run([sys.executable, "-m", "nearcopy", *arguments], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    names = ["out.jsonl.cut.jsonl", "out.jsonl", "spans.jsonl"]
    return [[json.loads(line) for line in (folder / name).read_text().splitlines()] for name in names]


def without_rows(spans):
    """Spans as the list of the command has them."""
    for span in spans:
        assert TABLE["id"][span.pop("row")] == span["id"]
        if span["first"] is not None:
            assert TABLE["id"][span["first"].pop("row")] == span["first"]["id"]
    return spans


def compared(cut, folder, options, rows=ROWS):
    listed, left, attributes = by_command(folder, *options, rows=rows)
    assert without_rows(cut.spans.to_pylist()) == listed and len(listed) > 5
    assert cut.apply(rows) == left
    assert [row for row, fate in zip(TABLE["id"], cut.fates) if fate in ("cut", "goes")] == [
        line["id"] for line in attributes
    ]
    gone = [row for row, fate in zip(TABLE["id"], cut.fates) if fate == "goes"]
    assert gone == sorted(set(TABLE["id"]) - {row["id"] for row in left})
    summary, counts = json.loads((folder / "summary.json").read_text()), cut.counts
    assert summary["words"] == counts["words"]
    assert summary["cut"] == {
        "spans": counts["spans"],
        "words": counts["words_cut"],
        "documents": counts["cut"] + counts["goes"],
    }
    assert summary["gone"] == {"documents": counts["goes"], "words": counts["words_besides"]}


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--lines"], {}),
        (["--lines", "--max-documents", "1", "--all-lines"], {"max_documents": 1, "all_lines": True}),
        (["--lines", "--max-documents", "2", "--paragraphs"], {"max_documents": 2, "paragraphs": True}),
        (["--lines", "--keep", "none", "--max-cut", ".3"], {"keep": "none", "max_cut": 0.3}),
        (["--lines", "--max-documents=3", "--keep=longest", "--min-left=40"],
         {"max_documents": 3, "keep": "longest", "min_left": 40}),
        (["--lines", "--keep", "field:year:desc"], {"keep": "field:year:desc"}),
        (["--lines", "--max-documents=50", "--per-site=.5", "--url-field=url"],
         {"max_documents": 50, "per_site": 0.5, "url": "url"}),
        (["--lines", "--max-documents=13", "--per-site=.2", "--url-field=url", "--keep=field:year"],
         {"max_documents": 13, "per_site": 0.2, "url": "url", "keep": "field:year"}),
    ],
)  # fmt: skip
def test_lines_are_those_of_the_command(options, arguments, tmp_path):
    compared(nc.clean_lines(TABLE, id="id", progress=False, **arguments), tmp_path, options)


def test_sites_are_those_of_any_table():
    sites = {"max_documents": 50, "per_site": 0.5, "url": "url", "progress": False}
    cut = nc.clean_lines(TABLE, **sites)
    assert len(cut) > 5 and len(nc.clean_lines(TABLE, max_documents=50, progress=False)) == 0
    for table in [
        ROWS,
        iter(ROWS),
        pa.table(TABLE),
        pa.table({**TABLE, "url": pa.array(TABLE["url"]).dictionary_encode()}),
        polars.DataFrame(TABLE),
        pandas.DataFrame(TABLE),
        datasets.Dataset.from_dict(TABLE),
        datasets.Dataset.from_dict(TABLE).to_iterable_dataset(),
    ]:
        assert nc.clean_lines(table, **sites).spans.to_pylist() == cut.spans.to_pylist()


@pytest.mark.parametrize(
    ("table", "options", "error", "words"),
    [
        (TABLE, {"per_site": 0.5}, ValueError, "per_site and url belong together"),
        (TABLE, {"url": "url"}, ValueError, "per_site and url belong together"),
        (TABLE, {"per_site": 2, "url": "url"}, ValueError, "per_site 2: expected a number from 0 to 1"),
        (TABLE, {"per_site": 0.5, "url": "link"}, KeyError, "no column 'link'; name one of these by url=: id, text"),
        (pa.table(TABLE), {"per_site": 0.5, "url": "link"}, KeyError, "no column 'link'; name one of these by url="),
        (pa.table(TABLE), {"per_site": 0.5, "url": "year"}, TypeError, "column 'year': is of type Int64; expected str"),
        (pa.array(TEXTS), {"per_site": 0.5, "url": "url"}, KeyError, "no column 'url', which url names"),
        (ROWS, {"per_site": 0.5, "url": "link"}, ValueError, "no row has an address in the column 'link'"),
        (TEXTS, {"per_site": 0.5, "url": "url"}, ValueError, "no row has an address in the column 'url'"),
    ],
)  # fmt: skip
def test_wrong_sites_are_refused(table, options, error, words):
    with pytest.raises(error) as raised:
        nc.clean_lines(table, progress=False, **options)
    assert words in str(raised.value)


def test_counts_are_those_of_the_command(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    for number, rows in enumerate((ROWS[:20], ROWS[20:], ROWS[:20])):
        cut = nc.clean_lines(pa.Table.from_pylist(rows), id="id", max_documents=8, counts=here, progress=False)
        folder = tmp_path / str(number)
        folder.mkdir()
        listed, left, _ = by_command(folder, "--lines", "--max-documents=8", f"--counts={there}", rows=rows)
        assert cut.apply(rows) == left and len(listed) == len(cut) > 5
        assert [span["id"] for span in listed] == cut.spans["id"].to_pylist()
        assert here.read_bytes() == there.read_bytes()
    with pytest.raises(nc.Error, match="has the counts of lines, not of paragraphs; name another file"):
        nc.clean_lines(TEXTS, paragraphs=True, counts=here)


def test_null_texts_are_counted_as_the_command_counts_them(tmp_path):
    """Or each would count a corpus again that the other knows."""
    rows = [{"id": str(row), "text": text} for row, text in enumerate([*TEXTS[:20], None, "", *TEXTS[20:25], None])]
    counts = tmp_path / "counts"
    cut = nc.clean_lines(rows, id="id", max_documents=8, counts=counts, progress=False)
    before = counts.read_bytes()
    _, left, _ = by_command(tmp_path, "--lines", "--max-documents=8", f"--counts={counts}", rows=rows)
    assert counts.read_bytes() == before and cut.apply(rows) == left and cut.fates[20] == "stays"


def test_a_page_without_a_text_is_one_of_its_site_as_in_the_command(tmp_path):
    rows = [{**row, "text": None} if number % 4 == 0 else row for number, row in enumerate(ROWS)]
    cut = nc.clean_lines(rows, id="id", max_documents=50, per_site=0.5, url="url", progress=False)
    compared(cut, tmp_path, ["--lines", "--max-documents=50", "--per-site=.5", "--url-field=url"], rows)


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--repeats"], {}),
        (["--repeats=8"], {"words": 8}),
        (["--repeats=8", "--verbatim", "--keep", "none"], {"words": 8, "verbatim": True, "keep": "none"}),
        (["--repeats=8", "--keep=shortest", "--min-left=30", "--max-cut=.8"],
         {"words": 8, "keep": "shortest", "min_left": 30, "max_cut": 0.8}),
        (["--repeats=12", "--keep", "field:year"], {"words": 12, "keep": "field:year"}),
    ],
)  # fmt: skip
def test_repeats_are_those_of_the_command(options, arguments, tmp_path):
    compared(nc.clean_repeats(TABLE, id="id", progress=False, **arguments), tmp_path, options)


@pytest.mark.parametrize("cut", [nc.clean_lines(TEXTS, max_documents=2), nc.clean_repeats(TEXTS, words=8)])
def test_spans_and_what_is_left_are_the_text(cut):
    left = iter(cut.apply(TEXTS))
    spans = cut.spans.to_pylist()
    assert {"cut", "stays"} < set(cut.fates) and any("\U0001f600" in text for text in TEXTS)
    for row, (text, fate) in enumerate(zip(TEXTS, cut.fates)):
        own = [(span["start"], span["end"]) for span in spans if span["row"] == row]
        own_bytes = [(span["start_bytes"], span["end_bytes"]) for span in spans if span["row"] == row]
        assert [text[slice(*span)].encode() for span in own] == [text.encode()[slice(*span)] for span in own_bytes]
        assert bool(own) == (fate in ("cut", "goes"))
        if fate != "goes":
            ends = [0, *(end for span in own for end in span), len(text)]
            assert "".join(text[start:end] for start, end in zip(ends[::2], ends[1::2])) == next(left)
    assert next(left, None) is None
    counts = cut.counts
    assert counts["rows"] == len(TEXTS) and counts["spans"] <= len(spans) == len(cut)
    assert counts["words_cut"] + counts["words_besides"] == sum(span["words"] for span in spans) < counts["words"]
    assert repr(cut).startswith(f"<nearcopy.Cut: rows 60, cut {counts['cut']}, goes {counts['goes']}, spared ")
    again = pickle.loads(pickle.dumps(cut))
    assert again.spans.to_pylist() == spans and again.apply(TEXTS) == cut.apply(TEXTS) and again.counts == counts
    assert pa.table(cut)["start"].to_pylist() == polars.DataFrame(cut)["start"].to_list()
    assert duckdb.sql("select count(*) from cut").fetchall() == [(len(cut),)]
    assert pa.table(cut)["first"].to_pylist() == cut.spans["first"].to_pylist()


FEW = ["Nobody wound the clock in the hall\nOne\n", None, "\U0001f600 NOBODY wound the clock in the hall!\nTwo\n"]
LEFT = ["Nobody wound the clock in the hall\nOne\n", None, "Two\n"]


def few(**options):
    return nc.clean_lines(FEW, max_documents=1, progress=False, **options)


def test_a_table_of_each_library_is_cut():
    cut = few()
    assert cut.fates.to_pylist() == ["stays", "stays", "cut"] and cut.spans.to_pylist()[0]["row"] == 2
    frame = {"text": FEW, "n": [1, 2, 3]}
    table = pa.table(frame)
    assert cut.apply(table).schema == table.schema and cut.apply(table)["text"].to_pylist() == LEFT
    assert cut.apply(table.to_batches()[0])["n"].to_pylist() == [1, 2, 3]
    assert cut.apply(table.to_reader())["text"].to_pylist() == LEFT
    for array in [pa.array(FEW), pa.chunked_array([FEW]), pa.array(FEW, pa.large_utf8())]:
        assert cut.apply(array).type == array.type and cut.apply(array).to_pylist() == LEFT
    assert cut.apply(pa.array(FEW).dictionary_encode()).to_pylist() == LEFT
    assert cut.apply(polars.DataFrame(frame)).to_dict(as_series=False) == {"text": LEFT, "n": [1, 2, 3]}
    assert cut.apply(polars.Series("a", FEW)).to_list() == LEFT and cut.apply(polars.Series("a", FEW)).name == "a"
    assert cut.apply(polars.DataFrame({"text": polars.Series(FEW, dtype=polars.Categorical)}))["text"].to_list() == LEFT
    for dtype in ["str", "object", "category"]:
        series = pandas.Series(FEW, index=[7, 8, 9], dtype=dtype)
        left = cut.apply(series)
        assert isinstance(left, pandas.Series) and list(left.index) == [7, 8, 9]
        assert [None if pandas.isna(text) else text for text in left] == LEFT
        assert cut.apply(pandas.DataFrame({"text": series, "n": 1}))["text"].equals(left)
    data = cut.apply(datasets.Dataset.from_dict(frame))
    assert data["text"][:] == LEFT and data.column_names == ["text", "n"] and isinstance(data, datasets.Dataset)
    assert cut.apply(datasets.Dataset.from_dict(frame).to_iterable_dataset())[2] == {"text": "Two\n", "n": 3}
    few_texts, more = datasets.Dataset.from_dict({"text": FEW}), datasets.Dataset.from_dict({"text": [*FEW, "more"]})
    for one in (
        few_texts,
        more.select([0, 1, 2]),
        more.filter(lambda row: row["text"] != "more"),
        datasets.concatenate_datasets([more.select([0, 1]), more.select([2])]),
        datasets.Dataset.from_dict({"text": FEW[::-1]}).select([2, 1, 0]),
    ):
        assert cut.apply(one)["text"][:] == LEFT and cut.apply(one).features == few_texts.features
    relation = cut.apply(duckdb.from_arrow(table))
    assert isinstance(relation, nc.Table) and relation.to_pylist() == cut.apply(table).to_pylist()
    assert cut.apply(frame) == {"text": LEFT, "n": [1, 2, 3]}
    assert cut.apply(FEW) == cut.apply(iter(FEW)) == LEFT
    assert cut.apply([{"text": text, "n": 1} for text in FEW])[2] == {"text": "Two\n", "n": 1}
    assert cut.apply(list(zip("abc", FEW))) == list(zip("abc", LEFT))


def test_a_row_that_goes_is_left_out():
    cut = few(min_left=3)
    assert cut.fates.to_pylist() == ["stays", "stays", "goes"] and cut.counts["goes"] == 1
    assert [span["first"] is None for span in cut.spans.to_pylist()] == [False, True]
    counts = cut.counts
    assert [counts[name] for name in ("spans", "words_cut", "words_besides")] == [1, 8, 1] and len(cut) == 2
    assert cut.apply(FEW) == FEW[:2] and cut.apply({"text": FEW, "n": [1, 2, 3]})["n"] == [1, 2]
    assert few(max_cut=0.5).fates.to_pylist() == ["stays", "stays", "spared"] and few(max_cut=0.5).apply(FEW) == FEW


def test_null_ids_are_numbered():
    texts = pa.table({"text": FEW, "id": pa.array(["a", "b", None])})
    for table in [texts, texts.to_pylist(), polars.DataFrame(texts)]:
        for span in [*nc.clean_lines(table, id="id", max_documents=1).spans.to_pylist(),
                     *nc.clean_repeats(table, id="id", words=5, max_cut=1).spans.to_pylist(),
                     *nc.decontaminate(table, FEW[:1], id="id").spans.to_pylist()[1:]]:  # fmt: skip
            assert span["id"] == "0000000002" and span["row"] == 2
    assert list(nc.find(texts, id="id", distance=None, similarity=0).survivor_id)[1] is None


def test_other_texts_are_refused():
    cut = few()
    with pytest.raises(ValueError, match="row 2: has another text than the one that was searched"):
        cut.apply([*FEW[:2], FEW[2].replace("Two", "Too")])
    with pytest.raises(ValueError, match="row 2: has another text"):
        cut.apply([*FEW[:2], None])
    for other in [FEW[:2], [*FEW, "more"], iter(FEW[1:])]:
        with pytest.raises(ValueError, match="the result has 3 rows"):
            cut.apply(other)


@pytest.mark.parametrize("clean", [nc.clean_lines, nc.clean_repeats])
def test_nothing_is_cut_of_nothing(clean):
    for texts in [[], [None], ["One text."], pa.nulls(2), pa.table({"text": pa.nulls(1)}), polars.Series([None, None])]:
        cut = clean(texts, progress=False)
        assert len(cut) == 0 and set(cut.fates) <= {"stays"} and len(cut.fates) == len(texts)
        assert list(cut.apply(texts)) == list(texts) if isinstance(texts, list) else cut.apply(texts).equals(texts)


@pytest.mark.parametrize("clean", [nc.clean_lines, nc.clean_repeats])
@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        (
            {"keep": "nothing"},
            ValueError,
            "keep 'nothing': expected first, last, longest, shortest, none or field:NAME",
        ),
        ({"keep": "field:date"}, KeyError, "no column 'date'"),
        ({"keep": "field:none"}, ValueError, "no row has the field 'none' of keep"),
        ({"min_left": -1}, ValueError, "min_left -1: expected a whole number of 0 or more"),
        ({"max_cut": 1.5}, ValueError, "max_cut 1.5: expected a number from 0 to 1"),
        ({"max_cut": float("nan")}, ValueError, "max_cut NaN: expected a number from 0 to 1"),
        ({"threads": 0}, ValueError, "threads 0: expected a whole number from 1 to 65535"),
        ({"text": "body"}, KeyError, "no column 'body'"),
        ({"min_left": "few"}, TypeError, "integer"),
    ],
)
def test_wrong_options_are_refused(clean, options, error, words):
    with pytest.raises(error) as raised:
        clean({"text": FEW, "none": [None] * 3}, progress=False, **options)
    assert words in str(raised.value)


def test_wrong_options_of_one_are_refused():
    for words in [4, 10_001, -5]:
        with pytest.raises(ValueError, match=f"words {words}: expected a whole number from 5 to 10000"):
            nc.clean_repeats(FEW, words=words, progress=False)
    with pytest.raises(ValueError, match="max_documents 0: expected a whole number of 1 or more"):
        nc.clean_lines(FEW, max_documents=0, progress=False)
    with pytest.raises(TypeError, match="verbatim"):
        nc.clean_repeats(FEW, verbatim="no", progress=False)


@pytest.mark.parametrize("clean", [nc.clean_lines, nc.clean_repeats])
def test_half_of_a_surrogate_pair_names_its_row(clean):
    with pytest.raises(ValueError, match="row 1: has half of a surrogate pair"):
        clean(["a", "\ud800"], progress=False)


@pytest.mark.parametrize("clean", [nc.clean_lines, nc.clean_repeats])
def test_threads_and_memory_change_nothing_and_progress_is_told(clean, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    heard = []
    few_words = {"max_documents": 1} if clean is nc.clean_lines else {"words": 8}
    many = clean(TEXTS * 20, threads=3, progress=lambda *step: heard.append(step), **few_words)
    assert {stage for stage, *_ in heard} >= {"reading"} and max(done for _, done, _ in heard) == 20 * len(TEXTS)
    one = clean(iter(TEXTS * 20), threads=1, max_memory=32 << 20, progress=False, **few_words)
    assert one.spans.to_pylist() == many.spans.to_pylist() and list(one.fates) == list(many.fates)
    del one, many
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("clean", [nc.clean_lines, nc.clean_repeats])
def test_an_exception_of_a_callback_stops_it(clean):
    def stop(stage, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        clean(TEXTS * 2000, progress=stop)


def test_views_of_strings_are_filtered_and_cut():
    table = pa.table({"text": pa.array([TEXTS[0], TEXTS[0], None], pa.string_view()), "n": [1, 2, 3]})
    assert nc.clean(table, progress=False).filter(table).to_pydict()["n"] == [1, 3]
    cut = nc.clean_lines(table, max_documents=1, progress=False).apply(table)
    assert cut.schema == table.schema
    column = table["text"]
    for one in (column, column.chunk(0), table.to_batches()[0], table.select(["text"]).to_batches()[0]):
        kept = nc.clean(one, progress=False).filter(one)
        left = nc.clean_lines(one, max_documents=1, progress=False).apply(one)
        assert type(kept) is type(left) is type(one) and len(kept) == len(left) == 2
        assert str(getattr(kept, "type", None)) == str(getattr(left, "type", None)) == str(getattr(one, "type", None))
        assert getattr(kept, "schema", None) == getattr(left, "schema", None) == getattr(one, "schema", None)
    none = nc.decontaminate(column, [TEXTS[0]], progress=False).filter(column)
    assert none.type == column.type and none.to_pylist() == [None]
