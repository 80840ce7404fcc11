//! `dedup screen --html`: one page beside the usual answer.

use crate::folder::Folder;
use crate::texts::{BEES, EDITED, HARBOUR};

fn essays() -> Folder {
    Folder::new().file("in/essay.txt", EDITED).file("in/own.txt", BEES).file("src/harbour.txt", HARBOUR)
}

#[test]
fn the_page_does_not_change_the_answer() {
    let folder = essays();
    let plain = folder.dedup("screen in --against src --min-words 10");
    let answer = folder.dedup("screen in --against src --min-words 10 --html report.html");
    assert_eq!(answer, plain, "the answer is the same");
    assert_eq!((answer.code, folder.names()), (0, ["in", "report.html", "src"].map(str::to_owned).into()));
    let page = folder.read_text("report.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("\"min_words\":10") && page.contains("\"id\":\"src/harbour.txt\""));
    folder.dedup("screen in --against src --min-words 10 --html again.html");
    assert_eq!(folder.read_text("again.html"), page, "the same input gives the same page");
}

#[test]
fn a_page_that_cannot_be_written_ends_the_run_at_once() {
    let folder = essays();
    let answer = folder.dedup("screen in --against src --html nowhere/report.html");
    assert_eq!((answer.code, answer.stdout.as_str()), (2, ""));
    assert!(answer.stderr.contains("nowhere/report.html"), "{}", answer.stderr);
}
