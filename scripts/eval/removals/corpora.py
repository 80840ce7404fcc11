"""The corpora of hard negatives: documents that look alike and say different things.

Each is a list of records with `id`, `name` (the subject, if the corpus names it), `language`
and `text`. A corpus that is larger than needed is sampled in runs of neighbours, so that similar
documents stay together.
"""
import itertools
import re
import struct

import made
import roff
import words

# Number of neighbours, in the order of their names, that are sampled together.
RUN = 50
CATALOGUE_LANGUAGES = ("de", "ja", "ko", "ru", "vi", "zh_CN")
MANUAL = re.compile(r"/man/(?:(?P<language>[a-z]{2}(?:_[A-Z]{2})?)[^/]*/)?man\d[^/]*/(?P<name>[^/]+?)(?:\.gz)?$")
LICENCES = {
    "MIT": "permission is hereby granted, free of charge, to any person obtaining a copy",
    "Apache-2.0": "version 2.0, january 2004",
    "BSD-2-Clause": "redistribution and use in source and binary forms, with or without modification",
    "ISC": "permission to use, copy, modify, and/or distribute this software",
    "Unlicense": "this is free and unencumbered software",
    "Unicode-3.0": "unicode license v3",
    "BSL-1.0": "boost software license",
    "MPL-2.0": "mozilla public license version 2.0",
    "GPL-2": "gnu general public license version 2, june 1991",
    "GPL-3": "gnu general public license version 3, 29 june 2007",
    "CC0-1.0": "cc0 1.0 universal",
}
# Longest document, in characters; longer ones cost time and add no information.
LONGEST = 60_000


def runs(documents, wanted, seed):
    """Samples about WANTED documents as runs of neighbours, by the seed; their order is kept."""
    pieces = [documents[at : at + RUN] for at in range(0, len(documents), RUN)]
    chosen = sorted(range(len(pieces)), key=lambda at: words.digest(seed, at))[: max(1, round(wanted / RUN))]
    return [document for at in sorted(chosen) for document in pieces[at]]


def document(id, name, text, language="en"):
    return {"id": id, "name": name, "language": language, "text": text}


def messages(path):
    """Pairs of msgid and translation in a compiled catalogue (.mo); of plurals the first form."""
    raw = path.read_bytes()
    order = "<" if raw[:4] == b"\xde\x12\x04\x95" else ">"
    count, originals, translations = struct.unpack_from(order + "III", raw, 8)

    def string(table, at):
        length, offset = struct.unpack_from(order + "II", raw, table + 8 * at)
        return raw[offset : offset + length].split(b"\0")[0]

    # The first translation is the header, that of the empty msgid; it names the encoding.
    charset = re.search(rb"charset=([\w-]+)", string(translations, 0))
    encoding = charset[1].decode() if charset else "utf-8"
    for at in range(count):
        original, translation = (string(table, at).decode(encoding, "replace") for table in (originals, translations))
        # The context of a message comes before its msgid.
        original = original.rpartition("\x04")[2]
        if original.strip() and translation.strip():
            yield original, translation


def catalogues(debian, seed, scale):
    out = []
    for language in CATALOGUE_LANGUAGES:
        found = []
        for path in sorted(debian.unpacked.glob(f"*/usr/share/locale/{language}/LC_MESSAGES/*.mo")):
            for at, (original, translation) in enumerate(sorted(messages(path))):
                found.append(document(f"{language}/{path.stem}/{at}", words.plain(original), translation, language))
        out += runs(found, 2500 * scale, f"{seed} catalogue {language}")
    return out


def synopses(debian, seed, scale):
    found = [document(name, name, synopsis) for name, synopsis, _ in debian.descriptions()]
    return runs(found, 6000 * scale, f"{seed} synopses")


def descriptions(debian, seed, scale):
    found = [document(name, name, long) for name, _, long in debian.descriptions() if long]
    return runs(found, 4000 * scale, f"{seed} descriptions")


