//! An index behaves like a list of documents, whatever happens in between.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use proptest::prelude::*;

use super::query::{Found, Plan};
use super::*;
use crate::durable::power::{confirming, failing_at_every_moment, may_fail};
use crate::similarity::FingerprintView;
use crate::similarity::{Rule, Rules};
use crate::store::file::format::Sections;
use crate::store::file::lookup::LookupPlan;
use crate::store::file::test_collections::{Made, SKETCHES, collection_with, made, recipe};

const SECTIONS: Sections = Sections { shingles: true, keys: false, passages: false, lookup: false };

fn settings() -> Settings {
    let lookup = LookupPlan::new(SKETCHES, 3, 0.5, 0.995);
    Settings { recipe: recipe(), stop_words: None, shingles: true, passages: false, lookup }
}

/// Documents by their ids, each with its first shingle and the number of its shingles.
type Model = BTreeMap<String, (u64, u64)>;

fn of((from, count): (u64, u64)) -> std::ops::Range<u64> {
    from..from + count
}

/// Adds documents; one with a known id replaces the old one.
fn put(editor: &mut Editor, documents: &[(String, (u64, u64))]) -> Result<()> {
    let documents: Vec<(Made, Option<u64>)> =
        documents.iter().map(|(id, shingles)| (made(id, of(*shingles), 1), None)).collect();
    let (_folder, file) = collection_with(&documents, SECTIONS, None);
    let known: Vec<Address> = documents.iter().filter_map(|((id, ..), _)| editor.segments().find(id)).collect();
    editor.change(&[Part { file: &file, takes: &|_| true, renamed: None }], &known, &())
}

fn remove(editor: &mut Editor, ids: &[String]) -> Result<()> {
    let known: Vec<Address> = ids.iter().filter_map(|id| editor.segments().find(id)).collect();
    editor.change(&[], &known, &())
}

fn ids(segments: &Segments) -> Vec<String> {
    let mut ids: Vec<String> = segments.documents().map(|place| segments.id(place).to_owned()).collect();
    ids.sort_unstable();
    ids
}

/// Asserts that index and model agree: the same documents, found by their ids, and the same answers.
fn assert_equals(segments: &Segments, model: &Model) {
    assert_eq!(ids(segments), model.keys().cloned().collect::<Vec<_>>());
    assert_eq!(segments.len(), model.len());
    let documents: Vec<(Made, Option<u64>)> =
        model.iter().map(|(id, shingles)| (made(id, of(*shingles), 1), None)).collect();
    let (_folder, file) = collection_with(&documents, SECTIONS, None);
    let plan = Plan::new(segments, Rules::default(), 0.995).unwrap();
    for query in 0..file.len() {
        let place = segments.find(file.id(query)).expect("it is in the index");
        let print = file.view(query);
        let expected: BTreeMap<&str, _> = (0..file.len())
            .map(|other| (file.id(other), print.judge(&file.view(other), &Rules::default())))
            .filter(|(_, (_, held))| !held.is_empty())
            .collect();
        let answer = segments.near(&print, &plan);
        for found in &answer {
            assert_eq!(Some(&(found.figures, found.rules)), expected.get(segments.id(found.place)));
        }
        let is_found = |id: &&str| answer.iter().any(|found| segments.id(found.place) == *id);
        for (id, (figures, held)) in &expected {
            let is_sure = held.contains(Rule::Hamming) || held.contains(Rule::Text) || figures.jaccard > Some(0.9);
            assert!(is_found(id) || !is_sure, "{id} is near to {}", file.id(query));
        }
        assert!(answer.iter().any(|found| found.place == place) || file.simhash(query).is_none());
    }
    // Many queries at once give the same answers as one by one.
    let prints: Vec<FingerprintView<'_>> = (0..file.len()).map(|query| file.view(query)).collect();
    let one_by_one: Vec<Vec<Found>> = prints.iter().map(|print| segments.near(print, &plan)).collect();
    assert_eq!(segments.near_all(&prints, &plan), one_by_one);
}

#[derive(Debug, Clone)]
enum Step {
    Put(Vec<(String, (u64, u64))>),
    Remove(Vec<String>),
    Compact,
    Clear,
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    let id = || (0u32..40).prop_map(|id| format!("id {id}"));
    let shingles =
        prop_oneof![8 => (0u64..30, 40u64..44).prop_map(|(from, count)| (from * 3, count)), 1 => Just((0, 0))];
    let put = prop::collection::btree_map(id(), shingles, 1..6)
        .prop_map(|documents| Step::Put(documents.into_iter().collect()));
    prop_oneof![
        12 => put,
        4 => prop::collection::vec(id(), 1..6).prop_map(Step::Remove),
        1 => Just(Step::Compact),
        1 => Just(Step::Clear),
        2 => Just(Step::Reopen),
    ]
}

