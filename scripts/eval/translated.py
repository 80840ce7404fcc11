"""Labelled sets of translated passages, and how well `dedup screen` finds them: see scripts/eval-translated.

Debian's packages have texts that people translated, paragraph by paragraph: the messages of a game, a handbook, manual
pages. An essay is English text with a passage inserted whose translation stands in a source of another language. Sources
and the rest of the essays come from different parts of one work, so that both are on one subject.
"""

import argparse
import gettext
import gzip
import html.parser
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

# Languages, and what the handbook calls them.
LANGUAGES = {
    "de": "de-DE", "fr": "fr-FR", "es": "es-ES", "ru": "ru-RU", "id": "id-ID", "it": "it-IT", "pl": "pl-PL",
    "ar": "ar-MA", "ja": "ja-JP", "zh": "zh-CN",
}
KINDS = ["game", "handbook", "manuals"]
ESSAYS, CLEAN, SOURCES = 80, 20, 120
ESSAY_WORDS, SOURCE_WORDS = 340, 400


def length(text):
    return len(text.split())


def plain(text):
    return " ".join(text.split())


# The units of a work: lists of documents, each a list of pairs of an English paragraph and its translation.


def game(root, language):
    """The messages of the game Wesnoth, without markup."""
    documents = []
    for path in sorted(root.glob(f"usr/share/games/wesnoth/*/locale/{language}/LC_MESSAGES/*.mo")):
        with open(path, "rb") as file:
            catalogue = gettext.GNUTranslations(file)._catalog
        units = []
        for english, other in catalogue.items():
            if not isinstance(english, str) or not english or "^" in english[:30]:
                continue
            english, other = (plain(re.sub(r"<[^>]*>|\$\w+|%\S", " ", text)) for text in (english, other))
            if length(english) >= 6 and english != other:
                units.append((english, other))
        # The catalogue is sorted by message; any order mixes them as well.
        random.Random(path.name).shuffle(units)
        documents += [units[start : start + 60] for start in range(0, len(units), 60)]
    return documents


class Paragraphs(html.parser.HTMLParser):
    """The paragraphs of a page of the handbook; code between them is skipped."""

    def __init__(self):
        super().__init__()
        self.paragraphs, self.depth, self.inside = [], 0, []

    def handle_starttag(self, tag, attributes):
        if tag == "div":
            self.inside.append(dict(attributes).get("class") == "para")
            if self.inside[-1]:
                self.paragraphs.append("")

    def handle_endtag(self, tag):
        if tag == "div" and self.inside:
            self.inside.pop()

    def handle_data(self, data):
        if self.inside and self.inside[-1]:
            self.paragraphs[-1] += data


def handbook(root, language):
    """The pages of the Debian handbook whose paragraphs correspond."""
    documents = []
    base = root / "usr/share/doc/debian-handbook/html"
    for path in sorted((base / "en-US").glob("*.html")):
        twin = base / LANGUAGES[language] / path.name
        if not twin.exists():
            continue
        pages = []
        for page in (path, twin):
            reader = Paragraphs()
            reader.feed(page.read_text(encoding="utf-8"))
            pages.append([plain(paragraph) for paragraph in reader.paragraphs])
        if len(pages[0]) == len(pages[1]):
            documents.append([(a, b) for a, b in zip(*pages) if length(a) >= 6 and a != b])
    return documents


def roff(path):
    """The paragraphs of a manual page."""
    text = gzip.open(path, "rt", encoding="utf-8", errors="replace").read()
    paragraphs = [""]
    for line in text.splitlines():
        if line.startswith((".\\\"", "'")):
            continue
        macro = re.match(r"\.\s*(\w+)\s*(.*)", line)
        if macro and macro[1] in ("B", "I", "BR", "IR", "RB", "RI", "BI", "IB"):
            glue = " " if macro[1] in ("B", "I") else ""
            line = glue.join(re.findall(r'"[^"]*"|\S+', macro[2])).replace('"', "")
        elif macro or not line.strip():
            paragraphs.append("")
            continue
        line = re.sub(r"\\f\(?..?|\\f\[\w*\]", "", re.sub(r"\\f[A-Z]", "", line))
        line = re.sub(r"\\\(\w\w|\\\[\w+\]", " ", line).replace("\\-", "-").replace("\\&", "").replace("\\", "")
        paragraphs[-1] += line + " "
    return [plain(paragraph) for paragraph in paragraphs if plain(paragraph)]


