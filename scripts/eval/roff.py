"""The text of a manual page without roff's requests and escapes, one line a paragraph or item."""
import gzip
import re
import unicodedata

# An accent and the letter that it stands on, as in \('e.
ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", ":": "\u0308", "~": "\u0303", ",": "\u0327", "v": "\u030c"}
COMMENT = re.compile(r'\\["#].*')
SPECIAL = {
    "aq": "'", "dq": '"', "lq": "“", "rq": "”", "oq": "‘", "cq": "’", "en": "–", "em": "—", "hy": "-", "mi": "-",
    "co": "©", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "/o": "ø", "/O": "Ø", "oa": "å", "oA": "Å", "/l": "ł", "/L": "Ł",
    "bu": "•", "ti": "~", "ha": "^", "rs": "\\", "ga": "`", "->": "→", "<=": "≤", ">=": "≥", "mu": "×",
    "Fo": "«", "Fc": "»", "eu": "€", "pl": "+", "eq": "=", "sh": "#", "at": "@", "ba": "|", "lB": "[", "rB": "]",
}  # fmt: skip
ESCAPE = re.compile(
    r"\\(?:\((?P<two>..)|\[(?P<long>[^\]]*)\]|f(?:\(..|\[[^\]]*\]|.)|s[-+]?\d+|\*(?:\(..|\[[^\]]*\]|.)"
    r"|[hvwlLDoCN]'[^']*'|m\[[^\]]*\]|k.|n(?:\(..|\[[^\]]*\]|.)|(?P<one>.))"
)
ONE = {"-": "-", "e": "\\", "\\": "\\", "'": "'", "`": "`", " ": " ", "0": " ", "~": " ", "t": " ", ".": "."}
# Requests whose arguments are text; all others are layout.
FONTS = {"B", "I", "R", "BR", "BI", "RB", "RI", "IR", "IB", "SM", "SB"}
HEADINGS = {"SH", "SS", "Sh", "Ss"}
MDOC = {
    "Nm", "Nd", "Fl", "Ar", "Pa", "Xr", "Op", "Cm", "Em", "Sy", "Li", "Dq", "Sq", "Ql", "Ev", "Va", "Vt", "Fn", "Fa",
    "Ft", "In", "Dv", "Er", "It", "Pq", "Ic", "No", "Ad", "An", "Bq", "Brq", "Tn", "Bx", "Fx", "Nx", "Ox", "St", "Qq", "Lk",
}  # fmt: skip
ARGUMENT = re.compile(r'"((?:[^"]|"")*)"|(\S+)')
IGNORED_BLOCKS = {"ig": "..", "de": "..", "de1": "..", "am": ".."}


def plain_escapes(line):
    def character(found):
        if two := found["two"] or found["long"]:
            if two.startswith("u") and re.fullmatch(r"u[0-9A-F]{4,6}", two):
                return chr(int(two[1:], 16))
            if len(two) == 2 and two[0] in ACCENTS and two[1].isalpha() and two not in SPECIAL:
                return unicodedata.normalize("NFC", two[1] + ACCENTS[two[0]])
            return SPECIAL.get(two, "")
        return ONE.get(found["one"] or "", "")

    return ESCAPE.sub(character, line)


def arguments(rest):
    return [quoted.replace('""', '"') or bare for quoted, bare in ARGUMENT.findall(rest)]


def text(source):
    out, line, until, table = [], [], None, False

    def finish():
        if line:
            out.append(" ".join(line))
            line.clear()

    for raw in source.splitlines():
        if until is not None:
            until = None if raw.strip() == until else until
            continue
        # Generators define only one string themselves: an apostrophe.
        raw = COMMENT.sub("", raw).replace(r"\*(Aq", "'")
        if not raw.startswith((".", "'")):
            if raw.strip():
                plain = plain_escapes(raw).replace("\t", " ").strip()
                line.append(plain)
                if table or raw[0] in " \t":
                    finish()
            else:
                finish()
            continue
        request, _, rest = raw[1:].strip().partition(" ")
        words = [plain_escapes(word) for word in arguments(rest)]
        if request in IGNORED_BLOCKS:
            until = IGNORED_BLOCKS[request]
        elif request in HEADINGS:
            finish()
            out.extend(["", " ".join(words)] if words else [])
        elif request in FONTS:
            # Requests that alternate two fonts join their arguments without spaces.
            line.append(("" if len(request) == 2 and request not in ("SM", "SB") else " ").join(words))
        elif request in MDOC:
            if request == "It":
                finish()
            line.append(" ".join(("-" if request == "Fl" else "") + word for word in words if word not in MDOC))
        elif request in ("TS", "TE"):
            finish()
            table = request == "TS"
        elif request in ("IP", "TP", "PP", "P", "LP", "Pp", "HP", "br", "sp", "nf", "fi", "EX", "EE", "Bl", "El"):
            finish()
            if request == "IP" and words:
                line.append(words[0])
    finish()
    return "\n".join(out).strip() + "\n"


def page(path):
    """The text of the file, or "" if it only refers to another page."""
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    source = raw.decode("utf-8", "replace")
    return "" if re.search(r"^\.so ", source, re.MULTILINE) and len(source) < 2000 else text(source)
