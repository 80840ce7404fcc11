"""Measures `dedup clean --lines` on planted footers and on the navigation of manuals; see scripts/eval-lines."""
import argparse
import collections
import html.parser
import json
import os
import pathlib
import random
import re
import sys
import unicodedata

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import measured
import roff


def lines(path):
    return [json.loads(line) for line in open(path, encoding="utf-8")]


WITH_POINTS = re.compile(r"([0-9]+(?:\.[0-9]+)+)")


def folded(line):
    """A line as the program folds it, but for letters that NFD does not take apart."""
    apart = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", line).lower())
    plain = "".join(c for c in apart if not unicodedata.combining(c))
    zeros = lambda part: re.sub(r"[^\W_]", lambda c: "0" if c.group().isnumeric() else c.group(), part)
    parts = [part if number % 2 else zeros(part) for number, part in enumerate(WITH_POINTS.split(plain))]
    return " ".join(re.sub(r"[\W_]+", " ", "".join(parts)).split())


def as_ccnet(line):
    """A line in lower case, with 0 for each digit and without punctuation, as CCNet compares it."""
    plain = re.sub(r"\d", "0", line.strip().lower())
    return "".join(c for c in plain if unicodedata.category(c)[0] not in "PC")


def spans(name, of, keys, lost):
    """The name, the start and the end in characters, and the key of each line that is lost, given all lines and their keys."""
    at = 0
    for number, line in enumerate(of):
        end = at + len(line) + 1
        if number in lost:
            yield name, at, end, keys[number]
        at = end


def seen_before(documents):
    """Each line that an earlier one equals as CCNet compares them, given names and lines: the name, the start and the end in
    characters, and what is compared."""
    before = set()
    for name, of in documents:
        keys, lost = [as_ccnet(line) for line in of], set()
        for number, key in enumerate(keys):
            if key in before:
                lost.add(number)
            before.add(key)
        yield from spans(name, of, keys, lost)


def as_datatrove(line):
    """A line in lower case, with 0 for each number, one space for signs and white space, and without accents, as datatrove
    compares it."""
    plain = re.sub(r"\d+(?:[.,]\d+)?", "0", line.lower())
    plain = " ".join("".join(" " if unicodedata.category(c)[0] == "P" or c in "$+<=>^`|~" else c for c in plain).split())
    return "".join(c for c in unicodedata.normalize("NFD", plain) if unicodedata.category(c) != "Mn")


def in_threes(documents):
    """Each line that is one of three in a row which stood before, as `seen_before` gives them."""
    before = set()
    for name, of in documents:
        keys, lost = [as_datatrove(line) for line in of], set()
        for number in range(len(keys) - 2):
            three = tuple(keys[number : number + 3])
            if three in before:
                lost.update(range(number, number + 3))
            elif any(three):
                before.add(three)
        yield from spans(name, of, keys, lost)


def cut_of(options, corpus, *more):
    """The spans that are cut of each document: start and end in characters. Also CPU seconds and MB."""
    out = options.work / "out.jsonl"
    command = [options.program, "clean", "-q", corpus, "--id-field", "id", "--lines", "--force", "-o", out, *more]
    _, cpu, memory = measured.run(command, passes=(0,))
    spans = collections.defaultdict(list)
    for cut in lines(f"{out}.cut.jsonl"):
        spans[cut["id"]].append((cut["start"], cut["end"], cut["documents"]))
    return spans, cpu, memory


