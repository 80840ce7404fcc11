//! `dedup screen --save`, authors and anonymous reports.

use std::fs;

use serde_json::Value;

use super::hand_in::zip;
use crate::folder::{Folder, run};
use crate::texts::{HALL, MILL, jsonl};

/// Two years of essays; one of the second year copies from the first.
fn years() -> Folder {
    Folder::new()
        .file("2025/ana/mill.txt", format!("{MILL} My own opinion of mills follows here, in a few words."))
        .file("2025/ben/clock.txt", HALL)
        .file("2026/cleo/essay.txt", format!("Something about our hall, by way of a beginning.\n\n{HALL}"))
        .file("2026/ana/essay.txt", MILL)
}

#[test]
fn an_archive_answers_as_its_texts_do() {
    let folder = years();
    let saved = folder.dedup("screen 2025 --save 2025.dsi");
    saved.code_is(0);
    assert!(saved.stderr.contains("2025.dsi: read 2 documents"), "{saved:?}");
    let expected = folder.screened("2026 --against 2025");
    assert_eq!(expected.len(), 2);
    assert_eq!(folder.screened("2026 --against 2025.dsi"), expected);
    fs::remove_dir_all(folder.path().join("2025")).unwrap();
    assert_eq!(folder.screened("2026 --against 2025.dsi"), expected, "the texts are in it");
    // Any number of archives and texts can be sources together.
    folder.dedup("screen -q 2026/cleo --save cleo.dsi").quietly(0);
    let many = folder.dedup("screen 2026/ana --against 2025.dsi cleo.dsi --against 2026/cleo");
    assert!(many.stderr.contains("compared 1 document with 4 sources"), "{many:?}");
    assert_eq!(folder.screened("2026 --against 2025.dsi ./2025.dsi"), expected, "an archive named twice is one");
    // An archive is a fingerprint file too.
    assert!(folder.dedup("verify 2025.dsi").quietly(0).contains("2 documents, all is well"));
    assert_eq!(
        folder.dedup("find -q --pairs 2026 --against 2025.dsi --format json").json().as_array().unwrap().len(),
        2
    );
}

/// How common words are is counted over all documents, whether they are read or archived.
#[test]
fn scores_of_short_documents_do_not_depend_on_where_the_sources_are() {
    let mut folder = years();
    // The same words in another order.
    let words: Vec<&str> = HALL.split_whitespace().chain(MILL.split_whitespace()).rev().collect();
    for number in 0..30 {
        let (before, after) = words.split_at(number);
        folder = folder.file(&format!("2025/other/{number}.txt"), [after, before].concat().join(" "));
    }
    let expected = folder.screened("2026 --against 2025 --min-probability 0");
    folder.dedup("screen -q 2025 --save 2025.dsi").quietly(0);
    folder.dedup("index create 2025.dfi --passages").quietly(0);
    folder.dedup("index add 2025.dfi 2025").code_is(0);
    for sources in ["2025.dsi", "2025.dfi", "2025 --threads 1"] {
        assert_eq!(folder.screened(&format!("2026 --against {sources} --min-probability 0")), expected, "{sources}");
    }
    let alone = folder.screened("2026 --against 2025/ana 2025/ben --min-probability 0");
    let scores = |found: &[Value]| -> Vec<String> {
        let is_copied = |passage: &&Value| !passage["source"].as_str().unwrap().contains("other");
        found.iter().filter(is_copied).map(|passage| passage["score"].to_string()).collect()
    };
    assert_eq!(alone.len(), 2);
    assert_ne!(scores(&alone), scores(&expected), "the other texts count");
}

#[test]
fn authors_are_kept_with_their_texts() {
    let folder = years();
    folder.dedup("screen -q 2025 --authors --save 2025.dsi").quietly(0);
    let found = folder.screened("2026 --authors --against 2025.dsi");
    assert_eq!(found.len(), 1, "Ana may use her own words: {found:?}");
    assert_eq!(found[0]["source"], "2025/ben/clock.txt");
    // In an archive without authors they are unknown, which is reported.
    folder.dedup("screen -q 2025 --save nobody.dsi").quietly(0);
    let answer = folder.dedup("screen 2026 --authors --against nobody.dsi");
    assert!(answer.stderr.contains("dedup: 2 documents of archives without an author"), "{answer:?}");
    let answer = folder.dedup("screen 2026 --against nobody.dsi");
    assert!(!answer.stderr.contains("author"), "{answer:?}");
}

