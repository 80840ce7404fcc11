"""Results are tables: join them with the data in polars, and query them in DuckDB.

    python polars_and_duckdb.py reviews.parquet

Needs the packages ``polars`` and ``duckdb``.
"""

import sys

import duckdb
import polars as pl

import nearcopy as nc


def main(source: str) -> None:
    # polars: the columns of a result stand beside those of the table, row by row.
    reviews = pl.read_parquet(source)
    found = nc.find(reviews, id="id", similarity=0.5)
    verdicts = pl.concat([reviews, pl.DataFrame(found)], how="horizontal")
    print(verdicts.group_by("keep").agg(pl.len(), pl.col("jaccard").mean()).sort("keep"))

    # DuckDB: a query gives the rows to be searched, and another reads the result by the name of its variable.
    query = duckdb.sql(f"select id, text from '{source}' order by id")
    pairs = nc.pairs(query, id="id", distance=None)  # noqa: F841
    print(duckdb.sql("select a_id, b_id, round(jaccard, 2) as jaccard from pairs order by jaccard desc, a_id, b_id"))


if __name__ == "__main__":
    main(*sys.argv[1:])
