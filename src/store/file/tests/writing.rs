//! Writing and interrupted writing.

use std::io::Write as _;
use std::path::PathBuf;

use super::*;
use crate::error::Error;
use crate::store::file::write::Store;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn output(&self) -> PathBuf {
        self.0.path().join("out.fp")
    }

    fn partial(&self, name: &str) -> PathBuf {
        self.0.path().join("out.fp.partial").join(name)
    }

    fn writer(&self) -> Writer {
        dated(Writer::create(&self.output(), &recipe(2), BOTH).unwrap())
    }

    /// A run with a checkpoint after one document, interrupted after the second.
    fn interrupted(&self) {
        let mut writer = self.writer();
        for file in &FILES {
            writer.file(file).unwrap();
        }
        writer.push(&two()[0].entry()).unwrap();
        writer.checkpoint(&serde_json::json!({ "documents": 1 })).unwrap();
        writer.push(&two()[1].entry()).unwrap();
    }

    fn resume(&self) -> Option<(Writer, serde_json::Value)> {
        Writer::resume(&self.output(), &recipe(2), BOTH).unwrap()
    }
}

#[test]
fn an_interrupted_run_goes_on() {
    let folder = Folder::new();
    assert!(folder.resume().is_none(), "nothing to go on with");
    folder.interrupted();
    assert!(!folder.output().exists());
    let (mut writer, progress) = folder.resume().unwrap();
    assert_eq!((progress, writer.documents()), (serde_json::json!({ "documents": 1 }), 1));
    assert_eq!(writer.file(&FILES[0]).unwrap(), 3, "numbers go on, too");
    drop(writer);

    let (mut writer, _) = folder.resume().unwrap();
    writer.push(&two()[1].entry()).unwrap();
    writer.finish().unwrap();
    assert_eq!(fs::read(folder.output()).unwrap(), bytes(2, &two(), BOTH));
    assert!(!folder.partial("").exists());
    assert!(folder.resume().is_none());
}

#[test]
fn an_earlier_moment_can_be_gone_on_from() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    for file in &FILES {
        writer.file(file).unwrap();
    }
    writer.push(&two()[0].entry()).unwrap();
    let mark = writer.mark();
    writer.push(&two()[1].entry()).unwrap();
    writer.checkpoint_of(&mark, &serde_json::Value::Null).unwrap();
    drop(writer);
    let (mut writer, _) = folder.resume().unwrap();
    assert_eq!((writer.documents(), writer.files()), (mark.documents, mark.files));
    writer.push(&two()[1].entry()).unwrap();
    writer.finish().unwrap();
    assert_eq!(fs::read(folder.output()).unwrap(), bytes(2, &two(), BOTH));
}

#[test]
fn what_cannot_be_gone_on_with_is_begun_afresh() {
    let folder = Folder::new();
    drop(folder.writer());
    assert!(folder.resume().is_none(), "no checkpoint");

    folder.interrupted();
    let output = folder.output();
    assert!(Writer::resume(&output, &recipe(3), BOTH).unwrap().is_none(), "another recipe");
    assert!(Writer::resume(&output, &recipe(2), NONE).unwrap().is_none(), "other sections");
    assert!(folder.resume().is_some());

    let journal = fs::read(folder.partial("journal")).unwrap();
    for i in 0..journal.len() {
        let mut changed = journal.clone();
        changed[i] ^= 1;
        fs::write(folder.partial("journal"), changed).unwrap();
        assert!(folder.resume().is_none(), "byte {i} of the journal is changed");
    }
    fs::write(folder.partial("journal"), &journal).unwrap();
    assert!(folder.resume().is_some());
    fs::write(folder.partial("counts"), "cut short").unwrap();
    assert!(folder.resume().is_none(), "a spool is shorter than was noted");

    fill(folder.writer(), &two()).unwrap();
    assert_eq!(fs::read(&output).unwrap(), bytes(2, &two(), BOTH));
}

#[test]
fn the_old_file_stays_until_the_new_one_is_whole() {
    let folder = Folder::new();
    fs::write(folder.output(), "old").unwrap();
    folder.interrupted();
    assert_eq!(fs::read(folder.output()).unwrap(), b"old");

    // A folder, which the file cannot replace.
    fs::create_dir(folder.partial("file")).unwrap();
    let (writer, _) = folder.resume().unwrap();
    writer.finish().expect_err("a folder is in the way");
    assert_eq!(fs::read(folder.output()).unwrap(), b"old");

    fs::remove_dir(folder.partial("file")).unwrap();
    let (writer, _) = folder.resume().unwrap();
    writer.finish().unwrap();
    assert_eq!(verified(&folder.output()).unwrap().len(), 1);
}

