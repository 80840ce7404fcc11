"""Counts texts that `dedup` reads as web pages, and web pages that it reads as texts.

    python recognise.py DEDUP FOLDER...

The kind of a file follows from its name: README, `.md`, `.txt`, `changelog` and the like are
texts, `.html` and the like are pages. Compressed files are skipped. At most SAMPLE files of each
kind are read from each folder (an environment variable, 2,000 by default), picked with a fixed
seed. Prints a Markdown table and every file that is read as the other kind, with its beginning.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys

TEXT = re.compile(
    r"""(?ix) .* \. (?: txt | text | md | markdown | mdown | rst | adoc | asciidoc | org | tex | log )
    | (?: readme | change(?:s|log) | news | todo | authors | copyright | copying | licen[sc]e | faq ) [\w.-]*"""
)
PAGE = re.compile(r"(?i).*\.(?:html|htm|xhtml)")
SAMPLE = int(os.environ.get("SAMPLE", 2000))


def kind(path):
    if path.name.endswith(".gz"):
        return None
    return "page" if PAGE.fullmatch(path.name) else "text" if TEXT.fullmatch(path.name) else None


def files(folder):
    """Samples the files of each kind, without links and empty files."""
    found = {"text": [], "page": []}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if (of := kind(path)) and path.is_file() and not path.is_symlink() and path.stat().st_size:
            found[of].append(path)
    for of, paths in found.items():
        for path in random.Random(7).sample(paths, min(SAMPLE, len(paths))):
            yield path, of


def beginning(path):
    with open(path, "rb") as file:
        return file.read(120).decode(errors="replace")


def read_as(dedup, path):
    command = [dedup, "explain", "--format", "json", str(path)]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return {"html": "page", "text": "text"}.get(json.loads(run.stdout)["format"]) if run.stdout else None


def main(dedup, *folders):
    wrong = []
    print("| folder | texts | read as pages | pages | read as texts |\n| --- | --- | --- | --- | --- |")
    for folder in folders:
        sample = list(files(folder))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
            read = list(threads.map(lambda file: read_as(dedup, file[0]), sample))
        # Files that `dedup explain` refuses, such as an archive named .txt, are not counted.
        counts = collections.Counter((of, as_) for (_, of), as_ in zip(sample, read) if as_)
        text, page = ([counts[of, of], counts[of, other]] for of, other in [("text", "page"), ("page", "text")])
        print(f"| {folder} | {sum(text):,} | {text[1]:,} | {sum(page):,} | {page[1]:,} |")
        wrong += [path for (path, of), as_ in zip(sample, read) if as_ and as_ != of]
    print()
    for path in wrong:
        print(f"{path}: {beginning(path)!r}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