def manuals(debian, seed, scale):
    found = {}
    for path in sorted(debian.unpacked.glob("*/usr/share/man/**/*")):
        place = MANUAL.search(str(path))
        if not place or path.is_symlink() or not path.is_file():
            continue
        language, name = place["language"] or "en", place["name"]
        package = path.relative_to(debian.unpacked).parts[0]
        text = roff.page(path)
        if text.strip() and len(text) <= LONGEST:
            found[f"{language}/{name} of {package}"] = document("", f"{language}/{name}", text, language)
    found = [{**record, "id": id} for id, record in sorted(found.items())]
    return runs(found, 6000 * scale, f"{seed} manuals")


def crate_files(crates, wanted):
    """Yields id, name and text of the crates' files for whose lower-case names WANTED is true."""
    for name, version, folder in crates:
        for path in sorted(folder.rglob("*")):
            if wanted(path.name.lower()) and path.is_file() and not path.is_symlink():
                text = path.read_bytes().decode("utf-8", "replace")
                if text.strip() and len(text) <= LONGEST:
                    inside = str(path.relative_to(folder))
                    yield f"{name}-{version}/{inside}", f"{name}/{inside}", text


def readmes(crates):
    return [document(*file) for file in crate_files(crates, lambda name: name.startswith("readme"))]


def sources(crates, seed, scale):
    """Source files, one run a crate: a crate with hundreds of generated files would be half of the corpus."""
    files = crate_files(crates, lambda name: name.endswith(".rs"))
    found = []
    for _, group in itertools.groupby((document(*file) for file in files), lambda record: record["id"].split("/")[0]):
        group = list(group)
        # Every version of a crate gets the same run.
        found += runs(group, RUN, f"{seed} sources {group[0]['name'].split('/')[0]}")
    return runs(found, 4000 * scale, f"{seed} sources")


def licence(text, otherwise):
    """The licence of a text, by its typical phrase; OTHERWISE if no licence or several match."""
    flat = " ".join(words.folded(text).split())
    found = [name for name, phrase in LICENCES.items() if phrase in flat]
    if found == ["BSD-2-Clause"] and "neither the name" in flat:
        found = ["BSD-3-Clause"]
    return found[0] if len(found) == 1 else otherwise


def licences(crates, debian):
    """Licence files. The subject is the licence, whoever grants it, or the file if it has several."""
    beginnings = ("license", "licence", "copying", "unlicense", "copyright", "notice")
    files = list(crate_files(crates, lambda name: name.startswith(beginnings) and not name.endswith(".rs")))
    places = [*debian.unpacked.glob("*/usr/share/common-licenses/*"), *debian.unpacked.glob("*/usr/share/doc/*/copyright")]
    for path in sorted(places):
        if path.is_file() and not path.is_symlink():
            inside = str(path.relative_to(debian.unpacked))
            files.append((inside, inside, path.read_text(encoding="utf-8", errors="replace")[:LONGEST]))
    return [document(id, licence(text, name), text) for id, name, text in files]


def everything(debian, crates, seed, scale, chosen):
    """Makes the corpora named in CHOSEN, one at a time; `NAMES` lists all."""
    makers = {
        "catalogues": lambda: catalogues(debian, seed, scale),
        "synopses": lambda: synopses(debian, seed, scale),
        "descriptions": lambda: descriptions(debian, seed, scale),
        "manuals": lambda: manuals(debian, seed, scale),
        "readmes": lambda: readmes(crates),
        "sources": lambda: sources(crates, seed, scale),
        "licences": lambda: licences(crates, debian),
        "tables": lambda: made.tables(seed, scale),
        "logs": lambda: made.logs(seed, scale),
        "templates": lambda: made.templates(seed, scale),
    }
    for name in chosen:
        yield name, makers[name]()


NAMES = ["catalogues", "synopses", "descriptions", "manuals", "readmes", "sources", "licences", "tables", "logs", "templates"]
