"""The lines that stand in many texts of a Spark DataFrame, cut as :func:`nearcopy.clean_lines` cuts them.

1. The lines of each text, folded and hashed, in Rust (``mapInArrow``); their documents are counted, and the pages of
   their sites.
2. The lines of many documents go back to the texts that have them, and Rust says where each may be cut.
3. A text loses a line if an earlier one keeps it, and one that goes as a whole keeps none. A text that would not go
   even if it lost all these lines keeps what no earlier one keeps, so the first is known by the order alone. The others
   are decided by one task, in their order, from their lines alone.
4. What each text loses, in Rust.

Cost: the hashes of all lines are shuffled twice, 24 bytes each and the site with ``per_site``, and the texts that have
lines of many documents twice.
The task of step 3 reads 32 bytes and a key for each line of many documents in texts that have little else, and holds a
key for each of these lines.
"""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from nearcopy import _native
from nearcopy.spark import _steps
from nearcopy.spark._cut import Cut, cut

_STEPS = _native.LineSteps

_OCCURRENCES = (
    "words long, end long, end_bytes long, lines binary, may_go boolean, starts array<long>, start_bytes array<long>"
)
_CUTS = (
    "fate string, starts array<long>, ends array<long>, start_bytes array<long>, end_bytes array<long>, "
    "span_words array<long>, keys_of array<long>, why array<string>"
)


def clean_lines(
    df: DataFrame,
    *,
    text: str = "text",
    id: str = "id",
    max_documents: int = 10,
    per_site: float | None = None,
    url: str | None = None,
    paragraphs: bool = False,
    all_lines: bool = False,
    keep: _steps.Keep = "first",
    min_left: int = 1,
    max_cut: float = 1.0,
) -> Cut:
    """Cut the lines that stand in many texts, such as navigation and footers: ``clean_lines(df).kept``.

    The result is that of :func:`nearcopy.clean_lines` for the same rows. It does not depend on the number of
    partitions. Work is done before this returns, but for the copying of the rows.

    Parameters
    ----------
    df
        A DataFrame. Rows whose text is null are kept.
    text
        Name of the column of texts.
    id
        Name of the column of ids, strings or integers, without nulls. Ids break ties, as strings; they need not be
        unique.
    url
        Name of the column of the addresses (URLs) of pages, which `per_site` needs.
    keep
        Which text keeps a line that others lose: a policy of :func:`nearcopy.spark.find`, or ``"none"``. ``"first"``
        and ``"last"`` go by the order of rows.
    max_documents, per_site, paragraphs, all_lines, min_left, max_cut
        As for :func:`nearcopy.clean_lines`.

    Returns
    -------
    Cut
        The DataFrames ``kept``, ``spans`` and ``fates``.

    Raises
    ------
    ValueError
        If an option is out of bounds, or no row has the field of `keep` or an address in `url`.
    KeyError
        If `df` has no such column.
    TypeError
        If a column has another type.
    """
    field = _steps.expect(df, text, id, keep, url, or_none=True)
    options = (url, max_documents, per_site, paragraphs, all_lines, keep, min_left, max_cut)
    _steps.made(_STEPS, options)
    stored, rows = _steps.rows(df, id=id, text=text, field=field, url=url)
    counted = _counted(rows, options, id)
    found = _found(rows, counted, options)
    lines = _lines(found)
    firsts = _firsts(found, lines, options)
    decided, judged = _decided(found, lines, firsts, options)
    ends = decided.filter("fate = 'cut'").select("place", "start_bytes", "end_bytes")
    return cut(df, text, stored, rows, _spans(rows, decided, judged), decided, ends)


def _counted(rows: DataFrame, options: Any, id: str) -> DataFrame:
    """The hashes of each text's lines, its site, and its place in the order of the policy."""
    url, keep = options[0], options[5]
    more = [name for name in ("field", "url") if name in rows.columns]
    if "field" in more:
        _steps.expect_field(rows, _steps.made(_STEPS, options).count)
    schema = "id string, place long, bytes long, hashes array<binary>"
    schema += ", site string" * ("url" in more) + ", key binary" * ("field" in more)
    # A row without a text is a page of its site too; it needs no id, as it has no lines.
    own = F.when(F.col("text").isNotNull(), _steps.ids(id)).alias("id")
    texts = rows.select(own, "place", F.octet_length("text").cast("long").alias("bytes"), "text", *more)
    made = _steps.kept(texts.mapInArrow(_steps.method(_STEPS, "count", options, "id", "place", "bytes"), schema))
    _steps.expect_values(made, keep)
    if url is not None and made.filter("site is not null").isEmpty() and not made.isEmpty():
        raise ValueError(f"no row has an address in the column '{url}'; check its name, or leave out per_site")
    return _steps.ordered(made, keep)