#[test]
fn a_pattern_can_name_the_author() {
    let folder = Folder::new()
        .file("class/seminar 1/anna/essay.txt", MILL)
        .file("class/seminar 1/ben/essay.txt", MILL)
        .file("class/seminar 1/ben/draft.txt", MILL)
        .file("class/late.txt", MILL);
    // The seminar is taken for the author.
    let told = folder.dedup("screen class --authors").stderr;
    assert!(told.contains("dedup: 3 documents by 1 author, and 1 without one"), "{told}");
    let found = folder.screened("class --author-pattern ^[^/]+/([^/]+)/");
    let pairs: Vec<[&str; 2]> =
        found.iter().map(|it| [it["suspicious"].as_str().unwrap(), it["source"].as_str().unwrap()]).collect();
    assert_eq!(pairs.len(), 5, "all pairs but that of Ben's: {pairs:?}");
    assert!(pairs.iter().all(|pair| !pair.iter().all(|id| id.contains("ben"))), "{pairs:?}");
    for (line, told) in
        [("--author-pattern (", "unclosed group"), ("--author-pattern x --authors", "cannot be used with")]
    {
        let answer = folder.dedup(&format!("screen class {line}"));
        assert!(answer.code == 2 && answer.stderr.contains(told), "{answer:?}");
    }
}

/// A folder of a class in Google Drive, whose files have the title and the name in either order.
#[test]
fn a_pattern_takes_the_name_beside_a_title() {
    let members = ["Essay 1 - Ana Ruiz.txt", "Copy of Essay 1 - Ben Lee.txt", "Essay 1 - Ben Lee.txt", "notes.txt"];
    let class = zip(&members.map(|name| (name, MILL.as_bytes())));
    let turned = ["Ana Ruiz - Essay 1.txt", "Copy of Ben Lee - Essay 1.txt", "Ben Lee - Essay 1.txt", "notes.txt"];
    let turned = zip(&turned.map(|name| (name, MILL.as_bytes())));
    let folder = Folder::new().file("class.zip", class).file("turned.zip", turned);
    for (archive, pattern) in [
        ("class.zip", r"(?:^|/)(?:Copy of )?Essay 1 - ([^/]+)\.[^./]+$"),
        ("turned.zip", r"(?:^|/)(?:Copy of )?([^/]+) - Essay 1\.[^./]+$"),
    ] {
        let mut command = folder.command(&format!("screen {archive} --list documents --format csv"));
        let answer = run(command.args(["--author-pattern", pattern]), b"");
        assert!(answer.stderr.contains("dedup: 3 documents by 2 authors, and 1 without one\n"), "{answer:?}");
        let mut authors: Vec<&str> = answer.stdout.lines().skip(1).filter_map(|row| row.split(',').nth(1)).collect();
        // A row for each source: three for each document, but two for each of Ben's.
        authors.sort_unstable();
        assert_eq!(
            authors,
            ["", "", "", "Ana Ruiz", "Ana Ruiz", "Ana Ruiz", "Ben Lee", "Ben Lee", "Ben Lee", "Ben Lee"]
        );
    }
}

#[test]
fn a_field_can_name_the_author() {
    let record = |name: &str, text: &str| serde_json::json!({ "who": name, "text": text }).to_string() + "\n";
    let folder = Folder::new()
        .file("old.jsonl", record("ana", MILL) + &record("ben", HALL))
        .file("new.jsonl", record("ana", MILL) + &record("cleo", HALL) + &record("", MILL));
    let ids = |line: &str| -> Vec<Value> { folder.screened(line).iter().map(|it| it["suspicious"].clone()).collect() };
    assert_eq!(ids("new.jsonl --against old.jsonl").len(), 3);
    let expected = ["new.jsonl:2", "new.jsonl:3"];
    assert_eq!(ids("new.jsonl --author-field who --against old.jsonl"), expected);
    folder.dedup("screen -q old.jsonl --author-field who --save old.dsi").quietly(0);
    assert_eq!(ids("new.jsonl --author-field who --against old.dsi"), expected);
}

