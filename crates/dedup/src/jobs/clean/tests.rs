use std::fs;
use std::path::Path;

use nearcopy::durable::disk::Step;
use nearcopy::durable::faults::failing;
use nearcopy::fingerprint::Options;
use nearcopy::search::cluster::cluster;
use nearcopy::search::effort::Effort;
use nearcopy::search::keep::Keep;
use nearcopy::search::plan::Plan;
use nearcopy::similarity::Rules;
use nearcopy_corpus::inputs::Selection;
use nearcopy_corpus::records::Reading;
use tempfile::TempDir;

use super::*;
use crate::jobs::find::gather;

#[test]
fn files_keep_their_places() {
    let inputs = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
    for (named, file, expected) in [
        (&["in"][..], "in/a/b.txt", "a/b.txt"),
        (&["in/"], "in/a.txt", "a.txt"),
        (&["in", "more"], "more/a.txt", "more/a.txt"),
        (&["in", "in/deep"], "in/deep/a.txt", "deep/a.txt"),
        (&["x/a.jsonl"], "x/a.jsonl", "a.jsonl"),
        (&["x/a.jsonl", "b.jsonl"], "b.jsonl", "b.jsonl"),
    ] {
        assert_eq!(below(&inputs(named), Path::new(file)), Path::new(expected), "{named:?} {file}");
    }
}

#[test]
fn lists_lie_beside_their_files() {
    assert_eq!(to(OutputKind::File, "a.jsonl").removed(), Path::new("a.jsonl.removed.jsonl"));
    let written = ["x/out/", "x/out.removed.jsonl", "x/out.review.jsonl"];
    assert_eq!(to(OutputKind::Folder, "x/out/").written(), written.map(PathBuf::from));
}

fn to(kind: OutputKind, path: impl Into<PathBuf>) -> Output {
    Output {
        path: path.into(),
        kind,
        removed_ending: "jsonl",
        replaces: false,
        keeps_unread: false,
        outdated: Vec::new(),
    }
}

/// A folder of three files, one of which holds a copy of another's text.
fn corpus() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    for (name, text) in [
        ("a.txt", "the harbour closes at low water on sundays"),
        (
            "b.jsonl",
            "{\"text\":\"bees keep the winter out of the hive\"}\n{\"text\":\"nobody winds the clock on the tower\"}\n",
        ),
        ("c.jsonl", "{\"text\":\"the harbour closes at low water on sundays\"}\n"),
    ] {
        fs::write(folder.path().join("in").join(name), text).unwrap();
    }
    folder
}

/// Cleans the corpus, after `happens` has changed it between the decision and the copying.
fn cleaned(folder: &TempDir, input: &str, output: &Output, happens: impl FnOnce(&Path)) -> Result<()> {
    let input = folder.path().join(input);
    let job = Job {
        inputs: vec![input.clone()],
        selection: Selection::default(),
        reading: Reading::default(),
        options: Options::default(),
        shingles: true,
        passages: None,
        strict: false,
        unique_ids: true,
        threads: 1,
    };
    let searched = gather(&job, &[], folder.path(), &Rules::default(), &()).unwrap();
    let collection = &searched.corpus.collection;
    let plan = Plan::new(Rules::default(), collection.recipe().sketches, collection.len(), 0.99);
    let effort = Effort { threads: 1, max_memory: 1 << 20 };
    let clusters = cluster(collection, &plan, &Keep::First.into(), effort, &()).unwrap();
    let claimed = output.claim()?;
    happens(&input);
    let stays = |document| clusters.survivor(document) == document;
    write_kept(&job, collection, &stays, (output, claimed), &(), &mut |_| Ok(()), None)
}

/// Changes bytes but neither size nor modification time, as a failing disk does.
fn change_quietly(path: &Path, bytes: &[u8]) {
    let modified = fs::metadata(path).unwrap().modified().unwrap();
    fs::write(path, bytes).unwrap();
    fs::File::options().write(true).open(path).unwrap().set_modified(modified).unwrap();
}

#[test]
fn what_was_decided_to_stay_is_copied_or_the_run_fails() {
    type Happens = fn(&Path);
    let stories: [(&str, Happens, &str); 7] = [
        ("in", |path| fs::remove_file(path.join("a.txt")).unwrap(), "/in/a.txt: no such file"),
        ("in", |path| fs::remove_file(path.join("b.jsonl")).unwrap(), "/in/b.jsonl: no such file"),
        // None of its documents stays.
        ("in", |path| fs::remove_file(path.join("c.jsonl")).unwrap(), "/in/c.jsonl: no such file"),
        ("in", |path| fs::remove_dir_all(path).unwrap(), "/in/a.txt: no such file"),
        ("in/b.jsonl", |path| fs::remove_file(path).unwrap(), "/in/b.jsonl: no such file"),
        ("in", |path| fs::write(path.join("new.txt"), "new").unwrap(), "/in/new.txt: changed while being read"),
        ("in/b.jsonl", |path| change_quietly(path, &[b' '; 98]), "/in/b.jsonl: changed while being read"),
    ];
    for (input, happens, expected) in stories {
        let folder = corpus();
        let out = folder.path().join("out");
        let output = to(if input == "in" { OutputKind::Folder } else { OutputKind::File }, &out);
        let error = cleaned(&folder, input, &output, happens).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("nothing was written"), "{error}");
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(left.iter().all(|name| name == "in"), "{left:?}");
    }
    let folder = corpus();
    let output = to(OutputKind::Folder, folder.path().join("out"));
    cleaned(&folder, "in", &output, |_| ()).unwrap();
    assert_eq!(fs::read_dir(folder.path().join("out")).unwrap().count(), 3);
}

