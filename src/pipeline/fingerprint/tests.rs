//! Fingerprint files of small corpora.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::file::map::FingerprintFile;

fn corpus() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for i in 0..40 {
        let line =
            |j: usize| format!("{{\"id\":\"{i}-{j}\",\"text\":\"{} {j}\"}}\n", "the tide comes and goes ".repeat(i));
        fs::write(folder.path().join(format!("{i:02}.jsonl")), (0..50).map(line).collect::<String>()).unwrap();
    }
    folder
}

/// The job of a file, or of the files in a folder, whose records have ids.
pub(in crate::pipeline) fn job(input: &Path, threads: usize) -> Job {
    let mut reading = Reading::default();
    reading.fields.id = Some("id".into());
    Job {
        inputs: vec![input.to_owned()],
        selection: Selection::default(),
        reading,
        options: Options::default(),
        shingles: true,
        passages: None,
        strict: false,
        unique_ids: true,
        threads,
    }
}

/// Stops after a number of documents.
struct StopAfter(AtomicU64, u64);

impl Observer for StopAfter {
    fn advance_reading(&self, read: Read) {
        self.0.fetch_add(read.documents, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= self.1
    }
}

#[test]
fn the_same_bytes_from_any_number_of_threads() {
    let corpus = corpus();
    let out = tempfile::tempdir().unwrap();
    let bytes = |threads| {
        let path = out.path().join(format!("{threads}.fp"));
        let tally = to_file(&job(corpus.path(), threads), &path, &()).unwrap();
        assert_eq!((tally.documents, tally.files, tally.skipped()), (2000, 40, 0));
        fs::read(path).unwrap()
    };
    let one = bytes(1);
    assert_eq!(one, bytes(3));
    let file = FingerprintFile::open(&out.path().join("1.fp")).unwrap();
    file.verify().unwrap();
    assert_eq!((file.len(), file.id(51), file.place(51)), (2000, "1-1", Provenance { file: 1, record: 2 }));
}

#[test]
fn an_interrupted_run_goes_on_and_ends_the_same() {
    let corpus = corpus();
    let out = tempfile::tempdir().unwrap();
    let [whole, parts] = ["whole.fp", "parts.fp"].map(|name| out.path().join(name));
    let job = job(corpus.path(), 2);
    let expected = to_file(&job, &whole, &()).unwrap();
    for stop in [300, 500, 700] {
        let stopped = to_file(&job, &parts, &StopAfter(AtomicU64::new(0), stop));
        assert!(matches!(stopped, Err(Error::Interrupted)));
        assert!(!parts.exists());
    }
    assert_eq!(to_file(&job, &parts, &()).unwrap(), expected);
    assert_eq!(fs::read(whole).unwrap(), fs::read(parts).unwrap());
}

/// A second run that did not resume would be stopped as well.
#[test]
fn what_was_done_is_not_done_again() {
    for threads in [1, 3] {
        let corpus = corpus();
        let out = tempfile::tempdir().unwrap().path().with_extension("fp");
        let job = job(corpus.path(), threads);
        let run = || to_file(&job, &out, &StopAfter(AtomicU64::new(0), 1200));
        assert!(matches!(run(), Err(Error::Interrupted)));
        assert_eq!(run().unwrap().documents, 2000);
        fs::remove_file(out).unwrap();
    }
}

/// Files of several batches: a run that is interrupted within a file resumes at its beginning.
#[test]
fn a_file_that_was_not_finished_is_read_again() {
    let corpus = tempfile::tempdir().unwrap();
    let line = |file: usize, i: usize| {
        format!("{{\"id\":\"{file}-{i}\",\"text\":\"{} {i}\"}}\n", "the tide comes and goes ".repeat(40))
    };
    for file in 0..3 {
        let lines: String = (0..1000).map(|i| line(file, i)).collect();
        fs::write(corpus.path().join(format!("{file}.jsonl")), lines).unwrap();
    }
    // A socket between two files is found again on resume, and must be counted once.
    fs::create_dir(corpus.path().join("0.jsonl.dir")).unwrap();
    #[cfg(unix)]
    std::os::unix::net::UnixListener::bind(corpus.path().join("1.a")).unwrap();
    let out = tempfile::tempdir().unwrap();
    let [whole, parts] = ["whole.fp", "parts.fp"].map(|name| out.path().join(name));
    let job = job(corpus.path(), 2);
    let expected = to_file(&job, &whole, &()).unwrap();
    assert_eq!((expected.documents, expected.skipped()), (3000, u64::from(cfg!(unix))));
    for stop in [500, 1300, 1300] {
        assert!(matches!(to_file(&job, &parts, &StopAfter(AtomicU64::new(0), stop)), Err(Error::Interrupted)));
    }
    // The second run finished one file, and the third another.
    assert_eq!(to_file(&job, &parts, &StopAfter(AtomicU64::new(0), 1100)).unwrap(), expected);
    assert_eq!(fs::read(whole).unwrap(), fs::read(parts).unwrap());
}

/// An observer that wants a list of all problems.
struct Lists(StopAfter, std::sync::Mutex<Vec<String>>);

impl Observer for Lists {
    fn advance_reading(&self, read: Read) {
        self.0.advance_reading(read);
    }

    fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }

    fn report(&self, problem: &Problem) {
        self.1.lock().unwrap().push(problem.to_string());
    }

    fn report_last(&self, problem: &Problem) {
        self.report(problem);
    }

    fn wants_all_problems(&self) -> bool {
        true
    }
}

#[test]
fn problems_of_an_earlier_run_are_stopped_at_and_listed_all_the_same() {
    let corpus = corpus();
    let add = |name: &str| fs::write(corpus.path().join(name), "{\"id\":\"7-7\",\"text\":\"again\"}\n").unwrap();
    let out = tempfile::tempdir().unwrap().path().with_extension("fp");
    let plain = job(corpus.path(), 2);
    let strict = Job { strict: true, ..plain.clone() };
    let to_file = |job: &Job, stop: u64| {
        let observer = Lists(StopAfter(AtomicU64::new(0), stop), std::sync::Mutex::default());
        let outcome = to_file(job, &out, &observer);
        (outcome, observer.1.into_inner().unwrap())
    };
    // The interrupted run had no problem, so the second resumes, and ends before the limit.
    assert!(to_file(&strict, 1200).0.is_err());
    assert_eq!(to_file(&strict, 1200).0.unwrap().documents, 2000);
    add("10.again.jsonl");
    let (stopped, listed) = to_file(&plain, 1200);
    assert!(stopped.is_err() && listed.len() == 1);
    let (stopped, listed) = to_file(&strict, 1200);
    assert!(matches!(stopped, Err(Error::Strict(_))) && listed.len() == 1, "{listed:?}");
    // Files before the problem are kept: once the record is mended, the run resumes.
    fs::remove_file(corpus.path().join("10.again.jsonl")).unwrap();
    assert_eq!(to_file(&strict, 1900).0.unwrap().documents, 2000);
    add("10.again.jsonl");
    assert!(to_file(&plain, 1200).0.is_err());
    assert_eq!(to_file(&plain, u64::MAX).1.len(), 1, "the list is whole");
    fs::remove_file(out).unwrap();
}

#[test]
fn ids_that_were_met_before_are_problems() {
    let corpus = corpus();
    fs::write(corpus.path().join("99.jsonl"), "{\"id\":\"7-7\",\"text\":\"again\"}\n").unwrap();
    let path = corpus.path().join("a.fp");
    let tally = to_file(&job(corpus.path(), 2), &path, &()).unwrap();
    assert_eq!(tally.problems, [("id met before".to_owned(), 1)].into());
    let strict = Job { strict: true, ..job(corpus.path(), 2) };
    let error = to_file(&strict, &corpus.path().join("b.fp"), &()).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "99.jsonl, line 1: the id '7-7' was used before; ids must be unique (stopped, as --strict asks)"
        ),
        "{error}"
    );
}

#[test]
fn documents_of_a_repeated_id_are_named_by_file_and_line() {
    let corpus = tempfile::tempdir().unwrap();
    let lines = "{\"id\":\"a\",\"text\":\"one\"}\n{\"id\":\"a\",\"text\":\"two\"}\n";
    let input = corpus.path().join("a.jsonl");
    fs::write(&input, lines.to_owned() + lines).unwrap();
    let path = corpus.path().join("a.fp");
    let job = Job { unique_ids: false, ..job(&input, 2) };
    let tally = to_file(&job, &path, &()).unwrap();
    assert_eq!((tally.documents, tally.renamed, tally.skipped()), (4, 3, 0));
    let file = FingerprintFile::open(&path).unwrap();
    let name = input.display();
    let expected = ["a".to_owned(), format!("{name}:2"), format!("{name}:3"), format!("{name}:4")];
    assert_eq!([0, 1, 2, 3].map(|i| file.id(i).to_owned()), expected);
    // A resumed run knows the ids that it has replaced.
    let strict = Job { strict: true, ..job };
    assert!(matches!(to_file(&strict, &path, &()), Err(Error::Strict(_))));
}

#[test]
fn a_run_over_other_inputs_starts_afresh() {
    let corpus = corpus();
    let out = corpus.path().join("out.fp");
    let job = job(corpus.path(), 1);
    assert!(matches!(to_file(&job, &out, &StopAfter(AtomicU64::new(0), 500)), Err(Error::Interrupted)));
    fs::write(corpus.path().join("00.jsonl"), "{\"id\":\"other\",\"text\":\"another tide\"}\n").unwrap();
    let tally = to_file(&job, &out, &()).unwrap();
    assert_eq!((tally.documents, FingerprintFile::open(&out).unwrap().id(0)), (1951, "other"));
}