def measure_planted(options):
    """Footers of 1, 2, 10, 11 and 1,000 documents, each cut from all of its documents but the first if these are more than 10;
    and the counts in the list against those of a table of all lines."""
    rng, words = random.Random(7), []
    for path in sorted(pathlib.Path("/usr/share/man/man1").glob("*.gz"))[:400]:
        if not path.is_symlink():
            words += [word for word in roff.page(path).split() if any(c.isalnum() for c in word)]
    documents = [[] for _ in range(options.documents)]
    planted = {}
    for count, different in [(1, 200), (2, 200), (10, 200), (11, 200), (min(1000, options.documents), 5)]:
        for number in range(different):
            footer = " ".join(rng.choice(words) for _ in range(rng.randint(5, 14))) + f" {'x' * (number + 1)}{'y' * len(planted)}"
            planted[folded(footer)] = count
            for document in rng.sample(range(options.documents), count):
                documents[document].append(rng.choice([footer, footer.upper(), f"* {footer}!", footer.replace(" ", "  ")]))
    corpus = options.work / "planted.jsonl"
    of, expected = collections.defaultdict(set), set()
    texts = []
    for number, footers in enumerate(documents):
        body = [" ".join(rng.choice(words) for _ in range(rng.randint(5, 30))) + f" z{'q' * 3}{number}w" for _ in range(rng.randint(3, 30))]
        # Digits are folded, so that a number in letters makes each line of a body its own.
        body = [line + "".join(chr(97 + int(d)) for d in f"{number}{at}") + "v" * at for at, line in enumerate(body)]
        texts.append(body + footers)
    with open(corpus, "w", encoding="utf-8") as out:
        for number, text in enumerate(texts):
            out.write(json.dumps({"id": str(number), "text": "".join(line + "\n" for line in text)}) + "\n")
            for line in text:
                of[folded(line)].add(number)
    kept = {}
    for number, text in enumerate(texts):
        at = 0
        for line in text:
            key = folded(line)
            if len(of[key]) > 10 and kept.setdefault(key, number) != number:
                expected.add((str(number), at, at + len(line) + 1, len(of[key])))
            at += len(line) + 1
    spans, cpu, memory = cut_of(options, corpus, "--all-lines")
    found = {(document, *span) for document, of in spans.items() for span in of}
    right = found & expected
    if os.environ.get("MISSED"):
        print(sorted(expected - found)[:10], sorted(found - expected)[:10], file=sys.stderr)
    print("| planted | places to cut | cut | exact, with the count of documents | CPU s | MB |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    print(f"| {len(planted):,} footers in {options.documents:,} documents | {len(expected):,} | {len(found):,} | {len(right):,} | {cpu:.2f} | {memory:.0f} |\n")


BLOCKS = set("address blockquote body caption center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li nav ol p pre section table tbody td th thead tr ul br".split())
NAVIGATION = {"navheader", "navfooter", "docnav"}
NAVIGATION_IDS = {"banner", "title"}
EMPTY = set("area base br col hr img input link meta".split())


class Page(html.parser.HTMLParser):
    """The lines of a page: one a block, and those of listings; each with its kind: navigation or contents if the page
    marks it so."""

    def __init__(self):
        super().__init__()
        self.open, self.text, self.lines, self.titles, self.skipped = [], "", [], set(), 0

    def is_navigation(self):
        return any(navigation for _, navigation, *_ in self.open)

    def end_line(self):
        is_listing = any(is_pre for _, _, is_pre, _ in self.open)
        is_contents = any(contents for *_, contents in self.open)
        kind = "navigation" if self.is_navigation() else "contents" if is_contents else "listing" if is_listing else "prose"
        parts = [part.rstrip() for part in self.text.split("\n")] if is_listing else [" ".join(self.text.split())]
        self.lines += [(part, kind) for part in parts if part]
        self.text = ""

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "link" and attributes.get("title"):
            self.titles.add(folded(attributes["title"]))
        if tag == "img" and attributes.get("alt"):
            self.text += f" {attributes['alt']} "
        if tag in BLOCKS:
            self.end_line()
        # Two links side by side are two lines in the navigation.
        if tag == "a" and self.is_navigation():
            self.end_line()
        if tag not in EMPTY:
            classes = set((attributes.get("class") or "").split())
            navigation = bool(classes & NAVIGATION) or attributes.get("id") in NAVIGATION_IDS
            self.open.append((tag, navigation, tag == "pre", "toc" in classes))
            self.skipped += tag in ("script", "style", "title")

    def handle_endtag(self, tag):
        if tag in BLOCKS or tag == "strong" and self.is_navigation():
            self.end_line()
        while any(open[0] == tag for open in self.open):
            closed = self.open.pop()[0]
            self.skipped -= closed in ("script", "style", "title")
            if closed == tag:
                break

    def handle_data(self, text):
        if not self.skipped:
            self.text += text


def pages(folder):
    found = []
    for path in sorted(folder.rglob("*.html")):
        page = Page()
        page.feed(path.read_text("utf-8", "replace"))
        page.end_line()
        if page.lines:
            found.append((str(path.relative_to(folder)), page))
    return found


def measure_navigation(options):
    manuals = [("installation-guide", "/usr/share/doc/installation-guide-amd64"), ("debian-handbook", "/usr/share/doc/debian-handbook/html")]
    rules = ["`--lines`", "`--lines --keep none`", "each line seen before (CCNet)"]
    print("| manual | rule | navigation cut | without titles of pages | contents cut | prose cut | listings cut |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name, folder in manuals:
        sums = {rule: collections.Counter() for rule in rules}
        editions = [path for path in sorted(pathlib.Path(folder).glob("*")) if path.is_dir()]
        count = 0
        for edition in editions:
            corpus, of = options.work / "pages.jsonl", pages(edition)
            if len(of) <= 20:
                continue
            count += len(of)
            with open(corpus, "w", encoding="utf-8") as out:
                for page_name, page in of:
                    out.write(json.dumps({"id": page_name, "text": "".join(line + "\n" for line, _ in page.lines)}) + "\n")
            titles = set().union(*(page.titles for _, page in of))
            seen = collections.defaultdict(list)
            for page_name, start, end, _ in seen_before((page_name, [line for line, _ in page.lines]) for page_name, page in of):
                seen[page_name].append((start, end, 0))
            found = [cut_of(options, corpus, *more.split())[0] for more in ("", "--keep none")] + [seen]
            for rule, spans in zip(rules, found):
                add(sums[rule], of, titles, spans, f"{name} {edition.name} {rule}")
        for rule in rules:
            total = sums[rule]
            share = lambda kind: f"{total[kind, True] / max(1, total[kind, True] + total[kind, False]):.4f} of {total[kind, True] + total[kind, False]:,}"
            navigation = total["navigation", True] + total["title", True]
            of_all = navigation + total["navigation", False] + total["title", False]
            print(f"| {name}, {count:,} pages in {len(editions)} languages | {rule} | {navigation / max(1, of_all):.4f} of {of_all:,} | {share('navigation')} | {share('contents')} | {share('prose')} | {share('listing')} |")


def add(total, of, titles, spans, what):
    for name, page in of:
        cut, at = {start for start, _, _ in spans.get(name, [])}, 0
        for line, kind in page.lines:
            if kind == "navigation" and folded(line) in titles:
                kind = "title"
            is_cut = at in cut
            total[kind, is_cut] += 1
            wanted = os.environ.get("SHOW", "")
            if wanted == "prose" and kind == "prose" and is_cut or wanted == "missed" and kind == "navigation" and not is_cut:
                print(what, name, repr(line[:150]), file=sys.stderr)
            at += len(line) + 1


def sample(options):
    """So many cuts by each rule from manual pages or another corpus, with what stands around them, to be read."""
    corpus = options.corpus or options.work / "manuals.jsonl"
    if not options.corpus:
        pages = [path for path in sorted(pathlib.Path("/usr/share/man").glob("man*/*.gz")) if not path.is_symlink()]
        pages = {path.name: roff.page(path) for path in pages if not path.name.startswith("gcloud")}
        with open(corpus, "w", encoding="utf-8") as out:
            out.writelines(json.dumps({"id": name, "text": text}) + "\n" for name, text in pages.items())
    texts = {document["id"]: document["text"] for document in lines(corpus)}
    ours = [(name, start, end) for name, of in cut_of(options, corpus)[0].items() for start, end, _ in of]
    divided = [(name, text.split("\n")) for name, text in texts.items()]
    seen, threes = ([(name, start, end) for name, start, end, key in rule(divided) if key.strip()] for rule in (seen_before, in_threes))
    for rule, cuts in [("--lines", ours), ("each line seen before", seen), ("each line of three seen before", threes)]:
        print(f"{rule}: {len(cuts):,} cuts in {len(texts):,} pages")
        for name, start, end in random.Random(5).sample(cuts, min(options.sample, len(cuts))):
            text = texts[name]
            print(f"  {name}: {text[max(0, start - 40):start]!r} [{text[start:end].strip()[:120]}] {text[end:end + 40]!r}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--documents", type=int, default=5_000)
    parser.add_argument("--sample", type=int, metavar="N", help="print N cuts by each rule instead, to be read")
    parser.add_argument("--corpus", type=pathlib.Path, help="of these records, with id and text, instead of manual pages")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.sample:
        return sample(options)
    measure_planted(options)
    measure_navigation(options)


main()
