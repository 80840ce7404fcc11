//! The progress display of a long run, and its reports of what could not be read.

use std::collections::{HashMap, HashSet};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use nearcopy::error::{Location, Problem};
use nearcopy::memory;
use nearcopy::observer::{Observer, Read};
use nearcopy::screen::Skipped;
use nearcopy_corpus::error::MISSING_FIELD;
use nearcopy_corpus::{Converter, NewFile};

use super::convert;
use super::output::talk;
use super::signals::is_stopped;
use crate::report::overview::{Fates, Stage};
use crate::report::{bytes, counted, json};

/// Maximum number of problems of one kind that are printed; the others are only counted.
const TOLD: u64 = 20;

/// Time from which a rate and the time left are shown.
const KNOWN: Duration = Duration::from_secs(2);

/// Interval at which the bar is drawn anew if nothing moves it.
const TICK: Duration = Duration::from_millis(200);

/// Counts of documents and of bytes of text since the current part of the work began.
#[derive(Debug, Default)]
struct ReadSoFar {
    documents: AtomicU64,
    text_bytes: AtomicU64,
}

/// True for a problem whose file or record is copied unchanged, false for one that is left out of the corpus that is written;
/// `None` if none is written.
pub(super) type IsCopied = dyn Fn(&Problem) -> Option<bool> + Send + Sync;

/// The problems of one kind.
#[derive(Debug, Default)]
struct OfKind {
    /// Number of those that were to be printed.
    told: u64,
    /// The reasons that were printed, of missing fields: a mistyped name is missing in every record.
    reasons: HashSet<String>,
    /// Number of records with such a reason.
    again: u64,
}

/// The progress display: a bar if standard error is a terminal, and messages in any case.
pub(super) struct Progress {
    bar: ProgressBar,
    ticks: Once,
    read: Arc<ReadSoFar>,
    told: Mutex<HashMap<&'static str, OfKind>>,
    is_copied: Option<Box<IsCopied>>,
    /// Numbers of files and records that are left out, and that are copied.
    fates: [AtomicU64; 2],
    started: Instant,
    /// What each stage does, and when it began.
    stages: Mutex<Vec<(String, Instant)>>,
    /// The file that lists every problem; `None` if it was not asked for, or could not be written.
    problems: Mutex<Option<NewFile>>,
    quiet: bool,
    /// True if a line says that a stage begins.
    verbose: bool,
    /// The files that it read are named at the end.
    converter: Option<Arc<Converter>>,
    named: Once,
    /// True if no file is named.
    nameless: bool,
}

impl Progress {
    /// With `quiet` only errors and what was skipped are printed. `problems` is the file that lists every problem.
    pub(super) fn new(quiet: bool, problems: Option<NewFile>) -> Self {
        let drawn = !quiet && io::stderr().is_terminal();
        let target = if drawn { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        Self {
            bar,
            ticks: Once::new(),
            read: Arc::default(),
            told: Mutex::default(),
            is_copied: None,
            fates: Default::default(),
            started: Instant::now(),
            stages: Mutex::default(),
            problems: Mutex::new(problems),
            quiet,
            verbose: false,
            converter: None,
            named: Once::new(),
            nameless: false,
        }
    }

    /// The same, and prints a line as each stage begins.
    pub(super) fn verbose(mut self) -> Self {
        self.verbose = true;
        self
    }

    /// The same, and names no file.
    pub(super) fn nameless(mut self) -> Self {
        (self.converter, self.nameless) = (None, true);
        self
    }

    /// The same for a run that writes a corpus: it says what becomes of what cannot be read.
    pub(super) fn copying(mut self, is_copied: impl Fn(&Problem) -> Option<bool> + Send + Sync + 'static) -> Self {
        self.is_copied = Some(Box::new(is_copied));
        self
    }

    /// The same, and names the files that other programs read.
    pub(super) fn naming(mut self, converter: Arc<Converter>) -> Self {
        self.converter = Some(converter);
        self
    }

    /// Removes the bar.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Names the files that other programs read, completes the list of problems and puts it in its place.
    pub(super) fn finish(&self) -> nearcopy::Result<()> {
        self.named.call_once(|| {
            for line in self.converter.iter().flat_map(|converter| convert::in_words(converter)) {
                self.say(&line);
            }
            let again: u64 = self.told.lock().unwrap_or_else(PoisonError::into_inner).values().map(|it| it.again).sum();
            if again > 0 {
                self.warn(&format!(
                    "{} in which a field is missing as in one named above",
                    counted(again, "more record")
                ));
            }
            self.log("done");
        });
        let problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner).take();
        problems.map_or(Ok(()), NewFile::finish)
    }

