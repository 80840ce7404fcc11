//! No command takes more memory than `--max-memory` allows, mapped files included.
//!
//! The peak of a child is the greatest resident set that the system told while the child ran (`VmHWM`): the one that
//! `wait4` reports counts this process too, from which the child was made.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{Cursor, Write as _};
use std::process::Stdio;
use std::time::Duration;

use zip::write::{SimpleFileOptions, ZipWriter};

use crate::folder::Folder;

/// Numbers in no order.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn words(&mut self, count: usize) -> String {
        (0..count).fold(String::new(), |mut text, _| {
            write!(text, "w{} ", self.below(30_000)).expect("a string");
            text
        })
    }
}

/// Records of 50 words, of which a third are edited copies.
fn short_records(count: u64) -> String {
    let mut numbers = Numbers(1);
    let mut last = numbers.words(50);
    let mut lines = String::new();
    for number in 0..count {
        let text = if numbers.below(3) == 0 { format!("{} {last}", numbers.below(30_000)) } else { numbers.words(50) };
        writeln!(lines, "{{\"id\": \"d{number}\", \"text\": \"{text}\"}}").expect("a string");
        last = text;
    }
    lines
}

/// The same with some records as long as the least limit allows.
fn records() -> String {
    let mut numbers = Numbers(2);
    (0..8).fold(short_records(6_000), |mut lines, number| {
        writeln!(lines, "{{\"id\": \"long{number}\", \"text\": \"{}\"}}", numbers.words(90_000)).expect("a string");
        lines
    })
}

/// An archive of DOCX files that unpack to 15 MB each.
fn packed() -> Vec<u8> {
    let archive = |members: &[(String, Vec<u8>)]| {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in members {
            writer.start_file(name.as_str(), SimpleFileOptions::default()).expect("a member");
            writer.write_all(content).expect("bytes in memory");
        }
        writer.finish().expect("an archive").into_inner()
    };
    let document = |number: u64| {
        let paragraph = format!("<w:p><w:r><w:t>{}</w:t></w:r></w:p>", Numbers(number).words(300));
        let space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
        let body = paragraph.repeat((15 << 20) / paragraph.len());
        let xml = format!("<w:document xmlns:w=\"{space}\"><w:body>{body}</w:body></w:document>");
        (format!("{number}.docx"), archive(&[("word/document.xml".to_owned(), xml.into_bytes())]))
    };
    archive(&(0..3).map(document).collect::<Vec<_>>())
}

/// The commands that read texts, with the files that they read as INPUT.
const COMMANDS: [&str; 11] = [
    "fingerprint INPUT --force -o out.fp",
    "find INPUT",
    "find --pairs INPUT",
    "find INPUT --report page.html --force",
    "clean INPUT --force -o out",
    "clean INPUT --remove edited --dry-run",
    "index add in.index INPUT --replace",
    "index query in.index INPUT",
    "screen INPUT",
    "screen INPUT --force --html page.html",
    "screen INPUT --force --save out.dsi",
];

