//! Records written anew to numbered files of a greatest size: `-o out/part-*.jsonl`.

use std::fs;

use crate::folder::Folder;
use crate::texts::{BEES, CLOCK, HARBOUR, MILL, jsonl, packed, quoted, unpacked};

/// Records of unrelated texts; every fifth is a copy of an earlier one.
fn records(from: usize, to: usize) -> Vec<String> {
    let text = |n: usize| (0..12).map(|at| format!("w{n}x{at}")).collect::<Vec<_>>().join(" ");
    let of = |n: usize| if n % 5 == 4 { n - 4 } else { n };
    (from..to).map(|n| format!("{{\"id\":\"d{n:03}\",\"text\":{}}}\n", quoted(&text(of(n))))).collect()
}

fn kept(from: usize, to: usize) -> String {
    records(from, to).into_iter().zip(from..).filter(|(_, n)| n % 5 != 4).map(|(record, _)| record).collect()
}

/// Three files: the second begins with a byte-order mark and lacks the last line break, the third is compressed.
fn corpus() -> Folder {
    let second = format!("\u{feff}{}", records(100, 200).concat());
    Folder::new()
        .file("in/a.jsonl", records(0, 100).concat())
        .file("in/b.jsonl", second.trim_end())
        .file("in/c.jsonl.gz", packed(".gz", records(200, 300).concat()))
}

/// The shards in a folder, which must be numbered from 0 on.
fn shards(folder: &Folder, out: &str, ending: &str) -> Vec<Vec<u8>> {
    let files = folder.files(out);
    let expected: Vec<String> = (0..files.len()).map(|n| format!("part-{n:05}{ending}")).collect();
    assert!(files.keys().eq(&expected), "{:?}", files.keys());
    files.into_values().collect()
}

#[test]
fn records_follow_each_other_in_files_of_a_size() {
    let folder = corpus();
    for threads in [1, 2] {
        let out = format!("out{threads}");
        folder
            .dedup(&format!("clean -q in --id-field id -o {out}/part-*.jsonl --shard-size 4K --threads {threads}"))
            .quietly(0);
        let files = shards(&folder, &out, ".jsonl");
        assert!(files.len() > 5 && files.iter().all(|shard| shard.len() <= 4096));
        // Each has as many records as it can hold.
        let first = |shard: &[u8]| shard.split_inclusive(|&byte| byte == b'\n').next().unwrap().len();
        assert!(files.windows(2).all(|pair| pair[0].len() + first(&pair[1]) > 4096));
        assert_eq!(String::from_utf8(files.concat()).unwrap(), kept(0, 300));
    }
    assert_eq!(folder.files("out1"), folder.files("out2"));
    let lists = ["out1", "out1.removed.jsonl", "out1.review.jsonl", "out2", "out2.removed.jsonl", "out2.review.jsonl"];
    assert_eq!(folder.names()[1..], lists);
    // One input is enough, and by default all of it is in one file.
    folder.dedup("clean -q in/a.jsonl --id-field id -o one/part-*.jsonl").quietly(0);
    assert_eq!(shards(&folder, "one", ".jsonl"), [kept(0, 100).into_bytes()]);
    for ending in [".gz", ".zst"] {
        let line = format!("clean -q in --id-field id -o p{ending}/part-*.jsonl{ending} --shard-size 1K");
        folder.dedup(&line).quietly(0);
        let files = shards(&folder, &format!("p{ending}"), &format!(".jsonl{ending}"));
        let text: Vec<u8> = files.iter().flat_map(|shard| unpacked(shard)).collect();
        assert_eq!(String::from_utf8(text).unwrap(), kept(0, 300));
    }
}

#[test]
fn each_file_of_a_table_has_the_heading() {
    let rows = |from: usize, to: usize, swap: bool| -> String {
        let row = |n: usize| {
            let text = (0..9).map(|at| format!("w{n}x{at}")).collect::<Vec<_>>().join(" ");
            if swap { format!("\"{text}\",{n}\r\n") } else { format!("{n},\"{text}\"\r\n") }
        };
        (from..to).map(row).collect()
    };
    let folder = Folder::new()
        .file("in/a.csv", format!("n,text\r\n{}", rows(0, 60, false)))
        .file("in/b.csv", format!("text,n\r\n{}", rows(60, 90, true)))
        .file("in/c.csv", format!("n,text\r\n{}", rows(90, 99, false).trim_end()));
    folder.dedup("clean -q in -o out/part-*.csv --shard-size 1K").quietly(0);
    let files = shards(&folder, "out", ".csv");
    assert!(files.len() > 3 && files.iter().all(|shard| shard.starts_with(b"n,text\r\n")));
    assert!(files.iter().all(|shard| shard.len() <= 1024));
    let values = |bytes: &[u8]| {
        let mut reader = csv::ReaderBuilder::new().from_reader(bytes);
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect::<Vec<Vec<String>>>()
    };
    let found: Vec<_> = files.iter().flat_map(|shard| values(shard)).collect();
    assert_eq!(found, values(format!("n,text\r\n{}", rows(0, 99, false)).as_bytes()));
    assert!(folder.read_text("out.removed.csv").contains(",survivor,"));
    // Records of other formats are converted; other columns would lose something.
    folder.dedup("clean -q in -o json/part-*.jsonl --shard-size 1K").quietly(0);
    assert_eq!(crate::folder::jsonl(&String::from_utf8(shards(&folder, "json", ".jsonl").concat()).unwrap()).len(), 99);
    let folder = folder.file("in/d.csv", "text,more\nsome other words,1\n");
    let answer = folder.dedup("clean -q in -o new/part-*.csv --shard-size 1K");
    answer.fails_saying(
        "in/d.csv, row 1: cannot be converted without loss: it has no field 'n', which the first record has",
    );
    assert!(!folder.names().iter().any(|name| name.contains("new")), "{:?}", folder.names());
}

