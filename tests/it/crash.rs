//! A run that is killed or stopped at any moment leaves the old output or the complete new one.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::folder::Folder;
use crate::moments::{Moments, wait_for};
use crate::texts::{HARBOUR, Numbers, jsonl, lines_of};

/// Number of kills that each story asks for.
const KILLS: usize = 12;

/// A corpus large enough for every stage to take milliseconds: files of 75 documents.
fn corpus() -> Folder {
    let mut numbers = Numbers(21);
    let mut folder = Folder::new();
    fs::create_dir(folder.path().join("temp")).unwrap();
    for i in 0..FILES {
        let mut documents = numbers.documents(75, 400);
        for (id, _) in &mut documents {
            *id = format!("{i}-{id}");
        }
        folder = folder.file(&format!("in/{i:02}.jsonl"), lines_of(&documents));
    }
    folder
}

const FILES: usize = 24;

/// The outputs of an undisturbed run, and moments of its time.
fn undisturbed(folder: &Folder, line: &str, outputs: &[&str]) -> (BTreeMap<String, Vec<u8>>, Moments) {
    let moments = Moments::of(|| _ = folder.dedup(line).quietly(0));
    (take(folder, outputs), moments)
}

/// Reads and removes the outputs that exist.
fn take(folder: &Folder, outputs: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for output in outputs {
        let path = folder.path().join(output);
        if path.is_dir() {
            found.extend(folder.files(output).into_iter().map(|(name, bytes)| (format!("{output}/{name}"), bytes)));
            fs::remove_dir_all(path).unwrap();
        } else if path.exists() {
            found.insert((*output).to_owned(), folder.read(output));
            fs::remove_file(path).unwrap();
        }
    }
    found
}

/// Kills runs at moments all over their time; `check` examines the outputs of each.
fn kill_at_many_moments(
    folder: &Folder,
    line: &str,
    mut moments: Moments,
    mut before: impl FnMut(usize),
    mut check: impl FnMut(usize),
) {
    let (mut run, mut kills) = (0, 0);
    while kills < KILLS {
        before(run);
        let mut child = folder.command(line).stderr(Stdio::null()).spawn().unwrap();
        kills += usize::from(moments.kill(&mut child).is_none());
        check(run);
        run += 1;
    }
}

#[test]
fn a_killed_fingerprint_leaves_the_old_file_or_the_new_one() {
    let folder = corpus().file("old.jsonl", jsonl(&[("old", HARBOUR)]));
    let line = "fingerprint -q --language und --id-field id in -o out.fp";
    let (new, moments) = undisturbed(&folder, line, &["out.fp"]);
    folder.dedup("fingerprint -q --id-field id old.jsonl -o old.fp").quietly(0);
    let old = folder.read("old.fp");
    let output = folder.path().join("out.fp");
    let before = |run: usize| {
        // Every other run starts with an old file.
        let _ = fs::remove_file(&output);
        if run % 2 == 1 {
            fs::write(&output, &old).unwrap();
        }
    };
    let check = |run: usize| match fs::read(&output) {
        Err(_) => assert_eq!(run % 2, 0, "the old file is gone"),
        Ok(bytes) => {
            folder.dedup("verify out.fp").code_is(0);
            assert!(bytes == old || bytes == new["out.fp"], "run {run}: {} bytes", bytes.len());
        }
    };
    kill_at_many_moments(&folder, line, moments, before, check);
    folder.dedup(line).quietly(0);
    assert!(folder.read("out.fp") == new["out.fp"], "the same bytes after all");
    assert_eq!(folder.names(), ["in", "old.fp", "old.jsonl", "out.fp", "temp"]);
}

#[test]
fn a_killed_clean_leaves_nothing_or_all() {
    let folder = corpus();
    let line = "clean -q --language und --id-field id --temp temp in -o out";
    let outputs = ["out", "out.removed.jsonl"];
    let (new, moments) = undisturbed(&folder, line, &outputs);
    assert_eq!(new.len(), FILES + 1);
    let inputs = folder.files("in");
    let check = |run: usize| {
        let found = take(&folder, &outputs);
        // The list may appear before the folder.
        let list = found.contains_key("out.removed.jsonl");
        assert!([0, usize::from(list), new.len()].contains(&found.len()), "run {run}: {:?}", found.keys());
        assert!(found.iter().all(|(name, bytes)| new[name] == *bytes), "run {run}: {:?}", found.keys());
    };
    kill_at_many_moments(&folder, line, moments, |_| {}, check);
    folder.dedup(line).quietly(0);
    assert!(take(&folder, &outputs) == new, "the same bytes after all");
    assert!(folder.files("in") == inputs);
    assert_eq!(folder.names(), ["in", "out.review.jsonl", "temp"], "nothing else is left behind");
}

