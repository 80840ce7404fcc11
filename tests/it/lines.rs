//! `dedup clean --lines`: lines that stand in many documents.

use serde_json::json;

use crate::documents::{
    Documents, NULL, all_is_kept_or_listed, in_each_format, in_units, lines_of, number, object_of_run,
};
use crate::folder::{Folder, jsonl as parsed};
use crate::texts::{BEES, CLOCK, HALL, HARBOUR, MILL, jsonl};

const RUN: &str = "clean -q --id-field id --lines --max-documents 2";

const FOOTER: &str = "Posted by the harbour office; all rights reserved.";

fn corpus() -> Documents {
    vec![
        ("mill", format!("Home\r\n{MILL}\r\n© {FOOTER}\r\n")),
        ("hall", format!("HOME\n{HALL}\n{BEES}\n{}\n{BEES}\n", FOOTER.to_uppercase())),
        ("clock", format!("Hôme\n{CLOCK}\nPage 3 of 9\n{FOOTER}")),
        ("bees", format!("{BEES}\n\nPage 7 of 9\n{FOOTER}\n")),
        ("page", format!("Page 1 of 9\n--- {FOOTER}")),
        ("none", String::new()),
        ("alone", "研究海洋的人每天都记录水面的高度。".into()),
    ]
}

fn workshop() -> Folder {
    Folder::new().file("corpus.jsonl", lines_of(&corpus()) + NULL)
}

#[test]
fn the_first_document_keeps_a_line() {
    let folder = workshop();
    folder.dedup(&format!("{RUN} corpus.jsonl -o out.jsonl --attributes spans.jsonl")).quietly(0);
    let kept = vec![
        ("mill", format!("Home\r\n{MILL}\r\n© {FOOTER}\r\n")),
        ("hall", format!("{HALL}\n{BEES}\n{BEES}\n")),
        ("clock", format!("{CLOCK}\nPage 3 of 9\n")),
        ("bees", format!("{BEES}\n\n")),
        ("none", String::new()),
        ("alone", "研究海洋的人每天都记录水面的高度。".into()),
    ];
    assert_eq!(folder.read_text("out.jsonl"), lines_of(&kept) + NULL);
    let line = |id: &str, [start, end]: [usize; 2], more: usize, words: u32, first: &str, documents: u32, why: &str| {
        let (start_bytes, end_bytes) = if start == 0 { (0, end + more) } else { (start + more, end + more) };
        format!(
            "{{\"id\":\"{id}\",\"start\":{start},\"end\":{end},\"start_bytes\":{start_bytes},\"end_bytes\":{end_bytes},\
             \"words\":{words},\"first\":{first},\"documents\":{documents},\"why\":\"{why}\"}}\n"
        )
    };
    let home = r#"{"id":"mill","start":0,"start_bytes":0}"#;
    let at = MILL.len() + 8;
    let footer = format!("{{\"id\":\"mill\",\"start\":{at},\"start_bytes\":{at}}}");
    let at = CLOCK.len() + 6;
    let page = format!("{{\"id\":\"clock\",\"start\":{at},\"start_bytes\":{}}}", at + 1);
    let length = FOOTER.len();
    let hall = 5 + HALL.len() + 1 + BEES.len() + 1;
    let clock = 5 + CLOCK.len() + 1 + 12;
    let bees = BEES.len() + 2;
    let expected = [
        line("hall", [0, 5], 0, 1, home, 3, "edge"),
        line("hall", [hall, hall + length + 1], 0, 8, &footer, 5, "long"),
        line("clock", [0, 5], 1, 1, home, 3, "edge"),
        line("clock", [clock, clock + length], 1, 8, &footer, 5, "long"),
        line("bees", [bees, bees + 12], 0, 4, &page, 3, "edge"),
        line("bees", [bees + 12, bees + 12 + length + 1], 0, 8, &footer, 5, "long"),
        line("page", [0, 12], 0, 4, &page, 3, "edge"),
        line("page", [12, 16 + length], 0, 8, &footer, 5, "long"),
    ];
    assert_eq!(folder.read_text("out.jsonl.cut.jsonl"), expected.concat());
    let spans = parsed(&folder.read_text("spans.jsonl"));
    assert_eq!(spans[2]["spans"], serde_json::json!([[bees, bees + 13 + length]]));
    assert_eq!((spans[3]["file"].as_str(), number(&spans[3]["record"])), (Some("corpus.jsonl"), 5));
    assert_eq!(folder.names(), ["corpus.jsonl", "out.jsonl", "out.jsonl.cut.jsonl", "spans.jsonl"]);
    // A second run cuts nothing, and copies every byte.
    folder.dedup(&format!("{RUN} out.jsonl -o again.jsonl")).quietly(0);
    assert_eq!(folder.read_text("again.jsonl.cut.jsonl"), "");
    assert_eq!(folder.read("again.jsonl"), folder.read("out.jsonl"));
}