fn apply(model: &mut Model, step: &Step) {
    match step {
        Step::Put(documents) => model.extend(documents.iter().cloned()),
        Step::Remove(ids) => model.retain(|id, _| !ids.contains(id)),
        Step::Clear => model.clear(),
        Step::Compact | Step::Reopen => {}
    }
}

fn run(editor: Editor, folder: &Path, step: &Step) -> Editor {
    let mut editor = editor;
    match step {
        Step::Put(documents) => put(&mut editor, documents).unwrap(),
        Step::Remove(ids) => remove(&mut editor, ids).unwrap(),
        Step::Compact => _ = editor.compact(&()).unwrap(),
        Step::Clear => editor.clear().unwrap(),
        Step::Reopen => {
            drop(editor);
            editor = Editor::open(folder).unwrap();
        }
    }
    editor
}

proptest! {
    // Each waits for the disk many times.
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_steps_do_what_they_do_to_a_list(steps in prop::collection::vec(step(), 1..40)) {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("index");
        let mut editor = Editor::create(&folder, settings()).unwrap();
        let mut model = Model::new();
        for step in &steps {
            let before = Segments::open(&folder).unwrap();
            let old = model.clone();
            editor = run(editor, &folder, step);
            apply(&mut model, step);
            // An index opened before still shows the old documents.
            prop_assert_eq!(ids(&before), old.keys().cloned().collect::<Vec<_>>());
        }
        assert_equals(editor.segments(), &model);
        let opened = Segments::open(&folder).unwrap();
        assert_equals(&opened, &model);
        opened.verify(&()).unwrap();
        // Few segments, and nothing else in the folder.
        let most = 3 * (1 + model.len().max(1).ilog(4) as usize);
        prop_assert!(opened.segments().len() <= most, "{} segments", opened.segments().len());
        for entry in std::fs::read_dir(&folder).unwrap() {
            let name = entry.unwrap().file_name().to_string_lossy().into_owned();
            let is_known = ["manifest", "lock", ".ignore"].contains(&&*name) || [".fp", ".removed"].iter().any(|end| name.ends_with(end));
            prop_assert!(is_known, "{name}");
        }
    }

}

proptest! {
    // The disk is checked after every step of the program.
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn power_may_fail_at_any_moment(steps in prop::collection::vec(step(), 1..14)) {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("index");
        let mut editor = Editor::create(&folder, settings()).unwrap();
        let mut model = Model::new();
        let allowed = Rc::new(RefCell::new(vec![Vec::new()]));
        let (expected, mut moments) = (Rc::clone(&allowed), 0);
        let check = move |disk: &Path| {
            let left = Segments::open(disk).unwrap();
            left.verify(&()).unwrap();
            let found = ids(&left);
            assert!(expected.borrow().contains(&found), "{found:?} is none of {:?}", expected.borrow());
            moments += 1;
            if moments % 16 == 0 {
                // Further changes are possible.
                let mut editor = Editor::open(disk).unwrap();
                put(&mut editor, &[("a new one".into(), (7, 50))]).unwrap();
                assert_eq!(ids(&Segments::open(disk).unwrap()).len(), found.len() + 1);
            }
        };
        failing_at_every_moment(&folder, check, || {
            for step in &steps {
                apply(&mut model, step);
                let new: Vec<String> = model.keys().cloned().collect();
                allowed.borrow_mut().push(new.clone());
                let old = editor;
                editor = run(old, &folder, step);
                // An acknowledged change survives any later power failure.
                *allowed.borrow_mut() = vec![new];
                may_fail();
            }
        });
    }
}

/// An index of a version: a segment with a removed document, and one after it.
fn of_version(version: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/formats/index-v{version}"))
}

/// An index written by each version. A later version must open it; this version writes the same bytes.
#[test]
fn an_index_of_every_version_is_read() {
    let kept = of_version(2);
    let expected = Model::from([("moor".into(), (0, 50)), ("pier".into(), (3, 50)), ("mill".into(), (900, 40))]);
    for version in 1..=2 {
        let index = Segments::open(&of_version(version)).unwrap();
        index.verify(&()).unwrap();
        assert_equals(&index, &expected);
        assert_eq!((index.generation(), index.segments().len()), (3, 2));
    }
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("index");
    let mut editor = Editor::create(&new, settings()).unwrap();
    let documents = [("moor", (0, 50)), ("kiln", (500, 40)), ("pier", (3, 50))];
    put(&mut editor, &documents.map(|(id, shingles)| (id.to_owned(), shingles))).unwrap();
    put(&mut editor, &[("mill".into(), (900, 40))]).unwrap();
    remove(&mut editor, &["kiln".into()]).unwrap();
    for name in ["manifest", "00000001.fp", "00000001.3.removed", "00000002.fp"] {
        let [old, new] = [&kept, &new].map(|folder| std::fs::read(folder.join(name)).unwrap());
        assert!(old == new, "{name} has changed: raise the version, and keep one of the new one too");
    }
}

