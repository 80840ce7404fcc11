"""`nearcopy.spark.clean_lines` against `nearcopy.clean_lines`."""

from __future__ import annotations

import random
from typing import Any

import pytest
from cutting import compare, frame
from pyspark.sql import SparkSession

from nearcopy.spark import clean_lines


def pages(pick: random.Random, count: int) -> list[tuple[Any, ...]]:
    """Pages of menus, notices, code and lines of their own; some have nothing else, so that they go whole.

    Whether such a page keeps a line depends on what those before it keep.
    """
    menus = ["Home | Boats | Contact", "HOME | boats", "Next page", "été à la mer", "\U0001f600 Top"]
    notices = [f"All rights of mill number {'abcdefgh'[n]} are reserved by its heirs." for n in range(8)]
    code = "for (int i = 0; i < n; i++) {\n    sum += value[i];\n}"
    rows: list[tuple[Any, ...]] = []
    for number in range(count):
        lines = pick.sample(menus, pick.randrange(4)) + pick.choices(notices, k=pick.randrange(5))
        if pick.random() < 0.6:
            own = " ".join(pick.choices(["tide", "mill", "boat", "河", "水", "wheel", "été"], k=pick.randrange(1, 20)))
            lines += [f"{own} {number}", code][: pick.randrange(1, 3)]
            pick.shuffle(lines)
        site = f"{pick.choice(['', 'https://'])}S{pick.randrange(4)}.example/{number}"
        text = pick.choice(["\n", "\r\n", "\n\n"]).join(lines) if pick.random() < 0.95 else None
        rows.append((f"d{pick.randrange(count)}", text, site if pick.random() < 0.9 else None, pick.randrange(5)))
    return rows


@pytest.mark.parametrize(
    "partitions, options",
    [
        (3, {}),
        (1, {"max_documents": 2}),
        (5, {"max_documents": 1, "keep": "longest", "min_left": 12}),
        (3, {"max_documents": 3, "keep": "shortest", "min_left": 30}),
        (4, {"max_documents": 3, "keep": "last", "all_lines": True, "max_cut": 0.6}),
        (2, {"max_documents": 2, "keep": "field:year:desc", "paragraphs": True}),
        (3, {"max_documents": 4, "keep": "none"}),
        (3, {"max_documents": 40, "per_site": 0.3, "url": "url"}),
        (2, {"max_documents": 60, "per_site": 0.2, "url": "url", "keep": "field:year", "min_left": 9}),
    ],
)
def test_the_result_is_that_of_one_process(spark: SparkSession, partitions: int, options: dict[str, Any]) -> None:
    rows = pages(random.Random(partitions), 150)
    expected = compare("clean_lines", frame(spark, rows, partitions), rows, **options)
    fates = {fate for _, fate in expected[2]}
    assert fates >= {"stays", "cut", "goes"} and len(expected[1]) > 40


@pytest.mark.parametrize("seed", range(6))
def test_small_corpora(spark: SparkSession, seed: int) -> None:
    """Of few pages, all of which may go whole."""
    pick = random.Random(seed)
    rows = pages(pick, pick.choice([4, 12, 30]))
    options = {"max_documents": 1, "min_left": pick.choice([1, 5, 15]), "keep": pick.choice(["first", "longest"])}
    compare("clean_lines", frame(spark, rows, 2), rows, **options)


def test_a_page_without_a_text_is_one_of_its_site(spark: SparkSession) -> None:
    """Here one of seven, of which three have the line: with an id or without."""
    line = "All rights are reserved by the heirs of the old mill."
    words = ["ferry", "mill", "boat", "wheel", "brook", "clock"]
    rows = [(f"d{n}", f"{line}\n{word}" if n < 3 else word, "s.example", n) for n, word in enumerate(words)]
    for id in ("null", None):
        with_null = [*rows, (id, None, "s.example", 6)]
        for share, count in [(0.4, 2), (0.45, 0)]:
            options = {"max_documents": 50, "per_site": share, "url": "url"}
            assert len(compare("clean_lines", frame(spark, with_null, 2), with_null, **options)[1]) == count


def test_nothing_to_do(spark: SparkSession) -> None:
    empty = frame(spark, pages(random.Random(1), 3), 1).filter("id = 'none'")
    for options in ({}, {"per_site": 0.5, "url": "url"}, {"keep": "none"}):
        assert compare("clean_lines", empty, [], **options) == [[], [], []]
    rows = [("a", None, None, 1), ("b", "", None, 1), ("c", "A line of one page.", None, 2)]
    compare("clean_lines", frame(spark, rows, 2), rows)


def test_an_error_names_the_remedy(spark: SparkSession) -> None:
    df = frame(spark, pages(random.Random(2), 5), 1)
    for options, error, words in [
        (
            {"url": "link", "per_site": 0.5},
            KeyError,
            "no column 'link'; name one of these by url=: id, text, url, year",
        ),
        ({"url": "year", "per_site": 0.5}, TypeError, "column 'year': is of type int; expected string"),
        ({"per_site": 0.5}, ValueError, "per_site and url belong together"),
        ({"url": "id", "per_site": 2}, ValueError, "per_site 2: expected a number from 0 to 1"),
        ({"max_documents": 0}, ValueError, "max_documents 0: expected a whole number of 1 or more"),
        ({"keep": "best"}, ValueError, "keep 'best': expected first, last, longest, shortest, none or field:NAME"),
    ]:
        with pytest.raises(error, match=words):
            clean_lines(df, **options)
    no_address = frame(spark, [("a", "a text", " ", None)], 1)
    with pytest.raises(ValueError, match="no row has an address in the column 'url'"):
        clean_lines(no_address, url="url", per_site=0.5)
    with pytest.raises(ValueError, match="no row has the field 'year' of keep"):
        clean_lines(no_address, keep="field:year")
    with pytest.raises(Exception, match="column 'id': a row has no id"):
        clean_lines(frame(spark, [(None, "a text", None, 1)], 1))