#[test]
fn a_folder_is_replaced_if_that_is_wanted() {
    let folder = corpus();
    let out = folder.path().join("out");
    let mut output = to(OutputKind::Folder, &out);
    fs::create_dir(&out).unwrap();
    fs::write(out.join("old.txt"), "of an earlier run").unwrap();
    let error = cleaned(&folder, "in", &output, |_| ()).unwrap_err().to_string();
    assert!(error.contains("is not empty") && out.join("old.txt").exists(), "{error}");
    output.replaces = true;
    cleaned(&folder, "in", &output, |_| ()).unwrap();
    assert!(out.join("b.jsonl").exists() && !out.join("old.txt").exists());
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 3, "the input, the output, and the list of what was removed");
}

/// What is written to the path of an output during the run stays, and the lists that were there come back.
#[test]
fn an_output_that_appears_during_the_run_is_not_replaced() {
    for (input, kind, appears) in [
        ("in", OutputKind::Folder, "out/of-another.txt"),
        ("in/b.jsonl", OutputKind::File, "out"),
        ("in", OutputKind::List, "out"),
    ] {
        for list in [None, Some("an earlier list")] {
            let folder = corpus();
            let removed = folder.path().join("out.removed.jsonl");
            if let Some(list) = list {
                fs::write(&removed, list).unwrap();
            }
            let taken = folder.path().join(appears);
            let error = cleaned(&folder, input, &to(kind.clone(), folder.path().join("out")), |_| {
                fs::create_dir_all(taken.parent().unwrap()).unwrap();
                fs::write(&taken, "another's").unwrap();
            });
            let error = error.unwrap_err().to_string();
            assert!(error.contains("out: has appeared during the run, and was not replaced; --force"), "{error}");
            assert_eq!(fs::read_to_string(&taken).unwrap(), "another's");
            assert_eq!(fs::read_to_string(&removed).ok().as_deref(), list);
        }
    }
    // With --force a folder is replaced, but not with a file that was not in it.
    let folder = corpus();
    let mut output = to(OutputKind::Folder, folder.path().join("out"));
    cleaned(&folder, "in", &output, |_| ()).unwrap();
    output.replaces = true;
    let new = folder.path().join("out/new.txt");
    assert!(cleaned(&folder, "in", &output, |_| fs::write(&new, "another's").unwrap()).is_err());
    assert_eq!(fs::read_to_string(&new).unwrap(), "another's");
}

/// A list is worthless without its corpus.
#[test]
fn a_corpus_that_cannot_be_put_in_its_place_leaves_no_list() {
    for (input, kind) in [("in", OutputKind::Folder), ("in/b.jsonl", OutputKind::File), ("in", OutputKind::List)] {
        let folder = corpus();
        let output = to(kind.clone(), folder.path().join("out"));
        let mut renamed = 0;
        let fails = move |step| {
            let is_rename = [Step::Rename, Step::RenameNew].contains(&step);
            renamed += i32::from(is_rename);
            (is_rename && renamed == 2).then(|| io::Error::other("the disk is gone"))
        };
        let error = failing(fails, || cleaned(&folder, input, &output, |_| ())).unwrap_err().to_string();
        assert!(error.contains("the disk is gone"), "{error}");
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["in"], "{kind:?}");
    }
}

/// A column that was not read for the decision is damaged.
#[cfg(feature = "parquet")]
#[test]
fn columns_that_cannot_be_copied_fail_the_run() {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, RecordBatch, StringArray};

    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    fs::write(folder.path().join("in/b.txt"), "the next file is whole").unwrap();
    let path = folder.path().join("in/a.parquet");
    let column = |name, value: &str| -> (_, ArrayRef) { (name, Arc::new(StringArray::from_iter_values([value]))) };
    let note = "a note that nobody reads but he who copies it";
    let batch = RecordBatch::try_from_iter([column("text", "the tide comes in"), column("note", note)]).unwrap();
    let mut writer = parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    let bytes = writer.into_inner().unwrap();
    fs::write(&path, &bytes).unwrap();
    let output = to(OutputKind::Folder, folder.path().join("out"));
    let damage = |_: &Path| {
        let mut bytes = bytes.clone();
        let at = bytes.windows(note.len()).position(|window| window == note.as_bytes()).unwrap();
        // The page header precedes the values.
        bytes[at - 40..at].fill(0xff);
        change_quietly(&path, &bytes);
    };
    let error = cleaned(&folder, "in", &output, damage).unwrap_err().to_string();
    assert!(
        error.contains("/in/a.parquet: is not valid Parquet: ") && error.contains("nothing was written"),
        "{error}"
    );
    assert!(!folder.path().join("out").exists());
}