def _found(rows: DataFrame, counted: DataFrame, options: Any) -> DataFrame:
    """The texts that have lines of many documents, with the places of these lines."""
    _, max_documents, per_site, *_ = options
    sites = ["site"] if per_site is not None else []
    lines = counted.select("place", *sites, F.explode("hashes").alias("hash"))
    frequent = lines.groupBy("hash").agg(F.count("*").alias("documents")).filter(F.col("documents") > max_documents)
    frequent = _steps.kept(frequent)
    wanted = lines.join(frequent, "hash").select("place", F.col("hash").alias("key"), "documents")
    if per_site is not None:
        pages = counted.filter("site is not null").groupBy("site").agg(F.count("*").cast("double").alias("pages"))
        of_sites = lines.filter("site is not null").groupBy("site", "hash").agg(F.count("*").alias("documents"))
        of_sites = of_sites.filter(F.col("documents") >= _native.LineSteps.LEAST_PAGES).join(pages, "site")
        of_sites = of_sites.filter(F.col("documents").cast("double") > F.lit(float(per_site)) * F.col("pages"))
        of_sites = of_sites.join(frequent.select("hash"), "hash", "left_anti").drop("pages")
        key = F.concat("hash", F.encode("site", "UTF-8")).alias("key")
        wanted = wanted.union(lines.join(of_sites, ["hash", "site"]).select("place", key, "documents"))
    of_texts = wanted.groupBy("place").agg(F.collect_list(F.struct("key", "documents")).alias("lines"))
    of_texts = of_texts.select("place", F.col("lines.key").alias("keys"), F.col("lines.documents").alias("documents"))
    texts = rows.select("place", "text").join(of_texts, "place").join(counted.select("place", "order"), "place")
    # The order is a structure, which passes by.
    texts = _steps.kept(texts)
    schema = "place long, " + _OCCURRENCES
    made = texts.select("place", "text", "keys").mapInArrow(
        _steps.method(_STEPS, "occurrences", options, "place"), schema
    )
    return _steps.kept(texts.drop("text").join(made, "place"))


def _lines(found: DataFrame) -> DataFrame:
    """The lines that may be cut from each text, once a text, with the first place of each."""
    zipped = F.posexplode(F.arrays_zip("keys", "documents", "starts", "start_bytes")).alias("number", "line")
    lines = found.select("place", "order", "may_go", zipped).filter("line.starts is not null")
    line = {"key": "keys", "documents": "documents", "start": "starts", "start_bytes": "start_bytes"}
    columns = [F.col("line").getField(of).alias(name) for name, of in line.items()]
    return _steps.kept(lines.select("place", "order", "may_go", F.col("number").cast("long").alias("number"), *columns))


def _firsts(found: DataFrame, lines: DataFrame, options: Any) -> DataFrame:
    """The first place of each line that a text keeps; if none does, of each."""
    place = F.struct("order", "place", "start", "start_bytes")
    first = F.min(place).alias("first")
    if options[5] == "none":
        return _steps.kept(lines.groupBy("key").agg(first))
    sure = _steps.kept(lines.filter("not may_go").groupBy("key").agg(first))
    unsure = lines.filter("may_go")
    earlier = unsure.join(sure, "key", "left")
    goes = F.collect_list(F.when(F.col("first.order") < F.col("order"), F.col("number"))).alias("goes")
    sent = found.filter("may_go").join(earlier.groupBy("place").agg(goes), "place")
    sent = (
        sent.repartition(1)
        .sortWithinPartitions("order")
        .select("place", "words", "end", "end_bytes", "lines", "keys", "goes")
    )
    keepers = sent.mapInArrow(
        _steps.over_all(lambda rows: _steps.made(_STEPS, options).keepers(rows)), "place long, number long"
    )
    theirs = keepers.join(unsure, ["place", "number"]).select("key", place.alias("first"))
    return _steps.kept(sure.union(theirs).groupBy("key").agg(F.min("first").alias("first")))


def _decided(found: DataFrame, lines: DataFrame, firsts: DataFrame, options: Any) -> tuple[DataFrame, DataFrame]:
    """What each text loses that has a line which goes; and the lines of texts, with the place that keeps each."""
    judged = lines.join(firsts, "key", "left")
    is_lost = F.lit(options[5] == "none") | (F.col("first.order") < F.col("order"))
    lost = judged.filter(is_lost).groupBy("place").agg(F.collect_list("number").alias("goes"))
    sent = found.select("place", "words", "end", "end_bytes", "lines").join(lost, "place")
    return _steps.kept(sent.mapInArrow(_steps.method(_STEPS, "cuts", options, "place"), "place long, " + _CUTS)), judged


def _spans(rows: DataFrame, decided: DataFrame, judged: DataFrame) -> DataFrame:
    """The spans with their lines."""
    names = {
        "start": "starts",
        "end": "ends",
        "start_bytes": "start_bytes",
        "end_bytes": "end_bytes",
        "words": "span_words",
    }
    names |= {"number": "keys_of", "why": "why"}
    zipped = F.explode(F.arrays_zip(*names.values())).alias("span")
    columns = [F.col("span").getField(of).alias(name) for name, of in names.items()]
    spans = decided.select("place", zipped).select("place", *columns)
    ids = rows.select("place", "id")
    line = judged.select("place", "number", "documents", "first").join(
        ids.withColumnsRenamed({"place": "of", "id": "first_id"}), F.col("of") == F.col("first.place"), "left"
    )
    first = F.struct(F.col("first_id").alias("id"), F.col("first.start"), F.col("first.start_bytes"))
    line = line.select("place", "number", "documents", F.when(F.col("first").isNotNull(), first).alias("first"))
    spans = spans.join(line, ["place", "number"], "left").join(ids, "place")
    documents = F.coalesce("documents", F.lit(0)).alias("documents")
    return _steps.kept(
        spans.select("id", "start", "end", "start_bytes", "end_bytes", "words", "first", documents, "why")
    )
