"""Near-duplicates, and the tables of them."""

import copy
import datetime
import json
import pickle
import re
import subprocess
import sys

import datasets
import duckdb
import pandas
import polars
import pyarrow as pa
import pytest

import nearcopy as nc
from conftest import CLOCK, MILL, RULE, SISTERS

FIGURES = ["distance", "jaccard_estimate", "jaccard", "containment_a", "containment_b", "rules", "removal"]


def test_a_result_is_a_table(texts, keep):
    found = nc.find(texts, progress=False)
    assert len(found) == len(texts) and repr(found) == "<nearcopy.Found: 7 rows, 5 kept>"
    table = pa.table(found)
    assert table.column_names == ["keep", "survivor", *FIGURES]
    assert table.schema.field("rules").type == pa.list_(pa.string())
    assert table["keep"].to_pylist() == keep
    assert polars.DataFrame(found)["survivor"].to_list() == [0, 1, 0, None, 4, 0, 6]
    assert pandas.DataFrame.from_arrow(found)["keep"].tolist() == keep
    assert duckdb.sql("select count(*) from found where keep").fetchall() == [(5,)]
    assert pa.array(found.keep).to_pylist() == polars.Series(found.keep).to_list() == keep
    assert found.to_pylist()[2]["survivor"] == 0
    assert found.keep[-1] is True and len(found.keep) == 7
    with pytest.raises(IndexError):
        found.keep[7]
    with pytest.raises(AttributeError, match="no attribute 'kept'"):
        found.kept


def test_filter_gives_the_same_kind_of_table(texts, keep):
    table = pa.table({"id": range(len(texts)), "text": texts})
    stays = [row for row, is_kept in enumerate(keep) if is_kept]
    found = nc.find(table, progress=False)
    kept = found.filter(table)
    assert isinstance(kept, pa.Table) and kept["id"].to_pylist() == stays
    assert found.filter(table.to_batches()[0])["id"].to_pylist() == stays
    frame = polars.from_arrow(table)
    assert isinstance(found.filter(frame), polars.DataFrame) and found.filter(frame)["id"].to_list() == stays
    assert found.filter(frame["id"]).to_list() == stays
    frame = table.to_pandas()
    assert isinstance(found.filter(frame), pandas.DataFrame) and found.filter(frame)["id"].tolist() == stays
    data = datasets.Dataset(table)
    assert isinstance(found.filter(data), datasets.Dataset) and found.filter(data)["id"][:] == stays
    assert found.filter(texts) == [texts[row] for row in stays]
    assert found.filter({"id": list(range(7))}) == {"id": stays}
    relation = found.filter(duckdb.from_arrow(table))
    assert isinstance(relation, nc.Table) and relation["id"].to_pylist() == stays
    assert pa.table(found.filter(table.to_reader()))["text"].to_pylist() == [texts[row] for row in stays]
    for other in [table[1:], table[1:].to_reader(), pa.concat_tables([table, table]).to_reader(), texts[1:], frame[1:]]:
        with pytest.raises(ValueError, match="7 rows"):
            found.filter(other)


def test_clusters_pairs_and_neighbours(texts):
    table = pa.table({"id": [f"d{row}" for row in range(len(texts))], "text": texts})
    found = nc.find(table, id="id", progress=False)
    clusters = found.clusters().to_pylist()
    assert [(row["survivor"], row["member"]) for row in clusters] == [(0, 5), (0, 2)]
    assert [(row["survivor_id"], row["member_id"]) for row in clusters] == [("d0", "d5"), ("d0", "d2")]
    pairs = nc.pairs(table, id="id", progress=False).to_pylist()
    assert [(row["a"], row["b"], row["a_id"], row["b_id"]) for row in pairs] == [(0, 2, "d0", "d2"), (0, 5, "d0", "d5")]
    assert pairs == found.pairs().to_pylist()
    nearest = nc.neighbours(table, k=1, id="id", progress=False).to_pylist()
    assert [(row["row"], row["neighbour"], row["rank"]) for row in nearest] == [(0, 5, 1), (2, 0, 1), (5, 0, 1)]
    assert nearest[0]["jaccard"] == 1 and nearest[0]["neighbour_id"] == "d5"