#[test]
fn the_summary_says_what_was_cut() {
    let folder = workshop();
    let bytes: usize = corpus().iter().map(|(_, text)| text.len()).sum();
    let words: usize = corpus()
        .iter()
        .map(|(_, text)| text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count())
        .sum();
    // The sea is read character by character.
    let words = words - 1 + 16;
    for (more, cut) in [
        (
            "",
            format!(
                "8 lines of more than 2 documents: 42 words of {words} ({:.1} %) in 4 documents\n",
                4200.0 / words as f64
            ),
        ),
        (
            "--max-cut 0.5 --min-left 0",
            format!(
                "6 lines of more than 2 documents: 30 words of {words} ({:.1} %) in 3 documents\ndedup: left whole, as more than --max-cut would be cut or it cannot be cut (extracted, compressed, of another encoding, or with malformed bytes): 1 document\n",
                3000.0 / words as f64
            ),
        ),
    ] {
        let answer =
            folder.dedup(&format!("clean --id-field id --lines --max-documents 2 corpus.jsonl --dry-run {more}"));
        let gone = if more.is_empty() { "dedup: left with too few words, so all of it goes: 1 document\n" } else { "" };
        assert_eq!(
            answer.stderr,
            format!(
                "dedup: read 8 documents ({} of text) in 1 file; 2 empty; 1 of them null\ndedup: {cut}{gone}dedup: a dry run: no documents were written\n",
                in_units(bytes)
            )
        );
        assert_eq!((answer.code, folder.names()), (0, vec!["corpus.jsonl".to_owned()]));
    }
}

#[test]
fn the_summary_is_an_object_for_programs() {
    let folder = workshop();
    let line = format!("{RUN} corpus.jsonl -o out.jsonl --counts counts --summary run.json");
    folder.dedup(&line).quietly(0);
    let run = object_of_run(&folder, &line);
    let options = ["lines", "paragraphs", "max_documents", "per_site", "all_lines", "keep", "min_left", "max_cut"];
    let options = options.map(|option| &run["options"][option]);
    assert_eq!(json!(options), json!([true, false, 2, null, false, "first", 1, 1.0]));
    assert_eq!((&run["read"]["documents"], &run["left_whole"]), (&json!(8), &json!(0)));
    assert_eq!(run["cut"], json!({"spans": 8, "words": 42, "documents": 4}));
    assert_eq!(run["gone"], json!({"documents": 1, "words": 0}));
    assert_eq!((&run["sites"], &run["counts"]["documents"]), (&json!(null), &json!(8)));
    assert_eq!(run["counts"]["was_known"], json!(false));
}

#[test]
fn the_page_shows_the_costliest_lines() {
    let folder = workshop();
    folder.dedup(&format!("{RUN} corpus.jsonl --dry-run --report lines.html")).quietly(0);
    let page = folder.read_text("lines.html");
    assert!(page.contains("<h2>1. 32 words: 8 at 4 places</h2>"), "{page}");
    let places: Vec<&str> = page.split("<h2>").nth(1).unwrap().split("<h3>").skip(1).collect();
    assert_eq!(places.len(), 3);
    for (place, (id, fate)) in places.iter().zip([("mill", "stays"), ("hall", "cut"), ("clock", "cut")]) {
        let (name, end) = (format!("<bdi>{id}</bdi>, character "), format!(": {fate}</h3>"));
        assert!(place.starts_with(&name) && place.contains(&end), "{place}");
    }
    assert!(places[2].contains(&format!("<mark>{FOOTER}</mark>")), "{}", places[2]);
    assert_eq!(folder.names(), ["corpus.jsonl", "lines.html"]);
}

