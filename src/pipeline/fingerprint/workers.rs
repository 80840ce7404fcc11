//! Many documents at once: every core takes batches, the results come in order.
//!
//! ```text
//!  Reader ──batch 0, 1, 2 …──▶ thread ──▶ ┐
//!     (one lock)              thread ──▶ ├─▶ in the order of the batches ──▶ `each`
//!                             thread ──▶ ┘
//! ```
//!
//! A thread takes the next batch, takes it apart and fingerprints its documents; then
//! it hands on whatever is next in order. So the results are the same for any number
//! of threads. A thread that is far ahead waits, and so does one whose batch would be
//! too much with all that waits already: a book has millions of features.
//!
//! Cost: that of [`Fingerprinter`], divided by the threads; memory, some batches, 64 MB of
//! features that wait, and a batch of each thread beyond.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::corpus::records::{Batch, InputFile, Kind, Reader, Record};
use crate::error::Result;
use crate::error::{Location, Problem};

use crate::pipeline::authors::Authors;
use crate::pipeline::screen::Preparer;
use crate::pipeline::{Analysis, Fingerprinter, Options};
use crate::screen::PassageKeys;

/// So many batches a thread may be ahead of the slowest.
const AHEAD: u64 = 32;

/// What was made of batches waits up to so many bytes together.
const WAITING: usize = 64 << 20;

/// A document that was read and fingerprinted.
#[derive(Debug)]
pub struct Fingerprinted {
    /// What it is called.
    pub id: String,
    /// Its number in the file from 1; 0 if the file is the document.
    pub number: u64,
    /// Where it is in the file.
    pub place: Location,
    /// The value of the field that was to be kept.
    pub key: Option<String>,
    /// The length of its text in bytes.
    pub bytes: u64,
    /// How many malformed sequences of bytes became U+FFFD.
    pub replaced: usize,
    /// Its fingerprint and its features.
    pub analysis: Analysis,
    /// What passages need, if that is asked for.
    pub passages: Option<Passages>,
}

/// What of a document is kept for passages.
#[derive(Debug)]
pub struct Passages {
    /// Its text.
    pub text: String,
    /// Who wrote it, if that is known.
    pub author: Option<String>,
    /// What the text is made of.
    pub features: PassageKeys,
    /// What is wrong if it has more words than passages are looked for in.
    pub cut_short: Option<Problem>,
}

/// What is made of documents.
#[derive(Debug, Clone, Copy)]
pub struct Making<'a> {
    /// How they become fingerprints.
    pub options: &'a Options,
    /// Whether what passages need is kept, and who the authors are.
    pub passages: Option<Authors>,
    /// Where the documents come from.
    pub inputs: &'a [PathBuf],
}

/// What became of a batch, or of a file that could not be opened.
#[derive(Debug)]
pub struct Outcome {
    /// The file, its number, and whether this is its last batch; `None` if it could
    /// not be opened.
    pub file: Option<(Arc<InputFile>, u32, bool)>,
    /// How many bytes of the file were read for it.
    pub bytes_read: u64,
    /// The documents, or why they could not be read, in order.
    pub documents: Vec<std::result::Result<Fingerprinted, Problem>>,
}

impl Outcome {
    /// The bytes of its documents, about.
    fn memory(&self) -> usize {
        let of_document = |document: &Fingerprinted| {
            let Analysis { shingles, words, fingerprint, .. } = &document.analysis;
            let kept = document.passages.as_ref().map_or(0, |kept| kept.text.len() + 8 * kept.features.len());
            let kept = kept + 8 * shingles.len() + 4 * words.len() + 4 * fingerprint.sketch.len();
            kept + document.id.len() + size_of::<Fingerprinted>()
        };
        self.documents.iter().flatten().map(of_document).sum()
    }
}

/// Fingerprints all documents of a reader; calls `each` with every batch's outcome,
/// in order, until there are no more or it breaks.
///
/// # Errors
///
/// Those of the options, and the first of `each`.
///
/// # Panics
///
/// If `each` does.
pub fn fingerprint_all(
    reader: Reader,
    making: &Making<'_>,
    threads: usize,
    each: impl FnMut(Outcome) -> Result<ControlFlow<()>> + Send,
) -> Result<Reader> {
    let makers = (0..threads.max(1)).map(|_| Maker::new(making)).collect::<Result<Vec<_>>>()?;
    let incoming = Mutex::new(Incoming { reader, taken: 0 });
    let outgoing = Outgoing {
        state: Mutex::new(State { next: 0, waiting: BTreeMap::new(), bytes: 0, each, ended: None }),
        moved: Condvar::new(),
    };
    thread::scope(|scope| {
        for maker in makers {
            scope.spawn(|| work(maker, &incoming, &outgoing));
        }
    });
    let state = outgoing.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    let reader = incoming.into_inner().unwrap_or_else(PoisonError::into_inner).reader;
    match state.ended {
        Some(Err(error)) => Err(error),
        _ => Ok(reader),
    }
}

