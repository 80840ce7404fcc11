//! Readers of single documents: the first byte chooses the format, the rest is the file.

use nearcopy_corpus::{Document, Format, Options};

pub(crate) fn run(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    // One choice beyond the formats detects it.
    let format = Format::all().nth(usize::from(choice) % (Format::all().count() + 1));
    if let Ok(document) = Document::new("fuzz", bytes, Options { format, ..Options::default() }) {
        assert!(document.text.len() <= 1 << 30, "{format:?}: text of {} bytes", document.text.len());
    }
}
