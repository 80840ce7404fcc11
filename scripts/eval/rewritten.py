"""Measures `dedup decontaminate --rewritten` on texts that were rewritten; see scripts/eval-decontaminate."""
import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from decontaminate import lines

WORDS = [25, 50, 100]


def kind(name):
    return re.sub(r"-\d+(\.txt)?$", "", name)


def item(passage, words, rng):
    """Sentences in a row that have so many words, from anywhere in a passage."""
    sentences = re.split(r"(?<=[.!?])\s+", passage)
    taken, count = [], 0
    for sentence in sentences[rng.randrange(max(1, len(sentences) - 2)) :]:
        taken.append(sentence)
        count += len(sentence.split())
        if count >= words:
            break
    return " ".join(taken) if count >= words * 0.7 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--rephrased", type=pathlib.Path, required=True)
    parser.add_argument("--least", default="0.5")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    folder, rng = options.rephrased, random.Random(7)
    text = lambda part, name: (folder / part / name).read_text(encoding="utf-8")
    corpus = options.work / "rewritten.jsonl"
    with corpus.open("w") as out:
        for path in sorted((folder / "susp").iterdir()):
            out.write(json.dumps({"id": path.name, "text": path.read_text(encoding="utf-8")}) + "\n")
    # Each with the document that has it, rewritten, or another text under one title, which has nothing of it.
    passages = []
    for pair in (folder / "pairs").read_text().splitlines():
        suspicious, source = pair.split()
        features = ET.parse(folder / "truth" / f"{suspicious[:-4]}.xml").getroot().iter("feature")
        labelled = [found for found in features if found.get("source_reference") == source]
        for found in labelled:
            start, length = int(found.get("source_offset")), int(found.get("source_length"))
            passages.append((suspicious, True, text("src", source)[start : start + length]))
        if not labelled:
            passages.append((suspicious, False, text("src", source)))
    print("| words | kind | items | found by words | with --rewritten |\n| --- | --- | --- | --- | --- |")
    for words in WORDS:
        cut = [(document, has, item(passage, words, rng)) for document, has, passage in passages]
        cut = [(document, has, text) for document, has, text in cut if text]
        bench = options.work / f"items.{words}.jsonl"
        bench.write_text("".join(json.dumps({"id": str(i), "text": text}) + "\n" for i, (_, _, text) in enumerate(cut)))
        report = options.work / f"report.{words}"
        command = [options.program, "decontaminate", corpus, "--against", bench, "--id-field", "id", "--item-id", "id"]
        subprocess.run(
            [*command, f"--rewritten={options.least}", "-o", report, "--force", "--quiet"], check=True
        )
        found = {}
        for document in lines(f"{report}.documents.jsonl"):
            for place in document["items"]:
                key = (document["id"], int(place["item"]))
                found[key] = found.get(key, False) or place["probability"] is None
        said = lines(f"{report}.items.jsonl")
        undecidable = {int(item["id"]) for item in said if item["verdict"] == "undecidable"}
        table = collections.defaultdict(lambda: [0, 0, 0])
        for number, (document, has, _) in enumerate(cut):
            if number in undecidable:
                continue
            row = table[kind(document) if has else "other text under one title"]
            row[0] += 1
            row[1] += found.get((document, number)) is True
            row[2] += (document, number) in found
        for name, row in sorted(table.items()):
            print(f"| {words} | {name} | " + " | ".join(map(str, row)) + " |")


main()
