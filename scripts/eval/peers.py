"""Deduplicates a corpus with the Python package, or with another project's library as its documentation recommends.

    python peers.py nearcopy|spark|datasketch|rensa|rensa_batch|gaoya|reading CORPUS PERMUTATIONS OUTPUT
    python peers.py kept DATASET CORPUS OUTPUT       the ids that text-dedup has left out
    python peers.py ngrams CORPUS OUTPUT             the n-grams as numbers, for `eval jaccard`
    python peers.py version NAME

CORPUS is JSON Lines with id and text; the removed ids go to OUTPUT, one a line. `reading` removes nothing: it is the
JSON and the n-grams in Python that datasketch and rensa are given.
"""
import array
import importlib.metadata
import itertools
import json
import os
import re
import sys

SIMILAR = 0.5
WORDS = re.compile(r"\w+")
# Rows a band: with four of 128 rows, 87 % of the pairs at Jaccard .5 share a band.
ROWS = 4


def documents(corpus):
    with open(corpus, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield record["id"], record["text"]


def ngrams(text):
    words = WORDS.findall(text.lower())
    return {" ".join(words[i : i + 3]) for i in range(max(1, len(words) - 2))}


def nearcopy(corpus, sketches):
    import nearcopy
    import pyarrow.json

    table = pyarrow.json.read_json(corpus).select(["id", "text"])
    fingerprinter = nearcopy.Fingerprinter(sketches=sketches)
    keep = nearcopy.find(table, id="id", threads=2, progress=False, fingerprinter=fingerprinter).keep
    return (id for id, stays in zip(table["id"].to_pylist(), keep) if not stays)


def spark(corpus, sketches):
    from nearcopy.spark import find
    from pyspark.sql import SparkSession

    # Workers take the first python3 that they find unless they are told which.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", "6g")
    builder = builder.config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
    session = builder.config("spark.sql.shuffle.partitions", "8").getOrCreate()
    rows = session.read.schema("id string, text string").json(corpus).repartition(8)
    found = find(rows, fingerprinter={"sketches": sketches})
    removed = [row["id"] for row in found.filter("not keep").select("id").collect()]
    session.stop()
    return removed


def reading(corpus, _):
    for _, text in documents(corpus):
        ngrams(text)
    return ()


def datasketch(corpus, permutations):
    from datasketch import MinHash, MinHashLSH

    # The library chooses bands and rows by the threshold; candidates are not verified.
    index = MinHashLSH(threshold=SIMILAR, num_perm=permutations)
    print(f"bands and rows {index.b} {index.r}", file=sys.stderr)
    for id, text in documents(corpus):
        sketch = MinHash(num_perm=permutations)
        sketch.update_batch([ngram.encode() for ngram in ngrams(text)])
        if index.query(sketch):
            yield id
        else:
            index.insert(id, sketch)


def rensa(corpus, permutations):
    from rensa import RMinHash, RMinHashDeduplicator

    index = RMinHashDeduplicator(SIMILAR, permutations, True, permutations // ROWS)
    for id, text in documents(corpus):
        sketch = RMinHash(permutations, 42)
        sketch.update(list(ngrams(text)))
        if not index.add(id, sketch):
            yield id


def rensa_batch(corpus, permutations):
    from rensa import RMinHash, RMinHashDeduplicator

    index = RMinHashDeduplicator(SIMILAR, permutations, True, permutations // ROWS)
    whole = documents(corpus)
    while batch := list(itertools.islice(whole, 1024)):
        sketches = RMinHash.from_token_sets([list(ngrams(text)) for _, text in batch], permutations, 42)
        ids = [id for id, _ in batch]
        added = index.add_pairs(list(zip(ids, sketches)))
        yield from (id for id, is_new in zip(ids, added) if not is_new)


def gaoya(corpus, permutations):
    from gaoya.minhash import MinHashStringIndex

    ids, texts = zip(*documents(corpus))
    bands = permutations // ROWS
    index = MinHashStringIndex(32, SIMILAR, bands, ROWS, None, "word", True, (3, 3), "smallvec")
    index.par_bulk_insert_docs(list(range(len(texts))), list(texts))
    removed = set()
    for document, near in enumerate(index.par_bulk_query(list(texts))):
        if document not in removed:
            removed.update(other for other in near if other > document)
    return (ids[document] for document in sorted(removed))


def write_ngrams(corpus, output):
    # Within one process a string has one hash of 64 bits.
    with open(output, "wb") as file:
        for _, text in documents(corpus):
            hashes = {hash(ngram) & 0xFFFFFFFFFFFFFFFF for ngram in ngrams(text)}
            numbers = array.array("Q", [len(hashes), *hashes])
            if sys.byteorder == "big":
                numbers.byteswap()
            numbers.tofile(file)


def kept(dataset, corpus):
    from datasets import load_from_disk

    stays = set(load_from_disk(dataset)["id"])
    return (id for id, _ in documents(corpus) if id not in stays)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["version", name]:
            print(importlib.metadata.version(name))
        case ["ngrams", corpus, output]:
            write_ngrams(corpus, output)
        case ["kept", dataset, corpus, output]:
            removed = kept(dataset, corpus)
        case [name, corpus, permutations, output]:
            engines = (nearcopy, spark, reading, datasketch, rensa, rensa_batch, gaoya)
            engines = {engine.__name__: engine for engine in engines}
            removed = engines[name](corpus, int(permutations))
        case _:
            sys.exit(__doc__)
    if sys.argv[1] not in ("version", "ngrams"):
        with open(output, "w") as file:
            file.writelines(f"{id}\n" for id in removed)