#[test]
fn a_killed_clean_of_a_file_leaves_the_old_one_or_the_new_one() {
    let folder = Folder::new().file("in.jsonl", corpus().files("in").into_values().collect::<Vec<_>>().concat());
    fs::create_dir(folder.path().join("temp")).unwrap();
    let line = "clean -q --language und --id-field id --temp temp in.jsonl --force -o out.jsonl";
    let outputs = ["out.jsonl", "out.jsonl.removed.jsonl"];
    let (new, moments) = undisturbed(&folder, line, &outputs);
    let before = |_| {
        take(&folder, &outputs);
        for output in outputs {
            fs::write(folder.path().join(output), "old").unwrap();
        }
    };
    let check = |run: usize| {
        for output in outputs {
            let bytes = folder.read(output);
            assert!(bytes == b"old" || bytes == new[output], "run {run}: {output}: {} bytes", bytes.len());
        }
    };
    kill_at_many_moments(&folder, line, moments, before, check);
    folder.dedup(line).quietly(0);
    assert!(take(&folder, &outputs) == new, "the same bytes after all");
    assert_eq!(folder.names(), ["in.jsonl", "out.jsonl.review.jsonl", "temp"], "nothing else is left behind");
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A run that is killed at the latest when its test ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // If the test passed, the run has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Interrupts a run and waits for its end. Returns its exit status, and its messages after the one about stopping.
///
/// Its last input must be a pipe without a writer, so that only the interrupt can end it.
fn interrupt(mut run: Running) -> (Option<i32>, String) {
    signal(&run.0, "INT");
    let mut stderr = BufReader::new(run.0.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert_eq!(line, "dedup: stopping; press Ctrl-C again to stop at once\n");
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    (run.0.wait().unwrap().code(), rest)
}

/// Starts a run whose last input is a pipe, and waits until it has made a number of entries
/// in a folder.
fn start(folder: &Folder, line: &str, below: &str, entries: usize) -> Running {
    make_pipe(&folder.path().join("last.jsonl"));
    let mut run = Running(folder.command(line).stderr(Stdio::piped()).spawn().unwrap());
    let below = folder.path().join(below);
    while fs::read_dir(&below).map_or(0, Iterator::count) < entries {
        assert_eq!(run.0.try_wait().unwrap(), None, "it waits for the pipe");
        sleep(Duration::from_millis(1));
    }
    run
}

#[test]
fn ctrl_c_leaves_the_output_as_it_was() {
    let as_it_was = "stopped; out is unchanged. The same command resumes at the first unfinished file";
    for (line, expected) in [
        ("fingerprint -q first.txt last.jsonl --force -o out", as_it_was),
        (
            "find -q --temp temp first.txt last.jsonl",
            "stopped; nothing was reported, and the same command starts from the beginning. A file that `dedup \
             fingerprint` writes can be searched without reading the texts again",
        ),
    ] {
        let folder = Folder::new().file("first.txt", HARBOUR).file("out", "old");
        fs::create_dir(folder.path().join("temp")).unwrap();
        let (below, entries) = if line.contains("--temp") { ("temp", 1) } else { ("out.partial", 2) };
        let run = start(&folder, line, below, entries);
        assert_eq!(interrupt(run), (Some(2), format!("dedup: {expected}\n")), "{line}");
        assert_eq!(folder.read("out"), b"old");
        assert_eq!(folder.files("temp").len(), 0, "{line}");
        assert!(!folder.names().iter().any(|name| name.starts_with(".dedup-")), "{line}");
    }
}

/// A first file, whose bad first record gives a message when the file is read.
fn first(id: &str) -> String {
    "{]\n".to_owned() + &jsonl(&[(id, HARBOUR)])
}

/// Starts a run over that file and a pipe, and stops it when the file is done.
fn stopped_after_the_first(line: &str) -> Folder {
    let folder = Folder::new().file("first.jsonl", first("old"));
    make_pipe(&folder.path().join("last.jsonl"));
    let mut run = Running(folder.command(line).stderr(Stdio::piped()).spawn().unwrap());
    let mut stderr = BufReader::new(run.0.stderr.take().unwrap());
    let mut told = String::new();
    stderr.read_line(&mut told).unwrap();
    assert!(told.starts_with("dedup: first.jsonl, line 1: is not valid JSON"), "{told}");
    run.0.stderr = Some(stderr.into_inner());
    assert_eq!(interrupt(run).0, Some(2));
    assert!(folder.path().join("out.fp.partial/journal").exists() && !folder.path().join("out.fp").exists());
    fs::remove_file(folder.path().join("last.jsonl")).unwrap();
    folder.file("last.jsonl", jsonl(&[("last", HARBOUR)]))
}

/// The same command resumes. A file that was changed meanwhile is read again, even if its length and time are the same.
#[test]
fn a_stopped_fingerprint_run_resumes() {
    let line = "fingerprint -q --id-field id first.jsonl last.jsonl --force -o out.fp";
    for id in ["old", "new"] {
        let folder = stopped_after_the_first(line);
        let path = folder.path().join("first.jsonl");
        if id == "new" {
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            fs::write(&path, first(id)).unwrap();
            fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        }
        folder.dedup(line).code_is(2);
        let ids: Vec<_> = folder.dedup("cat out.fp").jsonl().iter().map(|row| row["id"].clone()).collect();
        assert_eq!(ids, [id, "last"]);
        folder.dedup("verify out.fp").code_is(0);
    }
}

#[test]
fn problems_before_ctrl_c_are_listed() {
    let line = "fingerprint --id-field id --problems list first.jsonl last.jsonl -o out.fp";
    let folder = stopped_after_the_first(line);
    assert_eq!(folder.read_text("list").lines().count(), 1);
    // A list of problems covers the whole run, which therefore starts again.
    folder.dedup(line).code_is(2);
    assert_eq!(folder.read_text("list").lines().count(), 1);
}

/// A run from standard input cannot resume, as its input is gone.
#[test]
fn a_stopped_run_from_standard_input_says_that_it_starts_again() {
    let folder = Folder::new();
    let mut command = folder.command("fingerprint -q --input lines - -o out.fp");
    let mut run = Running(command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    wait_for(&folder.path().join("out.fp.partial/shingles"), &mut run.0);
    let stdin = run.0.stdin.take();
    let (code, told) = interrupt(run);
    drop(stdin);
    assert_eq!(code, Some(2));
    let expected = "stopped; out.fp is not written. The same command starts from the beginning, because standard input \
                    cannot be read again\n";
    assert_eq!(told, format!("dedup: {expected}"));
}

#[test]
fn a_search_can_be_stopped() {
    // Comparing all with all takes a minute.
    let documents: Vec<_> = (0..40_000).map(|i| (format!("{i}"), format!("{HARBOUR} {i}"))).collect();
    let folder = Folder::new().file("all.jsonl", lines_of(&documents)).file("temp/mine", "kept");
    folder.dedup("fingerprint -q --language eng --id-field id all.jsonl -o all.fp").quietly(0);
    let line = "find --temp temp --neighbours 1 all.fp";
    let mut command = folder.command(line);
    let mut run = Running(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let mut stderr = BufReader::new(run.0.stderr.take().unwrap());
    let mut told = String::new();
    stderr.read_line(&mut told).unwrap();
    assert!(told.contains("finding the neighbours of 40000 among all 40000 documents"), "{told}");
    signal(&run.0, "INT");
    told.clear();
    stderr.read_to_string(&mut told).unwrap();
    assert!(
        told.starts_with("dedup: stopping; press Ctrl-C again to stop at once\ndedup: stopped; nothing was reported"),
        "{told}"
    );
    assert_eq!(run.0.wait().unwrap().code(), Some(2));
    let mut answer = String::new();
    run.0.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
    assert_eq!(answer, "");
    assert_eq!(folder.files("temp").into_keys().collect::<Vec<_>>(), ["mine"], "nothing is left behind");
}
