"""Which edits `dedup clean` removes by each claim (`--remove same`, `contained`, `edited`), and which it keeps.

Made-up prose in eight languages, from a seed; nothing is downloaded. Run by `scripts/eval-removals claims`.

A *decisive* edit changes what is said: one word, number or sign. A *harmless* one leaves it. The document that differs
may be the longer or the shorter one, so a removal is one of either for the other.
"""
import argparse
import itertools
import json
import pathlib
import re
import subprocess
import tempfile

import prose

CLAIMS = ("same", "contained", "edited")
LENGTHS = (35, 70, 150, 300)
SPACED = tuple(code for code in prose.LANGUAGES if code not in prose.SPACES)
WIDTHS = {"": (33, 40), " ": (60, 76)}


class Program:
    """`dedup`, and a folder for its files."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def run(self, *arguments):
        command = [str(part) for part in (self.path, *arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(f"eval-removals: {' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[-800:]}")
        return done.stdout

    def corpus(self, texts, name="corpus.jsonl"):
        """A file of texts by id."""
        path = self.folder / name
        with open(path, "w", encoding="utf-8") as lines:
            lines.writelines(json.dumps({"id": id, "text": text}, ensure_ascii=False) + "\n" for id, text in texts.items())
        return path

    def removed(self, path, claim, *options):
        """The survivor of each document that goes."""
        output = self.folder / "clean.jsonl"
        self.run("clean", "-q", path, "--force", "--id-field", "id", "--remove", claim, *options, "-o", output)
        lines = [json.loads(line) for line in (self.folder / "clean.jsonl.removed.jsonl").read_text("utf-8").splitlines()]
        return {line["id"]: line["survivor"] for line in lines if "survivor" in line}


def row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def header(*cells):
    row(*cells)
    row("---", *["---:"] * (len(cells) - 1))


# Edits of a made-up text. Each gets the language, random numbers, the sentences without the decision, its place and its
# fields, and returns both texts.


def texts(of, sentences, place, fields, other):
    """Two texts whose decisions have these fields."""
    return [of.text([*sentences[:place], of.decision(found), *sentences[place:]]) for found in (fields, other)]


def with_field(name):
    def edit(of, random_, sentences, place, fields):
        if name == "neg":
            other = fields | {"neg": of.language.negation}
        elif name == "verdict":
            other = fields | {"verdict": next(word for word in of.language.verdicts if word != fields["verdict"])}
        elif name == "name":
            other = fields | {"name": random_.choice([name for name in of.language.names.split() if name != fields["name"]])}
        elif name == "sign":
            other = fields | {"sign": random_.choice([sign for sign in prose.SIGNS if sign != fields["sign"]])}
        else:
            other = fields | {name: fields[name] + random_.randint(1, 9)}
        return texts(of, sentences, place, fields, other)

    return edit


def inserted_anywhere(of, random_, sentences, place, fields):
    """A negation at any place of any sentence."""
    whole = [*sentences[:place], of.decision(fields), *sentences[place:]]
    changed = [list(words) for words in whole]
    words = random_.choice(changed)
    words.insert(random_.randint(0, len(words)), of.language.negation)
    return [of.text(whole), of.text(changed)]


def word_anywhere(of, random_, sentences, place, fields):
    """Another word at any place."""
    whole = [*sentences[:place], of.decision(fields), *sentences[place:]]
    changed = [list(words) for words in whole]
    words = random_.choice(changed)
    at = random_.randrange(len(words))
    words[at] = random_.choice([word for word in of.words if word.lower() != words[at].lower()])
    return [of.text(whole), of.text(changed)]


def in_sentence(before, after, languages=tuple(prose.LANGUAGES)):
    """A sentence more in both texts that differs in its middle: `{neg}` is a negation, `{word}` a word, `¶` a line break."""

    def edit(of, random_, sentences, place, fields):
        first, *rest = (random_.choice(of.words) for _ in range(12))
        filling = {"neg": of.language.negation, "word": first}
        middle = [part.format(**filling) for part in (before, after)]
        both = [[*rest[:5], *part.split(" "), *rest[5:]] for part in middle]
        whole = [of.text([*sentences[:place], words, *sentences[place:]]) for words in both]
        return [text.replace("¶", "\n") for text in whole]

    return edit, languages


# Words that one letter, or an exchange of two, makes other words.
ALIKE = [pair.split("/") for pair in (
    "contract/contact county/country bother/brother casual/causal martial/marital sacred/scared trial/trail united/untied "
    "silver/sliver simulate/stimulate desert/dessert invent/invest infect/inject content/context resolve/revolve prevent/present "
    "conform/confirm defect/detect convention/contention immoral/immortal prescribe/proscribe complaint/compliant through/though "
    "strcpy/strncpy getuid/geteuid"
).split()]  # fmt: skip


def looks_alike():
    """Another word of one edit. Each occurs once in a corpus of as many pairs, and the first of each pair in others too."""
    turns = itertools.cycle(range(len(ALIKE)))

    def edit(of, random_, sentences, place, fields):
        at = next(turns)
        further = [ALIKE[(at + step) % len(ALIKE)][0] for step in range(1, 5)]
        return [of.text([*sentences[:place], [*further, word, *sentences[0][:4]], *sentences[place:]]) for word in ALIKE[at]]

    return edit, ("en",)


def cut_before_negation(of, random_, sentences, place, fields):
    """A text without a last sign, and one that goes on with a negation."""
    whole = [*sentences, of.decision(fields)]
    return [of.text(whole, end=False), of.text([*sentences, [*whole[-1], of.language.negation]])]


# Each pair differs in a sign that is layout elsewhere, or by words between two false ends of a sentence.
HARD = {
    "words between two abbreviations": in_sentence("no. 7", "no. 5 {word} {neg} no. 7", SPACED),
    "words between two ordinals": in_sentence("3. {word}", "3. {word} {neg} 4. {word}", SPACED),
    "a line more within a sentence": in_sentence("{word}¶ {word}", "{word}¶ {neg} {word}¶ {word}"),
    "a negation behind a text without a last sign": (cut_before_negation, tuple(prose.LANGUAGES)),
    "`<` or `>` where a line begins": in_sentence("x¶ < 5", "x¶ > 5"),
    "`✓` or `✗`": in_sentence("{word} ✓", "{word} ✗"),
    "`10⁶` or `106`": in_sentence("10⁶", "106"),
    "`a/b` or `ab`": in_sentence("a/b", "ab", SPACED),
    "`A-` or `A`": in_sentence("A-", "A", SPACED),
    "`ok` or `!ok`": in_sentence("(ok)", "(!ok)", SPACED),
    "`&&` or `\\|\\|`": in_sentence("a && b", "a || b", SPACED),
    "another word of one edit": looks_alike(),
    "`in valid` or `invalid`": in_sentence("in valid", "invalid", ("en",)),
}

DECISIVE = {
    "a negation in the decision": with_field("neg"),
    "a negation anywhere": inserted_anywhere,
    "another number": with_field("sum"),
    "another name": with_field("name"),
    "the opposite word": with_field("verdict"),
    "another sign": with_field("sign"),
    "another word anywhere": word_anywhere,
}


def wrapped(text, width, space):
    """Lines of at most WIDTH characters; paragraphs stay."""
    lines = []
    for paragraph in text.split("\n\n"):
        if space:
            line = ""
            for word in paragraph.split():
                if line and len(line) + 1 + len(word) > width:
                    lines.append(line)
                    line = word
                else:
                    line = f"{line} {word}".strip()
            lines += [line, ""]
        else:
            # No line ends within a number or a Latin word.
            lines += [*re.findall(rf".{{1,{width}}}(?<![!-~])|.{{1,{width}}}(?![!-~])", paragraph), ""]
    return "\n".join(lines).rstrip("\n")


def hyphenated(text, width):
    """Lines filled to WIDTH; words that do not fit are divided."""
    out = []
    for paragraph in text.split("\n\n"):
        lines, line = [], ""
        for word in paragraph.split():
            room = width - len(line) - 2
            if len(line) + 1 + len(word) <= width:
                line = f"{line} {word}".strip()
            elif room >= 3 and word.isalpha() and len(word) - room >= 2:
                lines.append(f"{line} {word[:room]}-")
                line = word[room:]
            else:
                lines.append(line)
                line = word
        out.append("\n".join([*lines, line]))
    return "\n\n".join(out)


def on_text(change, languages=tuple(prose.LANGUAGES)):
    """An edit of the text as written."""

    def edit(of, random_, sentences, place, fields):
        whole = of.text([*sentences[:place], of.decision(fields), *sentences[place:]])
        return [whole, change(of, random_, whole)]

    return edit, languages


def on_sentences(change, end=True):
    """An edit of the list of sentences, the last without its sign if not `end`; `None` if the text is too short."""

    def edit(of, random_, sentences, place, fields):
        whole = [*sentences[:place], of.decision(fields), *sentences[place:]]
        changed = change(of, random_, whole)
        return changed and [of.text(whole), of.text(changed, end)]

    return edit, tuple(prose.LANGUAGES)


def reflowed(of, random_, sentences, place, fields):
    whole = of.text([*sentences[:place], of.decision(fields), *sentences[place:]])
    return [wrapped(whole, width, of.space) for width in WIDTHS[of.space]]


def reflowed_and_longer(of, random_, sentences, place, fields):
    """Another line width, and a sentence more at the end."""
    whole = [*sentences[:place], of.decision(fields), *sentences[place:]]
    first, second = WIDTHS[of.space]
    return [wrapped(of.text(whole), first, of.space), wrapped(of.text([*whole, of.sentence(random_)]), second, of.space)]


def joined(of, random_, text):
    """A space within a word, or one fewer between two words."""
    if of.space:
        places = [found.start() for found in re.finditer(r"(?<=[^\W\d]) (?=[^\W\d])", text)]
        at = random_.choice(places)
        return text[:at] + text[at + 1 :]
    at = random_.choice([at for at in range(1, len(text)) if text[at - 1].isalpha() and text[at].isalpha()])
    return f"{text[:at]} {text[at:]}"


def typo(of, random_, text):
    """Two neighbouring letters of a word in each other's place; in Chinese and Japanese one character twice."""
    places = [found for found in re.finditer(r"[^\W\d_]{5,}", text)]
    found = random_.choice(places)
    at = found.start() + random_.randint(1, len(found[0]) - 3)
    if not of.space:
        return text[:at] + text[at] + text[at:]
    while text[at] == text[at + 1] and at > found.start():
        at -= 1
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def cut(of, random_, sentences):
    """The first 60 to 90 %, to a word within a sentence."""
    last = max(0, round(len(sentences) * random_.uniform(0.6, 0.9)) - 1)
    words = sentences[last]
    return [*sentences[:last], words[: random_.randint(2, max(2, len(words) - 2))]]


