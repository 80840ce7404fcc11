//! The index: a manifest of any content beside a sound segment, opened, checked and queried.
#![no_main]

use std::fs;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use nearcopy::index::Segments;
use nearcopy::index::query::Plan;
use nearcopy::similarity::{FingerprintView, Rules};

/// An index of the first version.
const SOUND: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/formats/index-v1");

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["00000001.fp", "00000001.3.removed", "00000002.fp"] {
        fs::copy(Path::new(SOUND).join(name), folder.path().join(name)).expect("a copy");
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
});
