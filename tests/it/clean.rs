//! `dedup clean`: a corpus without its near-duplicates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::folder::{Folder, dedup, jsonl as parse, removals, unsealed};
use crate::texts::{BEES, CLOCK, EDITED, ENDINGS, HARBOUR, MILL, Numbers, jsonl, lines_of, packed, unpacked};

const CLEAN: &str = "clean -q --remove edited --similarity 0.5 --threshold-alone";

/// The lines of a log have the time and, where the system tells it, the memory.
#[test]
fn each_stage_is_a_line_of_the_log() {
    let folder = Folder::new().file("in.jsonl", jsonl(&[("a", HARBOUR), ("b", EDITED), ("c", BEES)]));
    let answer = folder.dedup("clean --id-field id in.jsonl -o out.jsonl -v");
    answer.code_is(0);
    let stages: Vec<&str> = answer
        .stderr
        .lines()
        .filter_map(|line| {
            let (head, stage) = line.strip_prefix("dedup: ")?.split_once(": ")?;
            let (seconds, memory) = head.split_once(" s, ")?;
            memory.strip_suffix(" MB")?.parse::<u64>().ok()?;
            seconds.parse::<f64>().ok().map(|_| stage)
        })
        .collect();
    assert_eq!(stages.first().zip(stages.last()), Some((&"reading", &"done")), "{}", answer.stderr);
    assert!(stages.contains(&"looking for what may be removed") && stages.contains(&"writing"), "{}", answer.stderr);
    assert!(folder.dedup("clean in.jsonl -o other.jsonl -v -q").stderr.contains("cannot be used with"));
}

/// Blank lines are not records and are dropped.
#[test]
fn kept_lines_are_unchanged() {
    let kept =
        "{\"text\" : \"caf\\u00e9 \\ud83d\\ude00\", \"id\":\"c\",  \"n\": 1.50, \"list\": [1, {\"x\": null}]}\r\n";
    let all = jsonl(&[("a", HARBOUR), ("b", EDITED)])
        + kept
        + "\n"
        + &jsonl(&[("d", HARBOUR)])
        + "{\"id\":\"e\",\"text\":\"last\"}";
    let folder = Folder::new().file("in.jsonl", &all).dated("in.jsonl", 0);
    assert_eq!(folder.dedup(&format!("{CLEAN} --id-field id in.jsonl -o out.jsonl")).quietly(0), "");
    let expected = jsonl(&[("a", HARBOUR)]) + kept + "{\"id\":\"e\",\"text\":\"last\"}";
    assert_eq!(folder.read_text("out.jsonl"), expected);
    let file = format!("\"file_bytes\":{},\"file_modified\":\"2001-02-03T04:05:06Z\"", all.len());
    assert_eq!(
        unsealed(&folder.read_text("out.jsonl.removed.jsonl")).replace(&file, "FILE"),
        "{\"group\":1,\"id\":\"b\",\"survivor\":\"a\",\"distance\":null,\"jaccard_estimate\":0.8,\"jaccard\":0.7894736842105263,\
         \"containment_a\":0.8823529411764706,\"containment_b\":0.8823529411764706,\"rules\":[\"jaccard\"],\
         \"removal\":\"edited\",FILE}\n\
         {\"group\":1,\"id\":\"d\",\"survivor\":\"a\",\"distance\":null,\"jaccard_estimate\":1.0,\"jaccard\":1.0,\
         \"containment_a\":1.0,\"containment_b\":1.0,\"rules\":[\"jaccard\",\"text\"],\
         \"removal\":\"same\",FILE}\n"
    );
    assert_eq!(folder.read_text("in.jsonl"), all);
    assert_eq!(folder.names(), ["in.jsonl", "out.jsonl", "out.jsonl.removed.jsonl"]);
}

#[test]
fn kept_rows_are_unchanged() {
    let kept = "3,\"Quoted \"\"text\"\" with,\r\na line break about windmills\",'x'\r\n";
    let all = format!(
        "\u{feff}key,\"body\",more\r\n1,\"{HARBOUR}\",x\r\n\r\n2,\"{EDITED}\",y\r\n{kept}4,\"{HARBOUR}\",z\r\n5,last one,",
    );
    let folder =
        Folder::new().file("in.csv", &all).file("in.tsv", "text\tn\none text\t1\none text\t2\nother text\t3\n");
    folder.dedup(&format!("{CLEAN} --text-field body --id-field key in.csv -o out.csv")).quietly(0);
    let expected = format!("\u{feff}key,\"body\",more\r\n1,\"{HARBOUR}\",x\r\n{kept}5,last one,");
    assert_eq!(folder.read_text("out.csv"), expected);
    folder.dedup(&format!("{CLEAN} in.tsv -o out.tsv")).quietly(0);
    assert_eq!(folder.read_text("out.tsv"), "text\tn\none text\t1\nother text\t3\n");
    assert_eq!(folder.read_text("in.csv"), all);
}

#[test]
fn outputs_of_compressed_inputs_are_compressed() {
    let folder = ENDINGS.iter().fold(Folder::new(), |folder, ending| {
        folder.file(&format!("in.jsonl{ending}"), packed(ending, jsonl(&[("a", HARBOUR), ("b", EDITED), ("c", BEES)])))
    });
    for ending in &ENDINGS[1..] {
        folder.dedup(&format!("{CLEAN} --id-field id in.jsonl{ending} -o out{ending}")).quietly(0);
        let out = folder.read(&format!("out{ending}"));
        assert_eq!(out[..3], folder.read(&format!("in.jsonl{ending}"))[..3]);
        assert_eq!(String::from_utf8(unpacked(&out)).unwrap(), jsonl(&[("a", HARBOUR), ("c", BEES)]));
    }
}

