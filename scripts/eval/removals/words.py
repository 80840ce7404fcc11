"""Words, signs and Jaccard of raw texts, computed without the program under measurement.

A token is a run of letters and digits in NFKC and folded case, one character of a script
without spaces, or one sign. Sentence punctuation, quotation marks and a hyphen inside a word
are no tokens; `+`, `<`, `%`, `(` and a leading `-` are.
"""
import difflib
import hashlib
import re
import unicodedata

# Han, kana: one character is one token, because a dictionary would add its own guesses.
DENSE = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Punctuation of sentences, which carries no meaning of its own.
PUNCTUATION = ".,;:!?'\"\u2018-\u201f\u2026\u00ab\u00bb\u3001\u3002\u300a-\u300f\u00b7\u30fb\u2010-\u2015"
TOKEN = re.compile(rf"[{DENSE}]|[^\W{DENSE}]+|(?<!\w)-|-(?!\w)|[^\w\s{PUNCTUATION}-]")
# Words to edit: in scripts without spaces, two ideographs or three kana are about one word.
WORD = re.compile(
    r"[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]{1,2}|[\u3040-\u309f]{1,3}|[\u30a0-\u30ff]+"
    rf"|[^\W{DENSE}]+"
)
CLOSING = re.compile(r"[\s.,;:!?\u2026\u3002]+$")
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
SPACE_BESIDE_DENSE = re.compile(rf"(?<=[{DENSE}])\s+|\s+(?=[{DENSE}])")


def folded(text):
    return unicodedata.normalize("NFKC", text).casefold()


def tokens(text):
    return TOKEN.findall(folded(text))


def shingles(text):
    """The set of 3-grams of the tokens; a shorter text is one n-gram."""
    found = tokens(text)
    return {tuple(found[at : at + 3]) for at in range(max(1, len(found) - 2))}


def jaccard(a, b):
    either = len(a | b)
    return len(a & b) / either if either else 1.0


def plain(text):
    """The text without layout, case and closing punctuation."""
    text = SPACE_BESIDE_DENSE.sub("", folded(text))
    return CLOSING.sub("", " ".join(text.split()))


def digest(*parts):
    """A hash that orders things at random, the same in every run."""
    return hashlib.blake2b("\0".join(map(str, parts)).encode("utf-8", "replace"), digest_size=8).hexdigest()


def word_diff(a, b, around=6, places=12, most=4000):
    """The first differences of two texts: words of A alone in [-…-], of B alone in {+…+}."""
    a, b = (CONTROL.sub("\ufffd", text).split()[:most] for text in (a, b))
    if sum(map(len, a)) > 8 * max(1, len(a)) or sum(map(len, b)) > 8 * max(1, len(b)):
        # Few spaces: compare single characters.
        a, b = list(" ".join(a))[:most], list(" ".join(b))[:most]
        joint, around = "", around * 3
    else:
        joint = " "
    out, shown = [], 0
    for tag, from_a, to_a, from_b, to_b in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            run = a[from_a:to_a]
            if len(run) > 2 * around:
                run = [*run[:around], " … ", *run[-around:]]
            out.append(joint.join(run))
            continue
        if shown == places:
            out.append("… (more differences)")
            break
        shown += 1
        if to_a > from_a:
            out.append(f"[-{joint.join(a[from_a:to_a])[:400]}-]")
        if to_b > from_b:
            out.append(f"{{+{joint.join(b[from_b:to_b])[:400]}+}}")
    return joint.join(out)
