"""Near-duplicates in a Spark DataFrame, equal to those that :func:`nearcopy.find` finds in one process.

Documents have a total order, that of the policy, and each is compared with the survivors before it; it joins the
first that is near. So a document's fate hangs on its near predecessors only:

1. Fingerprints, in Rust (``mapInArrow``). Identical texts collapse to the first.
2. Documents that share a key of the sketch or of the simhash are candidates. Pairs are verified in Rust.
3. The driver decides: a document without near predecessors survives, and its near successors go.

By a key of the sketch that more than 64 documents share, a document is compared with the first 64 *survivors* that
have it. Which these are is known only after others are decided:

- A document that is the first by each of its keys survives. In the first pass, each key's first document is compared
  with all others if it is such a one, so that copies of one template go at once, however many they are.
- Where at most 256 documents share a key, all are compared with each other, and the driver, which then knows all pairs
  and all members of the key, counts its survivors in order.
- Larger keys are opened in rounds: the first documents of a key that may survive, its *pivots*, are compared with all
  later ones. There are never more pivots than places left, so whichever of them survive are among the 64.

Cost: the fingerprints are shuffled twice, and once for each pair that may be near. The driver holds 24 bytes per near
pair, 24 bytes per document and key of the sketch that 65 to 256 documents share, and in each round 8 bytes per document
of a larger key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Literal, TypeAlias

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql.types import StringType

from nearcopy import _native

Keep: TypeAlias = Literal["first", "last", "longest", "shortest"]
"""Which of several near-duplicates is kept; lengths are in bytes of UTF-8, and ties go to the lesser id."""

MOST = 64
"""Greatest number of survivors that are found by a key of the sketch; that of the library."""

TOGETHER = 256
"""Greatest number of documents that share a key and are all compared with each other; larger keys take rounds."""

FEW = 1_000_000
"""Greatest number of documents whose ranks every executor is sent, so that only their shingles are shuffled."""

FIRST_PIVOTS = 8
"""Number of pivots of the first round; each later round takes three times the number of pivots so far that stay."""

_FIGURES = (
    "distance int, jaccard_estimate double, jaccard double, containment_a double, containment_b double, "
    "rules array<string>"
)


def find(
    df: DataFrame,
    *,
    text: str = "text",
    id: str = "id",
    keep: Keep = "longest",
    similarity: float | None = 0.5,
    distance: int | None = 3,
    recall: float = 0.995,
    fingerprinter: dict[str, Any] | None = None,
) -> DataFrame:
    """Find near-duplicates: which rows survive, and which rows are near to a survivor.

    The result is that of :func:`nearcopy.find` for the same rows. It does not depend on the number of partitions, and
    for ``keep="longest"`` and ``"shortest"`` not on their order. Work is done before this returns.

    Parameters
    ----------
    df
        A DataFrame. Rows whose text is null are compared with nothing, and are kept.
    text
        Name of the column of texts.
    id
        Name of the column of ids, strings or integers, without nulls. Ids break ties, as strings.
    keep
        Which of several near-duplicates survives. ``"first"`` and ``"last"`` go by the order of rows: sort `df` by a
        column whose values differ, unless its source has an order that lasts.
    similarity, distance, recall
        As for :func:`nearcopy.find`.
    fingerprinter
        The arguments of :class:`nearcopy.Fingerprinter`, such as ``{"language": "eng"}``.

    Returns
    -------
    DataFrame
        One row per row of `df`: ``id``, ``keep``, ``survivor`` (its id), ``distance``, ``jaccard_estimate``,
        ``jaccard``, ``containment_a``, ``containment_b``, ``rules``. The figures are null where the row is kept.

    Raises
    ------
    ValueError
        If an option is out of bounds.
    KeyError
        If `df` has no such column.
    """
    order = _order(keep)
    for argument, name in (("text", text), ("id", id)):
        if name not in df.columns:
            raise KeyError(f"no column '{name}'; name one of these by {argument}=: {', '.join(df.columns)}")
    if not isinstance(df.schema[text].dataType, StringType):
        raise TypeError(f"column '{text}': is of type {df.schema[text].dataType.simpleString()}; expected string")
    # Hashable, as they are the key of a cache.
    named = {name: tuple(value) if isinstance(value, list) else value for name, value in (fingerprinter or {}).items()}
    options = (tuple(sorted(named.items())), similarity, distance, recall)
    _steps(options, 0)
    id_type = df.schema[id].dataType
    missing = F.raise_error(F.lit(f"column '{id}': a row has no id; give one to each row that has a text"))
    rows = df.select(F.col(id).alias("id"), F.col(text).alias("text"), F.monotonically_increasing_id().alias("place"))
    ids = F.when(F.col("id").isNull(), missing).otherwise(F.col("id").cast("string"))
    documents = _kept(
        rows.filter("text is not null")
        .select(ids.alias("id"), "text", "place")
        .mapInArrow(
            _step("fingerprints", options, 0, ("id", "place")),
            "id string, place long, digest binary, bytes long, simhash long, sketch binary, shingles binary",
        )
        .withColumn("order", F.struct(*order, F.col("id"), F.col("digest"), F.col("place")))
    )
    leaders = _leaders(documents)
    search = _Search(leaders, options, distance)
    gone = search.run()
    judged = _judged(leaders, gone, options)
    verdicts = (
        documents.select("id", "digest", "order")
        .join(leaders.select("digest", "rank", F.col("order").alias("first")), "digest")
        .join(judged, "rank", "left")
        .withColumn("keep", (F.col("order") == F.col("first")) & ~F.coalesce(F.col("goes"), F.lit(False)))
    )
    names = [field.split()[0] for field in _FIGURES.split(", ")]
    figures = [F.when(~F.col("keep"), F.col(name)).alias(name) for name in names]
    survivor = F.coalesce("survivor", "first.id")
    result = verdicts.select(F.col("id").cast(id_type), "keep", survivor.cast(id_type).alias("survivor"), *figures)
    nulls = rows.filter("text is null").select("id", F.lit(True).alias("keep"))
    return result.unionByName(nulls, allowMissingColumns=True)


def _order(keep: str) -> list[Column]:
    orders = {
        "first": [F.col("place")],
        "last": [-F.col("place")],
        "longest": [-F.col("bytes")],
        "shortest": [F.col("bytes")],
    }
    if keep not in orders:
        raise ValueError(f"keep '{keep}': expected first, last, longest or shortest")
    return orders[keep]


def _leaders(documents: DataFrame) -> DataFrame:
    """The first document of each text, with its rank: its place in the order of the policy."""
    fingerprint = [F.first(name).alias(name) for name in ("simhash", "sketch", "shingles")]
    first = documents.groupBy("digest").agg(F.min("order").alias("order"), F.count("*").alias("copies"), *fingerprint)
    # Numbers of a sorted DataFrame ascend through its partitions.
    return _kept(_kept(first.sort("order")).withColumn("rank", F.monotonically_increasing_id()))


class _Search:
    """Finds the documents that go, by rank."""

    def __init__(self, leaders: DataFrame, options: Any, distance: int | None) -> None:
        self.spark = leaders.sparkSession
        documents = leaders.filter(F.length("sketch") > 0)
        # More documents than there are get longer keys, which fewer share.
        self.options = (options, max(documents.count(), 100_000))
        self.distance = 64 if distance is None else distance
        self.members = pa.table({name: pa.array([], pa.int64()) for name in ("document", "key")})
        self.slim = documents.select("rank", "simhash", "sketch")
        self.full = documents.select("rank", "simhash", "sketch", "shingles")
        self.pairs: list[pa.Table] = []

    def run(self) -> DataFrame:
        shared = self.shared()
        sizes = F.count("*").alias("rows"), F.sum((F.col("limit") == F.col("rank")).cast("long")).alias("alive")
        counts = shared.groupBy("kind", "key").agg(*sizes).filter("rows > 1 and alive > 0")
        shared = _kept(shared.join(counts, ["kind", "key"]))
        # Only survivors count, and no other can be one.
        free = (F.col("kind") == 1) | (F.col("alive") <= MOST)
        together = shared.filter(F.col("rows") <= TOGETHER).withColumn("free", free)
        if not together.isEmpty():
            self.compare(together.filter("limit = rank"), together)
        self.members = together.filter(~free).select(F.col("rank").alias("document"), "key").toArrow()
        crowded = shared.filter(F.col("rows") > TOGETHER).drop("rows", "alive").withColumn("opened", F.lit(False))
        if not crowded.isEmpty():
            crowded = self.open(crowded)
        while not crowded.isEmpty():
            self.compare(crowded.filter("pivot").withColumn("free", F.lit(True)), crowded)
            crowded = self.open(crowded.withColumn("opened", F.col("opened") | F.col("pivot")))
        return self.decide(None).filter("survivor is not null")

    def shared(self) -> DataFrame:
        """The rows of keys that several documents share, each with its limit, after the first pass.

        A document that is the first by each of its keys survives. Those that are near to it, and have a key by which it
        is the first, go; they are compared with nothing later than it.
        """
        keys = self.keys()
        firsts = keys.groupBy("kind", "key").agg(F.min("rank").alias("first"), F.count("*").alias("rows"))
        shared = _kept(keys.join(firsts.filter("rows > 1").drop("rows"), ["kind", "key"]))
        later = shared.filter("first < rank")
        surviving = shared.filter("first = rank").join(later.select("rank").distinct(), "rank", "left_anti")
        self.compare(surviving.withColumn("free", F.lit(True)), later.withColumn("limit", F.col("rank")))
        gone = self.decide(None)
        limited = shared.join(gone, F.col("rank") == gone.document, "left").withColumn(
            "limit", F.coalesce("survivor", "rank")
        )
        return _kept(limited.filter("limit = rank or first < limit").drop("document", "survivor", "first"))

    def keys(self) -> DataFrame:
        """The keys of each document; kind 0 are those of its sketch, kind 1 those of its simhash."""
        made = self.slim.mapInArrow(
            _step("keys", *self.options, ("rank", "simhash")),
            "rank long, simhash long, bands array<long>, blocks array<long>",
        )
        both = F.array(
            F.struct(F.lit(0).alias("kind"), F.col("bands").alias("keys")),
            F.struct(F.lit(1).alias("kind"), F.col("blocks").alias("keys")),
        )
        lists = made.select("rank", "simhash", F.explode(both).alias("both"))
        return _kept(lists.select("rank", "simhash", "both.kind", F.explode("both.keys").alias("key")))

    def compare(self, earlier: DataFrame, later: DataFrame) -> None:
        """Adds the near pairs among documents that share a key, each later one before its limit."""
        a = earlier.select("kind", "key", F.col("rank").alias("a"), F.col("simhash").alias("simhash_a"), "free")
        b = later.select("kind", "key", F.col("rank").alias("b"), F.col("simhash").alias("simhash_b"), "limit")
        distance = F.bit_count(F.col("simhash_a").bitwiseXOR(F.col("simhash_b")))
        pairs = (
            a.join(b, ["kind", "key"])
            .filter("a < limit")
            .filter((F.col("kind") == 0) | (distance <= self.distance))
            .groupBy("a", "b")
            .agg(F.max("free").alias("free"))
        )
        pairs = _kept(self.near(pairs, self.slim))
        ranks = pairs.select(F.explode(F.array("a", "b")).alias("rank")).distinct()
        full = self.full
        # Else all shingles would be shuffled in each pass.
        if ranks.count() <= FEW:
            full = full.join(F.broadcast(ranks), "rank", "left_semi")
        self.pairs.append(self.near(pairs, full).toArrow())

    def near(self, pairs: DataFrame, fingerprints: DataFrame) -> DataFrame:
        """The pairs that are near, or may be, by these fingerprints."""
        step = _step("near", *self.options, ("a", "b", "free"))
        schema = "a long, b long, free boolean, near boolean"
        return _joined(pairs, fingerprints).mapInArrow(step, schema).filter("near").drop("near")

    def decide(self, crowded: DataFrame | None) -> DataFrame:
        """The documents that go, each with its survivor, and those that are not decided, with none."""
        waiting = pa.table({"document": pa.array([], pa.int64())})
        if crowded is not None:
            unopened = crowded.filter("not opened and limit = rank")
            waiting = unopened.select(F.col("rank").alias("document")).distinct().toArrow()
        verdicts = pa.table(_native.decide(pa.concat_tables(self.pairs), self.members, waiting, MOST))
        return _frame(self.spark, verdicts, "document long, survivor long")

    def decided(self, crowded: DataFrame) -> DataFrame:
        """The rows of keys with what is known: a document that goes has its survivor so far as limit."""
        named = self.decide(crowded).withColumn("listed", F.lit(True))
        joined = crowded.join(named, F.col("rank") == named.document, "left")
        return joined.select(
            "kind",
            "key",
            "rank",
            "simhash",
            "opened",
            F.least("limit", F.coalesce("survivor", "rank")).alias("limit"),
            F.col("listed").isNull().alias("survives"),
        )

    def open(self, crowded: DataFrame) -> DataFrame:
        """The rows of keys that are not exhausted, with their next pivots."""
        stays = F.col("limit") == F.col("rank")
        crowded = _kept(self.decided(crowded).withColumn("next", stays & ~F.col("opened")))
        number = {
            "places": F.col("opened") & stays,
            "taken": F.col("opened") & stays & F.col("survives"),
            "rest": F.col("next"),
        }
        counts = [F.sum(condition.cast("long")).alias(name) for name, condition in number.items()]
        keys = crowded.groupBy("kind", "key").agg(*counts).filter(f"rest > 0 and (kind = 1 or taken < {MOST})")
        row = F.row_number().over(Window.partitionBy("kind", "key", "next").orderBy("rank"))
        wanted = F.greatest(F.lit(FIRST_PIVOTS), 3 * F.col("places"))
        room = F.when(F.col("kind") == 0, F.least(wanted, MOST - F.col("places"))).otherwise(wanted)
        pivots = crowded.join(keys, ["kind", "key"]).withColumn("pivot", F.col("next") & (row <= room))
        return _kept(pivots.drop("next", *number))


def _judged(leaders: DataFrame, gone: DataFrame, options: Any) -> DataFrame:
    """The figures of each leader that goes with its survivor, and of each other that has copies with itself."""
    gone = gone.select(F.col("document").alias("rank"), F.col("survivor").alias("b"))
    pairs = leaders.join(gone, "rank", "left").filter("b is not null or copies > 1")
    pairs = pairs.select(F.col("rank").alias("a"), F.coalesce("b", "rank").alias("b"))
    columns = ("rank", "simhash", "sketch", "shingles", "digest")
    judged = _joined(pairs, leaders.select(*columns)).mapInArrow(
        _step("judge", options, 0, ("a", "b")), f"a long, b long, {_FIGURES}"
    )
    survivors = leaders.select(F.col("rank").alias("b"), F.col("order.id").alias("survivor"))
    named = judged.join(survivors, "b").withColumn("goes", F.col("a") != F.col("b"))
    return named.withColumnRenamed("a", "rank").drop("b")


def _joined(pairs: DataFrame, fingerprints: DataFrame) -> DataFrame:
    """Pairs `a`, `b` with the columns of both, named with `_a` and `_b`."""
    for side in ("a", "b"):
        names = {name: side if name == "rank" else f"{name}_{side}" for name in fingerprints.columns}
        pairs = pairs.join(fingerprints.withColumnsRenamed(names), side)
    return pairs


def _kept(df: DataFrame) -> DataFrame:
    """The rows, computed once: in the folder of checkpoints if there is one, else on the executors."""
    context = df.sparkSession.sparkContext
    return df.checkpoint() if context.getCheckpointDir() else df.localCheckpoint()


def _frame(spark: SparkSession, table: pa.Table, schema: str) -> DataFrame:
    names = [field.split()[0] for field in schema.split(", ")]
    if not table.num_rows:
        return spark.createDataFrame([], schema)
    return spark.createDataFrame(table.select(names))


def _step(
    name: str, options: Any, documents: int, carried: tuple[str, ...]
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A step over batches, whose result has these columns of the batch before its own."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        step = getattr(_steps(options, documents), name)
        for batch in batches:
            if batch.num_rows:
                made = pa.table(step(_narrow(batch))).combine_chunks().to_batches()[0]
                columns = [batch.column(column) for column in carried] + made.columns
                yield pa.RecordBatch.from_arrays(columns, [*carried, *made.schema.names])

    return run


def _narrow(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch with offsets of 32 bits, whatever the session is set to."""
    narrow = {pa.large_string(): pa.string(), pa.large_binary(): pa.binary()}
    return batch.cast(pa.schema([field.with_type(narrow.get(field.type, field.type)) for field in batch.schema]))


@cache
def _steps(options: Any, documents: int) -> _native.Steps:
    from nearcopy._fingerprinter import Fingerprinter, native

    named, similarity, distance, recall = options
    return _native.Steps(native(Fingerprinter(**dict(named))), similarity, distance, recall, documents)
