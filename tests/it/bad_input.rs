//! Any input as a text gives the right answer or a clear error, never a panic.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::folder::{DEDUP, Folder, run, run_unread};

const TEXT: &str = "The tide comes in twice a day, and twice a day it goes out again.";

fn folder() -> Folder {
    Folder::new().file("text", TEXT)
}

#[test]
fn missing_files_and_folders() {
    let folder = folder();
    folder.dedup("compare text nothing").fails_saying("nothing: no such file; check the name and the folder");
    folder.dedup("compare . text").fails_saying(".: is a folder, not a file; name one of the files in it");
    folder.dedup("explain text/x").fails_saying("text/x: cannot be read");
    std::os::unix::fs::symlink("loop", folder.path().join("loop")).unwrap();
    folder.dedup("loop text").fails_saying("loop: cannot be read");
}

#[test]
fn a_file_without_permission_is_an_error() {
    let folder = folder();
    fs::set_permissions(folder.path().join("text"), Permissions::from_mode(0o000)).unwrap();
    run(&mut folder.command_of_nobody("compare text text"), b"").fails_saying("text: no permission to read it");
}

#[test]
fn binaries_are_named() {
    let folder = folder()
        .file("zeros", [0; 5000])
        .file("pdf", "%PDF-1.7\n1 0 obj")
        .file("zip", b"PK\x03\x04\x14\0\0\0")
        .file("noise", (0..9000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect::<Vec<u8>>());
    for (name, kind) in [
        ("zeros", "a binary file"),
        ("pdf", if cfg!(feature = "pdf") { "not a valid PDF" } else { "a PDF" }),
        ("zip", "not a valid ZIP"),
        ("noise", "a binary file"),
    ] {
        folder.dedup(&format!("compare text {name}")).fails_saying(&format!("{name}: is {kind}"));
    }
    Folder::new().dedup(&format!("explain {DEDUP}")).fails_saying("is a program, not a text");
    // With a forced encoding there is an answer.
    assert_eq!(folder.dedup("compare --encoding latin1 text noise").code, 1);
}

#[test]
fn invalid_bytes_are_replaced() {
    let folder = folder()
        .file("utf-8", [TEXT.as_bytes(), b" \xff\xfe\xc3 ", "naïve façade".as_bytes()].concat())
        .file("surrogate", [TEXT.as_bytes(), b"\xed\xa0\x80"].concat())
        .file("nuls", TEXT.replacen(' ', " \0", 3))
        .file("utf-16 surrogate", b"\xff\xfet\0\x00\xd8x\0");
    for name in ["utf-8", "surrogate", "nuls"] {
        let answer = folder.dedup(&format!("compare --language eng --format json text {name}"));
        assert_eq!((answer.code, &*answer.stderr), (0, ""), "{name}");
    }
    assert_eq!(folder.dedup("compare --language eng --format json text nuls").json()["jaccard"], 1.0);
    let mut command = Command::new(DEDUP);
    let answer = run(command.args(["explain", "--format", "json", "utf-16 surrogate"]).current_dir(folder.path()), b"");
    assert_eq!(answer.json()["replaced"], 1);
}

#[test]
fn a_named_pipe_is_read_to_its_end() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = std::thread::spawn(move || fs::write(pipe, TEXT).unwrap());
    assert_eq!(folder.dedup("text pipe").code, 0);
    writer.join().unwrap();
}

#[test]
fn names_that_are_not_utf8_are_shown_escaped() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9");
    fs::write(folder.path().join(name), TEXT).unwrap();
    let answer = run(Command::new(DEDUP).arg("compare").args([name, "text".as_ref()]).current_dir(folder.path()), b"");
    assert_eq!((answer.code, &*answer.stderr), (0, ""));
    assert!(answer.stdout.starts_with("A  caf\\xE9\n"));
}

#[test]
fn names_cannot_control_the_terminal() {
    let folder = folder().file("red \u{1b}[31m\n", TEXT);
    let answer = run(Command::new(DEDUP).args(["compare", "red \u{1b}[31m\n", "text"]).current_dir(folder.path()), b"");
    assert!(answer.stdout.starts_with("A  red \\x1B[31m\\x0A\n"), "{answer:?}");
    let answer = run(Command::new(DEDUP).args(["compare", "\u{1b}[2J", "text"]).current_dir(folder.path()), b"");
    answer.fails_saying("\\x1B[2J: no such file");
}

#[test]
fn a_closed_output_is_a_normal_ending() {
    let folder = folder();
    for line in
        ["compare text text", "text text", "explain --full text", "languages", "man", "completions bash", "--help"]
    {
        let code = run_unread(Command::new(DEDUP).args(line.split(' ')).current_dir(folder.path()));
        assert_eq!(code, 0, "{line}");
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let folder = folder();
    let output = Command::new(DEDUP)
        .args(["compare", "text", "text"])
        .current_dir(folder.path())
        .stdout(full())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    for line in ["help", "--help", "--version", "help compare", "languages"] {
        let output = Command::new(DEDUP).args(line.split(' ')).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("the output cannot be written: "), "{line}");
    }
    // A full disk under standard error does not change the exit code.
    let unsaid =
        Command::new(DEDUP).args(["compare", "text", "nothing"]).current_dir(folder.path()).stderr(full()).output();
    assert_eq!(unsaid.unwrap().status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("dedup: the output cannot be written: "));
}

/// The answer is right for 128 MB without a line break, with and without word breaks. There are more words than 24 bits
/// can count.
#[test]
fn a_very_long_line_gives_the_right_answer() {
    /// Length of the longest word in bytes: a text without white space is divided after this many.
    const PORTION: usize = 1 << 18;
    let folder = folder();
    for (name, unit, words_a_unit) in [("words", "tide comes in twice ", Some(4)), ("word", "seemingly", None)] {
        let path = folder.path().join(name);
        let mut file = fs::File::create(&path).unwrap();
        let block = unit.repeat(50_000);
        let blocks = (128 << 20) / block.len() + 1;
        for _ in 0..blocks {
            file.write_all(block.as_bytes()).unwrap();
        }
        drop(file);
        let json = folder.dedup(&format!("compare --language und --format json text {name}")).json();
        let document = &json["documents"][1];
        let words = words_a_unit.map_or((blocks * block.len()).div_ceil(PORTION), |words| blocks * 50_000 * words);
        assert_eq!((&document["tokens"], &document["terms"]), (&words.into(), &words.into()), "{name}");
        assert_eq!((&document["ngrams"], &document["shingles"]), (&(words - 2).into(), &(words - 2).into()), "{name}");
        // The text repeats one unit, so there is one shingle for each of its words. Without word breaks, portions begin
        // at each of the 9 letters in turn, as 2^18 = 1 (mod 9), and the last portion is shorter.
        assert_eq!(document["distinct_shingles"], words_a_unit.unwrap_or(9 + 1), "{name}");
        fs::remove_file(path).unwrap();
    }
}