#[cfg(feature = "parquet")]
#[test]
fn files_of_columns_have_the_same_columns() {
    let [texts, ids]: [Vec<String>; 2] = [
        (0..3000).map(|n| (0..9).map(|at| format!("w{n}x{at}")).collect::<Vec<_>>().join(" ")).collect(),
        (0..3000).map(|n| format!("d{n}")).collect(),
    ];
    let columns = |from: usize, to: usize| {
        let [texts, ids]: [Vec<&str>; 2] =
            [&texts, &ids].map(|values| values[from..to].iter().map(String::as_str).collect());
        crate::texts::parquet(&[("id", &ids), ("text", &texts)])
    };
    let folder = Folder::new().file("in/a.parquet", columns(0, 1000)).file("in/b.parquet", columns(1000, 3000));
    let fingerprints = |input: &str| {
        folder.dedup(&format!("fingerprint -q --id-field id {input} --force -o x.fp")).quietly(0);
        let shown = folder.dedup("cat x.fp").jsonl();
        shown.iter().map(|found| format!("{} {}", found["id"], found["digest"])).collect::<Vec<_>>()
    };
    folder.dedup("clean -q in --id-field id -o out/part-*.parquet --shard-size 32K --threads 2").quietly(0);
    let files = shards(&folder, "out", ".parquet");
    assert!((3..40).contains(&files.len()), "{}", files.len());
    assert!(files.iter().all(|shard| shard.len() < 44 << 10), "{:?}", files.iter().map(Vec::len).collect::<Vec<_>>());
    assert_eq!(fingerprints("out"), fingerprints("in"));
    // Records of another format, whose columns are those of all files.
    let lines = |from: usize, to: usize| -> String {
        (from..to).map(|n| format!("{{\"id\":\"{}\",\"text\":\"{}\",\"n\":{n}}}\n", ids[n], texts[n])).collect()
    };
    let folder = folder.file("lines/a.jsonl", lines(0, 500)).file("lines/b.jsonl", lines(500, 800));
    folder.dedup("clean -q lines --id-field id -o rows/part-*.parquet --shard-size 16K").quietly(0);
    assert!(shards(&folder, "rows", ".parquet").len() > 1);
    folder.dedup("clean -q rows --id-field id -o back/part-*.jsonl").quietly(0);
    assert_eq!(folder.read_text("back/part-00000.jsonl"), lines(0, 800));
    // Other columns are refused.
    let folder =
        folder.file("in/c.parquet", crate::texts::parquet(&[("id", &["x"]), ("body", &["y"]), ("text", &["z"])]));
    let answer = folder.dedup("clean -q in --id-field id -o new/part-*.parquet");
    answer.fails_saying("in/c.parquet: it has the column 'body' of the type Utf8 without nulls, where the first file has 'text' of the type Utf8 without nulls");
    assert!(!folder.names().iter().any(|name| name.contains("new")), "{:?}", folder.names());
}

#[test]
fn numbered_files_appear_together() {
    let folder = corpus();
    let line = "clean -q in --id-field id -o out/part-*.jsonl --shard-size";
    folder.dedup(&format!("{line} 1K")).quietly(0);
    let many = folder.files("out").len();
    folder.dedup(&format!("{line} 8K")).fails_saying("out: already exists; --force replaces it");
    assert_eq!(folder.files("out").len(), many);
    folder.dedup(&format!("{line} 8K --force")).quietly(0);
    let few = folder.files("out");
    assert!(few.len() < many, "none of the earlier files is left");
    // A file of another name would be lost.
    let folder = folder.file("out/notes.txt", "mine");
    folder
        .dedup(&format!("{line} 1K --force"))
        .fails_saying("out/notes.txt: is none of part-*.jsonl, so --force would lose it");
    fs::remove_file(folder.path().join("out/notes.txt")).unwrap();
    // A run that fails while it writes leaves what was there.
    let folder = folder.file("in/d.jsonl", "{\"id\":\"x\",\"text\":\"words of its own\",\"n\":null}\n");
    folder
        .dedup("clean -q in --id-field id -o out/part-*.csv --force")
        .fails_saying("out/part-00000.jsonl: is none of part-*.csv");
    folder
        .dedup("clean -q in --id-field id -o new/part-*.csv --shard-size 1K")
        .fails_saying("in/d.jsonl, line 1: cannot be converted without loss: its field 'n' is null");
    assert_eq!(folder.files("out"), few);
    assert_eq!(folder.names(), ["in", "out", "out.removed.jsonl", "out.review.jsonl"]);
}