def test_pairs_of_two_tables():
    a, b = [None, MILL, CLOCK], pa.table({"text": [CLOCK, None, SISTERS]})
    pairs = nc.pairs(a, against=b, progress=False).to_pylist()
    assert [(row["a"], row["b"]) for row in pairs] == [(1, 2), (2, 0)]
    assert not len(nc.pairs([MILL], against=[CLOCK, CLOCK], progress=False))


def test_the_policy_chooses_the_survivor():
    texts = [MILL + " So it stands.", MILL, MILL + " So it stands still."]
    kept = {
        keep: nc.find(texts, keep=keep, progress=False).filter([0, 1, 2])
        for keep in ["first", "last", "longest", "shortest"]
    }
    assert kept == {"first": [0], "last": [2], "longest": [2], "shortest": [1]}


SAME = [MILL, MILL, MILL, MILL]


def survivor(table, keep):
    return nc.find(table, keep=keep, progress=False).keep.to_pylist().index(True)


@pytest.mark.parametrize("rows", [[], ["a b c"], ["a b c"] * 4])
def test_an_iterator_of_other_rows_is_refused(rows):
    cleaned = nc.clean(["a b c", "a b c", "d e f"], progress=False)
    assert cleaned.filter(iter(["a b c", "a b c", "d e f"])) == ["a b c", "d e f"]
    with pytest.raises(ValueError, match="the result has 3 rows and this table has not"):
        cleaned.filter(iter(rows))


@pytest.mark.parametrize(
    ("values", "least", "greatest"),
    [
        ([10, 9, None, 10], 1, 0),
        ([10.5, -1.0, None, 3.0], 1, 0),
        (["10", "9", None, "a"], 1, 3),
        ([True, False, None, True], 1, 0),
        ([datetime.date(2026, 1, day) for day in (9, 2, 30, 10)], 1, 2),
        ([datetime.datetime(2026, 1, 1, hour) for hour in (9, 2, 20, 10)], 1, 2),
    ],
)
def test_a_column_chooses_the_survivor(values, least, greatest):
    data = {"text": SAME, "value": values}
    table = pa.table(data)
    rows = table.to_pylist()
    for of in [table, polars.DataFrame(data), datasets.Dataset(table), data, rows, iter(rows)]:
        assert survivor(of, "field:value") == least, type(of)
    for of in [table, polars.DataFrame(data), datasets.Dataset(table), data, rows, iter(rows)]:
        assert survivor(of, "field:value:desc") == greatest, type(of)
    assert survivor(table, "field:value:asc") == least


def test_times_with_a_zone_are_compared_in_utc():
    east = datetime.timezone(datetime.timedelta(hours=9))
    values = [
        datetime.datetime(2026, 1, 1, 9, tzinfo=east),
        datetime.datetime(2026, 1, 1, 8, tzinfo=datetime.timezone.utc),
    ]
    table = {"text": SAME[:2], "at": values}
    assert survivor(table, "field:at") == survivor(pa.table(table), "field:at") == 0


def test_the_field_of_the_policy_is_checked():
    data = {"id": ["b", "a"], "text": [MILL, MILL], "none": [None, None]}
    for table in [data, pa.table(data), datasets.Dataset(pa.table(data))]:
        with pytest.raises(KeyError, match="no column 'date'; name one of these by keep=: id, text, none"):
            nc.find(table, keep="field:date", progress=False)
        with pytest.raises(ValueError, match="no row has the field 'none' of keep; check its name, or name another"):
            nc.clean(table, keep="field:none", progress=False)
    rows = pa.table(data).to_pylist()
    with pytest.raises(ValueError, match="no row has the field 'date' of keep"):
        nc.find(rows, keep="field:date", progress=False)
    with pytest.raises(TypeError, match="column 'list': is of type List.*; expected strings, numbers or times"):
        nc.find(pa.table({"text": [MILL], "list": [[1]]}), keep="field:list", progress=False)
    with pytest.raises(KeyError, match="no column 'date', which keep names: these are texts alone"):
        nc.find(pa.array([MILL]), keep="field:date", progress=False)
    # Ties go to the lesser id, and an empty table has no field to miss.
    assert nc.find({**data, "same": [1, 1]}, id="id", keep="field:same", progress=False).keep.to_pylist() == [
        False,
        True,
    ]
    assert len(nc.find([], keep="field:date", progress=False)) == 0


