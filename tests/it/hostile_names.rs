//! Names that would command a terminal or turn the direction of a line are shown, and change nothing.

use crate::folder::{Answer, Folder, run};
use crate::office::archive;
use crate::texts::{EDITED, HARBOUR};

/// A right-to-left override, an isolate and an escape sequence.
const NAME: &str = "a\u{202e}b\u{2066}\u{9b}.txt";

fn answer(folder: &Folder, words: &[&str]) -> Answer {
    run(folder.command("").args(words), b"")
}

fn is_tame(answer: &Answer) -> bool {
    let text = [&*answer.stdout, &*answer.stderr].concat();
    !text.contains(['\u{202e}', '\u{2066}', '\u{9b}', '\u{1b}'])
}

#[test]
fn names_are_shown_and_change_nothing() {
    let folder = Folder::new().file(NAME, HARBOUR).file("b.txt", EDITED);
    for words in [
        &["explain", NAME][..],
        &["compare", NAME, "b.txt"],
        &["compare", "--format", "json", NAME, "b.txt"],
        &[NAME, "b.txt"],
        &["compare", "--language", "xxx", NAME, "b.txt"],
        &["find", "--format", "text", NAME, "b.txt"],
        &["find", "--similarity", "0.1", "--format", "json", NAME, "b.txt"],
        &["screen", NAME, "b.txt"],
        &["fingerprint", NAME, "-o", "\u{202e}.fp"],
        &["info", "\u{202e}.fp"],
        &["verify", "\u{202e}.fp"],
        &["index", "create", "\u{202e}", "--language", "eng"],
        &["index", "add", "\u{202e}", NAME],
        &["index", "verify", "\u{202e}"],
        &["index", "info", "\u{202e}"],
    ] {
        let answer = answer(&folder, words);
        assert!(is_tame(&answer), "{words:?}: {answer:?}");
        assert!(answer.code < 2 || answer.stderr.contains("'xxx' is unknown"), "{words:?}: {answer:?}");
    }
}

#[test]
fn a_plan_has_names_that_can_be_read_and_applied() {
    let folder = Folder::new().file(&format!("in/{NAME}"), HARBOUR).file("in/Z.txt", HARBOUR);
    folder.dedup("audit in --plan plan.jsonl").code_is(0);
    let plan = folder.read_text("plan.jsonl");
    let escaped = r"a\\xE2\\x80\\xAEb\\xE2\\x81\\xA6\\xC2\\x9B.txt";
    assert!(plan.contains(escaped) && !plan.contains(['\u{202e}', '\u{2066}', '\u{9b}']), "{plan}");
    folder.dedup("apply plan.jsonl --move-to aside").code_is(0);
    assert_eq!(folder.files("in").len(), 1);
}

#[test]
fn wrong_arguments_are_shown_and_change_nothing() {
    let folder = Folder::new();
    for words in [
        &["find", "--x\u{202e}y"][..],
        &["find", "--threads", "1\u{202e}", "in"],
        &["find", "--keep", "1\u{1b}[2J", "in"],
        &["fnid\u{2066}", "in"],
        &["nothing\u{202e}", "nowhere"],
    ] {
        let answer = answer(&folder, words);
        answer.code_is(2);
        assert!(is_tame(&answer) && answer.stderr.len() > 10, "{words:?}: {answer:?}");
    }
    let plain = answer(&folder, &["find", "--xy"]);
    assert!(plain.stderr.starts_with("error: unexpected argument '--xy' found\n\n"), "{plain:?}");
}

#[test]
fn a_member_is_named_as_the_archive_names_it() {
    let bytes = archive(&[("/etc/passwd", "x"), ("b.txt", HARBOUR), ("c/inner.zip", "PK\u{3}\u{4}")]);
    let folder = Folder::new().file("in.zip", bytes);
    let answer = folder.dedup("find --report page.html in.zip");
    assert!(answer.stderr.contains("in.zip//etc/passwd: has a name that leads out of the archive"), "{answer:?}");
    let page = folder.read_text("page.html");
    assert!(page.contains("name outside the archive"), "the reason is named, not the place");
}
