"""Hard negatives that `dedup clean --remove edited` removes, and edited copies that it finds.

Run by scripts/eval-removals; usage is at the top of that script.
"""
import argparse
import collections
import json
import pathlib
import shlex
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import corpora
import edits
import made
import measure
import sources
import verdicts
import words

HERE = pathlib.Path(__file__).resolve()
# Programs with catalogues in many languages, manual pages, and the common licences.
PACKAGES = """
    adduser apt base-files bash binutils-common bsdutils coreutils debconf diffutils dpkg
    e2fsprogs-l10n findutils gawk gcc-12-locales gettext gettext-base git gnupg-l10n grep libc-l10n
    libpq5 login make passwd postgresql-15 postgresql-client-15 sed tar util-linux-locales wget
    manpages manpages-dev manpages-de manpages-es manpages-fr manpages-it manpages-ja manpages-pl
    manpages-pt-br manpages-ru manpages-uk manpages-vi manpages-zh
""".split()


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/eval-removals", description=__doc__)
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help=f"of {', '.join(corpora.NAMES)}; all by default")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder of packages, corpora and results")
    parser.add_argument("--program", type=pathlib.Path, required=True, help="the `dedup` to be measured")
    parser.add_argument("--label", default="now", help="name of the results: LABEL.json, LABEL.sides.txt (default: now)")
    parser.add_argument("--clean", default="--remove edited", metavar="OPTIONS", help="options of `dedup clean`, in one argument")
    parser.add_argument("--find", default="", metavar="OPTIONS", help="options of `dedup find --pairs`, in one argument")
    parser.add_argument("--seed", default="1", help="seed of samples, edits and made-up texts (default: 1)")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the documents, such as 0.1 for a trial")
    parser.add_argument("--copies", type=int, default=200, help="copies of each edit and class of length (default: 200)")
    chosen = parser.parse_args()
    if unknown := set(chosen.corpora) - set(corpora.NAMES):
        parser.error(f"unknown corpus {', '.join(sorted(unknown))}; known: {', '.join(corpora.NAMES)}")
    return chosen


def corpus_files(work, seed, scale, chosen):
    """Yields name, path and records of each corpus; corpora of an earlier run are reused."""
    folder = work / "corpora" / f"{seed}-{scale:g}"
    folder.mkdir(parents=True, exist_ok=True)
    paths = {name: folder / f"{name}.jsonl" for name in chosen}
    missing = [name for name, path in paths.items() if not path.exists()]
    if missing:
        debian, crates = None, []
        if set(missing) - set(made.KINDS):
            debian = sources.Debian(work / "debian", PACKAGES)
            (work / "packages.txt").write_text("\n".join(debian.fetch()) + "\n")
            crates = sources.crates(HERE.parents[3])
        for name, documents in corpora.everything(debian, crates, seed, scale, missing):
            part = paths[name].with_suffix(".part")
            with open(part, "w", encoding="utf-8") as lines:
                lines.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in documents)
            part.rename(paths[name])
    for name, path in paths.items():
        with open(path, encoding="utf-8") as lines:
            yield name, path, [json.loads(line) for line in lines]


def row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |")


def show(name, result):
    """The Markdown tables of one corpus."""
    print(f"\n## {name}: {result['documents']} documents, {len(result['removals'])} removed\n")
    classes = list(measure.CLASSES)
    row("removals by Jaccard of raw words", *classes, "all")
    row("---", *["---:"] * (len(classes) + 1))
    for kind in ("removed", "other name", "other name and text"):
        figures = [result["counts"][each][kind] for each in classes]
        row(kind, *figures, sum(figures))
    judged = result["judged"]
    print(
        f"\nSample of {sum(judged.values())}: right by name {judged['right name']}, by text {judged['right text']}; wrong by name "
        f"{judged['wrong name']}; by a person right {judged['right person']}, wrong {judged['wrong person']}, "
        f"not judged {judged['open person']}.\n"
    )
    row("copies found, %", *edits.EDITS)
    row("---", *["---:"] * len(edits.EDITS))
    for length, found in result["recall"].items():
        for command in ("clean", "find"):
            figures = [f"{100 * of[command] / of['copies']:.1f}" for of in found.values()]
            copies = next(iter(found.values()))["copies"]
            row(f"{length} ({copies}), `{command}`", *figures)


def main():
    chosen = arguments()
    work = chosen.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    program = measure.Program(chosen.program.resolve(), shlex.split(chosen.clean), shlex.split(chosen.find))
    book = verdicts.Verdicts(work / "verdicts.tsv")
    results, sides = {}, []
    print(f"# `dedup clean {chosen.clean}`, `dedup find --pairs {chosen.find}`, seed {chosen.seed}")
    for name, path, documents in corpus_files(work, chosen.seed, chosen.scale, chosen.corpora or corpora.NAMES):
        started = time.monotonic()
        found, seconds = measure.removals(program, path, documents)
        sampled = measure.sample(name, found, chosen.seed)
        judged = collections.Counter(" ".join(book.of(name, removal)) for removal in sampled)
        sides += verdicts.side_by_side(name, sampled, {record["id"]: record for record in documents}, book)
        results[name] = {
            "documents": len(documents),
            "words": sum(len(words.WORD.findall(record["text"])) for record in documents),
            "clean_seconds": round(seconds, 2),
            "counts": measure.counts(found),
            "judged": judged,
            "recall": measure.recall(program, work, documents, chosen.seed, chosen.copies),
            "removals": found,
        }
        results[name]["seconds"] = round(time.monotonic() - started, 1)
        show(name, results[name])
    book.write()
    (work / f"{chosen.label}.sides.txt").write_text("\n".join(sides), encoding="utf-8")
    settings = {"clean": chosen.clean, "find": chosen.find, "seed": chosen.seed, "scale": chosen.scale}
    (work / f"{chosen.label}.json").write_text(
        json.dumps({"settings": settings, "corpora": results}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )


main()