/// What is kept and what is listed are the text, in each format.
#[test]
fn kept_text_and_spans_are_the_text() {
    let corpus = corpus();
    let (folder, names) = in_each_format(Folder::new(), &corpus);
    for name in names {
        for more in ["", "--max-cut 0.3", "--keep none", "--paragraphs --min-left 20", "--keep longest --threads 1"] {
            folder.dedup(&format!("{RUN} {name} -o out.{name} --force {more}")).quietly(0);
            let cuts = all_is_kept_or_listed(&folder, name, &corpus, more);
            assert!(cuts > 0 || more.starts_with("--paragraphs"), "{name} {more}");
        }
    }
}

#[test]
fn paragraphs_go_with_the_empty_lines_behind_them() {
    let notice = "This page is kept by\nthe harbour office.";
    let text = |before: &str, behind: &str| format!("{before}\n\n{notice}\n \n{behind}\n");
    let folder = Folder::new().file(
        "corpus.jsonl",
        jsonl(&[("a", &text(MILL, BEES)), ("b", &text(HALL, CLOCK)), ("c", &text(HARBOUR, "It closes."))]),
    );
    folder.dedup(&format!("{RUN} --paragraphs --keep none corpus.jsonl -o out.jsonl")).quietly(0);
    let [a, b, c] = [(MILL, BEES), (HALL, CLOCK), (HARBOUR, "It closes.")]
        .map(|(before, behind)| format!("{before}\n\n{behind}\n"));
    assert_eq!(folder.read_text("out.jsonl"), jsonl(&[("a", &a), ("b", &b), ("c", &c)]));
    let cut = parsed(&folder.read_text("out.jsonl.cut.jsonl"));
    assert_eq!((cut.len(), &cut[2]["first"]["id"]), (3, &"a".into()));
}

#[test]
fn a_folder_keeps_its_files() {
    let folder = Folder::new()
        .file("in/a.txt", format!("{HARBOUR}\n{FOOTER}\n"))
        .file("in/b/b.txt", format!("{BEES}\n{FOOTER}\n{CLOCK}\n"))
        .file("in/page.html", format!("<html><body><p>{MILL}</p><p>{FOOTER}</p><p>{CLOCK}</p></body></html>"))
        .file("in/c.md", format!("{FOOTER}\n"))
        .file("in/picture.png", b"\x89PNG\r\n\x1a\n\0\0");
    let line = "clean -q --lines --max-documents 2 in -o out";
    folder.dedup(line).code_is(2);
    let files = folder.files("out");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["a.txt", "b/b.txt", "page.html", "picture.png"]);
    assert_eq!(String::from_utf8_lossy(&files["b/b.txt"]), format!("{BEES}\n{CLOCK}\n"));
    for name in ["a.txt", "page.html"] {
        assert_eq!(files[name], folder.read(&format!("in/{name}")));
    }
    folder.dedup(&format!("{line}2 --threads 1")).code_is(2);
    assert_eq!(folder.files("out2"), files);
    assert_eq!(folder.read("out2.cut.jsonl"), folder.read("out.cut.jsonl"));
}

#[test]
fn the_policy_chooses_who_keeps_a_line() {
    let text = |rest: &str| format!("{rest}\n{FOOTER}\n");
    let folder =
        Folder::new().file("corpus.jsonl", jsonl(&[("b", &text(BEES)), ("c", &text(MILL)), ("a", &text("Short."))]));
    for (keep, expected) in
        [("first", "ca"), ("last", "bc"), ("longest", "ba"), ("shortest", "bc"), ("none", "bca"), ("field:id", "bc")]
    {
        folder.dedup(&format!("{RUN} corpus.jsonl --force -o out.jsonl --keep {keep}")).quietly(0);
        let cuts = parsed(&folder.read_text("out.jsonl.cut.jsonl"));
        assert_eq!(cuts.iter().map(|cut| cut["id"].as_str().unwrap()).collect::<String>(), expected, "{keep}");
    }
}