def manuals(root, language):
    """The manual pages whose paragraphs correspond."""
    documents = []
    for path in sorted(root.glob("usr/share/man/man[1-8]/*.gz")):
        twin = root / f"usr/share/man/{language}/{path.parent.name}/{path.name}"
        if not twin.exists() or path.is_symlink():
            continue
        a, b = roff(path), roff(twin)
        # A translation ends with a paragraph or so about its translators.
        if not len(a) <= len(b) <= len(a) + 8:
            continue
        alike = sum(1 for x, y in zip(a, b) if 0.5 * length(x) < length(y) + 2 and length(y) < 2 * length(x) + 4)
        if alike < 0.95 * len(a):
            continue
        units = [(x, y) for x, y in zip(a, b) if length(x) >= 6 and x != y and length(y) * 3 > length(x)]
        if sum(length(x) for x, _ in units) >= 150:
            documents.append(units)
    return documents


# The sets.


def passage_in(units, words, randomness):
    """Consecutive units of so many English words, give or take a fifth; their first and last index."""
    starts = list(range(len(units)))
    randomness.shuffle(starts)
    for start in starts:
        total = 0
        for end in range(start, len(units)):
            total += length(units[end][0])
            if 0.8 * words <= total <= 1.2 * words:
                return start, end + 1
            if total > 1.2 * words:
                break
    return None


def joined(units, words):
    """Texts of about so many words of consecutive units, each a list of units."""
    texts, current, total = [], [], 0
    for unit in units:
        current.append(unit)
        total += length(unit[0])
        if total >= words:
            texts.append(current)
            current, total = [], 0
    if total >= words / 3:
        texts.append(current)
    return texts


def grams(text):
    words = re.findall(r"\w+", text.lower())
    return {" ".join(words[at : at + 4]) for at in range(max(1, len(words) - 3))}


def shared(text, known):
    own = grams(text)
    return len(own & known) / len(own)