def test_clean_asks_for_more():
    texts = [MILL, SISTERS, MILL.upper()]
    assert list(nc.find(texts, progress=False).keep) == [True, False, False]
    assert list(nc.clean(texts, progress=False).keep) == [True, True, False]
    assert list(nc.find(texts, similarity=None, distance=None, progress=False).keep) == [True, True, True]


def test_a_text_with_another_word_is_kept_for_review():
    text = f"{RULE} The marital status of {MILL} and of {CLOCK}"
    further = [f"Page {number} says where the marital status of year {number} is." for number in range(3)]
    rows = [None, text.replace("marital", "martial"), text, *further]
    found = nc.clean(rows, keep="last")
    assert found.keep.to_pylist() == [True] * 6
    assert len(found.to_review().to_pylist()) == 1
    assert nc.find(rows, keep="last").removal[1] == "edited"


def test_each_claim_removes_more_and_the_rest_is_for_review(claims):
    table = {"id": list("abcdef"), "text": claims}
    kept, removal, review = {}, {}, {}
    for remove in ["same", "contained", "edited"]:
        found = nc.clean(table, id="id", remove=remove, progress=False)
        kept[remove], removal[remove] = found.filter(table["id"]), found.removal.to_pylist()
        rows = found.to_review().to_pylist()
        review[remove] = [(row["row"], row["survivor"], row["removal"]) for row in rows]
        assert [row["survivor_id"] for row in rows] == ["c"] * len(rows)
        assert all(0.7 < row["jaccard"] < 1 and row["distance"] is None for row in rows)
        assert found.survivor[4] is None and found.keep[4], "a null text is kept"
    assert kept == {"same": list("acdef"), "contained": list("cdef"), "edited": list("cef")}
    assert removal == {
        "same": [None, "same", None, None, None, None],
        "contained": ["contained", "contained", None, None, None, None],
        "edited": ["contained", "contained", None, "edited", None, None],
    }
    to_edit = (3, 2, "edited")
    assert review == {"same": [(0, 2, "contained"), to_edit], "contained": [to_edit], "edited": []}
    found = nc.clean(table, progress=False)
    assert found.keep.to_pylist() == [False, False, True, True, True, True]
    assert repr(found) == "<nearcopy.Cleaned: 6 rows, 4 kept>" and not hasattr(nc.find([], progress=False), "to_review")
    assert found.to_review().column_names == ["row", "survivor", *FIGURES]
    assert nc.clean(table, id="id", progress=False).to_review().column_names[2:4] == ["id", "survivor_id"]
    assert len(nc.clean([], progress=False).to_review()) == 0


def test_rules_of_edited_copies(claims):
    def kept(**options):
        return nc.clean(claims, remove="edited", progress=False, **options).keep.to_pylist()

    assert kept() == kept(similarity=0.7) == [False, False, True, False, True, True]
    assert kept(similarity=0.9) == [False, False, True, True, True, True], "row 0 stands in row 2"
    found = nc.clean(claims, remove="edited", distance=64, progress=False)
    assert found.keep.to_pylist() == [False, False, True, False, True, False] and found.distance[0] is not None
    for remove in [{}, {"remove": "contained"}, {"remove": "same"}]:
        for rule in [{"similarity": 0.7}, {"distance": 3}]:
            with pytest.raises(
                ValueError, match=f"{next(iter(rule))} is a rule of edited copies; give remove='edited' too"
            ):
                nc.clean(claims, progress=False, **remove, **rule)
    for remove in ["all", "", None]:
        with pytest.raises(ValueError, match=f"remove '{remove}': expected 'same', 'contained' or 'edited'"):
            nc.clean(claims, remove=remove, progress=False)
    with pytest.raises(ValueError, match=re.escape("similarity 7: expected a number from 0 to 1, or None")):
        nc.clean(claims, remove="edited", similarity=7, progress=False)