#[test]
fn what_numbered_files_cannot_be_is_told() {
    let folder = corpus().file("texts/a.txt", HARBOUR).file("texts/b.txt", BEES);
    for (line, expected) in [
        (
            "clean in -o part-*.jsonl",
            "shards appear together, as a folder of their own; name one, such as out/part-*.jsonl",
        ),
        ("clean in -o out/*-*.jsonl", "has more than one *"),
        ("clean in -o out.jsonl --shard-size 1G", "out.jsonl: --shard-size needs a name with a *"),
        ("clean in --dry-run --shard-size 1G", "--shard-size is for a corpus that is written; leave it out"),
        ("clean in --list -o out/*.txt", "--list writes one file; leave out the *"),
        ("clean in -o in/part-*.jsonl", "in: is an input and the output"),
        ("clean in -o in/out/part-*.jsonl", "would be inside the input in"),
        ("clean in -o in/b.jsonl/part-*.jsonl", "in/b.jsonl: would be inside the input in"),
        ("clean texts -o out/part-*.jsonl", "texts/a.txt: is a document of its own, and shards hold records"),
        ("clean in -o out/part-*.parquet.gz", "Parquet is compressed inside"),
        ("clean in -o out/part-*.warc", "its name says WARC, but the documents are JSON Lines"),
        (
            "decontaminate in --against in/a.jsonl -o report --shard-size 1G",
            "--shard-size is for a corpus that is written",
        ),
    ] {
        let answer = folder.dedup(line);
        assert!(answer.code == 2 && answer.stderr.contains(expected), "{line}: {answer:?}");
        assert_eq!(folder.names(), ["in", "texts"], "{line}");
    }
}

/// Those that cut texts write their records by the same door.
#[test]
fn cut_records_are_numbered_too() {
    // A digit counts for any other, so each word has its number in letters.
    let word =
        |number: usize| (0..4).map(|place| char::from(b'a' + (number >> (4 * place) & 15) as u8)).collect::<String>();
    let long = |n: usize| (0..120).map(|at| word(n * 120 + at)).collect::<Vec<_>>().join(" ");
    let texts: Vec<(String, String)> =
        (0..12).map(|n| (format!("d{n}"), format!("Menu of the harbour pages\\n{}", long(n)))).collect();
    let lines = |range: std::ops::Range<usize>| -> String {
        texts[range].iter().map(|(id, text)| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n")).collect()
    };
    let folder = Folder::new().file("in/a.jsonl", lines(0..6)).file("in/b.jsonl", lines(6..12));
    let line = "clean -q in --id-field id --lines --max-documents 2 --keep first";
    folder.dedup(&format!("{line} -o out/part-*.jsonl.zst --shard-size 2K")).quietly(0);
    let files = shards(&folder, "out", ".jsonl.zst");
    let found = String::from_utf8(files.iter().flat_map(|shard| unpacked(shard)).collect()).unwrap();
    assert_eq!(found, lines(0..1) + &lines(1..12).replace("Menu of the harbour pages\\n", ""));
    assert_eq!(folder.read_text("out.cut.jsonl").lines().count(), 11);
    folder.dedup(&format!("{line} -o plain")).quietly(0);
    assert_eq!(found, folder.read_text("plain/a.jsonl") + &folder.read_text("plain/b.jsonl"));
    folder.dedup(&format!("{line} -o csv/part-*.csv")).fails_saying("nothing is converted here");
    // `decontaminate` has the lists beside the folder.
    let folder = folder
        .file("corpus/a.jsonl", jsonl(&[("a", MILL), ("b", BEES)]))
        .file("corpus/b.jsonl", jsonl(&[("c", CLOCK), ("d", MILL)]))
        .file("test.jsonl", jsonl(&[("mill", MILL)]));
    folder
        .dedup("decontaminate -q corpus --against test.jsonl --drop -o rest/part-*.jsonl --shard-size 100")
        .quietly(0);
    assert_eq!(
        shards(&folder, "rest", ".jsonl"),
        [jsonl(&[("b", BEES)]), jsonl(&[("c", CLOCK)])].map(String::into_bytes)
    );
    assert_eq!(folder.read_text("rest.documents.jsonl").lines().count(), 2);
}