fn copy(from: &Path) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    let path = folder.path().to_owned();
    (folder, path)
}

/// Two indexes of the same documents, of which each lacks another one: their lists have equal lengths and counts.
#[test]
fn a_list_of_removed_documents_of_another_index_is_noticed() {
    let [one, other] = [["kiln"], ["pier"]].map(|gone| {
        let folder = tempfile::tempdir().unwrap();
        let mut editor = Editor::create(&folder.path().join("index"), settings()).unwrap();
        let documents = [("moor", (0, 50)), ("kiln", (500, 40)), ("pier", (3, 50))];
        put(&mut editor, &documents.map(|(id, shingles)| (id.to_owned(), shingles))).unwrap();
        remove(&mut editor, &gone.map(str::to_owned)).unwrap();
        folder
    });
    let [list, others] = [&one, &other].map(|folder| folder.path().join("index/00000001.2.removed"));
    std::fs::copy(others, list).unwrap();
    let error = Segments::open(&one.path().join("index")).unwrap_err().to_string();
    assert!(error.contains("00000001.2.removed: is not the list that the manifest names"), "{error}");
}

/// The first change of an index of version 1 gives its lists their checksums.
#[test]
fn the_manifest_of_an_older_index_gets_the_checksums_of_its_lists() {
    let (_folder, index) = copy(&of_version(1));
    put(&mut Editor::open(&index).unwrap(), &[("new".into(), (7, 50))]).unwrap();
    let manifest = std::fs::read_to_string(index.join("manifest")).unwrap();
    assert!(manifest.contains(r#""version":2"#) && manifest.contains(r#""documents":1,"checksum":""#), "{manifest}");
    assert_eq!(ids(&Segments::open(&index).unwrap()), ["mill", "moor", "new", "pier"]);
}

/// The order of changes comes from a number, never from a clock.
#[test]
fn a_clock_that_goes_backwards_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("index");
    let mut editor = Editor::create(&folder, settings()).unwrap();
    let mut model = Model::new();
    for i in 0..9u64 {
        let document = (format!("id {}", i % 6), (100 * i, 50));
        put(&mut editor, std::slice::from_ref(&document)).unwrap();
        model.extend([document]);
        let then = std::time::UNIX_EPOCH + std::time::Duration::from_secs(4_000_000_000 - 400_000_000 * i);
        for entry in std::fs::read_dir(&folder).unwrap().flatten() {
            let file = std::fs::OpenOptions::new().write(true).open(entry.path()).unwrap();
            file.set_modified(then).unwrap();
        }
        editor = run(editor, &folder, &Step::Reopen);
        assert_equals(editor.segments(), &model);
    }
}

/// A change is made once the new manifest has its name, even if the disk does not confirm it: the files
/// of the old manifest stay, and the next change continues from the new one.
#[test]
fn a_change_that_the_disk_does_not_confirm_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("index");
    let mut editor = Editor::create(&folder, settings()).unwrap();
    let [first, second, third] = ["first", "second", "third"].map(|id| (id.to_owned(), (100, 50)));
    put(&mut editor, std::slice::from_ref(&first)).unwrap();
    // First the name of the segment is not confirmed, so nothing is changed; then that of the manifest.
    let error = confirming(0, || put(&mut editor, std::slice::from_ref(&second))).unwrap_err();
    assert!(matches!(error, Error::Write { .. }), "{error}");
    assert_eq!(ids(&Segments::open(&folder).unwrap()), ["first"]);
    let error = confirming(1, || put(&mut editor, std::slice::from_ref(&second))).unwrap_err().to_string();
    let manifest = folder.join("manifest");
    let said = format!("{}: the change is made, but may not survive a power loss: ", manifest.display());
    assert!(error.starts_with(&said), "{error}");
    assert_eq!(ids(editor.segments()), ["first", "second"]);
    put(&mut editor, std::slice::from_ref(&third)).unwrap();
    drop(editor);
    let index = Segments::open(&folder).unwrap();
    index.verify(&()).unwrap();
    assert_eq!(ids(&index), ["first", "second", "third"]);
    // Files that a removal makes needless are needed again if the old manifest comes back.
    let mut editor = Editor::open(&folder).unwrap();
    let old = std::fs::read(&manifest).unwrap();
    confirming(0, || editor.clear()).unwrap_err();
    assert_eq!(editor.segments().len(), 0);
    std::fs::write(&manifest, old).unwrap();
    assert_eq!(Segments::open(&folder).unwrap().len(), 3);
}
