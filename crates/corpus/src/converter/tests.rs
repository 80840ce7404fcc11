use std::process::Command;
use std::time::Instant;

use super::program::Failure;
use super::*;

/// A temporary folder with a program.
fn program(script: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (text, path) = (folder.path().join("text"), folder.path().join("program"));
    fs::write(&text, format!("#!/bin/sh\n{script}\n")).unwrap();
    // Another process makes it: a child that another test starts meanwhile would hold it open.
    assert!(Command::new("install").args(["-m", "755"]).args([&text, &path]).status().unwrap().success());
    (folder, path)
}

fn leave(folder: &Path) -> Leave {
    let (stop, timeout) = (Stop::default(), Duration::from_secs(30));
    Leave { cache: folder.join("cache"), languages: Some("deu".into()), timeout, stop, temp: Some(folder.to_owned()) }
}

fn of(name: &str) -> &'static Program {
    PROGRAMS.iter().find(|program| program.name == name).unwrap()
}

fn run(name: &str, script: &str, change: impl Fn(&mut Leave)) -> Result<String, String> {
    let (folder, path) = program(script);
    let mut leave = leave(folder.path());
    change(&mut leave);
    let result = Run { path: &path, leave: &leave, limit: 1000 }.result(of(name), b"the bytes");
    // Nothing is left but the program.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    result.map(|bytes| String::from_utf8(bytes).unwrap()).map_err(|failure: Failure| failure.to_string())
}

#[test]
fn a_program_sees_names_of_ours_only() {
    let said = run("antiword", "echo \"$*\"; cat input; ls; cat", |_| ()).unwrap();
    assert_eq!(said, "-m UTF-8.txt -w 0 input\nthe bytesinput\nmessage\noutput\ntemporary\n");
    let said = run("tesseract", "echo \"$*\"; echo $TMPDIR | sed 's/.*temporary/own/'", |_| ()).unwrap();
    assert_eq!(said, "input stdout -l deu\nown\n");
    assert_eq!(run("ocrmypdf", "echo noise; echo high tide > output/text", |_| ()), Ok("high tide\n".into()));
}

#[test]
fn a_failure_is_told() {
    let failure = |name, script| run(name, script, |_| ()).unwrap_err();
    assert_eq!(
        failure("catdoc", "printf 'a note\\nno \\033[31mtide\\n\\n' >&2; exit 3"),
        "failed (exit status: 3: no [31mtide)"
    );
    assert_eq!(failure("catdoc", "exit 3"), "failed (exit status: 3)");
    assert_eq!(failure("catdoc", "head -c 1001 /dev/zero"), "wrote more than 1000 bytes");
    assert_eq!(failure("ocrmypdf", "true"), "wrote no result");
}

#[test]
fn a_program_and_its_children_are_killed_in_time() {
    let (pid, file) = (tempfile::tempdir().unwrap(), "pid");
    let script = format!("sleep 100 & echo $! > {}; wait", pid.path().join(file).display());
    let start = Instant::now();
    let late = run("catdoc", &script, |leave| leave.timeout = Duration::from_millis(500));
    assert_eq!(late, Err("took longer than 0 s, which --convert-timeout raises".into()));
    let is_there = || {
        let child = fs::read_to_string(pid.path().join(file)).unwrap();
        let state = fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
        !state.is_empty() && !state.contains(") Z")
    };
    while cfg!(target_os = "linux") && is_there() {
        assert!(start.elapsed() < Duration::from_secs(50));
    }
    assert_eq!(run("catdoc", "sleep 100", |leave| leave.stop = Stop::when(|| true)), Err("was stopped".into()));
    assert!(start.elapsed() < Duration::from_mins(1));
}

#[test]
fn a_result_is_kept_by_its_content_and_program() {
    let folder = tempfile::tempdir().unwrap();
    let leave = leave(folder.path());
    let (a, b) = (blake3::hash(b"a"), blake3::hash(b"b"));
    leave.keep(of("tesseract"), a, b"high tide").unwrap();
    assert_eq!(leave.kept(of("tesseract"), a, 9).unwrap().unwrap(), b"high tide");
    assert!(matches!(leave.kept(of("tesseract"), a, 8), Some(Err(Reason::TooLong(8)))));
    assert!(leave.kept(of("tesseract"), b, 9).is_none() && leave.kept(of("antiword"), a, 9).is_none());
    let other = Leave { languages: None, ..leave.clone() };
    assert!(other.kept(of("tesseract"), a, 9).is_none(), "another language reads otherwise");
    assert_eq!(other.place(of("antiword"), a), leave.place(of("antiword"), a));
    fs::remove_dir_all(&leave.cache).unwrap();
    fs::write(&leave.cache, "no folder").unwrap();
    assert!(
        leave.keep(of("antiword"), a, b"").unwrap_err().to_string().starts_with("its converted text cannot be kept: ")
    );
}