    /// Tells what could not be read by other names than those of files.
    pub(super) fn tell_unread(&self, unread: &[Skipped]) {
        for it in unread.iter().take(TOLD as usize) {
            self.bar.suspend(|| talk(&format!("{}: {}; skipped", it.name, it.kind)));
        }
    }

    /// Says how much of what could not be read is in the corpus that is written all the same.
    pub(super) fn tell_fates(&self) {
        if let Some(Fates { kept_unchanged, left_out }) =
            self.fates().filter(|all| all.kept_unchanged + all.left_out > 0)
        {
            self.say(&format!("what was skipped: {kept_unchanged} kept unchanged, {left_out} left out"));
        }
    }

    /// The same as numbers; `None` if no corpus can be written.
    pub(super) fn fates(&self) -> Option<Fates> {
        self.is_copied.as_ref()?;
        let [left_out, kept_unchanged] = self.fates.each_ref().map(|count| count.load(Ordering::Relaxed));
        Some(Fates { kept_unchanged, left_out })
    }

    /// True if only the result, errors and what was skipped are printed.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Prints a message above the bar, unless the run is quiet.
    pub(super) fn say(&self, message: &str) {
        if !self.quiet {
            self.bar.suspend(|| talk(message));
        }
    }

    /// Says that no documents were written, and what was: the spans in a file, or the counts.
    pub(super) fn tell_unwritten(&self, spans: Option<&Path>, has_counts: bool) {
        match spans {
            Some(spans) => self.say(&format!("no documents were written; the spans are in {}", spans.display())),
            None if has_counts => self.say("a dry run: no documents were written, but the counts were"),
            None => self.say("a dry run: no documents were written"),
        }
    }

    /// Prints a message above the bar, in a quiet run too: without it the result would say more than is known.
    pub(super) fn warn(&self, message: &str) {
        self.bar.suspend(|| talk(message));
    }

    /// Writes text of several lines unchanged, unless the run is quiet.
    pub(super) fn tell(&self, write: impl FnOnce(&mut io::Stderr) -> io::Result<()>) {
        if !self.quiet {
            // If standard error is closed, the error cannot be reported.
            let _ = self.bar.suspend(|| write(&mut io::stderr()));
        }
    }

    /// Prints a line for a log: the time, the memory, and what begins.
    fn log(&self, what: &str) {
        if self.verbose {
            let memory = memory::peak().map_or_else(String::new, |bytes| format!(", {} MB", bytes / 1_000_000));
            self.say(&format!("{:.1} s{memory}: {what}", self.seconds()));
        }
    }

    /// The stages so far, each with its seconds.
    pub(super) fn stages(&self) -> Vec<Stage> {
        let stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = stages.iter().skip(1).map(|(_, start)| *start).chain([Instant::now()]);
        let stage = |((what, start), end): (&(String, Instant), Instant)| Stage {
            stage: what.clone(),
            seconds: seconds(end.duration_since(*start)),
        };
        stages.iter().zip(ends).map(stage).collect()
    }

    /// The seconds since the run began.
    pub(super) fn seconds(&self) -> f64 {
        seconds(self.started.elapsed())
    }

