//! The programs: which file needs which, how each is called, and a run of one within its bounds.

use std::env;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nearcopy_extract::{Format, Refusal};

use super::Leave;

/// Longest interval at which a run is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Number of bytes of a program's message that are looked at.
const MESSAGE: u64 = 4 << 10;

/// The file by whose name a program gets the bytes.
const INPUT: &str = "input";

/// The output of a program that writes to standard output, in the folder of outputs.
const STDOUT: &str = "stdout";

/// The folder of outputs.
const OUTPUT: &str = "output";

/// What an unread file needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// A reader of Word documents of the old format.
    Word,
    /// The recognition of letters on the pages of a PDF.
    Pages,
    /// The recognition of letters in a picture.
    Picture,
}

impl Need {
    /// What refused bytes need; `None` if no program helps.
    pub(super) fn of(bytes: &[u8], refusal: &Refusal) -> Option<Self> {
        const PICTURES: [&[u8]; 4] = [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*"];
        match refusal {
            Refusal::NoText | Refusal::NoCharacters if matches!(Format::of_bytes(bytes), Ok(Some(Format::Pdf))) => {
                Some(Self::Pages)
            }
            Refusal::Binary { .. } if PICTURES.iter().any(|begin| bytes.starts_with(begin)) => Some(Self::Picture),
            refusal if refusal.is_old_word() => Some(Self::Word),
            _ => None,
        }
    }

    /// What to do if no program succeeds.
    pub(super) fn remedy(self) -> &'static str {
        match self {
            Self::Word => "save it as DOCX or PDF first",
            Self::Pages | Self::Picture => "check that it shows text, and scan it again if it should",
        }
    }
}

/// A program, and how it is called.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) need: Need,
    /// Its arguments, in a folder with the input and a folder of outputs.
    arguments: &'static [&'static str],
    /// Variables of the environment that are set to the temporary folder.
    folders: &'static [&'static str],
    /// The result in the folder of outputs.
    result: &'static str,
}

/// All programs; of those for one need, the first that succeeds is used.
pub(super) const PROGRAMS: [Program; 5] = [
    Program {
        name: "antiword",
        need: Need::Word,
        // One line a paragraph.
        arguments: &["-m", "UTF-8.txt", "-w", "0", INPUT],
        folders: &[],
        result: STDOUT,
    },
    Program {
        name: "catdoc",
        need: Need::Word,
        arguments: &["-d", "utf-8", "-w", INPUT],
        folders: &[],
        result: STDOUT,
    },
    Program {
        name: "soffice",
        need: Need::Word,
        arguments: &["--headless", "--norestore", "--convert-to", "docx", "--outdir", OUTPUT, INPUT],
        // With a profile of its own it runs beside one that is open.
        folders: &["HOME", "XDG_CONFIG_HOME"],
        result: "input.docx",
    },
    Program {
        name: "ocrmypdf",
        need: Need::Pages,
        arguments: &[
            "--quiet",
            "--force-ocr",
            "--jobs",
            "1",
            "--output-type",
            "pdf",
            "--sidecar",
            "output/text",
            INPUT,
            "output/pdf",
        ],
        folders: &[],
        result: "text",
    },
    Program { name: "tesseract", need: Need::Picture, arguments: &[INPUT, "stdout"], folders: &[], result: STDOUT },
];

impl Program {
    /// True if it recognises letters, in languages that can be named.
    pub(super) fn is_recognising(&self) -> bool {
        self.need != Need::Word
    }

    /// Its path, if it is on PATH.
    pub(super) fn installed(&self) -> Option<PathBuf> {
        let path = env::var_os("PATH")?;
        // A relative folder, such as the one that is being read, is no place for programs.
        let folders = env::split_paths(&path).filter(|folder| folder.is_absolute());
        let name = format!("{}{}", self.name, env::consts::EXE_SUFFIX);
        folders.map(|folder| folder.join(&name)).find(|path| is_program(path))
    }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// The reason why a program gave no result.
pub(super) enum Failure {
    Io(io::Error),
    Status(ExitStatus, String),
    NoResult,
    Timeout(Duration),
    TooLong(u64),
    Stopped,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot be run ({error})"),
            Self::Status(status, message) if message.is_empty() => write!(f, "failed ({status})"),
            Self::Status(status, message) => write!(f, "failed ({status}: {message})"),
            Self::NoResult => f.write_str("wrote no result"),
            Self::Timeout(limit) => {
                write!(f, "took longer than {} s, which --convert-timeout raises", limit.as_secs())
            }
            Self::TooLong(limit) => write!(f, "wrote more than {limit} bytes"),
            Self::Stopped => f.write_str("was stopped"),
        }
    }
}