def cut_in_word(of, random_, text):
    """The first 60 to 90 % of the characters, to a letter within a word."""
    places = [found.end() for found in re.finditer(r"[^\W\d_]{2}(?=[^\W\d_])", text)]
    return text[: random_.choice(places[round(0.6 * len(places)) : round(0.9 * len(places))])]


def line_before_and_behind(of, random_, text):
    first, last = (" ".join(random_.choice(of.words) for _ in range(4)) for _ in range(2))
    return f"{first}\n\n{text}\n\n{last} 2024"


def dropped(of, random_, sentences):
    if len(sentences) < 3:
        return None
    at = random_.randrange(1, len(sentences))
    return [*sentences[:at], *sentences[at + 1 :]]


def first_part(share):
    """The first sentences, about this share of the words."""

    def change(of, random_, sentences):
        wanted = share * sum(map(len, sentences))
        out = []
        while sum(map(len, out)) < wanted:
            out.append(sentences[len(out)])
        return out if len(out) < len(sentences) else None

    return change


def added(of, random_, sentences):
    at = random_.randint(1, len(sentences) - 1) if len(sentences) > 1 else 1
    return [*sentences[:at], of.sentence(random_), *sentences[at:]]


HARMLESS = {
    "another line width": (reflowed, tuple(prose.LANGUAGES)),
    "capitals": on_text(lambda of, random_, text: text.upper(), SPACED),
    "closing punctuation": on_text(lambda of, random_, text: text.rstrip(".。") + "!"),
    "hyphens at line ends": on_text(lambda of, random_, text: hyphenated(text, 60), SPACED),
    "two words joined, or one divided": on_text(joined),
    "cut off between two words": on_sentences(cut, end=False),
    "cut off within a word": on_text(cut_in_word),
    "a sentence more at the end": on_sentences(lambda of, random_, whole: [*whole, of.sentence(random_)]),
    "the same, another line width": (reflowed_and_longer, tuple(prose.LANGUAGES)),
    "a sentence more in the middle": on_sentences(added),
    "a sentence dropped": on_sentences(dropped),
    "lines before and behind": on_text(line_before_and_behind),
    "the first three quarters": on_sentences(first_part(0.75)),
    "the first half": on_sentences(first_part(0.5)),
    "the first quarter": on_sentences(first_part(0.25)),
    "one typo": on_text(typo),
}


