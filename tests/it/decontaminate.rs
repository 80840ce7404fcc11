//! `dedup decontaminate`: items of test sets in a corpus.

use std::fs;

use serde_json::json;

use crate::documents::{Documents, by_hand, in_each_format, in_units, lines_of, object_of_run, read_again};
use crate::folder::Folder;
use crate::texts::{BEES, CLOCK, HARBOUR, MILL, jsonl, packed, quoted, unpacked};

const RUN: &str = "decontaminate -q --id-field id corpus.jsonl --against test.jsonl --item-id id";

/// Three items: a text, a short question with its choices, and two words.
fn bench() -> String {
    format!(
        "{{\"id\":\"mill\",\"q\":{{\"text\":{}}},\"choices\":[]}}\n\
         {{\"id\":\"bell\",\"q\":{{\"text\":\"Who rings the bell?\"}},\"choices\":[{{\"text\":\"the miller\"}},{{\"text\":\"nobody\"}}]}}\n\
         {{\"id\":\"why\",\"q\":{{\"text\":\"Why not?\"}},\"choices\":null,\"more\":1.50}}\n",
        quoted(MILL)
    )
}

const RINGS: &str = "Question – who rings the BELL?\n(a) Nobody (b) the miller";

fn corpus() -> Documents {
    let wrapped = MILL.split_whitespace().collect::<Vec<_>>().join("\n").to_uppercase();
    vec![
        ("clean", HARBOUR.to_owned()),
        ("mill", format!("{BEES} é {MILL} {BEES}")),
        ("wrapped", wrapped),
        ("bell", format!("{CLOCK} {RINGS}")),
        ("bees", BEES.to_owned()),
    ]
}

fn workshop() -> Folder {
    Folder::new().file("corpus.jsonl", lines_of(&corpus())).file("test.jsonl", bench())
}