/// The exit code, the messages and the peak of the resident set in megabytes.
fn peak(folder: &Folder, line: &str) -> (i32, String, u64) {
    let told = folder.path().join("stderr");
    let stderr = File::create(&told).expect("a new file");
    let mut child = folder.command(line).stdout(Stdio::null()).stderr(stderr).spawn().expect("a program");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let code = loop {
        // A process that has ended has no resident set.
        let now = fs::read_to_string(&status).unwrap_or_default();
        let now =
            now.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = now.map_or(peak, |kilobytes| kilobytes.div_ceil(1 << 10));
        if let Some(status) = child.try_wait().expect("a child") {
            break status.code().unwrap_or(-1);
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    (code, fs::read_to_string(told).expect("messages"), peak)
}

/// The greatest peak under a limit, in megabytes: threads may fill a sixteenth more between two looks at the resident set.
fn most(limit: u64) -> u64 {
    limit + limit / 16
}

/// True if messages name what did not fit and the remedy.
fn is_named(told: &str) -> bool {
    let mut lines = told.lines().filter(|line| !line.contains("more problems of this kind"));
    lines.all(|line| {
        ["raise", "unpack", "divide", "no document could be read"].iter().any(|remedy| line.contains(remedy))
    })
}

/// Runs all commands within 64 MB and 256 MB. What does not fit is named.
fn stays_within(input: &str, folder: &Folder) {
    folder.dedup("index create in.index").code_is(0);
    for limit in [64, 256] {
        for command in COMMANDS {
            let line = format!("{} -q --max-memory {limit}M", command.replace("INPUT", input));
            let (code, told, peak) = peak(folder, &line);
            assert!(peak <= most(limit), "{line}: {peak} MB");
            assert!(
                (0..=1).contains(&code) && told.is_empty() || code == 2 && is_named(&told),
                "{line}: {code} {told}"
            );
        }
    }
}

#[test]
fn searches_of_texts_stay_within_their_memory() {
    let folder = Folder::new().file("in.jsonl", records());
    stays_within("in.jsonl --id-field id", &folder);
}

#[test]
fn mapped_files_count_too() {
    let folder = Folder::new().file("in.jsonl", short_records(30_000));
    folder.dedup("index create in.index").code_is(0);
    folder.dedup("index add -q in.index --id-field id in.jsonl").code_is(0);
    let [within, beyond] = ["64M", "1G"]
        .map(|limit| peak(&folder, &format!("index query -q in.index --id-field id in.jsonl --max-memory {limit}")));
    assert!(within.0 == 0 && within.2 <= most(64), "{within:?}");
    assert!(beyond.0 == 0 && beyond.2 > most(64), "without a limit it takes more: {beyond:?}");
}

#[test]
fn documents_that_unpack_to_much_stay_within_memory() {
    let folder = Folder::new().file("in.zip", packed());
    stays_within("in.zip", &folder);
    let told = folder.dedup("find in.zip -q --max-memory 64M").stderr;
    assert!(told.starts_with("dedup: in.zip/0.docx: is longer than ") && told.contains("raise"), "{told}");
}

#[cfg(feature = "parquet")]
#[test]
fn a_corpus_is_cleaned_to_parquet_within_memory() {
    let folder = Folder::new().file("in.jsonl", records());
    for limit in [64, 256] {
        let line = format!("clean in.jsonl --id-field id -q --force -o out.parquet --max-memory {limit}M");
        let (code, told, peak) = peak(&folder, &line);
        let is_told = code == 0 && told.is_empty() || code == 2 && is_named(&told);
        assert!(peak <= most(limit) && is_told, "{line}: {code} {peak} MB {told}");
    }
}

/// One word, two words and one line, again and again, as long as the least limit allows.
#[test]
fn periodic_texts_are_cut_within_memory() {
    let texts = ["a ".repeat(700_000), "ab cd ".repeat(230_000), "One short line of words\\n".repeat(50_000)];
    let lines = texts.iter().map(|text| format!("{{\"text\": \"{text}\"}}\n")).collect::<String>();
    let folder = Folder::new().file("in.jsonl", &lines);
    for (options, left) in [("", texts.each_ref().map(String::len)), ("--max-cut 1", [100, 150, 250])] {
        let line = format!("clean in.jsonl --repeats -q --force -o out.jsonl --max-memory 64M {options}");
        let (code, told, peak) = peak(&folder, &line);
        assert!(code == 0 && told.is_empty() && peak <= most(64), "{line}: {code} {peak} MB {told}");
        let kept = folder.read_text("out.jsonl");
        assert_eq!(kept.lines().map(|line| line.len() - "{\"text\": \"\"}".len()).collect::<Vec<_>>(), left, "{line}");
    }
}

#[test]
fn a_limit_that_leaves_no_room_is_refused_with_the_least_that_does() {
    let folder = Folder::new().file("in.jsonl", "{\"text\": \"one\"}\n");
    let answer = folder.dedup("find in.jsonl --max-memory 55M");
    answer.code_is(2);
    assert!(answer.stderr.contains("the program itself takes most of that; give at least 56M"), "{answer:?}");
}