struct Incoming {
    reader: Reader,
    taken: u64,
}

struct Outgoing<F> {
    state: Mutex<State<F>>,
    moved: Condvar,
}

struct State<F> {
    next: u64,
    waiting: BTreeMap<u64, Outcome>,
    /// What waits takes so many bytes.
    bytes: usize,
    each: F,
    ended: Option<Result<()>>,
}

impl<F> State<F> {
    /// Whether there is room for what was made of a batch; for the next one there always
    /// is, or nothing would ever go on.
    fn has_room(&self, taken: u64, bytes: usize) -> bool {
        taken == self.next || (taken <= self.next + AHEAD && self.bytes + bytes <= WAITING)
    }
}

/// A thread that panicked left nothing half-done behind these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn work<F>(mut maker: Maker<'_>, incoming: &Mutex<Incoming>, outgoing: &Outgoing<F>)
where
    F: FnMut(Outcome) -> Result<ControlFlow<()>>,
{
    let _ended = EndsAll(outgoing);
    loop {
        let (taken, batch) = {
            let mut incoming = lock(incoming);
            let Some(batch) = incoming.reader.next() else { return };
            incoming.taken += 1;
            (incoming.taken - 1, batch)
        };
        let outcome = match batch {
            Ok(batch) => maker.of_batch(&batch),
            Err(problem) => Outcome { file: None, bytes_read: 0, documents: vec![Err(problem)] },
        };
        if outgoing.hand_on(taken, outcome).is_break() {
            return;
        }
    }
}

/// A thread that panics, in `each` for one, ends the work of the others, which would wait
/// for what it was to hand on.
struct EndsAll<'a, F>(&'a Outgoing<F>);

impl<F> Drop for EndsAll<'_, F> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.state).ended.get_or_insert(Ok(()));
            self.0.moved.notify_all();
        }
    }
}