#[cfg(feature = "parquet")]
#[test]
fn rows_of_columns_keep_all_their_columns() {
    let texts = [HARBOUR, BEES, EDITED, HARBOUR];
    let table = |rows: &[usize]| {
        let [texts, ids, notes]: [Vec<&str>; 3] = [texts, ["a", "b", "c", "d"], ["1", "2", "3", "4"]]
            .map(|column| rows.iter().map(|&row| column[row]).collect());
        crate::texts::parquet(&[("note", &notes), ("text", &texts), ("key", &ids)])
    };
    let folder = Folder::new().file("in.parquet", table(&[0, 1, 2, 3])).file("kept.parquet", table(&[0, 1]));
    folder.dedup(&format!("{CLEAN} --id-field key in.parquet -o out.parquet")).quietly(0);
    for field in ["text", "note"] {
        let rows = |name: &str| {
            folder
                .dedup(&format!("fingerprint -q --text-field {field} --id-field key {name} --force -o x.fp"))
                .quietly(0);
            folder.dedup("cat x.fp").quietly(0).replace(name, "")
        };
        assert_eq!(rows("out.parquet"), rows("kept.parquet"));
    }
}

/// A folder of texts and of records in two formats, at several depths.
fn mixed() -> Folder {
    Folder::new()
        .file("in/a.txt", HARBOUR)
        .file("in/deep/er/b.txt", HARBOUR)
        .file("in/c.txt", BEES)
        .file("in/d.jsonl.gz", packed(".gz", jsonl(&[("d1", HARBOUR), ("d2", CLOCK)])))
        .file("in/deep/e.csv", format!("text,n\n\"{EDITED}\",1\nplain three words,2\n"))
        .file("in/deep/gone.jsonl", jsonl(&[("g", HARBOUR)]))
}

#[test]
fn a_folder_becomes_a_folder_of_the_same_files() {
    let folder = mixed();
    let before = folder.files("in");
    folder.dedup(&format!("{CLEAN} in -o out")).quietly(0);
    let out = folder.files("out");
    let names: Vec<_> = out.keys().collect();
    assert_eq!(names, ["a.txt", "c.txt", "d.jsonl.gz", "deep/e.csv", "deep/gone.jsonl"]);
    assert_eq!(out["a.txt"], HARBOUR.as_bytes());
    assert_eq!(unpacked(&out["d.jsonl.gz"]), jsonl(&[("d2", CLOCK)]).into_bytes());
    assert_eq!(out["deep/e.csv"], b"text,n\nplain three words,2\n");
    assert_eq!(out["deep/gone.jsonl"], b"", "a file of many documents stays, were it empty");
    let removed: Vec<_> = removals(&folder.read_text("out.removed.jsonl"))
        .into_iter()
        .map(|row| [row["id"].clone(), row["survivor"].clone()])
        .collect();
    let expected = ["in/d.jsonl.gz:1", "in/deep/e.csv:1", "in/deep/er/b.txt", "in/deep/gone.jsonl:1"];
    assert_eq!(removed, expected.map(|id| [id, "in/a.txt"].map(serde_json::Value::from)));
    assert_eq!(folder.files("in"), before);
    assert_eq!(folder.names(), ["in", "out", "out.removed.jsonl"]);
    // Cleaning the output again changes nothing.
    assert_eq!(folder.dedup("find -q --language eng out").quietly(1), "");
    folder.dedup(&format!("{CLEAN} out -o again")).quietly(0);
    assert_eq!(folder.files("again"), out);
    assert!(removals(&folder.read_text("again.removed.jsonl")).is_empty());
}

#[test]
fn several_inputs_are_written_side_by_side() {
    let folder = mixed().file("more/a.txt", CLOCK).file("alone.txt", "three other words");
    folder.dedup(&format!("{CLEAN} in more alone.txt -o out/")).quietly(0);
    let names: Vec<_> = folder.files("out").into_keys().collect();
    assert_eq!(names, ["alone.txt", "in/a.txt", "in/c.txt", "in/d.jsonl.gz", "in/deep/e.csv", "in/deep/gone.jsonl"]);
    // Two inputs that map to one output path are refused before anything is read.
    let folder = mixed().file("x/in/a.txt", "again three other words").file("x/in/bad.jsonl", "{]\n");
    folder.dedup(&format!("{CLEAN} in x/in -o out")).fails_saying("out/in/a.txt: two inputs map to this output path");
    folder.dedup(&format!("{CLEAN} in in/deep -o out")).fails_saying("two inputs map to this output path");
    assert_eq!(folder.names(), ["in", "x"]);
}

#[test]
fn the_output_may_lie_beside_what_is_read() {
    let folder = mixed();
    folder.dedup(&format!("{CLEAN} in/a.txt in/deep -o in/new")).quietly(0);
    assert!(!folder.files("in").keys().any(|name| name.contains(".dedup-")));
}

