"""Compares the pairs of `dedup find` on web pages with a computation that shares no code with it.

    python pages.py PAIRS FOLDER...

PAIRS is the output of `dedup find --pairs --format jsonl --glob '*.html' FOLDER...`. A page's
text is its body as lxml reads it, without scripts, styles, links to the next page and text that
the page marks as navigation. Its shingles are the 3-grams of its words as written, in lower
case; pages of fewer than 20 words are skipped. Every pair whose exact Jaccard coefficient
reaches a threshold is found by prefix filtering (Chaudhuri, Ganti and Kaushik, 2006), without
sampling.

Prints two Markdown tables: the recall of find, and the number of its pairs that are far apart
by this computation. With MISSED=N and STRANGE=N in the environment it also lists N missed pairs
and N of those that are far apart.
"""
import collections
import json
import math
import os
import pathlib
import re
import sys

import lxml.html

WORDS = re.compile(r"[^\W_]+")
# Elements that HTML 5, ARIA, DocBook, gtk-doc and Sphinx mark as navigation.
NAVIGATION = """//script | //style | //nav | //header | //footer | //aside | //*[@role='navigation']
    | //a[@rel='prev' or @rel='previous' or @rel='next']
    | //*[contains(concat(' ', @class, ' '), ' navheader ')] | //*[contains(concat(' ', @class, ' '), ' navfooter ')]
    | //*[contains(concat(' ', @class, ' '), ' navigation ')] | //*[contains(concat(' ', @class, ' '), ' related ')]"""
LEVELS = [0.5, 0.7, 0.9]
MIN_WORDS = 20


def shingles(path):
    content = path.read_bytes()
    if not content.strip():
        return frozenset()
    tree = lxml.html.document_fromstring(content)
    for part in tree.xpath(NAVIGATION):
        part.drop_tree()
    body = tree.find("body")
    # Text nodes are joined by a space: blocks end words, and tags inside words are rare.
    words = WORDS.findall(" ".join((tree if body is None else body).itertext()).lower())
    if len(words) < MIN_WORDS:
        return frozenset()
    return frozenset(" ".join(words[i : i + 3]) for i in range(len(words) - 2))


def jaccard(a, b):
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared)


def near(sets, threshold):
    """Yields the places and the coefficient of every pair of sets that reaches the threshold."""
    counts = collections.Counter(shingle for shingles in sets for shingle in shingles)
    order = sorted(range(len(sets)), key=lambda i: len(sets[i]))
    holders = collections.defaultdict(list)
    for i in order:
        # Rare shingles come first; every near set contains at least one of this prefix.
        prefix = sorted(sets[i], key=lambda shingle: (counts[shingle], shingle))
        prefix = prefix[: len(prefix) - math.ceil(threshold * len(prefix)) + 1]
        for j in {j for shingle in prefix for j in holders[shingle] if len(sets[j]) >= threshold * len(sets[i])}:
            coefficient = jaccard(sets[i], sets[j])
            if coefficient >= threshold:
                yield i, j, coefficient
        for shingle in prefix:
            holders[shingle].append(i)


def reported(path):
    """The pairs of find with their coefficients, and a function that returns the representative of a text."""
    with open(path, encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines]
    first = {}

    def representative(id):
        # A copy of a text can take two steps, if another text has the same shingles.
        while id in first:
            id = first[id]
        return id

    for pair in pairs:
        a, b = representative(pair["a"]), representative(pair["b"])
        is_same = "identical" in pair["rules"] or pair["jaccard"] == 1 and pair["distance"] == 0
        if is_same and a != b:
            first[b] = a
    found = {}
    for pair in pairs:
        key = frozenset(representative(pair[side]) for side in "ab")
        found[key] = max(pair["jaccard"] or 0, found.get(key, 0))
    return found, representative


def main(pairs, *folders):
    documents = collections.defaultdict(list)
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*.html")):
            documents[shingles(path)].append(str(path))
    documents.pop(frozenset(), None)
    sets = list(documents)
    of = {id: i for i, shingles in enumerate(sets) for id in documents[shingles]}
    found, representative = reported(pairs)

    wanted, hit, missed = collections.Counter(), collections.Counter(), []

    def note(i, j, coefficient):
        for a in documents[sets[i]]:
            for b in documents[sets[j]]:
                if i == j and a >= b:
                    continue
                is_found = frozenset((representative(a), representative(b))) in found
                for level in LEVELS:
                    if coefficient >= level:
                        wanted[level] += 1
                        hit[level] += is_found
                if not is_found:
                    missed.append((coefficient, a, b))

    for i in range(len(sets)):
        note(i, i, 1.0)
    for i, j, coefficient in near(sets, min(LEVELS)):
        note(i, j, coefficient)

    pages = sum(map(len, documents.values()))
    print(f"{pages} pages of at least {MIN_WORDS} words\n")
    print("| Jaccard of words, without navigation | pairs | found | recall |")
    print("| --- | --- | --- | --- |")
    for level in LEVELS:
        print(f"| ≥ {level} | {wanted[level]} | {hit[level]} | {hit[level] / max(1, wanted[level]):.4f} |")

    # Copies of one text count as one, so that they do not hide the rest.
    known = [(*sorted(pair), by_find) for pair, by_find in found.items() if len(pair) == 2 and pair <= of.keys()]
    print("\n| Jaccard by find, copies counted once | pairs | below .5 without navigation | share |")
    print("| --- | --- | --- | --- |")
    strange = [(jaccard(sets[of[a]], sets[of[b]]), by_find, a, b) for a, b, by_find in known]
    for level in LEVELS:
        reported_here = [own for own, by_find, _, _ in strange if by_find >= level]
        far = sum(own < 0.5 for own in reported_here)
        print(f"| ≥ {level} | {len(reported_here)} | {far} | {far / max(1, len(reported_here)):.4f} |")
    for coefficient, a, b in sorted(missed, reverse=True)[: int(os.environ.get("MISSED", 0))]:
        print(f"missed {coefficient:.3f} {a} {b}")
    strange = sorted(pair for pair in strange if pair[0] < 0.5 and pair[1] >= 0.7)
    for own, by_find, a, b in strange[: int(os.environ.get("STRANGE", 0))]:
        print(f"strange {own:.3f} {by_find:.3f} {a} {b}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
