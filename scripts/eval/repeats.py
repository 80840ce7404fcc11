"""Measures `dedup clean --repeats` on planted runs, and beside another program; see scripts/eval-repeats."""
import argparse
import bisect
import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import roff


def vocabulary():
    words = []
    for path in sorted(pathlib.Path("/usr/share/man/man1").glob("*.gz"))[:400]:
        if not path.is_symlink():
            words += [word for word in roff.page(path).split() if any(c.isalnum() for c in word)]
    return words


def run(command):
    """Runs a command; returns its CPU seconds and its peak memory in MB."""
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def lines(path):
    return [json.loads(line) for line in open(path, encoding="utf-8")]


def planted(work, count):
    """A corpus with runs at two or three places each. Each place is between numbers that occur once, so that a run ends
    where it was planted. Returns the later places: document, start and end in characters, words."""
    rng, words = random.Random(7), vocabulary()
    shuffled = lambda n: [rng.choice(words) for _ in range(n)]
    places, number = [], 0
    for run_number in range(count):
        length = rng.choice([30, 40, 48, 49, 50, 51, 52, 60]) if run_number % 2 else rng.randint(30, 500)
        text, joined = [], 0
        # Some are several words to the program: sequences of letters and digits, apostrophes inside.
        while joined < length:
            text.append(rng.choice(words))
            joined += counted(text[-1])
        for place in range(rng.choice([2, 2, 3])):
            places.append((run_number, place, text, counted(" ".join(text))))
    rng.shuffle(places)
    seen, expected, short = set(), [], 0
    with open(work / "planted.jsonl", "w", encoding="utf-8") as out:
        for document, at in enumerate(range(0, len(places), 3)):
            parts, length = [], 0
            for run_number, _, text, n in places[at : at + 3]:
                number += 2
                before = " ".join(shuffled(rng.randint(20, 200)) + [f"x{number}x"]) + " "
                body = " ".join(text) + " "
                if n >= 50 and run_number in seen:
                    start = length + len(before) + WORD.search(body).start()
                    expected.append((str(document), start, length + len(before) + len(body), n))
                short += n < 50
                seen.add(run_number)
                part = before + body + f"x{number + 1}x\n"
                parts.append(part)
                length += len(part)
            out.write(json.dumps({"id": str(document), "text": "".join(parts)}) + "\n")
    return expected, len(places), short


WORD = re.compile(r"[^\W_]+(?:(?:['’_]|(?<=\d)[.](?=\d))[^\W_]+)*")


def counted(text):
    return len(WORD.findall(text))