#[test]
fn every_document_is_accounted_for() {
    let documents = Numbers(11).documents(600, 60);
    let [a, b, c] = [0..150, 150..400, 400..600].map(|part| lines_of(&documents[part]));
    let b = b + "not JSON\n" + &jsonl(&[("twice", HARBOUR), ("twice", HARBOUR)]) + "{\"id\":\"x\"}\n";
    let folder = Folder::new().file("in/a.jsonl", a).file("in/b.jsonl", b).file("in/c/c.jsonl", c);
    let before = folder.files("in");
    let answer =
        folder.dedup("clean -q --remove edited --keep first --id-field id in -o out --problems problems.jsonl");
    assert_eq!(answer.code, 2, "{answer:?}");
    assert_eq!(folder.files("in"), before);
    let ids = |name: &str| -> BTreeSet<String> {
        folder
            .files(name)
            .values()
            .flat_map(|lines| parse(std::str::from_utf8(lines).unwrap()))
            .map(|row| id(&row["id"]))
            .collect()
    };
    let kept = ids("out");
    let removed = removals(&folder.read_text("out.removed.jsonl"));
    let gone: BTreeSet<String> = removed.iter().map(|row| id(&row["id"])).collect();
    assert_eq!(gone.len(), removed.len(), "each is removed once");
    assert!(gone.len() > 100 && kept.is_disjoint(&gone));
    // The second of two documents with the same id is named by its line.
    let more = ["twice".to_owned(), "in/b.jsonl:253".to_owned()];
    let all: BTreeSet<String> = documents.iter().map(|(id, _)| id.clone()).chain(more.clone()).collect();
    assert_eq!(&(&kept | &gone), &all);
    assert!(gone.contains(&more[1]));
    assert_eq!(parse(&folder.read_text("problems.jsonl")).len(), 2, "and two records were skipped");
    // The survivor of each removed document is kept, and the reported figures are right.
    let more = more.map(|id| (id, HARBOUR.to_owned()));
    let texts: BTreeMap<_, _> = documents.iter().cloned().chain(more).collect();
    for row in removed.iter().take(10) {
        assert!(kept.contains(&id(&row["survivor"])), "{row}");
        let [a, b] = [&row["id"], &row["survivor"]].map(|id| &texts[id.as_str().unwrap()]);
        let pair = Folder::new().file("a", a).file("b", b);
        let compared = pair.dedup("compare --format json a b").json();
        assert!(row["jaccard"].as_f64().unwrap() >= 0.7, "{row}");
        for key in ["jaccard", "jaccard_estimate", "containment_a", "containment_b"] {
            assert_eq!(row[key], compared[key], "{row}");
        }
    }
    assert!(removed.iter().all(|row| kept.contains(&id(&row["survivor"]))));
    // No pair of kept documents is removable.
    let near = folder.dedup("find -q --language und --id-field id --pairs --format jsonl out").jsonl();
    assert!(near.len() > 10 && near.iter().all(|pair| pair["removal"].is_null()), "{near:?}");
}