    /// Adds a problem to the list, if there is one.
    fn list(&self, problem: &Problem, is_copied: Option<bool>) {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = problems.as_mut()
            && let Err(error) = write_problem(file, problem, is_copied)
        {
            *problems = None;
            talk(&format!("the list of problems cannot be written: {error}"));
        }
    }

    /// Draws the bar from time to time on a thread. Without one it is drawn when it moves: that of the library would end
    /// the program.
    fn tick(&self) {
        if self.bar.is_hidden() {
            return;
        }
        let bar = self.bar.downgrade();
        let draw = move || {
            while let Some(bar) = bar.upgrade() {
                if !bar.is_finished() {
                    bar.tick();
                }
                drop(bar);
                thread::sleep(TICK);
            }
        };
        let _ = thread::Builder::new().name("progress".into()).spawn(draw);
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
                let of_text = read.text_bytes.load(Ordering::Relaxed);
                let _ = write!(to, "{} documents, {} of text", HumanCount(documents), bytes(of_text));
                if started.elapsed() >= KNOWN {
                    let a_second = |count: u64| count * 1000 / started.elapsed().as_millis() as u64;
                    let _ = write!(to, ", {}/s, {}/s", a_second(documents), bytes(a_second(of_text)));
                }
            },
        ))
    }
}

impl Drop for Progress {
    /// Completes the list of problems however the run ended.
    fn drop(&mut self) {
        if let Err(error) = self.finish() {
            talk(&format!("the list of problems cannot be written: {error}"));
        }
    }
}

impl Observer for Progress {
    fn begin(&self, what: &str, steps: Option<u64>) {
        self.log(what);
        self.stages.lock().unwrap_or_else(PoisonError::into_inner).push((what.to_owned(), Instant::now()));
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
        self.ticks.call_once(|| self.tick());
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
        // The error that ends the run names it too, and nothing is written.
        self.list(problem, None);
        self.told.lock().unwrap_or_else(PoisonError::into_inner).remove(MISSING_FIELD);
    }

    fn wants_all_problems(&self) -> bool {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn report(&self, problem: &Problem) {
        let kind = problem.reason.kind();
        let skips_all = problem.reason.skips_all();
        let is_copied = self.is_copied.as_ref().filter(|_| skips_all).and_then(|is_copied| is_copied(problem));
        self.list(problem, is_copied);
        if let Some(is_copied) = is_copied {
            self.fates[usize::from(is_copied)].fetch_add(1, Ordering::Relaxed);
        }
        if self.nameless {
            return;
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let OfKind { told, reasons, again } = told.entry(kind).or_default();
        let is_lacking = kind == MISSING_FIELD && *told < TOLD;
        if is_lacking && !reasons.insert(format!("{}: {}", problem.file, problem.reason)) {
            *again += 1;
            return;
        }
        *told += 1;
        if *told <= TOLD {
            let fate = match is_copied {
                Some(true) => "; kept unchanged",
                Some(false) if problem.place == Location::File => "; what could not be read is left out",
                Some(false) => "; left out",
                None if skips_all => "; skipped",
                None => "",
            };
            self.bar.suspend(|| talk(&format!("{problem}{fate}")));
        }
        if *told == TOLD {
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

/// A time in seconds, to the millisecond.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

/// Writes a problem as a line of JSON.
fn write_problem(out: &mut NewFile, problem: &Problem, is_copied: Option<bool>) -> io::Result<()> {
    let place = match problem.place {
        Location::File => None,
        Location::Line(number) | Location::Row(number) | Location::Record(number) => Some(number),
    };
    let line = serde_json::json!({
        "file": problem.file,
        "record": place,
        "kind": problem.reason.kind(),
        "reason": problem.reason.to_string(),
        "fate": is_copied.map(|is_copied| if is_copied { "stays" } else { "goes" }),
    });
    json::write(out, &line)?;
    writeln!(out)
}