#[test]
fn sections_apart_are_read_as_the_file_of_them() {
    let folder = tempfile::tempdir().unwrap();
    for sections in [BOTH, NONE] {
        let joined = filled(Writer::scratch(folder.path(), &recipe(2), sections).unwrap());
        let output = joined.output().to_owned();
        joined.finish().unwrap();
        let joined = verified(&output).unwrap();
        let all = |file: &FingerprintFile| {
            let document = |i| {
                let view = file.view(i);
                let lists = (view.sketch.to_vec(), view.shingles.to_vec(), view.words.to_vec());
                let strings = [file.id(i), file.language(i), file.key(i).unwrap_or_default()].map(str::to_owned);
                (lists, strings, file.simhash(i), file.digest(i), file.counts(i), file.place(i), file.letters(i))
            };
            let files: Vec<String> = file.files().map(|file| format!("{file:?}")).collect();
            let sizes: Vec<_> = file.sections().collect();
            (format!("{:?}", (0..=file.len()).map(document).collect::<Vec<_>>()), files, sizes, file.recipe_id())
        };
        // In memory, or moved to the disk at any moment.
        let temp = tempfile::tempdir().unwrap();
        for bound in [1 << 20, 0, 150, 400] {
            let writer = filled(Writer::in_memory(&recipe(2), sections, bound, temp.path()).unwrap());
            let made = writer.finish_in_memory().unwrap();
            assert_eq!(all(&joined), all(&made), "{bound}");
            assert_eq!((made.len(), made.has_shingles(), made.has_keys()), (2, sections.shingles, sections.keys));
            assert_eq!(fs::read_dir(temp.path()).unwrap().count(), usize::from(bound < 1 << 20), "{bound}");
            drop(made);
            assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 0);
        }
    }
}

/// A writer with two documents.
fn filled<S: Store>(mut writer: Writer<S>) -> Writer<S> {
    for file in &FILES {
        writer.file(file).unwrap();
    }
    for made in two() {
        writer.push(&made.entry()).unwrap();
    }
    writer
}

#[test]
fn a_mapped_file_can_be_replaced() {
    let folder = Folder::new();
    fill(folder.writer(), &two()).unwrap();
    let old = FingerprintFile::open(&folder.output()).unwrap();
    fill(folder.writer(), &[]).unwrap();
    old.verify().unwrap();
    assert_eq!((old.len(), verified(&folder.output()).unwrap().len()), (2, 0));
}

#[test]
fn two_writers_of_one_file() {
    let folder = Folder::new();
    let writer = folder.writer();
    let expected =
        format!("{}: another run is writing it; wait for it to end, or name another output", folder.output().display());
    for error in [
        Writer::create(&folder.output(), &recipe(2), BOTH).expect_err("locked"),
        Writer::resume(&folder.output(), &recipe(2), BOTH).expect_err("locked"),
    ] {
        assert_eq!(error.to_string(), expected);
    }
    fill(writer, &two()).unwrap();
    fill(folder.writer(), &two()).unwrap();
}

#[test]
fn an_output_that_cannot_be_fails_at_once() {
    let folder = Folder::new();
    let create = |path: &Path| Writer::create(path, &recipe(2), BOTH).map(drop).unwrap_err().to_string();
    let here = folder.0.path();
    assert_eq!(
        create(here),
        format!("{}: is a folder, which cannot be written over; name another output", here.display())
    );
    let path = here.join("none/out.fp");
    assert_eq!(create(&path), format!("{}: its folder does not exist; make it first", path.display()));
    fs::write(folder.output(), "").unwrap();
    let path = folder.output().join("out.fp");
    assert!(create(&path).starts_with(&format!("{}: cannot be written: ", path.display())));
    #[cfg(unix)]
    assert_eq!(
        create(Path::new("/dev/null")),
        "/dev/null: is a device or a pipe, which cannot be written over; name another output"
    );
    let none = recipe(0);
    assert!(matches!(Writer::create(&folder.output(), &none, BOTH), Err(Error::Sketches { found: 0, .. })));
}