def make(kind, language, words, root, folder, essays, turned, quoted, seed):
    """Writes essays, sources and truth; returns False if there is too little text."""
    randomness = random.Random(f"{kind} {language} {words} {seed}")
    # Paragraphs that were left in English are skipped; a name or two in them may be translated.
    def translated(language):
        return [[(a, b) for a, b in units if shared(b, grams(a)) < 0.5] for units in globals()[kind](root, language)]

    documents = translated(language)
    if essays != "en":
        told = {english: other for units in translated(essays) for english, other in units}
        documents = [[(told[a], b) for a, b in units if a in told] for units in documents]
    if turned:
        documents = [[(b, a) for a, b in units] for units in documents]
    randomness.shuffle(documents)
    total = sum(length(a) for units in documents for a, _ in units)
    need_host, hosts, amount = total * 2 // 5, [], 0
    while documents and amount < need_host:
        units = documents.pop()
        amount += sum(length(a) for a, _ in units)
        hosts.append(units)
    # What both parts of the work say is translated in the sources too: a table, a notice, a message with another name.
    known = {gram for units in documents for a, _ in units for gram in grams(a)}
    hosts = [[unit for unit in units if shared(unit[0], known) < 0.1] for units in hosts]
    sources = [text for units in documents for text in joined(units, SOURCE_WORDS)]
    hosts = [text for units in hosts for text in joined(units, ESSAY_WORDS)]
    randomness.shuffle(sources)
    randomness.shuffle(hosts)
    sources, hosts = sources[:SOURCES], hosts[:ESSAYS]
    planted = [(number, passage_in(units, words, randomness)) for number, units in enumerate(sources)]
    planted = [(number, where) for number, where in planted if where][: ESSAYS - CLEAN]
    if len(hosts) < ESSAYS or len(planted) < ESSAYS - CLEAN or len(sources) < SOURCES // 2:
        print(f"{kind} {language}: too little text ({len(hosts)} {len(planted)} {len(sources)})", file=sys.stderr)
        if len(hosts) < ESSAYS // 2 or len(planted) < 10:
            return False
    for name in ("essays", "sources"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for number, units in enumerate(sources):
        (folder / f"sources/{number:03}.txt").write_text("\n\n".join(b for _, b in units))
    truth = []
    clean = len(hosts) * CLEAN // ESSAYS
    planted = planted[: len(hosts) - clean]
    for number, units in enumerate(hosts):
        paragraphs = [a for a, _ in units]
        if number < len(planted):
            source, (start, end) = planted[number]
            at = randomness.randint(0, len(paragraphs))
            passage = [a for a, _ in sources[source][start:end]]
            before = "\n\n".join(paragraphs[:at]) + "\n\n" if at else ""
            other = [b for _, b in sources[source]]
            there = len("\n\n".join(other[:start])) + 2 if start else 0
            truth.append(
                {
                    "essay": f"{number:03}.txt",
                    "source": f"{source:03}.txt",
                    "a": [len(before), len(before) + len("\n\n".join(passage))],
                    "b": [there, there + len("\n\n".join(other[start:end]))],
                }
            )
            paragraphs[at:at] = passage
        if quoted:
            # Of a source that has no passage.
            source = sources[-1 - number % (len(sources) - len(planted))]
            quotation = " ".join(" ".join(b for _, b in source).split()[:quoted])
            at = randomness.choice([0, len(paragraphs)])
            paragraphs[at:at] = [quotation]
            if at == 0 and number < len(planted):
                truth[-1]["a"] = [place + len(quotation) + 2 for place in truth[-1]["a"]]
        (folder / f"essays/{number:03}.txt").write_text("\n\n".join(paragraphs))
    (folder / "truth.json").write_text(json.dumps(truth))
    return True


# The measures.


def overlap(x, y):
    return max(0, min(x[1], y[1]) - max(x[0], y[0]))


def judged(found, essay, source, truth):
    """The case that a passage shows, if any."""
    for case in truth:
        if (case["essay"], case["source"]) == (essay, source) and overlap(found[0], case["a"]) and overlap(found[1], case["b"]):
            return case
    return None


def union(spans):
    total, end = 0, 0
    for start, stop in sorted(spans):
        total += max(0, stop - max(start, end))
        end = max(end, stop)
    return total


def plagdet(passages, truth):
    """Macro-averaged precision and recall by characters of both texts, granularity, and their combination."""
    precisions, recalls, counts = [], [], []
    for essay, source, a, b in passages:
        cases = [case for case in truth if case["essay"] == essay and case["source"] == source]
        hits = [(overlap(a, case["a"]), overlap(b, case["b"])) for case in cases]
        hits = [hit for hit in hits if all(hit)]
        precisions.append(sum(map(sum, hits)) / (a[1] - a[0] + b[1] - b[0]))
    for case in truth:
        own = [p for p in passages if judged(p[2:], p[0], p[1], [case])]
        covered = sum(
            union([(max(p[2 + side][0], case[key][0]), min(p[2 + side][1], case[key][1])) for p in own])
            for side, key in enumerate("ab")
        )
        recalls.append(covered / sum(case[key][1] - case[key][0] for key in "ab"))
        if own:
            counts.append(len(own))
    precision = sum(precisions) / len(precisions) if precisions else 0
    recall = sum(recalls) / len(recalls) if recalls else 0
    granularity = sum(counts) / len(counts) if counts else 1
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0
    import math

    return precision, recall, granularity, f1 / math.log2(1 + granularity)


def screen(program, folder, options):
    """The passages that the program lists, and the seconds that it took."""
    line = [program, "screen", "-q", "--format", "jsonl", str(folder / "essays"), "--against", str(folder / "sources")]
    start = time.time()
    answer = subprocess.run(line + options, capture_output=True, text=True)
    seconds = time.time() - start
    if answer.returncode not in (0, 1):
        sys.exit(answer.stderr)
    return [json.loads(line) for line in answer.stdout.splitlines()], seconds


def in_groups(folder, few, truth):
    """A set in groups of a few sources, each with the essays that have a passage of them and a share of the others."""
    sources = sorted((folder / "sources").iterdir())
    groups = [sources[start : start + few] for start in range(0, len(sources), few)]
    of = {case["essay"]: case["source"] for case in truth}
    others = [path for path in sorted((folder / "essays").iterdir()) if path.name not in of]
    for number, group in enumerate(groups):
        essays = [folder / "essays" / essay for essay, source in of.items() if folder / "sources" / source in group]
        essays += others[number :: len(groups)]
        if not essays:
            continue
        with tempfile.TemporaryDirectory() as name:
            for kind, files in (("essays", essays), ("sources", group)):
                (pathlib.Path(name) / kind).mkdir()
                for file in files:
                    shutil.copy(file, pathlib.Path(name) / kind)
            yield pathlib.Path(name)


def score(program, folder, options, few):
    truth = json.loads((folder / "truth.json").read_text())
    listed, seconds = [], 0
    for group in in_groups(folder, few, truth) if few else [folder]:
        more, lasted = screen(program, group, options)
        listed, seconds = listed + more, seconds + lasted
    passages = []
    for found in listed:
        # Tables of characters, for example, are the same in all languages.
        if found.get("class") != "translated":
            continue
        spans = []
        for side in ("suspicious", "source"):
            start = found[f"{side}_offset"]
            spans.append([start, start + found[f"{side}_length"]])
        name = lambda side: pathlib.Path(found[side]).name
        passages.append((name("suspicious"), name("source"), *spans))
    planted = {case["essay"] for case in truth}
    hits = {case["essay"] for p in passages for case in [judged(p[2:], p[0], p[1], truth)] if case}
    false = [p for p in passages if not judged(p[2:], p[0], p[1], truth)]
    in_clean = [p for p in false if p[0] not in planted]
    number = len(list((folder / "essays").iterdir()))
    return {
        "planted": len(truth),
        "found": len(hits),
        "clean": number - len(planted),
        "false in clean": len(in_clean),
        "false in all": len(false),
        "plagdet": plagdet(passages, truth),
        "ms": 1000 * seconds / number,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["make", "score"])
    parser.add_argument("--root", type=pathlib.Path, required=True, help="the folder of the unpacked packages")
    parser.add_argument("--sets", type=pathlib.Path, required=True)
    parser.add_argument("--program", default="dedup")
    parser.add_argument("--lexicons", type=pathlib.Path, help="a folder with de-en.lex and so on")
    parser.add_argument("--languages", default="de,fr,es,ru")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--words", default="80")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--essays", default="en", help="the language of the essays; the lexicon is a chain through English")
    parser.add_argument("--turned", action="store_true", help="essays and sources change languages")
    parser.add_argument("--quoted", type=int, default=0, help="each essay quotes so many words of a source in its language")
    parser.add_argument("--few", type=int, default=0, help="so many sources at a time, each group with its essays")
    parser.add_argument("--options", default="")
    args = parser.parse_args()
    if args.what == "score":
        print("| set | found | false in clean | false in all | precision | recall | granularity | plagdet | ms an essay |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for kind in args.kinds.split(","):
        for language in args.languages.split(","):
            for words in map(int, args.words.split(",")):
                pair = language if args.essays == "en" else f"{args.essays}-{language}"
                name = f"{kind}-{pair}-{words}-{args.seed}" + ("-turned" if args.turned else "")
                name += f"-quoted-{args.quoted}" if args.quoted else ""
                folder = args.sets / name
                if not (folder / "truth.json").exists():
                    if not make(kind, language, words, args.root, folder, args.essays, args.turned, args.quoted, args.seed):
                        continue
                if args.what == "make":
                    continue
                options = args.options.split()
                lexicon = args.lexicons and args.lexicons / f"{language}-{args.essays}.lex"
                if lexicon and not lexicon.exists() and args.essays != "en":
                    chained = [args.lexicons / f"{one}-en.lex" for one in (language, args.essays)]
                    subprocess.run([args.program, "lexicon", "chain", "-q", *chained, "-o", lexicon], check=True)
                options += ["--lexicon", str(lexicon)] if lexicon and lexicon.exists() else ["--translated"]
                s = score(args.program, folder, options, args.few)
                figures = " | ".join(f"{figure:.3f}" for figure in s["plagdet"])
                print(
                    f"| {name} | {s['found']} of {s['planted']} | {s['false in clean']} of {s['clean']} |"
                    f" {s['false in all']} | {figures} | {s['ms']:.1f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