impl<F: FnMut(Outcome) -> Result<ControlFlow<()>>> Outgoing<F> {
    fn hand_on(&self, taken: u64, outcome: Outcome) -> ControlFlow<()> {
        let bytes = outcome.memory();
        let mut state = lock(&self.state);
        while state.ended.is_none() && !state.has_room(taken, bytes) {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.bytes += bytes;
        state.waiting.insert(taken, outcome);
        while state.ended.is_none() {
            let next = state.next;
            let Some(outcome) = state.waiting.remove(&next) else { break };
            state.bytes -= outcome.memory();
            match (state.each)(outcome) {
                Ok(ControlFlow::Continue(())) => state.next += 1,
                Ok(ControlFlow::Break(())) => state.ended = Some(Ok(())),
                Err(error) => state.ended = Some(Err(error)),
            }
        }
        self.moved.notify_all();
        if state.ended.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Makes fingerprints, on one thread.
pub(crate) struct Maker<'a> {
    making: &'a Making<'a>,
    fingerprinter: Fingerprinter,
    preparer: Preparer,
}

impl<'a> Maker<'a> {
    pub(crate) fn new(making: &'a Making<'a>) -> Result<Self> {
        let fingerprinter = Fingerprinter::new(making.options.clone())?;
        Ok(Self { making, fingerprinter, preparer: Preparer::new(None) })
    }

    fn of_batch(&mut self, batch: &Batch) -> Outcome {
        let mut documents = Vec::new();
        let author = self.making.passages.and_then(|authors| authors.of_batch(batch, self.making.inputs));
        // A reader or a stemmer that panics on some text must not end the run.
        let whole = catch_unwind(AssertUnwindSafe(|| {
            batch.each(|record| {
                documents.push(record.and_then(|record| self.of_record(batch, record, author.as_deref())));
            });
        }));
        if whole.is_err() {
            documents.push(Err(internal(batch, Location::File)));
        }
        let file = Some((Arc::clone(&batch.file), batch.file_number, batch.is_last));
        Outcome { file, bytes_read: batch.bytes_read, documents }
    }

    /// What is made of a text.
    pub(crate) fn make(&mut self, text: Cow<'_, str>, author: Option<String>) -> (Analysis, Option<Passages>) {
        let analysis = self.fingerprinter.analyse(&text);
        let passages = self.making.passages.map(|_| {
            let language = analysis.fingerprint.language;
            let prepared = self.preparer.prepare_in(language, String::new(), author, text.into_owned());
            let (features, cut_short) = (PassageKeys::of(&prepared.words), prepared.cut_short());
            Passages { features, cut_short, text: prepared.text, author: prepared.author }
        });
        (analysis, passages)
    }

    fn of_record(
        &mut self,
        batch: &Batch,
        record: Record<'_>,
        author: Option<&str>,
    ) -> std::result::Result<Fingerprinted, Problem> {
        let Record { id, text, key, number, replaced } = record;
        let (place, bytes) = (batch.place(number), text.len() as u64);
        let author = self.making.passages.and_then(|authors| authors.of_record(author, key.as_deref()));
        let made = catch_unwind(AssertUnwindSafe(|| self.make(text, author)));
        let Ok((mut analysis, mut passages)) = made else {
            // What it remembers may be half-written.
            if let Ok(new) = Self::new(self.making) {
                *self = new;
            }
            return Err(internal(batch, batch.place(number)));
        };
        // Malformed bytes are one character, and a picture is none.
        let is_of_pictures = analysis.words.is_empty() && number == 0 && batch.file.kind != Kind::Text;
        if replaced > 0 || is_of_pictures {
            analysis.fingerprint.set_identity(batch.identity(number));
        }
        if let Some(problem) = passages.as_mut().and_then(|kept| kept.cut_short.as_mut()) {
            (problem.file, problem.place) = (batch.file.name.clone(), place);
        }
        Ok(Fingerprinted { id, number, place, key, bytes, replaced, analysis, passages })
    }
}

fn internal(batch: &Batch, place: Location) -> Problem {
    Problem::internal(batch.file.name.clone(), place)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::LazyLock;

    use super::*;
    use crate::corpus::inputs::{Inputs, Selection};
    use crate::corpus::records::Reading;
    use crate::error::Error;

    fn making() -> Making<'static> {
        static OPTIONS: LazyLock<Options> = LazyLock::new(Options::default);
        Making { options: &OPTIONS, passages: None, inputs: &[] }
    }

    fn reader(lines: usize) -> (tempfile::TempDir, Reader) {
        let folder = tempfile::tempdir().unwrap();
        let line = |i: usize| format!("{{\"text\":\"{} {i}\"}}\n", "the tide comes and goes ".repeat(40));
        fs::write(folder.path().join("a.jsonl"), (0..lines).map(line).collect::<String>()).unwrap();
        fs::write(folder.path().join("b.txt"), "one more").unwrap();
        let inputs = Inputs::new(vec![folder.path().to_owned()], Selection::default()).unwrap();
        (folder, Reader::new(inputs, Reading::default()))
    }

    fn numbers(threads: usize, stop_after: usize) -> Vec<u64> {
        let (_folder, reader) = reader(3000);
        let mut numbers = Vec::new();
        fingerprint_all(reader, &making(), threads, |outcome| {
            numbers.extend(outcome.documents.into_iter().map(|document| document.unwrap().number));
            Ok(if numbers.len() >= stop_after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
        .unwrap();
        numbers
    }

    #[test]
    fn documents_come_in_order_from_any_number_of_threads() {
        let expected: Vec<u64> = (1..=3000).chain([0]).collect();
        for threads in [1, 2, 5] {
            assert_eq!(numbers(threads, usize::MAX), expected, "{threads} threads");
        }
    }

    #[test]
    fn the_receiver_can_end_it() {
        let numbers = numbers(3, 500);
        assert!((500..2000).contains(&numbers.len()), "{}", numbers.len());
        assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
        let (_folder, reader) = reader(3000);
        let failed = fingerprint_all(reader, &making(), 2, |_| Err(Error::Language("x".into())));
        assert!(failed.err().unwrap().to_string().contains("'x' is unknown"));
    }

    #[test]
    fn a_receiver_that_panics_ends_it() {
        let (_folder, reader) = reader(3000);
        let mut batches = 0;
        let ended = catch_unwind(AssertUnwindSafe(|| {
            fingerprint_all(reader, &making(), 3, |_| {
                batches += 1;
                assert!(batches < 2, "the receiver's own");
                Ok(ControlFlow::Continue(()))
            })
        }));
        assert!(ended.is_err());
        assert_eq!(batches, 2);
    }

    #[test]
    fn what_waits_is_bounded_in_number_and_in_bytes() {
        let state = |next, bytes| State { next, waiting: BTreeMap::new(), bytes, each: (), ended: None };
        assert!(state(7, 0).has_room(7 + AHEAD, WAITING));
        assert!(!state(7, 0).has_room(8 + AHEAD, 0));
        assert!(!state(7, 1).has_room(8, WAITING));
        assert!(state(7, 2 * WAITING).has_room(7, WAITING), "the next one never waits");
        let (_folder, reader) = reader(1000);
        fingerprint_all(reader, &making(), 1, |outcome| {
            let analyses = || outcome.documents.iter().flatten().map(|it| &it.analysis);
            let kept: usize = analyses().map(|it| 8 * it.shingles.len() + 4 * it.words.len()).sum();
            assert!((kept..kept + 1000 * (1 + outcome.documents.len())).contains(&outcome.memory()));
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
    }
}
