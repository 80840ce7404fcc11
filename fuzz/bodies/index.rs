//! The index: a manifest of any content beside a sound segment, opened, checked and queried.

use std::fs;

use nearcopy::similarity::{FingerprintView, Rules};
use nearcopy::store::index::Segments;
use nearcopy::store::index::query::Plan;

/// The files of an index beside its manifest.
const SOUND: [(&str, &[u8]); 3] = [
    ("00000001.fp", include_bytes!("../../tests/formats/index-v2/00000001.fp")),
    ("00000001.3.removed", include_bytes!("../../tests/formats/index-v2/00000001.3.removed")),
    ("00000002.fp", include_bytes!("../../tests/formats/index-v2/00000002.fp")),
];

pub(crate) fn run(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, content) in SOUND {
        fs::write(folder.path().join(name), content).expect("a new file");
    }
    // The checksum is that of the JSON, so that the fuzzer need not guess it.
    let json = String::from_utf8_lossy(bytes);
    let manifest = format!("{}\n{json}", blake3::hash(json.as_bytes()).to_hex());
    fs::write(folder.path().join("manifest"), manifest).expect("a new file");
    let Ok(index) = Segments::open(folder.path()) else { return };
    let _ = index.verify(&());
    if let Ok(plan) = Plan::new(&index, Rules::default(), 0.9) {
        let _ =
            index.near(&FingerprintView { simhash: Some(7), sketch: &[1; 25], ..FingerprintView::default() }, &plan);
    }
}