def test_lists_say_what_may_be_removed(claims):
    found = nc.find(claims, progress=False)
    assert found.removal.to_pylist() == ["contained", "same", None, "edited", None, None]
    members = {row["member"]: row["removal"] for row in found.clusters().to_pylist()}
    assert members == {0: "contained", 1: "same", 3: "edited"}
    pairs = {(row["a"], row["b"]): row["removal"] for row in nc.pairs(claims, progress=False).to_pylist()}
    assert pairs == {(row["a"], row["b"]): row["removal"] for row in found.pairs().to_pylist()}
    assert pairs[0, 1] == "same" and pairs[0, 2] == "contained" and pairs[2, 3] == "edited"
    assert pairs[0, 3] is None, "both go for another"
    [other] = nc.pairs([claims[0]], against=[claims[2]], progress=False).to_pylist()
    assert other["removal"] == "contained"
    nearest = nc.neighbours(claims, k=1, progress=False).to_pylist()
    assert [(row["row"], row["neighbour"], row["removal"]) for row in nearest][:2] == [(0, 1, "same"), (1, 0, "same")]
    strict = nc.find(claims, similarity=None, distance=None, progress=False)
    assert strict.keep.to_pylist() == [True] * 6 and strict.removal.to_pylist() == found.removal.to_pylist()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"similarity": 1.5}, "similarity 1.5: expected a number from 0 to 1, or None"),
        ({"distance": 65}, "distance 65: expected a whole number from 0 to 64, or None"),
        ({"recall": 1.0}, "recall 1: expected a number from 0 to less than 1"),
        ({"keep": "best"}, "keep 'best': expected first, last, longest, shortest or field:NAME"),
        ({"keep": "newest"}, "keep 'newest': expected first, last, longest, shortest or field:NAME"),
        ({"keep": "field:"}, "keep 'field:': field: needs a name, as in field:date:desc"),
        ({"threads": 0}, "threads 0: expected a whole number from 1 to 65535"),
    ],
)
def test_options_out_of_bounds_are_refused(options, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        nc.find(["a"], progress=False, **options)


def test_pairs_beyond_the_join_are_refused():
    with pytest.raises(ValueError, match="Hamming distance 13: pairs are found up to 12"):
        nc.pairs([MILL, SISTERS], distance=13, progress=False)


def corpus(count):
    """Texts of which every third is an edited copy of the one before."""
    import random

    chance = random.Random(7)
    words = [f"w{number}" for number in range(3000)]
    texts = []
    for number in range(count):
        if number % 3 == 2:
            text = texts[-1].split()
            text[chance.randrange(len(text))] = "edited"
            texts.append(" ".join(text))
        else:
            texts.append(" ".join(chance.choices(words, k=chance.randrange(5, 120))))
    return texts


def written(texts, file):
    file.write_text("".join(json.dumps({"id": f"d{row}", "text": text}) + "\n" for row, text in enumerate(texts)))
    return pa.table({"id": [f"d{row}" for row in range(len(texts))], "text": texts})


def command(*arguments):
    run = subprocess.run([sys.executable, "-m", "nearcopy", *map(str, arguments)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def lines(text):
    return [line for line in map(json.loads, text.splitlines()) if "end_of_list" not in line]


NAMES = ["survivor", *FIGURES]


def test_survivors_are_those_of_the_command(tmp_path):
    file = tmp_path / "corpus.jsonl"
    table = written(corpus(600), file)
    clusters = lines(command("find", file, "--id-field", "id", "--format", "jsonl"))
    expected = {member["id"]: cluster["survivor"] for cluster in clusters for member in cluster["members"]}
    claims = {member["id"]: member["removal"] for cluster in clusters for member in cluster["members"]}
    assert len(expected) > 100 and len(set(claims.values())) > 1
    for threads in [1, 3]:
        found = nc.find(table, id="id", threads=threads, progress=False).to_pylist()
        goes = {f"d{row}": one for row, one in enumerate(found) if not one["keep"]}
        assert {id: one["survivor_id"] for id, one in goes.items()} == expected
        assert {id: one["removal"] for id, one in goes.items()} == claims


@pytest.mark.parametrize(
    ("remove", "options"),
    [
        ("same", {}),
        ("contained", {}),
        ("edited", {}),
        ("edited", {"similarity": 0.9}),
        ("edited", {"distance": 3}),
    ],
)
def test_each_claim_is_that_of_the_command(remove, options, tmp_path):
    texts = corpus(600)
    for row in range(0, 600, 5):
        texts.append([f"Some news. {texts[row]}. That is all.", texts[row].upper() + "!"][row % 2])
    file, out = tmp_path / "corpus.jsonl", tmp_path / "out.jsonl"
    table = written(texts, file)
    chosen = [part for name, value in options.items() for part in (f"--{name}", value)]
    command("clean", file, "--id-field", "id", "-o", out, "--remove", remove, *chosen)
    removed = {line["id"]: line for line in lines((tmp_path / "out.jsonl.removed.jsonl").read_text())}
    review = tmp_path / "out.jsonl.review.jsonl"
    to_review = {line["id"]: line for line in lines(review.read_text())} if review.exists() else {}
    assert removed and (to_review or remove == "edited")
    for threads in [1, 3]:
        found = nc.clean(table, id="id", remove=remove, threads=threads, progress=False, **options)
        rows = {f"d{row}": one for row, one in enumerate(found.to_pylist()) if not one["keep"]}
        assert rows.keys() == removed.keys()
        others = {one["id"]: one for one in found.to_review().to_pylist()}
        assert others.keys() == to_review.keys()
        for of, expected in [(rows, removed), (others, to_review)]:
            for id, one in of.items():
                mine = {**one, "survivor": one["survivor_id"]}
                assert {name: mine[name] for name in NAMES} == {name: expected[id][name] for name in NAMES}


def test_the_report_shows_texts_that_can_be_read_again(texts, tmp_path):
    page = tmp_path / "overview.html"
    nc.find(texts, progress=False).report(page)
    assert "two brothers" in page.read_text() and "row" not in page.name
    with pytest.raises(FileExistsError, match="overview.html.*, or give overwrite=True to replace it"):
        nc.find(texts, progress=False).report(page)
    nc.clean(pa.table({"text": texts}), progress=False).report(str(page), overwrite=True)
    assert "pyarrow.Table" in page.read_text()
    nc.find(iter(texts), progress=False).report(page, overwrite=True)
    assert "two brothers" not in page.read_text()
    with pytest.raises(FileNotFoundError, match="nowhere"):
        nc.find(texts, progress=False).report(tmp_path / "nowhere" / "page.html")


def test_results_and_options_can_be_pickled(texts):
    cleaned = nc.clean(texts, progress=False)
    again = pickle.loads(pickle.dumps(cleaned))
    assert type(again) is nc.Cleaned and again.to_pylist() == cleaned.to_pylist()
    assert again.filter(texts) == cleaned.filter(texts)
    for call in (again.to_review, again.clusters, again.pairs, lambda: again.report("page.html")):
        with pytest.raises(RuntimeError, match="was pickled, with its rows alone"):
            call()
    for table in (cleaned.to_review(), nc.pairs(texts, progress=False)):
        assert pickle.loads(pickle.dumps(table)).to_pylist() == table.to_pylist()
    assert copy.copy(cleaned).to_review().to_pylist() == cleaned.to_review().to_pylist()
    options = nc.Fingerprinter(language="English", sketches=40, stop_words=["the"], shingles="terms")
    made = pickle.loads(pickle.dumps(options)).fingerprint(texts)
    assert made.to_pylist() == options.fingerprint(texts).to_pylist()


def test_a_distance_is_checked_whatever_its_sign(texts):
    for distance in (-1, 65, 2**40):
        expected = f"distance {distance}: expected a whole number from 0 to 64, or None"
        for call in (nc.find, nc.pairs):
            with pytest.raises(ValueError, match=expected):
                call(texts, distance=distance, progress=False)
        with pytest.raises(ValueError, match=expected):
            nc.clean(texts, remove="edited", distance=distance, progress=False)
        with pytest.raises(ValueError, match=expected):
            nc.compare("a", "b", distance=distance)


def test_fingerprints(texts):
    table = pa.table(nc.Fingerprinter(language="English", sketches=40).fingerprint(texts))
    assert table["language"].to_pylist() == ["eng"] * 3 + [None] + ["eng"] * 3
    assert [len(sketch or []) for sketch in table["sketch"].to_pylist()] == [40, 40, 40, 0, 40, 40, 0]
    simhashes = table["simhash"].to_pylist()
    assert table.schema.field("simhash").type == pa.uint64() and simhashes[0] == simhashes[5] != simhashes[1]
    assert simhashes[3] is None and table["tokens"][0].as_py() == 20
    assert table["digest"].to_pylist()[0] == table["digest"].to_pylist()[5]
    assert (
        nc.Fingerprinter().fingerprint(texts, threads=3).to_pylist()
        == nc.Fingerprinter().fingerprint(texts, threads=1).to_pylist()
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"min": 4}, "n-gram sizes 4 to 3: expected 1 ≤ min ≤ max ≤ 100"),
        ({"sketches": 0}, "sketches 0: expected a whole number from 1 to 1024"),
        ({"language": "Klingon"}, "language 'Klingon' is unknown"),
        ({"shingles": "letters"}, "shingles 'letters': expected 'words' or 'terms'"),
        ({"stop_words": "some"}, "stop_words 'some': expected 'auto', 'none' or a list of words"),
    ],
)
def test_fingerprints_of_unknown_options_are_refused(options, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        nc.Fingerprinter(**options)


def test_options_of_fingerprints_matter():
    by_pairs = nc.Fingerprinter(min=1, max=1, stop_words=["mill"], stem=False, shingles="terms")
    assert nc.compare("mill water", "water", fingerprinter=by_pairs)["jaccard"] == 1
    assert list(nc.find(["mill water", "water"], fingerprinter=by_pairs, progress=False).keep) == [True, False]


@pytest.mark.parametrize("language", ["deu", "de", "German", "und"])
def test_a_language_is_that_of_a_fingerprinter(language, texts, tmp_path):
    figures = {"distance": 64, "progress": False}

    def answers(folder, **options):
        yield nc.find(texts, similarity=None, **figures, **options).to_pylist()
        yield nc.clean(texts, remove="edited", **figures, **options).to_pylist()
        yield nc.pairs(texts, similarity=0.1, distance=12, progress=False, **options).to_pylist()
        yield nc.neighbours(texts, **figures, **options).to_pylist()
        yield nc.compare(MILL, CLOCK, **options)
        yield nc.explain(MILL, **options)
        index = nc.Index.create(tmp_path / folder, **options)
        index.add(list(enumerate(filter(None, texts))), progress=False)
        yield index.query([SISTERS], **figures).to_pylist()

    by_default, made = list(answers("default")), list(answers("language", language=language))
    assert made == list(answers("fingerprinter", fingerprinter=nc.Fingerprinter(language=language)))
    assert made[0] != by_default[0] and made[4:6] != by_default[4:6]
    assert nc.explain(MILL, language=language)["language"] == ("und" if language == "und" else "deu")


def test_a_language_and_a_fingerprinter_are_refused(texts, tmp_path):
    def compare(texts, **options):
        return nc.compare("a", "b", **options)

    def create(texts, **options):
        return nc.Index.create(tmp_path / "index", **options)

    for call in (nc.find, nc.clean, nc.pairs, nc.neighbours, nc.explain, compare, create):
        with pytest.raises(ValueError, match="language 'deu' and a fingerprinter: give one of the two"):
            call(texts, language="deu", fingerprinter=nc.Fingerprinter(language="deu"))
        with pytest.raises(ValueError, match="language 'Klingon' is unknown; .*dedup languages"):
            call(texts[0] if call is nc.explain else texts, language="Klingon")
    assert not (tmp_path / "index").exists()


def test_two_texts():
    result = nc.compare(MILL, SISTERS)
    assert result["near_duplicate"] and "jaccard" in result["rules"] and 0.5 < result["jaccard"] < 1
    assert [document["language"] for document in result["documents"]] == ["eng", "eng"]
    assert not nc.compare(MILL, CLOCK)["near_duplicate"]
    assert nc.compare(MILL, "")["jaccard"] is None


def test_one_text():
    explained = nc.explain(MILL)
    assert explained["language"] == "eng" and "mill" in explained["terms"]
    assert int(explained["simhash"], 16) == nc.Fingerprinter().fingerprint([MILL])["simhash"][0]
