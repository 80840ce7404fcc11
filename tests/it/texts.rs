//! Texts of the tests: a few written ones, and any number of generated ones.

use std::io::Write;

use nearcopy_corpus::compression::Compression;

pub(crate) const HARBOUR: &str =
    "The harbour closes at low water on Sundays, and the ferry waits outside until the tide comes in again.";
/// The same with another ending; 15 of the 19 shingles of both are shared.
pub(crate) const EDITED: &str =
    "The harbour closes at low water on Sundays, and the ferry waits outside until the tide comes back in.";
pub(crate) const BEES: &str =
    "Bees keep the winter out of the hive with wax and with their own warmth, shivering in a ball.";
pub(crate) const CLOCK: &str =
    "Nobody in the village winds the clock on the tower, and yet it has never been more than a minute slow.";

/// Longer texts, from which passages are copied.
pub(crate) const MILL: &str = "The mill stood where two brooks met, and its wheel had not turned since the war. Children \
    kept frogs in the trough and the owl in the loft kept the children away from the upper floor. In dry summers the \
    old millstone showed through the mud like the back of some patient animal that would outlive us all.";

pub(crate) const HALL: &str = "Nobody wound the clock in the hall after the aunts had left, but it struck all the same, once or twice \
    a year, at hours of its own choosing. We took it for a warning about the weather. The watchmaker, asked at \
    last, found a swallow's nest behind the weights and said that he would rather not disturb the tenants.";

/// Every extension of a compressed file, and none.
pub(crate) const ENDINGS: [&str; 5] = ["", ".gz", ".zst", ".xz", ".bz2"];

/// A text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// JSON Lines with an id and a text each.
pub(crate) fn jsonl(documents: &[(&str, &str)]) -> String {
    documents.iter().map(|(id, text)| format!("{{\"id\":{},\"text\":{}}}\n", quoted(id), quoted(text))).collect()
}

/// Bytes compressed as in a file with this extension.
pub(crate) fn packed(ending: &str, bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let compression = match ending {
        ".gz" => Compression::Gzip,
        ".zst" => Compression::Zstd,
        ".xz" => Compression::Xz,
        ".bz2" => Compression::Bzip2,
        _ => return bytes.as_ref().to_vec(),
    };
    let mut encoder = compression.encode(Vec::new()).unwrap();
    encoder.write_all(bytes.as_ref()).unwrap();
    encoder.finish().unwrap()
}

/// Decompressed bytes.
pub(crate) fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    let mut decoder = Compression::recognise(bytes).expect("is compressed").decode(bytes).unwrap();
    std::io::Read::read_to_end(&mut decoder, &mut whole).unwrap();
    whole
}

/// A Parquet file of columns of strings.
#[cfg(feature = "parquet")]
pub(crate) fn parquet(columns: &[(&str, &[&str])]) -> Vec<u8> {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, StringArray};

    let columns = columns
        .iter()
        .map(|(name, values)| -> (_, ArrayRef) { (*name, Arc::new(StringArray::from_iter_values(*values))) });
    parquet_of(columns)
}

/// A table of Parquet with these columns.
#[cfg(feature = "parquet")]
pub(crate) fn parquet_of<'a>(columns: impl IntoIterator<Item = (&'a str, arrow_array::ArrayRef)>) -> Vec<u8> {
    let batch = arrow_array::RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

/// Pseudo-random numbers that are the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// A number less than `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % end as u64) as usize
    }

    fn word(&mut self) -> String {
        const SYLLABLES: [&str; 16] =
            ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "za", "dun", "gor", "hil", "mer", "pas", "tol"];
        (0..3).map(|_| SYLLABLES[self.below(16)]).collect()
    }

    /// A text of a number of invented words.
    pub(crate) fn text(&mut self, words: usize) -> String {
        let words: Vec<String> = (0..words).map(|_| self.word()).collect();
        words.join(" ")
    }

    /// A text with a number of its words replaced, perhaps fewer.
    pub(crate) fn edited(&mut self, text: &str, changes: usize) -> String {
        let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        for _ in 0..changes {
            let at = self.below(words.len());
            words[at] = self.word();
        }
        words.join(" ")
    }

    /// Documents of a number of words each; every third is a copy of an earlier one, with a few words
    /// replaced or none.
    pub(crate) fn documents(&mut self, count: usize, words: usize) -> Vec<(String, String)> {
        let mut documents: Vec<(String, String)> = Vec::with_capacity(count);
        for i in 0..count {
            let text = if i % 3 == 2 {
                let earlier = documents[self.below(i)].1.clone();
                let changes = self.below(4);
                self.edited(&earlier, changes)
            } else {
                self.text(words)
            };
            documents.push((format!("d{i:05}"), text));
        }
        documents
    }
}

/// Documents as JSON Lines.
pub(crate) fn lines_of(documents: &[(String, String)]) -> String {
    documents.iter().map(|(id, text)| jsonl(&[(id, text)])).collect()
}
