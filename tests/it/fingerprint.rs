//! `dedup fingerprint`, and the answers of `info`, `verify` and `cat` about its file.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use nearcopy::fingerprint::{Fingerprinter, Options};
use nearcopy::store::file::format::Sections;
use nearcopy::store::file::write::Writer;

use crate::folder::{Folder, project};
use crate::moments::wait_for;
use crate::texts::{BEES, CLOCK, EDITED, ENDINGS, HARBOUR, MILL, Numbers, jsonl, lines_of, packed};

/// Three documents: a text, one with characters that CSV quotes, one without terms.
const DOCUMENTS: [(&str, &str); 3] =
    [("harbour", HARBOUR), ("sign", "Under the sign \"Tides, and more\" hangs a table of high water."), ("none", "")];

/// The library's fingerprint of a text, as `dedup cat` shows it.
fn row(id: &str, text: &str, file: &str, record: usize) -> String {
    let mut options = Options::default();
    options.text.language = Some("eng".parse().unwrap());
    let found = Fingerprinter::new(options).unwrap().fingerprint(text);
    let simhash = found.simhash.map_or("null".into(), |simhash| format!("\"{simhash:016x}\""));
    let digest: String = found.digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let sketch: Vec<String> = found.sketch.iter().map(u32::to_string).collect();
    format!(
        "{{\"id\":\"{id}\",\"simhash\":{simhash},\"sketch\":[{}],\"digest\":\"{digest}\",\"language\":\"eng\",\
         \"bytes\":{},\"tokens\":{},\"terms\":{},\"ngrams\":{},\"shingles\":{},\"file\":\"{file}\",\"record\":{record}}}\n",
        sketch.join(","),
        text.len(),
        found.tokens,
        found.terms,
        found.ngrams,
        found.shingles
    )
}

fn rows(file: &str) -> String {
    DOCUMENTS.iter().zip(1..).map(|((id, text), record)| row(id, text, file, record)).collect()
}

fn table(separator: char) -> String {
    let row = |(id, text): &(&str, &str)| format!("{id}{separator}\"{}\"\n", text.replace('"', "\"\""));
    format!("id{separator}text\n{}", DOCUMENTS.iter().map(row).collect::<String>())
}

#[test]
fn every_format_of_many_documents_gives_what_the_library_gives() {
    let lines: String = DOCUMENTS.iter().map(|(id, text)| format!("{id} {text}\n")).collect();
    for (name, content, options) in [
        ("all.jsonl", jsonl(&DOCUMENTS), ""),
        ("all.json", jsonl(&DOCUMENTS), ""),
        ("all.csv", table(','), ""),
        ("all.tsv", table('\t'), ""),
        ("all.lines", lines, "--input lines"),
    ] {
        for ending in ENDINGS {
            let name = format!("{name}{ending}");
            let folder = Folder::new().file(&name, packed(ending, &content));
            let line = format!("fingerprint -q --language eng --id-field id {options} {name} -o all.fp");
            assert_eq!(folder.dedup(&line).quietly(0), "", "{line}");
            assert_eq!(folder.dedup("cat all.fp").quietly(0), rows(&name), "{line}");
        }
    }
}

#[cfg(feature = "parquet")]
#[test]
fn tables_of_columns_too() {
    let [ids, texts] = [DOCUMENTS.map(|(id, _)| id), DOCUMENTS.map(|(_, text)| text)];
    let table = crate::texts::parquet(&[("text", &texts), ("id", &ids)]);
    for ending in ENDINGS {
        let name = format!("all.parquet{ending}");
        let folder = Folder::new().file(&name, packed(ending, &table));
        folder.dedup(&format!("fingerprint -q --language eng --id-field id {name} -o all.fp")).quietly(0);
        assert_eq!(folder.dedup("cat all.fp").quietly(0), rows(&name));
    }
    // The Parquet output of `cat` can be read as input.
    let folder = Folder::new().file("all.parquet", table);
    folder.dedup("fingerprint -q --language eng --id-field id all.parquet -o all.fp").quietly(0);
    folder.dedup("cat all.fp -o fingerprints.parquet").quietly(0);
    folder.dedup("fingerprint -q --text-field language --id-field id fingerprints.parquet -o again.fp").quietly(0);
    let ids: Vec<_> = folder.dedup("cat again.fp").jsonl().iter().map(|row| row["id"].clone()).collect();
    assert_eq!(ids, ["harbour", "sign", "none"]);
}

