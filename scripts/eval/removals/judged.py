"""Samples of what `dedup clean` removes by each claim, for a person to judge.

Texts are package descriptions in the languages of apt's lists, and C headers of this machine. Run by `scripts/eval-removals
judged`. FOLDER gets NAME.jsonl (the texts), and judged.txt: for each corpus and claim a sample of removals with the words
that differ, [-only in the survivor-] and {+only in the removed text+}. A removal is wrong if the removed text says something
that its survivor does not.
"""
import argparse
import json
import pathlib
import subprocess

import measure
import words

HELPER = "/usr/lib/apt/apt-helper"


def descriptions(lists, language):
    """The long descriptions of a language, one a package; LISTS is a folder of apt's lists."""
    found = {}
    for path in sorted(lists.glob(f"*_i18n_Translation-{language}*")):
        text = subprocess.run([HELPER, "cat-file", path], capture_output=True, text=True, check=True).stdout
        for stanza in text.split("\n\n"):
            name, lines, is_long = None, [], False
            for line in stanza.splitlines():
                if line.startswith("Package: "):
                    name = line[9:]
                elif line.startswith(f"Description-{language}: "):
                    is_long = True
                elif is_long and line.startswith(" "):
                    lines.append("" if line == " ." else line[1:])
                else:
                    is_long = False
            if name and lines:
                found[name] = "\n".join(lines)
    return found


def headers(folder):
    paths = sorted(path for path in folder.rglob("*.h") if path.is_file() and not path.is_symlink())
    return {str(path.relative_to(folder)): path.read_text("utf-8", "replace") for path in paths}


def removed(program, corpus, claim):
    """The lines of the list, by the claim that each makes."""
    listed = measure.Program(program, ["-q", "--remove", claim, "--force"], []).removed(corpus)
    return {each: [line for line in listed if line["removal"] == each] for each in ("same", "contained", "edited")}


def main():
    parser = argparse.ArgumentParser(prog="scripts/eval-removals judged", description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="the `dedup` to be measured")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for corpora and samples")
    parser.add_argument("--lists", type=pathlib.Path, default="/var/lib/apt/lists", help="apt's lists, with translations")
    parser.add_argument("--languages", nargs="*", default=["en", "de", "ja", "ru"])
    parser.add_argument("--headers", type=pathlib.Path, default="/usr/include", help="folder of C headers")
    parser.add_argument("--sample", type=int, default=30, help="removals of each corpus and claim (default: 30)")
    parser.add_argument("--seed", default="1", help="seed of the samples (default: 1)")
    chosen = parser.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    corpora = {f"descriptions, {each}": descriptions(chosen.lists, each) for each in chosen.languages}
    corpora["C headers"] = headers(chosen.headers)
    print("| corpus | documents | `same` | `contained` | `edited` |\n| --- | ---: | ---: | ---: | ---: |")
    with open(chosen.work / "judged.txt", "w", encoding="utf-8") as out:
        for name, texts in corpora.items():
            path = chosen.work / f"{name}.jsonl"
            with open(path, "w", encoding="utf-8") as lines:
                lines.writelines(json.dumps({"id": id, "text": text}, ensure_ascii=False) + "\n" for id, text in texts.items())
            found = removed(chosen.program.resolve(), path, "edited")
            found |= {claim: removed(chosen.program.resolve(), path, "contained")[claim] for claim in ("same", "contained")}
            print(f"| {name} | {len(texts)} |", " | ".join(str(len(found[claim])) for claim in found), "|", flush=True)
            for claim in ("contained", "edited"):
                order = sorted(found[claim], key=lambda line: words.digest(chosen.seed, name, line["id"]))
                for number, line in enumerate(order[: chosen.sample], 1):
                    typos = f"  typos {line['typos']}" if line.get("typos") else ""
                    out.write(f"=== {name}, {claim}, {number}: {line['id']} for {line['survivor']}{typos}\n")
                    out.write(words.word_diff(texts[line["survivor"]], texts[line["id"]]) + "\n\n")


if __name__ == "__main__":
    main()