def pairs_of(seed, name, edit, languages, length, wanted):
    """WANTED pairs of texts of a length in each of some languages."""
    for code in languages:
        of = prose.Prose(code)
        for number in range(wanted):
            random_ = prose.seeded(seed, name, code, length, number)
            sentences, place = of.body(random_, length)
            found = edit(of, random_, sentences, place, of.fields(random_))
            if found and found[0] != found[1]:
                yield f"{code}{number}", found


def shares(program, seed, edits, wanted, records):
    """A table: of the pairs of each edit and length, the share of which one goes for the other, by each claim.

    RECORDS gets a record for each pair and claim, to be read where a figure is not the wanted one.
    """
    header(f"removed, %: {', '.join(CLAIMS)}", *(f"{length} words" for length in LENGTHS))
    for name, (edit, languages) in edits.items():
        cells = []
        for length in LENGTHS:
            pairs = dict(pairs_of(seed, name, edit, languages, length, wanted))
            corpus = program.corpus({f"{id}{side}": text for id, both in pairs.items() for side, text in zip("ab", both)})
            counts = []
            for claim in CLAIMS:
                gone = program.removed(corpus, claim)
                hit = {document[:-1] for document, survivor in gone.items() if document[:-1] == survivor[:-1]}
                counts.append(f"{100 * len(hit) / len(pairs):.0f}" if pairs else "–")
                for id, both in pairs.items():
                    records.append({"edit": name, "length": length, "claim": claim, "id": id, "removed": id in hit, "texts": both})
            cells.append(", ".join(counts))
        row(name, *cells)


