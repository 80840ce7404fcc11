//! The fingerprint file and the archive of a screening: bytes that are opened, checked, listed and searched.

use std::fs;

use nearcopy::store::file::map::FingerprintFile;

pub(crate) fn run(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("file.fp");
    fs::write(&path, bytes).expect("a new file");
    let Ok(file) = FingerprintFile::open(&path) else { return };
    let is_sound = file.verify().is_ok();
    for document in 0..file.len().min(1000) {
        let view = file.view(document);
        let _ = (view.figures(&file.view(0)), file.id(document), file.key(document), file.language(document));
        let _ = (file.text(document), file.author(document), file.place(document), file.counts(document));
    }
    if let Some(lookup) = file.lookup() {
        let mut found = Vec::new();
        lookup.within(file.simhashes(), 0, 3, &mut found);
        assert!(!is_sound || found.iter().all(|&document| (document as usize) < file.len()));
    }
}
