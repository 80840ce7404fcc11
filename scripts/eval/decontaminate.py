"""Measures `dedup decontaminate` on items planted in a corpus; see scripts/eval-decontaminate."""
import argparse
import collections
import html
import json
import os
import pathlib
import random
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import roff
import sources

# Real questions with answers, and pages that have none of them.
PACKAGES = ["debian-faq", "python3.11-doc"]
PROMPTS = [
    "You will be given one question that a user of free software has asked. Read it carefully, weigh what you know about the system, and reply in no more than three paragraphs.",
    "Below is an exercise from a course on operating systems and languages; the student's reply stands under it. Decide whether the reply is right, and explain your decision in one sentence.",
]
QUOTES = [
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it was the epoch of belief, it was the epoch of incredulity.",
    "We hold these truths to be self-evident, that all men are created equal, that they are endowed by their Creator with certain unalienable Rights, that among these are Life, Liberty and the pursuit of Happiness.",
]
LICENCE = "Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are met: redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer."
IDIOM = 'for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) { sum += a[i][j]; } } printf("%d\\n", sum); return 0;'
OTHER = ["harbour", "violin", "orchard", "compass", "blanket", "thunder"]


def text_of(page):
    page = re.sub(r"(?s)<(script|style)\b.*?</\1>|<a class=\"headerlink\".*?</a>", " ", page)
    return html.unescape(re.sub(r"<[^>]+>", "", page))


def questions(unpacked):
    """Questions with answers: headings that end in a question mark, and what follows them."""
    found = {}
    for path in sorted(unpacked.rglob("*.html")):
        if "faq" not in str(path).lower() or "/debian-faq" in str(path) and ".en." not in path.name:
            continue
        parts = re.split(r"(?s)<h[1-6]\b[^>]*>(.*?)</h[1-6]>", path.read_text(encoding="utf-8", errors="replace"))
        for heading, body in zip(parts[1::2], parts[2::2]):
            question = re.sub(r"^[\d.]+\s*|¶", "", " ".join(text_of(heading).split())).strip()
            answer = " ".join(text_of(body).split())[:600]
            if question.endswith("?") and len(question) >= 16 and len(answer) >= 60:
                found.setdefault(question, answer)
    return list(found.items())


def filler(limit):
    pages = []
    for path in sorted(path for section in "13578" for path in pathlib.Path(f"/usr/share/man/man{section}").glob("*.gz")):
        if not path.is_symlink():
            text = roff.page(path)
            if 800 < len(text) < 12000:
                pages.append(text)
    random.Random(1).shuffle(pages)
    return pages[:limit]


def wrapped(text, every=7):
    words = text.split()
    return "\n".join(" ".join(words[at : at + every]) for at in range(0, len(words), every))


def as_page(text):
    lines = "</p>\n<p>".join(html.escape(text).split("\n")).replace(" of ", " <em>of</em> ")
    return f'<div class="entry"><p>{lines}</p></div>'


def disguised(text):
    text = re.sub(r"(\w{3})(?=\w)", "\\1\u200b", text)
    return text.replace("e", "\u0435", 4).replace("o", "\u043e", 4)


def divided(text):
    words = text.split()
    half = len(words) // 2
    return " ".join(words[:half] + ["(Sponsored: two umbrellas for the price of one, only until this Sunday evening!)"] + words[half:])


