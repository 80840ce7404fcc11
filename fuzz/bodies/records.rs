//! Readers of records: the first byte chooses the kind, the rest is the file.

use std::fs;

use nearcopy_corpus::inputs::{Inputs, Selection};
use nearcopy_corpus::records::{Fields, Kind, Reader, Reading};

pub(crate) fn run(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let kind = Kind::all().nth(usize::from(choice) % (Kind::all().count() + 1)).map(|(.., kind)| kind);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("records");
    fs::write(&path, bytes).expect("a new file");
    let fields = Fields { text: "t".into(), id: Some("i".into()), key: Some("k".into()), origin: None };
    let reading = Reading { kind, fields, max_document: 1 << 16, ..Reading::default() };
    let inputs = Inputs::new(vec![path], Selection::default()).expect("a file that is there");
    let mut read = 0;
    for batch in Reader::new(inputs, reading).flatten() {
        batch.each(|record| read += record.map_or(0, |record| record.text.len()));
    }
    // Text is decoded, never multiplied, but for characters that grow and compressed files.
    assert!(read <= 1 << 30, "{kind:?}: {read} bytes of text");
}