#[test]
fn a_file_may_be_one_document() {
    let page = fs::read(project().join("data/web/windmill.html")).unwrap();
    for (name, content) in [("one.txt", HARBOUR.as_bytes()), ("one.html", &page)] {
        let plain = Folder::new().file(name, content);
        let expected = plain.dedup(&format!("compare --format json {name} {name}")).json()["documents"][0].clone();
        for ending in ENDINGS {
            let name = format!("{name}{ending}");
            let folder = Folder::new().file(&name, packed(ending, content));
            folder.dedup(&format!("fingerprint -q {name} -o one.fp")).quietly(0);
            let [row] = &folder.dedup("cat one.fp").jsonl()[..] else { panic!("{name}: one document") };
            assert_eq!([&row["id"], &row["file"], &row["record"]], [&*name, &*name, "0"].map(json).each_ref());
            for key in ["simhash", "sketch", "language", "tokens", "terms", "ngrams", "shingles"] {
                assert_eq!(row[key], expected[key], "{name}: {key}");
            }
        }
    }
}

/// A JSON value: a word or a number.
fn json(word: &str) -> serde_json::Value {
    serde_json::from_str(word).unwrap_or_else(|_| word.into())
}

#[test]
fn standard_input_is_recognised_as_any_file_is() {
    let folder = Folder::new();
    for ending in ENDINGS {
        let input = packed(ending, jsonl(&DOCUMENTS));
        folder.dedup_with_input("fingerprint -q --language eng --id-field id - --force -o in.fp", &input).quietly(0);
        assert_eq!(folder.dedup("cat in.fp").quietly(0), rows("-"));
    }
    folder.dedup_with_input("fingerprint -q --language eng - --force -o in.fp", HARBOUR.as_bytes()).quietly(0);
    assert_eq!(folder.dedup("cat in.fp").quietly(0), row("-", HARBOUR, "-", 0));
    folder
        .dedup_with_input("fingerprint -q --language eng --input csv - --force -o in.fp", table(',').as_bytes())
        .quietly(0);
    let ids: Vec<_> = folder.dedup("cat in.fp").jsonl().iter().map(|row| row["id"].clone()).collect();
    assert_eq!(ids, ["-:1", "-:2", "-:3"], "without a field of ids");
}

#[test]
fn a_folder_is_read_in_the_order_of_names_and_without_the_output_in_it() {
    let folder = Folder::new()
        .file("in/b.txt", HARBOUR)
        .file("in/a/z.jsonl", jsonl(&DOCUMENTS))
        .file("in/a/10.txt", BEES)
        .file("in/x.md", CLOCK)
        .file("in/.hidden.txt", EDITED)
        .file("in/a/.ignore", "left.txt\n")
        .file("in/a/left.txt", EDITED);
    let ids = |line: &str| -> Vec<String> {
        folder.dedup(&format!("fingerprint -q {line} in --force -o in/out.fp")).quietly(0);
        let rows = folder.dedup("cat in/out.fp").jsonl();
        rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
    };
    let expected =
        ["in/a/10.txt", "in/a/z.jsonl:1", "in/a/z.jsonl:2", "in/a/z.jsonl:3", "in/b.txt", "in/x.md"].map(str::to_owned);
    assert_eq!(ids(""), expected);
    let bytes = folder.read("in/out.fp");
    assert_eq!(ids(""), expected, "the output is there now, and is not read");
    assert_eq!(folder.read("in/out.fp"), bytes);
    assert_eq!(ids("--glob *.txt"), ["in/.hidden.txt", "in/a/10.txt", "in/a/left.txt", "in/b.txt"]);
    assert_eq!(ids("--type markdown"), ["in/x.md"]);
    assert!(ids("--hidden").contains(&"in/.hidden.txt".to_owned()));
    assert!(ids("--no-ignore").contains(&"in/a/left.txt".to_owned()));
    assert!(!folder.files("in").keys().any(|name| name.contains("partial")));
}

#[test]
fn the_tally_of_inputs_is_reported() {
    let folder = Folder::new()
        .file("all.jsonl", jsonl(&DOCUMENTS))
        .file("bytes.txt", b"a bad byte \xff in \xc3\xa4 \xc3\xb6 \xc3\xbc");
    let answer = folder.dedup("fingerprint all.jsonl bytes.txt -o all.fp");
    assert_eq!((answer.code, &*answer.stdout), (0, ""));
    assert!(answer.stderr.starts_with("dedup: all.fp: read 4 documents"), "{answer:?}");
    assert!(answer.stderr.contains("1 empty") && answer.stderr.contains("1 with malformed"), "{answer:?}");
}