#[test]
fn only_what_was_written_is_removed() {
    let folder = Folder::new();
    fs::create_dir(folder.partial("")).unwrap();
    fs::write(folder.partial("mine"), "kept").unwrap();
    fill(folder.writer(), &two()).unwrap();
    assert_eq!(fs::read(folder.partial("mine")).unwrap(), b"kept");
    assert_eq!(fs::read_dir(folder.partial("")).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn an_output_that_is_a_link_stays_one() {
    let folder = Folder::new();
    let target = folder.0.path().join("target.fp");
    fs::write(&target, "old").unwrap();
    std::os::unix::fs::symlink(&target, folder.output()).unwrap();
    let mut writer = folder.writer();
    writer.file(&FILES[0]).unwrap();
    writer.finish().unwrap();
    assert_eq!(verified(&target).unwrap().files().len(), 1);
    assert!(fs::symlink_metadata(folder.output()).unwrap().is_symlink());
}

#[cfg(unix)]
#[test]
fn the_folder_of_spools_is_the_users_own_and_no_link_in_it_is_followed() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
    let folder = Folder::new();
    let victim = folder.0.path().join("victim");
    fs::create_dir(&victim).unwrap();
    let refused = |what: &str| {
        let expected = format!(
            "{}: is {what}, and the unfinished output must be kept there; remove it, or name another output",
            folder.partial("").display().to_string().trim_end_matches('/')
        );
        let error = Writer::create(&folder.output(), &recipe(2), BOTH).expect_err(what);
        assert_eq!(error.to_string(), expected);
    };
    let partial = folder.output().with_file_name("out.fp.partial");
    symlink(&victim, &partial).unwrap();
    refused("a link");
    Writer::resume(&folder.output(), &recipe(2), BOTH).expect_err("a link");
    fs::remove_file(&partial).unwrap();
    fs::write(&partial, "mine").unwrap();
    refused("not a folder");
    fs::remove_file(&partial).unwrap();
    fs::create_dir(&partial).unwrap();
    // Only a privileged user can change the owner of a folder.
    if chown(&partial, Some(65534), None).is_ok() {
        refused("a folder of another user");
    }
    fs::remove_dir(&partial).unwrap();
    assert_eq!(fs::read_dir(&victim).unwrap().count(), 0);

    let victim = folder.0.path().join("text");
    fs::write(&victim, "mine").unwrap();
    let mut writer = folder.writer();
    assert_eq!(fs::metadata(&partial).unwrap().mode() & 0o777, 0o700);
    writer.file(&FILES[0]).unwrap();
    for name in ["journal.new", "file"] {
        symlink(&victim, folder.partial(name)).unwrap();
    }
    writer.checkpoint(&serde_json::Value::Null).unwrap();
    drop(writer);
    let ids = folder.partial("ids");
    fs::rename(&ids, folder.partial("kept")).unwrap();
    symlink(&victim, &ids).unwrap();
    let error = Writer::resume(&folder.output(), &recipe(2), BOTH).map(drop).unwrap_err().to_string();
    assert!(error.contains("it is a link, which is not followed"), "{error}");
    fs::rename(folder.partial("kept"), &ids).unwrap();
    fs::write(folder.output(), "old").unwrap();
    fs::set_permissions(folder.output(), fs::Permissions::from_mode(0o640)).unwrap();
    folder.resume().unwrap().0.finish().unwrap();
    assert_eq!(verified(&folder.output()).unwrap().files().len(), 1);
    assert_eq!(fs::metadata(folder.output()).unwrap().mode() & 0o777, 0o640);
    assert_eq!(fs::read(&victim).unwrap(), b"mine");
}

#[test]
fn a_file_whose_name_the_disk_has_not_confirmed_is_there_all_the_same() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    writer.file(&FILES[0]).unwrap();
    let error = crate::durable::power::confirming(0, || writer.finish()).unwrap_err().to_string();
    let expected = "the change is made, but may not survive a power loss: the disk does not answer; check the disk, and run `sync`";
    assert_eq!(error, format!("{}: {expected}", folder.output().display()));
    assert_eq!(verified(&folder.output()).unwrap().files().len(), 1);
}

#[test]
#[should_panic(expected = "a document has a simhash if it has n-grams")]
fn an_entry_that_contradicts_itself() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    writer.file(&FILES[0]).unwrap();
    let _ = writer.push(&Entry { simhash: None, place: Provenance::default(), ..two()[0].entry() });
}

proptest! {
    // Each waits for the disk many times.
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn interruptions_do_not_show(
        (sketches, documents) in documents(),
        sections in sections(),
        stops in prop::collection::vec((0usize..8, 0usize..4, any::<u8>()), 0..4),
    ) {
        let folder = Folder::new();
        let (output, recipe) = (folder.output(), recipe(sketches));
        for (noted, lost, noise) in stops {
            let resumed = Writer::resume(&output, &recipe, sections).unwrap();
            let (mut writer, done) = match resumed {
                Some((writer, progress)) => (writer, progress.as_u64().unwrap() as usize),
                None => (dated(Writer::create(&output, &recipe, sections).unwrap()), 0),
            };
            prop_assert_eq!(writer.documents(), done as u64);
            if writer.files() == 0 {
                for file in &FILES {
                    writer.file(file).unwrap();
                }
            }
            let noted = documents.len().min(done + noted);
            for document in &documents[done..noted] {
                writer.push(&document.entry()).unwrap();
            }
            writer.checkpoint(&noted.into()).unwrap();
            for document in documents[noted..].iter().take(lost) {
                writer.push(&document.entry()).unwrap();
            }
            drop(writer);
            // A crash may leave any bytes at the end of a spool.
            let mut spool = fs::OpenOptions::new().append(true).open(folder.partial("ids")).unwrap();
            spool.write_all(&vec![noise; noise.into()]).unwrap();
        }
        match Writer::resume(&output, &recipe, sections).unwrap() {
            Some((mut writer, progress)) => {
                for document in &documents[progress.as_u64().unwrap() as usize..] {
                    writer.push(&document.entry()).unwrap();
                }
                tabulated(&mut writer).unwrap();
                writer.finish().unwrap();
            }
            None => fill(dated(Writer::create(&output, &recipe, sections).unwrap()), &documents).unwrap(),
        }
        prop_assert!(fs::read(&output).unwrap() == bytes(sketches, &documents, sections));
    }
}