fn id(value: &serde_json::Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[test]
fn a_dry_run_writes_nothing() {
    let folder = mixed();
    let shown = folder.dedup("clean -q --dry-run in").quietly(0);
    assert_eq!(folder.names(), ["in"]);
    let removed: Vec<_> = shown.lines().filter_map(|line| line.strip_prefix("   ")?.split(' ').next()).collect();
    folder.dedup("clean -q in -o out").quietly(0);
    let expected = removals(&folder.read_text("out.removed.jsonl"));
    assert_eq!(removed, expected.iter().map(|row| row["id"].as_str().unwrap()).collect::<Vec<_>>());
    let folder = mixed();
    let refused = "--dry-run writes nothing and takes no -o; leave out --dry-run to write, or -o to see";
    folder.dedup("clean --dry-run in -o out").fails_saying(refused);
    assert_eq!(folder.dedup("clean in").code, 2, "one of them");
    // A run that removes nothing succeeds.
    folder.dedup("clean -q --dry-run in/c.txt").quietly(0);
    assert_eq!(
        folder.dedup_with_input("clean -q --dry-run --input lines -", b"a x y z\nb x y z\n").quietly(0).lines().count(),
        2
    );
}

#[test]
fn kept_documents_can_be_listed() {
    let folder = mixed();
    folder.dedup(&format!("{CLEAN} --list in -o kept.txt")).quietly(0);
    let expected = "in/a.txt\nin/c.txt\nin/d.jsonl.gz:2\nin/deep/e.csv:2\n";
    assert_eq!(folder.read_text("kept.txt"), expected);
    assert_eq!(removals(&folder.read_text("kept.txt.removed.jsonl")).len(), 4);
    assert_eq!(folder.names(), ["in", "kept.txt", "kept.txt.removed.jsonl"]);
}

#[test]
fn an_id_with_a_line_break_is_not_listed() {
    let folder = Folder::new().file("in.jsonl", jsonl(&[("a", HARBOUR), ("two\nlines", BEES)]));
    let expected = "the id \"two\\nlines\" contains a line break, which a list of ids cannot hold";
    folder.dedup(&format!("{CLEAN} --id-field id --list in.jsonl -o kept")).fails_saying(expected);
    assert_eq!(folder.names(), ["in.jsonl"]);
    folder.dedup(&format!("{CLEAN} --id-field id in.jsonl -o out.jsonl")).quietly(0);
}

#[test]
fn a_policy_by_an_unknown_field_is_refused() {
    let dated = "{\"id\":\"b\",\"text\":\"x y z\",\"date\":1}\n";
    let folder = Folder::new()
        .file("in.jsonl", jsonl(&[("a", HARBOUR), ("c", BEES)]))
        .file("dated.jsonl", jsonl(&[("a", HARBOUR)]) + dated)
        .file("text.txt", HARBOUR);
    let expected = "no document has the field 'dtae' of --keep; check its name, or name another";
    for line in ["clean dated.jsonl -o out", "clean --dry-run in.jsonl", "find in.jsonl", "find text.txt"] {
        folder.dedup(&format!("{line} -q --keep field:dtae")).fails_saying(expected);
    }
    let answer = folder.dedup("clean --dry-run dated.jsonl --keep field:date");
    assert!(
        answer.stderr.contains("1 of 2 documents have no field 'date'; documents that have it are preferred"),
        "{answer:?}"
    );
    answer.code_is(0);
}

/// As on a full disk: a limit on file sizes of some kilobytes.
#[cfg(unix)]
#[test]
fn a_write_error_names_the_output() {
    let long = format!("{HARBOUR}{}", " ".repeat(400_000));
    let folder = Folder::new().file("in/a.txt", &long).file("in.jsonl", jsonl(&[("a", &long), ("b", BEES)]));
    for (line, expected) in [
        ("clean -q in -o out", "dedup: out/a.txt: exceeds the file size limit"),
        ("clean -q in/a.txt -o out", "dedup: out: exceeds the file size limit"),
        ("clean -q in.jsonl in -o out", "dedup: out/in.jsonl: exceeds the file size limit"),
    ] {
        let limited = format!("trap '' XFSZ; ulimit -f 60; exec {} {line}", crate::folder::DEDUP);
        let answer =
            std::process::Command::new("sh").args(["-c", &limited]).current_dir(folder.path()).output().unwrap();
        let told = String::from_utf8(answer.stderr).unwrap();
        assert!(answer.status.code() == Some(2) && told.starts_with(expected), "{line}: {told}");
        assert_eq!(folder.names(), ["in", "in.jsonl"], "{line}");
    }
}

#[test]
fn the_policy_decides_which_documents_are_kept() {
    let folder =
        Folder::new().file("in.csv", format!("id,date,text\na,2020-01-02,\"{HARBOUR}\"\nb,2024-05-06,\"{EDITED}\"\n"));
    for (policy, kept) in [("first", "a"), ("last", "b"), ("field:date:desc", "b"), ("field:date", "a")] {
        folder.dedup(&format!("{CLEAN} --id-field id --keep {policy} --list in.csv --force -o kept")).quietly(0);
        assert_eq!(folder.read_text("kept"), format!("{kept}\n"), "{policy}");
    }
    let answer = folder.dedup(&format!("{CLEAN} --keep field:nothing in.csv -o out.csv"));
    assert!(answer.code == 2 && answer.stderr.contains("has no field 'nothing'"), "{answer:?}");
}

#[test]
fn outputs_that_would_lose_data_are_refused() {
    let folder = mixed().file("in.jsonl", jsonl(&[("a", HARBOUR)])).file("there/x", "mine");
    folder.dedup("fingerprint -q in -o in.fp").quietly(0);
    let before = folder.files("");
    for (line, expected) in [
        ("clean in -o there", "there: holds files that no earlier run wrote; name another folder, or empty it"),
        ("clean in -o in", "in: is an input and the output; name another output"),
        ("clean in.jsonl -o in.jsonl", "in.jsonl: is an input and the output; name another output"),
        ("clean in.jsonl -o ./in/../in.jsonl", "is an input and the output"),
        ("clean in --list -o there", "there: is a folder, which cannot be written over; name another output"),
        ("clean in -o in.jsonl", "in.jsonl: is not a folder, which cannot be written over; name another output"),
        (
            "clean in -o out.parquet",
            "out.parquet: is the name of a file, but what is kept of several inputs or of a folder",
        ),
        (
            "clean - --lines --dry-run",
            "standard input cannot be read twice, which this command does; save it to a file first",
        ),
        (
            "clean - --repeats --dry-run",
            "standard input cannot be read twice, which this command does; save it to a file first",
        ),
        ("clean - -o out", "standard input cannot be read twice, which this command does; save it to a file first"),
        ("clean in.fp -o out", "in.fp: holds fingerprints; name the texts, or use `dedup find`"),
        ("clean in.jsonl -o no/out.jsonl", "no/out.jsonl"),
        ("clean in -o no/out", "no/out"),
    ] {
        let answer = folder.dedup(&format!("{line} -q"));
        answer.fails_saying(expected);
        assert_eq!(folder.files(""), before, "{line}");
    }
    // An empty folder is replaced.
    fs::create_dir(folder.path().join("empty")).unwrap();
    folder.dedup(&format!("{CLEAN} in -o empty")).quietly(0);
    assert_eq!(folder.files("empty").len(), 5);
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_left_alone() {
    use std::os::unix::fs::FileTypeExt;
    let folder = mixed().file("in.jsonl", jsonl(&[("a", HARBOUR)]));
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for line in [
        "fingerprint -q in -o pipe",
        "clean -q in.jsonl -o pipe",
        "clean -q --list in -o pipe",
        "find -q in --report pipe",
        "find -q in --problems pipe",
    ] {
        let answer = folder.dedup(line);
        assert!(answer.code == 2 && answer.stderr.contains("pipe: is a device or a pipe"), "{line}: {answer:?}");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo(), "{line}");
    }
}

#[test]
fn the_newest_or_the_oldest_file_is_kept() {
    let folder = Folder::new().file("in/a.txt", HARBOUR).file("in/b.txt", HARBOUR).file("in/c.txt", HARBOUR);
    let day = |day: u64| std::time::UNIX_EPOCH + std::time::Duration::from_hours(24 * day);
    for (name, changed) in [("a", day(2)), ("b", day(3)), ("c", day(1))] {
        let file = fs::File::options().write(true).open(folder.path().join(format!("in/{name}.txt"))).unwrap();
        file.set_modified(changed).unwrap();
    }
    for (policy, kept) in [("newest", "in/b.txt"), ("oldest", "in/c.txt")] {
        folder.dedup(&format!("clean -q --list --keep {policy} in -o {policy}")).quietly(0);
        assert_eq!(folder.read_text(policy), format!("{kept}\n"));
    }
    let refused = folder.dedup("clean --dry-run in --keep youngest");
    assert!(refused.code == 2 && refused.stderr.contains("newest, oldest"), "{refused:?}");
}

#[test]
fn documents_with_the_same_id_are_both_kept() {
    let folder = Folder::new().file("dup.jsonl", jsonl(&[("a", HARBOUR), ("a", BEES), ("b", BEES)]));
    let answer = folder.dedup("clean dup.jsonl --id-field id -o out.jsonl");
    answer.code_is(0);
    assert!(answer.stderr.contains("repeated ids                     1 document"), "{answer:?}");
    assert_eq!(folder.read_text("out.jsonl"), jsonl(&[("a", HARBOUR), ("b", BEES)]));
    let removed = removals(&folder.read_text("out.jsonl.removed.jsonl"));
    assert_eq!((removed.len(), &removed[0]["id"], &removed[0]["survivor"]), (1, &"dup.jsonl:2".into(), &"b".into()));
    // With `--strict` a repeated id is an error, and an index never has two documents with one id.
    folder.dedup("clean --strict dup.jsonl --id-field id -o strict.jsonl").fails_saying("the id 'a' was used before");
    folder.dedup("index create index").code_is(0);
    folder.dedup("index add -q --id-field id index dup.jsonl").code_is(2);
}

#[test]
fn an_empty_folder_is_an_error() {
    let folder = Folder::new().file("empty/.hidden", "x").file("letters/a.txt", HARBOUR);
    for line in ["find empty", "clean empty -o out", "clean --dry-run empty", "fingerprint empty -o out"] {
        let answer = folder.dedup(line);
        assert!(answer.code == 2 && answer.stderr.contains("empty: holds no file to read"), "{line}: {answer:?}");
    }
    let mistyped = folder.dedup("fnd letters");
    assert!(mistyped.code == 2 && mistyped.stderr.contains("a similar subcommand exists: 'find'"), "{mistyped:?}");
    folder.dedup("clean letters").fails_saying("or use --dry-run to see what would be removed");
    folder
        .dedup("clean --dry-run --language eng letters")
        .fails_saying("only words as written are compared; leave them out");
    folder.dedup("clean --dry-run --language eng --remove edited --distance 3 letters").code_is(0);
    let answer = folder.dedup("clean --dry-run letters");
    assert!(answer.stderr.contains("a dry run: no documents were written"), "{answer:?}");
}

/// The extension of the output decides its compression; an extension of another format is refused.
#[test]
fn the_extension_decides_the_format_of_the_output() {
    let lines = jsonl(&[("a", HARBOUR), ("b", HARBOUR), ("c", BEES)]);
    let kept = jsonl(&[("a", HARBOUR), ("c", BEES)]);
    let folder =
        Folder::new().file("in.jsonl.zst", packed(".zst", &lines)).file("plain.jsonl", &lines).file("noname", &lines);
    for input in ["in.jsonl.zst", "plain.jsonl", "noname"] {
        for ending in ENDINGS {
            let out = format!("out.jsonl{ending}");
            folder.dedup(&format!("clean -q --id-field id {input} --force -o {out}")).quietly(0);
            let bytes = folder.read(&out);
            assert_eq!(
                String::from_utf8(if ending.is_empty() { bytes } else { unpacked(&bytes) }).unwrap(),
                kept,
                "{out}"
            );
        }
    }
}

#[test]
fn records_become_those_of_another_format_if_nothing_is_lost() {
    let row = |id: &str, text: &str| format!("{id},\"{text}\",\"1,50\"\r\n");
    let table =
        format!("\u{feff}key, body,n\r\n{}{}\r\n{}", row("a", HARBOUR), row("b", HARBOUR), row("=c", "two\nlines"));
    let folder = Folder::new().file("in.csv", &table).file("same.csv", "text,a,a\nx,1,2\n");
    let clean = "clean -q --id-field";
    folder.dedup(&format!("{clean} key --text-field body in.csv -o out.jsonl.gz")).quietly(0);
    let lines = format!(
        "{{\"key\":\"a\",\" body\":\"{HARBOUR}\",\"n\":\"1,50\"}}\n{{\"key\":\"=c\",\" body\":\"two\\nlines\",\"n\":\"1,50\"}}\n"
    );
    assert_eq!(String::from_utf8(unpacked(&folder.read("out.jsonl.gz"))).unwrap(), lines);
    folder.dedup(&format!("{clean} key --text-field body in.csv -o out.tsv")).quietly(0);
    let rows = format!("key\t body\tn\na\t{HARBOUR}\t1,50\n=c\t\"two\nlines\"\t1,50\n");
    assert_eq!(folder.read_text("out.tsv"), rows);
    folder
        .dedup("clean -q same.csv -o same.jsonl")
        .fails_saying("same.csv, row 1: cannot be converted without loss: it has two fields 'a'; nothing was written");
    // Numbers are unchanged; fields follow the order of the first record.
    let folder = folder
        .file("in.jsonl", "{\"text\":\"one\",\"n\":1.50}\n\n{\"n\":-2e9,\"text\":\"\\ud83d\\ude00 other\"}\n")
        .file("null.jsonl", "{\"text\":\"one\",\"n\":1}\n{\"text\":\"two\",\"n\":null}\n{\"text\":\"two\",\"n\":3}\n");
    folder.dedup("clean -q in.jsonl -o out.csv").quietly(0);
    assert_eq!(folder.read_text("out.csv"), "text,n\none,1.50\n😀 other,-2e9\n");
    folder.dedup("clean -q null.jsonl -o null.csv").fails_saying(
        "null.jsonl, line 2: cannot be converted without loss: its field 'n' is null, which a table cannot \
         distinguish from an empty field",
    );
    assert!(!folder.names().iter().any(|name| name.starts_with("null.csv") || name.starts_with("same.jsonl")));
}

#[test]
fn unreadable_inputs_are_skipped() {
    let folder = Folder::new().file("in/a.txt", HARBOUR).file("in/b.txt", [0; 99]).file("in/c.jsonl", "{]\n");
    let answer = folder.dedup(&format!("{CLEAN} in nothing -o out"));
    assert_eq!((answer.code, answer.stderr.lines().count()), (2, 3), "{answer:?}");
    assert_eq!(folder.files("out").into_keys().collect::<Vec<_>>(), ["in/a.txt", "in/b.txt", "in/c.jsonl"]);
    assert_eq!(folder.files("out")["in/b.txt"], [0; 99], "a file that is not a text is copied");
    assert_eq!(folder.files("out")["in/c.jsonl"], b"{]\n", "a file without a record is copied too");
    let answer = folder.dedup(&format!("{CLEAN} in/b.txt -o b.txt"));
    assert_eq!((answer.code, folder.path().join("b.txt").exists()), (2, false));
    folder.dedup(&format!("{CLEAN} --strict in -o strict")).fails_saying("(stopped, as --strict asks)");
    assert!(!folder.path().join("strict").exists());
}

#[test]
fn the_cleaned_texts_of_the_project_have_no_removable_pair() {
    let folder = Folder::new();
    let out = folder.path().join("out");
    let answer = dedup(&format!("clean -q --remove edited data/texts -o {}", out.display()));
    assert_eq!((answer.code, &*answer.stderr), (0, ""));
    let gone = removals(&folder.read_text("out.removed.jsonl"));
    let near = dedup(&format!("find -q --pairs --format jsonl {}", out.display())).jsonl();
    assert!(gone.len() > 5 && near.iter().all(|pair| pair["removal"].is_null()), "{gone:?} {near:?}");
}

#[test]
fn where_nothing_can_be_read_nothing_is_written() {
    let folder = Folder::new().file("a.jsonl", jsonl(&[("a", HARBOUR)])).file("out.jsonl", "good");
    let answer = folder.dedup("clean a.jsonl --text-field body --force -o out.jsonl");
    answer.code_is(2);
    assert!(answer.stderr.contains("no document could be read, so nothing is written"), "{answer:?}");
    assert_eq!(folder.read("out.jsonl"), b"good");
}

#[test]
fn documents_named_by_a_list_are_removed() {
    let all = [("a", HARBOUR), ("b", EDITED), ("c", BEES), ("d", CLOCK)];
    let folder = Folder::new()
        .file("in.jsonl", jsonl(&all))
        .file("gone.txt", "b\n\nd\nnowhere\n")
        .file("gone.jsonl", "{\"id\":\"a\",\"why\":\"spam\"}\n")
        .dated("in.jsonl", 0);
    let clean = "clean --id-field id in.jsonl --apply";
    let answer = folder.dedup(&format!("{clean} gone.txt -o out.jsonl"));
    assert!(answer.stderr.contains("gone.txt: removed 2 of 4 documents; 1 of its ids was not found"), "{answer:?}");
    answer.code_is(0);
    assert_eq!(folder.read_text("out.jsonl"), jsonl(&[all[0], all[2]]));
    let bytes = folder.read("in.jsonl").len();
    let line = |id: &str| {
        format!(
            "{{\"id\":\"{id}\",\"listed_in\":\"gone.txt\",\"file_bytes\":{bytes},\
             \"file_modified\":\"2001-02-03T04:05:06Z\"}}\n"
        )
    };
    assert_eq!(unsealed(&folder.read_text("out.jsonl.removed.jsonl")), line("b") + &line("d"));
    // The list of removals of one run can be applied in another.
    folder.dedup(&format!("{clean} out.jsonl.removed.jsonl -q -o again.jsonl")).quietly(0);
    assert_eq!(folder.read("again.jsonl"), folder.read("out.jsonl"));
    assert_eq!(folder.dedup(&format!("{clean} gone.jsonl -q --dry-run")).quietly(0), "a\n");
    let before = folder.files("");
    for (options, expected) in [
        ("missing.txt -o x.jsonl", "missing.txt: no such file"),
        ("gone.jsonl -o gone.jsonl", "gone.jsonl: is an input and the output"),
        ("gone.jsonl -o x.json", "x.json: .json is the ending of a format that is not written"),
        ("gone.jsonl -o x.jsonl.tar.gz", "x.jsonl.tar.gz: .tar is the ending of a format that is not written"),
        ("gone.jsonl -o y/p-*.zip", "y/p-*.zip: .zip is the ending of a format that is not written"),
        ("gone.jsonl --list -o x.txt.gz", "x.txt.gz: the output is plain text"),
        ("gone.jsonl -o x.PQ", "x.PQ: .PQ is the ending of a format that is not written"),
    ] {
        folder.dedup(&format!("{clean} {options}")).fails_saying(expected);
    }
    let both = folder.dedup(&format!("{clean} gone.txt -o x.jsonl --keep first"));
    assert!(both.code == 2 && both.stderr.contains("cannot be used with"), "{both:?}");
    assert_eq!(folder.files(""), before);
}

/// The list of a corpus is applied to each of its shards, from some of which nothing goes.
#[test]
fn a_list_that_names_no_document_removes_none() {
    let all = jsonl(&[("a", HARBOUR), ("b", BEES)]);
    let folder = Folder::new().file("in.jsonl", &all).file("others.txt", "y\nx\n").file("empty.txt", "");
    let clean = "clean --id-field id in.jsonl --apply";
    let answer = folder.dedup(&format!("{clean} others.txt -o out.jsonl"));
    answer.code_is(0);
    assert!(
        answer.stderr.contains(
            "others.txt: removed 0 of 2 documents: none has an id of this list, such as 'x'; they have ids such as 'a'; \
             --id-field names the field of ids\n"
        ),
        "{answer:?}"
    );
    assert_eq!(folder.read_text("out.jsonl"), all);
    assert!(removals(&folder.read_text("out.jsonl.removed.jsonl")).is_empty());
    let answer = folder.dedup(&format!("{clean} empty.txt -o whole.jsonl"));
    assert!(answer.stderr.contains("empty.txt: removed 0 of 2 documents\n"), "{answer:?}");
    assert_eq!(folder.read_text("whole.jsonl"), all);
}

#[test]
fn the_list_of_removals_beside_a_table_is_one() {
    let folder = Folder::new().file("in.jsonl", jsonl(&[("a", HARBOUR), ("=b", HARBOUR)])).dated("in.jsonl", 0);
    folder.dedup(&format!("{CLEAN} --id-field id in.jsonl --keep last -o out.csv")).quietly(0);
    let table = folder.read_text("out.csv.removed.csv");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(
        lines[0],
        "id,survivor,distance,jaccard_estimate,jaccard,containment_a,containment_b,rules,removal,group,\
         file_bytes,file_modified,date,date_from,survivor_date,survivor_date_from,digest,survivor_digest,check"
    );
    let bytes = folder.read("in.jsonl").len();
    let row = format!("a,'=b,,1,1,1,1,jaccard text,same,1,{bytes},2001-02-03T04:05:06Z,");
    assert!(lines[1].starts_with(&row), "{table}");
    assert!(lines[2].starts_with("end_of_list,1,,,") && lines.len() == 3, "{table}");
    assert_eq!(folder.names(), ["in.jsonl", "out.csv", "out.csv.removed.csv"]);
}

/// A copy of a removed document goes for the same survivor, by the claim that was verified against it.
#[test]
fn copies_are_counted_by_what_was_verified() {
    let folder = Folder::new().file("in.jsonl", jsonl(&[("a", EDITED), ("b", EDITED), ("c", HARBOUR)]));
    for (keep, same, edited) in [("first", 1, 1), ("last", 0, 2)] {
        let answer = folder.dedup(&format!(
            "clean --remove edited --similarity 0.5 --threshold-alone --keep {keep} --dry-run in.jsonl"
        ));
        for (claim, count) in [("same", same), ("edited", edited)] {
            let line = format!("{claim:<20}{count:>14} document");
            assert!(answer.stderr.contains(&line), "{keep}: {answer:?}");
        }
    }
}

#[test]
fn documents_that_differ_outside_their_characters_are_kept() {
    let folder = Folder::new()
        .file("bytes.csv", b"id,text\n1,peche p\xeache\n2,peche p\xe8che\n")
        // Long enough to be contained, if a malformed byte were any other.
        .file("letters/a.txt", [b"\xef\xbb\xbf", HARBOUR.as_bytes(), b"\n\nIt goes to Ren\xe9 Duval alone."].concat())
        .file("letters/b.txt", [b"\xef\xbb\xbf", HARBOUR.as_bytes(), b"\n\nIt goes to Ren\xe8 Duval alone."].concat())
        .file("in/a.html", "<!DOCTYPE html><html><body><img src=a.png></body></html>")
        .file("in/b.html", "<!DOCTYPE html><html><body><img src=b.png></body></html>")
        .file("in/c.html", "<!DOCTYPE html><html><body><img src=b.png></body></html>");
    folder.dedup("clean -q bytes.csv -o out.csv").quietly(0);
    assert_eq!(folder.read("out.csv"), folder.read("bytes.csv"));
    folder.dedup("clean -q in -o out").quietly(0);
    assert_eq!(folder.files("out").into_keys().collect::<Vec<_>>(), ["a.html", "b.html"]);
    folder.dedup("clean -q letters -o kept").quietly(0);
    assert_eq!(folder.files("kept").len(), 2);
    // The page shows such a text too.
    folder.dedup("find -q bytes.csv --report page.html").code_is(0);
    assert!(!folder.read_text("page.html").contains("not available"));
}

/// A later run may keep the newest.
#[test]
fn files_of_a_folder_keep_their_time_and_their_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new().file("in/a.txt", HARBOUR).file("in/b.txt", MILL);
    let path = |name: &str| folder.path().join(name);
    let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    fs::File::options().write(true).open(path("in/a.txt")).unwrap().set_modified(old).unwrap();
    fs::set_permissions(path("in/a.txt"), fs::Permissions::from_mode(0o600)).unwrap();
    for line in ["clean in -o out", "clean in --lines -o cut"] {
        folder.dedup(line).code_is(0);
    }
    for name in ["out/a.txt", "cut/a.txt"] {
        let metadata = fs::metadata(path(name)).unwrap();
        assert_eq!((metadata.modified().unwrap(), metadata.permissions().mode() & 0o777), (old, 0o600), "{name}");
    }
}