#[test]
fn items_and_documents_are_listed() {
    let folder = workshop();
    folder.dedup(&format!("{RUN} --field q.text,choices.text -o out --attributes cut.jsonl")).quietly(0);
    let words = MILL.split_whitespace().count();
    assert_eq!(
        folder.read_text("out.items.jsonl"),
        format!(
            "{{\"set\":\"test.jsonl\",\"id\":\"mill\",\"verdict\":\"contaminated\",\"reason\":null,\"words\":{words},\
             \"documents\":2,\"rewritten\":0,\"coverage\":1.0,\"document\":\"mill\"}}\n\
             {{\"set\":\"test.jsonl\",\"id\":\"bell\",\"verdict\":\"contaminated\",\"reason\":null,\"words\":7,\
             \"documents\":1,\"rewritten\":0,\"coverage\":1.0,\"document\":\"bell\"}}\n\
             {{\"set\":\"test.jsonl\",\"id\":\"why\",\"verdict\":\"undecidable\",\"reason\":\"short\",\"words\":2,\
             \"documents\":0,\"rewritten\":0,\"coverage\":0.0,\"document\":null}}\n"
        )
    );
    let documents = crate::folder::jsonl(&folder.read_text("out.documents.jsonl"));
    let ids: Vec<_> = documents.iter().map(|document| document["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["mill", "wrapped", "bell"]);
    let (texts, cuts) = (corpus(), crate::folder::jsonl(&folder.read_text("cut.jsonl")));
    for (document, cut) in documents.iter().zip(&cuts) {
        let text = &texts.iter().find(|(id, _)| document["id"] == *id).unwrap().1;
        let number = |value: &serde_json::Value| usize::try_from(value.as_u64().unwrap()).unwrap();
        for (at, span) in document["items"][0]["spans"].as_array().unwrap().iter().enumerate() {
            let (start, length) = (number(&span["offset_bytes"]), number(&span["length_bytes"]));
            let bytes = &text[start..start + length];
            let characters: String = text.chars().skip(number(&span["offset"])).take(number(&span["length"])).collect();
            assert_eq!(bytes, characters);
            assert_eq!(cut["spans_bytes"][at], serde_json::json!([start, start + length]));
            let expected = match document["id"].as_str().unwrap() {
                "bell" => ["who rings the BELL?", "Nobody", "the miller"][at],
                "mill" => MILL,
                _ => text,
            };
            assert_eq!(bytes, expected);
        }
    }
    assert_eq!(folder.names(), ["corpus.jsonl", "cut.jsonl", "out.documents.jsonl", "out.items.jsonl", "test.jsonl"]);
}

#[test]
fn the_page_shows_the_worst_items_beside_their_documents() {
    let folder = workshop();
    let line = format!("{RUN} --field q.text,choices.text --dry-run --report page.html --summary run.json");
    folder.dedup(&line).quietly(0);
    let page = folder.read_text("page.html");
    let sections: Vec<&str> = page.split("<h2>").skip(1).collect();
    let words = MILL.split_whitespace().count();
    assert!(
        sections[0].starts_with(&format!(
            "1. <bdi>mill</bdi> of <bdi>test.jsonl</bdi>: in 2 documents, {words} telling words</h2>"
        )),
        "{page}"
    );
    let before = format!("{BEES} é ").chars().count();
    for shown in [
        format!("<td rowspan=\"2\"><p dir=\"auto\">{MILL}</p></td>"),
        format!("<bdi>mill</bdi>, character {before}: 100.00 % of the telling words</h3>"),
        format!("<mark>{MILL}</mark>"),
        "<bdi>wrapped</bdi>, character 0: 100.00 %".to_owned(),
    ] {
        assert!(sections[0].contains(&shown), "{shown}: {}", sections[0]);
    }
    assert!(sections[1].starts_with("2. <bdi>bell</bdi>") && sections.len() == 2, "{page}");
    for shown in ["<p dir=\"auto\">nobody</p>", "<mark>who rings the BELL?\n(a) Nobody (b) the miller</mark>"] {
        assert!(sections[1].contains(shown), "{shown}: {}", sections[1]);
    }
    let run = object_of_run(&folder, &line);
    assert_eq!(
        run["items"],
        json!({"all": 3, "contaminated": 2, "rewritten": 0, "searched_rewritten": null, "clean": 0, "undecidable": {"short": 1}})
    );
    assert_eq!((&run["contaminated_documents"], &run["read"]["documents"]), (&json!(3), &json!(5)));
    assert_eq!(run["options"]["field"], json!(["q.text", "choices.text"]));
    assert_eq!(folder.names(), ["corpus.jsonl", "page.html", "run.json", "test.jsonl"]);
    let folder = folder.file("other.jsonl", "{\"id\":\"x\",\"text\":\"nothing of it\"}\n");
    folder.dedup(&format!("{} --field q.text --dry-run --report none.html", RUN.replace("corpus", "other"))).quietly(0);
    assert!(!folder.read_text("none.html").contains("<h2>"));
}

/// A mistyped name would make all items look clean of what it names.
#[test]
fn a_field_that_no_item_has_is_refused() {
    let folder = workshop();
    for (options, field) in [
        ("--field q.text,answr --item-id id", "answr"),
        ("--field q.text,q.txt", "q.txt"),
        ("--field q.text --item-id q.id", "q.id"),
        // One item has no list there, and two have one without such a field.
        ("--field q.text,choices.txt", "choices.txt"),
    ] {
        let line = format!("decontaminate corpus.jsonl --against test.jsonl --dry-run {options}");
        let expected = format!("no item of a test set has the field '{field}'; check its name, or leave it out");
        folder.dedup(&line).fails_saying(&expected);
    }
    let folder =
        folder.file("more.jsonl", "{\"m\":{\"id\":7},\"q\":{\"text\":\"What is there to see?\"},\"answr\":null}\n");
    let line = "decontaminate -q corpus.jsonl --against test.jsonl more.jsonl -o out";
    folder.dedup(&format!("{line} --field q.text,answr --item-id m.id")).quietly(0);
    let items = crate::folder::jsonl(&folder.read_text("out.items.jsonl"));
    assert_eq!(
        items.iter().map(|item| item["id"].as_str().unwrap()).collect::<Vec<_>>(),
        ["test.jsonl:1", "test.jsonl:2", "test.jsonl:3", "7"]
    );
}

#[test]
fn the_summary_says_what_was_not_counted() {
    let folder = workshop();
    let answer = folder.dedup("decontaminate corpus.jsonl --against test.jsonl --field q.text --dry-run");
    let bytes: usize = corpus().iter().map(|(_, text)| text.len()).sum();
    assert_eq!(
        answer.stderr,
        format!(
            "dedup: read 5 documents ({} of text) in 1 file\n\
             dedup: 3 items of 1 test set: 2 contaminated, 0 clean, 1 undecidable; 3 contaminated documents\n\
             dedup: undecidable: 1 item too short: a corpus of this size has such phrases by chance\n\
             dedup: a dry run: no documents were written\n",
            in_units(bytes)
        )
    );
    assert_eq!((answer.code, answer.stdout.as_str()), (0, ""));
    assert_eq!(folder.names(), ["corpus.jsonl", "test.jsonl"]);
}

#[test]
fn what_stays_is_unchanged() {
    let kept = "{\"text\" : \"caf\\u00e9\", \"id\":\"x\",  \"n\": 1.50, \"list\": [1, {\"x\": null}]}\r\n\nno JSON\n";
    let documents = corpus();
    let line = |id: &str| jsonl(&[(id, &documents.iter().find(|(found, _)| *found == id).unwrap().1)]);
    let all = line("clean") + &line("mill") + kept + &line("bell") + line("bees").trim_end();
    let expected = line("clean") + kept + line("bees").trim_end();
    for ending in ["", ".gz", ".zst"] {
        let folder = workshop().file(&format!("all.jsonl{ending}"), packed(ending, &all));
        let answer = folder.dedup(&format!(
            "decontaminate -q --id-field id all.jsonl{ending} --against test.jsonl --field q.text,choices.text -o out.jsonl{ending} --drop"
        ));
        answer.code_is(2);
        assert!(answer.stderr.contains(&format!("all.jsonl{ending}, line 5: is not valid JSON")), "{answer:?}");
        let out = folder.read(&format!("out.jsonl{ending}"));
        let out = if ending.is_empty() { out } else { unpacked(&out) };
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}

/// What is kept and what is listed are the text.
#[test]
fn what_is_cut_and_what_is_kept_are_the_text() {
    let corpus = corpus();
    let (folder, names) = in_each_format(workshop().file("texts/mill.txt", &corpus[1].1), &corpus);
    for name in names {
        folder
            .dedup(&format!(
                "decontaminate -q {name} --id-field id --against test.jsonl --field q.text,choices.text -o cut.{name} \
                 --cut --attributes spans.jsonl --force"
            ))
            .quietly(0);
        let spans = crate::folder::jsonl(&folder.read_text("spans.jsonl"));
        assert_eq!(spans.len(), 3, "{name}");
        let explained = read_again(&folder, &format!("cut.{name}"));
        for (id, text) in &corpus {
            let mut kept = text.clone();
            if let Some(cut) = spans.iter().find(|cut| cut["id"] == *id) {
                for span in cut["spans_bytes"].as_array().unwrap().iter().rev() {
                    let [start, end] = [0, 1].map(|at| usize::try_from(span[at].as_u64().unwrap()).unwrap());
                    kept.replace_range(start..end, "");
                }
                assert!(kept.len() < text.len());
            }
            let found = explained.iter().find(|document| document["id"] == *id).unwrap();
            assert_eq!(found["bytes"].as_u64().unwrap(), kept.len() as u64, "{name}, {id}");
            if name == "lines.jsonl" {
                let line = by_hand(id, &kept);
                assert!(folder.read_text("cut.lines.jsonl").contains(&line), "{line}");
            }
        }
    }
    folder.dedup("decontaminate -q texts --against test.jsonl --field q.text -o cut --cut").quietly(0);
    assert_eq!(folder.read_text("cut/mill.txt"), corpus[1].1.replace(MILL, ""));
}

/// A text that is not its file cannot be cut, and its line says so.
#[test]
fn the_list_says_what_becomes_of_a_document() {
    let marked = [b"\xef\xbb\xbf", MILL.as_bytes()].concat();
    let utf_16: Vec<u8> = format!("\u{feff}{MILL}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let folder = workshop()
        .file("in/marked.txt", marked)
        .file("in/plain.txt", MILL)
        .file("in/rows.jsonl", lines_of(&vec![("mill", MILL.into()), ("bees", BEES.into())]))
        .file("in/wide.txt", utf_16);
    for (option, fates) in [
        ("", ["stays", "stays", "stays", "stays"]),
        ("--drop", ["goes", "goes", "goes", "goes"]),
        ("--cut", ["goes", "cut", "cut", "goes"]),
    ] {
        let answer =
            folder.dedup(&format!("decontaminate in --against test.jsonl --field q.text -o out{option} {option}"));
        let list = crate::folder::jsonl(&folder.read_text(&format!("out{option}.documents.jsonl")));
        let found: Vec<_> = list.iter().map(|line| line["fate"].as_str().unwrap()).collect();
        assert_eq!(found, fates, "{option}");
        let said = "dropped, as they cannot be cut (extracted, compressed, of another encoding, or with malformed bytes): 2 documents";
        assert_eq!(answer.stderr.contains(said), option == "--cut", "{answer:?}");
    }
    let kept: Vec<String> = folder.files("out--cut").into_keys().collect();
    assert_eq!(kept, ["plain.txt", "rows.jsonl"]);
}

#[test]
fn a_folder_and_a_table_keep_their_places() {
    let corpus = corpus();
    let table = |ids: &[&str]| {
        let rows = corpus.iter().filter(|(id, _)| ids.contains(id));
        rows.fold("id,text\r\n".to_owned(), |table, (id, text)| table + &format!("{id},\"{text}\"\r\n"))
    };
    let folder = workshop()
        .file("in/a/bees.txt", BEES)
        .file("in/mill.txt", MILL)
        .file("in/table.csv", table(&["clean", "bell", "bees"]))
        .file("in/picture.png", b"\x89PNG\r\n\x1a\n\0\0");
    let line = "decontaminate -q in --against test.jsonl --field q.text,choices.text -o out --drop";
    folder.dedup(line).code_is(2);
    let files = folder.files("out");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["a/bees.txt", "picture.png", "table.csv"]);
    assert_eq!(String::from_utf8_lossy(&files["table.csv"]), table(&["clean", "bees"]));
    folder.dedup(line).code_is(2);
    assert_eq!(folder.files("out"), files, "a folder that is there is not replaced");
    folder.dedup(&line.replace("--drop", "--cut --force")).code_is(2);
    assert!(folder.files("out").contains_key("mill.txt"), "but with --force, as an earlier run wrote it");
    let of_one = line.replace("decontaminate -q in", "decontaminate -q in/table.csv").replace("-o out", "-o one/");
    folder.dedup(&of_one).quietly(0);
    assert_eq!(folder.read_text("one/table.csv"), table(&["clean", "bees"]));
}

/// Every fifth word is another, so that no n-gram is left.
#[test]
fn items_in_other_words_are_found_if_asked_for() {
    let item = format!("{MILL} {HARBOUR}");
    let others = ["sunlight", "violin", "Lisbon", "mustard", "seldom"].into_iter().cycle();
    let retold: Vec<&str> = item
        .split(' ')
        .zip(others)
        .enumerate()
        .map(|(at, (word, other))| if at % 5 == 4 { other } else { word })
        .collect();
    let document = format!("{BEES}\n\n{}\n\n{CLOCK}", retold.join(" "));
    let folder = Folder::new()
        .file("corpus.jsonl", jsonl(&[("a", CLOCK), ("b", &document), ("c", &item)]))
        .file("test.jsonl", jsonl(&[("long", &item), ("short", "Who rings the bell of the old mill?")]));
    folder.dedup(&format!("{RUN} -o plain")).quietly(0);
    let line = format!("{} -o out --cut --rewritten --report page.html --summary run.json", RUN.replace(" -q", ""));
    let answer = folder.dedup(&line);
    assert!(
        answer.stderr.contains(
            "found only in other words: 0 of 1 item searched for so (20 telling words or more, not undecidable)\n\
             dedup: with items in other words only: 1 document\n"
        ),
        "{answer:?}"
    );
    let [plain, items, plainly, found] = ["plain.items", "out.items", "plain.documents", "out.documents"]
        .map(|list| crate::folder::jsonl(&folder.read_text(&format!("{list}.jsonl"))));
    assert_eq!((&plain[0]["documents"], &plain[0]["rewritten"]), (&json!(1), &json!(0)));
    assert_eq!(
        (&items[0]["documents"], &items[0]["rewritten"], &items[0]["document"]),
        (&json!(2), &json!(1), &json!("c"))
    );
    assert_eq!(items[1]["verdict"], "clean");
    assert_eq!((plainly.len(), &plainly[0]["items"]), (1, &found[1]["items"]));
    assert_eq!((&found[1]["id"], &found[1]["items"][0]["probability"]), (&json!("c"), &json!(null)));
    let place = &found[0]["items"][0];
    assert!(place["probability"].as_f64().is_some_and(|probability| probability >= 0.5), "{place}");
    let left = crate::folder::jsonl(&folder.read_text("out"));
    let cut = left[1]["text"].as_str().unwrap();
    assert!(cut.starts_with(BEES) && cut.ends_with(CLOCK) && cut.len() < BEES.len() + CLOCK.len() + 20, "{cut}");
    assert!(
        folder
            .read_text("page.html")
            .contains(" of the telling words, in other words; probability that it is a copy: ")
    );
    let run = crate::folder::jsonl(&folder.read_text("run.json"));
    assert_eq!(run[0]["options"]["rewritten"], json!(0.5));
    assert_eq!((&run[0]["contaminated_documents"], &run[0]["rewritten_documents"]), (&json!(2), &json!(1)));
    let answer = folder.dedup(&format!("{RUN} -o out --force --rewritten=1"));
    answer.quietly(0);
    assert_eq!(folder.read_text("out.items.jsonl"), folder.read_text("plain.items.jsonl"));
    let wrong = folder.dedup(&format!("{RUN} -o out --rewritten=2"));
    assert!(wrong.code == 2 && wrong.stderr.contains("expected a number from 0 to 1"), "{wrong:?}");
}

/// Files of records in another encoding are copied as they are.
#[test]
fn files_that_cannot_be_read_are_kept() {
    let wide: Vec<u8> =
        format!("{{\"id\":\"w\",\"text\":\"{MILL}\"}}\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let folder = Folder::new()
        .file("corpus/a.jsonl", jsonl(&[("a", CLOCK), ("b", MILL)]))
        .file("corpus/w.jsonl", wide.clone())
        .file("w.jsonl", wide.clone())
        .file("test.jsonl", jsonl(&[("mill", MILL)]));
    folder.dedup("decontaminate -q corpus --against test.jsonl -o out --drop").code_is(2);
    assert_eq!(std::fs::read(folder.path().join("out/w.jsonl")).unwrap(), wide);
    assert_eq!(folder.read_text("out/a.jsonl"), jsonl(&[("a", CLOCK)]));
    let answer = folder.dedup("decontaminate -q w.jsonl --against test.jsonl -o left.jsonl --drop");
    assert!(
        answer.code == 2 && answer.stderr.contains("no document could be read, so nothing is written"),
        "{answer:?}"
    );
    assert!(!folder.path().join("left.jsonl").exists());
    let answer = folder.dedup("decontaminate corpus --against test.jsonl --dry-run --rewritten 0.2");
    answer.fails_saying("0.2: no such file; the level is given as --rewritten=0.2");
}

/// Lines that are too long to be read are copied, wherever they stand and however long; a line with a malformed byte cannot be
/// cut.
#[test]
fn lines_that_cannot_be_read_are_kept() {
    let long = format!("{{\"id\":\"long\",\"text\":\"{}\"}}\n", BEES.repeat(3000));
    let mut malformed = jsonl(&[("malformed", &format!("{MILL} x"))]).into_bytes();
    let at = malformed.iter().rposition(|&byte| byte == b'x').unwrap();
    malformed[at] = 0xFF;
    let [clock, mill, bees] = [("c", CLOCK), ("m", MILL), ("b", BEES)].map(|document| jsonl(&[document]).into_bytes());
    let long = long.as_bytes();
    let last = &long[..long.len() - 1];
    let folder = Folder::new()
        .file("in/a.jsonl", [long, &clock, &malformed, long, &mill, &bees, last].concat())
        .file("in/b.jsonl", [long, &long[..long.len() / 2]].concat())
        .file("test.jsonl", jsonl(&[("mill", MILL)]));
    let options = "in --id-field id --max-document 100K";
    let decontaminate = format!("decontaminate {options} --against test.jsonl --cut");
    let answer = folder.dedup(&format!("{decontaminate} -o out --summary run.json"));
    answer.code_is(2);
    let said = "or with malformed bytes): 1 document\n";
    assert!(answer.stderr.contains(said) && answer.stderr.contains("in/a.jsonl, line 7: is longer"), "{answer:?}");
    let cut = jsonl(&[("m", "")]).into_bytes();
    assert!(folder.read("out/a.jsonl") == [long, &clock, long, &cut, &bees, last].concat());
    assert!(folder.read("out/b.jsonl") == folder.read("in/b.jsonl"));
    let run = crate::folder::jsonl(&folder.read_text("run.json"));
    assert_eq!(run[0]["fates"], json!({"cut": 1, "goes": 1, "stays": 0}));
    folder.dedup(&format!("{decontaminate} -q -o shards/part-*.jsonl --shard-size 100M")).code_is(2);
    let shards: Vec<u8> = folder.files("shards").into_values().flatten().collect();
    assert!(shards == [long, &clock, long, &cut, &bees, last, long, &long[..long.len() / 2]].concat());
    let large =
        "decontaminate -q in --id-field id --max-document 100K --against test.jsonl --drop -o large/part-*.jsonl";
    folder.dedup(&format!("{large} --shard-size 200K")).code_is(2);
    let files = folder.files("large");
    let alone = |file: &&Vec<u8>| file.len() >= long.len() - 1;
    assert_eq!(
        (files.len(), files.values().filter(alone).count()),
        (7, 4),
        "a record that is too large has a file of its own"
    );
    for option in ["--lines --all-lines --max-documents 1", "--repeats"] {
        folder.dedup(&format!("clean -q {options} {option} -o left --max-cut 1")).code_is(2);
        let left = folder.read("left/a.jsonl");
        assert!(left.starts_with(&[long, &clock, &malformed, long].concat()), "{option}");
        assert!(left.ends_with(last) && left.len() < folder.read("in/a.jsonl").len(), "{option}");
        fs::remove_dir_all(folder.path().join("left")).unwrap();
        fs::remove_file(folder.path().join("left.cut.jsonl")).unwrap();
    }
}

/// Parts that are counted together are searched as one corpus.
#[test]
fn counts_of_other_parts_decide() {
    let item = |id: &str, text: &str| jsonl(&[(id, text)]);
    // Of the words of the item, those of the harbour are common in all parts together, and not in one.
    let part = |part: usize| -> String {
        let document = |n: usize| item(&format!("{part}.{n}"), &format!("{n} {HARBOUR} {part}"));
        (0..14).map(document).collect::<String>() + &item(&format!("{part}.m"), &format!("{MILL} {CLOCK} {part}"))
    };
    let parts: Vec<String> = (0..3).map(part).collect();
    let mut folder = Folder::new()
        .file("all.jsonl", parts.concat())
        .file("test.jsonl", item("all", &format!("{MILL} {CLOCK} {HARBOUR}")));
    for (n, part) in parts.iter().enumerate() {
        folder = folder.file(&format!("{n}.jsonl"), part);
    }
    let run = |name: &str, more: &str| {
        let line = format!("decontaminate -q --id-field id {name} --against test.jsonl --coverage 0.1 {more}");
        folder.dedup(&line).quietly(0);
    };
    run("all.jsonl", "-o all --drop");
    let ids = |list: &str| -> Vec<String> {
        let found = crate::folder::jsonl(&folder.read_text(list));
        found.iter().map(|line| line["id"].as_str().unwrap().to_owned()).collect()
    };
    let whole = ids("all.documents.jsonl");
    for n in 0..3 {
        let line = format!("decontaminate {n}.jsonl --against test.jsonl --counts items.counts --dry-run");
        let told = "dedup: a dry run: no documents were written, but the counts were\n";
        assert!(folder.dedup(&line).stderr.contains(told));
    }
    let counts = folder.read("items.counts");
    let mut found = Vec::new();
    for n in 0..3 {
        run(&format!("{n}.jsonl"), &format!("--counts items.counts -o out{n}"));
        found.extend(ids(&format!("out{n}.documents.jsonl")));
        run(&format!("{n}.jsonl"), &format!("-o alone{n}"));
    }
    assert_eq!(found, whole);
    assert_eq!(whole, ["0.m", "1.m", "2.m"]);
    assert_eq!(ids("alone0.documents.jsonl").len(), 15, "a part alone is told by other words");
    assert_eq!(folder.read("items.counts"), counts, "what was counted is not counted again");
    let line = "decontaminate 1.jsonl --against test.jsonl --counts items.counts --dry-run --summary run.json";
    let answer = folder.dedup(line);
    let said = "dedup: items.counts has the counts of 45 documents; these documents were counted before\n";
    assert!(answer.stderr.contains(said), "{answer:?}");
    assert!(answer.stderr.contains("dedup: a dry run: no documents were written\n"), "{answer:?}");
    let object = crate::folder::jsonl(&folder.read_text("run.json"));
    assert_eq!(object[0]["counts"], json!({"documents": 45, "was_known": true}));
    let with =
        |counts: &str| folder.dedup(&format!("decontaminate 1.jsonl --against test.jsonl --counts {counts} --dry-run"));
    let other = folder.dedup("decontaminate 1.jsonl --against 0.jsonl --counts items.counts --dry-run");
    other.fails_saying("items.counts: has the counts of other items; name the same test sets and fields");
    with("0.jsonl").fails_saying("0.jsonl: is no file of the counts of items; name another file");
    with("1.jsonl").fails_saying("1.jsonl: is an input and the file of --counts");
    let mut damaged = counts.clone();
    *damaged.iter_mut().rfind(|byte| byte.is_ascii_digit()).unwrap() ^= 1;
    fs::write(folder.path().join("damaged"), damaged).unwrap();
    with("damaged")
        .fails_saying("damaged: is damaged: its checksum does not match; remove it, and count the corpora again");
    fs::write(folder.path().join("cut"), &counts[..counts.len() / 2]).unwrap();
    with("cut").fails_saying("cut: is damaged: its checksum does not match");
}

/// A file that is written to while it is read for the last time.
#[cfg(unix)]
#[test]
fn a_change_during_the_last_reading_is_noticed() {
    let many: String =
        (0..12_000).map(|n| jsonl(&[(&format!("d{n}"), &format!("{n} {BEES} {CLOCK} {HARBOUR}"))])).collect();
    let folder = workshop().file("many.jsonl", many);
    // On a busy machine a run may end before it is disturbed.
    let said = (0..20).find_map(|_| said_of_a_disturbed_run(&folder)).expect("a change is noticed");
    assert!(said.contains("many.jsonl: changed while"), "{said}");
    assert!(!folder.path().join("out.jsonl").exists());
}

/// What is said of a run whose corpus grows once output has begun; `None` if that ended well, and its output is removed.
#[cfg(unix)]
fn said_of_a_disturbed_run(folder: &Folder) -> Option<String> {
    let output = folder.path().join("out.jsonl");
    let mut command =
        folder.command("decontaminate -q many.jsonl --against test.jsonl --field q.text --drop --force -o out.jsonl");
    let mut run = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    // The corpus is written beside its place.
    let begun = || {
        let entries = fs::read_dir(folder.path()).unwrap().flatten();
        let unfinished = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".dedup-out.jsonl."));
        unfinished.filter_map(|entry| entry.metadata().ok()).map(|file| file.len()).max()
    };
    while begun().is_none_or(|bytes| bytes == 0) && run.try_wait().unwrap().is_none() {}
    let mut file = fs::File::options().append(true).open(folder.path().join("many.jsonl")).unwrap();
    std::io::Write::write_all(&mut file, b"\n").unwrap();
    let ended = run.wait_with_output().unwrap();
    if ended.status.success() {
        fs::remove_file(output).unwrap();
        return None;
    }
    assert_eq!(ended.status.code(), Some(2));
    Some(String::from_utf8(ended.stderr).unwrap())
}

/// Only the text of a row must be in UTF-8.
#[test]
fn a_malformed_byte_beside_the_text_is_kept() {
    let row = |text: &str| [b"\"caf\xe9\",\"", text.as_bytes(), b"\"\n"].concat();
    let table = |text: &str| [b"name,text\n".to_vec(), row(text), row(BEES)].concat();
    let folder = workshop().file("in.csv", table(&format!("{CLOCK} {MILL}")));
    let line = "decontaminate -q in.csv --against test.jsonl --field q.text -o out.csv --cut";
    folder.dedup(line).quietly(0);
    assert_eq!(folder.read("out.csv"), table(&format!("{CLOCK} ")));
}

#[test]
fn a_test_set_is_written_without_contaminated_items() {
    let folder = workshop();
    folder.dedup(&format!("{RUN} --field q.text,choices.text -o out --clean-benchmark clean.jsonl")).quietly(0);
    let last = bench().lines().last().unwrap().to_owned() + "\n";
    assert_eq!(folder.read_text("clean.jsonl"), last);
}

#[test]
fn the_answer_is_the_same_for_any_number_of_threads() {
    let retold = MILL.split(' ').enumerate().map(|(at, word)| if at % 5 == 4 { "violin" } else { word });
    let retold = retold.collect::<Vec<_>>().join(" ");
    let with = |n: usize| if n.is_multiple_of(2) { MILL } else { &*retold };
    let many: String = (0..400).map(|n| jsonl(&[(&format!("d{n}"), &format!("{n} {BEES} {} {n}", with(n)))])).collect();
    let folder = workshop().file("many.jsonl", many);
    let run = |threads: usize| {
        folder
            .dedup(&format!(
                "decontaminate -q many.jsonl --against test.jsonl --field q.text -o out --force --rewritten=0.1 --threads {threads}"
            ))
            .quietly(0);
        ["out.items.jsonl", "out.documents.jsonl"].map(|list| folder.read_text(list))
    };
    let one = run(1);
    assert_eq!((one[1].lines().count(), one[1].matches("\"probability\":0.").count()), (400, 200));
    assert_eq!(run(4), one);
}

#[cfg(feature = "parquet")]
#[test]
fn columns_are_items_and_documents() {
    let table = crate::texts::parquet(&[("q", &[MILL, "Why not?"]), ("note", &["a", "b"])]);
    let corpus = crate::texts::parquet(&[("text", &[HARBOUR, MILL, BEES])]);
    let folder = Folder::new().file("test.parquet", table).file("corpus.parquet", corpus);
    folder.dedup("decontaminate -q corpus.parquet --against test.parquet --field q -o out.parquet --drop").quietly(0);
    let items = crate::folder::jsonl(&folder.read_text("out.parquet.items.jsonl"));
    assert_eq!(items[0]["document"], "corpus.parquet:2");
    folder.dedup("fingerprint -q out.parquet -o out.fp").quietly(0);
    assert_eq!(folder.dedup("cat out.fp").stdout.lines().count(), 2);
}

#[test]
fn wrong_arguments_are_told_with_the_remedy() {
    let folder = workshop().file("empty.jsonl", "").file("there.items.jsonl", "mine");
    for (line, said) in [
        (
            "--field question -o out",
            "no item was found in the test sets; an item is a record with a field of --field, here question",
        ),
        ("--field q.text", "no output was named; name it with -o OUT, or use --dry-run to see what would be found"),
        ("--field q.text,q.text -o out", "--field q.text: is named twice; name each part of an item once"),
        ("--field q.text --need answer -o out", "--need answer: is no part of an item; name it with --field too"),
        ("--field q.text -o there", "there.items.jsonl: already exists; --force replaces it, or name another file"),
        ("--field q.text -o corpus.jsonl --drop", "corpus.jsonl: is an input and the output; name another output"),
        ("--field q.text -o out.parquet --drop", "out.parquet"),
        (
            "--against empty.jsonl --field q.text -o out --clean-benchmark b",
            "--clean-benchmark writes one test set; run it once for each",
        ),
    ] {
        let answer = folder.dedup(&format!("decontaminate -q corpus.jsonl --against test.jsonl {line}"));
        assert!(answer.code == 2 && answer.stderr.contains(said), "{line}: {answer:?}");
    }
    folder.dedup("decontaminate - --against test.jsonl -o out").fails_saying("standard input cannot be read twice");
    let twice = "decontaminate corpus.jsonl --against test.jsonl test.jsonl --dry-run";
    folder.dedup(twice).fails_saying("test.jsonl: is named twice as a test set");
    folder
        .dedup("decontaminate corpus.jsonl --against test.jsonl -o - --drop")
        .fails_saying("-: the output appears only");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing is left behind");
}
