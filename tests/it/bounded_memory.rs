//! Memory is bounded for texts that repeat themselves, and no other document is lost.

use std::process::Command;

use crate::folder::{Answer, DEDUP, Folder, run};

const KILN: &str = "Glass begins as sand that is melted with soda and lime until it glows like honey. A gatherer turns \
    the iron in the furnace, lifts out a drop, and the blower gives it his breath before it stiffens.";

/// Runs a command with a limit on writable memory in megabytes. Linux also counts the stacks of threads and per-thread
/// allocator arenas, so arenas are limited to one; the program and the files that it maps are not counted.
fn within(megabytes: usize, folder: &Folder, line: &str) -> Answer {
    let limited = format!("ulimit -d {}; exec {DEDUP} {line}", megabytes << 10);
    let mut command = Command::new("sh");
    run(command.args(["-c", &limited]).current_dir(folder.path()).env("MALLOC_ARENA_MAX", "1"), b"")
}

/// Two nearly equal texts of one repeated word, and two others.
fn of_one_word(word: &str, times: usize) -> Folder {
    let text = word.repeat(times);
    Folder::new()
        .file("in/a.txt", &text)
        .file("in/b.txt", format!("{text} x y z"))
        .file("in/kiln.txt", KILN)
        .file("in/oven.txt", format!("Of ovens. {KILN}"))
}

/// The pairs of documents that share passages.
fn pairs(answer: &Answer) -> Vec<[String; 2]> {
    let name = |passage: &serde_json::Value, key: &str| passage[key].as_str().unwrap().to_owned();
    let mut pairs: Vec<_> = answer.jsonl().iter().map(|it| ["suspicious", "source"].map(|key| name(it, key))).collect();
    pairs.sort();
    pairs.dedup();
    pairs
}

#[test]
fn texts_that_repeat_themselves_are_screened_in_little_memory() {
    for (word, times) in [("的", 150_000), ("\u{fdfa}", 40_000), ("tide ", 150_000)] {
        let folder = of_one_word(word, times);
        let answer = within(130, &folder, "screen -q --format jsonl --html page.html in");
        assert_eq!((answer.code, &*answer.stderr), (0, ""), "{word}: {answer:?}");
        let expected = [["in/a.txt", "in/b.txt"], ["in/kiln.txt", "in/oven.txt"]].map(|pair| pair.map(str::to_owned));
        assert_eq!(pairs(&answer), expected, "{word}");
        assert!(folder.read_text("page.html").contains("in/kiln.txt"), "{word}");
    }
}

#[test]
fn archives_and_comparisons_of_such_texts_are_made_in_little_memory() {
    let folder = of_one_word("\u{fdfa}", 40_000);
    for line in [
        "screen -q in --save in.dsi",
        "index create --passages in.index",
        "index add -q in.index in",
        "compare in/a.txt in/b.txt",
    ] {
        within(130, &folder, line).code_is(0);
    }
    for archive in ["in.dsi", "in.index"] {
        let answer =
            within(130, &folder, &format!("screen -q --format jsonl in/b.txt in/oven.txt --against {archive}"));
        let expected = [["in/b.txt", "in/a.txt"], ["in/oven.txt", "in/kiln.txt"]].map(|pair| pair.map(str::to_owned));
        assert_eq!(pairs(&answer), expected, "{archive}: {answer:?}");
    }
}

/// Number of words of a text, above the maximum of 2^20.
const TOO_MANY: usize = 1_050_000;

#[test]
fn a_text_of_too_many_words_is_compared_in_part_with_a_note() {
    let long = format!("{KILN} {}{KILN}", "的".repeat(TOO_MANY));
    let folder = Folder::new().file("in/long.txt", &long).file("src/kiln.txt", KILN);
    let words = KILN.split_whitespace().count();
    let compared = KILN.len() + " ".len() + "的".len() * ((1 << 20) - words);
    let left = long.len() - compared;
    let told = format!(
        "dedup: in/long.txt: has more than 1048576 words: only its first {compared} of {} bytes are \
         compared; divide it into several documents to compare all of it\n",
        long.len()
    );
    let answer = within(130, &folder, "screen in --against src --list documents --format json --html page.html");
    answer.code_is(2);
    assert!(answer.stderr.starts_with(&told), "{answer:?}");
    let summary = "1 document was compared in part, the first 1,048,576 words of each: nothing is known of the rest";
    assert!(answer.stderr.contains(summary) && !answer.stderr.contains("skipped"), "{answer:?}");
    let document = &answer.json()[0];
    let shown =
        ["words", "bytes_not_compared", "words_in_passages"].map(|key| document[key].as_u64().unwrap() as usize);
    assert_eq!(shown, [1 << 20, left, words], "{document}");
    assert!(folder.read_text("page.html").contains("\"in_part\":1,"));
    let answer = within(130, &folder, "screen in --against src");
    let note = format!("note: only its first 1048576 words were compared not the {left} bytes of text after them");
    assert!(answer.stdout.replace(',', "").contains(&note), "{answer:?}");

    // An archive reports it both when it is made and when it is searched.
    let answer = within(130, &folder, "screen in --save in.dsi");
    assert!(answer.code == 2 && answer.stderr.starts_with(&told), "{answer:?}");
    let summary =
        "in.dsi: read 1 document (3.15 MB of text) in 1 file; 1 to be compared only in part, because of too many words";
    assert!(answer.stderr.contains(summary), "{answer:?}");
    let answer = within(130, &folder, "screen src --against in.dsi --format jsonl");
    assert!(answer.code == 2 && answer.stderr.starts_with(&told), "{answer:?}");
    assert_eq!(pairs(&answer), [["src/kiln.txt".to_owned(), "in/long.txt".to_owned()]]);
}