/// The number of threads makes no difference either.
#[test]
fn running_again_gives_the_same_bytes() {
    let documents = Numbers(1).documents(300, 200);
    let folder = Folder::new().file("a.jsonl", lines_of(&documents)).file("b.txt", HARBOUR);
    let bytes = |threads: usize| {
        folder.dedup(&format!("fingerprint -q --threads {threads} a.jsonl b.txt --force -o out.fp")).quietly(0);
        folder.read("out.fp")
    };
    let one = bytes(1);
    assert_eq!(bytes(1), one);
    assert_eq!(bytes(4), one);
    assert_eq!(folder.names(), ["a.jsonl", "b.txt", "out.fp"]);
}

#[test]
fn info_shows_what_a_file_holds() {
    let folder = Folder::new().file("all.jsonl", jsonl(&DOCUMENTS)).file("more.txt", BEES);
    folder.dedup("fingerprint -q --max 4 --no-stem all.jsonl more.txt -o all.fp").quietly(0);
    let json = folder.dedup("info --format json all.fp").json();
    let recipe = folder.dedup("compare --max 4 --no-stem --format json more.txt more.txt").json();
    assert_eq!((&json["recipe"], &json["recipe_id"]), (&recipe["recipe"], &recipe["recipe_id"]));
    let keys: Vec<_> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["documents", "file", "input_files", "recipe", "recipe_id", "sections"]);
    // Texts of 19, 12, 0 and 19 words: n-grams of 3 and of 4 at 8 bytes each, words at 4 bytes each.
    let shingles = 8 * ((17 + 16) + (10 + 9) + (17 + 16));
    let words = 4 * (19 + 12 + 19);
    let [stop_words, id] = [&json["recipe"]["stop_words"], &json["recipe_id"]].map(|value| value.as_str().unwrap());
    let recipe = json["sections"]["recipe"].as_u64().unwrap();
    assert_eq!(
        folder.dedup("info all.fp").quietly(0),
        format!(
            "\
all.fp
   documents     4 from 2 input files
   n-grams       min 3, max 4; shingles of words
   terms         stop words {stop_words}, no stems
   language      auto
   sketches      25
   recipe        {id}
   sections
      recipe           {recipe:>14} bytes
      simhashes                    32 bytes
      sketches                    400 bytes
      digests                      64 bytes
      counts                      160 bytes
      letters                      32 bytes
      languages                    16 bytes
      id offsets                   40 bytes
      ids                          41 bytes
      places                       48 bytes
      path offsets                 24 bytes
      paths                        17 bytes
      files                        96 bytes
      shingle offsets              40 bytes
      shingles         {shingles:>14} bytes
      word offsets                 40 bytes
      words            {words:>14} bytes
"
        )
    );
    assert_eq!(folder.dedup("verify all.fp all.fp").quietly(0), "all.fp: 4 documents, all is well\n".repeat(2));
}

#[test]
fn every_damaged_file_is_named() {
    let folder = Folder::new().file("a.txt", HARBOUR);
    folder.dedup("fingerprint -q a.txt -o good.fp").quietly(0);
    let good = folder.read("good.fp");
    let folder = folder.file("cut.fp", &good[..good.len() - 1]);
    let answer = folder.dedup("verify cut.fp nothing.fp good.fp a.txt good.fp");
    assert_eq!((answer.code, &*answer.stdout), (2, &*"good.fp: 1 document, all is well\n".repeat(2)));
    let told: Vec<_> = answer.stderr.lines().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!(told, ["cut.fp", "nothing.fp", "a.txt"], "{answer:?}");
}

#[test]
fn untrusted_texts_cannot_control_the_terminal() {
    let folder = Folder::new();
    let mut recipe = Fingerprinter::new(Options::default()).unwrap().recipe().clone();
    recipe.language = "\u{1b}[2J".into();
    recipe.stop_words = "\u{9b}2J".into();
    let sections = Sections { shingles: true, keys: true, passages: false, lookup: false };
    let mut writer = Writer::create(&folder.path().join("a\u{1b}.fp"), &recipe, sections).unwrap();
    writer.key_field("\u{7f}").unwrap();
    writer.finish().unwrap();
    for command in ["info", "verify"] {
        let mut command = folder.command(command);
        let shown = crate::folder::run(command.arg("a\u{1b}.fp"), b"").quietly(0);
        assert!(shown.starts_with("a\\x1B.fp"), "{shown:?}");
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
    }
}

