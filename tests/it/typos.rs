//! Words that are misspelt, as the corpus attests.

use crate::folder::{Folder, jsonl as lines};
use crate::texts::{HALL, MILL, jsonl};

/// A text, one with another word in place of `right`, and three that have the right word.
fn corpus(right: &str, other: &str) -> Folder {
    let text = format!("{MILL} The {right} of them was kept in the church. {HALL}");
    let misspelt = text.replace(right, other);
    let further = [1, 2, 3].map(|number| format!("Page {number} says where the {right} of year {number} is."));
    let [one, two, three] = &further;
    Folder::new().file("in.jsonl", jsonl(&[("a", &text), ("b", &misspelt), ("1", one), ("2", two), ("3", three)]))
}

const CLEAN: &str = "clean -q --id-field id --keep first in.jsonl -o out.jsonl";

#[test]
fn an_attested_typo_counts_as_the_same_word() {
    let folder = corpus("document", "documnet");
    folder.dedup(CLEAN).quietly(0);
    let removed = &lines(&folder.read_text("out.jsonl.removed.jsonl"))[0];
    assert_eq!(
        (&removed["id"], &removed["survivor"], &removed["removal"]),
        (&"b".into(), &"a".into(), &"contained".into())
    );
    assert_eq!(removed["typos"], serde_json::json!([["documnet", "document"]]));
    assert_eq!(lines(&folder.read_text("out.jsonl.review.jsonl")).len(), 1, "only the closing line");
    let found = folder.dedup("find -q --id-field id --keep first --format jsonl in.jsonl").quietly(0);
    assert_eq!(lines(&found)[0]["members"][0]["removal"], "contained");
    // The narrowest claim keeps it, and a table names it too.
    folder.dedup(&format!("{CLEAN} --force --remove same")).quietly(0);
    assert_eq!(lines(&folder.read_text("out.jsonl")).len(), 5);
    folder.dedup(&CLEAN.replace("out.jsonl", "out.csv")).quietly(0);
    assert!(folder.read_text("out.csv.removed.csv").contains(",documnet/document,"));
    // The list can be applied.
    folder.dedup("clean -q --id-field id in.jsonl --apply out.csv.removed.csv -o applied.jsonl").quietly(0);
    assert_eq!(lines(&folder.read_text("applied.jsonl")).len(), 4);
}

#[test]
fn other_words_are_kept_and_listed() {
    for (right, other) in [
        ("contract", "contact"),
        ("geliyor", "gelmiyor"),
        ("Johnson", "Johnston"),
        ("report", "reports"),
        ("may", "may not"),
    ] {
        let folder = corpus(right, other);
        folder.dedup(CLEAN).quietly(0);
        assert_eq!(lines(&folder.read_text("out.jsonl")).len(), 5, "{other}");
        assert_eq!(lines(&folder.read_text("out.jsonl.review.jsonl"))[0]["id"], "b", "{other}");
    }
}

#[test]
fn a_word_that_occurs_elsewhere_is_no_typo() {
    let folder = corpus("document", "documnet");
    let text = folder.read_text("in.jsonl") + &jsonl(&[("4", "One more documnet.")]);
    let folder = folder.file("in.jsonl", text);
    folder.dedup(CLEAN).quietly(0);
    assert_eq!(lines(&folder.read_text("out.jsonl")).len(), 6);
}
