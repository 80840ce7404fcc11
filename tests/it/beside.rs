//! Folders in which other files lie beside a corpus: files of JSON that are none, private ones, and those of programs.

use serde_json::json;

use crate::folder::{Folder, jsonl as parsed};
use crate::texts::{BEES, CLOCK, ENDINGS, HARBOUR, jsonl, packed};

/// A file of JSON without the field of texts is one problem, and no copy of the folder empties it.
#[test]
fn json_that_is_no_corpus_is_kept() {
    // Longer than the beginning by which files are told apart, and than what ends a run.
    let labels: String = (0..9000).map(|n| format!("{{\"id\":{n},\"label\":\"of a picture\"}}\n")).collect();
    let package = "{\"name\":\"page\",\"version\":\"1.0.0\"}\n";
    let mut folder = Folder::new()
        .file("in/a.json", package)
        .file("in/corpus.jsonl", jsonl(&[("a", HARBOUR), ("b", BEES)]))
        .file("in/list.jsonl", "[\n1,\n2]\n")
        .file("in/some.jsonl", labels.clone() + &jsonl(&[("c", CLOCK)]));
    for ending in ENDINGS {
        folder = folder.file(&format!("in/labels.jsonl{ending}"), packed(ending, &labels));
    }
    let named = |file: &str, names: &str| {
        format!("dedup: in/{file}: has no field 'text'; it has {names}: name one with --text-field or --id-field")
    };
    for line in ["clean in -o out --force", "clean --lines in -o out --force", "clean --repeats in -o out --force"] {
        let answer = folder.dedup(&format!("{line} --problems p.jsonl"));
        answer.code_is(2);
        for (name, bytes) in folder.files("in").iter().filter(|(name, _)| *name != "some.jsonl") {
            assert_eq!(&folder.files("out")[name], bytes, "{name}: {answer:?}");
        }
        assert!(folder.read_text("out/some.jsonl").ends_with(&jsonl(&[("c", CLOCK)])), "{answer:?}");
        assert!(answer.stderr.contains(&(named("a.json", "name, version") + "; kept unchanged\n")), "{answer:?}");
        let of_list = "in/list.jsonl: no line is a record with the field 'text': line 1 is not valid JSON: EOF while \
                       parsing a list at column 1; kept unchanged\n";
        assert!(answer.stderr.contains(of_list), "{answer:?}");
        let problems = parsed(&folder.read_text("p.jsonl"));
        let of = |name: &str| problems.iter().filter(|it| it["file"] == format!("in/{name}")).collect::<Vec<_>>();
        assert_eq!((of("a.json").len(), of("labels.jsonl.gz").len(), of("some.jsonl").len()), (1, 1, 9000));
        assert_eq!(
            (&of("labels.jsonl.xz")[0]["record"], &of("labels.jsonl.xz")[0]["fate"]),
            (&json!(null), &json!("stays"))
        );
    }
    folder.dedup("clean in -o left --unread leave").code_is(2);
    assert_eq!(folder.files("left").keys().collect::<Vec<_>>(), ["corpus.jsonl", "some.jsonl"]);
    // Other commands say the same, and `find` compares the bytes of such files.
    let folder = folder.file("in/b/a.json", package);
    for (line, begin) in [("find in", "dedup: "), ("fingerprint in -o x.fp", "dedup: "), ("audit in", "not read: ")] {
        let answer = folder.dedup(line);
        let said = named("a.json", "name, version").replacen("dedup: ", begin, 1);
        let lines = answer.stdout.lines().chain(answer.stderr.lines());
        assert_eq!(lines.filter(|line| line.starts_with(&said)).count(), 1, "{answer:?}");
    }
    assert!(folder.dedup("find -q in").stdout.contains("in/b/a.json"));
    let strict = folder.dedup("clean in -o strict --strict");
    strict.fails_saying("in/a.json: has no field 'text'; it has name, version");
}

/// Files of records that are written anew are as private, and as old, as their originals.
#[cfg(unix)]
#[test]
fn records_keep_permissions_and_times() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    let mut names = vec!["in/a.jsonl", "in/b.csv", "in/c.jsonl.gz", "in/d.txt"];
    let mut folder = Folder::new()
        .file("in/a.jsonl", jsonl(&[("a", HARBOUR), ("b", HARBOUR)]))
        .file("in/b.csv", format!("id,text\n1,{BEES:?}\n2,{BEES:?}\n"))
        .file("in/c.jsonl.gz", packed(".gz", jsonl(&[("c", CLOCK), ("d", CLOCK)])))
        .file("in/d.txt", "Once more the tide, and never the harbour.");
    if cfg!(feature = "parquet") {
        folder.dedup("clean -q in/b.csv -o in/e.parquet").quietly(0);
        folder.dedup("fingerprint -q in/e.parquet -o e.fp").code_is(0);
        names.push("in/e.parquet");
    }
    for name in &names {
        folder = folder.dated(name, 7);
        fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(0o640)).unwrap();
    }
    for line in ["clean", "clean --lines", "decontaminate --against in/d.txt --drop"] {
        folder.dedup(&format!("{line} -q in -o out --force"));
        for name in &names {
            let place = name.replacen("in", "out", 1);
            let Ok(copied) = fs::metadata(folder.path().join(&place)) else {
                assert!(name.ends_with("d.txt"), "{line}: {place}");
                continue;
            };
            let original = fs::metadata(folder.path().join(name)).unwrap();
            assert_eq!(copied.permissions().mode() & 0o777, 0o640, "{line}: {place}");
            assert_eq!(copied.modified().unwrap(), original.modified().unwrap(), "{line}: {place}");
        }
    }
}

