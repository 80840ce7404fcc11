//! Fingerprint files of small corpora.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::index::map::FingerprintFile;

fn corpus() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for i in 0..40 {
        let line =
            |j: usize| format!("{{\"id\":\"{i}-{j}\",\"text\":\"{} {j}\"}}\n", "the tide comes and goes ".repeat(i));
        fs::write(folder.path().join(format!("{i:02}.jsonl")), (0..50).map(line).collect::<String>()).unwrap();
    }
    folder
}

fn job(folder: &Path, threads: usize) -> Job {
    let mut reading = Reading::default();
    reading.fields.id = Some("id".into());
    Job {
        inputs: vec![folder.to_owned()],
        selection: Selection::default(),
        reading,
        options: Options::default(),
        features: true,
        strict: false,
        threads,
    }
}

/// Stops after so many documents.
struct StopAfter(AtomicU64, u64);

impl Observer for StopAfter {
    fn advance(&self, _: u64, documents: u64) {
        self.0.fetch_add(documents, Ordering::Relaxed);
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
    assert_eq!((file.len(), file.id(51), file.place(51)), (2000, "1-1", Place { file: 1, record: 2 }));
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
        error.ends_with("99.jsonl, line 1: the id '7-7' was met before; ids must differ (stopped, as --strict asks)"),
        "{error}"
    );
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
