//! A folder of files in which `dedup` is run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The program under test.
pub(crate) const DEDUP: &str = env!("CARGO_BIN_EXE_dedup");

/// A temporary folder with the files of a test.
pub(crate) struct Folder(TempDir);

/// The exit code and the output of a command.
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

    /// Adds a file and the folders of its path.
    pub(crate) fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a new folder");
        fs::write(path, content).expect("a new file");
        self
    }

    /// Sets the modification time of a file to 2001-02-03T04:05:06Z plus some days.
    pub(crate) fn dated(self, name: &str, days: u64) -> Self {
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(981_173_106 + days * 86_400);
        let file = fs::File::options().write(true).open(self.path().join(name)).expect("a file");
        file.set_modified(time).expect("a time");
        self
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn read_text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("UTF-8")
    }

    /// The files below a folder and their bytes, by relative name, including hidden ones.
    pub(crate) fn files(&self, below: &str) -> BTreeMap<String, Vec<u8>> {
        let start = self.path().join(below);
        let mut files = BTreeMap::new();
        let mut folders = vec![start.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() && !path.is_symlink() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&start).expect("below").display().to_string();
                    files.insert(name, fs::read(path).unwrap_or_default());
                }
            }
        }
        files
    }

    /// The names of the entries in the folder itself, including hidden ones.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("a folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }

    pub(crate) fn dedup(&self, line: &str) -> Answer {
        self.dedup_with_input(line, b"")
    }

    pub(crate) fn dedup_with_input(&self, line: &str, input: &[u8]) -> Answer {
        run(&mut self.command(line), input)
    }

    /// The passages that a screening finds, with an empty standard error.
    pub(crate) fn screened(&self, line: &str) -> Vec<serde_json::Value> {
        let answer = self.dedup(&format!("screen -q --format jsonl {line}"));
        assert!(answer.code < 2 && answer.stderr.is_empty(), "{line}: {answer:?}");
        answer.jsonl()
    }

    /// A command that runs in this folder.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(DEDUP);
        // The programs of this machine are no part of a story.
        command.args(line.split_whitespace()).current_dir(self.path()).env("PATH", "");
        command
    }

    /// The same as a user to whom file permissions apply.
    #[cfg(unix)]
    pub(crate) fn command_of_nobody(&self, line: &str) -> Command {
        use std::os::unix::fs::PermissionsExt;
        use std::os::unix::process::CommandExt;
        fs::set_permissions(self.path(), fs::Permissions::from_mode(0o777)).expect("a mode");
        let secret = self.path().join("secret");
        fs::write(&secret, "").expect("a new file");
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o0)).expect("a mode");
        // A user who may read everything, such as root, changes to one who may not, but may run this copy.
        let may_read_all = fs::read(&secret).is_ok();
        fs::remove_file(&secret).expect("no file");
        if !may_read_all {
            return self.command(line);
        }
        let copy = self.path().join(".dedup");
        // Another process makes the copy: a child that another test starts meanwhile would hold it open.
        if !copy.exists() {
            assert!(Command::new("cp").args([DEDUP.as_ref(), copy.as_os_str()]).status().expect("cp").success());
        }
        let mut command = Command::new(copy);
        command.args(line.split_whitespace()).current_dir(self.path()).uid(65534);
        command
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
/// Runs a command whose standard output is closed, and returns its exit code.
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

    /// The lines of the answer as JSON.
    pub(crate) fn jsonl(&self) -> Vec<serde_json::Value> {
        jsonl(&self.stdout)
    }

    /// Asserts the exit code and an empty standard error; returns standard output.
    pub(crate) fn quietly(self, code: i32) -> String {
        assert_eq!((self.code, &*self.stderr), (code, ""), "{self:?}");
        self.stdout
    }

    /// Asserts the exit code.
    pub(crate) fn code_is(&self, code: i32) {
        assert_eq!(self.code, code, "{self:?}");
    }

    /// Asserts a failure with a message of one line that contains `expected`.
    pub(crate) fn fails_saying(&self, expected: &str) {
        assert_eq!((self.code, &*self.stdout), (2, ""), "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:?}");
        assert!(self.stderr.starts_with("dedup: ") && self.stderr.contains(expected), "{self:?}");
    }
}

/// Lines of JSON.
pub(crate) fn jsonl(lines: &str) -> Vec<serde_json::Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// The documents of a list of removals, without its closing line.
pub(crate) fn removals(list: &str) -> Vec<serde_json::Value> {
    let mut lines = jsonl(list);
    let end = lines.pop().expect("a closing line");
    assert_eq!(end["end_of_list"]["documents"], lines.len(), "{end}");
    lines
}

/// A list without the digests and check values of its lines, and without its closing line.
pub(crate) fn unsealed(list: &str) -> String {
    let lines = list.lines().filter(|line| !line.contains("end_of_list"));
    lines.map(|line| format!("{}}}\n", line.split_once(",\"digest\":").expect("a digest").0)).collect()
}

/// The project's folder.
pub(crate) fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a package in `crates`").to_owned()
}

/// A JSON list without the sizes and dates of files.
pub(crate) fn fileless(list: &str) -> String {
    let mut parts = list.split(",\"file_bytes\":");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |list, part| list + part.split_once("Z\"").expect("a time").1)
}

/// The answer of the two-file form without its times, which differ from run to run.
pub(crate) fn timeless(stdout: &str) -> String {
    let line = |line: &str| if line.starts_with("time ") { line[..37].trim_end().to_owned() } else { line.to_owned() };
    stdout.lines().map(|shown| line(shown) + "\n").collect()
}
