//! A folder of files in which `dedup` is run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The program under test.
pub(crate) const DEDUP: &str = env!("CARGO_BIN_EXE_dedup");

/// A temporary folder with the files of a story.
pub(crate) struct Folder(TempDir);

/// How a command ended and what it said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.path().join(name), content).expect("a new file");
        self
    }

    pub(crate) fn dedup(&self, line: &str) -> Answer {
        self.dedup_with_input(line, b"")
    }

    pub(crate) fn dedup_with_input(&self, line: &str, input: &[u8]) -> Answer {
        run(Command::new(DEDUP).args(line.split_whitespace()).current_dir(self.path()), input)
    }
}

/// Runs a command of `dedup` in the project's own folder.
pub(crate) fn dedup(line: &str) -> Answer {
    run(Command::new(DEDUP).args(line.split_whitespace()).current_dir(project()), b"")
}

pub(crate) fn run(command: &mut Command, input: &[u8]) -> Answer {
    let command =
        assert_cmd::Command::from_std(std::mem::replace(command, Command::new("true"))).write_stdin(input).output();
    let output = command.expect("the program runs");
    Answer {
        code: output.status.code().expect("an exit code, not a signal"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

#[cfg(unix)]
/// Starts a command whose standard output nobody reads.
pub(crate) fn run_unread(command: &mut Command) -> i32 {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    output.status.code().expect("an exit code, not a signal")
}

impl Answer {
    /// The answer as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Asserts a failure of one line that says so much.
    pub(crate) fn fails_saying(&self, expected: &str) {
        assert_eq!((self.code, &*self.stdout), (2, ""), "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:?}");
        assert!(self.stderr.starts_with("dedup: ") && self.stderr.contains(expected), "{self:?}");
    }
}

/// The project's folder.
pub(crate) fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The answer of the two-file form without its times, which differ from run to run.
pub(crate) fn timeless(stdout: &str) -> String {
    let line = |line: &str| if line.starts_with("time ") { line[..37].trim_end().to_owned() } else { line.to_owned() };
    stdout.lines().map(|shown| line(shown) + "\n").collect()
}
