//! Where the system starts no further thread, every command runs with the one that it has.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use crate::folder::{Answer, Folder, run};
use crate::texts::{BEES, EDITED, HARBOUR};

/// A command that may start neither a process nor a thread.
fn alone(folder: &Folder, line: &str) -> Command {
    let inner = folder.command_of_nobody(line);
    let mut command = Command::new("prlimit");
    command.arg("--nproc=1").arg(inner.get_program()).args(inner.get_args()).current_dir(folder.path());
    // The limit does not bind root, who then runs a copy as another user.
    if inner.get_program().as_encoded_bytes().ends_with(b".dedup") {
        command.uid(65534);
    }
    command
}

/// True if the limit binds here; some containers ignore it.
fn is_bound(folder: &Folder) -> bool {
    let command = alone(folder, "");
    let mut probe = Command::new("prlimit");
    probe.args(["--nproc=1", "sh", "-c", "sleep 0 & wait"]).stderr(Stdio::null());
    if command.get_args().any(|arg| arg.as_encoded_bytes().ends_with(b".dedup")) {
        probe.uid(65534);
    }
    !probe.status().expect("prlimit").success()
}

fn said(folder: &Folder, line: &str, input: &[u8]) -> Answer {
    run(&mut alone(folder, line), input)
}

#[test]
fn every_command_runs_where_no_thread_can_be_started() {
    let folder = Folder::new()
        .file("in/harbour.txt", HARBOUR)
        .file("in/edited.txt", EDITED)
        .file("in/bees.txt", BEES)
        .file("in/tide.pdf", crate::dates::pdf(""));
    if !is_bound(&folder) {
        eprintln!("SKIPPED: this system does not enforce a limit on processes");
        return;
    }
    for (line, code) in [
        ("compare in/harbour.txt in/edited.txt", 0),
        ("in/harbour.txt in/edited.txt", 1),
        ("explain in/bees.txt", 0),
        ("languages", 0),
        ("find in", 0),
        ("find --threads 4 --report find.html in", 0),
        ("clean --threads 4 in -o clean", 0),
        ("screen --threads 4 in --html screen.html", 1),
        ("screen --threads 4 in --save in.dsi", 0),
        ("fingerprint --threads 4 in -o in.fp", 0),
        ("info in.fp", 0),
        ("verify in.fp", 0),
        ("cat in.fp", 0),
        ("index create letters --language eng", 0),
        ("index add --threads 4 letters in", 0),
        ("index add --unique letters - --id again", 0),
        ("index query --threads 4 letters in", 0),
        ("index remove letters in/bees.txt", 0),
        ("index compact letters", 0),
        ("index verify letters", 0),
    ] {
        let answer = said(&folder, line, BEES.as_bytes());
        assert_eq!(answer.code, code, "{line}: {answer:?}");
        assert!(!answer.stderr.contains("panicked"), "{line}: {answer:?}");
    }
    // The same is found as with threads.
    let line = "find -q --threads 4 --format jsonl in";
    assert_eq!(said(&folder, line, b"").stdout, folder.dedup(line).stdout);
}
