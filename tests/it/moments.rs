//! Moments at which runs are killed, and states of runs that tests wait for.

use std::path::Path;
use std::process::Child;
#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use crate::folder::Folder;
use crate::texts::Numbers;

/// Draws moments from the current running time. The machine's load changes that time, so a run that ends before its
/// kill shortens the estimate, and a run that is killed lengthens it. About half of all runs are killed, all over their
/// time, and a test that asks for a number of kills gets them under any load.
pub(crate) struct Moments {
    numbers: Numbers,
    time: Duration,
}

impl Moments {
    /// Starts with the time of an undisturbed run.
    pub(crate) fn of(undisturbed: impl FnOnce()) -> Self {
        let start = Instant::now();
        undisturbed();
        Self { numbers: Numbers(21), time: start.elapsed() }
    }

    /// Kills a run at the next moment. Returns its exit code, or `None` if it was killed.
    pub(crate) fn kill(&mut self, run: &mut Child) -> Option<i32> {
        sleep(self.time * self.numbers.below(1000) as u32 / 1000);
        run.kill().unwrap();
        let code = run.wait().unwrap().code();
        self.time = if code.is_none() { self.time * 5 / 4 } else { self.time * 3 / 4 };
        code
    }
}

/// Waits until a run that waits for its input has made a file.
pub(crate) fn wait_for(file: &Path, run: &mut Child) {
    wait_until(run, &file.display().to_string(), |_| file.exists());
}

/// Runs a command until it has made a file, sends it SIGTERM, and returns its standard error.
#[cfg(target_os = "linux")]
pub(crate) fn stopped_with(file: &str, folder: &Folder, line: &str) -> String {
    let mut run = folder.command(line).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&folder.path().join(file), &mut run);
    assert!(Command::new("kill").args(["-TERM", &run.id().to_string()]).status().unwrap().success());
    let answer = run.wait_with_output().unwrap();
    let told = String::from_utf8(answer.stderr).unwrap();
    assert_eq!(answer.status.code(), Some(2), "{told}");
    told
}

/// Waits until a condition holds while a run waits for its input.
pub(crate) fn wait_until(run: &mut Child, what: &str, is_there: impl Fn(&Child) -> bool) {
    let start = Instant::now();
    while !is_there(run) {
        assert_eq!(run.try_wait().unwrap(), None, "it waits for its input");
        assert!(start.elapsed() < Duration::from_mins(5), "{what} does not come");
        sleep(Duration::from_millis(1));
    }
}
