//! Short texts that stand whole in others.

use std::collections::BTreeSet;

use super::{FERRY, KILN};
use crate::folder::Folder;

const ANSWER: &str = "Yes, I agree with the statement above completely.";

/// Two answers of eight words that are equal, and two of five.
fn answers() -> Folder {
    let short = "Because of money and time.";
    Folder::new().file("in/a.txt", ANSWER).file("in/b.txt", ANSWER).file("in/c.txt", short).file("in/d.txt", short)
}

#[test]
fn a_short_text_is_a_passage_as_a_whole_unless_a_threshold_is_given() {
    let sentence = "My grandmother walked to her village school in a blue pinafore which her mother had dyed.";
    let folder = answers().file("long/a.txt", sentence).file("long/b.txt", format!("{FERRY} {sentence} {KILN}"));
    let count = |line: &str| folder.screened(line).len();
    assert_eq!((count("in"), count("long")), (2, 1));
    for (options, found) in [("--min-words 20", 0), ("--min-words 8", 1), ("--min-words 5", 2)] {
        assert_eq!(count(&format!("in {options}")), found, "{options}");
    }
    for folder in ["in", "long"] {
        assert_eq!(count(&format!("{folder} --min-probability 0.2")), 0, "{folder}");
    }
}

/// Each sentence is found, in whatever language its few words are read, and on whichever side it stands.
#[test]
fn a_sentence_is_found_in_any_longer_text() {
    let text = format!("{KILN} {FERRY}");
    let words: Vec<&str> = text.split_whitespace().collect();
    for length in [5, 6, 8, 11, 19] {
        let starts = (0..words.len() - length).step_by(7);
        let mut folder = Folder::new().file("long/essay.txt", &text);
        for start in starts.clone() {
            folder = folder.file(&format!("short/{start}.txt"), words[start..start + length].join(" "));
        }
        let shorter = folder.screened("short --against long").into_iter().map(|found| found["suspicious"].clone());
        let found: BTreeSet<String> = shorter.map(|id| id.as_str().unwrap().to_owned()).collect();
        assert_eq!(found.len(), starts.clone().count(), "{length}: {found:?}");
        assert_eq!(folder.screened("long --against short").len(), found.len(), "{length}");
        let with_essay = folder.screened("short long").iter().filter(|it| it.to_string().contains("essay.txt")).count();
        assert_eq!(with_essay, found.len(), "{length}");
    }
}

#[test]
fn no_author_copies_a_short_text_of_their_own() {
    let essay = format!("{KILN} {FERRY}");
    let sentence = KILN.split_whitespace().skip(3).take(8).collect::<Vec<_>>().join(" ");
    let folder = Folder::new().file("in/ana/essay.txt", &essay).file("in/ana/note.txt", &sentence);
    assert_eq!(folder.screened("in").len(), 1);
    assert_eq!(folder.screened("in --authors").len(), 0);
    let folder = folder.file("in/ben/note.txt", &sentence);
    assert_eq!(folder.screened("in --authors").len(), 2, "Ben's note with both texts of Ana");
}

#[test]
fn a_page_tells_that_whole_texts_count() {
    let folder = answers();
    for (options, whole) in [("", true), ("--min-words 8", false), ("--min-probability 0.1 --min-words 5", false)] {
        folder.dedup(&format!("screen -q in {options} --html r.html --force"));
        let page = folder.read_text("r.html");
        assert!(page.contains(&format!("\"whole_texts\":{whole}")), "{options}");
        // In Arabic a number decides the form of its noun, but not of one behind "of".
        assert!(page.contains("من كل {n} من أزواج النصوص") && !page.contains("كل {n} أزواج"));
    }
}

/// Two equal texts do stand elsewhere, though their words are not counted.
#[test]
fn weak_passages_are_not_said_to_stand_nowhere() {
    let told = answers().dedup("screen -q in").stdout;
    let expected = "in/c.txt\n  0.00 %  none of 5 words counts as copied; 5 in weak passages\n  0.00 %  1 passage, all weak, in in/d.txt\n";
    assert!(told.contains(expected), "{told}");
    assert!(!told.contains("0 of 5 words"), "{told}");
}
