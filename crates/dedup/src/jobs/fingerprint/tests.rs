//! Fingerprint files of small corpora.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use nearcopy::store::file::format::Provenance;
use nearcopy::store::file::map::FingerprintFile;

use super::*;

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
pub(in crate::jobs) fn job(input: &Path, threads: usize) -> Job {
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
        let tally = to_file(&job(corpus.path(), threads), &path, Replace::Any, &()).unwrap();
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
    let expected = to_file(&job, &whole, Replace::Any, &()).unwrap();
    for stop in [300, 500, 700] {
        let stopped = to_file(&job, &parts, Replace::Any, &StopAfter(AtomicU64::new(0), stop));
        assert!(matches!(stopped, Err(Error::Method(nearcopy::Error::Interrupted))));
        assert!(!parts.exists());
    }
    assert_eq!(to_file(&job, &parts, Replace::Any, &()).unwrap(), expected);
    assert_eq!(fs::read(whole).unwrap(), fs::read(parts).unwrap());
}

/// A second run that did not resume would be stopped as well.
#[test]
fn what_was_done_is_not_done_again() {
    for threads in [1, 3] {
        let corpus = corpus();
        let out = tempfile::tempdir().unwrap().path().with_extension("fp");
        let job = job(corpus.path(), threads);
        let run = || to_file(&job, &out, Replace::Any, &StopAfter(AtomicU64::new(0), 1200));
        assert!(matches!(run(), Err(Error::Method(nearcopy::Error::Interrupted))));
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
    let expected = to_file(&job, &whole, Replace::Any, &()).unwrap();
    assert_eq!((expected.documents, expected.skipped()), (3000, u64::from(cfg!(unix))));
    for stop in [500, 1300, 1300] {
        assert!(matches!(
            to_file(&job, &parts, Replace::Any, &StopAfter(AtomicU64::new(0), stop)),
            Err(Error::Method(nearcopy::Error::Interrupted))
        ));
    }
    // The second run finished one file, and the third another.
    assert_eq!(to_file(&job, &parts, Replace::Any, &StopAfter(AtomicU64::new(0), 1100)).unwrap(), expected);
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
        let outcome = to_file(job, &out, Replace::Any, &observer);
        (outcome, observer.1.into_inner().unwrap())
    };
    // The interrupted run had no problem, so the second resumes, and ends before the limit.
    assert!(to_file(&strict, 1200).0.is_err());
    assert_eq!(to_file(&strict, 1200).0.unwrap().documents, 2000);
    add("10.again.jsonl");
    let (stopped, listed) = to_file(&plain, 1200);
    assert!(stopped.is_err() && listed.len() == 1);
    let (stopped, listed) = to_file(&strict, 1200);
    assert!(matches!(stopped, Err(Error::Method(nearcopy::Error::Strict(_)))) && listed.len() == 1, "{listed:?}");
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
    let tally = to_file(&job(corpus.path(), 2), &path, Replace::Any, &()).unwrap();
    assert_eq!(tally.problems, [("id met before".to_owned(), 1)].into());
    let strict = Job { strict: true, ..job(corpus.path(), 2) };
    let error = to_file(&strict, &corpus.path().join("b.fp"), Replace::Any, &()).unwrap_err().to_string();
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
    let tally = to_file(&job, &path, Replace::Any, &()).unwrap();
    assert_eq!((tally.documents, tally.renamed, tally.skipped()), (4, 3, 0));
    let file = FingerprintFile::open(&path).unwrap();
    let name = input.display();
    let expected = ["a".to_owned(), format!("{name}:2"), format!("{name}:3"), format!("{name}:4")];
    assert_eq!([0, 1, 2, 3].map(|i| file.id(i).to_owned()), expected);
    // A resumed run knows the ids that it has replaced.
    let strict = Job { strict: true, ..job };
    assert!(matches!(to_file(&strict, &path, Replace::Any, &()), Err(Error::Method(nearcopy::Error::Strict(_)))));
}

#[test]
fn a_run_over_other_inputs_starts_afresh() {
    let corpus = corpus();
    let out = corpus.path().join("out.fp");
    let job = job(corpus.path(), 1);
    assert!(matches!(
        to_file(&job, &out, Replace::Any, &StopAfter(AtomicU64::new(0), 500)),
        Err(Error::Method(nearcopy::Error::Interrupted))
    ));
    fs::write(corpus.path().join("00.jsonl"), "{\"id\":\"other\",\"text\":\"another tide\"}\n").unwrap();
    let tally = to_file(&job, &out, Replace::Any, &()).unwrap();
    assert_eq!((tally.documents, FingerprintFile::open(&out).unwrap().id(0)), (1951, "other"));
}

/// A run of which all but the end is done, and the folder of its spools.
fn interrupted(corpus: &Path) -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.fp");
    let stopped = to_file(&job(corpus, 1), &out, Replace::Nothing, &StopAfter(AtomicU64::new(0), 1200));
    assert!(matches!(stopped, Err(Error::Method(nearcopy::Error::Interrupted))));
    let partial = folder.path().join("out.fp.partial");
    (folder, out, partial)
}