def halved(text):
    words = text.split()
    return " ".join(words[: max(8, len(words) // 2)])


def edited(text, rng):
    words = text.split()
    for at in range(6, len(words), 9):
        words[at] = rng.choice(OTHER)
    return " ".join(words)


FORMS = {
    "verbatim": lambda text, rng: text,
    "wrapped": lambda text, rng: wrapped(text),
    "inline": lambda text, rng: text.replace("\n", " "),
    "capitals": lambda text, rng: text.upper(),
    "no punctuation": lambda text, rng: re.sub(r"[.,;:?!()\"']", "", text),
    "HTML": lambda text, rng: as_page(text),
    "JSON": lambda text, rng: json.dumps({"prompt": text}),
    "look-alikes": lambda text, rng: disguised(text),
    "a gap": lambda text, rng: divided(text),
    "half": lambda text, rng: halved(text),
    "every ninth word": edited,
}


def items(found):
    """The items of the set, of five kinds. Those with the shortest answers are short: they have none."""
    found = sorted(found, key=lambda pair: len(pair[1]) >= 120)
    for number, (question, answer) in enumerate(found):
        kind = "plain"
        if number < 60:
            kind, answer = "short", ""
            words = question.split()
            question = question if len(words) < 13 else " ".join(words[:10]) + "?"
        elif number % 4 == 0:
            kind, question = "prompt", PROMPTS[number % 8 // 4] + "\n\nQ: " + question
        elif number % 16 == 1:
            kind, answer = "licence", answer + "\n" + LICENCE
        elif number % 16 == 3:
            kind, answer = "quotation", QUOTES[number % 32 // 16] + "\n" + answer
        yield {"id": f"i{number:04}", "question": question, "answer": answer, "kind": kind}


def make(folder, unpacked, limit):
    rng = random.Random(3)
    found, pages = questions(unpacked), filler(limit)
    rng.shuffle(found)
    bench = list(items(found))
    documents, names = [], list(FORMS)

    def add(page, planted, item=None, kind=None, form=None, inline=False):
        middle = page.find("\n", len(page) // 3) + 1
        between = " " if inline else "\n\n"
        before = page[:middle] + between
        documents.append((before + planted + between + page[middle:], item, kind, form, len(before), len(before + planted)))

    following = iter(pages * 9)
    for number, item in enumerate(bench):
        text = (item["question"] + "\n" + item["answer"]).strip()
        for shift in (0, 3, 8):
            form = names[(number + shift) % len(names)]
            add(next(following), FORMS[form](text, rng), item["id"], item["kind"], form, form == "inline")
    for number in range(90):
        for family, text in (
            ("prompt", f"{PROMPTS[number % 2]}\n\nQ: where would you hang {number} umbrellas?\nOn a rail."),
            ("licence", LICENCE),
            ("quotation", QUOTES[number % 2]),
            ("idiom", IDIOM),
            ("similar question", re.sub(r"\w+(?=\W*$)", OTHER[number % 6], bench[number % 60]["question"])),
        ):
            add(next(following), text, None, family, None)
    documents += [(page, None, "page", None, 0, 0) for page in pages]
    rng.shuffle(documents)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "bench.jsonl", "w", encoding="utf-8") as out:
        out.writelines(json.dumps(item) + "\n" for item in bench)
    with open(folder / "corpus.jsonl", "w", encoding="utf-8") as out, open(folder / "truth.jsonl", "w", encoding="utf-8") as truth:
        for number, (text, item, kind, form, start, end) in enumerate(documents):
            name = f"d{number:06}"
            out.write(json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n")
            known = {"id": name, "item": item, "form": f"{kind}/{form}" if item else f"neg/{kind}", "start": start, "end": end}
            truth.write(json.dumps({**known, "contaminated": item is not None}) + "\n")


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def measured(command):
    """Runs a command; returns its CPU seconds and peak memory in MB."""
    process = subprocess.Popen([str(part) for part in command])
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def share(hits):
    return f"{sum(hits)}/{len(hits)}" + (f" {sum(hits) / len(hits):.3f}" if hits else "")


def score(folder, program, field, more):
    prefix = folder / "found"
    corpus = folder / "corpus.jsonl"
    reading = [program, "decontaminate", corpus, "--id-field", "id", "--against", folder / "bench.jsonl", "--field", field]
    cpu, memory = measured([*reading, *more, "--item-id", "id", "-o", prefix, "--force"])
    plain, _ = measured([program, "fingerprint", "--language", "und", "--quiet", corpus, "-o", folder / "prints.dsi", "--force"])
    texts = {document["id"]: document["text"] for document in lines(corpus)}
    truth = {known["id"]: known for known in lines(folder / "truth.jsonl")}
    found = {document["id"]: document["items"] for document in lines(f"{prefix}.documents.jsonl")}
    by, far = collections.defaultdict(list), []
    for name, known in truth.items():
        names = {item["item"] for item in found.get(name, [])}
        if not known["contaminated"]:
            by[known["form"]].append(bool(names))
            continue
        kind, form = known["form"].split("/")
        hit = known["item"] in names
        by["short items"].append(hit) if kind == "short" else by[f"form: {form}"].append(hit)
        by[f"kind: {kind}"].append(hit)
        if hit and kind != "short" and form not in ("half", "short"):
            spans = [span for item in found[name] if item["item"] == known["item"] for span in item["spans"]]
            text, start = texts[name], min(span["offset"] for span in spans)
            end = max(span["offset"] + span["length"] for span in spans)
            words = [len(re.findall(r"\w+", re.sub(r"<[^>]*>|&[^;\s]{1,8};|\u200b", "", text[slice(*sorted(pair))]))) for pair in ((start, known["start"]), (end, known["end"]))]
            far.append(max(words) > 3)
            if max(words) > 3 and "FAR" in os.environ:
                print("far", name, known["form"], words)
    plainly = {item["id"]: re.sub(r"\W+", " ", " ".join((item.get("text") or item["question"], item.get("answer", "")))).lower().strip() for item in lines(folder / "bench.jsonl")}
    kinds = {known["item"]: known["form"].split("/")[0] for known in truth.values() if known["contaminated"]}

    def is_right(name, item):
        # The answer of another item may have the whole question.
        planted = truth[name]["item"]
        return planted is not None and f" {plainly[item]} " in f" {plainly[planted]} "

    shorts = [is_right(name, item["item"]) for name in found for item in found[name] if kinds[item["item"]] == "short"]
    right = sum(truth[name]["contaminated"] for name in found)
    everything = sum(known["contaminated"] for known in truth.values())
    print(f"documents {len(truth)}, contaminated {everything}; precision {right / max(1, len(found)):.4f}, recall {right / everything:.4f}")
    print(f"precision of short items {share(shorts)}")
    print(f"spans within three words {share([not is_far for is_far in far])}")
    print(f"CPU {cpu:.2f} s, fingerprint --language und {plain:.2f} s: {cpu / plain:.2f} times; peak memory {memory:.0f} MB\n")
    print("| | found |\n| --- | --- |")
    for name in sorted(by):
        print(f"| {name} | {share(by[name])} |")
    if "MISSED" in os.environ:
        for name, known in truth.items():
            hit = known["item"] in {item["item"] for item in found.get(name, [])} if known["contaminated"] else name not in found
            if not hit:
                print("missed" if known["contaminated"] else "false", name, known["item"], known["form"], found.get(name, "")if not known["contaminated"] else "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--pages", type=int, default=4000)
    parser.add_argument("--made", type=pathlib.Path)
    parser.add_argument("--field", default="question,answer")
    parser.add_argument("--rewritten", metavar="PROBABILITY", help="look for items in other words too")
    options = parser.parse_args()
    folder = options.made
    if folder is None:
        folder = options.work / f"made-{options.pages}"
        if not (folder / "truth.jsonl").exists():
            debian = sources.Debian(options.work, PACKAGES)
            debian.fetch()
            make(folder, debian.unpacked, options.pages)
    more = [] if options.rewritten is None else [f"--rewritten={options.rewritten}"]
    score(folder, options.program, options.field, more)


if __name__ == "__main__":
    main()
