//! A document's fingerprint, in memory or in a mapped file.

use std::borrow::Cow;

use crate::similarity::{
    Equality, Figures, KEPT_WORDS, LONG_TEXT, Overlap, Removal, RuleSet, Rules, is_contained, is_substituted,
};
use crate::sketch::{minhash, simhash};

/// The format of texts that may not be all that their file says, as of a scan: it agrees with none, not even with itself.
pub const UNSURE_FORMAT: u8 = u8::MAX;

/// True if texts were extracted from files of one format, and surely all of their words.
pub fn formats_agree(a: u8, b: u8) -> bool {
    a == b && a != UNSURE_FORMAT
}

/// The data that two documents are compared by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FingerprintView<'a> {
    /// The simhash; `None` if the document has no terms, or no simhash was made.
    pub simhash: Option<u64>,
    /// The sketch; empty if the document is.
    pub sketch: &'a [u32],
    /// The first 128 bits of the BLAKE3 hash of the text.
    pub digest: [u8; 16],
    /// The hash of what the text says; 0 for a text without words.
    pub letters: u64,
    /// The hashes of the first [`KEPT_WORDS`] words, in the order of the text, with a [`BREAK`](crate::similarity::BREAK) where a sentence or a
    /// line ends behind one; none if they are not kept.
    pub words: Cow<'a, [u32]>,
    /// The distinct shingles, ascending; none if the document is empty or they are not kept.
    pub shingles: Cow<'a, [u64]>,
    /// The number of the format that the text was extracted from.
    pub format: u8,
    /// A hash of the files that the document carries besides its text, as a mail does; 0: none.
    pub carried: u64,
    /// The first 128 bits of the BLAKE3 hash of the file; `None` if the file is not one document.
    pub file: Option<[u8; 16]>,
}

/// A key that is equal for texts of [equal words](Equality::Same): their letters, or the digest of a text without words.
pub fn equality_key(letters: u64, digest: [u8; 16]) -> [u8; 16] {
    match letters {
        0 => digest,
        letters => u128::from(letters).to_le_bytes(),
    }
}

impl FingerprintView<'_> {
    /// See [`equality_key`].
    pub fn equality_key(&self) -> [u8; 16] {
        equality_key(self.letters, self.digest)
    }

    /// All figures of two documents, this one being A. Jaccard and containment are `None` if shingles are not
    /// kept.
    pub fn figures(&self, other: &FingerprintView<'_>) -> Figures {
        let overlap = Overlap::of(&self.shingles, &other.shingles);
        Figures {
            distance: self.simhash.zip(other.simhash).map(|(a, b)| simhash::distance(a, b)),
            jaccard_estimate: minhash::estimate(self.sketch, other.sketch),
            jaccard: overlap.jaccard(),
            containment_a: overlap.containment_a(),
            containment_b: overlap.containment_b(),
            equality: self.equality(other),
            words: self.length().min(other.length()),
            substituted: self.is_substituted(other),
            other_format: !formats_agree(self.format, other.format),
        }
    }

    /// True if the Jaccard rule holds.
    pub fn is_similar(&self, other: &FingerprintView<'_>, rules: &Rules) -> bool {
        let words = self.length().min(other.length());
        let is_equal = || self.equality(other) >= Equality::Same;
        let is_substituted = || self.is_substituted(other);
        rules.needed(words).is_some_and(|least| Overlap::reaches(&self.shingles, &other.shingles, least))
            && rules.says_the_same(words, is_equal, is_substituted)
    }

    /// True if one text has a word throughout where the other has another, or a document carries another file: a mail
    /// says in a line what may be most of it.
    fn is_substituted(&self, other: &FingerprintView<'_>) -> bool {
        self.carried != other.carried || is_substituted(&self.words, &other.words)
    }

    /// The length in words; repetition does not count, so it is at most the number of distinct shingles plus
    /// two.
    pub(super) fn length(&self) -> u64 {
        self.words.len().min(self.shingles.len() + 2) as u64
    }

    /// The equality of the two texts as a whole.
    pub fn equality(&self, other: &FingerprintView<'_>) -> Equality {
        if self.digest == other.digest {
            let is_same_file = self.file.is_some() && self.file == other.file;
            if is_same_file { Equality::Bytes } else { Equality::Text }
        } else if self.letters == other.letters && self.letters != 0 {
            Equality::Same
        } else {
            Equality::None
        }
    }

    /// True if all that this text says stands in the other. Of texts longer than [`KEPT_WORDS`] it is not known.
    pub fn is_contained_in(&self, other: &FingerprintView<'_>) -> bool {
        // Of as many words it is the same text, or code with other signs.
        self.words.len() < other.words.len() && self.may_be_contained() && is_contained(&self.words, &other.words)
    }

    fn may_be_contained(&self) -> bool {
        self.length() >= LONG_TEXT as u64 && self.words.len() < KEPT_WORDS
    }

    /// The narrowest claim by which this document may be removed if the other stays, given the rules of
    /// [`Removal::Edited`]; `None` if there is none.
    pub fn claim(&self, survivor: &FingerprintView<'_>, edited: &Rules) -> Option<Removal> {
        if self.equality(survivor) >= Equality::Same {
            Some(Removal::Same)
        } else if self.is_contained_in(survivor) {
            Some(Removal::Contained)
        } else {
            let (_, held) = self.judge(survivor, edited);
            (!held.is_empty()).then_some(Removal::Edited)
        }
    }

    /// The narrowest claim by which one of two documents may be removed if the other stays, as [`Self::claim`].
    pub fn claim_of_either(&self, other: &FingerprintView<'_>, edited: &Rules) -> Option<Removal> {
        [self.claim(other, edited), other.claim(self, edited)].into_iter().flatten().min()
    }

    /// The figures of two documents, and the rules that hold.
    pub fn judge(&self, other: &FingerprintView<'_>, rules: &Rules) -> (Figures, RuleSet) {
        let figures = self.figures(other);
        let held = rules.judge(&figures);
        (figures, held)
    }
}
