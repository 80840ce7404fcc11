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
  later ones, until 64 of them survive or all are opened. A document that is not opened waits for no key of which 64
  earlier pivots survive, so that all documents of most keys are decided after one round.

Pivots are sent to all workers, and the other documents pass by them: such a round shuffles no fingerprints.

Cost: the fingerprints are shuffled twice, and once for each pair that may be near and shares a smaller key. The driver
holds 24 bytes per near pair, 24 bytes per document and key of the sketch that 65 to 256 documents share, and 24 bytes
per larger key of each document that has such a pair or key.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import Broadcast
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from nearcopy import _native
from nearcopy.spark import _steps

MOST = _native.MOST
"""Greatest number of survivors that are found by a key of the sketch."""

TOGETHER = 256
"""Greatest number of documents that share a key and are all compared with each other; larger keys take rounds."""

FEW = 1_000_000
"""Greatest number of documents whose ranks every executor is sent, so that only their shingles are shuffled."""

PIVOTS = 96
"""Number of pivots of a key in the first round; each later round opens as many as all rounds before it. More than
:data:`MOST`, as some of them go."""

SENT = 64 << 20
"""Greatest number of bytes of shingles of the pivots that every executor is sent."""

_PIVOTS = pa.schema({"kind": pa.int64(), "key": pa.int64(), "rank": pa.int64()})
_MEMBERS = pa.schema({"document": pa.int64(), "key": pa.int64(), "opened": pa.bool_()})


