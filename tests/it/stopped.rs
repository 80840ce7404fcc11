//! One signal ends a run that waits for a pipe, cleanly.

use std::fs::{self, DirEntry, File};
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::folder::Folder;
use crate::moments::wait_until;
use crate::texts::{BEES, EDITED, HARBOUR, jsonl};

/// Waits until a run waits for its input, which a separate thread does. The signal handler is installed before that
/// thread starts.
fn wait_for_input(run: &mut Child) {
    let is_input = |thread: DirEntry| fs::read(thread.path().join("comm")).is_ok_and(|name| name == b"input\n");
    wait_until(run, "the thread that waits", |run| {
        fs::read_dir(format!("/proc/{}/task", run.id())).unwrap().flatten().any(is_input)
    });
}

/// Runs a command until it waits for input, sends it SIGTERM, and returns its standard error.
fn stopped(folder: &Folder, line: &str, written: &str) -> String {
    let temp = folder.path().join("temp");
    let mut command = folder.command(line);
    command.env("TMPDIR", &temp).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = command.spawn().unwrap();
    let mut stdin = run.stdin.take().unwrap();
    stdin.write_all(written.as_bytes()).unwrap();
    wait_for_input(&mut run);
    while line.ends_with('-') && rustix::io::ioctl_fionread(&stdin).unwrap() > 0 {
        sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").args(["-TERM", &run.id().to_string()]).status().unwrap().success());
    let answer = run.wait_with_output().unwrap();
    let told = String::from_utf8(answer.stderr).unwrap();
    assert_eq!(answer.status.code(), Some(2), "{line}: {told}");
    assert!(told.starts_with("dedup: stopping; press Ctrl-C again to stop at once\ndedup: stopped"), "{line}: {told}");
    assert_eq!(told.lines().count(), 2, "nothing is told of the pipe: {told}");
    assert_eq!(fs::read_dir(temp).unwrap().count(), 0, "{line}: nothing is left");
    // The pipe stays open until here, so that only the signal could end the run.
    drop(stdin);
    told
}

/// An index, and a pipe without a writer.
fn workshop() -> Folder {
    let folder = Folder::new().file("edited.txt", EDITED).file("three.jsonl", jsonl(&[("a", HARBOUR), ("b", BEES)]));
    fs::create_dir(folder.path().join("temp")).unwrap();
    folder.dedup("index create letters --language eng").quietly(0);
    folder.dedup("index add -q letters three.jsonl --id-field id").quietly(0);
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    folder
}

const LINES: [&str; 10] = [
    "index add -q letters INPUT",
    "index query -q letters edited.txt INPUT",
    "fingerprint -q edited.txt INPUT -o x.fp",
    "find -q edited.txt INPUT",
    "find -q edited.txt --against INPUT",
    "clean -q --dry-run edited.txt INPUT",
    "screen -q edited.txt INPUT",
    "screen -q edited.txt --against INPUT",
    "screen -q edited.txt three.jsonl --ignore INPUT",
    "screen -q edited.txt INPUT --save x.dsi",
];

#[test]
fn one_signal_ends_a_run_that_waits_for_a_writer() {
    let folder = workshop();
    let before = folder.files("letters");
    for line in LINES {
        stopped(&folder, &line.replace("INPUT", "pipe"), "");
        assert!(!folder.path().join("x.fp").exists() && !folder.path().join("x.dsi").exists());
        assert!(!folder.path().join("x.dsi.partial").exists(), "nothing can go on with it");
    }
    assert_eq!(folder.files("letters")["manifest"], before["manifest"]);
    folder.dedup("index verify letters").code_is(0);
}

#[test]
fn one_signal_ends_a_run_that_waits_for_more() {
    let folder = workshop();
    for line in LINES {
        let records = jsonl(&[("c", "Something of which more is to come, but does not.")]);
        for written in ["", "A beginning", &records, &format!("{records}{{\"id\":")] {
            stopped(&folder, &line.replace("INPUT", "-"), written);
        }
    }
    // A pipe that another process holds open.
    let held = File::options().read(true).write(true).open(folder.path().join("pipe")).unwrap();
    stopped(&folder, "find -q edited.txt pipe", "");
    drop(held);
}

/// Opening a pipe waits for a writer, so a pipe is refused unopened where a regular file is needed.
#[test]
fn a_pipe_in_place_of_a_regular_file_is_refused() {
    let folder = workshop();
    for line in ["info pipe", "verify pipe", "cat pipe", "cat pipe -o x.parquet"] {
        folder.dedup(line).fails_saying("pipe: is not a fingerprint file");
    }
    for line in [
        "clean pipe -o out",
        "clean edited.txt pipe -o out",
        "clean --lines pipe --dry-run",
        "decontaminate pipe --against edited.txt --dry-run",
        "index add --unique letters pipe -o out",
    ] {
        folder
            .dedup(line)
            .fails_saying("pipe: a pipe or a device cannot be read twice, which this command does; save it to a file");
    }
    for name in ["manifest", "lock", "00000001.fp"] {
        let place = folder.path().join("letters").join(name);
        let bytes = fs::read(&place).unwrap();
        fs::remove_file(&place).unwrap();
        assert!(Command::new("mkfifo").arg(&place).status().unwrap().success());
        folder.dedup("index add -q letters edited.txt").fails_saying(name);
        fs::remove_file(&place).unwrap();
        fs::write(&place, bytes).unwrap();
    }
    folder.dedup("index verify letters").code_is(0);
}

/// Work done before the stop is not repeated.
#[test]
fn a_stopped_run_resumes() {
    let folder = workshop();
    let told = stopped(&folder, "fingerprint -q edited.txt three.jsonl pipe --id-field id -o x.fp", "");
    assert!(told.contains("The same command resumes at the first unfinished file\n"), "{told}");
    assert!(folder.path().join("x.fp.partial/journal").exists());
    let pipe = folder.path().join("pipe");
    let writer = std::thread::spawn(move || File::options().write(true).open(pipe).unwrap().write_all(BEES.as_bytes()));
    folder.dedup("fingerprint -q edited.txt three.jsonl pipe --id-field id -o x.fp").quietly(0);
    writer.join().unwrap().unwrap();
    assert!(folder.dedup("verify x.fp").quietly(0).contains("4 documents"));
}