def measure_planted(options):
    work = options.work
    expected, places, short = planted(work, options.runs)
    out = work / "planted.cut"
    cpu, memory = run([options.program, "clean", "-q", work / "planted.jsonl", "--id-field", "id", "--repeats", "--keep", "first", "--max-cut", "1", "--force", "-o", out])
    cuts = [(cut["id"], cut["start"], cut["end"], cut["words"]) for cut in lines(f"{out}.cut.jsonl")]
    right = set(cuts) & set(expected)
    if os.environ.get("MISSED"):
        for what, some in [("missed", set(expected) - right), ("false", set(cuts) - right)]:
            for span in sorted(some)[:20]:
                print(what, span, file=sys.stderr)
    size = (work / "planted.jsonl").stat().st_size / 1e6
    print("| planted | later places of 50 words or more | cut | exact | precision | recall | CPU s | MB |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    print(f"| {places:,} places of {options.runs:,} runs ({short:,} places of fewer than 50 words), {size:.1f} MB | {len(expected):,} | {len(cuts):,} | {len(right):,} | {len(right) / max(1, len(cuts)):.4f} | {len(right) / len(expected):.4f} | {cpu:.2f} | {memory:.0f} |")


def measure_corpus(options):
    work, corpus = options.work, options.corpus
    fields = ["--id-field", options.id_field] if options.id_field else []
    base = [options.program, "clean", "-q", *fields, "--repeats", "--force"]
    cpu, memory = run([*base, corpus, "-o", work / "out.jsonl"])
    run([*base, work / "out.jsonl", "-o", work / "again.jsonl"])
    cuts, again = lines(work / "out.jsonl.cut.jsonl"), lines(work / "again.jsonl.cut.jsonl")
    size = corpus.stat().st_size / 1e6
    print("| corpus | spans cut | bytes cut | documents | CPU s | MB | cut by a second run |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    of = len({cut["id"] for cut in cuts})
    cut_bytes = sum(cut["end_bytes"] - cut["start_bytes"] for cut in cuts)
    print(f"| {corpus.name}, {size:.1f} MB | {len(cuts):,} | {cut_bytes:,} | {of:,} | {cpu:.2f} | {memory:.0f} | {len(again):,} |")
    if options.peer:
        beside(options, [*base, "--verbatim", "--keep", "none", "--max-cut", "1", "--min-left", "0"])


def beside(options, command):
    """The ranges of the other program that have 50 words or more, and whether each is cut."""
    work, corpus = options.work, options.corpus
    copy = work / "peer"
    if not copy.exists():
        shutil.copytree(options.peer, copy)
        for path in [copy, *copy.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)
        subprocess.run(["cargo", "build", "--quiet", "--release", "--manifest-path", copy / "Cargo.toml", "--target-dir", copy / "target"], check=True, stderr=subprocess.DEVNULL)
    texts, starts, data = [], [], bytearray()
    numbered = work / "numbered.jsonl"
    with open(numbered, "w", encoding="utf-8") as out:
        for number, line in enumerate(lines(corpus)):
            text = line.get("text") or ""
            out.write(json.dumps({"id": str(number), "text": text}) + "\n")
            # A separator that no two texts share.
            data += b"\xff\xff" + number.to_bytes(4, "little")
            starts.append(len(data))
            data += text.encode()
            texts.append(text.encode())
    (work / "data").write_bytes(data)
    binary, cache = copy / "target/release/dedup_dataset", work / "cache"
    shutil.rmtree(cache, ignore_errors=True)
    steps = [
        [binary, "make", "--data-file", work / "data"],
        [binary, "self-similar", "--data-file", work / "data", "--length-threshold", options.bytes, "--cache-dir", cache, "--num-threads", "2"],
    ]
    theirs = [run(step) for step in steps]
    collect = subprocess.Popen([str(part) for part in [binary, "collect", "--data-file", work / "data", "--cache-dir", cache, "--length-threshold", options.bytes]], stdout=open(work / "ranges", "w"))
    _, _, usage = os.wait4(collect.pid, 0)
    theirs.append((usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024))
    tables = sum(path.stat().st_size for path in work.glob("data.table.bin*"))
    ranges = [tuple(map(int, line.split())) for line in open(work / "ranges") if re.fullmatch(r"\d+ \d+\n", line)]
    command = [part for part in command if part not in ("--id-field", options.id_field)]
    cpu, memory = run([*command, "--id-field", "id", numbered, "-o", work / "none.jsonl"])
    cut, theirs_of = {}, {}
    for line in lines(work / "none.jsonl.cut.jsonl"):
        cut.setdefault(int(line["id"]), []).append((line["start"], line["end"]))
    for start, end in ranges:
        number = bisect.bisect_right(starts, start) - 1
        # A range may have the bytes between two texts, and begin inside a character.
        text, start, end = texts[number], max(start - starts[number], 0), end - starts[number]
        start, end = (len(text[:at].decode("utf-8", "ignore")) for at in (start, end))
        theirs_of.setdefault(number, []).append((start, end))
    # Runs of 50 words with what is between them: how often each stands in the corpus, and those in a range. Of a large corpus
    # one in 16, wherever it stands.
    count, wanted = collections.Counter(), []
    every = 16 if len(data) > 1e8 else 1
    for number, text in enumerate(texts):
        text = text.decode()
        words = [word.start() for word in WORD.finditer(text)] + [len(text)]
        spans, ours = joined(theirs_of.get(number, [])), joined(cut.get(number, []))
        for first, last in zip(words, words[50:]):
            key = hash(text[first:last])
            if key % every:
                continue
            count[key] += 1
            if within(spans, first, last):
                wanted.append((key, within(ours, first, last), number, first))
    wanted = [(is_cut, number, first) for key, is_cut, number, first in wanted if count[key] > 1]
    found = sum(is_cut for is_cut, _, _ in wanted)
    if os.environ.get("MISSED"):
        for _, number, first in [place for place in wanted if not place[0]][:20]:
            print("missed", number, first, repr(texts[number].decode()[first : first + 200]), file=sys.stderr)
    print()
    print("| program | CPU s | MB | disk, bytes a byte | ranges | 50 words in a row, in a range and twice in the corpus | cut here too |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    print(f"| deduplicate-text-datasets, {options.bytes} bytes | {sum(cpu for cpu, _ in theirs):.1f} | {max(memory for _, memory in theirs):.0f} | {tables / len(data):.1f} | {len(ranges):,} | {len(wanted):,} | {found / max(1, len(wanted)):.5f} |")
    print(f"| dedup clean --repeats --verbatim --keep none | {cpu:.1f} | {memory:.0f} | | | | |")


def within(spans, start, end):
    at = bisect.bisect_right(spans, (start, sys.maxsize)) - 1
    return at >= 0 and end <= spans[at][1]


def joined(spans):
    out = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--corpus", type=pathlib.Path)
    parser.add_argument("--id-field")
    parser.add_argument("--peer", type=pathlib.Path)
    parser.add_argument("--bytes", default="100", help="least length of a range of the other program")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    measure_corpus(options) if options.corpus else measure_planted(options)


main()