/// 1,000 documents with footers of 1, 2, 10, 11 and 1,000 of them, whatever the memory and the threads.
#[test]
fn the_limit_is_exact() {
    let letters =
        |number: usize| -> String { number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect() };
    let footers = [1, 2, 10, 11, 1000];
    let documents: Vec<(String, String)> = (0..1000)
        .map(|number| {
            let mut text = format!("{MILL} {}\n", letters(number));
            let of_page = footers.into_iter().filter(|&of| number < of);
            text.extend(of_page.map(|of| format!("This is the footer of {} pages {number}.\n", letters(of))));
            (number.to_string(), text)
        })
        .collect();
    let documents: Vec<(&str, &str)> = documents.iter().map(|(id, text)| (&**id, &**text)).collect();
    let folder = Folder::new().file("corpus.jsonl", jsonl(&documents));
    // Pages with numbers of as many digits have one footer.
    let expected = |limit: usize| -> usize {
        let widths = [(0, 10), (10, 100), (100, 1000)];
        let of = |footer: usize| widths.map(|(from, to)| footer.clamp(from, to) - from);
        footers.iter().flat_map(|&footer| of(footer)).filter(|&count| count > limit).map(|count| count - 1).sum()
    };
    for limit in [1, 9, 10, 899, 900] {
        let run = format!("clean -q --id-field id --lines --max-documents {limit} corpus.jsonl --force");
        folder.dedup(&format!("{run} -o out.jsonl")).quietly(0);
        let cut = folder.read_text("out.jsonl.cut.jsonl");
        assert_eq!(cut.lines().count(), expected(limit), "{limit}");
        folder.dedup(&format!("{run} -o other.jsonl --threads 1 --max-memory 56M")).quietly(0);
        assert_eq!(
            (folder.read("other.jsonl"), folder.read_text("other.jsonl.cut.jsonl")),
            (folder.read("out.jsonl"), cut)
        );
    }
}

