"""Clean a data set of Hugging Face that lies in a Parquet file, and show what was removed, and what may be a copy.

    python clean_dataset.py reviews.parquet reviews.clean.parquet

Needs the package ``datasets``.
"""

import sys

import datasets

import nearcopy as nc


def main(source: str, target: str) -> None:
    data = datasets.load_dataset("parquet", data_files=source, split="train")
    found = nc.clean(data, text="text", id="id", keep="longest")
    for row, verdict in zip(data, found.to_pylist(), strict=True):
        if not verdict["keep"]:
            print(f"{row['id']}: {verdict['removal']}, for {verdict['survivor_id']}")
    for copy in found.to_review().to_pylist():
        print(f"{copy['id']}: kept; Jaccard {copy['jaccard']:.2f} with {copy['survivor_id']}")
    kept = found.filter(data)
    kept.to_parquet(target)
    found.report(target + ".html", overwrite=True)
    print(f"kept {len(kept)} of {len(data)} documents")


if __name__ == "__main__":
    main(*sys.argv[1:])