# Letters and descriptions: texts of one form.

LETTERS = (5, 20, 60, 200)
LETTER_LENGTHS = (30, 60, 120, 250, 500)


def letters(seed, count, length, code, longer=0.0):
    """Form letters to COUNT people; a share of them has a sentence more."""
    of = prose.Prose(code)
    random_ = prose.seeded(seed, "letters", count, length, code)
    sentences, place = of.body(random_, length)
    for number in range(count):
        fields = of.fields(random_) | {"sum": 1000 + 7 * number, "neg": random_.choice(("", of.language.negation))}
        more = [of.sentence(random_)] if random_.random() < longer else []
        yield f"{code}-{count}-{length}-{number}", of.text([*sentences[:place], of.decision(fields), *sentences[place:], *more])


def letters_table(program, seed, longer):
    header(f"letters; removed: {', '.join(CLAIMS)}", *(f"{length} words" for length in LETTER_LENGTHS))
    codes = list(prose.LANGUAGES)
    kinds = [(count, length) for count in LETTERS for length in LETTER_LENGTHS]
    documents = {}
    for at, (count, length) in enumerate(kinds):
        documents |= dict(letters(seed, count, length, codes[at % len(codes)], longer))
    corpus = program.corpus(documents)
    gone = {claim: program.removed(corpus, claim) for claim in CLAIMS}
    for count in LETTERS:
        of_kind = lambda claim, length: sum(id.split("-")[1:3] == [str(count), str(length)] for id in gone[claim])
        row(count, *(", ".join(str(of_kind(claim, length)) for claim in CLAIMS) for length in LETTER_LENGTHS))