#[test]
fn files_that_are_not_archives_are_refused() {
    let folder = years();
    folder.dedup("fingerprint -q 2025 -o 2025.fp").quietly(0);
    folder.dedup("screen -q 2026 --against 2025.fp").fails_saying(
        "2025.fp: a fingerprint file has no texts to find passages in; make it with `dedup screen --save`",
    );
    folder.dedup("screen -q 2025 --save 2025.dsi").quietly(0);
    let whole = fs::read(folder.path().join("2025.dsi")).unwrap();
    let at = whole.windows(8).position(|bytes| bytes == b"The mill").unwrap();
    let mut changed = whole.clone();
    changed[at] ^= 1;
    let folder = folder.file("changed.dsi", changed).file("cut.dsi", &whole[..whole.len() / 2]);
    folder.dedup("screen -q 2026 --against changed.dsi").fails_saying("changed.dsi: section 'texts' is damaged");
    folder.dedup("screen -q 2026 --against cut.dsi").fails_saying("cut.dsi: ");
    // Inputs are not overwritten, and saving does not compare.
    folder.dedup("screen -q 2025 --save 2025/ana/mill.txt").fails_saying("is read as an input and would be the output");
    assert_eq!(folder.dedup("screen 2025 --save x.dsi --against 2026").code, 2);
}

/// An archive is refused as a document to screen and as a template.
#[test]
fn an_archive_is_not_a_document() {
    let folder = years();
    folder.dedup("screen -q 2025 --save 2025.dsi").quietly(0);
    for line in ["screen -q 2026 2025.dsi", "screen -q 2026 --ignore 2025.dsi"] {
        folder.dedup(line).fails_saying(
            "2025.dsi: is an archive, an index or a fingerprint file and no text; to compare with it, name it after --against",
        );
    }
}

/// A document is not compared with a source of the same name and text, and a note says so.
#[test]
fn a_document_among_its_sources_is_reported() {
    let folder = Folder::new().file("a/essay.txt", MILL).file("b/essay.txt", HALL);
    folder.dedup("screen -q a b --save all.dsi").quietly(0);
    let same = folder.dedup("screen a --against all.dsi");
    same.code_is(1);
    let told = "1 document stands among the sources too, and no document was compared with itself";
    assert!(same.stderr.contains(told), "{same:?}");
    // The same name with another text is another document.
    let folder = folder.file("a/essay.txt", format!("A few words of his own come first, then the rest. {MILL}"));
    assert_eq!(folder.screened("a --against all.dsi").len(), 1);
}

#[test]
fn names_can_be_left_out() {
    let folder = years();
    let answer = folder
        .dedup("screen -q 2026 --against 2025 --authors --anonymise --names key.csv --html page.html --format jsonl");
    answer.code_is(0);
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    // The rest of the page is the same for all screenings.
    let (_, data) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    for text in [&*answer.stdout, data] {
        for name in ["cleo", "ben", "2025/", "2026/", "essay.txt"] {
            assert!(!text.contains(name), "{name} in {text}");
        }
    }
    let key = fs::read_to_string(folder.path().join("key.csv")).unwrap();
    let named = |name: &str| -> String {
        let row = key.lines().find(|line| line.ends_with(&format!(",{name}"))).unwrap_or_else(|| panic!("{key}"));
        row.split(',').next().unwrap().to_owned()
    };
    assert_eq!(answer.jsonl()[0]["suspicious"], *named("2026/cleo/essay.txt"));
    assert_eq!(answer.jsonl()[0]["source"], *named("2025/ben/clock.txt"));
    assert!(named("cleo").starts_with("author-"));
    // Names can be left out without a key, and `--force` replaces the key of an earlier run.
    assert!(!folder.dedup("screen -q 2026 --against 2025 --anonymise").stdout.contains("essay.txt"));
    folder.dedup("screen -q 2026 --against 2025 --anonymise --names key.csv --force").code_is(0);
    folder
        .dedup("screen -q 2026 --against 2025 --anonymise --names 2025/ben/clock.txt")
        .fails_saying("is read as an input");
}

#[test]
fn records_can_be_archived() {
    let folder = Folder::new().file("a.jsonl", jsonl(&[("mill", MILL), ("clock", HALL), ("mill", MILL), ("none", "")]));
    let saved = folder.dedup("screen a.jsonl --id-field id --save a.dsi");
    saved.code_is(2);
    assert!(saved.stderr.contains("mill"), "an id that was met before is told: {saved:?}");
    let folder = folder.file("b.txt", format!("{HALL}\n\n{MILL}"));
    let sources: Vec<Value> = folder.screened("b.txt --against a.dsi").iter().map(|it| it["source"].clone()).collect();
    assert_eq!(sources.len(), 2, "{sources:?}");
}