#[test]
fn keys_are_of_one_field() {
    let lines = "{\"text\":\"a b c d\",\"date\":1,\"score\":2}\n{\"text\":\"a b c d\",\"date\":2,\"score\":1}\n";
    let folder = Folder::new().file("a.jsonl", lines);
    folder.dedup("fingerprint -q --key-field date a.jsonl -o dates.fp").quietly(0);
    folder.dedup("fingerprint -q a.jsonl -o plain.fp").quietly(0);
    let survivor = |line: &str| folder.dedup(&format!("find -q --format json {line}")).json()[0]["survivor"].clone();
    assert_eq!(survivor("--keep field:date dates.fp"), "a.jsonl:1");
    assert_eq!(survivor("--keep field:date:desc dates.fp"), "a.jsonl:2");
    folder.dedup("find -q --keep field:score dates.fp").fails_saying(
        "dates.fp: stores the field 'date', not 'score'; give --keep field:date, or make the file again with \
         --key-field score",
    );
    assert_eq!(folder.dedup("find -q --keep field:date plain.fp").code, 2);
    let info = folder.dedup("info dates.fp").quietly(0);
    assert!(info.contains("\n   key field     date\n"), "{info}");
    assert_eq!(folder.dedup("info --format json dates.fp").json()["key_field"], "date");
}

/// The list of problems is not read while it is being written.
#[test]
fn outputs_of_the_run_are_not_read() {
    let folder = Folder::new().file("in/a.txt", HARBOUR).file("in/b.jsonl", "{]\n");
    let answer = folder.dedup("fingerprint -q --hidden in -o a.fp --problems in/problems.jsonl");
    answer.code_is(2);
    let ids: Vec<_> = folder.dedup("cat a.fp").jsonl().iter().map(|row| row["file"].clone()).collect();
    assert_eq!(ids, ["in/a.txt"]);
    assert_eq!(folder.dedup("info --format json a.fp").json()["input_files"], 2);
}

#[test]
fn without_shingles_only_the_hamming_rule_applies() {
    let folder = Folder::new().file("two.jsonl", jsonl(&[("a", HARBOUR), ("b", BEES), ("c", HARBOUR)]));
    folder.dedup("fingerprint -q --id-field id --no-shingles two.jsonl -o two.fp").quietly(0);
    folder.dedup("verify two.fp").code_is(0);
    folder.dedup("find two.fp").fails_saying(
        "a fingerprint file has no shingles, so only the Hamming rule can be asked: give --similarity none, or make \
         the file without --no-shingles",
    );
    assert_eq!(
        folder.dedup("find -q --similarity none two.fp").quietly(0),
        "a\n   c   0 bits  Jaccard about 100.00 %  by hamming, text\n"
    );
    // Without shingles the decision of `clean` is unknown and not reported.
    let edited = MILL.replace("brooks", "streams");
    let folder = folder.file("long.jsonl", jsonl(&[("a", MILL), ("b", &edited)]));
    let line = "find -q --pairs --language eng --similarity none --distance 12";
    folder.dedup("fingerprint -q --language eng --id-field id --no-shingles long.jsonl -o long.fp").quietly(0);
    let pair = &folder.dedup("find -q --pairs --similarity none --distance 12 --format json long.fp").json()[0];
    for key in ["jaccard", "removal"] {
        assert_eq!(pair[key], serde_json::Value::Null, "{key}");
    }
    let text = folder.dedup("find -q --pairs --similarity none --distance 12 long.fp").quietly(0);
    assert!(text.contains("by hamming") && !text.contains("removal"), "{text}");
    let pair = &folder.dedup(&format!("{line} --id-field id --format json long.jsonl")).json()[0];
    assert_eq!(pair["jaccard"], 53.0 / 59.0);
    assert_eq!(pair["removal"], "edited");
}

#[test]
fn other_files_are_not_taken_for_fingerprint_files() {
    let folder = Folder::new().file("a.txt", HARBOUR).file("empty", "");
    for command in ["info", "verify", "cat"] {
        let expected = "a.txt: is not a fingerprint file; name one that `dedup fingerprint` wrote";
        folder.dedup(&format!("{command} a.txt")).fails_saying(expected);
        folder.dedup(&format!("{command} empty")).fails_saying("empty: has 0 bytes instead of 64; copy it again");
        folder.dedup(&format!("{command} nothing")).fails_saying("nothing: no such file");
        assert_eq!(folder.dedup(&format!("{command} .")).code, 2);
    }
}