PLACES = (
    "Bavaria Latvia Norway Corsica Malta Cyprus Bosnia Albania Estonia Galicia Flanders Moravia Silesia Saxony Tuscany Umbria Wales Cornwall "
    "Ulster Munster"
).split()
DESCRIPTION = (
    "This package contains the {0} localization of the office suite. It has the translated menus, messages and help pages, a "
    "dictionary for the spelling checker, and rules for hyphenation. It needs the main package and has no use without it. Install it if "
    "people who read and write the language of {0} work on this machine. Further languages are in packages of their own, "
    "which can be installed side by side."
)
NOTE = " This release also corrects the names of the months, which were wrong in the calendar of all earlier ones."


def families_table(program, seed):
    header("members, of which longer by a sentence", *CLAIMS)
    for count, more in ((3, 0), (3, 1), (4, 1), (6, 1), (20, 0), (20, 1), (20, 10)):
        for kind in ("descriptions", "letters of 120 words"):
            if kind == "descriptions":
                texts_ = {place: DESCRIPTION.format(place) + NOTE * (at < more) for at, place in enumerate(PLACES[:count])}
            else:
                texts_ = dict(letters(seed, count, 120, "en"))
                extra = " ".join(prose.Prose("en").sentence(prose.seeded(seed, "extra")))
                texts_ = {id: f"{text} {extra}." if at < more else text for at, (id, text) in enumerate(texts_.items())}
            corpus = program.corpus(texts_)
            row(f"{count} {kind}, {more} longer", *(len(program.removed(corpus, claim)) for claim in CLAIMS))


# One run against several additions.


def everything(seed, wanted):
    """Texts of all kinds, shuffled."""
    documents = {}
    for group in (DECISIVE_WITH_LANGUAGES, HARD, HARMLESS):
        for name, (edit, languages) in group.items():
            for length in LENGTHS:
                for id, both in pairs_of(seed, name, edit, languages, length, wanted):
                    documents |= {f"{name} {length} {id}{side}": text for side, text in zip("ab", both)}
    for at, count in enumerate(LETTERS[:3]):
        documents |= dict(letters(seed, count, 120, SPACED[at], 0.3))
    ids = sorted(documents)
    prose.seeded(seed, "order").shuffle(ids)
    return {f"d{at}": documents[id] for at, id in enumerate(ids)}