/// What a copy of a folder lacks is counted, with `-q` too.
#[test]
fn files_that_are_not_copied_are_counted() {
    let folder = Folder::new()
        .file("in/a.jsonl", jsonl(&[("a", HARBOUR), ("b", BEES)]))
        .file("in/.hidden", CLOCK)
        .file("in/_started_1", CLOCK)
        .file("in/_metadata", CLOCK)
        .file("in/_temporary/0/part.jsonl", jsonl(&[("c", CLOCK)]));
    let told = |done: &str| {
        format!(
            "dedup: not {done}: 1 file, hidden or left out by .gitignore or .ignore; --hidden and --no-ignore include them\n\
             dedup: not {done}: 3 files, which systems and programs leave beside documents, such as Thumbs.db and _metadata\n"
        )
    };
    let counted = json!({"hidden_or_ignored": 1, "of_programs": 3});
    for (command, more) in [
        ("clean", ""),
        ("clean --lines", ""),
        ("clean --repeats", ""),
        ("decontaminate", "--against in/_metadata --drop"),
    ] {
        let answer = folder.dedup(&format!("{command} -q in {more} -o out --force --summary s.json"));
        assert!(answer.stderr.ends_with(&told("copied")), "{answer:?}");
        assert_eq!(parsed(&folder.read_text("s.json"))[0]["not_selected"], counted, "{command}");
        let answer = folder.dedup(&format!("{command} in {} --dry-run", more.trim_end_matches(" --drop")));
        assert!(answer.stderr.contains(&told("read")), "{answer:?}");
    }
    let audit = folder.dedup("audit in");
    assert!(audit.stderr.contains(&told("listed")), "{audit:?}");
    folder.dedup("find -q in --summary s.json --force").quietly(1);
    assert_eq!(parsed(&folder.read_text("s.json"))[0]["not_selected"], counted);
}

/// The file of a text from standard input is no file, whatever the text is called.
#[test]
fn a_named_text_of_standard_input_has_no_file() {
    let folder = Folder::new();
    let find = folder.dedup_with_input("find - --id letter --all --format jsonl -q", HARBOUR.as_bytes());
    let group = &find.jsonl()[0];
    assert_eq!(
        (&group["survivor"], group.get("file_bytes"), group.get("file_modified")),
        (&json!("letter"), None, None)
    );
    folder.dedup_with_input("fingerprint -q - --id letter -o a.fp", HARBOUR.as_bytes()).quietly(0);
    let listed = folder.dedup("cat a.fp").jsonl();
    assert_eq!((&listed[0]["id"], &listed[0]["file"]), (&json!("letter"), &json!("-")));
}

/// Without terms no language is detected, and none is counted.
#[test]
fn languages_are_counted_where_they_are_detected() {
    let folder = Folder::new().file("a.jsonl", jsonl(&[("a", HARBOUR), ("b", BEES)]));
    folder.dedup("find -q a.jsonl --summary s.json").quietly(1);
    let summary = &parsed(&folder.read_text("s.json"))[0];
    assert_eq!((&summary["languages"], &summary["read"]["languages"]), (&json!({"eng": 2}), &json!({"eng": 2})));
    folder.dedup("clean -q a.jsonl -o b.jsonl --summary s.json --force").quietly(0);
    let summary = &parsed(&folder.read_text("s.json"))[0];
    assert_eq!((summary.get("languages"), summary["read"].get("languages")), (None, None), "{summary}");
}

/// Of two columns of one name only one could be read, so neither is.
#[test]
fn two_columns_of_one_name_are_refused() {
    let folder = Folder::new()
        .file("in/a.csv", format!("id,text, text\n1,{BEES:?},{CLOCK:?}\n"))
        .file("in/b.tsv", format!("id\tid\ttext\n1\t2\t{HARBOUR}\n"))
        .file("in/c.jsonl", jsonl(&[("c", CLOCK)]))
        .file("q.csv", format!("question,answer,answer\n{BEES:?},x,y\n"));
    let said = |name: &str, field: &str| {
        format!("{name}: has two columns '{field}'; rename one of them, as only one can be read")
    };
    let answer = folder.dedup("clean in -o out --id-field id");
    answer.code_is(2);
    for (file, field) in [("in/a.csv", "text"), ("in/b.tsv", "id")] {
        assert!(answer.stderr.contains(&format!("{}; kept unchanged\n", said(file, field))), "{answer:?}");
    }
    assert_eq!(folder.files("out"), folder.files("in"));
    let answer = folder.dedup("find in/b.tsv");
    assert!(answer.code == 0 || answer.code == 1, "a column that is not asked for may stand twice: {answer:?}");
    let answer = folder.dedup("decontaminate in/c.jsonl --against q.csv --field question --field answer --dry-run");
    assert!(answer.code == 2 && answer.stderr.contains(&said("q.csv", "answer")), "{answer:?}");
    let answer = folder.dedup("decontaminate in/c.jsonl --against q.csv --field question --dry-run");
    assert!(answer.code < 2, "{answer:?}");
}

