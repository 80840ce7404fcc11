"""Puts the parts of the page into one file; see scripts/page.

The policy of the page allows its own script and those of the report, by their hashes, and no connection at all.
"""

import base64
import gzip
import hashlib
import json
import pathlib
import sys

WEB = pathlib.Path("web")
REPORT = pathlib.Path("crates/dedup/src/report/page")
AUDIT = pathlib.Path("crates/dedup/src/report/audit")
SAMPLES = pathlib.Path("data/texts/eng")
# NUL, carriage return and the beginning of a tag; web/worker.js has the same.
TAKEN = [0, 13, ord("<")]


def read(path):
    return path.read_text(encoding="utf-8")


def allowed(script):
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def main(module, version, out, *reports):
    packed = gzip.compress(pathlib.Path(module).read_bytes(), 9, mtime=0)
    worker = "const WORKER = " + json.dumps(read(WEB / "worker.js")).replace("</", "<\\/") + ";\n"
    # The words of the reports, in whose languages the page speaks.
    words = read(REPORT / "bar.js") + read(REPORT / "words.js") + read(REPORT / "reasons.js") + read(AUDIT / "texts.js") + read(WEB / "texts.js")
    script = "\n'use strict';\n" + words + worker + read(WEB / "page.js") + "\n"
    samples = [{"name": path.name, "text": read(path)} for path in sorted(SAMPLES.glob("*.txt"))]
    hashes = [allowed(script)] + [allowed(part) for report in reports for part in scripts_of(read(pathlib.Path(report)))]
    policy = {
        "default-src": "'none'",
        "connect-src": "'none'",
        "script-src": " ".join(["'wasm-unsafe-eval'", *hashes]),
        "worker-src": "blob:",
        "style-src": "'unsafe-inline'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    parts = {
        "@POLICY@": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "@STYLE@": read(WEB / "page.css"),
        "@VERSION@": version,
        "@SAMPLES@": json.dumps(samples).replace("<", "\\u003c"),
        "@LENGTH@": str(len(packed)),
        "@MODULE@": lettered(packed),
        "\n@SCRIPT@\n": script,
    }
    page = read(WEB / "page.html")
    for name, content in parts.items():
        before, after = page.split(name)
        page = before + content + after
    pathlib.Path(out).write_text(page, encoding="utf-8", newline="\n")


def lettered(packed):
    """Bytes as characters for the text of a script: seven bits for each byte of the page, where base64 has six.

    A value that stands for a character which HTML changes shares one of two bytes with the value behind it.
    """
    values = []
    for at in range(0, len(packed), 7):
        seven = int.from_bytes(packed[at : at + 7].ljust(7, b"\0"))
        values += [seven >> shift & 127 for shift in range(49, -1, -7)]
    letters, values = [], iter(values)
    for value in values:
        letters.append(chr(256 + 128 * TAKEN.index(value) + next(values, 0) if value in TAKEN else value))
    return "".join(letters)


def scripts_of(report):
    """The scripts of a report that run; its data does not."""
    parts = report.split('<script nonce="')[1:]
    return [part.partition(">")[2].partition("</script>")[0] for part in parts]


if __name__ == "__main__":
    main(*sys.argv[1:])
