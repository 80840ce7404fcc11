"""The runs of words that stand twice in a Spark DataFrame, cut as :func:`nearcopy.clean_repeats` cuts them.

In rounds, until nothing is cut:

1. Samples of what is left of each text, in Rust (``mapInArrow``); those of which there are two are wanted.
2. The windows of a run's length that have a wanted sample. Equal ones are brought together: each knows its first place.
3. What each text loses, by one task, in the order of `keep`. It is sent their windows that stand twice alone; those
   in a row are one entry if they stand in a row at their first place too.
4. Where that stands in the texts, and where the places that keep it do.

Cost: a round shuffles 16 bytes a sample (one for 13 words), 80 bytes a window that may stand twice, and the texts three
times. The task of step 3 reads some 24 bytes for each place of a run, and holds 30 to 60 bytes a text that has one and
some 40 bytes a run.
"""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from nearcopy import _native
from nearcopy.spark import _steps
from nearcopy.spark._cut import Cut, cut

_STEPS = _native.RepeatSteps

_RUNS = "starts array<long>, ends array<long>, documents array<long>, firsts array<long>, counts array<long>"
_LOCATED = (
    "span_starts array<long>, span_ends array<long>, span_start_bytes array<long>, span_end_bytes array<long>, "
    "span_words array<long>, runs array<long>, asked_starts array<long>, asked_bytes array<long>"
)


def clean_repeats(
    df: DataFrame,
    *,
    text: str = "text",
    id: str = "id",
    words: int = 50,
    keep: _steps.Keep = "first",
    verbatim: bool = False,
    min_left: int = 1,
    max_cut: float = 0.5,
) -> Cut:
    """Cut the runs of words that stand twice, within a text too: ``clean_repeats(df).kept``.

    The result is that of :func:`nearcopy.clean_repeats` for the same rows. It does not depend on the number of
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
    keep
        Which text keeps a run that others lose: a policy of :func:`nearcopy.spark.find`, or ``"none"``. ``"first"``
        and ``"last"`` go by the order of rows.
    words, verbatim, min_left, max_cut
        As for :func:`nearcopy.clean_repeats`.

    Returns
    -------
    Cut
        The DataFrames ``kept``, ``spans`` and ``fates``.

    Raises
    ------
    ValueError
        If an option is out of bounds, or no row has the field of `keep`.
    KeyError
        If `df` has no such column.
    TypeError
        If a column has another type.
    """
    field = _steps.expect(df, text, id, keep, or_none=True)
    options = (words, verbatim, keep, min_left, max_cut)
    _steps.made(_STEPS, options)
    stored, rows = _steps.rows(df, id=id, text=text, field=field)
    if field is not None:
        _steps.expect_field(rows, _steps.made(_STEPS, options).samples)
    spans = None
    while True:
        texts = _texts(rows, spans, id)
        sampled = _sampled(texts, options)
        decided = _decided(texts, sampled, options)
        lost = decided.filter("fate <> 'spared'")
        if lost.isEmpty():
            break
        located = _spans(texts, lost, options)
        spans = located if spans is None else _steps.kept(spans.union(located))
    spared = decided.select("place", "fate")
    if spans is None:
        spans = _spans(texts, lost, options)
    ends = spans.groupBy("place").agg(
        F.max("goes").alias("goes"), *(F.collect_list(end).alias(end) for end in ("start_bytes", "end_bytes"))
    )
    fated = ends.select("place", F.when(F.col("goes"), "goes").otherwise("cut").alias("fate"))
    # What an earlier round cut may be spared in the last one.
    fated = _steps.kept(fated.union(spared.join(fated, "place", "left_anti")))
    ids = rows.select("place", "id")
    of_first = ids.withColumnsRenamed({"place": "document", "id": "first_id"})
    place = {"id": "first_id", "start": "first_start", "start_bytes": "first_bytes"}
    first = F.struct(*(F.col(of).alias(name) for name, of in place.items()))
    of_rows = spans.join(ids, "place").join(of_first, "document", "left")
    columns = ["id", "start", "end", "start_bytes", "end_bytes", "words"]
    shown = of_rows.select(*columns, F.when(F.col("document").isNotNull(), first).alias("first"), "count")
    return cut(df, text, stored, rows, shown, fated, ends.filter("not goes").drop("goes"))


def _texts(rows: DataFrame, spans: DataFrame | None, id: str) -> DataFrame:
    """The rows that have a text, with what was cut of it."""
    texts = rows.filter("text is not null").withColumn("id", _steps.ids(id))
    if spans is None:
        return texts
    done = spans.groupBy("place").agg(
        F.collect_list("start_bytes").alias("done_starts"), F.collect_list("end_bytes").alias("done_ends")
    )
    return texts.join(done, "place", "left")


