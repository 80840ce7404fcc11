"""Verdicts on sampled removals: by a rule where one applies, else by a person, kept between runs.

A removal is right if both documents have one name, or one text but for layout, case and closing
punctuation. All others are shown side by side, and a person writes `right` or `wrong` into the
column `verdict` of verdicts.tsv: wrong if a reader of both would say that they say different
things. The next run reads the column, and asks only for pairs without a verdict.
"""
import csv

import made
from words import word_diff

COLUMNS = ["corpus", "a", "b", "verdict", "note"]


class Verdicts:
    def __init__(self, path):
        self.path = path
        self.known = {}
        if path.exists():
            with open(path, encoding="utf-8", newline="") as lines:
                for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                    self.known[row["corpus"], row["a"], row["b"]] = row

    def of(self, corpus, removal):
        """The verdict and its reason; a pair without a verdict gets a line to fill in."""
        if removal["same_name"]:
            return "right", "name"
        if removal["same_text"]:
            return "right", "text"
        if corpus in made.KINDS:
            return "wrong", "name"
        key = (corpus, *sorted((removal["id"], removal["survivor"])))
        row = self.known.setdefault(key, {**dict(zip(COLUMNS, key)), "verdict": "", "note": f"J {removal['jaccard']:.3f}"})
        return row["verdict"].strip() or "open", "person"

    def write(self):
        with open(self.path, "w", encoding="utf-8", newline="") as lines:
            table = csv.DictWriter(lines, COLUMNS, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n")
            table.writeheader()
            table.writerows(self.known[key] for key in sorted(self.known))


def side_by_side(corpus, sampled, by_id, verdicts):
    """Text for a person: each sampled removal that no rule settles, and the words that differ."""
    out = []
    for removal in sampled:
        verdict, reason = verdicts.of(corpus, removal)
        if reason != "person":
            continue
        said = removal["said"]
        out.append(
            f"=== {corpus}  J {removal['jaccard']:.3f} of raw words; the program: distance {said['distance']}, "
            f"J {said['jaccard']}, {', '.join(said['rules'] or [])}  [{verdict}]\n"
            f"removed  {removal['id']}  ({removal['names'][0]})\nsurvivor {removal['survivor']}  ({removal['names'][1]})\n"
            f"{word_diff(by_id[removal['survivor']]['text'], by_id[removal['id']]['text'])}\n"
        )
    return out
