//! Entries are read as they were pushed, and a file of every version stays readable.

use super::*;

#[test]
fn a_file_without_documents() {
    for sections in [ALL, NONE] {
        let file = open(&bytes(25, &[], sections)).unwrap();
        file.verify().unwrap();
        assert!(file.is_empty());
        assert_eq!((file.simhashes(), file.sketches()), (&[][..], &[][..]));
        assert_eq!(file.files().collect::<Vec<_>>(), FILES);
    }
}

#[test]
fn what_is_not_kept_is_not_there() {
    let file = open(&bytes(2, &two(), NONE)).unwrap();
    assert_eq!((file.key(0), file.shingles(0)), (None, None));
    assert_eq!(file.sections().count(), 13);
    let file = open(&bytes(2, &two(), ALL)).unwrap();
    assert_eq!(file.key(0), Some("2026-01-01"));
    assert_eq!(file.shingles(1).as_deref(), Some(&[][..]), "kept, and empty");
    assert_eq!(file.sections().map(|(_, length)| length).nth(1), Some(16));
    assert_eq!(file.files().nth(1), file.file(1));
    assert_eq!(file.file(3), None);
}

#[test]
fn a_date_counts_before_the_time_of_the_file() {
    use super::super::format::{DateOrigin, Stated};
    const SECOND: i64 = 1_000_000_000;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.fp");
    let mut writer = Writer::create(&path, &recipe(2), NONE).unwrap();
    let far = 0x7fff_ffff_ffff;
    let stated = [None, Some(Stated::Document(-1)), Some(Stated::Archive(far)), Some(Stated::Document(-far))];
    for stated in stated {
        writer.file(&InputFile { modified: SECOND, stated, ..FILES[0] }).unwrap();
    }
    writer.file(&InputFile::default()).unwrap();
    writer.finish().unwrap();
    let file = verified(&path).unwrap();
    assert_eq!(file.files().take(4).map(|file| file.stated).collect::<Vec<_>>(), stated);
    let dates = [
        Some((SECOND, DateOrigin::File)),
        Some((-1_000_000_000, DateOrigin::Document)),
        Some((i64::MAX, DateOrigin::Archive)),
        Some((i64::MIN, DateOrigin::Document)),
        None,
    ];
    assert_eq!(file.files().map(|file| file.date()).collect::<Vec<_>>(), dates);
}

#[test]
fn carried_files_are_hashes_of_forty_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.fp");
    let mut writer = Writer::create(&path, &recipe(2), NONE).unwrap();
    let hashes = [0, 1, 1 << 39, (1 << 40) - 1];
    for carried in hashes {
        writer.file(&InputFile { carried, ..FILES[2] }).unwrap();
    }
    writer.finish().unwrap();
    let file = verified(&path).unwrap();
    let read: Vec<_> = file.files().map(|file| (file.carried, file.kind, file.is_unread)).collect();
    assert_eq!(read, hashes.map(|carried| (carried, 255, true)));
}

#[test]
fn a_file_of_version_1() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/v1.fp");
    let file = verified(&path).unwrap();
    assert_eq!((file.recipe(), file.recipe_id()), (&recipe(2), 0xdaee_a7dc_7836_d82f));
    assert_eq!(file.files().collect::<Vec<_>>(), FILES);
    assert_eq!([0, 1].map(|i| Document::of(&file, i)), two());
    assert_eq!((file.len(), file.sketches()), (2, &[7, 0xffff_fffe, 0, 0][..]));
    assert_eq!(file.key_field(), Some("date"));
    let index = PassageIndex {
        first_blocks: vec![0, 1, 2].into(),
        heads: vec![0, 2].into(),
        features: vec![0, 1 << 40 | 1].into(),
    };
    assert_eq!(file.passages(), Some(index));
}

proptest! {
    // Each makes a folder and some twenty files.
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn what_is_pushed_is_read((sketches, documents) in documents(), sections in sections()) {
        let file = open(&bytes(sketches, &documents, sections)).unwrap();
        file.verify().unwrap();
        prop_assert_eq!(file.recipe(), &recipe(sketches));
        prop_assert_eq!(file.recipe_id(), recipe(sketches).id());
        prop_assert_eq!(file.files().collect::<Vec<_>>(), FILES);
        let read: Vec<Document> = (0..file.len()).map(|i| Document::of(&file, i)).collect();
        let simhashes: Vec<u64> = documents.iter().map(|document| document.simhash.unwrap_or(0)).collect();
        prop_assert_eq!(file.simhashes(), simhashes);
        prop_assert_eq!(file.sketches().len(), sketches * documents.len());
        prop_assert_eq!(read, documents.into_iter().map(|document| document.kept(sections)).collect::<Vec<_>>());
    }
}
