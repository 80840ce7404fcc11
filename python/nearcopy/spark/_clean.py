"""A Spark DataFrame without the rows whose text another row has too, equal to what :func:`nearcopy.clean` keeps.

What is decided about a document depends on others only by steps from one to another that shares words or keys with it:

1. Fingerprints, in Rust (``mapInArrow``).
2. The first of the documents with equal words has keys: those of its sketch, and with a distance those of its simhash.
   Documents that share a key, compared by as many bits as in one process, belong together. The driver joins them to
   components.
3. Each component goes to one worker, which decides by the code that decides in one process. Nothing that this code
   looks at is left out: candidates, crowded keys, families and plain texts are all made of documents that share keys.
   Of documents of the same text, the first three go there, and the others take the answer of the third.

Cost: the fingerprints of documents that share a key are shuffled once. The driver holds some 60 bytes for each pair of
a document and the first of one of its keys. A component takes the time of one process on one worker, and no more memory
than :data:`MEMORY`.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from nearcopy import _native
from nearcopy._find import Remove
from nearcopy.spark import _steps

TOGETHER = 256
"""Greatest number of simhashes that share a key and are compared with each other; of more, all belong together."""

MEMORY = 1 << 30
"""Memory in bytes for the documents of a task; fingerprints beyond half of it go to temporary files."""

_DOCUMENT = ("place", "simhash", "sketch", "shingles", "digest", "letters", "words")
_ANSWERS = f"place long, survivor long, goes boolean, {_steps.FIGURES}, removal string"


class Cleaned(NamedTuple):
    """The result of :func:`clean`: three DataFrames.

    The rows of the second and the third have ``id``, ``survivor`` (its id), the figures of the two and ``removal``, as
    in :class:`nearcopy.Cleaned`.
    """

    kept: DataFrame
    """The rows that are kept, with all their columns, in any order."""
    removed: DataFrame
    """One row for each row that goes, with its survivor."""
    to_review: DataFrame
    """One row for each row that is kept and that a wider claim would remove, with its survivor then."""


def clean(
    df: DataFrame,
    *,
    text: str = "text",
    id: str = "id",
    keep: _steps.Keep = "longest",
    remove: Remove = "contained",
    similarity: float | None = None,
    distance: int | None = None,
    recall: float = 0.995,
    language: str | None = None,
    fingerprinter: dict[str, Any] | None = None,
) -> Cleaned:
    """Remove the rows whose text another row has too: ``clean(df).kept``.

    The result is that of :func:`nearcopy.clean` for the same rows. It does not depend on the number of
    partitions. Work is done before this returns, but for the copying of the rows.

    Parameters
    ----------
    df
        A DataFrame. Rows whose text is null are compared with nothing, and are kept.
    text
        Name of the column of texts.
    id
        Name of the column of ids, strings or integers, without nulls. Ids break ties, as strings; they need not be
        unique.
    keep
        Which of several documents survives, as for :func:`nearcopy.spark.find`.
    remove, similarity, distance, recall
        As for :func:`nearcopy.clean`.
    language
        Language of all texts, as for :func:`nearcopy.find`.
    fingerprinter
        The arguments of :class:`nearcopy.Fingerprinter`, such as ``{"language": "eng"}``.

    Returns
    -------
    Cleaned
        The DataFrames ``kept``, ``removed`` and ``to_review``.

    Raises
    ------
    ValueError
        If an option is out of bounds, `language` and `fingerprinter` are both given, or no row has the field of `keep`.
    KeyError
        If `df` has no such column.
    TypeError
        If a column has another type.
    """
    field = _steps.expect(df, text, id, keep)
    options = _steps.options(_steps.making(language, fingerprinter), keep, similarity, distance, str(remove), recall)
    stored, rows = _steps.rows(df, id=id, text=text, field=field)
    more = ", letters long, words binary, same binary"
    documents = _steps.documents(rows, options, id, more)
    ranked = _ranked(documents)
    components = _components(documents, ranked, options, distance)
    answers = _steps.kept(_parts(documents, ranked, components).mapInArrow(_cleaned(options), _ANSWERS))
    answers = ranked.select("place", "answer").join(answers.withColumnRenamed("place", "answer"), "answer")
    ids = rows.select("place", "id")
    survivors = ids.select(F.col("place").alias("survivor"), F.col("id").alias("survivor_id"))
    named = _steps.kept(answers.join(ids, "place").join(survivors, "survivor"))
    figures = [name.split()[0] for name in _steps.FIGURES.split(", ")]
    listed = ["id", F.col("survivor_id").alias("survivor"), *figures, "removal"]
    gone, to_review = named.filter("goes"), named.filter("not goes")
    kept = stored.join(gone.select("place"), "place", "left_anti").select("row.*")
    return Cleaned(kept, gone.select(*listed), to_review.select(*listed))


def _ranked(documents: DataFrame) -> DataFrame:
    """Each document's number among those of equal words, from 1; the first of them; and the one whose answer it has.

    Which of the documents of one digest goes for which depends on the first two of them; the third and all others go
    for the same.
    """
    before = (Window.unboundedPreceding, Window.currentRow)
    of_words = Window.partitionBy("same").orderBy("order").rowsBetween(*before)
    of_text = Window.partitionBy("same", "digest").orderBy("order").rowsBetween(*before)
    return _steps.kept(
        documents.select(
            "place",
            F.row_number().over(of_words).alias("copy"),
            F.first("place").over(of_words).alias("first"),
            F.coalesce(F.nth_value("place", 3).over(of_text), F.col("place")).alias("answer"),
        )
    )


def _components(documents: DataFrame, ranked: DataFrame, options: Any, distance: int | None) -> DataFrame:
    """The first documents of equal words that share keys with others, each with its component."""
    firsts = ranked.filter("copy = 1").select("place")
    texts = documents.select("place", "simhash", "sketch").filter(F.length("sketch") > 0)
    # More documents than there are get longer keys, which fewer share.
    number = max(firsts.count(), 100_000)
    keyed = _steps.kept(
        texts.join(firsts, "place", "left_semi").mapInArrow(
            _steps.step("keys", options, number, ("place", "simhash")),
            "place long, simhash long, bands array<long>, blocks array<long>",
        )
    )
    bands = keyed.select("place", F.posexplode("bands").alias("band", "key"))
    # Keys are compared by their upper 32 bits, as in one process.
    key = F.shiftleft(F.col("band").cast("long"), 32).bitwiseOR(F.shiftrightunsigned("key", 32))
    links = [_linked(bands.select("place", key.alias("key")), "key")]
    if distance is not None:
        links += _near(keyed.select("place", "simhash", "blocks").filter("simhash is not null"), distance)
    pairs = reduce(DataFrame.union, links).filter("a < b").distinct()
    found = pa.table(_native.components(_steps.arrow(pairs)))
    return _steps.frame(documents.sparkSession, found, "document long, component long")


def _linked(keyed: DataFrame, *key: str) -> DataFrame:
    """Each document with the first of those that have its key."""
    keyed = _steps.kept(keyed)
    firsts = keyed.groupBy(*key).agg(F.min("place").alias("a"), F.count("*").alias("rows")).filter("rows > 1")
    return keyed.join(firsts, [*key]).select("a", F.col("place").alias("b"))


def _near(simhashes: DataFrame, distance: int) -> list[DataFrame]:
    """Documents within the distance, and all of a key that very many share."""
    first = simhashes.groupBy("simhash").agg(F.min("place").alias("place"), F.first("blocks").alias("blocks"))
    keys = _steps.kept(first.select("place", "simhash", F.explode("blocks").alias("key")))
    sizes = keys.groupBy("key").agg(F.count("*").alias("rows")).filter("rows > 1")
    shared = keys.join(sizes, "key")
    few, many = shared.filter(F.col("rows") <= TOGETHER), shared.filter(F.col("rows") > TOGETHER)
    a, b = (few.select("key", F.col("place").alias(side), F.col("simhash").alias(f"of_{side}")) for side in "ab")
    bits = F.bit_count(F.col("of_a").bitwiseXOR(F.col("of_b")))
    pairs = a.join(b, "key").filter("a < b").filter(bits <= distance).select("a", "b")
    return [_linked(simhashes, "simhash"), _linked(many.select("place", "key"), "key"), pairs]


def _parts(documents: DataFrame, ranked: DataFrame, components: DataFrame) -> DataFrame:
    """The documents about which there is something to decide: whole components in one partition, in their order."""
    components = components.withColumnRenamed("document", "first")
    copied = ranked.filter("copy = 2").select("first", F.col("first").alias("own"))
    sent = ranked.filter("answer = place").join(components, "first", "left").join(copied, "first", "left")
    sent = sent.select("place", F.coalesce("component", "own").alias("component")).filter("component is not null")
    whole = documents.select(*_DOCUMENT, "order").join(sent, "place").repartition("component")
    return whole.sortWithinPartitions("order").select(*_DOCUMENT)


def _cleaned(options: Any) -> _steps.Run:
    """The decisions about the documents of a partition."""
    memory = MEMORY
    return _steps.over_all(lambda documents: _native.clean(_steps.steps(options, 0), documents, memory))
