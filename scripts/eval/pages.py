"""Holds the pairs of `dedup find` on web pages against a reckoning that shares no code with it.

    python pages.py PAIRS FOLDER...

PAIRS is the output of `dedup find --pairs --format jsonl --glob '*.html' FOLDER...`. A page's
text is what lxml reads of its body, without scripts, styles and what its author marks as
navigation; its features are the 3-grams of its words as written, in lower case. Every pair
whose exact Jaccard coefficient reaches a threshold is found by prefix filtering (Chaudhuri,
Ganti and Kaushik, 2006), without sampling. Prints a Markdown table; with MISSED=N in the
environment also N of the missed pairs.
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
# What the makers of pages call their navigation: HTML 5 and ARIA, DocBook, gtk-doc, Sphinx.
NAVIGATION = """//script | //style | //nav | //header | //footer | //aside | //*[@role='navigation']
    | //*[contains(concat(' ', @class, ' '), ' navheader ')] | //*[contains(concat(' ', @class, ' '), ' navfooter ')]
    | //*[contains(concat(' ', @class, ' '), ' navigation ')] | //*[contains(concat(' ', @class, ' '), ' related ')]"""
LEVELS = [0.5, 0.7, 0.9]


def features(path):
    content = path.read_bytes()
    if not content.strip():
        return frozenset()
    tree = lxml.html.document_fromstring(content)
    for part in tree.xpath(NAVIGATION):
        part.drop_tree()
    body = tree.find("body")
    # Text nodes are joined by a space: blocks end words, and tags inside words are rare.
    words = WORDS.findall(" ".join((tree if body is None else body).itertext()).lower())
    return frozenset(" ".join(words[i : i + 3]) for i in range(max(1, len(words) - 2))) if words else frozenset()


def jaccard(a, b):
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared)


def near(sets, threshold):
    """All pairs of places of sets whose coefficient is at least the threshold."""
    counts = collections.Counter(feature for features in sets for feature in features)
    order = sorted(range(len(sets)), key=lambda i: len(sets[i]))
    holders = collections.defaultdict(list)
    for i in order:
        # Rare features first: one of so many is shared by every near set.
        prefix = sorted(sets[i], key=lambda feature: (counts[feature], feature))
        prefix = prefix[: len(prefix) - math.ceil(threshold * len(prefix)) + 1]
        for j in {j for feature in prefix for j in holders[feature] if len(sets[j]) >= threshold * len(sets[i])}:
            coefficient = jaccard(sets[i], sets[j])
            if coefficient >= threshold:
                yield i, j, coefficient
        for feature in prefix:
            holders[feature].append(i)


def reported(path):
    """Pairs of representatives, and what finds the representative of a text."""
    with open(path, encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines]
    first = {}

    def representative(id):
        # A copy of a text that differs from another in nothing that counts takes two steps.
        while id in first:
            id = first[id]
        return id

    for pair in pairs:
        a, b = representative(pair["a"]), representative(pair["b"])
        if "identical" in pair["rules"] and a != b:
            first[b] = a
    return {frozenset(representative(pair[side]) for side in "ab") for pair in pairs}, representative


def main(pairs, *folders):
    documents = collections.defaultdict(list)
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*.html")):
            documents[features(path)].append(str(path))
    documents.pop(frozenset(), None)
    sets = list(documents)
    of = {id: i for i, features in enumerate(sets) for id in documents[features]}
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

    known = [sorted(pair) for pair in found if len(pair) == 2 and pair <= of.keys()]
    coefficients = [jaccard(sets[of[a]], sets[of[b]]) for a, b in known]
    print(f"{sum(map(len, documents.values()))} pages, {len(found)} pairs reported\n")
    print("| Jaccard of words, without navigation | pairs | found | recall | reported pairs that reach it |")
    print("| --- | --- | --- | --- | --- |")
    for level in LEVELS:
        reached = sum(coefficient >= level for coefficient in coefficients) / max(1, len(coefficients))
        recall = hit[level] / max(1, wanted[level])
        print(f"| ≥ {level} | {wanted[level]} | {hit[level]} | {recall:.4f} | {reached:.4f} |")
    missed = sorted(missed, reverse=True)[: int(os.environ.get("MISSED", 0))]
    for coefficient, a, b in missed:
        print(f"{coefficient:.3f} {a} {b}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
