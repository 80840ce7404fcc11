"""Runs the program: the documents that it removes from a corpus, and the edited copies that it finds."""
import json
import re
import subprocess
import sys
import time

import edits
import words

# Least Jaccard of each class, from the top.
CLASSES = {"1": 1.0, ".9 to 1": 0.9, ".8 to .9": 0.8, ".7 to .8": 0.7, ".5 to .7": 0.5, "below .5": 0.0}
SAMPLE = 50


class Program:
    """`dedup` with the options to measure."""

    def __init__(self, path, clean, find):
        self.path, self.clean_options, self.find_options = path, clean, find

    def run(self, *arguments):
        command = [str(part) for part in (self.path, *arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        # 0: found, 1: nothing found, 2: failure.
        if done.returncode not in (0, 1):
            sys.exit(f"eval-removals: {' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[-800:]}")
        return done.stdout

    def removed(self, corpus):
        """The lines of the list of removed documents."""
        output = corpus.with_suffix(".clean.jsonl")
        listed = output.with_name(output.name + ".removed.jsonl")
        review = output.with_name(output.name + ".review.jsonl")
        for path in (output, listed, review):
            path.unlink(missing_ok=True)
        self.run("clean", corpus, "--id-field", "id", *self.clean_options, "-o", output)
        found = [json.loads(line) for line in listed.read_text(encoding="utf-8").splitlines()]
        # The last line closes the list.
        found.pop()
        output.unlink()
        listed.unlink()
        # Only a claim narrower than `edited` leaves something to review.
        review.unlink(missing_ok=True)
        return found

    def pairs(self, corpus):
        listed = self.run("find", "--pairs", "--format", "jsonl", "--id-field", "id", *self.find_options, corpus)
        return [json.loads(line) for line in listed.splitlines()]


def class_of(jaccard):
    return next(name for name, least in CLASSES.items() if jaccard >= least)


def removals(program, path, documents):
    """One record a removal: the document and its survivor, the Jaccard of raw words, names and texts compared."""
    by_id = {record["id"]: record for record in documents}
    started = time.monotonic()
    listed = program.removed(path)
    seconds = time.monotonic() - started
    shingles = {}
    out = []
    for line in listed:
        a, b = by_id[line["id"]], by_id[line["survivor"]]
        for record in (a, b):
            if record["id"] not in shingles:
                shingles[record["id"]] = words.shingles(record["text"])
        jaccard = words.jaccard(shingles[a["id"]], shingles[b["id"]])
        out.append({
            "id": a["id"],
            "survivor": b["id"],
            "names": [a["name"], b["name"]],
            "jaccard": round(jaccard, 4),
            "class": class_of(jaccard),
            "same_name": a["name"] == b["name"],
            "same_text": words.plain(a["text"]) == words.plain(b["text"]),
            "said": {key: line.get(key) for key in ("distance", "jaccard", "rules")},
        })  # fmt: skip
    return out, seconds


def counts(found):
    """For each class of Jaccard: removals, those with another name, those with another name and text."""
    table = {name: {"removed": 0, "other name": 0, "other name and text": 0} for name in CLASSES}
    for removal in found:
        row = table[removal["class"]]
        row["removed"] += 1
        row["other name"] += not removal["same_name"]
        row["other name and text"] += not (removal["same_name"] or removal["same_text"])
    return table


def sample(corpus, found, seed):
    """Samples SAMPLE removals by a hash of the pair, so that the samples of different runs mostly coincide."""
    return sorted(found, key=lambda removal: words.digest(seed, corpus, *sorted((removal["id"], removal["survivor"]))))[:SAMPLE]


def number(id):
    return re.fullmatch(r"([oc])(\d+)", id).groups()


def recall(program, folder, documents, seed, wanted):
    """For each edit and class of length: copies, and those found by `clean` and by `find --pairs`."""
    corpus = edits.Corpus(documents)
    table = {}
    for name, chosen in edits.originals(documents, seed, wanted).items():
        if not chosen:
            continue
        table[name] = {}
        for edit in edits.EDITS:
            path = folder / "copies.jsonl"
            with open(path, "w", encoding="utf-8") as lines:
                for record in edits.copies(chosen, corpus, seed, edit):
                    lines.write(json.dumps(record, ensure_ascii=False) + "\n")
            removed = {number(line["id"])[1] for line in program.removed(path) if own(line["id"], line["survivor"])}
            listed = {number(pair["a"])[1] for pair in program.pairs(path) if own(pair["a"], pair["b"])}
            table[name][edit] = {"copies": len(chosen), "clean": len(removed), "find": len(listed)}
            path.unlink()
    return table


def own(a, b):
    """True if the two are an original and its copy."""
    return number(a)[1] == number(b)[1]