/// Signs that begin a line, and a number that a cut may have divided.
#[test]
fn texts_that_differ_in_a_sign_or_within_a_number_are_kept() {
    for [a, b] in [
        ["≥ 18 years", "≤ 18 years"],
        ["→ 5", "← 5"],
        ["● yes\n○ no", "○ yes\n● no"],
        ["[*] agree\n[ ] refuse", "[ ] agree\n[*] refuse"],
        ["+ 500.00 Meyer", "- 500.00 Meyer"],
        ["Antibody\n+", "Antibody\n-"],
        ["€ 500", "£ 500"],
        ["> 5 mg", "5 mg"],
        ["Balance 500-", "Balance 500"],
        ["(EUR 500)", "EUR 500"],
    ] {
        let texts = [a, b].map(|line| format!("{MILL}\n\n{line}\n\n{HARBOUR}"));
        let folder = Folder::new().file("in.jsonl", jsonl(&[("a", &texts[0]), ("b", &texts[1])]));
        folder.dedup("clean -q in.jsonl -o out.jsonl").quietly(0);
        assert_eq!(folder.read_text("out.jsonl").lines().count(), 2, "{a} {b}");
    }
    // Signs on both sides of a word, of a text that would stand whole in the other without them.
    for [a, b] in [["👍 Yes 👍", "Yes"], ["✗ Yes ✗", "👍 Yes 👍"], ["See #5#6 now.", "See 5, 6 now."]] {
        let texts = [format!("{MILL} {HARBOUR}\n{a}\n"), format!("{MILL} {HARBOUR}\n{b}\n{BEES}\n")];
        let folder = Folder::new().file("in.jsonl", jsonl(&[("a", &texts[0]), ("b", &texts[1])]));
        folder.dedup("clean -q in.jsonl -o out.jsonl").quietly(0);
        assert_eq!(folder.read_text("out.jsonl").lines().count(), 2, "{a} {b}");
    }
    // A sign that begins a line or a sentence belongs to that, and not to what stands before it.
    for more in ["\n\n- 5 apples lay there.", "\n● Apples lay there.", "\n→ Apples lay there.", "\n[*] Apples"] {
        let texts = ["", more].map(|more| format!("{HARBOUR} {MILL}{more}"));
        let folder = Folder::new().file("in.jsonl", jsonl(&[("a", &texts[0]), ("b", &texts[1])]));
        folder.dedup("clean -q in.jsonl -o out.jsonl").quietly(0);
        assert_eq!(folder.read_text("out.jsonl").lines().count(), 1, "{more}");
    }
    let cut = |end: &str| format!("{MILL} {HARBOUR} The fee in euros is {end}");
    for (more, stay) in
        [(" 000 a year and falls due on the first of May.", 2), (" a year and falls due on the first of May.", 1)]
    {
        let whole = cut(&format!("5{more}"));
        let folder = Folder::new().file("in.jsonl", jsonl(&[("a", &cut("5")), ("b", &whole)]));
        folder.dedup("clean -q in.jsonl -o out.jsonl").quietly(0);
        assert_eq!(folder.read_text("out.jsonl").lines().count(), stay, "{more}");
    }
}