def adds_table(program, seed, parts=6, wanted=4):
    """Kept by one run, by several additions, and by only one of the two."""
    documents = everything(seed, wanted)
    ids = list(documents)
    size = -(-len(ids) // parts)
    whole = program.corpus(documents)
    header(f"{len(ids)} documents", "kept by `clean --keep first`", f"by {parts} `index add --unique`", "by one of the two")
    for claim in CLAIMS:
        kept = set(ids) - set(program.removed(whole, claim, "--keep", "first"))
        index = program.folder / f"index-{claim}"
        program.run("index", "create", "-q", index)
        for part in range(parts):
            some = {id: documents[id] for id in ids[part * size : (part + 1) * size]}
            path = program.corpus(some, "part.jsonl")
            program.run("index", "add", "-q", f"--unique={claim}", "--id-field", "id", index, path)
        listed = {json.loads(line)["id"] for line in program.run("index", "list", "--format", "jsonl", index).splitlines()}
        row(f"`{claim}`", len(kept), len(listed), len(kept ^ listed))
        for id in sorted(kept ^ listed)[:3]:
            print(f"<!-- {id}: {'one run' if id in kept else 'additions'} -->")


# Labelled sets.


def labelled_table(program, articles, truth):
    """Lines `ID text`, and a file of pairs of ids that are copies."""
    lines = [line.split(maxsplit=1) for line in articles.read_text("utf-8").splitlines() if line.strip()]
    known = {frozenset(line.split()[:2]) for line in truth.read_text("utf-8").splitlines() if line.strip()}
    corpus = program.corpus(dict(lines))
    header(f"{articles.name}: {len(lines)} texts, {len(known)} pairs", "removed", "of a known pair", "of another")
    for claim in CLAIMS:
        gone = program.removed(corpus, claim)
        right = sum(frozenset(pair) in known for pair in gone.items())
        row(f"`{claim}`", len(gone), right, len(gone) - right)


def folder_table(program, folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    corpus = program.corpus({str(path.relative_to(folder)): path.read_text("utf-8", "replace") for path in files})
    header(f"{folder.name}: {len(files)} files", "removed")
    for claim in CLAIMS:
        row(f"`{claim}`", len(program.removed(corpus, claim)))


DECISIVE_WITH_LANGUAGES = {name: (edit, tuple(prose.LANGUAGES)) for name, edit in DECISIVE.items()}
PARTS = ("decisive", "harmless", "letters", "families", "adds")


def main():
    parser = argparse.ArgumentParser(prog="scripts/eval-removals claims", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--program", type=pathlib.Path, required=True, help="the `dedup` to be measured")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for claims.jsonl: each pair and whether one went")
    parser.add_argument("--seed", default="1", help="seed of texts and edits (default: 1)")
    parser.add_argument("--pairs", type=int, default=25, help="pairs of each edit, length and language (default: 25)")
    parser.add_argument("--articles", type=pathlib.Path, nargs=2, action="append", default=[], metavar=("TEXTS", "TRUTH"),
                        help="a labelled set: lines `ID text`, and lines of two ids")  # fmt: skip
    parser.add_argument("--folder", type=pathlib.Path, action="append", default=[], help="a folder of texts to clean")
    chosen = parser.parse_args()
    if unknown := set(chosen.parts) - set(PARTS):
        parser.error(f"unknown part {', '.join(sorted(unknown))}; known: {', '.join(PARTS)}")
    for path in (*(path for pair in chosen.articles for path in pair), *chosen.folder):
        if not path.exists():
            parser.error(f"{path} does not exist; --articles takes two files, --folder a folder")
    parts, records = chosen.parts or PARTS, []
    chosen.work.mkdir(parents=True, exist_ok=True)
    print(f"Seed {chosen.seed}; made-up prose and data/texts in {', '.join(prose.LANGUAGES)}.")
    with tempfile.TemporaryDirectory() as folder:
        program = Program(chosen.program.resolve(), pathlib.Path(folder))
        if "decisive" in parts:
            print("\n## Decisive edits\n")
            shares(program, chosen.seed, DECISIVE_WITH_LANGUAGES, chosen.pairs, records)
            print("\n## Decisive edits that are hard to tell\n")
            shares(program, chosen.seed, HARD, chosen.pairs, records)
        if "harmless" in parts:
            print("\n## Harmless edits\n")
            shares(program, chosen.seed, HARMLESS, chosen.pairs, records)
        if "letters" in parts:
            for longer in (0.0, 0.3):
                print(f"\n## Form letters of one corpus, {100 * longer:.0f} % of them with a sentence more: number removed\n")
                letters_table(program, chosen.seed, longer)
        if "families" in parts:
            print("\n## Families: number removed\n")
            families_table(program, chosen.seed)
        if "adds" in parts:
            print("\n## One run, and several additions\n")
            adds_table(program, chosen.seed)
        for texts_, truth in chosen.articles:
            print()
            labelled_table(program, texts_, truth)
        for path in chosen.folder:
            print()
            folder_table(program, path)
    with open(chosen.work / "claims.jsonl", "w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(found, ensure_ascii=False) + "\n" for found in records)


if __name__ == "__main__":
    main()