def find(
    df: DataFrame,
    *,
    text: str = "text",
    id: str = "id",
    keep: _steps.Keep = "longest",
    similarity: float | None = 0.5,
    distance: int | None = 3,
    recall: float = 0.995,
    language: str | None = None,
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
        Which of several near-duplicates survives: ``"first"``, ``"last"``, ``"longest"``, ``"shortest"``,
        ``"field:NAME"`` or ``"field:NAME:desc"``, as for :func:`nearcopy.find`. ``"first"`` and ``"last"`` go by the
        order of rows: sort `df` by a column whose values differ, unless its source has an order that lasts.
    similarity, distance, recall
        As for :func:`nearcopy.find`.
    language
        Language of all texts, as for :func:`nearcopy.find`.
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
        If an option is out of bounds, `language` and `fingerprinter` are both given, or no row has the field of `keep`.
    KeyError
        If `df` has no such column.
    TypeError
        If a column has another type.
    """
    field = _steps.expect(df, text, id, keep)
    options = _steps.options(_steps.making(language, fingerprinter), keep, similarity, distance, None, recall)
    id_type = _steps.way(df, id)[1]
    columns = _steps.named(df, F.struct("*"), id=id, text=text, field=field)
    rows = df.select(*columns, F.monotonically_increasing_id().alias("place"))
    documents = _steps.documents(rows, options, id)
    leaders = _leaders(documents)
    judged = _judged(leaders, _Search(leaders, options, distance).run(), options)
    verdicts = (
        documents.select("id", "digest", "order")
        .join(leaders.select("digest", "rank", F.col("order").alias("first")), "digest")
        .join(judged, "rank", "left")
        .withColumn("keep", (F.col("order") == F.col("first")) & ~F.coalesce(F.col("goes"), F.lit(False)))
    )
    names = [field.split()[0] for field in _steps.FIGURES.split(", ")]
    figures = [F.when(~F.col("keep"), F.col(name)).alias(name) for name in names]
    survivor = F.coalesce("survivor", "first.id")
    result = verdicts.select(F.col("id").cast(id_type), "keep", survivor.cast(id_type).alias("survivor"), *figures)
    nulls = _steps.kept(rows.filter("text is null").select("id", F.lit(True).alias("keep")))
    return result.unionByName(nulls, allowMissingColumns=True)


def _leaders(documents: DataFrame) -> DataFrame:
    """The first document of each text, with its rank: its place in the order of the policy."""
    fingerprint = [F.first(name).alias(name) for name in ("simhash", "sketch", "shingles")]
    first = documents.groupBy("digest").agg(F.min("order").alias("order"), F.count("*").alias("copies"), *fingerprint)
    # Numbers of a sorted DataFrame ascend through its partitions.
    return _steps.kept(_steps.kept(first.sort("order")).withColumn("rank", F.monotonically_increasing_id()))


class _Search:
    """Finds the documents that go, by rank."""

    def __init__(self, leaders: DataFrame, options: Any, distance: int | None) -> None:
        self.spark = leaders.sparkSession
        documents = leaders.filter(F.length("sketch") > 0)
        # More documents than there are get longer keys, which fewer share.
        self.options = (options, max(documents.count(), 100_000))
        self.distance = 64 if distance is None else distance
        self.members = _MEMBERS.empty_table()
        # The documents of larger keys, and the keys by which each is a pivot.
        self.large: DataFrame | None = None
        self.opened = _PIVOTS.empty_table()
        self.passing: DataFrame | None = None
        self.slim = documents.select("rank", "simhash", "sketch")
        self.full = documents.select("rank", "simhash", "sketch", "shingles")
        self.pairs: list[pa.Table] = []

    def run(self) -> DataFrame:
        shared = self.shared()
        sizes = F.count("*").alias("rows"), F.sum((F.col("limit") == F.col("rank")).cast("long")).alias("alive")
        counts = shared.groupBy("kind", "key").agg(*sizes).filter("rows > 1 and alive > 0")
        shared = _steps.kept(shared.join(counts, ["kind", "key"]))
        # Only survivors count, and no other can be one.
        free = (F.col("kind") == 1) | (F.col("alive") <= MOST)
        together = shared.filter(F.col("rows") <= TOGETHER).withColumn("free", free)
        if not together.isEmpty():
            self.compare(together.filter("limit = rank"), together)
        members = together.filter(~free).select(F.col("rank").alias("document"), "key", F.lit(True).alias("opened"))
        self.members = _steps.arrow(members).cast(_MEMBERS)
        large = _steps.kept(shared.filter(F.col("rows") > TOGETHER).drop("rows", "alive"))
        del shared, together, members
        if large.isEmpty():
            return self.gone(self.verdicts())
        self.large = large
        return self.gone(self.rounds(large))

    def rounds(self, large: DataFrame) -> pa.Table:
        """Compares the pivots of larger keys with all later documents that have the key; returns the verdicts."""
        number = PIVOTS
        while (pivots := self.pivots(large, verdicts := self.verdicts(), number)).num_rows:
            fingerprints = self.full.join(self.listed(pivots["rank"]), "rank", "left_semi")
            bytes = _steps.arrow(fingerprints.agg(F.sum(F.length("shingles")).alias("bytes")))
            size = bytes["bytes"][0].as_py()
            if size <= SENT:
                if self.passing is None:
                    self.passing = self.limited(large, verdicts)
                self.scan(self.passing, _steps.arrow(fingerprints), pivots)
            else:
                opened = _steps.frame(self.spark, pivots, "kind long, key long, rank long")
                opened = large.join(opened, ["kind", "key", "rank"], "left_semi")
                self.compare(opened.withColumn("free", F.col("kind") == 1), large)
            number = PIVOTS if not self.opened.num_rows else 2 * number
            self.opened = pa.concat_tables([self.opened, pivots])
        return verdicts

    def limited(self, large: DataFrame, verdicts: pa.Table) -> DataFrame:
        """The fingerprints of the documents of larger keys; each is compared with those before its limit."""
        limits = large.groupBy("rank").agg(F.min("limit").alias("limit"))
        limits = limits.join(self.gone(verdicts), "rank", "left")
        limits = limits.select("rank", F.least("limit", F.coalesce("survivor", "limit")).alias("limit"))
        return _steps.kept(self.full.join(limits, "rank"))

    def shared(self) -> DataFrame:
        """The rows of keys that several documents share, each with its limit, after the first pass.

        A document that is the first by each of its keys survives. Those that are near to it, and have a key by which it
        is the first, go; they are compared with nothing later than it.
        """
        keys = self.keys()
        firsts = keys.groupBy("kind", "key").agg(F.min("rank").alias("first"), F.count("*").alias("rows"))
        shared = _steps.kept(keys.join(firsts.filter("rows > 1").drop("rows"), ["kind", "key"]))
        later = shared.filter("first < rank")
        surviving = shared.filter("first = rank").join(later.select("rank").distinct(), "rank", "left_anti")
        self.compare(surviving.withColumn("free", F.lit(True)), later.withColumn("limit", F.col("rank")))
        limited = shared.join(self.gone(self.verdicts()), "rank", "left")
        limited = limited.withColumn("limit", F.coalesce("survivor", "rank"))
        return _steps.kept(limited.filter("limit = rank or first < limit").drop("survivor", "first"))

    def keys(self) -> DataFrame:
        """The keys of each document; kind 0 are those of its sketch, kind 1 those of its simhash."""
        made = self.slim.mapInArrow(
            _steps.step("keys", *self.options, ("rank", "simhash")),
            "rank long, simhash long, bands array<long>, blocks array<long>",
        )
        both = F.array(
            F.struct(F.lit(0).cast("long").alias("kind"), F.col("bands").alias("keys")),
            F.struct(F.lit(1).cast("long").alias("kind"), F.col("blocks").alias("keys")),
        )
        lists = made.select("rank", "simhash", F.explode(both).alias("both"))
        return _steps.kept(lists.select("rank", "simhash", "both.kind", F.explode("both.keys").alias("key")))

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
        pairs = _steps.kept(self.near(pairs, self.slim))
        ranks = pairs.select(F.explode(F.array("a", "b")).alias("rank")).distinct()
        full = self.full
        # Else all shingles would be shuffled in each pass.
        if ranks.count() <= FEW:
            full = full.join(F.broadcast(ranks), "rank", "left_semi")
        self.add(_steps.arrow(self.near(pairs, full)))

    def near(self, pairs: DataFrame, fingerprints: DataFrame) -> DataFrame:
        """The pairs that are near, or may be, by these fingerprints."""
        step = _steps.step("near", *self.options, ("a", "b", "free"))
        schema = "a long, b long, free boolean, near boolean"
        return _joined(pairs, fingerprints).mapInArrow(step, schema).filter("near").drop("near")

    def scan(self, passing: DataFrame, fingerprints: pa.Table, pivots: pa.Table) -> None:
        """Adds the near pairs of pivots and the later documents that share a key; each passes by all pivots."""
        sent = self.spark.sparkContext.broadcast([_bytes(table) for table in (fingerprints, pivots)])
        passed = passing.mapInArrow(_passed(*self.options, sent), "a long, b long, free boolean")
        self.add(_steps.arrow(passed))
        sent.destroy()

    def add(self, pairs: pa.Table) -> None:
        self.pairs.append(pairs)
        # Spark deletes the files of what nothing refers to, once the JVM has found out.
        self.spark.sparkContext._jvm.System.gc()

    def verdicts(self) -> pa.Table:
        """The documents that go, each with its survivor, and those that are not decided, with none."""
        pairs, members, waiting = pa.concat_tables(self.pairs), self.members, pa.array([], pa.int64())
        if self.large is not None:
            # A document that has no pair and takes no place of a key decides nothing.
            columns = pairs["a"], pairs["b"], members["document"], self.opened["rank"]
            known = self.listed(pa.chunked_array([part for column in columns for part in column.chunks], pa.int64()))
            last = self.opened.group_by(["kind", "key"]).aggregate([("rank", "max")])
            keys = F.broadcast(_steps.frame(self.spark, last, "kind long, key long, rank_max long"))
            rows = self.large.join(known, "rank", "left_semi").join(keys, ["kind", "key"], "left")
            opened = F.coalesce(F.col("rank") <= F.col("rank_max"), F.lit(False))
            rows = rows.select("kind", F.col("rank").alias("document"), "key", opened.alias("opened"))
            places = _steps.arrow(rows)
            of_sketch = pc.equal(places["kind"], 0)
            members = pa.concat_tables([members, places.filter(of_sketch).select(_MEMBERS.names).cast(_MEMBERS)])
            waiting = places.filter(pc.invert(pc.or_(of_sketch, places["opened"])))["document"]
        return pa.table(_native.decide(pairs, members, pa.table({"document": waiting}), MOST))

    def gone(self, verdicts: pa.Table) -> DataFrame:
        """The documents that go, each with its survivor so far."""
        gone = verdicts.filter(pc.is_valid(verdicts["survivor"])).rename_columns(["rank", "survivor"])
        return _steps.frame(self.spark, gone, "rank long, survivor long")

    def listed(self, ranks: pa.ChunkedArray) -> DataFrame:
        """These ranks, each once."""
        listed = pa.table({"rank": ranks.unique()})
        frame = _steps.frame(self.spark, listed, "rank long")
        return F.broadcast(frame) if listed.num_rows <= FEW else frame

    def pivots(self, large: DataFrame, verdicts: pa.Table, number: int) -> pa.Table:
        """The next documents that may survive of each key that is not exhausted."""
        gone = verdicts["document"].filter(pc.is_valid(verdicts["survivor"]))
        rows = large.filter("limit = rank").join(self.listed(gone), "rank", "left_anti").select("kind", "key", "rank")
        if self.opened.num_rows:
            survives = pc.invert(pc.is_in(self.opened["rank"], verdicts["document"].combine_chunks()))
            taken = self.opened.append_column("taken", survives.cast(pa.int64())).group_by(["kind", "key"])
            keys = taken.aggregate([("rank", "max"), ("taken", "sum")])
            keys = keys.filter((pc.field("kind") == 1) | (pc.field("taken_sum") < MOST))
            last = _steps.frame(self.spark, keys, "kind long, key long, rank_max long")
            rows = rows.join(F.broadcast(last), ["kind", "key"]).filter("rank > rank_max").drop("rank_max")
        row = F.row_number().over(Window.partitionBy("kind", "key").orderBy("rank"))
        rows = rows.withColumn("row", row).filter(F.col("row") <= number).drop("row")
        return _steps.arrow(rows).cast(_PIVOTS)


def _judged(leaders: DataFrame, gone: DataFrame, options: Any) -> DataFrame:
    """The figures of each leader that goes with its survivor, and of each other that has copies with itself."""
    pairs = leaders.join(gone, "rank", "left").filter("survivor is not null or copies > 1")
    pairs = pairs.select(F.col("rank").alias("a"), F.coalesce("survivor", "rank").alias("b"))
    columns = ("rank", "simhash", "sketch", "shingles", "digest")
    judged = _joined(pairs, leaders.select(*columns)).mapInArrow(
        _steps.step("judge", options, 0, ("a", "b")), f"a long, b long, {_steps.FIGURES}"
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


def _passed(options: Any, documents: int, sent: Broadcast[list[bytes]]) -> _steps.Run:
    """The near pairs of the documents of batches and of the pivots that were sent."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        steps = _steps.steps(options, documents)
        fingerprints, keys = (pa.ipc.open_stream(part).read_all() for part in sent.value)
        pivots = _native.Pivots(pa.Table.from_batches(map(_steps.narrow, fingerprints.to_batches())), keys)
        for batch in batches:
            if batch.num_rows:
                yield from pa.table(pivots.compare(steps, _steps.narrow(batch))).to_batches()

    return run


def _bytes(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())