#[test]
fn a_list_is_not_applied_where_an_id_may_mean_several() {
    let folder = Folder::new()
        .file("in.jsonl", jsonl(&[("a", HARBOUR), ("a", BEES), ("b", CLOCK), ("c", CLOCK), ("a", HARBOUR)]))
        .file("numbers.jsonl", "{\"id\":7,\"text\":\"one\"}\n{\"id\":8,\"text\":\"two\"}\n")
        .file("marked.txt", "\u{feff}7\r\n9\r\n")
        .file("gone.txt", "a\n");
    folder.dedup("clean -q --id-field id in.jsonl --apply gone.txt -o out.jsonl").fails_saying(
        "2 documents of the inputs share their ids with another, so an id in gone.txt, which has no digests, may name several;",
    );
    // The digests of a list that `clean` wrote tell which is meant.
    folder.dedup("clean -q --id-field id in.jsonl -o kept.jsonl").quietly(0);
    folder.dedup("clean -q --id-field id in.jsonl --apply kept.jsonl.removed.jsonl -o again.jsonl").quietly(0);
    assert_eq!(folder.read("again.jsonl"), folder.read("kept.jsonl"));
    assert_eq!(folder.read_text("kept.jsonl").lines().count(), 3);
    folder.dedup("clean -q --id-field id numbers.jsonl --apply marked.txt -o out.jsonl").quietly(0);
    assert_eq!(folder.read_text("out.jsonl"), "{\"id\":8,\"text\":\"two\"}\n");
    // A line of the corpus itself serves as a list.
    folder.dedup("clean -q --id-field id numbers.jsonl --apply out.jsonl -o rest.jsonl").quietly(0);
    assert_eq!(folder.read_text("rest.jsonl"), "{\"id\":7,\"text\":\"one\"}\n");
    // A field of ids that was forgotten is an error, another field a warning: so a shard may look of which nothing goes.
    folder.dedup("clean -q numbers.jsonl --apply marked.txt -o same.jsonl").fails_saying(
        "marked.txt: its ids, such as '7', are no positions in files, and all documents have ids such as \
         'numbers.jsonl:1'; name the field of ids by --id-field; nothing was written",
    );
    assert!(!folder.path().join("same.jsonl").exists());
    let folder = folder.file("positions.txt", "7\nothers.jsonl:1\n");
    let answer = folder.dedup("clean numbers.jsonl --apply positions.txt -o same.jsonl");
    assert!(answer.stderr.contains("such as '7'; they have ids such as 'numbers.jsonl:1'; --id-field"), "{answer:?}");
    assert_eq!(folder.read("same.jsonl"), folder.read("numbers.jsonl"));
    let answer = folder.dedup("clean --id-field text numbers.jsonl --apply marked.txt -o other.jsonl");
    assert!(answer.stderr.contains("such as '7'; they have ids such as 'one'; --id-field"), "{answer:?}");
    folder.dedup("clean -q numbers.jsonl -o -").fails_saying("-: the output appears only when it is complete");
}