/// Numbers of any length are ids and keys by all their digits.
#[test]
fn numbers_keep_their_digits() {
    let record = |id: &str| format!("{{\"id\":{id},\"v\":{id},\"text\":\"{HARBOUR}\"}}\n");
    let ids = ["12345678901234567890001", "12345678901234567890002", "1.50", "1e2", "-0", "1e400"];
    let folder = Folder::new().file("a.jsonl", ids.map(record).concat());
    folder.dedup("fingerprint -q --id-field id a.jsonl -o a.fp").quietly(0);
    let found: Vec<_> = folder.dedup("cat a.fp").jsonl().iter().map(|it| it["id"].clone()).collect();
    assert_eq!(found, ids.map(|id| json!(id)));
    let two = ids[..2].iter().map(|id| record(id)).collect::<String>();
    let folder = folder.file("two.jsonl", two);
    for (order, kept) in [("desc", ids[1]), ("asc", ids[0])] {
        folder.dedup(&format!("clean -q --keep field:v:{order} two.jsonl -o out.jsonl --force")).quietly(0);
        assert_eq!(folder.read_text("out.jsonl"), record(kept));
    }
}

/// Zeros that fill a block behind a compressed file are no part of it.
#[test]
fn zeros_behind_a_compressed_file_are_padding() {
    let lines = jsonl(&[("a", HARBOUR), ("b", BEES)]);
    let folder = Folder::new().file("a.jsonl.gz", [packed(".gz", &lines), vec![0; 512]].concat());
    folder.dedup("clean -q a.jsonl.gz -o b.jsonl").quietly(0);
    assert_eq!(folder.read_text("b.jsonl"), lines);
}

/// A record without an id stays in the corpus, under the name that it would have without a field of ids.
#[test]
fn records_without_an_id_are_named_by_file_and_line() {
    let record = |id: &str, text: &str| format!("{{{id}\"text\":\"{text}\"}}\n");
    let lines = record("\"id\":\"a\",", HARBOUR) + &record("\"id\":null,", BEES) + &record("", CLOCK);
    let folder = Folder::new()
        .file("a.jsonl", lines.clone() + &record("\"id\":[],", HARBOUR))
        .file("b.jsonl", lines.clone() + &record("\"id\":\"b\",", BEES))
        .file(
            "test.jsonl",
            jsonl(&[("q", "A question that no document of this corpus has, in these or in other words.")]),
        );
    folder.dedup("fingerprint -q --id-field id b.jsonl -o b.fp").quietly(0);
    let ids: Vec<_> = folder.dedup("cat b.fp").jsonl().iter().map(|it| it["id"].clone()).collect();
    assert_eq!(ids, ["a", "b.jsonl:2", "b.jsonl:3", "b"]);
    let answer = folder.dedup("clean --keep first --id-field id b.jsonl -o out.jsonl --summary s.json");
    answer.code_is(0);
    assert_eq!(folder.read_text("out.jsonl"), lines);
    assert!(answer.stderr.contains("missing ids                      2 documents"), "{answer:?}");
    assert_eq!(parsed(&folder.read_text("s.json"))[0]["read"]["unnamed"], 2);
    for line in ["clean --lines", "clean --repeats", "decontaminate --against test.jsonl"] {
        let answer = folder.dedup(&format!("{line} --id-field id b.jsonl --dry-run"));
        assert!(answer.code < 2 && answer.stderr.contains("; 2 without an id, named by file and line"), "{answer:?}");
        folder
            .dedup(&format!("{line} --id-field id b.jsonl --dry-run --strict"))
            .fails_saying("b.jsonl, line 2: the field 'id' is null, not a string or a number");
    }
    folder
        .dedup("clean --id-field id b.jsonl --dry-run --strict")
        .fails_saying("b.jsonl, line 2: the field 'id' is null");
    let answer = folder.dedup("find -q --id-field id a.jsonl");
    assert!(answer.code == 2 && answer.stderr.contains("line 4: the field 'id' is a list"), "{answer:?}");
    // An index is asked by id.
    folder.dedup("index create .index").code_is(0);
    let answer = folder.dedup("index add -q --id-field id .index b.jsonl");
    assert!(answer.code == 2 && answer.stderr.lines().count() == 2, "{answer:?}");
    // A mistyped name is none of these.
    let folder = folder.file("many.jsonl", lines.repeat(50));
    for line in ["find", "clean --lines --dry-run", "decontaminate --against test.jsonl --dry-run"] {
        folder.dedup(&format!("{line} -q --id-field name many.jsonl")).fails_saying(
            "none of the 100 records read so far has an id in the field 'name' of --id-field; check its name, or leave it out",
        );
    }
}