#[test]
fn a_site_keeps_its_line_once() {
    let page = |site: &str, number: usize| {
        let text = format!("{site}: news of the tides and the moon\\n{} {MILL}\\n{FOOTER}\\n", "x".repeat(number + 1));
        format!(r#"{{"id":"{site}{number}","url":"https://{site}.example/{number}","text":"{text}"}}"#) + "\n"
    };
    let pages = |site, count| (0..count).map(|number| page(site, number)).collect::<String>();
    // Of a site with two pages nothing is told, nor of a document without an address.
    let corpus = pages("a", 4) + &pages("b", 2) + &pages("c", 3) + &format!(r#"{{"id":"d","text":"{FOOTER}"}}"#) + "\n";
    let folder = Folder::new().file("corpus.jsonl", corpus);
    let run = "clean --id-field id --lines --url-field url corpus.jsonl --force -o out.jsonl --per-site";
    let cuts = |share: &str| {
        let answer = folder.dedup(&format!("{run} {share}"));
        let cuts = parsed(&folder.read_text("out.jsonl.cut.jsonl"));
        let line = |cut: &serde_json::Value| {
            let [id, first] = [&cut["id"], &cut["first"]["id"]].map(|id| id.as_str().unwrap().to_owned());
            format!("{id} {first} {}", cut["documents"])
        };
        (answer.stderr, cuts.iter().map(line).collect::<Vec<_>>().join(", "))
    };
    let (said, cut) = cuts("0.9");
    assert_eq!(cut, "a1 a0 4, a1 a0 4, a2 a0 4, a2 a0 4, a3 a0 4, a3 a0 4, c1 c0 3, c1 c0 3, c2 c0 3, c2 c0 3");
    assert!(
        said.contains("10 lines of more than 10 documents, or of more than 90 % of the pages of 3 sites:"),
        "{said}"
    );
    assert!(said.contains("dedup: 1 document without an address\n"), "{said}");
    assert_eq!(cuts("1").1, "");
    // A line of many documents is none of a site.
    let (_, cut) = cuts("0.9 --max-documents 9");
    assert!(
        cut.starts_with("a1 a0 4, a1 a0 10, a2 a0 4, a2 a0 10, a3 a0 4, a3 a0 10, b0 a0 10, b1 a0 10, c0 a0 10"),
        "{cut}"
    );
}

#[test]
fn counts_of_yesterday_decide_today() {
    let text = |number: usize| format!("{} {MILL}\n{FOOTER}\n", "x".repeat(number + 1));
    let day = |from: usize, count: usize| -> String {
        (from..from + count).map(|number| jsonl(&[(&number.to_string(), &text(number))])).collect()
    };
    let folder = Folder::new().file("monday.jsonl", day(0, 2)).file("tuesday.jsonl", day(2, 2));
    let cut = |file: &str, more: &str| {
        folder.dedup(&format!("{RUN} {file} --force -o out.jsonl {more}")).quietly(0);
        let cuts = parsed(&folder.read_text("out.jsonl.cut.jsonl"));
        cuts.iter().map(|cut| format!("{}/{} ", cut["id"].as_str().unwrap(), cut["documents"])).collect::<String>()
    };
    assert_eq!(cut("monday.jsonl", "--counts lines.counts"), "");
    assert_eq!(cut("tuesday.jsonl", ""), "");
    // Monday's first document keeps what both of Tuesday lose.
    assert_eq!(cut("tuesday.jsonl", "--counts lines.counts"), "2/4 3/4 ");
    // What was counted is not counted again.
    let counts = folder.read("lines.counts");
    assert_eq!(cut("monday.jsonl", "--counts lines.counts"), "1/4 ");
    assert_eq!(folder.read("lines.counts"), counts);
    let answer = folder.dedup("clean --id-field id --lines tuesday.jsonl --dry-run --counts lines.counts");
    let said = "dedup: lines.counts has 5 different lines of 4 documents; these documents were counted before\n";
    assert!(answer.stderr.contains(said), "{}", answer.stderr);
    assert!(
        answer.stderr.ends_with("dedup: a dry run: no documents were written, but the counts were\n"),
        "{}",
        answer.stderr
    );
    // The file of counts is no document.
    let folder = Folder::new().file("corpus/a.txt", text(0)).file("corpus/b.txt", text(1));
    for _ in 0..2 {
        let answer = folder.dedup("clean --lines corpus --dry-run --counts corpus/c.txt");
        assert!(answer.stderr.starts_with("dedup: read 2 documents"), "{}", answer.stderr);
        assert_eq!(folder.files("corpus").len(), 3);
    }
}

#[test]
fn what_does_nothing_is_refused() {
    let folder = workshop();
    let refused = |more: &str, expected: &str| {
        let answer = folder.dedup(&format!("clean corpus.jsonl {more}"));
        assert_eq!(answer.code, 2, "{more}");
        assert!(answer.stderr.contains(expected), "{more}: {}", answer.stderr);
    };
    for option in
        ["--remove same", "--similarity 0.4", "--across-formats", "--recall 0.9", "--no-stem", "--list", "--repeats"]
    {
        let name = option.split(' ').next().unwrap();
        refused(&format!("-o out.jsonl --lines {option}"), "the argument '--lines' cannot be used with");
        refused(&format!("-o out.jsonl --lines {option}"), name);
    }
    for option in ["--paragraphs", "--max-documents 3", "--all-lines", "--counts lines.counts"] {
        refused(&format!("-o out.jsonl {option}"), "--lines");
        refused(&format!("-o out.jsonl --repeats {option}"), "cannot be used with");
    }
    refused("-o out.jsonl --min-left 3", "--lines");
    refused("-o out.jsonl --lines --verbatim", "cannot be used with");
    refused("-o out.jsonl --apply gone.txt --min-left 3", "cannot be used with");
    refused("--lines", "no output was named");
    refused("--lines --max-documents 0 -o out.jsonl", "0 is not in 1..");
    refused(
        "--lines -o out.jsonl --keep field:year",
        "no document has the field 'year' of --keep; the first record has id, text; check its name",
    );
    refused("--lines -o out.jsonl --per-site 0.5", "--url-field <FIELD>");
    refused("--lines -o out.jsonl --url-field url", "--per-site <SHARE>");
    refused(
        "--lines -o out.jsonl --per-site 0.5 --url-field url",
        "no document has an address in the field 'url' of --url-field; the first record has id, text; check its name",
    );
    refused("--lines -o out.jsonl --counts corpus.jsonl", "corpus.jsonl: is an input and the file of --counts");
    refused("--lines -o corpus.jsonl", "corpus.jsonl: is an input and the output");
    assert_eq!(folder.names(), ["corpus.jsonl"]);
}

/// A table lacks a column as a whole; the message names the option that asks for it.
#[test]
fn a_column_that_a_table_lacks_is_named_with_its_option() {
    let folder = Folder::new().file("in.csv", "text,link\none,example.org\n");
    for (more, expected) in [
        (
            "--per-site 0.5 --url-field url",
            "has no field 'url'; it has text, link: name one with --author-field or --url-field",
        ),
        ("--keep field:year", "has no field 'year'; it has text, link: name one with --keep field:NAME or"),
        ("--text-field body", "has no field 'body'; it has text, link: name one with --text-field or"),
    ] {
        let answer = folder.dedup(&format!("clean in.csv --lines --dry-run {more}"));
        assert!(answer.code == 2 && answer.stderr.contains(expected), "{answer:?}");
    }
}