/// A finished file gives damaged bytes a valid checksum, so a spool is checked before it is resumed.
#[test]
fn a_flipped_bit_in_a_spool_is_noticed() {
    let corpus = corpus();
    let (_folder, out, partial) = interrupted(corpus.path());
    let spools = fs::read_dir(&partial).unwrap().flatten().map(|entry| entry.path());
    let spools = spools.filter(|path| fs::metadata(path).unwrap().len() > 0 && !path.ends_with("journal"));
    let mut count = 0;
    for spool in spools {
        let sound = fs::read(&spool).unwrap();
        for place in [0, sound.len() / 2] {
            let mut bytes = sound.clone();
            bytes[place] ^= 0x10;
            fs::write(&spool, bytes).unwrap();
            let error = to_file(&job(corpus.path(), 1), &out, Replace::Nothing, &()).unwrap_err().to_string();
            let name = spool.file_name().unwrap().to_str().unwrap();
            assert!(error.contains(&format!("out.fp.partial/{name}: is not as it was written")), "{error}");
            assert!(error.ends_with("out.fp.partial to start from the beginning"), "{error}");
            assert!(!out.exists());
        }
        fs::write(&spool, sound).unwrap();
        count += 1;
    }
    assert!(count > 12, "{count} spools");
    let resumed = to_file(&job(corpus.path(), 1), &out, Replace::Nothing, &StopAfter(AtomicU64::new(0), 1200));
    assert_eq!(resumed.unwrap().documents, 2000);
}

#[test]
fn a_run_without_its_damaged_spools_starts_from_the_beginning() {
    let corpus = corpus();
    let (_folder, out, partial) = interrupted(corpus.path());
    let offsets = partial.join("id-offsets");
    let mut bytes = fs::read(&offsets).unwrap();
    bytes[8..16].copy_from_slice(&(1u64 << 56).to_le_bytes());
    fs::write(&offsets, bytes).unwrap();
    let error = to_file(&job(corpus.path(), 1), &out, Replace::Nothing, &()).unwrap_err().to_string();
    assert!(error.contains("id-offsets: is not as it was written"), "{error}");
    fs::remove_dir_all(&partial).unwrap();
    assert_eq!(to_file(&job(corpus.path(), 1), &out, Replace::Nothing, &()).unwrap().documents, 2000);
}

/// An input that is changed and given its old size and time again.
#[cfg(unix)]
#[test]
fn an_input_that_was_changed_quietly_is_read_again() {
    let corpus = corpus();
    let (_folder, out, _) = interrupted(corpus.path());
    let first = corpus.path().join("00.jsonl");
    let first = if first.exists() {
        first
    } else {
        fs::read_dir(corpus.path()).unwrap().flatten().map(|entry| entry.path()).min().unwrap()
    };
    let modified = fs::metadata(&first).unwrap().modified().unwrap();
    let changed = fs::read_to_string(&first).unwrap().replace(' ', "_");
    fs::write(&first, changed).unwrap();
    fs::File::options().write(true).open(&first).unwrap().set_modified(modified).unwrap();
    let [new, expected] = [out, corpus.path().with_extension("fp")];
    to_file(&job(corpus.path(), 1), &new, Replace::Nothing, &()).unwrap();
    to_file(&job(corpus.path(), 1), &expected, Replace::Nothing, &()).unwrap();
    assert!(fs::read(&new).unwrap() == fs::read(&expected).unwrap());
    fs::remove_file(expected).unwrap();
}

/// A file that appears at the output's path is found at the beginning, and at the end; what was done is not lost.
#[test]
fn an_output_that_appears_is_not_replaced() {
    struct Appears<'a>(&'a Path);
    impl Observer for Appears<'_> {
        fn advance_reading(&self, _: Read) {
            fs::write(self.0, "another's").unwrap();
        }
    }
    let corpus = corpus();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.fp");
    let error = to_file(&job(corpus.path(), 1), &out, Replace::Nothing, &Appears(&out)).unwrap_err().to_string();
    assert!(error.contains("out.fp: has appeared during the run, and was not replaced; --force"), "{error}");
    let error = to_file(&job(corpus.path(), 1), &out, Replace::Nothing, &()).unwrap_err().to_string();
    assert!(error.contains("out.fp: already exists; --force replaces it"), "{error}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "another's");
    let stops = StopAfter(AtomicU64::new(0), 1200);
    assert_eq!(to_file(&job(corpus.path(), 1), &out, Replace::Any, &stops).unwrap().documents, 2000, "it resumes");
}

/// A file system without locks, and without syncs.
#[cfg(unix)]
#[test]
fn a_file_system_that_lacks_locks_and_syncs_is_noted() {
    use nearcopy::durable::disk::Step;
    use nearcopy::durable::faults::{failing, unsupported};
    let corpus = corpus();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.fp");
    let lacking = [Step::Lock, Step::Sync, Step::SyncFolder];
    let tally = failing(
        move |step| lacking.contains(&step).then(unsupported),
        || to_file(&job(corpus.path(), 1), &out, Replace::Nothing, &()),
    );
    assert_eq!(tally.unwrap().documents, 2000);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}
