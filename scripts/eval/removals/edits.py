"""Copies of a corpus's own documents with known edits.

New words come from other documents of the same corpus, so that a copy is in its own language.
Every edit is a function of the text, the random numbers and the corpus.
"""
import random
import re

import words

# Size of a paragraph added or cut, as a share of the words.
PARAGRAPH = 0.2
SIGN = re.compile(r"[-+<>=*/%#&|^~$@]")
NEGATIONS = {
    "de": " nicht", "fr": " pas", "es": " no", "it": " non", "pt": " não", "pl": " nie", "ru": " не", "uk": " не",
    "ko": " 안", "vi": " không", "ja": "ない", "zh": "不",
}  # fmt: skip


class Corpus:
    """The source of new words: those of a random document."""

    def __init__(self, documents):
        self.documents = documents

    def words(self, random_, language):
        """The words of a random document of the language that has any."""
        while True:
            other = random_.choice(self.documents)
            if other["language"] == language and (found := words.WORD.findall(other["text"])):
                return found


def splice(text, changes):
    """Applies CHANGES, (from, to, new) without overlap, to the text."""
    out, at = [], 0
    for start, end, new in sorted(changes):
        out += [text[at:start], new]
        at = end
    return "".join(out) + text[at:]


def replaced(share):
    def edit(record, random_, corpus):
        places = list(words.WORD.finditer(record["text"]))
        changes = []
        for place in random_.sample(places, max(1, round(share * len(places)))):
            for _ in range(20):
                new = random_.choice(corpus.words(random_, record["language"]))
                if words.folded(new) != words.folded(place[0]):
                    break
            changes.append((*place.span(), new))
        return splice(record["text"], changes)

    return edit


def boundary(text, random_):
    """A random place between two lines, or before a word if the text has one line."""
    lines = [found.end() for found in re.finditer(r"\n", text)][:-1]
    return random_.choice(lines or [place.start() for place in words.WORD.finditer(text)])


def paragraph_added(record, random_, corpus):
    wanted = max(1, round(PARAGRAPH * len(words.WORD.findall(record["text"]))))
    new = []
    while len(new) < wanted:
        found = corpus.words(random_, record["language"])
        start = random_.randrange(len(found))
        new += found[start : start + wanted - len(new)]
    at = boundary(record["text"], random_)
    return splice(record["text"], [(at, at, " ".join(new) + "\n")])


def paragraph_cut(record, random_, _):
    places = list(words.WORD.finditer(record["text"]))
    length = max(1, round(PARAGRAPH * len(places)))
    start = random_.randint(0, len(places) - length)
    return splice(record["text"], [(places[start].start(), places[start + length - 1].end(), "")])


def word_appended(record, random_, corpus):
    return f"{record['text'].rstrip()} {random_.choice(corpus.words(random_, record['language']))}"


def sign_changed(record, random_, _):
    """Changes one sign; a text without signs gets a minus before one of its words."""
    text = record["text"]
    places = list(SIGN.finditer(text))
    if not places:
        at = random_.choice(list(words.WORD.finditer(text))).start()
        return splice(text, [(at, at, "-")])
    place = random_.choice(places)
    return splice(text, [(*place.span(), random_.choice([sign for sign in "+-<>=" if sign != place[0]]))])


def negation_added(record, random_, _):
    at = random_.choice(list(words.WORD.finditer(record["text"]))).end()
    return splice(record["text"], [(at, at, NEGATIONS.get(record["language"].split("_")[0], " not"))])


EDITS = {
    "3 % of words": replaced(0.03),
    "5 %": replaced(0.05),
    "10 %": replaced(0.10),
    "paragraph added": paragraph_added,
    "paragraph cut": paragraph_cut,
    "word appended": word_appended,
    "sign changed": sign_changed,
    "negation added": negation_added,
}
# Classes of length: their names and their least lengths, in words.
LENGTHS = {"3 to 20 words": 3, "21 to 49": 21, "50 and more": 50}


def length_class(text):
    count = len(words.WORD.findall(text))
    return next((name for name in reversed(LENGTHS) if count >= LENGTHS[name]), None)


def originals(documents, seed, wanted):
    """Up to WANTED documents of each class of length, all pairs of them dissimilar (J < .3)."""
    out = {name: [] for name in LENGTHS}
    holders, chosen = {}, []
    for record in sorted(documents, key=lambda record: words.digest(seed, record["id"])):
        if all(len(found) >= wanted for found in out.values()):
            break
        name = length_class(record["text"])
        if name is None or len(out[name]) >= wanted:
            continue
        shingles = words.shingles(record["text"])
        near = {other for shingle in shingles for other in holders.get(shingle, ())}
        if any(words.jaccard(shingles, chosen[other]) >= 0.3 for other in near):
            continue
        for shingle in shingles:
            holders.setdefault(shingle, []).append(len(chosen))
        chosen.append(shingles)
        out[name].append(record)
    return out


def copies(chosen, corpus, seed, edit):
    """Yields the records of each original and its copy, in turn."""
    for at, record in enumerate(chosen):
        random_ = random.Random(f"{seed} {edit} {record['id']}")
        text = EDITS[edit](record, random_, corpus)
        yield {"id": f"o{at}", "text": record["text"]}
        yield {"id": f"c{at}", "text": text}