#[test]
fn any_damage_is_detected() {
    let folder = Folder::new().file("all.jsonl", jsonl(&DOCUMENTS));
    folder.dedup("fingerprint -q all.jsonl -o all.fp").quietly(0);
    let whole = folder.read("all.fp");
    let fails = |bytes: &[u8], what: &str| {
        fs::write(folder.path().join("bad.fp"), bytes).unwrap();
        folder.dedup("verify bad.fp").fails_saying("bad.fp: ");
        for line in ["find -q bad.fp", "cat bad.fp", "info bad.fp"] {
            let answer = folder.dedup(line);
            assert!(!answer.stderr.contains("panicked"), "{what}, {line}: {answer:?}");
            // `info` reads only the parts that it shows.
            assert!(answer.code == 2 || line.starts_with("info"), "{what}, {line}: {answer:?}");
        }
    };
    for length in [1, 8, 60, whole.len() / 3, whole.len() - 1] {
        fails(&whole[..length], &format!("cut to {length}"));
    }
    fails(&[&whole[..], b"\n"].concat(), "one byte more");
    for place in (0..whole.len()).step_by(whole.len() / 40) {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x10;
        fails(&bytes, &format!("byte {place}"));
    }
    let mut newer = whole;
    newer[8] = 99;
    fs::write(folder.path().join("new.fp"), newer).unwrap();
    folder
        .dedup("find new.fp")
        .fails_saying("new.fp: is a fingerprint file of format 99, but this version reads formats up to 1");
}

#[test]
fn two_runs_cannot_write_one_file() {
    let folder = Folder::new().file("a.txt", HARBOUR);
    let mut first = folder.command("fingerprint -q --input lines - -o x.fp");
    let mut first = first.stdin(Stdio::piped()).spawn().unwrap();
    // The temporary files appear once the lock is held.
    wait_for(&folder.path().join("x.fp.partial/shingles"), &mut first);
    folder
        .dedup("fingerprint a.txt -o x.fp")
        .fails_saying("x.fp: another run is writing it; wait for it to end, or name another output");
    first.stdin.take().unwrap().write_all(b"one words of the first run\n").unwrap();
    assert!(first.wait().unwrap().success());
    assert_eq!(folder.dedup("cat x.fp").jsonl()[0]["id"], "one");
    assert_eq!(folder.names(), ["a.txt", "x.fp"]);
    folder.dedup("fingerprint -q a.txt --force -o x.fp").quietly(0);
    assert_eq!(folder.dedup("cat x.fp").jsonl()[0]["id"], "a.txt");
}

#[test]
fn fingerprints_of_different_recipes_are_not_compared() {
    let folder = Folder::new().file("a.txt", HARBOUR).file("b.txt", HARBOUR);
    folder.dedup("fingerprint -q --sketches 10 a.txt -o ten.fp").quietly(0);
    folder.dedup("fingerprint -q b.txt -o more.fp").quietly(0);
    let [ten, more] = ["ten.fp", "more.fp"]
        .map(|name| folder.dedup(&format!("info --format json {name}")).json()["recipe_id"].clone());
    let expected = format!(
        "fingerprints of different recipes ({} and {}) cannot be compared; make both with the same options and version",
        ten.as_str().unwrap(),
        more.as_str().unwrap()
    );
    for line in
        ["find ten.fp more.fp", "find ten.fp b.txt", "find ten.fp --against more.fp", "find --pairs ten.fp b.txt"]
    {
        folder.dedup(line).fails_saying(&expected);
    }
    let found = "a.txt\n   b.txt   0 bits  Jaccard 100.00 %  by hamming, jaccard, text, bytes  removal: same\n";
    assert_eq!(folder.dedup("find -q --sketches 10 ten.fp b.txt").quietly(0), found);
}

#[test]
fn an_output_that_cannot_be_replaced_is_unchanged() {
    let folder = Folder::new().file("a.txt", HARBOUR).file("in/b.txt", HARBOUR);
    folder.dedup("fingerprint a.txt -o in").fails_saying("in: is a folder, which cannot be written over");
    folder.dedup("fingerprint a.txt -o no/x.fp").fails_saying("no/x.fp: its folder does not exist; make it first");
    folder.dedup("fingerprint a.txt -o a.txt/x.fp").fails_saying("a.txt/x.fp: ");
    assert_eq!(folder.names(), ["a.txt", "in"]);
}

#[cfg(unix)]
#[test]
fn the_file_that_a_link_names_is_replaced_and_not_the_link() {
    let folder = Folder::new().file("a.txt", HARBOUR).file("kept/old.fp", "old");
    std::os::unix::fs::symlink("kept/old.fp", folder.path().join("link.fp")).unwrap();
    folder.dedup("fingerprint -q a.txt --force -o link.fp").quietly(0);
    assert!(folder.path().join("link.fp").is_symlink());
    folder.dedup("verify kept/old.fp").code_is(0);
}