/// A run of a program.
pub(super) struct Run<'a> {
    pub(super) path: &'a Path,
    pub(super) leave: &'a Leave,
    /// Longest result in bytes.
    pub(super) limit: u64,
}

impl Run<'_> {
    /// What the program makes of some bytes.
    pub(super) fn result(&self, program: &Program, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
        let mut folder = tempfile::Builder::new();
        folder.prefix(".dedup-convert-");
        let folder = match &self.leave.temp {
            Some(temp) => folder.tempdir_in(temp)?,
            None => folder.tempdir()?,
        };
        // The program runs there, so that its arguments are names of ours.
        let folder = folder.path().canonicalize().map(|path| (folder, path))?;
        let (_removed, folder) = (folder.0, folder.1);
        let (output, own) = (folder.join(OUTPUT), folder.join("temporary"));
        fs::write(folder.join(INPUT), bytes)?;
        fs::create_dir(&output)?;
        fs::create_dir(&own)?;
        let message = folder.join("message");
        let mut command = Command::new(self.path);
        command
            .args(program.arguments)
            .current_dir(&folder)
            .env("TMPDIR", &own)
            // Files are read in parallel already.
            .env("OMP_THREAD_LIMIT", "1")
            .envs(program.folders.iter().map(|name| (name, &own)))
            .stdin(Stdio::null())
            .stdout(File::create(output.join(STDOUT))?)
            .stderr(File::create(&message)?);
        if let Some(languages) = self.leave.languages.as_deref().filter(|_| program.is_recognising()) {
            command.args(["-l", languages]);
        }
        let mut running = Running::start(&mut command)?;
        let status = self.wait(&mut running, &output)?;
        if !status.success() {
            let mut said = Vec::new();
            File::open(&message)?.take(MESSAGE).read_to_end(&mut said)?;
            return Err(Failure::Status(status, last_line(&said)));
        }
        let file = File::open(output.join(program.result)).map_err(|_| Failure::NoResult)?;
        let mut result = Vec::new();
        file.take(self.limit.saturating_add(1)).read_to_end(&mut result)?;
        if result.len() as u64 > self.limit { Err(Failure::TooLong(self.limit)) } else { Ok(result) }
    }

    /// Waits for the end of a program, within the bounds.
    fn wait(&self, running: &mut Running, output: &Path) -> Result<ExitStatus, Failure> {
        let start = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(status) = running.0.try_wait()? {
                return Ok(status);
            }
            if self.leave.stop.is_asked_for() {
                return Err(Failure::Stopped);
            }
            if start.elapsed() >= self.leave.timeout {
                return Err(Failure::Timeout(self.leave.timeout));
            }
            if size(output) > self.limit.max(LEAST) {
                return Err(Failure::TooLong(self.limit));
            }
            thread::sleep(pause);
            pause = (pause * 2).min(LOOK);
        }
    }
}

/// Number of bytes that all outputs may have together in any case, as a program that recognises letters writes the
/// pictures of the pages again.
const LEAST: u64 = 1 << 30;

/// The size of the files in a folder.
fn size(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
}

/// The last line of a message with text in it, on which programs say what is wrong; shortened, without control characters.
fn last_line(message: &[u8]) -> String {
    let message = String::from_utf8_lossy(message);
    let line = message.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
    line.chars().filter(|c| !c.is_control()).take(200).collect()
}

/// A program that runs; it and those that it started are killed when this is dropped.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        command.spawn().map(Self)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The group is the program's own. One that has ended may have left others behind.
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.0.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        // Both fail only if it has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
