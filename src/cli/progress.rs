//! A long run on the terminal: how far it is, what could not be read, and Ctrl-C.

use std::collections::HashMap;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use nearcopy::corpus::NewFile;
use nearcopy::error::{Location, Problem};
use nearcopy::observer::{Observer, Read};
use nearcopy::report::json;

use super::output::talk;

/// So many problems of one kind are told; the others are only counted.
const TOLD: u64 = 20;

/// From when on a rate and the time left are known.
const KNOWN: Duration = Duration::from_secs(2);

/// Set by Ctrl-C.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Lets Ctrl-C end the work in good order; the second one ends it at once.
pub(super) fn stop_on_ctrl_c() {
    // Where there are no signals, there is no good order.
    let _ = ctrlc::set_handler(|| {
        if is_stopped() {
            std::process::exit(130);
        }
        // Said before the run hears of it, and perhaps ends.
        talk("stopping; once more to stop at once");
        STOPPED.store(true, Ordering::Relaxed);
    });
}

/// Whether Ctrl-C has asked for the end.
pub(super) fn is_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

/// Counts of documents and of bytes of text since the current part of the work began.
#[derive(Debug, Default)]
struct ReadSoFar {
    documents: AtomicU64,
    text_bytes: AtomicU64,
}

/// Draws on a terminal, and tells problems anywhere.
pub(super) struct Progress {
    bar: ProgressBar,
    read: Arc<ReadSoFar>,
    told: Mutex<HashMap<&'static str, u64>>,
    /// Takes every problem; `None` if nobody asked, or it could not be written.
    problems: Mutex<Option<NewFile>>,
    quiet: bool,
}

impl Progress {
    /// `quiet` tells nothing but errors and what was skipped; every problem goes to a file, if there is one.
    pub(super) fn new(quiet: bool, problems: Option<NewFile>) -> Self {
        let drawn = !quiet && io::stderr().is_terminal();
        let target = if drawn { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        Self { bar, read: Arc::default(), told: Mutex::default(), problems: Mutex::new(problems), quiet }
    }

    /// Takes the bar away.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Puts the list of problems in its place.
    pub(super) fn finish(&self) -> nearcopy::Result<()> {
        let problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner).take();
        problems.map_or(Ok(()), NewFile::finish)
    }

    /// Says something above the bar.
    pub(super) fn say(&self, message: &str) {
        if !self.quiet {
            self.bar.suspend(|| talk(message));
        }
    }

    /// Writes more than a line, as it is.
    pub(super) fn tell(&self, write: impl FnOnce(&mut io::Stderr) -> io::Result<()>) {
        if !self.quiet {
            // Standard error may be closed: then there is nobody to tell.
            let _ = self.bar.suspend(|| write(&mut io::stderr()));
        }
    }

    /// Adds to the list of problems.
    fn list(&self, problem: &Problem) {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = problems.as_mut()
            && let Err(error) = write_problem(file, problem)
        {
            *problems = None;
            talk(&format!("the list of problems cannot be written: {error}"));
        }
    }

    fn style(&self, steps: Option<u64>) -> Option<ProgressStyle> {
        let read = Arc::clone(&self.read);
        let started = Instant::now();
        let template = match steps {
            Some(_) => "{msg}  [{wide_bar}]  {done}{left}",
            None => "{msg}  {spinner}  {done}",
        };
        let style = ProgressStyle::with_template(template).ok()?;
        let left = move |state: &ProgressState, to: &mut dyn std::fmt::Write| {
            if started.elapsed() >= KNOWN && state.pos() > 0 {
                let _ = write!(to, "  {} left", HumanDuration(state.eta()));
            }
        };
        Some(style.progress_chars("=> ").with_key("left", left).with_key(
            "done",
            move |state: &ProgressState, to: &mut dyn std::fmt::Write| {
                let documents = read.documents.load(Ordering::Relaxed);
                if documents == 0 {
                    let _ = write!(to, "{}", HumanCount(state.pos()));
                    return;
                }
                let megabytes = read.text_bytes.load(Ordering::Relaxed) as f64 / 1e6;
                let _ = write!(to, "{} documents, {megabytes:.1} MB of text", HumanCount(documents));
                let seconds = started.elapsed().as_secs_f64();
                if started.elapsed() >= KNOWN {
                    let _ = write!(to, ", {:.0}/s, {:.1} MB/s", documents as f64 / seconds, megabytes / seconds);
                }
            },
        ))
    }
}

impl Drop for Progress {
    /// Whatever has ended the run: what could not be read until then is listed.
    fn drop(&mut self) {
        if let Err(error) = self.finish() {
            talk(&format!("the list of problems cannot be written: {error}"));
        }
    }
}

impl Observer for Progress {
    fn begin(&self, what: &str, steps: Option<u64>) {
        self.read.documents.store(0, Ordering::Relaxed);
        self.read.text_bytes.store(0, Ordering::Relaxed);
        if let Some(style) = self.style(steps) {
            self.bar.set_style(style);
        }
        self.bar.reset();
        self.bar.set_message(what.to_owned());
        match steps {
            Some(steps) => self.bar.set_length(steps),
            None => self.bar.unset_length(),
        }
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }

    fn advance_reading(&self, read: Read) {
        self.read.documents.fetch_add(read.documents, Ordering::Relaxed);
        self.read.text_bytes.fetch_add(read.text_bytes, Ordering::Relaxed);
        self.bar.inc(read.bytes_on_disk);
    }

    fn report_last(&self, problem: &Problem) {
        // The error that ends the run tells it.
        self.list(problem);
    }

    fn wants_all_problems(&self) -> bool {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn report(&self, problem: &Problem) {
        let kind = problem.reason.kind();
        self.list(problem);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let count = told.entry(kind).or_default();
        *count += 1;
        if *count <= TOLD {
            let skipped = if problem.reason.skips_all() { "; skipped" } else { "" };
            self.bar.suspend(|| talk(&format!("{problem}{skipped}")));
        }
        if *count == TOLD {
            self.bar.suspend(|| talk(&format!("more problems of this kind ({kind}) are only counted")));
        }
    }

    fn wants_steps(&self) -> bool {
        !self.bar.is_hidden()
    }

    fn is_stopped(&self) -> bool {
        is_stopped()
    }
}

/// A problem as a line of JSON.
fn write_problem(out: &mut NewFile, problem: &Problem) -> io::Result<()> {
    let place = match problem.place {
        Location::File => None,
        Location::Line(number) | Location::Row(number) => Some(number),
    };
    let line = serde_json::json!({
        "file": problem.file,
        "record": place,
        "kind": problem.reason.kind(),
        "reason": problem.reason.to_string(),
    });
    json::write(out, &line)?;
    writeln!(out)
}