def _sampled(texts: DataFrame, options: Any) -> DataFrame:
    """The samples of what is left of each text, its words, and its place in the order of the policy."""
    keep, has_key = options[2], "field" in texts.columns
    schema = "id string, place long, samples array<long>, words long, bytes long" + ", key binary" * has_key
    made = _steps.kept(texts.mapInArrow(_steps.method(_STEPS, "samples", options, "id", "place"), schema))
    if "done_starts" not in texts.columns:
        _steps.expect_values(made, keep)
    return _steps.ordered(made, keep)


def _decided(texts: DataFrame, sampled: DataFrame, options: Any) -> DataFrame:
    """The runs that texts have, and what becomes of each such text."""
    samples = sampled.select("place", F.explode("samples").alias("sample"))
    twice = samples.groupBy("sample").count().filter("count > 1").select("sample")
    wanted = samples.join(twice, "sample").groupBy("place").agg(F.collect_set("sample").alias("wanted"))
    made = (
        texts.drop("id", "field")
        .join(wanted, "place")
        .mapInArrow(
            _steps.method(_STEPS, "windows", options, "place"),
            "place long, ats array<long>, a array<long>, b array<long>",
        )
    )
    zipped = F.explode(F.arrays_zip("ats", "a", "b")).alias("window")
    windows = _steps.kept(made.select("place", zipped).select("place", "window.*").withColumnRenamed("ats", "at"))
    place = F.struct("order", "place", "at")
    groups = windows.join(sampled.select("place", "order"), "place").groupBy("a", "b")
    groups = groups.agg(F.min(place).alias("first"), F.max(place).alias("last"), F.count("*").alias("count"))
    # Windows of which any two overlap stand once.
    apart = F.col("last.at") - F.col("first.at") >= options[0]
    groups = groups.filter((F.col("first.place") != F.col("last.place")) | apart)
    groups = groups.select("a", "b", F.col("first.place").alias("document"), F.col("first.at").alias("first"), "count")
    lists = {"at": "ats", "document": "documents", "first": "firsts", "count": "counts"}
    collected = [F.collect_list(name).alias(of) for name, of in lists.items()]
    stretches = windows.join(groups, ["a", "b"]).groupBy("place").agg(*collected)
    stretches = stretches.mapInArrow(
        _steps.method(_STEPS, "stretches", options, "place"), "place long, stretches binary"
    )
    sent = stretches.join(sampled.select("place", "words", "order"), "place")
    sent = sent.repartition(1).sortWithinPartitions("order").select("place", "words", "stretches")
    decide = _steps.over(lambda: _native.RepeatDecider(_steps.made(_STEPS, options)).take, ())
    return _steps.kept(sent.mapInArrow(decide, "place long, fate string, " + _RUNS))


def _spans(texts: DataFrame, lost: DataFrame, options: Any) -> DataFrame:
    """The spans that texts lose, each with the place that keeps it and whether the whole text goes."""
    zipped = F.posexplode(F.arrays_zip("documents", "firsts", "counts")).alias("run", "of")
    runs = lost.select("place", zipped)
    runs = runs.select("place", "run", "of.documents", "of.firsts", "of.counts")
    asked = runs.select(F.col("documents").alias("place"), "firsts").distinct()
    asked = asked.groupBy("place").agg(F.collect_list("firsts").alias("asked"))
    wanted = lost.select("place", "fate", "starts", "ends").join(asked, "place", "full")
    sent = texts.drop("id", "field").join(wanted, "place")
    located = sent.mapInArrow(
        _steps.method(_STEPS, "locate", options, "place", "fate", "asked"),
        "place long, fate string, asked array<long>, " + _LOCATED,
    )
    located = _steps.kept(located)
    answers = F.explode(F.arrays_zip("asked", "asked_starts", "asked_bytes")).alias("of")
    answers = located.select(F.col("place").alias("documents"), answers)
    answers = answers.select(
        "documents",
        F.col("of.asked").alias("firsts"),
        F.col("of.asked_starts").alias("first_start"),
        F.col("of.asked_bytes").alias("first_bytes"),
    )
    names = {"start": "starts", "end": "ends", "start_bytes": "start_bytes", "end_bytes": "end_bytes", "words": "words"}
    names = {name: f"span_{of}" for name, of in names.items()} | {"run": "runs"}
    zipped = F.explode(F.arrays_zip(*names.values())).alias("span")
    spans = located.select("place", (F.col("fate") == "goes").alias("goes"), zipped)
    spans = spans.select("place", "goes", *(F.col("span").getField(of).alias(name) for name, of in names.items()))
    spans = spans.join(runs, ["place", "run"], "left").join(answers, ["documents", "firsts"], "left")
    count = F.coalesce("counts", F.lit(0).cast("long")).alias("count")
    columns = ["start", "end", "start_bytes", "end_bytes", "words"]
    document = F.col("documents").alias("document")
    return _steps.kept(spans.select("place", "goes", *columns, document, "first_start", "first_bytes", count))
